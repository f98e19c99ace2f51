"""The transition circuits of one configured game: read from disk or built when they are first needed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from ..engine.configuration import Configuration
from ..engine.ruleset import Ruleset, ruleset_of
from ..workers import Job, ProcessPool
from .bits import Unsupported
from .building import built, keys
from .circuit_files import are_complete, circuit_cache, set_complete
from .gates import InvalidData
from .layout import Layout, layout_of
from .transition_circuits import MOST_ADDED, STEP, TransitionCircuits, TransitionKey
from .vectorised import CircuitSet, LoadedCircuits

_MEMORY: Final = 3 * 2**30
_SECONDS: Final = 600.0
"""Circuits that need more than this are not built; the engine for one position takes their place."""


class CircuitStore:
    """The circuits of a game that are loaded, and why others cannot be built.

    Attributes:
        ruleset: The rules.
        layout: The layout of positions in rows.
        keys: All transitions, each with the bits of its decisions or steps.
        circuit_set: The circuits that are loaded.
        refused: The transitions that have no circuits, each with the reason.
        actions: The role and action of each number of an action.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        jobs: int | None = None,
        progress: Callable[[str], None] = lambda _: None,
        deadline: float = float("inf"),
    ) -> None:
        """``jobs``: the number of processes that build; ``deadline``: by :func:`time.monotonic`, for building."""
        self.ruleset = ruleset
        self.layout = layout_of(ruleset)
        self.refused: dict[TransitionKey, str] = {}
        self.actions: list[tuple[str, str]] = []
        self._loaded: dict[TransitionKey, LoadedCircuits] = {}
        self._other_numbers: dict[tuple[str, str], int] = {}
        self._jobs = jobs
        self._progress, self._deadline = progress, deadline
        self._cache = circuit_cache(ruleset)
        transitions = keys(ruleset, self.layout)
        self.keys = {key: [self.layout.bits[f] for f in facts] for key, facts in transitions.items()}
        if not self.layout.words:
            self.refused = {TransitionKey("everything", 0, "all"): "there are too many facts for positions to be rows"}
        self.circuit_set = self._circuit_set()

    def _circuit_set(self) -> CircuitSet:
        return CircuitSet(list(self._loaded.values()), self.layout.control)

    def number(self, role: str, action: str) -> int:
        """A number for an action that no circuit has; the same for the same action."""
        action_number = self._other_numbers.setdefault((role, action), len(self.actions))
        if action_number == len(self.actions):
            self.actions.append((role, action))
        return action_number

    def ensure(self, keys: Iterable[TransitionKey] | None = None, whole: bool = False, build: bool = True) -> None:
        """Loads or builds circuits, or records why there are none.

        Args:
            keys: Their keys; by default all.
            whole: Whether to stop at the first refusal.
            build: Whether to build what is not stored.
        """
        if whole and self.refused:
            return
        asked = self.keys if keys is None else keys
        missing = [key for key in asked if key not in self._loaded and key not in self.refused]
        loaded = {key: self._load_stored(key) for key in missing}
        absent = [key for key in missing if loaded[key] is None and build]
        if whole and any(isinstance(circuits, str) for circuits in loaded.values()):
            absent = []
        elif whole:
            absent.sort(key=self._size, reverse=True)  # what is refused is mostly large
        try:
            for count, (key, built) in enumerate(self._built(absent), 1):
                loaded[key] = built
                self._progress(f"circuits: {count}/{len(absent)}")
                if whole and isinstance(built, str):
                    break
        finally:
            if absent and self._cache is not None:
                self._cache.keep()
        for key in missing:
            circuits = loaded[key]
            if circuits is not None:
                self._enter(key, circuits)
        if missing:
            self.circuit_set = self._circuit_set()
            self._note()

    def load_stored(self) -> bool:
        """Loads what is stored, and builds nothing.

        Returns:
            Whether there are circuits for every kind of decision; kinds of steps may have been refused.
        """
        self.ensure(build=False)
        return self._is_whole() and bool(self._loaded)

    def complete(self) -> None:
        """Builds all circuits; stops when those of a kind of decision are refused."""
        self.ensure([key for key in self.keys if key.role != STEP], whole=True)
        if not self.refused:
            self.ensure()

    def _is_whole(self) -> bool:
        """Whether each transition has circuits or a refusal, and no kind of decision is refused."""
        known = self._loaded.keys() | self.refused.keys()
        return known >= self.keys.keys() and all(key.role == STEP for key in self.refused)

    def _note(self) -> None:
        """Notes in the cache that all circuits have been built, if they have."""
        if self._is_whole() and self._cache is not None and not are_complete(self.ruleset):
            set_complete(self.ruleset)
            self._cache.keep()

    def _size(self, key: TransitionKey) -> int:
        """The number of rules of the first program that is ground for a transition."""
        signature = key.name, key.arity
        rules = self.ruleset
        return len(
            (rules.step_program([signature], []) if key.role == STEP else rules.legal_program([signature])).rules
        )

    def _load_stored(self, key: TransitionKey) -> TransitionCircuits | str | None:
        """The stored circuits of a transition, or the stored reason why there are none; None if neither is stored."""
        data = self._cache.get(str(key)) if self._cache is not None else None
        try:
            return data if data is None or isinstance(data, str) else self._check_data(key, data)
        except (InvalidData, KeyError, TypeError, ValueError):
            return None

    def _check_data(self, key: TransitionKey, data: dict[str, Any]) -> TransitionCircuits:
        """The circuits of a transition from plain data. Raises InvalidData if an index in them is wrong."""
        circuits, layout = TransitionCircuits.from_data(key, data), self.layout
        circuits.check(len(layout.facts), 64 * layout.control, len(layout.numbers), self.ruleset.roles)
        return circuits

    def _enter(self, key: TransitionKey, circuits: TransitionCircuits | str) -> None:
        if isinstance(circuits, str):
            self.refused[key] = circuits
        else:
            self._loaded[key] = LoadedCircuits(circuits, len(self.actions), self.ruleset.roles, self.layout)
            self.actions += circuits.actions

    def _built(self, keys: list[TransitionKey]) -> Iterator[tuple[TransitionKey, TransitionCircuits | str]]:
        """Builds circuits in child processes; yields each key with its circuits or the reason why there are none."""
        configuration = self.ruleset.configuration
        by_name = {str(key): key for key in keys}
        pool: ProcessPool[dict[str, Any] | str] = ProcessPool(
            [Job(name, partial(_build_circuits, configuration, self.layout, key)) for name, key in by_name.items()],
            self._jobs or os.cpu_count(),
            min(time.monotonic() + _SECONDS, self._deadline),
            _MEMORY + _own(),
        )
        for answer in pool:
            key = by_name[answer.name]
            if answer.value is None:
                yield key, f"its circuit could not be built: {answer.reason}"
                continue
            circuits = answer.value if isinstance(answer.value, str) else self._check_data(key, answer.value)
            if self._cache is not None:
                self._cache.store(str(key), answer.value)
            yield key, circuits


def _own() -> int:
    """The size of this process's address space in bytes, which its children share; 0 if it is unknown."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _build_circuits(configuration: Configuration, layout: Layout, key: TransitionKey) -> dict[str, Any] | str:
    """The circuits of a transition as plain data, or why there are none; runs in a child process."""
    try:
        circuits = built(ruleset_of(configuration), layout, key)
        if circuits.added.size and abs(circuits.added[:, 1]).max() > MOST_ADDED:
            return f"a number changes by more than {MOST_ADDED:,} at once"
        return circuits.as_data()
    except Unsupported as error:
        return str(error)
