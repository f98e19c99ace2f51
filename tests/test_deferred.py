"""Dataclasses whose methods are written when the first value is made."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path

import pytest

from kaiser_logic.deferred import Deferred, deferred, finish


@deferred(frozen=True, order=True)
class Pair(Deferred):
    """Two numbers."""

    first: int
    second: int = 2


def test_it_is_the_dataclass_once_there_is_a_value() -> None:
    pair = Pair(1)
    assert pair == Pair(1, 2) != Pair(2)
    assert hash(pair) == hash(Pair(1))
    assert pair < Pair(2)
    assert repr(pair) == "Pair(first=1, second=2)"
    assert replace(pair, second=3) == Pair(1, 3)
    with pytest.raises(FrozenInstanceError):
        pair.first = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        Pair()  # type: ignore[call-arg]


def test_it_can_be_finished_before() -> None:
    @deferred(frozen=True)
    class Single(Deferred):
        value: int

    finish(Single)
    finish(Single)
    finish("anything else")
    assert [f.name for f in fields(Single)] == ["value"]
    assert Single(1) == Single(1)


def test_a_pickle_is_read_where_there_was_no_value() -> None:
    """In another process, where the class is not finished: it is by then."""
    from kaiser_logic.errors import Finding

    kept = pickle.dumps([Finding("a.lp", 1, 2, "undefined", "p/1")] * 2)
    code = (
        "import pickle, sys; one, _ = pickle.load(sys.stdin.buffer); other = type(one)('a.lp', 1, 2, 'undefined', 'p/1');"
        "print(one == other, hash(one) == hash(other), one)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], input=kept, capture_output=True, check=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )  # fmt: skip
    assert found.stdout.decode().startswith("True True ")


def test_what_is_public_is_finished_when_it_is_named() -> None:
    code = "import inspect, kaiser_logic as kl; print(inspect.signature(kl.Violation))"
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )  # fmt: skip
    assert "rule" in found.stdout
