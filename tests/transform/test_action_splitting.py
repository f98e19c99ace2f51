"""Actions split into kind and arguments: the same verdicts as for whole actions."""

from __future__ import annotations

from itertools import product

import clingo
import pytest
from support.heap_game import FOLDER

from kaiser_logic.engine.grounding import Grounding, Program
from kaiser_logic.errors import NotDecided
from kaiser_logic.game import load
from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.rules.pattern import show
from kaiser_logic.rules.predicates import ADD, DEL, VIOLATES
from kaiser_logic.rules.reader import read_term
from kaiser_logic.rules.rule import top
from kaiser_logic.rules.rulebook import ActionKind
from kaiser_logic.transform.action_splitting import decisions_of, numbered, specialise
from kaiser_logic.transform.carriers import Carriers
from kaiser_logic.transform.slicing import seeds


def _kind(action: str, index: int = 4) -> ActionKind:
    return ActionKind(index, ("c", "turn"), read_term(action), "")


def _split(program: str, action: str) -> list[str]:
    """The specialised rules, without transition and kind, which are 0 and 4."""
    lines = [line for _, line in specialise(parse_rules(program), _kind(action), 0).lines]
    return [line.replace("__0", "").replace("__k4", "_k").replace("(R,4", "(R") for line in lines]


@pytest.mark.parametrize(
    ("rule", "action", "expected"),
    [
        # what is worked out says more than its pattern
        ("odd :- does(R,take(1..2)).", "take(K)", "odd :- does(R); take(A_0) = take((1..2)); arg(R,0,A_0)."),
        (
            "odd(N) :- does(R,take(N+1)), heap(N).",
            "take(K)",
            "odd(N) :- does(R); heap(N); take(A_0) = take((N+1)); arg(R,0,A_0).",
        ),
        ("odd :- does(R,(pass;take(1))).", "pass", "odd :- does(R); pass = (pass;take(1))."),
        (
            "odd :- does(R,(pass;take(1))).",
            "take(K)",
            "odd :- does(R); take(A_0) = (pass;take(1)); arg(R,0,A_0).",
        ),
        ("odd :- does((red;green),pass).", "pass", "odd :- does(Worked_0_,4); Worked_0_ = (red;green)."),
        # what the rule mentions comes from arg
        ("p(K) :- does(R,take(K)).", "take(K)", "p(A_0) :- does(R); arg(R,0,A_0)."),
        ("p(R) :- does(R,take(_)).", "take(K)", "p(R) :- does(R)."),
        ("p(R) :- does(R,take(3)).", "take(K)", "p(R) :- does(R); arg(R,0,3)."),
        ("p(R,X) :- does(R,move(X,X)).", "move(A,B)", "p(R,A_1) :- does(R); arg(R,0,A_1); arg(R,1,A_1)."),
        ("p(f(X)) :- does(R,buy(C,X)).", "buy(move,to(E))", "p(f(to(A_0))) :- does(R); arg(R,0,A_0)."),
        ("p(N+K) :- does(R,take(K)), q(N).", "take(K)", "p((N+A_0)) :- does(R); q(N); arg(R,0,A_0)."),
        # the acting role, where the rule does not name it
        (
            "p(K) :- does(_,take(K)).",
            "take(K)",
            "p(A_0) :- does(Role_,4); arg(Role_,4,0,A_0); does(Role_,4).",
        ),
        # one acts alone, whatever the rule calls him
        (
            "p(R) :- does(R,take(_)), does(Q,A), R != Q.",
            "take(K)",
            "p(R) :- does(R); does(R); R != Q; Q = R.",
        ),
        ("p(Q) :- does(R,A), q(R,Q), does(Q,A).", "pass", "p(Q) :- does(R); q(R,Q); does(R); Q = R."),
        ("p(Q) :- does(red,pass), does(Q,_).", "pass", "p(Q) :- does(red,4); does(red,4); Q = red."),
        # another kind of action
        ("p(R) :- does(R,pass).", "take(K)", None),
        ("p(R) :- does(R,buy(move,_)).", "buy(permit,X)", None),
        # nothing about the action
        ("p(X) :- q(X).", "take(K)", "p(X) :- q(X)."),
        # under not and in an aggregate
        ("p(R) :- question(R,A), not does(R,A).", "pass", "p(R) :- does(R); not does(R)."),
    ],
)
def test_one_rule(rule: str, action: str, expected: str | None) -> None:
    assert _split(rule, action) == ([] if expected is None else [expected])


def test_a_predicate_carries_the_action_through_its_rules() -> None:
    program = """
    wants(R,A,X) :- question(R,A), price(X).
    violates(R,A,"dear") :- wants(R,A,X), X > 3, not may(R,A).
    may(R,take(K)) :- question(R,take(K)), K < 2.
    """
    assert _split(program, "take(K)") == [
        "wants_k(R,X) :- does(R); price(X).",
        'violates_k(R,"dear") :- wants_k(R,X); X > 3; not may_k(R).',
        "may_k(R) :- does(R); A_0 < 2; arg(R,0,A_0).",
    ]


