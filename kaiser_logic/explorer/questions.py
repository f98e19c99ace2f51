"""The questions that a page may ask, each with its deadline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..answers.kinds import QuestionKind

QUESTIONS: Final[Mapping[str, QuestionKind]] = {
    "games": QuestionKind(".answers.handlers", "games"),
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
