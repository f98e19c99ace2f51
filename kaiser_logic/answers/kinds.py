"""Kinds of questions, and answers as JSON, also of errors."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..errors import KaiserLogicError, NotDecided, UnreadableInput
from .question_reader import Answer
from .recorded import NoBoard


@dataclass(frozen=True)
class QuestionKind:
    """A kind of question that a page or an assistant may ask.

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

    def handler(self, table: str) -> Any:
        """The `Handler`; ``table``: the module with the table of questions, from whose folder ``module`` is named."""
        return getattr(importlib.import_module(f".{self.module}", table.rpartition(".")[0]), self.function)


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


def read_error(error: Exception) -> dict[str, Any]:
    """An error as an answer: its sentence, and its place in a text, if it has one."""
    data: dict[str, Any] = {"error": str(error) or type(error).__name__}
    if isinstance(error, NoBoard):
        data["wants"] = "board"
    if isinstance(error, UnreadableInput) and error.line:
        data |= {"line": error.line, "column": error.column}
    return data
