"""`find` is never wrong: it says "none" only if there is no position, and each found position meets the query."""

from __future__ import annotations

import itertools
import random
import re
from pathlib import Path

import pytest
from support.find_verdicts import verdict
from support.heap_game import ACTION, FOLDER, SCORED, STATED, TOOK, variant
from support.limits import NO_END

from kaiser_logic.errors import NotDecided, WrongUsage
from kaiser_logic.game import Found, Game, load
from kaiser_logic.query.goal import QueryGoal
from kaiser_logic.query.language import parse_query


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The heap game with points."""
    return load(variant(tmp_path_factory.mktemp("scored"), SCORED))


# -- numbers without a limit ---------------------------------------------------------------------------------


TIERS = "lim(a,10). lim(b,700). lim(c,900). lim(d,5000). tier(X) :- points(red,N), lim(X,M), N >= M."


def test_thresholds_within_a_long_range_are_tried(tmp_path: Path) -> None:
    """Once only the ends of the range from 10 to 5000 were tried, and no number between 700 and 900."""
    exports = {k: v.replace('"goal/2"', '"goal/2", "tier/1"') for k, v in SCORED.items()}
    game = load(variant(tmp_path, {**exports, TOOK: f"{TOOK}\n{TIERS}"}))
    assert verdict(game, "tier(b), not tier(c), points(red,701)") == "found"
    assert verdict(game, "tier(b), not tier(c)") in ("found", "open")


@pytest.mark.parametrize("seed", range(60))
def test_the_tried_values_suffice_for_comparisons_of_two_counters(scored: Game, seed: int) -> None:
    """For random comparisons a position is found if and only if two numbers meet them.

    If there are none, the answer may be open, as the query calculates with its numbers.
    """
    rng = random.Random(seed)
    parts = []
    for _ in range(rng.randint(1, 4)):
        left, right = rng.sample(["N", "M", str(rng.randint(0, 9))], 2)
        shift = rng.choice(["", f"+{rng.randint(1, 9)}", f"-{rng.randint(1, 9)}"])
        parts.append(f"{left} {rng.choice(['<', '<=', '>', '>=', '=', '!='])} {right}{shift}")
    tests = [re.sub(r"(?<![<>!])=", "==", p) for p in parts]
    pairs = itertools.product(range(60), repeat=2)
    exists = any(all(eval(t, {"N": n, "M": m}) for t in tests) for n, m in pairs)
    query = f"points(red,N), points(green,M), {', '.join(parts)}"
    assert verdict(scored, query) in (("found",) if exists else ("none", "open"))


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "rule",
    [
        "broken(heap_stated,rich) :- points(R,N), points(Q,M), R != Q, N+M < 100.",
        "broken(heap_stated,rich) :- points(R,N), N*2 < 150.",
        "broken(heap_stated,rich) :- points(R,N), N < 75.",
        "broken(heap_stated,rich) :- points(R,N), points(Q,M), R != Q, N < M+70, M < N+70.",
        "broken(heap_stated,rich) :- #sum { N,R : points(R,N) } < 150.",
        "broken(heap_stated,rich) :- more(R,N), N < 75.\nmore(R,N+1) :- points(R,N).",
        "broken(heap_stated,rich) :- more(R,N), N < 75.\nmore(R,N) :- points(R,N).\n"
        "more(R,N-1) :- more(R,N), N > 0.",
    ],
)
def test_invariants_about_numbers_without_a_limit_hide_no_position(tmp_path: Path, rule: str) -> None:
    """All valid positions have many points. A query about something else still finds them."""
    game = load(variant(tmp_path, {**SCORED, STATED: f"{STATED}\n{rule}"}))
    assert verdict(game, "heap(7)") in ("found", "open")
    if "+M" not in rule and "*" not in rule and "#sum" not in rule and "more(R,N-1)" not in rule:
        assert verdict(game, "heap(7)") == "found"


@pytest.mark.slow
def test_a_number_without_a_limit_that_is_no_counter_is_not_wrongly_decided(tmp_path: Path) -> None:
    changes = {**SCORED}
    key = "fluent(took(R))           :- player(R)."
    changes[key] = changes[key] + "\nfluent(bid(R,N)) :- player(R), number(N)."
    game = load(variant(tmp_path, changes))
    assert verdict(game, "bid(red,N), N > 60") in ("found", "open")
    assert verdict(game, "count{N : bid(red,N)} > 500") == "open"
    assert verdict(game, "heap(11), heap(10)") == "none"


def test_positions_with_a_number_without_a_limit_are_not_exhausted(scored: Game) -> None:
    found: Found = scored.find_result("heap(12), points(red,N), points(green,0), N > 3", 30, timeout=NO_END)
    assert len(found.positions) == 30 or not found.exhausted
    assert not found.exhausted


@pytest.mark.slow
def test_positions_with_a_negated_number_without_a_limit_are_not_exhausted(scored: Game) -> None:
    found = scored.find_result("heap(12), not points(red,4)", 60, timeout=NO_END)
    assert not found.exhausted


@pytest.mark.parametrize(
    "query",
    ["heap(3), heap(N), N*999999999 > 5", "points(red,N), N > 999999999"],
)
def test_numbers_too_large_for_the_solver_are_refused(scored: Game, query: str) -> None:
    with pytest.raises(WrongUsage, match="too large"):
        scored.find(query)


def test_a_sum_that_may_be_too_large_is_not_decided(scored: Game) -> None:
    assert verdict(scored, "sum{N*9000000 : taken(R,N)} > 1") == "open"


# -- violations, also by players without a decision ----------------------------------------------------------

HEAP = load(FOLDER)


def test_actions_with_a_number_without_a_limit_are_answered_or_open(tmp_path: Path) -> None:
    game = load(
        variant(
            tmp_path,
            {
                ACTION: f"{ACTION}\naction(take,bid(N)) :- number(N).",
                TOOK: f"{TOOK}\ncandidate(R,bid(N)) :- decision(R,take), heap(N), N > 20.",
            },
        )
    )
    assert verdict(game, "violates(red,bid(500),take), decision(green,take)") == "found"
    assert verdict(game, "violates(red,bid(N),take.enough), N > 500") == "open"


# -- other assumptions of a proof ----------------------------------------------------------------------------


def test_further_decisions_beside_the_one_of_the_query_are_found(tmp_path: Path) -> None:
    """Without the invariant of the engine another decision may be pending at the same time."""
    game = load(
        variant(
            tmp_path,
            {
                '"decisions", "end"]': '"end"]',
                "fluent(decision(R,take))  :- player(R).": "fluent(decision(R,take;R,doze)) :- player(R).",
                ACTION: "action(take,take(K)) :- amount(K).\naction(doze,doze).",
                TOOK: f'{TOOK}\ncandidate(R,doze) :- decision(R,doze).\nout_of_turn(doze,"take").',
            },
        )
    )
    assert (
        verdict(game, "decision(red,take), count{R : decision(R,D)} >= 2, count{D : decision(R,D)} >= 2")
        == "found"
    )


def test_positions_are_exhausted_only_when_all_are_found() -> None:
    """Two positions differ if they differ in the facts of the query, or in their number."""
    found = HEAP.find_result("heap(9), taken(R,N), not taken(R,1)", 40, timeout=NO_END)
    assert found.exhausted
    taken = [frozenset(f for f in p.facts if f.startswith("taken")) for p in found.positions]
    assert len(set(taken)) == len(taken)
    assert {frozenset({"taken(red,3)"}), frozenset({"taken(green,3)"})} <= set(taken)
    assert {
        frozenset({"taken(red,2)", "taken(green,1)"}),
        frozenset({"taken(green,2)", "taken(red,1)"}),
    } <= set(taken)
    assert len(taken) == 4


def test_positions_differ_in_decisions_and_negated_predicates() -> None:
    """A query without positive facts distinguishes positions by the decisions and by its predicates."""
    found = HEAP.find_result("not phase(over), not (heap(N), N < 12)", 20, timeout=NO_END)
    assert found.exhausted
    assert {next(iter(p.decisions)) for p in found.positions} == {"red", "green"}
    assert len(found.positions) == 2


# -- the language of queries ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_predicates_with_the_names_of_the_encoding_are_kept_apart(tmp_path: Path) -> None:
    """A rulebook may have its own query/0 and matters/1. Once nothing was decided for such a rulebook."""
    own = "query :- phase(_).\nmatters(x) :- query.\nseen0(x) :- query."
    read = (
        "broken(heap_stated,strange) :- not query.\nbroken(heap_stated,odd) :- not matters(x), not seen0(x)."
    )
    game = load(variant(tmp_path, {STATED: f"{own}\n{STATED}\n{read}"}))
    found = game.find_result("heap(5)", count=2).positions
    assert len({p.facts for p in found}) == 2
    assert all("heap(5)" in p.facts for p in found)
    assert game.find_result("heap(5), heap(6)").positions == ()


# -- numbers beyond 32 bits ----------------------------------------------------------------------------------

LARGE = [
    "big(N), N*200 > 300000000, N > 10500000",  # true with heap(11): 2,200 million
    "big(N), M = N*200, M < 0",
    "big(N), M = N+N, K = M*100, K < 0",
]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The heap game with a predicate for a large multiple of the heap."""
    changes = {
        STATED: f"{STATED}\nbig(N*1000000) :- heap(N).",
        "engine = [": 'exports = ["big/1"]\nengine = [',
    }
    return load(variant(tmp_path_factory.mktemp("large"), changes))


@pytest.mark.parametrize("query", LARGE)
def test_calculations_beyond_32_bits_are_not_decided(large: Game, query: str) -> None:
    assert verdict(large, query) == "open"
    with pytest.raises(NotDecided, match=r"beyond|wraps around"):
        large.initial().query(query)
    with pytest.raises(NotDecided, match=r"beyond|wraps around"):
        QueryGoal(large.ruleset, parse_query(query, large.book)).unmet(large.initial().symbols)


def test_a_claim_with_a_calculation_beyond_32_bits_is_not_decided(large: Game) -> None:
    (proof,) = (p for p in large.prove(claims=[f"never {LARGE[0]}"], jobs=1).proofs if p.kind == "claim")
    assert proof.status == "undecided"
    assert any("wraps around" in note for note in proof.notes)
