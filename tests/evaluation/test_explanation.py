"""Why an action is illegal or legal, shown on variants of the heap game. The rules of the games have their own tables."""

from pathlib import Path

import pytest
from support.heap_game import FOLDER, variant
from support.tables import rows

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
    return load(folder, **settings).position(FEW)


def test_a_violation_has_its_statement_and_sources():
    (violation,) = few().why("red", "take(3)")
    assert violation.rule == "take.enough"
    assert violation.statement == "Nobody takes more than the heap holds."
    assert dict(violation.sources) == {"standard": "The course of the game"}


@pytest.mark.parametrize(("old", "new", "done", "message", "facts"), rows("evaluation/reasons", "why"))
def test_reasons_are_the_expected_ones(tmp_path, old, new, done, message, facts):
    (violation,) = few(variant(tmp_path, {old: new})).why(*done.split())
    assert violation.message == message
    said, _, absent = facts.partition(" not ")
    assert facts == "..." or (set(violation.facts), " ".join(violation.absent)) == ({*said.split()}, absent)


@pytest.mark.parametrize(("body", "message"), rows("evaluation/reasons", "odd"))
def test_only_a_variable_of_the_rule_that_is_broken_stands_for_a_ruling(tmp_path, body, message):
    """Other rules have the same id and a variable of the same name."""
    broken = 'violates(R,take(K),"odd") :- candidate(R,take(K)), K = 3'
    others = f"{broken}, heap(V), V > 2.\n{broken}, ruling(last_stone,V), heap(7).\n"
    rule = f"%! rule odd -- Never three.\n%!   why       {{V}}: {{K}}\n{broken}, {body}.\n{others}"
    changed = variant(tmp_path, {"%! rule pass_on": f"word(wins).\n{rule}%! rule pass_on"})
    messages = [v.message for v in few(changed).why("red", "take(3)") if v.rule == "odd"]
    assert messages == [message]


MANY = {
    "%! rule pass_on": "%! rule taste -- Nobody takes what another has.\n%!   why       {Q} has {N} | it has {N}\n"
    'violates(R,take(K),"taste") :- candidate(R,take(K)), heap(N), amount(K).\n'
    'violates(R,take(K),"taste") :- candidate(R,take(K)), taken(Q,N), amount(K).\n%! rule pass_on'
}
"""Each player is a reason against every action, and so is the heap, which is no Q."""


def test_each_instance_of_a_broken_rule_is_explained(tmp_path):
    (violation,) = few(variant(tmp_path, MANY)).why("red", "take(1)")
    assert violation.message == "green has 6; it has 2; red has 4"
    assert set(violation.facts) == {"heap(2)", "taken(green,6)", "taken(red,4)"}


def test_the_number_of_reasons_is_limited(tmp_path, monkeypatch):
    monkeypatch.setattr("kaiser_logic.evaluation.explanation._MOST", 1)
    (violation,) = few(variant(tmp_path, MANY)).why("red", "take(1)")
    assert violation.message == "green has 6; …"


def test_the_facts_that_allow_a_legal_action():
    at = few()
    found = {rule: facts for rule, _, facts in allows(at.ruleset, at.symbols, "red", "take(2)")}
    assert found == {"take": ("decision(red,take)",), "take.enough": ("heap(2)",)}
    assert allows(at.ruleset, at.symbols, "red", "swim") == []


def test_nothing_is_explained_if_nothing_is_broken():
    at = few()
    assert explain_all(at.evaluator, at.symbols, {"red": symbols.read_symbol("take(1)")}) == {}
    assert reasons(at.ruleset, at.symbols, {"red": symbols.read_symbol("take(1)")}, []) == []


def test_a_failed_explanation_still_names_the_rule(monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr("kaiser_logic.evaluation.explanation.relevance", fail)
    at = few(options={"last_stone": "loses"})  # nothing is cached for these rules yet
    with pytest.warns(RuntimeWarning, match=r"no explanation for take.enough: RuntimeError\('no'\)"):
        (violation,) = at.why("red", "take(3)")
    assert (violation.rule, violation.facts) == ("take.enough", ())
    assert violation.message == "Nobody takes more than the heap holds. (the reason here could not be found)"


def test_reasons_are_about_the_pending_decision():
    """If an action belongs to several decisions, the pending one counts. If none is pending, the reason says so."""
    at = load("kaiser").initial()
    assert [v.rule for v in at.why("green", "empire_city(trier)")] == ["setup.empire_city"]
    assert [v.rule for v in at.why("red", "knight(trier,castle)")] == ["setup.knight"]
    (other,) = at.why("red", "decline")
    assert (other.rule, other.facts, other.absent) == (
        "decision.other", ("decision(red,setup_empire_city)",), (),
    )  # fmt: skip
