"""Questions about positions, parsed as data and rebuilt as rules of our own.

A query is a conjunction of literals: facts of the vocabulary, predicates that the rulebook exports, ``legal(R,A)``,
``violates(R,A,Rule)``, ``not``, ``_``, variables, comparisons and ``count{...}``. None of its text reaches a program:
the parsed parts are written anew from names, numbers and variables.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import UnreadableInput, WrongUsage
from ..rules.pattern import Pattern, Signature, variables
from ..rules.predicates import LEGAL, VIOLATES
from ..rules.rule import Atom
from ..rules.rulebook import Rulebook
from ..transform.rewrite import literal

MAX_LENGTH = 4000


@dataclass(frozen=True)
class Query:
    """A query as rules: its text, the atoms it asks about, and those of them that hold in an answer.

    Attributes:
        source: What the user wrote.
        body: The query as a body of a rule.
        atoms: All atoms, for what must be derived.
        facts: The positive atoms as text, whose instances tell answers apart.
        literals: The parts of the body.
        stated: Those atoms that stand by themselves.
        counted: Those that stand in a ``count{...}`` or ``not (...)``.
    """

    source: str
    body: str
    atoms: tuple[Atom, ...]
    facts: tuple[str, ...]
    literals: tuple[str, ...] = ()
    stated: tuple[Atom, ...] = ()
    counted: tuple[Atom, ...] = ()

    def asks(self, signature: Signature) -> list[Atom]:
        """The atoms of a predicate."""
        return [a for a in self.atoms if a.signature == signature]


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
    from lark import LarkError
    from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

    if len(source) > MAX_LENGTH:
        raise UnreadableInput(f"a query has at most {MAX_LENGTH} characters")
    if source.count("(") + source.count("{") > 200:
        raise UnreadableInput("the query is nested too deeply")
    try:
        tree = _parser().parse(source)
    except UnexpectedEOF:
        raise UnreadableInput("the query ends too early", "query", 1, len(source) + 1) from None
    except UnexpectedToken as error:
        word = str(error.token) or "the end"
        raise UnreadableInput(
            f"did not expect {word[:40]!r} here", "query", error.line, error.column
        ) from None
    except UnexpectedCharacters as error:
        raise UnreadableInput("cannot read this", "query", error.line, error.column) from None
    except LarkError as error:
        raise UnreadableInput(str(error).splitlines()[0][:200], "query") from None
    return _Builder(book).query(source, tree)


class _Builder:
    """Rebuilds a parsed query as the body of a rule."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.atoms: list[Atom] = []
        self.facts: list[str] = []
        self.bound: set[str] = set()
        exported = {_signature(e) for e in book.manifest.get("exports", ())}
        self.known = {*book.fluents, ("seat", 2), *exported, LEGAL, VIOLATES} - {("next", 1)}

    def query(self, source: str, tree: Any) -> Query:
        children = list(tree.children)
        self._bind(children)
        body: list[str] = []
        stated: list[Atom] = []
        counted: list[Atom] = []
        for child in children:
            before = len(self.atoms)
            body.append(self._literal(child, top=True))
            if child.data != "lacking":
                (stated if child.data == "fact" else counted).extend(self.atoms[before:])
        text = "; ".join(body)
        return Query(
            source, text, tuple(self.atoms), tuple(self.facts), tuple(body), tuple(stated), tuple(counted)
        )

    def _bind(self, children: list[Any]) -> None:
        """The variables that positive facts bind, and equations with what is bound already."""
        for child in children:
            if child.data == "fact":
                self.bound |= {str(t) for t in child.scan_values(_is_variable)}
        grown = True
        while grown:
            before = len(self.bound)
            for child in children:
                if child.data in ("counting", "comparison") and str(child.children[1]) == "=":
                    left, _, right = child.children
                    for one, other in ((left, right), (right, left)):
                        if one.data == "variable" and (child.data == "counting" or self._known(other)):
                            self.bound.add(str(one.children[0]))
            grown = len(self.bound) > before

    def _known(self, expression: Any) -> bool:
        """Whether all variables of an expression are bound."""
        return {str(t) for t in expression.scan_values(_is_variable)} <= self.bound

    def _inner(self, children: list[Any]) -> list[str]:
        """Literals with variables of their own besides those of the query: of ``not (...)`` and ``count{...}``."""
        if any(c.data in ("without", "counting") for c in children):
            raise WrongUsage("not (...) and count{...} cannot stand within one another")
        outer = set(self.bound)
        self._bind(children)
        texts = [self._literal(c) for c in children]
        self.bound = outer
        return texts

    def _literal(self, tree: Any, top: bool = False) -> str:
        children = list(tree.children)
        if tree.data == "fact":
            text = self._atom(tree)
            if top:
                self.facts.append(text)
            return text
        if tree.data == "lacking":
            return f"not {self._atom(tree, open_variables=True)}"
        if tree.data == "without":
            return f"#count {{ 1 : {', '.join(self._inner(children))} }} = 0"
        if tree.data == "comparison":
            left, operator, right = children
            return f"{self._expression(left)} {operator} {self._expression(right)}"
        count, operator, right = children
        names = [str(c) for c in count.children if getattr(c, "type", None) == "VARIABLE"]
        conditions = self._inner([c for c in count.children if hasattr(c, "data")])
        free = [n for n in names if n not in self.bound and not re.search(rf"\b{n}\b", " ".join(conditions))]
        if free:
            raise WrongUsage(f"nothing in count{{...}} says what {free[0]} is")
        aggregate = f"#count {{ {','.join(names)} : {', '.join(conditions)} }}"
        flipped = {"<=": ">=", ">=": "<=", "<": ">", ">": "<"}.get(str(operator), str(operator))
        return f"{self._expression(right)} {flipped} {aggregate}"

    def _atom(self, tree: Any, open_variables: bool = False) -> str:
        parts = tree.children[0] if tree.data in ("fact", "lacking") else tree
        name, *args = [c for c in parts.children if c is not None]
        patterns = tuple(self._term(a) for a in args)
        signature = (str(name), len(patterns))
        if signature not in self.known:
            raise WrongUsage(self._unknown(*signature))
        if signature == VIOLATES and patterns[2][0] == "c" and patterns[2][1][:1] != '"':
            patterns = (*patterns[:2], ("c", f'"{patterns[2][1]}"'))  # a rule's id without a dot
        self.atoms.append(Atom(str(name), patterns))
        return literal(str(name), *(self._text(p, open_variables) for p in patterns))

    def _unknown(self, name: str, arity: int) -> str:
        same = sorted(k for n, k in self.known if n == name)
        if same:
            return f"{name} has {' or '.join(map(str, same))} arguments in {self.book.id}, not {arity}"
        names = ", ".join(sorted(f"{n}/{k}" for n, k in self.known))
        return f"{self.book.id} knows no {name}; a query can ask for: {names}"

    def _term(self, tree: Any) -> Pattern:
        if tree.data == "number":
            return ("c", str(int(tree.children[0])))
        if tree.data == "variable":
            return ("v", str(tree.children[0]))
        if tree.data == "anything":
            return ("v", "_")
        if tree.data == "rule":
            return ("c", f'"{tree.children[0]}"')
        name, *args = [c for c in tree.children if c is not None]
        return ("f", str(name), tuple(self._term(a) for a in args)) if args else ("c", str(name))

    def _text(self, pattern: Pattern, open_variables: bool) -> str:
        """A term as text; a variable that nothing binds means anything, under ``not``."""
        if pattern[0] == "v":
            return "_" if open_variables and pattern[1] not in self.bound else str(pattern[1])
        if pattern[0] == "f":
            return f"{pattern[1]}({','.join(self._text(a, open_variables) for a in pattern[2])})"
        return str(pattern[1])

    def _expression(self, tree: Any) -> str:
        if tree.data == "arithmetic":
            left, sign, right = tree.children
            return f"({self._expression(left)}{sign}{self._expression(right)})"
        pattern = self._term(tree)
        loose = [v for v in variables((pattern,)) if v not in self.bound]
        if loose:
            raise WrongUsage(f"nothing in the query says what {loose[0]} is")
        return self._text(pattern, False)


def _is_variable(token: Any) -> bool:
    return getattr(token, "type", None) == "VARIABLE"


def _signature(text: str) -> Signature:
    name, _, arity = text.partition("/")
    return name, int(arity)
