"""The commands ``check`` and ``complete``: replay records and report every fault; fill the gaps of a record."""

from __future__ import annotations

import argparse
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TextIO

from ..errors import FaultyRulebook, KaiserLogicError, UnreadableInput, WrongUsage, visible, visible_name
from ..files import is_ordinary
from .common import (
    add_format,
    add_jobs,
    add_other_rules,
    add_scheduler,
    add_timeout,
    assumptions_note,
    columns,
    other_rules,
    print_data,
    print_note,
    records_of,
    under,
)
from .outputs import add_output, data_to
from .progress import clear, progress

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from ..completion.complete import Completion
    from ..records.checking import Report

    _Assumed = dict[str | Path, dict[str, None]]
    """For each game, the assumed rules on which verdicts rest, in the order in which they were found."""


def add_check(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``check``."""
    parser.epilog = "exit code: 0 all legal, 1 some fault, 2 unreadable input or wrong usage"
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="a record, or a directory for all its *.game files"
    )
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
    parser.set_defaults(run=check)


def check(args: argparse.Namespace) -> int:
    """Replays every record and reports every fault."""
    args.files = records_of(args)
    if args.output is not None and args.format == "json" and args.view is None and is_ordinary(args.output):
        return _resumed(args)
    count = faulty = unreadable = 0
    assumed: _Assumed = {}
    tell, total = progress(), len(args.files)
    with data_to(args.output) as out:
        for report in _written_reports(args, out):
            count += 1
            tell(f"{count}/{total} records")
            faulty += bool(report.faults)
            unreadable += bool(report.unreadable)
            _gather(report, assumed)
    clear()
    print_note(_summary(count, faulty, unreadable))
    _note_assumed(assumed)
    _note_tags(args)
    return 2 if unreadable else int(bool(faulty))


def _resumed(args: argparse.Namespace) -> int:
    """Checks the records whose reports a file of JSON lines does not contain yet, and adds each report at once."""
    from ..records.archive import Archive

    rules = other_rules(args)
    settings = [args.on_illegal, str(rules["edition"]), str(sorted((rules["options"] or {}).items()))]
    assumed: _Assumed = {}
    with Archive(args.output, args.files, settings, rules["game"]) as archive:
        found = len(archive.found)
        faulty, unreadable, count = sum(bool(r["faults"]) for r in archive.found), 0, found
        for report in _checked(args, archive.left, ordered=False):
            archive.add(report)
            _gather(report, assumed)
            count += 1
            faulty += bool(report.faults)
            unreadable += bool(report.unreadable)
    before = f" ({found} of them before)" if found else ""
    print_note(f"{_summary(count, faulty, unreadable)}{before}")
    _note_assumed(assumed)
    _note_tags(args)
    return 2 if unreadable else int(bool(faulty))


def _gather(report: Report, assumed: _Assumed) -> None:
    """Adds the assumed rules on which one verdict rests."""
    if report.final is not None and report.assumed:
        game = report.final.ruleset.configuration.source
        assumed.setdefault(game, {}).update(dict.fromkeys(report.assumed))


def _note_assumed(assumed: _Assumed) -> None:
    """Prints the assumed rules on which verdicts rest, one line for each game."""
    for game, ids in assumed.items():
        print_note(assumptions_note(game, ids))


def _note_tags(args: argparse.Namespace) -> None:
    """Lists the tags that mean nothing, with --tags: in how many records, and where first with which value."""
    if not args.tags:
        return
    from ..notation.reading import read
    from ..records.tags import unknown_tags

    places: dict[str, list[str]] = {}
    for file in args.files:
        with suppress(KaiserLogicError):
            for tag in unknown_tags(under(read(file), args)):
                place = f"{visible_name(file)}:{tag.line}:{tag.column}"
                places.setdefault(tag.name, []).append(f'{place}: [{tag.name} "{visible_name(tag.value)}"]')
    for name, found in sorted(places.items()):
        times = f"{len(found)} time{'s' * (len(found) > 1)}"
        print_note(f"the tag {name} means nothing: {times}, first {found[0]}")
    if not places:
        print_note("every tag has a meaning")


def _written_reports(args: argparse.Namespace, out: TextIO) -> Iterator[Report]:
    """The reports. Depending on the format, each is written at once, or all are written at the end."""
    if args.format == "html":
        yield from _paged(args, out)
        return
    reports = _viewed(args) if args.view is not None else _checked(args, args.files)
    if args.format in ("text", "json"):
        if args.format == "json":
            import json

        for report in reports:
            clear()  # standard output may be the same terminal
            if args.format == "json":
                print(json.dumps(report.as_json(), ensure_ascii=False), file=out, flush=True)
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
        place = [visible_name(fault.path)] if fault.path else []
        place += [str(fault.line), str(fault.column)] if fault.line else []
        lines.append(": ".join(part for part in (":".join(place), fault.role, fault.action) if part))
        rows = [(fault.rule, fault.message), *(("note", text) for text in (fault.note,) if text)]
        rows += fault.sources.items()
        if fault.path and fault.place:
            begin = "-- " * fault.path.startswith("-")
            rows.append(("before it", f"kaiser-logic show {begin}{visible_name(fault.path)}@{fault.place}"))
        lines += columns(rows, "    ", max(60, min(100, get_terminal_size().columns)))
    return visible("\n".join(lines)) or report.unreadable


def _paged(args: argparse.Namespace, out: TextIO) -> Iterator[Report]:
    """The reports as one page."""
    from ..notation.reading import read
    from ..records.checking import Report, within
    from ..reports.pages import ReportedRecord, render
    from ..reports.story import story

    if args.view is not None:
        raise WrongUsage("--format html cannot be combined with --view")
    shown = []
    for path in args.files:
        name = str(path.path if isinstance(path, UnreadableInput) else path)
        try:
            if isinstance(path, UnreadableInput):
                raise path
            record = read(path)
        except UnreadableInput as error:
            shown.append(ReportedRecord(Report(name, unreadable=within(str(error), name))))
            yield shown[-1].report
            continue
        record = under(record, args)  # an error here is a fault of the command
        try:
            one = story(record, args.on_illegal)
            shown.append(ReportedRecord(one.report, one))
        except FaultyRulebook:
            raise
        except KaiserLogicError as error:
            shown.append(ReportedRecord(Report(name, unreadable=within(str(error), name))))
        yield shown[-1].report
    out.write(render(shown))


def _checked(args: argparse.Namespace, files: Iterable[Any], ordered: bool = True) -> Iterator[Report]:
    """The reports on records without gaps."""
    from ..records.checking import check_many

    how = {**other_rules(args), "scheduler": args.scheduler, "ordered": ordered}
    for report in check_many(files, args.jobs, args.on_illegal, **how):
        if args.on_illegal == "stop" and report.path is not None and report.faults:
            from ..completion.missing import with_missing
            from ..notation.reading import read

            yield with_missing(report, under(read(report.path), args))
        else:
            yield report


def _viewed(args: argparse.Namespace) -> Iterator[Report]:
    """The reports on records with gaps."""
    from ..completion.complete import check_view
    from ..notation.reading import read

    if args.on_illegal != "stop":
        raise WrongUsage("--on-illegal cannot be combined with --view")
    for path in args.files:
        if isinstance(path, UnreadableInput):
            raise path
        yield check_view(under(read(path), args), args.view)


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
    from ..notation.reading import read

    completion = fill(under(read(args.file), args), args.timeout, progress=progress())
    clear()
    if completion.impossible:
        print_note(str(completion.fault) if completion.fault else "")
        print_note(f"the gaps cannot be filled so that everything is legal (proved{_within(completion)})")
        return 1
    print_data(str(completion.records[0]))
    if completion.unique:
        print_note(f"this is the only way{_within(completion)}")
    elif completion.unique is None:
        print_note("whether there is another way was not decided in time")
    else:
        print_note("there is more than one way; another differs at")
        for difference in completion.differs:
            print_note(f"  {difference}")
    return 0


def _within(completion: Completion) -> str:
    """Up to which number of moves between two positions an answer holds, if longer sequences were not tried."""
    most = completion.within
    return "" if most is None else f", with at most {most} moves between two positions"


COMMANDS: Final = {"check": add_check, "complete": add_complete}
"""The functions that add the arguments of each command."""
