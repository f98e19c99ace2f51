"""The printed rulebooks in docs/rulebooks are those of the rules as they are now."""

from __future__ import annotations

import re

import pytest
from support.printed import FOLDER, GAMES, page

from kaiser_logic.engine.configuration import configure
from kaiser_logic.engine.ruleset import Ruleset
from kaiser_logic.printing.book import Book, printed
from kaiser_logic.printing.markdown import markdown
from kaiser_logic.printing.outline import PRINTED, outline
from kaiser_logic.printing.page import page as html
from kaiser_logic.printing.sentences import sentences
from kaiser_logic.printing.tables import tables
from kaiser_logic.rules.loader import asp_folder, rulebook


def _ids(book: Book) -> list[str]:
    return [doc.id for section in (*book.chapters, *book.appendix) for doc in section.docs()]


@pytest.mark.parametrize("game", GAMES)
def test_it_is_fresh(game: str) -> None:
    """Otherwise: PYTHONPATH=.:tests python -m support.printed."""
    assert (FOLDER / f"{game}.md").read_text(encoding="utf-8") == page(game)


def test_there_is_one_for_each_game() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.md")) == GAMES


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
def test_every_table_has_a_title_and_a_rule(game: str) -> None:
    book = rulebook(game)
    said = outline(book)
    made = tables(Ruleset(book, configure(book, game)[0]), said.words)
    assert {t.name for t in made} == set(said.tables)
    assert all(title for title, _ in said.tables.values())
    for table in made:
        assert table.rows and len(table.heading) > 1, table.name
        assert all(len(row) == len(table.heading) for row in table.rows)
        assert not [c for row in (table.heading, *table.rows) for c in row if re.search(r"\w\(|_", c)], table


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


@pytest.mark.parametrize("game", GAMES)
def test_links_lead_to_the_rule(game: str) -> None:
    found = re.findall(r"\[([\w.]+)\]\(\.\./\.\./asp/([\w/]+\.lp)#L(\d+)\)", page(game))
    assert len(found) >= len(rulebook(game).docs)
    for rule, file, line in found:
        text = (asp_folder() / file).read_text(encoding="utf-8").splitlines()[int(line) - 1]
        assert re.match(rf"%! \w+ {re.escape(rule)} -- ", text)


@pytest.mark.parametrize("game", GAMES)
def test_the_page_is_whole_and_needs_nothing_else(game: str) -> None:
    text = html(printed(rulebook(game)), "../../asp")
    assert not re.search(r"<(script|link|img|iframe)\b|https?:|url\(|@import", text)
    for tag in ("div", "p", "ul", "li", "table", "tr", "td", "th", "span", "nav", "main", "h2", "h3"):
        assert len(re.findall(rf"<{tag}\b", text)) == len(re.findall(rf"</{tag}>", text)), tag
    names = set(re.findall(r'id="([^"]+)"', text))
    assert {a for a in re.findall(r'href="#([^"]+)"', text)} <= names
    assert len(names) == len(re.findall(r'id="([^"]+)"', text))


@pytest.mark.parametrize("game", GAMES)
def test_every_sentence_has_its_rule(game: str) -> None:
    """Both ways: each sentence names rules that are there, each rule that cites a text is named, or structural."""
    made = sentences(rulebook(game))
    assert made is not None
    assert len(made.all) > 50
