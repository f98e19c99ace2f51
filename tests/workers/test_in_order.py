"""Answers in the order of what is asked, however many processes there are."""

from __future__ import annotations

import pytest

from kaiser_logic.workers import in_order


def _answered(item: int) -> int:
    if item == 3:
        raise ValueError("three")
    return item * item


@pytest.mark.parametrize("workers", [2, 3])
def test_the_order_of_the_items(workers: int) -> None:
    found = list(in_order(_answered, range(9), workers))
    assert [answer.value for answer in found] == [None if n == 3 else n * n for n in range(9)]
    assert [answer.failure for answer in found if answer.failure] == ["three"]


def test_one_process_is_this_one() -> None:
    assert [answer.value for answer in in_order(str, [1, 2], 1)] == ["1", "2"]
