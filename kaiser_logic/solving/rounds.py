"""Proves all claims about the rules in force, in rounds: each assumes fewer invariants, until none is lost.

Why it is right. A round assumes all invariants of the rulebook at the position before a transition, and shows that some of them
hold after it. If all that are assumed are shown, and hold at the start, they hold in every position of every game, by
induction. Then every other claim that is shown for such positions holds too. An invariant that is not shown is dropped, and
everything is decided again without it (Houdini, Flanagan and Leino 2001). The invariants that are left in the end are inductive
together.

Every encoding rests on the claims `BUILT_ON`. A part of them, such as the limit of one measure, can be dropped like an
invariant if the encoding has a weaker fact for it that always holds (`.totals`): all totals that the vocabulary allows in the
place of a limit or a range, totals that are counted anew in the place of gains and losses. So the claims that are left in the
end, with the parts that are left, are inductive together, by encodings that rest on nothing else. If another part is not shown,
nothing is proved.

A claim is proved only if each question about it was answered so (`Round._count`). It falls only if the plain engine confirms the
counterexample (`.questions`) and its position breaks no dropped invariant, or if a game is known that leads there.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias, TypeVar

from ..engine import symbols
from ..engine.configuration import Configuration
from ..engine.domains import too_many
from ..engine.invariants import by_part, invariants, whole
from ..engine.ruleset import Ruleset
from ..errors import NotDecided, TimeIsOver, WrongUsage
from ..evaluation.evaluator import Evaluator
from ..evaluation.origin import EFFORT, reached_by
from ..rules.predicates import ALWAYS, DUE, ENUMERATION, EXCLUSIVE, RANGE
from ..workers import TOO_SHORT, ChildAnswer, Job, job_answers, run_job
from .games import Sample, broken_parts, held_by_several, pending_at_once
from .moves import claiming
from .positions import Answer
from .proof_cache import NEVER, PROVED, ProofCache
from .prover import Prover, TransitionVerdicts, in_groups
from .questions import KeptQuestions, PositionQuestion, Setting, TransitionQuestion, games
from .report import (
    AT_START,
    Counterexample,
    Proof,
    ProofReport,
    add_origins,
    leave_open_without,
    note_conditions,
)

T = TypeVar("T")
Progress: TypeAlias = Callable[[str], None]
BUILT_ON: Final = (*ALWAYS, RANGE)
"""The claims on which every encoding rests."""
_STATEMENTS: Final = {
    EXCLUSIVE: "One decision or step at a time, or one that several roles decide at the same time.",
    RANGE: "No total leaves its stated range.",
    ENUMERATION: "The enumeration of legal actions misses none.",
    "bound": "No sum exceeds its stated bound.",
    "stuck": "Whoever decides has a legal action.",
}
_PARTS: Final = {
    "limit": "No total of {} exceeds its limit, below or above.",
    "count": "No {} falls below zero, comes twice or goes twice.",
    RANGE: "No total of {} leaves its stated range.",
}
"""The claims of which parts can be dropped, with the statement of a part."""
_PLAYED: Final = 2
"""The number of moves of each transition that are judged before processes are forked, so that these have the programs."""
_ALL: Final = "all invariants"


@dataclass(frozen=True)
class Resources:
    """The processes and the time that a run may use.

    Attributes:
        workers: The number of processes; None for one for each core.
        scheduler: The address of a Dask scheduler whose workers are used instead.
        deadline: When the time is up, in seconds of :func:`time.monotonic`.
        progress: Called with a line of text after each answer.
    """

    workers: int | None = None
    scheduler: str | None = None
    deadline: float = float("inf")
    progress: Progress = lambda _: None

    @property
    def seconds_left(self) -> float:
        """The time that is left, in seconds; not less than 0."""
        return max(0.0, self.deadline - time.monotonic())

    def require_time(self) -> None:
        """Raises NotDecided if no time is left: what is long to prepare is not begun then."""
        if not self.seconds_left:
            raise NotDecided(TOO_SHORT)

    def answers(
        self, jobs: Iterable[Job[TransitionVerdicts | Answer]]
    ) -> Iterator[ChildAnswer[TransitionVerdicts | Answer]]:
        """The answers to questions, in the order in which they come."""
        return job_answers(jobs, self.workers, self.deadline, self.scheduler)

    def ask_once(self, question: Callable[[], T]) -> ChildAnswer[T]:
        """The answer to one question, from a child process on this machine."""
        return run_job(question, self.seconds_left)


class Rounds:
    """Proves the claims about one set of rules.

    Attributes:
        claims: The verdicts by claim.
        dropped: The invariants that are no longer assumed, and parts of claims of every game.
        never: The transitions that can never happen; empty unless everything is proved.
        together: Decisions that several roles may have at once, though the rulebook does not declare it.
    """

    def __init__(self, ruleset: Ruleset, bound: int | None = None, fresh: bool = True) -> None:
        """Takes the rules.

        Args:
            ruleset: The rules in force.
            bound: The largest value of numbers without a limit in an open position; by default the rulebook's.
            fresh: Whether everything is proved anew, without stored proofs.
        """
        self._plain, self._bound, self._fresh = ruleset, bound, fresh
        self._own = invariants(ruleset)
        self._evaluator = claiming(Evaluator(ruleset))
        self.claims: dict[str, Proof] = {}
        self.dropped: list[str] = []
        self.never: list[str] = []
        self.together: frozenset[str] = frozenset()
        self._answered = (0, 0)

    def run(
        self,
        wanted: Sequence[str] = (),
        timeout: float = float("inf"),
        workers: int | None = 1,
        progress: Progress = lambda _: None,
        effort: int = EFFORT,
        scheduler: str | None = None,
    ) -> ProofReport:
        """Proves the wanted invariants and claims about moves; if none is named, all of them and all claims about positions.

        Args:
            wanted: The names of invariants and claims about moves.
            timeout: In seconds; what is not decided by then stays undecided.
            workers: The number of processes; None for one for each core.
            progress: Called with a line of text after each answer.
            effort: The number of positions that the search for a game to a counterexample may visit.
            scheduler: The address of a Dask scheduler whose workers are used instead of processes on this machine.

        Returns:
            The wanted claims, and those that fall.

        Raises:
            NotDecided: The vocabulary is too large to be listed.
            WrongUsage: There is no such invariant or claim.
        """
        start = time.monotonic()
        goals = self._goals(wanted)
        if (many := too_many(self._plain)) is not None:
            raise NotDecided(f"{self._plain.id} is too large for proofs: {many}")
        resources = Resources(workers, scheduler, start + timeout, progress)
        presuppositions: tuple[str, ...] = ()
        try:
            resources.require_time()
            presuppositions = self._presuppositions(self._setting().prover)
            self._prove(goals, not wanted, resources)
            presuppositions = (*presuppositions, *map(_said_of_undeclared, sorted(self.together)))
        except (NotDecided, TimeIsOver) as reason:
            self._leave_open(goals, str(reason) or TOO_SHORT, resources)
        self._reopen_deadlocks()
        if ENUMERATION in self.claims:  # after the claims about positions
            self.claims[ENUMERATION] = self.claims.pop(ENUMERATION)
        self._list_parts()
        leave_open_without(self.claims, BUILT_ON)
        with suppress(TimeIsOver):  # the verdicts stand without them
            add_origins(self._evaluator, self.claims.values(), effort)
        note_conditions(self.claims)
        if any(p.status != "proved" for p in self.claims.values()):
            self.never = []
        elif not self.unproved and set(goals) >= {*self._own.assumed, *ALWAYS}:
            self._proof_cache(self._evaluator.ruleset).store(PROVED, _ALL, str(self._bound))
        # how large numbers are limits say
        named = {*wanted, "limit"} if "vocabulary" in wanted else {*wanted}
        reported = [
            p for c, p in self.claims.items() if not wanted or c in named or whole(c) in named or p.status == "falls"
        ]
        seconds = time.monotonic() - start
        return ProofReport(
            reported,
            sorted(self.never),
            seconds,
            presuppositions,
            self.unproved,
            self.together,
            self._answered,
        )

    @property
    def unproved(self) -> dict[str, str]:
        """The assumed invariants that are not proved, each with its status."""
        supposed = (c for c in (*self._own.assumed, *BUILT_ON, *self.dropped) if c in self.claims)
        return {c: self.claims[c].status for c in supposed if self.claims[c].status != "proved"}

    def proved_before(self) -> bool:
        """Whether all invariants of these rules were proved in an earlier run, and no rule or source has changed since."""
        return self._proof_cache(self._evaluator.ruleset).get(_ALL, str(self._bound)) == PROVED

    def _list_parts(self) -> None:
        """Lists the parts of a claim of every game one by one if some of them are not proved."""
        for claim in _PARTS:
            dropped = {c for c in self.claims if c != claim and whole(c) == claim}
            if dropped and self.claims[claim].status == "proved":
                parts = sorted(self._setting().prover.totals.parts(claim))
                listed: dict[str, Proof] = {}
                for name, proof in self.claims.items():
                    if name == claim:
                        listed.update((p, self.claims.get(p) or self._proof(p)) for p in parts)
                    else:
                        listed.setdefault(name, proof)
                self.claims = listed

    # -- goals -------------------------------------------------------------------------------------------

    def _goals(self, wanted: Sequence[str]) -> list[str]:
        """All assumed invariants, as they presuppose each other; the wanted ones that are waived; the wanted move claims."""
        moves = self._docs()
        provable = (*self._own.every, *ALWAYS, *moves)
        unknown = [w for w in wanted if w not in provable]
        if unknown:
            raise WrongUsage(
                f"{self._plain.id} has no invariant {unknown[0]!r}; the invariants are: {', '.join(provable)}"
            )
        waived = [i for i in sorted(self._own.waived) if i in self._own.every]
        goals = [*self._own.assumed, *ALWAYS, *(i for i in waived if not wanted or i in wanted)]
        goals += [c for c in moves if not wanted or c in wanted]
        return goals if wanted else [*goals, ENUMERATION]

    def _docs(self) -> Mapping[str, object]:
        """The headings of the claims about moves, by name."""
        return Setting(self._plain).moves.docs

    def _setting(self, dropped: Collection[str] = ()) -> Setting:
        ruleset = self._plain.dropping(dropped) if dropped else self._plain
        return Setting(ruleset, self._bound, self.together)

    def _proof_cache(self, ruleset: Ruleset) -> ProofCache:
        return ProofCache(ruleset, self._fresh)

    def _proof(self, claim: str, kind: str = "") -> Proof:
        """An empty proof of a claim, with its statement."""
        moves = Setting(self._plain).moves.docs
        if claim not in _PARTS and whole(claim) in _PARTS:
            name = claim.removeprefix(f"{whole(claim)} of ")
            kind = "bound" if whole(claim) == RANGE else "invariant"
            return Proof(claim, _PARTS[whole(claim)].format(name), kind)
        if kind or claim in _STATEMENTS:
            plain = {ENUMERATION: ENUMERATION, RANGE: "bound"}.get(claim, "invariant")
            return Proof(claim, _STATEMENTS[kind or claim], kind or plain)
        doc = moves.get(claim) or self._plain.book.doc(claim)
        return Proof(claim, self._plain.texts.statement(doc), "claim" if claim in moves else "invariant")

    def _presuppositions(self, prover: Prover) -> tuple[str, ...]:
        """What proofs presuppose, in sentences."""
        configuration = self._plain.configuration
        where = f"{len(configuration.seats)} players, edition {configuration.edition} with the rulings in force"
        board = ", this board" if configuration.board else ""
        lines = [f"'Proved' covers every legal move from every valid position, for {where}{board}."]
        if configuration.start:
            lines.append(words_of_start(configuration))
        numbers = ", ".join(sorted({name for name, _ in prover.vocabulary.cut}))
        if numbers:
            bound = prover.vocabulary.bound
            lines.append(
                f"Numbers without a limit ({numbers}) run to {bound}. A claim that depends on larger ones is not decided."
            )
        return tuple(lines)

    # -- rounds --------------------------------------------------------------------------------------------------

    def _prove(self, goals: Sequence[str], everything: bool, resources: Resources) -> None:
        """Runs rounds until no invariant is lost."""
        self.claims, self.dropped, self.never = {g: self._proof(g) for g in goals}, [], []
        resources.require_time()
        blamed = {
            g: why for g, why in self._setting().prover.claims_unlimited(resources.ask_once).items() if g in goals
        }
        self.dropped = [i for i in self._own.assumed if i in blamed]
        plain = [g for g in goals if g not in blamed]
        about_positions = None if everything else ()
        proofs = self._round(plain, list(blamed), about_positions, resources)
        ranges = {c: p for c, p in proofs.items() if whole(c) == RANGE != c}
        if ranges:  # no encoding agrees with the plain engine where a stated range is not true
            self.dropped += ranges
            proofs = self._round(plain, list(blamed), about_positions, resources) | ranges
        for name, proof in proofs.items():
            if name in blamed:
                proof.stays_open(blamed[name])
            self._enter(name, proof, ())
        supposed = [i for i in self._own.assumed if i not in blamed]
        while True:
            lost = [i for i in supposed if self.claims[i].status != "proved"]
            lost += [c for c in self.claims if whole(c) in _PARTS and c not in (*_PARTS, *self.dropped)]
            if not lost or any(b in self.claims and self.claims[b].status != "proved" for b in BUILT_ON):
                return
            self.dropped += lost
            supposed = [i for i in supposed if i not in lost]
            resources.progress(f"without {', '.join(self.dropped)}")
            still_proved = {c for c, p in self.claims.items() if p.status == "proved"}
            proofs = self._round(
                [g for g in goals if g in still_proved], (), still_proved if everything else (), resources
            )
            for name in sorted({*still_proved, *proofs}):
                proof = proofs.get(name) or self._open_proof(name)
                if proof.status != "proved":
                    self._enter(name, proof, lost)

    def _reopen_deadlocks(self) -> None:
        """A deadlock is one of listed actions; where a legal action may be missing from the list, it is not decided."""
        enumeration = self.claims.get(ENUMERATION)
        if enumeration is not None and enumeration.status == "proved":
            self._open_where_somebody_is_stuck(enumeration)
        if enumeration is None or enumeration.status == "proved":
            return
        for claim, proof in self.claims.items():
            if claim.startswith("legal action at ") and proof.status == "falls":
                proof.status = "undecided"
                proof.notes.append("no listed action is legal there, but the rules may not list all: see enumeration")

    def _open_where_somebody_is_stuck(self, enumeration: Proof) -> None:
        """Where one of several roles is stuck, there is no transition that would show what the lists of the others miss."""
        for claim in sorted(self._deadlocks_of_several()):
            proof = self.claims.get(claim)
            if proof is None or proof.status != "proved":
                enumeration.stays_open(f"it is shown only where nobody is stuck: see {claim}")

    def _deadlocks_of_several(self) -> set[str]:
        """The claims that nobody is stuck at a simultaneous decision."""
        prover = self._setting(self.dropped).prover
        names = {f"legal action at {name}" for name in prover.theory.simultaneous}
        return names.intersection(claim for claim, _ in prover.about_positions)

    def _open_proof(self, claim: str) -> Proof:
        """An open proof of a claim that no question of the last round was about."""
        proof = self._proof(claim) if claim in (*self._own.every, *_STATEMENTS) else Proof(claim, "")
        proof.stays_open(f"not asked again without {', '.join(self.dropped)}")
        return proof

    def _enter(self, name: str, anew: Proof, lost: Sequence[str]) -> None:
        """Adds the verdict on a claim from a round without the dropped invariants; ``lost``: those that this round dropped."""
        proof = self.claims.get(name, anew)
        if anew.status != "proved":  # its verdict is entered only when it is whole: the time may end anywhere
            confirmed = [e for e in anew.counterexamples if e.replayed and not self._broken_invariants(e)]
            if confirmed:
                proof.status, proof.counterexamples, proof.notes = "falls", confirmed, [] if lost else anew.notes
            else:
                broken = {b for e in anew.counterexamples for b in self._broken_invariants(e)}
                proof.status, proof.counterexamples = "undecided", anew.counterexamples
                proof.given = tuple(i for i in self.dropped if i in broken) or tuple(lost)
                proof.notes = [f"without it: {note}" if lost else note for note in anew.notes]
        self.claims[name] = proof

    def _broken_invariants(self, example: Counterexample) -> set[str]:
        """The dropped invariants that a counterexample's position breaks; none if a game reaches the position."""
        if example.is_reached or not self.dropped:
            return set()
        facts = frozenset(map(symbols.read_symbol, example.facts))
        return by_part(self._evaluator.broken_invariants(facts, waive=False), self.dropped).intersection(self.dropped)

    def _round(
        self,
        goals: Sequence[str],
        fallen: Sequence[str],
        about_positions: Collection[str] | None,
        resources: Resources,
    ) -> dict[str, Proof]:
        """Runs one round, which assumes the invariants that are not dropped: see `Round`.

        If several roles turn out to have a decision of one kind of action at once, the round is repeated with that decision as a
        simultaneous one.

        Args:
            goals: The invariants and claims about moves.
            fallen: Those that get questions of their own, as no question with them is decided.
            about_positions: The claims about positions besides `RANGE`; None: all.
            resources: The processes and the time.
        """
        while True:
            resources.require_time()
            setting = self._setting(self.dropped)
            played = resources.ask_once(partial(games, setting))
            resources.require_time()
            sample = played.value or Sample()
            start = self._evaluator.initial()
            together = sample.together | held_by_several(setting.prover.theory, start)
            if together - self.together:
                self.together |= together
                continue
            round_ = Round(setting, goals, fallen, self._proof, self._proof_cache(setting.claiming))
            round_.run(sample, None if about_positions is None else {RANGE, *about_positions}, resources)
            if round_.together - self.together:
                self.together |= round_.together
                continue
            if played.failure is not None:
                for proof in round_.proofs.values():
                    proof.stays_open(f"random games: {played.reason}")
            round_.add_sample(sample)
            self.never = round_.never
            self._answered = self._answered[0] + round_.answered[0], self._answered[1] + round_.answered[1]
            return round_.proofs

    def _leave_open(self, goals: Iterable[str], why: str, resources: Resources) -> None:
        """Leaves all goals open, and adds what the first position breaks if there is time for it."""
        for goal in goals:
            proof = self.claims.setdefault(goal, self._proof(goal))
            if proof.status == "proved":
                proof.stays_open(why)

        def note_fall(name: str, example: Counterexample) -> None:
            if (name := whole(name)) in self.claims:
                self.claims[name].falls(example, first=True)

        if resources.seconds_left:
            base(self._evaluator, note_fall)


