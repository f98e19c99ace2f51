"""How the rulebooks are written: short files, short lines, one name for one thing."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.asp_tables import uses
from support.lp_style import faults

from kaiser_logic.rules.loader import asp_folder, games, rulebook

FILES = sorted(asp_folder().glob("*/*.lp"))


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_form(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert list(faults(path.name, text)) == []
    assert text.startswith("% "), "it does not begin with what it is for"


@pytest.mark.parametrize("game", games())
def test_steps_and_predicates_share_no_name(game: str) -> None:
    heads = [h for r in rulebook(game).rules for h in r.heads if h.signature == ("step", 1)]
    steps = {str(h.args[0][1]) for h in heads}
    assert len(steps) >= 5
    assert not steps & {predicate for predicate, _ in uses(game)}
