"""Fixtures that run commands, and a terminal."""

import io
from pathlib import Path
from typing import NamedTuple

import pytest

from kaiser_logic.cli import main


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


class Tty(io.StringIO):
    """A text stream that says it is the terminal of the standard error."""

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 2


@pytest.fixture
def run(capsys):
    """A function that runs a command."""

    def run(*arguments: str) -> Outcome:
        code = main(arguments)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        assert "internal error" not in captured.err
        return Outcome(code, captured.out, captured.err)

    return run


@pytest.fixture
def write(tmp_path, monkeypatch):
    """A function that writes a text to ``my.game`` in the current folder, and returns that name."""
    monkeypatch.chdir(tmp_path)

    def write(text: str) -> str:
        Path("my.game").write_text(text, encoding="utf-8")
        return "my.game"

    return write
