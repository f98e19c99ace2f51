"""Rules and terms of :mod:`kaiser_logic.lang` in the form in which most parts look at them: atoms with patterns and places."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..lang import reader
from ..lang import terms as lang
from ..lang.printer import Layout, show_term
from .pattern import Pattern, anonymous
from .rule import HEAD, INNER, NEGATIVE, POSITIVE, Occurrence, Rule, by_place

_SIGNS = (POSITIVE, NEGATIVE, INNER)


def rule_from(
    value: lang.Rule, file: str = "", line: int = 0, block: str | None = None, column: int = 0
) -> Rule:
    """A value as a rule, at its place in a file."""
    found = Layout()
    found.rule(value)
    patterns = Patterns()
    atoms = []
    for k, (atom, inner, start, end, spans) in enumerate(found.atoms):
        place = HEAD if k < found.heads else INNER if inner else _SIGNS[atom.sign]
        atoms.append(Occurrence(atom.name, patterns.all(atom.args), place, start, end, spans))
    cuts = tuple(found.cuts)
    return Rule(found.text, tuple(atoms), *by_place(atoms), cuts, file, line, block, column, value)


@lru_cache(maxsize=20_000)
def rule_of(text: str) -> Rule:
    """A rule that stands in no file, read from its text."""
    return rule_from(reader.read_rule(text))


def asking(condition: str) -> Rule:
    """A rule of which the body is the condition of a sentence.

    Raises:
        Refused: It cannot be read.
    """
    return rule_from(lang.Rule(lang.Atom("_told", ()), reader.read_body(condition)))


def read_term(text: str) -> Pattern:
    """The pattern of a term as text."""
    return Patterns().of(reader.read_term(text))


def term_of(pattern: Pattern) -> lang.Term:
    """The term of a pattern.

    >>> show_term(term_of(("f", "near", (("v", "X"), ("c", "-1")))))
    'near(X,-1)'

    Raises:
        Refused: A part of it is not looked into.
    """
    if pattern[0] == "f":
        return lang.Fun(pattern[1], tuple([term_of(part) for part in pattern[2]]))
    text = str(pattern[1])
    if pattern[0] == "c":
        return reader.read_term(text)
    if text[:2] == "_?":
        raise lang.Refused(lang.NOWHERE, "a calculation, a range, a tuple or a pool of different terms")
    return lang.ANY if anonymous(pattern) else lang.Var(text)


class Patterns:
    """The patterns of a rule's terms: what they do not say is a variable of its own, wherever it stands."""

    def __init__(self) -> None:
        """None so far."""
        self._fresh = 0

    def all(self, terms: tuple[lang.Term, ...]) -> tuple[Pattern, ...]:
        """The patterns of several terms."""
        return tuple([self.of(term) for term in terms])

    def of(self, term: lang.Term) -> Pattern:
        """The pattern of a term."""
        found: Any = term
        kind = type(term)
        if kind is lang.Var:
            return ("v", found.name) if found.name != "_" else self._variable("")
        if kind is lang.Name and found.text[0] != "#":
            return ("c", found.text)
        if kind is lang.Int:
            return ("c", str(found.value))
        if kind is lang.Fun and found.name:
            return ("f", found.name, self.all(found.args))
        if kind is lang.Text:
            return ("c", show_term(term))
        if kind is lang.Pool:
            shapes = {(t.name, len(t.args)) if isinstance(t, lang.Fun) else ("", 0) for t in found.terms}
            (name, arity), *others = shapes
            if name and not others:  # of a pool only that it has so many arguments
                return ("f", name, tuple([self._variable("?") for _ in range(arity)]))
        return self._variable("?")

    def _variable(self, mark: str) -> Pattern:
        """A variable that stands for what is not looked into (``?``), or for anything."""
        self._fresh += 1
        return ("v", f"_{mark}{self._fresh}")
