"""Random games, in which claims are tried before anything is proved: few, from one seed, limited by decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from ..engine import symbols
from ..evaluation.evaluator import Evaluator
from ..proof.counterexample import Counterexample
from ..proof.sample import Facts, Pair, random_game, transition_of
from ..query.check import Check
from ..rules.predicates import DUE
from ..symbolic.transitions import Transition
from .said import Claim

_DECISIONS: Final = 200
"""So many decisions are made, in so many games at most:"""
_GAMES: Final = 20


@dataclass
class Played:
    """What random games have shown.

    Attributes:
        fallen: For each claim that does not hold how, once.
        due: The claims that hold wherever somebody decides, and not in a position in which something is due by itself.
        broken: Which claims broke where something was due.
    """

    fallen: dict[str, Counterexample] = field(default_factory=dict)
    due: set[str] = field(default_factory=set)


def played(
    evaluator: Evaluator, claims: Sequence[Claim], transitions: Sequence[Transition], seed: int = 0
) -> Played:
    """Tries claims that never something holds in random games."""
    checks = {c.id: Check(evaluator, c.query) for c in claims}
    found = Played()
    random = Random(seed)
    decisions = 0
    start = evaluator.initial()
    _note(found, checks, start, Counterexample("start", _texts(start), (), "the start", True))
    for _ in range(_GAMES):
        moved = Counterexample("start", _texts(start), (), "the start", True)
        for pair, after in random_game(evaluator, random, start):
            if pair.actions:
                decisions += 1
                moved = _move(evaluator, transitions, pair)
            _note(found, checks, after, moved)
            if decisions >= _DECISIONS or len(found.fallen) == len(checks):
                return found
    return found


def _move(evaluator: Evaluator, transitions: Sequence[Transition], pair: Pair) -> Counterexample:
    """A move of a game, as the counterexample that it is with all that follows by itself."""
    transition = transition_of(transitions, pair, evaluator.ruleset)
    actions = tuple((role, symbols.text(a)) for role, a in pair.actions)
    label = transition.label if transition is not None else "what is pending"
    return Counterexample(label, _texts(pair.facts), actions, "in a random game", True)


def _note(found: Played, checks: dict[str, Check], after: Facts, example: Counterexample) -> None:
    """Tries the claims at a position."""
    at_rest = all(symbols.signature(s) != DUE for s in after)
    for id, check in checks.items():
        if id not in found.fallen and (at_rest or id not in found.due) and check.holds(after):
            if at_rest:
                found.fallen[id] = example
            else:
                found.due.add(id)


def _texts(facts: Facts) -> tuple[str, ...]:
    return tuple(sorted(map(symbols.text, facts)))
