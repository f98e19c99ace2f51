"""Die Staufer: the rulebook on the worked cases of the page."""

from __future__ import annotations

from random import Random

import pytest
from games.staufer.staufer_positions import game, play, position

from kaiser_logic.engine import symbols
from kaiser_logic.play.match import random_actions
from kaiser_logic.position import Position

E6 = "pay(e,e,e,e,e,e)"
NOTHING = "pay(x,x,x,x,x,x)"
RICH = "court(red,envoy,13) court(red,noble,1)"


def payments(at: Position, region: str, seat: int, ways: str = "walk,full,usual") -> set[str]:
    """Payments in envoys that are legal for Red's envoy on the seat."""
    head, tail = f"deploy({region},{seat},envoy,", f",{ways})"
    found = {a[len(head) : -len(tail)] for a in at.legal()["red"] if a.startswith(head) and a.endswith(tail)}
    return {pay for pay in found if "n" not in pay.replace("en", "n")}


def with_privileges(numbers: str) -> str:
    """Facts that give Red these privileges."""
    return " ".join(f"has(red,{n})" for n in numbers.split())


def points(at: Position) -> dict[str, int]:
    """The points of all players."""
    found = (f[7:-1].split(",") for f in at.facts if f.startswith("points("))
    return {role: int(number) for role, number in found}


def gained(before: Position, after: Position) -> dict[str, int]:
    """The points that players have gained, without zeros."""
    more = {role: number - points(before)[role] for role, number in points(after).items()}
    return {role: number for role, number in more.items() if number}


# -- the actions -----------------------------------------------------------------------------------------------


def test_swap() -> None:
    at = position("chest(supply,2,brown,1) chest(supply,4,violet,1) owns(red,swap,1) court(red,envoy,1)")
    after = play(at, "supply(2,4,usual)")
    assert {"court(red,envoy,2)", "court(red,noble,1)", "owns(red,violet,1)"} <= after.facts
    assert "chest(supply,2,brown,1)" in after.facts
    assert not any(f.startswith(("owns(red,swap", "chest(supply,4")) for f in after.facts)


@pytest.mark.parametrize(
    ("privileges", "pay"),
    [
        ("", E6),
        ("11", "pay(e,e,x,x,e,e)"),
        ("10", "pay(e,e,x,x,x,e)"),
        ("10 11", "pay(e,e,x,x,x,x)"),
        ("12", E6),
    ],
)
def test_moving_to_palermo(privileges: str, pay: str) -> None:
    at = position(f"{RICH} {with_privileges(privileges)}")
    assert payments(at, "palermo", 1) == {pay}


def test_moving_with_nomove() -> None:
    at = position(f"{RICH} owns(red,nomove,1)")
    assert payments(at, "palermo", 1, "nomove,full,usual") == {"pay(e,e,x,x,x,x)"}


def test_privilege_12_helps_to_the_neighbours_only() -> None:
    at, bare = (position(f"{RICH} {with_privileges(p)}") for p in ("12", ""))
    others = ("aachen", "strasbourg", "nijmegen", "palermo", "milano")
    assert {g for g in others if payments(at, g, 1) != payments(bare, g, 1)} == {"aachen", "milano"}


@pytest.mark.parametrize(
    ("privileges", "pay"),
    [("", E6), ("4", "pay(e,e,x,x,x,x)"), ("5", "pay(e,e,e,e,e,x)"), ("4 5", "pay(e,x,x,x,x,x)")],
)
def test_a_seat_of_seven(privileges: str, pay: str) -> None:
    assert payments(position(f"{RICH} {with_privileges(privileges)}"), "augsburg", 4) == {pay}


def test_a_noble_to_milano() -> None:
    at = position("court(red,envoy,11) court(red,noble,1)")
    pays = {a for a in at.legal()["red"] if a.startswith("deploy(milano,4,noble,")}
    assert pays == {"deploy(milano,4,noble,pay(e,ee,ee,ee,ee,ee),walk,full,usual)"}


@pytest.mark.parametrize(("edition", "seats"), [("standard", {5}), ("de", {4, 5})])
def test_both_chests_and_one_envoy(edition: str, seats: set[int]) -> None:
    at = position(
        "court(red,envoy,1) court(red,noble,0) owns(red,nomove,1) owns(red,cheap,1)", edition=edition
    )
    actions = {seat: f"deploy(strasbourg,{seat},envoy,{NOTHING},nomove,cheap,usual)" for seat in (4, 5)}
    assert {seat for seat, action in actions.items() if at.is_legal("red", action)} == seats
    assert {seat for seat, action in actions.items() if action in at.legal()["red"]} == seats


