"""A query has one meaning: its rules, the evaluation and an independent evaluation in the tests agree."""

from __future__ import annotations

from itertools import product
from math import inf
from typing import Any

import clingo
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from support.heap_game import FOLDER
from support.mutants import NAMES
from support.plain import actions
from support.queries import OPERATORS, Atoms, Literal, RuleId, holds, text
from support.random_queries import Vocabulary, queries
from support.tiny_games import tiny, worlds

from kaiser_logic.game import load
from kaiser_logic.lang.printer import show
from kaiser_logic.lang.terms import Atom
from kaiser_logic.query.evaluation import Evaluation
from kaiser_logic.query.language import parse_query

MOST = 6
"""The largest number of points in a position."""
EXAMPLES = 40
"""The number of queries for each game. Each is asked of some positions."""


def symbol(value: Any) -> clingo.Symbol:
    """A value of the independent evaluation as a symbol."""
    if isinstance(value, RuleId):
        return clingo.String(value)
    if isinstance(value, int):
        return clingo.Number(value)
    name, *args = value if isinstance(value, tuple) else (value,)
    return clingo.Function(name, list(map(symbol, args)))


def derived(rules: list[str], atoms: Atoms) -> bool:
    """Whether clingo derives ``query`` from these atoms by the rules."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], "\n".join(rules))
    with control.backend() as backend:
        for (name, _), instances in atoms.items():
            for args in instances:
                backend.add_rule([backend.add_atom(clingo.Function(name, list(map(symbol, args))))])
    control.ground([("base", [])])
    return any(atom.is_fact for atom in control.symbolic_atoms.by_signature("query", 0))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_all_three_evaluations_agree_on_random_queries(name: str) -> None:
    positions = list(worlds(name, MOST).all.items())
    all_actions = [
        (clingo.Function(role), action) for role in tiny(name).roles for _, action in actions(tiny(name))
    ]

    @seed(7)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(queries(Vocabulary(tiny(name), worlds(name, MOST))))
    def ask(query: list[Literal]) -> None:
        parsed = parse_query(text(query), tiny(name).book)
        evaluation, rules = (
            Evaluation(tiny(name).evaluator, parsed),
            list(map(show, parsed.values(Atom("query", ())))),
        )
        for facts, atoms in positions[:: max(1, len(positions) // 5)]:
            expected = holds(query, atoms)
            assert evaluation.holds(facts, all_actions) == expected, (text(query), sorted(map(str, facts)))
            assert derived(rules, atoms) == expected, (text(query), rules, sorted(map(str, facts)))

    ask()


HEAP = load(FOLDER)
POSITION = HEAP.position(
    ["seat(red,1)", "seat(green,2)", "phase(play)", "heap(2)", "taken(red,7)", "taken(green,3)", "took(red)",
     "decision(green,take)"]
)  # fmt: skip

QUERIES = [
    ("sum{N : taken(R,N)} = 10", True),
    ("sum{N : taken(_,N)} = 10", True),
    ("sum{N, R : taken(R,N)} >= 11", False),
    ("sum{1 : taken(R,N)} = 2", True),  # each way to meet the condition counts once
    ("sum{1, 1 : taken(R,N)} = 1", True),  # each different tuple counts once
    ("count{R : taken(R,N)} = 2", True),
    ("max{N : taken(R,N)} = 7, min{N : taken(R,N)} = 3", True),
    ("max{N : taken(R,N)} = M, taken(red,M)", True),
    ("M = max{N : taken(R,N)}, M > 7", False),
    ("max{N : taken(R,N), N > 50} < 0", True),  # the maximum of nothing is below everything
    ("M = max{N : taken(R,N), N > 50}", False),
    ("max{N : taken(R,N), N > 50} + 1 < 100", False),  # nothing can be calculated with it
    ("min{N : taken(R,N), N > 50} > 1000", True),
    ("max{N : taken(R,N)} - min{N : taken(R,N)} = 4", True),
    ("count{R : taken(R,N)} = sum{M : heap(M)}", True),
    ("2*(1+1) = N + 2, heap(N)", True),
    ("heap(N), N + 1 >= 3*1", True),
    ("(heap(3) ; taken(red,7)), took(R)", True),
    ("(heap(3) ; heap(N), N > 2), took(R)", False),
    ("not (taken(R,N), (N > 5 ; heap(N)))", False),
    ("not (player(R), not (taken(R,N), N > 2))", True),  # all players have more than 2
    ("not (player(R), not (taken(R,N), N > 3))", False),
    ("count{R : player(R), sum{N : taken(R,N)} >= 3} = 2", True),
    ("not (player(R), count{N : taken(R,N)} = 0)", True),
    ("ruling(last_stone,V), V != loses", True),
    ("amount(K), heap(K)", True),
    ("legal(green,A), A = take(K), K > 1", True),
    ("legal(green,A), A != take(_)", False),
    ("not (legal(green,A), A != take(_))", True),
    ("count{A : legal(green,A)} = 2", True),
    ("after(green,take(2),phase(over))", True),
    ("after(green,A,phase(over)), A != take(2)", False),
    ("after(green,take(3),heap(_))", False),  # illegal
    ("after(red,A,heap(_))", False),
    ("heap(N), after(green,A,heap(M)), N = M+1", True),
    ("after(green,A,took(green)), after(green,A,taken(green,5))", True),
    ("not (legal(green,A), not after(green,A,took(green)))", True),
    ("count{A : after(green,A,decision(red,take))} = 1", True),
]


EXTREMES = {
    "max{N : taken(R,N)}": 7.0,
    "min{N : taken(R,N)}": 3.0,
    "max{N : (heap(N) ; taken(green,N))}": 3.0,
    "max{N : taken(R,N), N > 50}": -inf,  # the maximum of nothing
    "min{N : taken(R,N), N > 50}": inf,
    "min{V + 1 : ruling(last_stone,V)}": inf,  # names have no sum
}
COMPARED = [
    (f"{one} {sign} {other}", OPERATORS[sign](EXTREMES[one], EXTREMES[other]))
    for one, other in product(EXTREMES, EXTREMES)
    for sign in sorted(OPERATORS)
] + [
    ("min{N : taken(R,N), N > 50} > count{R : taken(R,_)}", True),
    ("count{R : taken(R,_)} < min{N : taken(R,N), N > 50}", True),
    ("sum{N : taken(_,N)} != max{N : taken(R,N), N > 50}", True),
    ("not (player(R), max{N : taken(R,N)} < min{N : taken(R,N), N > 5})", False),
    ("player(R), max{N : taken(R,N), N < 5} < max{N : taken(R,N), N > 5}", True),
    ("K = max{M : heap(M), min{N : taken(R,N), N > 50} > max{N : taken(R,N)}}, K = 2", True),
    ("max{N : taken(R,N), N < M} < min{N : taken(R,N), N > M}, M = 7", True),
    # A maximum of sums binds a variable.
    ("N = max{M : player(R), M = sum{K : taken(R,K)}}, N+0 = 7", True),
    ("N = max{M : player(R), M = sum{K : taken(R,K)}}, N > 7", False),
    ("N = min{M : player(R), sum{K : taken(R,K)} = M}, N+0 = 3", True),
    ("N = max{M : heap(_), M = sum{K : taken(_,K)}}, N+0 = 10", True),
    ("N = max{M : player(R), M = count{K : taken(R,K), K > 5} + 1}, N+0 = 2", True),
    ("N = min{M : player(R), M = max{K : taken(R,K)}}, N+0 = 3", True),
    ("N = max{M : player(R), M = max{K : taken(R,K), K < 7}}, N+0 = 3", True),
    ("N = max{R+1 : taken(_,R), R = sum{K : taken(red,K)} - min{L : heap(L)} + 2}, N+0 = 8", True),
    (
        "N = max{M : player(R), M = sum{K : taken(R,K)}}, L = min{M : player(R), M = sum{K : taken(R,K)}}, N > L",
        True,
    ),
    ("taken(Q,J), J = max{M : player(R), M = sum{K : taken(R,K), R != Q}}", False),
    ("heap(H), N = max{M : taken(R,M), M < sum{K : taken(R,K), K > H} + 1}, N+0 = 7", True),
]


@pytest.mark.parametrize(("query", "expected"), QUERIES + COMPARED)
def test_a_query_has_the_expected_truth_value(query: str, expected: bool) -> None:
    assert Evaluation(HEAP.evaluator, parse_query(query, HEAP.book)).holds(POSITION.symbols) == expected
    if "after" not in query and "legal" not in query:
        atoms: dict[tuple[str, int], list[Any]] = {}
        facts = [*POSITION.symbols, *HEAP.ruleset.facts("player", 1), *HEAP.ruleset.facts("amount", 1)]
        for s in [*facts, *HEAP.ruleset.facts("ruling", 2)]:
            atoms.setdefault((s.name, len(s.arguments)), []).append(s.arguments)
        control = clingo.Control(["--warn=none"])
        control.add("base", [], "\n".join(map(show, parse_query(query, HEAP.book).values(Atom("query", ())))))
        with control.backend() as backend:
            for (name, _), instances in atoms.items():
                for args in instances:
                    backend.add_rule([backend.add_atom(clingo.Function(name, list(args)))])
        control.ground([("base", [])])
        assert any(a.is_fact for a in control.symbolic_atoms.by_signature("query", 0)) == expected


def test_a_solution_has_the_values_the_facts_and_the_sums() -> None:
    query = parse_query("taken(R,N), N > 5, sum{M : taken(_,M)} = 10, (heap(9) ; took(R))", HEAP.book)
    found = Evaluation(HEAP.evaluator, query).solution(POSITION.symbols)
    assert found is not None
    assert {n: str(v) for n, v in found.values.items()} == {"R": "red", "N": "7"}
    assert [name for name, _ in found.facts] == ["taken", "took"]
    assert [(t, str(v)) for t, v in found.sums] == [("sum{M : taken(_,M)}", "10")]


@pytest.mark.parametrize(
    ("query", "sums"),
    [
        ("sum{M : taken(_,M)} > count{R : taken(R,_)} + count{N : heap(N)}", [10, 2, 1]),
        ("legal(R,A), A = take(_), sum{M : taken(_,M)} > 4, count{S : seat(S,_)} = 2", [10, 2]),
        ("taken(red,N), count{S : seat(S,_)} + 1 > sum{M : heap(M)}", [2, 2]),
        ("max{M : taken(_,M)} > min{M : taken(_,M)}", [7, 3]),
    ],
)
def test_all_sums_are_shown(query: str, sums: list[int]) -> None:
    """This includes sums for which the rules have fresh variables."""
    found = Evaluation(HEAP.evaluator, parse_query(query, HEAP.book)).solution(POSITION.symbols)
    assert found is not None
    assert sorted(v.number for _, v in found.sums) == sorted(sums)
    assert all(not name.startswith("_V") for name in found.values)
