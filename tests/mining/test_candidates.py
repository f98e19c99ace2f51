"""Candidates as rules: the rule of a candidate means the same as its template."""

import clingo
import pytest
from support.heap_game import SCORED, variant
from support.mined import SMALL, breaking, breaks, feature, game, positions, vocabulary, written
from support.tables import rows

from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.game import load
from kaiser_logic.lang.printer import show_term, show_with_commas
from kaiser_logic.mining.candidates import (
    FeatureVocabulary,
    Observations,
    Template,
    UnbrokenCandidates,
    with_candidates,
)


@pytest.mark.parametrize(("text", "body"), rows("mining/mining", "body"))
def test_bodies_of_candidates(text, body):
    made = written(text)
    assert made.body == body
    assert show_with_commas(made.rule("mine")) == f"broken(mine,{'X' if 'X' in body else 'x'}) :- {body}."


def test_rules_have_clingos_form():
    """With commas between literals, renaming would silently rename nothing."""
    rule = with_candidates(
        game("nim").ruleset, {"mine": written("IMPLIES_SAME took(X) | taken(X,_) | player")}
    ).book.rules[-1]
    assert rule.text == "broken(mine,X) :- took(X); not taken(X,_)."
    assert [a.signature for a in rule.positive + rule.negative] == [("took", 1), ("taken", 2)]


@pytest.mark.parametrize("text", rows("mining/mining", "sometimes"))
def test_rules_and_templates_mean_the_same(text):
    made = written(text)
    evaluator = Evaluator(with_candidates(game("nim").ruleset, {"mine": made}))
    values = vocabulary("nim").sorts["player"]
    by_rule = {facts: "mine" in dict(evaluator.broken_invariants(facts, waive=False)) for facts in positions("nim")}
    assert {facts: breaks(made, facts, values) for facts in by_rule} == by_rule
    assert set(by_rule.values()) == {True, False}


# Matching of facts with patterns.
@pytest.mark.parametrize(("pattern", "fact", "values"), rows("mining/mining", "matches"))
def test_patterns_match_facts(pattern, fact, values):
    found = Observations([frozenset([clingo.parse_term(fact)])]).by_value(
        feature(pattern, "player" if "X" in pattern else None)
    )
    assert list(map(str, found)) == [one for one in values.split() if one != "-"]


# Candidates that no position of the games breaks, and that occurred often enough.
def proposals(name: str) -> UnbrokenCandidates:
    stated = frozenset(s for s, zero in game(name).book.counters.items() if zero)
    return UnbrokenCandidates(
        vocabulary(name), Observations(sorted(positions(name), key=lambda one: sorted(map(str, one)))), stated
    )


@pytest.mark.parametrize("name", SMALL)
def test_no_position_breaks_unbroken_candidates(name):
    found = proposals(name).all()
    assert len(found) > 10
    assert breaking(found, name) == []


def test_known_invariants_are_candidates():
    bodies = {c.body for c in proposals("nim").all()}
    assert {"phase(over), not heap(0)", "phase(over), decision(_,take)", "took(X), not taken(X,_)"} <= bodies
    assert "phase(play), not took(_)" not in bodies


def test_rare_features_imply_nothing():
    """In a single position no feature occurs often enough."""
    for position in positions("nim"):
        found = UnbrokenCandidates(vocabulary("nim"), Observations([position]), frozenset({("heap", 1)})).all()
        assert {c.template for c in found} <= {Template.NEVER, Template.ALWAYS}


# The features of small games: constants if they are few, variables of sorts, no names of players.
def texts(found: FeatureVocabulary) -> set[str]:
    return {show_term(f.pattern) for f in found.features}


def test_features_of_the_heap():
    assert texts(vocabulary("heap")) == {
        *("phase(_)", "phase(over)", "phase(play)", "heap(_)", "heap(0)", "took(_)", "took(X)"),
        *("taken(_,_)", "taken(X,_)", "decision(_,take)", "decision(X,take)", "due(pass_on)"),
        *("decision(_,_)", "due(_)"),
    }


def test_contexts_are_phases_decisions_and_steps():
    contexts = {show_term(f.pattern) for f in vocabulary("heap").features if f.context}
    assert contexts == {*("phase(over)", "phase(play)", "decision(_,take)", "due(pass_on)", "decision(_,_)", "due(_)")}


def test_players_are_not_distinguished():
    for name in ("heap", "sealed", "cards", "bank"):
        assert not any("red" in text or "green" in text for text in texts(vocabulary(name)))


def test_other_constants_are_distinguished():
    assert {"shown(X,up)", "shown(_,down)"} <= texts(vocabulary("sealed"))
    assert {"at(goat,_)", "at(_,left)"} <= texts(vocabulary("ferry"))


def test_unlimited_numbers_are_left_out(tmp_path):
    game = load(variant(tmp_path, SCORED))
    assert not any("points" in text for text in texts(FeatureVocabulary(game.ruleset)))
