"""A game's transitions."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.opened import changed, heap

from kaiser_logic.game import load
from kaiser_logic.symbolic.domains import domains
from kaiser_logic.symbolic.transitions import functor, simultaneous, transitions


def test_actions_and_steps_of_the_heap_game() -> None:
    rules = heap().ruleset
    take, step = transitions(rules, domains(rules))
    assert (take.label, take.kinds, take.step) == ("take(K)", rules.book.kinds, None)
    assert (step.label, step.kinds, step.step) == ("step pass_on", (), ("c", "pass_on"))


def test_each_kind_of_action_belongs_to_one_transition() -> None:
    """Simultaneous ones belong together; the same action at two decisions is told apart by the decision's name."""
    rules = load("kaiser").ruleset
    found = transitions(rules, domains(rules))
    labels = [t.label for t in found]
    assert len(set(labels)) == len(labels)
    kinds = [k.index for t in found for k in t.kinds]
    assert len(set(kinds)) == len(kinds)
    assert "knight(E,S) at turn" in labels
    for transition in found:
        decisions = {functor(k.decision) for k in transition.kinds}
        assert len(decisions) <= 1
        if len(transition.kinds) > 1:
            assert decisions <= simultaneous(rules)
            assert transition.label in decisions


def test_decisions_that_nobody_can_have_are_left_out() -> None:
    rules = heap().ruleset
    sorts = domains(rules)
    without = type(sorts)(
        tuple(f for f in sorts.fluents if f.name != "decision"), sorts.wide, sorts.measures, sorts.most
    )
    assert [t.label for t in transitions(rules, without)] == ["step pass_on"]


ACTION = "action(take,take(K))      :- amount(K)."
PUT = "question(R,put(K)) :- decision(R,take), amount(K)."


@pytest.mark.parametrize(
    ("guard", "there"),
    [
        ("last_stone,wins", True),
        ("last_stone,loses", False),
        ("_,loses", True),
        ("last_stone,(wins;loses)", True),
    ],
)
def test_actions_that_a_ruling_excludes_are_left_out(tmp_path: Path, guard: str, there: bool) -> None:
    added = f"{ACTION}\naction(take,put(K)) :- amount(K), ruling({guard}).\n{PUT}"
    rules = changed(tmp_path, {ACTION: added}).ruleset
    labels = [t.label for t in transitions(rules, domains(rules))]
    assert labels == ["take(K)", *(["put(K)"] if there else []), "step pass_on"]


TWICE = {
    ACTION: "action(take,take(K))      :- amount(K), K > 2.\naction(take,take(K))      :- amount(K), K < 3.",
}


def test_actions_declared_twice_are_told_apart(tmp_path: Path) -> None:
    """What is asked of transitions, and known of them, is told apart by how they are called."""
    rules = changed(tmp_path, TWICE).ruleset
    labels = [t.label for t in transitions(rules, domains(rules))]
    assert labels == ["take(K) at take", "take(K) at take (2)", "step pass_on"]


def test_an_action_called_like_what_is_decided_at_once_is_told_apart(tmp_path: Path) -> None:
    more = """
        simultaneous(take).
        action(other,take).
        whose(other,"take").
        question(R,take) :- decision(R,other).
        fluent(decision(R,other)) :- player(R).
    """
    rules = changed(tmp_path, {ACTION: ACTION + more}).ruleset
    labels = [t.label for t in transitions(rules, domains(rules))]
    assert labels == ["take", "take (2)", "step pass_on"]
