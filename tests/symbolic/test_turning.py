"""Seats that turn: what is said to turn has, with each answer set, the turned one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

import clingo
import pytest

from kaiser_logic.symbolic.shapes import shape_of
from kaiser_logic.symbolic.turning import Seats, Turn
from kaiser_logic.symbolic.values import symbol_of, term_of

pytestmark = pytest.mark.slow

ROLES = ("red", "green", "blue")
SEATED = "seated(red) seated(green) seated(blue) due(red,green) due(green,blue) due(blue,red)"
LINES = ["{ decision(R,go) : seated(R) }.", "{ has(R,N) : amount(N) } 1 :- seated(R).", "amount(1..2)."]
"""What all programs here begin with."""


def facts(text: str) -> list[clingo.Symbol]:
    return [clingo.parse_term(word) for word in text.split()]


def turned(lines: Sequence[str], more: str = "") -> Turn | None:
    return Seats(ROLES).turn([*LINES, *lines], facts(f"{SEATED} {more}"))


def answer_sets(lines: Iterable[str], given: Iterable[clingo.Symbol]) -> set[frozenset[clingo.Symbol]]:
    """All of them, by clingo, with what is given among the atoms."""
    control = clingo.Control(["0", "--warn=none"])
    control.add("base", [], "\n".join([*lines, *(f"{fact}." for fact in given)]))
    control.ground([("base", [])])
    found: set[frozenset[clingo.Symbol]] = set()
    control.solve(on_model=lambda model: found.add(frozenset(model.symbols(atoms=True))) and None)
    return found


def is_kept(turn: Turn, lines: Sequence[str], given: Sequence[clingo.Symbol]) -> bool:
    """Whether each answer set turned is one."""
    read = answer_sets(lines, given)
    unread = set(given)  # what no line reads need not turn

    def of(found: Iterable[clingo.Symbol], turning: bool) -> frozenset[clingo.Symbol]:
        return frozenset(symbol_of(turn.fact(term_of(s))) if turning else s for s in found if s not in unread)

    return {of(one, True) for one in read} == {of(one, False) for one in read}


ALIKE = [
    ["two :- decision(R,_), decision(Q,_), R < Q."],
    ["two(N) :- has(R,N), has(Q,N), Q > R, not decision(R,go), not decision(Q,go)."],
    ["most(R) :- has(R,N), #max { M : has(_,M) } = N."],
    ["more(R,Q) :- has(R,N), has(Q,M), N < M, due(R,Q)."],
    ["n(N) :- N = #count { R,M : has(R,M); Q,x : decision(Q,_) }."],
    ["s(R,N) :- seated(R), N = #sum { M : has(R,M); -1,d : decision(R,_) }."],
    ["p(f(R,N)) :- has(R,N).", "q(X) :- p(X), not decision(_,_)."],
    ["p(into(R,1)) :- has(R,1).", "p(R) :- has(R,2).", "q(X) :- p(X), X < into(#inf,#inf)."],
    ["ends(chance) :- not decision(_,_).", "ends(R) :- decision(R,_)."],
    ["colour(C) :- card(C,blue), decision(_,_)."],
    ["p(price(N)) :- has(_,N).", "q(price(R)) :- has(R,_).", "r(N) :- p(price(N)), N < 2."],
    ["arg(R,1,0,C) :- decision(R,go), card(C,_).", "arg(R,1,1,Q) :- due(R,Q), has(R,1)."],
    ["bad(own,R) :- has(R,2).", "bad(card,C) :- card(C,blue), has(_,1).", "fallen(I) :- bad(I,_)."],
]
"""Programs that turn; of two cards one is `blue`."""

UNLIKE = [
    ["p :- decision(blue,_)."],
    ["p(R) :- decision(R,_), R != green."],
    ["p(R) :- decision(R,_), R = (red;green)."],
    ["p(R) :- decision(R,_), decision(Q,_), R < Q."],
    ["p(R) :- has(R,N), has(Q,M), R < Q, N != M."],
    ["p(R) :- R = #min { Q : decision(Q,_) }."],
    ["p(N) :- N = #count { Q : has(R,_), has(Q,_), R <= Q }."],
    ["p(f(R)) :- decision(R,_).", "q(X) :- p(X), p(Y), X < Y."],
    ["p(f(R)) :- decision(R,_).", "q(X) :- X = #max { Y : p(Y) }."],
    ["p(-R) :- decision(R,_)."],
    ["p(R) :- decision(R,_), first(R)."],
    ["p(R) :- decision(R,_), order(R,N), N < 2."],
    ["p(R) :- decision(R,_), card(_,R)."],
    ["n(N) :- N = #count { R : has(R,_); C : card(_,C) }."],
    ["p(f(R)) :- decision(R,_).", "q :- p(f(red))."],
    ["p(f(R)) :- decision(R,_).", "q :- p(X), X = f(red)."],
    ["p(f(R)) :- decision(R,_).", "q :- p(X), X = Y, Y = f(Z), lucky(Z)."],
    ["p(R) :- decision(R,_), R = @f()."],
    ["#show p/0."],
    [":~ decision(R,_). [1,R]"],
    ["p(R) ; q(R) :- decision(R,_)."],
    ["arg(R,1,0,C) :- decision(R,go), card(_,C).", "p(K) :- arg(R,1,K,R)."],
    ["p(X) :- decision(-(-X),go)."],
    ["p(X) :- decision(-X,go)."],
    [":- decision(-X,go), seated(-Y), not decision(-Y,go), X < Y."],
    ["p(P) :- decision(R,go), P = -R."],
    ["{ first(R) : decision(R,go) } 0."],
    ["1 { decision(R,stop) : seated(R) } 1.", "1 { lucky(Q) : has(Q,2) } 1 :- has(_,2)."],
    ["1 { not first(R) : has(R,1) } :- has(_,1)."],
    ["not first(R) :- decision(R,_)."],
    ["not not first(R) :- decision(R,_)."],
]
"""Programs that do not, or of which that is not known."""

MORE = "card(ace,blue) card(king,pink) first(red) order(red,1) order(green,2) order(blue,3) lucky(green)"


@pytest.mark.parametrize("lines", ALIKE, ids=range(len(ALIKE)))
def test_what_is_the_same_for_all_turns(lines: list[str]) -> None:
    turn = turned(lines, MORE)
    assert turn is not None
    assert is_kept(turn, [*LINES, *lines], facts(f"{SEATED} {MORE}"))
    assert turn.fact(("decision", "blue", "go")) == ("decision", "red", "go")
    assert turn.fact(("card", "ace", "blue")) == ("card", "ace", "blue")


@pytest.mark.parametrize("lines", UNLIKE, ids=range(len(UNLIKE)))
def test_what_is_not_does_not(lines: list[str]) -> None:
    assert turned(lines, MORE) is None


def test_facts_that_nobody_reads_need_not_turn() -> None:
    lines = ["p(R) :- decision(R,_), kept(a,R)."]
    assert turned(lines, "first(red) kept(a,red) kept(a,green) kept(a,blue) kept(a,5)") is not None
    assert turned(lines, "kept(a,red) kept(a,green)") is None
    known = ["p(R) :- decision(R,_), kept(a,R), kept(b,1)."]
    assert turned(known, "kept(a,red) kept(a,green) kept(a,blue) kept(b,red) kept(b,1)") is not None


PARTS = [
    "p(R) :- has(R,N), N > 1.",
    "p(R) :- due(Q,R), decision(Q,_), not has(R,_).",
    "p(red) :- decision(_,_).",
    "q(R,Q) :- p(R), p(Q), R != Q.",
    "q(R,Q) :- p(R), p(Q), R < Q.",
    "few :- p(R), p(Q), R < Q.",
    "r(f(R,N)) :- has(R,N), not p(R).",
    "r(f(N,R)) :- has(R,N), p(R).",
    "s(X) :- r(X), not few.",
    "s(X) :- r(X), r(Y), X < Y.",
    "t(N) :- N = #count { R,M : has(R,M), not p(R) }.",
    "t(N) :- N = #sum { M,R : has(R,M); M,C : value(C,M) }.",
    "t(N) :- N = #max { M : has(_,M) }.",
    "u(C) :- value(C,N), not t(N).",
    "u(R) :- p(R), value(R,_).",
    ":- few, t(0).",
    "{ v(R) } :- p(R), first(R).",
    "{ v(R) } :- p(R), not few.",
    "v(Q) :- v(R), due(R,Q), has(Q,2).",
    "w(R,K) :- has(R,N), K = N+1, K != 3.",
    "x(R) :- p(R), R != blue.",
    "x(blue,R) :- p(R).",
    "y(C,R) :- x(C,R), not p(C).",
]


def test_whatever_is_said_to_turn_does() -> None:
    """Random programs, each answer set by clingo."""
    random, given = Random(4), facts(f"{SEATED} value(blue,1) value(ace,2) first(red)")
    some = 0
    for _ in range(250):
        lines = [*LINES, *random.sample(PARTS, random.randint(1, 6))]
        turn = Seats(ROLES).turn(lines, given)
        if turn is not None:
            some += 1
            assert is_kept(turn, lines, given), lines
    assert some > 40


def test_shapes_of_the_same_line_are_the_same() -> None:
    line = "p(X) :- q(X,f(X)), X < 3."
    assert shape_of(line) is shape_of(line)
    assert shape_of("p(X) :- ") is None


def test_a_fact_is_turned_anew_where_roles_no_longer_stand() -> None:
    """In the second program the first place of `mark` has another name: there roles stay, and ``mark(red,red)`` is missing."""
    seats, lines = Seats(ROLES[:2]), [*LINES, "y :- mark(A,B)."]
    given = facts("seated(red) seated(green) mark(red,green) mark(green,red)")
    other = facts("mark(gold,red) mark(gold,green)")
    assert seats.turn(lines, given) is not None
    assert Seats(ROLES[:2]).turn(lines, [*given, *other]) is None
    assert seats.turn(lines, [*given, *other]) is None


def test_a_fact_that_turns_into_one_that_is_told_later_turns_then() -> None:
    seats, line = Seats(ROLES[:2]), "y :- mark(A)."
    given = facts("seated(red) seated(green) mark(red)")
    assert seats.turn(LINES, given) is not None, "nobody reads it"
    assert seats.turn([*LINES, line], [*given, *facts("mark(green)")]) is not None
    assert seats.turn([*LINES, line], given) is None


def test_facts_are_known_by_what_they_are() -> None:
    """Not by the object: each program may have its own."""
    seats, lines = Seats(ROLES[:2]), [*LINES, "y :- mark(A)."]
    text = "seated(red) seated(green) mark(red) mark(green)"
    for _ in range(3):
        assert seats.turn(lines, facts(text)) is not None
    assert seats.turn(lines, facts(text)[:-1]) is None