def words_of_start(configuration: Configuration) -> str:
    """With which start tags the induction begins, in a sentence. Other starts need not be valid positions."""
    tags = ", ".join(f"{tag} {' '.join(values)}" for tag, values in configuration.start)
    return f"Games start with {tags}; nothing is said of other starts."


def base(evaluator: Evaluator, note_fall: Callable[[str, Counterexample], None]) -> None:
    """The base of the induction: a claim falls if the start breaks it, or a position between it and the first decision."""
    noted: set[str] = set()
    for position in evaluator.settling(evaluator.start()):
        facts = tuple(sorted(map(symbols.text, position)))
        broken = broken_parts(evaluator, position)
        if len({symbols.signature(f.arguments[0]) for f in position if symbols.signature(f) == DUE}) > 1:
            broken[EXCLUSIVE] = "due"
        for name in broken.keys() - noted:
            note_fall(name, Counterexample(AT_START, facts, (), broken[name], True, reached_by(())))
        noted |= broken.keys()


@dataclass
class Round:
    """One round: each question is answered once.

    Attributes:
        setting: What is supposed.
        goals: The claims that are decided together for each transition.
        fallen: The claims with questions of their own, as no question with them is decided.
        make: Makes an empty proof of a claim.
        kept: The stored proofs.
        proofs: The verdicts by claim.
        never: The transitions that can never happen.
        together: Decisions that several roles may have at once, though the rulebook does not declare it.
        answered: The numbers of questions whose answers are kept of earlier runs, and of all that were asked.
    """

    setting: Setting
    goals: Sequence[str]
    fallen: Sequence[str]
    make: Callable[..., Proof]
    kept: ProofCache
    proofs: dict[str, Proof] = field(default_factory=dict)
    never: list[str] = field(default_factory=list)
    together: frozenset[str] = frozenset()
    answered: tuple[int, int] = (0, 0)
    _shown: Counter[str] = field(default_factory=Counter)

    def run(self, sample: Sample, about_positions: Collection[str] | None, resources: Resources) -> None:
        """Answers all questions: from stored proofs, or in other processes. None for ``about_positions`` means all."""
        self.proofs = {g: self.make(g) for g in (*self.goals, *self.fallen)}
        questions = self._questions(sample, about_positions)
        kept_verdicts = {name: self.kept.get(*q.key) for name, q in questions.items()}
        for name, verdict in kept_verdicts.items():
            if verdict:
                self._shown.update(questions[name].claims)
            if verdict == NEVER:
                self._enter_never(questions[name])
        unanswered = {name: q for name, q in questions.items() if not kept_verdicts[name]}
        if unanswered and resources.seconds_left:
            self._precompute(sample)
        unanswered = self._open_questions(unanswered, resources)
        count = len(questions) - len(unanswered)
        self.answered = count, len(questions)
        answers = resources.answers([Job(name, q) for name, q in unanswered.items()])
        with closing(answers) as coming:  # type: ignore[type-var]
            for answer in coming:
                count += 1
                question = unanswered.pop(answer.name)
                resources.progress(f"{count}/{len(questions)} {question.label}")
                is_kept = answer.value is not None and answer.value.is_kept
                self.answered = self.answered[0] + is_kept, len(questions)
                if isinstance(question, TransitionQuestion):
                    self._enter_transition(question, answer)
                    if self.together:
                        return
                else:
                    self._enter_position(question, answer)
        for question in unanswered.values():
            self._stay_open(question, "not answered")
        self._count(questions.values())

    def _open_questions(
        self, questions: dict[str, TransitionQuestion | PositionQuestion], resources: Resources
    ) -> dict[str, TransitionQuestion | PositionQuestion]:
        """The questions that no earlier run has answered, though other rules were in force; the others are entered."""
        transitions = {name: q for name, q in questions.items() if isinstance(q, TransitionQuestion)}
        if self.kept.is_empty or not transitions:
            return questions
        groups = in_groups(list(transitions), resources.workers or os.cpu_count() or 1)
        jobs = [
            Job(str(k), KeptQuestions(tuple(transitions[name] for name in group))) for k, group in enumerate(groups)
        ]
        unanswered = dict(questions)
        for answer in job_answers(jobs, resources.workers, resources.deadline, resources.scheduler):
            for name, verdicts in zip(groups[int(answer.name)], answer.value or (), strict=False):
                if verdicts.is_kept:
                    question = unanswered.pop(name)
                    assert isinstance(question, TransitionQuestion)
                    self._enter_transition(question, ChildAnswer(name, verdicts, None, 0.0))
        return unanswered

    def _count(self, questions: Iterable[TransitionQuestion | PositionQuestion]) -> None:
        """Leaves each claim open of which not every question was answered with "proved", or that has no question."""
        numbers = Counter(claim for question in questions for claim in question.claims)
        for claim, proof in self.proofs.items():
            missing = numbers[claim] - self._shown[claim]
            if proof.status == "proved" and (missing or (not numbers[claim] and claim != ENUMERATION)):
                proof.stays_open(f"{missing} questions about it are open" if missing else "nothing asks about it")

    def _questions(
        self, sample: Sample, about_positions: Collection[str] | None
    ) -> dict[str, TransitionQuestion | PositionQuestion]:
        """All questions by name; those about steps first, as they take longest."""
        prover = self.setting.prover
        questions: dict[str, TransitionQuestion | PositionQuestion] = {}
        order = sorted(enumerate(prover.transitions), key=lambda x: x[1].step is None)
        for number, transition in order:
            pairs = tuple(sample.pairs.get(transition.label, ()))
            for goals in (self.goals, self.fallen):
                claims = tuple(g for g in goals if transition.step is None or g != ENUMERATION)
                if claims:
                    question = TransitionQuestion(
                        self.setting, number, transition.label, claims, pairs, self.kept.fresh
                    )
                    questions[f"{len(questions)} {question.label}"] = question
        for number, (claim, kind) in enumerate(prover.about_positions):
            if about_positions is None or claim in about_positions:
                self.proofs.setdefault(claim, self.make(claim, "" if claim == RANGE else kind))
                questions[f"{len(questions)} {claim}"] = PositionQuestion(self.setting, number, claim, self.kept.fresh)
        return questions

    def _precompute(self, sample: Sample) -> None:
        """Computes what the questions share before processes are forked, and what `add_sample` needs after them."""
        self.setting.prover.precompute()
        evaluator, moves = self.setting.against
        base(evaluator, lambda *_: None)
        for group in sample.pairs.values():
            for text in group[:_PLAYED]:
                pair = text.parse()
                moves.judge(pair.facts, pair.actions)
                evaluator.broken_invariants(pair.facts, waive=False)

    # -- answers -------------------------------------------------------------------------------------------------

    def _stay_open(self, question: TransitionQuestion | PositionQuestion, why: str) -> None:
        for claim in question.claims:
            self.proofs[claim].stays_open(why if claim == question.label else f"{question.label}: {why}")

    def _enter_never(self, question: TransitionQuestion | PositionQuestion) -> None:
        self.never.append(question.label)

    def _enter_transition(self, question: TransitionQuestion, answer: ChildAnswer[TransitionVerdicts | Answer]) -> None:
        """Adds the verdicts of a transition; a claim without the verdict ``proved`` does not stay proved."""
        result = answer.value
        if not isinstance(result, TransitionVerdicts):
            self._stay_open(question, answer.reason)
            return
        self.together |= result.together
        if result.differences:
            self._stay_open(question, f"its encoding is not what the rules say: {result.differences[0]}")
        if result.reason is not None:
            self._stay_open(question, result.reason)
        for claim in question.claims:
            proof, verdict = self.proofs[claim], result.verdicts.get(claim, "undecided")
            example = result.broken.get(claim)
            if verdict == "proved" and not result.differences and result.reason is None:
                self._shown[claim] += 1
            if claim == EXCLUSIVE and example is not None:
                proof.stays_open(f"after {result.label} there may be more at once: {example.witness}")
            elif verdict == "falls" and example is not None and example.replayed:
                proof.falls(example)
            elif verdict != "proved" and not (result.differences or result.reason):
                proof.stays_open(f"{result.label}: {result.notes.get(claim, 'too many conflicts')}")
                if example is not None:
                    proof.counterexamples.append(example)
        for part in result.parts:
            self._enter_part(
                part,
                result.verdicts[part],
                result.broken.get(part),
                f"{result.label}: {result.notes.get(part)}",
            )
        never = result.possible is False
        if never:
            self.never.append(result.label)
        if not (result.trouble or result.parts) and all(result.verdicts.get(c) == "proved" for c in question.claims):
            answered = NEVER if never else PROVED
            self.kept.store(answered, *question.key, keys={result.key: answered} if result.key else {})

    def _enter_part(self, part: str, verdict: str, example: Counterexample | None, note: str) -> None:
        """Adds the verdict on a part of a claim that is not proved."""
        proof = self.proofs.setdefault(part, self.make(part))
        if verdict == "falls" and example is not None and example.replayed:
            proof.falls(example)
            return
        proof.stays_open(note)
        if example is not None:
            proof.counterexamples.append(example)

    def _enter_position(self, question: PositionQuestion, answer: ChildAnswer[TransitionVerdicts | Answer]) -> None:
        """Adds the verdict on a claim about positions."""
        result, proof = answer.value, self.proofs[question.claim]
        if not isinstance(result, Answer):
            self._stay_open(question, answer.reason)
            return
        for part in result.parts:
            self._enter_part(part.claim, part.verdict, part.example, part.reason)
        if result.verdict == "falls" and result.example is not None and result.example.replayed:
            proof.falls(result.example)
        elif result.verdict != "proved":
            proof.stays_open(result.reason or "the plain engine does not confirm what was found")
            if result.example is not None:
                proof.counterexamples.append(result.example)
        else:
            self._shown[question.claim] += 1
            if not result.parts:
                self.kept.store(PROVED, *question.key, keys=result.learned)

    def _note_fall(self, name: str, example: Counterexample) -> None:
        """Adds a counterexample to a claim, or to a part of one; the whole falls if the part cannot be dropped."""
        if name not in self.proofs and name != whole(name):
            if self.setting.prover.totals.can_drop(name):
                self.proofs[name] = self.make(name)
            else:
                name = whole(name)
        if name in self.proofs:
            self.proofs[name].falls(example, first=True)

    def add_sample(self, sample: Sample) -> None:
        """Adds what random games have shown; their counterexamples are reachable, so they come first."""
        for name, example in sample.broken.items():
            self._note_fall(name, example)
        evaluator, theory = self.setting.against[0], self.setting.prover.theory
        base(evaluator, self._note_fall)
        several = pending_at_once(theory, evaluator.initial())
        if EXCLUSIVE in self.proofs and several:
            self.proofs[EXCLUSIVE].stays_open(f"at the start there are {several} at once")
        if EXCLUSIVE in self.proofs and sample.several:
            self.proofs[EXCLUSIVE].stays_open(f"in a random game there are {sample.several[0]} at once")
        for proof in self.proofs.values():
            if sample.cut:
                proof.stays_open(f"its programs are not what the rules say: {sample.cut[0]}")


def _said_of_undeclared(decision: str) -> str:
    """That proofs treat a decision as simultaneous which the rulebook does not declare so, in a sentence."""
    return (
        f"Several roles may have the decision {decision} at once, though simultaneous({decision}) does not hold: "
        "proofs treat it as one that they make at the same time."
    )
