"""Which values of numbers without a limit a question needs, and which rules are refused."""

from __future__ import annotations

import pytest
from support.heap_game import SCORED, variant

from kaiser_logic.game import Game, load
from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.symbolic.domains import domains
from kaiser_logic.symbolic.numbers import Need, endless_kinds, need, unlimited


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The heap game with points."""
    return load(variant(tmp_path_factory.mktemp("scored"), SCORED))


def needed(game: Game, rules: str, reach: int = 0) -> Need:
    return need(game.ruleset, parse_rules(rules), domains(game.ruleset, 0).fluents, 0, reach=reach)


def test_what_has_no_limit(scored: Game) -> None:
    assert unlimited(scored.ruleset) == {("points", 2): True}
    assert not endless_kinds(scored.ruleset)


@pytest.mark.parametrize(
    ("rules", "values"),
    [
        ("q :- heap(3).", (0,)),
        ("q :- points(R,_).", (0,)),
        ("q :- points(R,N), N > 30.", (0, 29, 30, 31)),
        ("q :- points(R,7).", (0, 6, 7, 8)),
        ("p(R,N+5) :- points(R,N).\nq :- p(R,N), N > 30.", (0, 24, 25, 26)),
        ("q :- points(R,N), M = N+2, M >= 10.", (0, 7, 8, 9)),
        ("q :- #count { R : points(R,N), N > 4 } >= 2.", (0, 3, 4, 5)),
        ("q :- points(red,N), points(green,M), N = M+50.", (0, 49, 50, 51)),
    ],
)
def test_the_values(scored: Game, rules: str, values: tuple[int, ...]) -> None:
    found = needed(scored, rules)
    assert found.reason is None
    assert set(values) <= set(found.values)
    assert len(found.values) <= 3 * len(values)


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ("q :- points(R,N), N*2 > 9.", "calculated with"),
        ("q :- points(R,N), points(Q,M), N+M > 9.", "calculated with"),
        ("p(N*2) :- points(R,N).", "calculated with"),
        ("p(1..N) :- points(R,N).", "calculated with"),
        ("p(|N|) :- points(R,N).", "calculated with"),
        ("q :- #sum { N,R : points(R,N) } > 9.", "summed up"),
        ("q :- #max { N : points(_,N) } > 9.", "summed up"),
        ("q :- points(R,N), #count { Q : took(Q) } > N.", "number of things"),
        ("q :- points(R,N), M = #count { Q : took(Q) }, M > N.", "not known beforehand"),
        ("p(R,N) :- points(R,N).\np(R,N+1) :- p(R,N), N < 5.", "grows from rule to rule"),
        ("q :- points(R,N), heap(M), N > M*M/2.", "not known beforehand"),
    ],
)
def test_rules_that_are_refused(scored: Game, rules: str, why: str) -> None:
    found = needed(scored, rules)
    assert found.reason is not None and why in found.reason


def test_numbers_that_are_set_cannot_be_followed(scored: Game) -> None:
    found = needed(scored, "add(points(R,5)) :- does(R,take(1)).", reach=60)
    assert found.reason is not None and "is set" in found.reason


def test_what_may_change_is_looked_at_further(scored: Game) -> None:
    found = needed(scored, "q :- points(R,N), N > 30.", reach=60)
    assert found.values == tuple(range(0, 30 + 60 + 2))


def test_too_many_values(scored: Game) -> None:
    rules = "\n".join(
        f"q({k}) :- points(red,N), points(green,M), N > M+{k * k}, N > {k * 97}." for k in range(40)
    )
    found = needed(scored, rules)
    assert found.reason is not None and "more than" in found.reason
