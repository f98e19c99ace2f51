"""The printed book: each rule has its place, each ruling has a rule, and editions are resolved."""

from functools import partial
from html import escape as of_page
from pathlib import Path

import pytest
from support.heap_game import variant
from support.printed import GAMES
from support.tables import rows

import kaiser_logic as kl
from kaiser_logic.errors import FaultyRulebook, WrongUsage
from kaiser_logic.printing.book import PRINTED, PrintedBook, outline, print_book
from kaiser_logic.printing.markdown import escape as of_markdown
from kaiser_logic.printing.markdown import markdown
from kaiser_logic.printing.page import page
from kaiser_logic.rules.loader import read_rulebook, rulebook
from kaiser_logic.rules.rulebook import Rulebook


def _ids(book: PrintedBook) -> list[str]:
    return [doc.id for section in (*book.chapters, *book.appendix) for doc in section.docs()]


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_has_its_place(game):
    """The chapters have each rule and the data once, and the appendix has all others."""
    book = rulebook(game)
    found = outline(book)
    placed = [id for chapter in found.chapters for one in (chapter, *chapter.parts) for id in one.rules]
    wanted = {d.id for d in book.docs.values() if d.kind in PRINTED}
    assert not found.left
    assert len(placed) == len(set(placed))
    assert set(placed) == wanted
    assert sorted(_ids(print_book(book))) == sorted(book.docs)


# The book of an edition says nothing that does not hold in it.
EDITIONS = [(game, edition) for game in kl.games() for edition in rulebook(game).editions]


@pytest.mark.parametrize(("game", "edition"), EDITIONS)
def test_a_book_says_what_holds_in_its_edition(game, edition):
    book = rulebook(game)
    made = print_book(book, edition)
    for text, escaped in ((markdown(made, "asp"), of_markdown), (page(made, "asp"), partial(of_page, quote=True))):
        sentences = {name: escaped(ruling.values[ruling.by_edition[edition]]) for name, ruling in book.rulings.items()}
        assert [name for name, sentence in sentences.items() if sentence not in text] == []
        assert [other for other in _of_others(book, made) if escaped(other) in text] == []


def _of_others(book: Rulebook, made: PrintedBook) -> list[str]:
    """The sentences of rulings and the statements of rules that hold under other editions or values only."""
    said = {made.texts.statement(doc) for doc in book.docs.values()}
    said |= {ruling.values[made.texts.options[name]] for name, ruling in book.rulings.items()}
    every = [sentence for ruling in book.rulings.values() for sentence in ruling.values.values()]
    every += [
        text for doc in book.docs.values() for text in (doc.default_statement, *(v.statement for v in doc.variants))
    ]
    return [text for text in every if not any(text in one for one in said)]


# Outlines in book.toml, and the errors in them.
BOOK, TABLES = (Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("book.toml", "book.lp"))


def made(folder: Path, text: str = BOOK, tables: str = TABLES) -> PrintedBook:
    return print_book(read_rulebook(written(folder, text, tables)))


def written(folder: Path, text: str = BOOK, tables: str = TABLES) -> Path:
    heap = variant(folder, {})
    (heap / "book.toml").write_text(text, encoding="utf-8")
    (heap / "book.lp").write_text(tables, encoding="utf-8")
    return heap


def numbers(book: PrintedBook) -> dict[str, str]:
    sections = [s for chapter in book.chapters for s in (chapter, *chapter.parts)]
    return {entry.doc.id: entry.number for section in sections for entry in section.entries}


def test_rules_have_the_order_of_the_outline(tmp_path):
    found = numbers(made(tmp_path))
    assert found == {"take.enough": "1.1", "take": "1.2", "pass_on": "1.3", "ending": "1.4", "supply.stones": "2.1"}


def test_each_file_is_a_chapter_without_an_outline(tmp_path):
    book = print_book(read_rulebook(variant(tmp_path, {})))
    assert [c.title for c in book.chapters] == ["Vocabulary", "Play"]
    assert "last_stone" in markdown(book, "x")


def test_tables_are_printed_below_their_rule(tmp_path):
    text = markdown(made(tmp_path), "x")
    table = "*How many*\n\n| what | so many |\n| --- | --- |\n| 1 | 1 |\n| 2 | 2 |\n| 3 | 3 |"
    assert table in text
    assert text.index("**1.2**") < text.index(table) < text.index("**1.3**")


def test_texts_of_the_outline_are_escaped(tmp_path):
    book = made(tmp_path, BOOK.replace("Take stones.", "Take <b>*all*</b> & |win|."))
    assert r"Take \<b\>\*all\*\</b\> & \|win\|." in markdown(book, "x")
    assert "Take &lt;b&gt;*all*&lt;/b&gt; &amp; |win|." in page(book, "x")


def test_unknown_editions_are_refused(tmp_path):
    book = read_rulebook(written(tmp_path))
    assert "(`last_stone` = `wins`)" in markdown(print_book(book, "standard"), "x")
    with pytest.raises(WrongUsage, match="no edition 'first'"):
        print_book(book, "first")


@pytest.mark.parametrize(("old", "new", "message"), rows("printing/mistakes", "outline"))
def test_errors_in_the_outline_are_reported(old, new, message, tmp_path):
    assert BOOK.count(old) == 1
    with pytest.raises(FaultyRulebook) as caught:
        outline(read_rulebook(written(tmp_path, BOOK.replace(old, new))))
    assert message in str(caught.value)


def test_unreadable_tables_are_reported(tmp_path):
    with pytest.raises(FaultyRulebook, match=r"book\.lp:3"):
        made(tmp_path, tables="\ntable(1,stones\n")
