"""Parses queries as data and rebuilds them as rules.

A query contains facts of the vocabulary, exported predicates, static facts (``spaces(E,S,N)``),
``legal(R,A)``, ``violates(R,A,Rule)`` and ``after(R,A,Fact)``; joined by ``,`` and ``;``, with ``not``, ``_``, variables,
comparisons, and ``count``, ``sum``, ``min`` and ``max`` over braces. None of its text reaches a program: the parsed parts
are written again from names, numbers and variables (:mod:`.program`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache, cached_property
from itertools import count
from pathlib import Path
from typing import Any, Final, NoReturn

from ..errors import UnreadableInput, WrongUsage, visible
from ..lang.printer import show
from ..lang.terms import ANY, Fun, Int, Name, Rule, Signature, Term, Text, Var
from ..lang.terms import Atom as Head
from ..lang.unification import label
from ..rules.names import name_meant
from ..rules.places import nearest
from ..rules.predicates import CANDIDATE, DUE, FLUENT, GOAL, LEGAL, OUTPUTS, TERMINAL, VIOLATES, WINNER
from ..rules.rule import SimpleAtom
from ..rules.rulebook import Rulebook
from .formula import (
    AFTER,
    LARGEST,
    BraceAggregate,
    Calculated,
    Compared,
    Disjunction,
    Expression,
    FactPattern,
    Formula,
    Part,
    Some,
    Span,
    Together,
    Value,
    Without,
    aggregates,
    atoms,
    largest,
)
from .program import Branch, QueryProgram, branches
from .vocabulary import askable, form, line

_SIGNS: Final = (
    ("≠", "'different' is written !="), ("≤", "'at most' is written <="), ("≥", "'at least' is written >="),
    ("∧", "'and' is written ','"), ("\u2228", "either/or is written ';'"), ("¬", "'not' is written not"),
    ("->", "'if A, then B' is written not (A, not B)"), ("|", "either/or is written ';'"), ("&", "'and' is written ','"),
    ("!", "'not' is written not"), ("~", "'not' is written not"), ("<>", "'different' is written !="),
    ("\\", "'different' is written !="), (":-", "a query has no head"), ("[", "braces { } enclose what is counted"),
    ("..", "from 1 to 3 is written N >= 1, N <= 3"), ("#", "count, sum, min and max are written without #"),
    ('"', "names are written without quotation marks"), ("'", "names are written without quotation marks"),
    ("-", "'not' is written not"),
)  # fmt: skip
"""Signs of other languages, with their form in a query."""
_AFTER_EQUAL: Final = {
    "=": "'equal' is written =",
    "<": "'at most' is written <=",
    ">": "'at least' is written >=",
}
_WORDS: Final = {
    "or": "either/or is written ';'", "and": "'and' is written ','", "xor": "either/or is written ';'",
    "if": "'if A, then B' is written not (A, not B)", "then": "'if A, then B' is written not (A, not B)",
    "no": "'no A' is written not A", "nobody": "'nobody' is written not, with _ for whom",
    "forall": "'each A is B' is written not (A, not B)", "every": "'each A is B' is written not (A, not B)",
    "each": "'each A is B' is written not (A, not B)", "all": "'each A is B' is written not (A, not B)",
    "exists": "to say that something exists, write the fact alone, with a variable",
    "not": "a comma is missing before it, or another 'not' stands there",
}  # fmt: skip
"""English words that do not belong in a query, or not there."""
_COMPARISONS: Final = ("<", ">", "=", "!=", "+", "*", ";", "-")
_OPEN: Final = re.compile(r"([a-zA-Z_]\w*)\s*\([^()]*$")
_LISTED: Final = 3
"""The largest number of facts that are named."""


def hint(source: str, place: int, word: str, known: Iterable[tuple[Signature, str]]) -> str:
    """A hint about the likely meaning where parsing stopped, after ``: ``; empty if there is none.

    Args:
        source: The query.
        place: Where parsing stopped.
        word: The word there.
        known: The facts that a query can contain, each as the vocabulary writes it.
    """
    suggestion = _hint(source[:place].rstrip(), source[place:], word, known)
    return f": {suggestion}" if suggestion else ""


def _hint(before: str, rest: str, word: str, known: Iterable[tuple[Signature, str]]) -> str:
    if found := _hint_on_sign(before, rest, word):
        return found
    for sign, means in _SIGNS:
        if rest.startswith(sign):
            return means
    first = re.match(r"\s*([A-Za-z]+)\b(?!\s*\()", before)
    for one in (word, first[1] if first else ""):
        if one.lower() in _WORDS and (one.lower() != "not" or one == word):
            return _WORDS[one.lower()] + _facts(before + " " + rest, known)
    if word[:1].isalpha() and not word[:1].isascii():
        return "names have no umlauts, e.g. koeln"
    if re.match(r"\w", word) and re.search(r"[\w).]$", before):
        return "',' stands between two literals" + _facts(before + " " + rest, known)
    return ""


def _hint_on_sign(before: str, rest: str, word: str) -> str:
    """A hint on a sign, by the text before it."""
    last = re.search(r"[A-Z]\w*$", before)
    if word == "(" and last:
        return f"names begin with a small letter: write {last[0][0].lower()}{last[0][1:]}(...)"
    if before.endswith("=") and word[:1] in _AFTER_EQUAL:
        return _AFTER_EQUAL[word[:1]]
    if word == ">" and before.endswith("-"):
        return _WORDS["if"]
    if word == "}" and "{" in before:
        return "what is counted or summed stands before a ':', as in count{X : fact(X)}"
    inside = _OPEN.search(before)
    if inside and inside[1] != "not" and word.startswith(_COMPARISONS) and not rest.startswith("->"):
        name = inside[1]
        return (
            f"an argument is a name, a number, a variable or _: write a variable, as in {name}(...,N), N > 3"
        )
    flat = before
    while flat != (flat := re.sub(r"\([^()]*\)", "", flat)):
        pass
    if re.search(r"\bnot\s+[^,;(]*$" if rest.startswith(("=", "<", ">", "!=")) else r"\bnot$", flat):
        return "'not' stands before a fact: negate a comparison by the opposite one, or write not (...) around it"
    return ""


def _facts(text: str, known: Iterable[tuple[Signature, str]]) -> str:
    """The form of the facts that a text names."""
    written = {w.lower() for w in re.findall(r"[A-Za-z_]\w*", text)}
    forms: Sequence[str] = [form for (name, _), form in known if name in written][:_LISTED]
    return f"; facts are written {' or '.join(forms)}" if forms else ""


_USUAL: Final = 1_000
"""The largest number of a game, except numbers without a limit, which are not used in calculations."""
_LARGE: Final = 400_000_000
"""The largest sum of all numbers in a query."""
_INNER: Final = {
    name for name, _ in {*OUTPUTS, CANDIDATE, FLUENT, ("action", 2), DUE} - {GOAL, TERMINAL, WINNER}
}
"""Predicates with which rules control the engine. A query cannot contain them."""


class FormulaBuilder:
    """Rebuilds a parsed query."""

    def __init__(self, book: Rulebook, source: str) -> None:
        """Prepares the translation of this text, for this game."""
        self._book = book
        self._source = source
        self._known = askable(book)
        self._numbers = count()
        self._naming = False

    def formula(self, tree: Any) -> Formula:
        """The query as data.

        Raises:
            WrongUsage: It names something that the game does not have, or calculates with numbers that are too large.
        """
        numbers = sum(abs(int(n)) for n in tree.scan_values(lambda t: getattr(t, "type", "") == "NUMBER"))
        found = self._formula(tree.children[0])
        if numbers > _LARGE or largest(found, _USUAL) > LARGEST:
            raise WrongUsage("the numbers in the query are too large to be calculated with")
        return found

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
                found = Compared(self._expression(left), str(sign), self._expression(right), _span(tree))
                return self._comparison(found)
        raise TypeError(f"no formula: {tree.data}")

    def _with_blanks(self, tree: Any) -> Formula:
        """A negated formula; ``_`` in it means anything, also in a sum."""
        naming, self._naming = self._naming, False
        found = FactPattern(self._atom(tree), _span(tree)) if tree.data == "atom" else self._formula(tree)
        self._naming = naming
        return found

    @staticmethod
    def _comparison(found: Compared) -> Formula:
        """A comparison; ``A != buy(_,_)`` says that ``A`` is not such a term."""
        sides = (found.left, found.right)
        plain = [x.pattern for x in sides if isinstance(x, Value)]
        if found.sign == "!=" and len(plain) == len(sides) and any(map(_open, plain)):
            return Without(replace(found, sign="="), found.span)
        return found

    # -- expressions -----------------------------------------------------------------------------------------------------

    def _expression(self, tree: Any) -> Expression:
        if tree.data == "arithmetic":
            left, sign, right = tree.children
            return Calculated(self._expression(left), str(sign), self._expression(right))
        if tree.data == "aggregate":
            function, *terms, formula = tree.children
            values = tuple(map(self._expression, terms))
            naming, self._naming = self._naming, function == "sum" and len(values) == 1
            inside = self._formula(formula)
            self._naming = naming
            text = self._source[tree.meta.start_pos : tree.meta.end_pos]
            return BraceAggregate(str(function), values, inside, text, _span(tree))
        return Value(self._term(tree), _span(tree))

    # -- atoms and terms -------------------------------------------------------------------------------------------------

    def _atom(self, tree: Any) -> SimpleAtom:
        name, *args = [c for c in tree.children if c is not None]
        patterns = tuple(self._name_blanks(self._term(a)) for a in args)
        signature = (str(name), len(patterns))
        if signature not in self._known:
            self._refuse(name, len(patterns), self._known)
        if signature == VIOLATES and isinstance(patterns[2], (Int, Name)):
            patterns = (*patterns[:2], Text(label(patterns[2])))  # a rule's id without a dot
        if signature == AFTER:
            self._look_at(name, patterns[2])
        return SimpleAtom(str(name), patterns)

    def _name_blanks(self, pattern: Term) -> Term:
        """The pattern with a name for each ``_``, where each solution of a sum's condition counts."""
        if not self._naming:
            return pattern
        if pattern == ANY:
            return Var(f"_S{next(self._numbers)}")
        return (
            Fun(pattern.name, tuple(map(self._name_blanks, pattern.args)))
            if isinstance(pattern, Fun)
            else pattern
        )

    def _look_at(self, name: Any, fact: Term) -> None:
        """Refuses facts that a query cannot ask for after a move."""
        if isinstance(fact, Var):
            raise WrongUsage(f"{self._place(name)}after(R,A,FACT) needs a fact such as {self._example()}")
        signature = label(fact), len(fact.args) if isinstance(fact, Fun) else 0
        known = self._known - {AFTER, LEGAL, VIOLATES}
        if signature not in known:
            self._refuse(name, signature[1], known, signature[0])

    def _example(self) -> str:
        return "decision(R,D)" if ("decision", 2) in self._known else "phase(P)"

    def _refuse(self, token: Any, arity: int, known: set[Signature], name: str | None = None) -> NoReturn:
        """Reports an unknown predicate, with known ones."""
        name, game = name or str(token), self._book.id
        same = sorted(k for n, k in known if n == name)
        if same:
            arities = " or ".join(map(str, same))
            plural = "" if arities == "1" else "s"
            lines = " or ".join(line(self._book, (name, k)) for k in same)
            has = f"{name} has {arities} argument{plural} in {game}, not {arity}"
            raise WrongUsage(f"{self._place(token)}{has}: write {lines}")
        if (
            any(h.signature == (name, arity) for r in self._book.rules for h in r.heads)
            and name not in _INNER
        ):
            raise WrongUsage(
                f"{self._place(token)}{name}/{arity} is no fact that {game} shows: "
                f"its manifest's exports lists what else can be asked for"
            )
        names = sorted({n for n, _ in known})
        near = nearest(name, names) or nearest(name.lower(), names) or self._hint_on_language(name, names)
        others = [n for n in get_close_matches(name.lower(), names, 4, 0.5) if f"'{n}'" not in near]
        also = f" Near it are {'also ' if near else ''}{', '.join(others)}." if others else ""
        raise WrongUsage(
            f"{self._place(token)}{game} knows no {name}{near or '.'}{also} "
            f"'kaiser-logic rules {game} --names' lists what a query can ask for"
        )

    def _hint_on_language(self, name: str, names: list[str]) -> str:
        """The hint that a name of another language is meant."""
        found = name_meant(self._book.folder, name, names)
        return f"; did you mean '{found}'?" if found else ""

    @staticmethod
    def _place(token: Any) -> str:
        line = f"line {token.line}, " if token.line > 1 else ""
        return f"{line}column {token.column}: "

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


