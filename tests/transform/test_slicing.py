"""A slice has the rules that a question needs, and no others: tested on the heap game and on invented rules."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest
from support.heap_game import ENOUGH, FOLDER, variant

from kaiser_logic.engine import symbols
from kaiser_logic.game import Game, load
from kaiser_logic.lang.terms import Fun, Name, Signature, Term, Var
from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.rules.predicates import ADD, DECISION, DEL, DUE, SUBMITTED, VIOLATES
from kaiser_logic.rules.reader import read_term, rule_of
from kaiser_logic.rules.rule import PlacedRule, top
from kaiser_logic.transform.slicing import Slicer, seeds

SEEDS = (SUBMITTED, DUE, DECISION)
TAKE = read_term("take(K)")


def _cut(
    rules: Iterable[PlacedRule], outputs: str, actions: Iterable[Term] = (), **more: Iterable[Term]
) -> list[str]:
    """The rules of the slice for these outputs and seeds."""
    wanted = [rule_of(f"{output}.").heads[0] for output in outputs.split()]
    found = Slicer(list(rules), SEEDS).slice(seeds(actions=actions, **more), wanted)
    return [rule.text for rule in found]


PROGRAM = """
does(R,A) :- submitted(R,A).
takes(R,K) :- does(R,take(K)).
passes(R) :- does(R,pass).
add(last(R)) :- takes(R,_).
add(rest(R)) :- passes(R).
add(heap(N)) :- takes(R,K), size(N).
size(N) :- heap(N).
goal(R) :- last(R).
add(over) :- due(end), not open.
open :- heap(1).
"""


def test_forward_slicing_keeps_only_rules_that_can_fire() -> None:
    assert _cut(parse_rules(PROGRAM), "add(F)", [TAKE]) == [
        "does(R,A) :- submitted(R,A).",
        "takes(R,K) :- does(R,take(K)).",
        "add(last(R)) :- takes(R,_).",
        "add(heap(N)) :- takes(R,K); size(N).",
        "size(N) :- heap(N).",
    ]


def test_backward_slicing_keeps_only_rules_that_are_needed() -> None:
    assert _cut(parse_rules(PROGRAM), "add(last(X))", [TAKE]) == [
        "does(R,A) :- submitted(R,A).",
        "takes(R,K) :- does(R,take(K)).",
        "add(last(R)) :- takes(R,_).",
    ]
    assert _cut(parse_rules(PROGRAM), "goal(R)", [TAKE]) == ["goal(R) :- last(R)."]


def test_rules_of_a_negated_atom_are_needed() -> None:
    assert _cut(parse_rules(PROGRAM), "add(F)", steps=[Name("end")]) == [
        "add(over) :- due(end); not open.",
        "open :- heap(1).",
    ]


def test_bindings_pass_through_joins() -> None:
    rules = parse_rules(
        "p(X,Y) :- submitted(R,f(X,Y)). q(a) :- p(a,_). q(b) :- p(b,_). r(X) :- q(X), p(X,c). s :- r(b)."
    )
    assert _cut(rules, "s", [read_term("f(a,Y)")]) == []
    assert _cut(rules, "s", [read_term("f(b,d)")]) == []
    assert len(_cut(rules, "s", [read_term("f(b,Y)")])) == 4


def test_patterns_that_grow_without_end_are_cut_off() -> None:
    """This may only widen the slice."""
    rules = parse_rules(
        "n(f(X)) :- submitted(_,X). n(f(X)) :- n(X). wanted :- n(f(f(f(f(a))))). other :- n(g)."
    )
    assert "wanted :- n(f(f(f(f(a)))))." in _cut(rules, "wanted", [Name("a")])


def test_rules_of_a_pool_in_a_body_are_needed_and_the_pool_narrows_nothing() -> None:
    rules = parse_rules("add(x) :- submitted(_,_), phase(a;b). phase(P) :- at(P). add(y) :- due(a;b).")
    assert _cut(rules, "add(F)", [TAKE]) == [
        "add(x) :- submitted(_,_); phase(a;b).",
        "phase(P) :- at(P).",
        "add(y) :- due(a;b).",
    ]


def test_the_acting_role_is_independent_of_variables_in_the_action() -> None:
    rules = parse_rules("add(x) :- submitted(red,call(green)). add(y) :- decision(red,call(green)).")
    for name in ("R", "Role"):
        call: Term = Fun("call", (Var(name),))
        assert (
            len(Slicer(rules, [SUBMITTED, DECISION]).slice(seeds([call], (), [call]), [top("add", 1)])) == 2
        )


# -- carriers ------------------------------------------------------------------------------------------------


def _heap(folder: Path) -> Game:
    """The heap game, or a variant, for three players."""
    return load(folder, players=3)


def _slice(
    game: Game, actions: Iterable[Term], outputs: Iterable[Signature], **more: list[Term]
) -> list[str]:
    """The rules of a slice of the game."""
    found = game.ruleset.judging.slice(seeds(actions=actions, **more), [top(*o) for o in outputs])
    return [rule.text for rule in found]


def test_slices_of_the_heap_game_have_only_the_rules_of_their_question() -> None:
    game = _heap(FOLDER)
    judged = _slice(game, [TAKE], [VIOLATES, ADD, DEL], decisions=[Name("take")])
    assert (
        'violates(R,take(K),"take.enough") :- candidate(R,take(K)); heap(N); not holds_at_least(K).' in judged
    )
    assert not [
        r for r in judged if "due(pass_on);" in r or r.startswith(("broken", "goal", "candidate(R,take"))
    ]
    due = _slice(game, [], [ADD, DEL], steps=[Name("pass_on")])
    assert "enter(over) :- due(pass_on); not holds_at_least(1)." in due
    assert not [r for r in due if "does(" in r or "submitted" in r]


@pytest.mark.slow
def test_earlier_slices_do_not_change_later_ones() -> None:
    """A slicer caches which patterns the rules derive. Its slices equal those of a new slicer."""
    rules = load("kaiser").evaluator.ruleset
    kinds = rules.book.kinds[::5]
    wanted = [top(*VIOLATES), top(*ADD), top(*DEL)]
    starts = [seeds(None, (), [kind.action]) for kind in kinds]
    starts += [seeds(None, (), [one.action, other.action]) for one, other in pairwise(kinds)]
    shared = Slicer(rules.judging.rules, SEEDS)
    for start in (*starts, *reversed(starts)):
        alone = Slicer(rules.judging.rules, SEEDS)
        assert shared.slice(start, wanted) == alone.slice(start, wanted)


FITTING = """
candidate(R,buy(X)) :- decision(R,turn); offer(X).
candidate(R,pass) :- decision(R,turn).
wants(R,buy(X),X) :- candidate(R,buy(X)).
unfit(R,X) :- wants(R,_,X); worn(X).
violates(R,A,"buy") :- wants(R,A,X); unfit(R,X).
violates(R,A,"late") :- candidate(R,A); hour(N); N > 9.
legal(R,A) :- candidate(R,A); not violates(R,A,_).
"""
"""Rules that ask more of buying than of passing."""


def test_rules_about_another_kind_of_action_are_left_out() -> None:
    found = _cut(parse_rules(FITTING), "legal(R,pass)", decisions=[read_term("turn")])
    assert [text.partition(" :- ")[0] for text in found] == [
        "candidate(R,pass)",
        'violates(R,A,"late")',
        "legal(R,A)",
    ]
    assert len(_cut(parse_rules(FITTING), "legal(R,buy(X))", decisions=[read_term("turn")])) == 6
    assert len(_cut(parse_rules(FITTING), "legal(R,A)", decisions=[read_term("turn")])) == 7


def test_rules_of_actions_at_another_decision_are_left_out() -> None:
    """A rule that forbids an action elsewhere is not part of the slice, so a change of it leaves the proofs valid."""
    lines = [f"candidate(R,put{n}(K)) :- decision(R,take), amount(K)." for n in range(40)]
    elsewhere = 'violates(R,rest(K),"rest") :- candidate(R,rest(K)), tired(R).'
    rules = parse_rules("\n".join([*lines, "candidate(R,rest(K)) :- decision(R,lie), amount(K).", elsewhere]))
    slicer = Slicer(rules, SEEDS)
    cut = slicer.slice(
        seeds([read_term("take")], (), [read_term("put7(K)")]), [top(*VIOLATES), top("candidate", 2)]
    )
    assert {rule.text for rule in cut} == {rule.text for rule in rules[:40]}


# Terms are cut off at a depth, and two terms that are cut off are never taken to be equal.
def nested(term: str, depth: int) -> str:
    """A term inside so many functions."""
    return f"{'f(' * depth}{term}{')' * depth}"


@pytest.mark.parametrize("depth", [1, 5, 6, 7, 8, 12])
def test_terms_that_differ_below_the_cut_may_both_hold(depth: int) -> None:
    pair = f"pair({nested('a', depth)},{nested('b', depth)})"
    rules = parse_rules(f"add(x) :- submitted(_,go), {pair}. {pair} :- fl(1).")
    found = Slicer(rules, [SUBMITTED]).slice(seeds(actions=[read_term("go")]), [top("add", 1)])
    assert len(found) == 2


def test_a_rule_about_deep_terms_forbids_an_action(tmp_path: Path) -> None:
    pair = f"pair({nested('a', 7)},{nested('b', 7)})"
    more = f'{pair} :- heap(2).\nviolates(R,take(2),"take.enough") :- candidate(R,take(2)), {pair}.'
    game = load(variant(tmp_path, {ENOUGH: f"{ENOUGH}\n{more}", "init(heap(12)).": "init(heap(2))."}))
    assert [str(action) for _, action in game.evaluator.legal(game.evaluator.initial())] == ["take(1)"]


def test_a_rule_that_needs_a_cyclic_term_never_holds_and_is_compared_with_facts(tmp_path: Path) -> None:
    more = (
        "pp(f(X),X,f(Y),Y,U,U) :- amount(X), heap(Y), heap(U).\npp(0,0,0,0,0,0) :- heap(2).\n"
        'violates(R,take(2),"take.enough") :- candidate(R,take(2)), pp(Z,Z,W,W,Z,W).'
    )
    game = load(variant(tmp_path, {ENOUGH: f"{ENOUGH}\n{more}", "init(heap(12)).": "init(heap(2))."}))
    assert [str(action) for _, action in game.evaluator.legal(game.evaluator.initial())] == ["take(1)"]


def test_a_rulebook_may_ask_whether_an_action_is_declared(tmp_path: Path) -> None:
    more = 'violates(R,take(2),"take.enough") :- candidate(R,take(2)), declared(R,take(2)), heap(2).'
    game = load(variant(tmp_path, {ENOUGH: f"{ENOUGH}\n{more}", "init(heap(12)).": "init(heap(2))."}))
    judged = game.evaluator.judge(game.evaluator.initial(), {"red": symbols.read_symbol("take(2)")})
    assert [rule for _, _, rule in judged.violations] == ["take.enough"]


@pytest.mark.parametrize("name", ["engine", "engine_heap", "generated"])
def test_the_name_of_a_folder_makes_no_difference(tmp_path: Path, name: str) -> None:
    plain = variant(tmp_path, {"init(heap(12)).": "init(heap(2))."})
    usual = load(plain)
    found = load(plain.rename(tmp_path / name))
    for game in (usual, found):
        facts = game.evaluator.initial()
        legal = sorted(str(action) for _, action in game.evaluator.legal(facts))
        assert legal == ["take(1)", "take(2)"]
        for role, action in game.evaluator.legal(facts):
            assert not game.evaluator.judge(facts, {role: action}).violations
