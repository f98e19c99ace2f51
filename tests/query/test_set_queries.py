"""A query about actions that name sets is answered, and the tool knows when no answer is no proof."""

import pytest

from kaiser_logic.errors import NotDecided, WrongUsage
from kaiser_logic.game import load
from kaiser_logic.query.language import parse_query
from kaiser_logic.query.set_queries import SetQueries

KRONE = load("krone", players=2)


def set_queries(query: str) -> SetQueries:
    return SetQueries(KRONE.evaluator, parse_query(query, KRONE.book))


def test_sets_in_a_query_are_known():
    assert [str(s) for s in set_queries("legal(R,force(with(1,leader4,none)))").known] == ["with(1,leader4,none)"]
    assert not set_queries("legal(R,force(M))").known
    assert not set_queries("legal(R,force(with(99,leader4,none)))").known  # there are fewer cards


def test_a_term_that_is_no_set_is_refused():
    with pytest.raises(WrongUsage, match="is no set of things"):
        set_queries("legal(R,force(heap(1)))")


def test_a_query_about_all_sets_and_violations_is_not_decided():
    with pytest.raises(NotDecided, match="cannot be asked together"):
        set_queries("not legal(red,force(_)), violates(red,force(none),attack.force.enough)")


@pytest.mark.slow
def test_a_player_can_draw_but_may_have_nothing_else_than_to_pass():
    """The active player can always draw. With few points there may be no other action."""
    assert not KRONE.find("decision(R,turn), not (legal(R,A), A != pass)", timeout=100)
    (position,) = KRONE.find("decision(R,turn), not (legal(R,A), A != pass, A != draw)", timeout=100)
    ((_, actions),) = position.legal().items()
    assert set(actions) <= {"pass", "draw"}
