"""Staufer: the rulebook decides the worked cases of the specification as expected."""

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


def payments(current: Position, region: str, seat: int, chests: str = "walk,full,usual") -> set[str]:
    """The payments in envoys that are legal for Red's envoy on the seat, with or without chests."""
    head, tail = f"deploy({region},{seat},envoy,", f",{chests})"
    found = {
        a[len(head) : -len(tail)] for a in current.legal()["red"] if a.startswith(head) and a.endswith(tail)
    }
    return {pay for pay in found if "n" not in pay.replace("en", "n")}


def with_privileges(numbers: str) -> str:
    """Facts that give Red these privileges."""
    return " ".join(f"has(red,{n})" for n in numbers.split())


def points(current: Position) -> dict[str, int]:
    """The points of all players."""
    found = (f[7:-1].split(",") for f in current.facts if f.startswith("points("))
    return {role: int(number) for role, number in found}


def gained(before: Position, after: Position) -> dict[str, int]:
    """The points that players have gained, without zeros."""
    more = {role: number - points(before)[role] for role, number in points(after).items()}
    return {role: number for role, number in more.items() if number}


# -- the actions -----------------------------------------------------------------------------------------------


def test_a_swap_chest_exchanges_the_chests_of_two_spaces() -> None:
    current = position("chest(supply,2,brown,1) chest(supply,4,violet,1) owns(red,swap,1) court(red,envoy,1)")
    after = play(current, "supply(2,4,usual)")
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
def test_privileges_make_the_way_to_palermo_cheaper(privileges: str, pay: str) -> None:
    current = position(f"{RICH} {with_privileges(privileges)}")
    assert payments(current, "palermo", 1) == {pay}


def test_a_nomove_chest_saves_the_whole_way() -> None:
    current = position(f"{RICH} owns(red,nomove,1)")
    assert payments(current, "palermo", 1, "nomove,full,usual") == {"pay(e,e,x,x,x,x)"}


def test_privilege_12_makes_only_the_neighbours_cheaper() -> None:
    current, bare = (position(f"{RICH} {with_privileges(p)}") for p in ("12", ""))
    others = ("aachen", "strasbourg", "nijmegen", "palermo", "milano")
    assert {g for g in others if payments(current, g, 1) != payments(bare, g, 1)} == {"aachen", "milano"}


@pytest.mark.parametrize(
    ("privileges", "pay"),
    [("", E6), ("4", "pay(e,e,x,x,x,x)"), ("5", "pay(e,e,e,e,e,x)"), ("4 5", "pay(e,x,x,x,x,x)")],
)
def test_privileges_make_a_seat_of_seven_cheaper(privileges: str, pay: str) -> None:
    assert payments(position(f"{RICH} {with_privileges(privileges)}"), "augsburg", 4) == {pay}


def test_the_dearest_deployment_has_one_payment() -> None:
    current = position("court(red,envoy,11) court(red,noble,1)")
    pays = {a for a in current.legal()["red"] if a.startswith("deploy(milano,4,noble,")}
    assert pays == {"deploy(milano,4,noble,pay(e,ee,ee,ee,ee,ee),walk,full,usual)"}


@pytest.mark.parametrize(("edition", "seats"), [("standard", {5}), ("de", {4, 5})])
def test_two_chests_make_a_deployment_free_on_the_seats_of_the_edition(edition: str, seats: set[int]) -> None:
    current = position(
        "court(red,envoy,1) court(red,noble,0) owns(red,nomove,1) owns(red,cheap,1)", edition=edition
    )
    actions = {seat: f"deploy(strasbourg,{seat},envoy,{NOTHING},nomove,cheap,usual)" for seat in (4, 5)}
    assert {seat for seat, action in actions.items() if current.is_legal("red", action)} == seats
    assert {seat for seat, action in actions.items() if action in current.legal()["red"]} == seats


def test_two_envoys_in_the_region_of_the_king_take_one_seat_and_score() -> None:
    current = position("has(red,3) has(red,6)")
    after = play(current, "deploy(augsburg,1,envoys,pay(e,e,x,x,x,x),walk,full,usual)")
    assert gained(current, after) == {"red": 6}
    assert "court(red,noble,1)" in after.facts
    assert not any(f.startswith("court(red,envoy") for f in after.facts)
    assert {"sits(augsburg,1,1,red,envoy)", "sits(augsburg,1,2,red,envoy)"} <= after.facts


