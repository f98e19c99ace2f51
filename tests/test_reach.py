"""Searching for games that lead somewhere, compared with trying everything."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import product

import pytest
from krone_positions import make

from kaiser_logic.engine import symbols
from kaiser_logic.errors import NotDecided
from kaiser_logic.game import Game, load
from kaiser_logic.notation.record import PositionBlock, Record
from kaiser_logic.notation.syntax import parsed
from kaiser_logic.position import Position
from kaiser_logic.records.checking import check
from kaiser_logic.search.reach import reach
from kaiser_logic.unrolling.circuit import TRUE, Circuit, Literal
from kaiser_logic.unrolling.planner import Loosened
from kaiser_logic.unrolling.symbolic_state import Trail


class Query:
    """Facts that hold, given by how they begin, and facts of which none holds."""

    def __init__(self, some: tuple[str, ...], none: tuple[str, ...] = ()) -> None:
        self.some = some
        self.none = none

    def unmet(self, position: Position) -> int:
        absent = sum(not any(f.startswith(start) for f in position.facts) for start in self.some)
        return absent + sum(any(f.startswith(start) for f in position.facts) for start in self.none)

    def holds(self, position: Position) -> bool:
        return self.unmet(position) == 0

    def aim(self, trail: Trail, circuit: Circuit) -> Literal:
        def some(start: str) -> Literal:
            return circuit.disj(v for f, v in trail.facts.items() if symbols.text(f).startswith(start))

        return circuit.conj([*map(some, self.some), *(-some(start) for start in self.none)])


ELECTED = Query(
    ("elector(koeln,green,", "phase(emperor_action)", "round(1)"),
    ("aristocrat(trier,red,", "elector(trier,red,"),
)
"""Green is elector of Köln and red has no tile in Trier when the first election is over."""


def shortest(start: Position, holds: Callable[[Position], bool], most: int) -> int | None:
    """The number of steps to where it holds, by trying everything."""
    layer, seen = {start}, {start}
    for steps in range(most + 1):
        if any(map(holds, layer)):
            return steps
        layer = {
            position.apply(dict(zip(legal, actions, strict=True)))
            for position in layer
            if (legal := position.legal())
            for actions in product(*legal.values())
        } - seen
        seen |= layer
    return None


def led_to(record: Record) -> Position:
    found = check(record)
    assert found.ok, found
    assert found.final is not None
    return found.final


@pytest.mark.parametrize("guided", [True, False])
def test_first_election(guided: bool) -> None:
    game = load("kaiser", seats=["red", "green", "blue", "yellow"], emperor="blue")
    result = reach(
        game,
        ELECTED.holds,
        ELECTED.unmet,
        timeout=100,
        max_moves=60,
        mentions=("green", "koeln"),
        aim=ELECTED.aim if guided else None,
    )
    (record,) = result.records
    assert ELECTED.holds(led_to(record))
    assert len(record.moves) <= 60
    assert record.tag("Emperor") == "blue"
    assert record.seats == game.seats
    assert not isinstance(record.items[0], PositionBlock)


@pytest.mark.parametrize(
    ("query", "most"),
    [
        (Query(("knight(",)), 3),
        (Query(("aristocrat(boehmen,green,35,couple,1)", "elector(koeln,")), 4),
        (Query(("elector(boehmen,", "decision(green,setup_aristocrat)")), 5),
    ],
)
def test_smallest(query: Query, most: int) -> None:
    """On small boards: the shortest one is found and proved to be, or that there is none."""
    start = load("kaiser", players=2).initial()
    expected = shortest(start, query.holds, most)
    result = reach(start, query.holds, query.unmet, max_moves=most, smallest=True, aim=query.aim)
    assert result.proved_none
    assert [len(record.moves) for record in result.records] == ([] if expected is None else [expected])
    assert all(query.holds(led_to(record)) for record in result.records)


def test_several() -> None:
    query = Query(("empire_city(boehmen,", "elector(trier,green,"))
    result = reach(load("kaiser"), query.holds, query.unmet, max_moves=2, count=5)
    assert result.proved_none
    assert len(result.records) == 1
    some = reach(load("kaiser"), query.holds, query.unmet, max_moves=3, count=5)
    assert len({led_to(record) for record in some.records}) == 5
    assert not some.proved_none


def test_from_a_position() -> None:
    start = load("kaiser").initial().apply({"red": "empire_city(trier)"})
    query = Query(("elector(trier,blue,",))
    (record,) = reach(start, query.holds, max_moves=3, smallest=True).records
    assert isinstance(record.items[0], PositionBlock)
    assert len(record.moves) == 2
    assert query.holds(led_to(record))


def test_already_there() -> None:
    (record,) = reach(load("kaiser"), lambda _: True).records
    assert not record.items


def test_none() -> None:
    """Everything within the limit has been seen, and nothing is such."""
    query = Query(("elector(trier,green,", "elector(koeln,green,"))
    result = reach(load("kaiser"), query.holds, query.unmet, max_moves=2, aim=query.aim)
    assert (result.records, result.proved_none) == ((), True)


ATTACK = """shield(a10,red) shield(a11,green) shield(a15,green) castle(a15) hand(red,leader3,1) hand(red,castle,2)
    hand(green,ambush,1) hand(green,truce,1) turn(red) ap(3) decision(red,turn)"""


def test_sets_of_cards() -> None:
    """Where cards are laid the sets are listed: a field is lost although its owner answers."""
    start = make(load("krone", players=2), ATTACK).apply({"red": "attack(a11)"})
    query = Query(("shield(a11,red)", "discard(ambush,1)"))
    (record,) = reach(start, query.holds, query.unmet, max_moves=4, timeout=60, aim=query.aim).records
    assert query.holds(led_to(record))
    assert [str(move.action).partition("(")[0] for move in record.moves].count("force") == 1


def test_courses_that_contain_one_another() -> None:
    """Who decides can be open: that one role acts alone is another course than that two act."""
    loosened = Loosened(load("kaiser").initial(), time.monotonic() + 10)
    action = symbols.symbol(parsed("pass"))
    loosened._steps.append({role: {action: loosened.circuit.choice()} for role in ("red", "green")})
    courses = [frozenset(r for step in course for r in step) for course in loosened.courses(TRUE)]
    assert sorted(map(sorted, courses)) == [[], ["green"], ["green", "red"], ["red"]]


def test_rare_aim() -> None:
    """Everybody is as strong as everybody else in an electorate: hardly ever by chance."""
    game = load("kaiser", players=3)
    query = Query(
        (
            *(
                f"aristocrat(boehmen,{role},{tile},1)"
                for role, tile in zip(game.seats, ["35,couple"] * 3, strict=True)
            ),
            *(f"knight(boehmen,aristocrat,{role}," for role in game.seats[:2]),
            "knight(boehmen,castle,blue,",
            "thalers(red,7)",
        )
    )
    (record,) = reach(game, query.holds, query.unmet, max_moves=30, timeout=100, aim=query.aim).records
    assert query.holds(led_to(record))


def test_not_found_in_time() -> None:
    query = Query(("points(red,40)",))
    told: list[str] = []
    with pytest.raises(NotDecided, match=r"at most 60 moves was found in 1\.5 seconds"):
        reach(load("kaiser"), query.holds, query.unmet, timeout=1.5, progress=told.append)
    assert "1 unmet in the best of them" in told[0]


def test_games_that_end() -> None:
    """Past the end of the game nothing is tried."""
    game: Game = load("kaiser", players=2)
    query = Query(("phase(nothing)",))
    with pytest.raises(NotDecided):
        reach(game, query.holds, query.unmet, max_moves=1000, timeout=2, aim=query.aim)


INTERRUPTED = """
from kaiser_logic.game import load
from kaiser_logic.search.reach import reach
print("started", flush=True)
try:
    reach(load("kaiser"), lambda p: False, lambda p: 1, aim=lambda trail, circuit: circuit.choice())
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_interrupted() -> None:
    """Ctrl-C ends it at once and leaves nothing behind."""
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "started\n"
    time.sleep(1.5)
    os.kill(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=10)
    assert output == "interrupted\n"
    assert process.returncode == 0
