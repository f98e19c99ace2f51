"""Proofs of claims about positions are found again if nothing has changed, all of them or none."""

import pytest
from support.heap_game import ENOUGH, changed, heap

from kaiser_logic.game import Game

pytestmark = [pytest.mark.usefixtures("kept_folder"), pytest.mark.slow]

DEPENDENT, NEEDED = (
    "never heap(8), taken(red,4)",
    ("never took(R), not taken(R,_)", "never took(R), decision(R,take)"),
)
"""The first claim is inductive only with both others."""


def statuses(game: Game, *claims: str, fresh: bool = False) -> list[tuple[str, str]]:
    """The status and the statement of each claim."""
    proofs = game.prove(claims=claims, jobs=1, fresh=fresh).proofs
    return [(p.status, p.statement) for p in proofs if p.kind == "claim"]


def test_proved_claims_are_found_again_only_with_those_on_which_they_rested():
    """A proof of all claims is no proof of each one, because one of them may not be inductive alone."""
    every = [("proved", claim) for claim in (DEPENDENT, *NEEDED)]
    assert [statuses(heap(), DEPENDENT, *NEEDED, fresh=n == 2) for n in range(3)] == [every] * 3
    assert statuses(heap(), DEPENDENT) == [("undecided", DEPENDENT)]
    assert statuses(heap(), *NEEDED) == every[1:]


def test_claims_are_tried_again_after_a_change_of_the_rules(tmp_path):
    claim = "never heap(1), legal(R,take(2))"
    assert statuses(heap(), claim)[0][0] == "proved"
    damaged = changed(tmp_path, {ENOUGH: ENOUGH.replace("holds_at_least(K)", "holds_at_least(1)")})
    assert statuses(damaged, claim)[0][0] != "proved"


@pytest.mark.parametrize("claim", ["never heap(12)", "never heap(1), taken(red,11)"])
def test_claims_that_fall_or_are_open_stay_so(claim):
    first = statuses(heap(), claim)
    assert first[0][0] != "proved"
    assert statuses(heap(), claim) == first
