"""Die Staufer: ``compare`` tells each ruling apart, and the independent implementation parts at the same position."""

from __future__ import annotations

import pytest
from oracles.staufer import RULINGS, Staufer
from support.limits import NO_END

from kaiser_logic.comparison.compare import compare
from kaiser_logic.comparison.differences import Difference
from kaiser_logic.game import load

# the ruling, its other value, what shows, who acts there and how
PARTED = [
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
    [*PARTED, *(pytest.param(*case, marks=pytest.mark.long) for case in SLOW)],
)
def test_each_ruling_has_a_position_that_tells_it_apart(
    ruling: str, other: str, how: str, action: str | None
) -> None:
    first, second = load("staufer", players=2), load("staufer", players=2, options={ruling: other})
    (difference,) = compare(first, second, timeout=NO_END, workers=1)
    assert difference.how == how, difference.words
    assert difference.position is not None
    assert not difference.position.broken()
    assert [a.startswith(action) for _, a in difference.actions] == ([] if action is None else [True])
    one, two = (told(difference, ruling, value) for value in difference.values)
    assert one != two


def told(difference: Difference, ruling: str, value: str) -> object:
    """What comes of a difference by the independent implementation: what is illegal, what follows, or the result."""
    assert difference.position is not None
    oracle = Staufer.from_facts(difference.position.facts, "standard", {ruling: value})
    if not difference.actions:
        return oracle.result()
    ((role, action),) = difference.actions
    if not oracle.is_legal(role, action):
        return "illegal"
    oracle.apply({role: action})
    return oracle.facts() if difference.how == "outcome" else "legal"


def test_each_ruling_is_tried() -> None:
    tried = {ruling for ruling, *_ in (*PARTED, *SLOW)}
    assert tried == set(RULINGS) == set(load("staufer").book.rulings)
    assert len(tried) == 10
