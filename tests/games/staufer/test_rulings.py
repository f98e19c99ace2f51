"""Die Staufer: ``compare`` finds a difference for each ruling, and the independent implementation confirms it."""

from __future__ import annotations

import pytest
from oracles.staufer import RULINGS, Staufer
from support.limits import NO_END

from kaiser_logic.comparison.compare import compare
from kaiser_logic.comparison.differences import Difference
from kaiser_logic.game import load

pytestmark = pytest.mark.by_hand

# ruling, other value, kind of difference, beginning of the action
DIFFERENCES = [
    ("tie_shared_seat", "next_seat", "outcome", ""),
    ("b_tie_start", "next", "outcome", ""),
    ("score_order", "b_first", "outcome", ""),
    ("refill_kept_seat", "no", "outcome", "keep("),
    ("final_tie", "court", "result", None),
]
SLOW = [
    ("cheap_noble_seat", "yes", "legality", "deploy("),
    ("noble_pays", "no", "legality", "deploy("),
    ("first_chest", "now", "legality", ""),
    ("empty_pile", "nothing", "outcome", ""),
    ("exchanges", "once", "outcome", ""),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ruling", "other", "how", "action"),
    [*DIFFERENCES, *(pytest.param(*case, marks=pytest.mark.long) for case in SLOW)],
)
def test_each_ruling_has_a_position_with_a_difference(
    ruling: str, other: str, how: str, action: str | None
) -> None:
    first, second = load("staufer", players=2), load("staufer", players=2, options={ruling: other})
    (difference,) = compare(first, second, timeout=NO_END, workers=1)
    assert difference.how == how, difference.words
    assert difference.position is not None
    assert not difference.position.broken()
    assert [a.startswith(action) for _, a in difference.actions] == ([] if action is None else [True])
    one, two = (consequence(difference, ruling, value) for value in difference.values)
    assert one != two


def consequence(difference: Difference, ruling: str, value: str) -> object:
    """The verdict, successor or result in the independent implementation, at the position of a difference."""
    assert difference.position is not None
    oracle = Staufer.from_facts(difference.position.facts, "standard", {ruling: value})
    if not difference.actions:
        return oracle.result()
    ((role, action),) = difference.actions
    if not oracle.is_legal(role, action):
        return "illegal"
    oracle.apply({role: action})
    return oracle.facts() if difference.how == "outcome" else "legal"


def test_all_rulings_are_compared() -> None:
    tried = {ruling for ruling, *_ in (*DIFFERENCES, *SLOW)}
    assert tried == set(RULINGS) == set(load("staufer").book.rulings)
    assert len(tried) == 10
