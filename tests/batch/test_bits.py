"""Circuits and the programs made of them, compared with truth tables."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given as hypothesis_given
from hypothesis import strategies as st

pytest.importorskip("llvmlite")

import numpy as np

from kaiser_logic.batch.bits import FALSE, TRUE, CircuitBuilder, TooLarge
from kaiser_logic.batch.gates import Gates, lower
from kaiser_logic.batch.kernel import bits_of, planes_of, rows_in
from kaiser_logic.batch.vectorised import GateProgram

INPUTS = 4


def value(circuit: CircuitBuilder, literal: int, given: tuple[bool, ...]) -> bool:
    node = circuit.nodes[literal >> 1]
    if node is None:
        known = {one >> 1: given[name] for name, one in circuit.inputs.items() if isinstance(name, int)}
        found = known.get(literal >> 1, False)
    elif node[0]:
        found = value(circuit, node[1][0], given) != value(circuit, node[1][1], given)
    else:
        found = all(value(circuit, part, given) for part in node[1])
    return found != bool(literal & 1)


ASSIGNMENTS = list(product((False, True), repeat=INPUTS))


def run(code: Gates) -> list[list[bool]]:
    """A program's outputs under all assignments of the inputs, the same in blocks of one word and in wide blocks."""
    rows = [[sum(one << n for n, one in enumerate(given))] for given in ASSIGNMENTS]
    outputs = len(code.outputs)
    program = GateProgram(code, np.arange(INPUTS), np.arange(outputs))
    few, many = (np.array(rows * times, np.uint64) for times in (1, 64))
    found = [bits_of(rows_in(program.run(planes_of(block)), len(block)))[:, :outputs] for block in (few, many)]
    assert (np.tile(found[0], (64, 1)) == found[1]).all()
    return [[bool(bit) for bit in its] for its in found[0].tolist()]


Formula = st.recursive(
    st.one_of(st.integers(0, INPUTS - 1), st.booleans().map(lambda b: ("constant", b))),
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner),
        st.tuples(st.sampled_from(["and", "or"]), st.lists(inner, max_size=4)),
        st.tuples(st.just("xor"), inner, inner),
        st.tuples(st.just("several"), st.lists(inner, max_size=4)),
        st.tuples(st.just("sum"), st.integers(-4, 9), st.lists(st.tuples(inner, st.integers(-3, 5)), max_size=5)),
    ),
    max_leaves=16,
)


def literal(circuit: CircuitBuilder, formula: Any) -> int:
    if isinstance(formula, int):
        return circuit.inputs[formula]
    kind, *rest = formula
    if kind == "constant":
        return TRUE if rest[0] else FALSE
    if kind == "not":
        return literal(circuit, rest[0]) ^ 1
    if kind == "xor":
        return circuit.xor(literal(circuit, rest[0]), literal(circuit, rest[1]))
    if kind == "sum":
        return circuit.at_least(rest[0], [(literal(circuit, f), w) for f, w in rest[1]])
    parts = [literal(circuit, f) for f in rest[0]]
    return {"and": circuit.conj, "or": circuit.disj, "several": circuit.several}[kind](parts)


def truth(formula: Any, given: tuple[bool, ...]) -> bool:
    if isinstance(formula, int):
        return given[formula]
    kind, *rest = formula
    if kind == "constant":
        return bool(rest[0])
    if kind == "not":
        return not truth(rest[0], given)
    if kind == "xor":
        return truth(rest[0], given) != truth(rest[1], given)
    if kind == "sum":
        return sum(w for f, w in rest[1] if truth(f, given)) >= rest[0]
    parts = [truth(f, given) for f in rest[0]]
    return {"and": all(parts), "or": any(parts), "several": sum(parts) > 1}[kind]


@hypothesis_given(st.lists(Formula, min_size=1, max_size=4))
def test_circuits_and_programs_agree_with_formulas(formulas):
    circuit = CircuitBuilder()
    for name in range(INPUTS):
        circuit.input(name)
    outputs = [literal(circuit, formula) for formula in formulas]
    places = {circuit.inputs[name]: name for name in range(INPUTS)}
    code = lower(circuit, outputs, places, INPUTS)
    code.check(INPUTS, len(outputs) - 1)
    for given, found in zip(ASSIGNMENTS, run(code), strict=True):
        expected = [truth(formula, given) for formula in formulas]
        assert [value(circuit, output, given) for output in outputs] == expected
        assert found == expected


NODES = 6
Edges = st.lists(st.tuples(*[st.integers(0, NODES - 1)] * 2, st.integers(0, INPUTS - 1)), max_size=14)


