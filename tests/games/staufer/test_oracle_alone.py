"""Staufer: the independent implementation decides worked cases and rulings as expected, and plays random games."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

import pytest
from oracles.staufer import EDITIONS, RULINGS, Staufer, most_layouts, random_game, sound
from oracles.staufer_board import (
    CHESTS,
    FIGURES,
    PATTERN_JOBS,
    REGIONS,
    ROLES,
    SEAT_JOBS,
    SORTS,
    default_board,
)

pytestmark = pytest.mark.by_hand

LAST = "supply(1,1,usual)"
E6 = "pay(e,e,e,e,e,e)"
NOTHING = "pay(x,x,x,x,x,x)"
EVERY_CHEST = {c: int(k) for c, k in re.findall(r"chests\((\w+),(\d+)\)", default_board())}

# -- positions -----------------------------------------------------------------------------------------------


def make(
    *facts: str,
    n: int = 3,
    king: str = "augsburg",
    a: str = "aachen",
    b: str = "king",
    number: int = 1,
    order: str = "red",
    supplied: str | None = None,
    tiles: Sequence[str] = ("t1", "t2", "t3", "t4", "t5", "t6"),
    display: str = "1 2 5 8 11 14",
    pile: str = "",
    options: Mapping[str, str] | None = None,
    edition: str = "standard",
) -> Staufer:
    """A sound position in round `number`, with the king in this region and these A and B tiles.

    `order` has the owners of the family members that still act. `supplied` has those of the members that have
    supplied (default: all others by seats). The remaining members are deployed. `facts` are added to the usual
    ones, but court facts replace the usual court. `pile` has chests by kind: the remaining chests are then on
    supply space 2. Without it they are in the pile.
    """
    seats = ROLES[:n]
    ring = list(REGIONS)
    steps = (1, 2, 1, 2)  # with the king back at the start in round 5
    start = ring[(ring.index(king) - sum(steps[: number - 1])) % 6]
    others = [region for region in ring if region not in (start, a)]
    rows_a = [*others[: number - 1], a, *others[number - 1 :]]
    rows_b = [c for c in ("king", "king", "chests", "chests", "figures", "figures") if c != b][:4]
    rows_b.insert(number - 1, b)
    text = [f"seat({role},{i})" for i, role in enumerate(seats, 1)]
    text += [f"round({number})", "phase(actions)", f"king({king})", f"marker({a})"]
    text += [f"place({i},{region})" for i, region in enumerate(ring, 1)]
    text += [f"tile({region},{tile})" for region, tile in zip(ring, tiles, strict=True)]
    for name, row in (("row_a", rows_a), ("row_b", rows_b), ("row_c", steps)):
        text += [f"{name}({i},{value})" for i, value in enumerate(row, 1)]
    for i, role in enumerate(seats):
        text += [f"job({role},{jobs[i]})" for jobs in (REGIONS, PATTERN_JOBS, SEAT_JOBS)]

    left = order.split()
    gone = [role for role in seats for _ in range(3 - left.count(role))]
    first = gone if supplied is None else supplied.split()
    last = list((Counter(gone) - Counter(first)).elements())
    text += [f"supplied({i},{role})" for i, role in enumerate(first, 1)]
    text += [f"order({len(gone) + i},{role})" for i, role in enumerate(left, 1)]
    text += [f"deployed({3 * n - i},{role})" for i, role in enumerate(last)]
    text.append(f"decision({left[0]},turn)")

    given = " ".join(facts)
    text += [f"points({role},0)" for role in seats if f"points({role}," not in given]
    if "court(" not in given:
        text += [
            f"court({role},{figure},{k})" for role in seats for figure, k in (("envoy", 4), ("noble", 1))
        ]
    owned_copies = Counter(re.findall(r"has\(\w+,(\d+)\)", given))
    for privilege in display.split():
        copies = n if privilege == "1" else 2 - (n == 2)
        if copies > owned_copies[privilege]:
            text.append(f"display({privilege},{copies - owned_copies[privilege]})")
    text += facts
    rest = Counter(EVERY_CHEST)
    for chest, count in re.findall(rf"\b({'|'.join(CHESTS)}),(\d+)\)", given):
        rest[chest] -= int(count)
    rest -= Counter(pile.split())
    text += [f"pile({chest},{count})" for chest, count in (Counter(pile.split()) if pile else rest).items()]
    text += [f"chest(supply,2,{chest},{count})" for chest, count in rest.items() if pile]
    assert sound(text, edition, options) == []
    return Staufer.from_facts(text, edition, options)


def play(game: Staufer, *actions: str) -> Staufer:
    """Plays the actions, each by the player who decides, and checks each position."""
    for action in actions:
        game.apply({game.decider(): action})
        assert sound(game.facts(), options=game.rules) == []
    return game


def gained(game: Staufer, *actions: str) -> tuple[int, ...]:
    """The points that each player gets by the actions."""
    before = dict(game.points)
    play(game, *actions)
    return tuple(game.points[role] - before[role] for role in game.seats)


def payments(
    game: Staufer, region: str, seat: int, figure: str = "envoy", rest: str = "walk,full,usual"
) -> set[str]:
    """The legal payments with envoys only for this deployment by the active player."""
    (actions,) = game.legal().values()
    head = f"deploy({region},{seat},{figure},"
    tail = f",{rest})"
    found = {x[len(head) : -len(tail)] for x in actions if x.startswith(head) and x.endswith(tail)}
    return {pay for pay in found if "n" not in pay}


def sits(*rows: str) -> list[str]:
    """Facts that put figures on seats."""
    return [f"sits({row})" for row in rows]


def play_until(game: Staufer, until: str) -> Staufer:
    """Plays to the next decision of this kind, or to the end: supply actions without chests, otherwise the first action."""
    while game.pending not in (until, ""):
        play(game, "supply(1,1,usual)" if game.pending == "turn" else game.legal()[game.decider()][0])
    return game


# -- the worked cases ----------------------------------------------------------------------------------------


def test_a_swap_chest_exchanges_the_chests_of_two_spaces() -> None:
    game = make(
        "owns(red,swap,1)", "chest(supply,2,brown,1)", "chest(supply,4,violet,1)", order="red red", n=4
    )
    play(game, "supply(2,4,usual)")
    facts = game.facts()
    assert {"court(red,envoy,5)", "court(red,noble,2)", "owns(red,violet,1)"} <= facts
    assert "chest(supply,2,brown,1)" in facts and not any("red,swap" in fact for fact in facts)
    again = make("owns(red,swap,1)", "chest(supply,2,brown,1)", order="red red")
    assert again.is_legal("red", "supply(1,2,usual)") and not again.is_legal("red", "supply(1,3,usual)")


RICH = ("court(red,envoy,13)", "court(red,noble,1)")
ALL_MOVES = "1 4 5 10 11 12"


@pytest.mark.parametrize(
    ("privileges", "chests", "rest", "pay"),
    [
        ("", "", "walk,full,usual", E6),
        ("11", "", "walk,full,usual", "pay(e,e,x,x,e,e)"),
        ("10", "", "walk,full,usual", "pay(e,e,x,x,x,e)"),
        ("10 11", "", "walk,full,usual", "pay(e,e,x,x,x,x)"),
        ("", "nomove", "nomove,full,usual", "pay(e,e,x,x,x,x)"),
        ("12", "", "walk,full,usual", E6),
    ],
)
def test_privileges_and_chests_make_the_way_to_palermo_cheaper(
    privileges: str, chests: str, rest: str, pay: str
) -> None:
    extra = [f"has(red,{p})" for p in privileges.split()] + [f"owns(red,{c},1)" for c in chests.split()]
    game = make(*RICH, *extra, display=ALL_MOVES)
    assert payments(game, "palermo", 1, rest=rest) == {pay}


def test_privilege_12_makes_the_neighbours_cheaper() -> None:
    game = make(*RICH, "has(red,12)", display=ALL_MOVES)
    assert payments(game, "aachen", 1) == {"pay(e,e,x,x,x,x)"}
    assert payments(game, "milano", 1) == {"pay(e,e,e,x,x,x)"}
    assert payments(game, "strasbourg", 1) == {"pay(e,e,x,x,e,e)"}


@pytest.mark.parametrize(
    ("privileges", "pay"),
    [("", E6), ("4", "pay(e,e,x,x,x,x)"), ("5", "pay(e,e,e,e,e,x)"), ("4 5", "pay(e,x,x,x,x,x)")],
)
def test_privileges_make_a_seat_of_seven_cheaper(privileges: str, pay: str) -> None:
    game = make(*RICH, *(f"has(red,{p})" for p in privileges.split()), display=ALL_MOVES)
    assert payments(game, "augsburg", 4) == {pay}


def test_the_dearest_deployment_has_one_payment() -> None:
    pay = "pay(e,ee,ee,ee,ee,ee)"
    game = make("court(red,envoy,11)", "court(red,noble,1)")
    assert payments(game, "milano", 4, "noble") == {pay}
    assert payments(game, "milano", 4) == set()
    play(game, f"deploy(milano,4,noble,{pay},walk,full,usual)")
    assert {"paid(augsburg,red,envoy,1)", "paid(milano,red,envoy,2)"} <= game.facts()
    assert not any(fact.startswith("court(red") for fact in game.facts())
    assert payments(make("court(red,envoy,10)", "court(red,noble,1)"), "milano", 4, "noble") == set()


@pytest.mark.parametrize("edition", EDITIONS)
def test_two_chests_make_a_deployment_free_on_the_seats_of_the_edition(edition: str) -> None:
    game = make("court(red,envoy,1)", "owns(red,nomove,1)", "owns(red,cheap,1)", edition=edition)
    free = f"{NOTHING},nomove,cheap,usual)"
    assert game.is_legal("red", f"deploy(strasbourg,5,envoy,{free}")
    assert game.is_legal("red", f"deploy(strasbourg,4,envoy,{free}") == (edition == "de")
    assert not game.is_legal("red", f"deploy(strasbourg,5,envoy,{NOTHING},walk,cheap,usual)")
    rich = make("court(red,envoy,9)", "owns(red,nomove,1)", "owns(red,cheap,1)", edition=edition)
    assert (
        payments(rich, "strasbourg", 4, rest="nomove,full,usual") == set()
    )  # not without the chest, not even in `de`
    play(game, f"deploy(strasbourg,5,envoy,{free}")
    assert not any(fact.startswith(("owns(", "paid(", "court(red")) for fact in game.facts())


@pytest.mark.parametrize("ruling", RULINGS["noble_pays"])
def test_nobles_can_pay_by_the_ruling(ruling: str) -> None:
    game = make("court(red,envoy,2)", "court(red,noble,2)", options={"noble_pays": ruling})
    found = {action for action in game.legal()["red"] if action.startswith("deploy(")}
    one = "deploy(augsburg,1,noble,pay(e,e,x,x,x,x),walk,full,usual)"
    three = {f"deploy(augsburg,1,envoy,pay({p},x,x,x,x),walk,full,usual)" for p in ("e,n", "n,e", "n,n")}
    two = {f"deploy(augsburg,1,noble,pay({p},x,x,x,x),walk,full,usual)" for p in ("e,n", "n,e")}
    here = {action for action in found if action.startswith("deploy(augsburg,1,")}
    assert here == ({one} if ruling == "no" else {one} | three | two)


def test_privilege_6_scores_and_privilege_3_deploys_two_envoys() -> None:
    game = make("court(red,envoy,4)", "has(red,3)", "has(red,6)", order="red green", display="1 2 3 5 6 8")
    action = "deploy(augsburg,1,envoys,pay(e,e,x,x,x,x),walk,full,usual)"
    assert gained(game, action) == (6, 0, 0)
    assert {"sits(augsburg,1,1,red,envoy)", "sits(augsburg,1,2,red,envoy)"} <= game.facts()
    assert not any(fact.startswith("court(red") for fact in game.facts())
    poor = make("court(red,envoy,3)", "has(red,3)", "has(red,6)", display="1 2 3 5 6 8")
    assert not poor.is_legal("red", action) and poor.is_legal("red", action.replace("envoys", "envoy"))
    one = make("court(red,envoy,4)", "has(red,6)", order="red green", display="1 2 3 5 6 8")
    assert not one.is_legal("red", action)
    assert gained(one, action.replace("envoys", "envoy")) == (3, 0, 0)


@pytest.mark.parametrize(
    "action", ["supply(1,1,first)", f"deploy(augsburg,1,envoy,{NOTHING},walk,cheap,first)"]
)
def test_a_first_chest_puts_the_family_member_first(action: str) -> None:
    game = make(
        "owns(blue,first,1)",
        "owns(blue,cheap,1)",
        "court(blue,envoy,2)",
        order="blue red",
        supplied="red green",
    )
    play(game, action)
    assert {"supplied(1,blue)", "supplied(2,red)", "supplied(3,green)"} <= game.facts()
    assert not any(fact.startswith("owns(blue,first") for fact in game.facts())


def test_a_first_chest_taken_in_the_same_action_cannot_be_used() -> None:
    game = make("chest(supply,1,first,1)", order="red red")
    assert not game.is_legal("red", "supply(1,1,first)")
    play(game, "supply(1,1,usual)")
    assert game.is_legal("red", "supply(1,1,first)")


@pytest.mark.parametrize("owned", [0, 1])
def test_a_first_chest_taken_in_the_same_action_is_used_by_the_ruling(owned: int) -> None:
    """A chest that the player owns is used first; otherwise the one just taken is used and discarded."""
    mine = [f"owns(red,first,{owned})"] if owned else []
    game = make("chest(supply,1,first,2)", "chest(augsburg,1,first,1)", *mine, order="red red", edition="de")
    assert game.is_legal(
        "red", f"deploy(augsburg,1,envoy,{payments(game, 'augsburg', 1).pop()},walk,full,first)"
    )
    assert game.is_legal("red", "supply(2,2,first)") == bool(owned)
    play(game, "supply(1,1,first)")
    assert {"supplied(1,red)", f"owns(red,first,{1 + owned})", "discarded(first,1)"} <= game.facts() | {
        f"discarded({c},{k})" for c, k in game.discarded().items()
    }


def test_the_order_of_the_next_round_follows_the_actions() -> None:
    court = [f"court({role},{f},{k})" for role in ("red", "green") for f, k in (("envoy", 7), ("noble", 1))]
    game = make(*court, n=2, order="red green green red green red", supplied="", display="1 4 5 7 9 13")
    augsburg = "deploy(augsburg,1,envoy,pay(e,e,x,x,x,x),walk,full,usual)"
    aachen = "deploy(aachen,1,envoy,pay(e,e,x,x,x,e),walk,full,usual)"
    strasbourg = "deploy(strasbourg,1,envoy,pay(e,e,x,x,e,e),walk,full,usual)"
    play(game, LAST, augsburg, LAST, aachen, strasbourg, LAST)
    play_until(game, "turn")
    assert game.round == 2 and list(game.order.values()) == ["red", "green"] * 3


def exchanges(game: Staufer, *actions: str) -> int:
    """The number of exchanges if each is made. Each can be declined, too."""
    play(game, *actions)
    made = 0
    while game.pending == "exchange":
        (options,) = game.legal().values()
        assert "decline" in options
        game.apply({game.decider(): min(x for x in options if x != "decline")})
        made += 1
    return made


@pytest.mark.parametrize(
    ("owned", "taken", "each", "once"), [(1, 1, 1, 1), (0, 2, 1, 1), (2, 2, 2, 1), (0, 1, 0, 0), (1, 3, 2, 1)]
)
def test_two_violet_chests_are_exchanged_as_often_as_the_ruling_allows(
    owned: int, taken: int, each: int, once: int
) -> None:
    facts = [f"chest(supply,1,violet,{taken})", *([f"owns(red,violet,{owned})"] if owned else [])]
    for ruling, number in (("each", each), ("once", once)):
        game = make(*facts, order="red red", options={"exchanges": ruling})
        assert exchanges(game, "supply(1,1,usual)") == number
        assert game.owns["red", "violet"] == owned + taken - 2 * number


def test_no_privilege_is_taken_twice() -> None:
    game = make("has(red,1)", "owns(red,violet,1)", "chest(supply,1,violet,1)", order="red red")
    play(game, "supply(1,1,usual)")
    assert game.pending == "exchange"
    assert not game.is_legal("red", "privilege(1)") and game.is_legal("red", "privilege(2)")
    # Red may take nothing that is on display, so there is no decision.
    owners = [f"has({role},{p})" for role in ("red", "green") for p in (1, 2, 5, 6, 11, 14)]
    none = make(
        *owners, "owns(red,violet,1)", "chest(supply,1,violet,1)", order="red red", display="1 2 5 6 11 14"
    )
    assert play(none, "supply(1,1,usual)").pending == "turn" and none.owns["red", "violet"] == 2


def test_privilege_16_has_an_effect_at_once() -> None:
    facts = ("owns(red,violet,1)", "chest(supply,1,violet,1)", "chest(supply,1,vp2,1)")
    game = make(*facts, order="red red", display="1 2 5 8 11 16")
    assert gained(game, "supply(1,1,usual)", "privilege(16)") == (4, 0, 0)
    game = make(*facts, order="red red", display="1 2 5 8 11 16")
    assert gained(game, "supply(1,1,usual)", "decline") == (2, 0, 0)


@pytest.mark.parametrize(("n", "owned", "points"), [(2, 0, 8), (2, 1, 6), (3, 0, 10), (5, 0, 14), (5, 4, 6)])
def test_privilege_1_scores_by_the_cards_that_are_left(n: int, owned: int, points: int) -> None:
    owners = [f"has({role},1)" for role in ROLES[1 : owned + 1]]
    game = make(*owners, "owns(red,violet,1)", "chest(supply,1,violet,1)", order="red red", n=n)
    assert gained(game, "supply(1,1,usual)", "privilege(1)")[0] == points


# -- after a supply action -----------------------------------------------------------------------------------


def test_privileges_7_9_and_8_have_effects_in_their_order() -> None:
    owned = ("has(red,7)", "has(red,8)", "has(red,9)", "owns(red,violet,1)")
    game = make(*owned, order="red red", display="1 2 7 8 9 16", pile="violet violet")
    assert gained(game, "supply(1,1,usual)") == (2, 0, 0)
    assert game.pending == "draw" and {"acting(red,supply)", "court(red,envoy,7)"} <= game.facts()
    assert game.weights() == {"draw(violet)": 2}
    play(game, "draw(violet)")
    assert "acting(red,drawn)" in game.facts() and game.pending == "exchange"
    play(game, "privilege(16)")
    assert game.pending == "turn" and game.points["red"] == 2


def test_a_drawn_chest_does_not_count_for_privileges_taken_later() -> None:
    game = make("has(red,8)", "owns(red,violet,1)", order="red red", display="1 2 7 8 9 16", pile="violet")
    assert gained(game, "supply(1,1,usual)", "draw(violet)", "privilege(9)") == (0, 0, 0)
    taken = make("owns(red,violet,1)", "chest(supply,1,violet,1)", order="red red", display="1 2 7 8 9 16")
    assert gained(taken, "supply(1,1,usual)", "privilege(9)") == (2, 0, 0)
    eight = make("owns(red,violet,1)", "chest(supply,1,violet,1)", order="red red", display="1 2 7 8 9 16")
    assert play(eight, "supply(1,1,usual)", "privilege(8)").pending == "draw"


@pytest.mark.parametrize("ruling", RULINGS["empty_pile"])
def test_an_empty_pile_is_shuffled_anew_by_the_ruling(ruling: str) -> None:
    every = [f"chest(supply,1,{c},{k})" for c, k in EVERY_CHEST.items() if c != "brown"]
    browns = ("chest(supply,2,brown,9)", "has(red,8)")
    game = make(*every, *browns, order="red red", options={"empty_pile": ruling})
    play(game, "supply(3,3,usual)", "draw(brown)")
    assert game.pending == "turn" and not game.pile.total()  # not before chance must draw
    play(game, "supply(1,1,usual)")
    while game.pending == "exchange":
        play(game, "decline")
    # The sixteen orange chests are discarded by now.
    assert game.pile.total() == (16 if ruling == "reshuffle" else 0)
    assert (game.pending == "draw") == (ruling == "reshuffle")
    nothing = make(
        *every, "chest(supply,2,brown,10)", "has(red,8)", order="red red", options={"empty_pile": ruling}
    )
    assert play(nothing, "supply(3,3,usual)").pending == "turn"


# -- scoring -------------------------------------------------------------------------------------------------


def chests_at(*regions: str) -> list[str]:
    """A violet chest under seat 1 of each of these regions."""
    return [f"chest({region},1,violet,1)" for region in regions]


def marked(game: Staufer) -> set[str]:
    """The regions scored in the round that ends with this turn."""
    play(game, LAST)
    return game.marker


def test_the_region_with_the_fewest_chests_is_marked() -> None:
    full = chests_at("augsburg", "aachen", "nijmegen", "palermo")
    assert marked(make(*full, b="chests")) == {"aachen", "strasbourg"}
    assert marked(make(*full, b="chests", king="palermo")) == {"aachen", "milano"}
    alone = chests_at("aachen", "strasbourg", "nijmegen", "palermo", "milano")
    assert marked(make(*alone, b="chests")) == {"aachen", "augsburg"}


def test_the_region_with_the_most_figures_is_marked() -> None:
    two = sits("milano,1,1,red,envoy", "milano,1,2,green,envoy", "strasbourg,1,1,red,envoy")
    assert marked(make("has(green,2)", *two, b="figures")) == {"aachen", "milano"}
    even = sits("milano,1,1,red,envoy", "strasbourg,1,1,red,envoy")
    assert marked(make(*even, b="figures")) == {"aachen", "strasbourg"}


@pytest.mark.parametrize(("ruling", "region"), [("king", "augsburg"), ("next", "strasbourg")])
def test_equal_regions_of_the_b_tile_are_decided_by_the_ruling(ruling: str, region: str) -> None:
    game = make(*chests_at("aachen"), b="chests", options={"b_tie_start": ruling})
    assert marked(game) == {"aachen", region}


THREE = sits(
    "augsburg,1,1,red,envoy", "augsburg,2,1,red,envoy", "augsburg,3,1,green,noble", "augsburg,4,1,blue,envoy"
)
# Round 2, in which augsburg alone is scored.
AUGSBURG: dict[str, Any] = {"number": 2, "a": "augsburg"}
T3_FIRST = ("t3", "t1", "t2", "t4", "t5", "t6")


@pytest.mark.parametrize(
    ("owners", "points"), [((), (7, 9, 5)), (("red", "green"), (9, 12, 5)), (("blue",), (7, 9, 6))]
)
def test_a_region_scores_for_three_players(owners: Sequence[str], points: tuple[int, ...]) -> None:
    game = make(*THREE, *(f"has({role},14)" for role in owners), tiles=T3_FIRST, **AUGSBURG)
    assert gained(game, LAST) == points
    assert game.pending == "reveal" and game.open.total() == 0


@pytest.mark.parametrize("fourteen", ["red", "green"])
def test_a_region_scores_for_two_players(fourteen: str) -> None:
    figures = sits("augsburg,1,1,red,envoy", "augsburg,2,1,red,envoy", "augsburg,3,1,green,noble")
    game = make(*figures, f"has({fourteen},14)", n=2, tiles=T3_FIRST, **AUGSBURG)
    assert gained(game, LAST) == (0, 11 if fourteen == "green" else 8)


def test_privilege_15_scores_two_points_more() -> None:
    game = make(*THREE, "has(red,15)", tiles=T3_FIRST, display="1 2 5 8 11 15", **AUGSBURG)
    assert gained(game, LAST) == (9, 9, 5)


def test_the_left_figure_of_a_shared_seat_ranks_first() -> None:
    game = make("has(green,2)", *sits("augsburg,1,1,red,envoy", "augsburg,1,2,green,envoy"))
    assert game.ranking("augsburg") == ["red", "green"]


@pytest.mark.parametrize(("ruling", "first"), [("left", "red"), ("next_seat", "green")])
def test_a_shared_dearest_seat_is_decided_by_the_ruling(ruling: str, first: str) -> None:
    shared = ("augsburg,4,1,red,envoy", "augsburg,4,2,green,envoy")
    dearer = ("augsburg,1,1,red,envoy", "augsburg,2,1,green,envoy")
    game = make("has(green,2)", *sits(*shared, *dearer), options={"tie_shared_seat": ruling})
    assert game.ranking("augsburg")[0] == first
    noble = make(
        "has(green,2)",
        *sits("augsburg,4,1,red,noble", "augsburg,4,2,green,envoy", "augsburg,2,1,green,envoy"),
        options={"tie_shared_seat": ruling},
    )
    assert noble.ranking("augsburg")[0] == first
    nobody = make("has(green,2)", *sits(*shared), options={"tie_shared_seat": ruling})
    assert nobody.ranking("augsburg") == ["red", "green"]


def test_equal_players_rank_by_their_dearest_seats() -> None:
    game = make(*sits("milano,1,1,red,envoy", "milano,2,1,green,envoy", "milano,3,1,blue,envoy"))
    assert game.ranking("milano") == ["blue", "green", "red"]


def test_the_bonus_of_aachen_offers_four_chests_by_rank() -> None:
    figures = sits("aachen,1,1,red,envoy", "aachen,3,1,blue,envoy", "aachen,4,1,red,envoy")
    game = make(*figures, n=4, king="palermo", pile="vp2 vp3 brown violet")
    play(game, LAST)
    assert game.weights() == {"reveal(vp2)": 1, "reveal(vp3)": 1, "reveal(brown)": 1, "reveal(violet)": 1}
    play(game, "reveal(vp2)", "reveal(vp3)", "reveal(brown)", "reveal(violet)")
    assert game.decider() == "red" and game.pending == "bonus"
    points = game.points["red"]
    play(game, "take(vp3)")
    assert game.points["red"] == points + 3 and game.decider() == "blue"
    assert game.legal()["blue"] == ("take(brown)", "take(violet)", "take(vp2)")
    play(game, "take(brown)")
    assert game.owns["blue", "brown"] == 1 and game.open.total() == 0 and game.phase == "cleanup"
    # What red used up and the two left are discarded: with the pile empty they are what is laid next.
    assert +game.pile == {"vp2": 1, "vp3": 1, "violet": 1}


def test_the_bonus_of_augsburg_offers_two_chests_by_rank() -> None:
    alone = make(*sits("augsburg,1,1,red,envoy"), pile="vp2 violet", **AUGSBURG)
    play(alone, LAST, "reveal(vp2)", "reveal(violet)", "take(violet)")
    assert alone.owns["red", "violet"] == 1 and alone.phase == "cleanup" and +alone.pile == {"vp2": 1}
    figures = sits("augsburg,1,1,red,envoy", "augsburg,2,1,green,envoy")
    two = make(*figures, pile="vp2 violet", **AUGSBURG)
    play(two, LAST, "reveal(vp2)", "reveal(violet)", "take(violet)")
    assert two.legal() == {"red": ("take(vp2)",)} and two.picked == {"green"}
    one = make(*figures, pile="vp2", **AUGSBURG, options={"empty_pile": "nothing"})
    assert gained(one, LAST, "reveal(vp2)", "take(vp2)") == (4, 9, 0)
    assert one.phase == "actions" and one.round == 3  # no chest for red, none to lay
    nobody = make(pile="vp2 violet", **AUGSBURG)
    assert play(nobody, LAST, "reveal(vp2)", "reveal(violet)").phase == "cleanup"


def test_an_exchange_comes_before_the_next_pick() -> None:
    figures = sits("augsburg,1,1,red,envoy", "augsburg,2,1,green,envoy")
    game = make(*figures, "owns(green,violet,1)", pile="vp2 violet", **AUGSBURG, display="1 2 5 8 11 16")
    play(game, LAST, "reveal(vp2)", "reveal(violet)", "take(violet)")
    assert game.decider() == "green" and game.pending == "exchange" and not game.acting
    play(game, "privilege(16)")
    assert game.decider() == "red" and game.pending == "bonus" and game.open == {"vp2": 1, "violet": 0}


BONUSES = {"strasbourg": ((2, 1), (0, 0)), "nijmegen": ((1, 1), (0, 0)), "palermo": ((0, 0), (3, 1))}
BONUSES |= {"milano": ((0, 0), (2, 2))}


@pytest.mark.parametrize(("region", "n"), [*product(BONUSES, (2, 3))])
def test_bonuses_give_envoys_or_points(region: str, n: int) -> None:
    envoys, points = BONUSES[region]
    figures = sits(f"{region},2,1,red,noble", f"{region},1,1,green,envoy")
    game = make(*figures, "court(green,envoy,5)", n=n, number=2, a=region, king=region)
    worth = game.board.worth[game.tiles[region]]
    by_tile = (worth[1], worth[2] if n > 2 else 0)
    assert gained(game, "supply(3,3,usual)")[:2] == (by_tile[0] + points[0], by_tile[1] + points[1])
    assert game.pending == "lay"
    assert [game.court["red", "envoy"], game.court["green", "envoy"] - 5] == [*envoys]


@pytest.mark.parametrize(("have", "more"), [(15, 0), (14, 1), (13, 2)])
def test_the_province_gives_what_it_has(have: int, more: int) -> None:
    game = make(f"court(red,envoy,{have})", order="red red")
    play(game, "supply(4,4,usual)")
    assert game.court["red", "envoy"] == have + more


@pytest.mark.parametrize(("ruling", "region"), [("a_first", "aachen"), ("b_first", "augsburg")])
def test_the_order_of_scoring_follows_the_ruling(ruling: str, region: str) -> None:
    game = make(options={"score_order": ruling})
    assert play(game, LAST).scoring_now() == region


# -- clean-up ------------------------------------------------------------------------------------------------

PALERMO = sits("palermo,1,1,red,envoy", "palermo,2,1,red,noble")


def test_a_stay_chest_keeps_a_figure_on_its_seat() -> None:
    game = make(
        *PALERMO, "has(red,13)", "owns(red,stay,1)", a="palermo", king="strasbourg", display="1 2 5 8 11 13"
    )
    play(game, LAST)
    assert game.legal() == {"red": ("keep(palermo,1,1)", "keep(palermo,2,1)", "pass")}
    nobles = game.court["red", "noble"]
    play(game, "keep(palermo,1,1)")
    assert game.court["red", "noble"] == nobles + 1 and game.pending == "lay"
    assert "sits(palermo,1,1,red,envoy)" in game.facts() and game.owns["red", "stay"] == 0


def test_the_left_figure_is_kept_before_the_right_one() -> None:
    pair = sits("palermo,1,1,red,envoy", "palermo,1,2,red,envoy")
    game = make(*pair, "has(red,2)", "owns(red,stay,2)", "owns(green,stay,1)", a="palermo", king="strasbourg")
    play(game, LAST)
    assert game.legal() == {"red": ("keep(palermo,1,1)", "pass")}
    play(game, "keep(palermo,1,1)")
    assert game.legal() == {"red": ("keep(palermo,1,2)", "pass")}
    play(game, "pass")
    assert [fact for fact in game.facts() if fact.startswith("sits")] == ["sits(palermo,1,1,red,envoy)"]
    assert game.owns["red", "stay"] == 1


def test_a_right_figure_that_is_left_alone_becomes_the_left_one() -> None:
    pair = sits("palermo,1,1,red,envoy", "palermo,1,2,green,envoy")
    game = make(*pair, "has(green,2)", "owns(green,stay,1)", a="palermo", king="strasbourg")
    play(game, LAST, "keep(palermo,1,2)")
    assert "sits(palermo,1,1,green,envoy)" in game.facts() and len(game.sits) == 1


@pytest.mark.parametrize("ruling", RULINGS["refill_kept_seat"])
def test_chests_are_laid_in_order_of_seats(ruling: str) -> None:
    game = make(
        *PALERMO, "owns(red,stay,1)", a="palermo", king="strasbourg", options={"refill_kept_seat": ruling}
    )
    play(game, LAST, "keep(palermo,1,1)")
    order = [("strasbourg", s) for s in range(1, 6)] + [("palermo", s) for s in range(1, 5)]
    order += [("supply", s) for s in range(1, 5)]
    if ruling == "no":
        order.remove(("palermo", 1))
    assert game.to_lay == set(order)
    for place, seat in order:
        assert all(action.startswith(f"lay({place},{seat},") for action in game.weights())
        play(game, max(game.weights()))
    assert game.phase == "actions" and game.round == 2


def test_no_more_chests_are_laid_when_the_pile_is_empty() -> None:
    lying = [f"chest(milano,1,{c},{k})" for c, k in EVERY_CHEST.items() if c != "swap"]
    lying.append("chest(supply,2,swap,4)")
    game = make(*lying, a="palermo", king="strasbourg", pile="swap swap")
    play(game, LAST, "lay(strasbourg,1,swap)", "lay(strasbourg,2,swap)")
    assert game.phase == "actions" and game.round == 2 and not game.to_lay


def test_the_king_returns_the_figures_on_his_way() -> None:
    paid = [f"paid({region},green,envoy,1)" for region in ("augsburg", "aachen", "strasbourg")]
    court = ("court(green,envoy,4)", "court(green,noble,1)", "paid(strasbourg,blue,noble,1)")
    # round 2 has C = 2
    game = play_until(play(make(*paid, *court, number=2, a="palermo"), LAST), "turn")
    assert game.round == 3
    assert game.king == "strasbourg" and +game.paid == {("augsburg", "green", "envoy"): 1}
    assert game.court["green", "envoy"] == 6 and game.court["blue", "noble"] == 1


# -- the end -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("brown", "points"), [(1, 2), (2, 5), (3, 9), (4, 14), (5, 20), (6, 22), (7, 25), (10, 40)]
)
def test_brown_chests_score_by_their_number(brown: int, points: int) -> None:
    # B is the king's region, milano: no chest bonus
    game = make(f"owns(green,brown,{brown})", number=5, king="milano", a="palermo")
    result = play_until(game, "").result()
    assert result == ({"red": 0, "green": points, "blue": 0}, ("green",))
    assert game.marker == {"palermo", "milano"} and not +game.paid


@pytest.mark.parametrize(("ruling", "winners"), [("shared", ("red", "green")), ("court", ("green",))])
def test_equal_points_are_shared_or_decided_at_court_by_the_ruling(
    ruling: str, winners: tuple[str, ...]
) -> None:
    court = ("court(red,envoy,3)", "court(green,envoy,3)", "court(green,noble,3)", "court(blue,envoy,9)")
    points = ("points(red,7)", "points(green,7)")
    game = make(*court, *points, number=5, king="milano", a="palermo", options={"final_tie": ruling})
    result = play_until(game, "").result()
    assert result is not None and result[1] == winners


def job(job_name: str, *rows: str, n: int = 3, privileges: Iterable[str] = ()) -> int:
    """Red's points for a job with figures on these seats."""
    return make(*sits(*rows), *privileges, n=n).job_points("red", job_name)


