"""Lists of the sentences of a text with their rules, and the errors in them."""

import re
import tomllib
from pathlib import Path

import pytest
from support.heap_game import variant
from support.printed import FOLDER, GAMES, page
from support.rulebook_cases import changes
from support.sentence_checks import numbers_not_said, only_named, section_not_said
from support.tables import rows

from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.printing.sources import Sentences, sentences, unsupported_rules
from kaiser_logic.rules.loader import asp_folder, read_rulebook, rulebook
from kaiser_logic.rules.rule_texts import RuleTexts

LIST = Path(__file__).with_name("sentences.toml").read_text(encoding="utf-8")


def made(folder: Path, text: str | None) -> Sentences | None:
    """The sentences of the heap game with this list, or with none."""
    folder.mkdir(exist_ok=True)
    heap = variant(folder, {})
    if text is not None:
        (heap / "sentences.toml").write_text(text, encoding="utf-8")
    return sentences(read_rulebook(heap))


def test_lists_are_read(tmp_path):
    found = made(tmp_path, LIST)
    assert found is not None
    assert len(found.all) == 5
    assert (found.all[2].none, found.all[2].rules) == ("how stones lie", ())
    assert (found.all[4].heading, found.all[4].number) == ("The end", 2)
    assert found.all[4].rules == ("ending", "last_stone")
    assert [one.printed for one in found.all] == ["one to three", "", "in a row", "", ""]


def test_structural_rules_need_no_sentence(tmp_path):
    text = LIST.replace('2 = "not more than there are => take.enough"\n3', "2")
    with pytest.raises(FaultyRulebook, match=r"no sentence of standard says take\.enough"):
        made(tmp_path / "one", text)
    assert made(tmp_path / "two", f'[structural]\n"take.enough" = "it cannot be"\n{text}')


@pytest.mark.parametrize(("old", "new", "message"), rows("printing/mistakes", "sentences"))
def test_errors_in_the_list_are_reported(old, new, message, tmp_path):
    assert old in LIST
    with pytest.raises(FaultyRulebook) as caught:
        made(tmp_path, LIST.replace(old, new.removeprefix("-"), 1))
    assert message in str(caught.value)


def test_sentences_cannot_state_rules_without_a_text(tmp_path):
    for source in ("assumed", "The course of the game (silent)", "base game"):
        folder = tmp_path / source.split()[0]
        folder.mkdir()
        heap = variant(folder, {"%!   standard  The course of the game\nholds": f"%!   standard  {source}\nholds"})
        (heap / "sentences.toml").write_text(LIST, encoding="utf-8")
        with pytest.raises(FaultyRulebook, match="it cannot say 'take\\.enough', whose source is"):
            sentences(read_rulebook(heap))


# The rules of a rulebook that no text gives.
CHANGES = changes("printing/changes")["CHANGES"]


def test_unsupported_rules_are_listed_with_their_replacement(tmp_path):
    found = unsupported_rules(RuleTexts.of_edition(read_rulebook(variant(tmp_path, CHANGES))))
    assert {kind: {name: replaced for name, _, replaced in entries} for kind, entries in found.items()} == {
        "assumed": {
            "amounts": "a board file with amount(K)",
            "take": "a board file with amount(K); the rest by a copy of the rulebook (--game FOLDER)",
            "ending": "the ruling last_stone; the rest by a copy of the rulebook (--game FOLDER)",
            "last_stone": "another value",
        },
        "base": {"pass_on": "a copy of the rulebook (--game FOLDER)"},
        "silent": {"take.enough": "a copy of the rulebook (--game FOLDER)"},
    }


# The printed rulebooks in docs/rulebooks are up to date, and every sentence has its rule.
_DATA = tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8"))
NAMES: dict[str, str] = _DATA["names"]
WITHIN: dict[str, dict[str, str]] = _DATA["within"]


@pytest.mark.parametrize("game", GAMES)
def test_printed_rulebooks_are_up_to_date(game):
    """If this fails, run PYTHONPATH=.:tests python -m support.printed."""
    assert (FOLDER / f"{game}.md").read_text(encoding="utf-8") == page(game)


@pytest.mark.parametrize("game", GAMES)
def test_links_lead_to_the_rule(game):
    found = re.findall(r"\[([\w.]+)\]\(\.\./\.\./asp/([\w/]+\.lp)#L(\d+)\)", page(game))
    assert len(found) >= len(rulebook(game).docs)
    for rule, file, line in found:
        text = (asp_folder() / file).read_text(encoding="utf-8").splitlines()[int(line) - 1]
        assert re.match(rf"%! \w+ {re.escape(rule)} -- ", text)


@pytest.mark.parametrize("game", GAMES)
def test_every_sentence_has_its_rule(game):
    """Each sentence names existing rules. Each rule that cites a text is named by a sentence, or is structural."""
    made = sentences(rulebook(game))
    assert made is not None
    assert len(made.all) > 50


@pytest.mark.parametrize("game", NAMES)
def test_each_sentence_states_its_rules(game):
    """A sentence is more than the name of a card. Each number of a rule and each section cited has a sentence."""
    book = rulebook(game)
    assert [
        *only_named(book, NAMES[game]),
        *numbers_not_said(book),
        *section_not_said(book, WITHIN.get(game, {})),
    ] == []
