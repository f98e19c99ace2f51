"""Enumerations followed into the structures of one action."""

from __future__ import annotations

from random import Random

import clingo
import pytest

from kaiser_logic.lang.terms import Name
from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.rules.reader import read_term
from kaiser_logic.rules.rulebook import ActionKind
from kaiser_logic.transform.following import _apart, follow

KIND = ActionKind(3, Name("turn"), read_term("pay(both(V,W),S)"), "")


def lines(text: str) -> list[str]:
    return [line for _, line in follow(parse_rules(text), KIND, 0).lines]


def test_a_chain_is_followed_to_its_end() -> None:
    found = lines("""
        candidate(R,pay(Y,S)) :- decision(R,turn), seat(S), made(R,Y).
        made(R,both(V,W)) :- rest(R,1,then(V,then(W,none))).
        rest(R,2,then(V,Z)) :- last(R,Z), fit(R,V).
        rest(R,1,then(V,Z)) :- rest(R,2,Z), fit(R,V).
        last(R,none) :- player(R).""")
    assert "made__f1(Role_,R) :- rest__f2(Role_,R,1); does__0(Role_,3)." in found
    assert any("(Role_,R,2) :- last(R,none); fit(R,A_1)" in line for line in found)
    assert not any("then(" in line for line in found)


def test_what_is_negated_is_followed_too_and_an_aggregate_is_read_whole() -> None:
    text = """
        candidate(R,pay(Y,S)) :- decision(R,turn), seat(S), open(Y), not bad(R,Y), #count { N : weight(Y,N) } < 2.
        bad(R,both(V,W)) :- hates(R,V), fits(W).
        open(both(V,W)) :- fits(V), fits(W).
        weight(both(V,W),1) :- fits(V), fits(W)."""
    found = follow(parse_rules(text), KIND, 0)
    assert "not bad__f2(Role_,Role_)" in found.lines[0][1] or "not bad__f1(Role_,Role_)" in found.lines[0][1]
    assert "weight(both(A_0,A_1),N)" in found.lines[0][1]
    assert [a.name for a in found.whole] == ["weight"]


def test_a_head_that_cannot_be_looked_into_is_read_whole() -> None:
    found = follow(
        parse_rules("candidate(R,pay(Y,S)) :- seat(S), open(R,Y). open(R,both(V+1,W)) :- at(R,V,W)."), KIND, 0
    )
    assert [a.name for a in found.whole] == ["open"]
    assert "open(Role_,both(A_0,A_1))" in found.lines[0][1]


def test_equal_parts_are_demanded_to_be_equal() -> None:
    found = lines("candidate(R,pay(both(V,V),S)) :- seat(S), likes(R,V).")
    assert "arg__0(Role_,3,0,A_1)" in found[0] and "arg__0(Role_,3,1,A_1)" in found[0]


def _derived(lines: list[str], facts: str) -> set[str]:
    control = clingo.Control(["--warn=none"])
    control.add("base", [], "\n".join([*lines, facts]))
    control.ground([("base", [])])
    return {str(a.symbol) for a in control.symbolic_atoms.by_signature("f", 2) if a.is_fact}


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(80))
def test_a_line_in_parts_says_what_it_said(seed: int) -> None:
    """Over random bodies and facts, with variables that only look like arguments."""
    random = Random(seed)
    variables = ["N", "K", "A_n", "A_0", "A_1", "Role_", "_"]
    body = [
        f"p{random.randrange(3)}({random.choice(variables)},{random.choice(variables)})" for _ in range(6)
    ]
    bound = {v for x in body for v in variables if v != "_" and v in x}
    body += [
        f"{a} != {b}" for a, b in [("N", "K"), ("A_n", "A_0")] if {a, b} <= bound and random.random() < 0.5
    ]
    chosen = ["does__0(Role_,7)", "arg__0(Role_,7,0,A_0)", "arg__0(Role_,7,1,A_1)"]
    kept = random.choice([v for v in ("N", "A_n", "Role_", "A_0") if v in bound | {"Role_", "A_0"}])
    line = f"f(Role_,{kept}) :- {'; '.join([*body, *chosen])}."
    parts = _apart(line, "f_0")
    for _ in range(10):
        pairs = {(random.randrange(3), random.randint(1, 4), random.randint(1, 4)) for _ in range(22)}
        facts = " ".join(f"p{n}({x},{y})." for n, x, y in sorted(pairs))
        facts += "".join(f" does__0({r},7). arg__0({r},7,0,{5 - r}). arg__0({r},7,1,{r})." for r in (1, 2))
        assert _derived(parts, facts) == _derived([line], facts)


HIT = ActionKind(3, Name("turn"), read_term("hit(Q)"), "")


def test_the_role_may_be_an_argument() -> None:
    ((_, line),) = follow(parse_rules("candidate(R,hit(R)) :- decision(R,turn)."), HIT, 0).lines
    assert line == "candidate__f0(Role_) :- decision(Role_,turn); does__0(Role_,3); arg__0(Role_,3,0,Role_)."


def test_the_role_may_be_named() -> None:
    ((_, line),) = follow(
        parse_rules("candidate(red,hit(Q)) :- decision(red,turn), player(Q)."), HIT, 0
    ).lines
    assert line == (
        "candidate__f0(Role_) :- decision(red,turn); player(A_0); Role_ = red; does__0(Role_,3); arg__0(Role_,3,0,A_0)."
    )
