"""The printed rulebooks in docs/rulebooks are those of the rules as they are now, and every sentence has its rule."""

from __future__ import annotations

import re

import pytest
from support.printed import FOLDER, GAMES, page

from kaiser_logic.printing.sentences import sentences
from kaiser_logic.rules.loader import asp_folder, rulebook


@pytest.mark.parametrize("game", GAMES)
def test_it_is_fresh(game: str) -> None:
    """Otherwise: PYTHONPATH=.:tests python -m support.printed."""
    assert (FOLDER / f"{game}.md").read_text(encoding="utf-8") == page(game)


def test_there_is_one_for_each_game() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.md")) == GAMES


@pytest.mark.parametrize("game", GAMES)
def test_links_lead_to_the_rule(game: str) -> None:
    found = re.findall(r"\[([\w.]+)\]\(\.\./\.\./asp/([\w/]+\.lp)#L(\d+)\)", page(game))
    assert len(found) >= len(rulebook(game).docs)
    for rule, file, line in found:
        text = (asp_folder() / file).read_text(encoding="utf-8").splitlines()[int(line) - 1]
        assert re.match(rf"%! \w+ {re.escape(rule)} -- ", text)


@pytest.mark.parametrize("game", GAMES)
def test_every_sentence_has_its_rule(game: str) -> None:
    """Both ways: each sentence names rules that are there, each rule that cites a text is named, or structural."""
    made = sentences(rulebook(game))
    assert made is not None
    assert len(made.all) > 50
