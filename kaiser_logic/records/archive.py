"""Reports as JSON lines. After a crash, a second check with the same file continues where the first one ended.

During a check the reports stand in a journal, ``FILE.keys``, in the order in which they are made. A line of it has a hash of
everything that determines the report (path and text of the record, its board, all rulebooks, the settings, the sources of the
package), a hash of the report itself, and the report. A report of an earlier run is used if both hashes agree. All others are
made again. At the end the reports replace ``FILE`` in one step, in the order of the records.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from ..cache import key_of, tool
from ..errors import KaiserLogicError, UnreadableInput, WrongUsage, visible_name
from ..files import explained_errors, is_ordinary, written_file
from ..notation.reading import read_text
from ..notation.sources import Source
from ..rules.library import fingerprint
from .checking import Report

KEYS: Final = ".keys"
"""The suffix of the journal."""
_HEAD: Final = b"kaiser-logic: the reports of a check that has not finished\n"
_READABLE: Final = b'"unreadable": null'


class Archive:
    """A file of reports, some of them perhaps from an interrupted run.

    Attributes:
        paths: The records whose reports have been found so far, by path.
        faulty: How many of them have faults.
    """

    def __init__(
        self,
        output: str,
        sources: Iterable[Source | UnreadableInput],
        settings: Iterable[str],
        source: str | Path | None,
    ) -> None:
        """Reads the journal of an earlier run, if there is one.

        Args:
            output: The file of reports; it is replaced at the end.
            sources: The records to be checked. Each is taken when its turn comes.
            settings: Everything else that determines the reports.
            source: The rulebook that replaces the rulebooks that the records name.

        Raises:
            WrongUsage: The journal cannot be written, or its name is that of another file.
        """
        self._output, self._journal = output, output + KEYS
        self._places = _earlier(self._journal)
        self._order: list[str] = []
        self._keys: dict[str, list[str]] = {}
        self.paths: list[str] = []
        self.faulty = 0
        self._sources = sources
        self._common = key_of(tool(), fingerprint(source), str(source), *settings)
        with explained_errors(self._journal):
            self._file = io.FileIO(self._journal, "a+")
            self._length = self._file.seek(0, os.SEEK_END)
            if self._length < len(_HEAD):
                self._file.truncate(0)
                self._begin()
            elif self._line(self._length - 1, 1) != b"\n":
                self._append(b"\n")  # the last line is incomplete

    def records_left(self) -> Iterator[Source | UnreadableInput]:
        """The records that still have to be checked, in order. The others are noted on the way."""
        times: dict[str, int] = {}
        for source in self._sources:
            path = source.name if isinstance(source, Source) else str(source.path)
            times[path] = times.get(path, 0) + 1
            key = key_of(self._common, str(times[path]), path, *_texts(source))
            self._order.append(key)
            if tool() and key in self._places:
                self.paths.append(path)
                self.faulty += bool(json.loads(self._line(*self._places[key]))["faults"])
            else:
                self._keys.setdefault(path, []).append(key)
                yield source

    def add(self, report: Report, *, examined: bool = True) -> None:
        """Writes a report to the journal at once; ``examined``: see `Report.as_json`."""
        text = json.dumps(report.as_json(examined=examined), ensure_ascii=False)
        line = text.encode("utf-8", "backslashreplace") + b"\n"
        keys = self._keys[report.path or ""]
        key = keys.pop(0)
        if not keys:
            del self._keys[report.path or ""]
        head = f"{key} {key_of(line)} ".encode()
        with explained_errors(self._journal):
            self._append(head + line)
        self._places[key] = self._length - len(line), len(line)

    def _begin(self) -> None:
        """Writes the first line, or deletes the journal if it cannot be written."""
        try:
            self._append(_HEAD)
        except OSError:
            os.unlink(self._journal)
            raise

    def _append(self, data: bytes) -> None:
        while data:
            data = data[self._file.write(data) :]
        self._length = self._file.tell()

    def _line(self, start: int, length: int) -> bytes:
        return os.pread(self._file.fileno(), length, start)

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """If no error occurred, the file is complete, and the journal is deleted. It stays if a check can go on from it."""
        with self._file:
            if kind is not None:
                if not self._places:
                    os.unlink(self._journal)
                return
            with written_file(self._output) as file:
                for key in self._order:
                    if key in self._places:
                        file.buffer.write(self._line(*self._places[key]))
        with suppress(OSError):
            os.unlink(self._journal)


def _texts(source: Source | UnreadableInput) -> Iterator[str]:
    """The text of a record, and that of its board."""
    if isinstance(source, UnreadableInput):
        yield str(source)
        return
    try:
        yield (source.text.encode("utf-8", "surrogateescape").hex() if not source.text.isascii() else source.text)
        board = source.record().board
        if board is not None:
            yield read_text(Path(source.file).parent / board)
    except KaiserLogicError as error:
        yield str(error)


def _earlier(journal: str) -> dict[str, tuple[int, int]]:
    """The reports of an interrupted run in a journal, by their keys: where each starts, and its length.

    Reports on unreadable records are left out.
    """
    places: dict[str, tuple[int, int]] = {}
    if not os.path.lexists(journal):
        return places
    if not is_ordinary(journal):
        raise WrongUsage(f"{visible_name(journal)} is no ordinary file: choose another name for the output")
    with explained_errors(journal), open(journal, "rb") as file:
        first = file.readline()
        if not first.startswith(_HEAD) and first != _HEAD[: len(first)]:
            raise WrongUsage(
                f"{visible_name(journal)} would be replaced, but no check has written it:"
                " choose another name for the output"
            )
        start = len(first)
        for line in file:
            key, checked, report = (*line.split(b" ", 2), b"", b"")[:3]
            if report.endswith(b"\n") and key_of(report).encode() == checked and _READABLE in report:
                places[key.decode()] = start + len(line) - len(report), len(report)
            start += len(line)
    return places
