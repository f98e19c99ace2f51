"""The command line: every command, its exit codes, and what strangers may feed it."""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from played import ELECTION, HEAD, VOTE, opening, played

import kaiser_logic
from kaiser_logic.cli import COMMANDS, main, records
from kaiser_logic.errors import NotDecided
from kaiser_logic.notation.reading import parse_record


class Outcome(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


Run = Callable[..., Outcome]
Write = Callable[[str], str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command; ``typed`` is its input."""

    def run(*arguments: str, typed: str = "") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = main(arguments)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        assert "internal error" not in captured.err
        return Outcome(code, captured.out, captured.err)

    return run


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes a text to the file ``my.game`` in the current folder."""
    monkeypatch.chdir(tmp_path)

    def write(text: str) -> str:
        Path("my.game").write_text(text, encoding="utf-8")
        return "my.game"

    return write


# --- help and usage -------------------------------------------------------------------------------


def test_help_lists_all_commands_and_loads_nothing() -> None:
    code = (
        "import sys; from kaiser_logic.cli import main; main(['--help']); "
        "sys.exit(any(name in sys.modules for name in ('clingo', 'lark', 'multiprocessing')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0
    for name, (_, about) in COMMANDS.items():
        assert f"  {name}" in done.stdout
        assert about.split()[0] in done.stdout


def test_the_package_is_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kaiser_logic", "--version"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (0, f"kaiser-logic {kaiser_logic.__version__}")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_each_command(run: Run, command: str) -> None:
    outcome = run(command, "--help")
    assert outcome.code == 0
    assert "--help" in outcome.out
    assert len(outcome.out) > 200


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["check"],
        ["check", "--on-illegal", "explode", "x.game"],
        ["check", "--jobs", "0", "x.game"],
        ["check", "--jobs", "-3", "x.game"],
        ["check", "--form", "json", "x.game"],
        ["moves"],
        ["why", "x.game"],
        ["play"],
        ["play", "chess"],
        ["play", "kaiser", "--edition", "latin"],
        ["play", "kaiser", "--option", "nothing"],
        ["play", "kaiser", "--option", "nothing=1"],
        ["play", "kaiser", "--players", "7"],
        ["play", "kaiser", "--players", "two"],
        ["play", "kaiser", "--seats", "red,purple"],
        ["play", "kaiser", "--start", "emperor=purple"],
        ["play", "kaiser", "--start", "edition=it"],
        ["play", "kaiser", "--start", "pope=red"],
        ["play", "kaiser", "--board", "missing.lp"],
        ["play", "kaiser", "--roles", "purple"],
        ["play", "kaiser", "--roles", "red", "--random"],
        ["play", "kaiser", "--random", "--seed", "-1"],
        ["rules"],
        ["rules", "chess"],
        ["rules", "../kaiser"],
        ["rules", "kaiser", "no.such.rule"],
    ],
)
def test_wrong_usage(run: Run, arguments: list[str]) -> None:
    outcome = run(*arguments)
    assert outcome.code == 2
    assert outcome.err
    assert not outcome.out


# --- check ----------------------------------------------------------------------------------------


def test_check_of_a_legal_game(run: Run, write: Write) -> None:
    assert run("check", write(played())) == Outcome(0, "", "1 record: 1 without fault\n")


def test_check_reports_every_fault(run: Run, write: Write) -> None:
    outcome = run("check", write(HEAD + "red: pass\ngreen: foo\n"))
    assert outcome.code == 1
    assert outcome.out.startswith("my.game:2:1: red: pass: actions.turn: ")
    outcome = run("check", "--on-illegal", "skip", "my.game")
    assert outcome.out.splitlines()[1].startswith("my.game:3:1: green: foo: action.unknown: ")
    assert run("check", "--on-illegal", "force", "my.game").code == 1


def test_check_of_many(run: Run, write: Write) -> None:
    write(HEAD + "red: pass")
    Path("good.game").write_text(HEAD)
    for jobs in ("1", "2"):
        outcome = run("check", "--format", "json", "--jobs", jobs, ".", "missing.game")
        assert outcome.code == 2
        found = [json.loads(line) for line in outcome.out.splitlines()]
        assert [report["ok"] for report in found] == [True, False, False]
        assert found[1]["faults"][0]["rule"] == "actions.turn"
        assert "cannot be read" in found[2]["unreadable"]
        assert "1 with faults, 1 unreadable" in outcome.err


def test_options_stand_anywhere(run: Run, write: Write) -> None:
    write(HEAD)
    Path("other.game").write_text(HEAD)
    assert len(run("check", "my.game", "--format", "json", "other.game").out.splitlines()) == 2
    asked = run("prove", "kaiser", "--players", "2", "no_such_invariant")
    assert asked.code == 2
    assert "has no invariant 'no_such_invariant'" in asked.err


def test_check_of_an_empty_folder(run: Run, write: Write) -> None:
    write("")
    Path("empty").mkdir()
    assert run("check", "empty") == Outcome(0, "", "no records\n")


# --- moves, position, show ------------------------------------------------------------------------


def test_moves(run: Run, write: Write) -> None:
    write(HEAD + "red: empire_city(boehmen) green: elector(trier)")
    assert "red: empire_city(koeln)\n" in run("moves", "my.game@0").out
    assert run("moves", "my.game@1").out.splitlines()[0] == "green: elector(boehmen)"
    assert "blue: elector(trier)" not in run("moves", "my.game").out
    assert run("moves", "my.game@3").code == 2
    found = json.loads(run("moves", "--format", "json", "my.game@1").out)
    assert found["after"] == 1
    assert found["legal"]["green"][0] == "elector(boehmen)"


def test_moves_of_those_who_have_still_to_vote(run: Run, write: Write) -> None:
    write(ELECTION + "yellow: vote(rival)")
    assert run("moves", "my.game").out == "green: vote(emperor)\ngreen: vote(rival)\n"
    outcome = run("moves", write(ELECTION + "yellow: vote(rival) green: vote(rival)"))
    assert (outcome.code, outcome.out) == (0, "")
    assert "won by green" in outcome.err


def test_position(run: Run, write: Write) -> None:
    outcome = run("position", write(ELECTION + "yellow: vote(rival)"))
    assert outcome.code == 0
    assert set(outcome.out.split()) == set(VOTE.split())
    Path("facts").write_text(outcome.out)
    assert run("validate", "facts").code == 0


def test_a_file_may_be_called_like_a_place(run: Run, write: Write) -> None:
    Path(write(HEAD)).rename("my.game@7")
    assert run("moves", "my.game@7").code == 0


def test_show(run: Run, write: Write) -> None:
    outcome = run("show", write(ELECTION))
    assert outcome.code == 0
    assert len(outcome.out.splitlines()) > 5


@pytest.mark.parametrize("command", ["moves", "position", "show"])
def test_an_illegal_move_before(run: Run, write: Write, command: str) -> None:
    write(HEAD + "red: empire_city(boehmen) red: foo green: elector(trier)")
    assert run(command, "my.game@1").code == 0
    outcome = run(command, "my.game@3")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("my.game:2:27: red: foo: action.unknown")
    assert "cannot be followed beyond my.game@1" in outcome.err
    assert run("why", "my.game@3", "red: pass").code == 2


def test_a_failed_assertion_before_is_mentioned(run: Run, write: Write) -> None:
    outcome = run("moves", write(HEAD + "assert { round(3). }"))
    assert outcome.code == 0
    assert "record.assert: round(3) does not hold, but round(1)" in outcome.err


# --- why ------------------------------------------------------------------------------------------


def test_why_illegal(run: Run, write: Write) -> None:
    outcome = run("why", write(HEAD + opening()), "green: buy(gray_eminence,hold)")
    assert outcome.code == 1
    assert "green: buy(gray_eminence,hold) is illegal: it breaks" in outcome.out
    for text in ("actions.turn", "The rule", "Here", "Because", "decision(red,turn)", "Source", "nl ", "it "):
        assert text in outcome.out


def test_why_legal(run: Run, write: Write) -> None:
    outcome = run("why", write(HEAD + opening()), "red: pass")
    assert outcome.code == 0
    assert "red: pass is legal" in outcome.out
    assert "actions.turn" in outcome.out


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("green: vote(rival)", 0),
        ("yellow: vote(rival)", 1),
        ("purple: vote(rival)", 1),
        ("green: nonsense(5)", 1),
        ("green", 2),
        ("green: ?", 2),
        ("green: f(?)", 2),
        ("", 2),
        ("green: " + "f(" * 99, 2),
    ],
)
def test_why_in_an_election(run: Run, write: Write, move: str, code: int) -> None:
    assert run("why", write(ELECTION + "yellow: vote(rival)"), move).code == code


