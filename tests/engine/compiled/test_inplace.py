"""A predicate that only one rule reads is joined in place. Fewer atoms are derived, and the outputs stay the same."""

import clingo
import pytest
from hypothesis import given, reject
from support.constructs import atoms, programs
from support.tables import rows

from kaiser_logic.engine.compiled import compiled_program, derive
from kaiser_logic.engine.compiled.program import in_place
from kaiser_logic.engine.grounding import EngineProgram, Undecided
from kaiser_logic.rules.loader import parse_rules


@pytest.mark.parametrize(("how", "text", "output"), rows("engine/compiled/compiled", "program"))
def test_predicates_are_joined_in_place_or_derived(how, text, output):
    wanted = (output[0], int(output[2]))
    assert bool(in_place(parse_rules(text), {wanted})) is (how == "joined")
    ground, joined = atoms(text, output=wanted)
    assert joined == ground and (ground or how == "derived")


def test_a_predicate_that_only_a_joined_rule_negates_is_known():
    """A static predicate without facts is not an input, and no other rule in the process names it."""
    rules = tuple(parse_rules("q(X,Y) :- b(X,Y), not named_nowhere_else(Y). p(X) :- a(X), q(X,_)."))
    program = EngineProgram(rules, frozenset({("a", 1), ("b", 2)}), (), outputs=frozenset({("p", 1)}))
    joins = compiled_program(program)
    assert joins is not None
    facts = [clingo.parse_term(text) for text in ("a(1)", "b(1,2)")]
    assert list(map(str, joins.evaluate(frozenset(facts)).get("p", 1))) == ["p(1)"]


def test_nothing_is_joined_in_place_without_named_outputs():
    rules = tuple(parse_rules("q(X) :- a(X). p(X) :- a(X), q(X)."))
    inputs = frozenset({("a", 1), ("q", 1)})
    facts = frozenset({clingo.Function("a", [clingo.Number(1)])})
    assert derive(EngineProgram(rules, inputs, ()), facts).get("q", 1)
    found = derive(EngineProgram(rules, inputs, (), outputs=frozenset({("p", 1)})), facts)
    assert found.get("p", 1)
    with pytest.raises(KeyError):
        found.get("q", 1)


def test_given_facts_of_a_derived_predicate_are_kept():
    rules = tuple(parse_rules("q(X) :- a(X). p(X) :- b(X,_), q(X)."))
    inputs = frozenset({("a", 1), ("q", 1), ("b", 2)})
    program = EngineProgram(rules, inputs, (), outputs=frozenset({("p", 1)}))
    one = clingo.Number(1)
    fact, given_fact = clingo.Function("b", [one, one]), clingo.Function("q", [one])
    for found in (derive(program, frozenset({fact, given_fact})), derive(program, frozenset({fact}), [given_fact])):
        assert [str(s) for s in found.get("p", 1)] == ["p(1)"]


@pytest.mark.slow
@given(programs())
def test_random_programs_have_the_same_outputs(text):
    for output in {h.signature for rule in parse_rules(text) for h in rule.heads}:
        try:
            ground, joined = atoms(text, output=output)
        except Undecided:  # clingo's grounder leaves an aggregate open that recursive rules read
            reject()
        assert joined == ground
