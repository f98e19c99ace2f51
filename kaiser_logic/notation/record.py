"""Recorded games, in the spirit of PGN: tags, then moves, assertions and positions.

    >>> moves = Move("red", Term.make("empire_city", "boehmen")), Move("green", None)
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
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Final, TypeAlias

from ..errors import UnreadableInput, WrongUsage
from ..upward import ShownInNotebooks
from .terms import NAME, Term

NO_TEXT: Final = re.compile("[\\x00-\\x08\\x0a-\\x1f\\x7f-\\x9f\\ud800-\\udfff]")
"""The characters that the text of a tag cannot contain: control characters except the tab, and surrogates."""


@dataclass(frozen=True, slots=True)
class RecordedFact:
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
    comment: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Move:
    """A move `role: action`; the action is None if the record has `?`. Its variations begin before it."""

    role: str
    action: Term | None
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)
    comment: str = field(default="", compare=False)
    variations: tuple[Variation, ...] = ()


@dataclass(frozen=True, slots=True)
class Assertion:
    """An assertion `assert { p. not q. }`: facts that hold, or do not hold, at this point of the game."""

    literals: tuple[Literal, ...]
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)
    comment: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class PositionBlock:
    """A position block `position { p. q. }`: all facts that hold at this point of the game."""

    facts: tuple[RecordedFact, ...]
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)
    comment: str = field(default="", compare=False)

    @property
    def terms(self) -> frozenset[Term]:
        """The facts as a set, without their places."""
        return frozenset(fact.term for fact in self.facts)


Item: TypeAlias = Move | Assertion | PositionBlock
"""The items of a record after its tags."""


@dataclass(frozen=True, slots=True)
class Variation:
    """A variation `( role: action ... )`: how the game could have gone on in place of the move after which it stands."""

    items: tuple[Item, ...]
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves, without those of its own variations."""
        return tuple(item for item in self.items if isinstance(item, Move))


