"""The comparison by rows and numbers finds every wrong answer of a batch; its rows equal those of the package."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
from equality import Differences, Setup, played
from support.coded import NUMBER, OTHER, SEAT, Facts, Lists
from support.courses import Course, against

from kaiser_logic.batch.layout import Layout, layout_of
from kaiser_logic.batch.optional import is_installed
from kaiser_logic.game import Game
from kaiser_logic.position import Position

pytestmark = pytest.mark.skipif(not is_installed(), reason="NumPy and llvmlite")

TWO = Setup("kaiser", 2)
COUNT = 12


@cache
def game() -> Game:
    return TWO.load()


@cache
def layout() -> Layout:
    return layout_of(game().evaluator.ruleset)


def course(facts: Layout | None = None) -> Course:
    return played(TWO, game(), 3, COUNT, layout() if facts is None else facts)


class Single:
    """The interface of a batch, answered one position at a time."""

    def __init__(self) -> None:
        self.evaluator, self.store = game().evaluator, SimpleNamespace(layout=layout())
        self.actions: list[tuple[str, str]] = [("red", "none")]

    def pack(self, positions: Iterable[Position]) -> Any:
        from kaiser_logic.batch.packed import PackedPositions

        return PackedPositions.pack(self.evaluator, layout(), positions)

    def legal(self, positions: Iterable[Position]) -> list[dict[str, tuple[str, ...]]]:
        return [position.legal() for position in positions]

    def legal_numbers(self, positions: Iterable[Position]) -> tuple[Any, Any]:
        import numpy as np

        ends, numbers = [0], []
        for position in positions:
            for role, actions in position.legal().items():
                for action in actions:
                    numbers.append(len(self.actions))  # the same action may have several numbers
                    self.actions.append((role, action))
            ends.append(len(numbers))
        return np.array(ends), np.array(numbers, np.int32)

    def apply(self, positions: Iterable[Position], moves: Sequence[Mapping[str, str]]) -> Any:
        return self.pack([p.apply(move) for p, move in zip(positions, moves, strict=True)])


def differences(batch: Any, its: Course | None = None, sample: Sequence[int] = ()) -> Differences:
    found = Differences("a part")
    against(batch, its or course(), sample, found.expect)
    return found


def test_a_right_batch_has_no_differences() -> None:
    assert differences(Single(), sample=range(COUNT)).shown == []


def _forgotten(ends: Any, numbers: list[int]) -> None:
    del numbers[ends[4] - 1]
    ends[4:] -= 1


def _added(ends: Any, numbers: list[int]) -> None:
    numbers.insert(ends[4], 0)
    ends[4:] += 1


def _another(ends: Any, numbers: list[int]) -> None:
    numbers[ends[3]] = 0


def _twice(ends: Any, numbers: list[int]) -> None:
    numbers[ends[3]] = numbers[ends[3] + 1]


def _of_the_next(ends: Any, numbers: list[int]) -> None:
    ends[4] -= 1


def _none(ends: Any, numbers: list[int]) -> None:
    del numbers[ends[3] : ends[4]]
    ends[4:] -= ends[4] - ends[3]


@pytest.mark.parametrize(
    ("wrong", "places"),
    [(_forgotten, 1), (_added, 1), (_another, 1), (_twice, 1), (_of_the_next, 2), (_none, 1)],
)
def test_wrong_legal_actions_are_found(
    wrong: Callable[[Any, list[int]], None], places: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    import numpy as np

    right = Single.legal_numbers

    def legal_numbers(self: Single, positions: Iterable[Position]) -> tuple[Any, Any]:
        ends, found = right(self, positions)
        numbers = list(map(int, found))
        wrong(ends, numbers)
        return ends, np.array(numbers, np.int32)

    monkeypatch.setattr(Single, "legal_numbers", legal_numbers)
    found = differences(Single())
    assert found.count == places
    assert all("legal by batch" in line for line in found.shown)


def _bit(after: Any, place: int, fact: str, on: bool) -> None:
    import numpy as np

    (bit,) = (bit for symbol, bit in layout().bits.items() if str(symbol) == fact)
    word = np.uint64(1 << (bit & 63))
    assert bool(after.state[place, bit >> 6] & word) != on
    after.state[place, bit >> 6] ^= word


def _a_fact_missing(after: Any) -> None:
    _bit(after, 5, "round(1)", False)


def _a_fact_more(after: Any) -> None:
    _bit(after, 5, "round(5)", True)


def _a_number(after: Any) -> None:
    after.numbers[5, 1] += 1


def _no_change(after: Any) -> None:
    after.state[5], after.numbers[5] = after.state[4], after.numbers[4]


def _the_position_itself(after: Any) -> None:
    after.others[5] = course().position(game().evaluator, 5)


@pytest.mark.parametrize(
    "wrong", [_a_fact_missing, _a_fact_more, _a_number, _no_change, _the_position_itself]
)
def test_wrong_next_positions_are_found(
    wrong: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Single.apply

    def apply(self: Single, positions: Iterable[Position], moves: Sequence[Mapping[str, str]]) -> Any:
        after = right(self, positions, moves)
        wrong(after)
        return after

    monkeypatch.setattr(Single, "apply", apply)
    found = differences(Single())
    assert found.count == 1
    assert "the next position by batch" in found.shown[0]


def test_wrongly_packed_positions_are_found_in_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Single.pack

    def pack(self: Single, positions: Iterable[Position]) -> Any:
        packed = right(self, positions)
        packed.state[:, -1] ^= 1
        return packed

    batch, its = Single(), course()
    after = batch.apply([its.position(game().evaluator, place) for place in range(COUNT)], its.chosen)
    monkeypatch.setattr(Single, "pack", pack)
    monkeypatch.setattr(Single, "apply", lambda *_: after)
    found = differences(batch, its, [2, 6])
    assert sum("the row by batch" in line for line in found.shown) == 2


def test_positions_without_a_row_are_compared_as_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oracle gives a fact without a bit. No row can hold it, so the texts of the positions are compared."""
    its = course()
    its.positions = Lists()
    for place in range(len(course().positions)):
        more = [its.facts.numbers["comet(1)"]] if place == 6 else []
        its.positions.add([*course().positions[place], *more])
    apply = Single.apply
    without = Single.pack(Single(), [course().position(game().evaluator, place) for place in range(COUNT)])
    monkeypatch.setattr(Single, "apply", lambda self, _, moves: apply(self, without, moves))
    found = differences(Single(), its)
    assert [line.split(" by ")[0] for line in found.shown] == ["a part: the next position"]
    assert "comet(1)" in found.shown[0]
    after = apply(Single(), without, its.chosen)
    after.others[5] = its.position(game().evaluator, 5, after=True)
    monkeypatch.setattr(Single, "apply", lambda *_: after)
    assert differences(Single(), its).count == 0


