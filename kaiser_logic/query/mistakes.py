"""Parses queries, and refuses literals that never hold, or always hold, because of their arguments.

``elector(cologne,red,_,_)`` is a fact that can never hold, and ``thalers(red) = 0`` compares a term with a number. The position
does not matter for either, so there is no answer. Instead a message says what is wrong, and how to write it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..errors import WrongUsage
from ..lang.algebra import is_ground, variables
from ..lang.printer import show_term
from ..lang.terms import Fun, Name, Term, Text, Var
from ..lang.unification import CONSTANTS, arguments, label
from ..rules.names import did_you_mean, known_names, plain
from ..rules.predicates import RULING, VIOLATES
from ..rules.rule import SimpleAtom
from .columns import ANYTHING, AllColumns, Values, columns, value_of
from .formula import (
    ACTED,
    AFTER,
    BraceAggregate,
    Calculated,
    Compared,
    Expression,
    FactPattern,
    Formula,
    Part,
    Some,
    Span,
    Value,
    Without,
    inner,
    is_variable,
    names,
)
from .language import Query, parse_formula, parse_query
from .program import alternatives_of
from .suggestions import Rewriting, elsewhere
from .vocabulary import askable, form, forms

_LISTED: Final = 12
"""The largest number of values in a message."""
_NEAR: Final = 0.8
"""The least similarity of a variable's name and a value for a hint that the value may be meant."""
_LONG: Final = 4
"""The least length of a variable's name that is compared with values."""
_SHOWN: Final = 4
"""The largest number of forms of an action in a message."""
_NUMBERS: Final = Values(numbers=(None, None))
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
    reader = _MistakeFinder(source, ruleset)
    reader.formula(parse_formula(source, ruleset.book), {}, True)
    reader.refuse()
    return parse_query(source, ruleset.book)


