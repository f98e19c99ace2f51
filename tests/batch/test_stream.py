"""Random numbers, a stream for each game."""

from __future__ import annotations

from collections import Counter

import pytest

from kaiser_logic.batch.playout import Stream, mixed


def test_mixing_is_that_of_splitmix64() -> None:
    """The first words of SplitMix64 from state 0, as its author gives them."""
    stride = 0x9E3779B97F4A7C15
    words = [mixed(n * stride % 2**64) for n in (1, 2, 3)]
    assert words == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_streams_depend_on_seed_and_game_alone() -> None:
    def some(seed: int, game: int) -> tuple[int, ...]:
        stream = Stream(seed, game)
        return tuple(stream.below(1000) for _ in range(4))

    assert some(3, 4) == some(3, 4)
    assert len({some(seed, game) for seed in range(20) for game in range(20)}) == 400


def test_all_numbers_are_equally_probable() -> None:
    for number in (2, 3, 7, 10):
        stream = Stream(number, 0)
        counted = Counter(stream.below(number) for _ in range(20_000))
        expected = 20_000 / number
        assert set(counted) == set(range(number))
        assert (
            sum((n - expected) ** 2 / expected for n in counted.values()) < 30
        )  # chi square, 9 degrees at most


def test_words_that_would_prefer_some_numbers_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 2**32 words one is left over for 3 numbers: it is refused, whatever it would give."""
    words = iter([0, 1, 2**32 - 1])
    monkeypatch.setattr("kaiser_logic.batch.playout.mixed", lambda _: next(words, 0) << 32)
    stream = Stream.__new__(Stream)
    stream.state = 0
    assert [stream.below(3), stream.below(3)] == [0, 2]


def test_weights() -> None:
    stream = Stream(1, 1)
    counted = Counter(stream.weighted([1, 5, 2]) for _ in range(8_000))
    assert 850 < counted[0] < 1150
    assert 4850 < counted[1] < 5150


def test_nothing_is_used_up_where_there_is_no_choice() -> None:
    stream, other = Stream(1, 1), Stream(1, 1)
    assert stream.below(1) == 0
    assert stream.below(50) == other.below(50)
