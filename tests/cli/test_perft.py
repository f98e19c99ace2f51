"""The command perft."""

from __future__ import annotations

from support.commands import Run, Write
from support.heap_game import FOLDER

HEAP = str(FOLDER)


def test_each_length_has_a_line(run: Run) -> None:
    outcome = run("perft", HEAP, "4")
    assert (outcome.code, outcome.out) == (0, "1 3\n2 9\n3 27\n4 81\n")
    assert run("perft", HEAP, "4", "--engine", "clingo").out == outcome.out
    assert run("perft", HEAP, "0").out == "0 1\n"


def test_divide_option(run: Run) -> None:
    outcome = run("perft", HEAP, "2", "--divide")
    assert outcome.out == "red: take(1) 3\nred: take(2) 3\nred: take(3) 3\n\n1 3\n2 9\n"


def test_from_a_record(run: Run, write: Write) -> None:
    path = write('[Game "kaiser"]\n[Seats "red green"]\nred: empire_city(koeln)\n')
    whole = run("perft", path, "2").out
    assert whole == run("perft", f"{path}@1", "2").out
    assert run("perft", f"{path}@0", "2").out == run("perft", "kaiser", "2", "--players", "2").out != whole


def test_wrong_usage(run: Run, write: Write) -> None:
    path = write('[Game "kaiser"]\n[Seats "red green"]\n')
    assert run("perft", "chess", "1").code == 2
    assert run("perft", "no.game", "1").code == 2
    assert run("perft", HEAP, "-1").code == 2
    assert run("perft", HEAP, "1", "--engine", "abacus").code == 2
    outcome = run("perft", path, "1", "--players", "3")
    assert outcome.code == 2
    assert "a record says that itself" in outcome.err