FOURS = [f"{region},2,1,red,envoy" for region in ("augsburg", "strasbourg", "nijmegen", "palermo")]
SEVENS = ["augsburg,4,1,red,envoy", "strasbourg,5,1,red,envoy"]


def test_pairs_score_by_seats_of_one_value() -> None:
    assert job("pairs", *FOURS, *SEVENS) == 24
    shared = ("palermo,1,1,red,envoy", "palermo,1,2,red,envoy")
    assert job("pairs", *shared, privileges=["has(red,2)"]) == 8


def test_series_score_by_complete_series() -> None:
    threes, fives = ("augsburg,1", "aachen,1", "palermo,1"), ("strasbourg,3", "palermo,3")
    fours = ("augsburg,2", "strasbourg,2")
    assert job("series", *(f"{seat},1,red,envoy" for seat in (*threes[:2], *fours, *fives))) == 30
    assert job("series", *(f"{seat},1,red,envoy" for seat in (*threes, fours[0], *fives))) == 15
    assert job("series", *(f"{seat},1,red,envoy" for seat in (*threes[:2], *fours, fives[0]))) == 15


def test_patterns_score_by_disjoint_layouts() -> None:
    rows = ["augsburg,1", "aachen,1", "aachen,3", "nijmegen,1", "palermo,1", "milano,1", "milano,2"]
    figures = [f"{seat},1,red,envoy" for seat in rows]
    assert job("three", *figures) == 22
    assert job("three", *figures[:-1]) == 11
    assert job("opposite", *figures) == 7 + 7  # augsburg with nijmegen, aachen with palermo
    assert job("beside", *figures) == 12
    assert job("triangle", *figures) == 12  # aachen, nijmegen, milano