def test_two_envoys_in_the_kings_region() -> None:
    at = position("has(red,3) has(red,6)")
    after = play(at, "deploy(augsburg,1,envoys,pay(e,e,x,x,x,x),walk,full,usual)")
    assert gained(at, after) == {"red": 6}
    assert "court(red,noble,1)" in after.facts
    assert not any(f.startswith("court(red,envoy") for f in after.facts)
    assert {"sits(augsburg,1,1,red,envoy)", "sits(augsburg,1,2,red,envoy)"} <= after.facts


@pytest.mark.parametrize(
    "action", ["supply(1,1,first)", "deploy(augsburg,1,envoy,pay(e,e,x,x,x,x),walk,full,first)"]
)
def test_first(action: str) -> None:
    rest = "order(3,blue) order(4,blue) order(5,blue) order(6,red) order(7,red) order(8,green) order(9,green)"
    at = position(f"supplied(1,red) supplied(2,green) {rest} owns(blue,first,1)")
    assert {"supplied(1,blue)", "supplied(2,red)", "supplied(3,green)"} <= play(at, action).facts


@pytest.mark.parametrize("owned", [0, 1])
@pytest.mark.parametrize(("value", "legal"), [("now", True), ("later", False)])
def test_first_that_is_taken_in_the_same_action(value: str, legal: bool, owned: int) -> None:
    """The ruling allows using it at once. A chest owned before is used first."""
    mine = "owns(red,first,1)" if owned else ""
    chests = "chest(supply,1,first,2) chest(supply,3,vp2,1) chest(augsburg,1,first,1)"
    at = position(f"{chests} {mine} owns(red,swap,1)", options=(("first_chest", value),))
    deploy = "deploy(augsburg,1,envoy,pay(e,e,x,x,x,x),walk,full,first)"
    for action in ("supply(1,1,first)", "supply(2,1,first)", deploy):
        assert at.is_legal("red", action) == (legal or bool(owned))
        assert (action in at.legal()["red"]) == (legal or bool(owned))
    for action in ("supply(2,2,first)", "supply(1,3,first)", deploy.replace("augsburg,1", "augsburg,2")):
        assert at.is_legal("red", action) == (bool(owned) and "augsburg" not in action)
    if legal or owned:
        after = play(at, "supply(1,1,first)")
        assert {"supplied(1,red)", f"owns(red,first,{1 + owned})"} <= after.facts
        after = play(at, deploy)
        assert "supplied(1,red)" in after.facts
        assert ("owns(red,first,1)" in after.facts) == bool(owned)


def test_two_envoys_on_a_seat_for_nobles_with_the_chest() -> None:
    at = position("owns(red,cheap,1) owns(red,nomove,1) has(red,3)", edition="de")
    action = f"deploy(augsburg,3,envoys,{NOTHING},nomove,cheap,usual)"
    assert at.is_legal("red", action) and not at.is_legal("red", action.replace("cheap", "full"))
    assert not position("owns(red,cheap,1) owns(red,nomove,1) has(red,3)").is_legal("red", action)


def test_the_next_order() -> None:
    rows = ["red", "green", "green", "red", "green", "red"]
    order = " ".join(f"order({i},{r})" for i, r in enumerate(rows, 1))
    at = position(f"{order} court(green,envoy,8)", players=2)
    at = play(at, "supply(1,1,usual)", "deploy(augsburg,1,envoy,pay(e,e,x,x,x,x),walk,full,usual)")
    at = play(at, "supply(1,1,usual)", "deploy(aachen,1,envoy,pay(e,e,x,x,x,e),walk,full,usual)")
    at = play(at, "deploy(augsburg,2,envoy,pay(e,e,e,e,x,x),walk,full,usual)", "supply(1,1,usual)")
    random = Random(1)
    while "round(2)" not in at.facts:
        (role,) = at.to_move
        at = play(at, str(random_actions(at, random)[role]))
    found = sorted(f[6:-1].split(",") for f in at.facts if f.startswith("order("))
    assert [role for _, role in found] == ["red", "green", "red", "green", "red", "green"]


# -- chests and privileges -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("owned", "taken", "exchanges"), [(1, 1, 1), (0, 2, 1), (2, 2, 2), (0, 1, 0)])
def test_exchanges(owned: int, taken: int, exchanges: int) -> None:
    violets = f"owns(red,violet,{owned})" if owned else ""
    at = play(position(f"{violets} chest(supply,1,violet,{taken})"), "supply(1,1,usual)")
    for privilege in (2, 5)[:exchanges]:
        assert at.decisions == {"red": "exchange"}
        at = play(at, f"privilege({privilege})")
    assert at.decisions == {"green": "turn"}


