"""`find` is never wrong: it says "none" only if there is no position, and each found position meets the query."""

import itertools
import random
import re

import pytest
from support.find_verdicts import verdict
from support.heap_game import FOLDER, SCORED, variant
from support.limits import NO_END

from kaiser_logic.game import Found, load


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    """The heap game with points."""
    return load(variant(tmp_path_factory.mktemp("scored"), SCORED))


@pytest.mark.sample(5, 2)
@pytest.mark.parametrize("seed", range(30))
def test_the_tried_values_suffice_for_comparisons_of_two_counters(scored, seed):
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


def test_positions_with_a_number_without_a_limit_are_not_exhausted(scored):
    found: Found = scored.find_result("heap(12), points(red,N), points(green,0), N > 3", 30, timeout=NO_END)
    assert len(found.positions) == 30 or not found.exhausted
    assert not found.exhausted


@pytest.mark.slow
def test_positions_with_a_negated_number_without_a_limit_are_not_exhausted(scored):
    found = scored.find_result("heap(12), not points(red,4)", 60, timeout=NO_END)
    assert not found.exhausted


HEAP = load(FOLDER)


def test_positions_are_exhausted_only_when_all_are_found():
    """Two positions differ if they differ in the facts of the query, or in their number."""
    found = HEAP.find_result("heap(9), taken(R,N), not taken(R,1)", 40, timeout=NO_END)
    assert found.exhausted
    taken = [frozenset(f for f in p.facts if f.startswith("taken")) for p in found.positions]
    assert len(set(taken)) == len(taken)
    assert {frozenset({"taken(red,3)"}), frozenset({"taken(green,3)"})} <= set(taken)
    assert {frozenset({"taken(red,2)", "taken(green,1)"}), frozenset({"taken(green,2)", "taken(red,1)"})} <= set(taken)
    assert len(taken) == 4


def test_positions_differ_in_decisions_and_negated_predicates():
    """A query without positive facts distinguishes positions by the decisions and by its predicates."""
    found = HEAP.find_result("not phase(over), not (heap(N), N < 12)", 20, timeout=NO_END)
    assert found.exhausted
    assert {next(iter(p.decisions)) for p in found.positions} == {"red", "green"}
    assert len(found.positions) == 2
