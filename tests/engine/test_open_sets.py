"""Open positions use names in the place of sets of things."""

from __future__ import annotations

import clingo
from support.opened import heap

from kaiser_logic.engine.open_sets import Sets, with_open_sets
from kaiser_logic.game import load

KRONE = load("krone", players=2)


def test_a_game_without_sets_is_unchanged() -> None:
    rules = heap().ruleset
    assert with_open_sets(rules) is rules


def test_rules_are_converted_once() -> None:
    assert with_open_sets(KRONE.ruleset) is with_open_sets(KRONE.ruleset)
    assert with_open_sets(KRONE.ruleset) is not KRONE.ruleset


def test_only_real_sets_are_accepted() -> None:
    """A real set names each thing once, in order, with at most as many copies as there are."""
    sets = Sets(with_open_sets(KRONE.ruleset))
    first, second = sorted(sets.things, key=lambda thing: sets.things[thing])[:2]
    one = clingo.Number(1)
    both = sets.term({second: one, first: one})
    assert both.arguments[1] == first
    assert sets.real(both)
    assert sets.real(clingo.Function("none"))
    reversed_ = clingo.Function(
        "with", [one, second, clingo.Function("with", [one, first, clingo.Function("none")])]
    )
    assert not sets.real(reversed_)
    assert not sets.real(sets.term({first: clingo.Number(1000)}))
    assert not sets.real(sets.term({first: clingo.Number(0)}))
