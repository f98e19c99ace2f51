"""Paragraphs and lists."""

from __future__ import annotations

import doctest

from kaiser_logic.printing import book
from kaiser_logic.printing.book import Block, blocks


def test_the_examples_are_true() -> None:
    found = doctest.testmod(book)
    assert found.attempted and not found.failed


def test_a_list_and_a_paragraph_are_told_apart() -> None:
    assert blocks("") == ()
    assert blocks("\n one\n two \n\n\n- a\n b\n- c\n\nd - e\n") == (
        Block(False, ("one two",)),
        Block(True, ("a b", "c")),
        Block(False, ("d - e",)),
    )
