"""Tables of texts and what becomes of them: sections `= HEAD`, and below each rows of columns with `  =>  ` between them.

A backslash is written `\\\\`, an end of a line `\\n`, any sign `\\x07` or `\\ufeff`. Comments stand above the first section,
and behind a head after `  % `.
"""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parents[1]
SIGN = re.compile(r"\\(\\|n|r|t|x[0-9a-f]{2}|u[0-9a-f]{4})")
NAMED = {"\\": "\\", "n": "\n", "r": "\r", "t": "\t"}


def plain(text: str) -> str:
    return SIGN.sub(lambda m: NAMED.get(m[1]) or chr(int(m[1][1:], 16)), text)


def rows(table: str, head: str) -> list[Any]:
    """The rows of a table, such as `lang/lang`: what follows in the head that begins with a word, and the columns."""
    found, there, rest = [], "", ""
    for number, line in enumerate((TESTS / f"{table}.cases").read_text(encoding="utf-8").split("\n"), 1):
        if line.startswith("= "):
            there, _, rest = line[2:].partition("  % ")[0].partition(" ")
        elif line and there == head:
            columns = [rest] * bool(rest) + [plain(text) for text in line.split("  =>  ")]
            found.append(pytest.param(*columns, id=f"line {number}"))
    return found


def values(table: str, head: str) -> list[Any]:
    """The rows of a table whose columns are written as Python writes values."""
    return [pytest.param(*map(ast.literal_eval, row.values), id=row.id) for row in rows(table, head)]
