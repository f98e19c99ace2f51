"""The commands moves, position and show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.commands import Run, Write
from support.played import ELECTION, HEAD, VOTE


def test_moves_lists_legal_actions(run: Run, write: Write) -> None:
    write(HEAD + "red: empire_city(boehmen) green: elector(trier)")
    assert "red: empire_city(koeln)\n" in run("moves", "my.game@0").out
    assert run("moves", "my.game@1").out.splitlines()[0] == "green: elector(boehmen)"
    assert "blue: elector(trier)" not in run("moves", "my.game").out
    assert run("moves", "my.game@3").code == 2
    found = json.loads(run("moves", "--format", "json", "my.game@1").out)
    assert found["after"] == 1
    assert found["legal"]["green"][0] == "elector(boehmen)"


def test_moves_lists_the_votes_still_missing(run: Run, write: Write) -> None:
    write(ELECTION + "yellow: vote(rival)")
    assert run("moves", "my.game").out == "green: vote(emperor)\ngreen: vote(rival)\n"
    outcome = run("moves", write(ELECTION + "yellow: vote(rival) green: vote(rival)"))
    assert (outcome.code, outcome.out) == (0, "")
    assert "won by green" in outcome.err


def test_position_prints_all_facts(run: Run, write: Write) -> None:
    outcome = run("position", write(ELECTION + "yellow: vote(rival)"))
    assert outcome.code == 0
    assert set(outcome.out.split()) == set(VOTE.split())
    Path("facts").write_text(outcome.out)
    assert run("validate", "facts").code == 0


def test_file_names_may_end_like_a_place(run: Run, write: Write) -> None:
    Path(write(HEAD)).rename("my.game@7")
    assert run("moves", "my.game@7").code == 0


def test_show_draws_the_position(run: Run, write: Write) -> None:
    outcome = run("show", write(ELECTION))
    assert outcome.code == 0
    assert len(outcome.out.splitlines()) > 5


@pytest.mark.parametrize("command", ["moves", "position", "show"])
def test_an_earlier_illegal_move_is_reported(run: Run, write: Write, command: str) -> None:
    write(HEAD + "red: empire_city(boehmen) red: foo green: elector(trier)")
    assert run(command, "my.game@1").code == 0
    outcome = run(command, "my.game@3")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("my.game:2:27: red: foo: action.unknown")
    assert "cannot be followed beyond my.game@1" in outcome.err
    assert run("why", "my.game@3", "red: pass").code == 2


def test_an_earlier_failed_assertion_is_reported(run: Run, write: Write) -> None:
    outcome = run("moves", write(HEAD + "assert { round(3). }"))
    assert outcome.code == 0
    assert "record.assert: round(3) does not hold, but round(1)" in outcome.err
