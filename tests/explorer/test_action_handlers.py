"""Legal actions by kind, and the places that they touch."""

import re
from typing import Any

import pytest
from support import EXAMPLES
from support.places import GAMES, opened_record, place

from kaiser_logic.explorer.action_handlers import legal, preview, touches, why, why_not
from kaiser_logic.notation.sources import read
from kaiser_logic.records.replay import Replay


@pytest.mark.sample(4)
@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_each_legal_action_is_in_one_group(name, moves):
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


def test_finished_games_have_a_result():
    name = "games/four-players.game"
    answer = legal(place(name, len(opened_record(name)["moves"])))
    assert answer["roles"] == []
    assert answer["result"]["winners"] == ("red",)


def test_chance_has_probabilities():
    answer = legal(place("krone/random-30.game", 0))
    actions = [a for group in answer["roles"][0]["groups"] for a in group["actions"]]
    assert sum(a["odds"][0] for a in actions) == actions[0]["odds"][1]


@pytest.mark.sample(2)
@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_touched_places_are_on_the_board(name, moves):
    here = place(name, moves)
    role = legal(here)["roles"][0]
    actions = [a["action"] for group in role["groups"] for a in group["actions"]][:20]
    found = touches({**here, "role": role["role"], "actions": actions})["touches"]
    assert list(found) == actions
    layouts = opened_record(name)["game"]["layouts"]
    for touch in found.values():
        assert {*touch["from"], *touch["to"]} <= set(layouts[0]["places"])


def test_a_preview_shows_the_important_changes():
    """A tile of 45 that becomes older is removed, and its seat becomes vacant."""
    here = place("games/four-players.game", 64)
    facts = [fact for fact in here["facts"] if not fact.startswith("elector(brandenburg")]
    here = {**here, "facts": [*facts, "elector(brandenburg,green,45,baron)"]}
    role = legal(here)["roles"][0]
    actions = [one["action"] for group in role["groups"] for one in group["actions"]]
    action = "buy(doctor,age(green,elector(brandenburg),45,baron))"
    assert action in actions
    answer = preview({**here, "role": role["role"], "action": action})
    assert "- Green baron 45, Brandenburg" in answer["changes"]
    assert "The elector's seat of Brandenburg falls vacant" in answer["events"]


@pytest.mark.sample(2)
@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_every_kind_of_action_has_a_preview(name, moves):
    here = place(name, moves)
    for role in legal(here)["roles"][:1]:
        for group in role["groups"]:
            action = group["actions"][0]["action"]
            answer = preview({**here, "role": role["role"], "action": action})
            assert answer["changes"] or answer["events"], action


@pytest.mark.parametrize(
    ("game", "target"), [(GAMES[0], {"area": "trier"}), (GAMES[1], {"area": "a1"}), (GAMES[2], {"area": "ring(2)"})]
)
def test_reasons_why_no_action_is_legal_at_a_place(game, target):
    """Each action in the answer is illegal, with a broken rule and the reason that `why` gives."""
    here = place(*game)
    role = legal(here)["roles"][0]["role"]
    found: list[dict[str, Any]] = why_not({**here, "role": role, **target})["actions"]
    assert found
    for one in found[:2]:
        answer = why({**here, "role": role, "move": one["action"]})
        assert not answer["legal"]
        assert one["rule"] in [broken["rule"] for broken in answer["broken"]]
        assert one["message"] in [broken["message"] for broken in answer["broken"]]
    assert len({(one["rule"], one["label"]) for one in found}) == len(found)


def test_reasons_speak_of_the_piece_that_is_clicked():
    """A couple of red of 25 is clicked: what is said first names a couple of 25, which legal actions elsewhere do not."""
    here = place("games/four-players.game", 30)
    found = why_not({**here, "role": "yellow", "area": "boehmen", "piece": ["couple", "red", "25"]})["actions"]
    assert all({"couple", "25"} <= set(re.findall(r"\w+", one["action"])) for one in found[:4])
    assert "buy(doctor,age(red,elector(boehmen),25,couple))" in [one["action"] for one in found]
