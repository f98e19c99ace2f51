"""Queries: several different positions in which a query holds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

from ..answers.handlers import matches_answer
from ..answers.question_reader import Handler, NumberLimits
from ..errors import KaiserLogicError
from ..game import Game
from ..notation.record import Item, Move, Record
from ..notation.syntax import parse_move
from ..play.sampled import sampled_position
from ..query.in_words import in_english
from ..query.listing import SYNTAX, examples, list_predicates, suggestions
from ..query.mistakes import read_query
from ..records.grep import search_line
from ..records.replay import Replay
from ..rules.phrases import phrases
from .record_handlers import OpenQuestion
from .state import MOST_FACTS, Moves, RequestedGame, record_of_tags

MOST_ANSWERS: Final = 24
MOST_LETTERS: Final = 2_000
"""A longer query is not read while it is being typed."""
SECONDS: Final = 60
"""The longest time for a query."""
_ORIGIN: Final = 10.0
"""The seconds for the question whether a game leads to an answer. Most searches end earlier, by their limit on effort."""


@dataclass(frozen=True, kw_only=True)
class FindQuestion(RequestedGame):
    """A query.

    Attributes:
        query: The query.
        count: The largest number of answers.
        seconds: The time limit in seconds.
        known: The number of answers whose origin the page knows already.
    """

    query: str
    count: Annotated[int, NumberLimits(1, MOST_ANSWERS)] = 1
    seconds: Annotated[int, NumberLimits(1, SECONDS)] = SECONDS
    known: Annotated[int, NumberLimits(0, MOST_ANSWERS)] = 0


@Handler
def find_positions(question: FindQuestion) -> dict[str, Any]:
    """Valid positions in which a query holds. If there are none, that is proved; otherwise the answer is NotDecided.

    The first one comes from a random game, with the game, if a few of them have one. The others are the solver's.
    """
    game = question.game()
    answers: list[dict[str, Any]] = []
    conditions, sampled = _conditions_of(game), sampled_position(game, question.query)
    if sampled is not None:
        tags = [tag for tag in question.tags if tag[0] != "Result"]
        answers.append(
            {
                "facts": game.book.sort_facts(sampled.match.position.facts),
                "origin": "" if question.known else str(sampled.origin),
                "because": sampled.because,
                "differs": "",
                "game": str(record_of_tags(tags, sampled.match.moves, question.board)),
            }
        )
        if question.count == 1:
            return {"answers": answers, "all": False, "note": "", "for": conditions}
    result = game.find_result(question.query, question.count - len(answers), timeout=question.seconds)
    before = len(answers)
    for number, position in enumerate(result.positions):
        data = {
            "origin": str(game.origin(position, timeout=_ORIGIN)) if number + before >= question.known else "",
            "because": result.because[number] if result.because[number:] else "",
            "differs": result.differs[number] if result.differs[number:] else "",
        }
        answers.append({"facts": game.book.sort_facts(position.facts), **data})
    return {
        "answers": answers,
        "all": result.exhausted,
        "note": " ".join(filter(None, (result.note, result.reason))),
        "for": conditions,
    }


@dataclass(frozen=True, kw_only=True)
class TypedQuery(RequestedGame):
    """A query that is being typed.

    Attributes:
        query: What is typed.
        cursor: The number of letters before the cursor; by default all.
    """

    query: str
    cursor: Annotated[int | None, NumberLimits(0, MOST_LETTERS)] = None


@Handler
def explain_query(question: TypedQuery) -> dict[str, Any]:
    """The meaning or the mistake of a query that is being typed, and the completions at the cursor."""
    ruleset = question.game().ruleset
    query = question.query
    if len(query) > MOST_LETTERS:
        wrong = f"a query that is being typed is read up to {MOST_LETTERS} letters"
        return {"words": "", "wrong": wrong, "following": []}
    before = query[: question.cursor]
    words, wrong = "", ""
    if query.strip():
        try:
            read_query(query, ruleset)
            words = in_english(query, ruleset.book)
        except KaiserLogicError as error:
            wrong = str(error)
    following = [[s.text, s.shown, s.means, s.length] for s in suggestions(ruleset, before)]
    return {"words": words, "wrong": wrong, "following": following}


@Handler
def how_written(question: RequestedGame) -> dict[str, Any]:
    """Help on queries: signs, examples, and all facts of a position with the values of their arguments."""
    ruleset = question.game().ruleset
    changing, _ = list_predicates(ruleset)
    facts = [[fact, reads, values] for fact, (reads, values) in changing.items()]
    return {"signs": SYNTAX, "examples": list(examples(ruleset.book).items()), "facts": facts}


@dataclass(frozen=True, kw_only=True)
class GrepQuestion(OpenQuestion):
    """A query that is asked at every position of a record.

    Attributes:
        query: The query.
        line: Role and action of each move from the start of the record to the end of the line that the page shows; None for
            the record's own moves.
    """

    query: str
    line: Moves | None = None


@Handler
def find_in_record(question: GrepQuestion) -> dict[str, Any]:
    """The positions of a recorded game in which a query holds, each by the number of moves before it."""
    record = question.record()
    if question.line is not None:
        record = _on_line(record, question.line)
    replay = Replay(record, question.illegal)
    return matches_answer(search_line(replay, question.query, name="the record"), MOST_FACTS)


def _on_line(record: Record, line: Moves) -> Record:
    """The record with the moves of a line. It keeps what stands between its own moves, as long as the line follows them."""
    kept: list[Item] = []
    left = list(line)
    for item in record.items:
        if isinstance(item, Move):
            if not left or left[0] != (item.role, "?" if item.action is None else str(item.action)):
                break
            del left[0]
        kept.append(item)
    return replace(record, items=(*kept, *(parse_move(f"{role}: {action}") for role, action in left)))


def _conditions_of(game: Game) -> str:
    """The conditions of the answer "none"."""
    words = phrases(game.book.folder)
    changed = "".join(f", {name}={value}" for name, value in game.configuration.changed)
    seats = ", ".join(map(words.phrase, game.seats))
    return f"{len(game.seats)} players: {seats}; edition {game.edition}{changed}; valid: breaks no invariant"
