"""A stated bound of a sum is proved, or a position shows a sum that exceeds it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.kaiser_variant import kaiser_variant
from support.opened import changed
from support.plain import body_of
from support.proofs import of_positions, report_on, statuses

from kaiser_logic.game import Game, load

pytestmark = pytest.mark.by_hand


@pytest.mark.long
def test_a_bound_that_is_too_low_is_found(tmp_path: Path) -> None:
    folder = kaiser_variant(tmp_path, "income.lp", "bound(income,11+3*N)", "bound(income,8)")
    assert of_positions(load(folder), "bound of income").verdict == "falls"
    assert of_positions(load("kaiser"), "bound of income").verdict == "proved"


@pytest.mark.slow
@pytest.mark.sample(8)
@pytest.mark.parametrize(
    ("aggregate", "most", "status"),
    [
        ("#count{ R,K : taken(R,K) }", 1, "falls"),
        ("#count{ R,K : taken(R,K) }", 3, "proved"),
        ("#max{ K : taken(_,K) }", 3, "falls"),
        ("#sum+{ K,R : taken(R,K) }", 3, "falls"),
    ],
)
def test_bounds_of_each_kind_of_aggregate_are_checked(
    tmp_path: Path, aggregate: str, most: int, status: str
) -> None:
    rule = f"bound(in_all,{most}).\nin_all(N) :- bound(in_all,M), N <= M, N = {aggregate}."
    game = changed(
        tmp_path, {"stated(heap,1).": f"stated(heap,1).\n{rule}\nbroken(heap_stated,x) :- in_all(N), N < 0."}
    )
    assert statuses(report_on(game))["bound of in_all"] == status


STATED = "stated(heap,1)."
IN_HAND = "in_hand(R,N) :- player(R), bound(in_hand,M), N <= M, N = #sum{{ K : taken(R,K){more} }}."


def in_hand(folder: Path, most: int, more: str = "", facts: str = "") -> Game:
    """The heap game with a sum of the stones of each player, and a bound for it."""
    rule = f"bound(in_hand,{most}). {facts}\n{IN_HAND.format(more=more)}"
    return changed(folder, {STATED: f"{STATED}\n{rule}\nbroken(heap_stated,x) :- in_hand(_,N), N < 0."})


def exceeds_bound(game: Game) -> bool:
    """Whether some sum exceeds its bound."""
    (name,) = {head.name for r in game.ruleset.rules if "bound(" in body_of(r) for head in r.heads}
    found = of_positions(game, f"bound of {name}")
    assert found.verdict != "undecided", found.reason
    return found.verdict == "falls"


@pytest.mark.parametrize(("most", "falls"), [(11, True), (12, False)])
def test_the_sum_of_each_seat_is_checked(tmp_path: Path, most: int, falls: bool) -> None:
    assert exceeds_bound(in_hand(tmp_path, most)) == falls


OTHER_SEATS = {
    "by its role": ("; 1,more : R = green", ""),
    "by its number": ("; 1,more : seat(R,2)", ""),
    "by its order": ("; 1,more : player(Q), Q > R", ""),
    "by a table": ("; 1,more : lucky(R)", "lucky(green)."),
}
"""Elements that make the sum of another seat than the first one larger."""


@pytest.mark.parametrize(("more", "facts"), OTHER_SEATS.values(), ids=OTHER_SEATS)
def test_the_sum_of_another_seat_is_checked(tmp_path: Path, more: str, facts: str) -> None:
    game = in_hand(tmp_path, 12, more, facts)
    if "Q > R" in more:  # the first role in order has the second seat
        assert min(game.ruleset.seats) == game.ruleset.seats[1]
    assert exceeds_bound(game)


def test_the_sum_of_a_holder_without_a_seat_is_checked(tmp_path: Path) -> None:
    """An argument for roles may have other values."""
    rules = (
        "holder(R) :- player(R). holder(bank). fluent(gold(R,1..3)) :- holder(R). bound(inc,2). init(gold(bank,3)).\n"
        "inc(R,N) :- holder(R), bound(inc,M), N <= M, N = #sum { K : gold(R,K) }.\n"
        "broken(heap_stated,x) :- player(R), gold(R,3). broken(heap_stated,x) :- inc(_,N), N < 0."
    )
    assert exceeds_bound(changed(tmp_path, {STATED: f"{STATED}\n{rules}"}))


@pytest.mark.parametrize(
    "body",
    [
        "A = #count { Q : took(Q) }, N = #sum { K,Q : taken(Q,K) }",
        "A = #count { Q : took(Q) }, A <= M, N = #sum { K,Q : taken(Q,K) }, N <= M",
        "A = #count { Q : took(Q) }, taken(_,N), N <= M",
    ],
)
def test_a_bound_is_not_decided_if_it_is_unclear_which_sum_has_it(tmp_path: Path, body: str) -> None:
    rule = f"bound(inc,1). inc(A,N) :- bound(inc,M), {body}.\nbroken(heap_stated,x) :- inc(_,N), N < 0."
    found = of_positions(changed(tmp_path, {STATED: f"{STATED}\n{rule}"}), "bound of inc")
    assert found.verdict == "undecided" and "which sum" in found.reason


def test_each_sum_of_a_rule_has_its_own_bound(tmp_path: Path) -> None:
    rule = (
        "bound(much,99). bound(little,5).\n"
        "both(N,K) :- bound(much,M), bound(little,L), N <= M, K <= L, N = #sum { I,R : taken(R,I) },"
        " K = #max { I : taken(_,I) }.\nbroken(heap_stated,x) :- both(N,_), N < 0."
    )
    found = of_positions(changed(tmp_path, {STATED: f"{STATED}\n{rule}"}), "bound of both")
    assert found.verdict == "falls"


def ranged(folder: Path, red: int) -> Game:
    """The heap game with a range for the stones of each player."""
    ranges = f"range(hand(red),0,{red}). range(hand(green),0,12).\ncounts(hand(R),taken(R),N) :- taken(R,N)."
    read = "broken(heap_stated,x) :- total(hand(_),N), N < 0."
    return changed(folder, {STATED: f"{STATED}\n{ranges}\n{read}"})


@pytest.mark.parametrize("red", [12, 11])
def test_the_range_of_the_last_seat_is_checked(tmp_path: Path, red: int) -> None:
    found = of_positions(ranged(tmp_path, red), "range")
    assert found.verdict == "proved"  # of what is left
    assert [(part.claim, part.verdict) for part in found.parts] == [("range of hand", "falls")] * (red < 12)
    advice = "range(hand(red),0,11) does not follow from the limits of its parts: state it as limit(hand(red),0,11)"
    assert all(part.reason == advice for part in found.parts)


ENGINE = 'engine = ["table", "phases", "decisions", "end"]'
PENDING = {
    "decisions": ("#count{ R : decision(R,take) }", "", 1),
    "steps": ("#count{ S : due(S) }", "", 1),
    "through another rule": ("#count{ R : busy(R) }", "busy(R) :- decision(R,_).", 1),
    "through a total": (
        "#sum{ K : total(busy,K) }",
        "limit(busy,0,1). counts(busy,R,1) :- decision(R,_).",
        1,
    ),
    "steps without a sort": ("#sum{ K,R : taken(R,K), not due(pass_on) }", "", 12),
}


@pytest.mark.parametrize(("aggregate", "more", "most"), PENDING.values(), ids=PENDING)
def test_a_sum_of_pending_decisions_or_steps_is_checked(
    tmp_path: Path, aggregate: str, more: str, most: int
) -> None:
    """In a position in which nothing is pending it would always be 0."""
    for bound, falls in ((most, False), (most - 1, True)):
        rule = f"bound(sums,{bound}). {more}\nsums(N) :- bound(sums,M), N <= M, N = {aggregate}.\n"
        (folder := tmp_path / str(bound)).mkdir()
        read = "broken(heap_stated,x) :- sums(N), N < 0."
        game = changed(folder, {STATED: f"{STATED}\n{rule}{read}"})
        assert exceeds_bound(game) == falls


def test_a_limit_of_pending_decisions_excludes_no_valid_position(tmp_path: Path) -> None:
    """Without pending decisions and steps no position would meet the limit, and everything would be proved."""
    always = "limit(busy,1,1). counts(busy,R,1) :- decision(R,_). counts(busy,S,1) :- due(S)."
    still = "counts(busy,over,1) :- phase(over)."
    game = in_hand(tmp_path, 11, facts=f"{always}\n{still}")
    assert exceeds_bound(game)


def test_a_range_of_pending_decisions_is_checked(tmp_path: Path) -> None:
    ranges = "range(busy,0,0). counts(busy,R,1) :- decision(R,_)."
    read = "broken(heap_stated,x) :- total(busy,N), N < 0."
    game = changed(tmp_path, {STATED: f"{STATED}\n{ranges}\n{read}"})
    assert of_positions(game, "range").verdict == "falls"


def test_an_impossible_combination_of_pending_items_is_not_a_counterexample(tmp_path: Path) -> None:
    """If no invariant of the rulebook says so, only the course of games shows that nobody decides while a step is due."""
    changes = {
        ENGINE: 'engine = ["table", "phases", "end"]',
        "may_decide(R,take)     :- player(R), phase(play), holds_at_least(1).": "",
        STATED: f"{STATED}\nbound(sums,2).\nsums(N) :- bound(sums,M), N <= M, N = #count{{ R : decision(R,_) ; S : due(S) }}.\n"
        "broken(heap_stated,x) :- sums(N), N < 0.",
    }
    found = of_positions(changed(tmp_path, changes), "bound of sums")
    assert found.verdict != "falls" or found.example is None or not found.example.replayed


@pytest.mark.parametrize("act", ["does(R,take(_))", "made(R,take)", "candidate(R,take(_))", "taking(R)"])
def test_a_sum_over_actions_is_not_decided(tmp_path: Path, act: str) -> None:
    """In the examined positions nobody acts, so the sum would have no value."""
    rules = "bound(cost,1). taking(R) :- made(R,take).\n"
    rules += f"cost(R,N) :- {act}, bound(cost,M), N <= M, N = #sum{{ K,Q : taken(Q,K) }}."
    read = "del(took(R)) :- cost(R,77), made(R,take)."
    found = of_positions(changed(tmp_path, {STATED: f"{STATED}\n{rules}\n{read}"}), "bound of cost")
    assert found.verdict == "undecided" and "a sum of moves" in found.reason
