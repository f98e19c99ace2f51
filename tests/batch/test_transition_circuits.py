"""Actions that name sets: legality, effects and choices in a batch are those of single positions."""

import pytest
from support import SUPPORT, TINY
from support.batches import same_disturbed, same_games, same_positions
from support.heap_game import variant

pytest.importorskip("llvmlite")

import clingo

from kaiser_logic.batch.bits import Unsupported
from kaiser_logic.batch.transition_circuits import in_order, name_of
from kaiser_logic.engine import symbols
from kaiser_logic.errors import NotDecided, WrongUsage
from kaiser_logic.evaluation.verdict import IllegalMove
from kaiser_logic.game import Game, load
from kaiser_logic.position import Position

pytestmark = pytest.mark.slow


def cards(nothing: str = "allowed") -> Game:
    """A game in which players lay sets of cards in turn."""
    return load(TINY / "cards", options={"nothing": nothing})


def bids(players: int = 3, passing: str = "allowed") -> Game:
    """A game in which all players bid a set at the same time, high or low, or do something else."""
    return load(SUPPORT / "bids", players=players, options={"passing": passing})


@pytest.mark.parametrize("nothing", ["allowed", "forbidden"])
def test_sets_in_turn_agree_with_the_engine(nothing):
    game = cards(nothing)
    assert same_games(game, 200) == 0, "circuits decide everything"
    assert same_positions(game, 20)
    assert same_disturbed(game, 20)


@pytest.mark.parametrize(("players", "passing"), [(2, "allowed"), (3, "allowed"), (3, "forbidden")])
def test_simultaneous_sets_agree_with_the_engine(players, passing):
    game = bids(players, passing)
    assert not game.batch().refused
    for lanes in (1, 7, 600):
        assert same_games(game, 60, seed=3, lanes=lanes) == 0
    assert same_positions(game, 8)
    assert same_disturbed(game, 10)
    found = game.batch().play(300, 5)
    assert {name for _, name in found.actions} == {"bid/2", "ask/0", "yield/0"}


def test_sets_are_chosen_uniformly():
    """One hand has a sword (2 sets), the other a sword and a shield (4 sets)."""
    batch = cards().batch()
    games = 4_000
    results = batch.play(games, 11)
    won = results.winners.sum(axis=0)
    laid = {(0, 0): 0, (0, 1): 0, (0, 2): 0, (0, 3): 0, (1, 0): 0, (1, 1): 0, (1, 2): 0, (1, 3): 0}
    for row in results.points:
        laid[int(row[0]), int(row[1])] += 1
    assert won.sum() >= games
    expected = games / 8
    assert sum((n - expected) ** 2 / expected for n in laid.values()) < 24.3, "chi square, 7 degrees, 0.1 %"


def test_moves_that_name_sets():
    game = bids(2)
    start = game.initial()
    batch = game.batch()
    fine = {"red": "bid(high,with(3,coin,with(1,gem,none)))", "green": "bid(low,none)"}
    assert list(batch.apply([start], [fine])) == [start.apply(fine)]
    assert batch._positions_after(batch.pack([start]), [fine])[1] == [], "a circuit decides it"
    for wrong in (
        "bid(high,with(4,coin,none))",
        "bid(low,with(12,coin,none))",
        "bid(low,with(3,gem,none))",
        "bid(low,with(1,key,none))",
        "bid(low,set_of(red))",
        "bid(low,with(1,stone,none))",
        "bid(low,coin)",
        "bid(up,none)",
        "yield(none)",
        "none",
    ):
        moves = {**fine, "red": wrong}
        with pytest.raises((IllegalMove, WrongUsage)) as one:
            start.apply(moves)
        with pytest.raises(one.type) as many:
            batch.apply([start], [moves])
        assert str(many.value) == str(one.value)


MANY = """thing(t(K),3+K,1)     :- K = 1..10.
worth(t(K),0)         :- K = 1..10.
init(hand(R,t(K),1))  :- first(R), K = 1..10.
"""
"""With ten more things the first player can bid 36,864 sets. At most 20,000 are listed."""


def test_sets_that_are_too_many_to_list_are_not_left_out(tmp_path):
    """The circuits do not decide, so the engine for single positions answers: it does not list them either."""
    game = load(variant(tmp_path, {}, SUPPORT / "bids", MANY), players=2)
    start = game.initial()
    with pytest.raises(NotDecided, match="more than 20000 actions"):
        start.legal()
    with pytest.raises(NotDecided, match="more than 20000 actions"):
        game.batch().legal([start])
    with pytest.raises(NotDecided, match="more than 20000 actions"):
        game.batch().play(2, 1)
    assert not game.batch().refused


def test_sets_of_very_many_copies_are_left_to_the_engine(tmp_path):
    """The circuits were once built for a long time, and then the batch ended with an internal error."""
    more = {"thing(sword,1,2).": "thing(sword,1,251).", "limit(card(C),N,N)": "limit(card(C),0,N)"}
    game = load(variant(tmp_path, more, TINY / "cards"))
    start, batch = game.initial(), game.batch()
    assert batch.legal([start]) == [start.legal()]
    assert set(batch.refused.values()) == {"a set can have more than 250 copies of a thing"}


def test_positions_without_legal_sets_are_left_to_the_engine():
    """A position that no game reaches: a card must be laid, and nobody has one."""
    game = cards("forbidden")
    start = game.initial()
    bare = Position(game.evaluator, frozenset(f for f in start.symbols if f.name != "hand"))
    assert game.batch().legal([bare, start]) == [bare.legal(), start.legal()]


def action(text: str, role: str = "red") -> clingo.Symbol:
    return clingo.Function("legal", [clingo.Function(role), symbols.read_symbol(text)])


def test_sets_must_be_adjacent_in_the_order_of_actions():
    own = str(name_of(clingo.Function("red")))
    in_order([(action("bid"), False), (action(f"bid(high,{own})"), True), (action(f"bid(low,{own})"), True)])
    with pytest.raises(Unsupported, match="mixed up"):
        in_order([(action(f"bid({own})"), True), (action("bid(pass)"), False)])
