"""Suggests another set-up or another way to write a query.

A set-up (seats, edition, ruling) in which something can occur that cannot occur in this one; a query in which no facts
stand in place of terms, such as ``thalers(red) = 0``.

>>> # thalers(red) = 0                      thalers(red,N), N = 0
>>> # thalers(red) != thalers(green)        thalers(red,N), thalers(green,M), N != M
>>> # max{thalers(R) : player(R)} > 5       max{N : thalers(R,N), player(R)} > 5
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, combinations, count
from typing import Final, TypeGuard

from ..engine.configuration import Configuration
from ..engine.ruleset import Ruleset, ruleset_of
from ..lang.algebra import atoms, is_ground, names
from ..lang.graph import cone
from ..lang.printer import show_term
from ..lang.terms import ANY, Fun, Name, Signature, Term, Var
from ..lang.unification import arguments, functor, label
from ..rules.predicates import ACTION, FLUENT, LEGAL, RULING, VIOLATES
from .columns import ANYTHING, AllColumns, Values, columns
from .formula import AFTER, BraceAggregate, Compared, Expression, Span
from .vocabulary import askable, forms

_SEAT: Final[Signature] = ("seat", 2)
_START: Final[Signature] = ("start", 2)


def elsewhere(ruleset: Ruleset, signature: Signature, word: str, can_be: Callable[[AllColumns], bool]) -> str:
    """A single setting under which something can hold; empty if there is none.

    Args:
        ruleset: The rules in force, under which it cannot be.
        signature: The predicate that it is said of.
        word: The name or number that it is about; empty if there is none.
        can_be: Whether it can be, by what can stand at which place.
    """
    book = ruleset.book
    if word in book.roles and word not in ruleset.seats:
        return f"{word} does not play here ({', '.join(ruleset.seats)} do): see --players and --seats"
    if word and not word.isdigit() and word not in _words_of(ruleset):
        return ""
    for setting, configuration in _other_settings(ruleset, _settings_behind(ruleset, signature)):
        if can_be(columns(ruleset_of(configuration))):
            return f"with {setting} it can be"
    return ""


def _words_of(ruleset: Ruleset) -> frozenset[str]:
    """All words of the rulebook, its rulings and its start tags."""

    def make() -> frozenset[str]:
        book = ruleset.book
        words = {*book.roles, *(name for rule in book.rules for name in names(rule.value))}
        for name, ruling in book.rulings.items():
            words |= {name, *ruling.values}
        for tag in book.manifest.get("tags", {}).values():
            words |= set(map(str, tag["values"])) if tag["values"] != "seats" else set()
        return frozenset(words)

    return ruleset.remember("words written", make)


def _settings_behind(ruleset: Ruleset, signature: Signature) -> frozenset[tuple[Signature, str]]:
    """The predicates given to a game on which another one depends, each with the name of a setting."""
    given = (_SEAT, RULING, _START)

    def make() -> frozenset[tuple[Signature, str]]:
        first = {LEGAL: ACTION, VIOLATES: ACTION, AFTER: ACTION}.get(signature, signature)
        start = FLUENT if first in ruleset.book.fluents and first not in ruleset.static else first
        rules = [
            r.value
            for r in ruleset.rules
            if all(h.signature != FLUENT or functor(h.args[0]) in (first, None) for h in r.heads)
        ]
        read = (a for rule in cone(rules, [start]) for a, _ in atoms(rule.body) if a.signature in given)
        settings = {(a.signature, show_term(a.args[0]) if is_ground(a.args[0]) else "") for a in read}
        return frozenset(settings | ({(start, "")} if start in given else set()))

    return ruleset.remember(("depends on", signature), make)


def _other_settings(ruleset: Ruleset, given: frozenset[tuple[Signature, str]]) -> Iterator[tuple[str, Configuration]]:
    """Each single setting that differs and that matters, as it is given on the command line."""
    book, now = ruleset.book, ruleset.configuration
    predicates = {signature for signature, _ in given}
    if _SEAT in predicates:
        for count in sorted(set(book.manifest["players"]) - {len(now.seats)}):
            seats = (*now.seats, *(r for r in book.roles if r not in now.seats))[:count]
            yield f"--players {count}", now.with_seats(book, seats)
    options = now.options(book)
    names = {name for signature, name in given if signature == RULING}
    for name, ruling in book.rulings.items():
        for value in ruling.values if name in names or names == {""} else ():
            if value != options[name]:
                yield f"--option {name}={value}", now.with_ruling(name, value)
    if _START in predicates:
        for other in now.starts(book):
            for tag, values in other.start:
                if (tag, values) not in now.start:
                    yield f"the start tag {tag.capitalize()} {' '.join(values)}", other


_LETTERS: Final = "NMKLIJXYZ"
_VARIABLE: Final = re.compile(r"[A-Z]\w*")
_PART: Final = re.compile(r'"(?:[^"\\]|\\.)*"|\w+|\S')
"""A name, a number, a text or a sign of a query; blanks may stand between them."""


class Rewriting:
    """A query's text, to be changed."""

    def __init__(self, source: str, ruleset: Ruleset) -> None:
        """The rewriting of a query with this text."""
        self._source, self._book = source, ruleset.book
        self._facts = sorted(askable(ruleset.book))
        self._columns = columns(ruleset)
        self._used = set(_VARIABLE.findall(source))
        self._edits: dict[tuple[Span, str], None] = {}
        self._done: set[tuple[Span, Term]] = set()
        self.first: tuple[Span, Term, Signature] | None = None

    def is_fact(self, term: Expression) -> TypeGuard[Term]:
        """Whether a term is written like a fact, or like one with an argument missing."""
        return isinstance(term, (Fun, Name)) and self._signature(term) is not None

    def _signature(self, term: Term) -> Signature | None:
        """The predicate that a term is meant to be: with more arguments, or as many."""
        given = len(term.args) if isinstance(term, Fun) else 0
        signatures = [s for s in self._facts if s[0] == label(term)]
        return min((s for s in signatures if s[1] >= given), key=lambda s: (s[1] == given, s[1]), default=None)

    def compare(self, compared: Compared, side: Term, span: Span, other: Values, partner: Expression) -> bool:
        """Notes that a side of a comparison, or a part of one, is a fact; whether that can be written otherwise."""
        if compared.sign == "=" and isinstance(partner, Var) and partner != ANY:
            fact = self._fact(side, other, partner.name)
            if fact is not None:
                self._note(side, compared.span, span, {compared.span: fact})
            return fact is not None
        return self._insert(side, span, other, compared.span[0])

    def count(self, aggregate: BraceAggregate, term: Term) -> bool:
        """Notes a fact that is counted or summed; whether it can be written otherwise."""
        at = self._source.index(":", aggregate.span[0]) + 1
        return self._insert(term, aggregate.span, Values(), at, " ")

    def argument(self, literal: Span, fact: Span, term: Term, other: Values) -> bool:
        """Notes that an argument is a fact; whether that can be written otherwise."""
        return self._insert(term, (fact[0] + 1, fact[1]), other, literal[0])

    def _insert(self, term: Term, within: Span, other: Values, before: int, blank: str = "") -> bool:
        """Replaces a term by a variable, and inserts a fact that binds it."""
        if (within, term) in self._done:
            return True
        written = r"\s*".join(map(re.escape, _PART.findall(show_term(term))))
        matches = re.compile(rf"(?<!\w){written}(?!\w)").finditer(self._source, *within)
        spans = [match.span() for match in matches]
        place = self._place(term, other)
        name = self._own(term) or (place is not None and self._fresh(term, place))
        fact = self._fact(term, other, name) if name else None
        if not name or fact is None or not spans:
            return False
        inserted = f"{blank}{fact},{'' if blank else ' '}"
        edits = {**dict.fromkeys(spans[:1] if blank else spans, name), (before, before): inserted}
        self._note(term, within, spans[0], edits)
        return True

    def _note(self, term: Term, within: Span, place: Span, edits: Mapping[Span, str]) -> None:
        """Notes what takes the place of parts of the text."""
        self._edits |= dict.fromkeys(edits.items())
        self._done.add((within, term))
        signature = self._signature(term)
        if self.first is None and signature is not None:
            self.first = place, term, signature

    def _fact(self, term: Term, other: Values, name: str) -> str | None:
        """The fact, with this variable where its value stands; None if it has no value."""
        place = self._place(term, other)
        if place is None:
            return show_term(term) if self._own(term) else None
        signature, places, value = place
        args = ["_"] * signature[1]
        for k, arg in zip(places, arguments(term), strict=True):
            args[k] = show_term(arg)
        args[value] = name
        return f"{signature[0]}({','.join(args)})"

    def _place(self, term: Term, other: Values) -> tuple[Signature, tuple[int, ...], int] | None:
        """What fact is meant, where its arguments stand in it, and where its value; None if no argument lacks."""
        signature = self._signature(term)
        terms = arguments(term)
        if signature is None or signature[1] == len(terms):
            return None
        values = self._columns.columns_of(signature) or (ANYTHING,) * signature[1]

        def is_fitting(chosen: tuple[int, ...]) -> bool:
            return all(values[k].admits(t) for k, t in zip(chosen, terms, strict=True))

        chosen = combinations(range(signature[1]), len(terms))
        places = next(filter(is_fitting, chosen), tuple(range(len(terms))))
        missing = [k for k in range(signature[1]) if k not in places]
        able = [k for k in missing if values[k].intersection(other)] or missing
        words = not other.anything and other.range is None
        return signature, places, able[0 if words else -1]

    def _own(self, term: Term) -> str:
        """The variable at the end of a fact that is whole, ``thalers(red,N) > 3``; empty if there is none."""
        signature = self._signature(term)
        if not isinstance(term, Fun) or signature is None or signature[1] != len(term.args):
            return ""
        last = show_term(term.args[-1])
        return last if _VARIABLE.fullmatch(last) else ""

    def _fresh(self, term: Term, place: tuple[Signature, tuple[int, ...], int]) -> str:
        """A variable that nothing in the query is called: ``N`` for a number, or as the rulebook calls it."""
        signature, _, value = place
        values = self._columns.columns_of(signature)
        called = _VARIABLE.findall(forms(self._book).get(signature, ""))[value : value + 1]
        own = called if values and values[value].range is None else []
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
