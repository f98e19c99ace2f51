"""Reports as JSON lines. After a crash, a second check with the same file continues where the first one ended.

During a check, a second file ``FILE.keys`` has a line for each report. The line contains a hash of everything that
determines the report (path and text of the record, its board, all rulebooks, the settings, the sources of the package), and
a hash of the report itself. A report of an earlier run is used if it is in both files and the hashes agree. All other
reports are made again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final

from ..cache import key_of, tool
from ..errors import KaiserLogicError, UnreadableInput
from ..notation.reading import read, read_text
from ..rules.library import fingerprint
from .checking import Report

KEYS: Final = ".keys"
"""The suffix of the file with the keys."""


class Archive:
    """A file of reports, some of them perhaps from an interrupted run.

    Attributes:
        left: The files that still have to be checked, in order.
        found: The reports on the others, as JSON objects.
    """

    def __init__(
        self,
        output: str,
        files: Iterable[str | UnreadableInput],
        settings: Iterable[str],
        source: str | Path | None,
    ) -> None:
        """Reads the file, and drops the reports that are no longer valid.

        Args:
            output: The file of reports; it is created if it does not exist.
            files: The files to be checked.
            settings: Everything else that determines the reports.
            source: The rulebook that replaces the rulebooks that the records name.
        """
        self._output = output
        self._keys: dict[str, list[str]] = {}
        written = _earlier(output)
        common = key_of(tool(), fingerprint(source), str(source), *settings)
        self.left: list[str | UnreadableInput] = []
        self.found: list[Mapping[str, Any]] = []
        used: dict[str, str] = {}
        times: dict[str, int] = {}
        for file in files:
            path = file if isinstance(file, str) else str(file.path)
            times[path] = times.get(path, 0) + 1
            key = key_of(common, str(times[path]), path, *_texts(file))
            if key in written:
                used[key] = written[key]
                self.found.append(json.loads(written[key]))
            else:
                self.left.append(file)
                self._keys.setdefault(path, []).append(key)
        with ExitStack() as opened:
            appended = not Path(output).exists() or Path(output).is_file()
            if appended:
                _write(output, used.values())
                _write(output + KEYS, (_key(key, line) for key, line in used.items()))
            self._lines = opened.enter_context(open(output, "a", encoding="utf-8", newline="\n"))
            self._known = opened.enter_context(
                open(output + KEYS if appended else os.devnull, "a", encoding="utf-8")
            )
            self._opened = opened.pop_all()

    def add(self, report: Report) -> None:
        """Writes a report to the file at once."""
        line = (
            json.dumps(report.as_json(), ensure_ascii=False).encode("utf-8", "backslashreplace").decode()
            + "\n"
        )
        self._lines.write(line)
        self._lines.flush()
        keys = self._keys.get(report.path or "", [])
        if keys:
            self._known.write(_key(keys.pop(0), line))
            self._known.flush()

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Closes the file. If no error occurred, it is complete, and the file with the keys is deleted."""
        self._opened.close()
        if kind is None:
            with suppress(OSError):
                os.unlink(self._output + KEYS)


def _key(key: str, line: str) -> str:
    """A line of the file with the keys."""
    return f"{key} {key_of(line)}\n"


def _texts(file: str | UnreadableInput) -> Iterator[str]:
    """The text of a record, and that of its board."""
    if isinstance(file, UnreadableInput):
        yield str(file)
        return
    try:
        yield read_text(file)
        board = read(file).board
        if board is not None:
            yield read_text(Path(file).parent / board)
    except KaiserLogicError as error:
        yield str(error)


def _earlier(output: str) -> dict[str, str]:
    """The reports of an interrupted run by their keys, without reports on unreadable records."""
    if not tool() or not Path(output + KEYS).is_file() or not Path(output).is_file():
        return {}
    keys: dict[str, str] = {}
    for text in Path(output + KEYS).read_text(encoding="utf-8", errors="replace").splitlines():
        key, _, line = text.partition(" ")
        keys[line] = key
    found: dict[str, str] = {}
    with open(output, encoding="utf-8", errors="replace", newline="\n") as file:
        for line in file:
            key = keys.get(key_of(line), "")
            if key and '"unreadable": null' in line:
                found[key] = line
    return found


def _write(output: str, lines: Iterable[str]) -> None:
    """Replaces the contents of the file in one step, so that an interruption loses nothing."""
    draft = f"{output}.part"
    with open(draft, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(lines)
    os.replace(draft, output)
