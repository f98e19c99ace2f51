"""Reads untrusted files and texts: recorded games, positions, board files.

>>> record = parse_record('[Game "kaiser"] [Seats "red green"]  red: empire_city(boehmen)  green: ?')
>>> record.game_id, record.seats, str(record.moves[0].action)
('kaiser', ('red', 'green'), 'empire_city(boehmen)')
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..errors import UnreadableInput, WrongUsage, exhausted
from .record import Fact, Item, PositionBlock, Record, Tag, fault
from .syntax import MAX_BYTES, TOO_LARGE, parse, parse_facts, place_after
from .terms import Term


def parse_record(text: str, path: str | None = None) -> Record:
    """The record in a text; UnreadableInput if there is none."""
    return _record(parse("record", text, path), path)


def read(path: str | os.PathLike[str]) -> Record:
    """The record in a file; UnreadableInput if there is none."""
    return parse_record(read_text(path), os.fspath(path))


@dataclass(frozen=True)
class PositionFile:
    """The facts of a position, and the record that contains them, if there is one.

    Only a record names the game, with edition, options and seats. Bare facts, also in `position { }`, do not.
    """

    facts: tuple[Fact, ...]
    record: Record | None = None

    @property
    def terms(self) -> frozenset[Term]:
        """The facts as a set, without their places."""
        return frozenset(fact.term for fact in self.facts)


def parse_position(text: str, path: str | None = None) -> PositionFile:
    """The position in a text. The text has bare facts or exactly one position block, with or without tags."""
    parts = parse("position", text, path)
    facts = tuple(part for part in parts if isinstance(part, Fact))
    blocks = [part for part in parts if isinstance(part, PositionBlock)]
    if not facts and len(blocks) != 1:
        problem = (
            "there is more than one position"
            if blocks
            else "there is no position: neither facts nor 'position { }'"
        )
        raise fault(problem, path, *blocks[1:])
    bare = bool(facts) or parts == blocks
    return PositionFile(facts or blocks[0].facts, None if bare else _record(parts, path))


def read_position(path: str | os.PathLike[str]) -> PositionFile:
    """The position in a file; see `parse_position`."""
    return parse_position(read_text(path), os.fspath(path))


def _record(parts: Iterable[object], path: str | None) -> Record:
    tags, items = [], []
    for part in parts:
        if isinstance(part, Tag):
            tags.append(part)
        elif isinstance(part, Item):
            items.append(part)
    return Record(tuple(tags), tuple(items), path)


def read_facts(path: str | os.PathLike[str]) -> list[Fact]:
    """The facts in a board file; UnreadableInput if it cannot be read."""
    return parse_facts(read_text(path), os.fspath(path))


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of an untrusted file; UnreadableInput if it is too large or not in UTF-8."""
    name = os.fspath(path)
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        if exhausted(error):
            raise
        reason = error.strerror if isinstance(error, OSError) else None
        raise UnreadableInput(f"cannot be read: {reason or error}", name) from None
    if len(data) > MAX_BYTES:
        raise UnreadableInput(TOO_LARGE, name)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        message = f"this is not a text in UTF-8 (byte 0x{data[error.start]:02x})"
        raise UnreadableInput(message, name, *place_after(data[: error.start].decode())) from None


def build_record(
    tags: Mapping[str, str] | Iterable[tuple[str, str]], items: Iterable[Item] = (), path: str | None = None
) -> Record:
    """A record from values; WrongUsage if reading its text would not give an equal record."""
    pairs = tags.items() if isinstance(tags, Mapping) else tags
    record = Record(tuple(Tag(name, value) for name, value in pairs), tuple(items), path)
    try:
        if parse_record(str(record)) == record:
            return record
        reason = "its text reads differently"
    except UnreadableInput as error:
        reason = error.message
    raise WrongUsage(f"these values do not form a record: {reason}")
