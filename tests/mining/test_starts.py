"""Starts of a game: one for each value of its start tags, if only the start depends on them."""

from __future__ import annotations

from pathlib import Path

from support.heap_game import variant
from support.mined import TAGGED, game

from kaiser_logic.game import load
from kaiser_logic.mining.miner import starts


def test_a_game_without_tags_has_one_start() -> None:
    assert starts(game("nim").ruleset) == ((game("nim").configuration,), "the start")


def test_each_value_of_a_tag_has_a_start(tmp_path: Path) -> None:
    made = load(variant(tmp_path, TAGGED), players=3)
    found, covered = starts(made.ruleset)
    assert covered == "every start (First)"
    assert found[0] == made.configuration
    assert {c.start for c in found} == {(("first", (role,)),) for role in ("red", "green", "blue")}


def test_tags_used_by_other_rules_keep_their_value(tmp_path: Path) -> None:
    later = {"heap(N), not holds_at_least(K).": "heap(N), not holds_at_least(K), not start(first,R)."}
    found, covered = starts(load(variant(tmp_path, {**TAGGED, **later})).ruleset)
    assert (len(found), covered) == (1, "the start with first red only")


def test_tags_used_through_another_predicate_keep_their_value(tmp_path: Path) -> None:
    later = {
        "heap(N), not holds_at_least(K).": "heap(N), not holds_at_least(K), not begins(R).",
        "init(heap(12)).": "init(heap(12)).\nbegins(R) :- start(first,R).",
    }
    assert len(starts(load(variant(tmp_path, {**TAGGED, **later})).ruleset)[0]) == 1


def test_tags_used_by_declarations_keep_their_value(tmp_path: Path) -> None:
    later = {"amount(1..3).": "amount(1..3).\nsimultaneous(take) :- start(first,R), seat(R,3)."}
    assert len(starts(load(variant(tmp_path, {**TAGGED, **later}), players=3).ruleset)[0]) == 1
