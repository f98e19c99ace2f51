"""Writes files so that nothing is lost: a draft takes the place of the file when it is complete.

Where the system allows it, the draft has no name until then, so a process that is killed leaves nothing behind.
"""

from __future__ import annotations

import errno
import io
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TextIO

from .errors import WrongUsage, is_exhausted, visible_name

_STREAM: Final = re.compile(r"/dev/fd/(\d+)|/proc/self/fd/(\d+)|/proc/.*")
"""Names of streams that other processes may share. A file behind them must not be replaced."""
_NUMBERS: Final = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_OPEN_FILES: Final = "/proc/self/fd"
"""The folder in which the system shows the open files of this process, by their numbers."""
_NO_LINK: Final = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOENT, errno.EXDEV, errno.EMLINK})
"""The errors of a file system without links, or without nameless files."""
_NO_NAMELESS: Final = frozenset({errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT})


def is_ordinary(path: str | os.PathLike[str]) -> bool:
    """Whether a path names an ordinary file, or nothing yet. Streams such as ``/dev/stdout`` are no ordinary files."""
    return _stream_at(path) is None and (not os.path.exists(path) or os.path.isfile(path))


def _stream_at(path: str | os.PathLike[str]) -> int | str | None:
    """The stream that a path names: its number if this process has it open, otherwise its name; None for other files."""
    name = os.path.abspath(os.fspath(path))
    for _ in range(40):
        if name in _NUMBERS:
            return _NUMBERS[name]
        match = _STREAM.fullmatch(name)
        if match is not None:
            return int(number) if (number := match[1] or match[2]) else name
        if not os.path.islink(name):
            return None
        name = os.path.normpath(os.path.join(os.path.dirname(name), os.readlink(name)))
    return None


@contextmanager
def written_file(path: str | os.PathLike[str], *, new: bool = False) -> Iterator[TextIO]:
    """A stream for the text of a file. If the block ends without an error, the text replaces the file in one step.

    Devices, pipes and streams are written directly. Through a symbolic link the file is replaced to which it leads.

    Args:
        path: The file.
        new: Whether another file of this name is an error.

    Raises:
        WrongUsage: The file cannot be written.
    """
    with explained_errors(path):
        file = _Direct(path) if not is_ordinary(path) else _Draft(path, new)
    text = io.TextIOWrapper(file.stream, encoding="utf-8", errors="backslashreplace", newline="\n")
    try:
        with explained_errors(path, of_the_file_only=True):
            yield text
        with explained_errors(path):
            text.flush()
            file.finish()
    finally:
        with suppress(OSError):
            text.close()
        file.discard()


def write_file(path: str | os.PathLike[str], contents: str | bytes) -> None:
    """Writes a file in one step; see :func:`written_file`."""
    with written_file(path) as file:
        if isinstance(contents, bytes):
            file.buffer.write(contents)
        else:
            file.write(contents)


def write_new_file(path: str | os.PathLike[str], text: str) -> None:
    """Writes a file that does not exist yet. A file with the same text may exist: an earlier run has written it.

    Raises:
        WrongUsage: The file cannot be written, or there is another one.
    """
    with suppress(OSError):
        if os.path.isfile(path) and Path(path).read_bytes() == text.encode("utf-8", "backslashreplace"):
            return
    with written_file(path, new=True) as file:
        file.write(text)


class _Direct:
    """A device, a pipe or a stream, which is written directly."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        stream = _stream_at(path)
        # an open stream is not opened again: that would begin a file behind it anew
        raw = io.FileIO(os.dup(stream) if isinstance(stream, int) else path, "w")
        self.stream = io.BufferedWriter(raw)

    def finish(self) -> None:
        self.stream.flush()

    def discard(self) -> None:
        pass


class _Draft:
    """A file beside the one that it replaces."""

    def __init__(self, path: str | os.PathLike[str], new: bool) -> None:
        # `x/../name` is no name where there is no `x`, and `file/` is none, although `realpath` says so
        os.stat(os.path.join(os.path.dirname(path), "."))
        self._target = os.path.realpath(path)
        self._new = new
        folder, name = os.path.split(self._target)
        self._name = os.path.join(folder, f".{name[:100]}.{os.urandom(4).hex()}.part")
        self._has_name = False
        mode = 0o666
        with suppress(FileNotFoundError):
            status = os.stat(self._target)
            if new:
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), self._target)
            if not os.access(self._target, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), self._target)
            mode = stat.S_IMODE(status.st_mode)
        self.stream = io.BufferedWriter(io.FileIO(self._open(folder, mode), "w"))
        if mode != 0o666:
            os.fchmod(self.stream.fileno(), mode)

    def _open(self, folder: str, mode: int) -> int:
        """The number of the open draft. It has a name only where nameless files are impossible."""
        flags = os.O_WRONLY | os.O_CLOEXEC
        if hasattr(os, "O_TMPFILE") and os.path.isdir(_OPEN_FILES):
            try:
                return os.open(folder, flags | os.O_TMPFILE, mode)
            except OSError as error:
                if error.errno not in _NO_NAMELESS or not os.path.isdir(folder):
                    raise
        self._has_name = True
        return os.open(self._name, flags | os.O_CREAT | os.O_EXCL, mode)

    def finish(self) -> None:
        """Puts the draft in the place of the file."""
        if not self._has_name:
            number = self.stream.fileno()
            # a folder is given, although it is not used, because only then Python follows this link
            os.link(f"{_OPEN_FILES}/{number}", self._target if self._new else self._name, src_dir_fd=number)
            if self._new:
                return
            self._has_name = True
        if self._new:
            try:
                os.link(self._name, self._target)
            except OSError as error:
                if error.errno not in _NO_LINK or os.path.lexists(self._target):
                    raise
            else:
                return
        os.replace(self._name, self._target)
        self._has_name = False

    def discard(self) -> None:
        """Deletes the draft if it has not replaced the file."""
        if self._has_name:
            with suppress(OSError):
                os.unlink(self._name)


@contextmanager
def explained_errors(path: str | os.PathLike[str], *, of_the_file_only: bool = False) -> Iterator[None]:
    """Turns errors of the system into a WrongUsage with the name of the file that cannot be written.

    Args:
        path: The file.
        of_the_file_only: Whether errors with a name are left alone, as they are about another file.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if is_exhausted(error) or (of_the_file_only and error.filename is not None):
            raise
        raise WrongUsage(f"{_name(path)} cannot be written: {error.strerror}") from None
    except ValueError as error:
        if of_the_file_only:
            raise
        raise WrongUsage(f"{_name(path)} cannot be written: {error}") from None


def _name(path: str | os.PathLike[str]) -> str:
    return visible_name(os.fspath(path)) or "''"


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raises WrongUsage if a file cannot be written; it stays as it is."""
    if is_ordinary(path):
        with explained_errors(path):
            draft = _Draft(path, new=False)
            draft.stream.close()
            draft.discard()
