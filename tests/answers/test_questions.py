"""Questions of the page and of an assistant, and what their answers have: the rows of `questions.cases`.

A row has the question, what it has beside its arguments (`GIVEN`), the arguments, and a part of the answer
(`support.patterns`). `@FILE` is the text of an example, `facts+` and `facts-` are facts more and fewer, `text+` is behind
the facts as a text.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from support.patterns import fits
from support.question_grammar import asked
from support.tables import rows

from kaiser_logic.answers import handlers
from kaiser_logic.answers import questions as tools
from kaiser_logic.answers.question_reader import Handler, schema
from kaiser_logic.errors import KaiserLogicError
from kaiser_logic.explorer import questions


def handler(name: str, of: str) -> Handler[Any]:
    """The function that answers a question of the page or a tool of the assistant."""
    table = tools if of == "assistant" else questions
    found = table.QUESTIONS[name].handler(table.__name__)
    assert isinstance(found, Handler)
    return found


@pytest.fixture(autouse=True)
def _the_heap_game_can_be_named(monkeypatch):
    monkeypatch.setenv("KAISER_LOGIC_GAMES", str(Path(__file__).parents[1] / "support"))


ROWS = [
    *rows("answers/questions", "answered"),
    *(pytest.param(*row.values, id=row.id, marks=pytest.mark.slow) for row in rows("answers/questions", "slowly")),
]


@pytest.mark.parametrize(("of", "name", "given", "data", "expected"), ROWS)
def test_an_answer_has_its_parts(of, name, given, data, expected):
    found = json.loads(json.dumps(handler(name, of)(asked(given, data))))
    assert fits(json.loads(expected), found), found


@pytest.mark.parametrize(("of", "name", "given", "data", "message"), rows("answers/questions", "refused"))
def test_what_is_not_read_is_told(of, name, given, data, message):
    with pytest.raises(KaiserLogicError) as caught:
        handler(name, of)(asked(given, data.replace('"MANY"', json.dumps(["f"] * 5001))))
    assert message in str(caught.value)


def test_every_schema_is_closed():
    for name in tools.QUESTIONS:
        found = schema(handler(name, "assistant").kind)
        assert found["additionalProperties"] is False, name
        assert all(part.get("description") for part in found["properties"].values()), name
    found = schema(handler("prove", "assistant").kind)["properties"]
    assert found["claims"]["anyOf"] == [
        {"type": "array", "items": {"type": "string"}, "maxItems": handlers.MOST_CLAIMS},
        {"type": "null"},
    ]
    assert found["seconds"] | {"description": ""} == {
        "type": "integer", "minimum": 1, "maximum": 120, "default": 60, "description": "",
    }  # fmt: skip
