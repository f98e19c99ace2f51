"""Rules with an action split into its kind and arguments derive what the rules derive from the whole action."""

from __future__ import annotations

from itertools import product

import pytest

pytest.importorskip("numpy")

from kaiser_logic import clingo
from kaiser_logic.batch.building import SplitKind, join_kinds
from kaiser_logic.engine import symbols
from kaiser_logic.lang.printed import Printed
from kaiser_logic.lang.printer import show
from kaiser_logic.lang.terms import Name
from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.rules.reader import read_term
from kaiser_logic.rules.rule import PlacedRule
from kaiser_logic.rules.rulebook import ActionKind

_DONE = "does(R,A) :- submitted(R,A). candidate(R,A) :- submitted(R,A). "
_FACTS = """
heap(1..3). price(2). price(5). q(1..2). q(red,green). q(green,green). q(x). left(red,green). left(green,red). rich(green).
player((red;green)).
"""
ROLES = tuple(map(symbols.constant, ("red", "green")))


def _kinds(program: str, *actions: str) -> tuple[list[SplitKind], str, set[str]]:
    """The kinds of these actions, the rules for all of them, and the predicates that hold no part of an action."""
    rules = parse_rules(_DONE + program)
    declaration = Printed("action(turn,take(K)).")
    kinds = [ActionKind(n, Name("turn"), read_term(action), declaration) for n, action in enumerate(actions)]
    split = [SplitKind(kind, rules) for kind in kinds]
    lines = (x.text if isinstance(x, PlacedRule) else show(x) for x in join_kinds(rules, split))
    heads = {h.signature for rule in parse_rules(program) for h in rule.heads}
    return split, " ".join(lines), {name for name, _ in heads.difference(*(one.split for one in split))}


def _derived(program: str, heads: set[str], facts: list[clingo.Symbol]) -> set[str]:
    """The atoms of these predicates that follow."""
    control = clingo.ground(_FACTS + program, facts)
    return {str(atom.symbol) for atom in control.symbolic_atoms if atom.symbol.name in heads}


def _from_whole(program: str, heads: set[str], role: clingo.Symbol, action: clingo.Symbol) -> set[str]:
    return _derived(_DONE + program, heads, [clingo.Function("submitted", [role, action])])


