"""The check of the style of logic programs."""

from __future__ import annotations

import pytest
from support.lp_style import faults

LONG = "p(1).\n" * 81
WIDE = f"p({'1' * 120}).\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("% What.\np(1).\n", []),
        (LONG, ["81:1: more than 80 lines, and no reason at the head"]),
        (f"% What. More than 80 lines: one table.\n{LONG}", []),
        (WIDE, ["1:121: more than 120 columns"]),
        (f"% What. More than 120 columns: a map.\n{WIDE}", []),
        ("p(1). \n", ["1:6: blanks at the end"]),
        ("p(1).\tq.\n", ["1:6: a tab"]),
        ("p(1).", ["1:1: one line break ends the file"]),
    ],
    ids=["right", "long", "long for a reason", "wide", "wide for a reason", "blanks", "tab", "end"],
)
def test_style_faults_are_found(text: str, found: list[str]) -> None:
    assert list(faults("a.lp", text)) == [f"a.lp:{fault}" for fault in found]
