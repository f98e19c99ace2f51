"""Paragraphs and lists of texts."""

from __future__ import annotations

from kaiser_logic.printing.book import Block, blocks


def test_lists_and_paragraphs_are_distinguished() -> None:
    assert blocks("") == ()
    assert blocks("\n one\n two \n\n\n- a\n b\n- c\n\nd - e\n") == (
        Block(False, ("one two",)),
        Block(True, ("a b", "c")),
        Block(False, ("d - e",)),
    )
