"""Recorded games, in the spirit of PGN: tags, then moves, assertions and positions.

    >>> moves = Move("red", Term.of("empire_city", "boehmen")), Move("green", None)
    >>> print(Record((Tag("Game", "kaiser"), Tag("Seats", "red green")), moves))
    [Game "kaiser"]
    [Seats "red green"]
    <BLANKLINE>
    red: empire_city(boehmen)
    green: ?
    <BLANKLINE>

This module defines records, checks their tags and prints them; `reading` makes them from text. Comparisons ignore places and
paths. A place is a line and a column, from 1; both are 0 for a part that was not read from text.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Final, TypeAlias

from ..errors import UnreadableInput
from ..presenters import present
from .terms import NAME, Term

NO_TEXT: Final = re.compile("[\\x00-\\x08\\x0a-\\x1f\\x7f-\\x9f\\ud800-\\udfff]")
"""The characters that the text of a tag cannot contain: control characters except the tab, and surrogates."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact and its place."""

    term: Term
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal of an assertion: the fact holds or, if ``positive`` is False, does not hold."""

    positive: bool
    fact: Term
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag `[Name "value"]`; the value is without quotes and escapes."""

    name: str
    value: str
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Move:
    """A move `role: action`; the action is None if the record has `?`."""

    role: str
    action: Term | None
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Assertion:
    """An assertion `assert { p. not q. }`: facts that hold, or do not hold, at this point of the game."""

    literals: tuple[Literal, ...]
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class PositionBlock:
    """A position block `position { p. q. }`: all facts that hold at this point of the game."""

    facts: tuple[Fact, ...]
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)

    @property
    def terms(self) -> frozenset[Term]:
        """The facts as a set, without their places."""
        return frozenset(fact.term for fact in self.facts)


Item: TypeAlias = Move | Assertion | PositionBlock
"""The items of a record after its tags."""


@dataclass(frozen=True)
class Record:
    """A recorded game. The tags that mean the same in all games have been checked.

    Attributes:
        tags: The tags; `Game` is the first.
        items: Moves, assertions and positions.
        path: The file that contains the record, or None.
        source: The rulebook that replaces the one that `Game` names, or None. It never comes from the record's text.
        board_text: The text of the board file, if the caller has it. Then no file is opened.
    """

    tags: tuple[Tag, ...]
    items: tuple[Item, ...] = ()
    path: str | None = field(default=None, compare=False)
    source: str | Path | None = field(default=None, compare=False)
    board_text: str | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Checks the tags that mean the same in all games; UnreadableInput if one is wrong."""
        if not self.tags or self.tags[0].name != "Game":
            raise fault(
                'a record begins with the tag Game, such as [Game "kaiser"]',
                self.path,
                *self.tags,
                *self.items,
            )
        given = set()
        for tag in self.tags:
            pattern, meaning = MEANINGS.get(tag.name, (None, ""))
            if pattern is None:
                continue
            if not pattern.fullmatch(tag.value):
                raise fault(f"the tag '{tag.name}' wants {meaning}", self.path, tag)
            if tag.name in {"Seats", "Result"} and len(set(roles := tag.value.split())) < len(roles):
                raise fault(f"the tag '{tag.name}' names a role twice", self.path, tag)
            unique = f"Option {_ruling(tag)[0]}" if tag.name == "Option" else tag.name
            if unique in given:
                raise fault(f"the tag '{unique}' is given twice", self.path, tag)
            given.add(unique)

    def __str__(self) -> str:
        """The text of the record; reading it gives an equal record."""
        return print_record(self)

    def _repr_html_(self) -> str | None:
        """The record as a page, for notebooks."""
        return present(self, "_repr_html_")

    def tag(self, name: str) -> str | None:
        """The value of a tag; None without the tag, UnreadableInput if it is given twice."""
        tags = [tag for tag in self.tags if tag.name == name]
        if len(tags) > 1:
            raise fault(f"the tag '{name}' is given twice", self.path, tags[1])
        return tags[0].value if tags else None

    def tag_values(self, name: str) -> tuple[str, ...]:
        """The values of a tag that may be repeated."""
        return tuple(tag.value for tag in self.tags if tag.name == name)

    @property
    def game_id(self) -> str:
        """The value of the tag `Game`."""
        return self.tags[0].value

    @property
    def edition(self) -> str:
        """The value of the tag `Edition`, by default `standard`."""
        return self.tag("Edition") or "standard"

    @property
    def options(self) -> dict[str, str]:
        """The rulings that the tags `Option` change, such as `archbishop_marriage` to `allowed`."""
        return dict(_ruling(tag) for tag in self.tags if tag.name == "Option")

    @property
    def seats(self) -> tuple[str, ...] | None:
        """The players, clockwise; None without the tag `Seats`."""
        seats = self.tag("Seats")
        return tuple(seats.split()) if seats else None

    @property
    def board(self) -> str | None:
        """The value of the tag `Board`, a path relative to the record; None without it."""
        return self.tag("Board")

    @property
    def result(self) -> tuple[str, ...] | None:
        """The winners; empty in an unfinished game (`*`) or a drawn one, None without the tag `Result`."""
        result = self.tag("Result")
        return None if result is None else tuple(result.replace("*", "").split())

    @property
    def drawn(self) -> bool:
        """Whether the record says that the game is over and nobody has won: `[Result ""]`."""
        result = self.tag("Result")
        return result is not None and not result.strip()

    def under(
        self,
        source: str | Path | None = None,
        edition: str | None = None,
        options: Mapping[str, str] | None = None,
    ) -> Record:
        """The record under other rules than its tags name.

        Args:
            source: A game's id or a folder with a rulebook. The rulebook is trusted like a program.
            edition: Another edition. The rulings that the record changes stay changed.
            options: Rulings that differ from the edition, name to value.
        """
        tags = list(self.tags)
        wanted = {f"Option {name}": f"{name}={value}" for name, value in (options or {}).items()}
        if edition is not None:
            wanted["Edition"] = edition
        for number, tag in enumerate(tags):
            name = f"Option {_ruling(tag)[0]}" if tag.name == "Option" else tag.name
            if name in wanted:
                tags[number] = replace(tag, value=wanted.pop(name))
        tags[1:1] = [Tag(name.partition(" ")[0], value) for name, value in wanted.items()]
        return replace(self, tags=tuple(tags), source=source if source is not None else self.source)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The moves. `FILE@N` counts them."""
        return tuple(item for item in self.items if isinstance(item, Move))


