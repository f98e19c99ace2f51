"""Rules as patterns: what the engine knows of a rule without grounding it.

clingo parses the ``.lp`` files; its printer gives each rule back in one canonical form, and this module reads that
form (far faster than walking clingo's syntax tree). A pattern is a nested tuple:

* ``("v", name)``: a variable, or any term that is not looked into (arithmetic, intervals, pools, tuples),
* ``("c", text)``: a constant, a number or a string,
* ``("f", name, args)``: a function term.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from .pattern import Pattern, Signature

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[A-Za-z_][A-Za-z0-9_\']*|\d+|#[a-z]+|:-|\.\.|!=|<=|>=|\S')
_OPEN, _CLOSE = "([{", ")]}"


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate with the patterns of its arguments."""

    name: str
    args: tuple[Pattern, ...]

    @property
    def signature(self) -> Signature:
        """Name and arity."""
        return self.name, len(self.args)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a rulebook: heads (several where a pool stands in the head), body, and where it stands.

    ``inner`` are the atoms in aggregates and conditions, and those that are negated twice.
    """

    heads: tuple[Atom, ...]
    positive: tuple[Atom, ...]
    negative: tuple[Atom, ...]
    inner: tuple[Atom, ...]
    text: str
    node: Any = field(compare=False, repr=False)
    file: str = ""
    line: int = 0
    block: str | None = None

    @property
    def uses(self) -> set[Signature]:
        """The predicates of the body."""
        return {a.signature for group in (self.positive, self.negative, self.inner) for a in group}


class TermReader:
    """Reads the tokens of one printed rule."""

    def __init__(self, text: str) -> None:
        self.tokens = TOKEN.findall(text)
        self.at = 0
        self.fresh = 0

    def peek(self) -> str:
        """The token here; empty at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def skip(self, stops: str) -> None:
        """Moves to the next of the stops that stands outside of brackets."""
        depth = 0
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if depth == 0 and token in stops:
                return
            if token in _OPEN:
                depth += 1
            elif token in _CLOSE:
                depth -= 1
            self.at += 1

    def variable(self, mark: str = "?") -> Pattern:
        """A variable that stands for what is not looked into."""
        self.fresh += 1
        return ("v", f"_{mark}{self.fresh}")

    def term(self) -> Pattern:
        """One argument, up to the comma or bracket that ends it."""
        start = self.at
        token = self.peek()
        self.at += 1
        result: Pattern
        if token[0].isdigit() or token[0] == '"':
            result = ("c", token)
        elif token[0].islower():
            if self.peek() == "(":
                args = self.arguments()
                result = self.variable() if args is None else ("f", token, args)
            else:
                result = ("c", token)
        elif token == "_":
            result = self.variable("")
        elif token[0].isupper() or token[0] == "_":
            result = ("v", token)
        else:
            result = self.variable()
        if (result[0] == "v" and token[0] in "(-|") or self.peek() not in (",", ")", ";"):
            self.at = start
            self.skip(",);")
            result = self.variable()
        return result

    def arguments(self) -> tuple[Pattern, ...] | None:
        """The arguments in brackets; None where they are a pool."""
        start = self.at
        self.at += 1
        args = []
        while True:
            args.append(self.term())
            token = self.peek()
            self.at += 1
            if token == ")":
                return tuple(args)
            if token == ";":
                self.at = start + 1
                self.skip(")")
                self.at += 1
                return None

    def atom(self) -> Atom | None:
        """An atom, or None where something else stands here."""
        name = self.peek()
        if not name or not name[0].islower() or name == "not":
            return None
        self.at += 1
        if self.peek() != "(":
            return Atom(name, ())
        args = self.arguments()
        return None if args is None else Atom(name, args)


def _inner(tokens: list[str]) -> list[Atom]:
    """The atoms inside of an aggregate or a conditional literal: all that follows a colon or a comma after it."""
    found = []
    reader = TermReader("")
    reader.tokens = tokens
    armed = False
    while reader.at < len(tokens):
        token = reader.peek()
        if token == ":":
            armed = True
            reader.at += 1
        elif token in (";", "}"):
            armed = False
            reader.at += 1
        elif armed and token[0].islower() and token != "not":
            atom = reader.atom()
            if atom is not None:
                found.append(atom)
        else:
            reader.at += 1
    return found


def _pool_heads(reader: TermReader, end: int) -> tuple[Atom, ...]:
    """The alternatives of a pool in a head, ``p(a;b)``, as atoms."""
    name, heads = reader.tokens[0], []
    at, start, depth = 2, 2, 0
    while at < end:
        token = reader.tokens[at]
        if token in _OPEN:
            depth += 1
        elif token in _CLOSE:
            depth -= 1
        if (token == ";" and depth == 0) or depth < 0:
            part = TermReader("")
            part.tokens = [name, "(", *reader.tokens[start:at], ")"]
            atom = part.atom()
            if atom is not None:
                heads.append(atom)
            start = at + 1
        at += 1
    return tuple(heads)


def read_rule(text: str, node: Any, file: str = "", line: int = 0, block: str | None = None) -> Rule:
    """Reads a rule as clingo prints it."""
    reader = TermReader(text)
    head = reader.atom()
    heads: tuple[Atom, ...]
    if head is not None:
        heads = (head,)
    else:
        reader.at = 0
        reader.skip(":-.")
        heads = _pool_heads(reader, reader.at) if reader.at else ()
    positive: list[Atom] = []
    negative: list[Atom] = []
    inner: list[Atom] = []
    if reader.peek() == ":-":
        while reader.at < len(reader.tokens) - 1:
            reader.at += 1  # the sign before the literal
            start = reader.at
            signs = 0
            while reader.peek() == "not":
                signs += 1
                reader.at += 1
            atom = reader.atom()
            if atom is not None and reader.peek() in (";", "."):
                (positive, negative, inner)[min(signs, 2)].append(atom)
                continue
            reader.at = start
            reader.skip(";.")
            tokens = reader.tokens[start : reader.at]
            if "{" in tokens:
                inner += _inner(tokens)
            elif ":" in tokens:
                inner += _inner([":", *(t if t != ":" else "," for t in tokens)])
    return Rule(heads, tuple(positive), tuple(negative), tuple(inner), text, node, file, line, block)


# -- unification ---------------------------------------------------------------------------------------------------


def top(name: str, arity: int) -> Atom:
    """The atom that demands a predicate whatever its arguments."""
    return Atom(name, tuple(("v", f"X{k}") for k in range(arity)))
