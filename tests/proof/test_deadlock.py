"""Whoever decides has a legal action, or a position is given in which he has none."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from support.opened import changed, heap

from kaiser_logic.errors import NotDecided
from kaiser_logic.game import Game, load
from kaiser_logic.proof.deadlock import decisions, stuck
from kaiser_logic.proof.prover import Prover
from kaiser_logic.proof.sample import Written, sampled
from kaiser_logic.rules.loader import asp_folder
from kaiser_logic.symbolic.domains import domains
from kaiser_logic.symbolic.encoding import Encoding
from kaiser_logic.symbolic.transitions import transitions

SOUND = load("kaiser")


def test_a_decision_without_a_legal_action_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "kaiser"
    shutil.copytree(asp_folder() / "kaiser", folder)
    path = folder / "pending.lp"
    path.write_text(
        path.read_text(encoding="utf-8").replace(
            "best(E,R), suitor(E,R), not elector(E,R,_,_).", "player(R), electorate(E)."
        )
    )
    spoilt = load(folder)
    sorts = domains(spoilt.ruleset)
    found = transitions(spoilt.ruleset, sorts)
    kinds = [k for t in found for k in t.kinds if t.label == "install(E,G,K)"]
    example = stuck(spoilt.evaluator, "install", kinds, sorts)
    assert example is not None
    assert example.replayed
    assert stuck(SOUND.evaluator, "install", kinds, sorts) is None


@pytest.mark.parametrize("action", ["take(3)", "take(9)"])
def test_what_lists_other_actions_than_are_legal_decides_nothing(
    monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    game = heap()
    sorts = domains(game.ruleset)
    found = transitions(game.ruleset, sorts)
    ((name, kinds, met),) = decisions(found, sampled(game.evaluator, found), sorts)
    assert met
    left = ("decision(green,take)", "heap(2)", "phase(play)", "taken(red,10)", "took(red)")
    few = Written((*left, "seat(red,1)", "seat(green,2)"), ())
    assert stuck(game.evaluator, name, kinds, sorts, [few]) is None
    derive = Encoding.derive

    def more(self: Encoding, *args: Any, **options: Any) -> None:
        derive(self, *args, **options)
        if options.get("enumerate"):
            self.add(f"legal(R,{action}) :- decision(R,take).")

    monkeypatch.setattr(Encoding, "derive", more)
    with pytest.raises(NotDecided, match=re.escape(f"{action} would be legal")):
        stuck(game.evaluator, name, kinds, sorts, [few])


def test_what_forbids_other_kinds_is_not_left_out(tmp_path: Path) -> None:
    """Nobody can do either at the first turn: a question about one kind must not take the other for legal."""
    forbidden = 'violates(R,{0},"take.enough") :- candidate(R,{0}), {1}, heap(12).\n'
    changes = {
        "action(take,take(K))      :- amount(K).": "action(take,take(K)) :- amount(K).\naction(take,skip).",
        "shift(heap,taken(R),K,taken) :-": "candidate(R,skip) :- decision(R,take).\n"
        + "takes :- candidate(_,take(_)).\nskips :- candidate(_,skip).\n"
        + forbidden.format("skip", "takes")
        + forbidden.format("take(K)", "skips")
        + "shift(heap,taken(R),K,taken) :-",
    }
    game = changed(tmp_path, changes)
    sorts = domains(game.ruleset)
    kinds = [k for t in transitions(game.ruleset, sorts) for k in t.kinds]
    example = stuck(game.evaluator, "take", kinds, sorts)
    assert example is not None
    assert example.replayed


@pytest.mark.slow
def test_what_names_unknown_sets_is_compared_where_it_names_none() -> None:
    game = load("krone", players=2)
    sorts = domains(game.ruleset)
    found = transitions(game.ruleset, sorts)
    given = {
        name: (kinds, met) for name, kinds, met in decisions(found, sampled(game.evaluator, found), sorts)
    }
    assert stuck(game.evaluator, "force", *given["force"][:1], sorts, given["force"][1]) is None


ACTION = "action(take,take(K))      :- amount(K)."
PASSED = "add(decision(Q,take))        :- due(pass_on), took(R), left(R,Q), holds_at_least(1)."
MAY = "may_decide(R,take)     :- player(R), phase(play), holds_at_least(1)."


def giving(folder: Path, action: str, asked: str, given: str, may: str = "give(1..2)") -> Game:
    """The heap game, in which somebody has to give something, once, instead of taking."""
    passed = PASSED.replace("holds_at_least(1)", "not holds_at_least(5), holds_at_least(1)")
    changes = {
        ACTION: f"""{ACTION}
            fluent(decision(R,give(1..2))) :- player(R).
            {action}
            out_of_turn(give(1),"take").
            candidate(R,give) :- {asked}.
            add(due(pass_on)) :- made(_,give(_)).""",
        PASSED: f"{passed}\n{passed.replace('take', given).replace('not holds', 'holds')}",
        MAY: f"{MAY}\nmay_decide(R,{may}) :- player(R), phase(play), holds_at_least(1), took(_).",
    }
    return changed(folder, changes)


ONE = "action(give(1),give)."
FIRST = "action(give(K),give) :- K = 1."
ANY = "action(give(K),give) :- amount(K)."
RULED = "action(give(K),give) :- amount(K), ruling(last_stone,loses)."


@pytest.mark.slow
@pytest.mark.sample(8)
@pytest.mark.parametrize(
    ("action", "asked", "given", "may", "status"),
    [
        (ONE, "decision(R,give(1))", "give(2)", "give(1..2)", "falls"),
        (ONE, "decision(R,give(1))", "give(1)", "give(1)", "proved"),
        (FIRST, "decision(R,give(1))", "give(2)", "give(1..2)", "falls"),
        (FIRST, "decision(R,give(1))", "give(1)", "give(1)", "proved"),
        (ANY, "decision(R,give(1))", "give(2)", "give(1..2)", "falls"),
        (ANY, "decision(R,give(_))", "give(2)", "give(1..2)", "proved"),
        (RULED, "decision(R,give(_)), ruling(last_stone,loses)", "give(2)", "give(1..2)", "falls"),
        (RULED, "decision(R,give(_)), ruling(last_stone,loses)", "take", "none", "proved"),
    ],
)
def test_a_decision_at_which_nothing_is_done_is_not_left_out(
    tmp_path: Path, action: str, asked: str, given: str, may: str, status: str
) -> None:
    """Only some of the decisions of a name have an action, or a ruling excludes all of them."""
    report = Prover(giving(tmp_path, action, asked, given, may).evaluator).run(workers=1)
    (proof,) = (p for p in report.proofs if p.claim == "legal action at give")
    assert proof.status == status
    for example in proof.counterexamples:
        assert example.replayed
        assert any(",give(" in fact for fact in example.facts)
