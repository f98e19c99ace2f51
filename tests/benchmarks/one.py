"""One position at a time: legal actions, moves judged and carried out, records, random games, sequences counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from games.krone.positions import ring
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
"""So many of them the naive way, which takes some hundred times as long; fewer where one takes seconds."""
MOST = 300
DEPTH = {"kaiser": 5, "krone": 4, "staufer": 7, "vive": 5}
"""How long the sequences of decisions are that are counted."""
BOARDS = {"krone": {"ring of 12 fields": ring(12), "ring of 96 fields": ring(96)}}
"""Other boards, by which is seen how times grow."""

Decision = tuple[Position, Mapping[str, str]]


def record_of(game: kl.Game) -> Record:
    """A random game, or its first moves."""
    match, random = Match(game), Random(1)
    while match.deciding and len(match.moves) < MOST:
        for role, action in random_actions(match.position, random).items():
            match.do(role, action)
    return match.record()


def decisions(record: Record) -> list[Decision]:
    """The decisions of a record, each with what was decided."""
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
    """The evaluator of the position's game, of one of the engines."""
    return evaluator_of(replace(position.ruleset.configuration, engine=engine))


def fresh(position: Position, engine: str) -> Position:
    """The position, remembering nothing, evaluated in one of the ways."""
    relations._given.clear()
    return Position(by_engine(position, engine), position.symbols)


def listable(position: Position) -> bool:
    """Whether there are few enough legal actions to be listed."""
    try:
        return bool(position.legal())
    except kl.NotDecided:
        return False


Asked = Callable[[Any], object]
MADE: Mapping[str, Callable[[Position], Any]] = {
    "naive": lambda p: fresh(p, "compiled"),
    "sliced": lambda p: fresh(p, "clingo"),
    "compiled": lambda p: fresh(p, "compiled"),
    "plain": independent,
}
LEGAL: Mapping[str, Asked] = {
    "naive": lambda a: naive.legal(a[0]),
    "sliced": lambda a: a[0].legal(),
    "compiled": lambda a: a[0].legal(),
    "plain": lambda a: {role: tuple(sorted(its)) for role, its in a[0].legal().items()},
}
DONE: Mapping[str, Asked] = {
    "sliced": lambda a: a[0].apply(a[1]).symbols,
    "compiled": lambda a: a[0].apply(a[1]).symbols,
    "plain": lambda a: a[0].apply(a[1]),
}


def judged(asked: Decision) -> set[str]:
    """The rules that actions break."""
    position, chosen = asked
    actions = {role: symbols.read(action) for role, action in chosen.items()}
    return {rule for _, _, rule in position.evaluator.judge(position.symbols, actions).violations}


JUDGED: Mapping[str, Asked] = {
    "naive": lambda a: naive.judge(*a),
    "sliced": judged,
    "compiled": judged,
}


def asked(what: str, game: str, ways: Mapping[str, Asked], sample: Sequence[Decision]) -> Row:
    """One question in several ways, decision by decision in turn; the answers must be the same."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    for name in ways:
        if name != "naive":  # cuts and compiles, once in a process
            for position, chosen in sample:
                ways[name]((MADE[name](position), chosen))
    for number, (position, chosen) in enumerate(sample):
        answers = {}
        for name, way in ways.items():
            if name == "naive" and (number >= NAIVE or sum(times[name]) > NAIVE):
                continue
            here = (MADE[name](position), chosen)
            start = clock()
            answers[name] = way(here)
            times[name].append(clock() - start)
        shown = [answer for answer in answers.values() if answer is not None]
        assert all(answer == shown[0] for answer in shown), (what, position, answers.keys())
    return Row(what, game, {name: sum(took) / len(took) for name, took in times.items()})


LISTED, DONE_ROW, GAME = "legal actions of a position", "a move judged and carried out", "a random game"
"""The rows of which the page's table is made."""


