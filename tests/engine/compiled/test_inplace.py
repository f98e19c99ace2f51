"""What is looked up in one place only is joined there: the same follows, and less is derived."""

from __future__ import annotations

import clingo
import pytest
from hypothesis import given
from support.constructs import FACTS, programs

from kaiser_logic.engine.compiled import compiled, derived
from kaiser_logic.engine.compiled.program import in_place
from kaiser_logic.engine.grounding import Grounding, Program
from kaiser_logic.lang.terms import Signature
from kaiser_logic.rules.loader import parse_rules

# rules, and what is asked for: something is joined in place
JOINED = [
    ("q(f(X,Y),X+1) :- b(X,Y). p(Z,N) :- a(X), Z = f(X,x), q(Z,N).", ("p", 2)),
    ("q(X,Y) :- b(X,Y), not a(Y). p(X) :- a(X), q(X,_).", ("p", 1)),
    ("q(X,Y) :- b(X,Y). p(X,N) :- a(X), q(X,Y), N = #count { Z : b(Z,Y) }.", ("p", 2)),
    ("q(X,Y) :- b(X,Y). r(X) :- a(X), X > 0. p(X) :- a(X), q(X,Y), r(X), not c(Y,_).", ("p", 1)),
    ("q(X,x) :- a(X). p(X,Y) :- b(X,Y), q(X,Y).", ("p", 2)),
    ("q(1,X) :- a(X). p(X,Y) :- a(X), a(Y), q(X,Y+1).", ("p", 2)),
    ("q(X,Y) :- b(X,Y). p(1,X) :- a(X). p(X,Z) :- p(_,X), q(X,Z).", ("p", 2)),
    ("q(X+1) :- a(X). p(X) :- a(X), q(X).", ("p", 1)),
]
# nothing is
DERIVED = [
    ("q(X) :- b(X,Y). p(X) :- a(X), q(X).", ("p", 1)),  # several ways to one row
    ("q(X) :- a(X). q(X) :- b(X,_). p(X) :- a(X), q(X).", ("p", 1)),  # two rules
    ("q(X) :- a(X). p(X) :- a(X), q(X). r(X) :- a(X), q(X).", ("p", 1)),  # two readers
    ("q(X) :- a(X). p(X) :- a(X), not q(X).", ("p", 1)),
    ("q(X) :- a(X). p(N) :- a(1), N = #sum { X : q(X) }.", ("p", 1)),
    ("q(X,Y) :- a(X), a(Y). p(X,Y) :- q(X,Y).", ("p", 2)),  # nothing else says which
    ("q(X,N) :- a(X), N = #count { Y : b(X,Y) }. p(N) :- a(X), q(X,N).", ("p", 1)),
    ("q(X) :- a(X). p(X) :- a(X), q(X).", ("q", 1)),  # it is asked for
    ("q(X,1..2) :- a(X). p(X,N) :- a(X), q(X,N).", ("p", 2)),
    ("q(X) :- a(X), q(X).  p(X) :- a(X).", ("p", 1)),
]


def both(text: str, output: Signature, facts: str = FACTS) -> tuple[set[str], set[str]]:
    """What follows by clingo, and compiled, of one predicate that alone is asked for."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], facts)
    control.ground([("base", [])])
    given_ = frozenset(a.symbol for a in control.symbolic_atoms)
    rules = tuple(parse_rules(text))
    program = Program(rules, frozenset(u for r in rules for u in r.uses), (), outputs=frozenset({output}))
    joins = compiled(program)
    assert joins is not None
    ground, joined = Grounding(program, given_), joins.over(given_)
    return {str(s) for s in ground.get(*output)}, {str(s) for s in joined.get(*output)}


@pytest.mark.parametrize(("text", "output"), JOINED)
def test_what_is_joined_in_place(text: str, output: Signature) -> None:
    assert in_place(parse_rules(text), {output})
    ground, joined = both(text, output)
    assert joined == ground != set()


def test_what_only_a_joined_rule_denies_has_a_place_from_the_start() -> None:
    """A static predicate without facts is no input, and nothing else in the process has named it."""
    rules = tuple(parse_rules("q(X,Y) :- b(X,Y), not named_nowhere_else(Y). p(X) :- a(X), q(X,_)."))
    program = Program(rules, frozenset({("a", 1), ("b", 2)}), (), outputs=frozenset({("p", 1)}))
    joins = compiled(program)
    assert joins is not None
    facts = [clingo.parse_term(text) for text in ("a(1)", "b(1,2)")]
    assert list(map(str, joins.over(frozenset(facts)).get("p", 1))) == ["p(1)"]


@pytest.mark.parametrize(("text", "output"), DERIVED)
def test_what_is_derived_as_it_stands(text: str, output: Signature) -> None:
    assert not in_place(parse_rules(text), {output})
    ground, joined = both(text, output)
    assert joined == ground


def test_nothing_is_where_all_may_be_asked_for() -> None:
    rules = tuple(parse_rules("q(X) :- a(X). p(X) :- a(X), q(X)."))
    inputs = frozenset({("a", 1), ("q", 1)})
    facts = frozenset({clingo.Function("a", [clingo.Number(1)])})
    assert derived(Program(rules, inputs, ()), facts).get("q", 1)
    found = derived(Program(rules, inputs, (), outputs=frozenset({("p", 1)})), facts)
    assert found.get("p", 1)
    with pytest.raises(KeyError):
        found.get("q", 1)


def test_what_is_given_besides_is_not_lost() -> None:
    rules = tuple(parse_rules("q(X) :- a(X). p(X) :- b(X,_), q(X)."))
    inputs = frozenset({("a", 1), ("q", 1), ("b", 2)})
    program = Program(rules, inputs, (), outputs=frozenset({("p", 1)}))
    one = clingo.Number(1)
    asked, told = clingo.Function("b", [one, one]), clingo.Function("q", [one])
    for found in (derived(program, frozenset({asked, told})), derived(program, frozenset({asked}), [told])):
        assert [str(s) for s in found.get("p", 1)] == ["p(1)"]


@pytest.mark.slow
@given(programs())
def test_random_programs(text: str) -> None:
    for output in {h.signature for rule in parse_rules(text) for h in rule.heads}:
        ground, joined = both(text, output)
        assert joined == ground
