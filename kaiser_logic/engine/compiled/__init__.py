"""Compiled rules: a program is evaluated over a given position by joins, much faster than by grounding.

The rules of a program are stratified. Each is brought into normal form (:mod:`...lang.normal`) and translated to a Python
function that joins hashed relations. A program that cannot be compiled is left to clingo: :class:`.program.Compiled` raises
`Unsupported`.

Its modules:

    values      our own values for symbols: integers, texts and tuples, and their order
    program     a program as such functions in order, and what it derives; predicates used in only one place are inlined
    source      a rule in normal form as the text of a Python function: the order of its literals, joins, aggregates
    code_cache  compiles rules that differ only in names once
    rules       a rule as a function over relations
    relations   relations with their indexes; a position as relations, made from the previous one
"""

from __future__ import annotations

from .program import Compiled, Derivation, compiled, derived
from .relations import changed, facts_of
from .values import Unsupported

__all__ = ["Compiled", "Derivation", "Unsupported", "changed", "compiled", "derived", "facts_of"]
