"""A quick look at the numbers of rules, and at how many facts they may give: whether an exact evaluation has to look closely.

>>> from kaiser_logic.rules.loader import parse_rules
>>> [is_large(parse_rules(text)) for text in ("p(N+1) :- q(N).", "p(N*N*N) :- q(N).", "p(N+N) :- p(N), q.", "p(123456).")]
[False, True, True, True]
>>> may_be_many(parse_rules("q(1..2000). p(X,Y) :- q(X), q(Y)."))
True
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import prod
from typing import Final

from ...function_caches import cache_until_change
from ...lang.algebra import variables
from ...lang.printed import Printed
from ...lang.terms import Atom, Compare, Int, Pool, Range, Signature, Term, Var
from ...rules.rule import PlacedRule
from .values import MANY

_LARGE_NUMBER: Final = re.compile(r"(?<![\w.])[1-9]\d{5,}")
_FACTOR: Final = re.compile(r"(?<![\w.])[1-9]\d{2,}")
_ROUNDS: Final = 4


def is_large(rules: Iterable[PlacedRule]) -> bool:
    """Whether rules have large numbers, or calculations that can grow quickly."""
    return any(_grows(rule.printed) for rule in rules)


@cache_until_change(5_000)
def _grows(rule: Printed) -> bool:
    text = rule.text
    if _LARGE_NUMBER.search(text) or text.count("*") > 1:
        return True
    if "*" in text and (".." in text or _FACTOR.search(text)):
        return True
    head = rule.value.head
    if not isinstance(head, Atom) or not any(sign in text for sign in "+-*"):
        return False
    return any(isinstance(x, Atom) and x.signature == head.signature for x in rule.value.body)


def may_be_many(rules: Iterable[PlacedRule], known: Mapping[Signature, int] = {}) -> bool:
    """Whether a rule may give more than `MANY` facts, by a rough estimate from the facts on which it rests.

    Args:
        rules: The rules.
        known: The numbers of facts of predicates that are given.
    """
    sizes: Mapping[Signature, int] = known
    rules = [rule for rule in rules if rule.heads]
    for _ in range(_ROUNDS):
        new: dict[Signature, int] = defaultdict(int, known)
        for rule in rules:
            bound = _bounds(rule, sizes)
            for head in rule.heads:
                args = (rule.argument(head, k) for k in range(len(head.args)))
                new[head.signature] += prod(_values(arg, bound) for arg in args)
        sizes = new
        if any(size > MANY for size in sizes.values()):
            return True
    return False


def _bounds(rule: PlacedRule, sizes: Mapping[Signature, int]) -> dict[str, int]:
    """The largest number of values of each variable of a rule, as far as it is known."""
    bounds: dict[str, int] = {}
    for atom in rule.positive:
        for name in variables(*atom.args):
            size = sizes.get(atom.signature, 1)
            bounds[name] = min(bounds.get(name, size), size)
    for literal in rule.value.body:
        if isinstance(literal, Compare) and literal.op == "=" and isinstance(literal.left, Var):
            bounds.setdefault(literal.left.name, _values(literal.right, {}))
    return bounds


def _values(term: Term, bounds: Mapping[str, int]) -> int:
    """The number of values of a term, as far as it is known."""
    if isinstance(term, Range):
        known = isinstance(term.low, Int) and isinstance(term.high, Int)
        return max(1, term.high.value - term.low.value + 1) if known else 1  # type: ignore[union-attr]
    if isinstance(term, Pool):
        return sum(_values(part, bounds) for part in term.terms)
    return prod(bounds.get(name, 1) for name in variables(term))
