"""Claims that are not proved are dropped. Claims that hold without them are proved, and claims that need them are not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations
from pathlib import Path
from random import Random

import pytest
from support.exhaustive import Facts, after, choices, reachable
from support.lamps import lamps, never, random_lamps, switch
from support.proofs import statuses

from kaiser_logic.engine import symbols
from kaiser_logic.engine.invariants import invariants
from kaiser_logic.game import Game
from kaiser_logic.rules.predicates import GENERAL
from kaiser_logic.solving.report import Proof

pytestmark = pytest.mark.by_hand

HIDDEN = (switch(1, "b", "a"), switch(2, "c", "b"), switch(3, "d", "c"), switch(4, "", "", "e"))
"""No game lights a lamp. From a position in which `a` is lit, however, the others can be lit one after the other."""
CHAIN = (never("third", "b"), never("second", "c"), never("first", "d"))


def proofs(game: Game, *wanted: str) -> dict[str, Proof]:
    """The proofs of these claims, or of all."""
    return {p.claim: p for p in game.prove(wanted, jobs=1, fresh=True).proofs}


@pytest.mark.slow
def test_claims_that_do_not_need_a_false_claim_are_proved(tmp_path: Path) -> None:
    found = proofs(lamps(tmp_path, 4, *HIDDEN, never("third", "b"), never("other", "e")))
    assert found["third"].status == "falls"
    assert {p.status for c, p in found.items() if c != "third"} == {"proved"}


def test_claims_that_need_a_false_claim_are_not_decided(tmp_path: Path) -> None:
    """The first claim needs the second, and the second needs the third, which is false. The others are proved."""
    game = lamps(tmp_path, 4, *HIDDEN, *CHAIN, never("other", "e"))
    found = proofs(game)
    verdicts = {c: found[c].status for c in ("third", "second", "first", "other", "turn")}
    assert verdicts == {
        "third": "falls", "second": "undecided", "first": "undecided", "other": "proved", "turn": "proved",
    }  # fmt: skip
    assert found["second"].given == ("third",)
    assert found["second"].notes == ["holds only given third, which falls"]
    assert found["first"].given == ("second",)
    assert found["first"].notes == ["holds only given second, which is not decided"]
    for claim, lamp in (("second", "b"), ("first", "c")):
        (example,) = found[claim].counterexamples
        assert example.replayed
        assert f"lit({lamp})" in example.facts
    assert all(found[c].status == "proved" for c in (*GENERAL, "exclusive", "enumeration"))


@pytest.mark.slow
def test_a_claim_that_a_game_breaks_after_another_one_falls(tmp_path: Path) -> None:
    """The search of games goes on after the first broken invariant."""
    found = proofs(lamps(tmp_path, 4, switch(4, "a"), *HIDDEN[:3], *CHAIN, never("other", "e")))
    assert [found[c].status for c in ("third", "second", "first", "other")] == ["falls"] * 3 + ["proved"]
    assert all(not found[c].given and not found[c].notes for c in ("third", "second", "first"))
    assert all(found[c].counterexamples[0].origin.verdict == "reachable" for c in ("second", "first"))  # type: ignore[union-attr]


@pytest.mark.slow
def test_only_the_requested_claims_and_their_reasons_are_reported(tmp_path: Path) -> None:
    game = lamps(tmp_path, 4, *HIDDEN, *CHAIN, never("other", "e"))
    assert {c: p.status for c, p in proofs(game, "first").items()} == {"first": "undecided", "third": "falls"}
    report = game.prove(["other"], jobs=1, fresh=True)
    assert statuses(report) == {"other": "proved", "third": "falls"}
    assert report.unproved == {"first": "undecided", "second": "undecided", "third": "falls"}


def test_claims_on_which_the_encoding_rests_cannot_be_dropped(tmp_path: Path) -> None:
    debt = "fluent(coins(R,0..3)) :- player(R). stated(coins,2). init(coins(R,1)) :- player(R).\n"
    debt += "lose(coins(R),1,fee) :- does(R,flick(4))."
    found = proofs(lamps(tmp_path, 4, *HIDDEN, *CHAIN, more=debt))
    assert found["count"].status == "falls"
    assert found["third"].status == "falls"
    assert found["first"].notes == found["turn"].notes == ["proved only given count, which falls"]
    assert "proved" not in {p.status for p in found.values()}


@pytest.mark.slow
def test_claims_on_which_the_encoding_rests_may_need_a_false_claim(tmp_path: Path) -> None:
    debt = "fluent(coins(R,0..3)) :- player(R). stated(coins,2). init(coins(R,1)) :- player(R).\n"
    debt += "lose(coins(R),1,fee) :- does(R,flick(4)), lit(b)."
    found = proofs(lamps(tmp_path, 4, *HIDDEN, *CHAIN, more=debt))
    assert found["count"].notes == ["holds only given third, which falls"]
    assert found["turn"].notes == ["proved only given count, which is not decided"]
    assert "proved" not in {p.status for p in found.values()}


@pytest.mark.slow
def test_claims_about_legal_actions_may_need_a_false_claim(tmp_path: Path) -> None:
    """The active player can act only while `b` is not lit. Nobody is stuck at another decision."""
    blocked = "\n".join(
        f'violates(R,flick({k}),"flick.works") :- candidate(R,flick({k})), lit(b).' for k in (1, 2, 3, 4)
    )
    found = proofs(lamps(tmp_path, 4, *HIDDEN, *CHAIN, blocked))
    stuck = found["legal action at flick"]
    assert (stuck.status, stuck.given) == ("undecided", ("third",))
    assert found["enumeration"].status == "proved"


POINTS = """\
fluent(points(R,N)) :- player(R), number(N).
stated(points,2).
init(points(R,0)) :- player(R).
gain(points(R),1,lit) :- does(R,flick(1)).
%! invariant close -- Points are close.
broken(close,x) :- points(red,N), points(green,M), N > M+100.
"""


@pytest.mark.slow
def test_an_invariant_about_unlimited_numbers_does_not_affect_the_others(tmp_path: Path) -> None:
    """No question that reads it can be decided. It is dropped first, and the others are proved without it."""
    game = lamps(tmp_path, 4, *HIDDEN, never("second", "c"), never("other", "e"), more=POINTS)
    found = proofs(game)
    assert "it depends on numbers beyond" in found["close"].notes[0]
    others = {c: p.status for c, p in found.items() if p.status != "proved"}
    assert others == {"close": "undecided", "second": "falls"}


# -- claims about positions ----------------------------------------------------------------------------------------------


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    ("claim", "status", "note"),
    [
        ("never lit(e)", "proved", ""),
        ("never lit(c)", "undecided", "holds only given third, which falls"),
        ("never lit(b)", "undecided", "holds only given third, which falls"),
        ("some lit(a)", "proved", ""),
        ("some lit(b)", "falls", "no valid position has this property (proved)"),
    ],
)
def test_claims_about_positions_rest_on_the_proved_invariants(
    tmp_path: Path, claim: str, status: str, note: str
) -> None:
    game = lamps(tmp_path, 4, *HIDDEN, never("third", "b"))
    report = game.prove(claims=[claim], jobs=1, fresh=True)
    found = {p.claim: p for p in report.proofs}
    assert (found["claim"].status, "; ".join(found["claim"].notes)) == (status, note)
    assert set(found) == {"claim", "third"}


# -- brute force ---------------------------------------------------------------------------------------------------------


def positions(game: Game) -> Iterator[Facts]:
    """All positions of a game of lamps in which a role decides."""
    seats = [symbols.read_symbol(f"seat({r},{i})") for i, r in enumerate(game.seats, 1)]
    free = [symbols.read_symbol(f"lit({x})") for x in "abcde"] + [
        symbols.read_symbol(f"decision({r},flick)") for r in game.seats
    ]
    for some in chain.from_iterable(combinations(free, k) for k in range(len(free) + 1)):
        if any(f.name == "decision" for f in some):
            yield frozenset([*seats, *some])


def inductive(game: Game, assumed: set[str]) -> set[str]:
    """The largest inductive subset of these invariants, by examination of all positions."""
    evaluator = game.evaluator

    def broken(facts: Facts) -> set[str]:
        return {name for name, _ in evaluator.broken_invariants(facts, waive=False)}

    moves = [
        (broken(facts), broken(then))
        for facts in positions(game)
        for chosen in choices(evaluator, facts)
        if (then := after(evaluator, facts, chosen)) is not None
    ]
    left = assumed - broken(evaluator.initial())
    while True:
        lost = {name for before, then in moves if not before & left for name in then & left}
        if not lost:
            return left
        left -= lost


@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", range(12))
def test_the_proved_invariants_are_the_largest_inductive_set(tmp_path: Path, seed: int) -> None:
    check(tmp_path, seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 400))
def test_the_proved_invariants_of_many_games_are_the_largest_inductive_set(tmp_path: Path, seed: int) -> None:
    check(tmp_path, seed)


def check(folder: Path, seed: int) -> None:
    """Compares the verdicts on a random game of lamps with the largest inductive set and with all games."""
    game = random_lamps(folder, Random(seed))
    own = set(invariants(game.ruleset).assumed)
    found = proofs(game)
    proved = {c for c in own if found[c].status == "proved"}
    assert proved == inductive(game, own)
    broken_in_games = {
        name for facts in reachable(game) for name, _ in game.evaluator.broken_invariants(facts, waive=False)
    }
    assert not proved & broken_in_games
    assert all(found[c].status == "falls" for c in own & broken_in_games if not found[c].given)
    for claim in own - proved:
        assert found[claim].counterexamples
        if found[claim].status == "undecided":
            facts = frozenset(map(symbols.read_symbol, found[claim].counterexamples[0].facts))
            broken = {name for name, _ in game.evaluator.broken_invariants(facts, waive=False)}
            assert broken & set(found[claim].given)
            assert not broken & proved
