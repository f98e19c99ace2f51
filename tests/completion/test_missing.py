"""Illegal moves before which the move of another role is missing."""

import re
from pathlib import Path

import pytest
from support.tables import rows

from kaiser_logic.completion.missing import missing_before, with_missing
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.records.checking import check

GAME = (Path(__file__).parents[2] / "examples" / "games" / "four-players.game").read_text(encoding="utf-8")


def without(move: str) -> str:
    assert GAME.count(f"{move}\n") == 1
    return re.sub(rf"(?m)^{re.escape(move)}\n", "", GAME)


@pytest.mark.parametrize(("move", "moves", "message"), rows("completion/completions", "missing"))
def test_the_missing_move_is_named(move, moves, message):
    assert missing_before(parse_record(without(move)), int(moves)) == message


def test_no_move_is_missing_if_none_would_help():
    assert missing_before(parse_record(GAME), 3) == ""
    strange = '[Game "kaiser"] red: empire_city(boehmen) red: pass'
    assert missing_before(parse_record(strange), 1) == ""
    assert missing_before(parse_record(strange), 2) == ""


KRONE = Path(__file__).parents[2] / "examples" / "krone"


def test_a_missing_simultaneous_decision_is_named():
    text = (KRONE / "revolt-won.game").read_text(encoding="utf-8")
    record = parse_record(text.replace("green: vote(sword,with(1,leader4,none))", ""))
    report = with_missing(check(record), record)
    assert report.faults[0].rule == "record.assert"
    assert report.faults[0].note == "a move of Green is missing here"
    assert not any(fault.note for fault in report.faults[1:])


def test_a_later_simultaneous_decision_is_not_missing():
    text = (KRONE / "revolt-won.game").read_text(encoding="utf-8")
    record = parse_record(text.replace("  green: vote(", "  assert { king(green). } green: vote("))
    report = with_missing(check(record), record)
    assert report.faults[0].rule == "record.assert"
    assert not report.faults[0].note


def test_the_role_for_which_the_move_is_legal_is_named():
    text = (KRONE / "random-28.game").read_text(encoding="utf-8")
    record = parse_record(text.replace("chance: draw(castle)", "red: draw(castle)", 1))
    assert missing_before(record, 13) == "it would be legal as a move of chance"
