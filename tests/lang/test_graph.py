"""Strongly connected components, cycles and dependencies of programs are found."""

from random import Random

import pytest

from kaiser_logic.lang.graph import components, cone, cycles
from kaiser_logic.lang.reader import read_rules


def reaches(graph: dict[int, list[int]], start: int) -> set[int]:
    """All nodes that a path from the start leads to."""
    found, pending = {start}, [start]
    while pending:
        for below in graph[pending.pop()]:
            if below not in found:
                found.add(below)
                pending.append(below)
    return found


@pytest.mark.parametrize("seed", range(30))
def test_components_of_random_graphs_come_in_order_of_dependency(seed):
    """Two nodes share a component if each reaches the other. A component comes after those that it reaches."""
    random = Random(seed)
    size = random.randint(1, 12)
    graph = {n: random.choices(range(size), k=random.randint(0, 3)) for n in range(size)}
    found = list(components([0], lambda n: graph[n]))
    reached = {n: reaches(graph, n) for n in graph}
    assert sorted(n for component in found for n in component) == sorted(reached[0])
    seen: set[int] = set()
    for component in found:
        for node in component:
            assert set(component) == {n for n in reached[node] if node in reached[n]}
            assert reached[node] <= seen | set(component)
        seen |= set(component)


def test_deep_graphs_need_no_recursion():
    found = list(components([0], lambda n: [n + 1] if n < 50_000 else []))
    assert [component for (component,) in found] == list(range(50_000, -1, -1))


def test_cycles_are_components_that_reach_themselves():
    graph = {1: [2], 2: [1, 3], 3: [], 4: [4]}
    assert list(components(graph, graph.__getitem__)) == [[3], [1, 2], [4]]
    assert cycles(graph, graph.__getitem__) == [[1, 2], [4]]


PROGRAM = """
p(X) :- q(X), not r(X).     q(X) :- s(X).     q(X) :- q(Y), X = Y+1.
r(X) :- #count { Y : t(X,Y), not u(Y) } > 1.  u(X) :- v(X) : w(X).  other :- p(1).
"""


def test_the_cone_of_a_predicate_has_all_rules_that_it_depends_on():
    rules = read_rules(PROGRAM)
    heads = [head.name for rule in cone(rules, [("p", 1)]) for head in rule.heads]
    assert heads == ["p", "q", "q", "r", "u"]
    assert cone(rules, [("s", 1)]) == []