def test_one_exchange_for_all() -> None:
    at = position("owns(red,violet,2) chest(supply,1,violet,2)", options=(("exchanges", "once"),))
    at = play(at, "supply(1,1,usual)", "privilege(2)")
    assert at.decisions == {"green": "turn"}
    assert "owns(red,violet,2)" in at.facts


def test_privilege_1_is_taken_once() -> None:
    at = play(position("has(red,1) owns(red,violet,1) chest(supply,1,violet,1)"), "supply(1,1,usual)")
    assert not at.is_legal("red", "privilege(1)")
    assert "privilege(1)" not in at.legal()["red"]


def test_an_orange_chest_beside_the_second_violet_one() -> None:
    at = position("owns(red,violet,1) chest(supply,1,violet,1) chest(supply,1,vp2,1)", privileges="16")
    assert gained(at, play(at, "supply(1,1,usual)", "privilege(16)")) == {"red": 4}


# -- scoring ---------------------------------------------------------------------------------------------------


def scored(text: str, **how: object) -> tuple[Position, Position]:
    """The positions before and after the supply action of the last family member."""
    at = position(text, left=1, **how)  # type: ignore[arg-type]
    return at, play(at, "supply(1,1,usual)")


@pytest.mark.parametrize(("king", "region"), [("augsburg", "strasbourg"), ("palermo", "milano")])
def test_the_fewest_chests(king: str, region: str) -> None:
    full = " ".join(f"chest({g},1,violet,1)" for g in ("augsburg", "aachen", "nijmegen", "palermo"))
    _, after = scored(full, king=king, b="chests")
    assert f"marker({region})" in after.facts


AUGSBURG = """sits(augsburg,1,1,red,envoy) sits(augsburg,2,1,red,envoy) sits(augsburg,3,1,green,noble)
    sits(augsburg,4,1,blue,envoy)"""


@pytest.mark.parametrize(
    ("privileges", "more"),
    [
        ("", {"green": 9, "red": 7, "blue": 5}),
        (" has(red,14) has(green,14)", {"green": 12, "red": 9, "blue": 5}),
    ],
)
def test_augsburg(privileges: str, more: dict[str, int]) -> None:
    before, after = scored(
        AUGSBURG + privileges, options=(("score_order", "b_first"),), privileges="2 3 4 5 6 14"
    )
    assert gained(before, after) == more


def test_augsburg_for_two() -> None:
    seats = "sits(augsburg,1,1,red,envoy) sits(augsburg,2,1,red,envoy) sits(augsburg,3,1,green,noble) has(green,14)"
    before, after = scored(seats, players=2, options=(("score_order", "b_first"),))
    assert gained(before, after) == {"green": 11}


def test_left_is_first() -> None:
    shared = "sits(augsburg,4,1,red,envoy) sits(augsburg,4,2,green,envoy) has(green,2)"
    before, after = scored(shared, options=(("score_order", "b_first"),))
    assert gained(before, after) == {"red": 9, "green": 7}


def test_four_chests_in_aachen() -> None:
    seats = "sits(aachen,4,1,red,envoy) sits(aachen,3,1,blue,envoy)"
    _, at = scored(seats, players=4)
    at = play(at, "reveal(brown)", "reveal(swap)", "reveal(stay)", "reveal(cheap)")
    assert at.decisions == {"red": "bonus"}
    at = play(at, "take(swap)")
    assert at.decisions == {"blue": "bonus"}
    at = play(at, "take(brown)")
    assert {"owns(red,swap,1)", "owns(blue,brown,1)"} <= at.facts
    assert not any(f.startswith("open(") for f in at.facts)


def test_the_other_chest_of_augsburg_is_discarded() -> None:
    _, at = scored("sits(augsburg,4,1,red,envoy)", options=(("score_order", "b_first"),))
    at = play(at, "reveal(brown)", "reveal(swap)", "take(swap)")
    assert "owns(red,swap,1)" in at.facts
    assert "scored(augsburg)" in at.facts
    assert [f for f in at.facts if "brown" in f] == ["pile(brown,9)"]


# -- clean-up and the end --------------------------------------------------------------------------------------


def test_a_figure_stays() -> None:
    sits = "sits(palermo,1,1,red,envoy) sits(palermo,2,1,red,noble)"
    at = position(
        f"{sits} has(red,13) owns(red,stay,1) phase(cleanup) marker(palermo) marker(nijmegen)"
        " decision(red,keep) court(red,envoy,4)",
        king="nijmegen",
        left=0,
    )
    after = play(at, "keep(palermo,1,1)")
    assert "sits(palermo,1,1,red,envoy)" in after.facts
    assert {"court(red,noble,1)", "court(red,envoy,4)"} <= after.facts
    assert not any(f.startswith("sits(palermo,2") for f in after.facts)


