"""How the rulebooks are written: short files, short lines, one name for one thing."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.asp_tables import uses

from kaiser_logic.rules.loader import asp_folder, games, rulebook

LINES, COLUMNS = 80, 120
FILES = sorted(asp_folder().glob("*/*.lp"))


def problems(text: str) -> list[str]:
    """What is wrong with a file's form. A first line ``% long: reason`` allows it to be as long as it is."""
    lines = text.split("\n")
    found = [f"line {i}: blanks at its end" for i, line in enumerate(lines, 1) if line != line.rstrip()]
    if not text.endswith("\n") or text.endswith("\n\n"):
        found.append("does not end with one line's end")
    if not lines[0].startswith("% "):
        found.append("does not begin with what it is for")
    if not lines[0].startswith("% long: "):
        found += [f"line {i}: {len(line)} columns" for i, line in enumerate(lines, 1) if len(line) > COLUMNS]
        found += [f"{len(lines) - 1} lines"] if len(lines) - 1 > LINES else []
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_form(path: Path) -> None:
    assert not problems(path.read_text(encoding="utf-8"))


def test_what_is_too_long_is_seen() -> None:
    rule = "p(X) :- q(X).\n"
    assert not problems("% For a test.\n" + rule * 79)
    assert problems("% For a test.\n" + rule * 80) == ["81 lines"]
    assert not problems("% long: a table.\n" + rule * 80)
    assert problems("% For a test.\np. \n" + "%" * 121 + "\n") == [
        "line 2: blanks at its end",
        "line 3: 121 columns",
    ]
    assert problems(rule)


@pytest.mark.parametrize("game", games())
def test_steps_and_predicates_share_no_name(game: str) -> None:
    heads = [h for r in rulebook(game).rules for h in r.heads if h.signature == ("step", 1)]
    steps = {str(h.args[0][1]) for h in heads}
    assert len(steps) >= 5
    assert not steps & {predicate for predicate, _ in uses(game)}
