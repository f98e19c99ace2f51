"""What can never happen is seen without asking what would follow; what can happen anywhere is not said to be so."""

from __future__ import annotations

from pathlib import Path

import pytest
from proof.test_one_seat import three
from proof.test_together import settled, statuses
from proof.test_unchanged import RESTS
from support.opened import changed

from kaiser_logic.game import load
from kaiser_logic.proof.finding import Finding
from kaiser_logic.proof.prover import Prover
from kaiser_logic.proof.together import Together

FORBIDDEN = 'violates(R,rest,"take.enough") :- candidate(R,rest).'
LAWFUL_FOR_ONE = {
    old: new.replace(FORBIDDEN, f"{FORBIDDEN[:-1]}, not last(R).") for old, new in RESTS.items()
}
"""The last in the round may rest."""
LAWFUL_AT_ONE = {old: new.replace(FORBIDDEN, f"{FORBIDDEN[:-1]}, not heap(1).") for old, new in RESTS.items()}
"""Who finds one stone may rest."""


def test_what_is_never_legal_is_seen(tmp_path: Path) -> None:
    game = changed(tmp_path, RESTS)
    found = settled(game, "rest")
    assert isinstance(found, Finding) and found.possible is False
    assert not found.broken and not found.differs
    assert Prover(game.evaluator).run(workers=1).never_legal == ["rest"]


@pytest.mark.slow
@pytest.mark.sample(2)
@pytest.mark.parametrize("changes", [LAWFUL_FOR_ONE, LAWFUL_AT_ONE], ids=["one seat", "one position"])
def test_what_is_legal_somewhere_is_not_said_to_be_so(tmp_path: Path, changes: dict[str, str]) -> None:
    game = three(tmp_path, changes)
    found = settled(game, "rest")
    assert found is None or (isinstance(found, Finding) and found.possible is True)
    assert Prover(game.evaluator).run(workers=1).never_legal == []


def test_where_the_program_is_not_what_the_rules_say_nothing_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = changed(tmp_path, RESTS)
    monkeypatch.setattr(Together, "_differences", lambda *_: ("something",))
    assert settled(game, "rest") is None


@pytest.mark.slow
def test_the_verdicts_are_those_of_questions_asked_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = changed(tmp_path, RESTS)
    found = statuses(game), Prover(game.evaluator).run(workers=1).never_legal
    monkeypatch.setattr(Together, "settle", lambda *_: None)
    again = load(tmp_path / "heap", players=len(game.ruleset.seats))
    assert (statuses(again), Prover(again.evaluator).run(workers=1).never_legal) == found
