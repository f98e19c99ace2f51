"""The transitions of a game: each kind of action and each step belongs to exactly one, with a unique label."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import ACTION
from support.opened import changed, heap

from kaiser_logic.errors import FaultyRulebook, NotDecided
from kaiser_logic.game import Game, load
from kaiser_logic.lang.printer import show_term
from kaiser_logic.lang.terms import Fun, Name, Term
from kaiser_logic.solving.prover import Prover
from kaiser_logic.solving.theory import Transition, shape_of


def transitions(game: Game) -> list[Transition]:
    """The transitions of a game."""
    return Prover(game.ruleset).transitions


def labels(game: Game) -> list[str]:
    """The labels of the transitions."""
    return [t.label for t in transitions(game)]


def test_the_heap_game_has_an_action_and_a_step() -> None:
    take, step = transitions(heap())
    (schema,) = take.schemas
    assert (take.label, show_term(schema.decision), show_term(schema.action), take.step) == (
        "take(K)",
        "take",
        "take(K)",
        None,
    )
    assert (step.label, step.schemas, step.step) == ("step pass_on", (), Name("pass_on"))


def test_each_kind_of_action_belongs_to_one_transition() -> None:
    """Simultaneous actions belong together. The label of an action at two decisions has the name of the decision."""
    found = transitions(load("kaiser"))
    labels = [t.label for t in found]
    assert len(set(labels)) == len(labels)
    schemas = [(shape_of(w.decision), shape_of(w.action)) for t in found for w in t.schemas]
    assert len(set(schemas)) == len(schemas)
    assert "knight(E,S) at turn" in labels
    simultaneous = {t.label for t in found if t.joint}
    for transition in found:
        decisions = {name(w.decision) for w in transition.schemas}
        assert len(decisions) == (transition.step is None)
        assert transition.joint == (decisions <= simultaneous and bool(decisions))


def name(decision: Term) -> str:
    """The name of a decision, without its arguments."""
    return decision.name if isinstance(decision, Fun) else show_term(decision)


def test_decisions_that_nobody_can_have_are_left_out() -> None:
    theory = Prover(heap().ruleset).theory
    assert [t.label for t in theory.transitions([])] == ["step pass_on"]


PUT = "candidate(R,put(K)) :- decision(R,take), amount(K)."


@pytest.mark.parametrize(
    ("guard", "exists"),
    [
        ("last_stone,wins", True),
        ("last_stone,loses", False),
        ("_,loses", True),
        ("last_stone,(wins;loses)", True),
        ("last_stone,wins), not ruling(last_stone,loses", True),
    ],
)
def test_actions_that_a_ruling_excludes_are_left_out(tmp_path: Path, guard: str, exists: bool) -> None:
    added = f"{ACTION}\naction(take,put(K)) :- amount(K), ruling({guard}).\n{PUT}"
    assert labels(changed(tmp_path, {ACTION: added})) == [
        "take(K)",
        *(["put(K)"] if exists else []),
        "step pass_on",
    ]


@pytest.mark.parametrize(
    ("guard", "exists"),
    [
        ("#count { 1 : ruling(last_stone,wins); 2 : ruling(last_stone,loses); 3 : amount(9) } > 0", True),
        (
            "#count { 1 : ruling(last_stone,wins); 2 : ruling(last_stone,loses) } > 0, ruling(last_stone,loses)",
            False,
        ),
        ("ruling(last_stone,loses) : amount(9)", True),
        ("not not ruling(last_stone,wins)", True),
    ],
)
def test_a_ruling_within_a_sum_or_under_a_condition_excludes_nothing(
    tmp_path: Path, guard: str, exists: bool
) -> None:
    added = f"{ACTION}\naction(take,skip) :- {guard}.\ncandidate(R,skip) :- decision(R,take)."
    draws = {'stone loses." }': 'stone loses.", draws = "It means nothing." }'}
    assert labels(changed(tmp_path, {ACTION: added, **draws})) == [
        "take(K)",
        *(["skip"] if exists else []),
        "step pass_on",
    ]


def test_a_simultaneous_decision_is_one_transition_wherever_its_actions_are_declared(tmp_path: Path) -> None:
    """Otherwise no question would examine combinations of actions from different declarations."""
    more = """
        simultaneous(take).
        action(other,wait).
        action(take,skip).
        out_of_turn(other,"take").
        candidate(R,skip) :- decision(R,take).
        candidate(R,wait) :- decision(R,other).
        fluent(decision(R,other)) :- player(R).
    """
    found = {t.label: len(t.schemas) for t in transitions(changed(tmp_path, {ACTION: ACTION + more}))}
    assert found == {"take": 2, "wait": 1, "step pass_on": 0}


STEP = "step(pass_on)."


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({STEP: f"{STEP}\nstep(S) :- late(S).\nlate(pass_on(1..2))."}, "steps called pass_on have different"),
        ({STEP: "step(S) :- late(S).\nlate(pass_on;pass_on(1))."}, "steps called pass_on have different"),
        ({STEP: "step(S) :- late(S).\nlate(pass_on;7)."}, "7 is no name of a step"),
    ],
)
def test_different_steps_with_one_name_are_not_decided(
    tmp_path: Path, changes: dict[str, str], why: str
) -> None:
    game = changed(tmp_path, changes)
    with pytest.raises(NotDecided, match=why):
        transitions(game)


@pytest.mark.parametrize("decision", ["D", "(take;rest)", "take(1;2)", "take(K-1)", "7", '"take"'])
def test_the_decision_of_an_action_needs_a_name(tmp_path: Path, decision: str) -> None:
    with pytest.raises(FaultyRulebook, match="in a declaration the decision of an action needs a name"):
        changed(tmp_path, {ACTION: f"action({decision},take(K)) :- amount(K), D = take."})


def test_decisions_with_only_large_numbers_are_included(tmp_path: Path) -> None:
    """Open positions do not have such a decision, but a move may add it."""
    more = """
        action(give(N),give) :- number(N).
        out_of_turn(give(1),"take").
        candidate(R,give) :- decision(R,give(_)).
        fluent(decision(R,give(N))) :- player(R), number(N), N > 50.
    """
    assert labels(changed(tmp_path, {ACTION: ACTION + more})) == ["take(K)", "give", "step pass_on"]


TWICE = {
    ACTION: "action(take,take(K))      :- amount(K), K > 2.\naction(take,take(K))      :- amount(K), K < 3.",
}


def test_an_action_that_is_declared_twice_has_two_labels(tmp_path: Path) -> None:
    """Questions and answers refer to transitions by their labels."""
    assert labels(changed(tmp_path, TWICE)) == ["take(K) at take", "take(K) at take (2)", "step pass_on"]


def test_an_action_with_the_name_of_a_simultaneous_decision_has_another_label(tmp_path: Path) -> None:
    more = """
        simultaneous(take).
        action(other,take).
        out_of_turn(other,"take").
        candidate(R,take) :- decision(R,other).
        fluent(decision(R,other)) :- player(R).
    """
    assert labels(changed(tmp_path, {ACTION: ACTION + more})) == ["take", "take (2)", "step pass_on"]
