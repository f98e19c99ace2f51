"""Asks a rulebook what a row of its tests wants to know, and compares the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..batch.optional import is_installed
from ..batch.perft import BATCH, counts
from ..engine.configuration import ENGINES
from ..errors import KaiserLogicError, NotDecided, UnreadableInput, WrongUsage, visible_name
from ..evaluation.verdict import InvalidPosition
from ..game import Game, load
from ..notation.reading import parse_position, parse_record
from ..notation.record import PositionBlock, Record
from ..notation.sources import read
from ..position import Position
from ..records.checking import Report, check
from ..records.replay import FaultyRecord, Replay
from ..records.tags import files_in, record_under
from ..search.reach import find_reachable
from .rows import FALLS, FOUND, NONE, PROVED, Row

PASSED, FAILED, OPEN = "passed", "failed", "not decided"
_MANY: Final = 20_000
"""The number of sequences from which circuits count faster, if they are installed."""
_NO_GAME: Final = '[Game "x"]\n'
"""What stands before the moves of a row, so that they are read as those of a record."""


@dataclass(frozen=True)
class RowOutcome:
    """What came out for a row.

    Attributes:
        row: The row.
        status: ``passed``, ``failed`` or ``not decided``.
        message: What came out in place of what was wanted; empty if it passed.
    """

    row: Row
    status: str
    message: str = ""

    def __str__(self) -> str:
        """``FILE:LINE: NAME: STATUS``, with the message."""
        text = f"{self.row.place}: {self.row.name}: {self.status}"
        return f"{text}: {self.message}" if self.message else text


class _Failed(Exception):
    """Something else came out than the row wants."""


def run_row(row: Row, timeout: float) -> RowOutcome:
    """Asks for one row.

    Args:
        row: The row.
        timeout: The seconds for one search or proof. When they are over, the row is not decided.
    """
    try:
        _ASK[row.kind](row, timeout)
    except _Failed as failed:
        return RowOutcome(row, FAILED, str(failed))
    except NotDecided as error:
        return RowOutcome(row, OPEN, str(error))
    except KaiserLogicError as error:
        return RowOutcome(row, FAILED, str(error))
    return RowOutcome(row, PASSED)


# -- where a row is asked ------------------------------------------------------------------------------------


def _game(row: Row) -> Game:
    """The game under the settings of a row."""
    values = row.values
    board = values.get("board")
    return load(
        row.folder,
        edition=values.get("edition", "standard"),
        options=values.get("options"),
        seats=values.get("seats"),
        players=values.get("players"),
        board=None if board is None else row.folder / board,
        **values.get("start", {}),
    )


def _records(row: Row) -> Iterator[Record]:
    """The records of a row: its moves, or those of its files, under the rules of its folder and settings."""
    values = row.values
    if "record" in values:
        files = [row.folder / values["record"]]
        if any(sign in values["record"] for sign in "*?["):
            files = sorted(row.folder.glob(values["record"]))
        paths = files_in([str(file) for file in files])
        if not paths:
            raise _Failed(f"there is no record {values['record']}")
        for file in paths:
            if isinstance(file, UnreadableInput):
                raise file
            record = read(file)
            if (other := record.tag("Game")) != load(row.folder).id:
                raise _Failed(f"{visible_name(file)} is a record of {other}")
            yield record.with_rules(row.folder, values.get("edition"), values.get("options"))
        return
    game = _game(row)
    try:
        parsed = parse_record(_NO_GAME + values.get("moves", ""))
        if len(parsed.tags) > 1:
            raise _Failed(f"'moves' has a tag: [{parsed.tags[1].name} ...]; a row has keys in place of tags")
        items = list(parsed.items)
        if "position" in values:
            items.insert(0, PositionBlock(parse_position(values["position"]).facts))
    except UnreadableInput as error:
        raise _Failed(f"cannot be read: {error.message}") from None
    record = record_under(game.ruleset, items)
    yield record.with_rules(row.folder)


def _replay(row: Row) -> Replay:
    """The replay of the row's record to the place where the row is asked."""
    values = row.values
    path, _, moves = values.get("record", "").rpartition("@")
    if path and moves.isdecimal():
        row = Row(row.folder, row.kind, row.number, row.line, {**values, "record": path})
    else:
        moves = ""
    records = list(_records(row))
    if len(records) != 1:
        raise _Failed(f"{values['record']} means {len(records)} records, but one is wanted")
    try:
        return Replay.at(records[0], int(moves) if moves else None)
    except FaultyRecord as error:
        raise _Failed(f"the moves before it are not legal: {_fault_text(error.faults[0])}") from None


def _here(row: Row) -> Position:
    return _replay(row).here()


def _fault_text(fault: Any) -> str:
    move = f"{fault.role}: {fault.action}: " if fault.role else ""
    return f"{move}{fault.rule}: {fault.message}"


# -- the kinds of rows ---------------------------------------------------------------------------------------


def _ask_perft(row: Row, timeout: float) -> None:
    wanted = row.values["counts"]
    turns = row.values.get("turns", False)
    engine = BATCH if is_installed() and max(wanted, default=0) > _MANY and not turns else ENGINES[0]
    numbers = counts(_here(row), len(wanted), engine=engine, turns=turns)[1:]
    for depth, (number, expected) in enumerate(zip(numbers, wanted, strict=True), 1):
        if number != expected:
            raise _Failed(f"{number} sequences of {depth} {'turns' if turns else 'decisions'}, not {expected}")


