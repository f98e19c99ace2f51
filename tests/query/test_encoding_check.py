"""A faulty encoding of a query is noticed: one that excludes too many positions decides nothing."""

import pytest
from support.heap_game import heap
from support.tables import rows

from kaiser_logic.errors import NotDecided
from kaiser_logic.lang.reader import read_rules
from kaiser_logic.query import find
from kaiser_logic.query.mistakes import read_query
from kaiser_logic.query.open_query import FoundFacts, OpenQuery
from kaiser_logic.query.set_queries import SetQueries


def answer(query: str, exact: bool) -> FoundFacts:
    """The answer of the search, without other checks."""
    evaluator = heap().evaluator
    parsed = read_query(query, evaluator.ruleset)
    return find._search(evaluator, parsed, SetQueries(evaluator, parsed), 1, False, exact)


def damage(patch: pytest.MonkeyPatch, fault: str) -> None:
    """Adds a constraint to the programs of queries, which excludes some positions."""
    original = OpenQuery.ground

    def ground(question: OpenQuery) -> None:
        question.program.add(*read_rules(fault))
        original(question)

    patch.setattr(OpenQuery, "ground", ground)


@pytest.mark.sample(3)
@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(("query", "fault"), rows("query/columns", "excluded"))
def test_an_encoding_that_excludes_too_much_decides_nothing(monkeypatch, query, fault, exact):
    assert answer(query, exact).positions
    damage(monkeypatch, fault)
    with pytest.raises(NotDecided, match="its encoding is not what the rules say"):
        answer(query, exact)


@pytest.mark.sample(3)
@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("query", ["heap(7), phase(over)", "legal(R,take(3)), heap(2)", "heap(0), took(R), legal(R,A)"])
def test_a_correct_encoding_decides_that_there_is_none(query, exact):
    found = answer(query, exact)
    assert found.exhausted
    assert not found.positions


@pytest.mark.slow
def test_a_faulty_encoding_of_moves_is_noticed(monkeypatch):
    found = heap().find_result("after(R,take(2),heap(5)), heap(8)")
    assert found.exhausted and not found.positions
    damage(monkeypatch, ":- heap(9).")
    with pytest.raises(NotDecided):
        heap().find_result("after(R,take(2),heap(7)), heap(9)")
