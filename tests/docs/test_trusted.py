"""The numbers of lines that the page on the trusted base states."""

import re

import pytest
from support import ROOT

ROWS = re.findall(
    r"^\| *\d* *\| (`.+?`) \| ([\d,]+) \|", (ROOT / "docs/develop/trusted.md").read_text(encoding="utf-8"), re.MULTILINE
)


def lines_of(names: str) -> int:
    """The number of lines of the files that a row names. A name without a folder is in the folder of the name before."""
    found, folder = 0, ""
    for name in re.findall(r"`(.+?)`", names):
        folder, base = name.rsplit("/", 1) if "/" in name else (folder, name)
        home = ROOT / folder if folder.startswith("asp/") else ROOT / "kaiser_logic" / folder
        files = [home / f"{base}.py"] if base else [*home.glob("*.py"), *home.glob("*.lp")]
        assert files, name
        found += sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)
    return found


@pytest.mark.parametrize(("names", "stated"), ROWS)
def test_stated_lines_are_correct(names, stated):
    """The numbers may differ by a tenth. Correct the page if this fails."""
    lines = lines_of(names)
    assert abs(lines - int(stated.replace(",", ""))) <= max(20, lines / 10), lines


def test_all_rows_are_read():
    assert len(ROWS) == 19