def test_why_after_the_end(run: Run, write: Write) -> None:
    outcome = run("why", write(ELECTION + "yellow: vote(rival) green: vote(rival)"), "red: pass")
    assert outcome.code == 1
    assert "record.over" in outcome.out


# --- validate -------------------------------------------------------------------------------------


def test_validate(run: Run, write: Write) -> None:
    assert run("validate", write(ELECTION)).code == 0
    assert run("validate", write(VOTE)).code == 0
    assert run("validate", write(f"position {{{VOTE}}}"), "--game", "kaiser", "--edition", "it").code == 0


def test_validate_finds_what_is_broken(run: Run, write: Write) -> None:
    outcome = run("validate", write(VOTE + "emperor(red)."))
    assert outcome.code == 1
    assert "my.game: one_emperor: One player is emperor. (x)\n" in outcome.out
    outcome = run("validate", write(VOTE + "\nemperor(nobody)."))
    assert outcome.code == 1
    assert "my.game:25:1: vocabulary: " in outcome.out or "emperor(nobody)" in outcome.out


@pytest.mark.parametrize(
    "text",
    [
        "",
        "seat(red,1).",
        HEAD,
        "seat(red,?). round(1). empire_city(trier,1). elector(a,b,c,d).",
        "a :- b.",
        "#script (python) print(1) #end.",
        ELECTION.replace("]", '] [Edition "latin"]', 1),
        ELECTION.replace("kaiser", "chess"),
        ELECTION * 2,
    ],
)
def test_validate_refuses(run: Run, write: Write, text: str) -> None:
    outcome = run("validate", write(text))
    assert outcome.code in ({1, 2} if text == "seat(red,1)." else {2})


