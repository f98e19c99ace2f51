"""Checking the contract costs little beside reading the rulebook, and each check has an example."""

from __future__ import annotations

import time

import pytest

from kaiser_logic.rules.contract import CHECKS, faults
from kaiser_logic.rules.contract.survey import Survey
from kaiser_logic.rules.library import asp_folder
from kaiser_logic.rules.loader import read_parts


@pytest.mark.sample(2)
@pytest.mark.parametrize("game", ["kaiser", "krone"])
def test_checking_takes_about_as_long_as_reading(game: str) -> None:
    """The test compares the least processor time of five runs."""
    reading, checking = [], []
    for _ in range(5):
        begin = time.process_time()
        book, _ = read_parts(asp_folder() / game)
        assert book is not None and all(
            rule.text for rule in book.rules
        )  # computes the texts, which are kept
        middle = time.process_time()
        assert not faults(Survey(book))
        reading.append(middle - begin)
        checking.append(time.process_time() - middle)
    assert min(checking) < 1.5 * min(reading)


def test_every_check_has_an_example() -> None:
    assert all(">>>" in (check.__doc__ or "") for check in CHECKS)
