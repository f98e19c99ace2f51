"""Records in files, archives and streams: many in one file, compressed, from standard input.

A file may hold several records: a tag `Game` begins the next one. They are read one by one, so memory does not grow with the
file, and nothing is unpacked to disk. The name of a source is a file, `-` for standard input, or a member of a ZIP archive by its
path, `games.zip/first.game`. Files that gzip has compressed are read as they are. `FILE#3` is the third record.
"""

from __future__ import annotations

import io
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from ..errors import UnreadableInput, is_exhausted
from .reading import contents_of, record_from
from .record import Record
from .syntax import MAX_BYTES, TOO_LARGE, parse, place_after

if TYPE_CHECKING:
    import zipfile

STDIN: Final = "-"
"""The name of standard input."""
MAX_UNPACKED: Final = 4 * 2**30
"""The largest number of bytes to which an archive is unpacked."""
MAX_MEMBERS: Final = 200_000
"""The largest number of members of a ZIP archive."""
_MOST_SKIPPED: Final = 64 * 2**20
"""The number of characters in which the next record must begin after one that is too large."""
_CHUNK: Final = 2**16
_GZIP: Final = b"\x1f\x8b"
_ZIP: Final = b"PK\x03\x04"
_NUMBERED: Final = re.compile(r"(.+)#([1-9][0-9]{0,8})", re.DOTALL)
_WORD: Final = re.compile(
    r'(?P<between>[ \t\f\r\n\ufeff]+|%[^\r\n]*)|(?P<bracket>\[)|"(?:[^"\\\r\n]|\\[^\r\n])*"|[A-Za-z][A-Za-z0-9_]*'
    r'|.[^\[%"A-Za-z \t\f\r\n]*'
)
_MEMBER: Final = re.compile(r"(?:.*/)?[^/.][^/]*\.game(?:\.gz)?", re.DOTALL)
_BLANK: Final = " \t\f\r\n\ufeff"
_UNDECODED: Final = re.compile("[\udc80-\udcff]")


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one record.

    Attributes:
        file: The file.
        text: The text; bytes that are not UTF-8 are lone surrogates.
        number: The number of the record in its file, from 1; 0 if it is the only one.
        line: The line of the file in which the text begins.
        column: The column in which it begins.
    """

    file: str
    text: str
    number: int = 0
    line: int = 1
    column: int = 1

    @property
    def name(self) -> str:
        """The name of the record: that of the file, with its number if there are several."""
        return f"{self.file}#{self.number}" if self.number else self.file

    def record(self) -> Record:
        """The record; UnreadableInput if the text is none."""
        wrong = _UNDECODED.search(self.text)
        if wrong is not None:
            line, column = place_after(self.text[: wrong.start()].replace("\r\n", "\n").replace("\r", "\n"))
            column += self.column - 1 if line == 1 else 0
            message = f"this is not a text in UTF-8 (byte 0x{ord(wrong[0]) - 0xDC00:02x})"
            raise UnreadableInput(message, self.file, self.line + line - 1, column)
        parts = parse("record", self.text, self.file, (self.line, self.column))
        try:
            return record_from(parts, self.name, self.number)
        except UnreadableInput as error:
            raise error.in_file(self.file) from None


def file_and_number(name: str) -> tuple[str, int]:
    """The parts of ``FILE#N``; the number is 0 if there is none. If there is a file of the whole name, that is meant."""
    match = _NUMBERED.fullmatch(name)
    if match is None or os.path.exists(name):
        return name, 0
    return match[1], int(match[2])


def source_of(name: str | os.PathLike[str]) -> Source:
    """The record that a name stands for.

    Raises:
        UnreadableInput: There is no such record, or there are several and none is named.
    """
    file, number = file_and_number(os.fspath(name))
    count = 0
    for one in sources_in(file):
        if isinstance(one, UnreadableInput):
            if not number or count + 1 >= number:
                raise one
            count += 1
            continue
        count += 1
        if not number and one.number:
            message = f"there is more than one record in it: name one, such as {file}#{one.number}"
            raise UnreadableInput(message, file)
        if count == (number or 1):
            return one
    raise UnreadableInput(f"there is no record {number} in it, only {count}" if count else "the text is empty", file)


