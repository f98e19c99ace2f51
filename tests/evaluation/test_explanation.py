"""Why an action is illegal or legal, shown on variants of the heap game. The rules of the games have their own tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import FOLDER, variant

from kaiser_logic.engine import symbols
from kaiser_logic.evaluation.explanation import allows, explain_all, reasons
from kaiser_logic.game import load
from kaiser_logic.position import Position

FEW = [
    "seat(red,1)", "seat(green,2)", "phase(play)", "heap(2)", "taken(red,4)", "taken(green,6)", "took(green)",
    "decision(red,take)",
]  # fmt: skip


def few(folder: Path = FOLDER, **settings: object) -> Position:
    """Two stones are left, and red decides."""
    return load(folder, **settings).position(FEW)  # type: ignore[arg-type]


def test_the_reason_names_the_values_of_the_variables() -> None:
    (violation,) = few().why("red", "take(3)")
    assert violation.rule == "take.enough"
    assert violation.message == "the heap holds only 2"
    assert violation.facts == ("heap(2)",)
    assert violation.statement == "Nobody takes more than the heap holds."
    assert dict(violation.sources) == {"standard": "The course of the game"}


def test_the_reason_names_a_missing_fact() -> None:
    (violation,) = few().why("green", "take(1)")
    assert (violation.rule, violation.message) == ("take", "it is not green's turn")
    assert violation.facts == ("decision(red,take)",)
    assert violation.absent == ("decision(green,take)",)


def test_the_first_reason_with_values_for_all_variables_is_used(tmp_path: Path) -> None:
    changed = {"the heap holds only {N}": "nobody has {Unknown} | only {N} for {R}, who wants {K}"}
    (violation,) = few(variant(tmp_path, changed)).why("red", "take(3)")
    assert violation.message == "only 2 for red, who wants 3"


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("{V} :- ruling(last_stone,V)", "whoever takes the last stone wins"),
        (
            "{N} are left, and {V} :- heap(N), ruling(last_stone,V)",
            "2 are left, and whoever takes the last stone wins",
        ),
        ("who is last wins :- ruling(last_stone,wins)", "who is last wins"),
        ("who is last loses :- ruling(last_stone,loses) | {N} are left", "2 are left"),
    ],
)
def test_a_reason_says_the_sentence_of_a_ruling(tmp_path: Path, sentence: str, message: str) -> None:
    (violation,) = few(variant(tmp_path, {"the heap holds only {N}": sentence})).why("red", "take(3)")
    assert (violation.message, violation.facts) == (message, ("heap(2)",))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("ruling(last_stone,V)", "whoever takes the last stone wins: 3"),
        ("heap(V), ruling(last_stone,_)", "2: 3"),
        ("word(V)", "wins: 3"),
        ("word(V), ruling(last_stone,V)", "whoever takes the last stone wins: 3 (ruling last_stone is wins)"),
    ],
)
def test_only_a_variable_of_the_rule_that_is_broken_stands_for_a_ruling(
    tmp_path: Path, body: str, message: str
) -> None:
    """Other rules have the same id and a variable of the same name."""
    broken = 'violates(R,take(K),"odd") :- candidate(R,take(K)), K = 3'
    others = f"{broken}, heap(V), V > 2.\n{broken}, ruling(last_stone,V), heap(7).\n"
    rule = f"%! rule odd -- Never three.\n%!   why       {{V}}: {{K}}\n{broken}, {body}.\n{others}"
    changed = variant(tmp_path, {"%! rule pass_on": f"word(wins).\n{rule}%! rule pass_on"})
    messages = [v.message for v in few(changed).why("red", "take(3)") if v.rule == "odd"]
    assert messages == [message]


def test_without_a_reason_the_statement_is_the_message(tmp_path: Path) -> None:
    changed = {"the heap holds only {N}": "nobody has {Unknown}"}
    (violation,) = few(variant(tmp_path, changed)).why("red", "take(3)")
    assert violation.message == violation.statement == "Nobody takes more than the heap holds."
    assert violation.facts == ("heap(2)",)


MANY = {
    "%! rule pass_on": "%! rule taste -- Nobody takes what another has.\n%!   why       {Q} has {N}\n"
    'violates(R,take(K),"taste") :- candidate(R,take(K)), taken(Q,N), amount(K).\n%! rule pass_on'
}
"""Each player is a reason against every action."""


def test_each_instance_of_a_broken_rule_is_explained(tmp_path: Path) -> None:
    (violation,) = few(variant(tmp_path, MANY)).why("red", "take(1)")
    assert violation.message == "green has 6; red has 4"
    assert set(violation.facts) == {"taken(green,6)", "taken(red,4)"}


def test_the_number_of_reasons_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kaiser_logic.evaluation.explanation._MOST", 1)
    (violation,) = few(variant(tmp_path, MANY)).why("red", "take(1)")
    assert violation.message == "green has 6; …"


def test_the_facts_that_allow_a_legal_action() -> None:
    at = few()
    found = {rule: facts for rule, _, facts in allows(at.ruleset, at.symbols, "red", "take(2)")}
    assert found == {"take": ("decision(red,take)",), "take.enough": ("heap(2)",)}
    assert allows(at.ruleset, at.symbols, "red", "swim") == []


def test_nothing_is_explained_if_nothing_is_broken() -> None:
    at = few()
    assert explain_all(at.evaluator, at.symbols, {"red": symbols.read_symbol("take(1)")}) == {}
    assert reasons(at.ruleset, at.symbols, {"red": symbols.read_symbol("take(1)")}, []) == []


def test_a_failed_explanation_still_names_the_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr("kaiser_logic.evaluation.explanation.relevance", fail)
    at = few(options={"last_stone": "loses"})  # nothing is cached for these rules yet
    with pytest.warns(RuntimeWarning, match=r"no explanation for take.enough: RuntimeError\('no'\)"):
        (violation,) = at.why("red", "take(3)")
    assert (violation.rule, violation.facts) == ("take.enough", ())
    assert violation.message == "Nobody takes more than the heap holds. (the reason here could not be found)"


def test_a_reason_with_a_condition_needs_the_condition(tmp_path: Path) -> None:
    why = "{K} are more than {N} :- heap(N), N > 5 | {W} are left, {K} wanted :- heap(N), W = N+0 | no"
    at = few(variant(tmp_path, {"the heap holds only {N}": why}))
    (violation,) = at.why("red", "take(3)")
    assert violation.message == "2 are left, 3 wanted"
    assert violation.facts == ("heap(2)",)


def test_facts_of_an_unused_reason_are_not_listed(tmp_path: Path) -> None:
    why = "{K} are too many | green has {M} :- taken(green,M)"
    (violation,) = few(variant(tmp_path, {"the heap holds only {N}": why})).why("red", "take(3)")
    assert (violation.message, violation.facts) == ("3 are too many", ("heap(2)",))
    (tmp_path / "b").mkdir()
    why = "red has {M} :- taken(red,M) | green has {M} :- taken(green,M)"
    (violation,) = few(variant(tmp_path / "b", {"the heap holds only {N}": why})).why("red", "take(3)")
    assert violation.message == "red has 4"
    assert set(violation.facts) == {"heap(2)", "taken(red,4)"}


def test_a_condition_may_use_the_role_and_the_action(tmp_path: Path) -> None:
    why = "{R} took last :- took(R) | {Q} has the turn :- decision(Q,take), Q != R | no"
    at = few(variant(tmp_path, {"it is not {R}'s turn": why}))
    assert at.why("green", "take(1)")[0].message == "green took last"
    (tmp_path / "b").mkdir()
    at = few(variant(tmp_path / "b", {"it is not {R}'s turn": why.replace("took(R)", "taken(R,12)")}))
    assert at.why("green", "take(1)")[0].message == "red has the turn"


def test_reasons_are_about_the_pending_decision() -> None:
    """If an action belongs to several decisions, the pending one counts. If none is pending, the reason says so."""
    at = load("kaiser").initial()
    assert [v.rule for v in at.why("green", "empire_city(trier)")] == ["setup.empire_city"]
    assert [v.rule for v in at.why("red", "knight(trier,castle)")] == ["setup.knight"]
    (other,) = at.why("red", "decline")
    assert (other.rule, other.facts, other.absent) == (
        "decision.other", ("decision(red,setup_empire_city)",), (),
    )  # fmt: skip
