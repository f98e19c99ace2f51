"""Matches: moves, undo and redo, the record."""

from __future__ import annotations

import pytest
from support.heap_positions import after, heap
from support.played import VOTE

from kaiser_logic.engine import symbols
from kaiser_logic.game import load
from kaiser_logic.play.match import Match


def do(match: Match, *amounts: int) -> None:
    for amount in amounts:
        (role,) = match.deciding
        match.do(role, symbols.read_symbol(f"take({amount})"))


def test_moves_and_undo() -> None:
    match = Match(heap())
    do(match, 2, 3)
    assert match.position == after(2, 3)
    assert match.legal("red") == ("take(1)", "take(2)", "take(3)")
    undone = match.undo()
    assert (undone.role, str(undone.action)) == ("green", "take(3)")
    assert match.position == after(2)
    do(match, 1)
    assert match.position == after(2, 1)
    assert [str(move.action) for move in match.moves] == ["take(2)", "take(1)"]


def test_nothing_to_undo() -> None:
    with pytest.raises(IndexError):
        Match(heap()).undo()


def test_redo_repeats_undone_moves() -> None:
    match = Match(heap())
    do(match, 2, 3)
    assert match.undone_move is None
    with pytest.raises(IndexError):
        match.redo()
    match.undo()
    match.undo()
    assert match.undone_move is not None
    assert (match.undone_move.role, str(match.undone_move.action)) == ("red", "take(2)")
    assert str(match.redo().action) == "take(2)"
    assert match.position == after(2)
    match.redo()
    assert match.position == after(2, 3)
    assert [str(move.action) for move in match.moves] == ["take(2)", "take(3)"]
    match.undo()
    do(match, 1)  # another one: then there is no decision to redo
    assert match.undone_move is None
    match.undo()
    assert match.position == after(2)


def test_illegal_moves_are_refused() -> None:
    match = Match(heap())
    do(match, 3, 3, 3, 2)
    assert [v.rule for v in match.violations("red", symbols.read_symbol("take(2)"))] == ["take.enough"]
    assert match.violations("red", symbols.read_symbol("take(1)")) == []


def test_record_of_a_match() -> None:
    match = Match(heap())
    do(match, 3, 3, 3)
    assert match.record().tag("Result") == "*"
    do(match, 3)
    record = match.record(more={"Event": "test"})
    assert (record.tag("Result"), record.tag("Event")) == ("green", "test")
    assert [str(move.action) for move in record.moves] == ["take(3)"] * 4
    assert match.deciding == ()


def test_simultaneous_decisions() -> None:
    """The game continues after the last decision. Each decision can be undone alone."""
    match = Match(load("kaiser"))
    voting = match.game.position(line + "." for line in "".join(VOTE.split()).split(".") if line)
    match.position = voting
    assert match.deciding == ("green", "yellow")
    match.do("yellow", symbols.read_symbol("vote(rival)"))
    assert (match.deciding, match.position) == (("green",), voting)
    match.do("green", symbols.read_symbol("vote(emperor)"))
    assert match.position == voting.apply({"green": "vote(emperor)", "yellow": "vote(rival)"})
    match.undo()
    assert (match.deciding, match.position) == (("green",), voting)
    match.undo()
    assert match.deciding == ("green", "yellow")
