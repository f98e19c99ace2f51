"""Rules compiled to joins: a program is evaluated over a given position, far faster than by grounding it.

The rules of a program are stratified. Each is brought into normal form (:mod:`...lang.normal`) and translated to a Python
function that joins hashed relations. A program that cannot be compiled is left to clingo: :class:`.program.Compiled` raises
`Unsupported`.

Its modules:

    values     own values for symbols: integers, texts and tuples, and their order
    inplace    inlining of predicates that are read in one place
    once       aggregates without duplicate tuples
    ordering   the order of the literals of a body
    writer     the lines of Python of one rule's function while they are written
    joins      a rule in normal form, while its lines are written
    source     a rule as the text of such a function
    shapes     rules that differ only in names, compiled once
    rules      a rule as a function over relations
    relations  relations with their indexes
    given      a position as relations, made from the one before
    program    a program as such functions in order, and what it derives
"""

from __future__ import annotations

from .given import changed, facts_of
from .program import Compiled, Derivation, compiled, derived
from .values import Unsupported

__all__ = ["Compiled", "Derivation", "Unsupported", "changed", "compiled", "derived", "facts_of"]
