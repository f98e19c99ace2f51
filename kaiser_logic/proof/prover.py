"""Proofs by induction: an invariant holds at the start, and no action and no step leads out of it.

For each kind of action (all simultaneous ones together) and each step that happens by itself the induction step is a
question of its own. Besides: in every valid position each who decides has a legal action, and no sum exceeds its
stated bound. Here it is said what there is to prove, and what the answers are brought together to.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from ..engine import symbols
from ..errors import WrongUsage
from ..game import Game
from ..rules.rulebook import ActionKind
from ..symbolic.domains import Domains, bound_of, domains
from ..symbolic.invariants import GENERAL, invariants
from ..symbolic.transitions import Task, functor, tasks
from ..workers import Answer, Job, Pool
from .counterexample import Counterexample
from .deadlock import exceeds, stuck, sums
from .induction import Finding, Induction
from .report import Proof, Report

ENUMERATION = "enumeration"
"""The claim that the enumeration of legal actions misses none."""

Question = Callable[[], Finding | Counterexample | None]


@dataclass(frozen=True)
class _Job:
    """A question to be asked in a child, and the claims that stay open where it is not answered.

    Attributes:
        label: What it is about.
        question: What to do.
        claims: The claims that depend on it.
        task: The transition that never happens where that is the answer; None where it is not to be told.
    """

    label: str
    question: Question
    claims: tuple[str, ...]
    task: str | None = None


class Prover:
    """Proves a game's invariants."""

    def __init__(self, game: Game, bound: int | None = None) -> None:
        """``bound``: up to where numbers without a limit run."""
        self.game = game
        self.bound = bound_of(game.book) if bound is None else bound
        found = invariants(game.ruleset)
        self.invariants, self.waived, self.assumed = found.every, found.waived, found.assumed

    def domains(self) -> Domains:
        """The sorts of the open position."""
        return domains(self.game.ruleset, self.bound)

    # -- what there is to prove --------------------------------------------------------------------------------------

    def run(
        self,
        wanted: Sequence[str] = (),
        timeout: float = 600.0,
        workers: int | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> Report:
        """Proves the wanted invariants (all, and all else, where none is named)."""
        start = time.monotonic()
        goals, extra = self._goals(wanted)
        sorts = self.domains()
        transitions = tasks(self.game, sorts)
        proofs = {i: Proof(i, self.game.book.doc(i).statement) for i in (*goals, *extra)}
        jobs = self._induction(transitions, sorts, goals, extra, everything=not wanted)
        if not wanted:
            further, claims = self._further(transitions, sorts)
            jobs += further
            proofs |= {proof.claim: proof for proof in claims}
        never: set[str] = set()
        named = {f"{number} {job.label}": job for number, job in enumerate(jobs)}
        answers = Pool([Job(n, job.question) for n, job in named.items()], workers, start + timeout)
        for count, answer in enumerate(answers, 1):
            job = named[answer.name]
            progress(f"{count}/{len(jobs)} {job.label}")
            _collect(job, answer, proofs, never)
        self._base(proofs)
        return Report(self.game, list(proofs.values()), sorted(never), time.monotonic() - start)

    def _goals(self, wanted: Sequence[str]) -> tuple[list[str], list[str]]:
        """The invariants to be proved, and those waived ones that are looked at one by one."""
        known = (*self.invariants, *GENERAL)
        unknown = [w for w in wanted if w not in known]
        if unknown:
            raise WrongUsage(
                f"{self.game.id} has no invariant {unknown[0]!r}; the invariants are: {', '.join(known)}"
            )
        goals = [i for i in (*self.assumed, *GENERAL) if not wanted or i in wanted]
        if "vocabulary" in goals and "limit" not in goals:
            goals.append("limit")
        extra = [i for i in sorted(self.waived) if (not wanted or i in wanted) and i in self.invariants]
        return goals, extra

    def _induction(
        self,
        transitions: Sequence[Task],
        sorts: Domains,
        goals: Sequence[str],
        extra: Sequence[str],
        everything: bool,
    ) -> list[_Job]:
        """The induction steps, first those for the steps that happen by themselves, as they change most."""
        jobs = []
        for task in sorted(transitions, key=lambda t: t.step is None):
            examine = Induction(self.game, task, sorts).examine
            for part in _parts(goals, task.step is not None):
                question = partial(examine, self.assumed, part)
                claims = [*part, *([ENUMERATION] if everything and task.kinds else [])]
                jobs.append(_Job(f"induction {task.label}", question, tuple(claims), task.label))
            for name in extra:
                question = partial(examine, self.assumed, [name])
                jobs.append(_Job(f"induction {task.label} ({name})", question, (name,)))
        return jobs

    def _further(self, transitions: Sequence[Task], sorts: Domains) -> tuple[list[_Job], list[Proof]]:
        """What is to be shown besides: nobody is stuck, no sum exceeds its bound, the enumeration misses nothing."""
        jobs, proofs = [], []
        by_decision: dict[str, list[ActionKind]] = {}
        for task in transitions:
            for kind in task.kinds:
                by_decision.setdefault(functor(kind.decision), []).append(kind)
        for name, text in sums(self.game):
            claim = f"bound of {name}"
            proofs.append(Proof(claim, "No sum exceeds its stated bound.", "bound"))
            jobs.append(_Job(claim, partial(exceeds, self.game, text, sorts), (claim,)))
        for name, kinds in by_decision.items():
            claim = f"legal action at {name}"
            proofs.append(Proof(claim, "Whoever decides has a legal action.", "stuck"))
            jobs.append(_Job(claim, partial(stuck, self.game, name, kinds, sorts), (claim,)))
        statement = "The enumeration of legal actions misses none."
        return jobs, [*proofs, Proof(ENUMERATION, statement, ENUMERATION)]

    def _base(self, proofs: dict[str, Proof]) -> None:
        """The induction's base: the position at the start."""
        start = self.game.evaluator.initial()
        facts = tuple(sorted(map(symbols.text, start)))
        for name, witness in dict(self.game.evaluator.broken(start, waive=False)).items():
            if name in proofs:
                proofs[name].falls(Counterexample("start", facts, (), witness, True))


def _parts(goals: Sequence[str], step: bool) -> list[list[str]]:
    """The goals in parts that are easier one by one; a step may change much, and all general goals go apart."""
    special, general = [i for i in goals if i not in GENERAL], [i for i in goals if i in GENERAL]
    return [part for part in (special, *([g] for g in general if step), general if not step else []) if part]


def _collect(
    job: _Job, answer: Answer[Finding | Counterexample | None], proofs: dict[str, Proof], never: set[str]
) -> None:
    """Enters a job's answer."""
    found = answer.value
    if answer.failure is not None:
        about = job.label.removeprefix("induction ")
        for claim in job.claims:
            proofs[claim].stays_open(answer.failure if about == claim else f"{about}: {answer.failure}")
    elif isinstance(found, Counterexample):
        proofs[job.claims[0]].falls(found)
    elif found is not None:
        if found.possible is False and job.task is not None:
            never.add(job.task)
        for claim, example in found.broken:
            proofs[claim].falls(example)
        if found.unlisted is not None and ENUMERATION in proofs:
            proofs[ENUMERATION].falls(found.unlisted)
