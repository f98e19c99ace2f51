"""The page on mistakes has a row for each kind, in the part it belongs to."""

from __future__ import annotations

import re
from pathlib import Path

from kaiser_logic.linting.findings import KINDS

ROOT = Path(__file__).parents[2]


def test_the_page_has_all_kinds() -> None:
    page = (ROOT / "docs" / "write" / "lint.md").read_text(encoding="utf-8")
    refused, likely = page.partition("## What keeps a rulebook from loading")[2].split("## Likely mistakes")
    for part, refuses in ((refused, True), (likely, False)):
        rows = re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE)
        assert rows == [what for what, kind in KINDS.items() if kind.refuses is refuses]


def test_the_number_that_is_told() -> None:
    for name in ("README.md", "CHANGELOG.md"):
        assert f"{len(KINDS)} kinds of mistakes" in (ROOT / name).read_text(encoding="utf-8")
