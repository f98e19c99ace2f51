"""A query's program that excludes too much decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

import pytest
from support.opened import heap

from kaiser_logic.errors import NotDecided
from kaiser_logic.query import find, outcomes
from kaiser_logic.query.answers import FoundFacts
from kaiser_logic.query.mistakes import read_query
from kaiser_logic.query.set_queries import SetQueries
from kaiser_logic.symbolic.encoding import Encoding
from kaiser_logic.symbolic.solver import Solver

QUERIES = {
    "heap(7), took(red)": ":- heap(7).",
    "heap(N), N > 6, N < 8": ":- heap(7).",
    "taken(red,9), took(green)": ":- taken(red,9).",
    "legal(R,take(3)), heap(3)": ":- legal(_,take(3)).",
    "violates(R,take(3),take.enough), heap(N), N > 0": ":- heap(1..2).",
}


def asked(query: str, exact: bool) -> FoundFacts:
    evaluator = heap().evaluator
    meant = read_query(query, evaluator.ruleset)
    return find._search(evaluator, meant, SetQueries(evaluator, meant), 1, False, exact)


def spoil(patch: pytest.MonkeyPatch, module: ModuleType, fault: str) -> None:
    kept = module.solver_of if hasattr(module, "solver_of") else module.Solver

    def of_encoding(encoding: Encoding, options: Sequence[str] = ()) -> Solver:
        encoding.add(fault)
        return kept(encoding, options)  # type: ignore[no-any-return]

    def of_text(text: str, *rest: object) -> Solver:
        return kept(f"{text}\n{fault}", *rest)  # type: ignore[no-any-return]

    if hasattr(module, "solver_of"):
        patch.setattr(module, "solver_of", of_encoding)
    else:
        patch.setattr(module, "Solver", of_text)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(("query", "fault"), QUERIES.items())
def test_none_is_not_said_by_what_excludes_too_much(
    monkeypatch: pytest.MonkeyPatch, query: str, fault: str, exact: bool
) -> None:
    assert asked(query, exact).positions
    spoil(monkeypatch, find, fault)
    with pytest.raises(NotDecided, match="its encoding is not what the rules say"):
        asked(query, exact)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(
    "query", ["heap(7), phase(over)", "legal(R,take(3)), heap(2)", "heap(0), took(R), legal(R,A)"]
)
def test_none_is_said_where_all_is_in_order(query: str, exact: bool) -> None:
    found = asked(query, exact)
    assert found.exhausted
    assert not found.positions


@pytest.mark.slow
def test_the_same_of_what_moves_lead_to(monkeypatch: pytest.MonkeyPatch) -> None:
    found = heap().find_result("after(R,take(2),heap(5)), heap(8)")
    assert found.exhausted and not found.positions
    spoil(monkeypatch, outcomes, ":- heap(9).")
    with pytest.raises(NotDecided):
        heap().find_result("after(R,take(2),heap(7)), heap(9)")
