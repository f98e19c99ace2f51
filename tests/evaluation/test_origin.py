"""Whether a legal game reaches a position, compared with all positions of tiny games."""

from random import Random

import pytest
from support import TINY
from support.exhaustive import is_due, reachable
from support.heap_game import CANDIDATE, FOLDER, SEATS, facts, variant
from support.plain import Plain

from kaiser_logic.engine import symbols
from kaiser_logic.evaluation.origin import LISTED, Origin, origin
from kaiser_logic.game import Game, load

HEAP = load(FOLDER)
PLENTY = 5_000


UNREACHABLE = facts(f"{SEATS} phase(play) heap(8) taken(red,4) took(red) decision(green,take)")
"""A valid position in which red has taken 4 stones at once."""


def leads_there(game: Game, goal: frozenset[symbols.Symbol], found: Origin) -> bool:
    """Whether the moves are legal and lead to the position."""
    position = game.initial()
    for role, action in found.moves:
        assert position.is_legal(role, action)
        position = position.apply({role: action})
    return position.symbols == goal


def test_the_start_is_reachable():
    found = origin(HEAP.evaluator, HEAP.initial().symbols)
    assert (found.verdict, found.moves) == ("reachable", ())
    assert str(found) == "reachable: a legal game leads there at its start"


def test_a_legal_game_is_found():
    position = HEAP.initial().apply({"red": "take(3)"}).apply({"green": "take(1)"})
    found = origin(HEAP.evaluator, position.symbols)
    assert (found.verdict, len(found.moves)) == ("reachable", 2)
    assert leads_there(HEAP, position.symbols, found)
    assert found.as_json() == {
        "verdict": "reachable",
        "reason": "a legal game leads there after 2 moves",
        "moves": ["red: take(3)", "green: take(1)"],
    }


def test_without_enough_effort_the_origin_stays_open():
    found = origin(HEAP.evaluator, UNREACHABLE, 0)
    assert (found.verdict, found.reason) == ("open", "not looked for")
    found = origin(HEAP.evaluator, UNREACHABLE, 7)
    assert (found.verdict, found.moves) == ("open", ())
    assert "7 positions" in found.reason


def test_a_search_of_all_games_is_a_proof():
    found = origin(HEAP.evaluator, UNREACHABLE, PLENTY)
    assert (found.verdict, found.moves) == ("impossible", ())
    assert found.reason.startswith("all games were searched, and none leads there, as far as")


@pytest.mark.slow
def test_the_reason_says_that_only_listed_actions_were_tried(tmp_path):
    """A legal action that is not listed is never tried. The position after it is then called impossible."""
    game = load(variant(tmp_path, {CANDIDATE: "candidate(R,take(K)) :- decision(R,take), amount(K), K < 3."}))
    start = game.initial()
    assert start.is_legal("red", "take(3)")
    assert "take(3)" not in start.legal()["red"]
    found = game.origin(start.apply({"red": "take(3)"}), effort=PLENTY)
    assert found.verdict == "impossible"
    assert LISTED in found.reason
    falls = {p.claim for p in game.prove(jobs=1).proofs if p.status == "falls"}
    assert falls == {"enumeration"}


def test_a_proved_invariant_excludes_a_position():
    none_took = facts(f"{SEATS} phase(play) heap(8) taken(red,4) decision(green,take)")
    found = origin(HEAP.evaluator, none_took, proved=["one_taker"])
    assert (found.verdict, found.invariant) == ("impossible", "one_taker")
    found = origin(HEAP.evaluator, none_took, 5)
    assert found.verdict == "open"
    assert "breaks one_taker, not known to hold in every game" in found.reason


def test_positions_between_decisions_are_reachable_too():
    due = facts(f"{SEATS} phase(play) heap(9) taken(red,3) took(red) due(pass_on)")
    found = origin(HEAP.evaluator, due)
    assert (found.verdict, found.moves) == ("reachable", (("red", "take(3)"),))
    never = facts(f"{SEATS} phase(play) heap(9) taken(green,3) took(green) due(pass_on)")
    assert origin(HEAP.evaluator, never, PLENTY).verdict == "open"


@pytest.mark.parametrize("name", ["nim", "ferry", "bank", "cards"])
def test_origins_agree_with_brute_force(name):
    """No reachable position is called impossible, and no other is called reachable. Enough effort decides each one."""
    game, random = load(TINY / name), Random(name)
    known = {p for p in reachable(game) if not is_due(p)}
    valid = sorted(Plain(game, 3).positions(), key=lambda p: sorted(map(str, p)))
    for position in [*random.sample(valid, 12), *random.sample(sorted(known, key=lambda p: sorted(map(str, p))), 4)]:
        for effort in (3, PLENTY):
            found = origin(game.evaluator, position, effort)
            assert found.verdict != ("impossible" if position in known else "reachable")
            assert effort == 3 or found.verdict != "open"
            if found.verdict == "reachable":
                assert leads_there(game, position, found)


def test_other_start_tags_are_tried():
    game = load("kaiser", players=3)
    other = load("kaiser", players=3, emperor="green").initial().apply({"green": "empire_city(koeln)"})
    found = game.origin(game.position(other.facts))
    assert found.verdict == "reachable"
    assert found.start == (("emperor", ("green",)),)
    assert found.moves == (("green", "empire_city(koeln)"),)
    assert found.reason == "a legal game leads there after 1 move, emperor green"
    assert found.as_json()["start"] == {"emperor": ["green"]}
