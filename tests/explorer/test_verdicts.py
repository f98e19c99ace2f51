"""Verdicts: why an action is legal or illegal."""

from __future__ import annotations

import pytest
from support.places import GAMES, opened_record, place

from kaiser_logic.errors import WrongUsage
from kaiser_logic.explorer.action_handlers import why

HERE = ("games/four-players.game", 60)


def test_an_illegal_action_has_rule_facts_source_pins_and_similar_actions() -> None:
    answer = why({**place(*HERE), "role": "blue", "move": "buy(move,move(boehmen,35,baron,sachsen,free))"})
    assert not answer["legal"]
    assert [rule for rule, _ in answer["assumed"]] == ["board.spaces"]
    (violation,) = answer["broken"]
    assert violation["rule"] == "space.entry"
    assert violation["message"] == "in Sachsen no aristocrat space is free"
    assert len(violation["facts"]) == 4
    assert [edition for edition, _ in violation["sources"]] == ["nl", "it"]
    assert answer["near"][0][0].startswith("buy(move,move(boehmen,35,baron,")
    board = "".join(answer["board"]["texts"])
    assert all(f'aria-label="reason {n}"' in board for n in (1, 2, 3, 4))


@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_a_legal_action_has_its_rules(name: str, moves: int) -> None:
    role, action = opened_record(name)["moves"][moves]
    answer = why({**place(name, moves), "move": f"{role}: {action}"})
    assert answer["legal"]
    assert all(rule["statement"] for rule in answer["kept"])


@pytest.mark.parametrize(
    "move", ["", "buy(", "#script", "?", "blue: buy(move,?)", "pass. pass", "X", "blue:"]
)
def test_invalid_actions_get_an_error_message(move: str) -> None:
    with pytest.raises(WrongUsage, match=r"action|ACTION"):
        why({**place(*HERE), "role": "blue", "move": move})


@pytest.mark.parametrize("move", ["nobody: pass", "red: pass", "blue: castle(moon)"])
def test_unknown_roles_and_actions_are_illegal(move: str) -> None:
    answer = why({**place(*HERE), "move": move})
    assert not answer["legal"]
    assert answer["broken"][0]["statement"]
