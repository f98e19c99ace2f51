"""Games: other seats on an own board, engines, and origins of positions."""

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from weakref import WeakValueDictionary

import pytest
from support.heap_game import variant

from kaiser_logic.batch.perft import perft
from kaiser_logic.engine import ruleset
from kaiser_logic.errors import UnreadableInput, WrongUsage
from kaiser_logic.evaluation.verdict import InvalidPosition
from kaiser_logic.game import Game, load

# Eleven aristocrat spaces are enough for three players, not for four.
SMALL = Path(__file__).parent.parent / "examples" / "faults" / "boards" / "too-small.lp"


def test_games_keep_their_rulebooks(tmp_path, monkeypatch):
    """Two folders of one id, one after the other in one process; then one of them is edited."""
    few, many = tmp_path / "few", tmp_path / "many"
    for folder, most in ((few, 2), (many, 3)):
        folder.mkdir()
        variant(folder, {"amount(1..3).": f"amount(1..{most})."})

    def loaded(folder: Path) -> Game:
        monkeypatch.setenv("KAISER_LOGIC_GAMES", str(folder))
        return load("heap")

    def counts(*games: Game) -> list[int]:
        return [len(game.initial().legal()["red"]) for game in games]

    one, other, again = loaded(few), loaded(many), loaded(few)
    assert counts(one, other, again) == [2, 3, 2]
    assert again is one and one.initial() == again.initial() != other.initial()
    assert [v.rule for v in one.initial().why("red", "take(3)")] == ["action.unknown"]
    assert [perft(game, 2) for game in (one, other)] == [4, 9]
    stored = pickle.dumps((one.initial(), other.initial()))
    assert pickle.loads(stored) == (one.initial(), other.initial())
    file = few / "heap" / "vocabulary.lp"
    file.write_text(file.read_text(encoding="utf-8").replace("amount(1..2)", "amount(1..1)"), encoding="utf-8")
    assert counts(loaded(few), one) == [1, 2] and pickle.loads(stored)[0] == one.initial()
    with new_process_without_rulebooks(), pytest.raises(WrongUsage, match="the rulebook of heap has changed"):
        pickle.loads(stored)


@contextmanager
def new_process_without_rulebooks() -> Iterator[None]:
    """As in a new process: no rulebook has been read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ruleset, "_books", WeakValueDictionary())
        patch.setattr(ruleset, "_living", WeakValueDictionary())
        ruleset.ruleset_of.cache_clear()
        yield


@pytest.fixture
def three():
    return load("kaiser", players=3, board=SMALL)


def test_a_board_is_checked_again_for_other_seats(three):
    four = load("kaiser", players=4).seats
    with pytest.raises(UnreadableInput, match="aristocrat"):
        load("kaiser", seats=four, board=SMALL)
    with pytest.raises(WrongUsage, match=r"board\.aristocrats"):
        three.with_seats(four)
    assert three.with_seats(three.seats) is three
    assert three.with_seats(three.seats[::-1]).board == three.board


def test_a_position_with_too_many_seats_for_the_board_is_invalid(three):
    with pytest.raises(InvalidPosition) as error:
        three.position(load("kaiser", players=4).initial().facts)
    assert [b.invariant for b in error.value.broken] == ["board.aristocrats"]


@pytest.mark.parametrize("seats", [("red",), ("red", "red"), ("red", "pink", "blue")])
def test_seats_must_be_different_roles_of_the_game(three, seats):
    with pytest.raises(WrongUsage):
        three.with_seats(seats)


def test_a_position_keeps_its_engine():
    position = load("krone", engine="clingo").initial()
    again = pickle.loads(pickle.dumps(position))
    assert again == position
    assert again.ruleset.configuration.engine == "clingo"
