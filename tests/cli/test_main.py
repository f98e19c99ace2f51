"""The command line as a whole: help, wrong usage, exit codes, and hostile input."""

import warnings
from pathlib import Path

import pytest
from support.heap_game import FOLDER
from support.played import HEAD
from support.tool import tool

from kaiser_logic.cli import COMMANDS, inspect, main
from kaiser_logic.completion.complete import Completion
from kaiser_logic.errors import NotDecided
from kaiser_logic.evaluation.origin import LISTED
from kaiser_logic.notation.reading import parse_record


def test_help_lists_all_commands_without_large_imports():
    code = (
        "import sys; from kaiser_logic.cli import COMMANDS, main; main(['--help']); "
        "[main([command, '--help']) for command in COMMANDS]; "
        "sys.exit(any(name in sys.modules for name in ('clingo', 'lark', 'multiprocessing')))"
    )
    done = tool(code, python="-c")
    assert done.returncode == 0
    for name, (_, about) in COMMANDS.items():
        assert f"  {name}" in done.stdout
        assert about.split()[0] in done.stdout


# --- errors ----------------------------------------------------------------------------------------

HOSTILE = {
    "empty": b"",
    "binary": bytes(range(256)) * 9,
    "latin": HEAD.encode() + b"% \xe9",
    "no tags": b"red: pass",
    "unknown game": b'[Game "chess"] red: pass',
    "path as game": b'[Game "../kaiser"]',
    "deep": f"{HEAD} red: {'f(' * 9999}x{')' * 9999}".encode(),
    "deep brackets": f"{HEAD} {'position { ' * 999}".encode(),
    "huge number": f"{HEAD} red: empire_city({'9' * 999})".encode(),
    "script": f"{HEAD} position {{ #script(python) import os #end. }}".encode(),
    "rule": f"{HEAD} position {{ a :- b. }}".encode(),
    "interval": f"{HEAD} position {{ points(red,0..999999999). }}".encode(),
    "board": f'{HEAD}[Board "my.game"]'.encode(),
    "device": f'{HEAD}[Board "/dev/zero"]'.encode(),
    "folder": f'{HEAD}[Board "."]'.encode(),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("command", ["check", "moves", "position", "validate", "show", "why"])
def test_hostile_input(run, write, command, name):
    Path(write("")).write_bytes(HOSTILE[name])
    outcome = run(command, "my.game", *(["red: pass"] if command == "why" else []))
    assert outcome.code == 2
    text = outcome.out if command == "check" else outcome.err  # `check` reports faults on standard output
    assert text.startswith("my.game")
    assert command == "check" or not outcome.out


@pytest.mark.parametrize(
    ("error", "code", "text"),
    [
        (NotDecided("no answer within 1 s"), 3, "not decided"),
        (KeyboardInterrupt(), 130, "kaiser-logic: interrupted\n"),
        (BrokenPipeError(), 141, ""),
        (OSError(28, "No space left on device"), 2, "No space left"),
        (MemoryError(), 2, "memory"),
        (ValueError("two\nlines"), 2, "internal error: ValueError: two lines"),
    ],
)
def test_errors_have_exit_codes_and_one_line(capsys, monkeypatch, error, code, text):
    def fail(_: object) -> int:
        raise error

    monkeypatch.setattr(inspect, "position", fail)
    monkeypatch.setattr("kaiser_logic.cli._discard_output", lambda: None)
    assert main(["position", "my.game"]) == code
    captured = capsys.readouterr()
    assert text in captured.err
    assert len(captured.err.splitlines()) <= 1


def test_warnings_have_one_line(monkeypatch, capsys):
    """For example that no explanation was found."""

    def warn(_: object) -> int:
        warnings.warn("no explanation for\nturn", RuntimeWarning, stacklevel=1)
        return 0

    monkeypatch.setattr(inspect, "position", warn)
    before = warnings.showwarning
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        assert main(["position", "my.game"]) == 0
    assert warnings.showwarning is before
    assert capsys.readouterr().err == "kaiser-logic: warning: no explanation for turn\n"
    assert main(["position", "my.game"]) == 2  # in tests a warning is an error
    assert "internal error: RuntimeWarning" in capsys.readouterr().err


def test_the_limit_of_moves_is_said_behind_an_answer(run, write, monkeypatch):
    for found, note in (
        (Completion((parse_record(HEAD),), True, within=7), "this is the only way"),
        (Completion((), None, within=7), "so that everything is legal (proved"),
    ):
        monkeypatch.setattr("kaiser_logic.completion.complete.complete", lambda *_, found=found, **__: found)
        assert f"{note}, {LISTED}, with at most 7 moves between two positions" in run("complete", write(HEAD)).err


def test_a_text_with_a_line_break_stays_in_its_comment(run, monkeypatch):
    monkeypatch.setattr("kaiser_logic.query.find.confirm", lambda *_: "two\nposition { no(fact). }")
    found = run("find", str(FOLDER), "heap(3), took(red)", "--smallest").out
    assert "% because: two\\nposition" in found
    assert len(parse_record(found).items) == 1
