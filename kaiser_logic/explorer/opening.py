"""Records opened, started and played on: what each move did, and what was wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

from ..drawing.events import events
from ..engine import symbols
from ..engine.tags import tags_of
from ..errors import UnreadableInput, WrongUsage
from ..game import Game
from ..notation.reading import parse_record
from ..notation.record import Move, Record
from ..notation.terms import has_unknown
from ..play.playout import random_actions
from ..position import Position
from ..records.checking import report_of
from ..records.fault import Fault
from ..records.replay import Replay
from ..records.spelling import with_hint
from ..rules.phrases import Phrases, phrases
from .games import configured
from .pieces import Pieces, pieces
from .state import (
    State,
    board_of,
    game_asked,
    number_of,
    pairs,
    record_of_tags,
    term_of,
    text_of,
    with_board,
)

_POLICIES: Final = ("stop", "skip", "force")
_LONGEST: Final = 2_000
"""The moves after which a random game is stopped."""


def opened(data: Mapping[str, Any]) -> dict[str, Any]:
    """A record's text carried out; under another edition and rulings where these are given."""
    policy = text_of(data, "illegal", "stop")
    if policy not in _POLICIES:
        raise WrongUsage(f"after an illegal move one can {', '.join(_POLICIES)}")
    try:
        text = text_of(data, "text")
        record = with_board(parse_record(text), board_of(data))
    except UnreadableInput as error:
        raise with_hint(error) from None
    parts = pieces(text, record)
    edition = data.get("edition")
    options = dict(pairs(data.get("options", []), "options"))
    if edition is not None or options:
        record = record.under(None, text_of(data, "edition") if edition is not None else None, options)
    return _as_data(Replay(record, policy), text, parts)  # type: ignore[arg-type]


def started(data: Mapping[str, Any]) -> dict[str, Any]:
    """A new game of these tags, or so many moves of a random one."""
    rules = game_asked(data).ruleset
    board = [(name, value) for name, value in pairs(data.get("tags"), "tags") if name == "Board"]
    record = record_of_tags([*tags_of(rules), *board], (), board_of(data))
    moves = number_of(data, "moves", 0, _LONGEST)
    if moves:
        replay = Replay.at(record)
        played = _random_moves(replay.here(), moves, Random(number_of(data, "seed", 1, 10**9)))
        record = replace(record, items=tuple(played))
    text = str(record)
    record = with_board(parse_record(text), board_of(data))
    return _as_data(Replay(record), text, pieces(text, record))


def _random_moves(position: Position, most: int, random: Random) -> list[Move]:
    moves: list[Move] = []
    while position.to_move and len(moves) < most:
        actions = random_actions(position, random)
        moves += (Move(role, term_of(symbols.text(action))) for role, action in actions.items())
        position = position.successor(position.evaluator.judge(position.symbols, actions))
    return moves


def went_on(data: Mapping[str, Any]) -> dict[str, Any]:
    """Moves made from a place, up to the first illegal one."""
    state = State.of(data)
    made = pairs(data.get("moves"), "moves")
    replay = Replay(state.record(*(Move(role, term_of(action)) for role, action in made)))
    first = len(state.pending)
    steps = _steps(replay, first)
    return {"steps": steps[1:], "faults": _faults(replay.faults, _words(replay), first)}


def _as_data(replay: Replay, text: str, parts: Pieces) -> dict[str, Any]:
    """A whole record: its game, its steps, and what is wrong with it."""
    steps = _steps(replay, 0)
    report = report_of(replay)
    record = replay.record
    game: Game = replay.game
    return {
        "game": configured(game),
        "board": record.board_text,
        "tags": [[tag.name, tag.value] for tag in record.tags],
        "head": parts.head,
        "begin": parts.begin,
        "written": parts.moves,
        "steps": steps,
        "moves": [[m.role, "?" if m.action is None else str(m.action)] for m in record.moves],
        "unfollowed": [_in_words(_words(replay), move) for move in record.moves[max(0, len(steps) - 1) :]],
        "faults": _faults(report.faults, _words(replay), 0),
        "result": report.result.summary if report.result else "",
        "text": text,
    }


def _steps(replay: Replay, first: int) -> list[dict[str, Any]]:
    """The place after so many moves, and each move that could be followed: facts as differences from the one before."""
    steps: list[dict[str, Any]] = []
    record, known = replay.record, frozenset[str]()
    words = _words(replay)
    between = _between(record)
    for number in range(first, len(record.moves) + 1):
        before = replay.position
        replay.run(number)
        if replay.moves < number or replay.position is None:
            break
        now = replay.position
        move = record.moves[number - 1] if number > first else None
        if move is not None and replay.stopped and replay.judged >= number and _is_wrong(replay, number):
            break
        step: dict[str, Any] = {
            "minus": sorted(known - now.facts),
            "plus": now.ruleset.book.ordered(now.facts - known),
            "pending": [[role, symbols.text(action)] for role, action in replay.pending.items()],
            "over": not now.decisions,
            "also": between.get(number, []) if move is not None or not first else [],
        }
        if move is not None:
            step |= {"role": move.role, "action": _written(move), "said": _in_words(words, move)}
            moved = before is not None and before is not now
            step["events"] = events(before, now) if moved and before is not None else []
        steps.append(step)
        known = now.facts
    return steps


def _is_wrong(replay: Replay, number: int) -> bool:
    """Whether the move made last is what the record was stopped at."""
    return any(fault.role is not None and fault.moves == number - 1 for fault in replay.faults)


def _between(record: Record) -> dict[int, list[str]]:
    """The number of moves before them to what is no move: assertions and positions, as records write them."""
    found: dict[int, list[str]] = {}
    moves = 0
    for item in record.items:
        if isinstance(item, Move):
            moves += 1
        else:
            text = str(Record(record.tags[:1], (item,))).partition("\n\n")[2].strip()
            found.setdefault(moves, []).append(text)
    return found


def _words(replay: Replay) -> Phrases:
    return phrases(replay.game.book.folder)


def _written(move: Move) -> str:
    return "?" if move.action is None else str(move.action)


def _in_words(words: Phrases, move: Move) -> str:
    """A move in words, without its role."""
    if move.action is None or has_unknown(move.action):
        return _written(move)
    return words.action(str(move.action))


def _faults(faults: Sequence[Fault], words: Phrases, first: int) -> list[dict[str, Any]]:
    """Faults as JSON, with the facts in words, counted from the page's own first move."""
    found = []
    for fault in faults:
        data = fault.as_json()
        data["facts"] = [[fact, words.fact(fact)] for fact in fault.facts]
        data["absent"] = [[fact, words.fact(fact)] for fact in fault.absent]
        data["moves"] = None if fault.moves is None else fault.moves - first
        found.append(data)
    return found