def read(name: str | os.PathLike[str]) -> Record:
    """The record in a file; `FILE#3` is the third one in a file of several. UnreadableInput if there is none."""
    return source_of(name).record()


def read_all(name: str | os.PathLike[str]) -> Iterator[Record]:
    """The records in a file, one after another; also in an archive, or from standard input (`-`).

    Raises:
        UnreadableInput: A record cannot be read.
    """
    for one in sources_in(os.fspath(name)):
        if isinstance(one, UnreadableInput):
            raise one
        yield one.record()


def sources_in(file: str) -> Iterator[Source | UnreadableInput]:
    """The texts of the records in a file, one after another, or that of `FILE#3`; an error for what cannot be read."""
    try:
        if file_and_number(file)[1]:
            yield source_of(file)
            return
        if is_zip(file):
            for member in members(file):
                yield from [member] if isinstance(member, UnreadableInput) else sources_in(member)
            return
        stream = _Stream(_chunks(file))
        first = stream.first()
        if stream.ended and first.count(b"Game") < 2 and len(first) <= MAX_BYTES and not stream.problem:
            yield Source(file, first.decode("utf-8", "surrogateescape"))
            return
        text = io.TextIOWrapper(io.BufferedReader(stream, _CHUNK), "utf-8", "surrogateescape", newline="")
        yield from _split(file, text, stream)
    except _read_errors() as error:
        if is_exhausted(error):
            raise
        reason = error.strerror if isinstance(error, OSError) else None
        yield UnreadableInput(f"cannot be read: {reason or error}", file)
    except UnreadableInput as error:
        yield error.in_file(error.path or file)


# -- bytes ---------------------------------------------------------------------------------------------------


