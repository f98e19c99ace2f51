"""Questions that a rules editor wants to ask, on the real games: each answer looked at in the test's own words."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from support.limits import NO_END

from kaiser_logic.game import Game, load
from kaiser_logic.position import Position
from kaiser_logic.query.check import Check
from kaiser_logic.query.language import parse_query

pytestmark = pytest.mark.slow


@cache
def game(name: str, players: int) -> Game:
    return load(name, players=players)


def numbers(position: Position, name: str, key: str | None = None) -> list[int]:
    """The last arguments of some facts, e.g. everybody's thalers."""
    found = []
    for s in position.symbols:
        if s.name == name and (key is None or str(s.arguments[0]) == key):
            found.append(s.arguments[-1].number)
    return found


def follows(position: Position, role: str, fact: str) -> bool:
    """Whether a legal action leads to it."""
    return any(fact in position.apply({role: a}).facts for a in position.legal().get(role, ()))


def income(position: Position, role: str) -> int:
    """6, a thaler for each own city, one for each other's where he is elector, 2 for Sachsen."""
    own = [s.arguments for s in position.symbols if s.name == "city"]
    seats = {
        str(s.arguments[0]) for s in position.symbols if s.name == "elector" and str(s.arguments[1]) == role
    }
    cities = sum(n.number for e, r, n in own if str(r) == role or str(e) in seats)
    return 6 + cities + 2 * ("sachsen" in seats)


def colours(position: Position, role: str) -> int:
    """More blue than pink cards."""
    facts = position.ruleset.facts("colour", 2)
    of = {str(s.arguments[0]): str(s.arguments[1]) for s in facts}
    held = [s.arguments for s in position.symbols if s.name == "held" and str(s.arguments[0]) == role]
    weight = {"blue": 1, "pink": -1}
    return sum(weight.get(of[str(c)], 0) * n.number for _, c, n in held)


def cheap(position: Position, role: str) -> set[str]:
    """The cards that cost no more than he has."""
    (most,) = numbers(position, "thalers", role)
    costs = (s.arguments for s in position.ruleset.facts("cost", 2))
    return {str(card) for card, price in costs if price.number <= most}


