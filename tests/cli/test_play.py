"""The command play."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from support.commands import Run, Write
from support.heap_game import FOLDER

from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.record import Move
from kaiser_logic.notation.syntax import parse_user_term


@pytest.mark.sample(2)
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


@pytest.mark.slow
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
        "must not contain a '?'",
        "undo   ",
        "no decision to undo",
        "written to hand.game",
        "my.game cannot be written: File exists",
        "no/such/folder cannot be written: No such file",
    ):
        assert text in outcome.err
    assert run("check", "hand.game").code == 0


def test_play_ends_with_its_input(run: Run) -> None:
    outcome = run("play", "kaiser", "--roles", "red", "--players", "3", "--seed", "4", typed="1\n1\nundo\n")
    assert outcome.code == 0
    moves = parse_record(outcome.out).moves
    assert [move.role for move in moves] == ["red", "green", "blue"]
    assert '[Seed "4"]' in outcome.out


def test_simultaneous_decisions_by_hand(run: Run) -> None:
    outcome = run("play", "kaiser", "--players", "2", "--roles", "chance", typed="1\n1\n")
    assert [move.role for move in parse_record(outcome.out).moves][:2] == ["chance", "chance"]


def test_cards_of_others_are_concealed(run: Run) -> None:
    """Defect D7: with --roles, neither the deal nor the drawing shows the cards of others."""
    outcome = run("play", "krone", "--players", "2", "--roles", "red", "--seed", "1", typed="show\nquit\n")
    assert outcome.code == 0
    assert "chance: deal ..." in outcome.err
    assert "chance: deal(green," not in outcome.err
    assert "chance: deal(red," in outcome.err
    green = [line for line in outcome.err.splitlines() if line.startswith("Green ")]
    assert green
    assert not any(
        card in line for line in green for card in ("city", "castle", "cathedral", "leader", "incite")
    )


@pytest.mark.slow
def test_why_does_not_reveal_concealed_facts(run: Run) -> None:
    """A reason shows neither the points or cards of others nor the draw pile."""
    begun = run("play", "krone", "--players", "2", "--random", "--seed", "3", "--moves", "80").out
    role = next(m.role for m in reversed(parse_record(begun).moves) if m.role != "chance")
    other = "green" if role == "red" else "red"
    typed = "".join(f"why {n}\n" for n in range(1, 12)) + f"why occupy(a1)\nwhy attack(a1,{other})\nquit\n"
    path = Path(tempfile.mkdtemp()) / "begun.game"
    path.write_text(begun, encoding="utf-8")
    arguments = ("play", "krone", "--resume", str(path), "--seed", "3", "--moves", "99")
    concealed = run(*arguments, "--roles", role, typed=typed)
    assert "is legal" in concealed.err
    for fact in (f"points({other},", f"hand({other},", "draw("):
        assert fact not in concealed.err


def test_redo_and_list(run: Run) -> None:
    typed = "1\n1\nundo\nundo\nredo\nredo\nredo\nlist koeln\nlist xyz\nquit\n"
    outcome = run("play", "kaiser", "--players", "3", typed=typed)
    assert [move.role for move in parse_record(outcome.out).moves] == ["red", "green"]
    assert "there is no decision to redo" in outcome.err
    assert "no legal action fits 'xyz'" in outcome.err


def test_automatic_steps_are_shown(run: Run) -> None:
    """Defect D9: points, phases and so on."""
    outcome = run("play", "kaiser", "--roles", "red", "--seed", "3", "--moves", "22", typed="1\n" * 9)
    assert "Red receives 7 thalers" in outcome.err, outcome.err


def test_a_record_is_resumed(run: Run, write: Write) -> None:
    """Defect D9."""
    begun = run("play", "kaiser", "--random", "--seed", "2", "--players", "3", "--moves", "8").out
    outcome = run(
        "play", "kaiser", "--resume", f"{write(begun)}@6", "--random", "--seed", "4", "--moves", "9"
    )
    first, second = parse_record(begun), parse_record(outcome.out)
    assert second.moves[:6] == first.moves[:6]
    assert len(second.moves) == 9
    assert second.seats == first.seats
    assert run("play", "krone", "--resume", "my.game", "--random").code == 2
    write('[Game "kaiser"]\nposition { seat(red,1). }\n')
    assert run("play", "kaiser", "--resume", "my.game", "--random").code == 2


@pytest.mark.parametrize(("number", "files"), [(signal.SIGTERM, 0), (signal.SIGHUP, 1)])
def test_a_game_that_is_ended_from_outside_is_kept(tmp_path: Path, number: int, files: int) -> None:
    """The record is printed. If the terminal may be gone, it is also written to a file."""
    path = os.pathsep.join([str(Path(__file__).parents[2]), *filter(None, sys.path)])
    with subprocess.Popen(
        [sys.executable, "-m", "kaiser_logic", "play", str(FOLDER), "--plain"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
    ) as process:
        assert process.stdin is not None and process.stderr is not None
        process.stdin.write("take(2)\n")
        process.stdin.flush()
        assert any("green decides" in line for line in iter(process.stderr.readline, ""))
        process.send_signal(number)
        printed, _ = process.communicate()
    assert process.returncode == 128 + number
    assert parse_record(printed).moves == (Move("red", parse_user_term("take(2)")),)
    kept = list(tmp_path.glob("heap-interrupted-1.game"))
    assert [file.read_text() for file in kept] == [printed] * files
