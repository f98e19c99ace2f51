"""The commands ``check`` and ``complete``: replay records and report every fault; fill the gaps of a record."""

from __future__ import annotations

import argparse
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TextIO

from ..errors import FaultyRulebook, KaiserLogicError, UnreadableInput, WrongUsage, visible, visible_name
from ..files import is_ordinary
from .common import (
    add_format,
    add_jobs,
    add_other_rules,
    add_records,
    add_scheduler,
    add_timeout,
    assumptions_notes,
    columns,
    other_rules,
    print_note,
    records_of,
    with_options,
)
from .outputs import add_output, data_to
from .progress import clear, progress

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from ..completion.complete import Completion
    from ..notation.sources import Source
    from ..records.checking import Report

    _Assumed = dict[str | Path, dict[str, None]]
    """For each game, the assumed rules on which verdicts rest, in the order in which they were found."""


def add_check(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``check``."""
    add_records(parser)
    parser.add_argument(
        "--on-illegal",
        choices=("stop", "skip", "force"),
        default="stop",
        help="after an illegal move: stop (default), leave it out, or carry it out as far as possible",
    )
    add_format(
        parser,
        ("text", "json", "html", "sarif", "junit", "csv"),
        "one line for each fault (default), one line of JSON for each record, a page with boards (html),"
        " a SARIF 2.1.0 log, JUnit XML, or a table",
    )
    add_output(parser)
    add_jobs(parser, 1)
    parser.add_argument(
        "--view",
        metavar="ROLE",
        help="check records as this role saw the game (or: public), with ? for what it could not see",
    )
    add_scheduler(parser)
    add_other_rules(parser)
    parser.add_argument(
        "--tags", action="store_true", help="also list the tags that mean nothing in their game and are kept"
    )
    parser.add_argument(
        "--duplicates",
        action="store_true",
        help="a record whose course of play is that of an earlier one has a fault, whatever its other tags are",
    )
    parser.set_defaults(run=check)


def check(args: argparse.Namespace) -> int:
    """Replays every record and reports every fault."""
    args.files = records_of(args)
    if args.tags and "-" in args.files:
        raise WrongUsage("--tags reads the records twice: standard input cannot be read again")
    if args.duplicates and (args.view is not None or args.format == "html"):
        raise WrongUsage("--duplicates cannot be combined with --view or --format html")
    lines = args.output is not None and args.format == "json" and is_ordinary(args.output)
    if lines and args.view is None and not args.duplicates:
        return _resume(args)
    count = faulty = unreadable = 0
    assumed: _Assumed = {}
    tell, total = progress(), len(args.files)
    with data_to(args.output) as out:
        for report in _written_reports(args, out):
            count += 1
            tell(f"{count}/{total} records" if count <= total > 1 else f"{count} records")
            faulty += bool(report.faults)
            unreadable += bool(report.unreadable)
            _gather(args, report, assumed, count)
    clear()
    print_note(_summary(count, faulty, unreadable))
    _note_assumed(assumed)
    _note_tags(args)
    return 2 if unreadable else int(bool(faulty))


def _resume(args: argparse.Namespace) -> int:
    """Checks the records whose reports a file of JSON lines does not contain yet, and adds each report at once."""
    from ..records.archive import Archive
    from ..records.tags import sources_of

    rules = other_rules(args)
    settings = [
        args.on_illegal,
        str(_are_few(args)),
        str(rules["edition"]),
        str(sorted((rules["options"] or {}).items())),
    ]
    assumed: _Assumed = {}
    faulty = unreadable = count = 0
    with Archive(args.output, sources_of(args.files), settings, rules["game"]) as archive:
        for report in _check_records(args, archive.records_left(), ordered=False):
            archive.add(report, examined=_are_few(args))
            _gather(args, report, assumed)
            count += 1
            faulty += bool(report.faults)
            unreadable += bool(report.unreadable)
    found = len(archive.found)
    count, faulty = count + found, faulty + archive.faulty
    before = f" ({found} of them before)" if found else ""
    print_note(f"{_summary(count, faulty, unreadable)}{before}")
    _note_assumed(assumed)
    _note_tags(args)
    return 2 if unreadable else int(bool(faulty))


def _are_few(args: argparse.Namespace, number: int = 1) -> bool:
    """Whether the records are so few that the assumptions behind each verdict are looked for.

    Of standard input only the first records are examined; ``number``: the number of the record.
    """
    from ..records.checking import FIRST_EXAMINED, MOST_EXAMINED
    from ..records.tags import size_of

    few = "-" not in args.files or number <= FIRST_EXAMINED
    return few and size_of(args.files) <= MOST_EXAMINED


def _gather(args: argparse.Namespace, report: Report, assumed: _Assumed, number: int = 1) -> None:
    """Adds the assumed rules on which one verdict relies."""
    if _are_few(args, number) and report.final is not None and report.assumed:
        game = report.final.ruleset.configuration.source
        assumed.setdefault(game, {}).update(dict.fromkeys(report.assumed))


def _note_assumed(assumed: _Assumed) -> None:
    """Prints the assumed rules on which verdicts rely, one line for each game."""
    for game, ids in assumed.items():
        for line in assumptions_notes(game, ids):
            print_note(line)


def _note_tags(args: argparse.Namespace) -> None:
    """Lists the tags that mean nothing, with --tags: in how many records, and where first with which value."""
    if not args.tags:
        return
    from ..records.tags import sources_of, unknown_tags

    places: dict[str, list[str]] = {}
    for source in sources_of(args.files):
        with suppress(KaiserLogicError):
            if isinstance(source, UnreadableInput):
                continue
            for tag in unknown_tags(with_options(source.record(), args)):
                place = f"{visible_name(source.file)}:{tag.line}:{tag.column}"
                places.setdefault(tag.name, []).append(f'{place}: [{tag.name} "{visible_name(tag.value)}"]')
    for name, found in sorted(places.items()):
        times = f"{len(found)} time{'s' * (len(found) > 1)}"
        print_note(f"the tag {name} means nothing: {times}, first {found[0]}")
    if not places:
        print_note("every tag has a meaning")


def _written_reports(args: argparse.Namespace, out: TextIO) -> Iterator[Report]:
    """The reports. Depending on the format, each is written at once, or all are written at the end."""
    if args.format == "html":
        yield from _print_page(args, out)
        return
    reports = _check_views(args) if args.view is not None else _check_records(args, None)
    if args.format in ("text", "json"):
        if args.format == "json":
            import json

        for number, report in enumerate(reports, 1):
            clear()  # standard output may be the same terminal
            if args.format == "json":
                print(
                    json.dumps(report.as_json(examined=_are_few(args, number)), ensure_ascii=False),
                    file=out,
                    flush=True,
                )
            elif not report.ok:
                print(_in_lines(report) if out.isatty() else report, file=out, flush=True)
            yield report
        return
    from .. import __version__
    from ..reports.formats import render

    found = list(reports)
    out.write(render(found, args.format, __version__))
    yield from found


def _in_lines(report: Report) -> str:
    """The faults for a reader at a terminal: place, reason, sources, and the command that shows the position before."""
    from shutil import get_terminal_size

    lines = []
    for fault in report.faults:
        place = [visible_name(fault.file)] if fault.file else []
        place += [str(fault.line), str(fault.column)] if fault.line else []
        lines.append(": ".join(part for part in (":".join(place), fault.role, fault.action) if part))
        rows = [(fault.rule, fault.message), *(("note", text) for text in (fault.note,) if text)]
        rows += fault.sources.items()
        if fault.path and fault.place:
            begin = "-- " * fault.path.startswith("-")
            rows.append(("before it", f"kaiser-logic show {begin}{visible_name(fault.path)}@{fault.place}"))
        lines += columns(rows, "    ", max(60, min(100, get_terminal_size().columns)))
    return visible("\n".join(lines)) or report.unreadable


def _print_page(args: argparse.Namespace, out: TextIO) -> Iterator[Report]:
    """The reports as one page."""
    from ..records.checking import Report, why_unread
    from ..records.tags import sources_of
    from ..reports.pages import ReportedRecord, render
    from ..reports.story import story

    if args.view is not None:
        raise WrongUsage("--format html cannot be combined with --view")
    shown = []
    for source in sources_of(args.files):
        if isinstance(source, UnreadableInput):
            shown.append(ReportedRecord(Report(source.path, unreadable=str(source))))
            yield shown[-1].report
            continue
        try:
            record = source.record()
        except UnreadableInput as error:
            shown.append(ReportedRecord(Report(source.name, unreadable=why_unread(source, str(error)))))
            yield shown[-1].report
            continue
        record = with_options(record, args)  # an error here is a fault of the command
        try:
            one = story(record, args.on_illegal)
            shown.append(ReportedRecord(one.report, one))
        except FaultyRulebook:
            raise
        except KaiserLogicError as error:
            shown.append(ReportedRecord(Report(source.name, unreadable=why_unread(source, str(error)))))
        yield shown[-1].report
    out.write(render(shown))


def _check_records(
    args: argparse.Namespace, left: Iterable[Source | UnreadableInput] | None, ordered: bool = True
) -> Iterator[Report]:
    """The reports on records without gaps: those that are left, or (None) all that the arguments name."""
    from ..records.checking import check_many, check_sources, with_duplicates
    from ..records.tags import Under, size_of, sources_of

    rules = other_rules(args)
    rules_under = Under(rules["game"], rules["edition"], tuple((rules["options"] or {}).items()))
    if left is None and not args.duplicates:
        reports = check_many(args.files, args.jobs, args.on_illegal, **rules, scheduler=args.scheduler)
    else:
        sources = sources_of(args.files) if left is None else left
        size = 0 if args.duplicates else size_of(args.files)  # circuits know no courses of play
        reports = check_sources(
            sources, args.jobs, args.on_illegal, rules_under, args.scheduler, ordered, size
        )
    if args.duplicates:
        reports = with_duplicates(reports)
    for report in reports:
        if args.on_illegal == "stop" and report.faults and report.source is not None:
            from ..completion.missing import with_missing

            yield with_missing(report, with_options(report.source.record(), args))
        else:
            yield report


def _check_views(args: argparse.Namespace) -> Iterator[Report]:
    """The reports on records with gaps."""
    from ..completion.complete import check_view
    from ..records.tags import sources_of

    if args.on_illegal != "stop":
        raise WrongUsage("--on-illegal cannot be combined with --view")
    for source in sources_of(args.files):
        if isinstance(source, UnreadableInput):
            raise source
        yield check_view(with_options(source.record(), args), args.view)


def _summary(count: int, faulty: int, unreadable: int) -> str:
    parts = [f"{count - faulty - unreadable} without fault"]
    parts += [f"{faulty} with faults"] if faulty else []
    parts += [f"{unreadable} unreadable"] if unreadable else []
    return f"{count} record{'s' if count > 1 else ''}: {', '.join(parts)}"


def add_complete(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``complete``."""
    parser.add_argument("file", metavar="FILE", help="a record with unknown moves, written ?")
    add_other_rules(parser)
    add_timeout(parser, 60.0)
    parser.set_defaults(run=complete)


def complete(args: argparse.Namespace) -> int:
    """Fills the gaps of a record."""
    from ..completion.complete import complete as fill
    from ..notation.sources import read

    completion = fill(
        with_options(read(args.file), args), args.timeout, progress=progress(), began=args.began
    )
    clear()
    if completion.impossible:
        print_note(str(completion.fault) if completion.fault else "")
        print_note(f"the gaps cannot be filled so that everything is legal (proved{_limit_text(completion)})")
        return 1
    print(str(completion.records[0]), end="")
    if completion.unique:
        print_note(f"this is the only way{_limit_text(completion)}")
    elif completion.unique is None:
        print_note("whether there is another way was not decided in time")
    else:
        print_note("there is more than one way; another differs at")
        for difference in completion.differs:
            print_note(f"  {difference}")
    return 0


def _limit_text(completion: Completion) -> str:
    """Up to which number of moves between two positions an answer holds, if longer sequences were not tried."""
    most = completion.within
    return "" if most is None else f", with at most {most} moves between two positions"


COMMANDS: Final = {"check": add_check, "complete": add_complete}
"""The functions that add the arguments of each command."""
