"""Vive: the independent implementation decides worked and rare cases as expected, and plays random games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from random import Random

import pytest
from oracles.vive import (
    CARDS,
    CHANCE,
    EDITIONS,
    HAND,
    ROLES,
    RULINGS,
    Vive,
    faults,
    name_of,
    random_game,
    read_board,
    sound,
    split_term,
)

pytestmark = pytest.mark.by_hand

SEATS = ROLES[:4]  # red, green, blue, yellow
# A board on which clerics, officials, brands and rebellions are frequent.
COURT = """
copies(bishop,9). copies(excommunication,4). copies(low_birth,3). copies(rebellion,14). copies(executioner,4).
copies(gold(1),3). copies(gold(2),2). copies(gold(3),2). copies(musketeer(1),1). copies(musketeer(2),1).
"""


def cards_in(facts: Iterable[str]) -> Counter[str]:
    """The cards in all places except the pile."""
    cards: Counter[str] = Counter()
    for fact in facts:
        name, row = split_term(fact)
        match name:
            case "hand":
                cards[row[1]] += int(row[2])
            case "discard":
                cards[row[0]] += int(row[1])
            case "middle" | "brand" | "accused":
                cards[row[1]] += 1
            case "noble" | "province":
                cards[f"{name}({row[1]})"] += 1
            case "gold":
                cards[f"gold({row[1]})"] += int(row[2])
            case "ear":
                cards["ear"] += 1
            case "person":
                cards[row[1]] += 1
            case "load":
                cards[f"gold({row[2]})"] += int(row[3])
    return cards


def position(text: str, edition: str = "standard", board: str = "", pile: str = "", **options: str) -> Vive:
    """The game at a position of red, green, blue and yellow, with the implied facts.

    These are: 0 points, phase basic, the king free with yellow, red as starter, the turn of R in `decision(R,turn)`,
    and the other cards in the pile, or discarded if the cards of the pile are given.
    """
    facts = set(text.split())
    names = {name_of(fact) for fact in facts}
    facts |= {f"seat({role},{n})" for n, role in enumerate(SEATS, 1)}
    stated = {split_term(fact)[1][0] for fact in facts if name_of(fact) == "points"}
    facts |= {f"points({role},0)" for role in SEATS if role not in stated}
    for name, fact in (("phase", "basic"), ("king", "yellow,free"), ("starter", "red")):
        if name not in names:
            facts.add(f"{name}({fact})")
    if "turn" not in names:
        turns = [split_term(fact)[1] for fact in facts if name_of(fact) == "decision"]
        facts |= {f"turn({role},open)" for role, kind in turns if kind == "turn"}
    copies = Counter({**CARDS.copies, **read_board(board)})
    rest = copies - cards_in(facts)
    if pile:
        drawn = Counter(pile.split())
        facts |= {f"pile({kind},{n})" for kind, n in drawn.items()}
        lying = Counter(
            {split_term(f)[1][0]: int(split_term(f)[1][1]) for f in facts if f.startswith("discard(")}
        )
        facts = {f for f in facts if not f.startswith("discard(")}
        facts |= {f"discard({kind},{n})" for kind, n in (rest - drawn + lying).items()}
    else:
        facts |= {f"pile({kind},{n})" for kind, n in rest.items()}
    assert faults(facts, copies) == []
    game = Vive.from_facts(facts, edition, options, board)
    assert game.facts() == facts
    return game


def play(game: Vive, text: str) -> Vive:
    """The game after the lines `role: action`. Simultaneous decisions are in one line, separated by blanks."""
    for line in text.strip().splitlines():
        words = line.split()
        chosen = {role.rstrip(":"): action for role, action in zip(words[::2], words[1::2], strict=True)}
        game.apply(chosen)
        assert faults(game.facts(), game.cards.copies) == []
    return game


def check(game: Vive, text: str) -> None:
    """Asserts that the facts hold, and that those after a `-` do not."""
    facts = game.facts()
    for word in text.split():
        assert (word.lstrip("-") in facts) != word.startswith("-"), (word, sorted(facts))


def owned(game: Vive, *names: str) -> set[str]:
    """The facts with these names."""
    return {fact for fact in game.facts() if name_of(fact) in names}


def draws(game: Vive, kinds: str) -> Vive:
    """Chance draws these kinds for the player who is to draw."""
    for kind in kinds.split():
        game.apply({CHANCE: f"draw({game.drawing},{kind})"})
    return game


# -- the worked cases of the page ---------------------------------------------------------------------------------


def test_the_set_up_deals_nobles_provinces_and_hands() -> None:
    game = Vive(SEATS)
    check(game, "phase(setup) drawing(red) decision(chance,deal_noble)")
    assert len(game.legal()[CHANCE]) == 6
    for role, arms in zip(SEATS, ("boar", "lion", "stag", "bear"), strict=True):
        assert set(game.weights().values()) == {1}
        play(game, f"chance: deal({role},noble({arms}))")
    assert len(game.legal()[CHANCE]) == 7
    for role, arms in zip(SEATS, ("lily", "lion", "stag", "bear"), strict=True):
        assert not game.is_legal(CHANCE, f"deal({role},province(lily))") or role == "red"
        play(game, f"chance: deal({role},province({arms}))")
    rng = Random(0)
    for role in SEATS:
        for _ in range(HAND):
            check(game, f"drawing({role}) -king(green,free) -starter(blue)")
            weights = game.weights()
            assert sum(weights.values()) == game.pile.total()
            draws(game, split_term(rng.choice(sorted(weights)))[1][1])
    check(
        game,
        "king(green,free) starter(blue) phase(basic) drawing(blue) turn(blue,open) decision(chance,draw)",
    )
    assert game.pile.total() == 77
    assert all(game.hand[role].total() == HAND for role in SEATS)


ATTACK = """
    decision(blue,turn) province(green,bear,1) person(green,musketeer(4),1,at(bear,1))
    person(green,musketeer(2),1,home) load(musketeer(2),1,1,1) hand(blue,musketeer(3),2) hand(blue,musketeer(6),1)
