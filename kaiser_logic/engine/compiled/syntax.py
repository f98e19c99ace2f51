"""A rule's text, as clingo prints it, as a tree.

>>> parse("p(R,(N+1)) :- q(R,N); not r(R,_); N < 3.").body[2]
Comparison(left=('var', 'N'), guards=(('<', ('num', 3)),), sign=0)
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from .trees import Aggregate, Alternatives, Comparison, Conditional, Literal, Parsed, Predicate, Tree, Truth
from .values import Unsupported, unquoted

_TOKEN: Final = re.compile(
    r'"(?:[^"\\]|\\.)*"|#[a-z]+\+?|[A-Za-z_][A-Za-z0-9_\']*|\d+|:-|\.\.|!=|<=|>=|\*\*|\S'
)
_NAME: Final = re.compile(r"_*[a-z]")
_VARIABLE: Final = re.compile(r"_*[A-Z]")
_COMPARED: Final = {"=", "!=", "<", "<=", ">", ">="}
_FLIPPED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
_ENDS: Final = {",", ")", ";"}
"""What ends a term, among others."""
_AGGREGATES: Final = {"#sum", "#count", "#min", "#max"}


@lru_cache(maxsize=20_000)
def parse(text: str) -> Parsed:
    """The tree of a rule.

    Raises:
        Unsupported: It has what is not compiled.
    """
    return _Parser(text).rule()


class _Parser:
    """Reads the tokens of a rule."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[str] = [*_TOKEN.findall(text), "", ""]
        self.at = 0
        self.pooled = False

    def peek(self) -> str:
        return self.tokens[self.at]

    def take(self, *expected: str) -> str:
        token = self.tokens[self.at]
        if expected and token not in expected:
            raise Unsupported(f"{token!r} in {self.text}")
        self.at += 1
        return token

    def rule(self) -> Parsed:
        heads: tuple[Predicate, ...] = ()
        if self.peek() != ":-":
            head = self.literal()
            if isinstance(head, Predicate) and head.sign == 0:
                heads = (head,)
            elif isinstance(head, Alternatives) and head.sign == 0:
                heads = head.among
            else:
                raise Unsupported(self.text)
        body: list[Literal] = []
        if self.peek() == ":-":
            while self.take(":-", ";", ",", ".") != "." and self.peek() not in ("", "."):
                body += self.links(self.conditional())
        self.take(".", "")
        return Parsed(heads, tuple(body), self.pooled, ".." in self.tokens)

    def conditional(self) -> Literal:
        found = self.literal()
        if self.peek() != ":":
            return found
        return Conditional(found, self.condition())

    def condition(self) -> tuple[Literal, ...]:
        """The literals after a colon."""
        found: list[Literal] = []
        while self.peek() in (":", ","):
            self.take()
            if self.peek() in (";", "}", "."):
                break
            found += self.links(self.literal())
        return tuple(found)

    def links(self, literal: Literal) -> list[Literal]:
        """A chain of comparisons as single ones, so that each can give a variable its value; anything else as it is."""
        if not isinstance(literal, Comparison) or literal.sign or len(literal.guards) == 1:
            return [literal]
        found: list[Literal] = []
        left = literal.left
        for k, (sign, right) in enumerate(literal.guards, 1):
            if k < len(literal.guards) and right[0] not in ("var", "num", "const", "str"):
                name = (
                    "var",
                    f"é{self.at}_{k}",
                )  # what stands between two is one value, though a range has several
                found.append(Comparison(name, (("=", right),)))
                right = name
            found.append(Comparison(left, ((sign, right),)))
            left = right
        return found

    def literal(self) -> Literal:
        sign = 0
        while self.peek() == "not":
            self.take()
            sign += 1
        if self.peek() in ("#true", "#false"):
            return Truth(self.take() == "#true", sign)
        start = self.at
        if _NAME.match(self.peek()):
            atoms = self.atoms()
            if self.peek() not in _COMPARED and self.peek() not in {"+", "-", "*", "/", "\\", ".."}:
                if len(atoms) == 1:
                    return Predicate(atoms[0].name, atoms[0].args, sign) if sign else atoms[0]
                return Alternatives(tuple(atoms), sign)
            self.at = start
        guards: list[tuple[str, Tree]] = []
        if self.peek() not in _AGGREGATES:
            left = self.term()
            if self.peek() not in _COMPARED:
                raise Unsupported(self.text)
            sign_, start = self.take(), self.at
            if self.peek() not in _AGGREGATES:
                guards = [(sign_, self.term())]
                while self.peek() in _COMPARED:
                    guards.append((self.take(), self.term()))
                return Comparison(left, tuple(guards), sign)
            guards = [(_FLIPPED[sign_], left)]
        return self.aggregate(sign, guards)

    def aggregate(self, sign: int, guards: list[tuple[str, Tree]]) -> Aggregate:
        function = self.take()
        self.take("{")
        elements = []
        while self.peek() != "}":
            terms = [self.term()]
            while self.peek() == ",":
                self.take()
                terms.append(self.term())
            elements.append((tuple(terms), self.condition()))
            if self.peek() == ";":
                self.take()
        self.take("}")
        if self.peek() in _COMPARED:
            guards.append((self.take(), self.term()))
        return Aggregate(function, tuple(elements), tuple(guards), sign)

    def atoms(self) -> list[Predicate]:
        """The atom here, or those of a pool."""
        name = self.take()
        return [Predicate(name, args) for args in (self.arguments() if self.peek() == "(" else [()])]

    def arguments(self) -> list[tuple[Tree, ...]]:
        """The arguments in brackets, for each alternative of a pool."""
        self.take("(")
        found: list[tuple[Tree, ...]] = []
        args: list[Tree] = []
        while True:
            if self.peek() not in (")", ";"):
                args.append(self.term())
            token = self.take(",", ";", ")")
            if token == ";":
                self.pooled = True
            if token != ",":
                found.append(tuple(args))
                args = []
            if token == ")":
                return found

    def term(self) -> Tree:
        alone = _alone(self.peek()) if self.tokens[self.at + 1] in _ENDS else None
        if alone is not None:  # most terms are one token
            self.at += 1
            return alone
        left = self.sum()
        if self.peek() != "..":
            return left
        self.take()
        return ("range", left, self.sum())

    def sum(self) -> Tree:
        left = self.product()
        while self.peek() in ("+", "-"):
            left = ("op", self.take(), left, self.product())
        return left

    def product(self) -> Tree:
        left = self.unary()
        while self.peek() in ("*", "/", "\\"):
            left = ("op", self.take(), left, self.unary())
        return left

    def unary(self) -> Tree:
        if self.peek() == "-":
            self.take()
            inner = self.unary()
            return ("num", -inner[1]) if inner[0] == "num" else ("op", "-", ("num", 0), inner)
        return self.primary()

    def primary(self) -> Tree:
        token = self.take()
        if token == "(":
            return self.bracketed()
        alone = _alone(token)
        if alone is None:
            raise Unsupported(f"{token!r} in {self.text}")
        if alone[0] != "const" or self.peek() != "(":
            return alone
        terms = [("fun", token, args) for args in self.arguments()]
        return terms[0] if len(terms) == 1 else ("pool", tuple(terms))

    def bracketed(self) -> Tree:
        """A term in brackets, a tuple, or a pool of such."""
        among: list[Tree] = []
        while True:
            terms, comma = [], False
            while self.peek() not in (";", ")"):
                terms.append(self.term())
                if self.peek() == ",":
                    comma = bool(self.take())
            among.append(terms[0] if len(terms) == 1 and not comma else ("fun", "", tuple(terms)))
            if self.take(";", ")") == ")":
                self.pooled = self.pooled or len(among) > 1
                return among[0] if len(among) == 1 else ("pool", tuple(among))


@lru_cache(maxsize=20_000)
def _alone(token: str) -> Tree | None:
    """The term that is this one token; None where it is none."""
    if token.isdigit():
        return ("num", int(token))
    if token[:1] == '"':
        return ("str", unquoted(token))
    if token == "_":
        return ("any",)
    if _VARIABLE.match(token):
        return ("var", token)
    return ("const", token) if _NAME.match(token) and token != "not" else None
