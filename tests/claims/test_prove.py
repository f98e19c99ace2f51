"""Claims about positions are proved or fall, and the notes of the others say why they are open."""

import pytest
from support.heap_game import ACTION, HEAD, SCORED, changed, heap, variant

from kaiser_logic.claims.induction import inductive
from kaiser_logic.claims.parse import parse_claims
from kaiser_logic.claims.prove import prove
from kaiser_logic.game import Game, load
from kaiser_logic.lang.reader import read_rules
from kaiser_logic.solving.report import Proof
from kaiser_logic.solving.rounds import Resources


def proofs(game: Game, *claims: str) -> dict[str, Proof]:
    """The proofs of these claims by their ids."""
    return {p.claim: p for p in game.prove(claims=claims, jobs=1).proofs}


@pytest.mark.slow
def test_claims_get_the_expected_verdicts():
    found = proofs(
        heap(),
        "never heap(N), N > 12",
        "never heap(11), took(red), decision(red,take)",
        "never heap(1), taken(red,11)",
        "never taken(green,2)",
        "never heap(12)",
        "some heap(5), taken(green,2)",
        "some heap(5), taken(green,8)",
        "never heap(2), legal(R,take(3))",
        "never heap(1), legal(R,take(1))",
    )
    assert [p.status for p in found.values()] == [
        "proved", "proved", "undecided", "falls", "falls", "proved", "falls", "proved", "falls",
    ]  # fmt: skip
    implied, inductive_claim, not_inductive, fallen, start, *_ = found.values()
    assert not implied.notes and not inductive_claim.notes
    assert "not inductive" in not_inductive.notes[0]
    assert [e.replayed for e in not_inductive.counterexamples] == [True]
    assert fallen.counterexamples[0].actions
    assert start.counterexamples[0].transition == "start"


@pytest.mark.parametrize("claims", [["never heap(11)"], ["never heap(11)", "never took(green)"]])
def test_a_random_game_decides_before_all_other_work(claims):
    """Nothing else is done if random games break all claims."""
    steps: list[str] = []
    game = heap()
    report = prove(game.evaluator, claims=parse_claims(claims, (), game.ruleset), workers=1, progress=steps.append)
    assert [(p.statement, p.status, len(p.counterexamples)) for p in report.proofs] == [
        (claim, "falls", 1) for claim in claims
    ]
    assert steps == []


@pytest.mark.slow
def test_a_claim_may_rest_on_others():
    """The first claim is inductive only with the two others, which describe the position before."""
    dependent, *needed = (
        "never heap(8), taken(red,4)",
        "never took(R), not taken(R,_)",
        "never took(R), decision(R,take)",
    )
    assert proofs(heap(), dependent)["claim"].status == "undecided"
    assert proofs(heap(), dependent, needed[0])["claim1"].status == "undecided"
    assert {p.status for p in proofs(heap(), dependent, *needed).values()} == {"proved"}


@pytest.mark.slow
def test_a_claim_that_needs_no_broken_invariant_is_proved(tmp_path):
    more = "%! invariant odd -- The heap is odd.\nbroken(odd,N) :- heap(N), N \\ 2 = 0.\n"
    game = changed(tmp_path, {HEAD: more + HEAD})
    found = proofs(game, "never heap(N), N > 12", "never heap(6), decision(red,take)")
    assert found["claim1"].status == "proved"
    assert found["claim2"].status != "proved"


FULL = "never heap(11), took(red), decision(red,take)"
UNEVEN = "never winner(red), not winner(green)"
"""A claim that is not inductive, and is about numbers without a limit."""
EVEN = "never points(R,N), points(Q,M), N > M"
"""A claim about numbers without a limit that no move breaks."""


@pytest.mark.slow
@pytest.mark.parametrize("other", [UNEVEN, EVEN])
def test_a_claim_without_a_limit_leaves_the_others_decided(tmp_path, other):
    """If the claims are asked together, each move reads points."""
    game = changed(tmp_path, SCORED)
    assert proofs(game, FULL)["claim"].status == "proved"
    found = proofs(game, FULL, other)
    assert found["claim1"].status == "proved"
    assert found["claim2"].status == proofs(game, other)["claim"].status


STOP = "candidate(R,stop) :- decision(R,go(_)).\nadd(decision(R,take)) :- does(R,stop)."
HALVES = {
    "fluent(decision(R,take))  :- player(R).": "fluent(decision(R,(take;go(a);go(b)))) :- player(R).\nfluent(large).",
    "may_decide(R,take)     :-": "may_decide(R,go(a;b)) :- player(R), heap(12).\nmay_decide(R,take) :-",
    'out_of_turn(take,"take").': f'out_of_turn((take;go(a);go(b)),"take").\nadd(large) :- made(R,go(a)).\n{STOP}',
}
"""One action at two decisions of one name. It adds a fact at only one of them."""


@pytest.mark.slow
@pytest.mark.parametrize("order", ["ab", "ba"])
def test_an_action_with_an_effect_at_one_of_two_decisions_is_examined_at_both(tmp_path, order):
    kinds = "\n".join(f"action(go({x}),stop)." for x in order)
    game = changed(tmp_path, {**HALVES, ACTION: f"{ACTION}\n{kinds}"})
    assert proofs(game, "never large")["claim"].status != "proved"
    result = inductive(game.ruleset, {"c": read_rules("broken(c,x) :- large.")}, Resources(1))
    assert result["c"].status == "falls"


@pytest.mark.slow
def test_a_claim_of_the_rulebook_about_impossible_facts_is_not_decided(tmp_path):
    files = 'files = ["vocabulary", "play", "invariants"]'
    folder = variant(tmp_path, {files: f'{files}\nclaims = ["claims"]'})
    text = "%! claim tall -- The heap is never so high.\n%!   never  heap(13)\n"
    (folder / "claims.lp").write_text(text, encoding="utf-8")
    (tall,) = (p for p in load(folder).prove(["tall"], jobs=1).proofs if p.claim == "tall")
    assert tall.status == "undecided"
    assert "it says nothing of any position here" in tall.notes[0]
