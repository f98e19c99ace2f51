"""Parses queries as data and rebuilds them as rules.

A query asks for facts of the vocabulary, what the rulebook exports, what never changes (``spaces(E,S,N)``),
``legal(R,A)``, ``violates(R,A,Rule)`` and ``after(R,A,Fact)``; joined by ``,`` and ``;``, with ``not``, ``_``, variables,
comparisons, and ``count``, ``sum``, ``min`` and ``max`` over braces. None of its text reaches a program: the parsed parts
are written anew from names, numbers and variables (:mod:`.program`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from ..errors import UnreadableInput, WrongUsage
from ..lang.printer import show
from ..lang.terms import Atom as Head
from ..lang.terms import Rule, Signature
from ..rules.rule import Atom
from ..rules.rulebook import Rulebook
from .branches import Branch, branches
from .builder import Builder
from .formula import Compared, Fact, Formula, Part, Some, Without, aggregates, atoms
from .program import Program
from .syntax_hints import hint
from .vocabulary import askable, form

MAX_LENGTH = 4000


@dataclass(frozen=True)
class Query:
    """A query as data.

    Attributes:
        source: What the user wrote.
        formula: What it says.
        branches: Its alternatives, of which one has to hold.
    """

    source: str
    formula: Formula
    branches: tuple[Branch, ...]

    def rules(self, head: str, called: Mapping[Signature, str] | None = None) -> list[str]:
        """The rules, as text, by which a head of no arguments holds exactly where the query does.

        Args:
            head: A name; predicates of the rules' own begin with it and two underscores.
            called: Other names for predicates that the query asks for.
        """
        return list(map(show, self.values(Head(head, ()), called)))

    def values(self, head: Head, called: Mapping[Signature, str] | None = None) -> list[Rule]:
        """The rules of the query as values; the head may have arguments."""
        return Program(self.branches, head.name, called).rules(head)

    @property
    def body(self) -> str:
        """The query as the body of one rule.

        Raises:
            WrongUsage: It takes several rules: see `rules`.
        """
        if len(self._program.bodies) > 1 or self._program.parts:
            raise WrongUsage(
                "alternatives, and not(...) or braces within one another, are not supported here"
            )
        return "; ".join(self._program.bodies[0])

    @cached_property
    def _program(self) -> Program:
        return Program(self.branches, "query__")

    @property
    def literals(self) -> tuple[str, ...]:
        """The literals of all alternatives as text."""
        return tuple(dict.fromkeys(text for body in self._program.bodies for text in body))

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """All atoms, for what must be derived."""
        return tuple(dict.fromkeys(a for b in self.branches for part in b.parts for a in atoms(part)))

    @cached_property
    def stated(self) -> tuple[Atom, ...]:
        """The atoms that hold in an answer, each in one alternative at least."""
        return tuple(dict.fromkeys(a for b in self.branches for a in stated(b)))

    @property
    def facts(self) -> tuple[str, ...]:
        """These as text."""
        positive = {id(p) for b in self.branches for p in b.parts if isinstance(p, Fact)}
        pairs = zip(self.branches, self._program.bodies, strict=True)
        found = (t for b, body in pairs for p, t in zip(b.parts, body, strict=True) if id(p) in positive)
        return tuple(dict.fromkeys(found))

    @cached_property
    def counted(self) -> tuple[Atom, ...]:
        """The atoms in braces or in ``not (...)``."""
        inside = (p for b in self.branches for p in b.parts if nested(p))
        return tuple(dict.fromkeys(a for part in inside for a in atoms(part)))

    def asks(self, signature: Signature) -> list[Atom]:
        """The atoms of a predicate."""
        return [a for a in self.atoms if a.signature == signature]


def stated(branch: Branch) -> list[Atom]:
    """The atoms that hold where this alternative does."""
    return [p.atom for p in branch.parts if isinstance(p, Fact)]


def nested(part: Part) -> bool:
    """Whether a literal has something in braces or parentheses."""
    if isinstance(part, Without):
        return not isinstance(part.formula, Fact)
    return isinstance(part, Some) or (isinstance(part, Compared) and bool(aggregates(part)))


@cache
def _parser() -> Any:
    from lark import Lark

    grammar = (Path(__file__).parents[1] / "notation" / "grammar" / "query.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", start="query", propagate_positions=True)


def parse_query(source: str, book: Rulebook) -> Query:
    """Parses a query about positions of a game.

    Raises:
        UnreadableInput: The text is no query; with line and column.
        WrongUsage: It asks for what the rulebook does not know, or for a variable that nothing binds.
    """
    formula = parse_formula(source, book)
    return Query(source, formula, tuple(branches(formula)))


def parse_formula(source: str, book: Rulebook) -> Formula:
    """Parses a query without checking its variables. Raises as `parse_query`."""
    if len(source) > MAX_LENGTH:
        raise UnreadableInput(f"a query has at most {MAX_LENGTH} characters")
    if source.count("(") + source.count("{") > 200:
        raise UnreadableInput("the query is nested too deeply")
    return Builder(book, source).formula(_tree(source, book))


def _tree(source: str, book: Rulebook) -> Any:
    """The query as lark reads it."""
    from lark import LarkError
    from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

    def meant(place: int | None, word: str) -> str:
        known = ((s, form(book, s)) for s in sorted(askable(book)))
        return hint(source, place or 0, word, known)

    try:
        return _parser().parse(source)
    except UnexpectedToken as error:
        word = str(error.token)
        if error.token.type == "$END":
            raise _ends_early(source) from None
        message = f"did not expect {word[:40]!r} here{meant(error.pos_in_stream, word)}"
        raise UnreadableInput(message, "query", error.line, error.column) from None
    except UnexpectedEOF:
        raise _ends_early(source) from None
    except UnexpectedCharacters as error:
        place = error.pos_in_stream
        word = next(_words(source[place or 0 :]), "")
        message = f"cannot read {word!r} here{meant(place, word)}"
        raise UnreadableInput(message, "query", error.line, error.column) from None
    except LarkError as error:
        raise UnreadableInput(str(error).splitlines()[0][:200], "query") from None


def _ends_early(source: str) -> UnreadableInput:
    """What is missing at the end of the text."""
    open = [m for m in "({" if source.count(m) > source.count({"(": ")", "{": "}"}[m])]
    missing = " and ".join({"(": "')'", "{": "'}'"}[m] for m in open)
    line = source.count("\n") + 1
    column = len(source) - (source.rfind("\n") + 1) + 1
    return UnreadableInput(
        "the query ends too early" + (f": {missing} is missing" if missing else ""), "query", line, column
    )


def _words(text: str) -> Iterator[str]:
    """The first word or sign of a text."""
    head = text[:40].split()
    yield from (head[0][: max(1, min(len(head[0]), 2))] if head else "" for _ in (1,))
