"""Why an action is legal or not, told to somebody who does not see everything.

The reasons are found in the position as far as it is seen, so they betray nothing of the rest. A reason that is another
one with all facts known, or that rests on the absence of something that would not be seen, is not told: then there is
only the rule.
"""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..evaluation.evaluator import Evaluator
from ..evaluation.explanation import explain, explained
from ..evaluation.verdict import Violation
from ..position import Position

Facts: TypeAlias = frozenset[clingo.Symbol]

CONCEALED: Final = "what decides it here is concealed"
"""What is said in place of a reason that is not told."""
_ANYTHING: Final = re.compile(r"(?<!\w)_(?!\w)")
"""What stands for anything in a fact that is missing."""


def whys(position: Position, role: str, action: clingo.Symbol, seen: Facts | None = None) -> list[Violation]:
    """Every rule that the action breaks, with the reasons as far as they are seen.

    Args:
        position: Where it is done.
        role: Who does it, and is told.
        action: What is done.
        seen: The facts that the role sees; None: all.
    """
    evaluator, facts = position.evaluator, position.symbols
    broken = [v for _, v in explained(evaluator, facts, {role: action}).get(role, ())]
    if seen is None or facts <= seen:
        return broken
    known = facts & seen
    judged = evaluator.judge(known, {role: action}).violations
    told = {v.rule: v for _, v in explain(position.ruleset, known, {role: action}, judged).get(role, ())}
    return [
        violation
        if told.get(violation.rule) == violation and _is_seen(evaluator, facts, role, violation)
        else Violation(violation.rule, CONCEALED, (), violation.sources, (), violation.statement)
        for violation in broken
    ]


def _is_seen(evaluator: Evaluator, facts: Facts, role: str, violation: Violation) -> bool:
    """Whether the role would see each of the facts that are missing, if it held."""
    missing = {symbols.read(_ANYTHING.sub("1", text)) for text in violation.absent}
    return all(fact in evaluator.view(facts | {fact}, role) for fact in missing)
