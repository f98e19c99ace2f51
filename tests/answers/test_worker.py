"""The child process that answers questions."""

import json
import re
from typing import Any

import pytest
from support.places import GAMES, place

from kaiser_logic.answers import kinds, worker
from kaiser_logic.explorer import questions
from kaiser_logic.explorer.questions import QUESTIONS


@pytest.fixture(autouse=True)
def no_alarm(monkeypatch):
    """The deadline counts seconds of the clock, and would end this process."""
    monkeypatch.setattr("signal.setitimer", lambda *_: None)


def asked(name: str, data: Any) -> tuple[int, Any]:
    """The status and the answer to a question."""
    status, body = worker.answer_to(json.dumps({"ask": name, "data": data}).encode(), questions.__name__)
    return status, json.loads(body)


@pytest.mark.parametrize("name", sorted(set(QUESTIONS) - {"games", "examples"}))
@pytest.mark.parametrize("data", [None, [], {}, {"tags": 1, "text": 1}, {"tags": [["Game", "chess"]], "facts": ["a"]}])
def test_no_question_causes_an_internal_error(name, data):
    status, answer = asked(name, data)
    assert status == 422
    assert answer["error"]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_large_numbers_are_judged_or_refused(name, moves):
    here = place(name, moves)
    for number, fact in enumerate(here["facts"]):
        other = re.sub(r"(?<![a-z_\d])\d+", "999999999", fact)
        if other == fact or number % 20:
            continue
        facts = [*here["facts"][:number], other, *here["facts"][number + 1 :]]
        for question, data in (
            ("boards", {"tags": here["tags"], "states": [{"facts": facts}]}),
            ("edit", {"tags": here["tags"], "text": ". ".join(facts) + "."}),
            ("legal", {**here, "facts": facts}),
        ):
            assert asked(question, data)[0] in (200, 422), (question, other)


@pytest.mark.parametrize(
    ("error", "status", "text"),
    [(MemoryError(), 503, "memory"), (RuntimeError("std::bad_alloc"), 503, "memory"), (KeyError("x"), 500, "internal")],
)
def test_errors_are_sentences(monkeypatch, error, status, text):
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(worker, "answer_call", fail)
    found, answer = asked("games", {})
    assert found == status
    assert text in answer["error"]
    assert "Traceback" not in answer["error"]


def test_deep_recursion_is_refused():
    def deep(data: Any) -> dict[str, Any]:
        return deep(data)

    status, body = kinds.answer_call(deep, {})
    assert status == 422
    assert b"deeply" in body
