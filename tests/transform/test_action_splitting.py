"""Rules with actions split into kind and arguments have the same verdicts as rules with whole actions."""

from __future__ import annotations

from itertools import product

import clingo
import pytest
from support.heap_game import FOLDER

from kaiser_logic.engine.grounding import EngineProgram, Grounding
from kaiser_logic.errors import NotDecided
from kaiser_logic.game import load
from kaiser_logic.lang.printed import Printed
from kaiser_logic.lang.printer import show, show_term
from kaiser_logic.lang.terms import Fun, Name, Var
from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.rules.predicates import ADD, DEL, VIOLATES
from kaiser_logic.rules.reader import read_term, rule_from
from kaiser_logic.rules.rule import top
from kaiser_logic.rules.rulebook import ActionKind
from kaiser_logic.transform.action_predicates import ActionPredicates
from kaiser_logic.transform.action_splitting import number_arguments, specialise
from kaiser_logic.transform.slicing import seeds

_DECLARATION = Printed("action(turn,take(K)).")
"""A declaration without conditions on the arguments."""


def _kind(action: str, index: int = 4) -> ActionKind:
    """A kind of action at the decision ``turn``."""
    return ActionKind(index, Name("turn"), read_term(action), _DECLARATION)


FACTS = """
heap(1..3). price(2). price(5). q(1..2). q(red,green). q(green,green). q(x). left(red,green). left(green,red). rich(green).
player((red;green)).
"""
ROLES = ("red", "green")


def _inner(term: clingo.Symbol) -> list[clingo.Symbol]:
    """The arguments of a function; none for a number or a string."""
    return term.arguments if term.type == clingo.SymbolType.Function else []


def _values(pattern: clingo.Symbol, action: clingo.Symbol) -> dict[int, clingo.Symbol] | None:
    """The arguments A_0, A_1, ... of an action by their numbers, or None where it is of another kind."""
    if str(pattern).startswith("a_"):
        return {int(pattern.name[2:]): action}
    if not _inner(pattern) or not action.match(pattern.name, len(pattern.arguments)):
        return {} if pattern == action else None
    found: dict[int, clingo.Symbol] = {}
    for inner, value in zip(pattern.arguments, action.arguments, strict=True):
        if (values := _values(inner, value)) is None:
            return None
        found |= values
    return found


def _parts(term: clingo.Symbol) -> set[clingo.Symbol]:
    """An action and the compound terms in it. A specialised predicate does not need to name these."""
    return {term}.union(*(_parts(x) for x in _inner(term) if _inner(x)))


