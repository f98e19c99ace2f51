"""Measures one position at a time: legal actions, moves judged and carried out, records, random games, counted sequences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from games.test_cases import ring
from support.independent import counted, independent

import kaiser_logic as kl
from kaiser_logic.batch.perft import counts
from kaiser_logic.batch.playout import playout
from kaiser_logic.engine import symbols
from kaiser_logic.engine.compiled import relations
from kaiser_logic.evaluation.evaluator import Evaluator, evaluator_of
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.record import Record
from kaiser_logic.play.match import Match, random_actions
from kaiser_logic.position import Position
from kaiser_logic.records.replay import Replay

from . import naive
from .timing import Row, clock, least, spent

SAMPLE = 24
NAIVE = 3
"""The size of the sample for the naive method, which takes some hundred times as long. It also stops after this many seconds."""
MOST = 300
DEPTH = {"kaiser": 5, "krone": 4, "staufer": 7, "vive": 5}
"""The length of the sequences of decisions that are counted."""
BOARDS = {"krone": {"ring of 12 fields": ring(12), "ring of 96 fields": ring(96)}}
"""Other boards, which show how times grow with the board."""

Decision = tuple[Position, Mapping[str, str]]


def record_of(game: kl.Game) -> Record:
    """A random game, or its first moves."""
    match, random = Match(game), Random(1)
    while match.deciding and len(match.moves) < MOST:
        for role, action in random_actions(match.position, random).items():
            match.do(role, action)
    return match.record()


def decisions(record: Record) -> list[Decision]:
    """The decisions of a record: the positions, each with the chosen actions."""
    found: list[Decision] = []
    replay = Replay(record)
    pending: dict[str, str] = {}
    for number, move in enumerate(record.moves, 1):
        position = replay.here()
        pending[move.role] = str(move.action)
        if len(pending) == len(position.to_move):
            found.append((position, pending))
            pending = {}
        replay.run(number)
    return found


def by_engine(position: Position, engine: str) -> Evaluator:
    """The evaluator of the position's game with this engine."""
    return evaluator_of(replace(position.ruleset.configuration, engine=engine))


def fresh(position: Position, engine: str) -> Position:
    """The position with empty caches, evaluated by this engine."""
    relations._given.clear()
    return Position(by_engine(position, engine), position.symbols)


def listable(position: Position) -> bool:
    """Whether there are few enough legal actions to be listed."""
    try:
        return bool(position.legal())
    except kl.NotDecided:
        return False


Question = Callable[[Any], object]
PREPARED: Mapping[str, Callable[[Position], Any]] = {
    "naive": lambda p: fresh(p, "compiled"),
    "sliced": lambda p: fresh(p, "clingo"),
    "compiled": lambda p: fresh(p, "compiled"),
    "plain": independent,
}
LEGAL: Mapping[str, Question] = {
    "naive": lambda a: naive.legal(a[0]),
    "sliced": lambda a: a[0].legal(),
    "compiled": lambda a: a[0].legal(),
    "plain": lambda a: {role: tuple(sorted(its)) for role, its in a[0].legal().items()},
}
APPLY: Mapping[str, Question] = {
    "sliced": lambda a: a[0].apply(a[1]).symbols,
    "compiled": lambda a: a[0].apply(a[1]).symbols,
    "plain": lambda a: a[0].apply(a[1]),
}


def judged(asked: Decision) -> set[str]:
    """The rules that actions break."""
    position, chosen = asked
    actions = {role: symbols.read_symbol(action) for role, action in chosen.items()}
    return {rule for _, _, rule in position.evaluator.judge(position.symbols, actions).violations}


JUDGED: Mapping[str, Question] = {
    "naive": lambda a: naive.judge(*a),
    "sliced": judged,
    "compiled": judged,
}


def measured(what: str, game: str, methods: Mapping[str, Question], sample: Sequence[Decision]) -> Row:
    """Asks one question by several methods, decision by decision in turn. The answers must be the same."""
    times: dict[str, list[float]] = {name: [] for name in methods}
    for name in methods:
        if name != "naive":  # slicing and compiling happen once in a process
            for position, chosen in sample:
                methods[name]((PREPARED[name](position), chosen))
    for number, (position, chosen) in enumerate(sample):
        answers = {}
        for name, method in methods.items():
            if name == "naive" and (number >= NAIVE or sum(times[name]) > NAIVE):
                continue
            here = (PREPARED[name](position), chosen)
            start = clock()
            answers[name] = method(here)
            times[name].append(clock() - start)
        shown = [answer for answer in answers.values() if answer is not None]
        assert all(answer == shown[0] for answer in shown), (what, position, answers.keys())
    return Row(what, game, {name: sum(took) / len(took) for name, took in times.items()})