class _MistakeFinder:
    """Finds literals of a query that are mistakes, because they never hold or always hold."""

    def __init__(self, source: str, ruleset: Ruleset) -> None:
        self._source = source
        self._ruleset = ruleset
        self._book = ruleset.book
        self._columns = columns(ruleset)
        self._rewriting = Rewriting(source, askable(self._book), forms(self._book), self._columns)
        self._wrong: dict[str, None] = {}
        self._seen: set[tuple[SimpleAtom, Span, bool]] = set()

    def refuse(self) -> None:
        """Raises an error for the mistakes that were found."""
        if self._rewriting.first is not None:
            span, term, signature = self._rewriting.first
            written = form(self._book, signature)
            arity = len(term.args) if isinstance(term, Fun) else 0
            what = (
                "is a fact, which holds or does not"
                if arity == signature[1]
                else f"lacks an argument of {written}"
            )
            new = self._rewriting.text
            try:
                parse_query(new, self._book)
            except WrongUsage:
                new = ""
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
        line = self._source.count("\n", 0, start) + 1
        column = start - (self._source.rfind("\n", 0, start) + 1) + 1
        return f"{f'line {line}, ' if line > 1 else ''}column {column}: "

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
                found = self._columns.columns_of(atom.signature) or ()
                for k, (values, term) in enumerate(zip(found, atom.args, strict=False)):
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
    def _atoms(atom: SimpleAtom) -> list[SimpleAtom]:
        """The atom, and for ``after`` the atom of the position after the move."""
        return [atom, inner(atom)] if atom.signature == AFTER else [atom]

    # -- facts ---------------------------------------------------------------------------------------------------------

    def _fact(self, atom: SimpleAtom, span: Span, literal: Span, top: bool) -> None:
        """Checks an atom."""
        if (atom, span, top) in self._seen:
            return
        self._seen.add((atom, span, top))
        for one in self._atoms(atom):
            self._arguments(one, span, literal, top)

    def _arguments(self, atom: SimpleAtom, span: Span, literal: Span, top: bool) -> None:
        found = self._columns.columns_of(atom.signature)
        written = form(self._book, atom.signature)
        setting = atom.signature in _SETTINGS and not top
        if found is None:
            there = elsewhere(
                self._ruleset, atom.signature, "", lambda other: other.columns_of(atom.signature) is not None
            )
            self._error(span, f"there is never {written} in this game as it is set up{_also(there)}")
            return
        wrong = False
        if atom.signature == VIOLATES and atom.args[2] == _UNKNOWN and is_ground(atom.args[1]):
            found = (found[0], ANYTHING, found[2])  # an action that is none breaks this rule
        for k, (values, term) in enumerate(zip(found, atom.args, strict=True)):
            if values.admits(term):
                continue
            wrong = True
            if self._rewriting.is_fact(term) and self._rewriting.argument(literal, span, term, values):
                continue
            explain = partial(elsewhere, self._ruleset, atom.signature, can_be=partial(_is_admitted, atom, k))
            if setting and explain(show_term(term)):
                continue
            self._value(values, term, span, f"argument {k + 1} of {written}", explain)
        if (
            not wrong
            and not setting
            and atom.signature not in ACTED
            and self._columns.declares(atom.signature)
        ):
            self._report_combination(atom, span, written)

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
            message = (
                f"{word} as {where} has {_arguments(arities)}, not {len(term.args)}{self._forms_of(word)}"
            )
            self._error(span, message, word)
            return
        if isinstance(term, CONSTANTS) and clingo.String(word) in values.words:
            self._error(span, f"{word} is a text as {where}, and no name: write a variable", word)
            return
        hint = self._nearest_value(term, values)
        shown = word if isinstance(term, CONSTANTS) else show_term(term)
        self._error(
            span, f"{shown} is never {where}{hint} It is {_list_values(values)}{_also(there(word))}", word
        )

    def _nearest_value(self, term: Term, values: Values) -> str:
        """The nearest possible value of a term, and the end of the sentence."""
        word = label(term).strip('"')
        if not word.lstrip("-").isdigit():
            return did_you_mean(self._book.folder, word, values.names) or "."
        interval = values.range
        if interval is None:
            return "."
        ends = (n for n in interval if n is not None)
        nearest = min((*values.integers, *ends), key=lambda n: (abs(n - int(word)), n))
        return f", but {nearest} can be."

    def _forms_of(self, name: str) -> str:
        """The forms of actions and decisions of a name."""
        terms = (t for k in self._book.kinds for t in (k.action, k.decision))
        found = list(
            dict.fromkeys(
                show_term(t)
                for t in terms
                if isinstance(t, Fun) and t.name == name and "_" not in show_term(t)
            )
        )
        return f": {' or '.join(found[:_SHOWN])}" if found else ""

    def _report_combination(self, atom: SimpleAtom, span: Span, written: str) -> None:
        """Reports that no fact has this combination of arguments."""
        term: Term = Fun(atom.name, atom.args) if atom.args else Name(atom.name)
        stated = [k for k, a in enumerate(atom.args) if not isinstance(a, Var)]
        repeated = len(variables(atom.args)) < sum(isinstance(a, Var) for a in atom.args if label(a) != "_")
        if len(stated) < 2 and not repeated:
            return
        if self._columns.like(term):
            return
        for k in reversed(stated):
            open = tuple(Var("_") if i == k else a for i, a in enumerate(atom.args))
            values = self._columns.like(Fun(atom.name, open), k)
            if values:
                there = partial(elsewhere, self._ruleset, atom.signature, can_be=lambda c: bool(c.like(term)))
                where = f"argument {k + 1} of {show_term(Fun(atom.name, open))}"
                self._value(values, atom.args[k], span, where, there)
                return
        self._error(span, f"no fact {written} is like {show_term(term)}")

    def _capital(self, name: str, values: Values, span: Span) -> None:
        """Reports that a variable is written like a value: ``elector(Koeln,red,_,_)``."""
        word = plain(name)
        if len(name) < 2 or values.anything or not name[:1].isupper():
            return
        known = values.names
        found = (
            [word]
            if word in known
            else [n for n in known_names(self._book.folder).get(word, ()) if n in known]
        )
        if not found and len(name) >= _LONG and self._source.count(name) == 1:
            found = get_close_matches(word, [n for n in known if n[:1] == word[:1]], 1, _NEAR)
        if found:
            message = (
                f"{name} is a variable, as it begins with a capital letter; the name is written {found[0]}"
            )
            self._error(span, message, name)

    # -- comparisons ---------------------------------------------------------------------------------------------------

    def _check_comparison(self, compared: Compared, known: _Known) -> None:
        """Checks a comparison."""
        sides = (compared.left, compared.right)
        for side in sides:
            if self._without_braces(side):
                return
            self._check_inside(side, known)
        left, right = (self._values(side, known) for side in sides)
        noted = (
            self._report_fact(compared, sides[0], right, sides[1]),
            self._report_fact(compared, sides[1], left, sides[0]),
        )
        if any(noted):
            return
        if not names(compared) and not any(map(_sums, sides)):
            self._error(
                compared.span,
                f"{self._text(compared.span)} compares nothing of a position: no variable is in it",
            )
            return
        for side, values, other in ((sides[0], left, sides[1]), (sides[1], right, sides[0])):
            name = is_variable(side)
            if name is not None and name not in known and values.anything:
                self._capital(name, self._values(other, known), compared.span)
        self._report_apart(compared, left, right)

    def _without_braces(self, side: Expression) -> bool:
        """Reports how to write a number of things that has no braces, as in ``count(heap(N)) = 1``."""
        text = self._text(_span(side))
        found = re.fullmatch(r"(count|sum|min|max)\((.*)\)", text, re.S)
        if found is None:
            return False
        fact = found[2]
        name = re.search(r"\b[A-Z]\w*", fact)
        if name is None:
            fact = re.sub(r"\b_\b", "X", fact, count=1)
        written = f"{found[1]}{{{name[0] if name else 'X'} : {fact}}}"
        self._error(_span(side), f"what is counted or summed stands in braces: {written}")
        return True

    def _report_apart(self, compared: Compared, left: Values, right: Values) -> None:
        """Reports that the two sides of a comparison have no common values, so it never holds or always holds."""
        ordered = compared.sign not in ("=", "!=")
        for side, values, other in (
            (compared.left, left, compared.right),
            (compared.right, right, compared.left),
        ):
            if (
                not isinstance(other, Value)
                or isinstance(other.pattern, Var)
                or not values
                or values.admits(other.pattern)
            ):
                continue
            number = (
                value_of(symbols.symbol_of(other.pattern)).range
                if isinstance(other.pattern, CONSTANTS)
                else None
            )
            if ordered and number and _differs_if_empty(side, values, number):
                return
            if not (ordered and number and values.range and _holds(values.range, number)):
                self._value(
                    values, other.pattern, compared.span, f"the value of {self._text(_span(side))}", _nowhere
                )
                return
        if left.anything or right.anything or left.intersection(right) or not left or not right:
            return
        if ordered and (
            (left.range is None) == (right.range is None)
            or _is_extremum(compared.left)
            or _is_extremum(compared.right)
        ):
            return
        one, two = (self._text(_span(side)) for side in (compared.left, compared.right))
        self._error(
            compared.span,
            f"{one} is {_list_values(left)}, but {two} is {_list_values(right)}: they are never the same",
        )

    def _report_fact(self, compared: Compared, side: Expression, other: Values, beside: Expression) -> bool:
        """Reports whether a side, or a part of a calculation, is a fact although a value is expected."""
        if isinstance(side, Calculated):
            return any(
                [self._report_fact(compared, part, _NUMBERS, side) for part in (side.left, side.right)]
            )
        if not isinstance(side, Value) or not self._rewriting.is_fact(side.pattern):
            return False
        constant = isinstance(beside, Value) and not isinstance(beside.pattern, Var)
        fits = self._is_value(side.pattern) if other.anything else other.admits(side.pattern)
        if fits and not constant:
            return False
        if self._rewriting.note_comparison(compared, side, other):
            return True
        text = show_term(side.pattern)
        message = f"{text} is a fact, which holds or does not, and no value: write {text}, or not {text}"
        self._error(side.span, message)
        return True

    def _is_value(self, term: Term) -> bool:
        """Whether a term can occur anywhere in this game."""
        found = (self._columns.columns_of(s) for s in sorted(askable(self._book)))
        return any(v.admits(term) for one in found for v in one or () if not v.anything)

    def _check_inside(self, side: Expression, known: _Known) -> None:
        """Checks the calculations and sums in a side of a comparison."""
        if isinstance(side, Calculated):
            for part in (side.left, side.right):
                self._check_inside(part, known)
                values = self._values(part, known)
                if values and not values.anything and values.range is None and not self._is_noted(part):
                    self._error(
                        _span(part),
                        f"{self._text(_span(part))} is {_list_values(values)}: only numbers are calculated with",
                    )
        if not isinstance(side, BraceAggregate):
            return
        self.formula(side.formula, known, False)
        for number, term in enumerate(side.terms):
            self._check_inside(term, known)
            if (
                isinstance(term, Value)
                and self._rewriting.is_fact(term.pattern)
                and not self._is_value(term.pattern)
            ):
                if not self._rewriting.note_count(side, term):
                    self._error(term.span, f"{show_term(term.pattern)} is a fact: it stands after the ':'")
            elif number == 0 and side.function == "sum":
                values = self._values_counted(side, term, known)
                if values and not values.anything and values.range is None:
                    self._error(
                        _span(term),
                        f"{self._text(_span(term))} is {_list_values(values)}: only numbers are summed",
                    )

    def _is_noted(self, part: Expression) -> bool:
        return isinstance(part, Value) and self._rewriting.is_fact(part.pattern)

    def _values(self, side: Expression, known: _Known) -> Values:
        """The values of a side of a comparison."""
        match side:
            case Value(pattern) if isinstance(pattern, Var):
                return known.get(str(pattern.name), ANYTHING)
            case Value(pattern):
                return ANYTHING if not is_ground(pattern) else value_of(symbols.symbol_of(pattern))
            case BraceAggregate(function, (term, *_)) if function in ("min", "max"):
                return self._values_counted(side, term, known)
        return _NUMBERS

    def _values_counted(self, side: BraceAggregate, term: Expression, known: _Known) -> Values:
        """The values of a term before the ``:`` of braces."""
        found = Values()
        for parts in alternatives_of(side.formula):
            quiet = _MistakeFinder(self._source, self._ruleset)
            found = found.union(self._values(term, quiet._bound(parts, known)))
        return found

    def _text(self, span: Span) -> str:
        return " ".join(self._source[span[0] : span[1]].split())


