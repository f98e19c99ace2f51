"""The one reader of rules, and of terms in them.

It reads what clingo's printer writes, one canonical form for each rule (far faster than walking clingo's syntax tree),
and the rules that the transformations emit, whose bodies may have commas for semicolons.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeAlias

from .pattern import Pattern
from .rule import HEAD, INNER, NEGATIVE, POSITIVE, TOKEN, Occurrence, Rule, by_place

_NAME = re.compile(r"(?!not$)_*[a-z]")
_VARIABLE = re.compile(r"_*[A-Z]")
_CONSTANT = re.compile(r'[\d"]')
_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_AGGREGATES = frozenset({"#sum", "#count", "#min", "#max"})
_ENDS = frozenset({",", ")", ";"})
"""What ends an argument."""
_Arguments: TypeAlias = tuple[tuple[Pattern, ...], tuple[tuple[int, int], ...]]


def read_rule(text: str, node: Any = None, file: str = "", line: int = 0, block: str | None = None) -> Rule:
    """Reads a rule as clingo prints it."""
    reader = _Reader(text)
    atoms = reader.atoms(HEAD)
    if reader.peek() not in (":-", ".", ""):
        atoms = []
        reader.skip(":-", ".")
    cuts: list[tuple[int, int]] = []
    while reader.peek() not in (".", ""):
        reader.at += 1  # the sign before the literal
        start = reader.at
        atoms += reader.literal()
        cuts.append((start, reader.at))
    return Rule(text, tuple(atoms), *by_place(atoms), tuple(cuts), node, file, line, block)


@lru_cache(maxsize=20_000)
def rule_of(text: str) -> Rule:
    """A rule that stands in no file, read from its text."""
    return read_rule(text)


def read_term(text: str) -> Pattern:
    """The pattern of a term as text."""
    reader = _Reader(f"({text})")
    reader.at = 1
    return reader.term()


class _Reader:
    """Reads the tokens of one rule."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = TOKEN.findall(text)
        self.count = len(self.tokens)
        self.tokens += [""] * (3 + text.count("("))  # so that nobody has to ask whether the end is near
        self.at = 0
        self.fresh = 0

    def peek(self) -> str:
        """The token here; empty at the end."""
        return self.tokens[self.at]

    def skip(self, *stops: str) -> str:
        """Moves to the next of the stops that stands outside of brackets, and says which; empty at the end."""
        depth, tokens = 0, self.tokens
        for at in range(self.at, self.count):
            token = tokens[at]
            if depth == 0 and token in stops:
                self.at = at
                return token
            if token in _BRACKETS:
                depth += _BRACKETS[token]
        self.at = max(self.at, self.count)
        return ""

    # -- literals ------------------------------------------------------------------------------------------------

    def signs(self) -> int:
        """Passes over ``not``, and says how often it stands here."""
        start = self.at
        while self.peek() == "not":
            self.at += 1
        return self.at - start

    def literal(self) -> list[Occurrence]:
        """The atoms of the literal here, up to what ends it."""
        start = self.at
        place = (POSITIVE, NEGATIVE, INNER)[min(self.signs(), 2)]
        atoms = self.atoms(place)
        if atoms and self.peek() in (",", ";", ".", ""):
            return atoms if len(atoms) == 1 else [replace(a, place=INNER) for a in atoms]
        self.at = start
        end = self.skip(",", ";", ".", ":")
        if end == ":":
            self.skip(";", ".")
        stop = self.at
        self.at = start
        found: list[Occurrence] = []
        if end == ":":
            found = list(self.elements(stop, True))
        elif "{" in self.tokens[start:stop]:
            self.at = self.tokens.index("{", start) + 1
            found = list(self.elements(stop, _AGGREGATES.isdisjoint(self.tokens[start : self.at])))
        self.at = stop
        return found

    def elements(self, end: int, literals: bool) -> Iterator[Occurrence]:
        """The atoms of an aggregate's elements or of a conditional literal, up to the token ``end``.

        ``literals``: whether literals stand before a colon too; otherwise terms do.
        """
        armed = literals
        while True:
            if armed:
                self.signs()
                atoms = self.atoms(INNER)
                if self.at >= end or self.peek() in (",", ";", ":", "}"):
                    yield from atoms
            token = self.skip(",", ";", ":", "}")
            if self.at >= end or token == "}":
                return
            armed = literals or token == ":" or (armed and token == ",")
            self.at += 1

    # -- atoms and terms -----------------------------------------------------------------------------------------

    def atoms(self, place: str) -> list[Occurrence]:
        """The atom here, or those of a pool; none where something else stands here."""
        start = self.at
        name = self.tokens[start]
        if _sort(name) != "name":
            return []
        self.at = start + 1
        found = self.arguments() if self.tokens[start + 1] == "(" else [((), ())]
        return [Occurrence(name, args, place, start, self.at, spans) for args, spans in found]

    def arguments(self) -> list[_Arguments]:
        """The arguments in brackets, for each alternative of a pool, with their tokens."""
        tokens = self.tokens
        found: list[_Arguments] = []
        args: list[Pattern] = []
        spans: list[tuple[int, int]] = []
        while True:
            start = self.at + 1
            alone = _alone(tokens[start]) if tokens[start + 1] in _ENDS else None
            if alone is not None:  # most arguments are one token
                args.append(alone)
                self.at = start + 1
            else:
                self.at = start
                args.append(self.term())
            spans.append((start, self.at))
            end = tokens[self.at]
            if end != ",":
                found.append((tuple(args), tuple(spans)))
                args, spans = [], []
                if end in (")", ""):
                    self.at += 1
                    return found

    def term(self) -> Pattern:
        """One argument, up to what ends it."""
        start, token = self.at, self.peek()
        self.at += 1
        result: Pattern | None = None
        sort = _sort(token)
        if sort == "variable":
            result = ("v", token)
        elif sort == "name":
            result = ("c", token) if self.peek() != "(" else self.function(token)
        elif sort == "constant":
            result = ("c", token)
        elif token == "_":
            result = self.variable("")
        elif token == "-" and self.peek().isdigit():
            result = ("c", str(-int(self.peek())))
            self.at += 1
        if result is None or self.peek() not in _ENDS:
            self.at = start
            self.skip(",", ")", ";")
            result = self.variable("?")
        return result

    def function(self, name: str) -> Pattern:
        """A function term; of a pool only that it has so many arguments."""
        (args, _), *others = self.arguments()
        if not others:
            return ("f", name, args)
        if any(len(other) != len(args) for other, _ in others):
            return self.variable("?")
        return ("f", name, tuple(self.variable("?") for _ in args))

    def variable(self, mark: str) -> Pattern:
        """A variable that stands for what is not looked into (``?``), or for anything."""
        self.fresh += 1
        return ("v", f"_{mark}{self.fresh}")


@lru_cache(maxsize=20_000)
def _alone(token: str) -> Pattern | None:
    """The pattern of a term that is this one token, if it is a variable with a name, a name, a number or a text."""
    sort = _sort(token)
    return ("v" if sort == "variable" else "c", token) if sort else None


@lru_cache(maxsize=20_000)
def _sort(token: str) -> str:
    """What a token is: a variable, a name, a number or a text (``constant``); empty for anything else."""
    if _VARIABLE.match(token):
        return "variable"
    if _NAME.match(token):
        return "name"
    return "constant" if _CONSTANT.match(token) else ""
