"""Positions of Krone & Schwert by name, read from positions.cases, and how to change them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from games.krone.positions import facts_of, filled
from oracles.krone import ROLES
from support.rule_cases import Options

from kaiser_logic.game import Game, load
from kaiser_logic.position import Position

_Stated = tuple[int, frozenset[str], frozenset[str]]
"""The number of players, the facts written down, and the implied facts that are left out."""


@cache
def game(players: int, edition: str = "standard", options: Options = ()) -> Game:
    """A game with the first seats."""
    return load("krone", players=players, edition=edition, options=dict(options))


@cache
def position(name: str, change: str = "", edition: str = "standard", options: Options = ()) -> Position:
    """The named position after changes. It must be valid."""
    return game(_stated()[name][0], edition, options).position(facts_at(name, change))


@cache
def facts_at(name: str, change: str = "") -> frozenset[str]:
    """The facts of the named position after changes, with the implied facts. They may be invalid."""
    players, given, left_out = _changed(_stated()[name], change)
    facts = filled(ROLES[:players], " ".join(given))
    assert facts >= left_out, left_out - facts
    return frozenset(facts - left_out)


def _changed(stated: _Stated, change: str) -> _Stated:
    """The facts without those after ``-`` and with those after ``+``. Each change must have an effect."""
    players, given, left_out = stated
    adds = True
    for word in _ranges(change).split():
        if word in "+-":
            adds = word == "+"
        elif adds:
            assert word not in given, f"+ {word}"
            given |= {word}
        elif word in given:
            given -= {word}
        else:
            left_out |= {word}
    return players, given, left_out


def _ranges(text: str) -> str:
    """The text with ``shield(a1-3,red)`` written out: one fact for each of a1, a2 and a3."""

    def all_of(found: re.Match[str]) -> str:
        before, piece, first, last, rest = found.groups()
        return " ".join(f"{before}{piece}{n}{rest}" for n in range(int(first), int(last) + 1))

    return re.sub(r"(\w+\()([a-e])(\d+)-(\d+)([^\s]*\))", all_of, text)


@cache
def _stated() -> dict[str, _Stated]:
    found: dict[str, _Stated] = {}
    for head, text in _blocks(Path(__file__).with_name("positions.cases")):
        name, _, players = (part.strip() for part in head.partition("|"))
        if players:
            found[name] = int(players), frozenset(facts_of(_ranges(text))), frozenset()
        else:
            name, _, base = (part.strip() for part in head.partition("<"))
            found[name] = _changed(found[base], text)
    return found


def _blocks(file: Path) -> Iterator[tuple[str, str]]:
    """The unindented lines, each with the text indented below it."""
    head, text = "", ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("%"):
            continue
        if line.startswith(" "):
            text += line + "\n"
            continue
        if head:
            yield head, text
        head, text = line, ""
    yield head, text


def names() -> tuple[str, ...]:
    """The names of all positions."""
    return tuple(_stated())
