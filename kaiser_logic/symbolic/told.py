"""The facts that programs are told, numbered: most of them are told of many programs, and looked at once."""

from __future__ import annotations

from collections.abc import Sequence

import clingo
from clingo import ast

from .shapes import read_by
from .values import Term, term_of


class Facts:
    """The facts of several programs.

    Attributes:
        symbols: The facts by number, and
        terms: as Python compares them.
        with_roles: The numbers of those in which a role is.
    """

    def __init__(self, roles: Sequence[str]) -> None:
        """None yet."""
        self.symbols: list[clingo.Symbol] = []
        self.terms: list[Term] = []
        self.with_roles: set[int] = set()
        self._roles = roles
        self._numbers: dict[Term, int] = {}
        self._objects: dict[int, tuple[clingo.Symbol, int]] = {}
        self._read: dict[tuple[int, int], tuple[ast.AST, bool]] = {}

    def number(self, fact: clingo.Symbol) -> int:
        """The number of a fact, by the object that it is."""
        known = self._objects.get(id(fact))
        if known is None:
            term = term_of(fact)
            number = self._numbers.setdefault(term, len(self.terms))
            if number == len(self.terms):
                self.terms.append(term)
                self.symbols.append(fact)
                if _mentions(term, self._roles):
                    self.with_roles.add(number)
            known = self._objects[id(fact)] = fact, number  # kept, so that no other object is there
        return known[1]

    def known(self, term: Term) -> int | None:
        """The number of a fact, or None."""
        return self._numbers.get(term)

    def read(self, pattern: ast.AST, number: int) -> bool:
        """Whether an atom of a line may stand for a fact."""
        found = self._read.get((id(pattern), number))
        if found is None:
            found = self._read[id(pattern), number] = pattern, read_by(pattern, self.symbols[number])
        return found[1]


def _mentions(term: Term, roles: Sequence[str]) -> bool:
    """Whether a role is in a term."""
    return any(_mentions(part, roles) for part in term[1:]) if isinstance(term, tuple) else term in roles