@pytest.mark.parametrize(
    "action", ["supply(1,1,first)", "deploy(augsburg,1,envoy,pay(e,e,x,x,x,x),walk,full,first)"]
)
def test_a_first_chest_puts_the_family_member_first(action: str) -> None:
    rest = "order(3,blue) order(4,blue) order(5,blue) order(6,red) order(7,red) order(8,green) order(9,green)"
    current = position(f"supplied(1,red) supplied(2,green) {rest} owns(blue,first,1)")
    assert {"supplied(1,blue)", "supplied(2,red)", "supplied(3,green)"} <= play(current, action).facts


@pytest.mark.parametrize("owned", [0, 1])
@pytest.mark.parametrize(("value", "legal"), [("now", True), ("later", False)])
def test_a_first_chest_taken_in_the_same_action_is_used_only_by_the_ruling(
    value: str, legal: bool, owned: int
) -> None:
    """The ruling allows using it at once. A chest owned before is used first."""
    mine = "owns(red,first,1)" if owned else ""
    chests = "chest(supply,1,first,2) chest(supply,3,vp2,1) chest(augsburg,1,first,1)"
    current = position(f"{chests} {mine} owns(red,swap,1)", options=(("first_chest", value),))
    deploy = "deploy(augsburg,1,envoy,pay(e,e,x,x,x,x),walk,full,first)"
    for action in ("supply(1,1,first)", "supply(2,1,first)", deploy):
        assert current.is_legal("red", action) == (legal or bool(owned))
        assert (action in current.legal()["red"]) == (legal or bool(owned))
    for action in ("supply(2,2,first)", "supply(1,3,first)", deploy.replace("augsburg,1", "augsburg,2")):
        assert current.is_legal("red", action) == (bool(owned) and "augsburg" not in action)
    if legal or owned:
        after = play(current, "supply(1,1,first)")
        assert {"supplied(1,red)", f"owns(red,first,{1 + owned})"} <= after.facts
        after = play(current, deploy)
        assert "supplied(1,red)" in after.facts
        assert ("owns(red,first,1)" in after.facts) == bool(owned)


def test_two_envoys_may_take_a_seat_for_nobles_with_the_chest_in_the_german_edition() -> None:
    current = position("owns(red,cheap,1) owns(red,nomove,1) has(red,3)", edition="de")
    action = f"deploy(augsburg,3,envoys,{NOTHING},nomove,cheap,usual)"
    assert current.is_legal("red", action) and not current.is_legal("red", action.replace("cheap", "full"))
    assert not position("owns(red,cheap,1) owns(red,nomove,1) has(red,3)").is_legal("red", action)


def test_the_order_of_the_next_round_follows_the_actions() -> None:
    rows = ["red", "green", "green", "red", "green", "red"]
    order = " ".join(f"order({i},{r})" for i, r in enumerate(rows, 1))
    current = position(f"{order} court(green,envoy,8)", players=2)
    current = play(current, "supply(1,1,usual)", "deploy(augsburg,1,envoy,pay(e,e,x,x,x,x),walk,full,usual)")
    current = play(current, "supply(1,1,usual)", "deploy(aachen,1,envoy,pay(e,e,x,x,x,e),walk,full,usual)")
    current = play(current, "deploy(augsburg,2,envoy,pay(e,e,e,e,x,x),walk,full,usual)", "supply(1,1,usual)")
    random = Random(1)
    while "round(2)" not in current.facts:
        (role,) = current.to_move
        current = play(current, str(random_actions(current, random)[role]))
    found = sorted(f[6:-1].split(",") for f in current.facts if f.startswith("order("))
    assert [role for _, role in found] == ["red", "green", "red", "green", "red", "green"]


# -- chests and privileges -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("owned", "taken", "exchanges"), [(1, 1, 1), (0, 2, 1), (2, 2, 2), (0, 1, 0)])
def test_two_violet_chests_are_exchanged_for_a_privilege(owned: int, taken: int, exchanges: int) -> None:
    violets = f"owns(red,violet,{owned})" if owned else ""
    current = play(position(f"{violets} chest(supply,1,violet,{taken})"), "supply(1,1,usual)")
    for privilege in (2, 5)[:exchanges]:
        assert current.decisions == {"red": "exchange"}
        current = play(current, f"privilege({privilege})")
    assert current.decisions == {"green": "turn"}


def test_the_ruling_once_allows_one_exchange() -> None:
    current = position("owns(red,violet,2) chest(supply,1,violet,2)", options=(("exchanges", "once"),))
    current = play(current, "supply(1,1,usual)", "privilege(2)")
    assert current.decisions == {"green": "turn"}
    assert "owns(red,violet,2)" in current.facts


