"""What may be done together: which kinds of action belong to a decision that several roles make at the same time."""

from __future__ import annotations

from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..rules.pattern import Pattern
from ..rules.rulebook import ActionKind
from ..transform.slicing import Seeds, seeds


def simultaneous(ruleset: Ruleset) -> set[str]:
    """The names of the decisions that several roles make at the same time."""
    return {symbols.text(s.arguments[0]) for s in ruleset.facts("simultaneous", 1)}


def acting(ruleset: Ruleset, kind: ActionKind) -> tuple[Seeds, list[ActionKind]]:
    """What a slice for actions of a kind starts from, and all kinds that may be done at the same time with it.

    These are none if one role makes the decision: where it is not declared simultaneous and there are several kinds of
    action, which the claim ``exclusive`` looks after. One with a single kind may be made by several.
    """
    alike = [k for k in ruleset.book.kinds if functor(k.decision) == functor(kind.decision)]
    if len(alike) > 1 and functor(kind.decision) not in simultaneous(ruleset):
        return seeds([kind.decision], (), [kind.action]), []
    return seeds([k.decision for k in alike], (), [k.action for k in alike]), alike


def functor(pattern: Pattern) -> str:
    """The name that the pattern of a function term or a constant begins with."""
    return str(pattern[1])
