"""Positions from ``find`` are possible by the stricter checks of the independent implementations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random

import pytest
from games.krone.positions import board_text
from oracles import kaiser_sound, krone_sound
from support.limits import NO_END

from kaiser_logic.errors import NotDecided
from kaiser_logic.game import Game, load

pytestmark = pytest.mark.by_hand

LEAST = 0.99
"""The least share of possible positions."""

ABOUT = {
    "kaiser": [
        "phase(actions), decision(R,turn)", "phase(electors), decision(_,gray)", "decision(R,appoint(E))",
        "decision(R,install(E)), elector(E,Q,_,_)", "decision(R,install(E)), not elector(E,_,_,_)", "decision(_,settle(E))",
        "decision(R,influence)", "decision(R,exclude)", "decision(R,vote)", "decision(R,enthrone)", "decision(R,retire)",
        "decision(R,empire_city)", "decision(R,move_empire_city)", "phase(over)", "phase(aging), decision(R,succeed)",
        "phase(actions), decision(R,succeed)", "decision(R,son)", "decision(R,offer)", "decision(R,answer(Q,P,G))",
        "decision(R,setup_elector)", "decision(R,setup_aristocrat)", "decision(R,setup_knight)", "used(koeln)",
        "influenced(E)", "excluded(E)", "gray(E,R)", "held(R,rival,1), emperor(R)", "held(R,rival,1), decision(Q,turn)",
        "finished(R), decision(Q,turn)", "round(1), elector(E,R,15,couple)", "round(5), thalers(R,0)",
        "power(E,R,N), N > 5", "legal(R,privilege(pfalz,A))", "legal(R,buy(doctor,A))", "not legal(R,pass), decision(R,turn)",
        "violates(R,pass,actions.turn), phase(actions)", "tied(E), wins(F,R)", "supply(R,aristocrat,0)",
        "rival_must_win, decision(_,vote)", "count { E : elector(E,R,_,_) } >= 4, emperor(R)",
    ],
    "krone": [
        "decision(R,turn)", "attacked, decision(R,turn)", "decision(R,force)", "decision(R,defend)", "decision(R,vote)",
        "decision(chance,draw)", "decision(chance,reveal)", "revolt, decision(chance,reveal)",
        "drawing, decision(chance,reveal)", "decision(R,second_field)", "decision(R,resettle)", "decision(R,tax)",
        "decision(R,place)", "decision(chance,deal(R))", "phase(over)", "phase(first_round), decision(R,turn)",
        "phase(first_round), castle(F)", "phase(first_round), visit(R,_)", "draw(game_end,1)", "king(R), visit(R,_)",
        "cathedral(S), shield(S,R)", "large_city(S,O)", "ap(0)", "ap(3), decision(R,turn), king(R)", "laid(R,C,N)",
        "legal(R,attack(F))", "legal(R,revolt)", "legal(R,occupy(F))", "violates(R,attack(F),attack.visit)",
        "violates(R,incite,cards.hand), decision(R,turn)", "points(R,N), N > 12", "can_lead(R), not king(R), turn(R)",
        "people(sword,0..3) ; revealing(2)", "not king(_), decision(R,turn), castle(F)", "hand(R,truce,2)",
        "discard(unrest,N), N > 2", "lies_open(sword,N), N > 4, phase(main)", "owns(R,castle), not owns(R,city), turn(R)",
    ],
}  # fmt: skip
"""Queries about decisions, flags, legal actions, broken rules and effects."""


def queries(game: Game, random: Random) -> Iterator[str]:
    """An endless sequence of these queries, some with an additional property. Each comes once before any is repeated."""
    about = [query for query in ABOUT[game.id] if ";" not in query]
    while True:
        for query in random.sample(about, len(about)):
            role = random.choice(game.seats)
            more = random.choice(
                ["", "", f"not points({role},0)", f"decision({role},_)", f"not decision({role},_)"]
            )
            yield f"{query}, {more}" if more else query


def found(game: Game, many: int, seed: int) -> Iterator[tuple[str, frozenset[str]]]:
    """``many`` positions, each with its query."""
    random = Random(seed)
    for query in queries(game, random):
        if many <= 0:
            return
        try:
            positions = game.find(query, 1 + random.randrange(2), timeout=NO_END)
        except NotDecided:
            continue
        for position in positions[:many]:
            many -= 1
            yield query, position.facts


def strange(
    game: Game, positions: Iterable[tuple[str, frozenset[str]]]
) -> tuple[int, Counter[str], list[str]]:
    """The number of positions, the broken rules of the independent implementation, and the positions that break them."""
    total, rules, lines = 0, Counter[str](), []
    for query, facts in positions:
        total += 1
        if game.id == "kaiser":
            broken = kaiser_sound.impossible(facts, game.edition)
        else:
            broken = krone_sound.impossible(board_text(), facts, game.edition)
        rules.update(set(broken))
        if broken:
            lines.append(f"{query}: {broken}: {' '.join(sorted(facts))}")
    return total, rules, lines


def assert_possible(game: Game, many: int, seed: int) -> None:
    total, rules, lines = strange(game, found(game, many, seed))
    assert total == many
    assert len(lines) <= (1 - LEAST) * total, f"{len(lines)} of {total}: {rules}\n" + "\n".join(lines[:5])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kaiser", "krone"])
def test_some_positions_are_possible(name: str) -> None:
    assert_possible(load(name, players=2), 5, 0)


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", ["kaiser", "krone"])
def test_positions_that_are_found_are_possible(name: str, players: int) -> None:
    assert_possible(load(name, players=players), 200, players)
