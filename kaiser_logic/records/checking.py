"""Checking recorded games: every fault of every record, in as many processes as wanted."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from ..cache import keep
from ..errors import KaiserLogicError, UnreadableInput, WrongUsage
from ..evaluation.verdict import Result
from ..notation.reading import read
from ..notation.record import Record
from ..position import Position
from ..rules.library import fingerprint
from ..rules.loader import rulebook
from .fault import Fault, objection
from .policies import OnIllegal, policy_called
from .replay import Replay

Paths: TypeAlias = "str | os.PathLike[str] | Iterable[str | os.PathLike[str]]"
_Files: TypeAlias = "Sequence[str | UnreadableInput]"

_HANDED_OUT: Final = 256
"""So many records are handed to a scheduler at a time."""


@dataclass(frozen=True)
class Report:
    """What was found of one record.

    Attributes:
        path: The record's file, or None.
        faults: Every fault, in the order of the record, the result last.
        moves: How many moves the record has.
        judged: How many of them were judged: fewer, if there was no going on.
        final: The position at the end, or the last one before the fault that ended the check; None if there
            was not even a first one.
        result: The outcome in ``final``; None while the game goes on.
        unreadable: Why the record could not be read at all; empty if it could.
    """

    path: str | None
    faults: tuple[Fault, ...] = ()
    moves: int = 0
    judged: int = 0
    final: Position | None = None
    result: Result | None = None
    unreadable: str = ""

    @property
    def ok(self) -> bool:
        """Whether the record could be read and has no fault."""
        return not self.faults and not self.unreadable

    def __str__(self) -> str:
        """The faults, one a line; a line that says so, if there are none."""
        if not self.ok:
            return "\n".join(map(str, self.faults)) or self.unreadable
        end = self.result.said if self.result else "unfinished"
        return f"{self.path or 'the record'}: {self.moves} moves, all legal, {end}"

    def as_json(self) -> dict[str, Any]:
        """The report as a JSON object."""
        result = self.result
        return {
            "path": self.path,
            "ok": self.ok,
            "moves": self.moves,
            "judged": self.judged,
            "faults": [fault.as_json() for fault in self.faults],
            "to_move": list(self.final.to_move) if self.final else [],
            "result": {"points": dict(result.points), "winners": list(result.winners)} if result else None,
            "unreadable": self.unreadable or None,
        }


def check(record: Record | str | Path, on_illegal: OnIllegal = "stop") -> Report:
    """Replays a record and reports all its faults.

    Args:
        record: The record, or the path of its file.
        on_illegal: After an illegal move, a wrong tag or an invalid position: stop; leave it out (``skip``);
            or carry it out as far as that leads to a position (``force``), else leave it out.

    Raises:
        UnreadableInput: The file cannot be read, there is no such game, or the board file is none for it.
        WrongUsage: There is no such policy.
    """
    if not isinstance(record, Record):
        record = read(record)
    replay = Replay(record, on_illegal)
    replay.run()
    return report_of(replay)


def report_of(replay: Replay) -> Report:
    """What was found of a record that has been carried out."""
    record = replay.record
    final = replay.position
    result = final.result() if final else None
    faults = replay.faults
    if final and not replay.stopped:
        faults += tuple(_result_faults(record, result))
    return Report(record.path, faults, len(record.moves), replay.judged, final, result)


def _result_faults(record: Record, result: Result | None) -> Iterator[Fault]:
    """What is wrong with the tag ``Result``, where there is one."""
    stated = record.result
    if stated is None or (result is None and not stated and not record.drawn):
        return
    if result is None:
        won = f"{' and '.join(stated)} cannot have won yet" if stated else "it cannot be drawn yet"
        message = f"the game is not finished, {won}"
    elif set(stated) == set(result.winners) and (stated or record.drawn):
        return
    else:
        points = ", ".join(f"{role} {number}" for role, number in result.points.items())
        message = f"the game is finished{' and' if result.winners else ':'} {result.said}{f' ({points})' if points else ''}"
        message += f", not by {' and '.join(stated)}" if stated else ", not drawn" if record.drawn else ""
    tag = next(tag for tag in record.tags if tag.name == "Result")
    yield Fault.at(record.path, tag, objection("record.result", message))


# --- many -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Under:
    """The rules under which records are checked, where they are others than the tags say; can be pickled."""

    source: str | Path | None
    edition: str | None
    options: tuple[tuple[str, str], ...]

    def applied(self, record: Record) -> Record:
        return record.under(self.source, self.edition, dict(self.options))


def check_many(
    paths: Paths,
    jobs: int = 1,
    on_illegal: OnIllegal = "stop",
    *,
    game: str | Path | None = None,
    edition: str | None = None,
    options: Mapping[str, str] | None = None,
    scheduler: str | None = None,
    ordered: bool = True,
) -> Iterator[Report]:
    """Checks many records; reports come in the order of the paths, while the check goes on.

    Whatever cannot be read becomes a report with ``unreadable``. An iterator that is closed early, or
    interrupted, ends its processes.

    Args:
        paths: Files, and directories for all the ``*.game`` files in them and below, sorted.
        jobs: The number of processes; with 1 the work is done in this one.
        on_illegal: See `check`.
        game: A game's id or a folder with a rulebook, instead of the game that the records name.
        edition: An edition instead of theirs.
        options: Single rulings changed, name to value.
        scheduler: The address of a Dask scheduler whose workers do the work; they must see the same files.
        ordered: Whether a report waits for all before it; otherwise they come as they are made.

    Raises:
        WrongUsage: There is no such game, policy or scheduler.
    """
    under = _Under(game, edition, tuple((options or {}).items()))
    if game is not None:
        rulebook(game)
    if jobs < 1:
        raise WrongUsage(f"the number of processes must be positive, not {jobs}")
    policy_called(on_illegal)
    found = files_in(paths)
    if scheduler is None and (jobs == 1 or len(found) < 2):
        return (_checked(file, on_illegal, under) for file in found)
    return _parallel(found, jobs, on_illegal, under, scheduler, ordered)


def files_in(paths: Paths) -> list[str | UnreadableInput]:
    """The files meant, directories as all the ``*.game`` files in them and below; what cannot be listed stays an error."""
    many = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    return [
        file
        for path in many
        for file in _files(path if isinstance(path, UnreadableInput) else os.fspath(path))
    ]


def _files(path: str | UnreadableInput) -> Iterator[str | UnreadableInput]:
    """The file itself, or the records in a directory and below; what cannot be listed stays an error."""
    if isinstance(path, UnreadableInput) or not os.path.isdir(path):
        yield path
        return
    problems: list[OSError] = []
    found = []
    for folder, _, names in os.walk(path, onerror=problems.append):
        found += [os.path.join(folder, name) for name in names if name.endswith(".game")]
    yield from sorted(found)
    for problem in problems:
        yield UnreadableInput(f"cannot be read: {problem.strerror}", str(problem.filename))


def _checked(file: str | UnreadableInput, on_illegal: OnIllegal, under: _Under) -> Report:
    """The report of one file, whatever is in it."""
    if isinstance(file, UnreadableInput):
        return Report(file.path, unreadable=str(file))
    try:
        return check(under.applied(read(file)), on_illegal)
    except UnreadableInput as error:
        from .spelling import with_hint

        return Report(file, unreadable=_within(str(with_hint(error)), file))
    except KaiserLogicError as error:
        return Report(file, unreadable=_within(str(error), file))
    except Exception as error:  # a fault of ours must not end the check of all other files
        if os.environ.get("KAISER_LOGIC_DEBUG"):
            raise
        return Report(file, unreadable=f"{file}: internal error: {type(error).__name__}: {error}")


def _within(text: str, file: str) -> str:
    """The text of an error, with the file before it."""
    return text if text.startswith(file) else f"{file}: {text}"


def _done(file: str | UnreadableInput, on_illegal: OnIllegal, under: _Under, books: str) -> Report:
    """The report of one file, in a process that checks others too; ``books``: the rulebooks that it must have."""
    if books and books != fingerprint(under.source):
        from ..workers import Refused

        raise Refused("a worker has other rulebooks than this process: nothing is asked of it")
    try:
        return _checked(file, on_illegal, under)
    finally:
        keep()


def _parallel(
    files: _Files, jobs: int, on_illegal: OnIllegal, under: _Under, scheduler: str | None, ordered: bool
) -> Iterator[Report]:
    """The reports, each as soon as it is there; ``ordered``: and all before it."""
    from ..workers import AHEAD, Job, answers, executor

    books = fingerprint(under.source) if scheduler else ""
    calls = (Job(str(n), partial(_done, file, on_illegal, under, books)) for n, file in enumerate(files))
    found: dict[int, Report] = {}
    following = 0
    with executor(min(jobs, len(files)), scheduler) as workers:
        for answer in answers(calls, workers, _HANDED_OUT if scheduler else jobs * AHEAD):
            number = int(answer.name)
            report = answer.value or _lost(files[number], answer.failure or "")
            if not ordered:
                yield report
                continue
            found[number] = report
            while following in found:
                yield found.pop(following)
                following += 1


def _lost(file: str | UnreadableInput, why: str) -> Report:
    path = file.path if isinstance(file, UnreadableInput) else file
    return Report(path, unreadable=f"{path}: not checked: {why}")
