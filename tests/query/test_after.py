"""What moves lead to, asked of open positions."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import FOLDER, SCORED, variant
from support.limits import NO_END
from support.mutants import TINY

from kaiser_logic.errors import NotDecided, WrongUsage
from kaiser_logic.game import Game, load
from kaiser_logic.query.after import alternatives, decided, without_after
from kaiser_logic.query.evaluation import Evaluation
from kaiser_logic.query.language import parse_query
from kaiser_logic.search.reach import find_reachable

HEAP = load(FOLDER)


def verdict(game: Game, query: str, count: int = 1) -> str:
    """What find says: found, none, or open."""
    try:
        found = game.find_result(query, count, timeout=NO_END)
    except NotDecided as error:
        assert str(error)
        return "open"
    check = Evaluation(game.evaluator, parse_query(query, game.book))
    assert all(check.holds(p.symbols) and not p.broken() for p in found.positions)
    assert len(found.because) == len(found.positions)
    return "found" if found.positions else "none"


@pytest.mark.sample(8)
@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("after(red,take(3),phase(over))", "found"),
        ("after(red,take(3),phase(over)), heap(4)", "none"),
        ("heap(N), after(R,A,heap(M)), N = M+3", "found"),
        ("heap(N), after(R,A,heap(M)), N > M+3", "none"),
        ("heap(N), after(R,A,heap(N))", "none"),
        ("after(R,take(2),decision(R,take))", "none"),
        ("after(red,take(2),decision(green,take)), after(red,take(2),heap(7))", "found"),
        ("after(red,take(2),decision(green,take)), after(red,take(2),heap(0))", "none"),
        ("after(R,A,took(Q)), Q != R", "none"),
        ("legal(R,A), after(R,A,phase(over)), A != take(3)", "found"),
        ("legal(R,A), after(R,A,phase(over)), heap(2), A != take(2)", "none"),
        ("after(red,A,phase(over)) ; after(green,A,heap(11))", "found"),
        ("after(red,A,heap(12)) ; heap(11), heap(10)", "none"),
        # of several moves, or denied: found where the rest is met
        ("after(red,take(1),heap(_)), after(red,take(2),phase(over))", "found"),
        ("decision(red,take), not (legal(red,A), not after(red,A,phase(over)))", "found"),
        ("decision(red,take), not after(red,take(1),heap(_)), heap(0)", "none"),
        ("decision(red,take), not after(red,take(1),heap(_))", "open"),
        ("count{A : after(red,A,took(red))} >= 2", "found"),
    ],
)  # fmt: skip
def test_what_moves_lead_to(query: str, said: str) -> None:
    assert verdict(HEAP, query) == said


def test_what_holds_only_after_a_step_is_found() -> None:
    """Of these two one holds right after the move, the other one step later; both hold only then."""
    assert verdict(HEAP, "after(red,take(2),decision(green,take)), after(red,take(2),heap(7))") == "found"


@pytest.mark.slow
def test_numbers_without_a_limit(tmp_path: Path) -> None:
    game = load(variant(tmp_path, SCORED))
    assert verdict(game, "after(red,A,points(red,N)), N > 40") == "found"
    assert verdict(game, "points(red,N), after(red,A,points(red,M)), M > N") in ("none", "open")
    race = load(TINY / "race")
    assert verdict(race, "points(red,N), after(red,A,points(red,M)), M = N+2") == "found"
    assert verdict(race, "points(red,N), after(red,A,points(red,M)), M > N+2") in ("none", "open")
    assert verdict(race, "points(red,N), N > 70, after(red,walk,leads(green))") == "found"
    assert verdict(game, "after(red,A,winner(red)), after(red,A,points(green,N)), N > 30") == "found"


PASSING = "add(due(pass_on))           :- made(_,take)."
AT_ONCE = "add(decision(Q,take)) :- does(R,take(_)), left(R,Q), heap(N), N > 3."


@pytest.mark.parametrize("passing", [PASSING, AT_ONCE])
def test_thresholds_of_what_is_derived_in_the_next_position(tmp_path: Path, passing: str) -> None:
    """No query names 80, and no rule that the move itself needs: only what is rich in the next position has this threshold."""
    took = "add(took(R))                 :- does(R,take(_))."
    rich = "gain(points(R),K,take) :- does(R,take(K)).\nrich(R) :- points(R,N), N > 80."
    exports = {k: v.replace('"goal/2"', '"goal/2", "rich/1"') for k, v in SCORED.items()}
    game = load(variant(tmp_path, {**exports, took: f"{took}\n{rich}", PASSING: passing}))
    assert verdict(game, "after(red,take(1),rich(red))") == "found"


@pytest.mark.slow
def test_what_follows_is_derived_anew() -> None:
    nim = load(TINY / "nim")
    assert verdict(nim, "not holds_at_least(4), after(R,A,holds_at_least(2))") == "found"
    assert verdict(nim, "not holds_at_least(2), after(R,A,holds_at_least(1))") == "none"


def test_several() -> None:
    found = HEAP.find_result("after(R,take(1),heap(N))", 3, timeout=NO_END)
    assert len(set(found.positions)) == 3


def test_several_at_the_same_time_are_left_out() -> None:
    sealed = load(TINY / "sealed")
    position = sealed.initial()
    assert len(position.decisions) == 2
    query = parse_query("after(R,A,phase(P))", sealed.book)
    assert not Evaluation(sealed.evaluator, query).holds(position.symbols)


def test_alternatives_are_asked_one_by_one() -> None:
    query = parse_query("after(red,A,heap(1)), not after(red,A,phase(P)) ; heap(3)", HEAP.book)
    one, other = alternatives(query)
    assert not decided(one)
    assert not decided(other)
    assert decided(parse_query("after(red,A,heap(N)), after(red,A,phase(P)), N > 3", HEAP.book))
    assert not decided(parse_query("after(red,A,heap(N)), after(red,B,phase(P)), N > 3", HEAP.book))


@pytest.mark.parametrize(
    ("query", "weaker"),
    [
        ("heap(N), after(red,A,heap(M)), N > M+3", ("heap(N)", "legal(red,A)")),
        ("heap(N), after(red,A,heap(M)), not taken(red,M), N > 3", ("heap(N)", "legal(red,A)", "N > 3")),
        ("heap(N), after(red,A,heap(M)), K = M+1, K > 2, not (taken(R,J), J > K)", ("heap(N)", "legal(red,A)")),
        ("heap(N), not (legal(red,A), after(red,A,heap(_)))", ("heap(N)",)),
    ],
)  # fmt: skip
def test_what_is_left_without_it(query: str, weaker: tuple[str, ...]) -> None:
    """Also what would have another meaning without the variables that are lost."""
    assert without_after(parse_query(query, HEAP.book)).literals == weaker


def test_it_does_not_go_with_reachable() -> None:
    with pytest.raises(WrongUsage, match="cannot be asked together with --reachable"):
        find_reachable(HEAP, "after(red,A,phase(over))", 3)


@pytest.mark.slow
def test_changes_beyond_all_values_are_followed(tmp_path: Path) -> None:
    """In a rulebook whose vocabulary is too small: what a move then leads to is not what was before."""
    rule = "del(took(Q))                 :- does(R,take(_)), took(Q), Q != R."
    game = load(variant(tmp_path, {rule: rule + "\ngain(taken(R),20,more) :- does(R,take(3))."}))
    assert verdict(game, "taken(red,2), decision(red,take), after(red,take(3),taken(red,2))") == "none"
    assert verdict(game, "taken(red,2), decision(red,take), after(red,take(2),taken(red,4))") == "found"
