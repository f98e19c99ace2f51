"""Legal actions by kind, and the places that they touch."""

from __future__ import annotations

import pytest
from support.places import EXAMPLES, GAMES, opened_record, place

from kaiser_logic.explorer.action_handlers import legal, touches
from kaiser_logic.notation.sources import read
from kaiser_logic.records.replay import Replay


@pytest.mark.sample(2)
@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_each_legal_action_is_in_one_group(name: str, moves: int) -> None:
    answer = legal(place(name, moves))
    found = {
        role["role"]: sorted(a["action"] for group in role["groups"] for a in group["actions"])
        for role in answer["roles"]
    }
    wanted = Replay.at(read(EXAMPLES / name), moves).legal()
    assert found == {role: sorted(actions) for role, actions in wanted.items()}
    assert answer["result"] is None
    for role in answer["roles"]:
        kinds = [group["kind"] for group in role["groups"]]
        assert len(kinds) == len(set(kinds))
        assert all(a["label"] for group in role["groups"] for a in group["actions"])


def test_finished_games_have_a_result() -> None:
    name = "games/four-players.game"
    answer = legal(place(name, len(opened_record(name)["moves"])))
    assert answer["roles"] == []
    assert answer["result"]["winners"] == ("red",)


def test_chance_has_probabilities() -> None:
    answer = legal(place("krone/random-30.game", 0))
    actions = [a for group in answer["roles"][0]["groups"] for a in group["actions"]]
    assert sum(a["odds"][0] for a in actions) == actions[0]["odds"][1]


def test_a_move_touches_both_areas_and_places() -> None:
    action = "buy(move,move(boehmen,35,baron,pfalz,free))"
    asked = {**place("games/four-players.game", 60), "role": "blue", "actions": [action, "pass"]}
    found = touches(asked)["touches"]
    assert {"boehmen", "pfalz", "blue", "display"} <= set(found[action]["areas"])
    assert [p.split(",")[0] for p in found[action]["from"]] == ["at(boehmen"]
    assert [p.split(",")[0] for p in found[action]["to"]] == ["at(pfalz"]
    assert found["pass"]["from"] == found["pass"]["to"] == []
    assert (found[action]["gains"], found["pass"]["gains"]) == ("pays 1 thaler, takes the move", "")


@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_touched_places_are_on_the_board(name: str, moves: int) -> None:
    here = place(name, moves)
    role = legal(here)["roles"][0]
    actions = [a["action"] for group in role["groups"] for a in group["actions"]][:20]
    found = touches({**here, "role": role["role"], "actions": actions})["touches"]
    assert list(found) == actions
    layouts = opened_record(name)["game"]["layouts"]
    for touch in found.values():
        assert {*touch["from"], *touch["to"]} <= set(layouts[0]["places"])
