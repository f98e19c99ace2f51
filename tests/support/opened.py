"""The heap game, its variants and its reachable positions, for tests of open positions."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import clingo

from kaiser_logic.game import Game, load
from kaiser_logic.rules.loader import read_parts
from kaiser_logic.rules.rulebook import Rulebook
from support import exhaustive
from support.heap_game import FOLDER, variant


@cache
def heap(**options: str) -> Game:
    return load(FOLDER, options=options or None)


def changed(folder: Path, changes: Mapping[str, str]) -> Game:
    return load(variant(folder, changes))


def changed_book(folder: Path, changes: Mapping[str, str]) -> Rulebook:
    """The rulebook of a variant of the heap game, which may break the contract."""
    book, _ = read_parts(variant(folder, changes))
    assert book is not None
    return book


PIGEONS = """fluent(at(P,H)) :- P = 1..7, H = 1..6.
broken(heap_stated,(P,Q)) :- at(P,H), at(Q,H), P < Q.
broken(heap_stated,P) :- at(P,H), at(P,I), H < I.
"""
"""Rules that place seven pigeons in six holes, at most one in each. To refute that all have a hole takes many conflicts."""


def reachable(game: Game) -> list[frozenset[clingo.Symbol]]:
    """All positions of legal games in which somebody decides."""
    found = (facts for facts in exhaustive.reachable(game) if not exhaustive.is_due(facts))
    deciding = (facts for facts in found if any(fact.name == "decision" for fact in facts))
    return sorted(deciding, key=lambda facts: sorted(map(str, facts)))
