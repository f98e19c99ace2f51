"""Questions for other processes, and their answers. Both contain texts, since clingo's symbols are never pickled.

The plain engine replays each counterexample before it is reported: `is_confirmed`, `stuck_there`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.invariants import by_part, part_of
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..evaluation.random_games import Written
from ..rules.predicates import DECISION, ENUMERATION, EXCLUSIVE
from .check import broken_claims
from .games import Sample, one_kind, pending_at_once, sample_games
from .models import actions_in, facts_in
from .moves import MoveClaims, claiming
from .positions import Answer
from .proof_cache import ProofCache
from .prover import Prover, TransitionVerdicts
from .report import Counterexample
from .theory import Theory, Transition

_GENERAL: Final = ("vocabulary", "count")


@dataclass(frozen=True)
class Setting:
    """What a round of proofs supposes. It can be pickled; each process derives its prover from it once.

    Attributes:
        ruleset: The rules in force; they know which invariants are dropped.
        bound: The largest value of numbers without a limit; None for the rulebook's.
        together: Decisions that are encoded as simultaneous ones: see `Theory`.
    """

    ruleset: Ruleset
    bound: int | None = None
    together: frozenset[str] = frozenset()

    @property
    def prover(self) -> Prover:
        """The prover under this setting."""
        key = "prover", self.bound, self.together
        return self.ruleset.remember(key, lambda: Prover(self.ruleset, self.bound, self.together))

    @property
    def claiming(self) -> Ruleset:
        """The rules in force together with the claims about moves."""
        return self.against[0].ruleset

    @property
    def against(self) -> tuple[Evaluator, MoveClaims]:
        """The plain engine, and the claims about moves as it judges them."""

        def make() -> tuple[Evaluator, MoveClaims]:
            evaluator = claiming(Evaluator(self.ruleset))
            return evaluator, MoveClaims(evaluator)

        return self.ruleset.remember("against", make)

    @property
    def moves(self) -> MoveClaims:
        """The claims about moves."""
        return self.against[1]

    @property
    def key(self) -> tuple[str, ...]:
        """All that it says besides the rules, as texts: a part of the key of a stored proof."""
        return str(self.bound), *sorted(self.together)


def games(setting: Setting) -> Sample:
    """Plays random games under a setting, and returns what they show."""
    evaluator, moves = setting.against
    return sample_games(evaluator, setting.prover.theory, setting.prover.transitions, moves)


@dataclass(frozen=True)
class TransitionQuestion:
    """Which claims a transition keeps.

    Attributes:
        setting: What is supposed.
        number: The number of the transition in the prover's list.
        label: Its label.
        claims: The claims.
        pairs: Positions and moves of random games, for the comparison with the plain engine.
        fresh: Whether proofs of earlier runs are not used.
    """

    setting: Setting
    number: int
    label: str
    claims: tuple[str, ...]
    pairs: tuple[Written, ...] = ()
    fresh: bool = True

    @property
    def key(self) -> tuple[str, ...]:
        """What is asked, as texts."""
        return "transition", *self.setting.key, str(self.number), self.label, *self.claims

    def __call__(self, only_kept: bool = False) -> TransitionVerdicts:
        """The answer; ``only_kept``: no verdicts unless an earlier run has proved all claims."""
        prover = self.setting.prover
        transition = prover.transitions[self.number]
        pairs = [text.parse() for text in self.pairs]
        kept = ProofCache(self.setting.claiming, self.fresh)
        verdicts = prover.examine(transition, self.claims, self.setting.against, pairs, kept, only_kept)
        for claim, model in verdicts.models.items():
            example = self._example(prover.theory, transition, claim, model)
            verdicts.broken[claim] = example
            if not example.replayed:
                verdicts.verdicts[claim] = "undecided"
                verdicts.notes[claim] = "the plain engine does not confirm what was found"
            if claim == EXCLUSIVE:
                verdicts.together |= self._undeclared_decisions(prover.theory, model)
        verdicts.models = {}
        return verdicts

    def _example(
        self, theory: Theory, transition: Transition, claim: str, model: Sequence[clingo.Symbol]
    ) -> Counterexample:
        """A model as a counterexample, replayed by the plain engine."""
        facts, actions = facts_in(theory, model), actions_in(theory, transition, model)
        witnesses = sorted(
            str(s.arguments[1])
            for s in model
            if s.name == "bad__" and claim in (str(s.arguments[0]), part_of(str(s.arguments[0]), str(s.arguments[1])))
        )
        return Counterexample(
            transition.label,
            tuple(sorted(map(symbols.text, facts))),
            tuple(sorted((role, symbols.text(a)) for role, a in actions.items())),
            "" if claim == ENUMERATION else next(iter(witnesses), ""),
            is_confirmed(theory, self.setting, claim, facts, actions),
        )

    def _undeclared_decisions(self, theory: Theory, model: Sequence[clingo.Symbol]) -> frozenset[str]:
        """Decisions that several roles have at once after the transition, though the rulebook does not declare it."""
        witnesses = (s.arguments[1] for s in model if s.name == "bad__" and str(s.arguments[0]) == EXCLUSIVE)
        return one_kind(theory, {w.arguments[0].name for w in witnesses if w.name == "twice"})


@dataclass(frozen=True)
class PositionQuestion:
    """Whether a claim about positions holds.

    Attributes:
        setting: What is supposed.
        number: The number of the claim in the list of such claims.
        claim: Its name.
        fresh: Whether proofs of earlier runs are not used.
    """

    setting: Setting
    number: int
    claim: str
    fresh: bool = True

    @property
    def label(self) -> str:
        """The name of the claim."""
        return self.claim

    @property
    def claims(self) -> tuple[str, ...]:
        """The claim."""
        return (self.claim,)

    @property
    def key(self) -> tuple[str, ...]:
        """What is asked, as texts."""
        return "position", *self.setting.key, str(self.number), self.claim

    def __call__(self) -> Answer:
        """The answer."""
        positions = self.setting.prover.positions
        positions.kept = ProofCache(self.setting.claiming, self.fresh)
        solved = positions.solved
        result = self._as_text(positions.decide(self.number))
        if result.verdict == "falls":
            return result
        return replace(result, learned=positions.learned, is_kept=positions.solved == solved)

    def _as_text(self, answer: Answer) -> Answer:
        """The answer with a counterexample in the place of its model."""
        parts, example = tuple(map(self._as_text, answer.parts)), None
        if answer.verdict == "falls":
            facts = facts_in(self.setting.prover.theory, answer.model)
            example = Counterexample(
                answer.claim,
                tuple(sorted(map(symbols.text, facts))),
                (),
                answer.reason or _WITNESSES.get(answer.claim.split(" ")[0], ""),
                stuck_there(self.setting.against[0], answer.claim, facts),
            )
        return replace(answer, model=(), example=example, parts=parts)


@dataclass(frozen=True)
class KeptQuestions:
    """Which transitions an earlier run has answered: many in one process, as this takes less time than to start one for each."""

    questions: tuple[TransitionQuestion, ...]

    def __call__(self) -> list[TransitionVerdicts]:
        """The kept answers, in the order of the questions; those that are not kept have ``is_kept`` false."""
        return [question(only_kept=True) for question in self.questions]


@dataclass(frozen=True)
class ImplicationQuestion:
    """Which of some invariants follow from the other invariants, in every position."""

    setting: Setting
    claims: tuple[str, ...]

    def __call__(self) -> set[str]:
        """The answer."""
        return self.setting.prover.positions.implied_invariants(self.claims)


_WITNESSES: Final = {"legal": "no legal action", "bound": "the sum exceeds its bound"}


def is_confirmed(
    theory: Theory,
    setting: Setting,
    claim: str,
    facts: frozenset[clingo.Symbol],
    actions: dict[str, clingo.Symbol],
) -> bool:
    """Whether the plain engine confirms a counterexample: the position is valid, the actions are legal, and the claim falls."""
    evaluator, moves = setting.against
    if broken_claims(evaluator, facts) - evaluator.ruleset.waived:
        return False
    if actions:
        judged = evaluator.judge(facts, actions)
        if judged.violations:
            return False
        if claim == ENUMERATION:
            try:
                listed = evaluator.legal(facts)
            except NotDecided:
                return False
            return any(pair not in listed for pair in actions.items())
        after = judged.facts_after(facts)
    else:
        after = evaluator.step(facts)
    if claim in theory.claims:
        return claim in {c for c, _ in moves.wrong(facts, tuple(sorted(actions.items())), after)}
    broken = by_part(evaluator.broken_invariants(after, waive=False), {*evaluator.ruleset.dropped, claim})
    if claim == EXCLUSIVE:
        return pending_at_once(theory, after) != ""
    if "vocabulary" in broken:  # then there is no position in which to judge the others
        return claim in _GENERAL
    return claim in broken


def stuck_there(evaluator: Evaluator, claim: str, facts: frozenset[clingo.Symbol]) -> bool:
    """Whether the plain engine confirms a counterexample to a claim about positions.

    The position must be valid. For a deadlock some role that decides must have no legal action. That a sum exceeds its bound is
    not checked again.
    """
    if broken_claims(evaluator, facts) - evaluator.ruleset.waived:
        return False
    if not claim.startswith("legal action at "):
        return True
    try:
        acting = {role for role, _ in evaluator.legal(facts)}
    except NotDecided:
        return False
    return bool({str(s.arguments[0]) for s in facts if symbols.signature(s) == DECISION} - acting)
