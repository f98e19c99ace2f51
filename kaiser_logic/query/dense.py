"""Estimates how many combinations of values a rule has whose variables are only compared with one another.

``a(X), a(Y), a(Z), X+1 != Y, X+2 != Z, Y+3 != Z`` can neither be divided nor put in order: each combination is looked at.
It is an estimate: where the arguments of an atom depend on each other, fewer combinations may be possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from math import factorial, prod
from typing import Final, TypeAlias

from ..engine.configuration import configure
from ..engine.ruleset import Ruleset
from ..errors import FaultyRulebook, Finding
from ..lang import terms as lang
from ..lang.algebra import independent_groups, variables
from ..rules.contract.survey import Survey
from .columns import AllColumns, Values, columns
from .formula import Compared, FactPattern, Some, Without, aggregates, direct
from .language import Query, place_in
from .program import JOINED, Branch, QueryProgram, branches, order_alike

MOST: Final = 5_000_000
"""The largest number of combinations of values."""
_MOST_OF_RULE: Final = 50_000_000
"""The same of a rule of a rulebook, which is reported, not refused."""
_MOST_HERE: Final = 500_000_000
"""The same in one position, where nothing but the combinations is looked at."""
_UNLIMITED: Final = 10
"""An argument of which no values are listed counts as so many."""
_ORDERS: Final = frozenset({"<", "<=", ">", ">="})

Comparison: TypeAlias = tuple[frozenset[str], str]
"""The variables of a comparison, and its sign."""
Dense: TypeAlias = tuple[int, tuple[str, ...]]
"""A number of combinations, and the variables that have them."""


def combinations(sizes: Mapping[str, int], atoms: Iterable[Iterable[str]], compared: list[Comparison]) -> Dense:
    """The combinations of the variables that are compared with one another, where they are most.

    Variables of one atom, or of one equation, count as the one with most values.

    >>> combinations({"X": 9, "Y": 9, "Z": 9}, ["X", "Y", "Z"], [(frozenset("XY"), "!="), (frozenset("YZ"), "!=")])
    (729, ('X', 'Y', 'Z'))
    >>> combinations({"X": 9, "Y": 9, "Z": 9}, ["XY", "Z"], [(frozenset("XZ"), "<")])
    (40, ('X', 'Z'))

    Args:
        sizes: The number of values of each variable.
        atoms: The variables of each positive atom.
        compared: The comparisons.
    """
    few = {name for used, sign in compared if len(used) == 1 and sign != "!=" for name in used}
    linked = [*map(frozenset, atoms), *(used for used, sign in compared if sign == "=")]
    most: dict[str, str] = {}
    for group, _ in independent_groups(filter(None, linked), frozenset):
        known = sorted(group & sizes.keys() - few)
        if known and not group & few:
            most |= dict.fromkeys(group, max(known, key=sizes.__getitem__))
    pairs = [(frozenset(most[name] for name in used if name in most), sign) for used, sign in compared]
    found: list[Dense] = []
    for names, inner in independent_groups([pair for pair in pairs if pair[0]], lambda pair: pair[0]):
        number = prod(sizes[name] for name in names)
        for ordered, _ in independent_groups(
            [used for used, sign in inner if sign in _ORDERS and len(used) > 1], frozenset
        ):
            number //= factorial(len(ordered))
        found.append((number, tuple(sorted(names))))
    return max(found, default=(0, ()))


def _size(values: Values) -> int:
    """How many values there are; a small number if that is not known."""
    if values.anything:
        return 1
    parts = sum(max(map(_size, inner), default=1) for inner in values.structures.values())
    return len(values.words) + parts + (_UNLIMITED if values.numbers else 0)


def _sizes(known: AllColumns, atoms: Iterable[lang.Atom]) -> dict[str, int]:
    """The number of values of each variable of these atoms."""
    sizes: dict[str, int] = {}
    for atom in atoms:
        for values, term in zip(known.columns_of(atom.signature) or (), atom.args, strict=False):
            for name, here in values.variables_of(term):
                sizes[name] = min(sizes.get(name, _size(here)), _size(here))
    return sizes


def checks(survey: Survey) -> Iterator[Finding]:
    """The kind ``dense``: rules with too many combinations of the values of variables that no atom joins.

    >>> # pair(A) :- size(A), size(B), size(C), A+1 != B, B+2 != C, C+3 != A.     (with sizes from 1 to 1000)
    """
    book = survey.book
    asked = [rule for rule in book.rules if _can_be_dense(rule.value)]
    if not asked:
        return
    rest = replace(book, rules=tuple(rule for rule in book.rules if rule not in asked))
    known = columns(Ruleset(rest, configure(rest, rest.folder)[0]))
    for rule in asked:
        body = rule.value.body
        atoms = [x for x in body if isinstance(x, lang.Atom) and not x.sign]
        compared = [(frozenset(variables(x)), x.op) for x in body if isinstance(x, lang.Compare) and not x.sign]
        together = (frozenset(variables(*atoms)), "!=")  # a rule is not divided, so all its variables count
        try:
            sizes = _sizes(known, atoms)
        except FaultyRulebook:  # the other static rules have too many facts, which the next check reports
            return
        number, names = combinations(sizes, map(variables, atoms), [*compared, together])
        if number > _MOST_OF_RULE:
            message = f"no atom joins {', '.join(names)}: {_in_words(number, _MOST_OF_RULE)}"
            yield survey.at(rule, "dense", message)


def _can_be_dense(rule: lang.Rule) -> bool:
    """Whether a rule has atoms in more than two groups that share no variable."""
    atoms = [variables(x) for x in rule.body if isinstance(x, lang.Atom) and not x.sign and variables(x)]
    return len(independent_groups(atoms, lambda names: names)) > 2


def too_dense(ruleset: Ruleset, query: Query) -> str:
    """Why a query cannot be asked about all positions, with the place; empty if it compares few variables with one another."""
    known = columns(ruleset)
    return _reason(query, _rules_of(query.branches), partial(_sizes, known), MOST)


def too_dense_here(query: Query, count: Callable[[lang.Atom], int]) -> str:
    """Why the answers in one position cannot be listed; ``count``: the number of facts there that an atom can be."""

    def sizes(atoms: Iterable[lang.Atom]) -> dict[str, int]:
        least: dict[str, int] = {}
        for atom in atoms:
            for name in variables(atom):
                least[name] = min(least.get(name, count(atom)), count(atom))
        return least

    parts = [part for branch in query.branches for part in branch.components]
    nested = [inner for branch in query.branches for inner in _nested_branches(branch)]
    return _reason(query, [*parts, *nested], sizes, _MOST_HERE)


def _reason(
    query: Query,
    rules: Iterable[Branch],
    sizes: Callable[[Iterable[lang.Atom]], dict[str, int]],
    most: int,
) -> str:
    for branch in rules:
        facts = [p for p in branch.parts if isinstance(p, FactPattern) and p.atom.name[:1] != "_"]
        compared = [(frozenset(direct(p)), p.sign) for p in branch.parts if isinstance(p, Compared)]
        used = [variables(p.atom) for p in facts]
        number, names = combinations(sizes(p.atom for p in facts), used, compared)
        if number > most:
            start = min(p.span[0] for p in facts if names[0] in variables(p.atom))
            return f"{place_in(query.source, start)}{', '.join(names)} are compared with one another: {_in_words(number, most)}"
    return ""


def _in_words(number: int, most: int) -> str:
    return f"{number:,} combinations of their values, and at most {most:,} can be looked at"


def _rules_of(alternatives: Iterable[Branch]) -> Iterator[Branch]:
    """What is looked at in one rule: the alternatives as they are divided, and the formulas inside of them."""
    for branch in alternatives:
        for part in branch.components:
            yield QueryProgram((), "_").divide(order_alike(part), []) if len(part.binder) > JOINED else part
        yield from _nested_branches(branch)


def _nested_branches(branch: Branch) -> Iterator[Branch]:
    """The alternatives of the formulas inside of an alternative."""
    for part in branch.parts:
        nested = [part.formula] if isinstance(part, (Without, Some)) else []
        for formula in (*nested, *(one.formula for one in aggregates(part))):
            for inner in branches(formula, branch.bound):
                yield inner
                yield from _nested_branches(inner)
