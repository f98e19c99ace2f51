"""Rules of one template share a code object. Filled with the names of a rule, it equals the rule compiled alone."""

from __future__ import annotations

from types import CodeType

import pytest
from hypothesis import given
from support.rule_texts import RULES

from kaiser_logic.engine.compiled import NotCompiled
from kaiser_logic.engine.compiled.code_cache import code_of_rule, template_of
from kaiser_logic.engine.compiled.source import source
from kaiser_logic.lang.printed import Printed
from kaiser_logic.lang.printer import show
from kaiser_logic.lang.reader import read_rule
from kaiser_logic.lang.terms import Signature
from kaiser_logic.rules.generated import all_rules
from kaiser_logic.rules.loader import games, parse_rules, rulebook
from kaiser_logic.rules.reader import rule_of


def alone(text: str, head: Signature) -> tuple[CodeType, tuple[Signature, ...]]:
    """The code of a rule that is compiled alone, and the predicates that it reads."""
    rule = read_rule(text)
    lines, read = source(rule, head)
    (code, *_) = compile(lines, show(rule), "exec").co_consts
    assert isinstance(code, CodeType)
    return code, read


def meaning(code: CodeType) -> tuple[object, ...]:
    """All parts of a code object except the names of variables."""
    consts = [(type(value), value) for value in code.co_consts]
    names = ["V_" if name.startswith("V_") else name for name in code.co_names]  # in rules that are not safe
    return code.co_code, consts, names, len(code.co_varnames), code.co_argcount, code.co_filename


def compared(text: str) -> int:
    """Compares the code of each head of a rule with the code of the rule alone. Returns the number of heads."""
    heads = dict.fromkeys(head.signature for head in rule_of(text).heads)
    for head in heads:
        code, read = code_of_rule(Printed.from_rule(read_rule(text)), head)
        expected, expected_read = alone(text, head)
        assert read == expected_read, text
        assert meaning(code) == meaning(expected), text
    return len(heads)


@pytest.mark.slow
@pytest.mark.parametrize("game", games())
def test_every_rule_of_the_games_has_the_right_code(game: str) -> None:
    rules = all_rules(rulebook(game))
    assert sum(compared(rule.text) for rule in rules) >= len(rules)
    assert len({template(rule.text) for rule in rules}) < len(rules)


@pytest.mark.parametrize(
    "text",
    [
        "a0(a1,a0) :- a1(V1,a0); not a2(V0,V1); V0 = V1.",
        'p(X,"s0") :- q("s1",X,s0); X != "s0".',
        r'p("a\"b\n\\") :- q("a\"b\n\\",X); not r("").',
        "turn(R,turn) :- decision(R,turn); not made(R,decision); due(turn).",
        "p(N) :- N = #sum { V,red: q(V,red), not r(V); 3,blue: s(blue) }; N > -2.",
        "p(N) :- N = #min { V: q(V) }; N != #inf.",
        "_p(__x,_Y,A') :- _q(_Y,A'); r(_,(1,x,(x,2)),(A'+1)).",
        "p(red;blue,X) :- q(X;X,red).",
        "p(f(1..N)) :- q(f(N,f)); N < 4.",
        "p(X) :- q(X); r(1;2): s(X).",
    ],
)
def test_similar_names_are_not_confused(text: str) -> None:
    try:
        alone(text, rule_of(text).heads[0].signature)
    except NotCompiled:
        with pytest.raises(NotCompiled):
            code_of_rule(Printed.from_rule(read_rule(text)), rule_of(text).heads[0].signature)
    else:
        assert compared(text)


@given(RULES)
def test_random_rules_have_the_right_code(text: str) -> None:
    canonical = parse_rules(text)[0].text
    for head in rule_of(canonical).heads[:1]:
        try:
            alone(canonical, head.signature)
        except NotCompiled:
            with pytest.raises(NotCompiled):
                code_of_rule(Printed(canonical), head.signature)
        else:
            assert compared(canonical)


def template(text: str) -> str:
    """The template of a rule."""
    return show(template_of(read_rule(text))[0])


def test_different_names_stay_different_in_a_template() -> None:
    found, names = template_of(read_rule('p(x,X,"x") :- q(x,Y); Y != "x"; not decision(X,x).'))
    assert show(found) == 'p0(a0,V0,"s1") :- p1(a0,V1); V1 != "s1"; not decision(V0,a0).'
    assert names == {"a0": "x", '"s1': '"x', "p0": "p", "p1": "q"}
    assert template("p(x,X) :- q(x,X).") == template("q(y,Z) :- p(y,Z).")
    assert template("p(x,X) :- q(x,X).") != template("p(x,X) :- q(y,X).")
    assert template("p(x,X) :- q(x,X).") != template("p(x,X) :- p(x,X).")
    assert template("p(x,Y) :- q(x,X,Y).") == template("p(y,Z) :- q(y,Y,Z).")


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("path(X,Z) :- path'(X,Y); edge(Y,Z).", ["path'", "edge"]),
        ("part(with(N,Z),D) :- listed(with(N,Z)); part'(Z,D).", ["listed", "part'"]),
        ("part(with(N,Z),D) :- listed(with(N,Z),D); part'(Z,D).", ["part'", "listed"]),
    ],
    ids=[
        "the recursive atom",
        "there is no index for parts of a term",
        "a variable in an argument",
    ],
)
def test_new_rows_come_first_if_an_index_finds_the_rest(text: str, order: list[str]) -> None:
    _, read = source(read_rule(text), (text.split("(", maxsplit=1)[0], 2))
    assert [name for name, _ in read] == order
