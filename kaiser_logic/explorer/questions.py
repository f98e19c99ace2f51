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
class QuestionKind:
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


QUESTIONS: Final[Mapping[str, QuestionKind]] = {
    "games": QuestionKind("record_handlers", "games"),
    "open": QuestionKind("record_handlers", "open_record", 60),
    "start": QuestionKind("record_handlers", "start_game", 60),
    "write": QuestionKind("record_handlers", "write_record", 60),
    "rearrange": QuestionKind("record_handlers", "rearrange_record", 60),
    "begin": QuestionKind("record_handlers", "begin_record"),
    "shorten": QuestionKind("short_links", "shorten", 60),
    "lengthen": QuestionKind("short_links", "lengthen", 60),
    "line": QuestionKind("record_handlers", "went_on"),
    "random": QuestionKind("record_handlers", "played_on", 60),
    "boards": QuestionKind("boards", "boards"),
    "legal": QuestionKind("action_handlers", "legal"),
    "touch": QuestionKind("action_handlers", "touches"),
    "preview": QuestionKind("action_handlers", "preview"),
    "whynot": QuestionKind("action_handlers", "why_not"),
    "legend": QuestionKind("boards", "legend"),
    "examples": QuestionKind("record_handlers", "examples"),
    "example": QuestionKind("record_handlers", "example"),
    "why": QuestionKind("action_handlers", "why"),
    "edit": QuestionKind("editing", "show_facts"),
    "trays": QuestionKind("editing", "trays"),
    "palette": QuestionKind("editing", "palette"),
    "spots": QuestionKind("editing", "spots"),
    "query": QuestionKind("query_handlers", "explain_query"),
    "queries": QuestionKind("query_handlers", "how_written"),
    "grep": QuestionKind("query_handlers", "find_in_record", 60),
    "find": QuestionKind("query_handlers", "find_positions", 75, long=True),
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
