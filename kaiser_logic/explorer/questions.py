"""The questions that a page may ask, each with its deadline, and the conversion of errors to answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..errors import KaiserLogicError, NotDecided
from .state import read_error

Answer = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """Something that a page may ask.

    Attributes:
        module: The module that answers; loaded in the child when it is first asked.
        function: Its function, from the page's JSON to the answer's.
        seconds: The deadline.
        long: Whether it may take so long that few are answered at once, apart from all others.
    """

    module: str
    function: str
    seconds: float = 20.0
    long: bool = False


QUESTIONS: Final[Mapping[str, Question]] = {
    "games": Question("record_handlers", "games"),
    "open": Question("record_handlers", "opened", 60),
    "start": Question("record_handlers", "started", 60),
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
    "edit": Question("editing", "edited"),
    "trays": Question("editing", "trays"),
    "palette": Question("editing", "palette"),
    "spots": Question("editing", "spots"),
    "query": Question("query_handlers", "written"),
    "queries": Question("query_handlers", "how_written"),
    "find": Question("query_handlers", "found", 75, long=True),
}
"""By the name that the page uses."""


def answered(call: Callable[[Mapping[str, Any]], Answer], data: Any) -> tuple[int, bytes]:
    """Calls a function and returns the HTTP status and the JSON, also for errors."""
    try:
        if not isinstance(data, dict):
            return 422, encoded({"error": "a request is an object"})
        return 200, encoded(call(data))
    except NotDecided as error:
        return 422, encoded({"error": f"not decided: {error}", "open": True})
    except KaiserLogicError as error:
        return 422, encoded(read_error(error))
    except RecursionError:
        return 422, encoded({"error": "this is nested too deeply"})


def encoded(answer: Any) -> bytes:
    """JSON in UTF-8; what cannot be a text of UTF-8 is replaced."""
    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")