def test_privilege_1_cannot_be_taken_twice() -> None:
    current = play(position("has(red,1) owns(red,violet,1) chest(supply,1,violet,1)"), "supply(1,1,usual)")
    assert not current.is_legal("red", "privilege(1)")
    assert "privilege(1)" not in current.legal()["red"]


def test_privilege_16_counts_for_an_orange_chest_of_the_same_action() -> None:
    current = position("owns(red,violet,1) chest(supply,1,violet,1) chest(supply,1,vp2,1)", privileges="16")
    assert gained(current, play(current, "supply(1,1,usual)", "privilege(16)")) == {"red": 4}


# -- scoring ---------------------------------------------------------------------------------------------------


def scored(text: str, **setting: object) -> tuple[Position, Position]:
    """The positions before and after the supply action of the last family member."""
    current = position(text, left=1, **setting)  # type: ignore[arg-type]
    return current, play(current, "supply(1,1,usual)")


@pytest.mark.parametrize(("king", "region"), [("augsburg", "strasbourg"), ("palermo", "milano")])
def test_the_region_with_the_fewest_chests_is_marked(king: str, region: str) -> None:
    full = " ".join(f"chest({g},1,violet,1)" for g in ("augsburg", "aachen", "nijmegen", "palermo"))
    _, after = scored(full, king=king, b="chests")
    assert f"marker({region})" in after.facts


AUGSBURG = """sits(augsburg,1,1,red,envoy) sits(augsburg,2,1,red,envoy) sits(augsburg,3,1,green,noble)
    sits(augsburg,4,1,blue,envoy)"""


@pytest.mark.parametrize(
    ("privileges", "expected"),
    [
        ("", {"green": 9, "red": 7, "blue": 5}),
        (" has(red,14) has(green,14)", {"green": 12, "red": 9, "blue": 5}),
    ],
)
def test_a_region_scores_for_three_players(privileges: str, expected: dict[str, int]) -> None:
    before, after = scored(
        AUGSBURG + privileges, options=(("score_order", "b_first"),), privileges="2 3 4 5 6 14"
    )
    assert gained(before, after) == expected


def test_a_region_scores_for_two_players() -> None:
    seats = "sits(augsburg,1,1,red,envoy) sits(augsburg,2,1,red,envoy) sits(augsburg,3,1,green,noble) has(green,14)"
    before, after = scored(seats, players=2, options=(("score_order", "b_first"),))
    assert gained(before, after) == {"green": 11}


def test_the_left_figure_of_a_shared_seat_ranks_first() -> None:
    shared = "sits(augsburg,4,1,red,envoy) sits(augsburg,4,2,green,envoy) has(green,2)"
    before, after = scored(shared, options=(("score_order", "b_first"),))
    assert gained(before, after) == {"red": 9, "green": 7}


def test_the_bonus_of_aachen_offers_four_chests_by_rank() -> None:
    seats = "sits(aachen,4,1,red,envoy) sits(aachen,3,1,blue,envoy)"
    _, current = scored(seats, players=4)
    current = play(current, "reveal(brown)", "reveal(swap)", "reveal(stay)", "reveal(cheap)")
    assert current.decisions == {"red": "bonus"}
    current = play(current, "take(swap)")
    assert current.decisions == {"blue": "bonus"}
    current = play(current, "take(brown)")
    assert {"owns(red,swap,1)", "owns(blue,brown,1)"} <= current.facts
    assert not any(f.startswith("open(") for f in current.facts)


def test_the_chest_that_nobody_takes_in_augsburg_is_discarded() -> None:
    _, current = scored("sits(augsburg,4,1,red,envoy)", options=(("score_order", "b_first"),))
    current = play(current, "reveal(brown)", "reveal(swap)", "take(swap)")
    assert "owns(red,swap,1)" in current.facts
    assert "scored(augsburg)" in current.facts
    assert [f for f in current.facts if "brown" in f] == ["pile(brown,9)"]


# -- clean-up and the end --------------------------------------------------------------------------------------


def test_a_stay_chest_keeps_a_figure_on_its_seat() -> None:
    sits = "sits(palermo,1,1,red,envoy) sits(palermo,2,1,red,noble)"
    current = position(
        f"{sits} has(red,13) owns(red,stay,1) phase(cleanup) marker(palermo) marker(nijmegen)"
        " decision(red,keep) court(red,envoy,4)",
        king="nijmegen",
        left=0,
    )
    after = play(current, "keep(palermo,1,1)")
    assert "sits(palermo,1,1,red,envoy)" in after.facts
    assert {"court(red,noble,1)", "court(red,envoy,4)"} <= after.facts
    assert not any(f.startswith("sits(palermo,2") for f in after.facts)


