"""Many questions, made from valid ones: each is answered, and most pass the first check."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from support.heap_game import FOLDER
from support.question_grammar import Question, page_questions, refused_by_reader, tool_questions

from kaiser_logic.answers import worker


@pytest.mark.slow
@pytest.mark.parametrize(
    ("questions", "table"),
    [
        (page_questions, "kaiser_logic.explorer.questions"),
        (tool_questions, "kaiser_logic.answers.questions"),
    ],
    ids=["page", "assistant"],
)
def test_every_question_is_answered(
    monkeypatch: pytest.MonkeyPatch, questions: Callable[[int, int], Iterator[Question]], table: str
) -> None:
    """No internal error, no error without a sentence. The servers' child processes call the same function."""
    monkeypatch.setenv("KAISER_LOGIC_GAMES", str(FOLDER.parent))
    monkeypatch.setattr("signal.setitimer", lambda *_: None)  # the deadline counts seconds of the clock
    seen = Counter[str]()
    for kind, data in questions(150, 11):
        status, body = worker.answer_to(json.dumps({"ask": kind, "data": data}).encode(), table)
        answer = json.loads(body)
        assert status in (200, 422), (kind, data, answer)
        assert status == 200 or answer["error"], (kind, data)
        assert status == 422 or "asked" in answer, kind
        seen["good" if status == 200 else "first" if refused_by_reader(answer["error"]) else "later"] += 1
    assert seen["first"] < 0.3 * seen.total(), seen
    assert seen["good"] > 0.5 * seen.total(), seen
    assert min(seen["first"], seen["later"]) > 0, seen
