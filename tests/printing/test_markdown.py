"""Markdown: escaped text, tables."""

from __future__ import annotations

import doctest

from kaiser_logic.printing import book, markdown
from kaiser_logic.printing.markdown import escape, grid
from kaiser_logic.printing.page import page as html
from kaiser_logic.rules.loader import rulebook


def test_doctests() -> None:
    for module in (markdown, book):
        found = doctest.testmod(module)
        assert found.attempted and not found.failed


def test_special_characters_are_escaped() -> None:
    assert escape("a*b_c`d[e]<f>|\\") == r"a\*b\_c\`d\[e\]\<f\>\|\\"


def test_tables_are_markdown() -> None:
    assert grid(["a", "b"], [["1", "2"]]) == "| a | b |\n| --- | --- |\n| 1 | 2 |"


def test_the_book_names_the_default_edition() -> None:
    """The book of a single edition contains only the values of that edition, so it does not name one."""
    game = rulebook("krone")
    both, one = book.print_book(game), book.print_book(game, "nl")
    assert "Unless you agree otherwise, play by `standard`." in markdown.markdown(both, "")
    assert "Unless you agree otherwise, play by <code>standard</code>." in html(both, "")
    assert "Unless you agree" not in markdown.markdown(one, "") + html(one, "")
