"""What is pointed at on the board: what an action would do, and why nothing can be done there."""

from __future__ import annotations

from typing import Any

import pytest
from support.places import GAMES, place

from kaiser_logic.errors import WrongUsage
from kaiser_logic.explorer.action_handlers import legal, preview, touches, why, why_not

KAISER = GAMES[0]


def test_a_preview_says_what_matters() -> None:
    """A tile of 45 that becomes older is gone, and the seat that it leaves is vacant."""
    here = place("games/four-players.game", 64)
    facts = [fact for fact in here["facts"] if not fact.startswith("elector(brandenburg")]
    here = {**here, "facts": [*facts, "elector(brandenburg,green,45,baron)"]}
    role = legal(here)["roles"][0]
    actions = [one["action"] for group in role["groups"] for one in group["actions"]]
    action = "buy(doctor,age(green,elector(brandenburg),45,baron))"
    assert action in actions
    said = preview({**here, "role": role["role"], "action": action})
    assert "- Green baron 45, Brandenburg" in said["changes"]
    assert "The elector's seat of Brandenburg falls vacant" in said["events"]


@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_every_kind_of_action_has_a_preview(name: str, moves: int) -> None:
    here = place(name, moves)
    for role in legal(here)["roles"][:1]:
        for group in role["groups"]:
            action = group["actions"][0]["action"]
            said = preview({**here, "role": role["role"], "action": action})
            assert said["changes"] or said["events"], action


def test_what_is_illegal_has_no_preview() -> None:
    here = place(*KAISER)
    with pytest.raises(WrongUsage, match="not legal"):
        preview({**here, "role": "blue", "action": "buy(convent,hold)"})
    with pytest.raises(WrongUsage, match="nothing to decide"):
        preview({**here, "role": "red", "action": "pass"})


def test_a_touch_names_the_items_and_what_moves() -> None:
    action = "buy(move,move(boehmen,35,baron,pfalz,free))"
    found = touches({**place(*KAISER), "role": "blue", "actions": [action]})["touches"][action]
    assert {"blue number(coin)", "display price(blue,move)"} <= set(found["items"])
    assert found["moves"] == [[found["from"][0], found["to"][0]]]


@pytest.mark.parametrize(
    ("game", "target"),
    [(GAMES[0], {"area": "trier"}), (GAMES[1], {"area": "a1"}), (GAMES[2], {"area": "ring(2)"})],
)
def test_why_nothing_can_be_done_at_a_place(game: tuple[str, int], target: dict[str, str]) -> None:
    """Each answer is illegal, names a rule that it breaks, and says no more than `why` does."""
    here = place(*game)
    role = legal(here)["roles"][0]["role"]
    found: list[dict[str, Any]] = why_not({**here, "role": role, **target})["actions"]
    assert found
    for one in found[:2]:
        said = why({**here, "role": role, "move": one["action"], "layout": "wide"})
        assert not said["legal"]
        assert one["rule"] in [broken["rule"] for broken in said["violations"]]
        assert one["message"] in [broken["message"] for broken in said["violations"]]
    assert len({(one["rule"], one["label"]) for one in found}) == len(found)


def test_of_a_piece_only_its_own_actions_are_varied() -> None:
    """Böhmen's baron was chosen, then Sachsen, whose spaces are full."""
    here = place(*KAISER)
    own = ["buy(move,move(boehmen,35,baron,pfalz,free))", "buy(move,move(boehmen,35,baron,trier,free))"]
    found = why_not({**here, "role": "blue", "area": "sachsen", "actions": own})["actions"]
    assert "buy(move,move(boehmen,35,baron,sachsen,free))" in [one["action"] for one in found]
    assert all("35" in one["action"] for one in found)


def test_of_a_card() -> None:
    """The display's cards stand for one another: without money only the one without price can be taken."""
    here = place(*KAISER)
    here = {**here, "facts": [fact.replace("thalers(blue,12)", "thalers(blue,0)") for fact in here["facts"]]}
    found = why_not({**here, "role": "blue", "item": "display price(blue,pope)"})["actions"]
    assert [(one["action"], one["rule"]) for one in found] == [("buy(pope,hold)", "actions.buy.thalers")]


def test_nothing_is_varied_for_what_no_action_names() -> None:
    assert why_not({**place(*GAMES[3]), "role": "yellow", "area": "structure(red)"}) == {"actions": []}
    with pytest.raises(WrongUsage):
        why_not({**place(*KAISER), "role": "nobody", "area": "trier"})