def test_most_layouts_agree_with_brute_force() -> None:
    """The other algorithm adds one layout after another."""
    rng = Random(5)
    for _ in range(40):
        pattern = frozenset(rng.sample(range(6), rng.randint(1, 4)))
        start = tuple(rng.choice((0, 0, 1, 2)) for _ in range(6))
        border, most = {start}, 0
        while border:
            after = set()
            for left, turn in product(border, range(6)):
                places = {(turn + step) % 6 for step in pattern}
                if all(left[at] for at in places):
                    after.add(tuple(count - (at in places) for at, count in enumerate(left)))
            border = after
            most += bool(after)
        assert most_layouts(pattern, start) == most


@pytest.mark.parametrize(("count", "points"), [(0, 0), (1, 3), (2, 7), (4, 17), (5, 22)])
def test_seats_of_three_score_by_their_number(count: int, points: int) -> None:
    rows = [f"{region},1,1,red,envoy" for region in REGIONS[:5]]
    assert job("threes", *rows[:count]) == points


def test_jobs_for_one_region_and_for_all_score() -> None:
    rows = ("augsburg,1,1,red,envoy", "augsburg,2,1,green,noble", "milano,1,1,red,noble")
    assert [job("augsburg", *rows, n=n) for n in (2, 3)] == [0, 6]
    assert job("milano", *rows) == 12 and job("palermo", *rows) == 0
    assert job("all", *rows) == 6


