"""The printed descriptions of cards agree with the rules."""

from __future__ import annotations

import re

import pytest
from games.krone.named import position

from kaiser_logic.printing.book import BookTable, print_book
from kaiser_logic.rules.loader import rulebook

BOOK = rulebook("krone")
EFFECTS = "cards.black_shields"
"""The rule with the table of effects."""
USED = {
    "incite": "incite",
    "castle": "castle(a10)",
    "cathedral": "cathedral(a7)",
    "city": "city(a11)",
    "papal visit": "papal_visit",
}


def effects() -> dict[str, str]:
    """The printed effect of each card and event."""
    tables: list[BookTable] = [
        table
        for chapter in print_book(BOOK).chapters
        for entry in chapter.entries
        if entry.doc.id == EFFECTS
        for _, table in entry.tables
        if table.name == "effects"
    ]
    return {row[0]: row[1] for table in tables for row in table.rows}


def test_every_card_and_event_is_described() -> None:
    found = effects()
    assert len(found) == 12
    assert all(found.values())
    assert not [text for text in found.values() if re.match(r"effect\(", text)]


@pytest.mark.parametrize(("card", "action"), USED.items())
def test_cards_cost_the_printed_action_points(card: str, action: str) -> None:
    price = re.search(r"\((\d) action points?\)", effects()[card])
    assert price is not None
    after = position("turn").apply({"red": action})
    assert f"ap({3 - int(price[1])})" in after.facts
