"""Legal actions by kind, and the places that they touch."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support.places import EXAMPLES, GAMES, opened_record, place

from kaiser_logic.errors import WrongUsage
from kaiser_logic.explorer.action_handlers import legal, preview, touches, why, why_not
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


# Verdicts: why an action is legal or illegal.
HERE = ("games/four-players.game", 60)


def test_an_illegal_action_has_rule_facts_source_pins_and_similar_actions() -> None:
    answer = why({**place(*HERE), "role": "blue", "move": "buy(move,move(boehmen,35,baron,sachsen,free))"})
    assert not answer["legal"]
    assert [rule for rule, _ in answer["assumed"]] == ["board.spaces"]
    (violation,) = answer["broken"]
    assert violation["rule"] == "space.entry"
    assert violation["message"] == "in Sachsen no aristocrat space is free"
    assert len(violation["facts"]) == 4
    assert list(violation["sources"]) == ["nl", "it"]
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


# Pointing at the board: previews of actions, and reasons why no action is legal there.
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