class _Stream(io.RawIOBase):
    """Chunks of bytes as a stream. An error ends it like its end, so that all that came before is read."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._left = b""
        self.ended = False
        self.problem = ""

    def first(self) -> bytes:
        """The first bytes, all if there are few; they are read again."""
        while len(self._left) <= MAX_BYTES and not self.ended:
            self._left += self._next()
        return self._left

    def _next(self) -> bytes:
        try:
            return next(self._chunks)
        except StopIteration:
            self.ended = True
        except _read_errors() as error:
            if is_exhausted(error):
                raise
            self.ended = True
            self.problem = str(error) or type(error).__name__
        return b""

    def readable(self) -> bool:
        return True

    def readinto(self, room: memoryview) -> int:  # type: ignore[override]
        while not self._left and not self.ended:
            self._left = self._next()
        taken = self._left[: len(room)]
        self._left = self._left[len(taken) :]
        room[: len(taken)] = taken
        return len(taken)


def _chunks(file: str) -> Iterator[bytes]:
    """The bytes of a file, unpacked. The file is opened at once."""
    archive, member = archive_of(file)
    raw: Any
    if file == STDIN:
        if sys.stdin is None:
            raise OSError("standard input is closed")
        raw = getattr(sys.stdin, "buffer", None) or io.BytesIO(sys.stdin.read().encode())
    elif archive:
        if not _is_inside(member):
            raise OSError("this member of the archive has a name outside of it")
        try:
            raw = _zip(archive, _version(archive)).open(member)
        except KeyError:
            raise OSError(f"there is no such member in {archive}") from None
    elif os.path.exists(file) and not os.path.isfile(file):
        raw = io.BytesIO(contents_of(file))
    else:
        raw = open(file, "rb")  # noqa: SIM115 (closed by the generator)
    return _unpack(raw, keep_open=file == STDIN)


def _unpack(raw: Any, keep_open: bool) -> Iterator[bytes]:
    read: Callable[[int], bytes] = raw.read1
    try:
        data = read(_CHUNK)
        if data.startswith(_GZIP):
            yield from _gunzip(data, read)
            return
        if data.startswith(_ZIP):
            raise OSError("a ZIP archive is read from a file only, not from a stream or an archive")
        while data:
            yield data
            data = read(_CHUNK)
    finally:
        if not keep_open:
            raw.close()


def _gunzip(data: bytes, read: Callable[[int], bytes]) -> Iterator[bytes]:
    """The contents of gzip data, which may consist of several members."""
    total = 0
    while data:
        unpacker = zlib.decompressobj(31)
        while not unpacker.eof:
            if not data and not (data := read(_CHUNK)):
                raise EOFError("the compressed file ends in the middle")
            try:
                out = unpacker.decompress(data, _CHUNK)
            except zlib.error:
                raise OSError("the compressed data are damaged") from None
            data = unpacker.unconsumed_tail or b""
            total += len(out)
            if total > MAX_UNPACKED:
                raise OSError(f"it unpacks to more than {MAX_UNPACKED >> 30} GB")
            if out:
                yield out
        data = unpacker.unused_data or read(_CHUNK)
        while data and not data.strip(b"\0"):  # padding
            data = read(_CHUNK)


# -- ZIP archives --------------------------------------------------------------------------------------------


def is_zip(file: str) -> bool:
    """Whether a file is a ZIP archive by its first bytes."""
    if file == STDIN or not os.path.isfile(file):
        return False
    try:
        with open(file, "rb") as opened:
            return opened.read(4) in (_ZIP, b"PK\x05\x06")
    except OSError:
        return False


def members(file: str, wanted: Callable[[str], bool] | None = None) -> Iterator[str | UnreadableInput]:
    """The names of the records in a ZIP archive, in order; an error for a name outside the archive's folder.

    Args:
        file: The archive.
        wanted: Whether a member of this name is a record; by default those called ``*.game``, without hidden ones.

    Raises:
        UnreadableInput: The archive is damaged or too large.
    """
    try:
        entries = _zip(file, _version(file)).infolist()
    except _read_errors() as error:
        raise UnreadableInput(f"this is no ZIP archive that can be read: {error}", file) from None
    records = sorted(
        (one for one in entries if (wanted or _MEMBER.fullmatch)(one.filename)), key=lambda one: one.filename
    )
    if len(entries) > MAX_MEMBERS:
        raise UnreadableInput(f"the archive has more than {MAX_MEMBERS} members", file)
    if sum(one.file_size for one in records) > MAX_UNPACKED:
        raise UnreadableInput(f"it unpacks to more than {MAX_UNPACKED >> 30} GB", file)
    for one in records:
        if _is_inside(one.filename):
            yield f"{file}/{one.filename}"
        else:
            yield UnreadableInput("this member of the archive has a name outside of it", f"{file}/{one.filename}")


def _is_inside(member: str) -> bool:
    """Whether the name of a member of an archive stays in the archive's folder."""
    return not (member.startswith("/") or ".." in member.split("/") or "\\" in member)


def archive_of(file: str) -> tuple[str, str]:
    """The archive and the member that a name stands for; empty if it is no such name."""
    if not os.path.exists(file):
        at = file.find("/", 1)
        while at > 0:
            if os.path.isfile(file[:at]):
                return (file[:at], file[at + 1 :]) if is_zip(file[:at]) else ("", "")
            at = file.find("/", at + 1)
    return "", ""


def _read_errors() -> tuple[type[Exception], ...]:
    """What reading a damaged file may raise. Only then is the module of archives imported."""
    import zipfile

    return OSError, EOFError, ValueError, RuntimeError, zlib.error, zipfile.BadZipFile


def _version(file: str) -> tuple[int, int]:
    status = os.stat(file)
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=2)
def _zip(file: str, version: tuple[int, int]) -> zipfile.ZipFile:
    """The archive, opened once as long as it does not change."""
    import zipfile

    return zipfile.ZipFile(file)


