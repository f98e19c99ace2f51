"""Joint actions that the plain engine lists in a position: all of them, or a few that are unlike one another.

The plain engine is the evaluate reading: the rules as they are written. An encoding is checked with what it lists, because
what an encoding wrongly excludes is in none of the encoding's own models.

Of many joint actions those are chosen that show something new. That is a kind of action, or how its arguments stand to
those who act at the same time: somebody names himself, one who acts too, or one who names him in return; two arguments are
equal, or different.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, islice, product
from math import prod
from random import Random
from typing import Final

import clingo

from ..engine import symbols
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from .sample import Actions, Facts

_LISTED: Final = 1_000
"""So many joint actions are looked through, one by one; of more, a sample as large."""
_MEETING: Final = 40
"""So many of a sample are made for each two who act: each of the two names the other."""
_LEAVES: Final = 8
"""So many constants of an action are compared at most: an action that names a large set has more."""


def listed(evaluator: Evaluator, facts: Facts) -> dict[str, list[clingo.Symbol]]:
    """The legal actions of each role that decides; none where they are too many to be listed."""
    found: dict[str, list[clingo.Symbol]] = {}
    try:
        legal = evaluator.legal(facts)
    except NotDecided:
        return {}
    for role, action in sorted(legal, key=lambda x: (x[0], symbols.text(x[1]))):
        found.setdefault(role, []).append(action)
    return found


def joint(
    evaluator: Evaluator, facts: Facts, deciding: Collection[str], random: Random, most: int
) -> list[Actions]:
    """Joint actions of all who decide, each legal by itself: all of them, or some that are unlike one another.

    Args:
        evaluator: The plain engine.
        facts: The position.
        deciding: Who decides there.
        random: Chooses.
        most: So many at most.
    """
    by_role = listed(evaluator, facts)
    if not by_role or set(by_role) != set(deciding):
        return []
    number = prod(map(len, by_role.values()))
    roles = tuple(by_role)
    if number <= _LISTED:
        known = [tuple(zip(roles, chosen, strict=True)) for chosen in product(*by_role.values())]
    else:
        known = list(dict.fromkeys(_sample(by_role, random)))
    if len(known) <= most:
        return known
    random.shuffle(known)
    return list(islice(unlike(evaluator, known), most))


def unlike(evaluator: Evaluator, known: Sequence[Actions]) -> Iterator[Actions]:
    """Those of some joint actions that show something that none before them shows."""
    seen: set[object] = set()
    for actions in known:
        new = shown(evaluator, actions) - seen
        if new:
            seen |= new
            yield actions


def _sample(by_role: dict[str, list[clingo.Symbol]], random: Random) -> Iterator[Actions]:
    """Some of too many joint actions: first of each two roles what names the other one, then at random."""

    def whole(some: dict[str, clingo.Symbol]) -> Actions:
        return tuple((r, some[r] if r in some else random.choice(its)) for r, its in by_role.items())

    for one, other in combinations(by_role, 2):
        first, second = ([a for a in by_role[r] if q in _leaves(a)] for r, q in ((one, other), (other, one)))
        for _ in range(_MEETING if first and second else 0):
            yield whole({one: random.choice(first), other: random.choice(second)})
    for role, its in by_role.items():
        own = [a for a in its if role in _leaves(a)]
        if own:
            yield whole({role: random.choice(own)})
    for _ in range(_LISTED):
        yield whole({})


def shown(evaluator: Evaluator, actions: Actions) -> set[object]:
    """What joint actions show: of which kinds they are, and how their arguments stand to those who act."""
    found: set[object] = set()
    said = []
    for role, action in actions:
        kind = evaluator.ruleset.kind(action)
        index = -1 if kind is None else kind.index
        leaves = _leaves(action)
        found.add((index, tuple(leaf == role for leaf in leaves)))
        said.append((role, index, leaves))
    for (role, first, own), (other, second, theirs) in combinations(sorted(said, key=lambda x: x[1]), 2):
        one = tuple(_stand(leaf, role, other) for leaf in own)
        two = tuple(_stand(leaf, other, role) for leaf in theirs)
        equal = tuple(a == b for a, b in zip(own, theirs, strict=False))
        found.add((first, one, second, two, equal))
    return found


def _stand(leaf: str, role: str, other: str) -> int:
    """How an argument stands to the one who acts and to another one."""
    return 1 if leaf == role else 2 if leaf == other else 0


def _leaves(action: clingo.Symbol) -> list[str]:
    """The constants in an action, in order; so many at most."""

    def visit(term: clingo.Symbol) -> Iterator[str]:
        if term.type is clingo.SymbolType.Function and term.arguments:
            for argument in term.arguments:
                yield from visit(argument)
        else:
            yield symbols.text(term)

    if action.type is not clingo.SymbolType.Function:
        return []
    return list(islice((leaf for argument in action.arguments for leaf in visit(argument)), _LEAVES))