LISTED, APPLIED, GAME = "legal actions of a position", "a move judged and carried out", "a random game"
"""The rows for the table of the page."""


def quick_rows(game: kl.Game) -> Iterator[Row]:
    """The rows for the table of the page, without the naive method and without batches."""
    name = f"{game.id}, {len(game.seats)} players"
    played = decisions(record_of(game))
    mixed = Random(2).sample(played, min(2 * SAMPLE, len(played)))
    methods = {method: LEGAL[method] for method in ("sliced", "compiled", "plain")}
    yield measured(LISTED, name, methods, [one for one in mixed if listable(one[0])][:SAMPLE])
    yield measured(APPLIED, name, APPLY, mixed[:SAMPLE])
    yield _whole(game, name)


def rows(game: kl.Game) -> Iterator[Row]:
    """The rows of a game for one position at a time, with the times of a batch for comparison."""
    name = f"{game.id}, {len(game.seats)} players"
    record = record_of(game)
    played = decisions(record)
    mixed = Random(2).sample(played, min(2 * SAMPLE, len(played)))
    sample = [one for one in mixed if listable(one[0])][:SAMPLE]
    batch = game.batch()
    row = measured(LISTED, name, LEGAL, sample)
    yield _with(row, "batch", _listed(batch, [position for position, _ in played]))
    yield measured("a move judged", name, JUDGED, sample)
    yield measured(APPLIED, name, APPLY, sample)
    text = str(record)
    yield Row(
        f"a record of {len(record.moves)} moves, warm", name, {"compiled": least(lambda: checked(text))}
    )
    yield _whole(game, name)
    depth, initial = DEPTH[game.id], game.initial()
    engines = {"sliced": "clingo", "compiled": "compiled", "batch": "batch"}
    found = {method: counts(initial, depth, engine=engine) for method, engine in engines.items()}
    found["plain"] = [1, *counted(independent(initial), depth)]
    assert len({*map(tuple, found.values())}) == 1, found
    times = {
        method: spent(lambda e=engine: counts(initial, depth, engine=e))  # type: ignore[misc]
        for method, engine in engines.items()
    }
    times["plain"] = spent(lambda: counted(independent(initial), depth))
    yield Row(f"sequences of {depth} decisions counted ({found['plain'][-1]:,})", name, times)


def boards(game_id: str, players: int, folder: str) -> Iterator[Row]:
    """The rows for legal actions on other boards."""
    for what, board in BOARDS.get(game_id, {}).items():
        file = Path(folder) / "a.board"
        file.write_text(board, encoding="utf-8")
        record = record_of(kl.load(game_id, players=players, board=file))
        sample = [one for one in decisions(record) if listable(one[0])]
        methods = {method: LEGAL[method] for method in ("naive", "sliced", "compiled")}
        mixed = Random(2).sample(sample, SAMPLE)
        yield measured(LISTED, f"{game_id}, {players} players, {what}", methods, mixed)


def checked(text: str) -> None:
    """Reads and checks a record in a process that has checked others before."""
    relations._given.clear()
    assert kl.check(parse_record(text)).ok


def _with(row: Row, method: str, seconds: float) -> Row:
    return row._replace(times={**row.times, method: seconds})


def _listed(batch: Any, positions: Sequence[Position]) -> float:
    """The time for one position in a batch of four thousand."""
    many = [position for position in positions for _ in range(4096 // len(positions) + 1)]
    batch.legal_numbers(many)
    return least(lambda: batch.legal_numbers(many)) / len(many)


def _whole(game: kl.Game, name: str) -> Row:
    """The row for a random game, the same one with both engines."""
    initial = game.initial()
    for number in range(100):
        try:
            length = sum(1 for _ in playout(by_engine(initial, "compiled"), 1, number))
            break
        except kl.NotDecided:  # there are too many sets of cards to list
            continue
    methods = {"sliced": "clingo", "compiled": "compiled"}
    times = {
        method: spent(lambda e=engine: [*playout(by_engine(initial, e), 1, number)])  # type: ignore[misc]
        for method, engine in methods.items()
    }
    return Row(GAME, name, times, length)
