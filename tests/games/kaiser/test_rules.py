"""Im Schatten des Kaisers, rule by rule: reasons why actions are illegal or legal."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from games.kaiser.positions import NAMES, changed, game, position
from support.rule_cases import (
    Case,
    assert_all_rules_have_cases,
    assert_allows,
    assert_breaks,
    assert_legal,
    read_cases,
)

from kaiser_logic.engine import symbols
from kaiser_logic.engine.grounding import Grounding
from kaiser_logic.evaluation.explanation import allows, explain_all, reasons
from kaiser_logic.evaluation.verdict import IllegalMove
from kaiser_logic.position import Position
from kaiser_logic.rules.loader import rulebook

CASES = read_cases(Path(__file__).with_name("rules.cases"))
BREAKING = [case for case in CASES if case.breaks]
LEGAL = [case for case in CASES if not case.breaks]


def _at(case: Case) -> Position:
    return case.position(position)


def test_every_rule_that_can_be_broken_has_its_cases() -> None:
    assert_all_rules_have_cases(rulebook("kaiser"), CASES)


@pytest.mark.parametrize("case", BREAKING, ids=str)
def test_actions_break_their_rules(case: Case) -> None:
    assert_breaks(case, _at(case))


@pytest.mark.parametrize("case", LEGAL, ids=str)
def test_actions_are_legal(case: Case) -> None:
    assert_legal(case, _at(case))


@pytest.mark.sample(3)
@pytest.mark.parametrize("case", LEGAL, ids=str)
def test_the_rules_that_allow_a_legal_move(case: Case) -> None:
    assert_allows(case, _at(case))


def test_rules_that_allow_a_purchase() -> None:
    at = position("actions")
    found = {
        rule: facts
        for rule, _, facts in allows(at.ruleset, at.symbols, "red", "buy(permit,couple(trier,green))")
    }
    assert found == {
        "actions.turn": ("decision(red,turn)",),
        "actions.buy.display": ("display(permit,4)",),
        "actions.buy.thalers": ("thalers(red,7)",),
        "space.entry": (
            "aristocrat(trier,blue,15,couple,1)",
            "aristocrat(trier,red,25,baron,1)",
            "knight(trier,aristocrat,green,1)",
        ),
        "supply.aristocrat": (
            "throne(red,35,baron)",
            "elector(koeln,red,25,baron)",
            "aristocrat(mainz,red,45,couple,1)",
            "aristocrat(trier,red,25,baron,1)",
        ),
    }


def test_different_rules_allow_knights_in_the_set_up_and_in_a_turn() -> None:
    early, late = position("knight"), position("actions")
    ids = [
        [rule for rule, _, _ in allows(at.ruleset, at.symbols, "red", "knight(sachsen,castle)")]
        for at in (early, late)
    ]
    assert set(ids[0]) == {"setup.knight", "space.free", "supply.knight"}
    assert set(ids[1]) == {"actions.turn", "space.free", "supply.knight", "actions.buy.thalers"}


def test_no_rule_allows_unknown_actions() -> None:
    at = position("actions")
    assert allows(at.ruleset, at.symbols, "red", "castle(red)") == []


@pytest.mark.parametrize(
    ("action", "wrong"),
    [
        ("castle(red)", "there is no action castle"),
        ("pass(red)", "pass has 0 arguments, not 1"),
        (
            "elector(rome)",
            "rome is no electorate, but boehmen, brandenburg, koeln, mainz, pfalz, sachsen or trier are",
        ),
        (
            "knight(trier,cellar)",
            "cellar is no space that a knight can stand on, but aristocrat or castle are",
        ),
        ("knight(Treviri,castle)".lower(), "treviri is no electorate; did you mean trier?"),
        ("buy(permitt,baron(koeln,free))", "permitt cannot stand there; did you mean permit?"),
    ],
)
def test_unknown_actions_are_explained(action: str, wrong: str) -> None:
    (only,) = position("actions").why("red", action)
    assert (only.rule, only.facts, only.absent) == ("action.unknown", (), ())
    assert only.message.startswith(f"the game knows no such action: {wrong}")


def test_all_broken_rules_are_explained() -> None:
    found = position("actions", "- thalers(red,7) + thalers(red,0)").why(
        "red", "buy(move,move(koeln,15,baron,koeln,blue))"
    )
    assert [v.rule for v in found] == [
        "actions.buy.thalers", "actions.move.other_electorate", "actions.move.own_tile", "space.entry",
    ]  # fmt: skip


def test_illegal_moves_have_their_explanations() -> None:
    with pytest.raises(IllegalMove) as caught:
        position("vote").apply({"blue": "pass", "yellow": "son(koeln,free)"})
    assert {role: [v.rule for _, v in found] for role, found in caught.value.by_role.items()} == {
        "blue": ["actions.turn"],
        "yellow": ["descendants.son"],
    }


def test_simultaneous_actions_are_explained_separately() -> None:
    at = position("vote")
    judged = {"red": "vote(rival)", "blue": "vote(rival)", "green": "pass"}
    found = explain_all(
        at.evaluator, at.symbols, {role: symbols.read_symbol(action) for role, action in judged.items()}
    )
    assert {role: [v.message for _, v in pairs] for role, pairs in found.items()} == {
        "red": ["Red is a candidate, and a candidate's votes are his own"],
        "green": ["it is not Green's turn"],
    }


def _sound(at: Position, role: str, action: str) -> None:
    """Asserts that each explanation of an action is a sentence, and that its facts hold."""
    judged = {role: symbols.read_symbol(action)}
    broken = at.evaluator.judge(at.symbols, judged).violations
    reasons(at.ruleset, at.symbols, judged, broken)
    for violation in at.why(role, action):
        assert violation.message
        assert not set("{}") & set(violation.message)
        assert at.facts.issuperset(violation.facts)
        assert list(violation.facts) == at.ruleset.book.sort_facts(violation.facts)
        assert not at.facts & set(violation.absent)
        assert len(violation.facts) <= 40
    if not broken:
        for _, _, facts in allows(at.ruleset, at.symbols, role, action):
            assert at.facts.issuperset(facts)


def _actions(at: Position) -> list[str]:
    program = at.evaluator.ruleset.program("vocabulary of actions", lambda: {}, [("action", 2)])
    return sorted({symbols.text(s.arguments[1]) for s in Grounding(program, ()).get("action", 2)})


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_actions_in_all_positions_are_explained(name: str) -> None:
    at = position(name)
    rng = random.Random(name)
    actions = _actions(at)
    for role in (*at.ruleset.seats, "chance"):
        for action in rng.sample(actions, 2):
            _sound(at, role, action)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "edition"), [(2, "nl"), (3, "it"), (4, "standard")])
def test_actions_in_random_games_are_explained(players: int, edition: str) -> None:
    rng = random.Random(players)
    at = game(players, edition).initial()
    actions = _actions(at)
    while at.to_move:
        if rng.random() < 0.06:
            _sound(at, rng.choice((*at.ruleset.seats, "chance")), rng.choice(actions))
        at = at.apply({role: rng.choice(legal) for role, legal in at.legal().items()})


LONELY = [c for c in BREAKING if len(c.words("facts")) == 1 and not c.words("absent")]


@pytest.mark.parametrize("case", [c for c in LONELY if "thalers" not in c.details["facts"]], ids=str)
def test_actions_are_legal_without_the_decisive_fact(case: Case) -> None:
    at = _at(case)
    without = frozenset(map(symbols.read_symbol, changed(at.facts, f"- {case.details['facts']}")))
    assert case.rule not in {v.rule for v in Position(at.evaluator, without).why(case.role, case.action)}
