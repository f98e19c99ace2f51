"""A place in a game, as a page sends it: tags, facts, and the simultaneous decisions already made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ..engine import symbols
from ..engine.ruleset import action_of
from ..errors import UnreadableInput, WrongUsage
from ..game import Game
from ..notation.record import Fact, Item, Move, PositionBlock, Record, Tag
from ..notation.syntax import parsed
from ..notation.terms import Term, has_unknown
from ..position import Position
from ..records.replay import FaultyRecord, Replay
from ..records.tags import game_of, refuse_outside

MOST_FACTS: Final = 5_000
"""The largest number of facts of a position."""
NO_BOARD: Final = "the record names the board file {name!r}: give that too, for the server opens no file that a record names"


class NoBoard(WrongUsage):
    """A record names a board file whose text is missing."""


@dataclass(frozen=True)
class State:
    """A place in a game.

    Attributes:
        tags: The record's tags, name and value.
        facts: The position.
        pending: The simultaneous decisions already made: role and action.
        board: The text of the board file that the tags name, or None.
    """

    tags: tuple[tuple[str, str], ...]
    facts: tuple[str, ...]
    pending: tuple[tuple[str, str], ...] = ()
    board: str | None = None

    @classmethod
    def of(cls, data: Any) -> State:
        """The place that JSON describes; WrongUsage if it describes none."""
        if not isinstance(data, dict):
            raise WrongUsage("a place in a game is an object with tags and facts")
        facts = strings(data.get("facts"), "facts", MOST_FACTS)
        made = pairs(data.get("pending", []), "pending")
        return cls(pairs(data.get("tags"), "tags"), facts, made, board_of(data))

    def record(self, *items: Item) -> Record:
        """A record that begins at this place and goes on with these items."""
        block = PositionBlock(tuple(Fact(term_of(fact)) for fact in self.facts))
        made = [Move(role, term_of(action)) for role, action in self.pending]
        return record_of_tags(self.tags, (block, *made, *items), self.board)

    def replay(self) -> Replay:
        """A replay at this place; FaultyRecord if the facts are no valid position."""
        return Replay.at(self.record())

    def position(self) -> Position:
        """The facts as a position, valid or not, which is only to be looked at; its seats are those that the facts state."""
        game, _ = game_of(self.record())
        terms = list(map(term_of, self.facts))
        for fact, term in zip(self.facts, terms, strict=True):
            if (term.name, len(term.args)) not in game.book.fluents:
                raise WrongUsage(f"{fact[:80]}: no such fact exists in this game")
        return Position(game.evaluator, frozenset(map(symbols.symbol, terms)))


def record_of_tags(
    tags: Sequence[tuple[str, str]], items: Sequence[Item] = (), board: str | None = None
) -> Record:
    """A record of these tags, with the text of the board file that they name; NoBoard if that is missing."""
    return with_board(Record(tuple(Tag(name, value) for name, value in tags), tuple(items)), board)


def with_board(record: Record, board: str | None) -> Record:
    """The record with the text of its board file; NoBoard if that file is missing."""
    if record.board is None:
        return record
    refuse_outside(record.board)
    if board is None:
        raise NoBoard(NO_BOARD.format(name=record.board[:80]))
    return replace(record, board_text=board)


def board_of(data: Mapping[str, Any]) -> str | None:
    """The text of the board file in a question; None if it is missing or empty."""
    return text_of(data, "board") if data.get("board") else None


def requested_game(data: Mapping[str, Any]) -> Game:
    """The game that the tags and the board of a question describe; FaultyRecord with the first fault, if there is one."""
    game, faults = game_of(record_of_tags(pairs(data.get("tags"), "tags"), (), board_of(data)))
    if faults:
        raise FaultyRecord(faults[:1])
    return game


def term_of(text: str) -> Term:
    """A fact or an action without unknown parts; WrongUsage if it contains a ``?``."""
    term = parsed(text)
    if has_unknown(term):
        raise WrongUsage(f"{text[:80]} contains a '?'")
    return term


def action_text(position: Position, action: Term) -> str:
    """An action as records write it, with its sets in order."""
    return symbols.text(action_of(position.ruleset, action))


def read_error(error: Exception) -> dict[str, Any]:
    """An error as an answer: its sentence, and its place in a text, if it has one."""
    data: dict[str, Any] = {"error": str(error) or type(error).__name__}
    if isinstance(error, NoBoard):
        data["wants"] = "board"
    if isinstance(error, UnreadableInput) and error.line:
        data |= {"line": error.line, "column": error.column}
    return data


# -- JSON ----------------------------------------------------------------------------------------------------


def strings(data: Any, name: str, most: int) -> tuple[str, ...]:
    """A list of texts."""
    if not isinstance(data, list) or not all(isinstance(one, str) for one in data):
        raise WrongUsage(f"{name} must be a list of texts")
    if len(data) > most:
        raise WrongUsage(f"more than {most} {name} are no position of any game")
    return tuple(data)


def pairs(data: Any, name: str) -> tuple[tuple[str, str], ...]:
    """A list of pairs of texts."""
    fine = isinstance(data, list) and all(
        isinstance(one, list) and len(one) == 2 and all(isinstance(part, str) for part in one) for one in data
    )
    if not fine:
        raise WrongUsage(f"{name} must be a list of pairs of texts")
    return tuple((one[0], one[1]) for one in data[:MOST_FACTS])


def text_of(data: Mapping[str, Any], name: str, default: str | None = None) -> str:
    """A text by its name."""
    value = data.get(name, default)
    if not isinstance(value, str):
        raise WrongUsage(f"{name} must be a text")
    return value


def number_of(data: Mapping[str, Any], name: str, default: int, most: int) -> int:
    """A whole number from 0 by its name."""
    value = data.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise WrongUsage(f"{name} must be a whole number from 0 to {most}")
    return value
