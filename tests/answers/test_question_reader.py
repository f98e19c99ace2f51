"""The strict reader of questions: what it refuses, in which words."""

from __future__ import annotations

from typing import Any

import pytest
from support.places import place

from kaiser_logic.answers import handlers
from kaiser_logic.answers import questions as tools
from kaiser_logic.answers.question_reader import Handler, read_json, schema
from kaiser_logic.errors import WrongUsage
from kaiser_logic.explorer import questions

HERE = place("games/four-players.game", 60)
TAGS = [["Game", "kaiser"]]
FACTS = {"tags": TAGS, "facts": HERE["facts"]}
START = '[Game "kaiser"]\n'


def handler(name: str, *, of: str = "explorer") -> Handler[Any]:
    """The function that answers a question of the page or a tool of the assistant."""
    table = tools if of == "assistant" else questions
    found = table.QUESTIONS[name].handler(table.__name__)
    assert isinstance(found, Handler)
    return found


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("legal", {**HERE, "fact": []}, "no argument 'fact'; did you mean 'facts'?"),
        ("legal", {"tags": TAGS}, "the argument 'facts' is missing"),
        ("legal", {**HERE, "pending": {}}, "pending must be a list"),
        ("legal", {**HERE, "pending": [["red"]]}, "pending[0] must be a list of 2"),
        ("legal", {**HERE, "facts": ["\ud800"]}, "facts[0] contains half a character"),
        ("legal", {**HERE, "facts": ["f"] * 5001}, "facts has 5001 entries: at most 5000 are read"),
        ("legal", {**HERE, "deal": {"a": 3}}, "deal.a must be a list"),
        ("touch", {**HERE, "role": "red", "action": "pass"}, "no argument 'action'; did you mean 'actions'?"),
        ("touch", {**HERE, "role": "rde", "actions": []}, "no role 'rde'; did you mean 'red'?"),
        ("whynot", {**HERE, "role": "red", "items": "x"}, "no argument 'items'; did you mean 'item'?"),
        ("whynot", {**HERE, "role": "blue", "actions": ["buy(pope)"]}, "buy(pope) is not legal here"),
        ("why", {**HERE, "move": "red: pass", "edition": "it"}, "no argument 'edition'"),
        ("why", {**HERE, "move": "red: buy(pope,hold)", "layout": "wid"}, "no layout 'wid'; did you mean 'wide'?"),
        ("boards", {"tags": TAGS, "states": [{**FACTS}]}, "states[0]: no argument 'tags'"),
        ("boards", {"tags": TAGS, "states": [{"facts": []}], "before": {"deal": None}}, "before: the argument 'facts'"),
        ("find", {"tags": TAGS, "query": "emperor(R)", "counts": 3}, "no argument 'counts'; did you mean 'count'?"),
        ("find", {"tags": TAGS, "query": "emperor(R)", "count": 0}, "count must be a whole number from 1 to 24"),
        ("find", {"tags": TAGS, "query": "emperor(R)", "count": True}, "count must be a whole number"),
        ("find", {"tags": TAGS, "query": "emperor(R)", "count": 2.0}, "count must be a whole number"),
        ("open", {"text": START, "ilegal": "skip"}, "no argument 'ilegal'; did you mean 'illegal'?"),
        ("open", {"text": START, "illegal": "skp"}, "illegal must be stop, skip or force, not 'skp'"),
        ("open", {"text": START, "options": [["a", "b"], ["a", "c"]]}, "options has a ruling twice"),
        ("open", {"text": START, "board": "f(1)."}, "the record names none"),
        ("start", {"tags": TAGS, "seeds": 4}, "no argument 'seeds'; did you mean 'seed'?"),
        ("example", {"file": "games/four-player.game"}, "did you mean 'games/four-players.game'?"),
        ("spots", {**FACTS, "name": "thaler", "slots": ["red", None]}, "no fact 'thaler/2'; did you mean 'thalers/2'?"),
        ("edit", {"tags": TAGS, "text": "", "facts": []}, "no argument 'facts'"),
        ("games", {"game": "kaiser"}, "no argument 'game'; there are none"),
        ("games", [], "a question must be an object"),
    ],
    ids=range(29),
)  # fmt: skip
def test_the_page_is_told_what_is_not_read(name: str, data: Any, message: str) -> None:
    with pytest.raises(WrongUsage) as caught:
        handler(name)(data)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("prove", {"game": "kaiser", "claim": "never round(2)"}, "no argument 'claim'; did you mean 'claims'?"),
        ("prove", {"game": "kaiser", "claims": "never round(2)"}, "claims must be a list"),
        ("find", {"game": "kaiser", "query": "round(2)", "timeout": 5}, "no argument 'timeout'; there are: game"),
        ("find", {"game": "kaiser"}, "the argument 'query' is missing"),
        ("find", {"game": "kaiser", "query": "round(2)", "options": {"a": 1}}, "options.a must be a text"),
        ("rules", {"game": "kaiser", "words": "tile"}, "no argument 'words'; there are: game, rule, edition"),
        ("rules", {"game": "kaiser", "edition": "standrad"}, "no edition 'standrad'; did you mean 'standard'?"),
        ("legal", {"record": START, "move": 3}, "no argument 'move'; did you mean 'moves'?"),
        ("why", {"record": START, "role": "rde", "action": "pass"}, "no role 'rde'; did you mean 'red'?"),
        ("check", {"record": START, "on_illegal": "skips"}, "must be stop, skip or force"),
        ("check", {"record": START, "onillegal": "skip"}, "did you mean 'on_illegal'?"),
        ("compare", {"game": "kaiser", "first": "it", "secnd": "nl"}, "did you mean 'second'?"),
        ("compare", {"game": "kaiser", "first": "it", "second": "nl", "edition": "it"}, "no argument 'edition'"),
    ],
    ids=range(13),
)  # fmt: skip
def test_an_assistant_is_told_what_is_not_read(name: str, data: Any, message: str) -> None:
    with pytest.raises(WrongUsage) as caught:
        handler(name, of="assistant")(data)
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