"""


def test_an_attack_is_decided_by_the_musketeers_of_both_players() -> None:
    game = play(position(ATTACK), "blue: attack(bear,1)")
    check(game, "turn(blue,acted) exchange(attack(bear,1)) decision(blue,bid) -adding")
    assert game.legal() == {"blue": ("add(hand,3)", "add(hand,6)")}
    play(game, "blue: add(hand,3)")
    check(game, "adding staked(blue,last,3,1)")
    assert game.legal() == {"blue": ("add(hand,3)", "add(hand,6)")}  # 3 <= 4: not done
    play(game, "blue: add(hand,3)\nblue: done")
    assert game.legal() == {"green": ("add(person,2,1)", "stop")}
    play(game, "green: add(person,2,1)\ngreen: done")
    defended = play(game.copy(), "blue: stop")
    assert owned(defended, "person") == {"person(green,musketeer(2),1,at(bear,1))"}
    check(defended, "load(musketeer(2),1,1,1)")
    check(
        defended, "province(green,bear,1) discard(musketeer(3),2) discard(musketeer(4),1) decision(blue,turn)"
    )
    play(game, "blue: add(hand,6)")
    check(game, "staked(blue,earlier,3,1) staked(blue,earlier,3,2) staked(blue,last,6,1)")
    play(game, "blue: done\ngreen: stop")
    check(
        game, "province(blue,bear,1) discard(musketeer(3),2) discard(musketeer(4),1) discard(musketeer(2),1)"
    )
    assert owned(game, "person") == {"person(blue,musketeer(6),1,at(bear,1))"}
    check(game, "unplaced(green,1,1) decision(green,assign)")
    assert game.legal() == {"green": ("assign(gold(1),treasury)",)}
    play(game, "green: assign(gold(1),treasury)")
    check(game, "gold(green,1,1) decision(blue,turn) turn(blue,acted) -decision(green,assign)")


BRIBE = """
    decision(blue,turn) person(red,general,1,home) load(general,1,1,1) load(general,1,2,1) gold(red,1,1)
    hand(blue,gold(3),1) hand(blue,gold(1),1)
    person(yellow,musketeer(5),1,home) load(musketeer(5),1,2,1) person(red,musketeer(2),1,home)
    province(green,lion,2) person(green,musketeer(3),1,at(lion,2)) person(green,musketeer(3),2,at(lion,2))
"""


def test_a_bribe_wins_a_person_with_its_load() -> None:
    game = play(position(BRIBE), "blue: bribe(red,general,1)")
    play(game, "blue: add(hand,3)\nblue: add(hand,1)\nblue: done")
    assert game.legal() == {"red": ("add(treasury,1)", "stop")}
    kept = play(game.copy(), "red: add(treasury,1)\nred: done\nblue: stop")
    check(
        kept,
        "person(red,general,1,home) load(general,1,1,1) discard(gold(1),2) discard(gold(2),1) discard(gold(3),1)",
    )
    check(kept, "-gold(red,1,1) decision(blue,turn)")
    play(game, "red: stop")
    check(
        game,
        "person(blue,general,1,home) load(general,1,1,1) load(general,1,3,1) discard(gold(1),1) discard(gold(2),1) gold(red,1,1)",
    )
    check(game, "taking(blue,general,yellow) decision(blue,take)")
    assert game.legal() == {"blue": ("decline", "take(person(musketeer(5),1))")}
    play(game, "blue: take(person(musketeer(5),1))")
    # Both players have something to place, in order from red: blue before yellow.
    check(game, "taking(blue,general,yellow) unplaced(yellow,2,1) decision(blue,assign)")
    play(game, "blue: assign(musketeer(5),1,home)\nyellow: assign(gold(2),treasury)")
    check(game, "taking(blue,general,red) decision(blue,take)")
    play(game, "blue: decline\nblue: take(person(musketeer(3),1))")
    check(game, "person(green,musketeer(3),2,at(lion,2)) taking(blue,general,green)")
    play(game, "blue: assign(musketeer(3),1,home)")
    check(game, "-taking(blue,general,green) decision(blue,turn) turn(blue,acted)")


SHARE = """
    turn(yellow,open) decision(yellow,turn) middle(red,gold(3)) middle(green,gold(3)) middle(blue,low_birth)
    hand(yellow,gold(1),1) noble(red,boar) noble(green,lion) person(red,courtier(boar,4),1,home)
    person(green,courtier(boar,6),1,home)
"""


def test_gold_in_the_middle_is_shared_by_courtiers() -> None:
    game = position(SHARE + "person(green,courtier(lion,5),1,home)")
    play(game, "yellow: play(gold(1))")
    check(game, "phase(share) decision(green,assign) unplaced(green,3,2) discard(low_birth,1)")
    check(game, "unplaced(green,1,1)")
    equal = position(SHARE + "person(green,courtier(lion,4),1,home)")
    play(equal, "yellow: play(gold(1))")
    for role, value in (("red", 3), ("green", 3), ("yellow", 1)):
        check(equal, f"decision({role},assign) unplaced({role},{value},1)")
        play(equal, f"{role}: assign(gold({value}),treasury)")
    check(equal, "phase(basic) king(red,free) starter(green) drawing(green) turn(green,open)")


def test_provinces_in_the_middle_are_shared_by_courtiers() -> None:
    game = position("""
        decision(yellow,turn) middle(red,province(stag)) middle(blue,province(wolf)) hand(yellow,general,1)
        middle(green,noble(wolf)) noble(red,boar) person(red,courtier(boar,4),1,home)
        person(blue,courtier(boar,6),1,home) person(blue,courtier(bear,5),1,home)
        province(blue,stag,1)
    """)
    play(game, "yellow: play(general)")
    check(
        game,
        "province(red,stag,2) province(red,wolf,1) noble(green,wolf) person(yellow,general,1,home)",
    )
    check(game, "phase(basic) -taking(yellow,general,red)")  # nobody has a musketeer


REBELLION = """
    decision(green,turn) starter(blue) king(green,free) middle(blue,rebellion) middle(yellow,cartographer)
    middle(red,gold(2)) hand(green,inheritance,1) rebel(blue) refused(red)
    noble(red,boar) noble(green,lion) noble(blue,stag) noble(yellow,bear)
    province(red,lily,1) province(green,lion,1) province(blue,stag,1) province(yellow,bear,1)
