"""The command show: text, SVG, HTML."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.commands import Run, Write
from support.pictures import EXAMPLES, oxo, parsed

GAME = str(EXAMPLES / "games" / "four-players.game")


def test_svg_format(run: Run) -> None:
    outcome = run("show", f"{GAME}@61", "--format", "svg")
    assert (outcome.code, outcome.err) == (0, "")
    assert parsed(outcome.out).get("width") == "700"
    narrow = run("show", f"{GAME}@61", "--format", "svg", "--layout", "narrow", "--theme", "dark")
    assert parsed(narrow.out).get("width") == "360"
    assert "#15171b" in narrow.out


def test_change_shows_the_last_move(run: Run) -> None:
    assert "> Yellow baron 25: Trier → Sachsen" in run("show", f"{GAME}@37", "--change").out
    assert "Trier → Sachsen" not in run("show", f"{GAME}@37").out
    assert "moved" in run("show", f"{GAME}@37", "--change", "--format", "svg").out
    assert run("show", f"{GAME}@0", "--change").code == 0


def test_output_to_a_file(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "board.html"
    outcome = run("show", f"{GAME}@61", "--format", "html", "--output", str(target))
    assert (outcome.code, outcome.out) == (0, "")
    assert target.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert run("show", GAME, "--output", str(tmp_path / "no" / "file")).code == 2


def test_a_game_outside_the_package(run: Run, write: Write, tmp_path: Path) -> None:
    write('[Game "oxo"]\nnought: put(2,2)\n')
    folder = str(oxo(tmp_path))
    outcome = run("show", "my.game", "--game", folder, "--format", "svg")
    assert 'aria-label="nought disc"' in outcome.out
    (tmp_path / "other").mkdir()
    folder = str(oxo(tmp_path / "other", "layout(wide,300).\npiece(a,b,look(disc,c,d),1).\n"))
    wrong = run("show", "my.game", "--game", folder, "--format", "svg")
    assert wrong.code == 2
    assert "has no slot" in wrong.err


@pytest.mark.parametrize("style", ["svg", "html"])
def test_text_of_records_is_escaped(run: Run, write: Write, style: str) -> None:
    write(
        '[Game "kaiser"]\n[Event "</title><script>alert(1)</script>"]\n[Red "<img src=x onerror=alert(1)>"]\n'
    )
    outcome = run("show", "my.game", "--format", style)
    assert outcome.code == 0
    assert "<script>alert" not in outcome.out
    assert "<img" not in outcome.out
