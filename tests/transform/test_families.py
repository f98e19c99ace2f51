"""Enumerations taken apart by what offers actions."""

from __future__ import annotations

import pytest

from kaiser_logic.errors import NotDecided
from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.transform.families import Family, families

pytestmark = pytest.mark.slow

PUT = "candidate(R,put(V,G)) :- decision(R,put), held(R,V,G,_)."


def taken_apart(*lines: str) -> list[Family]:
    return list(families(list(parse_rules("\n".join(lines)))).each)


def bans(family: Family) -> list[str]:
    return [x for x in family.lines if x.startswith("hindered")]


def test_what_is_denied_though_it_was_offered_under_it_is_left_out() -> None:
    (family,) = taken_apart(PUT, 'violates(R,put(V,G),"x") :- candidate(R,put(V,G)), not held(R,V,G,_).')
    assert family.offered == ("candidate__f0", 3)
    assert not bans(family)


@pytest.mark.parametrize(
    "denied",
    ["held(R,V,_,7)", "held(R,V,G,1)", "held(Q,V,G,_)", "held(R,V,7,_)", "held(R,G,V,_)", "kept(R,V,G,_)"],
)
def test_what_is_denied_of_something_else_stays(denied: str) -> None:
    role = ", left(R,Q)" if "Q" in denied else ""
    (family,) = taken_apart(PUT, f'violates(R,put(V,G),"x") :- candidate(R,put(V,G)){role}, not {denied}.')
    assert len(bans(family)) == 1


def test_less_is_denied_where_the_offer_says_more() -> None:
    """Who holds anything of V does hold it where he holds it with G."""
    (family,) = taken_apart(PUT, 'violates(R,put(V,G),"x") :- candidate(R,put(V,G)), not held(R,V,_,_).')
    assert not bans(family)


def test_a_condition_with_a_variable_of_its_own_shows_nothing() -> None:
    offer = "candidate(R,put(V)) :- decision(R,put), held(R,V,N), stock(N)."
    ban = 'violates(R,put(V),"x") :- candidate(R,put(V)), stock(N), not held(R,V,N).'
    assert len(bans(taken_apart(offer, ban)[0])) == 1


def test_each_family_has_only_what_is_said_of_it() -> None:
    first, second = taken_apart(
        "candidate(R,take(gold(V))) :- decision(R,take), gold(V).",
        "candidate(R,pass) :- decision(R,take).",
        'violates(R,take(gold(V)),"x") :- candidate(R,take(gold(V))), locked(V).',
        'violates(R,pass,"y") :- candidate(R,pass), must(R).',
        "asked(R) :- candidate(R,A), decision(R,take).",
    )
    assert bans(first) == ['hindered__f0(R,A_0,"x") :- candidate__f0(R,A_0); locked(A_0).']
    assert bans(second) == ['hindered__f1(R,"y") :- candidate__f1(R); must(R).']
    assert "asked(R) :- candidate__f0(R,A_0); decision(R,take)." in first.lines
    assert "asked(R) :- candidate__f1(R); decision(R,take)." in second.lines


def test_pools_and_calculations_are_families_as_a_whole() -> None:
    first, second = taken_apart(
        "candidate(R,(walk;sprint)) :- decision(R,run).",
        "candidate(R,take(N-1)) :- decision(R,run), heap(N).",
        'violates(R,sprint,"x") :- candidate(R,sprint), tired(R).',
    )
    assert first.lines[0] == "candidate__f0(R,(walk;sprint)) :- decision(R,run)."
    assert second.lines[0] == "candidate__f1(R,take((N-1))) :- decision(R,run); heap(N)."
    assert bans(first) == ['hindered__f0(R,sprint,"x") :- candidate__f0(R,sprint); tired(R).']


@pytest.mark.parametrize(
    "lines",
    [
        # of two actions at once
        'violates(R,A,"x") :- candidate(R,A), candidate(R,B), better(B,A).',
        # of an action that is not offered by what is said
        'violates(R,pass,"x") :- candidate(R,_), tired(R).',
        # of an action that somebody else is offered, maybe by another rule
        'violates(R,A,"x") :- candidate(R,A), candidate(Q,A), left(R,Q).',
        'wanted(A) :- candidate(R,A). violates(R,A,"x") :- candidate(R,A), wanted(A).',
        'wanted(A) :- candidate(R,A). violates(R,A,"x") :- wanted(A), player(R).',
        'wanted(R,A) :- candidate(R,A). violates(R,A,"x") :- wanted(Q,A), left(R,Q).',
        # what is denied of all actions
        'violates(R,A,"x") :- decision(R,run), card(A), not candidate(R,A).',
        # an offer that reads an offer
        "candidate(R,twice) :- candidate(R,put(_,_)).",
        # of what is done
        'violates(R,A,"x") :- candidate(R,A), does(Q,_), left(R,Q).',
    ],
)
def test_what_is_not_read_is_told(lines: str) -> None:
    with pytest.raises(NotDecided):
        taken_apart(PUT, lines)
