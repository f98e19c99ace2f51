"""A vocabulary that is too large to list is refused with a message, and nothing is called proved."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.opened import changed

from kaiser_logic.cli import main
from kaiser_logic.engine import domains
from kaiser_logic.engine.domains import facts_of, too_many
from kaiser_logic.errors import NotDecided

MESSAGE = "too many possible facts: seat/2 alone has 4"


def test_possible_facts_are_counted(tmp_path: Path) -> None:
    game = changed(tmp_path, {})
    assert too_many(game.ruleset) is None
    assert facts_of(game.ruleset, ("took", 1)) == 2


@pytest.fixture
def small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets the limit so low that the heap game exceeds it."""
    monkeypatch.setattr(domains, "MOST", 1)


@pytest.mark.usefixtures("small_limit")
def test_proofs_and_searches_are_refused(tmp_path: Path) -> None:
    game = changed(tmp_path, {})
    for question in (
        lambda: game.prove(jobs=1),
        lambda: game.prove(claims=["never heap(12), took(_)"], jobs=1),
        game.invariants,
        lambda: game.find("heap(3)"),
    ):
        with pytest.raises(NotDecided, match=MESSAGE):
            question()


@pytest.mark.usefixtures("small_limit")
def test_the_command_prints_the_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed(tmp_path, {})
    assert main(["prove", str(tmp_path / "heap"), "--jobs", "1"]) == 3
    assert MESSAGE in capsys.readouterr().err
