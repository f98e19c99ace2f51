"""The reports of ``check``: on records without gaps, on those that an earlier run has left over, and on what a role saw."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ..errors import UnreadableInput, WrongUsage
from .common import under_of, with_options
from .exit_codes import DONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..notation.sources import Source
    from ..records.archive import Archive
    from ..records.checking import Report


def records_checked(
    args: argparse.Namespace, left: Iterable[Source | UnreadableInput] | None = None
) -> Iterator[Report]:
    """The reports on records without gaps: on those that are left, in any order, or (None) on all that the arguments name."""
    from ..records.checking import check_sources, with_duplicates
    from ..records.tags import size_of, sources_of
    from ..rules.loader import rulebook

    rules = under_of(args)
    if rules.source is not None:
        rulebook(rules.source)  # its mistakes are no faults of the records
    sources = sources_of(args.files) if left is None else left
    size = 0 if args.duplicates else size_of(args.files)  # circuits know no courses of play
    reports = check_sources(sources, args.jobs, args.on_illegal, rules, args.scheduler, left is None, size)
    for report in with_duplicates(reports) if args.duplicates else reports:
        if args.on_illegal == "stop" and report.faults and report.source is not None:
            from ..completion.missing import with_missing

            yield with_missing(report, rules.apply(report.source.record()))
        else:
            yield report


def records_left(args: argparse.Namespace, archive: Archive) -> Iterator[Report]:
    """The reports on the records that a file of JSON lines does not contain yet. Each is added to it at once."""
    with archive:
        for report in records_checked(args, archive.records_left()):
            archive.add(report, examined=bool(args.examined))
            yield report


def views_checked(args: argparse.Namespace) -> Iterator[Report]:
    """The reports on records as a role saw the game."""
    from ..completion.complete import check_view
    from ..records.tags import sources_of

    if args.on_illegal != "stop":
        raise WrongUsage("--on-illegal cannot be combined with --view")
    for source in sources_of(args.files):
        if isinstance(source, UnreadableInput):
            raise source
        yield check_view(with_options(source.record(), args), args.view)


def most_examined(args: argparse.Namespace) -> int:
    """The number of records for which the assumptions behind the verdict are looked for: all on pages, and if they are few.

    Of standard input only the first records are examined.
    """
    from ..records.checking import FIRST_EXAMINED, MOST_EXAMINED
    from ..records.tags import size_of

    if args.format != "html" and size_of(args.files) > MOST_EXAMINED:
        return DONE
    return FIRST_EXAMINED if "-" in args.files and args.format != "html" else sys.maxsize
