"""Records from a real table: what a role could not see is written ``?``."""

from __future__ import annotations

import random

import pytest

from kaiser_logic import symbols
from kaiser_logic.chance import random_actions
from kaiser_logic.checking import check
from kaiser_logic.errors import WrongUsage
from kaiser_logic.game import Game, load, parsed
from kaiser_logic.record import Move, Record
from kaiser_logic.tags import tags_of
from kaiser_logic.terms import UNKNOWN, Term
from kaiser_logic.viewing import check_view


def played(game: Game, seed: int, count: int) -> list[Move]:
    """A random game's moves."""
    rng, position, moves = random.Random(seed), game.initial(), []
    while position.decisions and len(moves) < count:
        actions = {role: symbols.text(action) for role, action in random_actions(position, rng).items()}
        moves += [Move(role, parsed(action)) for role, action in actions.items()]
        position = position.apply(actions)
    return moves


def hidden(move: Move) -> Move:
    """The move as the public sees it: a card dealt or drawn is covered."""
    action = move.action
    if move.role == "chance" and action is not None and action.name in ("deal", "draw"):
        return Move(move.role, Term(action.name, (*action.args[:-1], UNKNOWN)))
    return move


GAME = load("krone", players=2)


@pytest.mark.parametrize("seed", range(3))
def test_a_game_seen_from_outside_is_legal(seed: int) -> None:
    moves = played(GAME, seed, 45)
    record = Record.build(list(tags_of(GAME)), [hidden(m) for m in moves])
    assert not check(record).ok
    assert check_view(record, "public").ok


def test_what_no_full_record_fits_is_refused() -> None:
    moves = [hidden(m) for m in played(GAME, 1, 20)]
    for k, move in enumerate(moves):
        if move.role != "chance" and str(move.action).startswith("shield("):
            spoilt = [
                *moves[: k + 1],
                Move("green" if move.role == "red" else "red", move.action),
                *moves[k + 2 :],
            ]
            report = check_view(Record.build(list(tags_of(GAME)), spoilt), "public")
            assert not report.ok
            return
    pytest.fail("no shield was placed")


def test_one_knows_what_one_did() -> None:
    record = Record.build(list(tags_of(GAME)), [*played(GAME, 2, 8), Move("red", None)])
    assert check_view(record, "red").faults[0].rule == "record.view"


def test_only_who_takes_part_has_a_view() -> None:
    with pytest.raises(WrongUsage):
        check_view(Record.build(list(tags_of(GAME)), []), "white")
