"""Circuits cached between runs: damaged or foreign files are never used."""

import pytest
from support.heap_game import heap
from support.tables import rows

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


@pytest.mark.parametrize(("name", "change"), rows("batch/circuit_files", "damage"))
def test_every_index_is_checked(built, name, change):
    """Circuits with a wrong index are not run, even if the cache contains them."""
    entries, key = circuit_cache(built.ruleset), str(next(iter(built.keys)))
    assert entries is not None
    data = entries.get(key)
    packed = isinstance(data[name], tuple) and isinstance(data[name][1], bytes)
    there = {
        "np": np,
        "a": np.frombuffer(data[name][1], np.int32).reshape(data[name][0]).copy() if packed else data[name],
    }
    exec(change if " = " in change else f"a = {change}", there)
    made = (there["a"].shape, there["a"].tobytes()) if packed else there["a"]
    entries.store(key, data | {name: made})
    entries.keep()
    assert is_rebuilt(built)
