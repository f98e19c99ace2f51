"""A query's program that excludes too much decides nothing."""

from __future__ import annotations

import pytest
from support.opened import heap

from kaiser_logic.errors import NotDecided
from kaiser_logic.lang.reader import read
from kaiser_logic.query import find
from kaiser_logic.query.mistakes import read_query
from kaiser_logic.query.open_query import FoundFacts, OpenQuery
from kaiser_logic.query.set_queries import SetQueries

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


def spoil(patch: pytest.MonkeyPatch, fault: str) -> None:
    """Makes the programs of queries exclude something."""
    kept = OpenQuery.ground

    def ground(asked: OpenQuery) -> None:
        asked.program.add(*read(fault))
        kept(asked)

    patch.setattr(OpenQuery, "ground", ground)


@pytest.mark.sample(3)
@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(("query", "fault"), QUERIES.items())
def test_none_is_not_said_by_what_excludes_too_much(
    monkeypatch: pytest.MonkeyPatch, query: str, fault: str, exact: bool
) -> None:
    assert asked(query, exact).positions
    spoil(monkeypatch, fault)
    with pytest.raises(NotDecided, match="its encoding is not what the rules say"):
        asked(query, exact)


@pytest.mark.sample(3)
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
    spoil(monkeypatch, ":- heap(9).")
    with pytest.raises(NotDecided):
        heap().find_result("after(R,take(2),heap(7)), heap(9)")
