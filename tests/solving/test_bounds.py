"""Sums stay within their stated bounds, or a position is given in which one does not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.opened import changed
from support.plain import body_of
from support.proofs import of_positions, report_on, statuses

from kaiser_logic.game import Game, load
from kaiser_logic.rules.loader import asp_folder


@pytest.mark.long
def test_a_bound_that_is_too_low_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "kaiser"
    shutil.copytree(asp_folder() / "kaiser", folder)
    path = folder / "income.lp"
    path.write_text(path.read_text(encoding="utf-8").replace("bound(income,11+3*N)", "bound(income,8)"))
    assert of_positions(load(folder), "bound of income").verdict == "falls"
    assert of_positions(load("kaiser"), "bound of income").verdict == "proved"


@pytest.mark.slow
@pytest.mark.sample(8)
@pytest.mark.parametrize(
    ("gathered", "most", "status"),
    [
        ("#count{ R,K : taken(R,K) }", 1, "falls"),
        ("#count{ R,K : taken(R,K) }", 3, "proved"),
        ("#max{ K : taken(_,K) }", 3, "falls"),
        ("#sum+{ K,R : taken(R,K) }", 3, "falls"),
    ],
)
def test_bounds_of_all_that_is_gathered(tmp_path: Path, gathered: str, most: int, status: str) -> None:
    rule = f"bound(in_all,{most}).\nin_all(N) :- bound(in_all,M), N <= M, N = {gathered}."
    game = changed(
        tmp_path, {"stated(heap,1).": f"stated(heap,1).\n{rule}\nbroken(heap_stated,x) :- in_all(N), N < 0."}
    )
    assert statuses(report_on(game))["bound of in_all"] == status


STATED = "stated(heap,1)."
GATHERED = "in_hand(R,N) :- player(R), bound(in_hand,M), N <= M, N = #sum{{ K : taken(R,K){more} }}."


def in_hand(folder: Path, most: int, more: str = "", facts: str = "") -> Game:
    """The heap game with what each player has as a sum, which is to have a bound."""
    rule = f"bound(in_hand,{most}). {facts}\n{GATHERED.format(more=more)}"
    return changed(folder, {STATED: f"{STATED}\n{rule}\nbroken(heap_stated,x) :- in_hand(_,N), N < 0."})


def of_hands(game: Game) -> bool:
    """Whether some sum exceeds its bound."""
    (name,) = {head.name for r in game.ruleset.rules if "bound(" in body_of(r) for head in r.heads}
    found = of_positions(game, f"bound of {name}")
    assert found.verdict != "undecided", found.reason
    return found.verdict == "falls"


@pytest.mark.parametrize(("most", "falls"), [(11, True), (12, False)])
def test_a_sum_of_each_seat(tmp_path: Path, most: int, falls: bool) -> None:
    assert of_hands(in_hand(tmp_path, most)) == falls


UNLIKE = {
    "a role named": ("; 1,more : R = green", ""),
    "by its number": ("; 1,more : seat(R,2)", ""),
    "by its order": ("; 1,more : player(Q), Q > R", ""),
    "by a table": ("; 1,more : lucky(R)", "lucky(green)."),
}
"""What makes the sum of a seat that is not the first one larger."""


@pytest.mark.parametrize(("more", "facts"), UNLIKE.values(), ids=UNLIKE)
def test_the_sum_of_another_seat_is_not_missed(tmp_path: Path, more: str, facts: str) -> None:
    game = in_hand(tmp_path, 12, more, facts)
    if "Q > R" in more:  # the first in order: of the seats that is the second
        assert min(game.ruleset.seats) == game.ruleset.seats[1]
    assert of_hands(game)


def test_the_sum_of_somebody_without_a_seat_is_not_missed(tmp_path: Path) -> None:
    """Where roles stand others may stand."""
    rules = (
        "holder(R) :- player(R). holder(bank). fluent(gold(R,1..3)) :- holder(R). bound(inc,2). init(gold(bank,3)).\n"
        "inc(R,N) :- holder(R), bound(inc,M), N <= M, N = #sum { K : gold(R,K) }.\n"
        "broken(heap_stated,x) :- player(R), gold(R,3). broken(heap_stated,x) :- inc(_,N), N < 0."
    )
    assert of_hands(changed(tmp_path, {STATED: f"{STATED}\n{rules}"}))


@pytest.mark.parametrize(
    "body",
    [
        "A = #count { Q : took(Q) }, N = #sum { K,Q : taken(Q,K) }",
        "A = #count { Q : took(Q) }, A <= M, N = #sum { K,Q : taken(Q,K) }, N <= M",
        "A = #count { Q : took(Q) }, taken(_,N), N <= M",
    ],
)
def test_where_it_is_not_seen_what_has_the_bound_nothing_is_decided(tmp_path: Path, body: str) -> None:
    rule = f"bound(inc,1). inc(A,N) :- bound(inc,M), {body}.\nbroken(heap_stated,x) :- inc(_,N), N < 0."
    found = of_positions(changed(tmp_path, {STATED: f"{STATED}\n{rule}"}), "bound of inc")
    assert found.verdict == "undecided" and "which sum" in found.reason


def test_each_sum_of_a_rule_stays_within_its_own_bound(tmp_path: Path) -> None:
    rule = (
        "bound(much,99). bound(little,5).\n"
        "both(N,K) :- bound(much,M), bound(little,L), N <= M, K <= L, N = #sum { I,R : taken(R,I) },"
        " K = #max { I : taken(_,I) }.\nbroken(heap_stated,x) :- both(N,_), N < 0."
    )
    found = of_positions(changed(tmp_path, {STATED: f"{STATED}\n{rule}"}), "bound of both")
    assert found.verdict == "falls"


def ranged(folder: Path, red: int) -> Game:
    """The heap game with ranges for what each player has."""
    ranges = f"range(hand(red),0,{red}). range(hand(green),0,12).\ncounts(hand(R),taken(R),N) :- taken(R,N)."
    read = "broken(heap_stated,x) :- total(hand(_),N), N < 0."
    return changed(folder, {STATED: f"{STATED}\n{ranges}\n{read}"})


@pytest.mark.parametrize("red", [12, 11])
def test_of_several_ranges_that_of_the_last_seat_is_found(tmp_path: Path, red: int) -> None:
    found = of_positions(ranged(tmp_path, red), "range")
    assert found.verdict == ("proved" if red == 12 else "falls")
    assert found.example is None or "hand(red)" in found.example.witness


ENGINE = 'engine = ["table", "phases", "decisions", "end"]'
ABOUT_PENDING = {
    "decisions": ("#count{ R : decision(R,take) }", "", 1),
    "steps": ("#count{ S : due(S) }", "", 1),
    "through another rule": ("#count{ R : busy(R) }", "busy(R) :- decision(R,_).", 1),
    "through a total": (
        "#sum{ K : total(busy,K) }",
        "limit(busy,0,1). counts(busy,R,1) :- decision(R,_).",
        1,
    ),
    "steps that have no sort": ("#sum{ K,R : taken(R,K), not due(pass_on) }", "", 12),
}


@pytest.mark.parametrize(("gathered", "more", "most"), ABOUT_PENDING.values(), ids=ABOUT_PENDING)
def test_a_sum_of_what_is_pending(tmp_path: Path, gathered: str, more: str, most: int) -> None:
    """In a position in which nothing is pending it would be nothing."""
    for bound, falls in ((most, False), (most - 1, True)):
        rule = f"bound(sums,{bound}). {more}\nsums(N) :- bound(sums,M), N <= M, N = {gathered}.\n"
        (folder := tmp_path / str(bound)).mkdir()
        read = "broken(heap_stated,x) :- sums(N), N < 0."
        game = changed(folder, {STATED: f"{STATED}\n{rule}{read}"})
        assert of_hands(game) == falls


def test_a_total_of_what_is_pending_empties_no_position(tmp_path: Path) -> None:
    """Somebody decides, or something is due: in a position without either the limit would leave nothing."""
    always = "limit(busy,1,1). counts(busy,R,1) :- decision(R,_). counts(busy,S,1) :- due(S)."
    still = "counts(busy,over,1) :- phase(over)."
    game = in_hand(tmp_path, 11, facts=f"{always}\n{still}")
    assert of_hands(game)


def test_a_range_of_what_is_pending(tmp_path: Path) -> None:
    ranges = "range(busy,0,0). counts(busy,R,1) :- decision(R,_)."
    read = "broken(heap_stated,x) :- total(busy,N), N < 0."
    game = changed(tmp_path, {STATED: f"{STATED}\n{ranges}\n{read}"})
    assert of_positions(game, "range").verdict == "falls"


def test_what_is_never_pending_at_once_is_no_counterexample(tmp_path: Path) -> None:
    """Without an invariant of the rulebook's own only the way games go says that nobody decides while a step is due."""
    changes = {
        ENGINE: 'engine = ["table", "phases", "end"]',
        "may_decide(R,take)     :- player(R), phase(play), holds_at_least(1).": "",
        STATED: f"{STATED}\nbound(sums,2).\nsums(N) :- bound(sums,M), N <= M, N = #count{{ R : decision(R,_) ; S : due(S) }}.\n"
        "broken(heap_stated,x) :- sums(N), N < 0.",
    }
    found = of_positions(changed(tmp_path, changes), "bound of sums")
    assert found.verdict != "falls" or found.example is None or not found.example.replayed


@pytest.mark.parametrize("act", ["does(R,take(_))", "made(R,take)", "candidate(R,take(_))", "taking(R)"])
def test_a_sum_of_moves_is_not_decided(tmp_path: Path, act: str) -> None:
    """Nobody acts in the positions that are looked at, and the sum would never be made."""
    rules = "bound(cost,1). taking(R) :- made(R,take).\n"
    rules += f"cost(R,N) :- {act}, bound(cost,M), N <= M, N = #sum{{ K,Q : taken(Q,K) }}."
    read = "del(took(R)) :- cost(R,77), made(R,take)."
    found = of_positions(changed(tmp_path, {STATED: f"{STATED}\n{rules}\n{read}"}), "bound of cost")
    assert found.verdict == "undecided" and "a sum of moves" in found.reason
