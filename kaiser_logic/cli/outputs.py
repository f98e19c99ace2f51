"""The outputs of commands: standard output, or a file, which is never one of the command's inputs."""

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
from ..files import check_writable, is_ordinary, written_file

_NO_FILES: Final = frozenset({"output", "command", "query", "format", "run"})
"""The arguments that name no input."""
_RULES: Final = (".lp", ".toml")
"""The ends of the names of a rulebook's files."""
_BOARD: Final = re.compile(r'\[\s*Board\s+"([^"\n]{1,1000})"\s*\]')
_BEGINNING: Final = 4096
"""The number of characters of a record among which its tag ``Board`` is looked for."""


def add_output(parser: argparse.ArgumentParser) -> None:
    """Adds --output."""
    parser.add_argument("--output", metavar="FILE", help="write to this file instead of standard output")


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
    if is_ordinary(output):
        named = visible_name(output)
        if (
            output.endswith(_RULES)
            and os.path.exists(output)
            and Path(output).with_name("game.toml").exists()
        ):
            raise WrongUsage(f"--output {named}: this is a file of a rulebook, so it is not replaced")
        for given, ends in _given(args):
            if _is_read(output, given, ends):
                raise WrongUsage(
                    f"--output {named}: the command reads this file ({visible_name(given)}), so it is not replaced"
                )
    check_writable(output)


def _given(args: argparse.Namespace) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The files and folders that the arguments name, each with the ends of the names of files that are read in a folder."""
    for name, value in vars(args).items():
        if name in _NO_FILES:
            continue
        for one in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(one, (str, Path)):
                for path in dict.fromkeys((str(one), re.sub(r"@[0-9]{1,9}$", "", str(one)))):
                    if path and os.path.exists(path):
                        yield path, (".game",) if name == "files" else _RULES


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
            for found in _BOARD.finditer(file.read(_BEGINNING)):
                yield os.path.join(os.path.dirname(record), found[1])
