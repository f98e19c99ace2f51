"""Positions of Die Staufer for tests, made from a few facts and the implied ones.

The ring is that of the worked cases: augsburg 1, aachen 2, strasbourg 3, nijmegen 4, palermo 5, milano 6.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from kaiser_logic.game import Game, load
from kaiser_logic.position import Position

Options = tuple[tuple[str, str], ...]
ROLES = ("red", "green", "blue", "yellow", "black")
REGIONS = ("augsburg", "aachen", "strasbourg", "nijmegen", "palermo", "milano")
TILES = ("t3", "t1", "t2", "t4", "t5", "t6")
JOBS = (
    REGIONS,
    ("opposite", "beside", "apart", "three", "triangle", "four"),
    ("threes", "fours", "fives", "all", "pairs", "series"),
)
CHESTS = {
    **dict.fromkeys(("vp2", "vp3", "vp4", "vp5", "envoy1", "envoy2", "envoy3", "noble1"), 2),
    **{"first": 5, "swap": 6, "nomove": 6, "cheap": 5, "stay": 6, "violet": 18, "brown": 10},
}
_PLACES = {"chest": 2, "owns": 1, "hand": 1, "open": 0, "pile": 0, "discarded": 0}
"""The index of the kind of chest in the arguments of facts with that name."""


def facts_of(text: str) -> set[str]:
    """The facts of a text, separated by blanks."""
    return set(text.split())


def named(facts: set[str], name: str) -> list[list[str]]:
    """The arguments of all facts of a name."""
    return [f[len(name) + 1 : -1].split(",") for f in sorted(facts) if f.startswith(f"{name}(")]


def filled(
    text: str,
    players: int = 3,
    king: str = "augsburg",
    b: str = "king",
    c: int = 1,
    left: int | None = None,
    privileges: str = "",
    kept_back: str = "",
) -> frozenset[str]:
    """The facts with the implied ones, in round 1 unless the text has a round.

    Args:
        text: The facts that matter. ``discarded(C,N)`` means that so many are in no pile.
        players: The number of players, who are the first roles.
        king: The king's region; it has no A tile.
        b: The condition of round 1.
        c: The steps of round 1.
        left: The number of family members that have not acted. The others are in supply.
        privileges: Privileges in use besides those that players have.
        kept_back: Implied facts that are left out.
    """
    facts = facts_of(text)
    roles = ROLES[:players]
    facts |= {f"seat({r},{i})" for i, r in enumerate(roles, 1)}
    facts |= {f"place({i},{g})" for i, g in enumerate(REGIONS, 1)}
    facts |= {f"tile({g},{t})" for g, t in zip(REGIONS, TILES, strict=True)}
    at = REGIONS.index(king)
    rows = [REGIONS[(at + i) % 6] for i in range(1, 6)]
    facts |= {f"row_a({i},{g})" for i, g in enumerate(rows, 1)}
    other = ["king", "king", "chests", "chests", "figures", "figures"]
    other.remove(b)
    facts |= {f"row_b({i},{x})" for i, x in enumerate([b, *other[:4]], 1)}
    steps = [1, 1, 2, 2, 3, 3]
    steps.remove(c)
    facts |= {f"row_c({i},{x})" for i, x in enumerate([c, *steps[:3]], 1)}
    facts |= {f"king({king})"}
    for name, first in (("round", "round(1)"), ("phase", "phase(actions)")):
        facts |= set() if named(facts, name) else {first}
    marked = {g for (g,) in named(facts, "marker")}
    facts |= set() if marked else {f"marker({rows[0]})"}
    for i, role in enumerate(roles):
        facts |= {f"job({role},{jobs[i]})" for jobs in JOBS} if not _of(facts, "job", role) else set()
        facts |= {f"points({role},0)"} if not _of(facts, "points", role) else set()
        if not _of(facts, "court", role):
            facts |= {f"court({role},envoy,4)", f"court({role},noble,1)"}
    facts |= _families(facts, roles, left)
    facts |= _privileges(facts, players, privileges)
    facts |= _pile(facts)
    facts = {f for f in facts if not f.startswith("discarded(")}
    facts = {f for f in facts if not re.fullmatch(r"court\(\w+,\w+,0\)", f)}
    if not named(facts, "decision") and "phase(over)" not in facts:
        _, role = min((int(i), r) for i, r in named(facts, "order"))
        facts |= {f"decision({role},turn)"}
    return frozenset(facts - facts_of(kept_back))


def _of(facts: set[str], name: str, role: str) -> list[list[str]]:
    return [args for args in named(facts, name) if args[0] == role]


def _families(facts: set[str], roles: tuple[str, ...], left: int | None) -> set[str]:
    """The rows of the family members, if the text has none."""
    if any(named(facts, name) for name in ("order", "supplied", "deployed")):
        return set()
    members = [*roles, *reversed(roles), *reversed(roles)]
    acted = len(members) - (len(members) if left is None else left)
    return {f"{'supplied' if i <= acted else 'order'}({i},{r})" for i, r in enumerate(members, 1)}


def _privileges(facts: set[str], players: int, privileges: str) -> set[str]:
    """The display: six privileges, including those that players have."""
    has = Counter(int(p) for _, p in named(facts, "has"))
    used = list(dict.fromkeys([*map(int, privileges.split()), *sorted(has), 1, 2, 5, 8, 11, 14]))[:6]
    copies = {p: players if p == 1 else (1 if players == 2 else 2) for p in used}
    return {f"display({p},{copies[p] - has[p]})" for p in used if copies[p] > has[p]}


def _pile(facts: set[str]) -> set[str]:
    """All chests that are nowhere else."""
    elsewhere: Counter[str] = Counter()
    for name, at in _PLACES.items():
        for args in named(facts, name):
            elsewhere[args[at]] += int(args[-1])
    if named(facts, "pile") or "discarded(all,1)" in facts:
        return set()
    return {f"pile({c},{k - elsewhere[c]})" for c, k in CHESTS.items() if k > elsewhere[c]}


@cache
def game(players: int = 3, edition: str = "standard", options: Options = ()) -> Game:
    """A game with the first seats."""
    return load("staufer", players=players, edition=edition, options=dict(options))


def position(
    text: str,
    players: int = 3,
    edition: str = "standard",
    options: Options = (),
    king: str = "augsburg",
    b: str = "king",
    c: int = 1,
    left: int | None = None,
    privileges: str = "",
) -> Position:
    """A valid position. The arguments are those of `filled`."""
    return game(players, edition, options).position(filled(text, players, king, b, c, left, privileges))


def play(position: Position, *actions: str) -> Position:
    """The position after actions of those who decide, one after the other."""
    for action in actions:
        (role,) = position.to_move
        position = position.apply({role: action})
    return position
