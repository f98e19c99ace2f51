"""The questions that an assistant may ask, each with a time limit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..explorer.questions import Question

MOST_SECONDS: Final = 120
"""The longest time limit in seconds for a question about all positions."""

QUESTIONS: Final[Mapping[str, Question]] = {
    "games": Question("answers", "games"),
    "rules": Question("answers", "rules"),
    "legal": Question("answers", "legal", 60),
    "why": Question("answers", "why", 60),
    "check": Question("answers", "check", 60),
    "find": Question("answers", "find", MOST_SECONDS + 30, long=True),
    "prove": Question("answers", "prove", MOST_SECONDS + 30, long=True),
    "compare": Question("answers", "compare", MOST_SECONDS + 30, long=True),
}
"""The questions by the names of the tools."""
