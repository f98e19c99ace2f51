"""All rules at once, as they stand: the referee of the programs that are cut out of them.

Both readings cut their programs with the same slicer (:mod:`..transform.slicing`), so comparing them with each other says
nothing about what it left out. Here a position from a game is judged by all rules that are not static, uncut.
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import clingo
from ..engine import symbols
from ..engine.grounding import Grounding, Program
from ..engine.ruleset import Ruleset
from ..evaluation.evaluator import Evaluator
from ..rules import predicates
from ..rules.predicates import is_enumeration

_UNCALLED = frozenset({predicates.FLUENT, ("action", 2), predicates.BOARD_FACT, predicates.BOARD_BROKEN})
"""What depends on no position, or would be all that there can be."""


def program(ruleset: Ruleset) -> Program:
    """All rules that speak of a position, but for the enumeration of what comes into question."""

    def make() -> Program:
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
    """What the cut programs say of a position and what is done in it, and all rules together do not.

    Args:
        evaluator: What uses the programs that are cut out.
        facts: The position.
        done: Who does what there, legal or not; nothing where a step is due.

    Returns:
        Where they differ, or None.
    """
    ruleset = evaluator.ruleset
    actions = dict(done)
    found = Grounding(program(ruleset), (*facts, *ruleset.submissions(actions)))
    what = "; ".join(f"{role}: {action}" for role, action in done) or "what happens by itself"
    if actions:
        judged = evaluator.judge(facts, actions)
        violated = {(r, a, v) for r, a, v in judged.violations}
        all_violated = {
            (symbols.text(s.arguments[0]), s.arguments[1], symbols.text(s.arguments[2]))
            for s in found.get(*predicates.VIOLATES)
        }
        if violated != {x for x in all_violated if x[:2] in set(done)}:
            return f"{what}: other rules are broken by all rules than by those that were cut out"
        after = (facts - frozenset(judged.deleted)).union(judged.added)
        due = False
    else:
        after, due = evaluator.step(facts), True
    deleted, added = (_arguments(found, signature) for signature in (predicates.DEL, predicates.ADD))
    if after != (facts - deleted) | added:
        return f"{what}: another position follows by all rules than by those that were cut out"
    broken = {
        (symbols.text(s.arguments[0]), symbols.text(s.arguments[1])) for s in found.get(*predicates.BROKEN)
    }
    if not due and broken != {b for b in evaluator.broken(facts, waive=False) if b[0] != "vocabulary"}:
        return "other invariants are broken by all rules than by those that were cut out"
    return None


def _arguments(found: Grounding, signature: tuple[str, int]) -> frozenset[clingo.Symbol]:
    """The first arguments of all atoms of a predicate."""
    return frozenset(s.arguments[0] for s in found.get(*signature))
