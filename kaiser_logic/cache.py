"""Cached data and compiled code, in files of the user's cache folder that several processes share.

Every entry can be computed again. The name of its file contains a hash of everything that determines the entry (texts, the
sources of the package, versions), and the first line contains a hash of the contents. So files that are stale, truncated,
altered or copied from elsewhere are ignored. A file is read only if no other user can write to it or to the folders above
it: it may contain code.

``KAISER_LOGIC_CACHE`` names the folder; ``off`` disables the cache. The default is ``kaiser-logic`` in the user's folder for
caches.
"""

from __future__ import annotations

import atexit
import importlib.util
import marshal
import os
import stat
import sys
import warnings
from collections.abc import Hashable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

VARIABLE: Final = "KAISER_LOGIC_CACHE"
OFF: Final = "off"
_LARGEST: Final = 64 * 2**20
"""The largest size of a file, in bytes."""
_MOST: Final = 200
"""The largest number of files of a kind. If there are more, the oldest are deleted."""
_MARK: Final = b"kaiser-logic 1 "


def key_of(*parts: str | bytes) -> str:
    """A hash of several texts. It also depends on where one text ends and the next one begins."""
    import hashlib

    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()


@cache
def tool(*folders: str) -> str:
    """A hash of sources of the package and of the versions of Python and clingo; empty if the sources cannot be read.

    Args:
        folders: Folders of the package; without any, the whole package.
    """
    from . import clingo

    package = Path(__file__).parent
    tops = [package / name for name in folders] or [package]
    files = sorted(path for top in tops for path in _sources(top))
    if not files:
        return ""
    with suppress(OSError):
        texts = [path.read_bytes() for path in files]
        names = [str(path.relative_to(package)) for path in files]
        python = f"{sys.implementation.cache_tag} {sys.version}"
        return key_of(python, importlib.util.MAGIC_NUMBER, clingo.VERSION, *names, *texts)
    return ""


def _sources(folder: Path) -> Iterator[Path]:
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _sources(Path(entry.path))
            elif entry.name.endswith(".py"):
                yield Path(entry.path)


# -- the folder ----------------------------------------------------------------------------------------------------


def folder() -> Path | None:
    """The folder of the cache; None if the cache is off, or if other users may write there."""
    path = os.environ.get(VARIABLE, "")
    if path == OFF:
        return None
    if not path:
        base = os.environ.get("XDG_CACHE_HOME", "") or os.path.join(os.path.expanduser("~"), ".cache")
        if not os.path.isabs(base):
            return None
        path = os.path.join(base, "kaiser-logic")
    return _check_folder(os.path.realpath(path), VARIABLE in os.environ)


@cache
def _check_folder(path: str, warn: bool) -> Path | None:
    """The folder, created if necessary; None if it cannot be used. Then ``warn`` decides whether a warning is given."""
    with suppress(OSError):
        os.makedirs(path, mode=0o700, exist_ok=True)
        if _is_private(path):
            return Path(path)
    if warn:
        message = f"nothing is cached in {path}: it is not writable, or others may write to it"
        warnings.warn(message, RuntimeWarning, stacklevel=3)
    return None


def _is_private(path: str) -> bool:
    """Whether only this user and the administrator can change the files in a folder and below it."""
    status = os.lstat(path)
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o022:
        return False
    while (above := os.path.dirname(path)) != path:
        path = above
        status = os.lstat(path)
        shared = status.st_mode & 0o022 and not status.st_mode & stat.S_ISVTX
        if status.st_uid not in (0, os.geteuid()) or shared:
            return False
    return True


# -- files ---------------------------------------------------------------------------------------------------------


def read_entry(name: str, key: str) -> bytes | None:
    """The contents that are stored under a key; None if there are none that can be trusted."""
    directory = folder()
    if directory is None:
        return None
    with suppress(OSError):
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        with os.fdopen(os.open(directory / f"{name}-{key}", flags), "rb") as file:
            status = os.fstat(file.fileno())
            private = status.st_uid == os.geteuid() and not status.st_mode & 0o022
            if not private or not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
                return None
            first, contents = file.readline(200), file.read(_LARGEST)
        if first == _MARK + key_of(name, key, contents).encode() + b"\n":
            return contents
    return None


def write(name: str, key: str, contents: bytes) -> None:
    """Stores contents under a key, in place of earlier contents; does nothing if the file cannot be written."""
    directory = folder()
    if directory is None or len(contents) > _LARGEST // 2:
        return
    draft = directory / f".{os.urandom(8).hex()}"
    with suppress(OSError):
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_MARK + key_of(name, key, contents).encode() + b"\n" + contents)
            os.replace(draft, directory / f"{name}-{key}")
        except BaseException:
            os.unlink(draft)
            raise
        _prune(directory, name)


