"""The uncut rules, with which sliced programs are compared.

The plain engine uses the slicer (:mod:`..transform.slicing`) on both of its back ends, so comparing these with each other does
not show what the slicer left out. This module judges positions of games with all rules that are not static, uncut, in clingo.
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import clingo
from ..engine import symbols
from ..engine.grounding import EngineProgram, Grounding
from ..engine.ruleset import Ruleset
from ..evaluation.evaluator import Evaluator
from ..rules import predicates
from ..rules.predicates import is_enumeration

_UNCALLED = frozenset({predicates.FLUENT, ("action", 2), predicates.BOARD_FACT, predicates.BOARD_BROKEN})
"""Predicates that depend on no position; their rules, and rules that read them, are left out."""


def program(ruleset: Ruleset) -> EngineProgram:
    """The program of all rules about positions and moves, without the move generator."""

    def make() -> EngineProgram:
        given = {*ruleset.static, *_UNCALLED, ("holds", 1)}
        rules = (
            r
            for r in ruleset.rules
            if not is_enumeration(r)
            and not (r.heads and all(h.signature in given for h in r.heads))
            and not r.uses & _UNCALLED
        )
        return ruleset.complete(tuple(rules))

    return ruleset.remember("whole", make)


def differs(
    evaluator: Evaluator, facts: frozenset[clingo.Symbol], done: Sequence[tuple[str, clingo.Symbol]]
) -> str | None:
    """How the sliced programs and the uncut rules differ on one move: violations, next position, broken invariants.

    Args:
        evaluator: The plain engine, which uses sliced programs.
        facts: The position.
        done: The roles and their actions, legal or not; empty if a step is due.

    Returns:
        The first difference, in words, or None.
    """
    ruleset = evaluator.ruleset
    actions = dict(done)
    grounding = Grounding(program(ruleset), (*facts, *ruleset.submissions(actions)), exact=True)
    what = "; ".join(f"{role}: {action}" for role, action in done) or "an automatic step"
    if actions:
        judged = evaluator.judge(facts, actions)
        violated = {(r, a, v) for r, a, v in judged.violations}
        all_violated = {
            (symbols.text(s.arguments[0]), s.arguments[1], symbols.text(s.arguments[2]))
            for s in grounding.get(*predicates.VIOLATES)
        }
        if violated != {x for x in all_violated if x[:2] in set(done)}:
            return f"{what}: other rules are broken by all rules than by those that were cut out"
        after = (facts - frozenset(judged.deleted)).union(judged.added)
        due = False
    else:
        after, due = evaluator.step(facts), True
    deleted, added = (_arguments(grounding, signature) for signature in (predicates.DEL, predicates.ADD))
    if after != (facts - deleted) | added:
        return f"{what}: another position follows by all rules than by those that were cut out"
    broken = {(symbols.text(s.arguments[0]), symbols.text(s.arguments[1])) for s in grounding.get(*predicates.BROKEN)}
    if not due and broken != {b for b in evaluator.broken_invariants(facts, waive=False) if b[0] != "vocabulary"}:
        return "other invariants are broken by all rules than by those that were cut out"
    return None


def _arguments(grounding: Grounding, signature: tuple[str, int]) -> frozenset[clingo.Symbol]:
    """The first arguments of all atoms of a predicate."""
    return frozenset(s.arguments[0] for s in grounding.get(*signature))
