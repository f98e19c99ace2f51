"""The rulebook and the independent implementation agree on positions that random games hardly reach."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from games.disturbed import assert_agreement, oracle_of, positions
from games.mutants import BLIND_MUTANTS, Mutant
from oracles import kaiser, krone

from kaiser_logic.errors import KaiserLogicError
from kaiser_logic.game import load

pytestmark = pytest.mark.by_hand

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
def test_implementations_agree_on_disturbed_positions(name: str, players: int, edition: str) -> None:
    met = assert_agreement(load(name, players=players, edition=edition), Random(players), FEW)
    assert met.total() > 3 * FEW


@pytest.mark.parametrize("name", ["kaiser", "krone"])
def test_disturbed_positions_differ(name: str) -> None:
    """Otherwise the tests would only repeat random games."""
    rng = Random(1)
    game = load(name, players=3)
    found = [oracle for oracle, _ in zip(positions(game, rng), range(20), strict=False)]
    assert len({oracle.facts() for oracle in found}) >= 19
    start = oracle_of(game).facts()
    assert all(len(oracle.facts() ^ start) > 5 for oracle in found)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", ["kaiser", "krone"])
def test_implementations_agree_on_many_disturbed_positions(name: str, seed: int) -> None:
    """With random rulings. Every kind of decision occurs."""
    rng = Random(seed)
    values = {n: sorted(v) for n, v in kaiser.VALUES.items()} if name == "kaiser" else krone.RULINGS
    options = {ruling: rng.choice(given) for ruling, given in values.items() if rng.random() < 0.3}
    players = rng.choice((2, 3, 4) if name == "kaiser" else (2, 3, 4, 5))
    met = assert_agreement(load(name, players=players, options=options), rng, MANY)
    missing = set(KINDS[name].split()) - set(met)
    assert missing <= ({"vote"} if (name, players) == ("kaiser", 2) else set())


@pytest.mark.long
@pytest.mark.parametrize("mutant", BLIND_MUTANTS, ids=lambda m: f"{m.game}: {m.name}")
def test_disturbed_positions_notice_wrong_rules(mutant: Mutant, tmp_path: Path) -> None:
    source = mutant.write(tmp_path)
    with pytest.raises((AssertionError, KaiserLogicError)):
        for seed in range(8):
            for players in (mutant.players, 2, 4):
                assert_agreement(load(source, players=players), Random(seed), 100)
