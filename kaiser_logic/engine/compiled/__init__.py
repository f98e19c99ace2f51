"""Compiled rules: joins evaluate a program over a given position, much faster than grounding does.

The rules of a program are stratified. Each is brought into normal form (:mod:`...lang.normal`) and translated to a Python
function that joins hashed relations. If a program cannot be compiled, :class:`.program.Compiled` raises `NotCompiled`, and
clingo evaluates it.

Its modules:

    values      values for symbols: integers, texts and tuples, and their order
    program     a compiled program: its functions by strata, semi-naive evaluation, inlined predicates
    source      generates the Python function of a rule: the order of its literals, joins, aggregates
    code_cache  compiles rules that differ only in names once
    rules       the function of a rule over relations
    sizes       a quick look at numbers and sizes: whether an exact evaluation has to look closely
    relations   relations with their indexes; the facts of a position as relations
"""

from __future__ import annotations

from .program import Compiled, Derivation, compiled_program, derive, exactly
from .relations import change_facts, facts_of
from .rules import RuleTooLarge
from .values import LARGE, NotCompiled

__all__ = [
    "LARGE",
    "Compiled",
    "Derivation",
    "NotCompiled",
    "RuleTooLarge",
    "change_facts",
    "compiled_program",
    "derive",
    "exactly",
    "facts_of",
]
