"""compare: every ruling on which two editions differ, with a position and a move."""

from __future__ import annotations

import pytest

from kaiser_logic.comparison.compare import compare
from kaiser_logic.errors import WrongUsage
from kaiser_logic.game import load


def test_dutch_and_italian() -> None:
    first, second = load("kaiser", edition="nl"), load("kaiser", edition="it")
    found = {d.ruling.name: d for d in compare(first, second, timeout=200)}
    assert set(found) == {
        "throne_from_electors",
        "archbishop_marriage",
        "childless_without_cards",
        "convent_by_choice",
    }
    for name, difference in found.items():
        assert difference.position is not None, name
        facts, actions = difference.position.facts, dict(difference.actions)
        changed = load("kaiser", edition="nl", options={name: second.options[name]})
        here, there = first.position(facts), changed.position(facts)
        legal = [all(p.is_legal(r, a) for r, a in actions.items()) for p in (here, there)]
        if difference.how == "legality":
            assert legal[0] != legal[1]
        else:
            assert legal == [True, True]
            assert here.apply(actions) != there.apply(actions)


def test_one_edition_with_itself() -> None:
    assert compare(load("kaiser"), load("kaiser")) == []


def test_other_seats_cannot_be_compared() -> None:
    with pytest.raises(WrongUsage):
        compare(load("kaiser"), load("kaiser", players=3))
