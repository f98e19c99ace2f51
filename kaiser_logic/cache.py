"""Files on disk that several processes share: plain data and compiled code, in the user's own cache folder.

An entry says nothing that could not be found out anew. Its file's name holds a hash of all that decides it (texts, the
package's own sources, versions), and its first line one of the contents, so that what is stale, cut off, altered or
copied from elsewhere is passed over. Compiled code is only read from files and below folders that nobody else may write:
a user who can write there could change the programs too.

``KAISER_LOGIC_CACHE`` names the folder, ``off`` does without; by default ``kaiser-logic`` in the user's folder for caches.
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
"""No file is larger, in bytes."""
_MOST: Final = 200
"""The largest number of files of a kind; then the oldest are deleted."""
_MARK: Final = b"kaiser-logic 1 "


def key_of(*parts: str | bytes) -> str:
    """A hash of texts; where one ends and the next begins makes a difference."""
    import hashlib

    found = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        found.update(b"%d:" % len(data))
        found.update(data)
    return found.hexdigest()


@cache
def tool(*folders: str) -> str:
    """A hash of the package's sources in some of its folders, of Python and of clingo; empty if they are not at hand.

    Args:
        folders: Below the package's own; none for all of it.
    """
    from . import clingo

    here = Path(__file__).parent
    tops = [here / name for name in folders] or [here]
    files = sorted(path for top in tops for path in _sources(top))
    if not files:
        return ""
    with suppress(OSError):
        texts = [path.read_bytes() for path in files]
        names = [str(path.relative_to(here)) for path in files]
        python = f"{sys.implementation.cache_tag} {sys.version}"
        shape = importlib.util.MAGIC_NUMBER
        return key_of(python, shape, clingo.VERSION, *names, *texts)
    return ""


def _sources(folder: Path) -> Iterator[Path]:
    with suppress(OSError), os.scandir(folder) as found:
        for entry in found:
            if entry.is_dir():
                yield from _sources(Path(entry.path))
            elif entry.name.endswith(".py"):
                yield Path(entry.path)


# -- the folder ----------------------------------------------------------------------------------------------------


def folder() -> Path | None:
    """The folder of the cache; None if the cache is off, or if other users may write there."""
    named = os.environ.get(VARIABLE, "")
    if named == OFF:
        return None
    if not named:
        base = os.environ.get("XDG_CACHE_HOME", "") or os.path.join(os.path.expanduser("~"), ".cache")
        if not os.path.isabs(base):
            return None
        named = os.path.join(base, "kaiser-logic")
    return _checked(os.path.realpath(named), VARIABLE in os.environ)


@cache
def _checked(path: str, warn: bool) -> Path | None:
    """The folder, made if missing; None if others may write there, with a warning if the user has named it."""
    with suppress(OSError):
        os.makedirs(path, mode=0o700, exist_ok=True)
        if _is_private(path):
            return Path(path)
    if warn:
        message = f"nothing is cached in {path}: it is not writable, or others may write to it"
        warnings.warn(message, RuntimeWarning, stacklevel=3)
    return None


def _is_private(path: str) -> bool:
    """Whether only this user and the administrator can change what lies below a folder."""
    found = os.lstat(path)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o022:
        return False
    while (above := os.path.dirname(path)) != path:
        path = above
        found = os.lstat(path)
        shared = found.st_mode & 0o022 and not found.st_mode & stat.S_ISVTX
        if found.st_uid not in (0, os.geteuid()) or shared:
            return False
    return True


# -- files ---------------------------------------------------------------------------------------------------------


def read(name: str, key: str) -> bytes | None:
    """The contents kept under a key, or None if there are none that can be trusted."""
    where = folder()
    if where is None:
        return None
    with suppress(OSError):
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        with os.fdopen(os.open(where / f"{name}-{key}", flags), "rb") as file:
            found = os.fstat(file.fileno())
            private = found.st_uid == os.geteuid() and not found.st_mode & 0o022
            if not private or not stat.S_ISREG(found.st_mode) or found.st_size > _LARGEST:
                return None
            first, contents = file.readline(200), file.read(_LARGEST)
        if first == _MARK + key_of(name, key, contents).encode() + b"\n":
            return contents
    return None


def write(name: str, key: str, contents: bytes) -> None:
    """Stores contents under a key and replaces what was there; does nothing if the file cannot be written."""
    where = folder()
    if where is None or len(contents) > _LARGEST // 2:
        return
    draft = where / f".{os.urandom(8).hex()}"
    with suppress(OSError):
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_MARK + key_of(name, key, contents).encode() + b"\n" + contents)
            os.replace(draft, where / f"{name}-{key}")
        except BaseException:
            os.unlink(draft)
            raise
        _prune(where, name)


def _prune(where: Path, name: str) -> None:
    """Deletes the oldest files of a kind where there are too many."""
    with os.scandir(where) as found:
        files = [entry for entry in found if entry.name.startswith(f"{name}-")]
    if len(files) > _MOST:
        for entry in sorted(files, key=lambda e: e.stat(follow_symlinks=False).st_mtime_ns)[: -_MOST // 2]:
            with suppress(OSError):
                os.unlink(entry.path)


# -- entries -------------------------------------------------------------------------------------------------------

_stores: dict[tuple[str, str], Store] = {}


class Store:
    """Entries under one key. New entries are written when the process ends, or when :func:`keep` is called.

    Each is read when it is first asked for.
    """

    def __init__(self, name: str, key: str) -> None:
        """A store of this kind and key; see :func:`store`."""
        self._name = name
        self._key = key
        self._written: dict[Hashable, bytes] = _entries(name, key)
        self._new: dict[Hashable, bytes] = {}

    @property
    def empty(self) -> bool:
        """Whether nothing is kept."""
        return not self._written and not self._new

    def get(self, entry: Hashable) -> Any:
        """The stored value of an entry, or None."""
        found = self._new.get(entry) or self._written.get(entry)
        return None if found is None else _loaded(found)

    def put(self, entry: Hashable, value: Any) -> None:
        """Adds an entry; nothing if marshal does not know what it consists of."""
        with suppress(ValueError):
            marshal.dumps(cast("Any", entry))
            self._new[entry] = marshal.dumps(value)

    def keep(self) -> None:
        """Writes the new entries, together with those that other processes have written meanwhile."""
        if self._new:
            self._written = {**self._written, **_entries(self._name, self._key), **self._new}
            self._new = {}
            write(self._name, self._key, marshal.dumps(self._written))


def _entries(name: str, key: str) -> dict[Hashable, bytes]:
    contents = read(name, key)
    found = None if contents is None else _loaded(contents)
    if not isinstance(found, dict):
        return {}
    return {entry: value for entry, value in found.items() if isinstance(value, bytes)}


def _loaded(contents: bytes) -> Any:
    """The value of a marshal file; None if it is damaged."""
    try:
        return marshal.loads(contents)
    except (EOFError, ValueError, TypeError):
        return None


def store(name: str, *parts: str) -> Store | None:
    """The entries that these texts decide; None if nothing is kept, or a text is empty.

    Args:
        name: What kind of entries.
        parts: All that decides them; :func:`tool` among it.
    """
    if not all(parts) or folder() is None:
        return None
    key = key_of(*parts)
    found = _stores.get((name, key))
    if found is None:
        if not _stores:
            atexit.register(keep)
        found = _stores[name, key] = Store(name, key)
    return found


def keep() -> None:
    """Writes the new entries of all stores."""
    for found in list(_stores.values()):
        found.keep()
