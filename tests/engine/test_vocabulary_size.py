"""A vocabulary that is too large to be listed is refused in words, and nothing is said to hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.opened import changed

from kaiser_logic.cli import main
from kaiser_logic.engine import domains
from kaiser_logic.engine.domains import facts_of, too_many
from kaiser_logic.errors import NotDecided

SAID = "too many possible facts: seat/2 alone has 4"


def test_facts_are_counted(tmp_path: Path) -> None:
    game = changed(tmp_path, {})
    assert too_many(game.ruleset) is None
    assert facts_of(game.ruleset, ("took", 1)) == 2


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(domains, "MOST", 1)


@pytest.mark.usefixtures("many")
def test_proofs_are_refused(tmp_path: Path) -> None:
    game = changed(tmp_path, {})
    for question in (
        lambda: game.prove(jobs=1),
        lambda: game.prove(claims=["never heap(3)"], jobs=1),
        game.invariants,
        lambda: game.find("heap(3)"),
    ):
        with pytest.raises(NotDecided, match=SAID):
            question()


@pytest.mark.usefixtures("many")
def test_the_command_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed(tmp_path, {})
    assert main(["prove", str(tmp_path / "heap"), "--jobs", "1"]) == 3
    assert SAID in capsys.readouterr().err
