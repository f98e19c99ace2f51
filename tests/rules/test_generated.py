"""Declarations of a rulebook become rules, and these are written as clingo prints them."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import FOLDER
from support.opened import changed_book

from kaiser_logic import clingo
from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.lang.printer import show
from kaiser_logic.lang.terms import Fun, Int, Name, Var
from kaiser_logic.rules.generated import (
    all_rules,
    among_given,
    counter_rules,
    decision_rules,
    rules_for_fact,
    total_rules,
    unit_rules,
)
from kaiser_logic.rules.loader import games, parse_rules, read_rulebook, rulebook
from kaiser_logic.rules.rulebook import Rulebook

HEAP = read_rulebook(FOLDER)


def _with(folder: Path, declaration: str) -> Rulebook:
    """The rulebook of the heap game with one more declaration."""
    return changed_book(folder, {"counted(taken,2).": f"counted(taken,2). {declaration}"})


def test_counters_become_rules_of_change() -> None:
    """A counter that states zero has a fact at zero too. Any other counter has none."""
    assert list(map(show, counter_rules(HEAP))) == [
        "del(heap(N)) :- change(heap,D); D != 0; heap(N).",
        "add(heap((N+D))) :- change(heap,D); D != 0; heap(N); (N+D) >= 0.",
        "broken(count,heap) :- heap(N); heap(M); N < M.",
        "del(taken(X1,N)) :- change(taken(X1),D); D != 0; taken(X1,N).",
        "add(taken(X1,(N+D))) :- change(taken(X1),D); D != 0; taken(X1,N); (N+D) > 0.",
        "add(taken(X1,D)) :- change(taken(X1),D); D > 0; not taken(X1,_).",
        "broken(count,taken(X1)) :- taken(X1,N); taken(X1,M); N < M.",
    ]


def test_a_signed_counter_has_no_least_value(tmp_path: Path) -> None:
    rules = set(map(show, counter_rules(_with(tmp_path, "signed(debt,2)."))))
    assert "add(debt(X1,(N+D))) :- change(debt(X1),D); D != 0; debt(X1,N)." in rules


VOCABULARY = """
    fluent(seat(R,I))              :- seat(R,I).
    fluent(hand(R,C,1..N))         :- player(R), copies(C,N).
    fluent(decision(R,a;R,b))      :- player(R).
    fluent(over).
    player(R)                      :- seat(R,_).
"""


def test_a_vocabulary_can_be_asked_only_about_given_facts() -> None:
    assert [rule.text for rule in among_given(parse_rules(VOCABULARY))] == [
        "fluent(seat(R,I)) :- holds(seat(R,I)); seat(R,I).",
        "fluent(hand(R,C,V1)) :- holds(hand(R,C,V1)); player(R); copies(C,N); V1 = (1..N).",
        "fluent(decision(R,a)) :- holds(decision(R,a)); player(R).",
        "fluent(decision(R,b)) :- holds(decision(R,b)); player(R).",
        "fluent(over) :- holds(over).",
        "player(R) :- seat(R,V1).",
    ]


def test_a_vocabulary_can_be_narrowed_to_facts_of_one_pattern() -> None:
    hand = Fun("hand", (Name("red"), Var("_W"), Int(2)))
    assert [rule.text for rule in rules_for_fact(parse_rules(VOCABULARY), hand)] == [
        "fluent(hand(red,C,(1..N))) :- player(red); copies(C,N).",
        "player(R) :- seat(R,_).",
    ]


def test_units_become_rules_of_gain_and_loss(tmp_path: Path) -> None:
    assert list(map(show, unit_rules(HEAP))) == []
    assert list(map(show, unit_rules(_with(tmp_path, "unit(last,1;flag,0).")))) == [
        "del(flag) :- lose(flag,_,_).",
        "add(flag) :- gain(flag,_,_).",
        "del(last(X1)) :- lose(last(X1),_,_).",
        "add(last(X1)) :- gain(last(X1),_,_).",
    ]


def test_limits_and_ranges_become_sums(tmp_path: Path) -> None:
    more = _with(tmp_path, "range(taken(R),0,12) :- player(R).")
    assert list(map(show, total_rules(more))) == [
        "total(stones,N_) :- limit(stones,_,_); N_ = #sum { W_,X_: counts(stones,X_,W_) }.",
        "total(taken(R),N_) :- range(taken(R),_,_); N_ = #sum { W_,X_: counts(taken(R),X_,W_) }.",
    ]


def test_declared_actions_become_rules_of_decisions(tmp_path: Path) -> None:
    """Another decision of the same kind gets variables of its own."""
    more = _with(tmp_path, "action(answer(G),accept(G)).")
    assert list(map(show, decision_rules(more)))[:5] == [
        "declared(Role_,accept(G)) :- submitted(Role_,accept(G)).",
        "offered(Role_,accept(G)) :- submitted(Role_,accept(G)); decision(Role_,answer(G)).",
        "made(Role_,answer(G)) :- does(Role_,accept(G)); decision(Role_,answer(G)).",
        "guard(Role_,accept(G),Rule_) :- submitted(Role_,accept(G)); out_of_turn(answer(G),Rule_).",
        "pending(Role_,accept(G),Rule_) :- guard(Role_,accept(G),Rule_); "
        "decision(_,answer(G1)); out_of_turn(answer(G1),Rule_).",
    ]


def test_conditions_of_a_declared_action_stand_in_its_rule() -> None:
    assert (
        show(next(decision_rules(HEAP))) == "declared(Role_,take(K)) :- submitted(Role_,take(K)); amount(K)."
    )


def test_all_rules_have_each_rule_of_the_rulebook_the_engine_and_the_declarations() -> None:
    rules = all_rules(HEAP)
    assert rules[: len(HEAP.rules)] == HEAP.rules
    files = {r.file for r in rules} - {r.file for r in HEAP.rules}
    assert files == {*(f"engine/{n}.lp" for n in ("legal", "judge", "change", "position")), "generated"}
    texts = [r.text for r in rules if r.file == "generated"]
    assert len(texts) == len(set(texts))
    for text in (*counter_rules(HEAP), *total_rules(HEAP), *decision_rules(HEAP)):
        (rule,) = parse_rules(show(text))
        assert rule.text in texts


@pytest.mark.parametrize("game", games())
def test_generated_rules_are_written_as_clingo_prints_them(game: str) -> None:
    rules = [rule for rule in all_rules(rulebook(game)) if rule.file == "generated"]
    again = parse_rules("\n".join(rule.text for rule in rules), "generated")
    assert [(r.text, r.line) for r in rules] == [(r.text, r.line) for r in again]
    assert [r.atoms for r in rules] == [r.atoms for r in again]
    assert [str(clingo.tree(rule.text)) for rule in rules] == [rule.text for rule in rules]


def test_a_declaration_that_makes_an_unsafe_rule_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FaultyRulebook):
        all_rules(_with(tmp_path, "action(answer,accept(_))."))