# -- many records --------------------------------------------------------------------------------------------


def _split(file: str, lines: io.TextIOWrapper, stream: _Stream) -> Iterator[Source | UnreadableInput]:
    """The records in a text, one after another."""
    splitter = _Splitter(file)
    while line := lines.readline(MAX_BYTES):
        yield from splitter.add(line)
        if splitter.skipped > _MOST_SKIPPED:
            break
    if stream.problem and not splitter.line:
        yield UnreadableInput(f"cannot be read: {stream.problem}", file)
    elif stream.problem:
        done = f" (read until then: {splitter.count} whole record{'s' * (splitter.count != 1)})"
        yield UnreadableInput(f"{stream.problem}{done}", file, splitter.line or 1, 1)
    else:
        yield from splitter.end()


class _Splitter:
    """Cuts a text into records where a tag ``Game`` begins. It is read line by line, as no text in quotes goes on to another.

    Attributes:
        count: The number of records that have been cut off.
        line: The number of the line that has been read last.
        skipped: How many characters of a record that is too large have been passed over.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self.count = 0
        self.line = 0
        self.skipped = 0
        self._lines: list[str] = []
        self._first = 1, 1
        self._size = 0
        self._bracket: tuple[int, int] | None = None
        self._complete = True

    def add(self, line: str) -> Iterator[Source | UnreadableInput]:
        """Reads a line, and gives the records that have ended."""
        continued, self._complete = not self._complete, line.endswith(("\n", "\r"))
        self.line += not continued
        self._size += len(line)
        if self._size > MAX_BYTES:
            self.skipped += len(line)
            if self._lines:
                self._lines, self._bracket = [], None
        self._lines.append(line)
        if continued or ("[" not in line and self._bracket is None):
            return
        shift = 0
        for match in _WORD.finditer(line):
            kind = match.lastgroup
            if kind == "bracket":
                self._bracket = len(self._lines) - 1, match.start() - shift
            elif kind is None and self._bracket is not None:
                if match[0] == "Game":
                    number, at = self._bracket
                    same = number == len(self._lines) - 1
                    ended = self._cut(number, at)
                    if ended is not None:
                        yield ended
                        shift = line.rindex("[", 0, match.start()) if same else 0
                self._bracket = None

    def _cut(self, number: int, at: int) -> Source | UnreadableInput | None:
        """Cuts off what stands before an offset in a line, and returns it if it is a record."""
        line = self._lines[number]
        if not line[:at].strip(_BLANK):
            at = 0
            while number and self._lines[number - 1].lstrip(_BLANK).startswith("%"):
                number -= 1
        before = [*self._lines[:number], self._lines[number][:at]]
        if not self.skipped and all(_is_empty(one) for one in before):
            return None
        self.count += 1
        ended = self._end_record(before, self.count)
        self._first = (
            self.line - len(self._lines) + 1 + number,
            at + 1 + (0 if number else self._first[1] - 1),
        )
        self._lines = [self._lines[number][at:], *self._lines[number + 1 :]]
        self._size = sum(map(len, self._lines))
        self.skipped = 0
        return ended

    def _end_record(self, lines: list[str], number: int) -> Source | UnreadableInput:
        if self.skipped:
            if not number:
                return UnreadableInput(TOO_LARGE, self._file)
            return UnreadableInput(f"record {number}: {TOO_LARGE}", self._file, *self._first)
        return Source(self._file, "".join(lines), number, *self._first)

    def end(self) -> Iterator[Source | UnreadableInput]:
        """The last record."""
        self.count += 1
        yield self._end_record(self._lines, self.count if self.count > 1 else 0)


def _is_empty(line: str) -> bool:
    """Whether a line has nothing but blanks and a comment."""
    text = line.strip(_BLANK)
    return not text or text.startswith("%")
