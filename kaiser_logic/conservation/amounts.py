"""Sums and products of numbers that are not known: what they come to, and whether they can be negative."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from typing import TypeAlias

from .clauses import NotShown
from .terms import Term, show

Amount: TypeAlias = dict[tuple[str, ...], int]
"""How often each product of variables is in a sum; the empty product is 1."""


def amount(t: Term) -> Amount:
    """What a term comes to.

    Raises:
        NotShown: It is no sum of products.
    """
    if t[0] == "n":
        return {(): t[1]} if t[1] else {}
    if t[0] == "v":
        return {(t[1],): 1}
    if t[0] == "o":
        left, right = amount(t[2]), amount(t[3])
        if t[1] == "*":
            return times(left, right)
        return plus(left, right if t[1] == "+" else times({(): -1}, right))
    raise NotShown(f"it is not known how much {show(t)} is")


def plus(a: Amount, b: Amount) -> Amount:
    """The sum of two."""
    found = Counter(a)
    for k, n in b.items():
        found[k] += n
    return {k: n for k, n in found.items() if n}


def times(a: Amount, b: Amount) -> Amount:
    """The product of two."""
    found: Counter[tuple[str, ...]] = Counter()
    for k, n in a.items():
        for m, i in b.items():
            found[tuple(sorted(k + m))] += n * i
    return {k: n for k, n in found.items() if n}


def never_negative(t: Term, natural: Container[str]) -> bool:
    """Whether a number is 0 or more wherever these variables are."""
    if t[0] == "n":
        return bool(t[1] >= 0)
    if t[0] == "v":
        return t[1] in natural
    if t[0] == "o" and t[1] in "+*":
        return never_negative(t[2], natural) and never_negative(t[3], natural)
    return False
