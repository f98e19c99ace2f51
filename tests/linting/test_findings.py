"""The page on lint has a row for each kind of mistake, in the right section."""

import re

from support import ROOT

from kaiser_logic.linting.findings import KINDS


def test_page_has_all_kinds():
    page = (ROOT / "docs" / "write" / "lint.md").read_text(encoding="utf-8")
    refused, likely = page.partition("## What keeps a rulebook from loading")[2].split("## Likely mistakes")
    for part, refuses in ((refused, True), (likely, False)):
        rows = re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE)
        assert rows == [what for what, kind in KINDS.items() if kind.refuses is refuses]


def test_stated_number_of_kinds_is_correct():
    for name in ("README.md", "CHANGELOG.md"):
        assert f"{len(KINDS)} kinds of mistakes" in (ROOT / name).read_text(encoding="utf-8")