def reached(edges: list[tuple[int, int, int]], starts: set[int], given: tuple[bool, ...]) -> set[int]:
    """The nodes that can be reached from the starts by the edges whose input holds."""
    found = set(starts)
    while new := {b for a, b, name in edges if a in found and given[name]} - found:
        found |= new
    return found


def loop(circuit: CircuitBuilder, edges: list[tuple[int, int, int]], starts: dict[int, int]) -> list[int]:
    """A loop whose states say which nodes are reached. Each start has the literal under which it is one."""
    states = circuit.values(NODES)
    rest = [[circuit.conj([states[a], circuit.inputs[i]]) for a, b, i in edges if b == n] for n in range(NODES)]
    nexts = [circuit.disj([starts.get(n, FALSE), *its]) for n, its in enumerate(rest)]
    circuit.repeat(dict(zip(states, nexts, strict=True)))
    return states


CONJUNCTION = st.sets(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=4)
"""Inputs by number, each with its negation: 0 to 2 belong to one group, 3 to 5 to another, 6 to none."""


@hypothesis_given(
    st.lists(st.tuples(CONJUNCTION, st.booleans(), st.integers(-3, 5)), min_size=1, max_size=7), st.integers(-6, 12)
)
def test_sums_of_conjunctions_over_two_groups(weighted, bound):
    """Some conjunctions are negated as a whole. At most one input of each group holds."""
    circuit = CircuitBuilder()
    inputs = [circuit.input(n, (("a", "b")[n // 3], n) if n < 6 else None) for n in range(7)]
    pairs = [(circuit.conj([inputs[n] ^ negated for n, negated in its]) ^ whole, w) for its, whole, w in weighted]
    root = circuit.at_least(bound, pairs)
    for first, second, last in product(range(4), range(4), (False, True)):
        given = (*(n == first for n in range(3)), *(n == second for n in range(3)), last)
        total = sum(w for its, whole, w in weighted if all(given[n] != negated for n, negated in its) != whole)
        assert value(circuit, root, given) == (total >= bound)


@hypothesis_given(Edges, Edges, st.integers(0, 4))
def test_loops_compute_least_fixed_points(edges, more, end):
    """Two independent loops, and one that starts where the first has arrived, or where it has not."""
    circuit = CircuitBuilder()
    for name in range(INPUTS):
        circuit.input(name)
    first = loop(circuit, edges, {0: TRUE})
    apart = loop(circuit, more, {1: circuit.inputs[1]})
    after = loop(circuit, more, {end: first[end], 5: first[3] ^ 1})
    outputs = [*first, *apart, *after, circuit.xor(first[2], after[2]), circuit.conj([apart[2], first[1] ^ 1])]
    code = lower(circuit, outputs, {circuit.inputs[n]: n for n in range(INPUTS)}, INPUTS)
    code.check(INPUTS, len(outputs) - 1)
    for given, found in zip(ASSIGNMENTS, run(code), strict=True):
        one = reached(edges, {0}, given)
        two = reached(more, {1} if given[1] else set(), given)
        three = reached(more, {n for n, known in ((end, end in one), (5, 3 not in one)) if known}, given)
        expected = [n in its for its in (one, two, three) for n in range(NODES)]
        expected += [(2 in one) != (2 in three), 2 in two and 1 not in one]
        assert found == expected


def test_reading_finds_dependencies_through_loops():
    circuit = CircuitBuilder()
    a, b = circuit.input("a"), circuit.input("b")
    (state,) = circuit.values(1)
    circuit.repeat({state: circuit.disj([a, state])})
    both, other = circuit.conj([state, b]), circuit.xor(b, circuit.input("c"))
    reading = circuit.reading([a])
    assert {a >> 1, state >> 1, both >> 1} <= reading
    assert not reading & {b >> 1, other >> 1}


def test_equal_functions_are_built_once():
    circuit = CircuitBuilder()
    a, b, c = (circuit.input(name) for name in range(3))
    first = circuit.conj([a, circuit.conj([b, c])])
    size = len(circuit.nodes)
    assert circuit.conj([circuit.conj([a, b]), c]) == first
    assert circuit.disj([a ^ 1, b ^ 1, c ^ 1]) == first ^ 1
    assert len(circuit.nodes) <= size + 1


def test_circuits_above_the_limit_are_refused():
    circuit = CircuitBuilder(most=10)
    with pytest.raises(TooLarge):
        circuit.total((circuit.input(n), 1) for n in range(20))
