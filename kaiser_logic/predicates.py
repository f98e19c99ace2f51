"""The predicates that every rulebook and the readings of it share, by name and arity, and what a question starts from.

What they mean: ``docs/rulebooks.md``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from .ir import Atom, Pattern, Signature
from .slicing import anything

Seeds: TypeAlias = dict[Signature, list[tuple[Pattern, ...]]]

DECISION: Signature = ("decision", 2)
NEXT: Signature = ("next", 1)
SUBMITTED: Signature = ("submitted", 2)
DOES: Signature = ("does", 2)
QUESTION: Signature = ("question", 2)
VIOLATES: Signature = ("violates", 3)
ADD: Signature = ("add", 1)
DEL: Signature = ("del", 1)
COUNTS: Signature = ("counts", 3)
TOTAL: Signature = ("total", 2)
BROKEN: Signature = ("broken", 2)
RULING: Signature = ("ruling", 2)


def broken(invariant: str) -> Atom:
    """That the invariant is broken, by whatever."""
    return Atom(BROKEN[0], (("c", invariant), ("v", "W")))


def seeds(
    decisions: Iterable[Pattern] | None = (),
    steps: Iterable[Pattern] | None = (),
    actions: Iterable[Pattern] = (),
) -> Seeds:
    """What a slice starts from: decisions and steps that may be pending (None: any), and actions submitted."""
    return {
        DECISION: [anything(2)] if decisions is None else [(("v", "R"), d) for d in decisions],
        NEXT: [anything(1)] if steps is None else [(s,) for s in steps],
        SUBMITTED: [(("v", "Role"), a) for a in actions],
    }


def anywhere() -> Seeds:
    """What a question about a position starts from: any decisions may be pending, nothing is due."""
    return seeds(decisions=None)