"""


def test_a_rebellion_captures_the_king_and_scores() -> None:
    game = position(REBELLION.replace("refused(red)", ""))
    play(game, "green: play(inheritance)")
    check(game, "phase(events) king(blue,captive) middle(blue,rebellion) decision(blue,assign)")
    check(game, "active(blue,cartographer) person(blue,cartographer,1,home) points(green,0)")
    play(game, "blue: assign(gold(2),person(cartographer,1))")
    check(game, "person(blue,cartographer,1,home) load(cartographer,1,2,1) taking(blue,cartographer,yellow)")
    check(game, "-active(blue,cartographer)")
    play(game, "blue: take(province(bear,1))\nblue: decline")
    check(game, "taking(blue,cartographer,green) middle(green,inheritance)")
    play(game, "blue: take(province(lion,1))")
    # Blue owns stag (6), bear and lion; green has got 10 for the inheritance, and nothing else.
    check(game, "points(blue,12) points(green,10) points(red,3) points(yellow,0) phase(refill) rebel(blue)")
    # Blue starts: everybody draws in turn, seven times.
    rng = Random(1)
    for number in range(4 * HAND):
        check(game, f"drawing({('blue', 'yellow', 'red', 'green')[number % 4]}) decision(chance,draw)")
        draws(game, split_term(rng.choice(game.legal()[CHANCE]))[1][1])
    check(
        game, "phase(basic) starter(yellow) king(blue,captive) -rebel(blue) drawing(yellow) turn(yellow,open)"
    )


def test_two_rebellions_free_the_king() -> None:
    game = position("""
        decision(yellow,turn) king(blue,captive) refused(green) middle(red,rebellion) rebel(red)
        middle(green,gold(2)) middle(blue,gold(3)) hand(yellow,rebellion,1)
    """)
    play(game, "yellow: play(rebellion)")
    check(
        game,
        "points(red,5) points(yellow,5) king(blue,free) phase(share) -refused(green) discard(rebellion,2)",
    )
    play(game, "blue: assign(gold(2),treasury)\nblue: assign(gold(3),treasury)")
    check(game, "phase(refill) drawing(red)")
    rng = Random(1)
    while game.phase == "refill":
        draws(game, split_term(rng.choice(game.legal()[CHANCE]))[1][1])
    check(game, "king(yellow,free) starter(red) -rebel(red)")


def test_a_church_decree_frees_the_king_or_costs_points() -> None:
    game = position("""
        decision(red,turn) king(blue,captive) person(red,bishop,1,home) hand(green,gold(1),1)
        person(green,cardinal,1,home) hand(red,gold(2),1)
    """)
    play(game, "red: church")
    check(game, "decision(blue,obey)")
    freed = play(game.copy(), "blue: free")
    check(freed, "king(blue,free) points(blue,0) -refused(red)")
    assert not freed.is_legal("red", "church")
    play(game, "blue: refuse")
    check(game, "points(blue,-15) refused(red) king(blue,captive) decision(red,turn) turn(red,open)")
    assert not game.is_legal("red", "church")
    draws(play(game, "red: play(gold(2))"), "gold(1)")
    assert game.is_legal("green", "church")


def test_a_cleric_refuses_without_loss_unless_excommunicated() -> None:
    text = """
        decision(red,turn) king(blue,captive) person(red,bishop,1,home) hand(red,gold(2),1)
        person(blue,cardinal,1,home)
    """
    check(play(position(text), "red: church\nblue: refuse"), "points(blue,0) refused(red)")
    check(
        play(position(text + "brand(blue,excommunication)"), "red: church\nblue: refuse"), "points(blue,-15)"
    )
    assert not position(text + "brand(red,excommunication)").is_legal("red", "church")


@pytest.mark.parametrize(("brand", "points"), [("", 21), ("brand(red,low_birth)", 15)])
def test_provinces_score_less_with_a_low_birth(brand: str, points: int) -> None:
    game = position(f"""
        decision(yellow,turn) hand(yellow,gold(1),1) middle(red,rebellion) middle(green,rebellion) rebel(red)
        rebel(green) middle(blue,gossip) noble(red,boar) person(red,queen,1,home) {brand}
        province(red,boar,1) province(red,boar,3) province(red,stag,1) province(red,lily,1)
    """)
    play(game, "yellow: play(gold(1))\nblue: gossip(green)")
    check(game, "points(blue,5) points(green,-5) points(red,0) phase(share)")
    play(game, "yellow: assign(gold(1),treasury)")
    check(game, f"points(red,{points}) phase(refill)")


DUEL = """
    decision(red,turn) noble(red,boar) noble(green,lion) noble(green,stag) noble(blue,wolf) noble(yellow,bear)
    ear(lion) hand(red,musketeer(7),1) hand(green,courtier(lion,6),1) hand(red,gold(3),1)
    hand(blue,courtier(stag,5),1) hand(yellow,province(stag),1) hand(yellow,noble(eagle),1)
