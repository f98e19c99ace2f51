"""Markdown: what is escaped, linked, said in short."""

from __future__ import annotations

import doctest

import pytest

from kaiser_logic.printing import book, markdown
from kaiser_logic.printing.book import without_mention
from kaiser_logic.printing.markdown import escape, grid


def test_the_examples_are_true() -> None:
    for module in (markdown, book):
        found = doctest.testmod(module)
        assert found.attempted and not found.failed


def test_marks_are_escaped() -> None:
    assert escape("a*b_c`d[e]<f>|\\") == r"a\*b\_c\`d\[e\]\<f\>\|\\"


def test_a_table() -> None:
    assert grid(["a", "b"], [["1", "2"]]) == "| a | b |\n| --- | --- |\n| 1 | 2 |"


@pytest.mark.parametrize(
    ("statement", "printed"),
    [
        ("One (ruling a_b).", "One."),
        ("One (rulings).", "One."),
        ("One (rulings a, b_c). Two.", "One. Two."),
        ("One (a ruling).", "One (a ruling)."),
    ],
)
def test_the_mention_of_a_ruling_is_left_out(statement: str, printed: str) -> None:
    assert without_mention(statement) == printed
