"""Pointing at the board: previews of actions, and reasons why no action is legal there."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support.places import GAMES, place

from kaiser_logic.errors import WrongUsage
from kaiser_logic.explorer.action_handlers import legal, preview, touches, why, why_not

KAISER = GAMES[0]


def test_a_preview_shows_the_important_changes() -> None:
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


@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_every_kind_of_action_has_a_preview(name: str, moves: int) -> None:
    here = place(name, moves)
    for role in legal(here)["roles"][:1]:
        for group in role["groups"]:
            action = group["actions"][0]["action"]
            answer = preview({**here, "role": role["role"], "action": action})
            assert answer["changes"] or answer["events"], action


def test_illegal_actions_have_no_preview() -> None:
    here = place(*KAISER)
    with pytest.raises(WrongUsage, match="not legal"):
        preview({**here, "role": "blue", "action": "buy(convent,hold)"})
    with pytest.raises(WrongUsage, match="nothing to decide"):
        preview({**here, "role": "red", "action": "pass"})


def test_touches_name_items_and_moving_pieces() -> None:
    action = "buy(move,move(boehmen,35,baron,pfalz,free))"
    found = touches({**place(*KAISER), "role": "blue", "actions": [action]})["touches"][action]
    assert {"blue number(coin)", "display price(blue,move)"} <= set(found["items"])
    assert found["moves"] == [[found["from"][0], found["to"][0]]]


@pytest.mark.parametrize(
    ("game", "target"),
    [(GAMES[0], {"area": "trier"}), (GAMES[1], {"area": "a1"}), (GAMES[2], {"area": "ring(2)"})],
)
def test_reasons_why_no_action_is_legal_at_a_place(game: tuple[str, int], target: dict[str, str]) -> None:
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


def test_only_actions_of_the_piece_are_varied() -> None:
    """The baron of Böhmen was chosen, then Sachsen, whose spaces are full."""
    here = place(*KAISER)
    own = ["buy(move,move(boehmen,35,baron,pfalz,free))", "buy(move,move(boehmen,35,baron,trier,free))"]
    found = why_not({**here, "role": "blue", "area": "sachsen", "actions": own})["actions"]
    assert "buy(move,move(boehmen,35,baron,sachsen,free))" in [one["action"] for one in found]
    assert all("35" in one["action"] for one in found)


def test_reasons_speak_of_the_piece_that_is_clicked() -> None:
    """A couple of red of 25 is clicked: what is said first names a couple of 25, which legal actions elsewhere do not."""
    here = place("games/four-players.game", 30)
    found = why_not({**here, "role": "yellow", "area": "boehmen", "piece": ["couple", "red", "25"]})[
        "actions"
    ]
    assert all({"couple", "25"} <= set(re.findall(r"\w+", one["action"])) for one in found[:4])
    assert "buy(doctor,age(red,elector(boehmen),25,couple))" in [one["action"] for one in found]


def test_cards_of_the_display_are_varied() -> None:
    """Cards of the display are varied among each other. Without money only the free card can be taken."""
    here = place(*KAISER)
    here = {**here, "facts": [fact.replace("thalers(blue,12)", "thalers(blue,0)") for fact in here["facts"]]}
    found = why_not({**here, "role": "blue", "item": "display price(blue,pope)"})["actions"]
    assert [(one["action"], one["rule"]) for one in found] == [("buy(pope,hold)", "actions.buy.thalers")]


def test_nothing_is_varied_for_unknown_targets() -> None:
    assert why_not({**place(*GAMES[3]), "role": "yellow", "area": "structure(red)"})["actions"] == []
    with pytest.raises(WrongUsage):
        why_not({**place(*KAISER), "role": "nobody", "area": "trier"})