def _prune(directory: Path, name: str) -> None:
    """Deletes the oldest files of a kind if there are too many."""
    with os.scandir(directory) as entries:
        files = [entry for entry in entries if entry.name.startswith(f"{name}-")]
    if len(files) > _MOST:
        for entry in sorted(files, key=lambda e: e.stat(follow_symlinks=False).st_mtime_ns)[: -_MOST // 2]:
            with suppress(OSError):
                os.unlink(entry.path)


# -- entries -------------------------------------------------------------------------------------------------------

_stores: dict[tuple[str, str], Store] = {}
"""The open stores, the one that was asked for last at the end."""
_MOST_STORES: Final = 20
"""The largest number of open stores. Beyond it the oldest is written and closed."""


class Store:
    """The entries under one key. New entries are written when the process ends, or when :func:`keep` is called.

    The value of an entry is decoded each time it is asked for.
    """

    def __init__(self, name: str, key: str) -> None:
        """Reads the entries of this kind and key; see :func:`store`."""
        self._name = name
        self._key = key
        self._written: dict[Hashable, bytes] = _entries(name, key)
        self._new: dict[Hashable, bytes] = {}

    @property
    def empty(self) -> bool:
        """Whether there are no entries."""
        return not self._written and not self._new

    def get(self, entry: Hashable, shape: Any = object) -> Any:
        """The stored value of an entry; None if there is none, or if it has another shape (:func:`has_shape`)."""
        stored = self._new.get(entry) or self._written.get(entry)
        value = None if stored is None else _load(stored)
        return value if value is not None and has_shape(value, shape) else None

    def store(self, entry: Hashable, value: Any) -> None:
        """Adds an entry; does nothing if it contains values that ``marshal`` cannot write."""
        with suppress(ValueError):
            marshal.dumps(cast("Any", entry))
            self._new[entry] = marshal.dumps(value)

    def keep(self) -> None:
        """Writes the new entries, together with those that other processes have written in the meantime."""
        if self._new:
            self._written = {**self._written, **_entries(self._name, self._key), **self._new}
            self._new = {}
            write(self._name, self._key, marshal.dumps(self._written))


def has_shape(value: Any, shape: Any) -> bool:
    """Whether a value has a shape. An entry of another shape is damaged or forged, and is passed over.

    A shape is a type; a function that tests the value; a tuple of shapes; ``[shape]``, for a tuple of any length;
    ``frozenset({shape})``; or ``{shape: shape}``, for a dictionary.

    >>> has_shape((1, ("a", "b")), (int, [str])), has_shape((True, ()), (int, [str])), has_shape({"a": 1}, {str: int})
    (True, False, True)
    """
    match shape:
        case type():
            return shape is object or type(value) is shape
        case tuple():
            same = type(value) is tuple and len(value) == len(shape)
            return same and all(map(has_shape, value, shape))
        case [inner]:
            return type(value) is tuple and all(has_shape(part, inner) for part in value)
        case frozenset():
            (inner,) = shape
            return type(value) is frozenset and all(has_shape(part, inner) for part in value)
        case dict():
            ((key, inner),) = shape.items()
            return type(value) is dict and all(has_shape(k, key) and has_shape(v, inner) for k, v in value.items())
    return bool(shape(value))


def _entries(name: str, key: str) -> dict[Hashable, bytes]:
    contents = read_entry(name, key)
    stored = None if contents is None else _load(contents)
    if not isinstance(stored, dict):
        return {}
    return {entry: value for entry, value in stored.items() if isinstance(value, bytes)}


def _load(contents: bytes) -> Any:
    """The value that ``marshal`` reads from bytes; None if they are damaged."""
    try:
        return marshal.loads(contents)
    except (EOFError, ValueError, TypeError, RecursionError, MemoryError):
        return None


def store(name: str, *parts: str) -> Store | None:
    """The entries that these texts determine; None if the cache is off or a text is empty.

    Args:
        name: The kind of the entries.
        parts: Everything that determines the entries, including :func:`tool`.
    """
    if not all(parts) or folder() is None:
        return None
    key = key_of(*parts)
    entries = _stores.pop((name, key), None)
    if entries is None:
        if not _stores:
            atexit.register(keep)
        entries = Store(name, key)
        if len(_stores) >= _MOST_STORES:  # an editor's server reads a rulebook after each change
            _stores.pop(next(iter(_stores))).keep()
    _stores[name, key] = entries
    return entries


def keep() -> None:
    """Writes the new entries of all stores."""
    for entries in list(_stores.values()):
        entries.keep()
