"""The transitions of a game: each kind of action and each step belongs to exactly one, with a unique label."""

import pytest
from support.heap_game import ACTION, changed, heap
from support.tables import rows

from kaiser_logic.errors import FaultyRulebook, NotDecided
from kaiser_logic.game import Game, load
from kaiser_logic.lang.printer import show_term
from kaiser_logic.lang.terms import Fun, Term
from kaiser_logic.solving.prover import Prover
from kaiser_logic.solving.theory import Transition, shape_of


def transitions(game: Game) -> list[Transition]:
    return Prover(game.ruleset).transitions


def labels(game: Game) -> list[str]:
    return [t.label for t in transitions(game)]


def test_each_kind_of_action_belongs_to_one_transition():
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
    return decision.name if isinstance(decision, Fun) else show_term(decision)


def test_decisions_that_nobody_can_have_are_left_out():
    theory = Prover(heap().ruleset).theory
    assert [t.label for t in theory.transitions([])] == ["step pass_on"]


ADDED = {
    "ACTION": ACTION,
    "PUT": "candidate(R,put(K)) :- decision(R,take), amount(K).",
    "SKIP": "candidate(R,skip) :- decision(R,take).",
}
DRAWN = {'stone loses." }': 'stone loses.", draws = "It means nothing." }'}
"""A third value of the ruling."""


@pytest.mark.parametrize(
    ("text", "expected", "more"),
    [(*row.values, {}) for row in rows("solving/transitions", "labels")]
    + [(*row.values, DRAWN) for row in rows("solving/transitions", "drawn")],
)
def test_transitions_have_the_expected_labels(tmp_path, text, expected, more):
    """Actions that a ruling excludes are left out. Questions and answers refer to transitions by their labels."""
    for name, rule in ADDED.items():
        text = text.replace(name, rule)
    assert labels(changed(tmp_path, {ACTION: text, **more})) == expected.split(" | ")


def test_a_simultaneous_decision_is_one_transition_wherever_its_actions_are_declared(tmp_path):
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


@pytest.mark.parametrize(("steps", "why"), rows("solving/transitions", "steps"))
def test_different_steps_with_one_name_are_not_decided(tmp_path, steps, why):
    game = changed(tmp_path, {"step(pass_on).": steps})
    with pytest.raises(NotDecided, match=why):
        transitions(game)


@pytest.mark.parametrize("decision", rows("solving/transitions", "decision"))
def test_the_decision_of_an_action_needs_a_name(tmp_path, decision):
    with pytest.raises(FaultyRulebook, match="in a declaration the decision of an action needs a name"):
        changed(tmp_path, {ACTION: f"action({decision},take(K)) :- amount(K), D = take."})
