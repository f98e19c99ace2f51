"""Confidence intervals and summaries."""

from __future__ import annotations

import pytest
from support.heap_positions import heap

from kaiser_logic.batch.playing import Results, mean, share, summary
from kaiser_logic.batch.playout import GameOutcome


def test_wilson_intervals_of_textbooks() -> None:
    """0 of 20, and 81 of 263 (Newcombe 1998: 0.2553 to 0.3662)."""
    assert (share(0, 20).low, round(share(0, 20).high, 4)) == (0.0, 0.1611)
    assert (round(share(81, 263).low, 4), round(share(81, 263).high, 4)) == (0.2553, 0.3662)


def test_intervals_of_shares_cover_the_truth() -> None:
    from math import comb

    for truth in (0.1, 0.25, 0.5):
        covered = sum(
            comb(100, k) * truth**k * (1 - truth) ** (100 - k)
            for k in range(101)
            if share(k, 100).low <= truth <= share(k, 100).high
        )
        assert 0.92 < covered < 0.98


def test_intervals_of_means() -> None:
    assert mean([5]) == mean([5, 5, 5])
    found = mean([0, 10] * 50)
    assert found.value == 5
    assert found.high - found.value == pytest.approx(1.96 * 5.0252 / 10, abs=1e-3)


def test_summary_of_three_games() -> None:
    evaluator = heap().evaluator
    ends = [
        GameOutcome((3, 1), (True, False), (2, 2, 0)),
        GameOutcome((2, 2), (True, True), (3, 2, 1)),
        GameOutcome((0, 0), (False, False), (4, 4, 0)),
    ]
    found = summary(Results.collect(evaluator, 1, ends, {("green", "take/1"): 8, ("red", "take/1"): 9}))
    assert (found.games, found.draws, found.shortest, found.longest) == (3, 1, 4, 8)
    red, green = found.seats
    assert (red.wins, red.alone, green.wins, green.alone) == (2, 1, 1, 0)
    assert (red.share.value, green.share.value) == (0.5, pytest.approx(1 / 6))
    assert (red.points.value, green.decisions.value) == (pytest.approx(5 / 3), pytest.approx(8 / 3))
    assert found.length.value == 6
    assert found.actions == (("red", "take/1", 9), ("green", "take/1", 8))
