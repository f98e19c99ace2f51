"""Buckets kept between runs, as plain data: a header, a hash, arrays. No pickles.

What is read may be truncated, altered or of something else: then it counts as not there, and is built anew. Of what has
passed the hash every index is looked at before it is used, as nothing hinders who alters the data to alter the hash.
"""

from __future__ import annotations

import hashlib
import io
import os
import tempfile
import zipfile
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..engine.ruleset import Ruleset
from .buckets import Bucket, Key
from .folder import folder
from .gates import Damaged
from .layout import Layout

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
