"""Streams of random numbers, one for each game."""

from collections import Counter

from kaiser_logic.batch.playout import Stream, mix


def test_mixing_is_splitmix64():
    """The author of SplitMix64 gives its first words from state 0."""
    stride = 0x9E3779B97F4A7C15
    words = [mix(n * stride % 2**64) for n in (1, 2, 3)]
    assert words == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_streams_depend_only_on_seed_and_game():
    def some(seed: int, game: int) -> tuple[int, ...]:
        stream = Stream(seed, game)
        return tuple(stream.number_below(1000) for _ in range(4))

    assert some(3, 4) == some(3, 4)
    assert len({some(seed, game) for seed in range(20) for game in range(20)}) == 400


def test_numbers_are_uniform():
    for number in (2, 3, 7, 10):
        stream = Stream(number, 0)
        counted = Counter(stream.number_below(number) for _ in range(20_000))
        expected = 20_000 / number
        assert set(counted) == set(range(number))
        assert (
            sum((n - expected) ** 2 / expected for n in counted.values()) < 30
        )  # chi square, at most 9 degrees of freedom


def test_biased_words_are_rejected(monkeypatch):
    """2**32 is not a multiple of 3: one word would favour a number, so it is rejected."""
    words = iter([0, 1, 2**32 - 1])
    monkeypatch.setattr("kaiser_logic.batch.playout.mix", lambda _: next(words, 0) << 32)
    stream = Stream.__new__(Stream)
    stream.state = 0
    assert [stream.number_below(3), stream.number_below(3)] == [0, 2]
