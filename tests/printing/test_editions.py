"""The book of an edition says nothing that does not hold in it."""

from __future__ import annotations

from functools import partial
from html import escape as of_page

import pytest

import kaiser_logic as kl
from kaiser_logic.printing.book import PrintedBook, print_book
from kaiser_logic.printing.markdown import escape as of_markdown
from kaiser_logic.printing.markdown import markdown
from kaiser_logic.printing.page import page
from kaiser_logic.rules.loader import rulebook
from kaiser_logic.rules.rulebook import Rulebook

EDITIONS = [(game, edition) for game in kl.games() for edition in rulebook(game).editions]


@pytest.mark.parametrize(("game", "edition"), EDITIONS)
def test_a_book_says_what_holds_in_its_edition(game: str, edition: str) -> None:
    book = rulebook(game)
    made = print_book(book, edition)
    for text, escaped in (
        (markdown(made, "asp"), of_markdown),
        (page(made, "asp"), partial(of_page, quote=True)),
    ):
        sentences = {
            name: escaped(ruling.values[ruling.by_edition[edition]]) for name, ruling in book.rulings.items()
        }
        assert [name for name, sentence in sentences.items() if sentence not in text] == []
        assert [other for other in _of_others(book, made) if escaped(other) in text] == []


def _of_others(book: Rulebook, made: PrintedBook) -> list[str]:
    """The sentences of rulings and the statements of rules that hold under other editions or values only."""
    said = {made.texts.statement(doc) for doc in book.docs.values()}
    said |= {ruling.values[made.texts.options[name]] for name, ruling in book.rulings.items()}
    every = [sentence for ruling in book.rulings.values() for sentence in ruling.values.values()]
    every += [
        text
        for doc in book.docs.values()
        for text in (doc.default_statement, *(v.statement for v in doc.variants))
    ]
    return [text for text in every if not any(text in one for one in said)]
