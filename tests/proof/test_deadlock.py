"""Whoever decides has a legal action, or a position is given in which he has none."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from support.opened import changed, heap

from kaiser_logic.errors import NotDecided
from kaiser_logic.game import load
from kaiser_logic.proof.deadlock import decisions, stuck
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
    ((name, kinds, met),) = decisions(found, sampled(game.evaluator, found))
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
    forbidden = 'violates(R,{0},"take.enough") :- question(R,{0}), {1}, heap(12).\n'
    changes = {
        "action(take,take(K))      :- amount(K).": "action(take,take(K)) :- amount(K).\naction(take,skip).",
        "shift(heap,taken(R),K,taken) :-": "question(R,skip) :- decision(R,take).\n"
        + "takes :- question(_,take(_)).\nskips :- question(_,skip).\n"
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


def test_what_names_unknown_sets_is_compared_where_it_names_none() -> None:
    game = load("krone", players=2)
    sorts = domains(game.ruleset)
    found = transitions(game.ruleset, sorts)
    given = {name: (kinds, met) for name, kinds, met in decisions(found, sampled(game.evaluator, found))}
    assert stuck(game.evaluator, "force", *given["force"][:1], sorts, given["force"][1]) is None
