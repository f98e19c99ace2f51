"""How the rulebooks are written: short files, short lines, one name for one thing."""

from __future__ import annotations

import pytest
from support.asp_tables import uses
from support.lp_style import faults

from kaiser_logic.lang.unification import label
from kaiser_logic.rules.loader import asp_folder, games, rulebook

FILES = sorted(asp_folder().glob("*/*.lp"))


def test_form() -> None:
    texts = {f"{path.parent.name}/{path.name}": path.read_text(encoding="utf-8") for path in FILES}
    assert [fault for name, text in texts.items() for fault in faults(name, text)] == []
    assert [name for name, text in texts.items() if not text.startswith("% ")] == [], "what is it for?"


@pytest.mark.parametrize("game", games())
def test_steps_and_predicates_share_no_name(game: str) -> None:
    heads = [h for r in rulebook(game).rules for h in r.heads if h.signature == ("step", 1)]
    steps = {label(h.args[0]) for h in heads}
    assert len(steps) >= 5
    assert not steps & {predicate for predicate, _ in uses(game)}
