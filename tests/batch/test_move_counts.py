"""Perft of each game: all engines and the independent implementations count the numbers of the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.independent import counted, independent
from support.move_counts import COUNTS, Counts, table

from kaiser_logic.batch.optional import is_installed
from kaiser_logic.batch.perft import counts, divide
from kaiser_logic.game import load

PAGE = Path(__file__).parents[2] / "docs" / "develop" / "perft.md"
FEW = 800
"""The usual run counts at most this many sequences."""


def depth(its: Counts, most: int, reached: int) -> int:
    """The greatest length with at most ``most`` sequences that the method has counted."""
    return min(reached, sum(n <= most for n in its.numbers))


def ids(its: Counts) -> str:
    return f"{its.game}-{its.players}"


def test_page_has_these_numbers() -> None:
    shown = PAGE.read_text(encoding="utf-8").partition("-->\n")[2].partition("<!--")[0].strip()
    assert shown.splitlines() == list(table())


@pytest.mark.sample(3)
@pytest.mark.parametrize("its", COUNTS, ids=ids)
def test_short_sequences(its: Counts) -> None:
    game = load(its.game, players=its.players)
    length = depth(its, FEW, its.depths[1])
    assert length >= 3
    expected = list(its.numbers[:length])
    assert counts(game, length)[1:] == expected
    assert counted(independent(game.initial()), length) == expected
    short = depth(its, 100, its.depths[2])
    assert counts(game, short, engine="clingo")[1:] == expected[:short]
    parts = list(divide(game, 3))
    assert len(parts) == its.numbers[0]
    assert sum(number for _, number in parts) == its.numbers[2]


@pytest.mark.long
@pytest.mark.parametrize("its", COUNTS, ids=ids)
def test_longer_sequences(its: Counts) -> None:
    """Each method counts as far as it gets in about ten seconds."""
    game = load(its.game, players=its.players)
    _, compiled, clingo, plain = its.depths
    length = depth(its, 200_000, compiled)
    assert counts(game, length)[1:] == list(its.numbers[:length])
    length = depth(its, 20_000, clingo)
    assert counts(game, length, engine="clingo")[1:] == list(its.numbers[:length])
    length = depth(its, 200_000, plain)
    assert counted(independent(game.initial()), length) == list(its.numbers[:length])


@pytest.mark.long
@pytest.mark.skipif(not is_installed(), reason="NumPy and llvmlite")
@pytest.mark.parametrize("its", [its for its in COUNTS if its.depths[0]], ids=ids)
def test_longest_sequences_by_batches(its: Counts) -> None:
    """A batch counts with circuits, which are built for it."""
    game = load(its.game, players=its.players)
    length = its.depths[0]
    assert counts(game, length, engine="batch")[1:] == list(its.numbers[:length])
