"""Illegal moves before which the move of another role is missing."""

import pytest
from support import EXAMPLES
from support.tables import rows

from kaiser_logic.completion.missing import missing_before, with_missing
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.records.checking import check


@pytest.mark.parametrize(("file", "old", "new", "moves", "message"), rows("completion/completions", "missing"))
def test_the_missing_move_is_named(file, old, new, moves, message):
    text = (EXAMPLES / file).read_text(encoding="utf-8") if file.endswith(".game") else file
    assert f"{old}\n" in f"{text}\n"
    record = parse_record(f"{text}\n".replace(f"{old}\n", "" if new == "-" else f"{new}\n", 1))
    assert missing_before(record, int(moves)) == ("" if message == "-" else message)


@pytest.mark.parametrize(
    ("old", "new", "note"),
    [
        ("green: vote(sword,with(1,leader4,none))", "", "a move of Green is missing here"),
        ("  green: vote(", "  assert { king(green). } green: vote(", ""),
    ],
)
def test_a_missing_simultaneous_decision_is_named(old, new, note):
    record = parse_record((EXAMPLES / "krone" / "revolt-won.game").read_text(encoding="utf-8").replace(old, new))
    report = with_missing(check(record), record)
    assert (report.faults[0].rule, report.faults[0].note) == ("record.assert", note)
    assert not any(fault.note for fault in report.faults[1:])
