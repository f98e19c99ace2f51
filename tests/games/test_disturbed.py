"""Positions that random games hardly reach are read alike by the rulebook and by the independent implementation."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from games.disturbed import assert_read_alike, oracle_of, positions
from games.mutants import HELD_BACK, Mutant
from oracles import kaiser, krone

from kaiser_logic.errors import KaiserLogicError
from kaiser_logic.game import load

FEW, MANY = 50, 400
KINDS = {
    "kaiser": "turn son offer answer gray appoint install influence exclude vote enthrone retire empire_city",
    "krone": "turn draw reveal force defend vote second_field tax",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players", "edition"),
    [
        ("kaiser", 2, "nl"), ("kaiser", 3, "standard"), ("kaiser", 4, "it"),
        ("krone", 2, "standard"), ("krone", 4, "nl"),
    ],
)  # fmt: skip
def test_disturbed_positions_are_read_alike(name: str, players: int, edition: str) -> None:
    met = assert_read_alike(load(name, players=players, edition=edition), Random(players), FEW)
    assert met.total() > 3 * FEW


@pytest.mark.parametrize("name", ["kaiser", "krone"])
def test_disturbing_leaves_hardly_any_position_as_it_was(name: str) -> None:
    """Else nothing is tested but random games again."""
    rng = Random(1)
    game = load(name, players=3)
    found = [oracle for oracle, _ in zip(positions(game, rng), range(20), strict=False)]
    assert len({oracle.facts() for oracle in found}) >= 19
    start = oracle_of(game).facts()
    assert all(len(oracle.facts() ^ start) > 5 for oracle in found)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", ["kaiser", "krone"])
def test_many_disturbed_positions_are_read_alike(name: str, seed: int) -> None:
    """Under any rulings; every kind of decision is met."""
    rng = Random(seed)
    values = {n: sorted(v) for n, v in kaiser.VALUES.items()} if name == "kaiser" else krone.RULINGS
    options = {ruling: rng.choice(given) for ruling, given in values.items() if rng.random() < 0.3}
    players = rng.choice((2, 3, 4) if name == "kaiser" else (2, 3, 4, 5))
    met = assert_read_alike(load(name, players=players, options=options), rng, MANY)
    missing = set(KINDS[name].split()) - set(met)
    assert missing <= ({"vote"} if (name, players) == ("kaiser", 2) else set())


@pytest.mark.long
@pytest.mark.parametrize("mutant", HELD_BACK, ids=lambda m: f"{m.game}: {m.name}")
def test_they_notice_wrong_rules(mutant: Mutant, tmp_path: Path) -> None:
    source = mutant.write(tmp_path)
    with pytest.raises((AssertionError, KaiserLogicError)):
        for seed in range(8):
            for players in (mutant.players, 2, 4):
                assert_read_alike(load(source, players=players), Random(seed), 100)