"""


def test_a_duel_that_the_owner_of_the_ear_loses_leads_to_a_contest() -> None:
    game = play(position(DUEL), "red: duel(boar,lion)")
    check(game, "duel(boar,lion) decision(red,duel_card) decision(green,duel_card) turn(red,acted)")
    play(game, "red: card(musketeer(7)) green: card(courtier(lion,6))")
    # Green has no card left to contest with.
    check(
        game,
        "discard(noble(lion),1) discard(musketeer(7),1) discard(courtier(lion,6),1) ear(middle) -duel(boar,lion)",
    )
    assert set(game.decisions.values()) == {"contest"}
    assert set(game.decisions) == {"red", "blue", "yellow"}
    assert game.legal()["yellow"] == ("card(province(stag))", "decline")
    play(game, "red: card(gold(3)) blue: card(courtier(stag,5)) yellow: decline")
    check(game, "points(blue,10) decision(blue,attach_ear) ear(middle)")
    play(game, "blue: ear(wolf)")
    check(game, "ear(wolf) -ear(middle) decision(red,turn) turn(red,acted) discard(gold(3),1)")


@pytest.mark.parametrize(("ruling", "again"), [("tied", {"red", "blue"}), ("all", {"red", "blue", "yellow"})])
def test_a_tied_contest_is_repeated_by_those_of_the_ruling(ruling: str, again: set[str]) -> None:
    text = (
        DUEL.replace("gold(3)", "musketeer(5)")
        + "hand(red,gold(1),1) hand(blue,gold(2),1) hand(yellow,gold(3),1)"
    )
    game = play(position(text, ear_tie=ruling), "red: duel(boar,lion)")
    play(game, "red: card(musketeer(7)) green: card(courtier(lion,6))")
    play(game, "red: card(musketeer(5)) blue: card(courtier(stag,5)) yellow: card(province(stag))")
    assert game.decisions == dict.fromkeys(again, "contest_again")
    assert not game.is_legal("red", "decline")
    more = " yellow: card(gold(3))" if "yellow" in again else ""
    play(game, "red: card(gold(1)) blue: card(gold(2))" + more)
    check(game, "points(yellow,10)" if more else "points(blue,10)")


def test_a_tied_contest_without_cards_leaves_the_ear_in_the_middle() -> None:
    text = DUEL.replace("gold(3)", "musketeer(5)")
    game = play(position(text), "red: duel(boar,lion)\nred: card(musketeer(7)) green: card(courtier(lion,6))")
    play(game, "red: card(musketeer(5)) blue: card(courtier(stag,5)) yellow: decline")
    check(game, "ear(middle) decision(red,turn) points(blue,0)")
    # One of the two players has a card left. That player lays it and wins.
    game = play(position(text + "hand(blue,queen,1)"), "red: duel(boar,lion)")
    play(game, "red: card(musketeer(7)) green: card(courtier(lion,6))")
    play(game, "red: card(musketeer(5)) blue: card(courtier(stag,5)) yellow: decline\nblue: card(queen)")
    check(game, "points(blue,10) decision(blue,attach_ear)")


def test_an_ear_that_nobody_wants_is_contested_each_round() -> None:
    text = """
        decision(yellow,turn) ear(middle) noble(red,boar) hand(red,gold(1),1) middle(red,gossip)
        middle(green,gossip) middle(blue,unrest) hand(yellow,gold(2),1)
    """
    game = play(position(text), "yellow: play(gold(2))")
    check(game, "phase(favour) decision(red,contest) -turn(yellow,played)")
    declined = play(game.copy(), "red: decline")
    check(declined, "phase(events) decision(red,gossip) ear(middle)")
    play(game, "red: card(gold(1))\nred: ear(boar)")
    check(game, "phase(events) decision(red,gossip) ear(boar) points(red,10)")


def test_a_nobility_decree_ennobles_a_courtier() -> None:
    game = position("""
        decision(red,turn) king(red,captive) person(red,courtier(boar,6),1,home) load(courtier(boar,6),1,2,1)
        person(red,courtier(lion,5),1,home) discard(noble(wolf),1) hand(red,gold(1),1)
    """)
    assert game.is_legal("red", "ennoble(boar,6,1,wolf)")
    assert not game.is_legal("red", "ennoble(lion,5,1,wolf)")
    assert not game.is_legal("red", "ennoble(boar,6,1,stag)")
    play(game, "red: ennoble(boar,6,1,wolf)")
    check(
        game,
        "noble(red,wolf) discard(courtier(boar,6),1) -discard(noble(wolf),1) decreed decision(red,assign)",
    )
    play(game, "red: assign(gold(2),person(courtier(lion,5),1))\nred: play(gold(1))")
    check(game, "person(red,courtier(lion,5),1,home) load(courtier(lion,5),1,2,1) -decreed turn(green,open)")


def test_any_of_equal_courtiers_can_be_ennobled() -> None:
    game = position(
        """
        decision(red,turn) king(red,free) person(red,courtier(boar,6),1,home) load(courtier(boar,6),1,1,1)
        person(red,courtier(boar,6),2,home) discard(noble(wolf),1) hand(red,gold(1),1)
    """,
        board="copies(courtier(boar,6),2).",
    )
    other = play(game.copy(), "red: ennoble(boar,6,2,wolf)")
    assert owned(other, "person") == {"person(red,courtier(boar,6),1,home)"}
    check(other, "load(courtier(boar,6),1,1,1) decision(red,turn)")
    play(game, "red: ennoble(boar,6,1,wolf)")
    assert owned(game, "person") == {"person(red,courtier(boar,6),2,home)"}
    check(game, "unplaced(red,1,1) decision(red,assign) -load(courtier(boar,6),1,1,1)")


def test_a_person_who_joins_gets_the_lowest_free_number() -> None:
    text = """
        phase(basic) decision(red,turn) starter(green) middle(green,musketeer(5)) middle(blue,musketeer(5))
        middle(yellow,bishop) hand(red,gold(1),1) person(red,musketeer(5),2,home) person(blue,bishop,1,home)
        noble(blue,boar) noble(green,lion) person(green,courtier(lion,4),1,home)
    """
    game = play(position(text), "red: play(gold(1))\nred: assign(gold(1),treasury)")
    check(game, "waiting(green,5,1) waiting(green,5,3) decision(green,assign)")
    play(game, "green: assign(musketeer(5),1,home)\ngreen: assign(musketeer(5),3,home)")
    check(game, "person(yellow,bishop,2,home)")


LAST = """
    decision(chance,draw) drawing(yellow) turn(yellow,open) middle(red,rebellion) rebel(red) middle(green,gold(1))
    middle(blue,gossip) province(red,boar,1)
