"""Invariants while automatic steps are due."""

from __future__ import annotations

from collections.abc import Mapping

from kaiser_logic.engine import symbols
from kaiser_logic.position import Position


def broken_between_steps(position: Position, actions: Mapping[str, str]) -> set[str]:
    """The invariants that are broken after the actions while automatic steps are due, without those that are waived."""
    evaluator = position.evaluator
    judged = evaluator.judge(position.symbols, {r: symbols.read_symbol(a) for r, a in actions.items()})
    facts = (position.symbols - frozenset(judged.deleted)).union(judged.added)
    waived = {str(s.arguments[0]) for s in evaluator.ruleset.facts("waived", 1)}
    broken: set[str] = set()
    while any(s.name == "due" for s in facts):
        broken |= {invariant for invariant, _ in evaluator.broken_invariants(facts, waive=False)} - waived
        facts = evaluator.step(facts)
    return broken
