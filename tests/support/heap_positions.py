"""The game of a heap of stones, for tests that want a small one: positions by a few words."""

from __future__ import annotations

from kaiser_logic.game import Game, load
from kaiser_logic.position import Position
from support.heap_game import FOLDER


def heap(players: int = 2, last_stone: str = "wins") -> Game:
    """The game: in turn everybody takes one to three of twelve stones."""
    return load(FOLDER, players=players, options={"last_stone": last_stone})


def after(*amounts: int, players: int = 2) -> Position:
    """Where it is after so many stones have been taken, one amount after the other."""
    position = heap(players).initial()
    for amount in amounts:
        (role,) = position.to_move
        position = position.apply({role: f"take({amount})"})
    return position
