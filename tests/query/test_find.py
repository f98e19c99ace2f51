"""find: on the real game, and on a small board against brute force over legal() and apply()."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from support.limits import NO_END

from kaiser_logic.errors import NotDecided
from kaiser_logic.game import load
from kaiser_logic.records.checking import check
from kaiser_logic.records.tags import record_of
from kaiser_logic.search.reach import find_reachable

GAME = load("kaiser")


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        "held(R,rival,1), not aristocrat(_,R,_,_,_), not spare(R,aristocrat)",
        "wins(E,R), not suitor(E,R), elector(E,Q,_,_), Q != R",
        "decision(R,turn), emperor(Q), throne(Q,45,_), legal(R,buy(doctor,age(Q,throne,45,_))), "
        "not aristocrat(_,Q,_,_,_), elector(_,Q,_,_)",
        "best(E,red), best(E,green), best(E,blue), best(E,yellow)",
        "decision(red,turn), violates(red,buy(pope,hold),actions.buy.thalers)",
        "decision(red,turn), not legal(red,buy(_,_))",
    ],
)
def test_positions_are_valid_and_as_asked(query: str) -> None:
    found = GAME.find_result(query, timeout=NO_END)
    assert len(found.positions) == 1
    position = found.positions[0]
    assert not position.broken()
    assert check(record_of(position)).ok
    if "legal(R,buy(doctor" in query:
        assert any(a.startswith("buy(doctor,age(") for a in position.legal()[position.to_move[0]])
    if "not legal(red,buy" in query:
        assert not any(a.startswith("buy(") for a in position.legal()["red"])
    if "violates" in query:
        assert "actions.buy.thalers" in {v.rule for v in position.why("red", "buy(pope,hold)")}


@pytest.mark.slow
def test_none_is_proved() -> None:
    found = GAME.find_result("held(R,rival,1), emperor(R), decision(_,turn)", timeout=NO_END)
    assert found.positions == () and found.exhausted


@pytest.mark.slow
def test_several_differ_in_what_matters() -> None:
    found = GAME.find_result("decision(R,appoint(E))", count=4, timeout=NO_END)
    asked = {next(f for f in p.facts if f.startswith("decision(")) for p in found.positions}
    assert len(asked) == 4


@pytest.mark.slow
def test_the_end_of_the_answers_is_told() -> None:
    found = GAME.find_result(
        "decision(red,gray), elector(brandenburg,red,15,baron), round(1)", count=50, timeout=NO_END
    )
    assert len(found.positions) > 0


def test_too_little_time() -> None:
    with pytest.raises(NotDecided):
        GAME.find_result("legal(R,X), legal(Q,Y)", timeout=0)


@pytest.mark.slow
def test_random_positions_are_found_again() -> None:
    """A position of play, asked for by its facts, exists in the open reading: that loses no valid position."""
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
def test_a_game_that_reaches_it(tmp_path: Path) -> None:
    result = find_reachable(
        load("kaiser", players=2), "decision(R,setup_knight), aristocrat(trier,R,35,couple,1)", 20, 40
    )
    assert check(result.records[0]).ok


@pytest.mark.slow
def test_what_no_valid_position_is_need_not_be_out_of_reach() -> None:
    """The invariants would have to be proved, for which there is too little time."""
    with pytest.raises(
        NotDecided, match=r"no valid position has this property, but the invariant .* is not proved"
    ):
        find_reachable(GAME, "held(R,rival,1), emperor(R), decision(_,turn)", 50, 30)


SMALL = """
spaces(trier,aristocrat,2). spaces(koeln,aristocrat,2). spaces(mainz,aristocrat,2).
spaces(pfalz,aristocrat,1). spaces(sachsen,aristocrat,1). spaces(brandenburg,aristocrat,1). spaces(boehmen,aristocrat,1).
spaces(trier,castle,1). spaces(koeln,castle,1). spaces(pfalz,castle,0). spaces(sachsen,castle,0).
spaces(brandenburg,castle,0). spaces(boehmen,castle,0).
spaces(trier,city,1). spaces(koeln,city,1). spaces(mainz,city,1). spaces(pfalz,city,0). spaces(sachsen,city,0).
spaces(brandenburg,city,0). spaces(boehmen,city,0).
"""


def test_the_first_moves_by_brute_force(tmp_path: Path) -> None:
    """On a small board all positions of the first moves: the open reading has exactly these."""
    board = tmp_path / "small.lp"
    board.write_text(SMALL)
    game = load("kaiser", players=2, board=board)
    layer = {game.initial()}
    for _ in range(4):
        layer = {p.apply({r: a}) for p in layer for r, actions in p.legal().items() for a in actions}
    some = min(layer, key=lambda p: sorted(p.facts))
    closed = sorted(f for f in some.facts if f.startswith("closed"))
    same = {p for p in layer if closed == sorted(f for f in p.facts if f.startswith("closed"))}
    decision = next(f for f in some.facts if f.startswith("decision"))
    query = f"{decision}, {closed[0]}, {closed[1]}, emperor(red), elector(E,green,45,baron), empire_city(F,1)"
    found = game.find_result(query, count=len(same) + 1, timeout=NO_END)
    assert found.exhausted
    assert set(found.positions) == same
