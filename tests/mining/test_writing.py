"""Lines for a rulebook: candidates are grouped and named, lines wrapped and aligned."""

from __future__ import annotations

from collections.abc import Sequence

from support.lp_style import faults
from support.mined import candidate, game, vocabulary

from kaiser_logic.mining.candidates import Candidate, Template
from kaiser_logic.mining.writing import ProposedInvariant, Wording, propose
from kaiser_logic.rules.phrases import Phrases
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
