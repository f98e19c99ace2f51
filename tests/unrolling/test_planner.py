"""Plans in the heap game, compared with brute force."""

from __future__ import annotations

from itertools import product

import clingo
import pytest
from support.heap_positions import after, heap

from kaiser_logic.engine import symbols
from kaiser_logic.errors import NotDecided
from kaiser_logic.position import Position
from kaiser_logic.unrolling.circuit import TRUE, Circuit
from kaiser_logic.unrolling.symbolic_state import Planner, Taken, equals

Plan = tuple[tuple[str, str], ...]


def planner(position: Position, effort: float = float("inf")) -> Planner:
    return Planner(position.ruleset, position.symbols, Circuit(effort=effort))


def written(plan: list[Taken]) -> Plan:
    return tuple((role, symbols.text(action)) for taken in plan for role, action in taken.items())


def plans(position: Position, steps: int, end: Position) -> set[Plan]:
    """All plans of so many steps to a position, by brute force."""
    if not steps:
        return {()} if position == end else set()
    return {
        (*zip(legal, actions, strict=True), *more)
        for legal in [position.legal()]
        if legal
        for actions in product(*legal.values())
        for more in plans(position.apply(dict(zip(legal, actions, strict=True))), steps - 1, end)
    }


@pytest.mark.parametrize(
    ("players", "amounts"), [(2, (1, 3)), (2, (2, 2, 1, 3)), (3, (3, 1, 2)), (2, (3, 3, 3, 3))]
)
def test_plans_agree_with_brute_force(players: int, amounts: tuple[int, ...]) -> None:
    start, end = heap(players).initial(), after(*amounts, players=players)
    made = planner(start)
    for _ in amounts:
        assert made.free()
    found = [written(plan) for plan in made.plans(equals(made.state, made.circuit, end.symbols))]
    assert len(found) == len(set(found))
    assert set(found) == plans(start, len(amounts), end)


def test_fixed_and_free_steps() -> None:
    take = symbols.read_symbol("take(2)")
    made = planner(heap().initial())
    assert made.free()
    assert made.fix({"green": take})
    assert made.free()
    end = after(1, 2, 3)
    found = {written(plan) for plan in made.plans(equals(made.state, made.circuit, end.symbols))}
    expected = {(("red", f"take({n})"), ("green", "take(2)"), ("red", f"take({4 - n})")) for n in (1, 2, 3)}
    assert found == expected


def test_impossible_steps_are_refused() -> None:
    assert not planner(heap().initial()).fix({"green": symbols.read_symbol("take(1)")})
    assert not planner(after(3, 3, 3, 2)).fix({"red": symbols.read_symbol("take(2)")})
    assert not planner(after(3, 3, 3, 3)).free()


def test_wide_decisions_are_excluded() -> None:
    assert not planner(heap().initial()).free(widest=2)
    assert planner(heap().initial()).free(widest=3)


def test_the_limit_of_effort() -> None:
    made = planner(heap().initial(), effort=1_000)
    with pytest.raises(NotDecided, match="limit of work"):
        for _ in range(12):
            made.free()


def test_plans_may_contain_each_other() -> None:
    """It may be open who decides. A plan in which one role acts differs from one in which two act."""
    made = planner(heap().initial())
    action: clingo.Symbol = symbols.read_symbol("take(1)")
    made._steps.append({role: {action: made.circuit.choice()} for role in ("red", "green")})
    plans = [frozenset(r for step in plan for r in step) for plan in made.plans(TRUE)]
    assert sorted(map(sorted, plans)) == [[], ["green"], ["green", "red"], ["red"]]
