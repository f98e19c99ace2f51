"""``find`` against brute force: random queries, their meaning in plain Python, all valid positions."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from support.mutants import NAMES, TINY
from support.queries import Literal, Worlds, distinguishing, holds, text
from support.random_queries import Vocabulary, about_moves, queries

from kaiser_logic.errors import NotDecided, WrongUsage
from kaiser_logic.evaluation.verdict import InvalidPosition
from kaiser_logic.game import Game, load

pytestmark = pytest.mark.slow

EXAMPLES = 16
"""So many queries of each game."""
CAP = 6
"""Points run up to this: above the tool's own bound and the largest number in a query."""


@cache
def tiny(name: str) -> Game:
    return load(TINY / name)


@cache
def worlds(name: str) -> Worlds:
    return Worlds(tiny(name), CAP)


@cache
def vocabulary(name: str) -> Vocabulary:
    return Vocabulary(tiny(name), worlds(name))


@cache
def moving(name: str) -> Worlds:
    """The same with what legal actions lead to."""
    return Worlds(tiny(name), CAP, moves=True)


def asked(name: str, query: list[Literal], tally: Counter[str], count: int = 1, moves: bool = False) -> None:
    """Asks, and compares the answer with all positions."""
    known, words = (moving if moves else worlds)(name).all, text(query)
    tally["queries"] += 1
    true = [facts for facts, atoms in known.items() if holds(query, atoms)]
    try:
        found = tiny(name).find_result(words, count)
    except NotDecided:
        tally["queries not decided"] += 1
        return
    except WrongUsage:  # a literal can never hold, or always does: that must not show in only some positions
        tally["queries refused"] += 1
        affirmed = [literal for literal in query if literal[0] == "fact"]
        assert len(affirmed) < len(query) or not true, f"{name}: {words}: refused, but it holds somewhere"
        return
    tally["queries with positions" if found.positions else "queries without"] += 1
    if not found.positions:
        assert not true, f"{name}: {words}: none, but e.g. {sorted(map(str, min(true, key=len)))}"
    given = [position.symbols for position in found.positions]
    for facts in given:
        if _capped(facts):
            assert facts in known, f"{name}: {words}: not valid: {sorted(map(str, facts))}"
            assert holds(query, known[facts]), f"{name}: {words}: does not hold in {sorted(map(str, facts))}"
    if count > 1 and all(map(_capped, given)):
        static = {n for n, _ in worlds(name).static}
        told = [distinguishing(query, known[facts], static) for facts in given]
        alike = None not in told
        assert not alike or len(set(told)) == len(told), f"{name}: {words}: {told}"
        every = {distinguishing(query, known[facts], static) for facts in true}
        if found.exhausted and alike:
            assert every <= set(told), f"{name}: {words}: {len(told)}, no more; but {every - set(told)}"


def _capped(facts: frozenset) -> bool:  # type: ignore[type-arg]
    return all(f.arguments[-1].number <= CAP for f in facts if f.name == "points")


@pytest.mark.parametrize("name", NAMES)
def test_random_queries(name: str, scale: int, tally: Counter[str]) -> None:
    @seed(20)
    @settings(
        max_examples=EXAMPLES * scale,
        deadline=None,
        database=None,
        phases=[Phase.generate],  # each question costs: smaller ones are looked for by hand
        suppress_health_check=list(HealthCheck),
    )
    @given(queries(vocabulary(name)), st.sampled_from((1, 1, 3)))
    def ask(query: list[Literal], count: int) -> None:
        asked(name, query, tally, count)

    before = tally["queries"], tally["queries not decided"]
    ask()
    assert tally["queries not decided"] - before[1] <= max(2, 0.2 * (tally["queries"] - before[0]))


@pytest.mark.parametrize("name", NAMES)
def test_random_queries_about_moves(name: str, scale: int, tally: Counter[str]) -> None:
    known = Vocabulary(tiny(name), moving(name), legality=False)

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
        asked(name, query, tally, moves=True)

    ask()


V = lambda name: ("v", name)  # noqa: E731
ANY = ("_",)
NAMED: list[tuple[str, str, list[Literal]]] = [
    ("a rule broken by one who does not decide", "nim", [
        ("fact", "violates", ["green", ("f", "take", [2]), ANY]), ("fact", "decision", ["red", "take"])]),
    ("a rule without a dot", "nim", [("fact", "violates", ["green", ("f", "take", [2]), "take"])]),
    ("a rule broken by chance", "nim", [("fact", "violates", ["chance", ("f", "take", [2]), ANY])]),
    ("a rule broken when the game is over", "ferry", [
        ("fact", "violates", [V("R"), ("f", "carry", [V("P"), ANY]), "cross.there"]), ("fact", "phase", ["over"])]),
    ("no rule broken when the game is over", "nim", [
        ("lacking", "violates", ["red", ("f", "take", [1]), ANY]), ("fact", "heap", [0])]),
    ("a variable of its own under two negations", "race", [
        ("fact", "lap", [ANY, 2]), ("without", [("fact", "lap", [V("R"), ANY]), ("lacking", "tired", [V("R")])])]),
    ("a variable of its own counted", "race", [
        ("count", ["R"], [("fact", "lap", [V("R"), ANY]), ("lacking", "tired", [V("R")])], "=", 1),
        ("fact", "tired", [ANY])]),
    ("a comparison under not", "nim", [
        ("fact", "taken", ["red", ANY]),
        ("without", [("fact", "taken", [V("R"), V("N")]), ("compare", V("N"), ">", 2)])]),
    ("a comparison in a count", "nim", [
        ("count", ["R"], [("fact", "taken", [V("R"), V("N")]), ("compare", V("N"), ">", 1)], ">=", 2)]),
    ("many points", "race", [("fact", "points", ["red", V("N")]), ("compare", V("N"), ">", 5)]),
    ("many more points", "race", [
        ("fact", "points", ["red", V("N")]), ("fact", "points", ["green", V("M")]),
        ("compare", V("N"), ">", ("sum", "+", ("sum", "*", V("M"), 2), 3))]),
    ("not few points", "race", [("lacking", "points", ["red", n]) for n in range(5)]),
    ("products before sums", "race", [
        ("fact", "points", ["red", V("N")]), ("compare", V("N"), "=", ("sum", "+", 1, ("sum", "*", 2, 2)))]),
    ("a counter that is not stated", "ferry", [("lacking", "trips", [ANY])]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "query"), [n[1:] for n in NAMED], ids=[n[0] for n in NAMED])
def test_named_queries(name: str, query: list[Literal], tally: Counter[str]) -> None:
    open_ones = tally["queries not decided"]
    asked(name, query, tally)
    assert tally["queries not decided"] == open_ones


@pytest.mark.parametrize(
    ("name", "query"),
    [("race", [("fact", "tired", [ANY])]), ("sealed", [("fact", "shown", [V("R"), "up"])])],
    ids=["one inside of another", "with variables"],
)
def test_so_many_that_differ(name: str, query: list[Literal], tally: Counter[str]) -> None:
    """All that differ are found, also where the facts of one are among those of another."""
    asked(name, query, tally, 30)


def test_a_counter_that_is_stated_is_stated_in_every_position() -> None:
    """What ``find`` says of it is what is said of a given position."""
    game = tiny("ferry")
    facts = frozenset(f for f in game.initial().symbols if f.name != "trips")
    assert game.evaluator.broken(facts) == [("count", "trips(_)")]
    assert not game.find("not trips(_)")
    with pytest.raises(InvalidPosition, match=r"count: .*trips\(_\)"):
        game.position(map(str, facts))
