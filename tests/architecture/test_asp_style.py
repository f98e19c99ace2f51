"""The rulebooks follow one style: short files, short lines, a comment at the head, one meaning for each name."""

from __future__ import annotations

import pytest
from support.asp_tables import uses
from support.lp_style import faults

from kaiser_logic.lang.unification import label
from kaiser_logic.rules.loader import asp_folder, games, rulebook

FILES = sorted(asp_folder().glob("*/*.lp"))


def test_files_follow_the_style() -> None:
    texts = {f"{path.parent.name}/{path.name}": path.read_text(encoding="utf-8") for path in FILES}
    assert [fault for name, text in texts.items() for fault in faults(name, text)] == []
    assert [name for name, text in texts.items() if not text.startswith("% ")] == [], (
        "these files do not say what they are for"
    )


@pytest.mark.parametrize("game", games())
def test_no_step_has_the_name_of_a_predicate(game: str) -> None:
    heads = [h for r in rulebook(game).rules for h in r.heads if h.signature == ("step", 1)]
    steps = {label(h.args[0]) for h in heads}
    assert len(steps) >= 5
    assert not steps & {predicate for predicate, _ in uses(game)}
