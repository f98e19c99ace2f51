"""Programs grounded over open facts, compared with grounding over each set of facts."""

from __future__ import annotations

from itertools import product

import clingo
import pytest

from kaiser_logic.engine.grounding import EngineProgram, Grounding
from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.unrolling.circuit import TRUE, Circuit
from kaiser_logic.unrolling.symbolic_state import ExternalGrounding


def fact(text: str) -> clingo.Symbol:
    return clingo.parse_term(text)


PROGRAMS = {
    "join": ("out(X,Y) :- a(X), b(Y), X < Y.", ["a(1)", "a(2)", "b(2)", "b(3)"]),
    "negation": (
        "mid(X) :- a(X), not b(X). out(X,x) :- a(X), not mid(X). out(0,y) :- not mid(1).",
        ["a(1)", "a(2)", "b(1)"],
    ),
    "count": ("out(N,n) :- N = #count { X : a(X) }, b(N).", ["a(1)", "a(2)", "a(3)", "b(0)", "b(2)"]),
    "sum": ("out(s,s) :- #sum { X,X : a(X); -1,b : b(X) } >= 3.", ["a(1)", "a(2)", "a(3)", "b(1)"]),
    "path": (
        "out(X,Y) :- a(X,Y). out(X,Z) :- out(X,Y), a(Y,Z).",
        ["a(1,2)", "a(2,1)", "a(2,3)", "a(3,2)", "a(3,1)"],
    ),
    "cycle": (
        "p(X) :- a(X), q(X). q(X) :- p(X). q(X) :- b(X). out(X,p) :- p(X). out(X,q) :- q(X).",
        ["a(1)", "b(1)", "a(2)"],
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_grounding_agrees_with_each_set_of_facts(name: str) -> None:
    text, possible = PROGRAMS[name]
    facts = [fact(one) for one in possible]
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


def test_consequences_of_certain_facts_are_certain() -> None:
    program = EngineProgram(
        tuple(parse_rules("out(X) :- a(X), not b(X).")), frozenset({("a", 1), ("b", 1)}), ()
    )
    circuit = Circuit()
    choice = circuit.choice()
    found = ExternalGrounding(
        circuit,
        program,
        {fact("a(1)"): TRUE, fact("a(2)"): TRUE, fact("b(2)"): choice, fact("other"): choice},
    ).get("out", 1)
    assert found == {fact("out(1)"): TRUE, fact("out(2)"): -choice}
