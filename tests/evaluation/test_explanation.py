"""Why an action is illegal or legal, on made-up games; the games' own rules have their tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import FOLDER, variant

from kaiser_logic.engine import symbols
from kaiser_logic.evaluation.explanation import allows, explained, reasons
from kaiser_logic.game import load
from kaiser_logic.position import Position

FEW = [
    "seat(red,1)", "seat(green,2)", "phase(play)", "heap(2)", "taken(red,4)", "taken(green,6)", "took(green)",
    "decision(red,take)",
]  # fmt: skip


def few(folder: Path = FOLDER, **settings: object) -> Position:
    """Two stones are left, and red decides."""
    return load(folder, **settings).position(FEW)  # type: ignore[arg-type]


def test_the_reason_names_what_the_variables_stand_for() -> None:
    (violation,) = few().why("red", "take(3)")
    assert violation.rule == "take.enough"
    assert violation.message == "the heap holds only 2"
    assert violation.facts == ("heap(2)",)
    assert violation.statement == "Nobody takes more than the heap holds."
    assert dict(violation.sources) == {"standard": "The course of the game"}


def test_what_is_missing_is_said() -> None:
    (violation,) = few().why("green", "take(1)")
    assert (violation.rule, violation.message) == ("take", "it is not green's turn")
    assert violation.facts == ("decision(red,take)",)
    assert violation.absent == ("decision(green,take)",)


def test_all_broken_rules_at_once() -> None:
    assert [v.rule for v in few().why("green", "take(3)")] == ["take", "take.enough"]


def test_the_first_reason_whose_variables_have_values(tmp_path: Path) -> None:
    changed = {"the heap holds only {N}": "nobody has {Unknown} | only {N} for {R}, who wants {K}"}
    (violation,) = few(variant(tmp_path, changed)).why("red", "take(3)")
    assert violation.message == "only 2 for red, who wants 3"


def test_without_a_reason_the_statement_is_said(tmp_path: Path) -> None:
    changed = {"the heap holds only {N}": "nobody has {Unknown}"}
    (violation,) = few(variant(tmp_path, changed)).why("red", "take(3)")
    assert violation.message == violation.statement == "Nobody takes more than the heap holds."
    assert violation.facts == ("heap(2)",)


MANY = {
    "%! rule pass_on": "%! rule taste -- Nobody takes what another has.\n%!   why       {Q} has {N}\n"
    'violates(R,take(K),"taste") :- candidate(R,take(K)), taken(Q,N), amount(K).\n%! rule pass_on'
}
"""Each player is a reason against every action."""


def test_each_way_in_which_a_rule_is_broken(tmp_path: Path) -> None:
    (violation,) = few(variant(tmp_path, MANY)).why("red", "take(1)")
    assert violation.message == "green has 6; red has 4"
    assert set(violation.facts) == {"taken(green,6)", "taken(red,4)"}


def test_there_is_an_end_to_reasons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kaiser_logic.evaluation.explanation._MOST", 1)
    (violation,) = few(variant(tmp_path, MANY)).why("red", "take(1)")
    assert violation.message == "green has 6; …"


def test_what_allows_a_legal_action() -> None:
    at = few()
    found = {rule: facts for rule, _, facts in allows(at.ruleset, at.symbols, "red", "take(2)")}
    assert found == {"take": ("decision(red,take)",), "take.enough": ("heap(2)",)}
    assert allows(at.ruleset, at.symbols, "red", "swim") == []


def test_an_action_of_no_game() -> None:
    (violation,) = few().why("red", "swim")
    assert (violation.rule, violation.facts, violation.absent) == ("action.unknown", (), ())


def test_nothing_is_explained_where_nothing_is_broken() -> None:
    at = few()
    assert explained(at.evaluator, at.symbols, {"red": symbols.read("take(1)")}) == {}
    assert reasons(at.ruleset, at.symbols, {"red": symbols.read("take(1)")}, []) == []


def test_a_failure_leaves_the_rule_and_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr("kaiser_logic.evaluation.explanation.relevance", fail)
    at = few(options={"last_stone": "loses"})  # nothing is remembered of these rules yet
    with pytest.warns(RuntimeWarning, match=r"no explanation for take.enough: RuntimeError\('no'\)"):
        (violation,) = at.why("red", "take(3)")
    assert (violation.rule, violation.facts) == ("take.enough", ())
    assert violation.message == "Nobody takes more than the heap holds. (the reason here could not be found)"


def test_a_sentence_is_said_where_its_condition_holds(tmp_path: Path) -> None:
    why = "{K} are more than {N} :- heap(N), N > 5 | {W} are left, {K} wanted :- heap(N), W = N+0 | no"
    at = few(variant(tmp_path, {"the heap holds only {N}": why}))
    (violation,) = at.why("red", "take(3)")
    assert violation.message == "2 are left, 3 wanted"
    assert violation.facts == ("heap(2)",)


def test_the_facts_behind_a_sentence_that_is_not_said_are_no_reason(tmp_path: Path) -> None:
    why = "{K} are too many | green has {M} :- taken(green,M)"
    (violation,) = few(variant(tmp_path, {"the heap holds only {N}": why})).why("red", "take(3)")
    assert (violation.message, violation.facts) == ("3 are too many", ("heap(2)",))
    (tmp_path / "b").mkdir()
    why = "red has {M} :- taken(red,M) | green has {M} :- taken(green,M)"
    (violation,) = few(variant(tmp_path / "b", {"the heap holds only {N}": why})).why("red", "take(3)")
    assert violation.message == "red has 4"
    assert set(violation.facts) == {"heap(2)", "taken(red,4)"}


def test_a_condition_of_a_decision_knows_role_and_action(tmp_path: Path) -> None:
    why = "{R} took last :- took(R) | {Q} has the turn :- decision(Q,take), Q != R | no"
    at = few(variant(tmp_path, {"it is not {R}'s turn": why}))
    assert at.why("green", "take(1)")[0].message == "green took last"
    (tmp_path / "b").mkdir()
    at = few(variant(tmp_path / "b", {"it is not {R}'s turn": why.replace("took(R)", "taken(R,12)")}))
    assert at.why("green", "take(1)")[0].message == "red has the turn"


def test_no_reason_of_another_decision() -> None:
    """What several decisions know is told of the one whose time it is; else that nobody has such a decision."""
    at = load("kaiser").initial()
    assert [v.rule for v in at.why("green", "empire_city(trier)")] == ["setup.empire_city"]
    assert [v.rule for v in at.why("red", "knight(trier,castle)")] == ["setup.knight"]
    (other,) = at.why("red", "decline")
    assert (other.rule, other.facts, other.absent) == (
        "decision.other", ("decision(red,setup_empire_city)",), (),
    )  # fmt: skip


def test_the_cause_comes_first_and_nonsense_not_at_all() -> None:
    at = load("kaiser").initial()
    assert at.why("green", "buy(doctor,none)")[0].rule == "actions.turn"
    assert [v.rule for v in at.why("chance", "buy(doctor,none)")] == ["actions.turn"]
    assert [v.rule for v in at.why("green", "buy(doctor,nothing)")] == ["action.unknown"]
