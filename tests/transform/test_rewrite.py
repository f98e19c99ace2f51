"""Rules edited at the places of their atoms."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from clingo import ast
from hypothesis import given
from support.rule_texts import RULES

from kaiser_logic.lang.terms import Fun, Int, Signature, Var
from kaiser_logic.rules.loader import games, parse_rules, rulebook
from kaiser_logic.rules.reader import rule_of
from kaiser_logic.rules.rule import TOKEN, Occurrence, Rule
from kaiser_logic.transform.rewrite import edit, literal


def _moved(signature: Signature) -> str | None:
    """A new name for p with one and q with two arguments."""
    return {("p", 1): "p__m1", ("q", 2): "q__m1"}.get(signature)


@pytest.mark.parametrize(
    ("rule", "renamed"),
    [
        ("p(X) :- q(X,Y); not p(Y).", "p__m1(X) :- q__m1(X,Y); not p__m1(Y)."),
        ("p(X) :- q(X,Y), not p(Y), r.", "p__m1(X) :- q__m1(X,Y); not p__m1(Y); r."),
        ("p(p(q(X,Y))) :- q(X); p.", "p__m1(p(q(X,Y))) :- q(X); p."),
        ("a :- p(1;2); not p(3).", "a :- p__m1(1;2); not p__m1(3)."),
        ("a :- N = #sum { V,p(V): p(V), X = p(V) }.", "a :- N = #sum { V,p(V): p__m1(V), X = p(V) }."),
        (
            "a :- 2 >= #count { X: p(X), q(X,Y) }; p(X): p(X).",
            "a :- 2 >= #count { X: p__m1(X), q__m1(X,Y) }; p__m1(X): p__m1(X).",
        ),
        (":- not not p(X).", ":- not not p__m1(X)."),
        ('a("p(X)") :- b.', 'a("p(X)") :- b.'),
        ("p(1).", "p__m1(1)."),
    ],
)
def test_predicates_are_renamed_and_terms_are_not(rule: str, renamed: str) -> None:
    assert rename(rule_of(rule), _moved) == renamed


def test_atoms_of_a_pool_have_one_name() -> None:
    rule = rule_of("a :- p(1;2,3).")
    assert edit(rule, lambda _: "new(1)") == "new(1) :- new(1)."
    with pytest.raises(ValueError, match="a rule of its own"):
        edit(rule, lambda atom: f"new({len(atom.args)})")


def test_atoms_are_replaced_and_variables_bound() -> None:
    rule = rule_of("p(X,f(Y)) :- q(X,Y); not r(XY).")

    def shorter(atom: Occurrence) -> str | None:
        return literal("p", rule.argument(atom, 1)) if atom.name == "p" else None

    assert edit(rule, shorter) == "p(f(Y)) :- q(X,Y); not r(XY)."
    assert edit(rule, shorter, {"X": "1", "Y": "g(Z)"}) == "p(f(g(Z))) :- q(1,g(Z)); not r(XY)."


def test_literals_are_added() -> None:
    assert edit(rule_of("p :- q."), more=["r", "not s"]) == "p :- q; r; not s."
    assert edit(rule_of("p."), more=["r"]) == "p :- r."
    assert edit(rule_of("p :- q: r, s."), more=["t"]) == "p :- q: r, s; t."
    assert edit(rule_of("p :- q.")) == "p :- q."


def test_a_literal() -> None:
    assert literal("p") == "p"
    assert literal("p", Fun("g", (Var("X"), Int(1))), "N+1") == "p(g(X,1),N+1)"


def rename(rule: Rule, name: Callable[[Signature], str | None]) -> str:
    """The text of a rule with other names for predicates; None keeps a name."""

    def renamed(atom: Occurrence) -> str | None:
        new = name(atom.signature)
        return new and new + rule.text[atom.start + len(atom.name) : atom.end]

    return edit(rule, renamed)


def _printed(text: str) -> str:
    (rule,) = parse_rules(text)
    return rule.text


@pytest.mark.sample(4)
@pytest.mark.parametrize("game_id", games())
def test_renamed_and_back_every_rule_of_the_games_is_itself(game_id: str) -> None:
    """And clingo takes what comes out in between."""
    for rule in rulebook(game_id).rules:
        there = rename(rule, lambda signature: f"{signature[0]}__m{signature[1]}")
        back = rename(rule_of(there), lambda signature: signature[0].partition("__m")[0])
        assert back == rule.text
        assert [a.signature for a in parse_rules(there)[0].atoms] == [
            (f"{name}__m{arity}", arity) for name, arity in (a.signature for a in rule.atoms)
        ]


@given(RULES)
def test_clingo_takes_what_is_renamed_and_extended(text: str) -> None:
    (rule,) = parse_rules(text)
    line = edit(rule_of(rename(rule, lambda s: f"{s[0]}__t")), binding={"X": "f(A)"}, more=["extra(A)"])
    (found,) = parse_rules(line)
    assert [a.name for a in found.atoms] == [*(f"{a.name}__t" for a in rule.atoms), "extra"]
    assert "X" not in TOKEN.findall(found.text)


@given(RULES)
def test_renaming_changes_names_only(text: str) -> None:
    (rule,) = parse_rules(text)
    line = rename(rule, lambda s: f"{s[0]}__t")
    assert line.count("__t") == len({a.start for a in rule.atoms})
    assert line.replace("__t", "") == rule.text


class _Names(ast.Transformer):
    """Renames the predicates in clingo's syntax tree."""

    def visit_SymbolicAtom(self, node: ast.AST) -> ast.AST:  # noqa: N802 (clingo's naming)
        term = node.symbol
        if term.ast_type == ast.ASTType.Pool:
            alternatives = [a.update(name=f"{a.name}__t") for a in term.arguments]
            return node.update(symbol=term.update(arguments=alternatives))
        return node.update(symbol=term.update(name=f"{term.name}__t"))


@given(RULES)
def test_renaming_agrees_with_the_syntax_tree(text: str) -> None:
    (rule,) = parse_rules(text)
    assert _printed(rename(rule, lambda s: f"{s[0]}__t")) == str(_Names()(rule.node))