"""


def test_the_round_in_which_the_pile_runs_out_is_the_last() -> None:
    game = draws(position(LAST, pile="gold(2)"), "gold(2)")
    check(game, "last decision(yellow,turn) -drawing(yellow)")
    play(game, "yellow: play(gold(2))\nblue: gossip(red)")
    check(game, "phase(share) king(yellow,free) points(red,-5) decision(yellow,assign)")
    play(game, "yellow: assign(gold(1),treasury)\nyellow: assign(gold(2),treasury)")
    check(game, "phase(over) points(red,-2) points(blue,5) last rebel(red) king(yellow,free) starter(red)")
    assert not owned(game, "turn", "decision")
    assert game.result() == ({"red": -2, "green": 0, "blue": 5, "yellow": 0}, ("blue",))


def test_the_last_round_is_the_next_one_by_the_ruling() -> None:
    game = draws(position(LAST, pile="gold(2)", last_round="next"), "gold(2)")
    check(game, "-last")
    play(game, "yellow: play(gold(2))")
    check(game, "king(red,captive) decision(red,assign)")  # the rebellion works
    play(game, "red: assign(gold(1),treasury)\nred: assign(gold(2),treasury)\nblue: gossip(red)")
    # Scored; no card to draw; a round begins with an empty pile, and as nobody has a card it ends at once.
    check(game, "phase(over) last points(red,1) points(blue,5) king(red,captive) starter(green)")


def test_the_final_scoring_counts_all_possessions() -> None:
    game = position(
        """
        last decision(yellow,turn) hand(yellow,gold(1),1) province(red,lion,1) province(red,lion,2)
        province(red,bear,1) noble(red,lion) person(red,musketeer(1),1,home) load(musketeer(1),1,1,1)
        person(red,musketeer(1),2,home) load(musketeer(1),2,1,1) gold(red,3,2)
        person(red,musketeer(7),1,at(bear,1)) person(red,courtier(boar,4),1,home)
        person(red,courtier(lion,4),1,home) person(red,queen,1,home)
    """,
        pile="gossip",
    )
    play(game, "yellow: play(gold(1))\nyellow: assign(gold(1),treasury)")
    assert game.result() == ({"red": 25, "green": 0, "blue": 0, "yellow": 0}, ("red",))


# -- rare cases ------------------------------------------------------------------------------------------------------


def test_a_tied_duel_ends_or_is_repeated() -> None:
    text = """
        decision(red,turn) noble(red,boar) noble(green,lion) hand(red,gold(3),1) hand(green,province(boar),1)
        hand(red,queen,1)
    """
    game = play(position(text), "red: duel(boar,lion)\nred: card(gold(3)) green: card(province(boar))")
    check(game, "decision(red,turn) turn(red,acted) noble(red,boar) noble(green,lion) -duel(boar,lion)")
    text += "hand(green,gold(1),1)"
    game = play(position(text), "red: duel(boar,lion)\nred: card(gold(3)) green: card(province(boar))")
    check(game, "decision(red,duel_again) decision(green,duel_again) duel(boar,lion)")
    check(
        play(game.copy(), "red: again green: stop"), "decision(red,turn) noble(green,lion) -duel(boar,lion)"
    )
    play(game, "red: again green: again\nred: card(queen) green: card(gold(1))")
    check(game, "discard(noble(boar),1) noble(green,lion) decision(red,turn)")


def test_duels_follow_the_rulings() -> None:
    text = (
        "decision(red,turn) noble(red,boar) noble(green,lion) hand(red,noble(eagle),1) hand(green,gold(3),1)"
    )
    assert not position(text).is_legal("red", "duel(boar,lion)")
    game = play(position(text, edition="nl"), "red: duel(boar,lion)")
    assert game.legal() == {"red": ("card(noble(eagle))",), "green": ("card(gold(3))",)}
    play(game, "red: card(noble(eagle)) green: card(gold(3))")
    check(game, "discard(noble(lion),1) discard(noble(eagle),1) noble(red,boar)")
    text = text.replace("noble(eagle)", "courtier(boar,6)")
    game = play(position(text), "red: duel(boar,lion)\nred: card(courtier(boar,6)) green: card(gold(3))")
    check(game, "discard(noble(lion),1)")
    game = play(position(text, duel_rank="yes"), "red: duel(boar,lion)")
    play(game, "red: card(courtier(boar,6)) green: card(gold(3))")
    check(game, "discard(noble(boar),1)")  # 6 + 1 against 3 + 6


def test_a_duel_is_off_if_the_challenged_player_has_no_card() -> None:
    text = (
        "decision(red,turn) noble(red,boar) noble(green,lion) hand(red,gold(1),1) hand(green,noble(stag),1)"
    )
    game = play(position(text, edition="nl"), "red: duel(boar,lion)")
    check(game, "decision(red,turn) turn(red,acted) hand(red,gold(1),1) -duel(boar,lion)")
    assert game.legal() == {"red": ("play(gold(1))",)}


def test_a_raise_must_lead_unless_the_ruling_differs() -> None:
    text = ATTACK + "hand(green,musketeer(1),1)"
    game = play(position(text), "blue: attack(bear,1)\nblue: add(hand,6)\nblue: add(hand,3)\nblue: done")
    assert game.legal() == {"green": ("stop",)}  # 4 + 2 + 1 do not reach 9
    options = {"raise_must_lead": "no"}
    game = position(text, **options)
    play(game, "blue: attack(bear,1)\nblue: add(hand,3)")
    assert not game.is_legal("blue", "done")  # the first must lead
    play(game, "blue: add(hand,6)\nblue: done\ngreen: add(hand,1)")
    assert game.is_legal("green", "done")
    play(game, "green: done")
    assert game.legal() == {"blue": ("add(hand,3)", "stop")}
    play(game, "blue: stop")
    check(game, "province(blue,bear,1) person(blue,musketeer(6),1,at(bear,1)) discard(musketeer(1),1)")
    check(game, "person(blue,musketeer(3),1,at(bear,1)) hand(blue,musketeer(3),1)")


def test_musketeers_of_the_structure_defend_by_the_ruling() -> None:
    text = ATTACK + "province(green,bear,2) person(green,musketeer(7),1,at(bear,2)) load(musketeer(7),1,2,1)"
    line = "blue: attack(bear,1)\nblue: add(hand,3)\nblue: add(hand,3)\nblue: done"
    assert play(position(text), line).legal() == {"green": ("add(person,2,1)", "stop")}
    game = play(position(text, defence_from="structure"), line)
    assert game.legal() == {"green": ("add(person,2,1)", "add(person,7,1)", "stop")}
    play(game, "green: add(person,7,1)\ngreen: done\nblue: stop")
    check(
        game,
        "person(green,musketeer(7),1,at(bear,1)) load(musketeer(7),1,2,1) province(green,bear,2) discard(musketeer(4),1)",
    )


def test_a_bribed_guard_is_placed_with_its_new_load() -> None:
    text = BRIBE + "province(blue,boar,1)"
    game = play(position(text), "blue: bribe(green,musketeer(3),1)")
    play(game, "blue: add(hand,1)\nblue: add(hand,3)\nblue: done\ngreen: stop")
    check(game, "waiting(blue,3,1) load(musketeer(3),1,1,1) load(musketeer(3),1,3,1)")
    check(game, "person(green,musketeer(3),2,at(lion,2)) -person(green,musketeer(3),1,at(lion,2))")
    assert game.legal() == {"blue": ("assign(musketeer(3),1,at(boar,1))", "assign(musketeer(3),1,home)")}
    play(game, "blue: assign(musketeer(3),1,at(boar,1))")
    check(
        game,
        "person(blue,musketeer(3),1,at(boar,1)) load(musketeer(3),1,1,1) load(musketeer(3),1,3,1) decision(blue,turn)",
    )


def test_cards_are_assigned_in_the_own_turn_by_the_ruling() -> None:
    text = """
        decision(red,turn) province(red,boar,1) person(red,musketeer(3),1,home) load(musketeer(3),1,1,1) gold(red,2,1)
        person(red,musketeer(4),1,at(boar,1)) hand(red,gossip,1)
    """
    assert not [a for a in position(text).legal()["red"] if name_of(a) == "assign"]
    game = position(text, assign="own_turn")
    assert {a for a in game.legal()["red"] if name_of(a) == "assign"} == {
        "assign(gold(2),person(musketeer(3),1))",
        "assign(gold(2),person(musketeer(4),1))",
        "assign(musketeer(3),1,at(boar,1))",
    }
    play(game, "red: assign(musketeer(3),1,at(boar,1))")
    play(game, "red: assign(gold(2),person(musketeer(3),1))")
    check(
        game,
        "person(red,musketeer(3),1,at(boar,1)) load(musketeer(3),1,1,1) load(musketeer(3),1,2,1) -gold(red,2,1) turn(red,open)",
    )
    assert game.legal() == {"red": ("play(gossip)",)}


BRANDS = """
    decision(red,turn) person(red,bishop,1,home) hand(red,excommunication,1) hand(red,low_birth,1)
    person(blue,cardinal,1,home)
