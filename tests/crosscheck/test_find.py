"""``find`` agrees with brute force: plain Python evaluates random queries in all valid positions."""

from collections import Counter
from functools import cache

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from support import NAMES
from support.queries import Literal, distinguishing, holds, text, tiny, within, worlds
from support.random_queries import Vocabulary, about_moves, queries

from kaiser_logic.errors import NotDecided, WrongUsage
from kaiser_logic.evaluation.verdict import InvalidPosition

pytestmark = pytest.mark.slow

EXAMPLES = 16
"""The number of queries for each game."""
MOST = 6
"""The largest number of points. It exceeds the bound of the tool and the largest number in a query."""


@cache
def vocabulary(name: str) -> Vocabulary:
    """The predicates and values for random queries about a game."""
    return Vocabulary(tiny(name), worlds(name, MOST))


def compare(name: str, query: list[Literal], tally: Counter[str], count: int = 1, moves: bool = False) -> None:
    """Asks for positions with a property, and compares the answer with all valid positions."""
    known, words = worlds(name, MOST, moves).all, text(query)
    tally["queries"] += 1
    expected = [facts for facts, atoms in known.items() if holds(query, atoms)]
    try:
        found = tiny(name).find_result(words, count)
    except NotDecided:
        tally["queries not decided"] += 1
        return
    except WrongUsage:  # a literal of the query never holds, or it holds in every position
        tally["queries refused"] += 1
        positive = [literal for literal in query if literal[0] == "fact"]
        assert len(positive) < len(query) or not expected, f"{name}: {words}: refused, but it holds somewhere"
        return
    tally["queries with positions" if found.positions else "queries without"] += 1
    if not found.positions:
        assert not expected, f"{name}: {words}: none, but e.g. {sorted(map(str, min(expected, key=len)))}"
    answers = [position.symbols for position in found.positions]
    for facts in answers:
        if within(facts, MOST):
            assert facts in known, f"{name}: {words}: not valid: {sorted(map(str, facts))}"
            assert holds(query, known[facts]), f"{name}: {words}: does not hold in {sorted(map(str, facts))}"
    if count > 1 and all(within(facts, MOST) for facts in answers):
        static = {n for n, _ in worlds(name, MOST).static}
        values = [distinguishing(query, known[facts], static) for facts in answers]
        comparable = None not in values
        assert not comparable or len(set(values)) == len(values), f"{name}: {words}: {values}"
        every = {distinguishing(query, known[facts], static) for facts in expected}
        if found.exhausted and comparable:
            assert every <= set(values), f"{name}: {words}: {len(values)}, no more; but {every - set(values)}"


@pytest.mark.parametrize("name", NAMES)
def test_random_queries_are_answered_correctly(name, scale, tally):
    @seed(20)
    @settings(
        max_examples=EXAMPLES * scale,
        deadline=None,
        database=None,
        phases=[Phase.generate],  # questions take long, so hypothesis does not look for smaller examples
        suppress_health_check=list(HealthCheck),
    )
    @given(queries(vocabulary(name)), st.sampled_from((1, 1, 3)))
    def ask(query: list[Literal], count: int) -> None:
        compare(name, query, tally, count)

    before = tally["queries"], tally["queries not decided"]
    ask()
    assert tally["queries not decided"] - before[1] <= max(2, 0.2 * (tally["queries"] - before[0]))


@pytest.mark.parametrize("name", NAMES)
def test_random_queries_about_moves_are_answered_correctly(name, scale, tally):
    known = Vocabulary(tiny(name), worlds(name, MOST, True), legality=False)

    @seed(21)
    @settings(
        max_examples=5 * scale,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(about_moves(known))
    def ask(query: list[Literal]) -> None:
        compare(name, query, tally, moves=True)

    ask()


ANY = ("_",)
V = lambda name: ("v", name)  # noqa: E731


@pytest.mark.parametrize(
    ("name", "query"),
    [("race", [("fact", "tired", [ANY])]), ("sealed", [("fact", "shown", [V("R"), "up"])])],
    ids=["facts of one are among those of another", "with variables"],
)
def test_all_different_positions_are_found(name, query, tally):
    """Also if the facts of one position are among those of another."""
    compare(name, query, tally, 30)


def test_a_stated_counter_has_a_value_in_every_valid_position():
    """``find`` and the check of a given position agree about this."""
    game = tiny("ferry")
    facts = frozenset(f for f in game.initial().symbols if f.name != "trips")
    assert game.evaluator.broken_invariants(facts) == [("count", "trips(_)")]
    assert not game.find("not trips(_)")
    with pytest.raises(InvalidPosition, match=r"count: .*trips\(_\)"):
        game.position(map(str, facts))
