"""Names in other case, with accents, in other languages, misspelt."""

from __future__ import annotations

from pathlib import Path

import pytest

from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.rules.library import asp_folder
from kaiser_logic.rules.names import did_you_mean, how_written, known_names, meant, plain

KAISER = asp_folder() / "kaiser"
PLACES = ("trier", "koeln", "mainz", "boehmen")


@pytest.mark.parametrize(
    ("word", "name"),
    [("Köln", "koeln"), ("Koln", "koeln"), ("KOELN", "koeln"), ("Keulen", "koeln"), ("Colonia", "koeln"),
     ("Boemia", "boehmen"), ("Treviri", "trier"), ("miainz", "mainz"), ("red", None), ("xx", None)],
)  # fmt: skip
def test_what_is_meant(word: str, name: str | None) -> None:
    assert meant(KAISER, word, PLACES) == name


def test_how_words_are_written() -> None:
    assert how_written(KAISER, "elector(Köln,red)") == "; 'Köln' is written koeln"
    assert how_written(KAISER, "Groen: pass") == "; 'Groen' is written green"
    assert how_written(KAISER, "red: elector(koeln)") == ""
    assert plain("Città Imperiale") == "citta_imperiale"


def test_a_hint() -> None:
    assert did_you_mean(KAISER, "rosso", ("red", "green")) == "; did you mean red?"
    assert did_you_mean(KAISER, "zzz", ("red", "green")) == ""


@pytest.mark.parametrize("game", ["kaiser", "krone", "staufer", "vive"])
def test_the_games_tables_can_be_read(game: str) -> None:
    assert len(known_names(asp_folder() / game)) > 20


@pytest.mark.parametrize("text", ["[names", "[names]\na = 1", "[words]\na = ['b']"])
def test_a_table_that_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "names.toml").write_text(text, encoding="utf-8")
    with pytest.raises(FaultyRulebook):
        known_names(tmp_path)