"""


def test_brands_have_a_target_and_score() -> None:
    game = position(BRANDS)
    assert not game.is_legal("red", "event(low_birth(red))")
    assert not game.is_legal("red", "play(low_birth)")  # it has a target
    play(game, "red: event(low_birth(green))")
    check(game, "brand(green,low_birth) points(red,10) decision(red,turn) turn(red,open)")
    play(game, "red: play_event(excommunication(blue))")
    check(game, "accused(blue,excommunication) decision(blue,answer) points(red,20) turn(red,played)")
    check(play(game.copy(), "blue: ignore"), "discard(excommunication,1) turn(green,open) -turn(red,played)")
    check(play(game, "blue: accept"), "brand(blue,excommunication) drawing(green)")


def test_brands_follow_the_rulings() -> None:
    game = play(position(BRANDS, church_defence="none"), "red: event(excommunication(blue))")
    check(game, "brand(blue,excommunication) decision(red,turn)")
    game = play(position(BRANDS, church_defence="return"), "red: event(excommunication(blue))\nblue: ignore")
    check(game, "brand(red,excommunication) decision(red,turn) points(red,10)")
    # The own cleric no longer counts. The other event has no target, and does nothing in the middle.
    assert game.legal() == {"red": ("play(low_birth)",)}
    game = position(BRANDS, interrupt="card")
    assert not [a for a in game.legal()["red"] if name_of(a) == "event"]
    assert game.is_legal("red", "play_event(excommunication(blue))")


def test_an_ear_can_be_attached_and_an_executioner_frees_it() -> None:
    text = """
        decision(red,turn) noble(green,lion) noble(blue,boar) hand(red,ear,1) hand(red,executioner,1)
        hand(blue,bishop,1)
    """
    game = play(position(text), "red: event(ear(lion))")
    check(game, "ear(lion) points(green,10) points(red,0) decision(red,turn)")
    play(game, "red: play_event(executioner(lion))")
    check(game, "turn(red,played) discard(executioner,1) ear(middle) decision(blue,contest)")
    play(game, "blue: card(bishop)")
    check(game, "points(blue,10) decision(blue,attach_ear)")
    play(game, "blue: ear(boar)")
    check(game, "turn(green,open) drawing(green)")
    game = position("decision(red,turn) noble(red,boar) hand(red,ear,1) hand(red,executioner,1)")
    assert game.legal() == {"red": ("event(ear(boar))", "play(executioner)", "play_event(ear(boar))")}


def test_a_turn_without_cards_can_be_ended() -> None:
    game = position("decision(red,turn) noble(red,boar) hand(red,ear,1)")
    assert not game.is_legal("red", "end")
    play(game, "red: event(ear(boar))")
    assert game.legal() == {"red": ("end",)}
    check(play(game, "red: end"), "turn(green,open) -middle(red,ear)")


def test_events_that_concern_all_players_take_effect() -> None:
    game = position("""
        decision(yellow,turn) middle(red,bandits) middle(green,extortion) middle(blue,unrest)
        hand(yellow,recruiting,1) province(green,boar,1) province(yellow,bear,1) gold(red,2,1) gold(green,1,1)
        person(green,musketeer(2),1,home) load(musketeer(2),1,1,1) person(green,musketeer(3),1,at(boar,1))
        hand(red,gold(1),1) person(yellow,musketeer(5),1,at(bear,1)) gold(yellow,3,1)
    """)
    play(game, "yellow: play(recruiting)")
    check(game, "phase(events) decision(green,bandits)")
    assert game.legal() == {"green": ("ward(home,2,1)", "yield")}
    play(game, "green: ward(home,2,1)")
    check(game, "decision(green,assign) middle(red,bandits)")
    play(game, "green: assign(gold(1),treasury)")
    assert game.legal() == {"yellow": ("yield",)}
    play(game, "yellow: yield")
    check(
        game,
        "points(red,3) points(yellow,-3) discard(bandits,1) decision(yellow,extortion) middle(green,extortion)",
    )
    play(game, "yellow: give(3)\nred: give(2)")
    check(game, "discard(gold(3),1) discard(gold(2),1) gold(green,1,2) decision(red,unrest)")
    play(game, "red: discard(gold(1))")
    check(game, "points(yellow,-2) phase(basic) discard(recruiting,1) discard(gold(1),1)")


def test_the_rebel_chooses_the_order_of_the_officials() -> None:
    game = position("""
        decision(yellow,turn) middle(red,rebellion) rebel(red) middle(green,general) middle(blue,queen)
        hand(yellow,bishop,1) person(green,musketeer(2),1,home) load(musketeer(2),1,1,1) king(green,captive)
        person(green,courtier(boar,4),1,home)
    """)
    play(game, "yellow: play(bishop)")
    check(game, "king(green,free) points(red,5) active(red,general) active(red,queen) decision(red,activate)")
    assert game.legal() == {"red": ("activate(general)", "activate(queen)")}
    play(game, "red: activate(queen)")
    check(game, "active(red,general) taking(red,queen,green) -active(red,queen)")
    play(game, "red: take(person(courtier(boar,4),1))")
    check(game, "person(red,courtier(boar,4),1,home) taking(red,general,green)")
    play(game, "red: take(person(musketeer(2),1))")
    check(game, "decision(red,assign) unplaced(green,1,1) taking(red,general,green)")
    play(game, "red: assign(musketeer(2),1,home)\ngreen: assign(gold(1),treasury)")
    check(game, "phase(refill) discard(rebellion,1)")


def test_the_liberator_of_the_king_scores_by_the_ruling() -> None:
    text = "decision(yellow,turn) king(green,captive) hand(yellow,rebellion,1)"
    check(play(position(text), "yellow: play(rebellion)"), "points(yellow,5) king(green,free)")
    game = play(position(text, liberator="several"), "yellow: play(rebellion)")
    check(game, "points(yellow,0) king(green,free)")


def test_guards_of_a_taken_province_are_freed() -> None:
    game = position("""
        decision(yellow,turn) hand(yellow,cartographer,1) province(red,boar,1) province(red,bear,1)
        person(red,musketeer(2),1,at(boar,1)) load(musketeer(2),1,1,1)
    """)
    play(game, "yellow: play(cartographer)\nyellow: take(province(boar,1))")
    check(
        game,
        "province(yellow,boar,1) waiting(red,2,1) load(musketeer(2),1,1,1) taking(yellow,cartographer,red)",
    )
    play(game, "red: assign(musketeer(2),1,at(bear,1))")
    check(game, "person(red,musketeer(2),1,at(bear,1)) load(musketeer(2),1,1,1) phase(basic)")


def test_a_captain_and_a_treasurer_take_what_is_at_home() -> None:
    game = position("""
        decision(yellow,turn) hand(yellow,captain,1) middle(blue,treasurer) province(red,boar,1) gold(red,2,1)
        person(red,musketeer(2),1,at(boar,1)) person(green,musketeer(6),1,home)
    """)
    play(game, "yellow: play(captain)")
    check(game, "phase(claim) taking(blue,treasurer,red) middle(yellow,captain)")
    play(game, "blue: take(gold(2))\nblue: assign(gold(2),person(treasurer,1))")
    check(game, "taking(yellow,captain,green)")  # the guard of red is not at home
    assert game.legal() == {"yellow": ("decline", "take(person(musketeer(6),1))")}


def test_the_game_ends_at_the_limit_of_points() -> None:
    text = "decision(red,turn) points(green,240) noble(green,lion) hand(red,ear,1) hand(red,gold(1),1)"
    game = play(position(text, limit="250"), "red: play_event(ear(lion))")
    check(game, "phase(over) points(green,250) ear(lion) turn(red,played)")
    assert not game.legal()
    assert game.result() == ({"red": 0, "green": 250, "blue": 0, "yellow": 0}, ("green",))
    text = "decision(yellow,turn) points(green,240) last hand(yellow,general,1) province(red,boar,1)"
    game = play(position(text, pile="gossip", limit="250"), "yellow: play(general)")
    check(
        game, "phase(setup) points(green,240) points(red,3) points(yellow,3) drawing(red) -last -starter(red)"
    )
    assert game.pile == Counter(CARDS.copies)


def test_a_view_hides_the_hands_of_others_and_the_pile() -> None:
    game = position(ATTACK + "hand(green,gold(1),2)")
    view = game.view("blue")
    assert {f for f in view if name_of(f) == "hand"} == {
        "hand(blue,musketeer(3),2)",
        "hand(blue,musketeer(6),1)",
    }
    assert {f for f in view if name_of(f) == "cards"} == {"cards(red,0)", "cards(green,2)", "cards(yellow,0)"}
    assert not [f for f in view if name_of(f) == "pile"]
    assert "province(green,bear,1)" in view and f"pile_size({game.pile.total()})" in view
    assert "cards(blue,3)" in game.view("public")


@pytest.mark.parametrize(
    ("facts", "fault"),
    [
        ("hand(red,gold(1),1)", "instead of"),
        ("king(red,captive)", "at most one king"),
        ("refused(red)", "captive king"),
        ("person(red,musketeer(1),1,at(bear,1))", "has no musketeer"),
        ("ear(boar)", "no noble has the Ear"),
        ("decision(red,bid)", "no such decision"),
        ("adding", "stakes are of an exchange"),
        ("middle(blue,gold(1))", "only who has done"),
        ("rebel(green)", "a rebel has laid"),
        ("unplaced(red,1,1)", "cards to place go with"),
    ],
)
def test_an_invalid_position_has_the_expected_fault(facts: str, fault: str) -> None:
    good = position(ATTACK).facts()
    assert sound(good)
    assert any(fault in message for message in faults(good | {facts}))


@pytest.mark.parametrize(
    "action",
    [
        "",
        "end()",
        "play()",
        "play(gold(1)",
        "play(gold(1)))",
        "bribe(red,x(,))",
        "duel(boar)",
        "attack(bear,9)",
        "add(hand,1)",
        "assign(gold(1),9)",
        "event(ear)",
        "play(musketeer(9))",
        "play( musketeer(3))",
        "draw(blue,ear)",
    ],
)
def test_invalid_actions_are_illegal(action: str) -> None:
    game = position(ATTACK)
    assert not game.is_legal("blue", action)
    with pytest.raises(AssertionError):
        game.apply({"blue": action})


def test_cards_of_others_cannot_be_used() -> None:
    duel = play(position(DUEL + "hand(red,rebellion,1)", edition="nl"), "red: duel(boar,lion)")
    for card in ("noble(wolf)", "rebellion", "musketeer(6)"):
        assert not duel.is_legal("red", f"card({card})")
    bid = play(position(ATTACK), "blue: attack(bear,1)")
    for source in ("hand,7", "person,2,1", "person,4,1", "treasury,3"):
        assert not bid.is_legal("blue", f"add({source})")
    play(bid, "blue: add(hand,3)\nblue: add(hand,3)\nblue: done")
    for source in ("hand,3", "person,2,2", "person,4,1", "person,3,1"):
        assert not bid.is_legal("green", f"add({source})")
    bribed = play(position(BRIBE), "blue: bribe(yellow,musketeer(5),1)\nblue: add(hand,3)")
    play(bribed, "blue: done\nyellow: stop")
    for goal in ("at(lion,2)", "at(bear,1)", "treasury", "nowhere"):
        assert not bribed.is_legal("blue", f"assign(musketeer(5),1,{goal})")
    assert not bribed.is_legal("blue", "assign(musketeer(5),2,home)")
    text = "decision(yellow,turn) middle(red,bandits) hand(yellow,gossip,1) province(green,boar,1)"
    bandits = play(position(text), "yellow: play(gossip)")
    for source in ("hand,1", "home,1,1"):
        assert not bandits.is_legal("green", f"ward({source})")


def test_wrong_games_are_refused() -> None:
    for seats in (ROLES[:2], ("red", "red", "blue"), ("red", "blue", "chance")):
        with pytest.raises(ValueError, match="seats"):
            Vive(seats)
    with pytest.raises(ValueError, match="edition"):
        Vive(SEATS, "de")
    for options in ({"limit": "249"}, {"duel_card": "every"}, {"luck": "no"}):
        with pytest.raises(ValueError, match="ruling"):
            Vive(SEATS, options=options)
    for board in (
        "copies(king,1).",
        "copies(queen,2).",
        "cards(ear,1).",
        "copies(noble(boar),0). copies(noble(bear),0). copies(noble(stag),0).",
    ):
        with pytest.raises(ValueError):
            Vive(SEATS, board=board)
    assert Vive(SEATS, board="% one more\ncopies(gold(1), 9).").pile["gold(1)"] == 9


# -- random games -------------------------------------------------------------------------------------------------


def play_random(
    seed: int, seats: Iterable[str], edition: str, options: Mapping[str, str], board: str = ""
) -> Counter[str]:
    """Plays a random game, valid throughout, that continues the same from its facts. Returns its decisions."""
    rng = Random(seed)
    game = Vive(tuple(seats), edition, options, board)
    met: Counter[str] = Counter()
    tried: list[str] = []
    for number, (facts, legal, chosen) in enumerate(random_game(game, rng)):
        assert faults(facts, game.cards.copies) == []
        assert all(legal.values())
        met.update(game.decisions.values())
        if number % 7 == 0:
            again = Vive.from_facts(facts, edition, options, board)
            assert again.legal() == legal
            for role in legal:
                for action in {*rng.choices(tried, k=20), "end"} if tried else ():
                    assert again.is_legal(role, action) == (action in legal[role])
            again.apply(chosen)
            ahead = game.copy()
            ahead.apply(chosen)
            assert again.facts() == ahead.facts()
        tried += [a for actions in legal.values() for a in actions][:30]
    assert game.result() is not None and faults(game.facts(), game.cards.copies) == []
    return met


@pytest.mark.sample(8)
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_random_games_are_valid_throughout(players: int, edition: str) -> None:
    met = play_random(players, Random(players).sample(ROLES, players), edition, {})
    assert met["turn"] > 20


@pytest.mark.sample(7)
@pytest.mark.parametrize(("ruling", "value"), [(r, v) for r, values in RULINGS.items() for v in values])
def test_random_games_are_valid_with_every_ruling(ruling: str, value: str) -> None:
    play_random(sum(map(ord, ruling + value)), SEATS, "standard", {ruling: value}, COURT)


@pytest.mark.slow
def test_random_games_meet_every_decision() -> None:
    met: Counter[str] = Counter()
    for seed in range(3):
        met += play_random(seed, ROLES[: 4 + seed], "standard", {"assign": "own_turn"}, COURT if seed else "")
    wanted = "turn duel_card bid obey answer contest attach_ear assign take gossip bandits unrest draw"
    assert set(wanted.split()) <= set(met)


def test_random_games_go_on_up_to_the_limit() -> None:
    game = Vive(SEATS, options={"limit": "250"})
    setups = {facts for facts, _, _ in random_game(game, Random(5)) if "decision(chance,deal_noble)" in facts}
    assert len(setups) > 4  # several games
    result = game.result()
    assert result is not None and max(result[0].values()) >= 250
