"""Progress on the terminal."""

import sys

import pytest
from cli.conftest import Tty
from support.tables import rows

from kaiser_logic.cli import main
from kaiser_logic.cli.progress import clear, progress, with_bar


def terminal_of(monkeypatch: pytest.MonkeyPatch) -> Tty:
    stream = Tty()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    return stream


@pytest.mark.parametrize(("text", "done", "left"), rows("cli/commands", "bar"))
def test_progress_bars(text, done, left):
    bar = "#" * int(done) + "-" * int(left)
    assert with_bar(text) == " ".join([*([bar] if bar else []), *text.split()])


def test_clear_erases_the_line_once(monkeypatch):
    terminal = terminal_of(monkeypatch)
    tell = progress()
    tell("1/2 " + "long " * 50)
    (line,) = terminal.getvalue().split("\r\033[K")[1:]
    assert len(line) == 59
    clear()
    clear()
    assert terminal.getvalue().endswith(line + "\r\033[K")


def test_no_progress_in_pipes_and_on_dumb_terminals(monkeypatch, capsys):
    terminal = terminal_of(monkeypatch)
    monkeypatch.setenv("TERM", "dumb")
    progress()("1/2")
    assert terminal.getvalue() == ""
    monkeypatch.undo()
    progress()("1/2")
    clear()
    assert capsys.readouterr().err == ""


def test_check_counts_records(write, monkeypatch):
    terminal = terminal_of(monkeypatch)
    path = write('[Game "kaiser"]\n')
    assert main(["check", path, path]) == 0
    assert f"{'#' * 12}{'-' * 12} 1/2 records" in terminal.getvalue()
    assert "\r\033[K2 records: 2 without fault\n" in terminal.getvalue()
