"""What random games show: what they break, and positions and moves to compare encodings with.

Nothing is proved here: what a game breaks falls, and what it shows of what is pending at once is entered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..evaluation.origin import reached_by
from ..evaluation.random_games import Actions, Facts, Pair, Written, random_game, written
from . import whole
from .check import belongs
from .moves import Moves
from .program import signature_of
from .report import Counterexample
from .theory import DECISION, DUE, Theory, Transition

_DECISIONS: Final = 100
"""So many decisions are made, in so many games at most:"""
_GAMES: Final = 25
_PAIRS: Final = 24
"""So many positions and moves of each transition are kept."""
_WHOLE: Final = 5
"""Of so many moves and steps one is compared with what all rules together say."""


@dataclass
class Sample:
    """What random games have shown.

    Attributes:
        pairs: For each transition, by its label, some of those that have been met.
        broken: For each invariant or claim that broke how, once.
        several: What was pending at once and is part of no transition, in words.
        together: The names of decisions that several roles had at once, though the rulebook does not say so.
        cut: Where the programs that are cut out of the rules say something else than all rules.
    """

    pairs: dict[str, list[Written]] = field(default_factory=dict)
    broken: dict[str, Counterexample] = field(default_factory=dict)
    several: list[str] = field(default_factory=list)
    together: set[str] = field(default_factory=set)
    cut: list[str] = field(default_factory=list)


def sampled(
    evaluator: Evaluator, theory: Theory, transitions: Sequence[Transition], moves: Moves, seed: int = 0
) -> Sample:
    """Plays random games.

    Args:
        evaluator: What plays them.
        theory: Of the same rules.
        transitions: All transitions.
        moves: The claims about moves.
        seed: Of the random numbers.

    Raises:
        NotDecided: The rules do not list what is legal.
    """
    if evaluator.ruleset.unlisted:
        raise NotDecided(evaluator.ruleset.unlisted)
    found = Sample()
    met: dict[str, list[Pair]] = {}
    random = Random(seed)
    decisions = noted = 0
    last: Actions = ()
    start = {name for name, _ in evaluator.broken(evaluator.initial(), waive=False)}
    for _ in range(_GAMES if start <= evaluator.ruleset.waived else 0):  # else no position need be valid
        done: list[tuple[str, str]] = []
        for pair, after in random_game(evaluator, random):
            decisions += bool(pair.actions)
            _note(found, met, theory, transitions, pair)
            _note_broken(found, evaluator, pair, after, done)
            done += ((role, str(action)) for role, action in pair.actions)
            if noted % _WHOLE == 0:
                _compare_whole(found, evaluator, pair, last)
            noted += 1
            last = pair.actions or last
            if found.broken or decisions >= _DECISIONS:
                break
        if found.broken or decisions >= _DECISIONS:
            break
    for label, pairs in met.items():
        some = random.sample(pairs, min(_PAIRS, len(pairs)))
        found.pairs[label] = list(map(written, some))
        for pair in some if moves.docs else ():
            for claim, witness in moves.judged(pair.facts, pair.actions) or ():
                text = written(pair)
                example = Counterexample(label, text.facts, text.actions, witness, True)
                found.broken.setdefault(claim, example)
    return found


def _note(
    found: Sample,
    met: dict[str, list[Pair]],
    theory: Theory,
    transitions: Sequence[Transition],
    pair: Pair,
) -> None:
    """Enters to which transition a move belongs."""
    several = pending_at_once(theory, pair.facts)
    if several:
        found.several.append(several)
        found.together |= held_by_several(theory, pair.facts)
        return
    label = next((t.label for t in transitions if belongs(theory, t, pair)), None)
    if label is None:
        found.several.append("what is in no transition")
    else:
        met.setdefault(label, []).append(pair)


def _note_broken(
    found: Sample, evaluator: Evaluator, pair: Pair, after: Facts, done: Sequence[tuple[str, str]]
) -> None:
    """Enters what the position after a move breaks."""
    for name, witness in evaluator.broken(after, waive=False):
        if name not in evaluator.ruleset.waived:
            text = written(pair)
            label = next((a for _, a in text.actions), "a step")
            example = Counterexample(label, text.facts, text.actions, witness, True, reached_by(tuple(done)))
            found.broken.setdefault(name, example)


def _compare_whole(found: Sample, evaluator: Evaluator, pair: Pair, last: Actions) -> None:
    """Enters where all rules together say something else of the move, and of the last one done once more here."""
    roles = {role for role, _ in pair.actions}
    again = tuple((role, action) for role, action in last if role in roles)
    for done in (pair.actions, *([again] if again else [])):
        difference = whole.differs(evaluator, pair.facts, done)
        if difference is not None:
            found.cut.append(difference)


def pending_at_once(theory: Theory, facts: Facts) -> str:
    """What is pending at once in a position and in no transition, in words."""
    decisions = [s for s in facts if signature_of(s) == DECISION]
    steps = [s for s in facts if signature_of(s) == DUE]
    names = sorted({f"decision {s.arguments[1].name}" for s in decisions})
    names += sorted({f"step {s.arguments[0].name}" for s in steps})
    if len(names) > 1:
        return " and ".join(names)
    if len(decisions) > 1 and decisions[0].arguments[1].name not in theory.simultaneous:
        return f"several of {names[0]}"
    return ""


def held_by_several(theory: Theory, facts: Facts) -> frozenset[str]:
    """The decisions that several roles have at once and that can be taken for common ones: each of one kind of action."""
    names = [s.arguments[1].name for s in facts if signature_of(s) == DECISION]
    return one_kind(theory, (n for n in names if names.count(n) > 1))


def one_kind(theory: Theory, names: Iterable[str]) -> frozenset[str]:
    """Those of these decisions at which there is one kind of action, and no more."""
    kinds = [
        getattr(decision, "name", "") or getattr(decision, "text", "") for _, decision, _ in theory.kinds
    ]
    return frozenset(name for name in names if kinds.count(name) == 1)
