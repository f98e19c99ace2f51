"""The claim that all that is pending at once is part of one transition.

A proof looks at one transition at a time: at actions of one kind, or of all kinds at a decision that several roles make
at the same time, or at steps of one name. That covers a game in which never more than that is pending, which is a claim
like others, proved by the same induction: whoever starts from such a position comes to such a position. Where it is not
proved nothing else is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..rules.predicates import DECISION, DUE
from ..symbolic.transitions import functor, simultaneous

EXCLUSIVE: Final = "exclusive"
"""The claim's name."""


def alone(ruleset: Ruleset) -> set[str]:
    """The decisions that only one role may have at a time: there are several kinds of action, examined one by one."""
    kinds = Counter(functor(kind.decision) for kind in ruleset.book.kinds)
    return {name for name, count in kinds.items() if count > 1} - simultaneous(ruleset)


def uncovered(ruleset: Ruleset, facts: Iterable[clingo.Symbol]) -> str | None:
    """What is pending at once in a position and in no transition, or None."""
    facts = list(facts)
    decisions = Counter(s.arguments[1].name for s in facts if symbols.signature(s) == DECISION)
    steps = {s.arguments[0].name for s in facts if symbols.signature(s) == DUE}
    found = sorted({*decisions, *(f"step {s}" for s in steps)})
    if len(found) > 1:
        return " and ".join(found)
    return next((f"two decisions {d}" for d in sorted(alone(ruleset)) if decisions[d] > 1), None)
