"""Random games: claims that they refute, and sample positions and moves for the comparison of encodings.

Nothing is proved here. An invariant that a game breaks falls, and decisions that are pending at once in a game are noted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from ..engine import symbols
from ..engine.invariants import part_of
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..evaluation.origin import reached_by
from ..evaluation.random_games import Actions, Facts, Pair, Written, random_game, write_pair
from ..lang.unification import label
from ..rules.predicates import DECISION, DUE, PARTED
from . import whole
from .check import belongs
from .moves import MoveClaims
from .report import Counterexample
from .theory import Theory, Transition

_DECISIONS: Final = 100
"""The number of decisions that are made, and"""
_GAMES: Final = 25
"""the largest number of games in which they are made."""
_PAIRS: Final = 24
"""The number of pairs of a position and its moves that are kept for each transition."""
_WHOLE: Final = 5
"""One in so many moves and steps is compared with the uncut rules."""


@dataclass
class Sample:
    """What random games have shown.

    Attributes:
        pairs: By the label of each transition, some of its positions and moves, as texts.
        broken: For each invariant or move claim that fell, one counterexample.
        several: What was pending at once and belongs to no transition, in words.
        together: Decisions that several roles had at once, though the rulebook does not declare it.
        cut: Differences between the sliced programs and the uncut rules, in words.
    """

    pairs: dict[str, list[Written]] = field(default_factory=dict)
    broken: dict[str, Counterexample] = field(default_factory=dict)
    several: list[str] = field(default_factory=list)
    together: set[str] = field(default_factory=set)
    cut: list[str] = field(default_factory=list)


def sample_games(evaluator: Evaluator, theory: Theory, transitions: Sequence[Transition], moves: MoveClaims) -> Sample:
    """Plays random games, until enough decisions are made. After a broken invariant a game goes on, for what else it breaks.

    If the first position breaks an invariant, no game is played, as no position need be valid.

    Args:
        evaluator: The plain engine.
        theory: The theory of the same rules.
        transitions: All transitions.
        moves: The claims about moves.

    Raises:
        NotDecided: The rules cannot enumerate the legal actions.
    """
    if evaluator.ruleset.not_enumerable:
        raise NotDecided(evaluator.ruleset.not_enumerable)
    sample = Sample()
    met: dict[str, list[Pair]] = {}
    random = Random(0)
    decisions = noted = 0
    last: Actions = ()
    passed = evaluator.settling(evaluator.start())
    start = {name for position in passed for name in broken_parts(evaluator, position)}
    for _ in range(_GAMES if start <= evaluator.ruleset.waived else 0):  # else no position need be valid
        for pair, valid in _game(sample, evaluator, random):
            decisions += bool(pair.actions)
            if valid:
                _note(sample, met, theory, transitions, pair)
                if noted % _WHOLE == 0:
                    _compare_whole(sample, evaluator, pair, last)
                noted += 1
            last = pair.actions or last
            if decisions >= _DECISIONS:
                break
        if decisions >= _DECISIONS:
            break
    for name, pairs in met.items():
        some = random.sample(pairs, min(_PAIRS, len(pairs)))
        sample.pairs[name] = list(map(write_pair, some))
        for pair in some if moves.docs else ():
            for claim, witness in moves.judge(pair.facts, pair.actions) or ():
                text = write_pair(pair)
                example = Counterexample(name, text.facts, text.actions, witness, True)
                sample.broken.setdefault(claim, example)
    return sample


def _game(sample: Sample, evaluator: Evaluator, random: Random) -> Iterator[tuple[Pair, bool]]:
    """Plays a game, notes what it breaks, and yields each move or step, with whether all is valid up to it."""
    done: list[tuple[str, str]] = []
    valid, game = True, random_game(evaluator, random)
    while True:
        try:
            pair, after = next(game)
        except StopIteration:
            return
        except NotDecided:  # nothing is claimed about what follows on an invalid position
            if valid:
                raise
            return
        before = valid
        valid = not _note_broken(sample, evaluator, pair, after, done) and valid
        done += ((role, str(action)) for role, action in pair.actions)
        yield pair, before


def _note(
    sample: Sample,
    met: dict[str, list[Pair]],
    theory: Theory,
    transitions: Sequence[Transition],
    pair: Pair,
) -> None:
    """Adds a move or step to its transition; notes what is pending at once, if that belongs to none."""
    several = pending_at_once(theory, pair.facts)
    if several:
        sample.several.append(several)
        sample.together |= held_by_several(theory, pair.facts)
        return
    label = next((t.label for t in transitions if belongs(theory, t, pair)), None)
    if label is None:
        sample.several.append("what is in no transition")
    else:
        met.setdefault(label, []).append(pair)


def broken_parts(evaluator: Evaluator, facts: Facts) -> dict[str, str]:
    """The invariants that a position breaks, with witnesses; of limits and counts the parts. None that is dropped."""
    witnesses: dict[str, str] = {}
    for name, witness in evaluator.broken_invariants(facts, waive=False):
        part = part_of(name, witness) if name in PARTED else name
        if part not in evaluator.ruleset.dropped:
            witnesses.setdefault(part, witness)
    return witnesses


def _note_broken(
    sample: Sample, evaluator: Evaluator, pair: Pair, after: Facts, done: Sequence[tuple[str, str]]
) -> bool:
    """Adds the invariants that the position after a move breaks, with the game as a counterexample; whether there are any."""
    broken = {i: w for i, w in broken_parts(evaluator, after).items() if i not in evaluator.ruleset.waived}
    for name, witness in broken.items():
        text = write_pair(pair)
        label = next((a for _, a in text.actions), "a step")
        example = Counterexample(label, text.facts, text.actions, witness, True, reached_by(tuple(done)))
        sample.broken.setdefault(name, example)
    return bool(broken)


def _compare_whole(sample: Sample, evaluator: Evaluator, pair: Pair, last: Actions) -> None:
    """Notes where the uncut rules differ on this move, and on the last actions of the same roles, repeated here."""
    roles = {role for role, _ in pair.actions}
    again = tuple((role, action) for role, action in last if role in roles)
    for done in (pair.actions, *([again] if again else [])):
        difference = whole.differs(evaluator, pair.facts, done)
        if difference is not None:
            sample.cut.append(difference)


def pending_at_once(theory: Theory, facts: Facts) -> str:
    """What is pending at once in a position and belongs to no one transition, in words; empty if there is none."""
    decisions = [s for s in facts if symbols.signature(s) == DECISION]
    steps = [s for s in facts if symbols.signature(s) == DUE]
    names = sorted({f"decision {s.arguments[1].name}" for s in decisions})
    names += sorted({f"step {s.arguments[0].name}" for s in steps})
    if len(names) > 1:
        return " and ".join(names)
    if len(decisions) > 1 and decisions[0].arguments[1].name not in theory.simultaneous:
        return f"several of {names[0]}"
    return ""


def held_by_several(theory: Theory, facts: Facts) -> frozenset[str]:
    """The names of decisions that several roles have at once, if each has only one kind of action.

    Such a decision can be encoded as a simultaneous one.
    """
    names = [s.arguments[1].name for s in facts if symbols.signature(s) == DECISION]
    return one_kind(theory, (n for n in names if names.count(n) > 1))


def one_kind(theory: Theory, names: Iterable[str]) -> frozenset[str]:
    """Those of these decisions that have exactly one kind of action."""
    kinds = [label(decision) for _, decision, _ in theory.kinds]
    return frozenset(name for name in names if kinds.count(name) == 1)
