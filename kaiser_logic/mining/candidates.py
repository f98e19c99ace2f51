"""Candidates for invariants: two features that exclude or imply one another, a number with a bound; as one rule each."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum

from .. import clingo
from ..rules.loader import parse_rules
from ..rules.pattern import Pattern
from ..rules.rule import Rule
from .features import Feature, match


class Template(Enum):
    """How a candidate is put together: what the body of its rule says, of features A and B."""

    NEVER = "never"  # A.
    ALWAYS = "always"  # not A.
    EXCLUDES = "excludes"  # A, B.
    IMPLIES = "implies"  # A, not B.
    EACH = "each"  # A, sort(X), not B(X).
    EXCLUDES_SAME = "excludes same"  # A(X), B(X).
    IMPLIES_SAME = "implies same"  # A(X), not B(X).
    AT_MOST = "at most"  # A, b(..,N), N > bound.
    AT_LEAST = "at least"  # A, b(..,N), N < bound.


_BOTH = {Template.EXCLUDES, Template.EXCLUDES_SAME, Template.AT_MOST, Template.AT_LEAST}
_LACKING = {Template.IMPLIES, Template.IMPLIES_SAME, Template.EACH}


@dataclass(frozen=True)
class Candidate:
    """What may hold in every position.

    Attributes:
        template: How it is put together.
        first: The feature A.
        second: The feature B, where there are two; for a bound the counter, with `NUMBER` for its number.
        bound: The number that a counter does not exceed, or does not fall below.
    """

    template: Template
    first: Feature
    second: Feature | None = None
    bound: int = 0

    @property
    def body(self) -> str:
        """What breaks it, as the body of a rule."""
        one, other = self.first.text, self.second.text if self.second is not None else ""
        match self.template:
            case Template.NEVER:
                return one
            case Template.ALWAYS:
                return f"not {one}"
            case Template.EXCLUDES | Template.EXCLUDES_SAME:
                return f"{one}, {other}"
            case Template.IMPLIES | Template.IMPLIES_SAME:
                return f"{one}, not {other}"
            case Template.EACH:
                return f"{one}, {self.sort}(X), not {other}"
            case Template.AT_MOST:
                return f"{one}, {other}, N > {self.bound}"
            case Template.AT_LEAST:
                return f"{one}, {other}, N < {self.bound}"

    @property
    def wanted(self) -> tuple[Pattern, ...]:
        """The facts that its body wants there; a counter's number is its variable."""
        if self.template is Template.ALWAYS:
            return ()
        both = self.template in _BOTH and self.second is not None
        return (self.first.pattern, self.second.pattern) if both and self.second else (self.first.pattern,)

    @property
    def unwanted(self) -> tuple[Pattern, ...]:
        """The facts that its body wants not to be there."""
        if self.template is Template.ALWAYS:
            return (self.first.pattern,)
        lacks = self.template in _LACKING and self.second is not None
        return (self.second.pattern,) if lacks and self.second else ()

    @property
    def sort(self) -> str | None:
        """The sort of its variable X, where it has one."""
        return self.second.sort if self.second is not None else None

    @property
    def weight(self) -> tuple[int, int, str]:
        """How much there is to read, the least first."""
        rank = list(Template).index(self.template)
        return len(self.body), rank, self.body

    def line(self, invariant: str) -> str:
        """Its rule, as the invariant of this name.

        >>> from kaiser_logic.rules.reader import read_term
        >>> over, empty = Feature(read_term("phase(over)")), Feature(read_term("heap(0)"))
        >>> Candidate(Template.IMPLIES, over, empty).line("played_out")
        'broken(played_out,x) :- phase(over), not heap(0).'
        """
        return f"broken({invariant},{'X' if self.sort else 'x'}) :- {self.body}."


def breaks(candidate: Candidate, facts: Collection[clingo.Symbol], values: Iterable[clingo.Symbol]) -> bool:
    """Whether facts break a candidate; ``values``: what its variable ranges over, if it has one.

    This is the meaning of the templates, said once more without logic programs: see :mod:`.agreement`.
    """
    one = _found(candidate.first, facts)
    other = _found(candidate.second, facts) if candidate.second is not None else None
    match candidate.template:
        case Template.NEVER:
            return one is not None
        case Template.ALWAYS:
            return one is None
        case Template.EXCLUDES:
            return one is not None and other is not None
        case Template.IMPLIES:
            return one is not None and other is None
        case Template.EACH:
            return one is not None and not set(values) <= (other or set())
        case Template.EXCLUDES_SAME:
            return bool((one or set()) & (other or set()))
        case Template.IMPLIES_SAME:
            return bool((one or set()) - (other or set()))
        case Template.AT_MOST:
            return one is not None and any(n.number > candidate.bound for n in other or ())
        case Template.AT_LEAST:
            return one is not None and any(n.number < candidate.bound for n in other or ())


def _found(feature: Feature, facts: Iterable[clingo.Symbol]) -> set[clingo.Symbol] | None:
    """What the variable of a feature stands for where it shows; None where it does not show."""
    matches = [m for m in (match(feature.pattern, f) for f in facts) if m is not None]
    return set().union(*matches) if matches else None


def rules_of(candidates: dict[str, Candidate]) -> list[Rule]:
    """The rules of candidates as invariants of these names, as clingo writes them."""
    return parse_rules("\n".join(c.line(name) for name, c in candidates.items()), "candidates")
