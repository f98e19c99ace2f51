"""The transition circuits of one configured game: read from disk or built when they are first needed."""

from __future__ import annotations

import hashlib
import io
import os
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..engine.configuration import Configuration
from ..engine.ruleset import Ruleset, ruleset_of
from ..workers import Job, Pool
from .bits import Unsupported
from .building import built, keys
from .circuit_files import circuit_folder, complete_marker
from .gates import InvalidData
from .layout import Layout, layout_of
from .transition_circuits import MOST_ADDED, STEP, TransitionCircuits, TransitionKey
from .vectorised import CircuitSet, LoadedCircuits

# -- cache ---------------------------------------------------------------------------------------------------
#
# Circuits stored between runs, as plain data: a header, a hash, arrays. No pickles.
#
# What is read may be truncated, altered or foreign. Then it counts as missing, and is built again. Even after the hash has been
# checked, every index is checked before it is used, because whoever alters the data can alter the hash too.


_HEADER: Final = b"kaiser-logic circuits\n"
_LARGEST: Final = 2**29
_REFUSED: Final = "refused"


class CircuitCache:
    """The stored circuits of one configured game.

    Attributes:
        folder: The folder of their files; None if nothing is stored.
    """

    def __init__(self, ruleset: Ruleset, layout: Layout) -> None:
        """``layout``: the layout of positions under these rules."""
        said = [layout.digest, *(f"{r.file} {r.text}" for r in ruleset.rules), *map(str, ruleset.given)]
        self._game = hashlib.sha256("\n".join(said).encode()).hexdigest()
        self._sizes = len(layout.facts), layout.control * 64, len(layout.numbers)
        self._roles = ruleset.roles
        self.folder = circuit_folder()

    def path(self, key: TransitionKey) -> Path | None:
        """The file of a transition's circuits; None if nothing is stored."""
        return None if self.folder is None else self.folder / f"{self._digest(key)}.bin"

    def _digest(self, key: TransitionKey) -> str:
        return hashlib.sha256(f"{self._game} {key}".encode()).hexdigest()[:40]

    def get(self, key: TransitionKey) -> TransitionCircuits | str | None:
        """Stored circuits, or the stored reason why there are none; None if neither is stored, or the file is damaged."""
        path = self.path(key)
        if path is None:
            return None
        try:
            if path.stat().st_size > _LARGEST:
                return None
            payload = self._payload(path.read_bytes(), key)
            with np.load(io.BytesIO(payload), allow_pickle=False) as arrays:
                if _REFUSED in arrays:
                    return bytes(arrays[_REFUSED]).decode()
                circuits = TransitionCircuits.from_arrays(key, arrays)
            circuits.check(*self._sizes, self._roles)
        except (OSError, ValueError, KeyError, InvalidData, EOFError, zipfile.BadZipFile, MemoryError):
            return None
        return circuits

    def _payload(self, data: bytes, key: TransitionKey) -> bytes:
        """The part of a file after its header, name and hash. Raises InvalidData if one of these is wrong."""
        head = _HEADER + self._digest(key).encode() + b"\n"
        if not data.startswith(head):
            raise InvalidData
        digest, payload = data[len(head) : len(head) + 32], data[len(head) + 32 :]
        if hashlib.sha256(payload).digest() != digest:
            raise InvalidData
        return payload

    def put(self, key: TransitionKey, found: TransitionCircuits | str) -> None:
        """Stores circuits, or the reason why there are none. Errors of the file system are ignored."""
        path = self.path(key)
        if path is None:
            return
        stream = io.BytesIO()
        arrays: dict[str, Any] = (
            {_REFUSED: np.frombuffer(found.encode(), np.uint8)}
            if isinstance(found, str)
            else found.as_arrays()
        )
        np.savez(stream, **arrays)
        payload = stream.getvalue()
        data = b"".join(
            (_HEADER, self._digest(key).encode(), b"\n", hashlib.sha256(payload).digest(), payload)
        )
        try:
            path.parent.mkdir(mode=0o700, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent)
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(name, path)
        except OSError:
            return


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
        self._jobs = jobs
        self._progress, self._deadline = progress, deadline
        self._cache = CircuitCache(ruleset, self.layout)
        found = keys(ruleset, self.layout)
        self.keys = {key: [self.layout.bits[f] for f in facts] for key, facts in found.items()}
        if not self.layout.words:
            self.refused = {
                TransitionKey("everything", 0, "all"): "there are too many facts for positions to be rows"
            }
        self.circuit_set = self._circuit_set()

    def _circuit_set(self) -> CircuitSet:
        return CircuitSet(list(self._loaded.values()), self.layout.control)

    def number(self, role: str, action: str) -> int:
        """A number for an action that no circuit has; the same for the same action."""
        if (role, action) not in self._other_numbers:
            self._other_numbers[role, action] = len(self.actions)
            self.actions.append((role, action))
        return self._other_numbers[role, action]

    @property
    def _other_numbers(self) -> dict[tuple[str, str], int]:
        found: dict[tuple[str, str], int] = self.__dict__.setdefault("_numbers", {})
        return found

    def need(self, wanted: Iterable[TransitionKey] | None = None, whole: bool = False) -> None:
        """Loads or builds circuits (by default all), or records why there are none; ``whole``: stops at the first refusal."""
        if whole and self.refused:
            return
        asked = self.keys if wanted is None else wanted
        missing = [key for key in asked if key not in self._loaded and key not in self.refused]
        found = {key: self._cache.get(key) for key in missing}
        absent = [key for key in missing if found[key] is None]
        if whole and any(isinstance(its, str) for its in found.values()):
            absent = []
        elif whole:
            absent.sort(key=self._size, reverse=True)  # what is refused is mostly large
        for count, (key, made) in enumerate(self._built(absent), 1):
            found[key] = made
            self._progress(f"circuits: {count}/{len(absent)}")
            if whole and isinstance(made, str):
                break
        for key in missing:
            circuits = found[key]
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
        missing = [key for key in self.keys if key not in self._loaded and key not in self.refused]
        found = {key: self._cache.get(key) for key in missing}
        for key, its in found.items():
            if its is not None:
                self._enter(key, its)
        if missing:
            self.circuit_set = self._circuit_set()
        return self._is_whole() and bool(self._loaded)

    def complete(self) -> None:
        """Builds all circuits; stops when those of a kind of decision are refused."""
        self.need([key for key in self.keys if key.role != STEP], whole=True)
        if not self.refused:
            self.need()

    def _is_whole(self) -> bool:
        """Whether each transition has circuits or a refusal, and no kind of decision is refused."""
        known = self._loaded.keys() | self.refused.keys()
        return known >= self.keys.keys() and all(key.role == STEP for key in self.refused)

    def _note(self) -> None:
        """Writes the marker that all circuits have been built, if they have."""
        path = complete_marker(self.ruleset) if self._is_whole() else None
        if path is not None:
            with suppress(OSError):
                path.touch(mode=0o600)

    def _size(self, key: TransitionKey) -> int:
        """The number of rules of the first program that is ground for a transition."""
        signature = key.name, key.arity
        rules = self.ruleset
        return len(
            (
                rules.step_program([signature], []) if key.role == STEP else rules.legal_program([signature])
            ).rules
        )

    def _enter(self, key: TransitionKey, found: TransitionCircuits | str) -> None:
        if isinstance(found, str):
            self.refused[key] = found
        else:
            self._loaded[key] = LoadedCircuits(found, len(self.actions), self.ruleset.roles, self.layout)
            self.actions += found.actions

    def _built(self, wanted: list[TransitionKey]) -> Iterator[tuple[TransitionKey, TransitionCircuits | str]]:
        """Builds circuits in child processes; yields each key with its circuits or the reason why there are none."""
        configuration = self.ruleset.configuration
        by_name = {str(key): key for key in wanted}
        pool: Pool[dict[str, Any] | str] = Pool(
            [Job(name, partial(_made, configuration, self.layout, key)) for name, key in by_name.items()],
            self._jobs or os.cpu_count(),
            min(time.monotonic() + _SECONDS, self._deadline),
            _MEMORY + _own(),
        )
        for answer in pool:
            key = by_name[answer.name]
            if answer.value is None:
                yield key, f"its circuit could not be built: {answer.failure}"
                continue
            found = (
                answer.value
                if isinstance(answer.value, str)
                else TransitionCircuits.from_arrays(key, answer.value)
            )
            if isinstance(found, TransitionCircuits):
                layout = self.layout
                found.check(len(layout.facts), 64 * layout.control, len(layout.numbers), self.ruleset.roles)
            self._cache.put(key, found)
            yield key, found


def _own() -> int:
    """The size of this process's address space in bytes, which its children share; 0 if it is unknown."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _made(configuration: Configuration, layout: Layout, key: TransitionKey) -> dict[str, Any] | str:
    """The circuits of a transition as arrays, or why there are none; runs in a child process."""
    try:
        found = built(ruleset_of(configuration), layout, key)
        if found.added.size and abs(found.added[:, 1]).max() > MOST_ADDED:
            return f"a number changes by more than {MOST_ADDED:,} at once"
        return found.as_arrays()
    except Unsupported as error:
        return str(error)
