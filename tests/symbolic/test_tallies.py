"""What is kept of how many there are: never narrower than what there is."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import clingo
import pytest
from support.opened import heap

from kaiser_logic.engine import symbols
from kaiser_logic.game import load
from kaiser_logic.symbolic.kept import Kept, initial
from kaiser_logic.symbolic.tallies import counted, frame, strange, summed, tallied
from kaiser_logic.symbolic.trees import parsed, symbolic

pytestmark = pytest.mark.slow

KEPT = Kept(
    {("hand", 3): {2}, ("bag", 3): {1, 2}},
    frozenset({("hand", 3), ("bag", 3)}),
    frozenset(),
    tallied=frozenset({("hand", 3)}),
)


def holds(text: str, facts: str) -> bool:
    control = clingo.Control(["--warn=none"])
    control.add("base", [], f"{facts} yes :- {text}.")
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        return any(m.contains(clingo.Function("yes")) for m in handle)


def bounds(condition: str) -> tuple[str, str] | None:
    (node,) = parsed(f"x :- {condition}.").body
    return summed(node, KEPT, lambda x: "hand(" not in str(x) and "bag(" not in str(x), set())


@pytest.mark.parametrize(
    "condition",
    [
        "0 < #sum { N,K: hand(red,K,N) }",
        "3 <= #sum { N,K: hand(red,K,N), even(K); -1,laid: laid }",
        "1 < #sum { N,K,hand: hand(red,K,N); 2,X,other: even(X) }",
    ],
)
def test_a_sum_lies_between_its_bounds(condition: str) -> None:
    found = bounds(condition)
    assert found is not None
    least, most = found
    for values, laid in product(product(range(4), repeat=3), (False, True)):
        given = {k: v for k, v in zip("abc", values, strict=True) if v}
        facts = " ".join(["even(b).", "laid." if laid else "laid :- #false."])
        known = "".join(f" hand(red,{k})." for k in given)
        known += "".join(f" many__hand(red,{k})." for k, v in given.items() if v > 1)
        true = holds(condition, facts + "".join(f" hand(red,{k},{v})." for k, v in given.items()))
        assert not holds(least, facts + known) or true
        assert holds(most, facts + known) or not true


@pytest.mark.parametrize(
    "condition",
    [
        "2 = #sum { N,K: hand(red,K,N) }",  # no lower bound only
        "2 < #sum { N: hand(red,K,N) }",  # equal values are one
        "2 < #sum { V*N,K: hand(red,K,N), worth(K,V) }",
        "2 < #sum { N,K: bag(red,K,N) }",
        "2 < #sum { N,K: hand(red,K,N); N,K: hand(blue,K,N) }",  # the same card of both counts once
        "2 < #count { N,K: hand(red,K,N) }",
        "not 2 < #sum { N,K: hand(red,K,N) }",
    ],
)
def test_other_sums_are_not_read(condition: str) -> None:
    assert bounds(condition) is None


def test_the_value_1_is_known() -> None:
    (node,) = parsed("x :- hand(red,gold(1),1).").body
    assert counted(KEPT, *symbolic(node)) == "not many__hand(red,gold(1))"
    (node,) = parsed("x :- hand(red,gold(1),2).").body
    assert counted(KEPT, *symbolic(node)) is None
    (node,) = parsed("x :- bag(red,gold(1),1).").body
    assert counted(KEPT, *symbolic(node)) is None


AMOUNTS = [a for n in range(4) for a in combinations_with_replacement((1, 2, -1, -2), n)]


@pytest.mark.parametrize("value", range(5))
def test_what_may_follow_is_allowed(value: int) -> None:
    """A value and amounts: what is kept of the value after is in a model, and where all is known in the only one."""
    text = "\n".join(frame("hand", "hand__m1", ["X"]))
    for amounts in AMOUNTS:
        facts = "hand(a). " * (value > 0) + "many__hand(a). " * (value > 1) + "loose__hand(z). "
        facts += " ".join(
            f"{'plus' if n > 0 else 'minus'}__hand(a,{abs(n)},{i})." for i, n in enumerate(amounts)
        )
        control = clingo.Control(["0", "--warn=none"])
        declared = "plus__hand(z,1,z). minus__hand(z,1,z). hand(z). many__hand(z). :- hand__m1(z). "
        control.add("base", [], declared + facts + text)
        control.ground([("base", [])])
        new, more = (clingo.Function(n, [clingo.Function("a")]) for n in ("hand__m1", "many__hand__m1"))
        with control.solve(yield_=True) as handle:
            found = {(m.contains(new), m.contains(more)) for m in handle}
        after = max(0, value + sum(amounts))
        if amounts:
            assert (after > 0, after > 1) in found, (value, amounts)
            assert len(found) == 1 or value > 1


def test_what_nothing_sets_is_tallied() -> None:
    ruleset = load("vive", players=3).ruleset
    assert tallied(ruleset, initial(ruleset)) == {("pile", 2), ("discard", 2), ("hand", 3), ("gold", 3)}


def test_a_counter_at_0_or_with_two_values_is_strange() -> None:
    game = heap()
    assert not strange(game.ruleset, game.evaluator.initial())
    for more in ("taken(red,0)", "taken(red,1) taken(red,2)"):
        assert strange(game.ruleset, game.evaluator.initial() | set(map(symbols.read, more.split())))


def test_with_several_set_ups_the_pile_is_set() -> None:
    ruleset = load("vive", players=3, options={"limit": "250"}).ruleset
    assert ("pile", 2) not in tallied(ruleset, initial(ruleset))


def test_what_is_stated_at_0_is_not_tallied() -> None:
    ruleset = heap().ruleset
    assert all(not ruleset.book.counters[f] for f in tallied(ruleset, initial(ruleset)))
