"""Queries: several different positions in which a query holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..errors import KaiserLogicError
from ..game import Game
from ..query.in_words import in_english
from ..query.listing import SYNTAX, examples, listed, suggestions
from ..query.mistakes import read_query
from ..rules.phrases import phrases
from .state import number_of, requested_game, text_of

MOST_ANSWERS: Final = 24
MOST_LETTERS: Final = 2_000
"""A longer query is cut off while it is being typed."""
SECONDS: Final = 60
"""The longest time for a query."""
_ORIGIN: Final = 10.0
"""The seconds for the question whether a game leads to an answer. Most searches end earlier, by their limit on effort."""


def found(data: Mapping[str, Any]) -> dict[str, Any]:
    """Valid positions in which a query holds. If there are none, that is proved; otherwise the answer is NotDecided."""
    game = requested_game(data)
    query = text_of(data, "query")
    count = number_of(data, "count", 1, MOST_ANSWERS)
    seconds = number_of(data, "seconds", SECONDS, SECONDS)
    result = game.find_result(query, max(1, count), timeout=max(1, seconds))
    known = number_of(data, "known", 0, MOST_ANSWERS)
    answers = []
    for number, position in enumerate(result.positions):
        data = {
            "origin": str(game.origin(position, timeout=_ORIGIN)) if number >= known else "",
            "because": result.because[number] if result.because[number:] else "",
            "differs": result.differs[number] if result.differs[number:] else "",
        }
        answers.append({"facts": game.book.ordered(position.facts), **data})
    return {
        "answers": answers,
        "exhausted": result.exhausted,
        "note": " ".join(filter(None, (result.note, result.reason))),
        "for": _presupposed(game),
    }


def written(data: Mapping[str, Any]) -> dict[str, Any]:
    """The meaning or the mistake of a query that is being typed, and the completions at the cursor."""
    ruleset = requested_game(data).ruleset
    query = text_of(data, "query")[:MOST_LETTERS]
    before = query[: number_of(data, "cursor", len(query), MOST_LETTERS)]
    words, wrong = "", ""
    if query.strip():
        try:
            read_query(query, ruleset)
            words = in_english(query, ruleset.book)
        except KaiserLogicError as error:
            wrong = str(error)
    following = [[s.text, s.shown, s.means, s.length] for s in suggestions(ruleset, before)]
    return {"words": words, "wrong": wrong, "following": following}


def how_written(data: Mapping[str, Any]) -> dict[str, Any]:
    """Help on queries: signs, examples, and all facts of a position with the values of their arguments."""
    ruleset = requested_game(data).ruleset
    changing, _ = listed(ruleset)
    facts = [[fact, reads, values] for fact, (reads, values) in changing.items()]
    return {"signs": SYNTAX, "examples": list(examples(ruleset.book).items()), "facts": facts}


def _presupposed(game: Game) -> str:
    """The conditions of the answer "none"."""
    words = phrases(game.book.folder)
    changed = "".join(f", {name}={value}" for name, value in game.configuration.changed)
    seats = ", ".join(map(words.phrase, game.seats))
    return f"{len(game.seats)} players: {seats}; edition {game.edition}{changed}; valid: breaks no invariant"
