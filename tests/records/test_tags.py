"""From tags to a game, and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from played import HEAD, game_at
from support.checked import report, rules

import kaiser_logic as kl
from kaiser_logic.errors import UnreadableInput
from kaiser_logic.records.checking import check


@pytest.mark.parametrize(
    "tag",
    [
        '[Edition "latin"]',
        '[Option "nothing=1"]',
        '[Option "archbishop_marriage=perhaps"]',
        '[Seats "red"]',
        '[Seats "red purple"]',
        '[Emperor "purple"]',
        '[Emperor "red green"]',
        '[Seats "red green"] [Emperor "yellow"]',
    ],
)
def test_wrong_tags(tag: str) -> None:
    found = report(f"{HEAD}{tag} red: pass")
    assert rules(found) == ["record.tag"]
    assert found.judged == 0
    assert tag.rpartition("] ")[2].strip("[]") in found.faults[0].message
    assert report(f"{HEAD}{tag} red: pass", "skip").judged == 1


def test_every_wrong_tag_is_reported() -> None:
    found = report(
        f'{HEAD}[Edition "x"] [Option "a=1"] [Option "b=2"]\n[Seats "red"] [Event "?"] [Players "9"]'
    )
    assert [(fault.line, fault.column) for fault in found.faults] == [(2, 2), (2, 16), (2, 31), (3, 2)]


def test_good_tags_count() -> None:
    text = (
        f'{HEAD}[Edition "it"] [Option "archbishop_marriage=allowed"] [Seats "blue red"] [Emperor "red"]'
        "assert { seat(blue,1). decision(chance,close_archbishopric). emperor(red). }"
    )
    found = report(text)
    assert found.ok
    assert found.final is not None
    assert (
        found.final.ruleset.configuration.edition,
        game_at(found.final).options["archbishop_marriage"],
    ) == ("it", "allowed")


def test_unknown_game() -> None:
    with pytest.raises(UnreadableInput, match=r"my\.game:1:2: there is no game 'chess'"):
        report('[Game "chess"] red: pass')


def test_boards(tmp_path: Path) -> None:
    (tmp_path / "big.lp").write_text("spaces(trier,castle,2).")
    (tmp_path / "bad.lp").write_text("king(red).")
    path = tmp_path / "my.game"
    path.write_text(f'{HEAD}[Board "big.lp"] red: empire_city(trier)')
    assert check(kl.read(path)).ok
    for board in ("bad.lp", "my.game", "missing.lp", ".", "/dev/zero", "x" * 500):
        path.write_text(f'{HEAD}[Board "{board}"] red: empire_city(trier)')
        with pytest.raises(UnreadableInput):
            check(kl.read(path))