def _derived(program: str, facts: list[str]) -> list[clingo.Symbol]:
    """The atoms of the answer set of a program with these facts; none if there is no answer set."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], FACTS + program + "".join(f" {fact}." for fact in facts))
    control.ground([("base", [])])
    with control.solve(yield_=True) as solving:  # type: ignore[union-attr]
        return [] if (model := solving.model()) is None else list(model.symbols(atoms=True))


def _as_written(program: str, heads: set[str], done: dict[str, str]) -> set[str]:
    """The atoms that the rules derive from the actions of the roles, without the parts of these actions."""
    facts = [f"{name}({role},{action})" for role, action in done.items() for name in ("does", "candidate")]
    parts = set().union(*(_parts(clingo.parse_term(action)) for action in done.values()))
    found = (s for s in _derived(program, facts) if s.name in heads)
    return {f"{s.name}{[str(x) for x in s.arguments if x not in parts]}" for s in found}


def _as_split(lines: list[str], heads: set[str], action: str, done: dict[str, str]) -> set[str]:
    """The same atoms, derived by the specialised rules."""
    pattern = clingo.parse_term(show_term(number_arguments(_kind(action))[0]).replace("A_", "a_"))
    facts: list[str] = []
    for role, chosen in done.items():
        values = _values(pattern, clingo.parse_term(chosen))
        assert values is not None
        facts += [f"does__0({role},4)", *(f"arg__0({role},4,{n},{value})" for n, value in values.items())]
    parts = set().union(*(_parts(clingo.parse_term(chosen)) for chosen in done.values()))
    found: set[str] = set()
    for symbol in _derived("\n".join(lines), facts):
        name = symbol.name.partition("__")[0]
        if name in heads and name not in ("does", "arg"):
            found.add(f"{name}{[str(x) for x in symbol.arguments if x not in parts]}")
    return found


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
def test_specialised_rules_derive_what_the_rules_derive(
    program: str, action: str, done: tuple[str, ...]
) -> None:
    rules = parse_rules(program)
    heads = {h.signature[0] for rule in rules for h in rule.heads}
    lines = [show(line) for _, line in specialise(rules, _kind(action), 0).rules]
    for role, chosen in product(ROLES, done):
        assert _as_split(lines, heads, action, {role: chosen}) == _as_written(program, heads, {role: chosen})


def test_most_programs_derive_something() -> None:
    """Exceptions are roles that differ from themselves, and actions of other kinds."""
    silent = []
    for program, _, done in PROGRAMS:
        heads = {h.signature[0] for rule in parse_rules(program) for h in rule.heads}
        if not any(_as_written(program, heads, {role: chosen}) for role, chosen in product(ROLES, done)):
            silent.append(program)
    assert len(silent) == 4


def test_predicates_that_depend_on_an_action_made_by_a_rule_carry_no_action() -> None:
    rules = parse_rules(
        "a(R,A) :- does(R,A). b(R,A) :- a(R,A). b(R,move(1)) :- does(R,move(_)). c(R,A) :- b(R,A). d(R,A) :- a(R,A)."
    )
    carriers = ActionPredicates(rules, read_term("move(A_0)"))
    carrying = {name for name, _ in carriers.parts} - {"submitted", "does", "candidate"}
    assert carrying == {"a", "d"}
    assert carriers.roles["a", 2] == 0


def test_counters_keep_terms_that_look_like_actions() -> None:
    program = "gain(X,1,V) :- does(_,take(X)), V = x. touched(X) :- gain(X,_,_)."
    carriers = ActionPredicates(parse_rules(program), read_term("take(heap(A_0))"))
    assert {name for name, _ in carriers.parts} == {"submitted", "does", "candidate"}


def test_arguments_of_a_kind_are_numbered() -> None:
    kind = ActionKind(0, read_term("answer(G)"), read_term("give(C,f(G,C))"), _DECLARATION)
    action, decision, count = number_arguments(kind)
    assert (show_term(action), show_term(decision), count) == ("give(A_0,f(A_1,A_0))", "answer(A_1)", 2)


# -- compared with whole actions -----------------------------------------------------------------------------


def _whole(game_facts: list[clingo.Symbol], amount: int) -> set[str]:
    """The verdicts and changes when green takes this amount, by the rules as they are written."""
    game = load(FOLDER, players=3)
    judged = game.evaluator.judge(frozenset(game_facts), {"green": clingo.parse_term(f"take({amount})")})
    violations = {f"violates {v}" for _, _, v in judged.violations}
    return violations | {f"add {f}" for f in judged.added} | {f"del {f}" for f in judged.deleted}


@pytest.mark.parametrize(("heap", "amount"), list(product((1, 2, 12), (1, 2, 3, 4))))
def test_specialised_rules_of_the_heap_game_have_the_same_verdicts(heap: int, amount: int) -> None:
    """The specialised rules get the kind and the argument, and derive what the rules derive from the action."""
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
    rules = [rule_from(rule) for _, rule in special.rules]
    given = [*facts, *(f for group in game.ruleset.static.values() for f in group)]
    given += [clingo.parse_term("does__0(green,0)"), clingo.parse_term(f"arg__0(green,0,0,{amount})")]
    inputs = frozenset((s.name, len(s.arguments)) for s in given)
    grounding = Grounding(EngineProgram(tuple(rules), inputs, ()), given)
    violations = {f"violates {s.arguments[1].string}" for s in grounding.get("violates__k0", 2)}
    changes = {f"{name} {s.arguments[0]}" for name in ("add", "del") for s in grounding.get(name, 1)}
    assert violations | changes == _whole(facts, amount)


def test_an_action_with_arguments_under_not_is_refused() -> None:
    """Split from its arguments, the action would stand for any action of its kind."""
    rules = parse_rules("add(poor(R)) :- player(R), not does(R,take(3)).")
    kind = ActionKind(0, Name("take"), Fun("take", (Var("K"),)), _DECLARATION)
    with pytest.raises(NotDecided, match="under 'not'"):
        specialise(rules, kind, 0)


def test_a_pool_of_atoms_with_and_without_the_action_is_refused() -> None:
    rules = parse_rules(
        "near(R,A) :- does(R,A). add(alone) :- does(R,take(K)), not near(R,take(K);R,take(K),1)."
    )
    with pytest.raises(NotDecided, match="a rule of its own"):
        specialise(rules, _kind("take(K)"), 0)


def test_simultaneous_actions_of_two_roles_stay_apart() -> None:
    rules = parse_rules("add(more) :- does(red,take(K)), does(R,take(J)), J > K, not does(red,take(3)).")
    kind = _kind("take(K)")
    with pytest.raises(NotDecided):
        specialise(rules, kind, 0, [kind])
    program = "add(more(R)) :- does(red,take(K)), does(R,take(J)), J > K."
    lines = [show(line) for _, line in specialise(parse_rules(program), kind, 0, [kind]).rules]
    for red, green in product(TAKES, TAKES):
        done = {"red": red, "green": green}
        found = _as_split(lines, {"add"}, "take(K)", done)
        assert (
            found == _as_written(program, {"add"}, done) == ({"add['more(green)']"} if green > red else set())
        )


@pytest.mark.parametrize(
    ("rule", "action", "expected"),
    [
        (
            'violates(R,hit(R),"self") :- candidate(R,hit(R)).',
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
            "add(calm(R)) :- candidate(R,hit(R)), not does(R,hit(R)).",
            "hit(Q)",
            "add(calm(A_0)) :- does__0(A_0,4); not does__0(A_0,4); arg__0(A_0,4,0,A_0).",
        ),
        # a role that stands as a constant in the action of another role
        (
            "add(x(R)) :- does(R,hit(red)), does(red,hit(R)).",
            "hit(Q)",
            "add(x(A_0_1)) :- does__0(A_0_1,4); does__0(red,4); arg__0(A_0_1,4,0,red); arg__0(red,4,0,A_0_1).",
        ),
    ],
)
def test_the_acting_role_may_be_an_argument(rule: str, action: str, expected: str) -> None:
    """The role is replaced wherever it stands. Several roles act at the same time."""
    kind = _kind(action)
    ((_, found),) = specialise(parse_rules(rule), kind, 0, [kind]).rules
    assert show(found) == expected