def quick_rows(game: kl.Game) -> Iterator[Row]:
    """The rows of the page's table: without the naive way, without batches."""
    name = f"{game.id}, {len(game.seats)} players"
    played = decisions(record_of(game))
    mixed = Random(2).sample(played, min(2 * SAMPLE, len(played)))
    ways = {way: LEGAL[way] for way in ("sliced", "compiled", "plain")}
    yield asked(LISTED, name, ways, [one for one in mixed if listable(one[0])][:SAMPLE])
    yield asked(DONE_ROW, name, DONE, mixed[:SAMPLE])
    yield _whole(game, name)


def rows(game: kl.Game) -> Iterator[Row]:
    """All of a game that is asked of one position at a time, with what a batch takes for it."""
    name = f"{game.id}, {len(game.seats)} players"
    record = record_of(game)
    played = decisions(record)
    mixed = Random(2).sample(played, min(2 * SAMPLE, len(played)))
    sample = [one for one in mixed if listable(one[0])][:SAMPLE]
    batch = game.batch()
    row = asked(LISTED, name, LEGAL, sample)
    yield _and(row, "batch", _listed(batch, [position for position, _ in played]))
    yield asked("a move judged", name, JUDGED, sample)
    yield asked(DONE_ROW, name, DONE, sample)
    text = str(record)
    yield Row(
        f"a record of {len(record.moves)} moves, warm", name, {"compiled": least(lambda: checked(text))}
    )
    yield _whole(game, name)
    depth, initial = DEPTH[game.id], game.initial()
    engines = {"sliced": "clingo", "compiled": "compiled", "batch": "batch"}
    found = {way: counts(initial, depth, engine=engine) for way, engine in engines.items()}
    found["plain"] = [1, *counted(independent(initial), depth)]
    assert len({*map(tuple, found.values())}) == 1, found
    times = {way: spent(lambda e=engine: counts(initial, depth, engine=e)) for way, engine in engines.items()}  # type: ignore[misc]
    times["plain"] = spent(lambda: counted(independent(initial), depth))
    yield Row(f"sequences of {depth} decisions counted ({found['plain'][-1]:,})", name, times)


def boards(game_id: str, players: int, folder: str) -> Iterator[Row]:
    """Legal actions on other boards."""
    for what, board in BOARDS.get(game_id, {}).items():
        file = Path(folder) / "a.board"
        file.write_text(board, encoding="utf-8")
        record = record_of(kl.load(game_id, players=players, board=file))
        sample = [one for one in decisions(record) if listable(one[0])]
        ways = {way: LEGAL[way] for way in ("naive", "sliced", "compiled")}
        mixed = Random(2).sample(sample, SAMPLE)
        yield asked(LISTED, f"{game_id}, {players} players, {what}", ways, mixed)


def checked(text: str) -> None:
    """A record read and checked in a process that has checked others."""
    relations._given.clear()
    assert kl.check(parse_record(text)).ok


def _and(row: Row, way: str, seconds: float) -> Row:
    return row._replace(times={**row.times, way: seconds})


def _listed(batch: Any, positions: Sequence[Position]) -> float:
    """The time of a position among four thousand."""
    many = [position for position in positions for _ in range(4096 // len(positions) + 1)]
    batch.legal_numbers(many)
    return least(lambda: batch.legal_numbers(many)) / len(many)


def _whole(game: kl.Game, name: str) -> Row:
    """A random game, the same one by both engines."""
    initial = game.initial()
    for number in range(100):
        try:
            length = sum(1 for _ in playout(by_engine(initial, "compiled"), 1, number))
            break
        except kl.NotDecided:  # too many sets of cards to be listed
            continue
    ways = {"sliced": "clingo", "compiled": "compiled"}
    times = {
        way: spent(lambda e=engine: [*playout(by_engine(initial, e), 1, number)])  # type: ignore[misc]
        for way, engine in ways.items()
    }
    return Row(GAME, name, times, length)
