"""Features: patterns of facts that a position may show, of which candidates for invariants are put together.

A feature is one pattern, such as ``held(_,rival,_)``; one with a variable, ``held(X,rival,_)``, has a sort: a static
predicate of one place, such as ``player/1``, which holds whatever the variable may stand for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .. import clingo
from ..query.matching import matched
from ..rules.pattern import Pattern, show

KEY: Final[Pattern] = ("v", "X")
"""The variable of a feature that has one."""
NUMBER: Final[Pattern] = ("v", "N")
"""The variable of a counter of which the number is asked."""


@dataclass(frozen=True)
class Feature:
    """A pattern of facts: a position shows it where one of its facts matches.

    Attributes:
        pattern: The fact; ``_`` stands for anything, ``X`` for the variable.
        sort: What the variable ranges over, a static predicate; None where there is no variable.
        context: Whether it tells what is going on, such as a phase, a decision, a step.
    """

    pattern: Pattern
    sort: str | None = None
    context: bool = False

    @property
    def text(self) -> str:
        """The pattern as an atom of a rule."""
        return show(self.pattern)


def match(pattern: Pattern, value: clingo.Symbol) -> list[clingo.Symbol] | None:
    """What a pattern's variable stands for where a value matches it (nothing where it has none), or None.

    >>> held = ("f", "held", (KEY, ("c", "rival"), ("v", "_")))
    >>> match(held, clingo.parse_term("held(red,rival,1)")), match(held, clingo.parse_term("held(red,pope,1)"))
    ([Function('red', [], True)], None)
    """
    found = matched((pattern,), (value,), {})
    return None if found is None else list(found.values())
