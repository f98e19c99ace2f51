"""Proofs by induction: an invariant holds at the start, and no action and no step leads out of it.

For each kind of action (all simultaneous ones together) and each step that happens by itself the induction step is a
question of its own. Besides: in every valid position each who decides has a legal action, and no sum exceeds its
stated bound. Here it is said what there is to prove, and what the answers are brought together to.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from ..engine import symbols
from ..errors import NotDecided, WrongUsage
from ..evaluation.evaluator import Evaluator
from ..evaluation.origin import EFFORT, reached_by
from ..symbolic.domains import Domains, bound_of, domains, structured
from ..symbolic.invariants import invariants
from ..symbolic.transitions import Transition, transitions
from ..symbolic.vocabulary_size import too_many
from ..workers import Answer, ask, asked
from .bounds import exceeds, leaves_range, sums
from .counterexample import Counterexample
from .deadlock import decisions, stuck
from .dropping import BUILT_ON, RANGE, Dropping, settle
from .kept import Answers
from .moves import Moves, claiming, tested
from .numbers import cut
from .obligations import ALWAYS, in_parts
from .pending import EXCLUSIVE, uncovered
from .ready import make_ready, play_again
from .report import Proof, ProofReport, place, suppose
from .sample import Sample
from .tasks import ENUMERATION, Task, alone, joined, written
from .together import Together
from .unchanged import Unchanged

Progress: TypeAlias = Callable[[str], None]

_Asked: TypeAlias = tuple[Sequence[str], Sequence[str], Sequence[str], Collection[str] | None]
_Asking: TypeAlias = tuple[tuple[int | None, str | None], float, Progress]


class Prover:
    """Proves the invariants of the rules in force."""

    def __init__(
        self, evaluator: Evaluator, bound: int | None = None, answers: Answers | None = None
    ) -> None:
        """Of the evaluator's rules.

        Args:
            evaluator: What plays counterexamples again.
            bound: Up to where numbers without a limit run; by default the rulebook's.
            answers: Where proofs are kept, or None.
        """
        self._answers = answers
        self._plain = evaluator
        self._evaluator = claiming(evaluator)
        self._ruleset = self._evaluator.ruleset
        self._book = evaluator.ruleset.book
        self._moves = Moves(self._evaluator)
        self._bound = bound_of(self._book) if bound is None else bound
        self._invariants = invariants(self._ruleset)

    def run(
        self,
        wanted: Sequence[str] = (),
        timeout: float = 600.0,
        workers: int | None = None,
        progress: Callable[[str], None] = lambda _: None,
        effort: int = EFFORT,
        scheduler: str | None = None,
    ) -> ProofReport:
        """Proves the wanted invariants and claims about moves (all, and all else, where none is named).

        Args:
            wanted: Names of invariants and claims.
            timeout: After so many seconds what is not decided stays open.
            workers: The number of processes; by default one for each core.
            progress: Told what has been answered.
            effort: So many positions are made to find out how the position of a counterexample can come about.
            scheduler: The address of a Dask scheduler whose workers are asked, instead of processes on this machine.

        Raises:
            NotDecided: The vocabulary is too large to be listed.
            WrongUsage: There is no such invariant.
        """
        start = time.monotonic()
        goals, extra, claims = self._goals(wanted)
        if (many := too_many(self._ruleset)) is not None:
            raise NotDecided(f"{self._ruleset.id} is too large for proofs: {many}")
        sorts = domains(self._ruleset, self._bound)
        found = transitions(self._ruleset, sorts)
        asking = (workers, scheduler), start + timeout, progress
        all_else = frozenset[str]() if wanted else None
        proofs, never = self._round(found, sorts, (goals, extra, claims, all_else), asking)
        loop = Dropping(self._evaluator, sorts, self._invariants.assumed, proofs)
        while (again := loop.drop()) is not None:
            progress(f"without {', '.join(again.dropped)}")
            left = [[c for c in its if c in again.claims] for its in (goals, extra, claims)]
            weaker = Prover(
                Evaluator(self._plain.ruleset.dropping(again.dropped)), self._bound, self._answers
            )
            loop.enter(
                again, weaker._round(found, sorts, (left[0], left[1], left[2], again.claims), asking)[0]
            )
        suppose(proofs, BUILT_ON)
        place(self._evaluator, proofs.values(), effort)
        settle(proofs)
        never = set() if any(p.status != "proved" for p in proofs.values()) else never
        # how large numbers are limits say
        meant = {*wanted, "limit"} if "vocabulary" in wanted else {*wanted}
        shown = [p for c, p in proofs.items() if not wanted or c in meant or p.status == "falls"]
        return ProofReport(
            shown, sorted(never), time.monotonic() - start, self._presupposed(sorts), self._unproved(proofs)
        )

    def _unproved(self, proofs: Mapping[str, Proof]) -> dict[str, str]:
        """The invariants that are not proved, each with its status."""
        supposed = (*self._invariants.assumed, *BUILT_ON)
        return {c: proofs[c].status for c in supposed if c in proofs and proofs[c].status != "proved"}

    def proved_before(self, seconds: float = 60.0) -> bool:
        """Whether `run` has proved all invariants of these rules before, and nothing has changed since.

        The random games are played again, as nothing is kept of them: for so many seconds at most.
        """
        if self._answers is None or not self._answers.some or too_many(self._ruleset) is not None:
            return False
        goals, _, claims = self._goals(())
        sorts = domains(self._ruleset, self._bound)
        found = transitions(self._ruleset, sorts)
        proofs = {i: Proof(i, "") for i in goals}
        self._base(proofs)
        seen = Unchanged(self._ruleset, self._answers, str(self._bound))
        for its, everything in (([], False), (claims, True)):
            tasks = self._induction(found, sorts, goals, (), its, Sample(), everything)
            if seen.knows([*tasks, *self._ranges(sorts)]):
                break
        else:
            return False
        games = ask(partial(tested, self._evaluator, self._moves, found), seconds)
        odd = games.value is None or games.value.cut or games.value.broken or games.value.uncovered
        return not odd and all(proof.status == "proved" for proof in proofs.values())

    def _round(
        self, found: Sequence[Transition], sorts: Domains, what: _Asked, asking: _Asking
    ) -> tuple[dict[str, Proof], set[str]]:
        """What is found of some claims where nothing but these rules' own invariants is supposed; what can never happen.

        Args:
            found: All transitions.
            sorts: Those of the open position.
            what: The invariants, the waived ones, the claims about moves, and which of all else; None for all of it.
            asking: Who is asked, and until when.
        """
        goals, extra, claims, others = what
        (workers, scheduler), deadline, progress = asking
        everything = others is None or ENUMERATION in others
        games: Answer[Sample] = ask(
            partial(tested, self._evaluator, self._moves, found), max(0.0, deadline - time.monotonic())
        )
        sample = games.value or Sample()
        proofs = {i: Proof(i, self._statement(i)) for i in (*goals, *extra)}
        proofs |= {c: Proof(c, self._statement(c), "claim") for c in claims}
        tasks = self._induction(found, sorts, goals, extra, claims, sample, everything)
        tasks += self._ranges(sorts)
        proofs |= {
            c: Proof(c, "No total leaves its stated range.", "bound")
            for t in tasks
            for c in t.claims
            if c == RANGE
        }
        if others is None or others:
            further, more = self._further(found, sorts, sample)
            wanted = {proof.claim for proof in more if others is None or proof.claim in others}
            tasks += [task for task in further if wanted.issuperset(task.claims)]
            proofs |= {proof.claim: proof for proof in more if proof.claim in wanted}
        never: set[str] = set()
        seen = Unchanged(self._ruleset, self._answers, str(self._bound))
        if seen.lacks(tasks):
            make_ready(self._evaluator, sorts)
        while tasks:
            number, new = seen.look_up(tasks, proofs, never)
            play_again(self._evaluator, self._moves, sample.pairs.values(), len(new))
            jobs = written(new, deadline if scheduler is None else 0.0)
            answers = asked(jobs, workers, deadline, scheduler)
            tasks = []
            for count, answer in enumerate(answers, number - len(new) + 1):
                task = new[answer.name]
                progress(f"{count}/{number} {task.label}")
                tasks += seen.enter(task, answer, proofs, never)
        seen.write()
        self._base(proofs)
        self._played(proofs, sample)
        for proof in proofs.values():
            if sample.cut:
                proof.stays_open(f"its programs are not what the rules say: {sample.cut[0]}")
            if games.failure is not None:
                proof.stays_open(f"random games: {games.failure}")
        alone(proofs.values(), self._book.rules)
        return proofs, never

    def _presupposed(self, sorts: Domains) -> tuple[str, ...]:
        """What proofs presuppose, in sentences."""
        configuration = self._ruleset.configuration
        where = (
            f"{len(configuration.seats)} players, edition {configuration.edition} with the rulings in force"
        )
        board = ", this board" if configuration.board else ""
        lines = [f"Proved is meant of {where}{board}: of every legal move from every valid position."]
        numbers = ", ".join(sorted({name for name, _ in cut(sorts)}))
        if numbers:
            lines.append(
                f"Numbers without a limit ({numbers}) run to {self._bound}; what reads larger ones otherwise is not decided."
            )
        return tuple(lines)

    def _statement(self, claim: str) -> str:
        """A claim in words."""
        if claim == EXCLUSIVE:
            return "One decision or step at a time, or one that several roles decide at the same time."
        return (self._moves.docs.get(claim) or self._book.doc(claim)).statement

    def _goals(self, wanted: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
        """The invariants to be proved, which presuppose each other, waived ones that are looked at one by one; claims."""
        known = (*self._invariants.every, *ALWAYS, *self._moves.docs)
        unknown = [w for w in wanted if w not in known]
        if unknown:
            raise WrongUsage(
                f"{self._ruleset.id} has no invariant {unknown[0]!r}; the invariants are: {', '.join(known)}"
            )
        goals = [*self._invariants.assumed, *ALWAYS]
        extra = [
            i
            for i in sorted(self._invariants.waived)
            if (not wanted or i in wanted) and i in self._invariants.every
        ]
        return goals, extra, [c for c in self._moves.docs if not wanted or c in wanted]

    def _induction(
        self,
        found: Sequence[Transition],
        sorts: Domains,
        goals: Sequence[str],
        extra: Sequence[str],
        claims: Sequence[str],
        sample: Sample,
        everything: bool,
    ) -> list[Task]:
        """The induction steps, the longest first: of structures, then those that happen by themselves, as they change most."""
        tasks = []
        long = {t for t in found if any(structured(self._ruleset, k) for k in t.kinds)}
        for transition in sorted(found, key=lambda t: (t not in long, t.step is None)):
            step = Together(self._evaluator, transition, sorts, self._answers)
            label = f"induction {transition.label}"
            pairs = sample.pairs.get(transition.label, [])
            lemmas, parts = self._invariants.assumed, in_parts([*goals, *claims], transition.step is not None)
            listed = (ENUMERATION,) if everything and transition.kinds else ()
            apart = []
            for part in parts:
                question, before = (
                    partial(step.examine, lemmas, part, pairs),
                    partial(step.known, lemmas, part),
                )
                put = repr(list(lemmas)), repr(list(part))
                apart.append(Task(label, question, (*part, *listed), transition.label, before, put=put))
            joint = joined(apart, step, lemmas, parts, pairs)
            tasks += apart if step.questions.followed else [joint]
            for name in extra:
                question = partial(step.examine, lemmas, [name], pairs)
                tasks.append(Task(f"{label} ({name})", question, (name,), put=(repr(list(lemmas)),)))
        return tasks

    def _further(
        self, found: Sequence[Transition], sorts: Domains, sample: Sample
    ) -> tuple[list[Task], list[Proof]]:
        """What is to be shown besides: nobody is stuck, no sum exceeds its bound, the enumeration misses nothing."""
        tasks, proofs = [], []
        for rule in sums(self._ruleset):
            claim = f"bound of {rule.heads[0].name}"
            proofs.append(Proof(claim, "No sum exceeds its stated bound.", "bound"))
            question = partial(exceeds, self._ruleset, rule, sorts, self._answers)
            tasks.append(Task(claim, question, (claim,), put=(rule.text,)))
        for name, kinds, met in decisions(found, sample, sorts):
            claim = f"legal action at {name}"
            proofs.append(Proof(claim, "Whoever decides has a legal action.", "stuck"))
            question = partial(stuck, self._evaluator, name, kinds, sorts, met, self._answers)
            tasks.append(Task(claim, question, (claim,)))
        proofs.append(Proof(ENUMERATION, "The enumeration of legal actions misses none.", ENUMERATION))
        return tasks, proofs

    def _ranges(self, sorts: Domains) -> list[Task]:
        """That no total leaves the range that the rulebook states for it, on which open positions rely."""
        if not self._ruleset.facts("range", 3):
            return []
        return [Task(RANGE, partial(leaves_range, self._ruleset, sorts, self._answers), (RANGE,))]

    def _played(self, proofs: dict[str, Proof], sample: Sample) -> None:
        """What random games show: of counterexamples the one that is known to be reachable comes first."""
        for name, example in sample.broken.items():
            if name in proofs:
                proofs[name].falls(example, first=True)
        if sample.uncovered:
            proofs[EXCLUSIVE].stays_open(f"in a random game there are {sample.uncovered[0]} at once")

    def _base(self, proofs: dict[str, Proof]) -> None:
        """The induction's base: the position at the start."""
        start = self._evaluator.initial()
        facts = tuple(sorted(map(symbols.text, start)))
        for name, witness in dict(self._evaluator.broken(start, waive=False)).items():
            if name in proofs:
                proofs[name].falls(Counterexample("start", facts, (), witness, True, reached_by(())))
        several = uncovered(self._ruleset, start)
        if several is not None:
            proofs[EXCLUSIVE].stays_open(f"at the start there are {several} at once")