def _span(expression: Expression) -> Span:
    """The span of an expression."""
    if isinstance(expression, Calculated):
        return _span(expression.left)[0], _span(expression.right)[1]
    return expression.span


def _sums(expression: Expression) -> bool:
    """Whether an expression contains an aggregate."""
    if isinstance(expression, Calculated):
        return _sums(expression.left) or _sums(expression.right)
    return isinstance(expression, BraceAggregate)


def _holds(outer: tuple[int | None, int | None], number: tuple[int | None, int | None]) -> bool:
    """Whether a number is between the smallest and the largest."""
    least, most = outer
    return all(n is None or ((least is None or n >= least) and (most is None or n <= most)) for n in number)


def _is_extremum(side: Expression) -> bool:
    return isinstance(side, BraceAggregate) and side.function in ("min", "max")


def _differs_if_empty(side: Expression, values: Values, number: tuple[int | None, int | None]) -> bool:
    """Whether a maximum (minimum) without a value compares with a number unlike all its values.

    Without a value the maximum is below every number, and the minimum above.
    """
    if not (isinstance(side, BraceAggregate) and _is_extremum(side)):
        return False
    if values.range is None:  # names are above all numbers
        return side.function == "max"
    least, most = values.range
    if side.function == "max":
        return least is not None and number[0] is not None and number[0] < least
    return most is not None and number[1] is not None and number[1] > most