TAKES = ("take(1)", "take(2)", "take(3)", "take(4)")
PROGRAMS = [
    # an interval, a sum or a pool restricts the action more than its pattern
    ("odd :- does(R,take(1..2)).", "take(K)", TAKES),
    ("odd(N) :- does(R,take(N+1)), heap(N).", "take(K)", TAKES),
    ("odd :- does(R,(pass;take(1))).", "pass", ("pass",)),
    ("odd :- does(R,(pass;take(1))).", "take(K)", TAKES),
    ("odd :- does((red;blue),pass).", "pass", ("pass",)),
    # an argument that the rule mentions comes from arg
    ("p(K) :- does(R,take(K)).", "take(K)", TAKES),
    ("p(R) :- does(R,take(_)).", "take(K)", TAKES),
    ("p(R) :- does(R,take(3)).", "take(K)", TAKES),
    ("p(R,X) :- does(R,move(X,X)).", "move(A,B)", ("move(1,1)", "move(1,2)", "move(f(1),f(1))")),
    ("p(g(X)) :- does(R,buy(C,X)).", "buy(move,to(E))", ("buy(move,to(1))", "buy(move,to(x))")),
    ("p(N+K) :- does(R,take(K)), q(N).", "take(K)", TAKES),
    # the rule names only a part of an argument
    ("p(R) :- does(R,buy(f(_))).", "buy(X)", ("buy(f(1))", "buy(f(x))", "buy(2)")),
    (
        "q(f(2,2)). p(Y) :- does(R,buy(X)), q(X), does(R,buy(f(_,Y))).",
        "buy(X)",
        ("buy(f(1,2))", "buy(f(2,2))"),
    ),
    (
        "p(X) :- does(R,buy(f(f(f(f(f(f(f(f(X)))))))))).",
        "buy(X)",
        ("buy(f(f(f(f(f(f(f(f(1)))))))))", "buy(f(1))"),
    ),
    # the rule does not name the acting role
    ("p(K) :- does(_,take(K)).", "take(K)", TAKES),
    # one role acts alone, whatever the rule calls it
    ("p(R) :- does(R,take(_)), does(Q,A), R != Q.", "take(K)", TAKES),
    ("p(Q) :- does(R,A), q(R,Q), does(Q,A).", "pass", ("pass",)),
    ("p(Q) :- does(red,pass), does(Q,_).", "pass", ("pass",)),
    # another kind of action
    ("p(R) :- does(R,pass).", "take(K)", TAKES),
    ("p(R) :- does(R,buy(move,_)).", "buy(permit,X)", ("buy(permit,1)",)),
    # the rule is not about the action
    ("p(X) :- q(X).", "take(K)", TAKES),
    # the action stands under not, or its argument in an aggregate
    ("p(R) :- candidate(R,A), not does(R,A).", "pass", ("pass",)),
    ("p(N) :- does(R,take(K)), N = #count { X : q(X), X < K }.", "take(K)", TAKES),
    # a predicate carries the action through its rules, in whole or in part
    (
        """wants(R,A,X) :- candidate(R,A), price(X).
        violates(R,A,"dear") :- wants(R,A,X), X > 3, not may(R,A).
        worst(R,V) :- violates(R,_,V).
        may(R,take(K)) :- candidate(R,take(K)), K < 2.""",
        "take(K)",
        TAKES,
    ),
    (
        "effect(R,E) :- does(R,buy(_,E)). gain(R,N,V) :- effect(R,money(N)), q(V).",
        "buy(C,money(N))",
        ("buy(1,money(7))", "buy(2,money(8))"),
    ),
    # a predicate does not carry the action if one of its rules makes a term of its own
    (
        "goes(R,P) :- does(R,move(P)). goes(R,place(2)) :- does(R,move(_)). add(at(N)) :- goes(_,place(N)).",
        "move(place(N))",
        ("move(place(1))", "move(place(2))"),
    ),
    # a literal under not about another action stays about that action
    (
        "enough(R,take(K)) :- candidate(R,take(K)), heap(N), K <= N. add(poor(R)) :- does(R,take(_)), not enough(R,take(3)).",
        "take(K)",
        TAKES,
    ),
    # one rule names the acting role and another one its neighbour: the arguments are those of the acting role
    (
        "near(Q,A) :- does(R,A), left(R,Q). near(R,A) :- does(R,A), rich(R). add(good(Q,K)) :- near(Q,take(K)).",
        "take(K)",
        TAKES,
    ),
]


@pytest.mark.parametrize(("program", "action", "done"), PROGRAMS)
def test_split_actions_have_the_consequences_of_whole_actions(
    program: str, action: str, done: tuple[str, ...]
) -> None:
    (kind,), joined, heads = _kinds(program, action)
    assert heads
    for role, chosen in product(ROLES, map(symbols.read_symbol, done)):
        found = _derived(joined, heads, kind.facts(role, chosen))
        assert found == _from_whole(program, heads, role, chosen)


KINDS = [
    "p(X) :- q(X), not acted(X). acted(X) :- does(_,take(X)).",
    "p(X) :- q(X), not does(red,take(X)).",
    "p(X) :- q(X), #count { R : does(R,take(X)) } = 0. add(N) :- N = #count { R,A : does(R,A) }.",
    "near(Q,A) :- does(R,A), left(R,Q). p(Q) :- near(Q,take(_)). p(x) :- player(R), not near(R,pass).",
    "kept(A) :- does(_,A). p(K) :- heap(K), not kept(move(K,1)), kept(move(1,K)). p(0) :- not kept(pass).",
    "part(K,m) :- does(_,move(K,_)). part(K,t) :- does(_,take(K)). part(9,pass). p(K) :- heap(K), not part(K,m).",
]
"""Rules about several kinds of action, whose consequences also hang on actions that are not done."""


@pytest.mark.parametrize("program", KINDS)
def test_an_action_of_one_kind_has_no_consequences_by_the_rules_for_another(program: str) -> None:
    kinds, joined, heads = _kinds(program, "take(K)", "move(A,B)", "pass")
    for role, number in product(ROLES, range(3)):
        for text in (("take(1)", "take(3)"), ("move(1,2)", "move(2,1)"), ("pass",))[number]:
            action = symbols.read_symbol(text)
            found = _derived(joined, heads, kinds[number].facts(role, action))
            assert found == _from_whole(program, heads, role, action), text