def _ask_legal(row: Row, timeout: float) -> None:
    for record in _records(row):
        report = check(record)
        name = f"{visible_name(record.path)}: " if record.path else ""
        if not report.ok:
            fault = report.faults[0] if report.faults else None
            text = report.unreadable if fault is None else _fault_text(fault)
            raise _Failed(f"{name}after {max(0, report.judged - 1)} moves: {text}")
        _compare_result(row, report, name)


def _compare_result(row: Row, report: Report, name: str) -> None:
    wanted = {key: row.values[key] for key in ("result", "points") if key in row.values}
    if not wanted:
        return
    if report.result is None:
        raise _Failed(f"{name}after {report.moves} moves the game is not over")
    actual = {"result": sorted(report.result.winners), "points": dict(report.result.points)}
    if "result" in wanted and sorted(wanted["result"]) != actual["result"]:
        raise _Failed(f"{name}won by {' '.join(actual['result']) or 'nobody'}, {report.result.summary}")
    for role, number in wanted.get("points", {}).items():
        points = dict(report.result.points)
        if role not in points:
            raise _Failed(f"{name}there is no player {role}")
        if points[role] != number:
            raise _Failed(f"{name}{role} has {points[role]} points, not {number}")


def _ask_illegal(row: Row, timeout: float) -> None:
    replay = _replay(row)
    try:
        moves = parse_record(_NO_GAME + row.values["move"]).moves
    except UnreadableInput as error:
        raise _Failed(f"'move' cannot be read: {error.message}") from None
    if len(moves) != 1:
        raise _Failed(f"'move' has {len(moves)} moves, but one is wanted: role: action")
    violations, _ = replay.judge(moves[0].role, moves[0].action)
    rules = sorted({violation.rule for violation in violations})
    if not rules:
        raise _Failed(f"{row.values['move']} is legal")
    if rules != sorted(row.values["rules"]):
        wanted = " and ".join(sorted(row.values["rules"])) or "no rule"
        raise _Failed(f"{row.values['move']} breaks {' and '.join(rules)}, not {wanted}")


def _ask_valid(row: Row, timeout: float) -> None:
    broken = _broken_invariants(row)
    if broken:
        raise _Failed(f"it breaks {' and '.join(broken)}")


def _ask_invalid(row: Row, timeout: float) -> None:
    broken = _broken_invariants(row)
    if broken != sorted(row.values["breaks"]):
        names = " and ".join(broken) if broken else "no invariant"
        raise _Failed(f"it breaks {names}, not {' and '.join(sorted(row.values['breaks']))}")


def _broken_invariants(row: Row) -> list[str]:
    """The invariants that the position of a row breaks."""
    facts = parse_position(row.values["position"]).facts
    try:
        _game(row).position_of(fact.term for fact in facts)
    except InvalidPosition as error:
        return sorted({broken.invariant for broken in error.broken})
    return []


def _ask_find(row: Row, timeout: float) -> None:
    game, query = _game(row), row.values["query"]
    if "reachable" in row.values:
        reached = find_reachable(game, query, row.values["reachable"], timeout)
        answer = FOUND if reached.records else NONE
        shown = str(reached.records[0]) if reached.records else ""
    else:
        positions = game.find(query, timeout=timeout)
        answer = FOUND if positions else NONE
        shown = " ".join(f"{fact}." for fact in game.book.sort_facts(positions[0].facts)) if positions else ""
    if answer != row.answer:
        raise _Failed(f"found: {shown.strip()}" if shown else "there is none (proved)")


def _ask_prove(row: Row, timeout: float) -> None:
    game, claim = _game(row), row.values["claim"]
    is_query = claim.split(" ")[0] in ("never", "some")
    report = game.prove(() if is_query else [claim], claims=[claim] if is_query else (), timeout=timeout)
    proofs = [proof for proof in report.proofs if is_query or proof.claim == claim]
    if not proofs:
        raise WrongUsage(f"nothing is called {claim}")
    proof = proofs[-1]
    if proof.status == row.answer:
        return
    why = "; ".join(proof.notes)
    if proof.status not in (PROVED, FALLS):
        raise NotDecided(why or "the proof was not finished")
    example = next(iter(proof.counterexamples), None)
    moves = "" if example is None else ", ".join(f"{role}: {action}" for role, action in example.actions)
    at = "" if example is None else f" at {' '.join(f'{fact}.' for fact in example.facts)}"
    raise _Failed(f"{proof.status}{f' by {moves}' if moves else ''}{at}{f' ({why})' if why else ''}")


_ASK: Final[Mapping[str, Callable[[Row, float], None]]] = {
    "perft": _ask_perft,
    "legal": _ask_legal,
    "illegal": _ask_illegal,
    "valid": _ask_valid,
    "invalid": _ask_invalid,
    "find": _ask_find,
    "prove": _ask_prove,
}
"""The function that asks for a row of each kind."""


def rulebook_folder(name: str) -> Path:
    """The folder of a game that is named by its id, or by a folder."""
    from ..rules.library import folder_of, game_named

    game = game_named(name)
    return game if isinstance(game, Path) else folder_of(game)
