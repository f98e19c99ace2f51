"""The questions that an assistant may ask, each with a time limit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..explorer.questions import QuestionKind

MOST_SECONDS: Final = 120
"""The longest time limit in seconds for a question about all positions."""

QUESTIONS: Final[Mapping[str, QuestionKind]] = {
    "games": QuestionKind("answers", "games"),
    "rules": QuestionKind("answers", "rules"),
    "legal": QuestionKind("answers", "legal", 60),
    "why": QuestionKind("answers", "why", 60),
    "check": QuestionKind("answers", "check", 60),
    "grep": QuestionKind("answers", "grep", 60),
    "find": QuestionKind("answers", "find", MOST_SECONDS + 30, long=True),
    "prove": QuestionKind("answers", "prove", MOST_SECONDS + 30, long=True),
    "compare": QuestionKind("answers", "compare", MOST_SECONDS + 30, long=True),
}
"""The questions by the names of the tools."""
