"""The commands moves, position and show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.commands import Run, Write
from support.played import ELECTION, HEAD, VOTE


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