def _open(pattern: Term) -> bool:
    """Whether a term contains ``_``."""
    return pattern == ANY or (isinstance(pattern, Fun) and any(map(_open, pattern.args)))


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

    def rules(self, head: str, called: Mapping[Signature, str] | None = None) -> list[str]:
        """The rules, as text, that derive a head without arguments if and only if the query holds.

        Args:
            head: A name. The rules' own predicates begin with it and two underscores.
            called: Other names for predicates of the query.
        """
        return list(map(show, self.values(Head(head, ()), called)))

    def values(self, head: Head, called: Mapping[Signature, str] | None = None) -> list[Rule]:
        """The rules of the query as values; the head may have arguments."""
        return QueryProgram(self.branches, head.name, called).rules(head)

    @property
    def body(self) -> str:
        """The query as the body of one rule.

        Raises:
            WrongUsage: It needs several rules: see `rules`.
        """
        if len(self._program.bodies) > 1 or self._program.parts:
            raise WrongUsage(
                "alternatives, and not(...) or braces within one another, are not supported here"
            )
        return "; ".join(self._program.bodies[0])

    @cached_property
    def _program(self) -> QueryProgram:
        return QueryProgram(self.branches, "query__")

    @property
    def literals(self) -> tuple[str, ...]:
        """The literals of all alternatives as text."""
        return tuple(dict.fromkeys(text for body in self._program.bodies for text in body))

    @cached_property
    def atoms(self) -> tuple[SimpleAtom, ...]:
        """All atoms of the query, which must be derived."""
        return tuple(dict.fromkeys(a for b in self.branches for part in b.parts for a in atoms(part)))

    @cached_property
    def stated(self) -> tuple[SimpleAtom, ...]:
        """The atoms that hold in an answer, each in at least one alternative."""
        return tuple(dict.fromkeys(a for b in self.branches for a in atoms_stated(b)))

    @property
    def facts(self) -> tuple[str, ...]:
        """The same as text."""
        positive = {id(p) for b in self.branches for p in b.parts if isinstance(p, FactPattern)}
        pairs = zip(self.branches, self._program.bodies, strict=True)
        found = (t for b, body in pairs for p, t in zip(b.parts, body, strict=True) if id(p) in positive)
        return tuple(dict.fromkeys(found))

    @cached_property
    def counted(self) -> tuple[SimpleAtom, ...]:
        """The atoms inside braces or ``not (...)``."""
        inside = (p for b in self.branches for p in b.parts if is_nested(p))
        return tuple(dict.fromkeys(a for part in inside for a in atoms(part)))

    def asks(self, signature: Signature) -> list[SimpleAtom]:
        """The atoms of a predicate."""
        return [a for a in self.atoms if a.signature == signature]


