"""Suggests how to write a query that has facts in place of terms, such as ``thalers(red) = 0``.

>>> # thalers(red) = 0                      thalers(red,N), N = 0
>>> # thalers(red) != thalers(green)        thalers(red,N), thalers(green,M), N != M
>>> # max{thalers(R) : player(R)} > 5       max{N : thalers(R,N), player(R)} > 5
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain, combinations, count
from typing import Final

from ..lang.printer import show_term
from ..lang.terms import Fun, Signature, Term, Var
from ..lang.unification import label
from .columns import ANYTHING, AllColumns, Values
from .formula import Aggregate, Compared, Span, Value, is_variable

_LETTERS: Final = "NMKLIJXYZ"
_VARIABLE: Final = re.compile(r"[A-Z]\w*")
_PART: Final = re.compile(r'"(?:[^"\\]|\\.)*"|\w+|\S')
"""A name, a number, a text or a sign of a query; blanks may stand between them."""


class Rewriting:
    """A query's text, to be changed."""

    def __init__(
        self, source: str, facts: Iterable[Signature], forms: dict[Signature, str], columns: AllColumns
    ) -> None:
        """The rewriting of a query.

        Args:
            source: Its text.
            facts: What can be asked for.
            forms: How its arguments are called, ``thalers(R,N)``.
            columns: What can stand at each place.
        """
        self._source = source
        self._facts = sorted(facts)
        self._forms = forms
        self._columns = columns
        self._used = set(_VARIABLE.findall(source))
        self._edits: dict[tuple[Span, str], None] = {}
        self._done: set[Span] = set()
        self.first: tuple[Span, Term, Signature] | None = None

    def is_fact(self, term: Term) -> bool:
        """Whether a term is written like a fact, or like one with an argument missing."""
        return not isinstance(term, Var) and self._signature(term) is not None

    def _signature(self, term: Term) -> Signature | None:
        """The predicate that a term is meant to be: with more arguments, or as many."""
        given = len(term.args) if isinstance(term, Fun) else 0
        named = [s for s in self._facts if s[0] == label(term)]
        return min((s for s in named if s[1] >= given), key=lambda s: (s[1] == given, s[1]), default=None)

    def compared(self, compared: Compared, value: Value, other: Values) -> bool:
        """Notes that a side of a comparison, or a part of one, is a fact; whether that can be written otherwise.

        Args:
            compared: The comparison.
            value: What is a fact.
            other: What it is compared with.
        """
        if value.span in self._done:
            return True
        sides = (compared.left, compared.right)
        alone = [is_variable(x) for x in sides if x is not value]
        if value in sides and compared.sign == "=" and alone[0] is not None:
            fact = self._fact(value.pattern, other, alone[0])
            if fact is not None:
                self._note(compared.span, fact, value)
            return fact is not None
        return self._put(value, other, compared.span[0], "")

    def counted(self, aggregate: Aggregate, value: Value) -> bool:
        """Notes a fact that is counted or summed; whether it can be written otherwise."""
        at = (
            self._source.index(":", aggregate.terms[-1].span[1])
            if isinstance(aggregate.terms[-1], Value)
            else -1
        )
        return at >= 0 and self._put(value, Values(), at + 1, " ")

    def argument(self, literal: Span, fact: Span, term: Term, other: Values) -> bool:
        """Notes that an argument is a fact; whether that can be written otherwise."""
        written = r"\s*".join(map(re.escape, _PART.findall(show_term(term))))
        match = re.compile(rf"(?<!\w){written}(?!\w)").search(self._source, fact[0] + 1, fact[1])
        return match is not None and self._put(Value(term, match.span()), other, literal[0], "")

    def _put(self, value: Value, other: Values, before: int, blank: str) -> bool:
        """Replaces a term by a variable, and inserts a fact that binds it."""
        if value.span in self._done:
            return True
        place = self._place(value.pattern, other)
        name = self._own(value.pattern) or (place is not None and self._fresh(value.pattern, place))
        fact = self._fact(value.pattern, other, name) if name else None
        if not name or fact is None:
            return False
        self._note(value.span, name, value)
        self._note((before, before), f"{blank}{fact},{'' if blank else ' '}", value)
        return True

    def _note(self, span: Span, text: str, value: Value) -> None:
        self._edits[span, text] = None
        self._done.add(value.span)
        signature = self._signature(value.pattern)
        if self.first is None and signature is not None:
            self.first = value.span, value.pattern, signature

    def _fact(self, term: Term, other: Values, name: str) -> str | None:
        """The fact, with this variable where its value stands; None where it has no value."""
        place = self._place(term, other)
        if place is None:
            return show_term(term) if self._own(term) else None
        signature, places, value = place
        args = ["_"] * signature[1]
        for k, arg in zip(places, term.args if isinstance(term, Fun) else (), strict=True):
            args[k] = show_term(arg)
        args[value] = name
        return f"{signature[0]}({','.join(args)})"

    def _place(self, term: Term, other: Values) -> tuple[Signature, tuple[int, ...], int] | None:
        """What fact is meant, where its arguments stand in it, and where its value; None where no argument lacks."""
        signature = self._signature(term)
        terms = term.args if isinstance(term, Fun) else ()
        if signature is None or signature[1] == len(terms):
            return None
        columns = self._columns.of(signature) or (ANYTHING,) * signature[1]
        fitting = (
            chosen
            for chosen in combinations(range(signature[1]), len(terms))
            if all(columns[k].admits(t) for k, t in zip(chosen, terms, strict=True))
        )
        places = next(fitting, tuple(range(len(terms))))
        missing = [k for k in range(signature[1]) if k not in places]
        alike = [k for k in missing if columns[k].met(other)] or missing
        words = not other.anything and other.range is None
        return signature, places, alike[0 if words else -1]

    def _own(self, term: Term) -> str:
        """The variable at the end of a fact that is whole, ``thalers(red,N) > 3``; empty where there is none."""
        signature = self._signature(term)
        if not isinstance(term, Fun) or signature is None or signature[1] != len(term.args):
            return ""
        last = show_term(term.args[-1])
        return last if _VARIABLE.fullmatch(last) else ""

    def _fresh(self, term: Term, place: tuple[Signature, tuple[int, ...], int]) -> str:
        """A variable that nothing in the query is called: ``N`` for a number, or as the rulebook calls it."""
        signature, _, value = place
        columns = self._columns.of(signature)
        called = _VARIABLE.findall(self._forms.get(signature, ""))[value : value + 1]
        own = called if columns and columns[value].range is None else []
        names = chain(own, _LETTERS, (f"N{k}" for k in count(1)))
        name = next(str(n) for n in names if n not in self._used)
        self._used.add(name)
        return name

    @property
    def text(self) -> str:
        """The corrected query."""
        text = self._source
        order = {edit: k for k, edit in enumerate(self._edits)}
        for (start, end), new in sorted(self._edits, key=lambda e: (e[0], order[e]), reverse=True):
            text = text[:start] + new + text[end:]
        return text.strip() if "%" in text else " ".join(text.split())
