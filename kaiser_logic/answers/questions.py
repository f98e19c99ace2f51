"""The questions that an assistant may ask, each with a time limit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .kinds import QuestionKind

MOST_SECONDS: Final = 120
"""The longest time limit in seconds for a question about all positions."""

QUESTIONS: Final[Mapping[str, QuestionKind]] = {
    "games": QuestionKind("handlers", "games"),
    "rules": QuestionKind("handlers", "rules"),
    "legal": QuestionKind("handlers", "legal", 60),
    "why": QuestionKind("handlers", "why", 60),
    "check": QuestionKind("handlers", "check", 60),
    "grep": QuestionKind("handlers", "grep", 60),
    "find": QuestionKind("handlers", "find", MOST_SECONDS + 30, long=True),
    "prove": QuestionKind("handlers", "prove", MOST_SECONDS + 30, long=True),
    "compare": QuestionKind("handlers", "compare", MOST_SECONDS + 30, long=True),
}
"""The questions by the names of the tools."""
