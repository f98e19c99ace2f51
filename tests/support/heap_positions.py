"""The game of a heap of stones, and positions of it, for tests that need a small game."""

from kaiser_logic.engine import symbols
from kaiser_logic.game import Game, load
from kaiser_logic.position import Position
from support.heap_game import FOLDER


def facts(text: str) -> frozenset[symbols.Symbol]:
    return frozenset(map(symbols.read_symbol, text.split()))


SEATS = "seat(red,1) seat(green,2)"
START = facts(f"{SEATS} phase(play) heap(12) decision(red,take)")
OVER = facts(f"{SEATS} phase(over) heap(0) taken(red,6) taken(green,6) took(red)")


def heap(players: int = 2, last_stone: str = "wins") -> Game:
    return load(FOLDER, players=players, options={"last_stone": last_stone})


def after(*amounts: int, players: int = 2) -> Position:
    position = heap(players).initial()
    for amount in amounts:
        (role,) = position.to_move
        position = position.apply({role: f"take({amount})"})
    return position
