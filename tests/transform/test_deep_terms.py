"""Terms are cut off at a depth, and two terms that are cut off are never taken to be equal."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import ENOUGH, variant

from kaiser_logic.engine import symbols
from kaiser_logic.game import load
from kaiser_logic.lang.unification import canonical, resolve_to_depth, unify
from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.rules.predicates import SUBMITTED
from kaiser_logic.rules.reader import read_term
from kaiser_logic.rules.rule import top
from kaiser_logic.transform.slicing import Slicer, seeds


def nested(term: str, depth: int) -> str:
    """A term inside so many functions."""
    return f"{'f(' * depth}{term}{')' * depth}"


@pytest.mark.parametrize("depth", [1, 5, 6, 7, 8, 12])
def test_terms_that_differ_below_the_cut_may_both_hold(depth: int) -> None:
    pair = f"pair({nested('a', depth)},{nested('b', depth)})"
    rules = parse_rules(f"add(x) :- submitted(_,go), {pair}. {pair} :- fl(1).")
    found = Slicer(rules, [SUBMITTED]).slice(seeds(actions=[read_term("go")]), [top("add", 1)])
    assert len(found) == 2


def test_each_cut_off_part_becomes_a_new_variable() -> None:
    deep = read_term(f"pair({nested('a', 7)},{nested('b', 7)})")
    (cut,) = canonical((resolve_to_depth(deep, {}),))
    assert unify(cut, read_term(f"pair({nested('c', 7)},{nested('d', 7)})"), {}) is not None


def test_a_term_is_never_part_of_itself() -> None:
    assert unify(read_term("pp(f(X),X)"), read_term("pp(Z,Z)"), {}) is None
    assert unify(read_term("pp(f(X),X,f(Y),Y)"), read_term("pp(Z,Z,W,W)"), {}) is None
    assert unify(read_term("pp(f(X),g(Y))"), read_term("pp(Y,X)"), {}) is None
    assert unify(read_term("pp(X,f(X))"), read_term("pp(Y,f(Y))"), {}) is not None


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
