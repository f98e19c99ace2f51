"""Queries with several answers."""

from __future__ import annotations

import pytest

from kaiser_logic.errors import KaiserLogicError
from kaiser_logic.explorer.editing import show_facts
from kaiser_logic.explorer.query_handlers import explain_query, find_in_record, find_positions, how_written
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.records.replay import Replay

TAGS = [["Game", "kaiser"]]


@pytest.mark.slow
def test_several_answers_are_different_and_valid() -> None:
    answer = find_positions({"tags": TAGS, "query": "emperor(R)", "count": 3})
    positions = [frozenset(one["facts"]) for one in answer["answers"]]
    assert len(set(positions)) == len(positions) == 3
    for one in answer["answers"]:
        assert any(fact.startswith("emperor(") for fact in one["facts"])
        assert show_facts({"tags": TAGS, "text": "".join(f"{f}." for f in one["facts"])})["broken"] == []
        assert one["because"]
        assert one["origin"].partition(":")[0] in ("reachable", "impossible", "open")


@pytest.mark.slow
def test_the_origin_of_known_answers_is_not_computed_again() -> None:
    first, second = find_positions({"tags": TAGS, "query": "emperor(R)", "count": 2, "known": 1})["answers"]
    assert (first["origin"], bool(second["origin"])) == ("", True)


@pytest.mark.slow
def test_no_answer_is_a_proof_for_these_settings() -> None:
    answer = find_positions({"tags": TAGS, "query": "emperor(red), emperor(blue)"})
    assert answer["answers"] == []
    assert "4 players" in answer["for"]


def test_queries_are_put_into_words() -> None:
    answer = explain_query({"tags": TAGS, "query": "emperor(red), thalers(red,N), N < 3"})
    assert answer["words"] == "Red is emperor, and Red has N thalers, and N is less than 3"
    assert answer["wrong"] == ""
    half = explain_query({"tags": TAGS, "query": "emperor(red), tha", "cursor": 17})
    assert half["following"][0] == ["thalers(", "thalers(R,M)", "R has M thalers", 3]
    assert half["wrong"]
    assert explain_query({"tags": TAGS, "query": "empty", "cursor": 3})["following"][0][0] == "emperor("
    assert explain_query({"tags": TAGS, "query": ""})["following"]
    assert not explain_query({"tags": TAGS, "query": "(" * 5000})["words"]


def test_help_on_queries() -> None:
    answer = how_written({"tags": TAGS})
    assert ["emperor(R)", "R is emperor", "R: blue, green, red, yellow"] in answer["facts"]
    for query, words in answer["examples"]:
        assert explain_query({"tags": TAGS, "query": query})["words"] == words


RECORD = """[Game "kaiser"]
red: empire_city(koeln)
assert { round(1). }
green: elector(sachsen)
blue: elector(trier)
red: pass
"""


def test_a_query_is_asked_at_every_position_of_a_record() -> None:
    found = find_in_record({"text": RECORD, "query": "elector(sachsen,R,N,K)"})
    values = [{"R": "green", "N": 45, "K": "baron"}]
    assert [(one["moves"], one["values"]) for one in found["matches"]] == [(2, values), (3, values)]
    assert (found["positions"], found["all"]) == (4, False)
    assert "red: pass: " in found["problem"]  # it is searched up to its fault


def test_a_query_is_asked_along_the_line_that_is_shown() -> None:
    line = [["red", "empire_city(koeln)"], ["green", "elector(trier)"]]
    found = find_in_record({"text": RECORD, "query": "elector(trier,green,_,_)", "line": line})
    assert [one["moves"] for one in found["matches"]] == [2]
    assert (found["problem"], found["all"]) == ("", True)
    assert find_in_record({"text": RECORD, "query": "round(1)", "line": []})["positions"] == 1
    with pytest.raises(KaiserLogicError, match="did you mean koeln"):
        find_in_record({"text": RECORD, "query": "elector(cologne,red,_,_)"})


def test_the_first_answer_comes_from_a_game() -> None:
    """It is reachable, somebody has to decide, and its game leads there."""
    (answer,) = find_positions({"tags": [["Game", "kaiser"]], "query": "emperor(green)"})["answers"]
    assert answer["origin"].startswith("reachable")
    replay = Replay(parse_record(answer["game"]))
    replay.run()
    assert not replay.faults
    assert replay.here().to_move and {"emperor(green)"} <= replay.here().facts == set(answer["facts"])
