"""compare: every ruling on which two editions differ, with a position and a move."""

from __future__ import annotations

import pytest
from support.limits import NO_END
from support.opened import heap

from kaiser_logic.comparison.compare import compare
from kaiser_logic.errors import WrongUsage
from kaiser_logic.game import load


@pytest.mark.slow
def test_dutch_and_italian() -> None:
    first, second = load("kaiser", edition="nl"), load("kaiser", edition="it")
    found = {d.ruling.name: d for d in compare(first, second, timeout=NO_END)}
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


def test_a_ruling_of_the_heap_game() -> None:
    (difference,) = compare(heap(), heap(last_stone="loses"), timeout=NO_END)
    assert (difference.ruling.name, difference.values) == ("last_stone", ("wins", "loses"))
    assert difference.how == "result"
    assert difference.record is not None
    assert "red won" in difference.words and "green won" in difference.words


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_of_several_scenarios_the_first_one_counts(workers: int) -> None:
    """However many are looked at together: an action of its own before what steps do later."""
    first = load("krone", players=2)
    ruling = next(r for r in first.book.rulings.values() if r.name == "replacement")
    other = next(v for v in ruling.values if v != first.options[ruling.name])
    second = load("krone", players=2, options={ruling.name: other})
    (difference,) = compare(first, second, timeout=NO_END, workers=workers)
    assert difference.position is not None
    assert difference.complete


def test_no_time_is_no_answer() -> None:
    (difference,) = compare(heap(), heap(last_stone="loses"), timeout=0.0)
    assert not difference.complete
    assert difference.position is None


def test_one_edition_with_itself() -> None:
    assert compare(load("kaiser"), load("kaiser")) == []


def test_other_seats_cannot_be_compared() -> None:
    with pytest.raises(WrongUsage):
        compare(load("kaiser"), load("kaiser", players=3))
