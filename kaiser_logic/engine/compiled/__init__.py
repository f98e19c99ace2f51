"""Rules compiled to joins: another way to evaluate a program over a given position, far faster than grounding it.

A program's rules are stratified; each is brought into normal form (:mod:`...lang.normal`) and translated to a Python
function that joins hashed relations. What this reading does not know is left to clingo, program by program:
:class:`.program.Compiled` says so with `Unsupported`.

Its modules:

    values     own values for symbols: integers, texts and tuples, and their order
    inplace    predicates that are looked up in one place only, joined there
    once       aggregates of which no tuple comes twice
    ordering   the order in which a body's literals are looked at
    writer     the lines of Python of one rule's function while they are written
    joins      a rule in normal form, while its lines are written
    source     a rule as the text of such a function
    shapes     rules that differ in nothing but names: compiled once
    rules      a rule as a function over relations
    relations  relations with their indexes
    given      a position as relations, from the one before it
    program    a program as such functions in order, and what follows from a position
"""

from __future__ import annotations

from .given import changed, facts_of
from .program import Compiled, Derivation, compiled, derived
from .values import Unsupported

__all__ = ["Compiled", "Derivation", "Unsupported", "changed", "compiled", "derived", "facts_of"]