MEANINGS: Final = {
    "Game": (re.compile(r".*\S.*"), "the name of a game"),
    "Edition": (NAME, "the name of an edition"),
    "Option": (re.compile(r"[a-z]\w*\s*=\s*([a-z]\w*|-?\d{1,9})", re.ASCII), "a ruling as 'name=value'"),
    "Seats": (re.compile(r"\s*[a-z]\w*(\s+[a-z]\w*)*\s*", re.ASCII), "roles separated by blanks"),
    "Board": (re.compile(r".*\S.*"), "the name of a file"),
    "Result": (
        re.compile(r"\s*(\*|[a-z]\w*(\s+[a-z]\w*)*)?\s*", re.ASCII),
        "winners separated by blanks, nothing for a draw, or '*' while the game goes on",
    ),
}
"""The tags that mean the same in all games: the syntax of their values, and its description for messages.

Only `Option` may be repeated."""


def _ruling(tag: Tag) -> tuple[str, str]:
    name, value = tag.value.split("=")
    return name.strip(), value.strip()


def fault(message: str, path: str | None, *where: Tag | Item) -> UnreadableInput:
    """An UnreadableInput at the first of some parts; without a place if that part was not read from text."""
    place = (where[0].line, where[0].column) if where and where[0].line else ()
    return UnreadableInput(message, path, *place)


# --- printing ---------------------------------------------------------------------------------

_WIDTH: Final = 100
"""The largest width of the lines of a block."""


def print_record(record: Record) -> str:
    """The text of a record: tags, a blank line, and each item on lines of its own. `parse_record` reads it."""
    tags = [_print_tag(tag) for tag in record.tags]
    items = [_print_item(item) for item in record.items]
    return "\n".join([*tags, "", *items, ""] if items else [*tags, ""])


def _print_tag(tag: Tag) -> str:
    escaped = re.sub(r'(["\\])', r"\\\1", tag.value)
    return f'[{tag.name} "{escaped}"]'


def _print_item(item: Item) -> str:
    match item:
        case Move(role, action):
            return f"{role}: {'?' if action is None else action}"
        case Assertion(literals):
            words = [
                f"{literal.fact}." if literal.positive else f"not {literal.fact}." for literal in literals
            ]
            line = " ".join(["assert {", *words, "}"])
            return line if len(line) <= _WIDTH else _print_block("assert", [words])
        case PositionBlock(facts):
            groups = groupby((fact.term for fact in facts), key=lambda term: term.name)
            return _print_block("position", [[f"{term}." for term in terms] for _, terms in groups])


def _print_block(keyword: str, groups: Iterable[list[str]]) -> str:
    """A block in braces. Each group begins on a new line; long groups take several lines."""
    lines = (
        textwrap.fill(
            " ".join(group),
            _WIDTH,
            initial_indent="    ",
            subsequent_indent="        ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for group in groups
    )
    return "\n".join([f"{keyword} {{", *lines, "}"])
