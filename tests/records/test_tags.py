"""Tags of records: from tags to a game and back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.checked import report, rules
from support.effort import grows_evenly
from support.played import HEAD, game_at

import kaiser_logic as kl
from kaiser_logic.engine.ruleset import tags_of
from kaiser_logic.errors import UnreadableInput
from kaiser_logic.notation.reading import build_record, parse_record
from kaiser_logic.notation.record import Move
from kaiser_logic.notation.syntax import MAX_FACTS, parse_user_term
from kaiser_logic.records.checking import check, check_many
from kaiser_logic.records.replay import Replay
from kaiser_logic.records.tags import game_of, record_of, unknown_tags, with_hint


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
def test_wrong_tags_are_faults(tag: str) -> None:
    found = report(f"{HEAD}{tag} red: pass")
    assert rules(found) == ["record.tag"]
    assert found.judged == 0
    assert tag.rpartition("] ")[2].strip("[]") in found.faults[0].message
    assert report(f"{HEAD}{tag} red: pass", "skip").judged == 1


def test_a_wrong_tag_is_found_beside_a_misspelt_one() -> None:
    found = report(f'{HEAD}\n[emperor "green"]\n[Emperor "purple"]\nred: pass')
    assert [(fault.line, fault.column) for fault in found.faults] == [
        (HEAD.count("\n") + line, 2) for line in (2, 3)
    ]
    assert found.faults[0].message == '[emperor "green"]: there is no such tag; did you mean Emperor?'
    assert found.faults[1].message.startswith('[Emperor "purple"]: ')


MEANT = {
    "did you mean Edition?": "edition EDITION Editions Ediiton Edtion Edittion",
    "did you mean Option?": "option Options Optoin Opton",
    "did you mean Seats?": "seats Seat SEATS Saets Seaats",
    "did you mean Board?": "board Boards Baord Bord",
    "did you mean Result?": "result Results Reslut Rezult",
    "did you mean Game?": "game Games Gaem",
    "did you mean Emperor?": "emperor EMPEROR Emporer Emperors Emperour",
    'a ruling is changed by [Option "archbishop_marriage=..."]': "archbishop_marriage Archbishop_Marriage",
    "": "Event Site Date Round White Black Editor Annotator Set Sea Name Team Seed View Position Privileges Players",
}


@pytest.mark.parametrize(("meant", "names"), MEANT.items())
def test_tags_that_are_nearly_known_are_faults(meant: str, names: str) -> None:
    """Others are kept."""
    for name in names.split():
        record = parse_record(f'{HEAD}\n[{name} "it"]\n')
        faults = check(record).faults
        message = f'[{name} "it"]: there is no such tag; {meant}'
        assert [fault.message for fault in faults] == [message][: bool(meant)]
        assert [tag.name for tag in unknown_tags(record)] == ([] if meant else [name])


def test_every_wrong_tag_is_reported() -> None:
    found = report(
        f'{HEAD}[Edition "x"] [Option "a=1"] [Option "b=2"]\n[Seats "red"] [Event "?"] [Players "9"]'
    )
    assert [(fault.line, fault.column) for fault in found.faults] == [(2, 2), (2, 16), (2, 31), (3, 2)]


def test_tags_configure_the_game() -> None:
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


def test_unknown_games_are_refused() -> None:
    with pytest.raises(UnreadableInput, match=r"my\.game:1:2: there is no game 'chess'"):
        report('[Game "chess"] red: pass')


@pytest.mark.slow
def test_board_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "big.lp").write_text("spaces(trier,castle,2).")
    (tmp_path / "bad.lp").write_text("king(red).")
    path = tmp_path / "my.game"
    path.write_text(f'{HEAD}[Board "big.lp"] red: empire_city(trier)')
    assert check(kl.read(path)).ok
    for board in ("bad.lp", "my.game", "missing.lp", ".", "/dev/zero", "x" * 500):
        path.write_text(f'{HEAD}[Board "{board}"] red: empire_city(trier)')
        with pytest.raises(UnreadableInput):
            check(kl.read(path))


@pytest.mark.parametrize(
    "named",
    ["../secret.lp", "sub/../../secret.lp", "{absolute}", "C:/secret.lp", "link.lp", "..\\\\secret.lp"],
)
def test_boards_outside_the_folder_of_the_record_are_refused(tmp_path: Path, named: str) -> None:
    """A hostile record cannot open other files of the machine or show their content."""
    secret, folder = tmp_path / "secret.lp", tmp_path / "records"
    (folder / "sub").mkdir(parents=True)
    secret.write_text("password(hidden).")
    (folder / "link.lp").symlink_to(secret)
    path = folder / "my.game"
    path.write_text(f'{HEAD}[Board "{named.format(absolute=secret)}"] red: empire_city(trier)')
    with pytest.raises(
        UnreadableInput, match="the board file must be in the record's folder or below"
    ) as refused:
        check(kl.read(path))
    assert "password" not in str(refused.value)


def test_boards_may_be_below_the_folder_of_the_record(tmp_path: Path) -> None:
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "big.lp").write_text("spaces(trier,castle,2).")
    path = tmp_path / "my.game"
    path.write_text(f'{HEAD}[Board "boards/big.lp"] red: empire_city(trier)')
    assert check(kl.read(path)).ok


def test_invalid_start_tags_get_their_default() -> None:
    found = report(f'{HEAD}[Seats "blue red"] [Emperor "green"] assert {{ emperor(blue). }}', "skip")
    assert rules(found) == ["record.tag"]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"edition": "it", "options": {"archbishop_marriage": "allowed"}},
        {"seats": ["blue", "red", "green"], "emperor": "green"},
    ],
)
def test_tags_of_a_game_give_the_game(settings: dict[str, Any]) -> None:
    game = kl.load("kaiser", **settings)
    record = build_record(list(tags_of(game.ruleset)))
    assert game_of(record) == (game, [])


def test_records_that_start_from_a_position() -> None:
    at = kl.load("kaiser", players=3, edition="nl").initial()
    record = record_of(at, [Move("chance", parse_user_term("close(trier)"))])
    assert [str(move.action) for move in record.moves] == ["close(trier)"]
    assert Replay.at(record, 0).here() == at


def test_start_tags_are_checked_against_the_seats_of_a_position() -> None:
    """The emperor of the tags is not among the seats, so the default counts: the first seat."""
    at = kl.load("kaiser", seats=["blue", "red"]).initial()
    record = parse_record(f'{HEAD}[Seats "green yellow"] [Emperor "yellow"] position {{ {at} }}')
    game, faults = game_of(record)
    assert (game.seats, game.start, faults) == (("blue", "red"), {"emperor": ("blue",)}, [])


def test_many_wrong_tags_take_linear_time() -> None:
    def reader(number: int) -> Callable[[], object]:
        options = "\n".join(f'[Option "a{n}=x"]' for n in range(number))
        record = parse_record(f"{HEAD}{options}")
        return lambda: game_of(record)

    assert grows_evenly(reader, 100)


def test_each_wrong_option_is_reported_at_its_place() -> None:
    record = parse_record(f'{HEAD}\n[Option "a=1"]\n[Option "doctor_successor=x"]\n[Option "b=2"]')
    assert [(f.line, f.message.partition("]")[0]) for f in game_of(record)[1]] == [
        (3, '[Option "a=1"'),
        (4, '[Option "doctor_successor=x"'),
        (5, '[Option "b=2"'),
    ]


def test_boards_with_too_many_facts_are_refused(tmp_path: Path) -> None:
    for number, message in ((MAX_FACTS, "no fact of a board"), (MAX_FACTS + 1, "at most 2000 facts")):
        (tmp_path / "b.lp").write_text("\n".join(f"spaces(trier,city,{n})." for n in range(number)))
        record = tmp_path / "my.game"
        record.write_text(f'{HEAD}[Board "b.lp"]')
        with pytest.raises(UnreadableInput, match=message):
            check(record)
        with pytest.raises(UnreadableInput, match=message):
            kl.load("kaiser", board=tmp_path / "b.lp")


# Hints about names in records that cannot be read.
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
