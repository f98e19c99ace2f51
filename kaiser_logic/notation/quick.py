"""A scanner for well-formed records, some ten times as fast as the grammar.

It accepts less than `grammar/record.lark` and gives the same values. It returns None for text that is unusual, wrong or very
large. The grammar then parses the text, so that all messages come from the grammar.
"""

from __future__ import annotations

import re
import sys
from functools import cached_property, lru_cache
from typing import Final

from ..errors import UnreadableInput
from .nesting import Element, Gap, Paren, Part, nest
from .record import NO_TEXT, Assertion, Literal, Move, PositionBlock, RecordedFact, Tag
from .terms import UNKNOWN, Term, Value

MOST: Final = 200_000
"""The largest number of characters of a text for the scanner. So the text has at most `MAX_WORDS` words."""
_DEEPEST: Final = 8
"""The largest depth of variations for the scanner."""
_NESTING: Final = 4
"""The largest depth of terms for the scanner."""

# All quantifiers are possessive, so that no text can cause backtracking.
_BLANK: Final = r"[ \t\f\v\n]*+"
_NAME: Final = r"[a-z][A-Za-z0-9_]*+"
_INT: Final = r"-?+[0-9]{1,9}+(?![0-9])"


def _argument(depth: int) -> str:
    """The pattern of an argument of at most this depth."""
    name = _NAME if depth == 0 else _function(depth)
    return rf"(?>{name}|{_INT}|\?)"


def _function(depth: int) -> str:
    """The pattern of a name with or without arguments, of at most this depth."""
    end = rf"(?:,(?!{_BLANK}\))|(?=\)))"
    return rf"{_NAME}(?:{_BLANK}\((?:{_BLANK}{_argument(depth - 1)}{_BLANK}{end})++\))?+"


_TERM: Final = _function(_NESTING)
_BETWEEN: Final = re.compile(r"(?:[ \t\f\v\n]++|%[^\n]*+)*+")
_WORD: Final = re.compile(r"[a-z][A-Za-z0-9_]*|-?[0-9]+|[(),?]")


class _Patterns:
    """Regular expressions. Each is compiled at its first use, as compiling takes some milliseconds."""

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
        return re.compile(rf"(?:(not)[ \t\f\v\n]++(?=[a-z]))?({_TERM})")

    @cached_property
    def value(self) -> re.Pattern[str]:
        return re.compile(rf"{_BLANK}({_TERM}){_BLANK}")


_PATTERNS: Final = _Patterns()


def quick_record(text: str, first: tuple[int, int] = (1, 1)) -> list[Part] | None:
    """The parts of a record, or None if the grammar has to parse it. Line ends are single line feeds."""
    return _Scanner(text, first).record() if len(text) <= MOST else None


def quick_value(text: str) -> Term | None:
    """The term in a text, or None if the grammar has to parse it."""
    match = _PATTERNS.value.fullmatch(text)
    return _term(match[1]) if match else None


@lru_cache(maxsize=50_000)
def _term(text: str) -> Term:
    """The term in a text that matches the pattern of terms."""
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
    (term,) = open_[0]
    assert isinstance(term, Term)
    return term


class _Scanner:
    """Scans a text once, from left to right."""

    def __init__(self, text: str, first: tuple[int, int]) -> None:
        self.text = text
        self.at = 0
        self._counted = 0
        self._line = first[0]
        self._start = 1 - first[1]
        self._elements: list[Element] = []
        self._gaps: list[Gap] = []
        self._said = "%" in text
        self._inside = False

    def place(self, at: int) -> tuple[int, int]:
        """The line and column of an offset. Offsets must not decrease from call to call."""
        lines = self.text.count("\n", self._counted, at)
        if lines:
            self._line += lines
            self._start = self.text.rfind("\n", self._counted, at) + 1
        self._counted = at
        return self._line, at - self._start + 1

    def blank(self) -> None:
        """Skips blanks and comments; a gap with comments is noted."""
        match = _BETWEEN.match(self.text, self.at)
        if match and self._said and "%" in match[0]:
            number = len(self._elements)
            self._gaps.append(Gap(self.at, match.end(), number - (not self._inside), number))
        self.at = match.end() if match else self.at

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The match at the current offset, or None. After a match the offset is its end."""
        match = pattern.match(self.text, self.at)
        if match:
            self.at = match.end()
        return match

    def record(self) -> list[Part] | None:
        """All parts: the tags, then the items; None if the text is not in the usual form."""
        elements, depth = self._elements, 0
        self.blank()
        while match := self.take(_PATTERNS.tag):
            if NO_TEXT.search(match[2]):
                return None
            elements.append(Tag(match[1], match[2], *self.place(match.start(1))))
            self.blank()
        while self.at < len(self.text):
            sign = self.text[self.at]
            if sign == "(" and depth < _DEEPEST:
                elements.append(Paren(True, *self.place(self.at)))
                self.at += 1
                depth += 1
                self.blank()
                sign = ""
            if sign == ")" and depth:
                elements.append(Paren(False))
                self.at += 1
                depth -= 1
            else:
                part = self.item()
                if part is None:
                    return None
                elements.append(part)
            self.blank()
        try:
            return None if depth else nest(self.text, elements, self._gaps)
        except UnreadableInput:
            return None

    def item(self) -> Move | Assertion | PositionBlock | None:
        """The move or block at the current offset, or None."""
        match = self.take(_PATTERNS.move)
        if match:
            action = None if match[2] is None else _term(match[2])
            return Move(sys.intern(match[1]), action, *self.place(match.start()))
        match = self.take(_PATTERNS.opening)
        if not match:
            return None
        place = self.place(match.start())
        self._inside = True
        literals = self.literals()
        self._inside = False
        if literals is None:
            return None
        if match[1] == "assert":
            return Assertion(tuple(literals), *place)
        if not all(literal.positive for literal in literals):
            return None
        return PositionBlock(tuple(RecordedFact(x.fact, x.line, x.column) for x in literals), *place)

    def literals(self) -> list[Literal] | None:
        """Reads the literals of a block and its closing brace, and returns the literals, or None."""
        literals_read: list[Literal] = []
        while True:
            self.blank()
            if self.text[self.at : self.at + 1] == "}":
                self.at += 1
                return literals_read
            match = self.take(_PATTERNS.literal)
            if not match:
                return None
            literals_read.append(Literal(match[1] is None, _term(match[2]), *self.place(match.start())))
            self.blank()
            if self.text[self.at : self.at + 1] == ".":
                self.at += 1
            elif self.text[self.at : self.at + 1] != "}":
                return None
