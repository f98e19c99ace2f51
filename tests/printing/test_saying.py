"""A sentence counts as the source of a rule only if it says it: what words and numbers tell of that."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import variant
from support.saying import merely_named, unsaid_numbers

from kaiser_logic.printing.sentences import Sentences, sentences
from kaiser_logic.rules.loader import read_rulebook, rulebook
from kaiser_logic.rules.rulebook import Rulebook

MENDED = ("staufer",)
"""The games whose lists have been read both ways, sentence by sentence and rule by rule."""

LIST = """
[structural]
"take.enough" = "what is not there cannot be taken"

[standard."The course of the game"]
1 = "SAID => take"
2 = "then the next player, until all are gone => pass_on"

[standard."The end"]
1 = "the last one counts => ending, last_stone"
"""


def made(folder: Path, said: str) -> tuple[Rulebook, Sentences]:
    heap = variant(folder, {})
    (heap / "sentences.toml").write_text(LIST.replace("SAID", said), encoding="utf-8")
    book = read_rulebook(heap)
    found = sentences(book)
    assert found is not None
    return book, found


@pytest.mark.parametrize("game", MENDED)
def test_sentences_say_their_rules(game: str) -> None:
    book = rulebook(game)
    found = sentences(book)
    assert found is not None
    assert not list(merely_named(book, found))
    assert not list(unsaid_numbers(book, found))


def test_a_sentence_that_merely_names_a_thing_says_no_rule(tmp_path: Path) -> None:
    book, found = made(tmp_path, "what Red and Green do")
    assert any("does not say take" in fault for fault in merely_named(book, found))


def test_numbers_are_said_by_a_sentence(tmp_path: Path) -> None:
    book, found = made(tmp_path, "each takes one to nine stones")
    assert list(unsaid_numbers(book, found)) == ["take: no sentence of standard that is to say it has 3"]
    (tmp_path / "right").mkdir()
    book, found = made(tmp_path / "right", "each takes one to three stones")
    assert not list(unsaid_numbers(book, found))
    assert not [fault for fault in merely_named(book, found) if fault.endswith("say take")]
