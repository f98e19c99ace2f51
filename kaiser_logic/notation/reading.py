"""Reads untrusted files and texts: recorded games, positions, board files.

>>> record = parse_record('[Game "kaiser"] [Seats "red green"]  red: empire_city(boehmen)  green: ?')
>>> record.game_id, record.seats, str(record.moves[0].action)
('kaiser', ('red', 'green'), 'empire_city(boehmen)')
"""

from __future__ import annotations

import io
import os
import stat
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from ..errors import UnreadableInput, WrongUsage, is_exhausted
from .record import Item, PositionBlock, Record, RecordedFact, Tag, fault
from .syntax import MAX_BYTES, TOO_LARGE, parse, parse_facts, place_after
from .terms import Term


def parse_record(text: str, path: str | None = None) -> Record:
    """The record in a text; UnreadableInput if there is none."""
    return record_from(parse("record", text, path), path)


@dataclass(frozen=True)
class PositionFile:
    """The facts of a position, and the record that contains them, if there is one.

    Only a record names the game, with edition, options and seats. Bare facts, also in `position { }`, do not.
    """

    facts: tuple[RecordedFact, ...]
    record: Record | None = None

    @property
    def terms(self) -> frozenset[Term]:
        """The facts as a set, without their places."""
        return frozenset(fact.term for fact in self.facts)


def parse_position(text: str, path: str | None = None) -> PositionFile:
    """The position in a text. The text has bare facts or exactly one position block, with or without tags."""
    parts = parse("position", text, path)
    facts = tuple(part for part in parts if isinstance(part, RecordedFact))
    blocks = [part for part in parts if isinstance(part, PositionBlock)]
    if not facts and len(blocks) != 1:
        problem = (
            "there is more than one position" if blocks else "there is no position: neither facts nor 'position { }'"
        )
        raise fault(problem, path, *blocks[1:])
    bare = bool(facts) or parts == blocks
    return PositionFile(facts or blocks[0].facts, None if bare else record_from(parts, path))


def read_position(path: str | os.PathLike[str]) -> PositionFile:
    """The position in a file; see `parse_position`."""
    return parse_position(read_text(path), os.fspath(path))


def record_from(parts: Iterable[object], path: str | None, number: int = 0) -> Record:
    """The record of these parts."""
    tags, items = [], []
    for part in parts:
        if isinstance(part, Tag):
            tags.append(part)
        elif isinstance(part, Item):
            items.append(part)
    return Record(tuple(tags), tuple(items), path, number=number)


def read_facts(path: str | os.PathLike[str]) -> list[RecordedFact]:
    """The facts in a board file; UnreadableInput if it cannot be read."""
    return parse_facts(read_text(path), os.fspath(path))


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of an untrusted file; UnreadableInput if it is too large or not in UTF-8."""
    name = os.fspath(path)
    try:
        data = contents_of(path)
    except (OSError, ValueError) as error:
        if is_exhausted(error):
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


def contents_of(path: str | os.PathLike[str]) -> bytes:
    """The first bytes of a file. Those of a pipe or another stream are kept, as they can be read only once."""
    name = os.fspath(path)
    if name in _streams:
        return _streams[name]
    # a pipe is opened without waiting for somebody who writes to it
    with io.FileIO(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)) as file:
        kind = os.fstat(file.fileno()).st_mode
        if stat.S_ISREG(kind):
            return file.read(MAX_BYTES + 1)
        data = _first_bytes(file, wait=stat.S_ISFIFO(kind) and os.path.exists(os.path.realpath(path)))
        os.set_blocking(file.fileno(), True)
        while data and len(data) <= MAX_BYTES and (more := file.read(MAX_BYTES + 1 - len(data))):
            data += more
    _streams[name] = data
    return data


_streams: dict[str, bytes] = {}
_PATIENCE: Final = 5.0
"""The number of seconds to wait for somebody who opens a named pipe to write to it."""


def _first_bytes(file: io.FileIO, wait: bool) -> bytes:
    """The first bytes of a stream that has been opened without waiting; ``wait``: whether somebody has yet to write to it."""
    end = time.monotonic() + _PATIENCE
    while True:
        data = file.read(1)
        if data is None:  # somebody will write
            os.set_blocking(file.fileno(), True)
            data = file.read(1)
        if data or not wait:
            return data
        if time.monotonic() > end:
            raise ValueError("nobody writes to this pipe")
        time.sleep(0.05)


def build_record(tags: Mapping[str, str] | Iterable[tuple[str, str]], items: Iterable[Item] = ()) -> Record:
    """A record from values; WrongUsage if reading its text would not give an equal record."""
    pairs = tags.items() if isinstance(tags, Mapping) else tags
    record = Record(tuple(Tag(name, value) for name, value in pairs), tuple(items))
    try:
        if parse_record(str(record)) == record:
            return record
        reason = "its text reads differently"
    except UnreadableInput as error:
        reason = error.message
    raise WrongUsage(f"these values do not form a record: {reason}")
