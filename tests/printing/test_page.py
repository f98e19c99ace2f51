"""The book as a single HTML page."""

from __future__ import annotations

import re

import pytest
from support.printed import GAMES

from kaiser_logic.printing.book import print_book
from kaiser_logic.printing.page import page as html
from kaiser_logic.rules.loader import rulebook


@pytest.mark.parametrize("game", GAMES)
def test_the_page_is_complete_and_self_contained(game: str) -> None:
    text = html(print_book(rulebook(game)), "../../asp")
    assert not re.search(r"<(script|link|img|iframe)\b|https?:|url\(|@import", text)
    for tag in ("div", "p", "ul", "li", "table", "tr", "td", "th", "span", "nav", "main", "h2", "h3"):
        assert len(re.findall(rf"<{tag}\b", text)) == len(re.findall(rf"</{tag}>", text)), tag
    names = set(re.findall(r'id="([^"]+)"', text))
    assert {a for a in re.findall(r'href="#([^"]+)"', text)} <= names
    assert len(names) == len(re.findall(r'id="([^"]+)"', text))
