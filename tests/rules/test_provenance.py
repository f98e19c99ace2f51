"""The source of a rule says which texts state it, which are silent and what is assumed."""

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
def test_a_source_is_read_in_parts(text: str, parts: list[tuple[str, str, str]]) -> None:
    assert [tuple(part) for part in provenance(text)] == parts
    assert not list(misread(text))


@pytest.mark.parametrize("text", ["Fase II, silent", "Fase II (unverified)", "Fase II (we assumed it)"])
def test_a_misplaced_mark_is_found(text: str) -> None:
    assert list(misread(text)) == [text]


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Fase II", True),
        ("Fase II (silent about ties)", True),
        ("Fase II (silent)", False),
        ("assumed", False),
    ],
)
def test_a_source_has_content_unless_it_is_silent_or_assumed(text: str, stated: bool) -> None:
    assert any(map(has_content, provenance(text))) is stated


def test_a_rulebook_with_a_misplaced_mark_is_refused(tmp_path: Path) -> None:
    changes = {"%!   standard  The end\nadd(": "%!   standard  The end, silent\nadd("}
    with pytest.raises(FaultyRulebook, match="'The end, silent' cannot be read as a source"):
        read_rulebook(variant(tmp_path, changes))
