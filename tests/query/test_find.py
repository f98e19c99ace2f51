"""`find` on kaiser finds valid positions that meet the query; a small board is compared with brute force."""

import random
from pathlib import Path

import pytest
from support.limits import NO_END

from kaiser_logic.errors import NotDecided
from kaiser_logic.game import load
from kaiser_logic.search.reach import find_reachable

GAME = load("kaiser")


def test_too_little_time_is_not_decided():
    with pytest.raises(NotDecided):
        GAME.find_result("legal(R,X), legal(Q,Y)", timeout=0)


@pytest.mark.slow
def test_random_positions_are_found_again():
    """A query with the facts of a position of a game finds a position, so the encoding loses no valid position."""
    rng = random.Random(5)
    game = load("kaiser", players=3)
    for moves in (3, 20, 45, 70):
        position = game.initial()
        for _ in range(moves):
            if position.decisions:
                position = position.apply({r: rng.choice(a) for r, a in position.legal().items()})
        plain = [f for f in position.facts if not f.startswith(("points", "seat"))]
        found = game.find_result(", ".join(sorted(plain)), timeout=NO_END)
        assert len(found.positions) == 1
        assert found.positions[0].facts.issuperset(plain)


@pytest.mark.slow
def test_a_property_of_no_valid_position_is_not_called_unreachable():
    """The invariants would have to be proved first, and there is too little time for that."""
    with pytest.raises(NotDecided, match=r"no valid position has this property, but the invariant .* is not proved"):
        find_reachable(GAME, "held(R,rival,1), emperor(R), decision(_,turn)", 50, 30)


@pytest.mark.slow
def test_first_moves_on_a_small_board_agree_with_brute_force():
    """`find` gives exactly the positions that the first moves can lead to."""
    game = load("kaiser", players=2, board=Path(__file__).with_name("small_board.lp"))
    layer = {game.initial()}
    for _ in range(4):
        layer = {p.apply({r: a}) for p in layer for r, actions in p.legal().items() for a in actions}
    first = min(layer, key=lambda p: sorted(p.facts))
    closed = sorted(f for f in first.facts if f.startswith("closed"))
    expected = {p for p in layer if closed == sorted(f for f in p.facts if f.startswith("closed"))}
    decision = next(f for f in first.facts if f.startswith("decision"))
    query = f"{decision}, {closed[0]}, {closed[1]}, emperor(red), elector(E,green,45,baron), empire_city(F,1)"
    found = game.find_result(query, count=len(expected) + 1, timeout=NO_END)
    assert found.exhausted
    assert set(found.positions) == expected
