"""Queries about actions that name sets."""

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


def asked(query: str) -> SetQueries:
    return SetQueries(KRONE.evaluator, parse_query(query, KRONE.book))


def test_a_game_without_sets_asks_for_none() -> None:
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
    ],
)
def test_what_finding_nothing_proves(query: str, asks: bool, decides: bool) -> None:
    found = asked(query)
    assert (found.asks, found.decides) == (asks, decides)


def test_sets_that_are_named_are_known() -> None:
    assert [str(s) for s in asked("legal(R,force(with(1,leader4,none)))").known] == ["with(1,leader4,none)"]
    assert not asked("legal(R,force(M))").known
    assert not asked("legal(R,force(with(99,leader4,none)))").known  # there are not so many


def test_what_is_no_set_is_refused() -> None:
    with pytest.raises(WrongUsage, match="is no set of things"):
        asked("legal(R,force(heap(1)))")


def test_all_sets_and_violations_do_not_go_together() -> None:
    with pytest.raises(NotDecided, match="cannot be asked together"):
        asked("not legal(red,force(_)), violates(red,force(none),attack.force.enough)")


@pytest.mark.parametrize(
    ("query", "asks", "decides"),
    [
        # another decision is pending than those whose actions name sets
        ("decision(R,turn), not (legal(R,A), A != pass)", False, True),
        ("decision(R,turn), legal(R,A) ; decision(R,tax), legal(R,A)", False, True),
        ("decision(R,turn), legal(R,A) ; decision(R,vote), legal(R,A)", True, True),
        ("decision(R,D), legal(R,A), A != pass", True, False),
        ("decision(R,force), not (legal(R,A), A != force(none))", True, True),
        # what is denied with a comparison is denied of fewer sets than there are; but not of one that is chosen
        ("decision(R,_), not (legal(R,A), A != pass)", True, True),
        ("legal(R,A), not (legal(R,A), A != pass)", True, False),
        ("decision(R,_), not (legal(R,A), not legal(R,force(none)))", True, False),
        ("decision(R,turn), violates(R,A,V)", True, True),
    ],
)
def test_where_no_action_names_a_set(query: str, asks: bool, decides: bool) -> None:
    found = asked(query)
    assert (found.asks, found.decides) == (asks, decides)


@pytest.mark.slow
def test_nothing_but_to_pass() -> None:
    """The active player can draw; with few points he may have nothing else."""
    assert not KRONE.find("decision(R,turn), not (legal(R,A), A != pass)", timeout=100)
    (position,) = KRONE.find("decision(R,turn), not (legal(R,A), A != pass, A != draw)", timeout=100)
    ((_, actions),) = position.legal().items()
    assert set(actions) <= {"pass", "draw"}


@pytest.mark.parametrize(
    ("query", "some"),
    [
        ("way(14), decision(R,turn), not legal(R,box(in(with(1,c(1),none))))", False),
        ("way(14), decision(R,turn), not legal(R,box(in(_)))", False),
        ("way(13), legal(R,box(in(with(1,c(1),none))))", False),
        ("way(14), legal(R,box(in(with(1,c(1),none))))", True),
        ("way(14), legal(R,box(X)), X != in(none)", True),
        ("violates(R,box(in(with(1,c(1),none))),turn.far)", True),
    ],
)
def test_a_set_in_a_structure(query: str, some: bool) -> None:
    found = PARCELS.find_result(query, timeout=NO_END)
    assert bool(found.positions) == some