Look = Callable[[Position], bool]
KAISER: list[tuple[str, Look | None]] = [
    ("winner(red), winner(green)", lambda p: set(((r := p.result()) and r.winners) or ()) >= {"red", "green"}),
    ("not (player(R), not winner(R))", lambda p: len(((r := p.result()) and r.winners) or ()) == 3),
    ("points(red,N), points(green,M), N >= M+10",
     lambda p: numbers(p, "points", "red")[0] >= numbers(p, "points", "green")[0] + 10),
    ("decision(red,turn), not (legal(red,A), A != pass)", lambda p: p.legal()["red"] == ("pass",)),
    ("decision(red,turn), legal(red,buy(_,_)), not (legal(red,A), A != pass, A != buy(_,_))",
     lambda p: {a.partition("(")[0] for a in p.legal()["red"]} <= {"pass", "buy"} and len(p.legal()["red"]) > 1),
    ("income(red,N), N > 12", lambda p: income(p, "red") > 12),
    ("income(red,N), thalers(red,M), N+M <= 12, decision(_,turn)",
     lambda p: income(p, "red") + numbers(p, "thalers", "red")[0] <= 12),
    ("boys(red), not boys(green), decision(red,son)",
     lambda p: colours(p, "red") > 0 >= colours(p, "green")),
    ("decision(red,offer), groom(red,Q,throne,G)", lambda p: any("throne" in a for a in p.legal()["red"])),
    ("decision(red,offer), count{Q,P,G : groom(red,Q,P,G)} = 2", lambda p: len(p.legal()["red"]) in (2, 3)),
    ("(round(5) ; round(4)), (emperor(red) ; emperor(green)), decision(blue,turn)",
     lambda p: p.facts & {"round(5)", "round(4)"} and p.facts & {"emperor(red)", "emperor(green)"}),
    ("max{N : thalers(_,N)} = 0, decision(_,turn)", lambda p: set(numbers(p, "thalers")) == {0}),
    ("min{N : thalers(_,N)} = 12, round(5)", lambda p: set(numbers(p, "thalers")) == {12}),
    ("sum{N : aristocrat(_,red,_,_,N)} = 5, sum{N : knight(_,_,red,N)} = 3, decision(_,turn)",
     lambda p: sum(s.arguments[-1].number for s in p.symbols
                   if s.name == "aristocrat" and str(s.arguments[1]) == "red") == 5),
    ("spaces(E,aristocrat,N), sum{M : aristocrat(E,red,_,_,M)} = N, N >= 3", None),
    ("decision(red,turn), thalers(red,N), not (cost(C,M), display(C,_), M <= N)",
     lambda p: not any(f"display({c},{n})" in p.facts for n in range(1, 9) for c in cheap(p, "red"))),
    ("ruling(convent_by_choice,yes), decision(red,offer)", lambda p: "convent" in p.legal()["red"]),
    ("decision(red,turn), after(red,A,decision(green,succeed))",
     lambda p: follows(p, "red", "decision(green,succeed)")),
    ("decision(red,turn), thalers(red,N), N >= 6, after(red,A,thalers(red,0))",
     lambda p: numbers(p, "thalers", "red")[0] >= 6 and follows(p, "red", "thalers(red,0)")),
    ("points(red,N), after(red,A,points(red,M)), M >= N+2",
     lambda p: any(numbers(p.apply({"red": a}), "points", "red")[0] >= numbers(p, "points", "red")[0] + 2
                   for a in p.legal()["red"])),
]  # fmt: skip
KRONE: list[tuple[str, Look | None]] = [
    ("cards(red,N), N >= 20", lambda p: sum(numbers(p, "hand", "red")) >= 20),
    ("cards(red,0), cards(green,0), decision(_,turn)",
     lambda p: not numbers(p, "hand", "red") and not numbers(p, "hand", "green")),
    ("winner(red), winner(green), winner(blue)", lambda p: len(((r := p.result()) and r.winners) or ()) == 3),
    ("points(red,N), points(green,M), (N >= M+30 ; M >= N+30)",
     lambda p: abs(numbers(p, "points", "red")[0] - numbers(p, "points", "green")[0]) >= 30),
    ("sum{N : cards(_,N)} >= 30", lambda p: sum(numbers(p, "hand")) >= 30),
    ("max{N : might(_,N)} = 0, decision(_,turn)", None),
    ("battle(C,N), hand(red,C,2), N >= 4", lambda p: "hand(red,leader4,2)" in p.facts),
    ("not king(R), after(R,A,king(R))",
     lambda p: any(follows(p, r, f"king({r})") for r in p.to_move if f"king({r})" not in p.facts)),
    ("decision(red,turn), after(red,A,attack(_))",
     lambda p: any("attack" in f for a in p.legal()["red"] for f in p.apply({"red": a}).facts)),
    ("count{F : castle(F), shield(F,red)} > count{F : castle(F), shield(F,green)} + 3", None),
]  # fmt: skip
NONE = [
    ("kaiser", "count{E : elector(E,red,_,_)} > 7"),
    ("kaiser", "emperor(red), emperor(green)"),
    ("kaiser", "min{N : thalers(_,N)} > 12 ; max{N : thalers(_,N)} < 0"),
    ("kaiser", "income(R,N), N < 6"),
    ("kaiser", "boys(R), childless(R)"),
    ("kaiser", "groom(R,R,_,_)"),
    ("kaiser", "max{N : power(E,red,N)} > 25"),
    ("krone", "cards(red,N), N > 200"),
    ("krone", "winner(R), decision(_,_)"),
    ("krone", "king(R), not (player(Q), Q = R)"),
]


def looked_at(name: str, query: str, look: Look | None) -> None:
    found = game(name, 3).find_result(query, timeout=NO_END)
    (position,) = found.positions
    assert not position.broken()
    assert found.because[0] or "not (" in query
    assert Check(position.evaluator, parse_query(query, position.ruleset.book)).holds(position.symbols)
    assert look is None or look(position), sorted(position.facts)


@pytest.mark.parametrize(("query", "look"), KAISER, ids=[q for q, _ in KAISER])
def test_kaiser(query: str, look: Look | None) -> None:
    looked_at("kaiser", query, look)


@pytest.mark.parametrize(("query", "look"), KRONE, ids=[q for q, _ in KRONE])
def test_krone(query: str, look: Look | None) -> None:
    looked_at("krone", query, look)


@pytest.mark.parametrize(("name", "query"), NONE)
def test_there_is_none(name: str, query: str) -> None:
    found = game(name, 3).find_result(query, timeout=NO_END)
    assert found.positions == ()
    assert found.exhausted
