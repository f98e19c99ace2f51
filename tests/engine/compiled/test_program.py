"""Compiled rules derive what clingo derives: single constructs, random programs, and random games."""

from random import Random

import clingo
import pytest
from hypothesis import given
from support.constructs import CONSTRUCTS, atoms, programs
from support.tables import rows

import kaiser_logic as kl
from kaiser_logic.engine.compiled import NotCompiled, change_facts, compiled_program, derive
from kaiser_logic.engine.compiled.code_cache import code_of_rule
from kaiser_logic.engine.grounding import EngineProgram, Grounding, Undecided
from kaiser_logic.lang.printed import Printed
from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.rules.reader import rule_of


@pytest.mark.parametrize("text", CONSTRUCTS)
def test_each_construct_derives_the_atoms_of_clingo(text):
    ground, joined = atoms(text)
    assert joined == ground
    assert ground


def test_rules_that_are_not_stratified_are_left_to_clingo():
    rules = tuple(parse_rules("p :- not q. q :- not p."))
    assert compiled_program(EngineProgram(rules, frozenset(), ())) is None
    with pytest.raises(NotCompiled):
        code_of_rule(Printed("{ p(X) : a(X) }."), ("p", 1))


@pytest.mark.parametrize("text", ["p(X) :- not a(X).", "p(X,Y) :- a(X).", "p(f(X,Y)) :- a(X), not b(Y)."])
def test_unsafe_rules_are_not_compiled(text):
    (rule,) = parse_rules(text)
    with pytest.raises(NotCompiled, match="unsafe"):
        code_of_rule(rule.printed, rule.heads[0].signature)


def test_calculations_beyond_32_bits_are_refused_where_clingo_evaluates():
    """Clingo would wrap around."""
    rules = tuple(parse_rules("p(X+1) :- a(X). q(X*X) :- a(X)."))
    program = EngineProgram(rules, frozenset({("a", 1)}), ())
    for number in (2**31 - 1, 60_000, -(2**31)):
        with pytest.raises(kl.NotDecided, match="where clingo wraps around"):
            derive(program, frozenset({clingo.Function("a", [clingo.Number(number)])}))


def test_rules_that_derive_without_end_are_not_decided(monkeypatch):
    monkeypatch.setattr("kaiser_logic.engine.compiled.program.ROUNDS", 300)
    rules = tuple(parse_rules("p(X+1) :- p(X), a(_). p(X) :- a(X). p(X) :- p(X), b(X)."))
    program = EngineProgram(rules, frozenset({("a", 1), ("b", 1)}), ())
    facts = frozenset({clingo.Function("a", [clingo.Number(1)])})
    with pytest.raises(kl.NotDecided, match=r"run 300 times, and still derive more of p/1: nothing bounds"):
        derive(program, facts)
    bounded = tuple(parse_rules("p(X+1) :- p(X), a(_), X < 250. p(X) :- a(X)."))
    program = EngineProgram(bounded, frozenset({("a", 1)}), ())
    found = derive(program, facts).get("p", 1)
    assert {*found} == {*Grounding(program, facts).get("p", 1)}
    assert len(found) == 250


@pytest.mark.parametrize("text", rows("engine/compiled/compiled", "recursive"))
@pytest.mark.parametrize("seed", range(6))
def test_recursive_rules_derive_the_atoms_of_clingo(text, seed):
    rules = tuple(parse_rules(text))
    heads = frozenset(h.signature for rule in rules for h in rule.heads)
    program = EngineProgram(rules, frozenset({("a", 1), ("b", 2)}), (), outputs=heads - {("g", 2)})
    assert compiled_program(program) is not None
    random = Random(f"{text}{seed}")
    facts = frozenset()
    for changed in ("ab", "a", "b", "ab"):  # a later run must not see atoms of an earlier one
        texts = [f"a({k})" for k in range(8) if random.random() < 0.5]
        texts += [f"b({k},{n})" for k in range(8) for n in range(8) if random.random() < 0.12]
        new = [fact for fact in map(clingo.parse_term, texts) if fact.name in changed]
        facts = change_facts(facts, [fact for fact in facts if fact.name in changed], new)
        ground, found = Grounding(program, facts), derive(program, facts)
        for name, arity in sorted(heads - {("g", 2)}):
            assert {*found.get(name, arity)} == {*ground.get(name, arity)}


# -- random programs ----------------------------------------------------------------------------------------------------


@given(programs())
def test_random_programs_derive_the_atoms_of_clingo(text):
    control = clingo.Control(["--warn=none"], message_limit=0)
    try:
        control.add("base", [], text)
        control.ground([("base", [])])
    except RuntimeError:  # it is unsafe, which rulebooks never are
        return
    try:
        ground, joined = atoms(text)
    except Undecided:
        # Clingo does not decide atoms of a recursion through an aggregate. In rulebooks all atoms are decided.
        return
    assert joined == ground


# -- games -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_no_program_of_the_games_is_left_to_clingo():
    for name in ("kaiser", "krone", "staufer", "vive"):
        ruleset = kl.load(name).ruleset
        for rule in ruleset.rules:
            for head in rule.heads:
                assert code_of_rule(rule.printed, head.signature)
    assert rule_of("p :- q.").text