def _is_admitted(atom: SimpleAtom, place: int, other: AllColumns) -> bool:
    """Whether an argument of an atom has this value under other settings."""
    found = other.columns_of(atom.signature)
    return found is not None and found[place].admits(atom.args[place])


def _nowhere(_: str) -> str:
    return ""


def _also(there: str) -> str:
    return f"; {there}" if there else ""


def _arguments(number: str) -> str:
    return f"{number} argument{'' if number == '1' else 's'}"


def _list_values(values: Values) -> str:
    """The possible values of an argument, in words."""
    names = values.names
    found = names[:_LISTED]
    if len(names) > _LISTED:
        found[_LISTED - 1 :] = [f"one of {len(names) - _LISTED + 1} others"]
    numbers = values.integers
    interval = values.range
    if interval is not None:
        least, most = interval
        whole = (
            values.numbers is not None or most is None or least is None or len(numbers) == most - least + 1
        )
        if least is None or most is None:
            found.append("a number" if least is None else f"a number from {least}")
        elif least == most:
            found.append(str(least))
        elif whole or len(numbers) > _LISTED:
            found.append(f"{least} to {most}")
        else:
            found += map(str, numbers)
    return " or ".join(filter(None, [", ".join(found[:-1]), found[-1]])) if found else "nothing"
