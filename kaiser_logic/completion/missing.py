"""Guesses which move is missing before a move out of turn, or whose move it is.

This is a small version of filling a gap. The moves that could be missing are tried one by one, first a single move and
then two; the next moves of the record must then be legal. The effort is a number of positions, so the result does not
depend on the speed of the machine. If nothing is found, that proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import Final, TypeAlias

from ..engine import symbols
from ..errors import KaiserLogicError, NotDecided
from ..lang.unification import label, unify
from ..notation.record import Move, Record
from ..notation.terms import has_unknown
from ..position import Position
from ..records.checking import Report
from ..records.replay import Replay
from ..rules.phrases import phrases

_MOST_MISSING: Final = 2
"""The largest number of decisions that are tried one after the other."""
_POSITIONS: Final = 400
"""The largest number of positions that are tried."""
_FOLLOWING: Final = 3
"""The number of moves of the record that must be legal after the missing ones."""
_Filling: TypeAlias = "tuple[Mapping[str, str], ...]"


def with_missing(report: Report, record: Record) -> Report:
    """The report, with a note at its first fault if a missing move explains that fault.

    Args:
        report: The report of the check.
        record: The record, with the rules under which it was checked.
    """
    faults = list(report.faults)
    number, first = next(((n, f) for n, f in enumerate(faults) if f.moves is not None), (0, None))
    if first is None or first.moves is None or first.note:
        return report
    note = missing_before(record, first.moves, searched=first.role is not None)
    faults[number] = replace(first, note=note)
    return replace(report, faults=tuple(faults)) if note else report


def missing_before(record: Record, moves: int, searched: bool = True) -> str:
    """Describes what is missing before the next move of a record; empty if nothing is found.

    Args:
        record: The record. All moves before that one are legal.
        moves: The number of moves before it.
        searched: Whether to search for the missing move. Otherwise the result only names the roles that have not decided yet
            in a simultaneous decision.
    """
    try:
        replay = Replay.at(record, moves)
    except KaiserLogicError:
        return ""
    position, following = replay.here(), record.moves[moves : moves + _FOLLOWING]
    if replay.pending:
        absent = [role for role in position.decisions if role not in replay.pending]
        later = {move.role for move in following}
        return "" if not following or later & set(absent) else _missing_moves(position, absent)
    if not searched or not following or not _out_of_turn(position, following[0]):
        return ""
    ways = list(islice(_fillings(position, following), 2))
    if not ways or ways[0] is None:
        return _legal_for_other_role(position, following)
    shown = "  ".join(f"{role}: {action}" for taken in ways[0] for role, action in taken.items())
    lacking = _missing_moves(position, [role for taken in ways[0] for role in taken])
    return f"{lacking}{':' if len(ways) == 1 else ', such as'} {shown}"


def _missing_moves(position: Position, roles: Sequence[str]) -> str:
    """The message that a move of each of these roles is missing."""
    whose = _role_names(position, roles)
    return f"a move of {whose} is missing here" if len(roles) == 1 else f"moves of {whose} are missing here"


def _role_names(position: Position, roles: Sequence[str]) -> str:
    """The roles in words, each only once."""
    return " and ".join(map(phrases(position.ruleset.book.folder).phrase, dict.fromkeys(roles)))


def _legal_for_other_role(position: Position, following: Sequence[Move]) -> str:
    """The message that the next moves would be legal if another role, the only one that decides, made the first of them."""
    if len(position.decisions) > 1 or following[0].role in position.decisions:
        return ""
    (role,) = position.decisions
    fits = _fits(position, [replace(following[0], role=role), *following[1:]])
    return f"it would be legal as a move of {_role_names(position, [role])}" if fits else ""


def _out_of_turn(position: Position, move: Move) -> bool:
    """Whether a move answers none of the pending decisions. False if no decision is pending, or action or role are unknown."""
    if not position.decisions or move.action is None or move.role not in position.ruleset.roles:
        return False
    decided = position.decisions.get(move.role)
    return decided is None or not _names_action_of(position, move.action.name, decided)


def _names_action_of(position: Position, name: str, decided: str) -> bool:
    """Whether actions of this name answer a decision; also True if the game has no such actions."""
    kinds = [kind for kind in position.ruleset.book.kinds if label(kind.action) == name]
    pattern = symbols.term_of(symbols.read_symbol(decided))
    return not kinds or any(unify(kind.decision, pattern, {}) is not None for kind in kinds)


def _fillings(position: Position, following: Sequence[Move]) -> Iterator[_Filling | None]:
    """The moves that can be missing before the next ones, the shortest sequences first; None at last if others were not tried."""
    nodes: list[tuple[_Filling, Position]] = [((), position)]
    seen = 0
    for _ in range(_MOST_MISSING):
        reached: list[tuple[_Filling, Position]] = []
        for before, current in nodes:
            for taken in _choices(current):
                seen += 1
                if seen > _POSITIONS:
                    yield None
                    return
                successor = current.apply(taken)
                moves = (*before, taken)
                if _fits(successor, following):
                    yield moves
                elif _out_of_turn(successor, following[0]):
                    reached.append((moves, successor))
        nodes = reached


def _choices(position: Position) -> Iterator[dict[str, str]]:
    """All combinations of actions that can be chosen now."""
    try:
        legal = position.legal()
    except NotDecided:
        return
    for actions in product(*legal.values()):
        yield dict(zip(legal, actions, strict=True))


def _fits(position: Position, following: Sequence[Move]) -> bool:
    """Whether the moves are legal one after the other. Simultaneous moves are only judged one by one."""
    for move in following:
        if move.action is None or has_unknown(move.action):
            return True
        if not position.is_legal(move.role, str(move.action)):
            return False
        if len(position.decisions) > 1:
            return True
        position = position.apply({move.role: str(move.action)})
        if not position.decisions:
            return True
    return True