def test_a_compound_part_is_carried_too() -> None:
    program = "effect(R,E) :- does(R,buy(_,E)). gain(R,N,V) :- effect(R,money(N)), V = x."
    assert _split(program, "buy(C,money(N))") == [
        "effect_k(R) :- does(R).",
        "gain(R,A_1,V) :- effect_k(R); V = x; arg(R,1,A_1).",
    ]


def test_a_predicate_does_not_carry_what_one_of_its_rules_makes_itself() -> None:
    program = "goes(R,P) :- does(R,move(P)). goes(R,place(2)) :- does(R,move(_)). add(at(P)) :- goes(_,P)."
    assert _split(program, "move(place(N))") == [
        "goes(R,place(A_0)) :- does(R); arg(R,0,A_0).",
        "goes(R,place(2)) :- does(R).",
        "add(at(P)) :- goes(_,P).",
    ]


def test_retracting_what_a_rule_makes_retracts_what_follows() -> None:
    rules = parse_rules(
        "a(R,A) :- does(R,A). b(R,A) :- a(R,A). b(R,move(1)) :- does(R,move(_)). c(R,A) :- b(R,A). d(R,A) :- a(R,A)."
    )
    carriers = Carriers(rules, read_term("move(A_0)"))
    carrying = {name for name, _ in carriers.parts} - {"submitted", "does", "question"}
    assert carrying == {"a", "d"}
    assert carriers.roles["a", 2] == 0


def test_counters_keep_the_terms_that_look_like_actions() -> None:
    program = "gain(X,1,V) :- does(_,take(X)), V = x. touched(X) :- gain(X,_,_)."
    carriers = Carriers(parse_rules(program), read_term("take(heap(A_0))"))
    assert {name for name, _ in carriers.parts} == {"submitted", "does", "question"}


def test_kinds_with_numbered_arguments() -> None:
    kind = ActionKind(0, read_term("answer(G)"), read_term("give(C,f(G,C))"), "")
    action, decision, count = numbered(kind)
    assert (show(action), show(decision), count) == ("give(A_0,f(A_1,A_0))", "answer(A_1)", 2)
    assert [show(d) for d in decisions_of([kind, kind, _kind("pass")])] == ["answer(A_1)", "turn"]


# -- against whole actions ---------------------------------------------------------------------------------


def _whole(game_facts: list[clingo.Symbol], amount: int) -> set[str]:
    """The verdicts and changes when green takes so many, by the rules as they are written."""
    game = load(FOLDER, players=3)
    judged = game.evaluator.judge(frozenset(game_facts), {"green": clingo.parse_term(f"take({amount})")})
    violations = {f"violates {v}" for _, _, v in judged.violations}
    return violations | {f"add {f}" for f in judged.added} | {f"del {f}" for f in judged.deleted}


@pytest.mark.parametrize(("heap", "amount"), list(product((1, 2, 12), (1, 2, 3, 4))))
def test_the_heap_game_says_the_same(heap: int, amount: int) -> None:
    """The specialised rules, given kind and argument, derive what the rules derive of the action."""
    game = load(FOLDER, players=3)
    (kind,) = game.book.kinds
    facts = [
        clingo.parse_term(f)
        for f in ("seat(red,1)", "seat(green,2)", "seat(blue,3)", "phase(play)", f"heap({heap})", "took(red)")
    ] + [clingo.parse_term("decision(green,take)"), clingo.parse_term("taken(red,2)")]
    found = game.ruleset.judging.slice(
        seeds([kind.decision], (), [kind.action]), [top(*s) for s in (VIOLATES, ADD, DEL)]
    )
    special = specialise(found, kind, 0)
    rules = parse_rules("\n".join(line for _, line in special.lines))
    given = [*facts, *(f for group in game.ruleset.static.values() for f in group)]
    given += [clingo.parse_term("does__0(green,0)"), clingo.parse_term(f"arg__0(green,0,0,{amount})")]
    inputs = frozenset((s.name, len(s.arguments)) for s in given)
    grounding = Grounding(Program(tuple(rules), inputs, ()), given)
    violations = {f"violates {s.arguments[1].string}" for s in grounding.get("violates__k0", 2)}
    changes = {f"{name} {s.arguments[0]}" for name in ("add", "del") for s in grounding.get(name, 1)}
    assert violations | changes == _whole(facts, amount)
    assert special.violations == ("violates__k0__0(_,_)",)


