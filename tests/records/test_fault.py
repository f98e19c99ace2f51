"""Faults: text, place and content."""

from __future__ import annotations

import re

from support.checked import report, rules
from support.played import HEAD

from kaiser_logic.notation.reading import build_record, parse_record
from kaiser_logic.records.checking import check


def test_all_broken_rules_of_a_move_are_reported() -> None:
    found = report(HEAD + "green: buy(doctor,none)\nred: empire_city(boehmen)\n")
    assert rules(found) == ["actions.turn", "actions.buy.thalers", "actions.buy.unused"], (
        "the cause comes first"
    )
    assert (found.moves, found.judged) == (2, 1)
    fault = found.faults[0]
    assert (fault.line, fault.column, fault.role, fault.action) == (2, 1, "green", "buy(doctor,none)")
    assert "thalers(green,0)" in found.faults[1].facts
    assert fault.statement
    assert set(fault.sources) == {"nl", "it"}
    assert hash(fault)


def test_text_of_a_fault() -> None:
    lines = str(report(HEAD + "  green: pass")).splitlines()
    assert len(lines) == 1
    assert re.fullmatch(r"my\.game:2:3: green: pass: actions\.turn: .+ \(@0\) \[nl: .+; it: .+\]", lines[0])


def test_text_of_a_fault_without_place() -> None:
    fault = check(build_record({"Game": "kaiser"}, parse_record(HEAD + "red: pass").items)).faults[0]
    assert str(fault).startswith("2:1: red: pass: actions.turn: ")
