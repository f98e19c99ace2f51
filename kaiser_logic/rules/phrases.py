"""Phrases: the terms, facts and actions of a game in a natural language.

A game's folder may have ``english.toml`` with tables of templates by pattern. Names with a capital letter are variables::

    [terms]
    koeln = "Köln"
    "elector(E)" = "the elector's seat of {E}"
    "thalers(1)" = "1 thaler"
    "thalers(N)" = "{N} thalers"

    [facts]
    "thalers(R,N)" = "{R} has {N:thalers}"

    [events]
    "gain(thalers(R),N)" = "{R} receives {N:thalers}"

The first pattern that matches is used. ``{E}`` is the phrase for the term, ``{N:thalers}`` the phrase for the term
``thalers(N)``, ``{E,N:space}`` the phrase for ``space(E,N)``. A ``_`` in a pattern matches anything. A ``_`` in a fact stands for
anything, and only a ``_`` in the pattern matches it. A term that no pattern matches is printed as it is written.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from itertools import chain
from pathlib import Path

from ..errors import FaultyRulebook, Finding
from ..function_caches import cache_until_change
from ..lang.printer import show_term
from ..lang.terms import ANY, Fun, Refused, Term, Var
from ..lang.unification import constant_term
from .places import toml_error
from .reader import read_term

_FIELD = re.compile(r"\{([A-Z]\w*|(?:[A-Z]\w*,)+[A-Z]\w*(?=:))(?::(\w+))?\}")
_BRACES = re.compile(r"\{[^{}]*\}")
_VARIABLE = frozenset("_ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_TABLES = ("terms", "facts", "actions", "drawing", "events")


class Phrases:
    """The phrases of one game in one language."""

    def __init__(self, tables: Mapping[str, Mapping[str, str]]) -> None:
        """``tables`` has templates by pattern for terms, facts, actions, drawing and events. All of them may be missing."""
        self._tables = {name: [(pattern(k), v) for k, v in tables.get(name, {}).items()] for name in _TABLES}
        self._known: dict[tuple[tuple[str, ...], Term], str] = {}
        self._texts: dict[tuple[tuple[str, ...], str], str] = {}

    @property
    def facts(self) -> list[Term]:
        """The patterns of the facts that have phrases."""
        return [pattern for pattern, _ in self._tables["facts"]]

    def phrase(self, text: str) -> str:
        """The phrase for a term, such as a role, a place, a card or an effect."""
        return self._fill_phrase(text, ("terms",))

    def fact(self, text: str) -> str:
        """The phrase for a fact, in which ``_`` stands for anything."""
        return self._fill_phrase(text, ("facts",))

    def action(self, text: str) -> str:
        """The phrase for an action, without its role."""
        return self._fill_phrase(text, ("actions",))

    def short_phrase(self, text: str) -> str:
        """The phrase for a term in a drawing, where there is little room."""
        return self._fill_phrase(text, ("drawing", "facts", "terms"))

    def event(self, text: str) -> str | None:
        """The phrase for an event, such as ``gain(thalers(red),8)``; None if the table ``events`` has none."""
        term = pattern(text)
        known = any(_matches(wanted, term, {}) for wanted, _ in self._tables["events"])
        return self._say(term, ("events",)) if known else None

    def fill(self, template: str, values: Mapping[str, str]) -> str:
        """A template with its fields replaced by the phrases of the values; a field without a value stays."""
        return self._fill(template, {name: pattern(value) for name, value in values.items()}, ("terms",))

    def _fill_phrase(self, text: str, tables: tuple[str, ...]) -> str:
        phrase = self._texts.get((tables, text))
        if phrase is None:
            if len(self._texts) > 20_000:
                self._texts.clear()
            phrase = self._texts[tables, text] = self._say(pattern(text), tables)
        return phrase

    def _say(self, term: Term, tables: tuple[str, ...]) -> str:
        phrase = self._known.get((tables, term))
        if phrase is None:
            if len(self._known) > 20_000:
                self._known.clear()
            phrase = self._known[tables, term] = self._find(term, tables)
        return phrase

    def _find(self, term: Term, tables: tuple[str, ...]) -> str:
        inner = ("drawing", "terms") if "drawing" in tables else ("terms",)
        for pattern, template in chain.from_iterable(self._tables[table] for table in tables):
            binding: dict[str, Term] = {}
            if _matches(pattern, term, binding):
                return self._fill(template, binding, inner)
        return show_term(_anonymous(term))

    def _fill(self, template: str, values: Mapping[str, Term], tables: tuple[str, ...]) -> str:
        def replace(match: re.Match[str]) -> str:
            given = tuple(values[name] for name in match[1].split(",") if name in values)
            if len(given) < match[1].count(",") + 1:
                return match[0]
            return self._say(Fun(match[2], given) if match[2] else given[0], tables)

        return _FIELD.sub(replace, template)


def pattern(text: str) -> Term:
    """Reads a term or a pattern; a text that is no term becomes a constant."""
    try:
        term = read_term(text)
    except Refused:  # a text of the rulebook's documentation, or an id
        return constant_term(text)
    return constant_term(text) if isinstance(term, Var) and text[:1] not in _VARIABLE else term


def _anonymous(term: Term) -> Term:
    """The term with ``_`` for each variable, as a fact has it."""
    if isinstance(term, Var):
        return ANY
    return Fun(term.name, tuple(map(_anonymous, term.args))) if isinstance(term, Fun) else term


def fields(template: str) -> list[str]:
    """The variables in the fields of a template."""
    return [name for match in _FIELD.finditer(template) for name in match[1].split(",")]


def no_fields(template: str) -> list[str]:
    """The texts in braces that are no fields: they would be printed unchanged.

    >>> no_fields("{R} has {N+1} of {K:number}")
    ['{N+1}']
    """
    return [text for text in _BRACES.findall(template) if not _FIELD.fullmatch(text)]


def _matches(pattern: Term, term: Term, binding: dict[str, Term]) -> bool:
    """Whether the term is an instance of the pattern; extends the binding."""
    if isinstance(pattern, Var):
        if pattern.name.startswith("_"):
            return True
        return not isinstance(term, Var) and binding.setdefault(pattern.name, term) == term
    if isinstance(pattern, Fun):
        if not isinstance(term, Fun) or term.name != pattern.name or len(term.args) != len(pattern.args):
            return False
        return all(_matches(w, t, binding) for w, t in zip(pattern.args, term.args, strict=True))
    return pattern == term


@cache_until_change(16)
def phrases(folder: Path) -> Phrases:
    """Reads the phrases of a rulebook from its folder; there are none if the file is missing.

    Raises:
        FaultyRulebook: The file cannot be read, or a table has something other than texts.
    """
    file = folder / "english.toml"
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    except tomllib.TOMLDecodeError as error:
        raise FaultyRulebook([toml_error(file, error)]) from None
    except UnicodeDecodeError:
        raise FaultyRulebook([Finding(str(file), 1, 1, "syntax", "this is not UTF-8")]) from None
    for name, table in tables.items():
        if not isinstance(table, dict) or not all(isinstance(text, str) for text in table.values()):
            message = f"'{name}' must be a table of texts"
            raise FaultyRulebook([Finding(str(file), 1, 1, "phrase", message)])
    return Phrases(tables)
