"""Rules are taken apart into literals, with the variables that each literal binds and needs."""

from __future__ import annotations

import pytest

from kaiser_logic.lang.printer import show_literal, show_term
from kaiser_logic.lang.reader import read_rule
from kaiser_logic.transform.magic_sets import Clause, Part, clauses, names, positive, project_arguments


def _clause(text: str) -> Clause:
    """The only clause of a rule."""
    (clause,) = clauses(read_rule(text))
    return clause


def _text(part: Part) -> str:
    """The literal of a part in print."""
    return show_literal(part.literal)


def _words(found: frozenset[str]) -> str:
    """The names in alphabetical order."""
    return " ".join(sorted(found))


@pytest.mark.parametrize(
    ("literal", "text", "variables", "gives", "opposite"),
    [
        ("p(X,Y+1)", "p(X,(Y+1))", "X Y", "X", ""),
        ("p(_,f(X))", "p(_A1,f(X))", "X _A1", "X _A1", ""),
        ("not p(X,_)", "not p(X,_)", "X", "", ""),
        ("not not p(X)", "not not p(X)", "X", "", "not p(X)"),
        ("X < Y", "X < Y", "X Y", "", "not X < Y"),
        ("X = Y+1", "X = (Y+1)", "X Y", "X", "not X = (Y+1)"),
        ("Y+1 = X", "(Y+1) = X", "X Y", "X", "not (Y+1) = X"),
        ("X = X+0", "X = (X+0)", "X", "", "not X = (X+0)"),
        ("not X < Y", "not X < Y", "X Y", "", "X < Y"),
        ("N = #sum { V,Z: p(V,Z) }", "N = #sum { V,Z: p(V,Z) }", "N", "N", "not N = #sum { V,Z: p(V,Z) }"),
        ("2 < #count { V: p(V,X) }", "2 < #count { V: p(V,X) }", "X", "", "not 2 < #count { V: p(V,X) }"),
        ("p(Z): q(Z,X)", "p(Z): q(Z,X)", "X", "", ""),
    ],
)
def test_a_literal_has_its_variables_and_its_opposite(
    literal: str, text: str, variables: str, gives: str, opposite: str
) -> None:
    """The literal stands in a rule that has the variables X and Y."""
    part = _clause(f"a(X,Y) :- b(X,Y); {literal}.").parts[1]
    found = show_literal(part.opposite) if part.opposite is not None else ""
    assert (_text(part), _words(part.variables), _words(part.gives), found) == (
        text,
        variables,
        gives,
        opposite,
    )


def test_arithmetic_in_a_head_becomes_a_literal() -> None:
    clause = _clause("a(X,X+1,f(Y,1..2)) :- b(X,Y).")
    assert (clause.signature, list(map(show_term, clause.args))) == (("a", 3), ["X", "_H1", "_H2"])
    assert list(map(_text, clause.parts)) == ["b(X,Y)", "_H1 = (X+1)", "_H2 = f(Y,(1..2))"]
    assert clause.variables == {"X", "Y", "_H1", "_H2"}


def test_pools_are_unfolded_into_clauses() -> None:
    rule = read_rule("a(1;2) :- b(X;X,Y).")
    found = {(show_term(c.args[0]), _text(c.parts[0])) for c in clauses(rule)}
    assert found == {("1", "b(X)"), ("1", "b(X,Y)"), ("2", "b(X)"), ("2", "b(X,Y)")}


@pytest.mark.parametrize("text", [":- b.", "{ a; b } :- c.", "#false :- a."])
def test_rules_without_an_atom_as_head_have_no_clauses(text: str) -> None:
    assert clauses(read_rule(text)) == ()


def test_elements_of_aggregates_and_conditions_are_listed() -> None:
    sum_, condition = _clause("a :- #sum { V: p(V), not q(V); 1: r } > 1; p(Z): q(Z), s(Z).").parts
    assert [list(map(_text, e)) for e in sum_.elements] == [["p(V)", "not q(V)"], ["r"]]
    assert [list(map(_text, e)) for e in condition.elements] == [["q(Z)", "s(Z)", "p(Z)"]]
    assert (sum_.conditional, condition.conditional) == (False, True)


def test_a_pool_in_a_conditional_literal_becomes_alternatives() -> None:
    (part,) = _clause("a :- p(1;Z): q(Z).").parts
    assert [list(map(_text, e)) for e in part.elements] == [["q(Z)", "p(1)"], ["q(Z)", "p(Z)"]]


def test_a_plan_binds_variables_before_it_tests_them() -> None:
    clause = _clause("a(X) :- Z = Y+1; not p(Z); q(X,Y); r(Y).")
    assert [_text(p) for p, _ in clause.plan(set())] == ["q(X,Y)", "r(Y)", "Z = (Y+1)", "not p(Z)"]
    plan = {_text(p): list(map(_text, support)) for p, support in clause.plan({"X"})}
    assert plan == {
        "q(X,Y)": [],
        "r(Y)": ["q(X,Y)"],
        "Z = (Y+1)": ["q(X,Y)"],
        "not p(Z)": ["Z = (Y+1)", "q(X,Y)"],
    }


def test_projection_leaves_unbound_arguments_open() -> None:
    (part,) = _clause("a :- p(X,f(X,Y),Y+1,_,1).").parts
    assert part.atom is not None
    assert [(show_term(term), known) for term, known in project_arguments(part.atom, {"X"})] == [
        ("X", True),
        ("f(X,_)", False),
        ("_", False),
        ("_", False),
        ("1", True),
    ]


def test_a_negated_literal_becomes_positive_with_named_variables() -> None:
    (part,) = _clause("a :- not p(X,_,_).").parts
    found = positive(part)
    assert (show_literal(found), names(found)) == ("p(X,_P1,_P2)", {"X", "_P1", "_P2"})
