"""Random moves and games."""

from __future__ import annotations

from collections import Counter
from random import Random

from support.heap_positions import after, heap

from kaiser_logic.engine import symbols
from kaiser_logic.game import load
from kaiser_logic.play.match import random_actions, weights


def test_random_actions_are_legal_for_all_roles() -> None:
    position = heap().initial()
    random = Random(1)
    seen = Counter()
    while position.to_move:
        actions = {role: symbols.text(a) for role, a in random_actions(position, random).items()}
        assert all(action in position.legal()[role] for role, action in actions.items())
        seen.update(actions.values())
        position = position.apply(actions)
    assert random_actions(position, random) == {}
    assert sum(int(action[5]) * n for action, n in seen.items()) == 12


def test_the_same_seed_gives_the_same_game() -> None:
    games = {
        tuple(symbols.text(random_actions(after(), Random(seed))["red"]) for seed in range(8))
        for _ in range(3)
    }
    assert len(games) == 1
    assert len(set(*games)) > 1


def test_chance_follows_the_weights() -> None:
    position = load("krone", players=2).initial()
    assert position.to_move == ("chance",)
    given = weights(position)
    assert given == {a: n for a, n in position.weights().items() if a in given}
    assert list(given) == sorted(given)
    random = Random(2)
    drawn = Counter(symbols.text(random_actions(position, random)["chance"]) for _ in range(600))
    legal = position.weights()
    total = sum(legal.values())
    for action, weight in legal.items():
        expected = 600 * weight / total
        assert abs(drawn[action] - expected) < 5 * (expected**0.5) + 1


def test_no_weights_without_chance() -> None:
    assert weights(heap().initial()) == {}


def test_random_actions_depend_on_the_seed_only() -> None:
    start = load("kaiser", players=2).initial()
    assert weights(start) == {}
    first = [random_actions(start, Random(7)) for _ in range(2)]
    assert first[0] == first[1]
    assert set(first[0]) == {"chance"}


def test_weights_of_chance() -> None:
    start = load("krone", players=2).initial()
    found = weights(start)
    assert list(found) == list(start.legal()["chance"])
    assert sum(found.values()) > len(found)
