"""Records with missing votes that can be read in several ways, compared with brute force over all games."""

from itertools import product
from random import Random
from typing import TypeAlias

import pytest
from completion.gaps import FOREVER
from support import TINY

from kaiser_logic.completion.complete import Completion, Solutions, check_view, complete
from kaiser_logic.completion.symbolic_replay import Segment
from kaiser_logic.game import load
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.record import Move, Record
from kaiser_logic.notation.syntax import parse_user_term
from kaiser_logic.position import Position
from kaiser_logic.records.checking import check

START = load(TINY / "bids").initial()
SAMPLE = {3: 20, 4: 128, 5: 32}
"""The number of records of each length, of which there may be more."""
PENDING = "seat(red,1). seat(green,2). phase(bidding). decision(red,bid). decision(green,bid)."
Moves: TypeAlias = "tuple[tuple[str, str], ...]"
"""Moves: each with its role and its action."""


def games(winners: tuple[str, ...]) -> list[list[Moves]]:
    """All games with these winners: the bids of each round."""
    pending: list[tuple[Position, list[Moves]]] = [(START, [])]
    whole: list[list[Moves]] = []
    for position, rounds in pending:
        result = position.result()
        if result is not None and result.winners == winners:
            whole.append(rounds)
        legal = position.legal()
        for bids in product(*legal.values()) if legal else ():
            made = dict(zip(legal, bids, strict=True))
            pending.append((position.apply(made), [*rounds, tuple(made.items())]))
    return whole


def readings(rounds: list[Moves]) -> set[Moves]:
    """The records of a game in which each round has one bid or both, in either order."""
    parts = [((red, green), (green, red), (red,), (green,)) for red, green in rounds]
    return {tuple(move for part in choice for move in part) for choice in product(*parts)}


def fillings(record: Moves, winners: tuple[str, ...]) -> set[Moves]:
    """The fillings; the bids of each round are in the order of the seats."""
    items = tuple(Move(role, parse_user_term(action)) for role, action in record)
    found = set()
    for filling in Solutions(Segment(START, items, result=winners), FOREVER).solutions():
        moves = [(one.role, str(one.action)) for one in filling if isinstance(one, Move)]
        rounds = zip(moves[::2], moves[1::2], strict=True)
        found.add(tuple(move for pair in rounds for move in sorted(pair, reverse=True)))
    return found


@pytest.mark.parametrize("winners", [("red",), ("red", "green")])
@pytest.mark.parametrize("number", [3, *(pytest.param(n, marks=pytest.mark.slow) for n in (4, 5))])
def test_the_fillings_of_a_record_are_the_games_that_can_be_read_as_it(number, winners):
    """All records with this number of moves and these winners, or a sample. Each omits a bid, so all readings count."""
    possible: dict[Moves, set[Moves]] = {}
    for rounds in games(winners):
        for record in readings(rounds):
            possible.setdefault(record, set()).add(tuple(move for bids in rounds for move in bids))
    records = list(product(product(("red", "green"), ("bid(low)", "bid(high)")), repeat=number))
    for record in Random(number).sample(records, SAMPLE[number]):
        assert fillings(record, winners) == possible.get(record, set()), record
    assert any(len(record) == number for record in possible)


@pytest.fixture
def bids(monkeypatch):
    """Lets records name the game."""
    monkeypatch.setenv("KAISER_LOGIC_GAMES", str(TINY))


def record(items: str, tags: str = "") -> Record:
    return parse_record(f'[Game "bids"]\n{tags}\n{items}')


def completed(items: str, tags: str = "") -> Completion:
    return complete(record(items, tags), FOREVER)


@pytest.mark.usefixtures("bids")
def test_a_block_may_drop_the_votes_before_it():
    items = f"red: bid(high) position {{ {PENDING} round(1). }} green: bid(low)"
    assert check(record(items)).ok
    assert completed(items).unique
    refused = completed(f"red: bid(low) position {{ {PENDING} round(2). made_bid(1,red,high). }}").fault
    assert refused is not None


@pytest.mark.usefixtures("bids")
@pytest.mark.parametrize("viewer", ["red", "public"])
def test_in_a_view_no_vote_may_be_missing(viewer):
    assert check_view(record("red: bid(high) green: ?"), viewer).ok
    assert check_view(record("green: ? red: bid(high) red: bid(low) green: ?"), viewer).ok
    (fault,) = check_view(record("green: ? green: bid(high)"), viewer).faults
    assert fault.rule == "record.decided"
    assert not check_view(record("red: bid(high) green: ? assert { round(3). }"), viewer).ok
