"""The whole book: each rule in its place, each ruling with a rule, editions resolved."""

from __future__ import annotations

import re

import pytest
from support.printed import GAMES

from kaiser_logic.printing.book import PRINTED, Book, outline, printed
from kaiser_logic.printing.markdown import markdown
from kaiser_logic.rules.loader import rulebook


def _ids(book: Book) -> list[str]:
    return [doc.id for section in (*book.chapters, *book.appendix) for doc in section.docs()]


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_has_its_place(game: str) -> None:
    """In the chapters rules and data, each once, by the author's order; in the appendix all others."""
    book = rulebook(game)
    said = outline(book)
    placed = [id for chapter in said.chapters for id in chapter.all_rules()]
    wanted = {d.id for d in book.docs.values() if d.kind in PRINTED}
    assert not said.left
    assert len(placed) == len(set(placed))
    assert set(placed) == wanted
    assert sorted(_ids(printed(book))) == sorted(book.docs)


@pytest.mark.parametrize("game", GAMES)
def test_each_ruling_stands_with_a_rule(game: str) -> None:
    book = rulebook(game)
    entries = [
        e for c in printed(book).chapters for e in (*c.entries, *(x for p in c.parts for x in p.entries))
    ]
    shown = [ruling.name for entry in entries for ruling in entry.rulings]
    assert sorted(shown) == sorted(book.rulings)


@pytest.mark.parametrize("game", GAMES)
def test_an_edition_resolves_its_rulings(game: str) -> None:
    book = rulebook(game)
    for edition in book.editions:
        text = markdown(printed(book, edition), "x")
        assert not re.search(r"\*\*Ruling\*\* `\w+`\.", text)
        for ruling in book.rulings.values():
            assert f"`{ruling.name}` = `{ruling.by_edition[edition]}`" in text
    cited = [e for e in book.editions if e != "standard"]
    for edition in cited:
        text = markdown(printed(book, edition), "x")
        assert f" · {edition}: " in text
        assert not [other for other in cited if other != edition and f" · {other}: " in text]
