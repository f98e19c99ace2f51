"""Tags of records: from tags to a game and back."""

from collections.abc import Callable

import pytest
from support.effort import grows_evenly
from support.played import HEAD
from support.tables import values

import kaiser_logic as kl
from kaiser_logic.engine.ruleset import tags_of
from kaiser_logic.errors import UnreadableInput
from kaiser_logic.notation.reading import build_record, parse_record
from kaiser_logic.notation.record import Move
from kaiser_logic.notation.syntax import parse_user_term
from kaiser_logic.records.replay import Replay
from kaiser_logic.records.tags import game_of, record_of, with_hint


@pytest.mark.parametrize("settings", values("records/records", "settings"))
def test_tags_of_a_game_give_the_game(settings):
    game = kl.load("kaiser", **settings)
    record = build_record(list(tags_of(game.ruleset)))
    assert game_of(record) == (game, [])


def test_records_that_start_from_a_position():
    at = kl.load("kaiser", players=3, edition="nl").initial()
    record = record_of(at, [Move("chance", parse_user_term("close(trier)"))])
    assert [str(move.action) for move in record.moves] == ["close(trier)"]
    assert Replay.at(record, 0).here() == at


def test_start_tags_are_checked_against_the_seats_of_a_position():
    """The emperor of the tags is not among the seats, so the default counts: the first seat."""
    at = kl.load("kaiser", seats=["blue", "red"]).initial()
    record = parse_record(f'{HEAD}[Seats "green yellow"] [Emperor "yellow"] position {{ {at} }}')
    game, faults = game_of(record)
    assert (game.seats, game.start, faults) == (("blue", "red"), {"emperor": ("blue",)}, [])


def test_many_wrong_tags_take_linear_time():
    def reader(number: int) -> Callable[[], object]:
        options = "\n".join(f'[Option "a{n}=x"]' for n in range(number))
        record = parse_record(f"{HEAD}{options}")
        return lambda: game_of(record)

    assert grows_evenly(reader, 100)


# Hints about names in records that cannot be read.


def test_no_hint_without_a_game_or_a_place(tmp_path):
    file = tmp_path / "my.game"
    file.write_text("red: empire_city(Böhmen)\n", encoding="utf-8")
    for error in (
        UnreadableInput("found 'B'", str(file), 1, 18),
        UnreadableInput("no", str(file)),
        UnreadableInput("no"),
    ):
        assert with_hint(error) is error or str(with_hint(error)) == str(error)
