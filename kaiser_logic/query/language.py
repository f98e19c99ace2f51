"""Parses queries as data and rebuilds them as rules.

A query contains facts of the vocabulary, exported predicates, static facts (``spaces(E,S,N)``),
``legal(R,A)``, ``violates(R,A,Rule)`` and ``after(R,A,Fact)``; joined by ``,`` and ``;``, with ``not``, ``_``, variables,
comparisons, and ``count``, ``sum``, ``min`` and ``max`` over braces. None of its text reaches a program: the parsed parts
are written again from names, numbers and variables (:mod:`.program`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property
from itertools import count
from pathlib import Path
from typing import Any, Final, NoReturn

from ..errors import UnreadableInput, WrongUsage, visible
from ..lang.terms import ANY, Atom, Fun, Int, Name, Op, Rule, Signature, Term, Text, Var
from ..lang.unification import arguments, label
from ..rules.names import name_meant
from ..rules.places import nearest
from ..rules.predicates import CANDIDATE, DUE, FLUENT, GOAL, LEGAL, OUTPUTS, TERMINAL, VIOLATES, WINNER
from ..rules.rulebook import Rulebook
from .formula import (
    AFTER,
    BraceAggregate,
    Compared,
    Disjunction,
    FactPattern,
    Formula,
    Part,
    Some,
    Span,
    Together,
    Without,
    aggregates,
    atoms,
    is_anonymous,
)
from .program import Branch, QueryProgram, branches, fill_blanks
from .vocabulary import askable, form, line

_AND, _EITHER, _NOT = "'and' is written ','", "either/or is written ';'", "the negation of A is written not A"
_IF, _EACH = "'if A, then B' is written not (A, not B)", "'each A is B' is written not (A, not B)"
_MOST, _LEAST = "'at most' is written <=", "'at least' is written >="
_UNLIKE, _QUOTED = "'different' is written !=", "names are written without quotation marks"
_DENIED: Final = "'not' stands before a fact: negate a comparison by the opposite one, or write not (...) around it"
_HINTS: Final = (
    ("=$", "=", "'equal' is written ="), ("=$", "<", _MOST), ("=$", ">", _LEAST), ("-$", ">(?!=)", _IF),
    (r"\{", r"\}", "what is counted or summed stands before a ':', as in count{X : fact(X)}"),
    (r"\b(?!not\b)([a-z_]\w*)\s*\([^()]*$", r"(?!->)([<>=+*;-]|!=)",
     r"an argument is a name, a number, a variable or _: write a variable, as in \1(...,N), N > 3"),
    ("", r"-?\d{10}", "a number has at most nine digits"),
    (r"\d\.$", r"\d", "numbers are whole"), (r"\d$", r"\.\d", "numbers are whole"),
    (r"\bnot\s+[^,;(]*$", "=|<|>|!=", _DENIED), (r"\bnot$", "", _DENIED),
    ("", r"≠|<>|\\=", _UNLIKE), ("", "≤", _MOST), ("", "≥", _LEAST), ("", "[∧&]", _AND), ("", "->", _IF),
    ("", r"[\u2228|]", _EITHER), ("", "[¬!~-]", _NOT), ("", ":-", "a query has no head"),
    ("", r"\.\.", "from 1 to 3 is written N >= 1, N <= 3"), ("", "[\"']", _QUOTED),
    ("", "#", "count, sum, min and max are written without #"),
)  # fmt: skip
"""Signs of other languages: what stands before the place where the parser stopped, what stands there, and the form in a query."""
_WORDS: Final = {
    **dict.fromkeys(("or", "xor"), _EITHER), **dict.fromkeys(("if", "then"), _IF), "and": _AND, "no": "'no A' is written not A",
    "nobody": "'nobody' is written not, with _ for whom", **dict.fromkeys(("forall", "every", "each", "all"), _EACH),
    "exists": "to say that something exists, write the fact alone, with a variable",
    "not": "a comma is missing before it, or another 'not' stands there",
}  # fmt: skip
"""English words that do not belong in a query, or not there."""
_LISTED: Final = 3
"""The largest number of facts that are named."""
_WORD: Final = re.compile(r"-?\d+|\S{1,2}")
"""What is named where the parser stopped: a whole number, or two characters."""


def _hint(source: str, place: int, word: str, book: Rulebook) -> str:
    """A hint about the likely meaning of the word at which parsing stopped; empty if there is none."""
    before, rest = source[:place].rstrip(), source[place:]
    variable = re.search(r"[A-Z]\w*$", before)
    if word == "(" and variable:
        return f"names begin with a small letter: write {variable[0][0].lower()}{variable[0][1:]}(...)"
    flat = before
    while flat != (flat := re.sub(r"\([^()]*\)", "", flat)):
        pass
    for behind, ahead, means in _HINTS:
        match = re.search(behind, flat)
        if match and re.match(ahead, rest):
            return match.expand(means)
    first = re.match(r"\s*(?!not\b)([A-Za-z]+)\b(?!\s*\()", before)
    means = _WORDS.get(word.lower()) or _WORDS.get(first[1].lower() if first else "", "")
    if not means and not word[:1].isascii() and word[:1].isalpha():
        return "names have no umlauts, e.g. koeln"
    if not means and re.match(r"\w", word) and re.search(r"[\w).]$", before):
        means = "',' stands between two literals"
    written = {w.lower() for w in re.findall(r"[A-Za-z_]\w*", source)}
    forms = [form(book, s) for s in sorted(askable(book)) if s[0] in written][:_LISTED]
    return means + (f"; facts are written {' or '.join(forms)}" if means and forms else "")


_LARGE: Final = 400_000_000
"""The largest sum of all numbers in a query."""
_INNER: Final = {name for name, _ in {*OUTPUTS, CANDIDATE, FLUENT, ("action", 2), DUE} - {GOAL, TERMINAL, WINNER}}
"""Predicates with which rules control the engine. A query cannot contain them."""
_OF_MOVES: Final = dict.fromkeys(
    ("does", "made", "submitted", "candidate"),
    "legal(R,A) asks what can be done there, and after(R,A,F) for what it leads to",
) | {DUE[0]: "a query asks about positions in which somebody decides or the game is over; no step is due there"}
"""Names that rules read and positions do not have, and what to ask in their place."""


class FormulaBuilder:
    """Rebuilds a parsed query."""

    def __init__(self, book: Rulebook, source: str) -> None:
        """Prepares the translation of this text, for this game."""
        self._book = book
        self._source = source
        self._known = askable(book)
        self._blanks = (f"_S{k}" for k in count())
        self._naming = False

    def formula(self, tree: Any) -> Formula:
        """The query as data.

        Raises:
            WrongUsage: It names something that the game does not have, or calculates with numbers that are too large.
        """
        numbers = sum(abs(int(n)) for n in tree.scan_values(lambda t: getattr(t, "type", "") == "NUMBER"))
        if numbers > _LARGE:
            raise WrongUsage("the numbers in the query are too large to be calculated with")
        return self._formula(tree.children[0])

    def _formula(self, tree: Any) -> Formula:
        children = tree.children
        match tree.data:
            case "either" | "together":
                parts = tuple(map(self._formula, children))
                if len(parts) == 1:
                    return parts[0]
                return Disjunction(parts) if tree.data == "either" else Together(parts)
            case "group":
                return self._formula(children[0])
            case "fact":
                return FactPattern(self._atom(children[0]), _span(tree))
            case "lacking" | "without":
                return Without(self._with_blanks(children[0]), _span(tree))
            case "comparison":
                left, sign, right = children
                one, other, span = self._expression(left), self._expression(right), _span(tree)
                plain = not any(isinstance(x, (Op, BraceAggregate)) for x in (one, other))
                without = sign == "!=" and plain and any(map(is_anonymous, (one, other)))  # A is no such term
                sides = (_span(left), _span(right))
                comparison = Compared(one, "=" if without else str(sign), other, span, sides)
                return Without(comparison, span) if without else comparison
        raise TypeError(f"no formula: {tree.data}")

    def _with_blanks(self, tree: Any) -> Formula:
        """A negated formula; ``_`` in it means anything, also in a sum."""
        naming, self._naming = self._naming, False
        formula = FactPattern(self._atom(tree), _span(tree)) if tree.data == "atom" else self._formula(tree)
        self._naming = naming
        return formula

    def _expression(self, tree: Any) -> Any:
        if tree.data == "arithmetic":
            left, sign, right = tree.children
            return Op(str(sign), self._expression(left), self._expression(right))
        if tree.data == "aggregate":
            function, *terms, formula = tree.children
            values = tuple(map(self._expression, terms))
            naming, self._naming = self._naming, function == "sum" and len(values) == 1
            inside = self._formula(formula)
            self._naming = naming
            start, end = _span(tree)
            return BraceAggregate(str(function), values, inside, self._source[start:end], (start, end))
        return self._term(tree)

    # -- atoms and terms -------------------------------------------------------------------------------------------------

    def _atom(self, tree: Any) -> Atom:
        name, *args = [c for c in tree.children if c is not None]
        patterns = tuple(map(self._term, args))
        if self._naming:  # each solution of a sum's condition counts
            patterns = tuple(fill_blanks(one, self._blanks) for one in patterns)
        signature = (str(name), len(patterns))
        if signature not in self._known:
            self._refuse(name, *signature, self._known)
        if signature == VIOLATES and isinstance(patterns[2], (Int, Name)):
            patterns = (*patterns[:2], Text(label(patterns[2])))  # a rule's id without a dot
        if signature == AFTER:
            self._look_at(name, patterns[2])
        return Atom(str(name), patterns)

    def _look_at(self, token: Any, fact: Term) -> None:
        """Refuses facts that a query cannot ask for after a move."""
        known = self._known - {AFTER, LEGAL, VIOLATES}
        if isinstance(fact, Var):
            such = "decision(R,D)" if ("decision", 2) in known else "phase(P)"
            raise WrongUsage(f"{_place(token)}after(R,A,FACT) needs a fact such as {such}")
        if (label(fact), len(arguments(fact))) not in known:
            self._refuse(token, label(fact), len(arguments(fact)), known)

    def _refuse(self, token: Any, name: str, arity: int, known: set[Signature]) -> NoReturn:
        """Reports an unknown predicate, with known ones."""
        game, names = self._book.id, sorted({n for n, _ in known})
        same = sorted(k for n, k in known if n == name)
        if same:
            arities = " or ".join(map(str, same))
            lines = " or ".join(line(self._book, (name, k)) for k in same)
            plural = "" if arities == "1" else "s"
            why = f"{name} has {arities} argument{plural} in {game}, not {arity}: write {lines}"
        elif name not in _INNER and any(h.signature == (name, arity) for r in self._book.rules for h in r.heads):
            exports = "its manifest's exports lists what else can be asked for"
            why = f"{name}/{arity} is no fact that {game} shows: {exports}"
        elif name in _OF_MOVES:
            why = f"{name} is no fact of a position: {_OF_MOVES[name]}"
        else:
            meant = name_meant(self._book.folder, name, names)
            near = nearest(name, names) or nearest(name.lower(), names)
            near = near or (f"; did you mean '{meant}'?" if meant else "")
            others = [n for n in get_close_matches(name.lower(), names, 4, 0.5) if f"'{n}'" not in near]
            also = f" Near it are {'also ' if near else ''}{', '.join(others)}." if others else ""
            listed = f"'kaiser-logic rules {game} --names' lists what a query can ask for"
            why = f"{game} knows no {name}{near or '.'}{also} {listed}"
        raise WrongUsage(f"{_place(token)}{why}")

    def _term(self, tree: Any) -> Term:
        if tree.data == "number":
            return Int(int(tree.children[0]))
        if tree.data == "variable":
            return Var(str(tree.children[0]))
        if tree.data == "anything":
            return ANY
        if tree.data == "rule":
            return Text(str(tree.children[0]))
        name, *args = [c for c in tree.children if c is not None]
        return Fun(str(name), tuple(self._term(a) for a in args)) if args else Name(str(name))


def _span(tree: Any) -> Span:
    """The place of a part of the query in its text."""
    return tree.meta.start_pos, tree.meta.end_pos


def place_in(source: str, start: int) -> str:
    """The place of a letter of a query, in words."""
    line = source.count("\n", 0, start) + 1
    column = start - (source.rfind("\n", 0, start) + 1) + 1
    return f"{f'line {line}, ' if line > 1 else ''}column {column}: "


def _place(token: Any) -> str:
    """The place of a token in words."""
    return f"{f'line {token.line}, ' if token.line > 1 else ''}column {token.column}: "


MAX_LENGTH = 4000


@dataclass(frozen=True)
class Query:
    """A query as data.

    Attributes:
        source: The user's text.
        formula: The parsed formula.
        branches: Its alternatives, one of which must hold.
    """

    source: str
    formula: Formula
    branches: tuple[Branch, ...]

    def values(self, head: Atom, called: Mapping[Signature, str] | None = None) -> list[Rule]:
        """The rules that derive a head if and only if the query holds.

        Args:
            head: The rules' own predicates begin with its name and two underscores.
            called: Other names for predicates of the query.
        """
        return QueryProgram(self.branches, head.name, called).rules(head)

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """All atoms of the query, which must be derived."""
        return tuple(dict.fromkeys(a for b in self.branches for part in b.parts for a in atoms(part)))

    @cached_property
    def stated(self) -> tuple[Atom, ...]:
        """The atoms that hold in an answer, each in at least one alternative."""
        return tuple(dict.fromkeys(a for b in self.branches for a in atoms_stated(b)))

    def asks(self, signature: Signature) -> list[Atom]:
        """The atoms of a predicate."""
        return [a for a in self.atoms if a.signature == signature]


def atoms_stated(branch: Branch) -> list[Atom]:
    """The atoms that hold if this alternative does."""
    return [p.atom for p in branch.parts if isinstance(p, FactPattern)]


def is_nested(part: Part) -> bool:
    """Whether a literal contains braces or parentheses."""
    if isinstance(part, Without):
        return not isinstance(part.formula, FactPattern)
    return isinstance(part, Some) or (isinstance(part, Compared) and bool(aggregates(part)))


@cache
def _parser() -> Any:
    from lark import Lark

    grammar = (Path(__file__).parents[1] / "notation" / "grammar" / "query.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", start="query", propagate_positions=True)


class UnreadableQuery(UnreadableInput):
    """A text that is no query. A query has no file, and mostly one line, so the place is in words."""

    def __str__(self) -> str:
        """``column 5: message``, as for what a query names."""
        line = f"line {self.line}, " if (self.line or 1) > 1 else ""
        return f"{line}column {self.column}: {visible(self.message)}" if self.column else visible(self.message)


def parse_query(source: str, book: Rulebook) -> Query:
    """Parses a query about positions of a game.

    Raises:
        UnreadableInput: The text is not a query; with line and column.
        WrongUsage: It names something that the rulebook does not have, or a variable that nothing binds.
    """
    return query_of(source, parse_formula(source, book))


def query_of(source: str, formula: Formula) -> Query:
    """A formula as a query.

    Raises:
        WrongUsage: It has a variable that nothing binds.
    """
    return Query(source, formula, tuple(branches(formula)))


def parse_formula(source: str, book: Rulebook) -> Formula:
    """Parses a query without checking its variables. Raises as `parse_query`."""
    if len(source) > MAX_LENGTH:
        raise UnreadableInput(f"a query has at most {MAX_LENGTH} characters")
    if source.count("(") + source.count("{") > 200:
        raise UnreadableInput("the query is nested too deeply")
    return FormulaBuilder(book, source).formula(_tree(source, book))


def _tree(source: str, book: Rulebook) -> Any:
    """The parse tree of the query."""
    from lark.exceptions import UnexpectedEOF, UnexpectedInput

    try:
        return _parser().parse(source)
    except UnexpectedInput as error:
        token, place = getattr(error, "token", None), error.pos_in_stream or 0
        if isinstance(error, UnexpectedEOF) or (token is not None and token.type == "$END"):
            raise _ends_early(source) from None
        word = str(token) if token is not None else _WORD.findall(source, place)[0]
        what = f"did not expect {word[:40]!r}" if token is not None else f"cannot read {word!r}"
        hint = _hint(source, place, word, book)
        message = f"{what} here{': ' if hint else ''}{hint}"
        raise UnreadableQuery(message, None, error.line, error.column) from None


def _ends_early(source: str) -> UnreadableQuery:
    """The message about what is missing at the end of the text."""
    missing = [f"'{end}'" for begin, end in ("()", "{}") if source.count(begin) > source.count(end)]
    ends = "the query ends too early" + (f": {' and '.join(missing)} is missing" if missing else "")
    *before, last = source.split("\n")
    return UnreadableQuery(ends, None, len(before) + 1, len(last) + 1)
