"""Questions of a rules editor about the real games are answered, and each answer is checked in plain Python."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from support.limits import NO_END

from kaiser_logic.game import Game, load
from kaiser_logic.position import Position
from kaiser_logic.query.evaluation import Evaluation
from kaiser_logic.query.language import parse_query

pytestmark = pytest.mark.long


@cache
def game(name: str, players: int) -> Game:
    """The game for so many players."""
    return load(name, players=players)


def numbers(position: Position, name: str, key: str | None = None) -> list[int]:
    """The last arguments of the facts with this name, and with this first argument if there is a key."""
    found = []
    for s in position.symbols:
        if s.name == name and (key is None or str(s.arguments[0]) == key):
            found.append(s.arguments[-1].number)
    return found


def follows(position: Position, role: str, fact: str) -> bool:
    """Whether a legal action of the role leads to a position with this fact."""
    return any(fact in position.apply({role: a}).facts for a in position.legal().get(role, ()))


def income(position: Position, role: str) -> int:
    """6 thalers, 1 for each own city, 1 for each city of others where the player is elector, and 2 for Sachsen."""
    own = [s.arguments for s in position.symbols if s.name == "city"]
    seats = {
        str(s.arguments[0]) for s in position.symbols if s.name == "elector" and str(s.arguments[1]) == role
    }
    cities = sum(n.number for e, r, n in own if str(r) == role or str(e) in seats)
    return 6 + cities + 2 * ("sachsen" in seats)


def colours(position: Position, role: str) -> int:
    """The number of blue cards minus the number of pink cards."""
    facts = position.ruleset.facts("colour", 2)
    of = {str(s.arguments[0]): str(s.arguments[1]) for s in facts}
    held = [s.arguments for s in position.symbols if s.name == "held" and str(s.arguments[0]) == role]
    weight = {"blue": 1, "pink": -1}
    return sum(weight.get(of[str(c)], 0) * n.number for _, c, n in held)


def cheap(position: Position, role: str) -> set[str]:
    """The cards that cost no more than the player has."""
    (thalers,) = numbers(position, "thalers", role)
    costs = (s.arguments for s in position.ruleset.facts("cost", 2))
    return {str(card) for card, price in costs if price.number <= thalers}


def power(position: Position, electorate: str, role: str) -> int:
    """1 for each knight, city, baron and gray eminence, and 2 for each couple. The emperor has the empire cities."""
    total = 0
    for s in position.symbols:
        arguments = list(map(str, s.arguments))
        if arguments[:1] != [electorate]:
            continue
        number = int(arguments[-1]) if arguments[-1].isdigit() else 1
        if s.name == "empire_city":
            total += number * (f"emperor({role})" in position.facts)
        elif role in arguments and s.name in ("elector", "aristocrat", "knight", "city", "gray"):
            total += number * (1 + (s.name in ("elector", "aristocrat") and "couple" in arguments))
    return total


def strong(position: Position, least: int) -> dict[str, int]:
    """How many players have at least this power in each electorate."""
    electorates = [str(s.arguments[0]) for s in position.ruleset.facts("electorate", 1)]
    return {e: sum(power(position, e, r) >= least for r in ("red", "green", "blue")) for e in electorates}


def owner(position: Position, name: str) -> dict[str, str]:
    """The owner of each field on which such a thing stands."""
    of = {str(s.arguments[0]): str(s.arguments[1]) for s in position.symbols if s.name == "shield"}
    return {str(s.arguments[0]): of[str(s.arguments[0])] for s in position.symbols if s.name == name}


def winners(position: Position) -> set[str]:
    """The winners; empty if there is no result."""
    result = position.result()
    return set(result.winners) if result else set()


Check = Callable[[Position], bool]
KAISER: list[tuple[str, Check | None]] = [
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
    ("more_blue(red), not more_blue(green), decision(red,son)",
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
    ("decision(red,turn), thalers(red,N), N >= 5, after(red,A,thalers(red,0))",
     lambda p: numbers(p, "thalers", "red")[0] >= 5 and follows(p, "red", "thalers(red,0)")),
    ("points(red,N), after(red,A,points(red,M)), M >= N+2",
     lambda p: any(numbers(p.apply({"red": a}), "points", "red")[0] >= numbers(p, "points", "red")[0] + 2
                   for a in p.legal()["red"])),
    ("emperor(R), points(R,N), not (points(Q,M), Q != R, M <= N+7), phase(over)",
     lambda p: sorted(numbers(p, "points"))[1] >= sorted(numbers(p, "points"))[0] + 8),
    ("decision(red,turn), legal(red,privilege(pfalz,_)), not (legal(red,A), A != pass, A != privilege(pfalz,_))",
     lambda p: {a.partition(",")[0] for a in p.legal()["red"]} == {"pass", "privilege(pfalz"}),
    ("decision(R,offer), legal(R,convent), not (legal(R,A), A != convent)",
     lambda p: list(p.legal().values()) == [("convent",)]),
    ("decision(red,install(E)), count{A : legal(red,A)} = 1, legal(red,install(E,45,_))",
     lambda p: len(p.legal()["red"]) == 1 and ",45," in p.legal()["red"][0]),
    ("electorate(E), count{R : power(E,R,N), N >= 3} >= 3", lambda p: 3 in strong(p, 3).values()),
    ("count{E : power(E,red,N), power(E,green,N), N >= 2} >= 4",
     lambda p: sum(power(p, e, "red") == power(p, e, "green") >= 2 for e in strong(p, 0)) >= 4),
    ("decision(_,turn), not (income(R,N), thalers(R,M), N+M <= 12)",
     lambda p: all(income(p, r) + numbers(p, "thalers", r)[0] > 12 for r in ("red", "green", "blue"))),
    ("income(red,17), decision(_,turn)", lambda p: income(p, "red") == 17),
    ("sum{N : votes(_,N)} = 14, decision(_,vote)", None),
    ("decision(_,turn), N = max{M : thalers(_,M)}, N = min{M : thalers(_,M)}, N >= 9",
     lambda p: len(set(numbers(p, "thalers"))) == 1 and numbers(p, "thalers")[0] >= 9),
    ("max{A : throne(_,A,_)} < min{A : aristocrat(_,_,A,_,_)}, aristocrat(_,_,_,_,_), decision(_,turn)",
     lambda p: max(s.arguments[1].number for s in p.symbols if s.name == "throne")
               < min(s.arguments[2].number for s in p.symbols if s.name == "aristocrat")),
    ("decision(red,turn), points(red,0), not (after(red,A,points(red,N)), N > 0)",
     lambda p: all("points(red,0)" in p.apply({"red": a}).facts for a in p.legal()["red"])),
    ("decision(red,turn), legal(red,knight(E,S,E,S))", lambda p: any(
        a == f"knight({e},{s},{e},{s})" for a in p.legal()["red"] for e in strong(p, 0) for s in ("aristocrat", "castle"))),
    ("held(R,gray_eminence,1), not gray(_,R), phase(over)", lambda p: not any(f.startswith("gray") for f in p.facts)),
]  # fmt: skip
KRONE: list[tuple[str, Check | None]] = [
    ("cards(red,N), N >= 20", lambda p: sum(numbers(p, "hand", "red")) >= 20),
    ("cards(red,0), cards(green,0), decision(_,turn)",
     lambda p: not numbers(p, "hand", "red") and not numbers(p, "hand", "green")),
    ("winner(red), winner(green), winner(blue)", lambda p: len(((r := p.result()) and r.winners) or ()) == 3),
    ("points(red,N), points(green,M), (N >= M+30 ; M >= N+30)",
     lambda p: abs(numbers(p, "points", "red")[0] - numbers(p, "points", "green")[0]) >= 30),
    ("sum{N : cards(_,N)} >= 30", lambda p: sum(numbers(p, "hand")) >= 30),
    ("max{N : might(_,N)} = 0, decision(_,turn)", None),
    ("battle_value(C,N), hand(red,C,2), N >= 4", lambda p: "hand(red,leader4,2)" in p.facts),
    ("not king(R), after(R,A,king(R))",
     lambda p: any(follows(p, r, f"king({r})") for r in p.to_move if f"king({r})" not in p.facts)),
    ("decision(red,turn), after(red,A,attack(_))",
     lambda p: any("attack" in f for a in p.legal()["red"] for f in p.apply({"red": a}).facts)),
    ("count{F : castle(F), shield(F,red)} > count{F : castle(F), shield(F,green)} + 3", None),
    ("winner(R), king(K), K != R, winner(K)",
     lambda p: len(winners(p)) > 1 and any(f"king({r})" in p.facts for r in winners(p))),
    ("points(green,N), N >= 20, king(red), points(red,M), M + 15 <= N, not draw(game_end,_), decision(_,turn)",
     lambda p: numbers(p, "points", "green")[0] >= numbers(p, "points", "red")[0] + 15),
    ("draw(game_end,1), king(R), points(R,N), N <= 15",
     lambda p: max(numbers(p, "points")) > 15 and len(winners(p)) == 0),
    ("decision(red,turn), not (legal(red,A), A != pass, A != draw), ap(3)",
     lambda p: set(p.legal()["red"]) <= {"pass", "draw"}),
    ("count{A : legal(R,A)} = 4, decision(R,defend)", lambda p: [len(a) for a in p.legal().values()] == [4]),
    ("points(R,N), after(R,tax,points(R,M)), M >= N+10",
     lambda p: list(owner(p, "castle").values()).count(next(iter(p.to_move))) >= 10),
    ("sum{N : cards(_,N)} = 58", lambda p: sum(numbers(p, "hand")) == 58),
    ("might(red,123)", lambda p: {"hand(red,castle,15)", "hand(red,leader4,3)"} <= p.facts),
    ("castle(F), shield(F,red), not (next_to(F,G), not shield(G,green)), decision(_,turn)", None),
    ("decision(green,defend), attack(F), legal(green,ambush(1)), not after(green,ambush(1),shield(F,green))",
     lambda p: any(f.startswith("shield") and f not in p.facts for f in p.apply({"green": "ambush(1)"}).facts)),
    ("visit(R,2), revolt, turn(R)", lambda p: "revolt" in p.facts and 2 in numbers(p, "visit")),
    ("visit(red,1), visit(green,1), visit(blue,1), turn(red)", lambda p: numbers(p, "visit") == [1, 1, 1]),
]  # fmt: skip
NONE = [
    ("kaiser", "count{E : elector(E,red,_,_)} > 7"),
    ("kaiser", "emperor(red), emperor(green)"),
    ("kaiser", "min{N : thalers(_,N)} > 12 ; max{N : thalers(_,N)} < 0"),
    ("kaiser", "income(R,N), N < 6"),
    ("kaiser", "more_blue(R), childless(R)"),
    ("kaiser", "groom(R,R,_,_)"),
    ("kaiser", "max{N : power(E,red,N)} > 25"),
    ("krone", "cards(red,N), N > 200"),
    ("krone", "winner(R), decision(_,_)"),
    ("krone", "king(R), not (player(Q), Q = R)"),
    ("kaiser", "(elector(trier,red,_,_) ; elector(koeln,red,_,_)), decision(red,vote), decision(green,vote)"),
    ("kaiser", "colour(C,white), held(R,C,N), N >= 2"),
    ("kaiser", "gray(E,R), (phase(actions) ; phase(descendants))"),
    ("kaiser", "throne(Q,_,_), emperor(R), Q != R, decision(_,D), D != retire, D != enthrone"),
    ("kaiser", "decision(R,appoint(E)), not (tied(E), emperor(R))"),
    ("krone", "draw(game_end,1), not (points(_,N), N > 15)"),
    ("krone", "battle_value(C,4), sum{N : hand(_,C,N)} > 3"),
    ("krone", "might(R,N), N > 123"),
    ("krone", "decision(R,tax), not (castle(F), shield(F,R))"),
    ("krone", "turn(R), visit(R,N), ap(M), N+M > 3"),
    ("krone", "visit(R,3), revolt, turn(R)"),
]


def check_answer(name: str, query: str, check: Check | None) -> None:
    """Compares the position that `find` gives with the evaluation and with the check."""
    found = game(name, 3).find_result(query, timeout=NO_END)
    (position,) = found.positions
    assert not position.broken_invariants()
    assert found.because[0] or "not (" in query
    assert Evaluation(position.evaluator, parse_query(query, position.ruleset.book)).holds(position.symbols)
    assert check is None or check(position), sorted(position.facts)


@pytest.mark.parametrize(("query", "check"), KAISER, ids=[q for q, _ in KAISER])
def test_questions_about_kaiser_are_answered(query: str, check: Check | None) -> None:
    check_answer("kaiser", query, check)


@pytest.mark.parametrize(("query", "check"), KRONE, ids=[q for q, _ in KRONE])
def test_questions_about_krone_are_answered(query: str, check: Check | None) -> None:
    check_answer("krone", query, check)


@pytest.mark.parametrize(("name", "query"), NONE)
def test_questions_without_a_position_are_proved_to_have_none(name: str, query: str) -> None:
    found = game(name, 3).find_result(query, timeout=NO_END)
    assert found.positions == ()
    assert found.exhausted
