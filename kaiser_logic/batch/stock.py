"""The buckets of one configured game: taken from disk or built, when they are first needed."""

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
from .buckets import STEP, Bucket, Key
from .building import built, keys
from .folder import folder
from .folder import whole as hint
from .gates import Damaged
from .layout import Layout, layout_of
from .machine import Machine, Ready
from .opening import Unsupported

# -- cache ---------------------------------------------------------------------------------------------------
#
# Buckets kept between runs, as plain data: a header, a hash, arrays. No pickles.
#
# What is read may be truncated, altered or of something else: then it counts as not there, and is built anew. Of what has
# passed the hash every index is looked at before it is used, as nothing hinders who alters the data to alter the hash.


_HEADER: Final = b"kaiser-logic circuits\n"
_LARGEST: Final = 2**29
_REFUSED: Final = "refused"


class Cache:
    """The buckets of one configured game.

    Attributes:
        folder: Where they are; None where nothing is kept.
    """

    def __init__(self, ruleset: Ruleset, layout: Layout) -> None:
        """Of the buckets under these rules."""
        said = [layout.digest, *(f"{r.file} {r.text}" for r in ruleset.rules), *map(str, ruleset.given)]
        self._game = hashlib.sha256("\n".join(said).encode()).hexdigest()
        self._sizes = len(layout.facts), layout.control * 64, len(layout.numbers)
        self._roles = ruleset.roles
        self.folder = folder()

    def path(self, key: Key) -> Path | None:
        """The file of a bucket; None where nothing is kept."""
        return None if self.folder is None else self.folder / f"{self._digest(key)}.bin"

    def _digest(self, key: Key) -> str:
        return hashlib.sha256(f"{self._game} {key}".encode()).hexdigest()[:40]

    def get(self, key: Key) -> Bucket | str | None:
        """A bucket; or why it cannot be one, if that is known; None where nothing is known."""
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
                bucket = Bucket.from_arrays(key, arrays)
            bucket.check(*self._sizes, self._roles)
        except (OSError, ValueError, KeyError, Damaged, EOFError, zipfile.BadZipFile, MemoryError):
            return None
        return bucket

    def _payload(self, data: bytes, key: Key) -> bytes:
        """What comes after header, name and hash, which must be right."""
        head = _HEADER + self._digest(key).encode() + b"\n"
        if not data.startswith(head):
            raise Damaged
        digest, payload = data[len(head) : len(head) + 32], data[len(head) + 32 :]
        if hashlib.sha256(payload).digest() != digest:
            raise Damaged
        return payload

    def put(self, key: Key, found: Bucket | str) -> None:
        """Keeps a bucket, or why there is none."""
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
"""What takes more to be built is left to the engine for one position."""


class Stock:
    """Buckets, and what stands in the way of others.

    Attributes:
        ruleset: The rules.
        layout: How positions lie in rows.
        keys: All buckets there can be, each with the bits of what belongs to it.
        machine: Those that are ready.
        refused: Why others cannot be built.
        actions: What the numbers of actions stand for: role and action.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        jobs: int | None = None,
        progress: Callable[[str], None] = lambda _: None,
        deadline: float = float("inf"),
    ) -> None:
        """Of these rules; built in so many processes, until a deadline by :func:`time.monotonic`."""
        self.ruleset = ruleset
        self.layout = layout_of(ruleset)
        self.refused: dict[Key, str] = {}
        self.actions: list[tuple[str, str]] = []
        self._ready: dict[Key, Ready] = {}
        self._jobs = jobs
        self._progress, self._deadline = progress, deadline
        self._cache = Cache(ruleset, self.layout)
        found = keys(ruleset, self.layout)
        self.keys = {key: [self.layout.bits[f] for f in facts] for key, facts in found.items()}
        if not self.layout.words:
            self.refused = {Key("everything", 0, "all"): "there are too many facts for positions to be rows"}
        self.machine = self._machine()

    def _machine(self) -> Machine:
        return Machine(list(self._ready.values()), self.keys, self.layout.control)

    def number(self, role: str, action: str) -> int:
        """A number for an action that no bucket has."""
        if (role, action) not in self._other_numbers:
            self._other_numbers[role, action] = len(self.actions)
            self.actions.append((role, action))
        return self._other_numbers[role, action]

    @property
    def _other_numbers(self) -> dict[tuple[str, str], int]:
        found: dict[tuple[str, str], int] = self.__dict__.setdefault("_numbers", {})
        return found

    def need(self, wanted: Iterable[Key] | None = None, whole: bool = False) -> None:
        """Sees to it that these buckets (by default all) are ready, or refused; ``whole``: until one is refused."""
        if whole and self.refused:
            return
        asked = self.keys if wanted is None else wanted
        missing = [key for key in asked if key not in self._ready and key not in self.refused]
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
            bucket = found[key]
            if bucket is not None:
                self._enter(key, bucket)
        if missing:
            self.machine = self._machine()
            self._note()

    def ready(self) -> bool:
        """Whether every kind of decision has a bucket that is ready or lies in the cache; then all are made ready.

        Nothing is built. A kind of step may have been refused.
        """
        missing = [key for key in self.keys if key not in self._ready and key not in self.refused]
        found = {key: self._cache.get(key) for key in missing}
        for key, its in found.items():
            if its is not None:
                self._enter(key, its)
        if missing:
            self.machine = self._machine()
        return self._is_whole() and bool(self._ready)

    def complete(self) -> None:
        """Has all buckets built, unless one of a decision is refused: then what remains is left."""
        self.need([key for key in self.keys if key.role != STEP], whole=True)
        if not self.refused:
            self.need()

    def _is_whole(self) -> bool:
        """Whether there is something of every bucket, and of those of decisions a circuit."""
        known = self._ready.keys() | self.refused.keys()
        return known >= self.keys.keys() and all(key.role == STEP for key in self.refused)

    def _note(self) -> None:
        """Leaves the hint that all circuits have been built."""
        path = hint(self.ruleset) if self._is_whole() else None
        if path is not None:
            with suppress(OSError):
                path.touch(mode=0o600)

    def _size(self, key: Key) -> int:
        """How many rules a bucket's first program has."""
        signature = key.name, key.arity
        rules = self.ruleset
        return len(
            (
                rules.step_program([signature], []) if key.role == STEP else rules.legal_program([signature])
            ).rules
        )

    def _enter(self, key: Key, found: Bucket | str) -> None:
        if isinstance(found, str):
            self.refused[key] = found
        else:
            self._ready[key] = Ready(found, len(self.actions), self.ruleset.roles, self.layout)
            self.actions += found.actions

    def _built(self, wanted: list[Key]) -> Iterator[tuple[Key, Bucket | str]]:
        """These buckets, built in child processes, or why they cannot be."""
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
            found = answer.value if isinstance(answer.value, str) else Bucket.from_arrays(key, answer.value)
            if isinstance(found, Bucket):
                layout = self.layout
                found.check(len(layout.facts), 64 * layout.control, len(layout.numbers), self.ruleset.roles)
            self._cache.put(key, found)
            yield key, found


def _own() -> int:
    """How many bytes of addresses this process has, which its children have too; 0 where that is not known."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _made(configuration: Configuration, layout: Layout, key: Key) -> dict[str, Any] | str:
    """A bucket as arrays, in a child process; or why there is none."""
    try:
        return built(ruleset_of(configuration), layout, key).as_arrays()
    except Unsupported as error:
        return str(error)
