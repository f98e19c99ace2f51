"""``complete`` agrees with brute force on records of random games with gaps, some of which are damaged."""

from dataclasses import replace
from random import Random

import pytest
from support import NAMES, TINY
from support.exhaustive import fillings
from support.plain import actions

from kaiser_logic.completion.complete import complete
from kaiser_logic.engine import symbols
from kaiser_logic.game import Game, load
from kaiser_logic.notation.record import Move, Record, Tag
from kaiser_logic.play.match import Match, random_actions
from kaiser_logic.records.checking import check

RECORDS = 10
"""The number of records for each game."""
LONGEST = 8


@pytest.fixture(autouse=True)
def _tiny_games_can_be_named(monkeypatch):
    """Lets records name the tiny games."""
    monkeypatch.setenv("KAISER_LOGIC_GAMES", str(TINY))


def played(game: Game, random: Random) -> Record:
    match = Match(game)
    while match.deciding and len(match.moves) < LONGEST:
        for role, action in random_actions(match.position, random).items():
            match.do(role, action)
    return match.record()


def with_gaps(record: Record, game: Game, random: Random) -> Record:
    """The record with some unknown moves. Sometimes another move, a role or the result is damaged."""
    moves = list(record.moves)
    for k in random.sample(range(len(moves)), random.randint(1, min(3, len(moves)))):
        moves[k] = replace(moves[k], action=None)
    known = [k for k, m in enumerate(moves) if m.action is not None]
    damage = random.choice(("nothing", "nothing", "move", "result", "role"))
    if damage == "move" and known:
        k = random.choice(known)
        moves[k] = replace(moves[k], action=symbols.term(random.choice(actions(game))[1]))
    if damage == "role":
        k = random.randrange(len(moves))
        moves[k] = replace(moves[k], role=random.choice(game.roles))
    tags = tuple(t for t in record.tags if t.name != "Result" or damage != "nothing" or random.random() < 0.5)
    if damage == "result":
        value = random.choice(("red", "green", "red green", "*"))
        tags = (*(t for t in tags if t.name != "Result"), Tag("Result", value))
    return replace(record, tags=tags, items=tuple(moves))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_number_of_completions_is_correct(name, scale, tally):
    game, wrong, seen = load(name), [], set()
    for seed in range(RECORDS * scale):
        random = Random(f"{name} {seed}")
        record = with_gaps(played(game, random), game, random)
        expected = fillings(game.initial(), record.moves, record.result)
        completion = complete(record, limit=2)
        tally["records completed"] += 1
        tally[f"records with {min(expected, 2)} {'completion' if expected == 1 else 'completions'}"] += 1
        seen.add(min(expected, 2))
        if completion.unique is None and completion.records:
            tally["records not decided"] += 1
        elif len(completion.records) != min(expected, 2):
            wrong.append(f"{expected} completions, {len(completion.records)} found:\n{record}")
        for filled in completion.records:
            if check(filled).faults:
                wrong.append(f"not legal:\n{filled}")
            pairs = [
                (a.role, b.role, b.action in (None, a.action)) for a, b in zip(filled.moves, record.moves, strict=True)
            ]
            if any(a != b or not same for a, b, same in pairs):
                wrong.append(f"not the record:\n{filled}\n{record}")
    assert not wrong, "\n".join(wrong)
    assert len(seen) >= 2


def test_the_brute_force_counts_completions_correctly():
    """An unknown move may be any legal action."""
    start = load("nim").initial()
    unknown = [Move("red", None), Move("green", None)]
    assert fillings(start, unknown, None, 9) == 4
    assert fillings(start, [*unknown, Move("red", None)], None, 99) == 4
    assert fillings(start, unknown, ("green",), 9) == 1
    assert fillings(start, unknown[::-1], None, 9) == 0
