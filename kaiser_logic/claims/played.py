"""Random games, in which claims are tried before anything is proved: few, from one seed, limited by decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..proof.counterexample import Counterexample
from ..proof.sample import Actions, Facts, Pair, transition_of
from ..query.check import Check
from ..rules.predicates import DECISION, NEXT
from ..symbolic.transitions import Transition
from .said import Claim

_DECISIONS: Final = 200
"""So many decisions are made, in so many games at most:"""
_GAMES: Final = 20
_STEPS: Final = 500
"""What happens by itself between two decisions; a game in which there is more is left."""


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
        for pair, after in games(evaluator, start, random):
            if pair.actions:
                decisions += 1
                moved = _move(transitions, pair)
            _note(found, checks, after, moved)
            if decisions >= _DECISIONS or len(found.fallen) == len(checks):
                return found
    return found


def _move(transitions: Sequence[Transition], pair: Pair) -> Counterexample:
    """A move of a game, as the counterexample that it is with all that follows by itself."""
    transition = transition_of(transitions, pair)
    actions = tuple((role, symbols.text(a)) for role, a in pair.actions)
    label = transition.label if transition is not None else "what is pending"
    return Counterexample(label, _texts(pair.facts), actions, "in a random game", True)


def _note(found: Played, checks: dict[str, Check], after: Facts, example: Counterexample) -> None:
    """Tries the claims at a position."""
    at_rest = all(symbols.signature(s) != NEXT for s in after)
    for id, check in checks.items():
        if id not in found.fallen and (at_rest or id not in found.due) and check.holds(after):
            if at_rest:
                found.fallen[id] = example
            else:
                found.due.add(id)


def _texts(facts: Facts) -> tuple[str, ...]:
    return tuple(sorted(map(symbols.text, facts)))


def games(evaluator: Evaluator, start: Facts, random: Random) -> Iterator[tuple[Pair, Facts]]:
    """One random game: each move and step with the position after it."""
    facts, steps = start, 0
    while steps < _STEPS:
        actions: Actions = ()
        if any(symbols.signature(s) == NEXT for s in facts):
            steps += 1
            after = evaluator.step(facts)
        else:
            steps = 0
            actions = _chosen(evaluator, facts, random)
            if not actions:
                return
            judged = evaluator.judge(facts, dict(actions))
            after = (facts - frozenset(judged.deleted)).union(judged.added)
        yield Pair(facts, actions), after
        facts = after


def _chosen(evaluator: Evaluator, facts: Facts, random: Random) -> Actions:
    """For each who decides a kind of action, then one of it; nothing where these cannot be listed, or the game is over."""
    ruleset: Ruleset = evaluator.ruleset
    kinds: dict[str, dict[int, list[Actions]]] = {}
    try:
        legal = sorted(evaluator.legal(facts), key=lambda x: (x[0], symbols.text(x[1])))
    except NotDecided:
        return ()
    for role, action in legal:
        kind = ruleset.kind(action)
        kinds.setdefault(role, {}).setdefault(kind.index if kind else -1, []).append(((role, action),))
    if {symbols.text(s.arguments[0]) for s in facts if symbols.signature(s) == DECISION} != set(kinds):
        return ()
    return tuple(random.choice(group[random.choice(sorted(group))])[0] for group in kinds.values())
