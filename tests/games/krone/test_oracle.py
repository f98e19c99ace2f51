"""Krone & Schwert: the rulebook compared with an independent implementation, and the worked cases of its page."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest
from games.krone.positions import (
    around,
    board,
    board_text,
    count,
    grown,
    make,
    play,
    points,
    random_game_of,
    random_position,
    ring,
)
from games.settling import broken_between_steps
from oracles.krone import COPIES, Krone, random_game
from support.played import game_at

from kaiser_logic.engine import symbols
from kaiser_logic.errors import NotDecided, UnreadableInput, WrongUsage
from kaiser_logic.evaluation.verdict import IllegalMove, InvalidPosition
from kaiser_logic.game import Game, load
from kaiser_logic.position import Position

pytestmark = pytest.mark.by_hand

GAMES = int(os.environ.get("KAISER_LOGIC_RANDOM_GAMES", "4"))
MIDDLES = 5 * GAMES
TWO = load("krone", players=2)
FOUR = load("krone", players=4)


def starts(actions: Iterable[str], name: str) -> set[str]:
    """The arguments of those actions that have this name."""
    return {a.removeprefix(f"{name}(")[:-1] for a in actions if a.startswith(f"{name}(")}


def legal(position: Position, name: str) -> set[str]:
    """The arguments of the legal actions of that name."""
    (role,) = position.to_move
    return starts(position.legal()[role], name)


# -- comparison with the oracle --------------------------------------------------------------------------------------


def compare(position: Position, oracle: Krone, rng: Random, limit: int) -> Position:
    """Continues at random and compares everything at each decision. Each position is valid and can be rebuilt."""
    for facts, choices, chosen in random_game(oracle, rng, limit):
        assert position.facts == facts
        assert position.legal() == choices
        if "chance" in choices:
            assert position.weights() == oracle.weights()
        if rng.random() < 0.2:
            assert game_at(position).position(position.facts) == position
            assert not broken_between_steps(position, chosen)
        position = position.apply(chosen)
    assert position.facts == oracle.facts()
    assert game_at(position).position(position.facts) == position
    result, expected = position.result(), oracle.result()
    assert (result and (dict(result.points), result.winners)) == expected
    return position


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(GAMES))
def test_games_agree_with_the_oracle(seed: int) -> None:
    rng = Random(seed)
    game = random_game_of(rng)
    oracle = Krone(board_text(), game.seats, game.edition, game.options)
    compare(game.initial(), oracle, rng, 120 if GAMES < 20 else 600)


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(MIDDLES))
def test_random_positions_agree_with_the_oracle(seed: int) -> None:
    rng = Random(seed)
    game = random_game_of(rng)
    facts = random_position(rng, game)
    oracle = Krone.from_facts(board_text(), facts, game.edition, game.options)
    compare(game.position(facts), oracle, rng, 25)


# -- the board -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pieces", "fields", "pairs"), [(2, 48, 115), (3, 72, 176), (4, 96, 247), (5, 120, 311)]
)
def test_numbers_of_neighbours(pieces: int, fields: int, pairs: int) -> None:
    evaluator = load("krone", players=pieces).evaluator
    assert len(evaluator.ruleset.facts("field", 1)) == fields
    assert len(evaluator.ruleset.facts("next_to", 2)) == 2 * pairs


def test_some_neighbours_by_name() -> None:
    found: dict[str, set[str]] = {}
    for fact in TWO.evaluator.ruleset.facts("next_to", 2):
        found.setdefault(str(fact.arguments[0]), set()).add(str(fact.arguments[1]))
    assert found["a10"] == {"a2", "a5", "a6", "a9", "a11", "a13", "a14", "a18"}
    assert found["a21"] == {"a17", "a18", "b1", "b2"}
    assert found["b24"] == {"b20"}


@pytest.mark.parametrize(("players", "fields"), [(2, 48), (3, 72), (4, 72), (5, 96)])
def test_boards_depend_on_the_number_of_players(players: int, fields: int) -> None:
    game = load("krone", players=players, options={"pieces": "one_fewer"})
    assert len(game.evaluator.ruleset.facts("field", 1)) == fields


def test_a_board_file_replaces_what_it_names(tmp_path: Path) -> None:
    file = tmp_path / "ring.lp"
    file.write_text(ring(30), encoding="utf-8")
    game = load("krone", players=2, board=file)
    assert len(game.evaluator.ruleset.facts("next_to", 2)) == 60
    assert len(game.evaluator.ruleset.facts("join", 4)) == 14  # not named: as printed
    position = game.initial()
    while "place" not in position.decisions.values():
        position = play(position, position.legal()["chance"][0])
    assert legal(play(position, "shield(f3)"), "shield") == {f"f{i}" for i in range(30) if i not in (2, 3, 4)}


def test_a_board_file_replaces_what_is_assumed_of_the_cards(tmp_path: Path) -> None:
    file = tmp_path / "cards.lp"
    file.write_text(
        "black_shields(leader3,2). battle_value(ambush,1). people_cards(sword,9). people_cards(crown,13)."
    )
    game = load("krone", players=2, board=file)
    assert "people(sword,9)" in {str(fact) for fact in game.initial().facts}
    position = make(
        game,
        "shield(a10,red) turn(red) ap(2) hand(red,leader3,1) decision(red,turn) people(sword,9) people(crown,13)",
    )
    assert "second_field" in play(position, "expand(leader3,a14)").decisions.values()


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("piece(a,a1,hexagon,plain,0,0).", "no fact of a board"),
        ("piece(a,a1,octagon,plain,x,0).", "no fact of a board"),
        ("shield(a1,red).", "no fact of a board"),
        ("black_shields(castle,3).", "no fact of a board"),
        ("battle_value(castle,3).", "no fact of a board"),
        ("black_shields(castle,1). black_shields(castle,2).", "one number of black shields"),
        ("people_cards(sword,12).", "22 people cards"),
        (ring(9), "neighbouring shield"),
        (ring(30, "mountain"), "plains and forests"),
        (ring(30) + "join(2,a,0,0).", "as many pieces"),
        (ring(30) + "join(2,a,0,0). join(2,c,0,0).", "as many pieces"),
        (ring(30) + "piece(b,f0,octagon,plain,0,0).", "on one piece"),
        (ring(30) + "border(f1,f1).", "two different fields"),
        (ring(30) + "border(f1,g1).", "two different fields"),
        (ring(30) + "piece(a,g,octagon,plain,100,0).", "connected"),
        (
            ring(30)
            + "piece(a,g,square,plain,9,9). piece(a,h,square,plain,9,11). border(g,h). border(f0,g).",
            "squares",
        ),
        ("join(2,a,0,0). join(2,b,0,0).", "same place"),
    ],
)
def test_faulty_boards_are_refused(tmp_path: Path, text: str, rule: str) -> None:
    file = tmp_path / "board.lp"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableInput) as caught:
        load("krone", players=2, board=file)
    assert rule.lower() in str(caught.value).lower()


# -- worked cases --------------------------------------------------------------------------------------------

PLACEMENT = "phase(placement) decision(red,place)"
RED = "shield(a6,red) shield(a7,red) shield(a10,red) shield(a11,red) shield(a12,red) castle(a10) turn(red)"


def test_the_second_shield_of_the_set_up() -> None:
    position = play(make(TWO, PLACEMENT), "shield(a10)")
    assert position.decisions == {"green": "place"}
    assert len(legal(position, "shield")) == 39


def test_building_and_the_first_king() -> None:
    facts = f"{RED} ap(2) hand(red,city,1) shield(b20,green) discard(castle,1) discard(unrest,1) decision(red,turn)"
    position = make(TWO, facts)
    assert legal(position, "city") == {"a6", "a7", "a11", "a12"}
    assert legal(position, "large_city") == {"a6,a11", "a7,a11", "a7,a12"}
    after = play(position, "city(a11)")
    assert {"king(red)", "points(red,1)", "revealing(1)"} <= after.facts
    assert count(after, "discard") == 0
    assert count(after, "draw") == count(position, "draw") + 3
    assert after.decisions == {"chance": "reveal"}
    assert play(after, "reveal(sword)").decisions == {"green": "turn"}


@pytest.mark.parametrize(
    ("card", "ap", "decision"),
    [
        ("city", 2, {"red": "second_field"}),
        ("city", 1, {"green": "turn"}),
        ("leader3", 2, {"red": "turn"}),
        ("leader3", 3, {"red": "turn"}),
    ],
)
def test_a_second_field(card: str, ap: int, decision: dict[str, str]) -> None:
    facts = f"shield(a10,red) shield(b20,green) turn(red) ap({ap}) hand(red,{card},1) decision(red,turn)"
    assert play(make(TWO, facts), f"expand({card},a14)").decisions == decision


ATTACK = """shield(a10,red) shield(a11,green) shield(a15,green) shield(a16,green) shield(b1,green)
    castle(a15) castle(a16) castle(b1) turn(red) ap(1) hand(red,leader3,1) hand(red,leader4,1) hand(red,castle,1)
    hand(green,ambush,1) hand(green,truce,1) attacked attack(a11) decision(red,force)"""
SIX = "force(with(1,leader4,with(1,castle,none)))"
NINE = "force(with(1,leader3,with(1,leader4,with(1,castle,none))))"


def test_legal_sets_in_an_attack() -> None:
    assert len(legal(make(TWO, ATTACK), "force")) == 5


@pytest.mark.parametrize(
    ("force", "answer", "owner"),
    [
        (SIX, "none", "red"),
        (SIX, "ambush(1)", "green"),
        (NINE, "ambush(1)", "red"),
        (SIX, "truce", "green"),
    ],
)
def test_an_attack(force: str, answer: str, owner: str) -> None:
    position = make(TWO, ATTACK)
    after = play(position, force, answer)
    assert f"shield(a11,{owner})" in after.facts
    assert "attacked" in after.facts
    if answer == "truce":
        assert {f for f in after.facts if f.startswith("hand(red")} == {
            f for f in position.facts if f.startswith("hand(red")
        }
        assert "discard(truce,1)" in after.facts
        assert not any(f.startswith("hand(green,truce") for f in after.facts)


def estate(role: str, castle: str, city: str) -> str:
    """A castle and a city of a player."""
    return f"shield({castle},{role}) castle({castle}) shield({city},{role}) city({city}) "


LAND = {"red": ("a5", "a6"), "green": ("a10", "a11"), "blue": ("a15", "a19"), "yellow": ("a17", "a21")}
REVOLT = "".join(estate(r, *LAND[r]) for r in LAND) + "king(red) turn(green) ap(1) "


def test_ways_to_vote() -> None:
    for role, number in (("red", 6), ("green", 6), ("blue", 12)):
        hands = f"hand({role},castle,2) hand({role},truce,1) "
        votes = "revolt " + " ".join(f"decision({r},vote)" for r in LAND)
        assert len(make(FOUR, REVOLT + hands + votes).legal()[role]) == number


@pytest.mark.parametrize(
    ("red", "blue", "king"),
    [
        ("with(1,leader3,none)", "with(1,castle,none)", "green"),
        ("with(1,leader3,with(1,castle,none))", "with(1,castle,none)", "red"),
        ("with(1,leader3,with(1,cathedral,none))", "with(1,castle,none)", "red"),
        ("with(1,leader3,with(1,cathedral,none))", "with(1,castle,with(1,ambush,none))", "green"),
    ],
)
def test_a_revolt(red: str, blue: str, king: str) -> None:
    hands = """hand(red,leader3,1) hand(red,castle,1) hand(red,cathedral,1) hand(green,leader4,1) hand(blue,castle,1)
        hand(blue,ambush,1) people(crown,11) people(sword,10) decision(green,turn)"""
    votes = f"red: vote(crown,{red})  green: vote(sword,with(1,leader4,none))  blue: vote(sword,{blue})"
    position = play(make(FOUR, REVOLT + hands), "revolt", f"{votes}  yellow: vote(crown,none)")
    assert "revealing(4)" in position.facts
    position = play(position, "reveal(sword)", "reveal(crown)", "reveal(sword)", "reveal(crown)")
    assert f"king({king})" in position.facts
    assert not any(f.startswith(("vote(", "laid(")) or f == "revolt" for f in position.facts)
    assert "discard(leader3,1)" in position.facts
    if king == "red":
        assert position.decisions == {"blue": "turn"}
        assert count(position, "people(sword") == 11 - 2  # of 3 open ones 2 stay
    else:
        assert {"people(crown,11)", "people(sword,11)", "revealing(1)"} <= position.facts


def test_half_of_the_open_swords_stay() -> None:
    hands = "hand(red,leader4,3) people(sword,6) decision(green,turn)"
    votes = "red: vote(crown,with(3,leader4,none))  green: vote(sword,none)  blue: vote(crown,none)"
    position = play(
        make(FOUR, REVOLT + hands), "revolt", f"{votes}  yellow: vote(crown,none)", "reveal(sword)"
    )
    position = play(position, "reveal(sword)")
    assert {"people(crown,11)", "people(sword,7)", "king(red)"} <= position.facts
    hands = hands.replace("people(sword,6)", "people(sword,6) people(crown,2)")
    position = play(
        make(FOUR, REVOLT + hands), "revolt", f"{votes}  yellow: vote(crown,none)", "reveal(crown)"
    )
    position = play(position, "reveal(crown)")
    assert {"people(crown,11)", "people(sword,8)"} <= position.facts


@pytest.mark.parametrize(("before", "begins"), [(16, False), (17, True)])
def test_the_end_phase_begins(before: int, begins: bool) -> None:
    more = """shield(b1,green) shield(a12,green) shield(a7,green) shield(a16,green) castle(a16) large_city(a7,a12)
        cathedral(a7) hand(green,leader4,3) discard(city,3) """
    facts = f"{REVOLT} {more} points(green,{before}) people(sword,1) decision(green,turn)"
    votes = "red: vote(crown,none)  blue: vote(crown,none)  yellow: vote(crown,none)"
    position = play(
        make(FOUR, facts), "revolt", f"green: vote(sword,with(3,leader4,none))  {votes}", "reveal(sword)"
    )
    assert points(position)["green"] == before + 4
    assert ("draw(game_end,1)" in position.facts) == begins
    assert count(position, "discard(city") == (0 if begins else 3)
    assert count(position, "discard") == (0 if begins else 6)


@pytest.mark.parametrize(("ruling", "discarded"), [("with_laid", 0), ("without_laid", 3)])
def test_the_cards_laid_and_the_end_shuffle(ruling: str, discarded: int) -> None:
    game = load("krone", players=4, options={"end_shuffle": ruling})
    facts = f"{REVOLT} hand(green,leader4,3) discard(city,3) points(green,40) people(sword,2) decision(green,turn)"
    votes = "red: vote(crown,none)  blue: vote(crown,none)  yellow: vote(crown,none)"
    votes = f"green: vote(sword,with(3,leader4,none))  {votes}"
    position = play(make(game, facts), "revolt", votes, "reveal(sword)", "reveal(sword)")
    assert "draw(game_end,1)" in position.facts
    assert count(position, "discard") == discarded


def test_the_game_end_lies_among_the_last_twenty_cards() -> None:
    hands = "hand(red,castle,13) hand(green,city,13) hand(blue,cathedral,6) "
    facts = f"{REVOLT} {hands} draw(game_end,1) points(red,30) decision(green,turn)"
    position = make(FOUR, facts)
    assert count(position, "draw") == 34
    for number in range(13):
        while "draw" not in position.decisions.values():
            (role,) = position.to_move
            position = play(position, "draw" if position.decisions[role] == "turn" else "decline")
        weights = position.weights()
        assert "draw(game_end)" not in weights
        assert sum(weights.values()) == 33 - number
        assert not position.is_legal("chance", "draw(game_end)")
        position = play(position, next(a for a in weights if a[5:-1] in COPIES))
    while "draw" not in position.decisions.values():
        (role,) = position.to_move
        position = play(position, "draw" if position.decisions[role] == "turn" else "decline")
    assert position.weights()["draw(game_end)"] == 1
    assert sum(position.weights().values()) == 21
    assert "phase(over)" in play(position, "draw(game_end)").facts


@pytest.mark.parametrize(("pile", "number"), [("people(crown,11)", 5), ("people(crown,4)", 4)])
def test_a_revolt_of_two_players(pile: str, number: int) -> None:
    facts = estate("red", *LAND["red"]) + estate("green", *LAND["green"])
    position = make(TWO, f"{facts} king(red) turn(green) ap(1) {pile} decision(green,turn)")
    position = play(position, "revolt", "red: vote(crown,none)  green: vote(sword,none)")
    assert f"revealing({number})" in position.facts


def test_unrest_without_a_king() -> None:
    facts = "shield(a10,red) shield(b20,green) turn(red) ap(2) drawing decision(chance,draw)"
    position = play(make(TWO, facts), "draw(unrest)")
    assert position.decisions == {"chance": "draw"}
    assert "discard(unrest,1)" in position.facts
    assert not any(f.startswith("revealing") for f in position.facts)


def test_city_scoring() -> None:
    more = "shield(a7,red) city(a7) shield(a12,red) city(a12) shield(a22,green) shield(a19,green) large_city(a22,a19)"
    facts = estate("red", *LAND["red"]) + estate("green", *LAND["green"])
    facts = f"{facts} {more} king(red) turn(red) ap(1) drawing decision(chance,draw)"
    assert points(play(make(TWO, facts), "draw(city_scoring)")) == {"red": 0, "green": 2}


@pytest.mark.parametrize(("ties", "expected"), [("next_size", (7, 5, 0)), ("no_second", (5, 5, 0))])
def test_final_areas(ties: str, expected: tuple[int, int, int]) -> None:
    land = board(4)
    taken: set[str] = set()
    facts = (
        "turn(yellow) ap(1) king(yellow) points(yellow,30) draw(game_end,1) drawing decision(chance,draw) "
    )
    facts += estate("yellow", *LAND["yellow"])
    facts += " ".join(f"hand({r},{c},{n})" for r, c, n in (("red", "castle", 15), ("green", "city", 15)))
    facts += " hand(blue,cathedral,10) hand(blue,leader3,5) "
    taken |= around(land, set(LAND["yellow"]))
    for role, start, size in (("red", "b1", 7), ("red", "d24", 5), ("green", "c1", 7), ("blue", "b24", 4)):
        area = grown(land, start, size, taken)
        taken |= around(land, area)
        facts += " ".join(f"shield({f},{role})" for f in area) + " "
    game = load("krone", players=4, options={"area_ties": ties})
    position = play(make(game, facts), "draw(game_end)")
    assert tuple(points(position)[r] for r in ("red", "green", "blue")) == expected
    assert points(position)["yellow"] == 30 + 2 + 5
    result = position.result()
    assert result is not None
    assert result.winners == ("yellow",)
    assert not any(
        f.startswith(("turn(", "ap(", "draw(game_end", "drawing", "decision")) for f in position.facts
    )


def test_the_final_points_of_a_king() -> None:
    facts = (
        estate("red", "a5", "a6")
        + "shield(a10,red) castle(a10) shield(a7,red) shield(a11,red) large_city(a7,a11) "
    )
    facts += "cathedral(a7) king(red) points(red,11) turn(red) ap(1) draw(game_end,1) drawing decision(chance,draw) "
    facts += "hand(green,castle,15) hand(green,city,15) hand(green,cathedral,10) hand(green,leader3,5)"
    position = play(make(TWO, facts), "draw(game_end)")
    assert points(position)["red"] == 11 + 10 + 5  # 5 for the only area


# -- corners -------------------------------------------------------------------------------------------------

BASE = "shield(a10,red) shield(b20,green) turn(red) "
HANDS = "hand(red,castle,15) hand(red,city,15) hand(green,cathedral,10) hand(green,leader3,5) hand(green,leader4,3) "
HANDS += "hand(green,incite,3) hand(green,ambush,2) hand(green,truce,2) "


def test_an_event_as_the_last_card_becomes_the_draw_pile() -> None:
    facts = f"{BASE} {HANDS} ap(0) draw(unrest,1) discard(unrest,4) discard(city_scoring,2) discard(papal_visit,3)"
    position = play(make(TWO, f"{facts} drawing decision(chance,draw)"), "draw(unrest)")
    assert {"draw(unrest,5)", "draw(city_scoring,2)", "draw(papal_visit,3)", "drawing"} <= position.facts
    assert position.decisions == {"chance": "draw"}
    position = play(position, "draw(papal_visit)")
    assert {"draw(papal_visit,2)", "turn(green)", "hand(red,papal_visit,1)"} <= position.facts


@pytest.mark.parametrize("replacement", ["automatic", "optional"])
def test_the_draw_ends_with_only_events_left(replacement: str) -> None:
    game = load("krone", players=2, options={"replacement": replacement})
    facts = f"{BASE} {HANDS} hand(red,papal_visit,3) ap(1) draw(unrest,1) discard(unrest,4) discard(city_scoring,2)"
    position = make(game, f"{facts} decision(red,turn)")
    position = play(position, "draw", "draw(unrest)")
    assert position.decisions == {"green": "turn"}
    assert {"draw(unrest,5)", "draw(city_scoring,2)"} <= position.facts
    assert "drawing" not in position.facts


def test_unrest_is_revealed_before_the_draw_goes_on() -> None:
    game = load("krone", edition="nl", players=2)
    facts = (
        estate("red", "a5", "a6")
        + "king(red) shield(b20,green) turn(green) ap(0) drawing decision(chance,draw)"
    )
    position = play(make(game, facts), "draw(unrest)")
    assert position.decisions == {"chance": "reveal"}
    position = play(position, "reveal(sword)", "reveal(crown)")
    assert position.decisions == {"green": "replace"}
    assert play(position, "decline").decisions == {"red": "tax"}
    assert play(position, "draw").decisions == {"chance": "draw"}


def nearly_full(free: Iterable[str], red: int = 0) -> str:
    """Green's and red's shields on all fields of two pieces but these; red has so many."""
    fields = [f for f in sorted(board(2).terrain) if f not in set(free)]
    return " ".join(f"shield({f},{'red' if i < red else 'green'})" for i, f in enumerate(fields)) + " "


def test_both_fields_or_none() -> None:
    game = load("krone", players=2, options={"supply": "unlimited"})
    one = make(game, nearly_full(["a1"]) + "turn(red) ap(3) decision(red,resettle)")
    assert one.legal() == {"red": ("decline",)}
    assert play(one, "decline").decisions == {"red": "turn"}
    two = make(game, nearly_full(["a1", "b4"]) + "turn(red) ap(3) decision(red,resettle)")
    assert two.legal() == {"red": ("decline", "shield(a1)", "shield(b4)")}
    over = play(two, "shield(a1)")
    assert "phase(over)" in over.facts  # b4 is a mountain
    assert over.result() is not None
    then = play(two, "shield(b4)")
    assert then.legal() == {"red": ("shield(a1)",)}
    assert "phase(over)" in play(then, "shield(a1)").facts
    three = make(game, nearly_full(["a1", "a2", "b4"]) + "turn(red) ap(3) decision(red,resettle)")
    assert play(three, "shield(b4)", "shield(a1)").decisions == {"red": "turn"}


def test_a_king_without_property() -> None:
    game = load("krone", players=2, options={"leader_condition": "none"})
    facts = "king(red) points(red,3) shield(b20,green) turn(red) ap(3) decision(red,resettle)"
    position = play(make(game, facts), "decline")
    assert position.decisions == {"red": "tax"}
    assert points(play(position, "tax"))["red"] == 3
    assert play(position, "tax").decisions == {"chance": "reveal"}
    with pytest.raises(InvalidPosition):
        make(TWO, facts)


def test_several_largest_areas() -> None:
    facts = (
        "shield(a1,red) shield(a2,red) shield(a4,red) shield(b23,green) shield(b20,green) shield(b1,green) "
    )
    facts += (
        estate("red", "b4", "b8")
        + f"king(red) points(red,20) {HANDS} draw(game_end,1) turn(red) ap(1) drawing "
    )
    for ties, green in (("next_size", 5 + 2), ("no_second", 5)):
        game = load("krone", players=2, options={"area_ties": ties})
        position = play(make(game, facts + "decision(chance,draw)"), "draw(game_end)")
        assert points(position)["green"] == green


def test_more_ambushes_than_cards() -> None:
    position = make(TWO, ATTACK.replace("hand(green,ambush,1)", "hand(green,ambush,2)"))
    position = play(position, "force(with(1,leader4,none))", "ambush(2)")
    assert {"shield(a11,green)", "discard(ambush,2)", "discard(leader4,1)"} <= position.facts


@pytest.mark.parametrize(("target", "king"), [("side", "green"), ("protagonist", "red")])
def test_an_ambush_cancels_the_cards_of_its_target(target: str, king: str) -> None:
    game = load("krone", players=4, options={"ambush_target": target})
    hands = "hand(yellow,leader4,1) hand(green,leader4,1) hand(blue,ambush,1) people(sword,8) decision(green,turn)"
    votes = "red: vote(crown,none)  green: vote(sword,with(1,leader4,none))  blue: vote(sword,with(1,ambush,none))"
    position = play(
        make(game, REVOLT + hands), "revolt", f"{votes}  yellow: vote(crown,with(1,leader4,none))"
    )
    while position.decisions == {"chance": "reveal"} and "revolt" in position.facts:
        position = play(position, "reveal(sword)")  # 3 + 4 + 4 against 4 + 4, and with the ambush 4
    assert "king(green)" in position.facts
    votes = votes.replace("with(1,leader4,none)", "none")
    position = play(
        make(game, REVOLT + hands), "revolt", f"{votes}  yellow: vote(crown,with(1,leader4,none))"
    )
    while "revolt" in position.facts:
        position = play(position, "reveal(sword)")  # 3 + 4 against 4 + 4, or 4
    assert f"king({king})" in position.facts


@pytest.mark.parametrize("ruling", ["before_people", "after_people"])
def test_a_truce_calls_the_revolt_off(ruling: str) -> None:
    game = load("krone", players=4, options={"truce_in_revolt": ruling})
    hands = "hand(blue,truce,1) hand(green,leader4,1) people(sword,11) people(crown,9) decision(green,turn)"
    votes = (
        "red: vote(crown,none)  green: vote(sword,with(1,leader4,none))  blue: vote(sword,with(1,truce,none))"
    )
    position = play(make(game, REVOLT + hands), "revolt", f"{votes}  yellow: vote(crown,none)")
    if ruling == "after_people":
        assert "revealing(4)" in position.facts
        position = play(position, "reveal(sword)", "reveal(sword)", "reveal(crown)", "reveal(crown)")
        assert {"people(sword,9)", "people(crown,7)"} <= position.facts
    else:
        assert {"people(sword,11)", "people(crown,9)"} <= position.facts
    assert {"hand(green,leader4,1)", "discard(truce,1)", "king(red)", "turn(blue)"} <= position.facts
    assert "hand(blue,truce,1)" not in position.facts


def test_one_revolt_a_turn() -> None:
    for ruling, allowed in (("any", True), ("one", False)):
        game = load("krone", players=4, options={"revolts_per_turn": ruling})
        facts = REVOLT.replace("ap(1)", "ap(2)") + "decision(green,turn)"
        votes = "green: vote(sword,none)  blue: vote(crown,none)  yellow: vote(crown,none)"
        position = play(
            make(game, facts), "revolt", f"red: vote(crown,none)  {votes}", "reveal(crown)", "reveal(crown)"
        )
        assert position.is_legal("green", "revolt") == allowed


def test_the_first_tax_can_be_optional() -> None:
    game = load("krone", players=2, options={"first_tax": "optional"})
    facts = f"{RED} ap(2) hand(red,city,1) shield(b20,green) decision(red,turn)"
    position = play(make(game, facts), "city(a11)")
    assert position.decisions == {"red": "tax"}
    assert points(play(position, "decline")) == {"red": 0, "green": 0}
    assert play(position, "decline").decisions == {"green": "turn"}
    assert points(play(position, "tax"))["red"] == 1


# -- violations -------------------------------------------------------------------------------------------------

TURN = """shield(a10,red) shield(a11,red) shield(a6,red) shield(a14,green) shield(a5,green) castle(a5) turn(red)
    hand(red,castle,1) hand(red,city,1) hand(red,cathedral,1) hand(red,leader3,1) decision(red,turn) """


@pytest.mark.parametrize(
    ("more", "action", "rules"),
    [
        ("ap(1)", "castle(a10)", {"turn.points"}),
        ("ap(3)", "castle(a15)", {"build.own"}),
        ("ap(3)", "castle(a6)", {"build.terrain"}),
        ("ap(3)", "castle(a5)", {"build.own", "build.vacant"}),
        ("ap(3)", "large_city(a7,a11)", {"build.own"}),
        ("ap(3)", "large_city(a6,a12)", {"build.own", "build.neighbours"}),
        ("ap(3)", "cathedral(a6)", {"build.cathedral"}),
        ("ap(3)", "cathedral(a7)", {"build.cathedral", "build.own"}),
        ("ap(3)", "incite", {"cards.hand"}),
        ("ap(3)", "expand(leader4,a9)", {"cards.hand"}),
        ("ap(3)", "expand(leader3,a10)", {"field.free"}),
        ("ap(3)", "expand(leader3,b20)", {"expand.beside"}),
        ("ap(2)", "occupy(b20)", {"turn.points"}),
        ("ap(2)", "occupy(a14)", {"turn.points", "field.free"}),
        ("ap(3)", "attack(b20)", {"attack.foreign", "attack.beside"}),
        ("ap(3)", "attack(a6)", {"attack.foreign"}),
        ("ap(3)", "attack(a5)", {"attack.built"}),
        ("ap(3) visit(green,1)", "attack(a14)", {"attack.visit"}),
        ("ap(2) attacked", "attack(a14)", {"attack.once"}),
        ("ap(3) phase(first_round)", "attack(a14)", {"attack.first_round"}),
        ("ap(3)", "revolt", {"revolt.king", "revolt.leader"}),
        ("ap(3)", "stop", {"expand.second"}),
        ("ap(3)", "tax", {"tax"}),
        ("ap(3)", "force(none)", {"attack.force"}),
        ("ap(3)", "shield(b20)", {"resettle"}),
        ("ap(3)", "castle(z9)", {"action.unknown"}),
        ("ap(3)", "ambush(3)", {"action.unknown"}),
    ],
)
def test_rules_that_an_action_breaks(more: str, action: str, rules: set[str]) -> None:
    position = make(TWO, TURN + more)
    assert not position.is_legal("red", action)
    judgement = TWO.evaluator.judge(position.symbols, {"red": symbols.read_symbol(action)})
    assert {rule for _, _, rule in judgement.violations} >= rules
    with pytest.raises(IllegalMove):
        position.apply({"red": action})


@pytest.mark.parametrize(
    ("force", "rules"),
    [
        ("none", {"attack.force.enough"}),
        ("with(1,leader3,none)", {"attack.force.enough"}),
        ("with(2,leader4,none)", {"cards.set"}),
        ("with(1,cathedral,with(1,city,none))", {"cards.set"}),
        ("with(1,leader4,with(1,ambush,none))", {"attack.force.battle", "cards.set"}),
        ("with(1,castle,with(1,leader4,none))", {"action.unknown"}),
        ("with(1,leader4,with(1,leader4,none))", {"action.unknown"}),
        ("with(0,leader3,with(1,leader4,none))", {"action.unknown"}),
        ("with(x,leader4,none)", {"action.unknown"}),
        ("with(1,leader4)", {"action.unknown"}),
        ("with(1,leader4,all)", {"action.unknown"}),
        ("with(1,unrest,none)", {"action.unknown"}),
        ("all", {"action.unknown"}),
    ],
)
def test_rules_that_a_set_breaks(force: str, rules: set[str]) -> None:
    position = make(TWO, ATTACK)
    judgement = TWO.evaluator.judge(position.symbols, {"red": symbols.read_symbol(f"force({force})")})
    assert {rule for _, _, rule in judgement.violations} >= rules


# -- large hands, hidden facts, chance, invalid positions -------------------------------------------------------------


def test_a_full_hand_is_judged_but_not_listed() -> None:
    votes = "revolt decision(red,vote) decision(green,vote)"
    facts = estate("red", *LAND["red"]) + estate("green", *LAND["green"])
    hand = " ".join(f"hand(red,{card},{number})" for card, number in COPIES.items())
    position = make(TWO, f"{facts} king(red) turn(green) ap(1) {hand} {votes}")
    with pytest.raises(NotDecided, match="20000"):
        position.legal()
    everything = "none"
    for card, number in reversed(COPIES.items()):
        everything = f"with({number},{card},{everything})"
    assert position.is_legal("red", f"vote(crown,{everything})")
    assert not position.is_legal("red", f"vote(sword,{everything})")
    assert play(position, f"red: vote(crown,{everything})  green: vote(sword,none)").decisions


def test_hidden_facts() -> None:
    facts = (
        estate("red", *LAND["red"])
        + "hand(red,castle,2) hand(green,truce,1) hand(green,city,3) points(red,4) "
    )
    position = make(
        TWO, f"{facts} king(red) shield(b20,green) turn(red) ap(1) discard(leader3,2) decision(red,turn)"
    )
    green = position.view("green")
    assert {
        "hand(green,truce,1)",
        "cards(red,2)",
        "points(green,0)",
        "discard(leader3,2)",
        "king(red)",
    } <= green
    assert f"draw_size({65 - 8})" in green
    assert not any(f.startswith(("hand(red", "points(red", "draw(")) for f in green)
    assert not any(f.startswith(("hand(", "points(", "draw(")) for f in position.view("public"))
    assert {"cards(red,2)", "cards(green,4)"} <= position.view("public")
    with pytest.raises(WrongUsage):
        position.view("white")


def test_the_weights_of_the_deal() -> None:
    assert TWO.initial().weights() == {f"deal(red,{card})": number for card, number in COPIES.items()}
    assert make(TWO, f"{TURN} ap(3)").weights() == {}


KING = estate("red", *LAND["red"]) + "shield(a10,green) turn(red) ap(2) decision(red,turn) king(red) "
LOW = estate("red", *LAND["red"]) + "shield(a10,green) turn(red) ap(2) decision(red,turn) "


@pytest.mark.parametrize(
    ("text", "invariant"),
    [
        (KING + "hand(red,castle,3) draw(castle,15)", "limit"),
        (KING + "castle(a6)", "one_building"),
        (KING + "city(a10)", "terrain"),
        (KING + "castle(a17)", "owned"),
        (KING + "shield(a10,red)", "one_owner"),
        (KING + "king(green)", "one_king"),
        (KING + "cathedral(a6)", "terrain"),
        (KING + "shield(a7,green) shield(a11,red) large_city(a7,a11)", "owned"),
        (LOW, "no_king"),
        (LOW + "king(green)", "king_owns"),
        (KING + "draw(game_end,1)", "end_phase"),
        (BASE + "ap(3) decision(red,turn) points(red,1)", "no_points"),
        (BASE + "ap(3) decision(red,turn) decision(green,turn)", "one_decision"),
        (BASE + "ap(0) decision(red,turn)", "decision_fits"),
        (BASE + "ap(1) decision(red,tax)", "decision_fits"),
        (BASE + "ap(1)", "one_decision"),
        (ATTACK.replace("shield(a10,red)", "shield(a1,red)"), "pending_attack"),
        (ATTACK + " visit(green,1)", "pending_attack"),
        (ATTACK.replace("hand(red,leader4,1)", "").replace("hand(red,leader3,1)", ""), "decision_fits"),
        (REVOLT + "revolt decision(red,vote) decision(green,vote) decision(blue,vote)", "one_decision"),
        (KING + "revealing(2)", "revealing"),
        (KING.replace("decision(red,turn)", "decision(chance,reveal)") + "revealing(4)", "revealing"),
        (KING + "laid(red,city,1)", "laid"),
        (KING + "vote(red,crown)", "votes"),
        (KING + "phase(placement)", "one_turn"),
        ("phase(placement) shield(a10,red) shield(a11,green) decision(red,place)", "placing"),
        ("phase(placement) shield(a10,green) decision(red,place)", "placing"),
        ("phase(placement) decision(green,place)", "decision_fits"),
        ("phase(deal) decision(chance,deal(green))", "dealing"),
        (KING + "shield(z1,red)", "vocabulary"),
        (KING + "people(sword,12)", "vocabulary"),
    ],
)
def test_invalid_positions_break_invariants(text: str, invariant: str) -> None:
    game: Game = FOUR if "blue" in text else TWO
    with pytest.raises(InvalidPosition) as caught:
        make(game, text)
    assert invariant in {b.invariant for b in caught.value.broken}


def test_a_full_board_is_invalid_before_the_end() -> None:
    game = load("krone", players=2, options={"supply": "unlimited"})
    with pytest.raises(InvalidPosition) as caught:
        make(game, nearly_full(["b4"], red=3) + "turn(red) ap(2) decision(red,turn)")
    assert [b.invariant for b in caught.value.broken] == ["lowland"]
