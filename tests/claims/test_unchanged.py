"""Proofs of claims about positions are found again if nothing has changed, all of them or none."""

from collections.abc import Sequence
from typing import Any

import pytest
from support.heap_game import ENOUGH
from support.opened import changed, heap

from kaiser_logic.claims import prove
from kaiser_logic.claims.parse import Claim
from kaiser_logic.game import Game
from kaiser_logic.solving.report import Proof

pytestmark = pytest.mark.usefixtures("kept_folder")

DEPENDENT, NEEDED = "never heap(11), took(R), taken(R,2)", "never heap(12), taken(_,_)"
"""The first claim is inductive only with the second one."""


@pytest.fixture
def tried(monkeypatch):
    """The claims that the prover tries."""
    found: list[str] = []
    original, in_games = prove._prove_in_positions, prove._fallen_in_games

    def record(evaluator: object, claims: Sequence[Claim], *more: object) -> list[Proof]:
        found.extend(c.query.source for c in claims)
        return original(evaluator, claims, *more)  # type: ignore[arg-type]

    def record_fallen(*arguments: Any) -> tuple[list[Proof], object]:
        fallen, games = in_games(*arguments)
        found.extend(p.claim for p in fallen)
        return fallen, games

    monkeypatch.setattr(prove, "_prove_in_positions", record)
    monkeypatch.setattr(prove, "_fallen_in_games", record_fallen)
    return found


def statuses(game: Game, *claims: str, fresh: bool = False) -> list[tuple[str, str]]:
    """The status and the statement of each claim."""
    proofs = game.prove(claims=claims, jobs=1, fresh=fresh).proofs
    return [(p.status, p.statement) for p in proofs if p.kind == "claim"]


@pytest.mark.slow
def test_proved_claims_are_not_tried_again(tried):
    first = statuses(heap(), DEPENDENT, NEEDED)
    assert [status for status, _ in first] == ["proved", "proved"]
    assert len(tried) == 2
    assert statuses(heap(), DEPENDENT, NEEDED) == first
    assert len(tried) == 2
    assert statuses(heap(), DEPENDENT, NEEDED, fresh=True) == first
    assert len(tried) == 4


@pytest.mark.slow
def test_a_claim_that_rested_on_another_one_is_tried_again_without_it(tried):
    """A proof of both claims is no proof of either one, because one of them may not be inductive alone."""
    statuses(heap(), DEPENDENT, NEEDED)
    del tried[:]
    statuses(heap(), DEPENDENT)
    assert len(tried) == 1
    statuses(heap(), NEEDED, DEPENDENT)
    assert len(tried) == 3


@pytest.mark.slow
def test_claims_are_tried_again_after_a_change_of_the_rules(tmp_path, tried):
    claim = "never heap(1), legal(R,take(2))"
    assert statuses(heap(), claim)[0][0] == "proved"
    damaged = changed(tmp_path, {ENOUGH: ENOUGH.replace("holds_at_least(K)", "holds_at_least(1)")})
    del tried[:]
    assert statuses(damaged, claim)[0][0] != "proved"
    assert tried


@pytest.mark.slow
@pytest.mark.parametrize("claim", ["never heap(12)", "never heap(1), taken(red,11)"])
def test_claims_that_fall_or_are_open_are_tried_again(tried, claim):
    first = statuses(heap(), claim)
    assert first[0][0] != "proved"
    assert statuses(heap(), claim) == first
    assert len(tried) == 2
