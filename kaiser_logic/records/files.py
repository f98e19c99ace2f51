"""Which files are meant, those named or all records in a folder and below, and how they are read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

from ..errors import KaiserLogicError, UnreadableInput
from ..notation.reading import read
from ..notation.record import Record

Paths: TypeAlias = "str | os.PathLike[str] | Iterable[str | os.PathLike[str]]"


def files_in(paths: Paths) -> list[str | UnreadableInput]:
    """The files meant, directories as all the ``*.game`` files in them and below; what cannot be listed stays an error."""
    many = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    return [
        file
        for path in many
        for file in _files(path if isinstance(path, UnreadableInput) else os.fspath(path))
    ]


def _files(path: str | UnreadableInput) -> Iterator[str | UnreadableInput]:
    """The file itself, or the records in a directory and below; what cannot be listed stays an error."""
    if isinstance(path, UnreadableInput) or not os.path.isdir(path):
        yield path
        return
    problems: list[OSError] = []
    found = []
    for folder, _, names in os.walk(path, onerror=problems.append):
        found += [os.path.join(folder, name) for name in names if name.endswith(".game")]
    for file in sorted(found):
        # a pipe would be waited for; whoever names one himself means it
        ordinary = os.path.isfile(file) or not os.path.exists(file)
        yield file if ordinary else UnreadableInput("cannot be read: a record is an ordinary file", file)
    for problem in problems:
        yield UnreadableInput(f"cannot be read: {problem.strerror}", str(problem.filename))


class Under(NamedTuple):
    """The rules under which records are checked, where they are others than the tags say; can be pickled."""

    source: str | Path | None
    edition: str | None
    options: tuple[tuple[str, str], ...]

    def applied(self, record: Record) -> Record:
        """The record under these rules."""
        return record.under(self.source, self.edition, dict(self.options))

    def read(self, file: str | UnreadableInput) -> Record | None:
        """The record in a file; None where there is none."""
        try:
            return None if isinstance(file, UnreadableInput) else self.applied(read(file))
        except KaiserLogicError:
            return None
