"""Numbers without a limit: when an open position with small ones stands for all.

Let K be the largest value of such a counter in an open position (`Declared.top`), and T the largest number with which a
rule of the question compares its value, or which has its place in a term of a rule or of a static fact, where K > T + CHANGE.
In a position p some counters have values above K. Let q be p with K in their place. The rules read the value N of such a
counter only in comparisons of N with a number of at most T (`refuse_comparisons` holds them to that; the generated rules
compare N+D with 0, where D is at most CHANGE). What they add and delete of it by name also has a number of at most T, so it is
neither the fact of p nor that of q; a whole fact in a variable is refused. So they derive
the same of p and q, but for the value itself; no other atom has it, also none that a weaker rule chooses. The same action is
then legal with the same changes, and each counter becomes N+D in p' and K+D in q'. Both are above T, so all claims are
broken in p' exactly if they are in q'. And q' is compared with a vocabulary that reaches K + CHANGE, as p' is with all
numbers. If a counter may be negative, numbers below -K are treated in the same way, with -K in their place.

*Changes.* If T < CHANGE, a counter without a limit that is never negative and gains more than CHANGE gains just that in q'
(`endless`): both values are above T. Besides it only ``more`` has the change D itself, so all rules of the question must
compare that, too, with numbers below CHANGE.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from .. import clingo
from .declared import BROKEN, CHANGE, GENERATED, WRONG, Declared
from .text import (
    NotCovered,
    WrittenRule,
    by_head,
    cone,
    functor,
    functor_of,
    ground_exactly,
    is_plain,
    kind,
    nodes,
    signature,
    variables,
)

_OPEN_TERMS: Final = {("then", 1), ("add", 1), ("del", 1), ("init", 1)}
"""Predicates of whole facts: a variable in them could stand for a number without a limit."""


def least_top(declared: Declared, rules: Iterable[WrittenRule], changes: bool = False) -> int:
    """The least value up to which numbers without a limit have to run in an open position, for what some rules read.

    Args:
        declared: What the rulebook declares.
        rules: The rules.
        changes: Whether what ``more`` says of such numbers counts, too.

    Raises:
        NotCovered: A rule reads such a number otherwise than at a threshold.
    """
    own = [rule for rule in rules if rule.file != GENERATED] if declared.unlimited else ()
    found: list[int] = [n for rule in own for n in _thresholds(declared, rule, changes)]
    found += _fact_numbers(declared) if own else []
    return CHANGE + 1 + max(found, default=0)


def with_enough_numbers(declared: Declared) -> Declared:
    """The same with numbers without a limit up to where they stand for all, and up to those of the first position."""
    if not declared.unlimited:
        return declared
    first = [s.arguments[0] for s in declared.by.get(("init", 1), ())]
    tops = [
        declared.top,
        *(abs(f.arguments[-1].number) for f in first if functor_of(f) in declared.unlimited),
    ]
    for rule in declared.rules:
        try:
            tops.append(least_top(declared, [rule]))
        except NotCovered:
            continue  # no question may have this rule
    return Declared(declared.book, max(tops))


def refuse_comparisons(declared: Declared, rules: Iterable[WrittenRule]) -> None:
    """Refuses rules that read numbers without a limit otherwise than at thresholds below the largest value in an open position.

    Raises:
        NotCovered: They do not.
    """
    top = least_top(declared, rules)
    if declared.unlimited and declared.top < top:
        raise NotCovered(f"numbers without a limit would have to run to {top}")


def endless(declared: Declared, rules: Iterable[WrittenRule]) -> set[clingo.Symbol]:
    """The counters of which, for what some rules read, a change by `CHANGE` stands for all larger ones."""
    try:
        if least_top(declared, rules, changes=True) > 2 * CHANGE:
            return set()
    except NotCovered:
        return set()
    counters = declared.unlimited - declared.signed
    return {declared.thing(f) for f in declared.vocabulary if functor_of(f) in counters}


def refusals(declared: Declared) -> dict[str, str]:
    """The rulebook's claims whose rules read numbers without a limit otherwise than at thresholds, each with the reason."""
    found: dict[str, str] = {}
    heads = by_head(declared.rules)
    for rule in (*heads.get(BROKEN, ()), *heads.get(WRONG, ())):
        try:
            least_top(declared, [rule, *cone(rule.reads, heads)] if declared.unlimited else ())
        except NotCovered as error:
            found.setdefault(str(rule.args[0]), str(error))
    return found


