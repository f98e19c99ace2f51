"""Positions of Vive le Roi for tests: named positions with the implied facts, and changed ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from kaiser_logic.game import Game, load
from kaiser_logic.notation.syntax import parse_term
from kaiser_logic.notation.terms import Term
from kaiser_logic.position import Position

SEATS = ("red", "green", "blue", "yellow")
FACT = re.compile(r"\w+(?:\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\))?")
NAMED = Path(__file__).parent / "positions.txt"


def facts_of(text: str) -> list[str]:
    """Facts written one after the other."""
    return FACT.findall(text)


@cache
def game(edition: str = "standard", options: tuple[tuple[str, str], ...] = ()) -> Game:
    """The game of four."""
    return load("vive", seats=SEATS, edition=edition, options=dict(options))


def filled(facts: Iterable[str], seats: Iterable[str] = SEATS) -> frozenset[str]:
    """The facts with the implied ones: seats, phase, points, king, starter, and the remaining cards in the pile."""
    given = set(facts)
    names = {f.partition("(")[0] for f in given}
    given |= {f"seat({r},{i})" for i, r in enumerate(seats, 1)}
    for name, usual in (
        ("phase", "phase(basic)"),
        ("king", "king(green,free)"),
        ("starter", "starter(blue)"),
    ):
        if name not in names and "phase(setup)" not in given:
            given.add(usual)
    stated = {str(parse_term(f).args[0]) for f in given if f.startswith("points(")}
    given |= {f"points({r},0)" for r in seats if r not in stated}
    left = Counter({str(c.arguments[0]): c.arguments[1].number for c in game().ruleset.facts("copies", 2)})
    for fact in sorted(given):
        left.subtract(cards_in(parse_term(fact)))
    rest = "discard" if names & {"pile", "last"} else "pile"
    given |= {f"{rest}({card},{n})" for card, n in left.items() if n > 0}
    return frozenset(given)


def cards_in(fact: Term) -> Counter[str]:
    """The cards that a fact puts somewhere."""
    match fact:
        case Term("discard" | "pile", (kind, int(number))) | Term("hand", (_, kind, int(number))):
            return Counter({str(kind): number})
        case Term("middle" | "brand" | "accused", (_, kind)) | Term("person", (_, kind, _, _)):
            return Counter({str(kind): 1})
        case Term("gold" | "unplaced", (_, value, int(number))):
            return Counter({f"gold({value})": number})
        case Term("load" | "stake", (_, _, value, int(number))):
            return Counter({f"gold({value})": number})
        case Term("staked", (_, _, value, _)) | Term("waiting", (_, value, _)):
            return Counter({f"musketeer({value})": 1})
        case Term("noble", (_, arms)) | Term("province", (_, arms, _)):
            return Counter({f"{fact.name}({arms})": 1})
        case Term("ear", _):
            return Counter(["ear"])
    return Counter()


@cache
def named() -> dict[str, tuple[str, ...]]:
    """The facts of each named position: see positions.txt."""
    found: dict[str, tuple[str, ...]] = {}
    text = re.sub(r"^%.*\n", "", NAMED.read_text(encoding="utf-8"), flags=re.M)
    for block in re.split(r"\n(?==)", text):
        head, _, stated = block.partition("\n")
        if head.startswith("= "):
            name, _, base = head[2:].partition(" < ")
            found[name.strip()] = tuple(
                sorted(changed(found[base.strip()], stated) if base else set(facts_of(stated)))
            )
    return found


def changed(facts: Iterable[str], change: str) -> set[str]:
    """The facts with those after ``+`` and without those after ``-``. One that ends in ``_)`` removes all facts that begin so."""
    result, adds = set(facts), True
    for word in change.split():
        if word in "+-":
            adds = word == "+"
        elif adds:
            assert word not in result, f"+ {word}"
            result.add(word)
        else:
            gone = {f for f in result if f == word or (word.endswith("_)") and f.startswith(word[:-2]))}
            assert gone, f"- {word}"
            result -= gone
    return result


def position(
    name: str, change: str = "", edition: str = "standard", options: tuple[tuple[str, str], ...] = ()
) -> Position:
    """The named position after changes."""
    return game(edition, options).position(filled(changed(named()[name], change)))


def play(position: Position, *moves: str) -> Position:
    """The position after moves: each an action of the only role that decides, or ``role: action, role: action``."""
    for move in moves:
        parts = re.split(r",\s+(?=\w+: )", move) if ": " in move else [move]
        if ": " in move:
            actions = dict(part.split(": ", 1) for part in parts)
        else:
            (role,) = position.to_move
            actions = {role: move}
        position = position.apply(actions)
    return position
