"""Rules compiled to joins: another way to evaluate a program over a given position, far faster than grounding it.

A program's rules are stratified; each is translated to a Python function that joins hashed relations. What this reading
does not know is left to clingo, program by program: :class:`.program.Compiled` says so with `Unsupported`.

========== ===========================================================================
Module     What it holds
========== ===========================================================================
values     Own values for symbols: integers, texts and tuples, and their order.
syntax     A rule's text as a tree of terms and literals.
writer     The lines of Python of one rule's function while they are written.
rules      A rule as a function over relations.
relations  Relations with their indexes.
program    A program as such functions in order, and what follows from a position.
========== ===========================================================================
"""

from __future__ import annotations

from .program import Compiled, Derivation, compiled, derived
from .syntax import Unsupported

__all__ = ["Compiled", "Derivation", "Unsupported", "compiled", "derived"]
