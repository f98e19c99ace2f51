"""The strict reader of questions: what it refuses, in which words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.places import place
from support.tables import rows

from kaiser_logic.answers import handlers
from kaiser_logic.answers import questions as tools
from kaiser_logic.answers.question_reader import Handler, read_json, schema
from kaiser_logic.errors import WrongUsage
from kaiser_logic.explorer import questions

HERE = place("games/four-players.game", 60)
TAGS = [["Game", "kaiser"]]
START = '[Game "kaiser"]\n'
GIVEN: dict[str, dict[str, Any]] = {
    "-": {}, "here": HERE, "facts": {"tags": TAGS, "facts": HERE["facts"]}, "tags": {"tags": TAGS},
    "text": {"text": START}, "record": {"record": START}, "game": {"game": "kaiser"},
}  # fmt: skip
"""What a row of the table takes beside its arguments."""


def handler(name: str, *, of: str = "explorer") -> Handler[Any]:
    """The function that answers a question of the page or a tool of the assistant."""
    table = tools if of == "assistant" else questions
    found = table.QUESTIONS[name].handler(table.__name__)
    assert isinstance(found, Handler)
    return found


@pytest.mark.parametrize(
    ("of", "name", "given", "data", "message"), rows(Path(__file__).with_name("questions.cases"), "refused")
)
def test_what_is_not_read_is_told(of: str, name: str, given: str, data: str, message: str) -> None:
    asked = json.loads(data)
    if isinstance(asked, dict):
        asked = GIVEN[given] | asked | ({"facts": ["f"] * 5001} if asked.get("facts") == "MANY" else {})
    with pytest.raises(WrongUsage) as caught:
        handler(name, of=of)(asked)
    assert message in str(caught.value)


def test_an_answer_repeats_the_question() -> None:
    asked = handler("query")({"tags": TAGS, "query": "emperor(red)"})["asked"]
    assert asked == {"tags": (("Game", "kaiser"),), "query": "emperor(red)", "cursor": None}
    answer = handler("check", of="assistant")({"record": START})
    assert answer["asked"] == {"on_illegal": "stop"}
    assert answer["for"]["seats"] == ["red", "green", "blue", "yellow"]
    sources = handler("rules", of="assistant")({"game": "kaiser", "edition": "nl"})["rules"]
    assert any(set(rule["sources"]) == {"nl"} for rule in sources), "the edition is not ignored"


def test_tags_that_a_new_game_does_not_know_are_kept() -> None:
    tags = [*TAGS, ["Event", "A game"], ["Red", "Anna"]]
    assert handler("start")({"tags": tags})["tags"][-2:] == tags[1:]


def test_every_schema_is_closed() -> None:
    for name in tools.QUESTIONS:
        found = schema(handler(name, of="assistant").kind)
        assert found["additionalProperties"] is False, name
        assert all(part.get("description") for part in found["properties"].values()), name
    found = schema(handler("prove", of="assistant").kind)["properties"]
    assert found["claims"]["anyOf"] == [
        {"type": "array", "items": {"type": "string"}, "maxItems": handlers.MOST_CLAIMS},
        {"type": "null"},
    ]
    assert found["seconds"] | {"description": ""} == {
        "type": "integer", "minimum": 1, "maximum": 120, "default": 60, "description": "",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "a": 2}', "'a' stands twice"),
        ('{"a": NaN}', "NaN is no number that JSON can hold"),
        ("[1e999]", "1e999 is no number"),
        ("9" * 5000, "has 5000 digits"),
        ("[" * 100_000, "nested too deeply"),
        ("{", "this is not JSON"),
        (b"\xff", "this is not JSON"),
    ],
)
def test_json_is_read_strictly(text: str | bytes, message: str) -> None:
    with pytest.raises(WrongUsage, match=message):
        read_json(text)
