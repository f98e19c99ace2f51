"""Many questions, made from valid ones: each is answered, and most pass the first check."""

import json
from collections import Counter

import pytest
from support.heap_game import FOLDER, variant
from support.question_grammar import editor_messages, questions, refused_by_reader
from support.raw_editor import RawEditor

from kaiser_logic.answers import worker


@pytest.mark.slow
@pytest.mark.parametrize(
    ("of", "table"), [("explorer", "kaiser_logic.explorer.questions"), ("assistant", "kaiser_logic.answers.questions")]
)
def test_every_question_is_answered(monkeypatch, of, table):
    """No internal error, no error without a sentence. The servers' child processes call the same function."""
    monkeypatch.setenv("KAISER_LOGIC_GAMES", str(FOLDER.parent))
    monkeypatch.setattr("signal.setitimer", lambda *_: None)  # the deadline counts seconds of the clock
    seen = Counter[str]()
    for kind, data in questions(of, 150, 11):
        status, body = worker.answer_to(json.dumps({"ask": kind, "data": data}).encode(), table)
        answer = json.loads(body)
        assert status in (200, 422), (kind, data, answer)
        assert status == 200 or answer["error"], (kind, data)
        assert status == 422 or "asked" in answer, kind
        seen["good" if status == 200 else "first" if refused_by_reader(answer["error"]) else "later"] += 1
    assert seen["first"] < 0.3 * seen.total(), seen
    assert seen["good"] > 0.5 * seen.total(), seen
    assert min(seen["first"], seen["later"]) > 0, seen


@pytest.mark.slow
def test_every_request_of_an_editor_is_answered(tmp_path):
    """No internal error is answered, shown or logged, and the server ends as it should."""
    pytest.importorskip("pygls", reason="the extra [lsp] is not installed")
    server = RawEditor(tmp_path)
    server.start(tmp_path)
    seen = Counter[int]()
    for message in editor_messages(variant(tmp_path, {}), 200, 11):
        if "id" not in message:
            server.send(message)
            continue
        answer, told = server.answer(message)
        assert "Error in server" not in str(told)
        seen[answer.get("error", {"code": 0})["code"]] += 1
    assert set(seen) <= {0, -32600, -32601, -32602}, seen
    assert seen[0] > 0.6 * seen.total(), seen
    server.answer({"id": "end", "method": "shutdown"})
    server.send({"method": "exit"})
    assert server.end() == (0, b"")
