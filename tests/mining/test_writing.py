"""Lines for a rulebook: candidates are grouped and named, lines wrapped and aligned."""

from collections.abc import Sequence
from functools import cache

import pytest
from support.lp_style import faults
from support.mined import candidate, game, vocabulary, written
from support.tables import rows

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


def test_lines_of_one_candidate():
    (found,) = made([SAME])
    assert str(found).splitlines() == [
        "%! invariant took_needs_same_taken -- Whenever took(a player): taken(the same player,_).",
        "%!   why  it is not the case that taken({X},_)",
        "broken(took_needs_same_taken,X) :- took(X), not taken(X,_).",
    ]


def test_candidates_with_one_demand_become_one_invariant():
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


def test_exclusions_are_grouped_by_the_common_feature():
    pairs = [("phase(over)", "took(_)"), ("due(pass_on)", "phase(over)")]
    (found,) = made([candidate(Template.EXCLUDES, *pair) for pair in pairs])
    assert found.id == "phase_over_excluded"
    assert found.rules[1] == "broken(phase_over_excluded,due_pass_on) :- due(pass_on), phase(over)."


def test_used_names_get_a_number():
    assert made([SAME], ["took_needs_same_taken"])[0].id == "took_needs_same_taken_2"


def test_names_contain_bounds():
    bounds = [candidate(Template.AT_MOST, "phase(over)", "taken(_,N)", n) for n in (2, 3)]
    assert [i.id for i in made(bounds)] == ["phase_over_at_most_taken_2", "phase_over_at_most_taken_3"]


def test_lines_can_be_read_and_have_the_style_of_rulebooks():
    many = [candidate(Template.IMPLIES, f"a_rather_long_name_of_a_decision_{k}(_)", "heap(0)") for k in range(9)]
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


@pytest.mark.parametrize(("group", "statement", "why"), rows("mining/mining", "statement"))
def test_statements_use_phrases(group, statement, why):
    candidates = list(map(written, group.split(" & ")))
    assert (wording().statement(candidates), wording().why(candidates)) == (statement, why)


def test_a_phrase_that_leaves_out_a_constant_is_not_used():
    """The phrase about any tile on an aristocrat space would leave out its age."""
    text = wording().feature(candidate(Template.NEVER, "aristocrat(_,_,15,_,_)").first, "")
    assert "15" in text
    assert text == "somebody has a baron or couple of 15 on an aristocrat space of some electorate"


@pytest.mark.parametrize(("text", "statement"), rows("mining/mining", "plain"))
def test_statements_without_phrases_show_facts(text, statement):
    assert wording(spoken=False).statement([written(text)]) == statement
