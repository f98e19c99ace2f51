"""Where a rule is from, as its source says it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import variant

from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.rules.loader import read_rulebook
from kaiser_logic.rules.rulebook import has_content, misread, provenance


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Fase II", [("says", "Fase II", "")]),
        ("Fase V (no couple holds the seat)", [("says", "Fase V (no couple holds the seat)", "")]),
        ("Fase II (silent)", [("silent", "Fase II", "")]),
        ("Einde (silent about ties); Fase II", [("silent", "Einde", "about ties"), ("says", "Fase II", "")]),
        ("Cards (assumed from its name)", [("assumed", "Cards", "from its name")]),
        ("assumed", [("assumed", "", "")]),
        ("assumed, as the pictures are missing", [("assumed", "", "as the pictures are missing")]),
        ("base game, not in the appendix", [("base", "", "not in the appendix")]),
        ("Truhen; base game", [("says", "Truhen", ""), ("base", "", "")]),
    ],
)
def test_a_source_is_read(text: str, parts: list[tuple[str, str, str]]) -> None:
    assert [tuple(part) for part in provenance(text)] == parts
    assert not list(misread(text))


@pytest.mark.parametrize("text", ["Fase II, silent", "Fase II (unverified)", "Fase II (we assumed it)"])
def test_a_mark_that_is_not_read_is_found(text: str) -> None:
    assert list(misread(text)) == [text]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Fase II", True),
        ("Fase II (silent about ties)", True),
        ("Fase II (silent)", False),
        ("assumed", False),
    ],
)
def test_whether_a_text_says_anything(text: str, said: bool) -> None:
    assert any(map(has_content, provenance(text))) is said


def test_a_rulebook_with_a_mark_that_is_not_read_is_refused(tmp_path: Path) -> None:
    changes = {"%!   standard  The end\nadd(": "%!   standard  The end, silent\nadd("}
    with pytest.raises(FaultyRulebook, match="'The end, silent' cannot be read as a source"):
        read_rulebook(variant(tmp_path, changes))


def test_the_source_of_the_own_edition_counts(tmp_path: Path) -> None:
    doc = read_rulebook(
        variant(tmp_path, {"%!   standard  The end\nadd(": "%!   standard  assumed\nadd("})
    ).docs["pass_on"]
    assert doc.assumed()
    assert doc.assumed("standard")
    two = doc._replace(sources={"standard": "assumed", "other": "The end"})
    assert two.assumed()
    assert not two.assumed("other")
