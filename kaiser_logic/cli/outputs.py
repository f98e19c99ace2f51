"""The outputs of commands: standard output, or a file, which is no input and replaces no other record unasked."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TextIO

from ..errors import WrongUsage, visible_name
from ..files import check_writable, explained_errors, is_ordinary, write_file, write_new_file, written_file
from ..notation.sources import archive_of
from .common import add_flag, add_option

_NO_FILES: Final = frozenset({"output", "command", "query", "format", "folder_format", "run"})
"""The arguments that name no input."""
_RULES: Final = (".lp", ".toml")
"""The ends of the names of a rulebook's files."""
_RECORDS: Final = (".game", ".game.gz", ".zip")
"""The ends of the names of records."""
_BOARD: Final = re.compile(r'\[\s*Board\s+"([^"\n]{1,1000})"\s*\]')
_LONGEST: Final = 2**20
"""The number of characters of a line that are read at once."""


def add_output(parser: argparse.ArgumentParser, folder_format: str = "") -> None:
    """Adds --output; ``folder_format``: the format that is also written to a folder."""
    also = f"; a new folder, as in out/: a file for each record ({folder_format})" if folder_format else ""
    add_option(parser, "--output", "FILE", f"write to this file instead of standard output{also}")
    add_replace(parser, "a record or a file of rules that is there already")
    parser.set_defaults(folder_format=folder_format)


def add_replace(parser: argparse.ArgumentParser, what: str) -> None:
    """Adds --replace; ``what``: what is replaced only with it."""
    add_flag(parser, "--replace", f"replace {what}")


def write_record(path: Path, text: str, *, replace: bool) -> None:
    """Writes a record to a file of a name that the user did not write.

    Raises:
        WrongUsage: The file cannot be written, or there is another one and ``replace`` is false.
    """
    if replace:
        write_file(path, text)
        return
    try:
        write_new_file(path, text)
    except WrongUsage:
        if not path.exists():
            raise
        raise WrongUsage(
            f"{visible_name(str(path))} is there already, with another text: --replace replaces it"
        ) from None


def is_folder(output: str) -> bool:
    """Whether an output means a folder."""
    return output.endswith("/") or os.path.isdir(output)


@contextmanager
def data_to(output: str | None) -> Iterator[TextIO]:
    """The stream for data: standard output, or the file that --output names. The file is replaced when all is written."""
    if output is None:
        yield sys.stdout
        sys.stdout.flush()
        return
    with written_file(output) as file:
        yield file


def check_output(args: argparse.Namespace) -> None:
    """Raises WrongUsage if the file that --output names cannot be written, or is an input of the command.

    A file in a folder that is an input counts as one if files of its kind are read there.
    """
    output = getattr(args, "output", None)
    if output is None:
        return
    if is_folder(output) and getattr(args, "folder_format", "") == getattr(args, "format", None):
        _check_folder(output)
        return
    if is_ordinary(output):
        shown_name = visible_name(output)
        if output.endswith(_RULES) and os.path.exists(output) and Path(output).with_name("game.toml").exists():
            raise WrongUsage(f"--output {shown_name}: this is a file of a rulebook, so it is not replaced")
        for given, ends in _files_given(args):
            if _is_read(output, given, ends):
                raise WrongUsage(
                    f"--output {shown_name}: the command reads this file ({visible_name(given)}), so it is not replaced"
                )
        if output.endswith((*_RECORDS, *_RULES)) and not args.replace and _has_text(output):
            what = "record" if output.endswith(_RECORDS) else "file of rules"
            raise WrongUsage(f"--output {shown_name}: this {what} is there already: --replace replaces it")
    check_writable(output)


def _has_text(path: str) -> bool:
    """Whether a file is there and is not empty."""
    with suppress(OSError):
        return os.stat(path).st_size > 0
    return False


def _check_folder(output: str) -> None:
    """Makes the folder of an output. What is in it could be of an earlier run, and would be taken for this one's."""
    with explained_errors(output):
        os.makedirs(output, exist_ok=True)
        if os.listdir(output):
            raise WrongUsage(f"{visible_name(output)} cannot be written: the folder is not empty")


def _files_given(args: argparse.Namespace) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The files and folders that the arguments name, each with the ends of the names of files that are read in a folder."""
    for name, value in vars(args).items():
        if name in _NO_FILES:
            continue
        for one in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(one, (str, Path)):
                for path in dict.fromkeys(_files_of(str(one))):
                    if path and os.path.exists(path):
                        yield path, _RECORDS if name == "files" else _RULES


def _files_of(text: str) -> Iterator[str]:
    """The names of files for which an argument may stand: ``FILE#3@40``, ``ARCHIVE/MEMBER#3``, or ``-#3@40``."""
    file = re.sub(r"@[0-9]{1,9}[0-9a-z.]*$", "", text)
    record = re.sub(r"#[0-9]{1,9}$", "", file)
    if "-" in (text, file, record):
        yield "/dev/stdin"
    yield from (text, file, record, archive_of(record)[0])


def _is_read(output: str, given: str, ends: tuple[str, ...]) -> bool:
    """Whether an output is an input, a board of an input, or a name that is read in a folder of inputs."""
    if not os.path.isdir(given):
        return _is_same(output, given) or any(_is_same(output, board) for board in _boards(given))
    folder, target = os.path.realpath(given), os.path.realpath(output)
    if target.endswith(ends) and os.path.commonpath([folder, target]) == folder:
        return True
    return os.path.exists(output) and any(
        _is_same(output, file) or any(_is_same(output, board) for board in _boards(file))
        for above, _, names in os.walk(given)
        for file in (os.path.join(above, name) for name in names if name.endswith(ends))
    )


def _is_same(one: str, other: str) -> bool:
    """Whether two names mean the same file, also by links."""
    with suppress(OSError, ValueError):
        return os.path.samefile(one, other)
    return False


def _boards(record: str) -> Iterator[str]:
    """The board files that a record names."""
    if os.path.isfile(record):
        with suppress(OSError), open(record, encoding="utf-8", errors="replace") as file:
            for line in iter(lambda: file.readline(_LONGEST), ""):
                for match in _BOARD.finditer(line) if "Board" in line else ():
                    yield os.path.join(os.path.dirname(record), match[1])
