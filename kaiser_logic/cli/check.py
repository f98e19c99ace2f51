"""The command ``check``: replays records and reports every fault."""

from __future__ import annotations

import argparse
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from ..errors import KaiserLogicError, UnreadableInput, WrongUsage, visible, visible_name
from ..files import is_ordinary
from .check_records import most_examined, records_checked, records_left, views_checked
from .common import (
    add_flag,
    add_format,
    add_jobs,
    add_option,
    add_other_rules,
    add_records,
    add_scheduler,
    assumptions_notes,
    columns,
    print_note,
    records_of,
    under_of,
    with_options,
)
from .exit_codes import DONE, NO, UNUSABLE
from .outputs import add_output, data_to
from .progress import clear, progress

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..records.archive import Archive
    from ..records.checking import Report


_WRITERS: Final = {"sarif": "sarif", "junit": "junit", "csv": "csv_table"}
"""The formats in which all reports are one text: the names of their functions in `reports.formats`."""


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
        ("text", "json", "html", *_WRITERS),
        "one line for each fault (default), one line of JSON for each record, a page with boards (html),"
        " a SARIF 2.1.0 log, JUnit XML, or a table",
    )
    add_output(parser, folder_format="html")
    add_jobs(parser, 1)
    add_option(
        parser,
        "--view",
        "ROLE",
        "check records as this role saw the game (or: public), with ? for what it could not see",
    )
    add_scheduler(parser)
    add_other_rules(parser)
    add_flag(parser, "--tags", "also list the tags without a meaning in their game")
    add_flag(
        parser,
        "--duplicates",
        "also report each record that has the course of play of an earlier one, whatever its other tags say",
    )


def check(args: argparse.Namespace) -> int:
    """Replays every record and reports every fault."""
    args.files = records_of(args)
    if args.tags and "-" in args.files:
        raise WrongUsage("--tags reads the records twice: standard input cannot be read again")
    if args.duplicates and (args.view is not None or args.format == "html"):
        raise WrongUsage("--duplicates cannot be combined with --view or --format html")
    args.examined = most_examined(args)
    archive = _archive(args)
    tally, tell, total = _Tally(args), progress(), len(args.files)
    reports = _written_reports(args) if archive is None else records_left(args, archive)
    for report in reports:
        tally.add(report)
        tell(f"{tally.count}/{total} records" if tally.count <= total > 1 else f"{tally.count} records")
    clear()
    return tally.note_sum(archive)


def _archive(args: argparse.Namespace) -> Archive | None:
    """The file of JSON lines to which reports are added, if there is one."""
    lines = args.output is not None and args.format == "json" and is_ordinary(args.output)
    if not lines or args.view is not None or args.duplicates:
        return None
    from ..records.archive import Archive
    from ..records.tags import sources_of

    rules = under_of(args)
    settings = (
        args.on_illegal,
        str(args.examined > 0),
        str(rules.edition),
        str(sorted(dict(rules.options).items())),
    )
    return Archive(args.output, sources_of(args.files), settings, rules.source)


class _Tally:
    """The number of records of each kind, and what their verdicts rely on."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.count = 0
        self._args = args
        self._faulty = self._unreadable = 0
        self._assumed: dict[str | Path, dict[str, None]] = {}

    def add(self, report: Report) -> None:
        """Counts a report."""
        self.count += 1
        self._faulty += bool(report.faults)
        self._unreadable += bool(report.unreadable)
        if self.count <= self._args.examined and report.final is not None and report.assumed:
            game = report.final.ruleset.configuration.source
            self._assumed.setdefault(game, {}).update(dict.fromkeys(report.assumed))

    def note_sum(self, archive: Archive | None) -> int:
        """Prints the sum with the reports that an archive had before, and what else is to be said; returns the exit code."""
        from ..records.checking import verdicts_in_words

        earlier = 0 if archive is None else len(archive.paths)
        count, faulty = self.count + earlier, self._faulty + (0 if archive is None else archive.faulty)
        words = verdicts_in_words(count, faulty, self._unreadable)
        before = f" ({earlier} of them before)" if earlier else ""
        print_note(f"{count} record{'s' * (count > 1)}: {words}{before}")
        for game, ids in self._assumed.items():
            for line in assumptions_notes(game, ids):
                print_note(line)
        if self._args.tags:
            _note_tags(self._args)
        return UNUSABLE if self._unreadable else NO if faulty else DONE


def _note_tags(args: argparse.Namespace) -> None:
    """Lists the tags that mean nothing: in how many records, and where first with which value."""
    from ..records.tags import sources_of, unknown_tags

    places: dict[str, list[str]] = {}
    for source in sources_of(args.files):
        with suppress(KaiserLogicError):
            if isinstance(source, UnreadableInput):
                continue
            for tag in unknown_tags(with_options(source.record(), args)):
                place = f"{visible_name(source.file)}:{tag.line}:{tag.column}"
                places.setdefault(tag.name, []).append(f'{place}: [{tag.name} "{visible_name(tag.value)}"]')
    for name, tag_places in sorted(places.items()):
        times = f"{len(tag_places)} time{'s' * (len(tag_places) > 1)}"
        print_note(f"the tag {name} means nothing: {times}, first {tag_places[0]}")
    if not places:
        print_note("every tag has a meaning")


def _written_reports(args: argparse.Namespace) -> Iterator[Report]:
    """The reports. Depending on the format, each is written at once, or all are written at the end."""
    if args.format == "html":
        from .check_pages import reports_on_pages

        yield from reports_on_pages(args)
        return
    reports = views_checked(args) if args.view is not None else records_checked(args)
    with data_to(args.output) as out:
        if args.format not in ("text", "json"):
            from ..reports import formats

            all_reports = list(reports)
            out.write(getattr(formats, _WRITERS[args.format])(all_reports))
            yield from all_reports
            return
        for number, report in enumerate(reports, 1):
            clear()  # standard output may be the same terminal
            if args.format == "json":
                import json

                line = json.dumps(report.as_json(examined=number <= args.examined), ensure_ascii=False)
                print(line, file=out, flush=True)
            elif not report.ok:
                print(_in_lines(report) if out.isatty() else report, file=out, flush=True)
            yield report


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
