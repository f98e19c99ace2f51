"""Parses queries, and refuses literals that never hold, or always hold, because of their arguments.

``elector(cologne,red,_,_)`` is a fact that can never hold, and ``thalers(red) = 0`` compares a term with a number. The position
does not matter for either, so there is no answer. Instead a message says what is wrong, and how to write it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from math import isfinite
from typing import Any, Final

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..errors import WrongUsage
from ..lang.algebra import is_ground
from ..lang.printer import show_term
from ..lang.terms import Atom, Fun, Int, Op, Term, Text, Var
from ..lang.unification import CONSTANTS, arguments, label
from ..rules.names import did_you_mean, known_names, plain
from ..rules.predicates import RULING, VIOLATES
from ..solving.build import fun
from .columns import ANY_NUMBER, ANYTHING, AllColumns, Interval, Values, columns, is_between, value_of
from .formula import (
    ACTED,
    AFTER,
    BraceAggregate,
    Compared,
    Expression,
    FactPattern,
    Formula,
    Part,
    Some,
    Span,
    Without,
    inner,
    names,
    nodes,
)
from .language import Query, parse_formula, parse_query, place_in, query_of
from .program import alternatives_of, is_extreme
from .suggestions import Rewriting, elsewhere
from .vocabulary import askable, form

_LISTED: Final = 12
"""The largest number of values in a message."""
_NEAR: Final = 0.8
"""The least similarity of a variable's name and a value for a hint that the value may be meant."""
_LONG: Final = 4
"""The least length of a variable's name that is compared with values."""
_SHOWN: Final = 4
"""The largest number of forms of an action in a message."""
_SETTINGS: Final = {RULING, ("players", 1), ("start", 2), ("seat", 2)}
"""The predicates of a game's settings. As conditions of an alternative, ``(ruling(...), ... ; ...)``, they may fail."""
_UNKNOWN: Final = Text("action.unknown")
_Known = Mapping[str, Values]
"""The possible values of the variables that facts bind."""


def read_query(source: str, ruleset: Ruleset) -> Query:
    """Parses a query about positions under these rules.

    Raises:
        UnreadableInput: The text is not a query; with line and column.
        WrongUsage: It names something unknown, or one of its literals never or always holds because of its arguments; with
            a correction.
    """
    formula = parse_formula(source, ruleset.book)
    finder = _MistakeFinder(source, ruleset)
    finder.formula(formula, {}, True)
    finder.refuse()
    return query_of(source, formula)


