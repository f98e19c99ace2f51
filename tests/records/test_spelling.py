"""Hints about names in records that cannot be read."""

from __future__ import annotations

from pathlib import Path

from kaiser_logic.errors import UnreadableInput
from kaiser_logic.records.checking import check_many
from kaiser_logic.records.tags import with_hint


def test_printed_names_get_a_hint(tmp_path: Path) -> None:
    file = tmp_path / "my.game"
    file.write_text('[Game "kaiser"]\nred: empire_city(Böhmen)\n', encoding="utf-8")
    (report,) = check_many([file])
    assert report.unreadable.startswith(f"{file}:2:18: expected a name or a number")
    assert report.unreadable.endswith("; 'Böhmen' is written boehmen")


def test_no_hint_without_a_game_or_a_place(tmp_path: Path) -> None:
    file = tmp_path / "my.game"
    file.write_text("red: empire_city(Böhmen)\n", encoding="utf-8")
    for error in (
        UnreadableInput("found 'B'", str(file), 1, 18),
        UnreadableInput("no", str(file)),
        UnreadableInput("no"),
    ):
        assert with_hint(error) is error or str(with_hint(error)) == str(error)
