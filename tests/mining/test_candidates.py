"""Candidates as rules: the rule of a candidate means the same as its template."""

from __future__ import annotations

import doctest

import pytest
from support.mined import breaks, candidate, game, positions, vocabulary

from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.lang.printer import show_with_commas
from kaiser_logic.mining import candidates as module
from kaiser_logic.mining.candidates import Candidate, Template, with_candidates

EXAMPLES = [
    (candidate(Template.NEVER, "heap(0)"), "heap(0)"),
    (candidate(Template.ALWAYS, "took(_)"), "not took(_)"),
    (candidate(Template.EXCLUDES, "phase(over)", "decision(_,take)"), "phase(over), decision(_,take)"),
    (candidate(Template.IMPLIES, "phase(over)", "heap(0)"), "phase(over), not heap(0)"),
    (
        candidate(Template.EACH, "phase(over)", "taken(X,_)", sort="player"),
        "phase(over), player(X), not taken(X,_)",
    ),
    (
        candidate(Template.EXCLUDES_SAME, "took(X)", "decision(X,take)", sort="player"),
        "took(X), decision(X,take)",
    ),
    (candidate(Template.IMPLIES_SAME, "took(X)", "taken(X,_)", sort="player"), "took(X), not taken(X,_)"),
    (candidate(Template.AT_MOST, "phase(play)", "taken(_,N)", 5), "phase(play), taken(_,N), N > 5"),
    (candidate(Template.AT_LEAST, "decision(_,take)", "heap(N)", 3), "decision(_,take), heap(N), N < 3"),
]


@pytest.mark.parametrize(("made", "body"), EXAMPLES, ids=[c.template.value for c, _ in EXAMPLES])
def test_bodies_of_candidates(made: Candidate, body: str) -> None:
    assert made.body == body
    assert show_with_commas(made.rule("mine")) == f"broken(mine,{'X' if 'X' in body else 'x'}) :- {body}."


def test_every_template_has_an_example() -> None:
    assert {c.template for c, _ in EXAMPLES} == set(Template)


def test_rules_have_clingos_form() -> None:
    """With commas between literals, renaming would silently rename nothing."""
    rule = with_candidates(game("nim").ruleset, {"mine": EXAMPLES[6][0]}).book.rules[-1]
    assert rule.text == "broken(mine,X) :- took(X); not taken(X,_)."
    assert [a.signature for a in rule.positive + rule.negative] == [("took", 1), ("taken", 2)]


SOMETIMES = [
    candidate(Template.NEVER, "heap(0)"),
    candidate(Template.ALWAYS, "took(_)"),
    candidate(Template.EXCLUDES, "phase(play)", "took(_)"),
    candidate(Template.IMPLIES, "phase(play)", "took(_)"),
    candidate(Template.EACH, "phase(play)", "took(X)", sort="player"),
    candidate(Template.EXCLUDES_SAME, "took(X)", "taken(X,_)", sort="player"),
    candidate(Template.IMPLIES_SAME, "taken(X,_)", "took(X)", sort="player"),
    candidate(Template.AT_MOST, "phase(play)", "taken(_,N)", 1),
    candidate(Template.AT_LEAST, "due(pass_on)", "heap(N)", 2),
]
"""Candidates that some positions of the game break and others do not."""


@pytest.mark.parametrize("made", SOMETIMES, ids=[c.template.value for c in SOMETIMES])
def test_rules_and_templates_mean_the_same(made: Candidate) -> None:
    evaluator = Evaluator(with_candidates(game("nim").ruleset, {"mine": made}))
    values = vocabulary("nim").sorts["player"]
    by_rule = {
        facts: "mine" in dict(evaluator.broken_invariants(facts, waive=False)) for facts in positions("nim")
    }
    assert {facts: breaks(made, facts, values) for facts in by_rule} == by_rule
    assert set(by_rule.values()) == {True, False}


def test_doctests() -> None:
    assert doctest.testmod(module).failed == 0
