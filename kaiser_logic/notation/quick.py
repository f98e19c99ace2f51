"""Well-formed records read without the grammar, some ten times as fast.

What stands here accepts less than `grammar/record.lark` and reads it the same way. Whatever is unusual, wrong or very
large gives None: then the grammar is asked, and its messages are the only ones there are.
"""

from __future__ import annotations

import re
import sys
from functools import cached_property, lru_cache
from typing import Final, TypeAlias

from .record import NO_TEXT, Assertion, Fact, Literal, Move, PositionBlock, Tag
from .terms import UNKNOWN, Term, Value

Part: TypeAlias = Tag | Move | Assertion | PositionBlock

MOST: Final = 200_000
"""The characters of the longest text that is read here: so it has not too many words either."""
_NESTING: Final = 4
"""So deep are terms read here."""

# All quantifiers are possessive: nothing is tried twice, whatever a stranger wrote.
_BLANK: Final = r"[ \t\f\n]*+"
_NAME: Final = r"[a-z][A-Za-z0-9_]*+"
_INT: Final = r"-?+[0-9]{1,9}+(?![0-9])"


def _argument(depth: int) -> str:
    """The pattern of an argument that is nested at most so deep."""
    name = _NAME if depth == 0 else _function(depth)
    return rf"(?>{name}|{_INT}|\?)"


def _function(depth: int) -> str:
    """The pattern of a name with arguments, or without."""
    end = rf"(?:,(?!{_BLANK}\))|(?=\)))"
    return rf"{_NAME}(?:{_BLANK}\((?:{_BLANK}{_argument(depth - 1)}{_BLANK}{end})++\))?+"


_TERM: Final = _function(_NESTING)
_BETWEEN: Final = re.compile(r"(?:[ \t\f\n]++|%[^\n]*+)*+")
_WORD: Final = re.compile(r"[a-z][A-Za-z0-9_]*|-?[0-9]+|[(),?]")


class _Patterns:
    """What is compiled at its first use: that takes some milliseconds."""

    @cached_property
    def tag(self) -> re.Pattern[str]:
        return re.compile(rf'\[{_BLANK}([A-Za-z][A-Za-z0-9_]*+){_BLANK}"([^"\\\n]{{0,1000}}+)"{_BLANK}\]')

    @cached_property
    def move(self) -> re.Pattern[str]:
        return re.compile(rf"({_NAME}){_BLANK}:{_BLANK}(?:({_TERM})|\?)")

    @cached_property
    def opening(self) -> re.Pattern[str]:
        return re.compile(rf"(assert|position){_BLANK}\{{")

    @cached_property
    def literal(self) -> re.Pattern[str]:
        return re.compile(rf"(?:(not)[ \t\f\n]++(?=[a-z]))?({_TERM})")

    @cached_property
    def value(self) -> re.Pattern[str]:
        return re.compile(rf"{_BLANK}({_TERM}){_BLANK}")


_PATTERNS: Final = _Patterns()


def quick_record(text: str) -> list[Part] | None:
    """The parts of a record, or None where the grammar has to look at it; line ends are single line feeds."""
    return _Scanner(text).record() if len(text) <= MOST else None


def quick_value(text: str) -> Term | None:
    """The term that the text is, or None where the grammar has to look at it."""
    match = _PATTERNS.value.fullmatch(text)
    return _term(match[1]) if match else None


@lru_cache(maxsize=50_000)
def _term(text: str) -> Term:
    """The term of a text that has the form of one."""
    open_: list[list[Value]] = [[]]
    names: list[str] = []
    words = _WORD.findall(text)
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word == ")":
            args = open_.pop()
            open_[-1].append(Term(names.pop(), tuple(args)))
        elif word == "?":
            open_[-1].append(UNKNOWN)
        elif word not in "(,":
            if following == "(":
                names.append(sys.intern(word))
                open_.append([])
            else:
                open_[-1].append(Term(sys.intern(word)) if word[0].isalpha() else int(word))
    (found,) = open_[0]
    assert isinstance(found, Term)
    return found


class _Scanner:
    """Goes through a text once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._counted = 0
        self._line = 1
        self._start = 0

    def place(self, at: int) -> tuple[int, int]:
        """The line and column of a place, which is not before the last one asked for."""
        lines = self.text.count("\n", self._counted, at)
        if lines:
            self._line += lines
            self._start = self.text.rfind("\n", self._counted, at) + 1
        self._counted = at
        return self._line, at - self._start + 1

    def blank(self) -> None:
        """Passes over blanks and comments."""
        match = _BETWEEN.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What matches here, and goes on behind it."""
        match = pattern.match(self.text, self.at)
        if match:
            self.at = match.end()
        return match

    def record(self) -> list[Part] | None:
        """All parts: tags, then what happens."""
        found: list[Part] = []
        self.blank()
        while match := self.take(_PATTERNS.tag):
            if NO_TEXT.search(match[2]):
                return None
            found.append(Tag(match[1], match[2], *self.place(match.start(1))))
            self.blank()
        while self.at < len(self.text):
            part = self.item()
            if part is None:
                return None
            found.append(part)
            self.blank()
        return found

    def item(self) -> Move | Assertion | PositionBlock | None:
        """The move or block here."""
        match = self.take(_PATTERNS.move)
        if match:
            action = None if match[2] is None else _term(match[2])
            return Move(sys.intern(match[1]), action, *self.place(match.start()))
        match = self.take(_PATTERNS.opening)
        if not match:
            return None
        place = self.place(match.start())
        literals = self.literals()
        if literals is None:
            return None
        if match[1] == "assert":
            return Assertion(tuple(literals), *place)
        if not all(literal.positive for literal in literals):
            return None
        return PositionBlock(tuple(Fact(x.fact, x.line, x.column) for x in literals), *place)

    def literals(self) -> list[Literal] | None:
        """The literals of a block, and its end."""
        found: list[Literal] = []
        while True:
            self.blank()
            if self.text[self.at : self.at + 1] == "}":
                self.at += 1
                return found
            match = self.take(_PATTERNS.literal)
            if not match:
                return None
            found.append(Literal(match[1] is None, _term(match[2]), *self.place(match.start())))
            self.blank()
            if self.text[self.at : self.at + 1] == ".":
                self.at += 1
            elif self.text[self.at : self.at + 1] != "}":
                return None
