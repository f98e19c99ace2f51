"""Checks recorded games: every fault of every record, in several processes if wanted."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..cache import keep
from ..errors import FaultyRulebook, KaiserLogicError, UnreadableInput, WrongUsage, is_exhausted, visible, visible_name
from ..evaluation.verdict import Result
from ..notation.record import Record, Tag
from ..notation.sources import Source, read
from ..position import Position
from ..rules.library import fingerprint
from ..rules.loader import rulebook
from ..upward import ShownInNotebooks
from .fault import Fault, objection
from .replay import OnIllegal, Replay, look_over_policy
from .tags import Paths, Under, files_in, size_of, sources_of, with_hint

if TYPE_CHECKING:
    from ..workers import Workers
    from ..workers.scheduler import Cluster


_Sources: TypeAlias = "Iterable[Source | UnreadableInput]"

FIRST_EXAMINED: Final = 20
"""The largest number of records on standard input for which the assumptions behind verdicts are looked for."""
MOST_EXAMINED: Final = 200_000
"""The largest size in bytes of the files of one run for which they are looked for."""


@dataclass(frozen=True)
class Report(ShownInNotebooks):
    """The report of one record.

    Attributes:
        path: The record's file, or None.
        faults: All faults in the order of the record; a fault of the result is last.
        moves: The number of moves in the record.
        judged: The number of moves that were judged. It is smaller if a fault ended the check.
        variations: The number of variations in the record.
        source: The text of the record if it has faults and was read by `check_many`.
        course: A key of the course of play; empty if there are no moves, or if circuits have checked it.
        place: The line and column at which the record begins; zeros if it was not read from a text.
        number: The number of the record in its file, if the file has several.
        final: The last position, or the last one before the fault that ended the check; None if there was no position.
        result: The outcome in ``final``; None if the game is not over.
        unreadable: Why the record could not be read; empty if it could.
        origin: Reads the record again; None if it was not read.
        on_illegal: What followed an illegal move.
    """

    path: str | None
    faults: tuple[Fault, ...] = ()
    moves: int = 0
    judged: int = 0
    final: Position | None = None
    result: Result | None = None
    unreadable: str = ""
    variations: int = 0
    source: Source | None = field(default=None, compare=False, repr=False)
    course: str = field(default="", compare=False, repr=False)
    place: tuple[int, int] = field(default=(0, 0), compare=False, repr=False)
    number: int = field(default=0, compare=False, repr=False)
    origin: Callable[[], Record] | None = field(default=None, compare=False, repr=False)
    on_illegal: OnIllegal = field(default="stop", compare=False, repr=False)

    @cached_property
    def assumed(self) -> tuple[str, ...]:
        """The ids of the assumed rules, which no printed text says, on which the verdict relies.

        The record is replayed for it at the first call.
        """
        if self.origin is None or self.final is None:
            return ()
        from .reliance import assumed_by

        return assumed_by(self.origin(), self.on_illegal)

    @property
    def ok(self) -> bool:
        """Whether the record could be read and has no fault."""
        return not self.faults and not self.unreadable

    def __str__(self) -> str:
        """The faults, one on each line; without faults, one line with the number of moves and the result."""
        if not self.ok:
            return "\n".join(map(str, self.faults)) or self.unreadable
        end = self.result.summary if self.result else "unfinished"
        return f"{visible_name(self.path or 'the record')}: {self.moves} moves, all legal, {end}"

    def as_json(self, *, examined: bool = True) -> dict[str, Any]:
        """The report as a JSON object; ``examined``: whether assumptions are looked for, otherwise ``assumed`` is None."""
        result = self.result
        return {
            "path": self.path,
            "ok": self.ok,
            "moves": self.moves,
            "judged": self.judged,
            "variations": self.variations,
            "faults": [fault.as_json() for fault in self.faults],
            "to_move": list(self.final.to_move) if self.final else [],
            "result": {"points": dict(result.points), "winners": list(result.winners)} if result else None,
            "unreadable": self.unreadable or None,
            "assumed": list(self.assumed) if examined else None,
        }


def check(record: Record | str | Path, on_illegal: OnIllegal = "stop") -> Report:
    """Replays a record with its variations and reports all its faults.

    Args:
        record: The record, or the path of its file.
        on_illegal: What follows an illegal move, a wrong tag or an invalid position. ``stop`` ends the check. ``skip`` leaves
            it out. ``force`` carries an illegal move out if that leads to a valid position, and leaves it out otherwise.

    Raises:
        UnreadableInput: The file cannot be read, there is no such game, or the board file does not fit it.
        WrongUsage: There is no such policy.
    """
    if not isinstance(record, Record):
        record = read(record)
    replay = Replay(record, on_illegal)
    replay.run_all()
    return report_of(replay)


def report_of(replay: Replay) -> Report:
    """The report of a record that has been replayed."""
    record = replay.record
    final = replay.position
    result = final.result() if final else None
    faults = replay.faults
    if final and not replay.stopped:
        faults += tuple(_result_faults(record, result))
    return Report(
        record.path,
        faults,
        len(record.moves),
        replay.judged,
        final,
        result,
        variations=len(record.variations),
        course=replay.course(),
        place=(record.tags[0].line, record.tags[0].column),
        number=record.number,
        origin=partial(_with_rules, record),
        on_illegal=replay.on_illegal,
    )


def _with_rules(record: Record) -> Record:
    return record


def _result_faults(record: Record, result: Result | None) -> Iterator[Fault]:
    """The faults of the tag ``Result``, if it exists."""
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
        message = f"the game is finished{' and' if result.winners else ':'} {result.summary}{f' ({points})' if points else ''}"
        message += f", not by {' and '.join(stated)}" if stated else ", not drawn" if record.drawn else ""
    tag = next(tag for tag in record.tags if tag.name == "Result")
    yield Fault.at(record.path, tag, objection("record.result", message), number=record.number)


def verdicts_in_words(count: int, faulty: int, unreadable: int) -> str:
    """How many of some records have which verdict.

    >>> verdicts_in_words(10, 2, 1), verdicts_in_words(10, 0, 0)
    ('7 without fault, 2 with faults, 1 unreadable', '10 without fault')
    """
    parts = [f"{count - faulty - unreadable} without fault"]
    parts += [f"{faulty} with faults"] if faulty else []
    return ", ".join([*parts, *([f"{unreadable} unreadable"] if unreadable else [])])


def with_duplicates(reports: Iterable[Report]) -> Iterator[Report]:
    """The same reports; a record with the course of play of an earlier one has one more fault.

    It may differ in tags, comments, variations, assertions, and in the order of simultaneous decisions.
    """
    first: dict[str, str] = {}
    for report in reports:
        earlier = first.setdefault(report.course, report.path or "the record") if report.course else ""
        if earlier and earlier != report.path:
            violation = objection("record.duplicate", f"the same course of play as {visible_name(earlier)}")
            tag = Tag("Game", "", *report.place)
            fault = Fault.at(report.path, tag, violation, number=report.number)
            report = replace(report, faults=(*report.faults, fault))
        yield report


# --- many -----------------------------------------------------------------------------------------


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
    """Checks many records. Reports are returned while the check goes on.

    A file that cannot be read becomes a report with ``unreadable``. If the iterator is closed or interrupted, its
    processes end.

    Args:
        paths: Files and directories. A directory stands for all ``*.game`` files in it and below, sorted.
        jobs: The number of processes; with 1, no other process is started.
        on_illegal: See `check`.
        game: A game's id or a folder with a rulebook, in place of the game that the records name.
        edition: An edition in place of those that the records name.
        options: Rulings that replace those of the records, name to value.
        scheduler: The address of a Dask scheduler whose workers check the records. They must see the same files.
        ordered: Whether the reports are in the order of the files; otherwise each is returned as soon as it is made.

    Raises:
        WrongUsage: There is no such game, policy, scheduler, or no such edition or ruling of a record's game.
    """
    rules = Under(game, edition, tuple((options or {}).items()))
    if game is not None:
        rulebook(game)
    if jobs < 1:
        raise WrongUsage(f"the number of processes must be positive, not {jobs}")
    look_over_policy(on_illegal)
    files = files_in(paths)
    return check_sources(sources_of(files), jobs, on_illegal, rules, scheduler, ordered, size_of(files))


def check_sources(
    sources: Iterable[Source | UnreadableInput],
    jobs: int,
    on_illegal: OnIllegal,
    rules: Under,
    scheduler: str | None = None,
    ordered: bool = True,
    size: int = 0,
) -> Iterator[Report]:
    """Checks the records that an iterator gives; each is taken when its turn comes.

    Args:
        sources: The records.
        jobs: The number of processes.
        on_illegal: See `check`.
        rules: Other rules than those of the records.
        scheduler: The address of a Dask scheduler.
        ordered: Whether the reports are in the order of the records.
        size: The size of all files in bytes. With many records circuits may pay.
    """
    left = iter(sources)
    first = list(islice(left, 2))
    sources = chain(first, left)
    if len(first) < 2:
        size = 0
    if scheduler is None and (jobs == 1 or len(first) < 2):
        return _serial(sources, on_illegal, rules, size)
    return _parallel(sources, jobs, on_illegal, rules, scheduler, ordered, size)


def _check_record(source: Source | UnreadableInput, on_illegal: OnIllegal, rules: Under) -> Report:
    """The report of one record, whatever it contains; WrongUsage if its game does not have the edition or the rulings."""
    if isinstance(source, UnreadableInput):
        return Report(source.path, unreadable=str(source))
    applied = False
    try:
        record = _record_under(source, rules)
        applied = True
        report = replace(check(record, on_illegal), origin=partial(_record_under, source, rules))
        return replace(report, source=source) if report.faults else report
    except UnreadableInput as error:
        return _unread(source, str(with_hint(error)))
    except FaultyRulebook as error:
        if not applied:
            raise
        return Report(source.name, unreadable=visible(str(error)), source=source)  # the places are those of rules
    except KaiserLogicError as error:
        if isinstance(error, WrongUsage) and not applied:  # a fault of the command
            raise
        return _unread(source, str(error))
    except MemoryError:
        return _unread(source, "not checked: the memory was too small")
    except Exception as error:  # a fault of this program must not end the check of all other files
        if is_exhausted(error) or os.environ.get("KAISER_LOGIC_DEBUG"):
            raise
        return _unread(source, f"internal error: {type(error).__name__}: {error}")


def _unread(source: Source, why: str) -> Report:
    """The report of a record that cannot be read."""
    return Report(source.name, unreadable=why_unread(source, why), source=source)


def why_unread(source: Source, why: str) -> str:
    """Why a record cannot be read: with its file, and its number if there are several. The text is safe for a terminal."""
    return text_in_file(why, source.file) + (f" (#{source.number})" if source.number else "")


def _record_under(source: Source | UnreadableInput, rules: Under) -> Record:
    """A record under the rules that a command names."""
    if isinstance(source, UnreadableInput):
        raise source
    return rules.apply(source.record())


def text_in_file(text: str, file: str) -> str:
    """The text of an error, preceded by its file. The text is safe for a terminal."""
    name = visible_name(file)
    return visible(text) if text.startswith(name) else f"{name}: {visible(text)}"


def _check_in_worker(
    source: Source | UnreadableInput, on_illegal: OnIllegal, rules: Under, rules_fingerprint: str
) -> Report:
    """The report of one record, in a worker; ``rules_fingerprint``: the fingerprint that its rulebooks must have, or empty."""
    from ..workers import JobRefused

    if rules_fingerprint and rules_fingerprint != fingerprint(rules.source):
        raise JobRefused("a worker has other rulebooks than this process, so it is not used")
    try:
        return _check_record(source, on_illegal, rules)
    except WrongUsage as error:
        raise JobRefused(str(error)) from None
    finally:
        keep()


def _serial(sources: _Sources, on_illegal: OnIllegal, rules: Under, size: int) -> Iterator[Report]:
    """The reports of records, made in this process, in order."""
    from .batch_filter import length, may_pay, prepare, rounds

    if not may_pay(size):
        yield from (_check_record(source, on_illegal, rules) for source in sources)
        return
    sources = prepare(sources, size, rules, 1)
    for (part,) in rounds(sources, 1, length):
        for source, report in zip(part, _correct(part, rules), strict=True):
            yield report or _check_record(source, on_illegal, rules)


def _parallel(
    sources: _Sources,
    jobs: int,
    on_illegal: OnIllegal,
    rules: Under,
    scheduler: str | None,
    ordered: bool,
    size: int,
) -> Iterator[Report]:
    """The reports of records, made in other processes; ``ordered``: in the order of the records."""
    from ..workers import Job, by_number, workers_of
    from .batch_filter import length, may_pay, prepare, rounds

    together = scheduler is None and may_pay(size)
    if together:
        sources = prepare(sources, size, rules, jobs)
    rules_fingerprint = fingerprint(rules.source) if scheduler else ""
    numbered = enumerate(sources)
    names: dict[int, str] = {}

    def jobs_left(
        parts: Iterable[Iterable[tuple[int, Source | UnreadableInput]]], known: set[int]
    ) -> Iterator[Job[Report]]:
        for part in parts:
            for number, source in part:
                if number not in known:
                    names[number] = source.name if isinstance(source, Source) else str(source.path)
                    call = partial(_check_in_worker, source, on_illegal, rules, rules_fingerprint)
                    yield Job(str(number), call)

    def reports(workers: Workers | Cluster) -> Iterator[tuple[int, Report]]:
        for round_ in rounds(numbered, jobs, lambda one: length(one[1])) if together else [[numbered]]:
            known: set[int] = set()
            batches = (
                Job(str(n), partial(_correct, [source for _, source in part], rules)) for n, part in enumerate(round_)
            )
            for batch in workers.answers(batches) if together else ():
                for (number, _), report in zip(round_[int(batch.name)], batch.value or (), strict=False):
                    if report is not None:
                        known.add(number)
                        yield number, report
            for answer in workers.answers(jobs_left(round_, known)):
                number = int(answer.name)
                name = names.pop(number)
                yield number, answer.value or _report_unchecked(name, answer.reason)

    with workers_of(jobs, scheduler) as workers:
        answers = reports(workers)
        yield from by_number(answers) if ordered else (report for _, report in answers)


def _correct(sources: Sequence[Source | UnreadableInput], rules: Under) -> list[Report | None]:
    """The reports of the records that circuits find to be legal and correct; None for all others."""
    from . import batch_filter

    try:
        records = batch_filter.read_records(sources, rules)
        return [
            None
            if record is None or end is None
            else _report_of_end(record, end, partial(_record_under, source, rules))
            for source, record, end in zip(sources, records, batch_filter.ends(records), strict=True)
        ]
    except Exception:  # after a fault of this program, the engine for single positions checks them all
        if os.environ.get("KAISER_LOGIC_DEBUG"):
            raise
        return [None] * len(sources)
    finally:
        keep()


def _report_of_end(record: Record, end: Position, origin: Callable[[], Record]) -> Report | None:
    """The report of a legal record with this last position; None if its tag ``Result`` is wrong."""
    result, moves = end.result(), len(record.moves)
    if any(True for _ in _result_faults(record, result)):
        return None
    return Report(record.path, (), moves, moves, end, result, origin=origin)


def _report_unchecked(name: str, why: str) -> Report:
    return Report(name, unreadable=text_in_file(f"not checked: {why}", name or "the record"))
