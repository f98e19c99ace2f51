"""The predicates that all rulebooks and their readers share, by name and arity.

``docs/write/rulebooks.md`` explains them.
"""

from __future__ import annotations

from typing import Final

from ..lang.terms import Signature
from .rule import PlacedRule

DECISION: Signature = ("decision", 2)
DUE: Signature = ("due", 1)
SUBMITTED: Signature = ("submitted", 2)
DOES: Signature = ("does", 2)
MADE: Signature = ("made", 2)
CANDIDATE: Signature = ("candidate", 2)
VIOLATES: Signature = ("violates", 3)
ADD: Signature = ("add", 1)
DEL: Signature = ("del", 1)
GAIN: Signature = ("gain", 3)
LOSE: Signature = ("lose", 3)
SHIFT: Signature = ("shift", 4)
CHANGE: Signature = ("change", 2)
EFFECTS: Final = (ADD, DEL, GAIN, LOSE, SHIFT)
COUNTS: Signature = ("counts", 3)
BOUND: Signature = ("bound", 2)
TOTAL: Signature = ("total", 2)
BROKEN: Signature = ("broken", 2)
RULING: Signature = ("ruling", 2)
NUMBER: Signature = ("number", 1)
FLUENT: Signature = ("fluent", 1)
ACTION: Signature = ("action", 2)
LEGAL: Signature = ("legal", 2)
TOO_MANY: Signature = ("too_many", 2)
OFFERED: Signature = ("offered", 2)
TERMINAL: Signature = ("terminal", 0)
GOAL: Signature = ("goal", 2)
WINNER: Signature = ("winner", 1)
CONCEALS: Signature = ("conceals", 2)
INSTEAD: Signature = ("instead", 2)
WEIGHT: Signature = ("weight", 2)
BOARD_FACT: Signature = ("board_fact", 1)
BOARD_BROKEN: Signature = ("board_broken", 2)
PICKABLE: Signature = ("pickable", 3)
"""``pickable(R,C,N)``: the role can choose N copies of the thing."""
WRONG: Signature = ("wrong", 2)
THEN: Signature = ("then", 1)
MORE: Signature = ("more", 2)

OUTPUTS: Final = frozenset({
    GAIN, LOSE, SHIFT, ADD, DEL, VIOLATES, BROKEN, LEGAL, TOO_MANY, OFFERED,
    TERMINAL, GOAL, WINNER, WEIGHT, CONCEALS, INSTEAD, PICKABLE, WRONG,
})  # fmt: skip
"""The predicates that callers read from evaluated programs.

They count as dynamic: each position derives them anew, even if they depend on no fluent. The facts of a static predicate, in
contrast, are only given to the rules that read them.
"""


NOT_OFFERED: Final[frozenset[Signature]] = frozenset({("declared", 2), ("guard", 3)})
"""The predicates that judge only actions that are not offered. Programs for offered ones lack all that follows from them, so no
rulebook reads any of it (`kaiser_logic.rules.contract.survey.JUDGING`)."""
SELECTING: Final[frozenset[Signature]] = frozenset({
    ("only_rule", 3), ("has_rule", 2), ("plausible", 3), ("several_plausible", 2), ("several_rules", 2),
})  # fmt: skip
"""The predicates of the judge that only select one of several reasons. They are no reasons themselves."""

CHANCE: Final = "chance"
"""The role that makes random decisions."""
PUBLIC: Final = "public"
"""Who sees only what everybody sees. It is no role, so that a record as ``public`` saw the game has one meaning."""


# -- the claims of every game ------------------------------------------------------------------------------------------
#
# They have names, as a rulebook's own invariants do; a rulebook must not use these names (`CLAIMS`).

GENERAL: Final = ("vocabulary", "count", "limit")
"""The invariants of every game: the engine's rules derive ``broken/2``. An open position meets them by its construction."""
EXCLUSIVE: Final = "exclusive"
"""The claim that one decision or step is pending, or one decision that several roles make simultaneously."""
RANGE: Final = "range"
"""The claim that no total leaves the range that the rulebook states."""
ENUMERATION: Final = "enumeration"
"""The claim that the move generator misses no legal action."""
ALWAYS: Final = (*GENERAL, EXCLUSIVE)
"""The claims that every game has, and that are asked for each transition."""
PARTED: Final = ("limit", "count")
"""The invariants of every game that have parts, which are decided one by one if they are hard."""
CLAIMS: Final = frozenset({*ALWAYS, RANGE, ENUMERATION, "seats"})
"""The names of all claims of every game; an invariant with such a name would be ignored."""


def is_enumeration(rule: PlacedRule) -> bool:
    """Whether the rule belongs to the move generator."""
    return any(h.signature == CANDIDATE for h in rule.heads) and not rule.is_of_engine