@dataclass(frozen=True)
class Record(ShownInNotebooks):
    """A recorded game. The tags that mean the same in all games have been checked.

    Attributes:
        tags: The tags; `Game` is the first.
        items: Moves, assertions and positions.
        path: The file that contains the record, or None.
        source: The rulebook that replaces the one that `Game` names, or None. It never comes from the record's text.
        board_text: The text of the board file, if the caller has it. Then no file is opened.
        number: The number of the record in its file, from 1, if the file has several; then the path ends in ``#`` and the number.
        branches: In the record of a line: how many moves stand before each variation that it goes through, and the
            variation's name.

    >>> from kaiser_logic.notation.reading import parse_record
    >>> record = parse_record('[Game "kaiser"] [Seats "red green blue"] red: empire_city(koeln)')
    >>> record.tag("Game"), record.moves[0].role, str(record.moves[0].action)
    ('kaiser', 'red', 'empire_city(koeln)')
    >>> parse_record(str(record)) == record
    True
    """

    tags: tuple[Tag, ...]
    items: tuple[Item, ...] = ()
    path: str | None = field(default=None, compare=False)
    source: str | Path | None = field(default=None, compare=False)
    board_text: str | None = field(default=None, compare=False)
    number: int = field(default=0, compare=False)
    branches: tuple[tuple[int, str], ...] = field(default=(), compare=False)

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

    def with_rules(
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

    @cached_property
    def variations(self) -> dict[str, Variation]:
        """All variations by name, in the order of the text. `12a` is the first one that replaces move 13.

        In variations the names go on: `12a.3b` is the second one that replaces the fourth move of `12a`.
        """
        return dict(_variations(self.items, ""))

    @property
    def comments(self) -> dict[str, str]:
        """The comments by place, without percent signs; those of a move are at the place after it, those of tags at `0`.

        >>> from .reading import parse_record
        >>> record = parse_record('''[Game "kaiser"] % at home
        ... red: empire_city(boehmen)   % as usual
        ... ( red: empire_city(trier) % bold
        ... )''')
        >>> record.comments
        {'0': 'at home', '1': 'as usual', '0a.1': 'bold'}
        """
        texts_at: dict[str, list[str]] = {}
        for tag in self.tags:
            if tag.comment:
                texts_at.setdefault("0", []).append(tag.comment)
        for place, item in items_with_places(self.items):
            if item.comment:
                texts_at.setdefault(place, []).append(item.comment)
        return {place: "\n".join(texts) for place, texts in texts_at.items()}

    def line(self, place: str) -> tuple[Record, int]:
        """The record of the line through a place, and the number of its moves up to there.

        A place is a number of moves; `12a.3` is a place in a variation: the first three moves of `12a`. A name of a variation
        alone is its end.

        Raises:
            WrongUsage: The record has no such place.
        """
        match = _PLACE.fullmatch(place)
        if match is None:
            raise WrongUsage(
                f"{place[:40]!r} is no place in a record: write a number of moves, such as 12, or 12a.3 in a variation"
            )
        numbers, names = re.findall(r"\d+", place), re.findall(r"[a-z]+", place)
        items: tuple[Item, ...] = ()
        rest, before, said, branches = self.items, 0, "", []
        for number, name in zip(numbers, names, strict=False):
            said += number
            at = [i for i, item in enumerate(rest) if isinstance(item, Move)][int(number) : int(number) + 1]
            move = rest[at[0]] if at else None
            choices = move.variations if isinstance(move, Move) else ()
            if (index := _index(name)) >= len(choices):
                raise WrongUsage(f"there is no variation {said}{name}{_choices(said, len(choices))}")
            items += rest[: at[0]]
            before, said, rest = before + int(number), said + name, choices[index].items
            branches.append((before, said))
            said += "."
        moves = sum(isinstance(item, Move) for item in rest)
        after = int(numbers[-1]) if len(numbers) > len(names) else moves
        if after > moves:
            what = f"the variation {said.rstrip('.')}" if branches else self.path or "the record"
            raise WrongUsage(f"{what} has {moves} moves, not {after}")
        record = replace(self, items=items + rest, branches=tuple(branches)) if branches else self
        return record, before + after

    def place(self, moves: int) -> str:
        """The name of the place after a number of moves; in the record of a line it may be a place in a variation."""
        for start, name in reversed(self.branches):
            if moves >= start:
                return f"{name}.{moves - start}"
        return str(moves)


_PLACE: Final = re.compile(r"[0-9]{1,9}(?:[a-z]{1,4}\.[0-9]{1,9})*(?:[a-z]{1,4})?")


def letters(index: int) -> str:
    """The letters of a variation by its number from 0: a to z, then aa, ab and so on."""
    text = ""
    index += 1
    while index:
        index, digit = divmod(index - 1, 26)
        text = chr(ord("a") + digit) + text
    return text


def _index(name: str) -> int:
    number = 0
    for letter in name:
        number = number * 26 + ord(letter) - ord("a") + 1
    return number - 1


def _choices(place: str, count: int) -> str:
    """What to write instead, for a message."""
    if not count:
        return ""
    return f": there is {place}a" if count == 1 else f": there are {place}a to {place}{letters(count - 1)}"


def items_with_places(items: Iterable[Item], name: str = "") -> Iterator[tuple[str, Item]]:
    """The items with their places, also those of variations.

    The place of a move is the one after it, the place of a block the one where it stands.

    Args:
        items: The items of a record or of a variation.
        name: The name of the variation; empty for a record.
    """
    moves = 0
    prefix = f"{name}." if name else ""
    for item in items:
        moves += isinstance(item, Move)
        yield f"{prefix}{moves}", item
        for number, variation in enumerate(item.variations if isinstance(item, Move) else ()):
            yield from items_with_places(variation.items, f"{prefix}{moves - 1}{letters(number)}")


def _variations(items: Iterable[Item], prefix: str) -> Iterator[tuple[str, Variation]]:
    """The variations of items and those in them, by name."""
    moves = 0
    for item in items:
        if isinstance(item, Move):
            for number, variation in enumerate(item.variations):
                name = f"{prefix}{moves}{letters(number)}"
                yield name, variation
                yield from _variations(variation.items, f"{name}.")
            moves += 1


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
    tags = [_with_comment(print_tag(tag), tag.comment) for tag in record.tags]
    items = [print_item(item) for item in record.items]
    return "\n".join([*tags, "", *items, ""] if items else [*tags, ""])


def print_variation(variation: Variation) -> str:
    """The lines of a variation, without indentation."""
    lines = "\n".join(map(print_item, variation.items))
    closed = "\n)" if "%" in lines.rpartition("\n")[2] else " )"
    return f"( {textwrap.indent(lines, '  ')[2:]}{closed}"


def _with_comment(text: str, comment: str) -> str:
    """A part with its comment: one line behind it, several lines above it."""
    lines = [f"% {line}".rstrip() for line in comment.split("\n")] if comment else []
    if len(lines) == 1:
        return f"{text}  {lines[0]}"
    return "\n".join([*lines, text])


def print_tag(tag: Tag) -> str:
    """A tag without its comment."""
    escaped = re.sub(r'(["\\])', r"\\\1", tag.value)
    return f'[{tag.name} "{escaped}"]'


def print_item(item: Item) -> str:
    """The lines of an item, with its comment and its variations."""
    return _with_comment(_print_alone(item), item.comment) + "".join(
        "\n" + textwrap.indent(print_variation(variation), "    ")
        for variation in (item.variations if isinstance(item, Move) else ())
    )


def _print_alone(item: Item) -> str:
    match item:
        case Move(role, action):
            return f"{role}: {'?' if action is None else action}"
        case Assertion(literals):
            words = [f"{literal.fact}." if literal.positive else f"not {literal.fact}." for literal in literals]
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
