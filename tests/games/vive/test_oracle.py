"""Vive le Roi: the rulebook compared with an independent implementation, at each decision of random games.

KAISER_LOGIC_RANDOM_GAMES is the number of games of each sort. By default there are few, and they are not finished.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from games.settling import broken_between_steps
from oracles.vive import RULINGS, Vive, random_game

from kaiser_logic.game import load
from kaiser_logic.position import Position

pytestmark = pytest.mark.long

GAMES = int(os.environ.get("KAISER_LOGIC_RANDOM_GAMES", "0"))
WHOLE = 3000
SOME = WHOLE if GAMES else 25
SEATS = ("red", "green", "blue", "yellow", "white", "black")
CHOICES = [(name, value) for name, values in sorted(RULINGS.items()) for value in values]


def compare(
    rng: Random,
    players: int,
    edition: str,
    options: Mapping[str, str],
    decisions: int = WHOLE,
    first: int = 0,
    board: Path | None = None,
) -> Position:
    """Continues at random and compares everything at each decision from the first one on.

    Some positions are also built anew, which checks the invariants, and compared as a player sees them.
    """
    seats = SEATS[:players]
    game = load("vive", seats=seats, edition=edition, options=options, board=board)
    oracle = Vive(seats, edition, options, board.read_text(encoding="utf-8") if board else "")
    position: Position | None = None
    seen: list[str] = []
    for k, (facts, choices, chosen) in enumerate(random_game(oracle, rng, first + decisions)):
        if k < first:
            continue
        position = position or (game.position(facts) if first else game.initial())
        assert position.facts == facts
        assert position.legal() == choices
        if "chance" in choices:
            assert position.weights() == oracle.weights()
        for role, actions in choices.items():
            near = rng.choice(seen) if seen else actions[0]
            assert position.is_legal(role, near) == (near in actions), near
            seen += rng.sample(actions, min(2, len(actions)))
        if rng.random() < 0.1:
            viewer = rng.choice([*seats, "chance", "public"])
            assert position.view(viewer) == oracle.view(viewer)
            assert game.position(facts) == position
            assert not broken_between_steps(position, chosen)
        position = position.apply(chosen)
    assert position is not None
    assert position.facts == oracle.facts()
    result, expected = position.result(), oracle.result()
    assert (result and (dict(result.points), result.winners)) == expected
    return position


@pytest.mark.parametrize("edition", ["standard", "nl"])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_games_agree_with_the_oracle(players: int, edition: str) -> None:
    for seed in range(max(GAMES, 1)):
        compare(Random(seed), players, edition, {}, SOME, 0 if GAMES else 150)


def test_a_whole_game_agrees_with_the_oracle() -> None:
    assert compare(Random(7), 3, "standard", {}).result()


@pytest.mark.parametrize(("ruling", "value"), CHOICES)
def test_games_under_a_ruling_agree_with_the_oracle(ruling: str, value: str) -> None:
    for seed in range(max(GAMES, 1)):
        edition = "nl" if seed % 2 else "standard"
        compare(Random(100 + seed), 4, edition, {ruling: value}, SOME, 0 if GAMES else 120)


@pytest.mark.parametrize("seed", range(max(GAMES, 1)))
def test_several_set_ups_up_to_a_limit_agree_with_the_oracle(seed: int) -> None:
    end = compare(
        Random(seed), 4, "standard", {"limit": "250", "assign": "own_turn"}, WHOLE, 0 if GAMES else 640
    )
    assert end.result()


BEASTS = ("boar", "bear", "stag", "wolf", "eagle", "lion")
FEW = " ".join(
    [
        f"copies(courtier({arms},{value}),0)."
        for arms in ("boar", "lion", "lily", "stag")
        for value in (4, 5, 6)
    ]
    + [f"copies(musketeer({value}),0)." for value in range(1, 8)]
    + [f"copies(gold({value}),0)." for value in (1, 2)]
    + ["copies(province(stag),2). copies(rebellion,1)."]
)
MANY = (
    "copies(province(boar),5). copies(gold(3),9). copies(low_birth,3). copies(cardinal,2). copies(rebellion,1)."
    "copies(courtier(boar,6),3). copies(courtier(lion,6),2). copies(musketeer(3),6). copies(bishop,4)."
)
COURT = (
    " ".join(f"copies(courtier({arms},{value}),4)." for arms in ("boar", "lion", "stag") for value in (4, 6))
    + "copies(executioner,9). copies(gold(1),9)."
)

VALUES = (
    " ".join(f"worth(province({arms}),{n}). rank({arms},{7 - n})." for n, arms in enumerate(BEASTS, 1))
    + "worth(province(lily),9). worth(queen,4). worth(bishop,2). prize(gossip,7). prize(bandits,1)."
    "prize(recruiting,3). prize(inheritance,25). final(musketeer(7),6). final(queen,8). final(courtier(lily,4),0)."
    "seeks(general,province). seeks(queen,gold). seeks(captain,nothing). seeks(treasurer,musketeer_at_home)."
    "queens(lion). copies(inheritance,4). copies(recruiting,5). copies(gossip,6). copies(bandits,6)."
)


@pytest.mark.parametrize("cards", [FEW, MANY, COURT, VALUES], ids=["few", "many", "court", "values"])
def test_other_cards_agree_with_the_oracle(tmp_path: Path, cards: str) -> None:
    """With few cards the hands of the set-up are smaller. With many courtiers, equal ones are ennobled."""
    file = tmp_path / "cards.lp"
    file.write_text(cards, encoding="utf-8")
    compare(Random(5), 6, "standard", {}, 100 if cards == FEW else 60, 0 if cards == FEW else 120, file)
