"""Names in other case, with accents, in other languages or misspelt are understood."""

import pytest
from support.tables import values

from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.rules.library import asp_folder
from kaiser_logic.rules.names import did_you_mean, how_written, known_names, name_meant, plain

KAISER = asp_folder() / "kaiser"
PLACES = ("trier", "koeln", "mainz", "boehmen")


@pytest.mark.parametrize(("word", "name"), values("rules/rules", "meant"))
def test_a_misspelt_or_translated_name_is_understood(word, name):
    assert name_meant(KAISER, word, PLACES) == name


def test_hints_say_how_a_name_is_written():
    assert how_written(KAISER, "elector(Köln,red)") == "; 'Köln' is written koeln"
    assert how_written(KAISER, "Groen: pass") == "; 'Groen' is written green"
    assert how_written(KAISER, "red: elector(koeln)") == ""
    assert plain("Città Imperiale") == "citta_imperiale"


def test_hints_name_the_closest_word():
    assert did_you_mean(KAISER, "rosso", ("red", "green")) == "; did you mean red?"
    assert did_you_mean(KAISER, "zzz", ("red", "green")) == ""


@pytest.mark.parametrize("game", ["kaiser", "krone", "staufer", "vive"])
def test_tables_of_names_of_the_games_are_read(game):
    assert len(known_names(asp_folder() / game)) > 20


@pytest.mark.parametrize("text", ["[names", "[names]\na = 1", "[words]\na = ['b']"])
def test_a_malformed_table_of_names_is_refused(tmp_path, text):
    (tmp_path / "names.toml").write_text(text, encoding="utf-8")
    with pytest.raises(FaultyRulebook):
        known_names(tmp_path)
