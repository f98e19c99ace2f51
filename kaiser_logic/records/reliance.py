"""Finds the assumed rules on which the verdict on a record relies, by replaying it once more."""

from __future__ import annotations

from ..engine import symbols
from ..engine.assumptions import docs_of_kind
from ..engine.compiled import change_facts
from ..engine.grounding import Facts
from ..engine.ruleset import Ruleset, action_of
from ..evaluation.reliance import Reliance
from ..evaluation.verdict import Judgement, Violation
from ..notation.record import Record
from ..notation.terms import Term
from ..rules.rulebook import ASSUMED
from .replay import OnIllegal, Replay


def assumed_by(record: Record, on_illegal: OnIllegal = "stop") -> tuple[str, ...]:
    """The ids of the assumed rules that took part in the verdict on a record, in the order of the rulebook.

    Args:
        record: The record.
        on_illegal: What follows an illegal move: see :func:`.checking.check`.
    """
    replay = _Observed(record, on_illegal)
    replay.follow_start()
    replay.run_all()
    replay.follow_outcome()
    return tuple(id for id in replay.game.book.docs if id in replay.found)


class _Observed(Replay):
    """A replay that follows each judgement and each step to the rules that take part in it."""

    def __init__(self, record: Record, on_illegal: OnIllegal) -> None:
        super().__init__(record, on_illegal)
        self.found: set[str] = set()

    def judge(self, role: str, action: Term | None) -> tuple[list[Violation], Judgement]:
        """As for every replay."""
        violations, judgement = super().judge(role, action)
        position = self.here()
        rules = position.ruleset
        if action is not None and not any(one.rule.startswith("record.") for one in violations):
            judged = {role: action_of(rules, action)}
            together = {**self.pending, **judged}
            complete = len(together) == len(position.decisions)
            reliance = self._reliance(rules)
            reliance.judgement(
                position.symbols, together if complete else judged, effects=complete and not violations
            )
            if complete and not violations:
                self._follow_steps(change_facts(position.symbols, judgement.deleted, judgement.added))
        return violations, judgement

    def follow_start(self) -> None:
        """Follows the first position of a game."""
        if self.position is not None:  # otherwise it begins with a position block
            self._reliance(self.position.ruleset).start()
            self._follow_steps(self.position.evaluator.start())

    def follow_outcome(self) -> None:
        """Follows the result of a finished game."""
        if self.position is not None and self.position.result() is not None:
            self._reliance(self.position.ruleset).outcome(self.position.symbols)

    def _follow_steps(self, facts: Facts) -> None:
        position = self.here()
        for before in position.evaluator.settling(facts):
            if any(symbols.signature(fact) == ("due", 1) for fact in before):
                self._reliance(position.ruleset).step(before)

    def _reliance(self, rules: Ruleset) -> Reliance:
        return Reliance(rules, frozenset(docs_of_kind(rules, ASSUMED)), self.found)
