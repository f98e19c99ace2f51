"""The independent implementations of the games (tests/oracles), started at a position of the package."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from itertools import product
from math import prod
from typing import Any, Final

from kaiser_logic.game import load
from kaiser_logic.position import Position

GAMES: Final = ("kaiser", "krone", "staufer", "vive")
"""The games with an independent implementation."""


@cache
def board_text() -> str:
    """The pieces and joins of krone's rulebook, as facts."""
    facts = [f for name, arity in (("piece", 6), ("join", 4)) for f in load("krone").ruleset.facts(name, arity)]
    return "\n".join(f"{fact}." for fact in facts)


def independent(position: Position, start: bool = False) -> Any:
    """The position in the independent implementation, or with ``start`` its own start."""
    configuration, name = position.ruleset.configuration, position.ruleset.id
    its = getattr(import_module(f"oracles.{name}"), name.capitalize())
    made, given = (its.start, position.ruleset.seats) if start else (its.from_facts, position.facts)
    board = "\n".join(f"{fact}." for fact in configuration.board) or (board_text() if name == "krone" else "")
    return made(given, configuration.edition, dict(configuration.changed), board)


def joint(oracle: Any) -> Iterator[Mapping[str, str]]:
    legal = oracle.legal()
    if legal:
        for actions in product(*legal.values()):
            yield dict(zip(legal, actions, strict=True))


def counted(oracle: Any, depth: int) -> list[int]:
    """The numbers of sequences of each length from 1 to ``depth``; each position is expanded once."""
    level: list[tuple[Any, int]] = [(oracle, 1)]
    found = []
    for left in reversed(range(depth)):
        found.append(sum(number * ways_on(here) for here, number in level))
        after: dict[frozenset[str], Any] = {}
        ways: Counter[frozenset[str]] = Counter()
        for here, number in level if left else ():
            for actions in joint(here):
                following = here.copy()
                following.play(actions)
                facts = following.facts()
                after.setdefault(facts, following)
                ways[facts] += number
        level = [(after[facts], number) for facts, number in ways.items()]
    return found


def ways_on(oracle: Any) -> int:
    legal = oracle.legal()
    return prod(map(len, legal.values())) if legal else 0
