"""The first fault of a record with gaps, compared with brute force."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from completion.gaps import FOREVER, block
from completion.walks import first_wrong

from kaiser_logic.completion.complete import Solutions, complete, first_fault
from kaiser_logic.completion.symbolic_replay import DeadEnd, Segment
from kaiser_logic.engine.ruleset import tags_of
from kaiser_logic.errors import NotDecided
from kaiser_logic.game import load
from kaiser_logic.notation.reading import build_record, parse_record
from kaiser_logic.notation.record import Assertion, Literal, Move, PositionBlock
from kaiser_logic.notation.terms import Term
from kaiser_logic.records.fault import Fault

SUPPORT = Path(__file__).parents[1] / "support"
START = load(SUPPORT / "relay").initial()


def relay(*lines: str) -> Segment:
    return Segment(START, parse_record("\n".join(['[Game "relay"]', *lines])).items)  # type: ignore[arg-type]


def fault_of(*lines: str) -> Fault | None:
    """The fault, or None if the gaps can be filled. Its line counts from the record's tag."""
    solutions = Solutions(relay(*lines), FOREVER)
    return solutions.fault if next(iter(solutions), None) is None else None


@pytest.mark.parametrize("last", ["red: ?", "red: go", "red: open(both)"])
def test_a_move_that_is_legal_in_another_branch_is_not_the_fault(last: str) -> None:
    """Green may go alone, and then runs again. If both go together, red's move is legal only in that branch."""
    assert fault_of("red: ?", "green: go") is None
    fault = fault_of("red: ?", "green: go", last)
    assert fault is not None
    assert (fault.line, fault.role) == (4, "red")


def test_a_move_that_no_branch_allows_is_the_fault() -> None:
    fault = fault_of("red: open(both)", "green: go", "red: ?")
    assert fault is not None
    assert (fault.line, fault.rule) == (3, "run.together")
    assert "illegal however the gaps are filled" in fault.message


@pytest.mark.slow
def test_first_fault_agrees_with_brute_force() -> None:
    """All records of three items, and those of four items that begin with gaps."""
    pool = ("red: ?", "green: ?", "red: go", "green: go", "green: stay", "assert { together. }")
    records = [*product(pool, repeat=3), *product(["red: ?"], ["green: go", "green: ?"], pool, pool)]
    faults = 0
    for lines in records:
        fault = fault_of(*lines)
        assert first_wrong(START, relay(*lines).items) == (fault.line - 2 if fault else None), lines
        faults += fault is not None
    assert 0 < faults < len(records)


def test_an_assertion_between_two_votes_is_about_the_position_before_them() -> None:
    start = load(SUPPORT / "tiny" / "sealed").initial()
    text = '[Game "sealed"]\ngreen: show(up)\nassert { decision(green,claim). }\nred: ?'
    items = parse_record(text).items
    solutions = Solutions(Segment(start, items), FOREVER)  # type: ignore[arg-type]
    assert list(solutions) == []
    assert solutions.fault is not None
    assert solutions.fault.line == 3
    assert first_wrong(start, items) == 1


def test_a_timeout_makes_the_fault_vague() -> None:
    """The fault then claims neither that it is the first one nor that a move is illegal with every filling."""

    def late(_: Segment) -> None:
        raise NotDecided("too late")

    part = relay("red: ?", "green: go", "red: ?")
    assert isinstance(part.items[1], Move)
    fault = first_fault(
        part, [DeadEnd(part.items[1], 3, "this is illegal however the gaps are filled.")], late
    )
    assert fault.line == 4
    assert "not found in time" in fault.message
    assert "illegal" not in fault.message


def test_an_illegal_move_comes_before_an_invalid_position() -> None:
    """The position after the move breaks an invariant."""
    game = load("kaiser")
    start = game.initial()
    position = block(start)
    invalid = PositionBlock(position.facts[:-3])
    (role,) = start.to_move
    tags = list(tags_of(start.ruleset))
    wrong = complete(build_record(tags, [position, Move(role, Term("nonsense")), invalid]), limit=1)
    assert wrong.fault is not None
    assert wrong.fault.rule == "action.unknown"
    right = complete(build_record(tags, [position, Move(role, None), invalid]), limit=1)
    assert right.fault is not None
    assert right.fault.rule == "record.position"


def test_an_assertion_between_positions_must_hold() -> None:
    start = load("kaiser").initial()
    (role,) = start.to_move
    after = start.apply({role: start.legal()[role][0]})
    tags = list(tags_of(start.ruleset))
    false = Assertion((Literal(True, Term("round", (4,))),))
    made = complete(build_record(tags, [block(start), false, block(after)]), limit=1)
    assert made.fault is not None
    assert "round(4) cannot hold here" in made.fault.message
    true = Assertion((Literal(False, Term("round", (4,))),))
    assert complete(build_record(tags, [block(start), true, block(after)]), limit=1).records
