"""Lists of the sentences of a text with their rules, and the errors in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import variant

from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.printing.sources import Sentences, sentences
from kaiser_logic.rules.loader import read_rulebook

LIST = """
[none]
matter = "how stones lie"

[standard."The course of the game"]
1 = "one to three stones => take | one to three"
2 = "not more than there are => take.enough"
3 = "stones lie in a row => (matter) | in a row"

[standard."The end"]
1 = "then the next player, until all are gone => pass_on"
2 = "the last one counts => ending, last_stone"
"""


def made(folder: Path, text: str | None) -> Sentences | None:
    """The sentences of the heap game with this list, or with none."""
    folder.mkdir(exist_ok=True)
    heap = variant(folder, {})
    if text is not None:
        (heap / "sentences.toml").write_text(text, encoding="utf-8")
    return sentences(read_rulebook(heap))


def test_lists_are_read(tmp_path: Path) -> None:
    found = made(tmp_path, LIST)
    assert found is not None
    assert len(found.all) == 5
    assert (found.all[2].none, found.all[2].rules) == ("how stones lie", ())
    assert (found.all[4].heading, found.all[4].number) == ("The end", 2)
    assert found.all[4].rules == ("ending", "last_stone")
    assert [one.printed for one in found.all] == ["one to three", "", "in a row", "", ""]


def test_a_rulebook_may_have_no_list(tmp_path: Path) -> None:
    assert made(tmp_path, None) is None


def test_structural_rules_need_no_sentence(tmp_path: Path) -> None:
    text = LIST.replace('2 = "not more than there are => take.enough"\n3', "2")
    with pytest.raises(FaultyRulebook, match=r"no sentence of standard says take\.enough"):
        made(tmp_path / "one", text)
    assert made(tmp_path / "two", f'[structural]\n"take.enough" = "it cannot be"\n{text}')


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("=> take.enough", "=> take.enouhg", "there is no rule 'take.enouhg'; did you mean 'take.enough'"),
        ("=> (matter)", "=> (metter)", "3: neither a rule nor a known reason"),
        ("=> (matter)", "", "3: neither a rule nor a known reason"),
        ("3 =", "4 =", "the numbers do not run from 1 on"),
        ("[standard.", "[standart.", "no edition 'standart'; did you mean 'standard'"),
        ("[none]", '[structural]\n"take" = "x"\n[none]', "structural: take is said by sentences"),
        ("[none]", '[structural]\n"tkae" = "x"\n[none]', "structural: there is no rule 'tkae'"),
        ("[none]", "[none", "sentences.toml:2"),
    ],
)
def test_errors_in_the_list_are_reported(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in LIST
    with pytest.raises(FaultyRulebook) as caught:
        made(tmp_path, LIST.replace(old, new, 1))
    assert message in str(caught.value)


def test_sentences_cannot_state_rules_without_a_text(tmp_path: Path) -> None:
    for source in ("assumed", "The course of the game (silent)", "base game"):
        folder = tmp_path / source.split()[0]
        folder.mkdir()
        heap = variant(
            folder, {"%!   standard  The course of the game\nholds": f"%!   standard  {source}\nholds"}
        )
        (heap / "sentences.toml").write_text(LIST, encoding="utf-8")
        with pytest.raises(FaultyRulebook, match="it cannot say 'take\\.enough', whose source is"):
            sentences(read_rulebook(heap))
