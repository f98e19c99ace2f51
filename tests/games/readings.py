"""The exported predicates that the independent implementations know too: their facts at a position."""

from typing import Any

from oracles.kaiser import CITIES, ELECTORATES
from oracles.krone import value_of
from oracles.staufer import REGIONS

Readings = dict[tuple[str, int], set[str]]
"""The facts of each predicate."""


def readings(name: str, oracle: Any) -> Readings:
    """Those of a game; none for vive."""
    return {"kaiser": of_kaiser, "krone": of_krone, "staufer": of_staufer}.get(name, lambda _: {})(oracle)


def of_kaiser(game: Any) -> Readings:
    """Power, votes, supply, room, income, children, and what the election can bring."""
    seats, open_ = game.seats, game.open_electorates()
    power = {e: game.power(e) for e in open_}
    best = {e: {r for r in seats if n[r] == max(n.values()) > 0} for e, n in power.items()}
    child = {r: game.child(r) for r in seats}
    income = game.copy()
    income.thalers = dict.fromkeys(seats, -100)
    income.income()
    supplies = (
        ("aristocrat", game.supply),
        ("knight", game.knight_supply),
        ("city", lambda r: CITIES - game.city_number(r)),
    )
    fits = {r for r in seats if game.supply(r) and game.landings()}
    married = [t for t in game.all_tiles() if game.marriageable(t)]
    rival = game.rival()
    votes = {r: game.votes(r) for r in seats}
    voters = set(seats) - {rival, game.emperor} if rival else set[str]()
    held, theirs = votes[rival] - votes[game.emperor] if rival else 0, sum(votes[r] for r in voters)
    contest = rival not in (None, game.emperor)
    return {
        ("power", 3): {f"power({e},{r},{n})" for e, ns in power.items() for r, n in ns.items()},
        ("best", 2): {f"best({e},{r})" for e, roles in best.items() for r in roles},
        ("tied", 1): {f"tied({e})" for e, roles in best.items() if len(roles) > 1},
        ("wins", 2): {f"wins({e},{r})" for e, roles in best.items() for r in roles if len(roles) == 1},
        ("suitor", 2): {f"suitor({e},{r})" for e in ELECTORATES for r in seats if game.installable(e, r)},
        ("votes", 2): {f"votes({r},{n})" for r, n in votes.items()},
        ("supply", 3): {f"supply({r},{piece},{left(r)})" for piece, left in supplies for r in seats},
        ("spare", 2): {f"spare({r},{piece})" for piece, left in supplies for r in seats if left(r)},
        ("room", 2): {f"room({e},{s})" for e in open_ for s in ("aristocrat", "castle", "city") if game.free(e, s)},
        ("entry", 2): {f"entry({e},{d})" for e, d in game.landings()},
        ("income", 2): {f"income({r},{n + 100})" for r, n in income.thalers.items()},
        ("more_blue", 1): {f"more_blue({r})" for r in seats if child[r] == "son"},
        ("childless", 1): {f"childless({r})" for r in seats if child[r] is None},
        ("child_of", 2): {f"child_of({r},son)" for r in fits if child[r] == "son"}
        | {f"child_of({r},offer)" for r in seats if child[r] == "daughter"},
        ("groom", 4): {f"groom({r},{t.owner},{t.place},{t.age})" for t in married for r in seats if r != t.owner},
        ("challenger", 1): {f"challenger({rival})"} if rival else set(),
        ("voter", 1): {f"voter({r})" for r in voters},
        ("rival_can_win", 0): {"rival_can_win"} if contest and held + theirs > 0 else set(),
        ("rival_must_win", 0): {"rival_must_win"} if contest and held - theirs > 0 else set(),
    }


def of_krone(game: Any) -> Readings:
    """What a hand is worth; while a revolt is decided, the votes and the strengths of both sides."""
    found: Readings = {("might", 2): {f"might({role},{value_of(game.hand[role])})" for role in game.seats}}
    if game.votes:
        sides = ("crown", "sword")
        found["voted", 2] = {f"voted({side},{[*game.votes.values()].count(side)})" for side in sides}
        found["strength", 2] = {f"strength({side},{game.strength(side)})" for side in sides}
    return found


def of_staufer(game: Any) -> Readings:
    """Ranks, the region of the condition, the discarded chests and the figures in the provinces."""
    figures = ("envoy", "noble")
    return {
        ("rank", 3): {f"rank({g},{r},{i})" for g in REGIONS for i, r in enumerate(game.ranking(g), 1)},
        ("b_region", 1): {f"b_region({game.region_b()})"} if game.king and game.round in game.row_b else set(),
        ("discarded", 2): {f"discarded({c},{k})" for c, k in game.discarded().items() if k},
        ("in_province", 3): {
            f"in_province({r},{f},{i})" for r in game.seats for f in figures for i in range(1, game.province(r, f) + 1)
        },
    }