def test_what_is_asked_under_not_of_another_action_keeps_the_action() -> None:
    """``enough(R,take(3))`` is about three stones, whatever is taken."""
    rules = parse_rules(
        "enough(R,take(K)) :- question(R,take(K)), heap(N), K <= N.\n"
        "add(poor(R)) :- does(R,take(_)), not enough(R,take(3))."
    )
    kind = ActionKind(0, ("c", "take"), ("f", "take", (("v", "K"),)), "")
    lines = [line for _, line in specialise(rules, kind, 0).lines]
    assert "not enough(R,take(3))" in lines[1]
    assert lines[0].startswith("enough(R,take(A_0)) :- ")


def test_what_somebody_does_cannot_be_asked_under_not() -> None:
    """The action is split there: without its arguments it would be any."""
    rules = parse_rules("add(poor(R)) :- player(R), not does(R,take(3)).")
    kind = ActionKind(0, ("c", "take"), ("f", "take", (("v", "K"),)), "")
    with pytest.raises(NotDecided, match="under 'not'"):
        specialise(rules, kind, 0)


def test_who_is_said_may_be_another_than_who_acts() -> None:
    """Where one rule says who acts and another one who sits left of him, the action's arguments are the actor's."""
    rules = """near(Q,A) :- does(R,A), left(R,Q).
        near(R,A) :- does(R,A), rich(R).
        add(good(Q,K)) :- near(Q,take(K))."""
    (line,) = (x for x in _split(rules, "take(K)") if x.startswith("add"))
    assert line == "add(good(Q,A_0)) :- near_k(Q); arg(Role_,4,0,A_0); does(Role_,4)."


def test_actions_of_two_who_act_together_are_two() -> None:
    rules = parse_rules("add(more) :- does(red,take(K)), does(R,take(J)), J > K, not does(red,take(3)).")
    kind = _kind("take(K)")
    with pytest.raises(NotDecided):
        specialise(rules, kind, 0, [kind])
    (rule,) = parse_rules("add(more) :- does(red,take(K)), does(R,take(J)), J > K.")
    ((_, line),) = specialise([rule], kind, 0, [kind]).lines
    assert line == (
        "add(more) :- does__0(red,4); does__0(R,4); A_0_1 > A_0; arg__0(red,4,0,A_0); arg__0(R,4,0,A_0_1)."
    )


@pytest.mark.parametrize(
    ("rule", "action", "expected"),
    [
        (
            'violates(R,hit(R),"self") :- question(R,hit(R)).',
            "hit(Q)",
            'violates__k4(A_0,"self") :- does__0(A_0,4); arg__0(A_0,4,0,A_0).',
        ),
        (
            "add(war(R)) :- does(R,hit(Q)), does(Q,hit(R)).",
            "hit(Q)",
            "add(war(A_0_1)) :- does__0(A_0_1,4); does__0(A_0,4); arg__0(A_0_1,4,0,A_0); arg__0(A_0,4,0,A_0_1).",
        ),
        (
            "add(pact(R)) :- does(R,deal(both(R,Q),_)).",
            "deal(both(A,B),C)",
            "add(pact(A_0)) :- does__0(A_0,4); arg__0(A_0,4,0,A_0).",
        ),
        (
            "add(pact(R)) :- does(R,give(Q,R)), does(Q,give(R,Q)), not mark(R), #count { S : tie(R,S) } > 1.",
            "give(A,B)",
            "add(pact(A_0_1)) :- does__0(A_0_1,4); does__0(A_1_1,4); not mark(A_0_1); "
            "1 < #count { S: tie(A_0_1,S) }; arg__0(A_0_1,4,0,A_1_1); arg__0(A_0_1,4,1,A_0_1); "
            "arg__0(A_1_1,4,0,A_0_1); arg__0(A_1_1,4,1,A_1_1).",
        ),
        (
            "add(calm(R)) :- question(R,hit(R)), not does(R,hit(R)).",
            "hit(Q)",
            "add(calm(A_0)) :- does__0(A_0,4); not does__0(A_0,4); arg__0(A_0,4,0,A_0).",
        ),
        # of a role that is an argument as it stands in another's action
        (
            "add(x(R)) :- does(R,hit(red)), does(red,hit(R)).",
            "hit(Q)",
            "add(x(A_0_1)) :- does__0(A_0_1,4); does__0(red,4); arg__0(A_0_1,4,0,red); arg__0(red,4,0,A_0_1).",
        ),
    ],
)
def test_the_acting_role_may_be_an_argument(rule: str, action: str, expected: str) -> None:
    """It is replaced wherever it stands, where several act at the same time."""
    kind = _kind(action)
    ((_, line),) = specialise(parse_rules(rule), kind, 0, [kind]).lines
    assert line == expected


def test_another_name_for_the_role_is_replaced_too_where_one_acts() -> None:
    assert _split("p(Q) :- does(R,hit(Q)), does(Q,A).", "hit(Q)") == [
        "p(A_0) :- does(R); does(R); arg(R,0,A_0); A_0 = R."
    ]
