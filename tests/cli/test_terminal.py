"""Playing in a terminal: input comes from a pipe, output goes into a text."""

import io
import os
import re
import sys
from pathlib import Path
from random import Random
from typing import Literal

import pytest
from cli.conftest import Tty

from kaiser_logic.cli.console import PlainConsole, choices
from kaiser_logic.cli.play import PlayTable, console_here
from kaiser_logic.game import load
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.record import Record
from kaiser_logic.play.match import Match, Observers

pytest.importorskip("prompt_toolkit")
pytest.importorskip("rich")
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import Console as Screen

from kaiser_logic.cli.terminal import Facts, Offer, Terminal, query_line

ENTER = "\r"


@pytest.fixture
def keys():
    with create_pipe_input() as source:
        yield source


def terminal(keys: PipeInput, seats: tuple[str, ...] = ("red", "green"), colours: bool = False) -> Terminal:
    system: Literal["256"] | None = "256" if colours else None
    screen = Screen(file=io.StringIO(), width=100, force_terminal=colours, highlight=False, color_system=system)
    return Terminal(seats, screen=screen, source=keys, output=DummyOutput())


def output_of(console: Terminal) -> str:
    return console._screen.file.getvalue()


def played(
    keys: PipeInput,
    typed: str,
    game: str,
    capsys: pytest.CaptureFixture[str],
    roles: tuple[str, ...] = (),
    players: int = 2,
) -> tuple[Record, str]:
    match = Match(load(game, players=players))
    console = terminal(keys, match.game.seats)
    table = PlayTable(match, Random(1), roles or match.game.seats, 10_000, None, Observers(roles), console)
    keys.send_text(typed)
    table.run()
    table.finish({})
    return parse_record(capsys.readouterr().out), output_of(console)


def test_actions_by_number_and_by_name(keys, capsys):
    record, text = played(keys, f"1{ENTER}elector(trier){ENTER}quit{ENTER}", "kaiser", capsys, players=3)
    assert [str(m.action) for m in record.moves] == ["empire_city(boehmen)", "elector(trier)"]
    assert "red decides: setup_empire_city" in text
    assert re.search(r"(?m)^\W*1\W+empire_city\(boehmen\)", text), "the number that was typed"
    assert "places the first elector of Trier" in text


def test_many_actions_are_listed_by_kind(keys, capsys):
    _, text = played(keys, f"list a10{ENTER}quit{ENTER}", "krone", capsys, ("red",), 3)
    lines = text.splitlines()
    assert sum("shield(" in line for line in lines) == 1
    assert any(line.split()[:2] == ["shield", "72"] for line in lines)
    assert not any("chance: deal(green" in line for line in lines)


def completed(typed: str, requested: bool = False) -> list[str]:
    actions = ("occupy(a1)", "occupy(a10)", "expand(castle,a1)", "undo_all")
    offer = Offer(choices(actions, lambda a: f"says {a}", lambda a: ["pays 1"], natural=True))
    event = CompleteEvent(completion_requested=requested)
    return [c.text for c in offer.get_completions(Document(typed), event)]


def test_completion_filters_by_typing():
    assert completed("") == []
    assert completed("", requested=True)[:1] == ["expand(castle,a1)"]
    assert completed("occ") == ["occupy(a1)", "occupy(a10)"]
    assert completed("occupy(a10") == ["occupy(a10)"]
    assert completed("cast a1") == ["expand(castle,a1)"]
    assert completed("why occ") == ["occupy(a1)", "occupy(a10)"]
    assert completed("und") == ["undo_all", "undo"]
    assert completed("save x") == completed("list o") == []


def test_roles_have_colours_except_with_no_color(keys, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured = terminal(keys, colours=True)
    coloured.say("Red has 3 thalers, credit aside")
    assert "\x1b[1;31mRed\x1b[0m" in output_of(coloured)
    assert "c\x1b" not in output_of(coloured)
    monkeypatch.setenv("NO_COLOR", "1")
    plain = terminal(keys, colours=True)
    plain.say("Red has 3 thalers")
    plain.event("Green: " + "pass, " * 30)  # one line, however wide the terminal is
    assert "\x1b[1;31m" not in output_of(plain) and "pass, " * 30 in output_of(plain)
    assert "\x1b[3" not in output_of(plain)
    assert plain._session.color_depth is not None


@pytest.mark.parametrize(("term", "stdin", "stderr"), [("dumb", Tty, Tty), ("", Tty, Tty), ("xterm", io.StringIO, Tty),
                                                        ("xterm", Tty, io.StringIO)])  # fmt: skip
def test_scripts_and_dumb_terminals_get_the_plain_console(monkeypatch, term, stdin, stderr):
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(sys, "stdin", stdin())
    monkeypatch.setattr(sys, "stderr", stderr())
    assert isinstance(console_here(("red",)), PlainConsole)


def test_the_plain_console_without_the_extra(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdin", Tty())
    monkeypatch.setattr(sys, "stderr", Tty())
    monkeypatch.setattr("kaiser_logic.cli.console.find_spec", lambda name: None)
    assert isinstance(console_here(("red",)), PlainConsole)


@pytest.mark.parametrize("colours", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_play_in_a_real_terminal(tmp_path, colours):
    """The record goes to standard output, all else to the terminal. NO_COLOR switches colours off."""
    pexpect = pytest.importorskip("pexpect")
    record = tmp_path / "out.game"
    command = f"exec {sys.executable} -m kaiser_logic play kaiser --players 3 > {record}"
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | ({} if colours else {"NO_COLOR": "1"})
    environment |= {"TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1"}
    environment["PYTHONPATH"] = str(Path(__file__).parents[2])
    child = pexpect.spawn("/bin/sh", ["-c", command], env=environment, encoding="utf-8", timeout=600)
    screen = io.StringIO()
    child.logfile_read = screen
    for role, typed in (("red", "7"), ("green", "elector(koeln)"), ("blue", "quit")):
        child.expect(rf"{role}\S*>")
        child.send(f"{typed}\r")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    actions = [str(move.action) for move in parse_record(record.read_text()).moves]
    assert actions == ["empire_city(trier)", "elector(koeln)"]
    assert any(f"\x1b[{kind}31m" in screen.getvalue() for kind in ("", "1;", "0;", "0;1;")) is colours


def test_queries_are_completed(keys):
    ruleset = load("kaiser").ruleset
    document = Document("emperor(red), tha")
    first = next(iter(Facts(ruleset).get_completions(document, CompleteEvent())))
    assert (first.text, first.start_position, first.display_meta_text) == ("thalers(", -3, "R has M thalers")
    keys.send_text("emperor(red)\r")
    assert query_line(ruleset, keys, DummyOutput()) == "emperor(red)"
    keys.send_text("\x04")
    assert query_line(ruleset, keys, DummyOutput()) == ""
