"""Circuits cached between runs: damaged or foreign files are never used."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import Any

import pytest
from support.heap_positions import heap

pytest.importorskip("llvmlite")

import numpy as np

from kaiser_logic.batch.circuit_files import circuit_folder
from kaiser_logic.batch.circuit_store import CircuitCache, CircuitStore
from kaiser_logic.batch.gates import InvalidData
from kaiser_logic.batch.transition_circuits import TransitionCircuits, TransitionKey

pytestmark = pytest.mark.slow


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[CircuitStore, Path]:
    """The circuits of the heap in a cache of their own, and the file of one transition."""
    monkeypatch.setenv("KAISER_LOGIC_CACHE", str(tmp_path))
    store = CircuitStore(heap().ruleset, jobs=1)
    store.need()
    path = CircuitCache(store.ruleset, store.layout).path(next(iter(store.keys)))
    assert path is not None
    assert path.exists()
    return store, path


def reloaded(store: CircuitStore) -> tuple[TransitionCircuits | str | None, bool]:
    """The cached circuits of the first transition, and whether a new store has the same gates."""
    key = next(iter(store.keys))
    found = CircuitCache(store.ruleset, store.layout).get(key)
    new = CircuitStore(store.ruleset, jobs=1)
    new.need()
    its, others = ([b.circuits.as_arrays() for b in one.circuit_set.loaded] for one in (store, new))
    same = all(np.array_equal(a[name], b[name]) for a, b in zip(its, others, strict=True) for name in a)
    return found, same and new.actions == store.actions


def test_cached_circuits_are_used(cached: tuple[CircuitStore, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    store, _ = cached
    monkeypatch.setattr("kaiser_logic.batch.circuit_store.built", None)  # building would fail now
    found, same = reloaded(store)
    assert isinstance(found, TransitionCircuits)
    assert same


@pytest.mark.parametrize("size", [0, 5, 60, 100, 200, -1])
def test_truncated_files_are_ignored(cached: tuple[CircuitStore, Path], size: int) -> None:
    store, path = cached
    path.write_bytes(path.read_bytes()[:size])
    assert reloaded(store) == (None, True)
    assert reloaded(store)[0] is not None, "the circuits are built again and cached"


def test_altered_files_are_ignored(cached: tuple[CircuitStore, Path]) -> None:
    store, path = cached
    data = bytearray(path.read_bytes())
    for place in range(0, len(data), max(1, len(data) // 40)):
        changed = bytearray(data)
        changed[place] ^= 0x55
        path.write_bytes(changed)
        assert CircuitCache(store.ruleset, store.layout).get(next(iter(store.keys))) is None, place


def test_circuits_of_another_transition_are_ignored(cached: tuple[CircuitStore, Path]) -> None:
    store, path = cached
    other = CircuitCache(store.ruleset, store.layout).path(list(store.keys)[1])
    assert other is not None
    path.write_bytes(other.read_bytes())
    assert reloaded(store) == (None, True)


def test_circuits_of_other_rules_are_ignored(cached: tuple[CircuitStore, Path]) -> None:
    store, path = cached
    rules = heap(2, "loses").ruleset
    other = CircuitCache(rules, CircuitStore(rules).layout)
    assert other.path(next(iter(store.keys))) != path


def forged(path: Path, change: dict[str, Any]) -> None:
    """Replaces arrays of a file and corrects the hash."""
    data = path.read_bytes()
    head = data.index(b"\n", data.index(b"\n") + 1) + 1
    with np.load(io.BytesIO(data[head + 32 :])) as arrays:
        found = {name: arrays[name] for name in arrays}
    for name, new in change.items():
        found[name] = new(found[name].copy())
    stream = io.BytesIO()
    np.savez(stream, **found)
    payload = stream.getvalue()
    path.write_bytes(data[:head] + hashlib.sha256(payload).digest() + payload)


def put(place: Any, value: int | tuple[int, ...]) -> Any:
    def change(array: Any) -> Any:
        array[place] = value
        return array

    return change


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("effects_gates", put((0, 0), -1)),
        ("effects_gates", put((0, 1), 10**6)),
        ("effects_gates", lambda a: np.full_like(a, len(a))),
        ("effects_gates", lambda a: a.astype(np.int64)),
        ("effects_gates", lambda a: a[:, :1]),
        ("effects_gates", lambda a: a[:-1]),
        ("effects_ends", put(0, -1)),
        ("effects_ends", put(0, 10**6)),
        ("effects_ends", lambda a: a[:-1]),
        ("effects_states", lambda _: np.array([[0, 0]], np.int32)),
        ("legal_outputs", put(0, -2)),
        ("legal_outputs", lambda a: a[:-1]),
        ("effects_outputs", put(0, 10**6)),
        ("inputs", put(0, -1)),
        ("inputs", put(-1, 10**6)),
        ("inputs", lambda a: a[::-1].copy()),
        ("changed", put(-1, 10**6)),
        ("pending", put(0, 64)),
        ("entries", put(-1, 99)),
        ("decisions", put(0, 10**6)),
        ("decisions", lambda a: a[:-1]),
        ("done", put((0, 0), 10**6)),
        ("done", lambda a: a[:-1]),
        ("added", lambda a: np.array([[99, 1]], np.int32)),
        ("sizes", put(0, -1)),
        ("sizes", put(1, -1)),
        ("sizes", put(2, 2**30)),
        ("sizes", put(3, 1)),
        ("sizes", put(3, 2**30)),
        (
            "text",
            lambda a: np.frombuffer(bytes(a).replace(b"green", b"black").replace(b"red", b"tan"), np.uint8),
        ),
        ("text", put(0, 0xFF)),
    ],
)
def test_every_index_is_checked(cached: tuple[CircuitStore, Path], name: str, change: Any) -> None:
    store, path = cached
    forged(path, {})
    assert reloaded(store)[0] is not None, "a forged file with valid data is used"
    forged(path, {name: change})
    assert reloaded(store) == (None, True)


def test_pickles_are_not_read(cached: tuple[CircuitStore, Path]) -> None:
    store, path = cached
    forged(path, {"added": lambda _: np.array([[{}]], object)})
    assert reloaded(store) == (None, True)


def test_nothing_is_cached_without_a_folder(
    cached: tuple[CircuitStore, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, _ = cached
    monkeypatch.setenv("KAISER_LOGIC_CACHE", "off")
    assert circuit_folder() is None
    assert reloaded(store) == (None, True)


def test_folders_that_others_can_write_to_are_not_used(cached: tuple[CircuitStore, Path]) -> None:
    store, path = cached
    path.parent.chmod(0o777)
    assert circuit_folder() is None
    assert reloaded(store) == (None, True)
    path.parent.chmod(0o700)
    assert circuit_folder() == path.parent
    assert isinstance(reloaded(store)[0], TransitionCircuits)


def test_circuits_survive_conversion_to_arrays(cached: tuple[CircuitStore, Path]) -> None:
    store, _ = cached
    for circuits in (loaded.circuits for loaded in store.circuit_set.loaded):
        arrays = circuits.as_arrays()
        back = TransitionCircuits.from_arrays(circuits.key, arrays)
        assert back.actions == circuits.actions
        assert np.array_equal(back.legal.gates, circuits.legal.gates)
        with pytest.raises(InvalidData):
            TransitionCircuits.from_arrays(TransitionKey("other", 0, "red"), arrays)
