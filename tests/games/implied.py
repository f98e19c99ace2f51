"""What goes without saying in a position of a game, so that tables say only what matters.

Each function takes the facts that are said and the seats, perhaps with hints, and returns the facts to be added.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from oracles import krone, vive
from oracles.staufer import BOARD, CHESTS, PATTERN_JOBS, REGIONS, SEAT_JOBS

Said = Mapping[str, list[list[str]]]
"""The arguments of the facts that are said, by name."""


def arguments(fact: str) -> list[str]:
    """The name of a fact and its arguments; those of a term stay together."""
    name, _, rest = fact.partition("(")
    return [name, *re.findall(r"(?:[^,()]|\([^()]*\)|\((?:[^()]|\([^()]*\))*\))+", rest[:-1])]


def by_name(facts: set[str]) -> Said:
    found: dict[str, list[list[str]]] = {}
    for fact in sorted(facts):
        name, *row = arguments(fact)
        found.setdefault(name, []).append(row)
    return found


def usual(said: Said, **facts: str) -> set[str]:
    """Those facts whose name is not said."""
    return {f"{name}({row})" for name, row in facts.items() if name not in said}


def points(said: Said, seats: Sequence[str]) -> set[str]:
    known = {row[0] for row in said.get("points", ())}
    return {f"points({role},0)" for role in seats if role not in known}


def of_kaiser(said: Said, seats: Sequence[str]) -> set[str]:
    """Nothing goes without saying."""
    return set()


def of_krone(said: Said, seats: Sequence[str]) -> set[str]:
    """The main phase, points of 0, the whole people pile, all other cards in the draw pile."""
    facts = usual(said, phase="main") | points(said, seats)
    if "people" not in said:
        facts |= {f"people({face},{count})" for face, count in krone.FACES.items()}
    left = Counter({**krone.COPIES, **krone.EVENTS})
    for name, at in (("hand", 1), ("laid", 1), ("discard", 0)):
        for row in said.get(name, ()):
            left[row[at]] -= int(row[-1])
    left["papal_visit"] -= sum(int(row[1]) for row in said.get("visit", ()))
    if all(row[0] == "game_end" for row in said.get("draw", ())):
        facts |= {f"draw({card},{count})" for card, count in left.items() if count > 0}
    return facts


def of_vive(said: Said, seats: Sequence[str]) -> set[str]:
    """The basic phase, points of 0, the king free with green, blue as starter, all other cards in the pile.

    If a pile or the last round is said, the other cards are among the discards.
    """
    facts = points(said, seats)
    if ["setup"] not in said.get("phase", ()):
        facts |= usual(said, phase="basic", king="green,free", starter="blue")
    left = Counter(vive.CARDS.copies)
    for name, rows in said.items():
        for row in rows:
            left.subtract(_cards(name, row))
    rest = "discard" if {"pile", "last"} & said.keys() else "pile"
    return facts | {f"{rest}({card},{n})" for card, n in left.items() if n > 0}


def _cards(name: str, row: list[str]) -> Mapping[str, int]:
    match name, row:
        case ("discard" | "pile", [kind, n]) | ("hand", [_, kind, n]):
            return {kind: int(n)}
        case ("middle" | "brand" | "accused", [_, kind]) | ("person", [_, kind, _, _]):
            return {kind: 1}
        case ("gold" | "unplaced", [_, value, n]) | ("load" | "stake", [_, _, value, n]):
            return {f"gold({value})": int(n)}
        case ("staked", [_, _, value, _]) | ("waiting", [_, value, _]) | ("fallen", [_, value, _]):
            return {f"musketeer({value})": 1}
        case ("noble", [_, arms]) | ("province", [_, arms, _]):
            return {f"{name}({arms})": 1}
        case "ear", _:
            return {"ear": 1}
    return {}


TILES: Final = ("t3", "t1", "t2", "t4", "t5", "t6")
COPIES: Final = {c: int(n) for c, n in re.findall(r"chests\((\w+),(\d+)\)", BOARD)}
CHEST: Final = {"chest": 2, "owns": 1, "hand": 1, "open": 0, "pile": 0, "discarded": 0}
"""The index of the kind of chest in the arguments of facts with that name."""


def of_staufer(
    said: Said, seats: Sequence[str], king: str = "augsburg", b: str = "king", c: str = "1", left: str = "",
    privileges: str = "",
) -> set[str]:  # fmt: skip
    """Round 1 of a game on the ring of `REGIONS`: tiles, rows, jobs, courts, family members, the display, the pile.

    ``king``: his region, which has no A tile. ``b``, ``c``: the condition and the steps of round 1. ``left``: the number of
    family members that have not acted. ``privileges``: those in use besides those that players have. ``discarded(C,N)``
    means that so many are in no pile.
    """
    at = REGIONS.index(king)
    rows = [REGIONS[(at + i) % 6] for i in range(1, 6)]
    other, steps = ["king", "king", "chests", "chests", "figures", "figures"], [1, 1, 2, 2, 3, 3]
    other.remove(b)
    steps.remove(int(c))
    numbered = {"place": REGIONS, "row_a": rows, "row_b": [b, *other[:4]], "row_c": [c, *steps[:3]]}
    facts = {f"{name}({i},{x})" for name, given in numbered.items() for i, x in enumerate(given, 1)}
    facts |= {f"tile({g},{t})" for g, t in zip(REGIONS, TILES, strict=True)} | {f"king({king})"}
    facts |= usual(said, round="1", phase="actions", marker=rows[0]) | points(said, seats)
    for i, role in enumerate(seats):
        if role not in {row[0] for row in said.get("job", ())}:
            facts |= {f"job({role},{jobs[i]})" for jobs in (REGIONS, PATTERN_JOBS, SEAT_JOBS)}
        if role not in {row[0] for row in said.get("court", ())}:
            facts |= {f"court({role},envoy,4)", f"court({role},noble,1)"}
    order = [(int(i), role) for i, role in said.get("order", ())]
    if not {"order", "supplied", "deployed"} & said.keys():
        members = [*seats, *reversed(seats), *reversed(seats)]
        acted = len(members) - int(left or len(members))
        facts |= {f"{'supplied' if i <= acted else 'order'}({i},{r})" for i, r in enumerate(members, 1)}
        order = [*enumerate(members[acted:])]
    if "decision" not in said and ["over"] not in said.get("phase", ()) and order:
        facts.add(f"decision({min(order)[1]},turn)")
    has = Counter(int(p) for _, p in said.get("has", ()))
    used = list(
        dict.fromkeys([*map(int, privileges.split("+") if privileges else ()), *sorted(has), 1, 2, 5, 8, 11, 14])
    )
    copies = {p: len(seats) if p == 1 else 2 - (len(seats) == 2) for p in used[:6]}
    facts |= {f"display({p},{n - has[p]})" for p, n in copies.items() if n > has[p]}
    elsewhere = Counter({chest: 0 for chest in CHESTS})
    for name, place in CHEST.items():
        for row in said.get(name, ()):
            elsewhere[row[place]] += int(row[-1])
    if "pile" not in said and not elsewhere["all"]:
        facts |= {f"pile({chest},{n - elsewhere[chest]})" for chest, n in COPIES.items() if n > elsewhere[chest]}
    return facts


IMPLIED: Final[Mapping[str, Callable[..., set[str]]]] = {
    "kaiser": of_kaiser, "krone": of_krone, "staufer": of_staufer, "vive": of_vive,
}  # fmt: skip
