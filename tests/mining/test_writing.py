"""Lines for a rulebook: candidates are grouped and named, lines wrapped and aligned."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from support.lp_style import faults
from support.mined import candidate, game, vocabulary

from kaiser_logic.game import load
from kaiser_logic.mining.candidates import Candidate, FeatureVocabulary, Template
from kaiser_logic.mining.writing import ProposedInvariant, Wording, propose
from kaiser_logic.rules.phrases import Phrases, phrases
from kaiser_logic.rules.rulebook import read_docs

WORDING = Wording(game("nim").ruleset, Phrases({}), vocabulary("nim"))
EMPTY = [candidate(Template.IMPLIES, context, "heap(0)") for context in ("phase(over)", "due(pass_on)")]
SAME = candidate(Template.IMPLIES_SAME, "took(X)", "taken(X,_)", sort="player")


def made(candidates: Sequence[Candidate], taken: Sequence[str] = ()) -> list[ProposedInvariant]:
    return [invariant for invariant, _ in propose(candidates, WORDING, taken)]


def test_lines_of_one_candidate() -> None:
    (found,) = made([SAME])
    assert str(found).splitlines() == [
        "%! invariant took_needs_same_taken -- Whenever took(a player): taken(the same player,_).",
        "%!   why  it is not the case that taken({X},_)",
        "broken(took_needs_same_taken,X) :- took(X), not taken(X,_).",
    ]


def test_candidates_with_one_demand_become_one_invariant() -> None:
    found, groups = zip(*propose([*EMPTY, SAME], WORDING, ()), strict=True)
    assert [i.id for i in found] == ["heap_0_needed", "took_needs_same_taken"]
    assert found[0].rules == (
        "broken(heap_0_needed,phase_over) :- phase(over), not heap(0).",
        "broken(heap_0_needed,due_pass_on) :- due(pass_on), not heap(0).",
    )
    assert groups == (tuple(EMPTY), (SAME,))
    assert str(found[0]).splitlines()[-2:] == [
        "broken(heap_0_needed,phase_over)  :- phase(over), not heap(0).",
        "broken(heap_0_needed,due_pass_on) :- due(pass_on), not heap(0).",
    ]


def test_exclusions_are_grouped_by_the_common_feature() -> None:
    pairs = [("phase(over)", "took(_)"), ("due(pass_on)", "phase(over)")]
    (found,) = made([candidate(Template.EXCLUDES, *pair) for pair in pairs])
    assert found.id == "phase_over_excluded"
    assert found.rules[1] == "broken(phase_over_excluded,due_pass_on) :- due(pass_on), phase(over)."


def test_used_names_get_a_number() -> None:
    assert made([SAME], ["took_needs_same_taken"])[0].id == "took_needs_same_taken_2"


def test_names_contain_bounds() -> None:
    bounds = [candidate(Template.AT_MOST, "phase(over)", "taken(_,N)", n) for n in (2, 3)]
    assert [i.id for i in made(bounds)] == ["phase_over_at_most_taken_2", "phase_over_at_most_taken_3"]


def test_lines_can_be_read_and_have_the_style_of_rulebooks() -> None:
    many = [
        candidate(Template.IMPLIES, f"a_rather_long_name_of_a_decision_{k}(_)", "heap(0)") for k in range(9)
    ]
    (found,) = made(many)
    text = f"{found}\n"
    assert list(faults("mined.lp", text)) == []
    docs, _, wrong = read_docs(text, "mined.lp")
    assert not wrong
    assert [(d.id, d.kind, d.default_statement, d.why) for d in docs] == [
        (found.id, "invariant", found.statement, found.why)
    ]


# Statements from a game's phrases; without phrases, statements show the facts.
@cache
def wording(spoken: bool = True) -> Wording:
    game = load("kaiser", players=3)
    vocabulary = FeatureVocabulary(game.ruleset)
    return Wording(game.ruleset, phrases(game.book.folder) if spoken else Phrases({}), vocabulary)


OVER = candidate(Template.IMPLIES, "phase(over)", "round(5)")
FINISHED = [
    candidate(Template.EACH, context, "finished(X)", sort="player")
    for context in ("phase(over)", "phase(electors)", "due(round_end)")
]


@pytest.mark.parametrize(
    ("group", "statement", "why"),
    [
        ([OVER], "Whenever the game is over: it is round 5.", "it is not the case that it is round 5"),
        (
            FINISHED,
            "Whenever the game is over; it is the phase of the new electors; or the step round_end is due: "
            "every player has finished the actions of this round.",
            "it is not the case that {X} has finished the actions of this round",
        ),
        (
            [candidate(Template.IMPLIES, "influenced(_)", "held(_,rival,_)")],
            "Whenever church influence works in Köln, Mainz, or Trier: somebody holds the rival.",
            "it is not the case that somebody holds the rival",
        ),
        (
            [candidate(Template.EXCLUDES, "phase(aging)", "round(1)")],
            "Never while it is round 1: everybody has become older.",
            "everybody has become older, and it is round 1",
        ),
        (
            [candidate(Template.EXCLUDES_SAME, "decision(X,turn)", "finished(X)", sort="player")],
            "Never while a player has finished the actions of this round: it is the same player's turn.",
            "it is {X}'s turn, and {X} has finished the actions of this round",
        ),
        (
            [candidate(Template.IMPLIES_SAME, "held(X,ordinance,_)", "city(_,X,_)", sort="player")],
            "Whenever a player holds the ordinance: the same player has a city in some electorate.",
            "it is not the case that {X} has a city in some electorate",
        ),
        (
            [candidate(Template.AT_MOST, "round(1)", "thalers(_,N)", 7)],
            "Whenever it is round 1, at most: somebody has 7 thalers.",
            "the most there can be: somebody has 7 thalers; here the number is {N}",
        ),
        (
            [candidate(Template.AT_LEAST, "round(1)", "thalers(_,N)", 1)],
            "Whenever it is round 1, at least: somebody has 1 thaler.",
            "the least there can be: somebody has 1 thaler; here the number is {N}",
        ),
        (
            [candidate(Template.NEVER, "due(tally)")],
            "Never: the step tally is due.",
            "the step tally is due",
        ),
        (
            [candidate(Template.ALWAYS, "emperor(_)")],
            "Always: somebody is emperor.",
            "it is not the case that somebody is emperor",
        ),
    ],
)
def test_statements_use_phrases(group: list[Candidate], statement: str, why: str) -> None:
    assert (wording().statement(group), wording().why(group)) == (statement, why)


def test_a_phrase_that_leaves_out_a_constant_is_not_used() -> None:
    """The phrase about any tile on an aristocrat space would leave out its age."""
    text = wording().feature(candidate(Template.NEVER, "aristocrat(_,_,15,_,_)").first, "")
    assert "15" in text
    assert text == "somebody has a baron or couple of 15 on an aristocrat space of some electorate"


def test_statements_without_phrases_show_facts() -> None:
    assert wording(spoken=False).statement([OVER]) == "Whenever phase(over): round(5)."
    assert wording(spoken=False).statement(FINISHED[:1]) == "Whenever phase(over): finished(every player)."
