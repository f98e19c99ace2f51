"""Claims that are not proved are dropped. Claims that hold without them are proved, and claims that need them are not."""

from collections.abc import Iterator
from itertools import chain, combinations
from pathlib import Path
from random import Random

import pytest
from support.exhaustive import Facts, after, choices, reachable
from support.lamps import lamps, never, random_lamps, switch
from support.tables import rows

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
    return {p.claim: p for p in game.prove(wanted, jobs=1, fresh=True).proofs}


def test_claims_that_need_a_false_claim_are_not_decided(tmp_path):
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


def test_claims_on_which_the_encoding_rests_cannot_be_dropped(tmp_path):
    debt = "fluent(coins(R,0..3)) :- player(R). stated(coins,2). init(coins(R,1)) :- player(R).\n"
    debt += "lose(coins(R),1,fee) :- does(R,flick(4))."
    found = proofs(lamps(tmp_path, 4, *HIDDEN, *CHAIN, more=debt))
    assert found["count"].status == "falls"
    assert found["third"].status == "falls"
    assert found["first"].notes == found["turn"].notes == ["proved only given count, which falls"]
    assert "proved" not in {p.status for p in found.values()}


# -- claims about positions ----------------------------------------------------------------------------------------------


@pytest.mark.sample(6)
@pytest.mark.parametrize(("claim", "status", "note"), rows("solving/claims", "about"))
def test_claims_about_positions_rest_on_the_proved_invariants(tmp_path, claim, status, note):
    game = lamps(tmp_path, 4, *HIDDEN, never("third", "b"))
    report = game.prove(claims=[claim], jobs=1, fresh=True)
    found = {p.claim: p for p in report.proofs}
    assert (found["claim"].status, "; ".join(found["claim"].notes)) == (status, note.strip("-"))
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
def test_the_proved_invariants_are_the_largest_inductive_set(tmp_path, seed):
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
