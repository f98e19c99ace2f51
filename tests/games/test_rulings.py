"""``compare`` finds a difference for each ruling of staufer and vive, and the independent implementation confirms it."""

import pytest
from oracles import staufer, vive
from support.independent import independent
from support.limits import NO_END

from kaiser_logic.comparison.compare import compare
from kaiser_logic.comparison.differences import Difference
from kaiser_logic.game import load

RULINGS = {"staufer": staufer.Staufer.RULINGS, "vive": vive.Vive.RULINGS}
LONG = {"cheap_noble_seat", "noble_pays", "first_chest", "empty_pile", "exchanges"}
OTHERS = [
    pytest.param(name, ruling, value, marks=pytest.mark.long if ruling in LONG else ())
    for name, rulings in RULINGS.items()
    for ruling, values in rulings.items()
    for value in values[1:]
]


@pytest.mark.slow
@pytest.mark.by_hand
@pytest.mark.parametrize(("name", "ruling", "other"), OTHERS)
def test_each_ruling_has_a_position_with_a_difference(name, ruling, other):
    players = 2 if name == "staufer" else 3
    first, second = load(name, players=players), load(name, players=players, options={ruling: other})
    (difference,) = compare(first, second, timeout=NO_END, workers=1)
    assert difference.position is not None, difference.words
    assert not difference.position.broken_invariants()
    one, two = (consequence(difference, name, ruling, value) for value in difference.values)
    assert one != two


def consequence(difference: Difference, name: str, ruling: str, value: str) -> object:
    """The verdict, successor or result in the independent implementation, at the position of a difference."""
    assert difference.position is not None
    facts = difference.position.facts
    seats = sum(fact.startswith("seat(") for fact in facts)
    oracle = independent(load(name, players=seats, options={ruling: value}).position(facts))
    actions = dict(difference.actions)
    if not actions:
        return oracle.result()
    if not all(action in oracle.legal().get(role, ()) for role, action in actions.items()):
        return "illegal"
    if difference.how == "legality" or set(actions) != set(oracle.legal()):  # one of several who decide
        return "legal"
    oracle.apply(actions)
    return oracle.facts()


@pytest.mark.parametrize("name", RULINGS)
def test_all_rulings_are_compared(name):
    book = load(name).book
    assert set(book.rulings) - {"limit"} == set(RULINGS[name])
    assert all(set(book.rulings[ruling].values) == set(values) for ruling, values in RULINGS[name].items())
