"""The facts that make an atom true or keep it false are found: tested on invented programs."""

from __future__ import annotations

from collections.abc import Collection

import clingo
import pytest

from kaiser_logic.engine.grounding import EngineProgram, Grounding
from kaiser_logic.lang.printer import show_term
from kaiser_logic.lang.terms import Text
from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.transform.magic_sets import clauses, relevance

FLUENTS = {("p", 1), ("q", 2), ("r", 1), ("s", 0)}


def _symbols(text: str) -> list[clingo.Symbol]:
    """The facts of a list with spaces as symbols."""
    return [clingo.parse_term(word) for word in text.split()]


def _explained(rules: str, facts: str, *, legal: bool = False) -> tuple[set[str], set[str]]:
    """The present and the absent facts behind violates(a,x,"id")."""
    program = parse_rules(rules)
    made = relevance(program, FLUENTS, legal=legal)
    inputs = frozenset({*FLUENTS, ("_ask", 4), ("number", 1)})
    given = [
        *_symbols(facts),
        *_symbols("number(1) number(2) number(3)"),
        clingo.parse_term('_ask(0,a,x,"id")'),
    ]
    grounding = Grounding(EngineProgram((*program, *made.rules), inputs, ()), given)
    holds = any(s.arguments[2].string == "id" for s in grounding.get("violates", 3))
    assert holds != legal
    assert grounding.undecided_atoms() == []
    return _found(grounding, "_because"), _found(grounding, "_absent")


def _found(grounding: Grounding, name: str) -> set[str]:
    """The facts that this predicate of relevance names."""
    return {str(s.arguments[1]) for s in grounding.get(name, 2)}


def _words(text: str) -> Collection[str]:
    """The words of a list with spaces."""
    return set(text.split())


HEAD = 'violates(a,x,"id") :- '
BROKEN = [
    # rules, facts, facts of the reason, absent facts of the reason
    (HEAD + "p(1).", "p(1) p(2)", "p(1)", ""),
    (HEAD + "p(X), not r(X).", "p(1) p(2) r(2)", "p(1)", "r(1)"),
    (HEAD + "p(X), X > 1.", "p(1) p(2) p(3)", "p(2) p(3)", ""),
    (HEAD + "s.", "s p(1)", "s", ""),
    (HEAD + "not s.", "p(1)", "", "s"),
    (HEAD + "not not s.", "s", "", ""),
    (HEAD + "not q(1,_).", "q(2,1)", "", "q(1,_any)"),
    (HEAD + "q((1;2),X).", "q(1,3) q(2,4) q(3,5)", "q(1,3) q(2,4)", ""),
    (HEAD + "d(1). d(X) :- p(X). d(X) :- r(X).", "p(1) r(1) r(2)", "p(1) r(1)", ""),
    (HEAD + "d(2). d(X+1) :- p(X).", "p(1) p(2)", "p(1)", ""),
    (HEAD + "d(2). d(1..X) :- p(X).", "p(1) p(2) p(3)", "p(2) p(3)", ""),
    (HEAD + "not d(1). d(X) :- p(X), r(X).", "p(1) r(2)", "", "r(1)"),
    (HEAD + "not d(1). d(X) :- p(X), not r(X).", "p(1) r(1) r(2)", "r(1)", ""),
    (HEAD + "not d(1). d(X) :- q(X,Y), Y > 2.", "q(1,1) q(1,2) q(2,3)", "q(1,1) q(1,2)", ""),
    (HEAD + "not d(1). d(X) :- q(X,Y), e(Y). e(7).", "q(1,1) q(2,3)", "q(1,1)", ""),
    (HEAD + "not d(_). d(X) :- p(X), r(X).", "p(1) r(2)", "p(1)", "r(1)"),
    (HEAD + "not d(1). d(X) :- e(X). e(X) :- p(X).", "p(2)", "", "p(1)"),
    (HEAD + "not d(1). d(X) :- p(X), not e(X). e(X) :- q(X,_).", "p(1) q(1,1) q(2,2)", "q(1,1)", ""),
    (HEAD + "#count{ X : p(X), not r(X) } > 1.", "p(1) p(2) p(3) r(3)", "p(1) p(2)", ""),
    (HEAD + "2 < #sum{ X,Y : q(X,Y) }.", "q(1,1) q(2,2)", "q(1,1) q(2,2)", ""),
    (
        HEAD + "N = #sum{ X,Y : d(X,Y) }, N > 2. d(X,Y) :- q(X,Y), r(Y).",
        "q(1,1) q(2,2) q(3,3) r(2) r(1)",
        "q(1,1) q(2,2) r(1) r(2)",
        "",
    ),
    (HEAD + "2 #count { X : p(X), r(X) }.", "p(1) p(2) p(3) r(1) r(2)", "p(1) p(2) r(1) r(2)", ""),
    (HEAD + "not d(3). d(M) :- number(M), N = #sum{ X,Y : q(X,Y) }, M <= N.", "q(1,1) p(1)", "q(1,1)", ""),
    (
        HEAD + "not d(1). d(X) :- number(X), #count { Y : q(X,Y) } < 2.",
        "q(1,1) q(1,2) q(2,2)",
        "q(1,1) q(1,2)",
        "",
    ),
    (HEAD + "p(X) : r(X).", "p(1) p(2) p(3) r(1) r(2)", "p(1) p(2) r(1) r(2)", ""),
    (HEAD + "p(X) : r(X); q(Y,_).", "p(1) p(3) r(1) q(3,4)", "p(1) r(1) q(3,4)", ""),
    (HEAD + "not d. d :- p(X) : r(X); q(1,2).", "p(1) r(1)", "", "q(1,2)"),
    (HEAD + "not d. d :- p(X) : r(X).", "p(1) r(1) r(2)", "r(2)", "p(2)"),
    (HEAD + "p(1;2) : r(X).", "p(2) p(3) r(1)", "p(2) r(1)", ""),
    (HEAD + "not d. d :- p(X;X+1) : r(X).", "p(1) r(1) r(2)", "r(2)", "p(2) p(3)"),
    ('violates(a,x,V) :- d(V). d("id") :- p(1). d("other") :- p(2).', "p(1) p(2)", "p(1)", ""),
]


