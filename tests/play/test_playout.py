"""Random play."""

from __future__ import annotations

from random import Random

import kaiser_logic as kl
from kaiser_logic.play.playout import random_actions, weights


def test_random_actions_depend_on_the_seed_only() -> None:
    start = kl.load("kaiser", players=2).initial()
    assert weights(start) == {}
    first = [random_actions(start, Random(7)) for _ in range(2)]
    assert first[0] == first[1]
    assert set(first[0]) == {"chance"}


def test_weights_of_chance() -> None:
    start = kl.load("krone", players=2).initial()
    found = weights(start)
    assert list(found) == list(start.legal()["chance"])
    assert sum(found.values()) > len(found)
