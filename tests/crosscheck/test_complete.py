"""``complete`` against trying everything: records of random games with gaps, some of them spoilt."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from support.exhaustive import fillings
from support.mutants import NAMES, TINY
from support.plain import actions

from kaiser_logic.completion.complete import complete
from kaiser_logic.engine import symbols
from kaiser_logic.game import Game, load
from kaiser_logic.notation.record import Move, Record, Tag
from kaiser_logic.play.match import Match, random_actions
from kaiser_logic.records.checking import check

RECORDS = 10
"""So many of each game."""
LONGEST = 8


@pytest.fixture(autouse=True)
def _at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny games are games that records may name."""
    monkeypatch.setenv("KAISER_LOGIC_GAMES", str(TINY))


def played(game: Game, random: Random) -> Record:
    """A random game, with its result where it comes to an end."""
    match = Match(game)
    while match.deciding and len(match.moves) < LONGEST:
        for role, action in random_actions(match.position, random).items():
            match.do(role, action)
    return match.record()


def with_gaps(record: Record, game: Game, random: Random) -> Record:
    """The record with some moves open; sometimes another is spoilt, or the result."""
    moves = list(record.moves)
    for k in random.sample(range(len(moves)), random.randint(1, min(3, len(moves)))):
        moves[k] = replace(moves[k], action=None)
    known = [k for k, m in enumerate(moves) if m.action is not None]
    spoil = random.choice(("nothing", "nothing", "move", "result", "role"))
    if spoil == "move" and known:
        k = random.choice(known)
        moves[k] = replace(moves[k], action=symbols.term(random.choice(actions(game))[1]))
    if spoil == "role":
        k = random.randrange(len(moves))
        moves[k] = replace(moves[k], role=random.choice(game.roles))
    tags = tuple(t for t in record.tags if t.name != "Result" or spoil != "nothing" or random.random() < 0.5)
    if spoil == "result":
        value = random.choice(("red", "green", "red green", "*"))
        tags = (*(t for t in tags if t.name != "Result"), Tag("Result", value))
    return replace(record, tags=tags, items=tuple(moves))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_as_many_ways_as_there_are(name: str, scale: int, tally: Counter[str]) -> None:
    game, wrong, seen = load(name), [], set()
    for seed in range(RECORDS * scale):
        random = Random(f"{name} {seed}")
        record = with_gaps(played(game, random), game, random)
        true = fillings(game.initial(), record.moves, record.result)
        said = complete(record, limit=2)
        tally["records completed"] += 1
        tally[f"records with {min(true, 2)} {'way' if true == 1 else 'ways'}"] += 1
        seen.add(min(true, 2))
        if said.unique is None and said.records:
            tally["records not decided"] += 1
        elif len(said.records) != min(true, 2):
            wrong.append(f"{true} ways, {len(said.records)} found:\n{record}")
        for filled in said.records:
            if check(filled).faults:
                wrong.append(f"not legal:\n{filled}")
            told = [
                (a.role, b.role, b.action in (None, a.action))
                for a, b in zip(filled.moves, record.moves, strict=True)
            ]
            if any(a != b or not same for a, b, same in told):
                wrong.append(f"not the record:\n{filled}\n{record}")
    assert not wrong, "\n".join(wrong)
    assert len(seen) >= 2


def test_moves_are_those_of_records() -> None:
    """What counts the ways sees an open move as any legal one, and a known one as itself."""
    start = load("nim").initial()
    opened = [Move("red", None), Move("green", None)]
    assert fillings(start, opened, None, 9) == 4
    assert fillings(start, [*opened, Move("red", None)], None, 99) == 4
    assert fillings(start, opened, ("green",), 9) == 1
    assert fillings(start, opened[::-1], None, 9) == 0
