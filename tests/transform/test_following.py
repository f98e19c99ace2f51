"""Enumerations followed into the structures of one action."""

from __future__ import annotations

from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.rules.rulebook import ActionKind
from kaiser_logic.transform.following import follow

KIND = ActionKind(3, ("c", "turn"), ("f", "pay", (("f", "both", (("v", "V"), ("v", "W"))), ("v", "S"))), "")


def lines(text: str) -> list[str]:
    return [line for _, line in follow(parse_rules(text), KIND, 0).lines]


def test_a_chain_is_followed_to_its_end() -> None:
    found = lines("""
        question(R,pay(Y,S)) :- decision(R,turn), seat(S), made(R,Y).
        made(R,both(V,W)) :- rest(R,1,then(V,then(W,none))).
        rest(R,2,then(V,Z)) :- last(R,Z), fit(R,V).
        rest(R,1,then(V,Z)) :- rest(R,2,Z), fit(R,V).
        last(R,none) :- player(R).""")
    assert "made__f1(Role_,R) :- rest__f2(Role_,R,1); does__0(Role_,3)." in found
    assert any("(Role_,R,2) :- last(R,none); fit(R,A_1)" in line for line in found)
    assert not any("then(" in line for line in found)


def test_what_is_negated_is_followed_too_and_an_aggregate_is_read_whole() -> None:
    text = """
        question(R,pay(Y,S)) :- decision(R,turn), seat(S), open(Y), not bad(R,Y), #count { N : weight(Y,N) } < 2.
        bad(R,both(V,W)) :- hates(R,V), fits(W).
        open(both(V,W)) :- fits(V), fits(W).
        weight(both(V,W),1) :- fits(V), fits(W)."""
    found = follow(parse_rules(text), KIND, 0)
    assert "not bad__f2(Role_,Role_)" in found.lines[0][1] or "not bad__f1(Role_,Role_)" in found.lines[0][1]
    assert "weight(both(A_0,A_1),N)" in found.lines[0][1]
    assert [a.name for a in found.whole] == ["weight"]


def test_a_head_that_cannot_be_looked_into_is_read_whole() -> None:
    found = follow(
        parse_rules("question(R,pay(Y,S)) :- seat(S), open(R,Y). open(R,both(V+1,W)) :- at(R,V,W)."), KIND, 0
    )
    assert [a.name for a in found.whole] == ["open"]
    assert "open(Role_,both(A_0,A_1))" in found.lines[0][1]


def test_equal_parts_are_demanded_to_be_equal() -> None:
    found = lines("question(R,pay(both(V,V),S)) :- seat(S), likes(R,V).")
    assert "arg__0(Role_,3,0,A_1)" in found[0] and "arg__0(Role_,3,1,A_1)" in found[0]
