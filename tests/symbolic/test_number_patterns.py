"""Whatever stands where a number without a limit is: the values that are looked at are enough, or the rule is refused."""

from __future__ import annotations

from collections.abc import Iterable

import clingo
import pytest
from support.heap_game import SCORED, variant

from kaiser_logic.game import Game, load
from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.symbolic.domains import domains
from kaiser_logic.symbolic.numbers import need

_MOST = 70
"""Numbers up to this one are tried by brute force."""
_GIVEN = "took(red). player(red;green). heap(0..12). amount(1..3)."
"""What else the rules below read, as it is in any position."""


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The heap game with points."""
    return load(variant(tmp_path_factory.mktemp("scored"), SCORED), players=2)


def holds(rules: str, values: Iterable[int]) -> bool:
    """Whether q holds in some position whose points are among the values."""
    control = clingo.Control(["--warn=none"])
    chosen = "{ points(R,N) : value(N) } = 1 :- player(R)."
    facts = " ".join(f"value({n})." for n in values)
    control.add("base", [], f"{facts}\n{_GIVEN}\n{chosen}\n:- not q.\n{rules}")
    control.ground([("base", [])])
    return bool(control.solve().satisfiable)


@pytest.mark.parametrize(
    "rules",
    [
        "q :- points(R,25..27).",
        "q :- points(R,|-25|).",
        "q :- points(R,-(-25)).",
        "q :- points(R,~-26).",
        "q :- points(R,20+5).",
        "q :- points(R,5*5).",
        "q :- points(R,5**2).",
        "q :- points(R,51/2).",
        "q :- points(R,125\\50).",
        "q :- points(R,(25;30)).",
        "q :- points(R,(25..27;40)).",
        "q :- points(R,25;R,30).",
        'q :- points(R,("many";25)).',
        "q :- points(R,(20..22)+5).",
        "q :- #count { 1 : points(R,25..26) } > 0.",
        "q :- points(R,25..26) : player(R).",
        "q :- player(R), not points(R,0..24).",
        "held(R,N) :- points(R,N).\nq :- held(R,24..25).",
        "held(R,f(N)) :- points(R,N).\nq :- held(R,f(24..25)).",
        "held(f(R,N)) :- points(R,N).\nq :- held(f(R,24..25)).",
        "held(R,N+5) :- points(R,N).\nq :- held(R,30..31).",
        "q :- points(R,N), N = 25..26.",
        "q :- points(R,N), N = (25;26).",
        "q :- points(R,N), N = |-25|.",
        "q :- points(R,N), 25..26 = N.",
        "q :- points(R,N), heap(N-20), N > 20.",
        "q :- points(R,N), heap(N-20), not heap(N-19).",
        "q :- points(R,N), not amount(N-22), amount(N-23).",
        "q :- points(R,N), f(N) = f(25).",
        "q :- points(R,N), (N,1) = (25,1).",
        "q :- points(R,N), f(X) = f(N), X = 25.",
        "q :- points(R,N), X+1 = N, X = 25.",
        "q :- points(R,N), f(X+1) = f(N), X = 25.",
        "q :- points(red,N), points(green,M), f(N,25) = f(M,M).",
        "q :- points(red,N), points(green,M), (N+25,M) < (M,N).",
        "q :- points(red,N), points(green,M), (N,M+20) = (M+20,N).",
        "held(R,N) :- points(R,N), took(R).\nheld(R,25) :- player(R), not took(R).\n"
        "q :- points(R,N), held(R,N), not took(R).",
        "held(N) :- points(red,N).\nheld(20+K) :- amount(K).\nq :- points(green,N), held(N), not points(red,N).",
        "held(R,N) :- points(R,N), took(R).\nheld(R,25) :- player(R), not took(R).\n"
        "more(R,N+10) :- held(R,N).\nq :- points(R,N), more(R,N), not took(R).",
        "held(f(N)) :- points(red,N).\nheld(f(25)).\nq :- points(green,N), X = f(N), held(X), not points(red,N).",
        "held(f(N)) :- points(red,N).\nheld(f(25)).\nq :- points(green,N), held(f(N)), not points(red,N).",
        "held(f(N,25)) :- points(red,N).\nq :- points(green,N), held(f(M,N)).",
        "q :- #count { N : points(red,N) ; 25 : amount(1) } = 1.",
        "q :- #count { N : points(red,N) ; M+25 : points(green,M) } = 1.",
        "q :- #count { f(N) : points(red,N) ; f(25) : amount(1) } = 1.",
        "q :- #sum { 1,N : points(red,N) ; 1,25 : amount(1) } = 1.",
        "q :- #sum { 1,N : points(red,N) ; 1,M+25 : points(green,M) } = 1.",
        "held(N) :- points(red,N).\nheld(25).\nq :- #count { N : held(N) } = 1.",
        "q :- points(R,N), |N-30| = 4.",
        "q :- points(R,N), -N = -25.",
        "q :- points(R,N), N/2 = 12.",
        "q :- points(R,N), N\\30 = 25.",
        "q :- points(R,2*N+1), amount(N-11).",
        "q :- points(R,-N), N = -25.",
        "limit(25).\nq :- points(R,N), limit(L), N = L.",
        "limit(25..26).\nq :- points(R,N), limit(L), N = L+1.",
        "limit(L) :- amount(K), L = K*10.\nq :- points(R,N), limit(L), N = L+5.",
        "limit(L) :- L = 25..26.\nq :- points(R,N), limit(N).",
        "limit(24;25).\nq :- points(R,N), limit(N).",
        "limit(|-25|).\nq :- points(R,N), limit(N).",
        "limit(f(25)).\nq :- points(R,N), limit(f(N)).",
        "limit(f(25)).\nq :- points(R,N), limit(L), L = f(N).",
        "limit(f(L)) :- L = 20+5.\nq :- points(R,N), limit(f(L)), N = L.",
    ],
)
def test_what_a_number_may_be(scored: Game, rules: str) -> None:
    """What holds with any points holds with those that are looked at."""
    assert holds(rules, range(_MOST))
    found = need(scored.ruleset, parse_rules(rules), domains(scored.ruleset, 0).fluents, 0)
    assert found.reason is not None or holds(rules, found.values), found.values


@pytest.mark.parametrize(
    ("rules", "values"),
    [
        ("q :- points(R,25..27).", (24, 25, 26, 27, 28)),
        ("q :- points(R,|-25|).", (24, 25, 26)),
        ("q :- points(R,20+5).", (24, 25, 26)),
        ("q :- points(R,N), N = 25..26.", (25, 26)),
        ("q :- points(R,#sup).", (0,)),
        ('q :- points(R,"many").', (0,)),
        ("held(R,N) :- points(R,N).\nq :- held(R,24..25).", (24, 25)),
    ],
)
def test_what_is_looked_at(scored: Game, rules: str, values: tuple[int, ...]) -> None:
    """Nothing of these need be refused."""
    found = need(scored.ruleset, parse_rules(rules), domains(scored.ruleset, 0).fluents, 0)
    assert found.reason is None
    assert set(values) <= set(found.values)
    assert len(found.values) < 9


@pytest.mark.parametrize("term", ["0..9999", "-_", "_..25", "2*_"])
def test_what_is_refused(scored: Game, term: str) -> None:
    """Too many numbers, and what is no number known beforehand."""
    found = need(
        scored.ruleset, parse_rules(f"q :- points(R,{term})."), domains(scored.ruleset, 0).fluents, 0
    )
    assert found.reason is not None
