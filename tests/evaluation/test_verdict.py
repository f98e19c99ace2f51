"""Verdicts as values and as text."""

from __future__ import annotations

import pickle

from kaiser_logic.evaluation.verdict import Broken, IllegalMove, InvalidPosition, Result, Violation

TURN = Violation("turn", "it is not Red's turn", ("decision(green,take)",), {"standard": "page 1"})
ENOUGH = Violation("take.enough", "only 2 are left", ("heap(2)",), {})


def test_a_violation_is_shown_in_one_line() -> None:
    assert str(TURN) == "turn: it is not Red's turn"
    assert (TURN.absent, TURN.statement) == ((), "")


def test_an_illegal_move_has_the_violations_of_each_role() -> None:
    error = IllegalMove({"red": (("take(1)", TURN), ("take(1)", ENOUGH)), "blue": (("take(3)", ENOUGH),)})
    assert error.violations == (TURN, ENOUGH, ENOUGH)
    assert list(error.by_role) == ["red", "blue"]
    assert str(error) == (
        "red: take(1): turn: it is not Red's turn; red: take(1): take.enough: only 2 are left;"
        " blue: take(3): take.enough: only 2 are left"
    )


def test_an_invalid_position_has_the_broken_invariants() -> None:
    broken = (Broken("one_phase", "x", "The game is in one phase."), Broken("limit", "stones", "Enough."))
    error = InvalidPosition(broken)
    assert error.broken == broken
    assert str(error) == "one_phase: The game is in one phase. (x); limit: Enough. (stones)"


def test_verdicts_survive_pickling() -> None:
    for value in (TURN, Broken("a", "b", "c"), Result({"red": 1}, ("red",))):
        assert pickle.loads(pickle.dumps(value)) == value
    for error in (IllegalMove({"red": (("take(1)", TURN),)}), InvalidPosition((Broken("a", "b", "c"),))):
        assert str(pickle.loads(pickle.dumps(error))) == str(error)
