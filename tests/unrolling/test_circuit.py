"""Circuits over free choices: meaning, simplification, limits of work."""

import time
from itertools import product
from random import Random

import clingo
import pytest
from support.tables import rows

from kaiser_logic.engine.grounding import EngineProgram, Grounding
from kaiser_logic.errors import NotDecided
from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.unrolling.circuit import FALSE, TRUE, Circuit, Literal
from kaiser_logic.unrolling.symbolic_state import ExternalGrounding


def holds(circuit: Circuit, literal: Literal, choices: list[Literal], values: tuple[bool, ...]) -> bool:
    """Whether a literal holds under values of the choices. It must have the same value in all models."""
    given = [v if value else -v for v, value in zip(choices, values, strict=True)]
    can = circuit.solve((), [*given, literal]) is not None
    assert can != (circuit.solve((), [*given, -literal]) is not None)
    return can


@pytest.mark.sample(5)
@pytest.mark.parametrize("seed", range(20))
def test_functions_agree_with_truth_tables(seed):
    """Random nested functions of four choices."""
    random = Random(seed)
    circuit = Circuit()
    choices = [circuit.choice() for _ in range(4)]
    table = list(product([False, True], repeat=4))
    known = {v: [row[k] for row in table] for k, v in enumerate(choices)} | {TRUE: [True] * 16}
    for _ in range(8):
        some = random.choices(list(known), k=3)
        signed = [(v, random.random() < 0.5) for v in some]
        literals = [v if sign else -v for v, sign in signed]
        columns = [[value == sign for value in known[v]] for v, sign in signed]
        kind = random.choice(["conj", "disj", "sum"])
        if kind == "sum":
            weights = [random.randint(-2, 3) for _ in some]
            bound = random.randint(-1, 4)
            made = circuit.at_least(bound, zip(literals, weights, strict=True))
            wanted = [
                sum(w for w, on in zip(weights, row, strict=True) if on) >= bound for row in zip(*columns, strict=True)
            ]
        else:
            made = circuit.conj(literals) if kind == "conj" else circuit.disj(literals)
            wanted = [(all if kind == "conj" else any)(row) for row in zip(*columns, strict=True)]
        assert [holds(circuit, made, choices, row) for row in table] == wanted
        known[abs(made)] = wanted if made > 0 else [not value for value in wanted]


def test_recursive_literals_need_a_foundation():
    """Two literals depend on each other and on a choice. They hold only if the choice does."""
    circuit = Circuit()
    choice, one, other = circuit.choice(), circuit.recursive(), circuit.recursive()
    circuit.define(one, [other, choice])
    circuit.define(other, [one])
    assert circuit.solve([one, other], [choice]) == {one, other}
    assert circuit.solve([one, other], [-choice]) == set()


def test_narrow_fixes_literals_with_one_value():
    circuit = Circuit()
    a, b, c = (circuit.choice() for _ in range(3))
    circuit.require(circuit.disj([a, b]))
    circuit.require(circuit.disj([a, -b]))
    assert circuit.fixed_literals([a, b, c]) == {a: TRUE}
    assert circuit.fixed_literals([a, b, c], [-c]) == {a: TRUE, c: FALSE}
    assert circuit.narrow([a, b, c])
    assert [circuit.value(v) for v in (a, -a, b)] == [TRUE, FALSE, b]
    circuit.require(-a)
    assert not circuit.narrow([a, b, c])
    assert circuit.solve() is None


def pigeons(circuit: Circuit, number: int) -> list[Literal]:
    """The pigeonhole problem, which is unsatisfiable and takes many conflicts."""
    places = [[circuit.choice() for _ in range(number)] for _ in range(number + 1)]
    for pigeon in places:
        circuit.require(circuit.disj(pigeon))
    for hole in zip(*places, strict=True):
        circuit.require_at_most_one(hole)
    return [v for pigeon in places for v in pigeon]


def test_the_limit_of_work_is_deterministic():
    done = []
    for _ in range(2):
        circuit = Circuit(effort=20_000)
        pigeons(circuit, 9)
        with pytest.raises(NotDecided, match="the limit of work was reached"):
            circuit.solve()
        done.append(circuit.work)
    assert done[0] == done[1] >= 20_000


def test_little_effort_fixes_nothing():
    circuit = Circuit()
    free = [circuit.choice() for _ in range(50)]
    circuit.require(free[0])
    some = [circuit.disj([free[k], free[k + 1]]) for k in range(1, 49)]
    assert circuit.fixed_literals([circuit.conj([free[1], v]) for v in some], effort=1) == {}
    hopeless = Circuit()
    literals = pigeons(hopeless, 5)
    assert hopeless.fixed_literals(literals, effort=5) is None


def test_a_passed_deadline_is_not_decided():
    circuit = Circuit(deadline=time.monotonic() - 1)
    with pytest.raises(NotDecided, match="the time was too short"):
        circuit.solve()
    with pytest.raises(NotDecided):
        circuit.check_limits()


# Programs grounded over open facts, compared with grounding over each set of facts.


@pytest.mark.parametrize(("text", "possible"), rows("unrolling/unrolling", "program"))
def test_grounding_agrees_with_each_set_of_facts(text, possible):
    facts = [clingo.parse_term(one) for one in possible.split()]
    inputs = frozenset((f.name, len(f.arguments)) for f in facts)
    program = EngineProgram(tuple(parse_rules(text)), inputs, ())
    circuit = Circuit()
    open = {f: circuit.choice() for f in facts}
    found = ExternalGrounding(circuit, program, open).get("out", 2)
    assert found
    for values in product([False, True], repeat=len(facts)):
        given = [f for f, value in zip(facts, values, strict=True) if value]
        assumed = [v if f in given else -v for f, v in open.items()]
        model = circuit.solve(found.values(), assumed)
        assert model is not None
        assert {s for s, v in found.items() if v in model} == set(Grounding(program, given).get("out", 2))
