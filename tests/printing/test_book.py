"""The printed book: each rule has its place, each ruling has a rule, and editions are resolved."""

from __future__ import annotations

import re

import pytest
from support.printed import GAMES

from kaiser_logic.printing.book import PRINTED, PrintedBook, outline, print_book
from kaiser_logic.printing.markdown import markdown
from kaiser_logic.rules.loader import rulebook


def _ids(book: PrintedBook) -> list[str]:
    return [doc.id for section in (*book.chapters, *book.appendix) for doc in section.docs()]


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_has_its_place(game: str) -> None:
    """The chapters have each rule and the data once, and the appendix has all others."""
    book = rulebook(game)
    found = outline(book)
    placed = [id for chapter in found.chapters for id in chapter.all_rules()]
    wanted = {d.id for d in book.docs.values() if d.kind in PRINTED}
    assert not found.left
    assert len(placed) == len(set(placed))
    assert set(placed) == wanted
    assert sorted(_ids(print_book(book))) == sorted(book.docs)


@pytest.mark.parametrize("game", GAMES)
def test_each_ruling_is_printed_with_a_rule(game: str) -> None:
    book = rulebook(game)
    entries = [
        e for c in print_book(book).chapters for e in (*c.entries, *(x for p in c.parts for x in p.entries))
    ]
    shown = [ruling.name for entry in entries for ruling in entry.rulings]
    assert sorted(shown) == sorted(book.rulings)


@pytest.mark.parametrize("game", GAMES)
def test_an_edition_resolves_its_rulings(game: str) -> None:
    book = rulebook(game)
    for edition in book.editions:
        text = markdown(print_book(book, edition), "x")
        assert not re.search(r"\*\*Ruling\*\* `\w+`\.", text)
        for ruling in book.rulings.values():
            assert f"`{ruling.name}` = `{ruling.by_edition[edition]}`" in text
    cited = [e for e in book.editions if e != "standard"]
    for edition in cited:
        text = markdown(print_book(book, edition), "x")
        assert f" · {edition}: " in text
        assert not [other for other in cited if other != edition and f" · {other}: " in text]
