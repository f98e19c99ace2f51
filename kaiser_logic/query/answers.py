"""Answers: positions, the facts that make the query true, and rules by which the next answer differs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from .. import clingo
from ..engine import symbols
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..lang.terms import Name, Rule, Signature, Truth, Var
from ..rules.predicates import LEGAL, VIOLATES
from ..solving.build import atom, never, no, rule
from ..solving.models import put_sets, sets_in
from .check import Check
from .formula import AFTER
from .language import Query
from .meaning import Solution
from .open_query import CALLED, FREE, OpenQuery
from .world import Submission

MATTERS: Final[Signature] = ("matters__", 1)
"""The facts by which answers are distinguished."""
_MOST: Final = 5
"""The largest number of facts that are named as a difference between answers."""
SMALLEST: Final = "the smallest there is (proved)"
NOT_SMALLEST: Final = "not proved to be the smallest"
EFFORT: Final = 50_000
"""The budget for making a position small, in conflicts."""


@dataclass(frozen=True)
class FoundFacts:
    """Positions in which a query holds.

    Attributes:
        positions: The facts of valid positions, no two of which agree in the facts by which answers are distinguished.
        exhausted: Whether it is proved that there are no others.
        note: A remark, such as whether a smallest position was proved to be smallest.
        reason: Why it is not known whether there are more positions; empty if it is known, or if enough were found.
        because: For each position what makes the query true there, in a line.
        differs: For each position the difference from the first one, in these facts; empty for the first.
    """

    positions: tuple[tuple[str, ...], ...]
    exhausted: bool
    note: str = ""
    reason: str = ""
    because: tuple[str, ...] = ()
    differs: tuple[str, ...] = ()


def mattering(model: Iterable[clingo.Symbol]) -> frozenset[str]:
    """The part of a model that distinguishes answers."""
    return frozenset(symbols.text(s.arguments[0]) for s in model if symbols.signature(s) == MATTERS)


def difference(first: frozenset[str], here: frozenset[str]) -> str:
    """The differences of an answer from the first one; empty if there are none.

    >>> difference(frozenset({"heap(1)", "took(red)"}), frozenset({"heap(2)", "took(red)"}))
    'heap(2) instead of heap(1)'
    """
    more, less = (_some(sorted(facts)) for facts in (here - first, first - here))
    if more and less:
        return f"{more} instead of {less}"
    return (more and f"besides {more}") or (less and f"without {less}")


def _some(facts: Sequence[str]) -> str:
    rest = f" and {len(facts) - _MOST} more" if len(facts) > _MOST else ""
    return ", ".join(facts[:_MOST]) + rest


def other(model: Iterable[clingo.Symbol], k: int) -> list[Rule]:
    """Rules that exclude answers equal to this one, unless the query is switched off.

    >>> from ..lang.printer import show
    >>> for one in other([clingo.Function("matters__", [clingo.Function("heap", [clingo.Number(2)])])], 0):
    ...     print(show(one))
    seen__0(heap(2)).
    seen__0(none) :- #false.
    more__0 :- matters__(X); not seen__0(X).
    #false :- matters__(heap(2)); not more__0; not no_goal__.
    """
    found = sorted((s for s in model if symbols.signature(s) == MATTERS), key=symbols.text)
    facts = [symbols.term_of(s.arguments[0]) for s in found]
    seen, more, anything = f"seen__{k}", atom(f"more__{k}"), Var("X")
    return [
        *(rule(atom(seen, fact)) for fact in facts),
        rule(atom(seen, Name("none")), Truth(False)),
        rule(more, atom(MATTERS[0], anything), no(atom(seen, anything))),
        never(*(atom(MATTERS[0], fact) for fact in facts), no(more), no(FREE)),
    ]


def described(solution: Solution) -> str:
    """One line on why a query is true: the values of its variables, the facts, and its sums.

    >>> described(Solution({"N": clingo.Number(2)}, (("heap", (clingo.Number(2),)),)))
    'N = 2: heap(2)'
    """
    values = [f"{n} = {symbols.text(v)}" for n, v in sorted(solution.values.items()) if n[0] != "_"]
    facts = [str(clingo.Function(name, list(args))) for name, args in solution.facts]
    sums = [f"{' '.join(text.split())} is {symbols.text(v)}" for text, v in solution.sums if text]
    parts = "; ".join(filter(None, [", ".join(dict.fromkeys(facts)), ", ".join(dict.fromkeys(sums))]))
    return ": ".join(filter(None, [", ".join(values), parts]))


def chosen(question: OpenQuery, model: Sequence[clingo.Symbol]) -> list[Submission]:
    """The actions that a model chooses for the query, with their sets written out."""
    names = {(question.program.called(s), s[1]) for s in ((CALLED[VIOLATES], VIOLATES[1]), LEGAL)}
    sets = sets_in(question.encoder.theory, model)
    acts = [s.arguments[:2] for s in model if symbols.signature(s) in names]
    return [(role, put_sets(action, sets)) for role, action in acts]


def confirmed(
    evaluator: Evaluator, query: Query, facts: Iterable[str], submitted: Iterable[Submission] = ()
) -> str:
    """Why the query is true in a position that was found, by evaluation.

    Args:
        evaluator: The plain engine.
        query: The query.
        facts: The facts of the position.
        submitted: Actions that are judged besides those that can be enumerated.

    Raises:
        NotDecided: It is not true there, or the position is not valid: the two readings differ, and neither answer can
            be given.
    """
    position = frozenset(map(symbols.read, facts))
    broken = evaluator.broken(position)
    if broken:
        raise NotDecided(
            f"a position was found that breaks {broken[0][0]} ({broken[0][1]}): a fault of the tool"
        )
    if any(a.signature in (LEGAL, AFTER) for a in query.atoms if a not in query.stated):
        try:
            evaluator.legal(position)
        except NotDecided:
            return ""  # so many sets that it cannot be said that none of them is legal
    solution = Check(evaluator, query).solution(position, submitted)
    if solution is None:
        raise NotDecided(
            "a position was found that is not as asked when it is looked at: a fault of the tool"
        )
    return described(solution)
