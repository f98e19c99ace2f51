"""Finds the assumed rules and rulings on which the verdict on a record relies, by replaying it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from .. import clingo
from ..engine import symbols
from ..engine.assumptions import docs_of_kind
from ..engine.compiled import change_facts
from ..engine.grounding import Facts
from ..engine.ruleset import Ruleset, action_of
from ..errors import KaiserLogicError
from ..evaluation.reliance import Reliance
from ..evaluation.verdict import Judgement, Violation, violation_of
from ..notation.record import Record
from ..notation.terms import Term
from ..position import Position
from ..rules.rulebook import ASSUMED
from .replay import OnIllegal, Replay


def assumed_by(record: Record, on_illegal: OnIllegal = "stop") -> tuple[str, ...]:
    """The assumed rules that took part in the verdict on a record, and the assumed rulings that decide it, in their order.

    A ruling decides if the record takes another course under another value: other positions, other verdicts, another result.

    Args:
        record: The record.
        on_illegal: What follows an illegal move: see :func:`.checking.check`.
    """
    replay = _Observed(record, on_illegal)
    replay.follow_start()
    replay.run_all()
    replay.follow_outcome()
    rules = tuple(id for id in replay.game.book.docs if id in replay.ids)
    return rules + tuple(_rulings_deciding(replay, record))


def _rulings_deciding(replay: _Traced, record: Record) -> Iterator[str]:
    """The assumed rulings under another value of which a record takes another course."""
    rules, course = replay.game.ruleset, replay.course_followed()
    options = rules.configuration.options(rules.book)
    for name, ruling in rules.book.rulings.items():
        if rules.texts.ruling_kind(ruling) != ASSUMED:
            continue
        others = (record.with_rules(None, None, {name: v}) for v in ruling.values if v != options[name])
        if any(_takes_another_course(other, replay.on_illegal, course) for other in others):
            yield name


def _takes_another_course(record: Record, on_illegal: OnIllegal, course: list[Any]) -> bool:
    """Whether a record takes another course; not if it cannot be played at all."""
    try:
        other = _Unexplained(record, on_illegal)
        other.run_all()
        return not _IMPOSSIBLE & {fault.rule for fault in other.faults} and other.course_followed() != course
    except KaiserLogicError:  # for instance, its board file does not fit
        return False


_IMPOSSIBLE: Final = frozenset({"record.tag", "record.position"})
"""The faults of a record that cannot be played under a ruling, so that nothing follows about it."""


class _Traced(Replay):
    """A replay that keeps each judgement with its position. Its variations share the list."""

    def __init__(self, record: Record, on_illegal: OnIllegal) -> None:
        super().__init__(record, on_illegal)
        self._trace: list[Any] = []

    def judge(self, role: str, action: Term | None) -> tuple[list[Violation], Judgement]:
        """As for every replay."""
        violations, judgement = super().judge(role, action)
        broken = {rule for _, _, rule in judgement.violations} or {one.rule for one in violations}
        self._trace.append((role, action, self.here().symbols, broken))
        return violations, judgement

    def course_followed(self) -> list[Any]:
        """All judgements, and the last position with its result."""
        last = self.position
        return [*self._trace, *((last.symbols, last.result()) if last is not None else ())]


class _Unexplained(_Traced):
    """A replay whose violations have no reasons, which take most of the time."""

    def _explain(
        self, position: Position, judged: Mapping[str, clingo.Symbol], judgement: Judgement
    ) -> list[Violation]:
        return [violation_of(position.ruleset, rule, "") for _, _, rule in judgement.violations]


class _Observed(_Traced):
    """A replay that follows each judgement and each step to the rules that take part in it."""

    def __init__(self, record: Record, on_illegal: OnIllegal) -> None:
        super().__init__(record, on_illegal)
        self.ids: set[str] = set()
        self._last: Reliance | None = None

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
            reliance.judgement(position.symbols, together if complete else judged, effects=complete and not violations)
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
        if self._last is None or self._last.rules is not rules:
            self._last = Reliance(rules, frozenset(docs_of_kind(rules, ASSUMED)), self.ids)
        return self._last
