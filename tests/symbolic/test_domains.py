"""The sorts of an open position."""

from __future__ import annotations

from pathlib import Path

import clingo
from support.opened import changed, heap

from kaiser_logic.engine import symbols
from kaiser_logic.symbolic.domains import Domains, argument_domains, bound_of, domains, kind_actions
from kaiser_logic.transform.action_splitting import specialise

RULES = heap().ruleset


def texts(found: tuple[clingo.Symbol, ...]) -> set[str]:
    return set(map(symbols.text, found))


def test_fluents_are_those_of_the_vocabulary() -> None:
    found = texts(domains(RULES).fluents)
    assert {"heap(0)", "heap(12)", "taken(red,1)", "phase(over)", "seat(red,1)"} <= found
    assert not {"heap(13)", "taken(red,0)", "took(blue)"} & found


def test_the_largest_value_of_each_counter() -> None:
    assert texts(domains(RULES).most) == {
        *("most(heap,12)", "most(taken(red),12)", "most(taken(green),12)"),
        *("reach__(heap,12)", "reach__(taken(red),12)", "reach__(taken(green),12)"),
    }


def test_what_one_of_each_counter_weighs() -> None:
    assert texts(domains(RULES).measures) == {
        f"measure(stones,{c},1)" for c in ("heap", "taken(red)", "taken(green)")
    }


def test_numbers_without_a_limit_run_up_to_the_bound(tmp_path: Path) -> None:
    """What can be added is wider, so that a proof notices what leaves the vocabulary."""
    game = changed(
        tmp_path,
        {
            "counted(taken,2).": "counted(taken,2). counted(score,2). fluent(score(R,N)) :- player(R), number(N)."
        },
    )
    found = domains(game.ruleset)
    bound = bound_of(game.book)
    assert f"score(red,{bound})" in texts(found.fluents)
    assert f"score(red,{bound + 1})" not in texts(found.fluents)
    assert f"score(red,{bound + 1})" in texts(found.wide)
    assert {"endless(score(red))", "endless(score(green))"} <= texts(found.most)
    assert "score(red,9)" in texts(domains(game.ruleset, 9).fluents)


def test_a_position_has_one_value_of_each_counter() -> None:
    rules = set(domains(RULES).choices(RULES.book, [("c", "take")]))
    assert "1 { heap(X1) : fluent(heap(X1)) } 1 :- fluent(heap(_))." in rules  # stated, also where it is 0
    assert "{ taken(X1,X2) : fluent(taken(X1,X2)) } 1 :- fluent(taken(X1,_))." in rules
    assert "{ decision(Role_,take) : fluent(decision(Role_,take)) }." in rules
    assert not any("due" in rule for rule in rules)


def test_something_is_due_where_steps_are_given() -> None:
    rules = list(Domains((), (), (), ()).choices(RULES.book, (), [("c", "pass_on")]))
    assert rules == ["{ due(pass_on) : step(pass_on) }.", ":- not due(_)."]


def test_the_actions_of_a_kind_and_the_values_of_its_arguments() -> None:
    (kind,) = RULES.book.kinds
    assert list(map(symbols.text, kind_actions(RULES, kind))) == ["take(1)", "take(2)", "take(3)"]
    (values,) = argument_domains(RULES, specialise((), kind, 0))
    assert values == [clingo.Number(n) for n in (1, 2, 3)]
