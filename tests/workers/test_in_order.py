"""Answers come in the order of the items, for any number of processes."""

from __future__ import annotations

import pytest

from kaiser_logic.workers import in_order


def _square(item: int) -> int:
    if item == 3:
        raise ValueError("three")
    return item * item


@pytest.mark.parametrize("workers", [2, 3])
def test_answers_have_the_order_of_the_items(workers: int) -> None:
    found = list(in_order(_square, range(9), workers))
    assert [answer.value for answer in found] == [None if n == 3 else n * n for n in range(9)]
    assert [answer.failure for answer in found if answer.failure] == ["three"]


def test_one_worker_is_this_process() -> None:
    assert [answer.value for answer in in_order(str, [1, 2], 1)] == ["1", "2"]
