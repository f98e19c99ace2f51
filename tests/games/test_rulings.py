"""``compare`` finds a difference for each ruling of staufer and vive, and the independent implementation confirms it."""

from __future__ import annotations

import pytest
from oracles import staufer, vive
from support.independent import independent
from support.limits import NO_END

from kaiser_logic.comparison.compare import compare
from kaiser_logic.comparison.differences import Difference
from kaiser_logic.game import load

DIFFERENCES = [
    # game, ruling, value other than the default, kind of difference, beginning of the action
    ("staufer", "tie_shared_seat", "next_seat", "outcome", ""),
    ("staufer", "b_tie_start", "next", "outcome", ""),
    ("staufer", "score_order", "b_first", "outcome", ""),
    ("staufer", "refill_kept_seat", "no", "outcome", "keep("),
    ("staufer", "final_tie", "court", "result", None),
    ("staufer", "cheap_noble_seat", "yes", "legality", "deploy("),
    ("staufer", "noble_pays", "no", "legality", "deploy("),
    ("staufer", "first_chest", "now", "legality", ""),
    ("staufer", "empty_pile", "nothing", "outcome", ""),
    ("staufer", "exchanges", "once", "outcome", ""),
    ("vive", "last_round", "next", "", ""),
    ("vive", "duel_card", "any", "", ""),
    ("vive", "duel_rank", "yes", "", ""),
    ("vive", "raise_must_lead", "no", "", ""),
    ("vive", "defence_from", "structure", "", ""),
    ("vive", "assign", "own_turn", "", ""),
    ("vive", "interrupt", "card", "", ""),
    ("vive", "interrupt", "anybody", "", ""),
    ("vive", "church_defence", "return", "", ""),
    ("vive", "church_defence", "none", "", ""),
    ("vive", "ear_tie", "all", "", ""),
    ("vive", "liberator", "several", "", ""),
    ("vive", "freed_king", "quiet_round", "", ""),
    ("vive", "spoils", "hand", "", ""),
    ("vive", "event_in_middle", "any", "", ""),
]
LONG = {"cheap_noble_seat", "noble_pays", "first_chest", "empty_pile", "exchanges"}


@pytest.mark.slow
@pytest.mark.by_hand
@pytest.mark.parametrize(
    ("name", "ruling", "other", "how", "action"),
    [pytest.param(*d, marks=pytest.mark.long if d[1] in LONG else ()) for d in DIFFERENCES],
)
def test_each_ruling_has_a_position_with_a_difference(
    name: str, ruling: str, other: str, how: str, action: str | None
) -> None:
    players = 2 if name == "staufer" else 3
    first, second = load(name, players=players), load(name, players=players, options={ruling: other})
    (difference,) = compare(first, second, timeout=NO_END, workers=1)
    assert difference.position is not None, difference.words
    assert not difference.position.broken_invariants()
    if how:
        assert difference.how == how, difference.words
        assert [a.startswith(action or "") for _, a in difference.actions] == (
            [] if action is None else [True]
        )
    one, two = (consequence(difference, name, ruling, value) for value in difference.values)
    assert one != two


def consequence(difference: Difference, name: str, ruling: str, value: str) -> object:
    """The verdict, successor or result in the independent implementation, at the position of a difference."""
    assert difference.position is not None
    facts = difference.position.facts
    seats = sum(fact.startswith("seat(") for fact in facts)
    game = load(name, players=seats, options={ruling: value})
    oracle = independent(game.position(facts))
    actions = dict(difference.actions)
    if not actions:
        return oracle.result()
    if not all(oracle.is_legal(role, action) for role, action in actions.items()):
        return "illegal"
    if difference.how == "legality" or set(actions) != set(
        oracle.legal()
    ):  # one of several who decide at the same time
        return "legal"
    oracle.apply(actions)
    return oracle.facts()


def test_all_rulings_are_compared() -> None:
    for name, values in (("staufer", staufer.RULINGS), ("vive", vive.RULINGS)):
        assert {ruling for game, ruling, *_ in DIFFERENCES if game == name} == set(values)
        assert set(load(name).book.rulings) - {"limit"} == set(values)
    wanted = {(name, value) for name, values in vive.RULINGS.items() for value in values[1:]}
    assert {(ruling, value) for game, ruling, value, *_ in DIFFERENCES if game == "vive"} == wanted
