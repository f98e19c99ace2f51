"""Rulebooks whose variables have the names that the tool generates, and whose actions have roles as arguments."""

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
    """The rulebooks, as written or with renamed variables."""
    folder = tmp_path
    shutil.copytree(BOOKS, folder, dirs_exist_ok=True)
    if request.param == "renamed":
        for path in folder.glob("*/rules.lp"):
            renamed = spellings.program(path.read_text(encoding="utf-8"), Random(path.parent.name))
            path.write_text(renamed, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.slow
def test_rulebooks_are_clean(run: Run) -> None:
    for book in ("feud", "shelf", "spat", "calls"):
        outcome = run("lint", f"./{book}")
        assert (outcome.code, outcome.out, outcome.err) == (0, "", "clean\n")


# -- feud: two roles that strike each other


def test_check_accepts_a_feud(run: Run, write: Write) -> None:
    assert run("check", "--game", "./feud", write(FEUD)).code == 0


@pytest.mark.slow
def test_prove_does_not_prove_that_feuds_are_impossible(run: Run) -> None:
    proved = run("prove", "./feud", "--jobs", "1", "--fresh")
    assert (proved.code, "10 proved, 0 fallen, 0 not decided" in proved.out) == (0, True)
    claimed = run("prove", "./feud", "--jobs", "1", "--fresh", "--claim", "never feud(red)")
    assert claimed.code == 3
    assert "not inductive" in claimed.out
    assert "red: strike(green)" in claimed.out


@pytest.mark.slow
def test_prove_finds_a_false_invariant(run: Run, books: Path) -> None:
    with (books / "feud" / "rules.lp").open("a", encoding="utf-8") as file:
        file.write("%! invariant peace -- Nobody has a feud.\nbroken(peace,R) :- feud(R).\n")
    outcome = run("prove", "./feud", "--jobs", "1", "--fresh")
    assert outcome.code == 1
    assert "peace falls by plan" in outcome.out
    assert "10 proved, 1 fallen, 0 not decided" in outcome.out  # no other invariant depends on it
    assert "(played again: confirmed)" in outcome.out


@pytest.mark.slow
def test_invariants_proposes_no_false_invariant(run: Run) -> None:
    outcome = run("invariants", "./feud", "--jobs", "1")
    assert (outcome.code, "broken(" in outcome.out) == (0, False)


def test_find_reaches_a_feud(run: Run, write: Write) -> None:
    found = run("find", "./feud", "feud(red)", "--reachable", "40")
    assert found.code == 0
    assert run("check", "--game", "./feud", write(found.out)).code == 0


# -- spat: three roles, and a ruling


def test_compare_finds_the_difference_of_a_ruling(run: Run) -> None:
    outcome = run("compare", "./spat", "--editions", "standard,other", "--jobs", "1")
    assert outcome.code == 1
    assert "with no nothing more" in outcome.out


@pytest.mark.slow
def test_check_accepts_a_spat_of_two_roles(run: Run, write: Write) -> None:
    moves = "red: tease(green) green: tease(blue) blue: tease(green)\n"
    true = "assert { spat(green). spat(blue). not spat(red). }\n"
    false = "assert { not spat(red). not spat(green). not spat(blue). }\n"
    assert run("check", "--game", "./spat", write(SPAT + moves + true)).code == 0
    assert run("check", "--game", "./spat", "--option", "pay=no", write(SPAT + moves + false)).code == 0
    assert run("prove", "./spat", "--jobs", "1", "--fresh").code == 0


# -- shelf: measures with variables


def test_each_measure_is_summed_separately(run: Run, write: Write) -> None:
    full = run("check", "--game", "./shelf", write(SHELF + "red: lay(2) green: lay(2)\n"))
    assert full.code == 1
    assert "lay.full: it is full" in full.out
    listed = run("moves", "--game", "./shelf", write(SHELF + "red: lay(2)\n"))
    assert listed.out.split() == ["green:", "lay(1)", "green:", "lay(3)", "green:", "stop"]


def test_positions_above_a_limit_are_refused(run: Run, write: Write) -> None:
    facts = "seat(green,2). seat(red,1). phase(play). on(1,green). on(1,red). decision(red,lay)."
    outcome = run("validate", "--game", "./shelf", write(f"{SHELF}position {{ {facts} }}\n"))
    assert (outcome.code, "limit" in outcome.out) == (1, True)
    assert run("find", "./shelf", "on(2,red), on(2,green)").code == 1


def test_complete_respects_limits(run: Run, write: Write) -> None:
    record = SHELF + "red: lay(2) green: ? red: lay(3) green: stop\n"
    outcome = run("complete", "--game", "./shelf", write(record))
    assert outcome.code == 0
    assert "green: lay(1)" in outcome.out
    assert outcome.err == "this is the only way\n"


@pytest.mark.slow
def test_prove_proves_claims_about_limits(run: Run) -> None:
    assert run("prove", "./shelf", "--jobs", "1", "--fresh").code == 0
    assert (
        run("prove", "./shelf", "--jobs", "1", "--fresh", "--claim", "never on(2,red), on(2,green)").code == 0
    )


# -- calls: actions with variables


@pytest.mark.slow
def test_roles_cannot_call_themselves(run: Run, write: Write) -> None:
    assert (
        run(
            "check",
            "--game",
            "./calls",
            write(CALLS + "red: call(green) green: write(green,red) red: stop\n"),
        ).code
        == 0
    )
    to_self = run("check", "--game", "./calls", write(CALLS + "red: call(red)\n"))
    assert (to_self.code, "call.self" in to_self.out) == (1, True)
    late = run("check", "--game", "./calls", write(CALLS + "green: call(red)\n"))
    assert (late.code, ": call: not now" in late.out) == (1, True)
    assert run("moves", "--game", "./calls", write(CALLS)).out.split()[1::2] == [
        "call(green)",
        "stop",
        "write(green,green)",
        "write(red,green)",
    ]
    assert run("prove", "./calls", "--jobs", "1", "--fresh").code == 0
