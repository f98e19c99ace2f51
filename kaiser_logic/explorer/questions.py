"""The questions that a page may ask, each with its deadline, and the conversion of errors to answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..errors import KaiserLogicError, NotDecided
from .question_reader import Answer
from .state import read_error


@dataclass(frozen=True)
class Question:
    """A kind of question that a page may ask.

    Attributes:
        module: The module that answers it. A child process loads it at the first such question.
        function: Its `Handler`, from the JSON of the question to that of the answer.
        seconds: The deadline.
        long: Whether it may take long. Few long questions are answered at once, in processes of their own.
    """

    module: str
    function: str
    seconds: float = 20.0
    long: bool = False


QUESTIONS: Final[Mapping[str, Question]] = {
    "games": Question("record_handlers", "games"),
    "open": Question("record_handlers", "open_record", 60),
    "start": Question("record_handlers", "start_game", 60),
    "write": Question("record_handlers", "write_record", 60),
    "begin": Question("record_handlers", "begin_record"),
    "line": Question("record_handlers", "went_on"),
    "random": Question("record_handlers", "played_on", 60),
    "boards": Question("boards", "boards"),
    "legal": Question("action_handlers", "legal"),
    "touch": Question("action_handlers", "touches"),
    "preview": Question("action_handlers", "preview"),
    "whynot": Question("action_handlers", "why_not"),
    "legend": Question("boards", "legend"),
    "examples": Question("record_handlers", "examples"),
    "example": Question("record_handlers", "example"),
    "why": Question("action_handlers", "why"),
    "edit": Question("editing", "show_facts"),
    "trays": Question("editing", "trays"),
    "palette": Question("editing", "palette"),
    "spots": Question("editing", "spots"),
    "query": Question("query_handlers", "explain_query"),
    "queries": Question("query_handlers", "how_written"),
    "find": Question("query_handlers", "find_positions", 75, long=True),
}
"""The questions by the names that the page uses."""


def answer_call(call: Callable[[Any], Answer], data: Any) -> tuple[int, bytes]:
    """Calls a function and returns the HTTP status and the JSON of the answer, or of its error."""
    try:
        return 200, encode(call(data))
    except NotDecided as error:
        return 422, encode({"error": f"not decided: {error}", "open": True})
    except KaiserLogicError as error:
        return 422, encode(read_error(error))
    except RecursionError:
        return 422, encode({"error": "this is nested too deeply"})


def encode(answer: Any) -> bytes:
    """JSON in UTF-8; characters that UTF-8 cannot encode are replaced."""
    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")