# -- views, valid positions -------------------------------------------------------------------


def test_a_view_hides_the_jobs_of_others() -> None:
    game = make()
    own = {fact for fact in game.facts() if fact.startswith("job(red,")}
    assert len(own) == 3 and game.view("chance") == game.facts()
    assert {fact for fact in game.view("red") if fact.startswith("job(")} == own
    assert game.view("red") | game.view("green") | game.view("blue") == game.facts()
    assert Staufer.sees_move("red", "chance", "job(red,augsburg)")
    assert not Staufer.sees_move("red", "chance", "job(green,augsburg)")
    over = play_until(make(number=5, king="milano", a="palermo"), "")
    assert over.view("red") == over.facts()


@pytest.mark.parametrize(
    ("taken", "added", "rule"),
    [
        ("court(red,envoy,4)", "court(red,envoy,16)", "page.figures"),
        ("pile(brown,10)", "chest(supply,1,brown,11)", "page.chests"),
        ("", "chest(supply,9,brown,1)", "page.spaces_exist"),
        ("", "sits(aachen,9,1,red,envoy)", "page.seats_exist"),
        ("", "sits(aachen,2,1,red,envoy)", "page.noble_seat"),
        ("", "sits(aachen,1,2,red,envoy)", "page.right_beside_left"),
        ("order(9,red)", "order(9,green)", "page.three_members"),
        ("", "has(red,2)", "page.copies"),
        ("display(2,2)", "", "page.six_privileges"),
        ("job(red,opposite)", "", "page.setup_complete"),
        ("row_b(3,chests)", "", "page.setup_complete"),
        ("marker(aachen)", "marker(milano)", "page.marker"),
        ("", "acting(red,supply)", "page.acting"),
        ("pile(brown,10)", "hand(red,brown,1)", "page.hand"),
        ("", "to_lay(aachen,1)", "page.due"),
        ("", "kept(aachen,1,1)", "page.kept"),
        ("", "picked(red)", "page.open"),
        ("points(red,0)", "", "page.points"),
        ("king(augsburg)", "king(milano)", "implied.king"),
        ("decision(red,turn)", "decision(green,turn)", "page.stated_once"),
        ("", "points(red,3)", "page.stated_once"),
    ],
)
def test_an_invalid_position_breaks_the_expected_rule(taken: str, added: str, rule: str) -> None:
    facts = make().facts()
    assert not taken or taken in facts
    assert rule in sound((facts - {taken}) | ({added} if added else set()))