def test_a_role_without_legal_actions_is_found() -> None:
    its = course()
    its.idle[4] = ["red"]
    its.legal = Lists()
    for place in range(COUNT):
        its.legal.add(course().legal[place] if place != 4 else [])
    assert its.legal_at(4) == {"red": []}
    assert differences(Single(), its).count == 1


def test_facts_without_a_bit_are_classified() -> None:
    its = Facts(layout())
    kinds = {
        text: its._kind(text)
        for text in ("seat(red,1)", "seat(red,2)", "points(red,17)", "points(red,017)", "points(red,-1)",
                     "points(red,50000)", "points(red,x)", "points(pink,1)", "points", "comet(points(red),1)")
    }  # fmt: skip
    place = [str(counter) for counter in layout().numbers].index("points(red)")
    assert kinds.pop("seat(red,1)") == (SEAT, 0, 0)
    assert kinds.pop("points(red,17)") == (NUMBER, place, 17)
    assert set(kinds.values()) == {(OTHER, 0, 0)}


@pytest.mark.parametrize(
    ("change", "fits"),
    [
        (lambda facts: facts, True),
        (lambda facts: [*facts, "points(red,7)"], False),
        (lambda facts: [f for f in facts if not f.startswith("points(red")], False),
        (lambda facts: [f for f in facts if f != "seat(red,1)"], False),
        (lambda facts: [*facts, "comet"], False),
    ],
    ids=["unchanged", "two numbers", "no number", "no seat", "unknown fact"],
)
def test_unusual_positions_do_not_fit_into_a_row(
    change: Callable[[list[str]], list[str]], fits: bool
) -> None:
    its = Facts(layout())
    positions = Lists()
    positions.add(map(its.numbers.__getitem__, change(list(game().initial().facts))))
    assert list(its.rows(positions)[2]) == [fits]
    assert its.texts(positions[0]) == frozenset(change(list(game().initial().facts)))


@pytest.mark.parametrize("setup", [TWO, Setup("krone", 3), Setup("staufer", 2)], ids=str)
def test_rows_equal_those_of_the_package(setup: Setup) -> None:
    its_game = setup.load()
    own = layout_of(its_game.evaluator.ruleset)
    its = played(setup, its_game, 1, 150, own)
    state, beside, fits = its.facts.rows(its.positions)
    assert fits.all()
    for place, facts in enumerate(its.positions):
        row = own.encode(its.facts.symbols(facts))
        assert row is not None
        assert (state[place].tobytes(), [*map(int, beside[place])]) == row