@lru_cache(maxsize=10_000)
def _thresholds(declared: Declared, rule: WrittenRule, changes: bool = False) -> list[int]:
    """The numbers with which a rule compares numbers without a limit; and their changes."""
    problem = NotCovered(f"{rule.file}: a number without a limit is read otherwise than at a threshold: {rule.text}")
    values, found = _readings(declared, rule, problem, changes)
    found += _head_numbers(declared, rule, problem)
    if not values:
        return found
    compared = dict.fromkeys(values, 0)
    for literal in rule.body:
        if kind(literal) != "Literal" or kind(literal.atom) != "Comparison" or not variables(literal) & values:
            continue
        atom = literal.atom
        sides = [atom.term, *(guard.term for guard in atom.guards)]
        plain = [x for x in sides if kind(x) == "Variable" and x.name in values]
        others = [x for x in sides if not variables(x) & values]
        if len(plain) != 1 or len(others) != 1 or len(sides) != 2:
            raise problem
        found += _values(declared, rule, others[0], problem)
        compared[plain[0].name] += 1
    uses = [n.name for n in nodes([rule.body, rule.args]) if kind(n) == "Variable" and n.name in values]
    if any(uses.count(name) != compared[name] + 1 for name in values):
        raise problem
    return found


def _readings(declared: Declared, rule: WrittenRule, problem: NotCovered, changes: bool) -> tuple[set[str], list[int]]:
    """The variables that stand for numbers without a limit in a rule, each read once; the numbers that stand in their place."""
    values: set[str] = set()
    found: list[int] = []
    for literal in rule.body:
        plain = kind(literal) == "Literal" and kind(literal.atom) == "SymbolicAtom"
        for node in nodes(literal):
            whole = kind(node) == "SymbolicAtom" and signature(node) in _OPEN_TERMS
            if whole and functor(node.symbol.arguments[0]) is None:
                raise problem
            if kind(node) != "Function":
                continue
            of = functor(node)
            if changes and of == ("more", 2):  # a variable may be any counter
                of = functor(node.arguments[0])
                of = (of[0], of[1] + 1) if of else min(declared.unlimited)
            if of not in declared.unlimited:
                continue
            last = node.arguments[-1]
            if kind(last) == "SymbolicTerm" and last.symbol.type is clingo.SymbolType.Number:
                found.append(abs(last.symbol.number))
            elif kind(last) != "Variable" or (last.name != "_" and (not plain or last.name in values)):
                raise problem
            elif last.name != "_":
                values.add(last.name)
    return values, found


def _head_numbers(declared: Declared, rule: WrittenRule, problem: NotCovered) -> list[int]:
    """The numbers in the place of numbers without a limit in the head of a rule."""
    if rule.head in _OPEN_TERMS and functor(rule.args[0]) is None:
        raise problem
    found: list[int] = []
    for node in nodes(rule.args):
        if kind(node) == "Function" and functor(node) in declared.unlimited:
            found += _values(declared, rule, node.arguments[-1], problem)
    return found


@lru_cache(maxsize=2)
def _fact_numbers(declared: Declared) -> list[int]:
    """The numbers in the place of numbers without a limit in static facts. This is asked for each rule, so it is kept."""
    found: list[int] = []
    left = list(declared.facts)
    while left:
        symbol = left.pop()
        if symbol.type is clingo.SymbolType.Function:
            left += symbol.arguments
            if functor_of(symbol) in declared.unlimited and symbol.arguments[-1].type is clingo.SymbolType.Number:
                found.append(abs(symbol.arguments[-1].number))
    return found


def _values(declared: Declared, rule: WrittenRule, term: clingo.Tree, problem: NotCovered) -> list[int]:
    """The values that a term of a rule can have, by the static literals of the rule."""
    static = [x for x in rule.body if is_plain(x) and signature(x.atom) not in declared.dynamic]
    if not variables(term) <= variables(static):
        raise problem
    body = "; ".join(map(str, static))
    text = f"value__({term}) :- {body}." if body else f"value__({term})."
    ground = ground_exactly(text, declared.facts)
    found = [a.symbol.arguments[0] for a in ground.symbolic_atoms.by_signature("value__", 1)]
    if any(s.type is not clingo.SymbolType.Number for s in found):
        raise problem
    return [abs(s.number) for s in found]
