"""A place in a game, as a page sends it: tags, facts, and the simultaneous decisions already made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from ..answers.question_reader import Most, NotRepeated
from ..answers.recorded import term_of, with_board
from ..engine import symbols
from ..errors import WrongUsage
from ..game import Game
from ..notation.record import Item, Move, PositionBlock, Record, RecordedFact, Tag
from ..position import Position
from ..records.replay import FaultyRecord, Replay
from ..records.tags import game_of
from ..rules.phrases import Phrases, phrases
from ..rules.rulebook import Rulebook

MOST_FACTS: Final = 5_000
"""The largest number of facts of a position."""
Tags = Annotated[tuple[tuple[str, str], ...], Most(MOST_FACTS)]
Texts = Annotated[tuple[str, ...], Most(MOST_FACTS), NotRepeated]
Moves = Annotated[tuple[tuple[str, str], ...], Most(MOST_FACTS)]
PlacedPieces = Annotated[dict[str, tuple[str, str, str, int]] | None, NotRepeated]
"""Place to sort, owner, label and number of the piece there, from an earlier answer."""


@dataclass(frozen=True, kw_only=True)
class RequestedGame:
    """A game that tags describe.

    Attributes:
        tags: The record's tags, name and value.
        board: The text of the board file that the tags name; None or empty for none.
    """

    tags: Tags
    board: Annotated[str | None, NotRepeated] = None

    def game(self) -> Game:
        """The game; FaultyRecord with the first fault of the tags, if there is one."""
        game, faults = game_of(record_of_tags(self.tags, (), self.board))
        if faults:
            raise FaultyRecord(faults[:1])
        return game


@dataclass(frozen=True, kw_only=True)
class State(RequestedGame):
    """A place in a game.

    Attributes:
        facts: The position.
        pending: The simultaneous decisions already made: role and action.
        deal: The pieces at their places on the page; they keep them in pictures.
    """

    facts: Texts
    pending: Moves = ()
    deal: PlacedPieces = None

    def record(self, *items: Item) -> Record:
        """A record that begins at this place and goes on with these items."""
        block = PositionBlock(tuple(RecordedFact(term_of(fact)) for fact in self.facts))
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


def record_of_tags(tags: Sequence[tuple[str, str]], items: Sequence[Item] = (), board: str | None = None) -> Record:
    """A record of these tags, with the text of the board file that they name; NoBoard if that is missing."""
    return with_board(Record(tuple(Tag(name, value) for name, value in tags), tuple(items)), board)


def facts_in_words(words: Phrases, facts: Sequence[str]) -> dict[str, str]:
    """The words of facts."""
    return {fact: words.fact(fact) for fact in facts}


def with_words(book: Rulebook, broken: dict[str, Any]) -> dict[str, Any]:
    """A broken rule in the form of all answers, with ``words``: those of its facts, and of its rulings as ``NAME=VALUE``."""
    words = facts_in_words(phrases(book.folder), [*broken["facts"], *broken["absent"]])
    for name, value in broken["rulings"].items():
        if name in book.rulings:
            words[f"{name}={value}"] = book.rulings[name].values[value]
    return {**broken, "words": words}
