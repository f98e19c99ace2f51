"""Effects that are said of a predicate of their own."""

from __future__ import annotations

import pytest

from kaiser_logic.symbolic.trees import parsed
from kaiser_logic.symbolic.unfolding import unfolded

pytestmark = pytest.mark.slow


def found(*lines: str) -> list[str]:
    return [str(rule) for _, rule in unfolded([(x, parsed(x)) for x in lines])]


DEFINED = "drops(Q,at(B),N) :- chosen(B), person(Q,at(B),N)."


def test_an_effect_by_what_defines_it() -> None:
    assert found(DEFINED, "lose(person(R,P),N,x) :- drops(R,P,N).")[1] == (
        "lose(person(Q,at(B)),N,x) :- chosen(B); person(Q,at(B),N)."
    )


def test_by_each_rule() -> None:
    other = "drops(Q,home,1) :- gone(Q)."
    assert found(DEFINED, other, "lose(person(R,P),N,x) :- drops(R,P,N).")[2:] == [
        "lose(person(Q,at(B)),N,x) :- chosen(B); person(Q,at(B),N).",
        "lose(person(Q,home),1,x) :- gone(Q).",
    ]


def test_other_rules_stay() -> None:
    for line in (
        "lose(person(R,P),N,x) :- drops(R,P,N); more(R).",
        "lose(person(R,R),N,x) :- drops(R,R,N).",
        "seen(R,P) :- drops(R,P,N).",
        "lose(person(R,P),1,x) :- not drops(R,P,1).",
        "add(seen(R,P)) :- drops(R,P,N).",
        "lose(person(R,P),1,x) :- drops(R,P,N).",
    ):
        assert found(DEFINED, line)[1] == str(parsed(line))


def test_what_may_hold_for_other_reasons_stays() -> None:
    line = "lose(person(R,P),N,x) :- drops(R,P,N)."
    choice = "{ drops(R,P,N) } :- person(R,P,N)."
    assert found(DEFINED, choice, line)[2] == str(parsed(line))


def test_terms_that_stand_for_several_stay() -> None:
    line = "shift(bag(R),box(R),P,x) :- drops(R,P)."
    assert found("drops(R,1..2) :- gone(R).", line)[1] == str(parsed(line))
