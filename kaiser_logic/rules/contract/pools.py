"""Pools in terms: what is declared is looked for behind each alternative."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from clingo import ast

from ..pattern import Pattern
from ..reader import read_term


@lru_cache(maxsize=1_000)
def alternatives(text: str) -> tuple[Pattern, ...]:
    """What a term may be, each alternative of its pools for itself.

    >>> alternatives("due((pass_on;refill(1)))")
    (('f', 'next', (('c', 'pass_on'),)), ('f', 'next', (('f', 'refill', (('c', '1'),)),)))
    """
    found: list[Any] = []
    ast.parse_string(f"pooled({text}).", found.append)
    terms = (str(rule.head)[len("pooled(") : -1] for rule in found[-1].unpool())
    return tuple(map(read_term, terms))
