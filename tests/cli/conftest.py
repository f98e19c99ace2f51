"""Fixtures that run commands."""

from pathlib import Path

import pytest
from support.commands import Outcome

from kaiser_logic.cli import main


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
