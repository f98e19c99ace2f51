"""Invariants proved where a position has too much to be listed.

Of the position before a move and the one after only a part is known (:mod:`..symbolic.projected`), as who has a person of
which kind where, not with which load, nor how many. What holds of each such part holds of all positions that look so: an
answer "none" is a proof, every other says nothing about the game. So nothing falls here, and there are no counterexamples.

What is kept by each transition is found downwards. At first all witnesses of all invariants are supposed; those that a
transition may break are let go, of the supposed ones too, until nothing changes. What is left is inductive together: it
holds at the start, and each transition leads from positions in which all of it holds to such positions. An invariant is
proved if none of its witnesses has been let go.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol, TypeAlias

from ..engine import symbols
from ..evaluation.evaluator import Evaluator
from ..symbolic.flattening import Unprojectable
from ..symbolic.projection import ANY
from ..symbolic.transitions import Transition
from ..workers import Job, asked
from .fixed import ASKED
from .known_part import PartialProgram
from .lifted import lifted
from .report import Proof
from .sample import Sample, Written

Lost: TypeAlias = frozenset[tuple[str, str]]
"""Invariants with witnesses that are not kept."""

_UNMET: Final = "no random game has it, and no position with it was made, so that its program was not held against the rules"
_EFFORT: Final = 300_000
"""So many conflicts are spent on one question."""


@dataclass(frozen=True)
class Examined:
    """What was found about a transition.

    Attributes:
        lost: What it may break, beside what was let go before.
        failure: Why nothing is proved of it, if so.
        supposed: What that rests on.
    """

    lost: Lost = frozenset()
    failure: str | None = None
    supposed: Lost = frozenset()

    def rests_on(self, lost: Lost) -> bool:
        """Whether it rests on something that has been let go since."""
        every = {i for i, w in lost if w == ANY}
        return any(i in every or (i, w) in lost for i, w in self.supposed)


class Kept(Protocol):
    """What has been shown besides, of amounts and of what is left out."""

    @property
    def proved(self) -> Collection[str]:
        """The claims that are proved."""

    @property
    def why(self) -> Mapping[str, str]:
        """Why others are not."""


@dataclass(frozen=True)
class Partly:
    """What was found about all transitions.

    Attributes:
        lost: What is not kept, each with a transition that may break it.
        failure: Why nothing is proved, if so.
    """

    lost: dict[tuple[str, str], str]
    failure: str | None


def examine(
    evaluator: Evaluator,
    transition: Transition,
    lemmas: Sequence[str],
    lost: Lost,
    pairs: Sequence[Written] | None,
) -> Examined:
    """What a transition may break.

    Args:
        evaluator: Of the rules in force.
        transition: The transition.
        lemmas: The invariants.
        lost: Those of their witnesses that are not supposed any more.
        pairs: Positions and moves of this transition from games, which the program has to allow; where there are none some
            are made of what the program says. None: it has been held against the rules before.
    """
    try:
        program = PartialProgram(evaluator, transition, lemmas)
    except Unprojectable as error:
        return Examined(failure=f"it cannot be said of a part of a position: {error}")
    met = [] if pairs is None else [p.read() for p in pairs] or lifted(evaluator, transition, program, lemmas)
    if not met and pairs is not None:
        return Examined(failure=_UNMET)
    for pair in met:
        differs = program.differs(pair)
        if differs is not None:
            return Examined(failure=f"its program is not what the rules say: {differs}")
    program.let_go(lost)
    found: set[tuple[str, str]] = set()
    while True:
        model = program.solver.model_within(_EFFORT, ASKED)
        if model is None:
            falls = program.solver.decide(_EFFORT, ASKED)
            why = None if falls is False else f"it takes more than {_EFFORT} conflicts"
            gone = lost | found
            every = {i for i, w in gone if w == ANY}
            rests = frozenset((i, w) for i, w in program.supposed() - gone if i not in every)
            return Examined(frozenset(found) - lost, why, rests)
        strange = next((s for s in model if s.name in ("bad", "escaped__")), None)
        if strange is not None:
            return Examined(failure=f"after it there may be {symbols.text(strange)}")
        broken = (s.arguments for s in model if (s.name, len(s.arguments)) == (program.broken, 2))
        fallen = {(symbols.text(i), symbols.text(w)) for i, w in broken}
        found |= fallen
        program.let_go(fallen)


def prove_partly(
    evaluator: Evaluator,
    transitions: Sequence[Transition],
    lemmas: Sequence[str],
    sample: Sample,
    workers: tuple[int | None, str | None],
    deadline: float,
    progress: Callable[[str], None],
) -> Partly:
    """What is kept by all transitions, of what the invariants say of a part of a position.

    Args:
        evaluator: Of the rules in force.
        transitions: All of them.
        lemmas: The invariants that hold at the start and in random games.
        sample: Positions and moves of games.
        workers: The number of processes, and the address of a scheduler whose workers are asked instead, or None.
        deadline: By :func:`time.monotonic`.
        progress: Told what has been answered.
    """
    lost: dict[tuple[str, str], str] = {}
    by_label = {t.label: t for t in transitions}
    due, answers = list(by_label), dict[str, Examined]()
    while due:
        known = frozenset(lost)
        jobs = []
        for x in due:
            pairs = None if x in answers else sample.pairs.get(x, [])
            jobs.append(Job(x, partial(examine, evaluator, by_label[x], lemmas, known, pairs)))
        for count, answer in enumerate(asked(jobs, workers[0], deadline, workers[1]), 1):
            progress(f"{count}/{len(due)} {answer.name}")
            found = answer.value
            why = answer.failure if found is None else found.failure
            if why is not None or found is None:
                return Partly(lost, f"{answer.name}: {why}")
            answers[answer.name] = found
            for item in found.lost:
                lost.setdefault(item, answer.name)
        since = frozenset(lost) - known
        due = [x for x in by_label if answers[x].rests_on(since)]
    return Partly(lost, None)


def enter(
    proofs: Mapping[str, Proof],
    lost: Mapping[tuple[str, str], str],
    failure: str | None,
    many: str,
    put: Collection[str],
    kept: Kept,
) -> None:
    """Enters what stays open: what was let go, what was not asked (``put``: what was), or all where that failed.

    What is shown to be conserved, ``kept``, has been asked as well.
    """
    why: dict[str, str] = {}
    for (invariant, witness), by in sorted(lost.items()):
        why.setdefault(invariant, f"of what is listed of a position {by} may break it ({witness})")
    for claim, proof in proofs.items():
        if claim in kept.proved:
            continue
        if claim in kept.why and claim not in why:
            proof.stays_open(f"{many}; {kept.why[claim]}")
        elif failure is not None or claim in why:
            proof.stays_open(f"{many}; {failure or why[claim]}")
        elif claim not in put:
            proof.stays_open(many)