def atoms_stated(branch: Branch) -> list[SimpleAtom]:
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
        return (
            f"{line}column {self.column}: {visible(self.message)}" if self.column else visible(self.message)
        )


def parse_query(source: str, book: Rulebook) -> Query:
    """Parses a query about positions of a game.

    Raises:
        UnreadableInput: The text is not a query; with line and column.
        WrongUsage: It names something that the rulebook does not have, or a variable that nothing binds.
    """
    formula = parse_formula(source, book)
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
    from lark import LarkError
    from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

    def hint_at(place: int | None, word: str) -> str:
        known = ((s, form(book, s)) for s in sorted(askable(book)))
        return hint(source, place or 0, word, known)

    try:
        return _parser().parse(source)
    except UnexpectedToken as error:
        word = str(error.token)
        if error.token.type == "$END":
            raise _ends_early(source) from None
        message = f"did not expect {word[:40]!r} here{hint_at(error.pos_in_stream, word)}"
        raise UnreadableQuery(message, None, error.line, error.column) from None
    except UnexpectedEOF:
        raise _ends_early(source) from None
    except UnexpectedCharacters as error:
        place = error.pos_in_stream
        word = next(_words(source[place or 0 :]), "")
        message = f"cannot read {word!r} here{hint_at(place, word)}"
        raise UnreadableQuery(message, None, error.line, error.column) from None
    except LarkError as error:
        raise UnreadableQuery(str(error).splitlines()[0][:200]) from None


def _ends_early(source: str) -> UnreadableQuery:
    """The message about what is missing at the end of the text."""
    open = [m for m in "({" if source.count(m) > source.count({"(": ")", "{": "}"}[m])]
    missing = " and ".join({"(": "')'", "{": "'}'"}[m] for m in open)
    line = source.count("\n") + 1
    column = len(source) - (source.rfind("\n") + 1) + 1
    return UnreadableQuery(
        "the query ends too early" + (f": {missing} is missing" if missing else ""), None, line, column
    )


def _words(text: str) -> Iterator[str]:
    """The first word or sign of a text."""
    head = text[:40].split()
    yield from (head[0][: max(1, min(len(head[0]), 2))] if head else "" for _ in (1,))
