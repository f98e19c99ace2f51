"""Circuits cached between runs: damaged or foreign files are never used."""

from typing import Any

import pytest
from support.heap_positions import heap

pytest.importorskip("llvmlite")

import numpy as np

from kaiser_logic import cache
from kaiser_logic.batch.circuit_files import are_complete, circuit_cache
from kaiser_logic.batch.circuit_store import CircuitStore

pytestmark = pytest.mark.slow


@pytest.fixture
def built(tmp_path, monkeypatch):
    """The circuits of the heap, which are stored in a cache of their own."""
    monkeypatch.setenv("KAISER_LOGIC_CACHE", str(tmp_path))
    forget()
    store = CircuitStore(heap().ruleset, jobs=1)
    store.ensure()
    return store


def forget() -> None:
    """Makes this process read the files of the cache again."""
    cache._stores.clear()


def is_rebuilt(store: CircuitStore) -> bool:
    """Whether a new store builds circuits anew; they must be the same."""
    forget()
    progress: list[str] = []
    new = CircuitStore(store.ruleset, 1, progress.append)
    new.ensure()
    its, others = ([b.circuits.as_data() for b in one.circuit_set.loaded] for one in (store, new))
    assert its == others and new.actions == store.actions
    return bool(progress)


def test_stored_circuits_are_used(built):
    assert are_complete(built.ruleset)
    assert not is_rebuilt(built)


def test_damaged_files_are_ignored(built, tmp_path):
    (path,) = tmp_path.glob("circuits-*")
    path.write_bytes(path.read_bytes()[:-5])
    assert is_rebuilt(built)
    assert not is_rebuilt(built), "the circuits are stored again"


def test_circuits_of_other_rules_are_ignored(built):
    assert not are_complete(heap(2, "loses").ruleset)
    assert circuit_cache(heap(2, "loses").ruleset) is not circuit_cache(built.ruleset)


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
        ("actions", lambda a: tuple(("black", action) for _, action in a)),
    ],
)
def test_every_index_is_checked(built, name, change):
    """Circuits with a wrong index are not run, even if the cache contains them."""
    entries = circuit_cache(built.ruleset)
    key = next(iter(built.keys))
    assert entries is not None
    data = entries.get(str(key))
    entries.store(str(key), data | {name: changed(data[name], change)})
    entries.keep()
    assert is_rebuilt(built)


def changed(value: Any, change: Any) -> Any:
    """An entry of the data of circuits after a change of its array."""
    if not isinstance(value, tuple) or not isinstance(value[1], bytes):
        return change(value)
    array = change(np.frombuffer(value[1], np.int32).reshape(value[0]).copy())
    return array.shape, array.tobytes()