def test_the_king_fetches() -> None:
    areas = " ".join(f"paid({g},green,envoy,1)" for g in ("augsburg", "aachen", "strasbourg"))
    at = position(f"{areas} phase(cleanup) decision(chance,lay) to_lay(supply,4)", c=2, left=0)
    after = play(at, "lay(supply,4,brown)")
    assert {"paid(augsburg,green,envoy,1)", "court(green,envoy,6)", "king(strasbourg)"} <= after.facts
    assert "phase(actions)" in after.facts


@pytest.mark.parametrize(("chests", "worth"), [(3, 9), (5, 20), (7, 25)])
def test_brown_chests(chests: int, worth: int) -> None:
    assert worths(f"owns(red,brown,{chests})", "threes") == worth


@pytest.mark.parametrize(
    ("seats", "worth"),
    [
        ("augsburg,2,1 strasbourg,2,1 nijmegen,2,1 palermo,2,1 augsburg,4,1 strasbourg,5,1", 24),
        ("nijmegen,2,1 nijmegen,2,2", 8),
    ],
)
def test_pairs(seats: str, worth: int) -> None:
    assert worths(own(seats), "pairs") == worth


@pytest.mark.parametrize(
    ("seats", "worth"),
    [
        ("augsburg,1,1 strasbourg,1,1 augsburg,2,1 strasbourg,2,1 strasbourg,3,1 palermo,3,1", 30),
        ("augsburg,1,1 strasbourg,1,1 nijmegen,1,1 augsburg,2,1 strasbourg,3,1 palermo,3,1", 15),
    ],
)
def test_series(seats: str, worth: int) -> None:
    assert worths(own(seats), "series") == worth


@pytest.mark.parametrize(("last", "worth"), [(2, 22), (1, 11)])
def test_three_in_a_row(last: int, worth: int) -> None:
    seats = "augsburg,1,1 aachen,1,1 aachen,3,1 nijmegen,1,1 palermo,1,1"
    seats += " milano,1,1 milano,2,1" if last == 2 else " milano,1,1"
    assert worths(own(seats), "three") == worth


def test_five_threes() -> None:
    seats = "augsburg,1,1 aachen,1,1 strasbourg,1,1 nijmegen,1,1 palermo,1,1"
    assert worths(own(seats), "threes") == 22


@pytest.mark.parametrize(("players", "worth"), [(3, 6), (2, 0)])
def test_second_in_a_region(players: int, worth: int) -> None:
    seats = f"{own('aachen,1,1')} sits(aachen,2,1,green,noble)"
    assert worths(seats, "aachen", players) == worth


def own(seats: str) -> str:
    """Facts with Red's envoys on the seats, and the privilege for a second one."""
    return " ".join(f"sits({seat},red,envoy)" for seat in seats.split()) + " has(red,2)"


def worths(text: str, job: str, players: int = 3) -> int:
    """Red's points in the final scoring for the job and the chests. Other jobs give none.

    The position is just before it: the step `finish` is due.
    """
    at = position(text, players=players)
    plain = {f for f in at.facts if not f.startswith(("job(", "decision(", "order("))}
    facts = plain | {f"job(red,{job})", "due(finish)"}
    after = game(players).evaluator.settle(frozenset(map(symbols.read, facts)))
    (number,) = (int(str(f.arguments[1])) for f in after if str(f).startswith("points(red,"))
    return number


@pytest.mark.parametrize(("ruling", "winners"), [("shared", ("red", "green")), ("court", ("green",))])
def test_equal_points_at_the_end(ruling: str, winners: tuple[str, ...]) -> None:
    at = position(
        "points(red,30) points(green,30) points(blue,29) court(red,envoy,5) court(green,envoy,5) court(green,noble,1)"
        " court(blue,envoy,9) phase(over) round(5) marker(palermo) marker(milano)",
        options=(("final_tie", ruling),),
        king="augsburg",
        left=0,
    )
    result = at.result()
    assert result is not None
    assert result.winners == winners


def test_a_right_figure_left_alone_becomes_left() -> None:
    at = position(
        "sits(palermo,1,1,green,envoy) sits(palermo,1,2,red,envoy) has(red,2) owns(red,stay,1) phase(cleanup)"
        " marker(palermo) marker(nijmegen) decision(red,keep)",
        king="nijmegen",
        left=0,
    )
    after = play(at, "keep(palermo,1,2)")
    assert [f for f in after.facts if f.startswith("sits(")] == ["sits(palermo,1,1,red,envoy)"]
