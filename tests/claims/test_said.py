"""Claims read, from a command line and from files."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.opened import heap

from kaiser_logic.claims.said import own_claims, read_claim, said
from kaiser_logic.errors import UnreadableInput, WrongUsage
from kaiser_logic.game import load
from kaiser_logic.rules.loader import rulebook

FILE = """# what is believed of the heap
low: never heap(N), N > 12   % always
alone: some heap(5),
    taken(green,2)

never heap(1), took(red), took(green)
"""


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "heap.claims"
    path.write_text(FILE, encoding="utf-8")
    found = said((), [path], heap().book)
    assert [(c.id, c.kind) for c in found] == [("low", "never"), ("alone", "some"), ("claim3", "never")]
    assert found[1].statement == "some heap(5), taken(green,2)"
    assert found[0].query.body == "heap(N); N > 12"


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("never heap(N), N >< 3", 1, 19),
        ("always heap(N)", 1, 1),
        ("  heap(1)", 1, 3),
        ("never heap(1),\n   heap(]", 2, 9),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(UnreadableInput) as caught:
        read_claim(text, heap().book)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("# a\nlow: never heap(N), N >< 3\n", 2, 24), ("heap(1)\n", 1, 1), ("low: heap(1)\n", 1, 1)],
)
def test_and_in_a_file(tmp_path: Path, text: str, line: int, column: int) -> None:
    path = tmp_path / "heap.claims"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableInput) as caught:
        said((), [path], heap().book)
    assert (caught.value.path, caught.value.line, caught.value.column) == (str(path), line, column)


def test_what_the_game_does_not_know() -> None:
    with pytest.raises(WrongUsage, match="heap knows no hepa"):
        read_claim("never hepa(1)", heap().book)


def test_ids_are_claims_own(tmp_path: Path) -> None:
    path = tmp_path / "heap.claims"
    path.write_text("one_taker: never heap(13)\n", encoding="utf-8")
    with pytest.raises(WrongUsage, match="another id"):
        said((), [path], heap().book)
    path.write_text("a: never heap(13)\na: never heap(14)\n", encoding="utf-8")
    with pytest.raises(WrongUsage, match="two claims are called a"):
        said((), [path], heap().book)
    assert [c.id for c in said(["never heap(13)"], (), heap().book)] == ["claim"]
    assert [c.id for c in said(["never heap(13)", "some heap(1)"], (), heap().book)] == ["claim1", "claim2"]


def test_a_claim_without_an_id_is_called_like_no_rule() -> None:
    book = rulebook("vive")
    assert "claim" in book.docs
    assert [c.id for c in said(["never king(R,captive)"], (), book)] == ["my_claim"]


def test_the_games_own_are_read() -> None:
    assert {c.kind for c in own_claims(load("kaiser").book)} == {"never", "some"}
    assert own_claims(load("staufer").book) == []