def test_the_king_returns_the_figures_on_his_way() -> None:
    areas = " ".join(f"paid({g},green,envoy,1)" for g in ("augsburg", "aachen", "strasbourg"))
    current = position(f"{areas} phase(cleanup) decision(chance,lay) to_lay(supply,4)", c=2, left=0)
    after = play(current, "lay(supply,4,brown)")
    assert {"paid(augsburg,green,envoy,1)", "court(green,envoy,6)", "king(strasbourg)"} <= after.facts
    assert "phase(actions)" in after.facts


@pytest.mark.parametrize(("chests", "expected"), [(3, 9), (5, 20), (7, 25)])
def test_brown_chests_score_by_their_number(chests: int, expected: int) -> None:
    assert final_points(f"owns(red,brown,{chests})", "threes") == expected


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        ("augsburg,2,1 strasbourg,2,1 nijmegen,2,1 palermo,2,1 augsburg,4,1 strasbourg,5,1", 24),
        ("nijmegen,2,1 nijmegen,2,2", 8),
    ],
)
def test_pairs_score_by_seats_of_one_value(seats: str, expected: int) -> None:
    assert final_points(own(seats), "pairs") == expected


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        ("augsburg,1,1 strasbourg,1,1 augsburg,2,1 strasbourg,2,1 strasbourg,3,1 palermo,3,1", 30),
        ("augsburg,1,1 strasbourg,1,1 nijmegen,1,1 augsburg,2,1 strasbourg,3,1 palermo,3,1", 15),
    ],
)
def test_series_score_by_complete_series(seats: str, expected: int) -> None:
    assert final_points(own(seats), "series") == expected


@pytest.mark.parametrize(("last", "expected"), [(2, 22), (1, 11)])
def test_three_neighbouring_regions_score_for_each_disjoint_row(last: int, expected: int) -> None:
    seats = "augsburg,1,1 aachen,1,1 aachen,3,1 nijmegen,1,1 palermo,1,1"
    seats += " milano,1,1 milano,2,1" if last == 2 else " milano,1,1"
    assert final_points(own(seats), "three") == expected


def test_five_seats_of_three_score_22() -> None:
    seats = "augsburg,1,1 aachen,1,1 strasbourg,1,1 nijmegen,1,1 palermo,1,1"
    assert final_points(own(seats), "threes") == 22


@pytest.mark.parametrize(("players", "expected"), [(3, 6), (2, 0)])
def test_a_region_job_scores_for_the_second_rank_with_three_players_only(players: int, expected: int) -> None:
    seats = f"{own('aachen,1,1')} sits(aachen,2,1,green,noble)"
    assert final_points(seats, "aachen", players) == expected


def own(seats: str) -> str:
    """Facts with Red's envoys on the seats, and the privilege for a second one."""
    return " ".join(f"sits({seat},red,envoy)" for seat in seats.split()) + " has(red,2)"


def final_points(text: str, job: str, players: int = 3) -> int:
    """Red's points in the final scoring for the job and the chests. Other jobs give none.

    The position is just before it: the step `finish` is due.
    """
    current = position(text, players=players)
    plain = {f for f in current.facts if not f.startswith(("job(", "decision(", "order("))}
    facts = plain | {f"job(red,{job})", "due(finish)"}
    after = game(players).evaluator.settle(frozenset(map(symbols.read_symbol, facts)))
    (number,) = (int(str(f.arguments[1])) for f in after if str(f).startswith("points(red,"))
    return number


@pytest.mark.parametrize(("ruling", "winners"), [("shared", ("red", "green")), ("court", ("green",))])
def test_equal_points_are_shared_or_decided_at_court_by_the_ruling(
    ruling: str, winners: tuple[str, ...]
) -> None:
    current = position(
        "points(red,30) points(green,30) points(blue,29) court(red,envoy,5) court(green,envoy,5) court(green,noble,1)"
        " court(blue,envoy,9) phase(over) round(5) marker(palermo) marker(milano)",
        options=(("final_tie", ruling),),
        king="augsburg",
        left=0,
    )
    result = current.result()
    assert result is not None
    assert result.winners == winners


def test_a_right_figure_that_is_left_alone_becomes_the_left_one() -> None:
    current = position(
        "sits(palermo,1,1,green,envoy) sits(palermo,1,2,red,envoy) has(red,2) owns(red,stay,1) phase(cleanup)"
        " marker(palermo) marker(nijmegen) decision(red,keep)",
        king="nijmegen",
        left=0,
    )
    after = play(current, "keep(palermo,1,2)")
    assert [f for f in after.facts if f.startswith("sits(")] == ["sits(palermo,1,1,red,envoy)"]