class _MistakeFinder:
    """Finds literals of a query that are mistakes, because they never hold or always hold."""

    def __init__(self, source: str, ruleset: Ruleset) -> None:
        self._source = source
        self._ruleset = ruleset
        self._book = ruleset.book
        self._columns = columns(ruleset)
        self._rewriting = Rewriting(source, ruleset)
        self._wrong: dict[str, None] = {}
        self._seen: set[tuple[Atom, Span, bool]] = set()

    def refuse(self) -> None:
        """Raises an error for the first mistake that was found."""
        if self._rewriting.first is not None:
            span, term, signature = self._rewriting.first
            whole = len(arguments(term)) == signature[1]
            what = f"lacks an argument of {form(self._book, signature)}"
            new = self._rewriting.text
            try:
                parse_query(new, self._book)
            except WrongUsage:
                new = ""
            what = "is a fact, which holds or does not" if whole else what
            how = f": write {new}" if new else ""
            raise WrongUsage(f"{self._place(span)}{show_term(term)} stands for no value, as it {what}{how}")
        for message in self._wrong:
            raise WrongUsage(message)

    def _place(self, span: Span, text: str = "") -> str:
        """The place of a term, or with ``text`` of a part of it, in words."""
        start = span[0]
        if text:
            match = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)").search(self._source, *span)
            start = match.start() if match else start
        return place_in(self._source, start)

    def _error(self, span: Span, message: str, text: str = "") -> None:
        self._wrong.setdefault(f"{self._place(span, text)}{message}")

    # -- formulas ------------------------------------------------------------------------------------------------------

    def formula(self, formula: Formula, outer: _Known, top: bool) -> None:
        """Checks a formula.

        Args:
            formula: The formula.
            outer: The possible values of the variables that are bound around it.
            top: Whether the query never holds if the formula does not.
        """
        alternatives = alternatives_of(formula)
        for parts in alternatives:
            known = self._bound(parts, outer)
            for part in parts:
                self._part(part, known, top and len(alternatives) == 1)

    def _part(self, part: Part, known: _Known, top: bool) -> None:
        match part:
            case FactPattern(atom):
                self._fact(atom, part.span, part.span, top)
            case Without(FactPattern(atom) as fact):
                self._fact(atom, fact.span, part.span, False)
                self._bound([fact], known)
            case Without(inside) | Some(inside):
                self.formula(inside, known, False)
            case Compared():
                self._check_comparison(part, known)

    def _bound(self, parts: Sequence[Part], outer: _Known) -> _Known:
        """The values of the variables that these facts bind."""
        known, places = dict(outer), dict[str, str]()
        for fact in (p for p in parts if isinstance(p, FactPattern)):
            for atom in self._atoms(fact.atom):
                columns = self._columns.columns_of(atom.signature) or ()
                for k, (values, term) in enumerate(zip(columns, atom.args, strict=False)):
                    for name, here in values.variables_of(term):
                        self._capital(name, here, fact.span)
                        before = known.get(name, ANYTHING)
                        known[name] = before.intersection(here)
                        where = f"as argument {k + 1} of {form(self._book, atom.signature)} it is {_list_values(here)}"
                        if name != "_" and before and here and not known[name]:
                            first = places.get(name, f"elsewhere it is {_list_values(before)}")
                            self._error(fact.span, f"{name} cannot be both: {first}, and {where}", name)
                        if name != "_":
                            places.setdefault(name, where)
        return {n: v for n, v in known.items() if n != "_"}

    @staticmethod
    def _atoms(atom: Atom) -> list[Atom]:
        """The atom, and for ``after`` the atom of the position after the move."""
        return [atom, inner(atom)] if atom.signature == AFTER else [atom]

    # -- facts ---------------------------------------------------------------------------------------------------------

    def _fact(self, atom: Atom, span: Span, literal: Span, top: bool) -> None:
        """Checks an atom."""
        if (atom, span, top) in self._seen:
            return
        self._seen.add((atom, span, top))
        for one in self._atoms(atom):
            self._arguments(one, span, literal, top)

    def _arguments(self, atom: Atom, span: Span, literal: Span, top: bool) -> None:
        columns = self._columns.columns_of(atom.signature)
        written = form(self._book, atom.signature)
        setting = atom.signature in _SETTINGS and not top
        if columns is None:
            there = elsewhere(self._ruleset, atom.signature, "", lambda c: c.columns_of(atom.signature) is not None)
            self._error(span, f"there is never {written} in this game as it is set up{_also(there)}")
            return
        wrong = False
        if atom.signature == VIOLATES and atom.args[2] == _UNKNOWN and is_ground(atom.args[1]):
            columns = (columns[0], ANYTHING, columns[2])  # an action that is none breaks this rule
        for k, (values, term) in enumerate(zip(columns, atom.args, strict=True)):
            if values.admits(term):
                continue
            wrong = True
            if self._rewriting.is_fact(term) and self._rewriting.argument(literal, span, term, values):
                continue
            explain = partial(elsewhere, self._ruleset, atom.signature, can_be=partial(_is_admitted, atom, k))
            if setting and explain(show_term(term)):
                continue
            self._value(values, term, span, f"argument {k + 1} of {written}", explain)
        if not (wrong or setting or atom.signature in ACTED) and self._columns.declares(atom.signature):
            self._report_combination(atom, span)

    def _value(self, values: Values, term: Term, span: Span, where: str, there: Callable[[str], str]) -> None:
        """Reports that a term cannot be at a place; ``there`` returns the settings under which a word can be there."""
        parts = values.structures.get((str(term.name), len(term.args))) if isinstance(term, Fun) else None
        if parts is not None:
            for k, (part, here) in enumerate(zip(parts, arguments(term), strict=True)):
                if not part.admits(here):
                    self._value(part, here, span, f"argument {k + 1} of {label(term)}(...) as {where}", there)
            return
        word = label(term).strip('"')
        same = sorted(n for name, n in values.structures if name == word)
        if same and isinstance(term, Fun):
            arities = " or ".join(map(str, same))
            has = f"{word} as {where} has {arities} argument{'' if arities == '1' else 's'}"
            self._error(span, f"{has}, not {len(term.args)}{self._forms_of(word)}", word)
            return
        if isinstance(term, CONSTANTS) and clingo.String(word) in values.words:
            self._error(span, f"{word} is a text as {where}, and no name: write a variable", word)
            return
        hint = self._nearest_value(term, values)
        shown = word if isinstance(term, CONSTANTS) else show_term(term)
        listed = f"It is {_list_values(values)}{_also(there(word))}"
        self._error(span, f"{shown} is never {where}{hint} {listed}", word)

    def _nearest_value(self, term: Term, values: Values) -> str:
        """The nearest possible value of a term, and the end of the sentence."""
        word = label(term).strip('"')
        if not word.lstrip("-").isdigit():
            return did_you_mean(self._book.folder, word, values.names) or "."
        ends = (int(n) for n in values.numbers or () if isfinite(n))
        nearest = min((*values.integers, *ends), key=lambda n: (abs(n - int(word)), n), default=None)
        return "." if nearest is None else f", but {nearest} can be."

    def _forms_of(self, name: str) -> str:
        """The forms of actions and decisions of a name."""
        terms = (t for k in self._book.kinds for t in (k.action, k.decision))
        shown = dict.fromkeys(show_term(t) for t in terms if isinstance(t, Fun) and t.name == name)
        forms = [form for form in shown if "_" not in form][:_SHOWN]
        return f": {' or '.join(forms)}" if forms else ""

    def _report_combination(self, atom: Atom, span: Span) -> None:
        """Reports that no fact has this combination of arguments."""
        term = fun(atom.name, atom.args)
        stated = [k for k, a in enumerate(atom.args) if not isinstance(a, Var)]
        if len(stated) < 2 or self._columns.like(term):
            return
        for k in reversed(stated):
            open = tuple(Var("_") if i == k else a for i, a in enumerate(atom.args))
            values = self._columns.like(Fun(atom.name, open), k)
            if values:
                there = partial(elsewhere, self._ruleset, atom.signature, can_be=lambda c: bool(c.like(term)))
                where = f"argument {k + 1} of {show_term(Fun(atom.name, open))}"
                self._value(values, atom.args[k], span, where, there)
                return

    def _capital(self, name: str, values: Values, span: Span) -> None:
        """Reports that a variable is written like a value: ``elector(Koeln,red,_,_)``."""
        word = plain(name)
        if len(name) < 2 or values.anything or not name[:1].isupper():
            return
        known = values.names
        spellings = [n for n in (word, *known_names(self._book.folder).get(word, ())) if n in known]
        if not spellings and len(name) >= _LONG and self._source.count(name) == 1:
            spellings = get_close_matches(word, [n for n in known if n[:1] == word[:1]], 1, _NEAR)
        if spellings:
            capital = f"{name} is a variable, as it begins with a capital letter"
            self._error(span, f"{capital}; the name is written {spellings[0]}", name)

    # -- comparisons ---------------------------------------------------------------------------------------------------

    def _check_comparison(self, compared: Compared, known: _Known) -> None:
        """Checks a comparison."""
        sides = list(zip((compared.left, compared.right), compared.spans, strict=True))
        for side, span in sides:
            if self._lacks_braces(span):
                return
            self._check_inside(side, span, known)
        left, right = (self._values(side, known) for side, _ in sides)
        pairs = ((*sides[0], left, *sides[1], right), (*sides[1], right, *sides[0], left))
        if any([self._report_fact(compared, *pair[:2], pair[5], pair[3]) for pair in pairs]):
            return
        if not names(compared) and not any(isinstance(one, BraceAggregate) for one in nodes(compared)):
            text = self._text(compared.span)
            self._error(compared.span, f"{text} compares nothing of a position: no variable is in it")
            return
        for side, _, values, _, _, others in pairs:
            if isinstance(side, Var) and side.name not in known and values.anything:
                self._capital(side.name, others, compared.span)
        ordered = compared.sign not in ("=", "!=")
        for side, span, values, other, _, _ in pairs:
            if not isinstance(other, (Fun, *CONSTANTS)) or not values or values.admits(other):
                continue
            number = other.value if ordered and isinstance(other, Int) else None
            if number is not None and _differs_if_empty(side, values.range, number):
                return
            if number is None or not is_between(number, values.range):
                self._report_beyond(compared, span, values, other, number)
                return
        if left.anything or right.anything or left.intersection(right) or not left or not right:
            return
        if not ordered or not (
            (left.range is None) == (right.range is None) or any(is_extreme(side) for side, _ in sides)
        ):
            one, two = (f"{self._text(span)} is {_list_values(v)}" for _, span, v, *_ in pairs)
            self._error(compared.span, f"{one}, but {two}: they are never the same")

    def _report_beyond(self, compared: Compared, span: Span, values: Values, other: Term, number: int | None) -> None:
        """Reports that a side never has the value of the other one, or is always above or below the number there."""
        if number is not None and values.range and (number < values.range[0] or not values.names):
            is_larger = (compared.sign[0] == ">") == (other is compared.right)  # than the number
            how = "always" if is_larger == (number < values.range[0]) else "never"
            text = f"{self._text(compared.span)} {how} holds: {self._text(span)}"
            self._error(compared.span, f"{text} is {_list_values(values)}", str(number))
        else:
            self._value(values, other, compared.span, f"the value of {self._text(span)}", lambda _: "")

    def _lacks_braces(self, side: Span) -> bool:
        """Reports how to write a number of things that has no braces, as in ``count(heap(N)) = 1``."""
        match = re.fullmatch(r"(count|sum|min|max)\((.*)\)", self._text(side), re.S)
        if match is None:
            return False
        fact = match[2]
        name = re.search(r"\b[A-Z]\w*", fact)
        if name is None:
            fact = re.sub(r"\b_\b", "X", fact, count=1)
        written = f"{match[1]}{{{name[0] if name else 'X'} : {fact}}}"
        self._error(side, f"what is counted or summed stands in braces: {written}")
        return True

    def _report_fact(
        self, compared: Compared, side: Expression, span: Span, other: Values, partner: Expression
    ) -> bool:
        """Reports whether a side, or a part of a calculation, is a fact although a value is expected."""
        if isinstance(side, Op):
            parts = (side.left, side.right)
            return any([self._report_fact(compared, part, span, ANY_NUMBER, side) for part in parts])
        if isinstance(side, BraceAggregate) or not self._rewriting.is_fact(side):
            return False
        fits = self._is_value(side) if other.anything else other.admits(side)
        if fits and not isinstance(partner, (Fun, *CONSTANTS)):
            return False
        if not self._rewriting.compare(compared, side, span, other, partner):
            text = show_term(side)
            message = f"{text} is a fact, which holds or does not, and no value: write {text}, or not {text}"
            self._error(span, message, text)
        return True

    def _is_value(self, term: Term) -> bool:
        """Whether a term can occur anywhere in this game."""
        all_columns = (self._columns.columns_of(s) for s in sorted(askable(self._book)))
        return any(v.admits(term) for one in all_columns for v in one or () if not v.anything)

    def _check_inside(self, side: Any, span: Span, known: _Known) -> None:
        """Checks the calculations and sums in a side of a comparison."""
        if isinstance(side, Op):
            for part in (side.left, side.right):
                self._check_inside(part, span, known)
                self._check_number(part, span, self._values(part, known), "calculated with")
        if not isinstance(side, BraceAggregate):
            return
        self.formula(side.formula, known, False)
        for number, term in enumerate(side.terms):
            self._check_inside(term, side.span, known)
            if self._rewriting.is_fact(term) and not self._is_value(term):
                if not self._rewriting.count(side, term):
                    text = show_term(term)
                    self._error(side.span, f"{text} is a fact: it stands after the ':'", text)
            elif number == 0 and side.function == "sum":
                self._check_number(term, side.span, self._values_counted(side, term, known), "summed")

    def _check_number(self, term: Expression, span: Span, values: Values, why: str) -> None:
        """Reports that something that is calculated with is no number."""
        if values and not values.anything and values.range is None and not self._rewriting.is_fact(term):
            text = " ".join(term.text.split()) if isinstance(term, BraceAggregate) else show_term(term)
            self._error(span, f"{text} is {_list_values(values)}: only numbers are {why}", text)

    def _values(self, side: Expression, known: _Known) -> Values:
        """The values of a side of a comparison."""
        if isinstance(side, Var):
            return known.get(side.name, ANYTHING)
        if isinstance(side, (Fun, *CONSTANTS)):
            return value_of(symbols.symbol_of(side)) if is_ground(side) else ANYTHING
        if isinstance(side, BraceAggregate) and side.is_extreme:
            return self._values_counted(side, side.terms[0], known)
        return ANY_NUMBER

    def _values_counted(self, side: BraceAggregate, term: Expression, known: _Known) -> Values:
        """The values of a term before the ``:`` of braces."""
        values = Values()
        for parts in alternatives_of(side.formula):
            quiet = _MistakeFinder(self._source, self._ruleset)
            values = values.union(self._values(term, quiet._bound(parts, known)))
        return values

    def _text(self, span: Span) -> str:
        return " ".join(self._source[span[0] : span[1]].split())


def _differs_if_empty(side: Expression, interval: Interval | None, number: int) -> bool:
    """Whether a maximum (minimum) without a value compares with a number unlike all its values.

    Without a value the maximum is below every number, and the minimum above.
    """
    if not isinstance(side, BraceAggregate) or not side.is_extreme:
        return False
    if interval is None:  # names are above all numbers
        return side.function == "max"
    return number < interval[0] if side.function == "max" else number > interval[1]


def _is_admitted(atom: Atom, place: int, other: AllColumns) -> bool:
    """Whether an argument of an atom has this value under other settings."""
    columns = other.columns_of(atom.signature)
    return columns is not None and columns[place].admits(atom.args[place])


def _also(there: str) -> str:
    return f"; {there}" if there else ""


def _list_values(values: Values) -> str:
    """The possible values of an argument, in words."""
    *names, last = values.list_in_words(_LISTED) or ["nothing"]
    return " or ".join(filter(None, [", ".join(names), last]))
