"""Claims about positions that are proved are found again where nothing has changed, all of them or none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from solving.test_proof_cache import there  # noqa: F401 (a fixture of every test)
from solving.test_never import ENOUGH
from support.opened import changed, heap

from kaiser_logic.claims import prove
from kaiser_logic.claims.parse import Claim
from kaiser_logic.game import Game
from kaiser_logic.solving.report import Proof

LEAN, NEEDED = "never heap(11), took(R), taken(R,2)", "never heap(12), taken(_,_)"
"""The first is inductive only with the second."""


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The claims that are tried."""
    found: list[str] = []
    plain = prove._prove_in_positions

    def told(evaluator: object, claims: Sequence[Claim], *more: object) -> list[Proof]:
        found.extend(c.query.source for c in claims)
        return plain(evaluator, claims, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(prove, "_prove_in_positions", told)
    return found


def statuses(game: Game, *claims: str, fresh: bool = False) -> list[tuple[str, str]]:
    proofs = game.prove(claims=claims, jobs=1, fresh=fresh).proofs
    return [(p.status, p.statement) for p in proofs if p.kind == "claim"]


@pytest.mark.slow
def test_what_is_proved_is_not_tried_again(tried: list[str]) -> None:
    first = statuses(heap(), LEAN, NEEDED)
    assert [status for status, _ in first] == ["proved", "proved"]
    assert len(tried) == 2
    assert statuses(heap(), LEAN, NEEDED) == first
    assert len(tried) == 2
    assert statuses(heap(), LEAN, NEEDED, fresh=True) == first
    assert len(tried) == 4


@pytest.mark.slow
def test_a_claim_is_not_proved_by_one_that_is_no_longer_made(tried: list[str]) -> None:
    """A proof of both says nothing of either: without the other one it may not be inductive."""
    statuses(heap(), LEAN, NEEDED)
    del tried[:]
    statuses(heap(), LEAN)
    assert len(tried) == 1
    statuses(heap(), NEEDED, LEAN)
    assert len(tried) == 3


@pytest.mark.slow
def test_rules_that_have_changed_are_asked_again(tmp_path: Path, tried: list[str]) -> None:
    claim = "never heap(1), legal(R,take(2))"
    assert statuses(heap(), claim)[0][0] == "proved"
    spoilt = changed(tmp_path, {ENOUGH: ENOUGH.replace("holds_at_least(K)", "holds_at_least(1)")})
    del tried[:]
    assert statuses(spoilt, claim)[0][0] != "proved"
    assert tried


@pytest.mark.slow
@pytest.mark.parametrize("claim", ["never heap(12)", "never heap(1), taken(red,11)"])
def test_what_falls_or_is_open_is_tried_again(tried: list[str], claim: str) -> None:
    first = statuses(heap(), claim)
    assert first[0][0] != "proved"
    assert statuses(heap(), claim) == first
    assert len(tried) == 2
