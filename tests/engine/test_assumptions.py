"""The tool knows which verdicts rest on rules and data that are only assumed."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import FOLDER, variant

from kaiser_logic.engine import symbols
from kaiser_logic.engine.assumptions import judged_by, rests_on
from kaiser_logic.engine.configuration import configure
from kaiser_logic.engine.ruleset import Ruleset, ruleset_of
from kaiser_logic.notation.syntax import parsed
from kaiser_logic.rules.loader import rulebook

TAKE = symbols.read("take(2)")
SOURCE = "%!   standard  The course of the game\n"
ENOUGH = {f"{SOURCE}holds_at_least": "%!   standard  assumed\nholds_at_least"}
ENDING = {"%!   standard  The end\ngoal": "%!   standard  The end (assumed from its name)\ngoal"}
BOARD = {
    "amount(1..3).": "%! data amounts -- One to three stones are taken.\n"
    "%!   standard  assumed\n"
    "printed(amount(1;2;3)).\n"
    "% -- as printed, or as a board file says --\n"
    "named         :- board(amount(_)).\n"
    "amount(K)     :- board(amount(K)).\n"
    "amount(K)     :- printed(amount(K)), not named.\n"
    "board_fact(amount(K)) :- number(K), K > 0.\n"
}


def ruleset(folder: Path, *board: str) -> Ruleset:
    """The rules of a folder, with the facts of a board."""
    configuration, _ = configure(rulebook(folder), folder, board=tuple(map(parsed, board)))
    return ruleset_of(configuration)


def test_without_assumptions_nothing_rests_on_one() -> None:
    rules = ruleset(FOLDER)
    assert (rests_on(rules, [TAKE]), judged_by(rules, TAKE)) == ((), ())


def test_an_assumed_rule_judges_actions(tmp_path: Path) -> None:
    rules = ruleset(variant(tmp_path, ENOUGH))
    assert judged_by(rules, TAKE) == judged_by(rules, TAKE, ["take.enough"]) == ("take.enough",)
    assert judged_by(rules, TAKE, ["take"]) == ()
    assert rests_on(rules, [TAKE]) == ("take.enough",)


def test_an_assumed_outcome_does_not_judge_actions(tmp_path: Path) -> None:
    rules = ruleset(variant(tmp_path, ENDING))
    assert judged_by(rules, TAKE) == ()
    assert rests_on(rules, []) == ("ending",)


@pytest.mark.parametrize(
    ("board", "left"),
    [((), ("amounts",)), (("amount(1)", "amount(2)"), ()), (("amount(1)", "amount(2)", "amount(3)"), ())],
)
def test_the_data_of_a_board_file_are_not_assumed(
    tmp_path: Path, board: tuple[str, ...], left: tuple[str, ...]
) -> None:
    rules = ruleset(variant(tmp_path, BOARD), *board)
    assert judged_by(rules, TAKE) == rests_on(rules, [TAKE]) == left


def test_data_that_a_board_file_leaves_as_printed_are_assumed(tmp_path: Path) -> None:
    single = {
        old: new.replace("not named", "not board(amount(K))").replace("(1;2;3)", "(1;2)")
        for old, new in BOARD.items()
    }
    folder = variant(tmp_path, single)
    assert judged_by(ruleset(folder, "amount(1)", "amount(2)"), TAKE) == ()
    assert judged_by(ruleset(folder, "amount(1)"), TAKE) == ("amounts",)
