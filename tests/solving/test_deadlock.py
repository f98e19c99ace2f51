"""The claim that every role that decides has a legal action is proved, or a position refutes it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import ACTION, TURN
from support.kaiser_variant import kaiser_variant
from support.opened import changed
from support.proofs import of_positions, report_on

from kaiser_logic.game import Game, load

pytestmark = pytest.mark.by_hand


@pytest.mark.slow
def test_a_decision_without_a_legal_action_is_found(tmp_path: Path) -> None:
    suitor = "best(E,R), suitor(E,R), not elector(E,R,_,_)."
    folder = kaiser_variant(tmp_path, "pending.lp", suitor, "player(R), electorate(E).")
    example = of_positions(load(folder, players=2), "legal action at install").example
    assert example is not None
    assert example.replayed
    assert of_positions(load("kaiser", players=2), "legal action at install").verdict == "proved"


def test_rules_about_other_kinds_of_action_are_included(tmp_path: Path) -> None:
    """At the first turn both kinds are illegal. A question about one kind must not treat the other as legal."""
    forbidden = 'violates(R,{0},"take.enough") :- candidate(R,{0}), {1}, heap(12).\n'
    changes = {
        ACTION: "action(take,take(K)) :- amount(K).\naction(take,skip).",
        "shift(heap,taken(R),K,taken) :-": "candidate(R,skip) :- decision(R,take).\n"
        + "takes :- candidate(_,take(_)).\nskips :- candidate(_,skip).\n"
        + forbidden.format("skip", "takes")
        + forbidden.format("take(K)", "skips")
        + "shift(heap,taken(R),K,taken) :-",
    }
    game = changed(tmp_path, changes)
    example = of_positions(game, "legal action at take").example
    assert example is not None
    assert example.replayed


MAY = "may_decide(R,take)     :- player(R), phase(play), holds_at_least(1)."


def giving(folder: Path, action: str, asked: str, given: str, may: str = "give(1..2)") -> Game:
    """The heap game in which a player must once give something instead of taking stones."""
    passed = TURN.replace("holds_at_least(1)", "not holds_at_least(5), holds_at_least(1)")
    changes = {
        ACTION: f"""{ACTION}
            fluent(decision(R,give(1..2))) :- player(R).
            {action}
            out_of_turn(give(1),"take").
            candidate(R,give) :- {asked}.
            add(due(pass_on)) :- made(_,give(_)).""",
        TURN: f"{passed}\n{passed.replace('take', given).replace('not holds', 'holds')}",
        MAY: f"{MAY}\nmay_decide(R,{may}) :- player(R), phase(play), holds_at_least(1), took(_).",
    }
    return changed(folder, changes)


ONE = "action(give(1),give)."
FIRST = "action(give(K),give) :- K = 1."
ANY = "action(give(K),give) :- amount(K)."
UNDER_RULING = "action(give(K),give) :- amount(K), ruling(last_stone,loses)."


@pytest.mark.slow
@pytest.mark.sample(8)
@pytest.mark.parametrize(
    ("action", "asked", "given", "may", "status"),
    [
        (ONE, "decision(R,give(1))", "give(2)", "give(1..2)", "falls"),
        (ONE, "decision(R,give(1))", "give(1)", "give(1)", "proved"),
        (FIRST, "decision(R,give(1))", "give(2)", "give(1..2)", "falls"),
        (FIRST, "decision(R,give(1))", "give(1)", "give(1)", "proved"),
        (ANY, "decision(R,give(1))", "give(2)", "give(1..2)", "undecided"),
        (ANY, "decision(R,give(_))", "give(2)", "give(1..2)", "proved"),
        (UNDER_RULING, "decision(R,give(_)), ruling(last_stone,loses)", "give(2)", "give(1..2)", "falls"),
        (UNDER_RULING, "decision(R,give(_)), ruling(last_stone,loses)", "take", "none", "proved"),
    ],
)
def test_a_decision_without_actions_is_not_overlooked(
    tmp_path: Path, action: str, asked: str, given: str, may: str, status: str
) -> None:
    """Only some decisions of a name have an action, or list one, or a ruling excludes all of them."""
    report = report_on(giving(tmp_path, action, asked, given, may))
    (proof,) = (p for p in report.proofs if p.claim == "legal action at give")
    assert proof.status == status
    for example in proof.counterexamples:
        assert example.replayed
        assert any(",give(" in fact for fact in example.facts)
