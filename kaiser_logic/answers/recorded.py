"""Records and terms as questions give them: nothing that a record names is opened."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..engine import symbols
from ..engine.ruleset import action_of
from ..errors import UnreadableInput, WrongUsage
from ..notation.record import Record
from ..notation.syntax import parse_move, parse_user_term
from ..notation.terms import Term, has_unknown
from ..position import Position
from ..records.tags import refuse_outside
from ..rules.names import how_written
from ..rules.rulebook import Rulebook

NO_BOARD: Final = (
    "the record names the board file {name!r}: give that too, for the server opens no file that a record names"
)


class NoBoard(WrongUsage):
    """A record names a board file whose text is missing."""


def with_board(record: Record, board: str | None) -> Record:
    """The record with the text of its board file; NoBoard if that file is missing. An empty text counts as missing."""
    if record.board is None:
        if board:
            raise WrongUsage("a board file is given, and the record names none: it needs the tag Board")
        return record
    refuse_outside(record.board)
    if not board:
        raise NoBoard(NO_BOARD.format(name=record.board[:80]))
    return replace(record, board_text=board)


def term_of(text: str) -> Term:
    """A fact or an action without unknown parts; WrongUsage if it contains a ``?``."""
    term = parse_user_term(text)
    if has_unknown(term):
        raise WrongUsage(f"{text[:80]} contains a '?'")
    return term


def read_move(text: str, book: Rulebook) -> tuple[str, Term]:
    """The role and the action of a typed move; WrongUsage, with a hint, if it is none or contains a ``?``."""
    try:
        move = parse_move(text)
    except UnreadableInput as error:
        hint = how_written(book.folder, text[:200])
        raise WrongUsage(f"{text[:80]!r} is no move 'ROLE: ACTION': {error.message}{hint}") from None
    if move.action is None or "?" in str(move.action):
        raise WrongUsage("the action must not contain a '?'")
    return move.role, move.action


def action_text(position: Position, action: Term) -> str:
    """An action as records write it, with its sets in order."""
    return symbols.text(action_of(position.ruleset, action))
