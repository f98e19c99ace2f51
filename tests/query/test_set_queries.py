"""A query about actions that name sets is answered, and the tool knows when no answer is no proof."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.limits import NO_END
from support.opened import heap

from kaiser_logic.errors import NotDecided, WrongUsage
from kaiser_logic.game import load
from kaiser_logic.query.language import parse_query
from kaiser_logic.query.set_queries import SetQueries

KRONE = load("krone", players=2)
PARCELS = load(Path(__file__).parents[1] / "support" / "parcels")


def set_queries(query: str) -> SetQueries:
    """What a query to krone asks of sets."""
    return SetQueries(KRONE.evaluator, parse_query(query, KRONE.book))


def test_a_game_without_sets_has_no_questions_about_sets() -> None:
    game = heap()
    found = SetQueries(game.evaluator, parse_query("legal(R,take(1))", game.book))
    assert not found.asks
    assert found.decides
    assert found.holds(("heap(2)",))


@pytest.mark.parametrize(
    ("query", "asks", "decides"),
    [
        ("attack(F)", False, True),
        ("legal(R,force(M))", True, True),
        ("legal(R,force(none))", True, True),
        ("not legal(red,force(_)), decision(red,force)", True, True),
        ("legal(R,force(M)), legal(R,force(N))", True, False),
        ("legal(R,force(with(1,C,none)))", True, False),
        ("legal(R,force(M)), M != none", True, False),
        ("count{M : legal(red,force(M))} >= 2", True, False),
        # the pending decision has no actions that name sets
        ("decision(R,turn), not (legal(R,A), A != pass)", False, True),
        ("decision(R,turn), legal(R,A) ; decision(R,tax), legal(R,A)", False, True),
        ("decision(R,turn), legal(R,A) ; decision(R,vote), legal(R,A)", True, True),
        ("decision(R,D), legal(R,A), A != pass", True, False),
        ("decision(R,force), not (legal(R,A), A != force(none))", True, True),
        # a negation with a comparison excludes fewer sets than there are, but not if a set is chosen
        ("decision(R,_), not (legal(R,A), A != pass)", True, True),
        ("legal(R,A), not (legal(R,A), A != pass)", True, False),
        ("decision(R,_), not (legal(R,A), not legal(R,force(none)))", True, False),
        ("decision(R,turn), violates(R,A,V)", True, True),
    ],
)
def test_a_query_knows_whether_it_asks_for_sets_and_whether_no_answer_is_a_proof(
    query: str, asks: bool, decides: bool
) -> None:
    found = set_queries(query)
    assert (found.asks, found.decides) == (asks, decides)


def test_sets_in_a_query_are_known() -> None:
    assert [str(s) for s in set_queries("legal(R,force(with(1,leader4,none)))").known] == [
        "with(1,leader4,none)"
    ]
    assert not set_queries("legal(R,force(M))").known
    assert not set_queries("legal(R,force(with(99,leader4,none)))").known  # there are fewer cards


def test_a_term_that_is_no_set_is_refused() -> None:
    with pytest.raises(WrongUsage, match="is no set of things"):
        set_queries("legal(R,force(heap(1)))")


def test_a_query_about_all_sets_and_violations_is_not_decided() -> None:
    with pytest.raises(NotDecided, match="cannot be asked together"):
        set_queries("not legal(red,force(_)), violates(red,force(none),attack.force.enough)")


@pytest.mark.slow
def test_a_player_can_draw_but_may_have_nothing_else_than_to_pass() -> None:
    """The active player can always draw. With few points there may be no other action."""
    assert not KRONE.find("decision(R,turn), not (legal(R,A), A != pass)", timeout=100)
    (position,) = KRONE.find("decision(R,turn), not (legal(R,A), A != pass, A != draw)", timeout=100)
    ((_, actions),) = position.legal().items()
    assert set(actions) <= {"pass", "draw"}


@pytest.mark.parametrize(
    ("query", "exists"),
    [
        ("way(14), decision(R,turn), not legal(R,box(in(with(1,c(1),none))))", False),
        ("way(14), decision(R,turn), not legal(R,box(in(_)))", False),
        ("way(13), legal(R,box(in(with(1,c(1),none))))", False),
        ("way(14), legal(R,box(in(with(1,c(1),none))))", True),
        ("way(14), legal(R,box(X)), X != in(none)", True),
        ("violates(R,box(in(with(1,c(1),none))),turn.far)", True),
    ],
)
def test_queries_about_a_set_in_a_structure_are_answered(query: str, exists: bool) -> None:
    found = PARCELS.find_result(query, timeout=NO_END)
    assert bool(found.positions) == exists
