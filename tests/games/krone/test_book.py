"""What the printed rulebook says of the cards in words is what the rules make of them."""

from __future__ import annotations

import re

import pytest
from games.krone.named import position

from kaiser_logic.printing.book import Table, printed
from kaiser_logic.rules.loader import rulebook

BOOK = rulebook("krone")
EFFECTS = "cards.black_shields"
"""The rule below which the table of effects stands."""
USED = {
    "incite": "incite",
    "castle": "castle(a10)",
    "cathedral": "cathedral(a7)",
    "city": "city(a11)",
    "papal visit": "papal_visit",
}


def effects() -> dict[str, str]:
    """Each card and event with its effect in words."""
    tables: list[Table] = [
        table
        for chapter in printed(BOOK).chapters
        for entry in chapter.entries
        if entry.doc.id == EFFECTS
        for _, table in entry.tables
        if table.name == "effects"
    ]
    return {row[0]: row[1] for table in tables for row in table.rows}


def test_every_card_and_event_is_told() -> None:
    found = effects()
    assert len(found) == 12
    assert all(found.values())
    assert not [text for text in found.values() if re.match(r"effect\(", text)]


@pytest.mark.parametrize(("card", "action"), USED.items())
def test_using_a_card_costs_what_is_told(card: str, action: str) -> None:
    told = re.search(r"\((\d) action points?\)", effects()[card])
    assert told is not None
    after = position("turn").apply({"red": action})
    assert f"ap({3 - int(told[1])})" in after.facts