def test_validate_takes_the_game_from_the_record(run: Run, write: Write) -> None:
    assert run("validate", write(ELECTION), "--edition", "it").code == 2


# --- play -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", ["2", "3"])
def test_random_games_are_legal(run: Run, write: Write, players: str) -> None:
    arguments = ["play", "kaiser", "--random", "--seed", "5", "--players", players, "--moves", "60"]
    outcome = run(
        *arguments, "--edition", "it", "--option", "archbishop_marriage=allowed", "--start", "Emperor=green"
    )
    assert outcome.code == 0
    record = parse_record(outcome.out)
    assert len(record.moves) == 60
    assert (record.edition, record.options) == ("it", {"archbishop_marriage": "allowed"})
    assert (record.tag("Emperor"), record.tag("Result")) == ("green", "*")
    assert run("check", write(outcome.out)).code == 0


def test_random_games_depend_on_the_seed(run: Run) -> None:
    games = [run("play", "kaiser", "--random", "--seed", seed, "--moves", "9").out for seed in "112"]
    assert games[0] == games[1] != games[2]


def test_play_with_a_board(run: Run, write: Write) -> None:
    write("")
    Path("board.lp").write_text("spaces(trier,castle,2).")
    outcome = run("play", "kaiser", "--random", "--moves", "2", "--board", "board.lp")
    assert '[Board "board.lp"]' in outcome.out
    assert run("check", write(outcome.out)).code == 0


