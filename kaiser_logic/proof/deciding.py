"""Of which kind an action is: by its form, and by what its role decides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .. import clingo
from ..engine import symbols
from ..rules.pattern import Pattern, unify
from ..rules.predicates import DECISION
from ..rules.rulebook import ActionKind


def kind_of(
    kinds: Sequence[ActionKind], facts: Iterable[clingo.Symbol], role: str, action: clingo.Symbol
) -> ActionKind | None:
    """The kind by which a role with a decision for it does an action, or None."""
    return of_these(kinds, decided_by(facts, role), symbols.value_pattern(action))


def decided_by(facts: Iterable[clingo.Symbol], role: str) -> list[Pattern]:
    """What a role decides."""
    pending = (s.arguments for s in facts if symbols.signature(s) == DECISION)
    return [symbols.value_pattern(what) for who, what in pending if symbols.text(who) == role]


def of_these(kinds: Sequence[ActionKind], decisions: Sequence[Pattern], done: Pattern) -> ActionKind | None:
    """The kind by which an action is done at one of these decisions, or None."""
    for kind in kinds:
        binding = unify(kind.action, done, {})
        if binding is not None and any(unify(kind.decision, d, dict(binding)) is not None for d in decisions):
            return kind
    return None
