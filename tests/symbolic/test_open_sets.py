"""Names that stand in for sets."""

from __future__ import annotations

import clingo
from support.opened import heap

from kaiser_logic.engine import symbols
from kaiser_logic.game import load
from kaiser_logic.symbolic.open_sets import Sets, opened

KRONE = load("krone", players=2)


def test_a_game_without_sets_is_left_as_it_is() -> None:
    rules = heap().ruleset
    assert opened(rules) is rules
    sets = Sets(rules)
    assert sets.unknown(0, False) == []
    assert sets.known([clingo.Function("none")]) == []


def test_rules_are_opened_once() -> None:
    assert opened(KRONE.ruleset) is opened(KRONE.ruleset)
    assert opened(KRONE.ruleset) is not KRONE.ruleset


def test_who_acts_together_names_sets_of_his_own() -> None:
    sets = Sets(opened(KRONE.ruleset))
    (together,), (alone,) = sets.unknown(1, True), sets.unknown(1, False)
    assert len(together) == len(alone) == 2
    assert len(set(together.values())) == 2
    assert len(set(alone.values())) == 1
    foreign = [s for s in sets.about([together]) if s.name == "foreign__"]
    assert len(foreign) == 2
    assert not [s for s in sets.about([alone]) if s.name == "foreign__"]


def test_real_sets() -> None:
    """Each thing once, in order, no more copies than there are."""
    sets = Sets(opened(KRONE.ruleset))
    first, second = sorted(sets.things, key=lambda thing: sets.things[thing])[:2]
    one = clingo.Number(1)
    both = sets.term({second: one, first: one})
    assert both.arguments[1] == first
    assert sets.real(both)
    assert sets.real(clingo.Function("none"))
    turned = clingo.Function(
        "with", [one, second, clingo.Function("with", [one, first, clingo.Function("none")])]
    )
    assert not sets.real(turned)
    assert not sets.real(sets.term({first: clingo.Number(1000)}))
    assert not sets.real(sets.term({first: clingo.Number(0)}))


def test_the_chosen_parts_stand_for_the_name() -> None:
    sets = Sets(opened(KRONE.ruleset))
    thing = next(iter(sets.things))
    action = ("f", "force", (("f", "set_of", (("c", "0"),)),))
    model = [clingo.Function("chosen", [symbols.read("set_of(0)"), thing, clingo.Number(2)])]
    read = sets.read(action, model)
    assert read == ("f", "force", (symbols.value_pattern(sets.term({thing: clingo.Number(2)})),))
    assert sets.read(action, []) == ("f", "force", (("c", "none"),))