def test_a_right_figure_without_its_privilege_is_invalid() -> None:
    pair = sits("aachen,1,1,red,envoy", "aachen,1,2,red,envoy")
    facts = make(*pair, "has(red,3)", display="1 2 3 5 8 11").facts()
    assert sound(facts) == []
    assert sound((facts - {"has(red,3)"}) | {"has(green,3)"}) == ["page.right_figure"]
    other = (facts - {"sits(aachen,1,1,red,envoy)"}) | {"sits(aachen,1,1,blue,envoy)"}
    assert sound(other) == ["page.right_figure"]


def test_a_board_file_changes_the_board() -> None:
    board = "steps(3,4). % walks far\n" + " ".join(f"space(2,5,1,{figure},1)." for figure in FIGURES)
    game = Staufer(ROLES[:2], board=board)
    assert game.board.spaces == {1: {"envoy": 1, "noble": 1}} and game.board.offices["palermo"][2] == (
        5,
        False,
    )
    for facts, legal, _ in random_game(game, Random(1)):
        assert sound(facts, board=board) == []
        if game.pending == "row_c":
            assert legal == {"chance": ("row_c(3)",)}
    assert game.result() is not None
    with pytest.raises(ValueError, match="without a gap"):
        Staufer(ROLES[:2], board="space(2,5,2,envoy,1).")