@pytest.mark.parametrize(("rules", "facts", "because", "absent"), BROKEN)
def test_a_broken_rule_is_explained(rules: str, facts: str, because: str, absent: str) -> None:
    found = _explained(rules, facts)
    assert found == (_words(because), _words(absent))


NOT_BROKEN = [
    (HEAD + "p(1), r(1).", "p(1) r(2)", "", "r(1)"),
    (HEAD + "p(X), not r(X).", "p(1) r(1)", "p(1) r(1)", ""),
    (HEAD + "not s.", "s", "s", ""),
    (HEAD + "not d. d :- p(X), X > 1.", "p(1) p(2) p(3)", "p(2) p(3)", ""),
    (HEAD + "#count{ X : p(X) } > 2.", "p(1) p(2)", "p(1) p(2)", ""),
    ('violates(a,x,V) :- p(1), d(V). d("id") :- not r(1). d("other").', "p(1) r(1)", "r(1)", ""),
]


@pytest.mark.parametrize(("rules", "facts", "because", "absent"), NOT_BROKEN)
def test_a_rule_that_is_not_broken_is_explained(rules: str, facts: str, because: str, absent: str) -> None:
    program = rules.replace(":- ", ":- number(1), ", 1)
    assert _explained(program, facts, legal=True) == (_words(because), _words(absent))


def test_rules_that_apply_to_an_action_are_found() -> None:
    rules = parse_rules(
        'violates(a,f(X),"one") :- p(X). violates(a,g,"two") :- p(1). violates(a,A,V) :- u(A,V).'
        'u(f(X),"three") :- r(X). u(f(1),"four") :- r(7). u(g,"five") :- r(1).'
    )
    made = relevance(rules, FLUENTS, legal=True)
    ids = ("one", "two", "three", "four", "five")
    asked = [clingo.parse_term(f'_ask({k},a,f(2),"{id}")') for k, id in enumerate(ids)]
    grounding = Grounding(EngineProgram((*rules, *made.rules), frozenset({("_ask", 4)}), ()), asked)
    assert {ids[s.arguments[0].number] for s in grounding.get("_applies", 1)} == {"one", "three"}


def test_instances_have_the_values_of_the_variables() -> None:
    rules = parse_rules('violates(R,A,"id") :- q(R,A), p(N), N > 1.')
    made = relevance(rules, FLUENTS)
    given = [*_symbols("q(a,x) p(1) p(2) p(3)"), clingo.parse_term('_ask(0,a,x,"id")')]
    grounding = Grounding(EngineProgram((*rules, *made.rules), frozenset({*FLUENTS, ("_ask", 4)}), ()), given)
    (instance,) = made.instances
    assert (instance.variables, instance.last, instance.detail) == (("A", "N", "R"), Text("id"), 1)
    assert {str(s.arguments[3]) for s in grounding.get(instance.name, 5)} == {"2", "3"}


def test_constraints_have_no_clauses() -> None:
    rules = parse_rules(":- p(1). p(X) :- q(X,X), r(X).")
    assert [show_term(c.args[0]) for rule in rules for c in clauses(rule.value)] == ["X"]
