"""Random numbers, a stream of its own for each game: the same games from the same seed, whoever plays them.

A stream is SplitMix64: a counter that is mixed. Of each mixed word the upper 32 bits are used. A number below ``n`` is
drawn without bias: of the 2**32 words those are refused that would give some numbers one word more than others
(Lemire's method). The batch plays by the same numbers in the same order (`kernels`), so that its games are those of one
engine after the other, decision by decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_WORD: Final = 2**64 - 1
_STRIDE: Final = 0x9E3779B97F4A7C15


def mixed(word: int) -> int:
    """A word of 64 bits, mixed (the finalizer of SplitMix64)."""
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _WORD
    return word ^ (word >> 31)


def first_state(seed: int, game: int) -> int:
    """Where the stream of a game begins, by the seed and the game's number."""
    return mixed((mixed((seed + _STRIDE) & _WORD) + _STRIDE * (game + 1)) & _WORD)


class Stream:
    """The random numbers of one game.

    >>> stream = Stream(seed=1, game=0)
    >>> [stream.below(6) for _ in range(8)]
    [4, 5, 2, 4, 2, 5, 4, 1]

    Attributes:
        state: All that the next numbers depend on.
    """

    def __init__(self, seed: int, game: int) -> None:
        """``game``: its number, from 0."""
        self.state = first_state(seed, game)

    @classmethod
    def at(cls, state: int) -> Stream:
        """A stream that goes on from a state."""
        stream = cls.__new__(cls)
        stream.state = state
        return stream

    def below(self, number: int) -> int:
        """A number from 0 to ``number - 1``, each as probable as the others; ``number`` is less than 2**32.

        Where there is nothing to choose no random number is used up.
        """
        if number == 1:
            return 0
        refused = 2**32 % number
        while True:
            self.state = (self.state + _STRIDE) & _WORD
            product = (mixed(self.state) >> 32) * number
            if product & 0xFFFFFFFF >= refused:
                return product >> 32

    def weighted(self, weights: Sequence[int]) -> int:
        """An index of ``weights``, as probable as its weight says; the weights are whole numbers above 0."""
        left = self.below(sum(weights))
        for index, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return index
        raise AssertionError("the weights are above 0")