# -- random games --------------------------------------------------------------------------------------------


def test_the_start_has_all_orders_displays_and_chests() -> None:
    for n in range(2, 6):
        game = Staufer(ROLES[:n])
        assert {"round(1)", "phase(setup)", "decision(chance,place)", "pile(violet,18)"} <= game.facts()
        assert {f"order({3 * n},red)", f"order({n},{ROLES[n - 1]})", f"display(1,{n})"} <= game.facts()
        assert game.pile.total() == 72 and game.weights() == dict.fromkeys(
            (f"place({r})" for r in REGIONS), 1
        )


WORDS = re.findall(
    r"\S+", "x e n ee en nn envoy envoys noble walk nomove full cheap usual first 1 2 3 4 5 x,x e,e"
)


def changed(rng: Random, text: str) -> str:
    """A fact or an action with one word replaced."""
    words = re.findall(r"\w+|\W+", text)
    at = 2 * rng.randrange((len(words) + 1) // 2)
    return "".join([*words[:at], rng.choice([*WORDS, *REGIONS, *game_words(words[at])]), *words[at + 1 :]])


def game_words(word: str) -> Sequence[str]:
    """The words of the same sort."""
    return next((sort for sort in SORTS.values() if word in sort), [word])


def test_any_facts_are_valid_and_playable_or_invalid() -> None:
    """A few facts are left out, changed or added. Each position is judged, and valid ones can be played."""
    rng, found = Random(7), Counter[bool]()
    for n in range(2, 6):
        game = Staufer(ROLES[:n])
        for facts, _, _ in random_game(game, rng):
            kept = set(facts)
            for fact in rng.sample(sorted(facts), rng.randint(1, 3)):
                kept -= {fact} if rng.random() < 0.7 else set()
                kept |= {changed(rng, fact)} if rng.random() < 0.7 else set()
            broken = sound(kept)
            found[not broken] += 1
            if not broken:
                again = Staufer.from_facts(kept)
                assert again.facts() == kept
                for role, actions in again.legal().items():
                    again.apply({role: rng.choice(actions)})
                    assert sound(again.facts()) == []
    assert found[True] > 30 and found[False] > 300


def test_invalid_actions_are_illegal() -> None:
    game = make("court(red,envoy,15)")
    good = f"deploy(milano,3,envoy,{E6},walk,full,usual)"
    right = good.replace(E6, "pay(e,ee,ee,ee,ee,e)")
    assert game.is_legal("red", right) and not game.is_legal("red", good)
    for word in (
        "",
        "deploy",
        "deploy(",
        "supply",
        "supply(1,1)",
        right[:-1],
        right.replace("3", "03"),
        f" {right}",
    ):
        assert not game.is_legal("red", word)
    assert not game.is_legal("green", right) and not game.is_legal("chance", right)


def follow(game: Staufer, rng: Random, seen: Counter[object]) -> None:
    """Plays a random game. Each position is valid and can be read back, and its judgement agrees with its list."""
    options = game.rules
    before: tuple[str, ...] = ()
    again = game
    for facts, legal, chosen in random_game(game, rng):
        assert again.facts() == facts  # facts are the whole state: a game read from them goes on the same
        ((role, actions),) = legal.items()
        assert sound(facts, options=options) == []
        again = Staufer.from_facts(facts, options=options)
        again.apply(chosen)
        assert len(set(actions)) == len(actions) > 0
        for action in rng.sample(actions, min(4, len(actions))):
            assert game.is_legal(role, action)
        near = [changed(rng, action) for action in rng.sample(actions, min(4, len(actions)))]
        for action in [*near, *rng.sample(before, min(4, len(before)))]:
            assert game.is_legal(role, action) == (action in actions)
        assert not game.is_legal("green" if role != "green" else "red", actions[0])
        before = actions
        seen[game.phase, game.pending] += 1
        seen.update(fact.partition("(")[0] for fact in facts)
        seen["right"] += any(side == 2 for *_, side in game.sits)
        seen.update(f"privilege {number}" for _, number in game.has)
    assert again.facts() == game.facts() and sound(game.facts(), options=options) == []
    result = game.result()
    assert result is not None and set(result[0]) == set(game.seats) and result[1]


RULING_VALUES = [(ruling, value) for ruling, values in RULINGS.items() for value in values]


@pytest.mark.slow
def test_random_games_are_valid_throughout() -> None:
    """They have all numbers of players, rulings and privileges, and meet the rare decisions."""
    seen: Counter[object] = Counter()
    for number, (ruling, value) in enumerate(RULING_VALUES):
        rng = Random(number)
        privileges = " ".join(map(str, rng.sample(range(1, 17), 6)))
        options = {name: rng.choice(values) for name, values in RULINGS.items()} | {ruling: value}
        game = Staufer(rng.sample(ROLES, 2 + number % 4), "standard", options, privileges)
        follow(game, rng, seen)
    kinds = [("actions", "exchange"), ("actions", "draw"), ("scoring", "bonus"), ("scoring", "exchange")]
    for what in [*kinds, ("cleanup", "keep"), "right", "kept", "passed", "hand"]:
        assert seen[what], what
    assert {f"privilege {number}" for number in range(1, 17)} <= set(seen)
