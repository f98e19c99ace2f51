"""Rulebooks whose variables might be taken for the tool's, and whose roles are arguments: every command's right answer."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest
from support import spellings
from support.commands import Run, Write

BOOKS = Path(__file__).parents[1] / "support" / "named"
FEUD = "\n".join(
    [
        '[Game "feud"]\n[Seats "red green"]\n',
        *["red: forge green: forge"] * 4,
        "red: strike(green) green: strike(red)",
        "assert { feud(red). feud(green). }\n",
    ]
)
SHELF = '[Game "shelf"]\n[Seats "red green"]\n\n'
CALLS = '[Game "calls"]\n[Seats "red green"]\n\n'
SPAT = '[Game "spat"]\n[Seats "red green blue"]\n\n'


@pytest.fixture(params=["renamed", pytest.param("as written", marks=pytest.mark.slow)], autouse=True)
def books(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The rulebooks, as they are written and with other names for their variables."""
    folder = tmp_path
    shutil.copytree(BOOKS, folder, dirs_exist_ok=True)
    if request.param == "renamed":
        for path in folder.glob("*/rules.lp"):
            renamed = spellings.program(path.read_text(encoding="utf-8"), Random(path.parent.name))
            path.write_text(renamed, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.slow
def test_lint(run: Run) -> None:
    for book in ("feud", "shelf", "spat", "calls"):
        said = run("lint", f"./{book}")
        assert (said.code, said.out, said.err) == (0, "", "clean\n")


# -- a role that strikes whoever strikes him


def test_what_is_rare_happens(run: Run, write: Write) -> None:
    assert run("check", "--game", "./feud", write(FEUD)).code == 0


@pytest.mark.slow
def test_nothing_false_is_proved_of_what_is_rare(run: Run) -> None:
    proved = run("prove", "./feud", "--jobs", "1", "--fresh")
    assert (proved.code, "10 proved, 0 fallen, 0 not decided" in proved.out) == (0, True)
    claimed = run("prove", "./feud", "--jobs", "1", "--fresh", "--claim", "never feud(red)")
    assert claimed.code == 3
    assert "not inductive" in claimed.out
    assert "red: strike(green)" in claimed.out


@pytest.mark.slow
def test_an_invariant_that_does_not_hold_falls(run: Run, books: Path) -> None:
    with (books / "feud" / "rules.lp").open("a", encoding="utf-8") as file:
        file.write("%! invariant peace -- Nobody has a feud.\nbroken(peace,R) :- feud(R).\n")
    said = run("prove", "./feud", "--jobs", "1", "--fresh")
    assert said.code == 1
    assert "peace falls by plan" in said.out
    assert "10 proved, 1 fallen, 0 not decided" in said.out  # nothing else needs it
    assert "(played again: confirmed)" in said.out


@pytest.mark.slow
def test_no_invariant_is_mined_that_does_not_hold(run: Run) -> None:
    said = run("invariants", "./feud", "--jobs", "1")
    assert (said.code, "broken(" in said.out) == (0, False)


def test_what_is_rare_is_found(run: Run, write: Write) -> None:
    found = run("find", "./feud", "feud(red)", "--reachable", "40")
    assert found.code == 0
    assert run("check", "--game", "./feud", write(found.out)).code == 0


# -- the same of three, under a ruling


def test_what_tells_rulings_apart_is_found(run: Run) -> None:
    said = run("compare", "./spat", "--editions", "standard,other", "--jobs", "1")
    assert said.code == 1
    assert "with no nothing more" in said.out


@pytest.mark.slow
def test_a_spat_is_of_two(run: Run, write: Write) -> None:
    moves = "red: tease(green) green: tease(blue) blue: tease(green)\n"
    true = "assert { spat(green). spat(blue). not spat(red). }\n"
    false = "assert { not spat(red). not spat(green). not spat(blue). }\n"
    assert run("check", "--game", "./spat", write(SPAT + moves + true)).code == 0
    assert run("check", "--game", "./spat", "--option", "pay=no", write(SPAT + moves + false)).code == 0
    assert run("prove", "./spat", "--jobs", "1", "--fresh").code == 0


# -- measures with variables


def test_each_measure_is_summed_up(run: Run, write: Write) -> None:
    full = run("check", "--game", "./shelf", write(SHELF + "red: lay(2) green: lay(2)\n"))
    assert full.code == 1
    assert "lay.full: it is full" in full.out
    listed = run("moves", "--game", "./shelf", write(SHELF + "red: lay(2)\n"))
    assert listed.out.split() == ["green:", "lay(1)", "green:", "lay(3)", "green:", "stop"]


def test_too_much_is_no_position(run: Run, write: Write) -> None:
    facts = "seat(green,2). seat(red,1). phase(play). on(1,green). on(1,red). decision(red,lay)."
    said = run("validate", "--game", "./shelf", write(f"{SHELF}position {{ {facts} }}\n"))
    assert (said.code, "limit" in said.out) == (1, True)
    assert run("find", "./shelf", "on(2,red), on(2,green)").code == 1


def test_gaps_are_filled_with_what_is_legal(run: Run, write: Write) -> None:
    record = SHELF + "red: lay(2) green: ? red: lay(3) green: stop\n"
    said = run("complete", "--game", "./shelf", write(record))
    assert said.code == 0
    assert "green: lay(1)" in said.out
    assert said.err == "this is the only way\n"


@pytest.mark.slow
def test_claims_about_measures(run: Run) -> None:
    assert run("prove", "./shelf", "--jobs", "1", "--fresh").code == 0
    assert (
        run("prove", "./shelf", "--jobs", "1", "--fresh", "--claim", "never on(2,red), on(2,green)").code == 0
    )


# -- actions with variables


@pytest.mark.slow
def test_whoever_is_called_on_is_another(run: Run, write: Write) -> None:
    assert (
        run(
            "check",
            "--game",
            "./calls",
            write(CALLS + "red: call(green) green: write(green,red) red: stop\n"),
        ).code
        == 0
    )
    own = run("check", "--game", "./calls", write(CALLS + "red: call(red)\n"))
    assert (own.code, "call.self" in own.out) == (1, True)
    late = run("check", "--game", "./calls", write(CALLS + "green: call(red)\n"))
    assert (late.code, ": call: not now" in late.out) == (1, True)
    assert run("moves", "--game", "./calls", write(CALLS)).out.split()[1::2] == [
        "call(green)",
        "stop",
        "write(green,green)",
        "write(red,green)",
    ]
    assert run("prove", "./calls", "--jobs", "1", "--fresh").code == 0