def test_play_by_hand(run: Run, write: Write) -> None:
    write("")
    typed = """
        99
        why 1
        why green: pass
        foo(
        pass
        empire_city(?)
        1
        show
        list
        help
        green: elector(trier)
        undo
        undo
        undo
        empire_city(koeln)
        save hand.game
        save hand.game
        save my.game
        save no/such/folder
        quit
    """
    outcome = run("play", "kaiser", "--seats", "red green blue", typed=typed)
    assert outcome.code == 0
    assert [str(move.action) for move in parse_record(outcome.out).moves] == ["empire_city(koeln)"]
    for text in (
        "numbers 1 to 7",
        "is legal",
        "actions.turn",
        "is not a term",
        "left open",
        "undo   ",
        "nothing to take back",
        "written to hand.game",
        "cannot write my.game: File exists",
        "cannot write no/such/folder",
    ):
        assert text in outcome.err
    assert run("check", "hand.game").code == 0


def test_play_ends_with_its_input(run: Run) -> None:
    outcome = run("play", "kaiser", "--roles", "red", "--players", "3", "--seed", "4", typed="1\n1\nundo\n")
    assert outcome.code == 0
    moves = parse_record(outcome.out).moves
    assert [move.role for move in moves] == ["red", "green", "blue"]
    assert '[Seed "4"]' in outcome.out


def test_play_of_simultaneous_decisions(run: Run) -> None:
    outcome = run("play", "kaiser", "--players", "2", "--roles", "chance", typed="1\n1\n")
    assert [move.role for move in parse_record(outcome.out).moves][:2] == ["chance", "chance"]


# --- rules ----------------------------------------------------------------------------------------


def test_rules(run: Run) -> None:
    outcome = run("rules", "kaiser")
    assert outcome.code == 0
    for text in (
        "actions.buy.thalers",
        "kaiser/actions.lp",
        "archbishop_marriage",
        "record.assert",
        "action.unknown",
    ):
        assert text in outcome.out


def test_one_rule(run: Run) -> None:
    out = run("rules", "kaiser", "actions.buy.thalers").out
    assert "The price is paid in full" in out
    assert "kaiser/actions.lp:" in out
    assert "  nl  " in out
    assert "  it  " in out


def test_rules_by_prefix(run: Run) -> None:
    out = run("rules", "kaiser", "actions.buy").out
    assert {"actions.buy.thalers", "actions.buy.display"} <= set(out.split())
    out = run("rules", "kaiser", "archbishop_marr").out
    assert "allowed" in out
    assert "(ruling)" in out


# --- what must not happen -------------------------------------------------------------------------

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
def test_hostile_input(run: Run, write: Write, command: str, name: str) -> None:
    Path(write("")).write_bytes(HOSTILE[name])
    outcome = run(command, "my.game", *(["red: pass"] if command == "why" else []))
    assert outcome.code == 2
    assert outcome.err.startswith("my.game")
    assert not outcome.out


def test_big_numbers_in_positions_are_only_numbers(run: Run, write: Write) -> None:
    text = VOTE.replace("points(green,20)", "points(green,999999999)")
    assert run("validate", write(text)).code == 0
    assert run("validate", write(text.replace("(green,999999999)", "(green,-999999999)"))).code == 1
    assert run("validate", write(VOTE + "".join(f"points(red,{n})." for n in range(3000)))).code == 1


@pytest.mark.parametrize(
    ("error", "code", "text"),
    [
        (NotDecided("no answer within 1 s"), 3, "not decided"),
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(), 141, ""),
        (OSError(28, "No space left on device"), 2, "No space left"),
        (MemoryError(), 2, "memory"),
        (ValueError("two\nlines"), 2, "internal error: ValueError: two lines"),
    ],
)
def test_whatever_happens(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: int,
    text: str,
) -> None:
    def fail(_: object) -> int:
        raise error

    monkeypatch.setattr(records, "position", fail)
    monkeypatch.setattr("kaiser_logic.cli._discard_output", lambda: None)
    assert main(["position", "my.game"]) == code
    captured = capsys.readouterr()
    assert text in captured.err
    assert len(captured.err.splitlines()) <= 1


def test_debugging_shows_faults_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(records, "position", fail)
    monkeypatch.setenv("KAISER_LOGIC_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main(["position", "my.game"])
