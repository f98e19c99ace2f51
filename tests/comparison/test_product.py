"""Two readings of one open position in one program."""

from __future__ import annotations

from pathlib import Path

from support.opened import changed, heap, transition

from kaiser_logic.comparison.product import ProductEncoding
from kaiser_logic.comparison.scenarios import action_rules, step_rules
from kaiser_logic.engine.ruleset import Ruleset
from kaiser_logic.rules.predicates import DUE
from kaiser_logic.symbolic.domains import domains
from kaiser_logic.symbolic.encoding import Encoding

ACTION = 'violates(R,take(K),"take.enough") :- candidate(R,take(K)), heap(N), not holds_at_least(K).'


def both(first: Ruleset, second: Ruleset) -> tuple[Encoding, ProductEncoding]:
    """Both readings of a take."""
    take = transition(first, "take(K)")
    encoding = Encoding(first, domains(first), bounded=True)
    encoding.open([("c", "take")])
    asked = [r for rules in (first, second) for r in action_rules(rules, take.kinds)]
    asked += [r for rules in (first, second) for r in step_rules(rules, ("c", "pass_on"))]
    return encoding, ProductEncoding(encoding, second, "__b", asked)


def test_equal_rules_are_shared() -> None:
    encoding, other = both(heap().ruleset, heap().ruleset)
    kinds = heap().book.kinds
    encoding.act(kinds, legal=False)
    before = set(encoding.lines)
    transition = other.act(kinds, legal=False)
    assert {line for line in encoding.lines if line not in before} == {
        "illegal__0__b :- violates__k0__0(_,_)."
    }
    assert all(other.name(s) == encoding.name(s) for s in transition.changed)


def test_only_what_differs_has_names_of_its_own(tmp_path: Path) -> None:
    second = changed(tmp_path, {ACTION: ACTION.replace("take.enough", "take")}).ruleset
    encoding, other = both(heap().ruleset, second)
    kinds = heap().book.kinds
    encoding.act(kinds, legal=False)
    before = set(encoding.lines)
    other.act(kinds, legal=False)
    more = {line for line in encoding.lines if line not in before}
    assert (
        'violates__k0__0__b(R,"take") :- does__0(R,0); heap(N); not holds_at_least(A_0); arg__0(R,0,0,A_0).'
        in more
    )
    assert "illegal__0__b :- violates__k0__0__b(_,_)." in more
    assert all(line.startswith(("violates__k0__0__b", "illegal__0__b")) for line in more)
    assert other.name(("heap", 1)) == encoding.name(("heap", 1))


def test_what_follows_from_a_difference_differs(tmp_path: Path) -> None:
    line = "add(took(R))                 :- does(R,take(_))."
    second = changed(tmp_path, {line: "add(took(Q)) :- does(R,take(_)), left(R,Q)."}).ruleset
    encoding, other = both(heap().ruleset, second)
    encoding.act(heap().book.kinds, legal=False)
    other.act(heap().book.kinds, legal=False)
    assert other.name(("took", 1)) == "took__m1__b"
    assert other.name(DUE) == encoding.name(DUE) == "due__m1"
    assert "took__m1__b(X1) :- add__0__b(took(X1)), wide(took(X1))." in encoding.lines
