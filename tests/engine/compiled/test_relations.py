"""Relations of a position that are derived from the position before equal those that are built anew."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from clingo import Function, Number, Symbol, parse_term
from hypothesis import given as over
from hypothesis import strategies as st

from kaiser_logic.engine.compiled import relations as module
from kaiser_logic.engine.compiled.relations import change_facts, facts_of, relations_of
from kaiser_logic.engine.compiled.values import LARGE, TooLargeToCompile

FACTS = [Function(name, [Number(n)]) for name in ("p", "q") for n in range(4)] + [Function("r")]
SETS = st.frozensets(st.sampled_from(FACTS))


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    """Each test begins and ends without cached relations."""
    module._given.clear()
    yield
    module._given.clear()


def rows(facts: frozenset[Symbol]) -> dict[int, set[tuple[object, ...]]]:
    return {n: set(relation.rows) for n, relation in relations_of(facts).items()}


@over(SETS, SETS, SETS)
def test_a_changed_position_equals_a_new_one(
    facts: frozenset[Symbol], deleted: frozenset[Symbol], added: frozenset[Symbol]
) -> None:
    module._given.clear()
    before = rows(facts)
    new = change_facts(facts, deleted, added)
    assert new == (facts - deleted) | added
    assert new in module._given
    following = rows(new)
    module._given.clear()
    assert rows(new) == following
    assert rows(facts) == before


def test_facts_of_a_predicate_are_found_also_with_large_numbers() -> None:
    large = Function("p", [Number(LARGE + 1)])
    facts = frozenset([large, *FACTS[4:]])
    with pytest.raises(TooLargeToCompile):
        relations_of(facts)
    assert facts_of(facts, ("p", 1)) == [large]
    assert change_facts(frozenset(FACTS[:1]), (), [large]) == frozenset([FACTS[0], large])
    assert set(facts_of(frozenset(FACTS), ("q", 1))) == {parse_term(f"q({n})") for n in range(4)}
    assert facts_of(frozenset(FACTS), ("s", 1)) == []
