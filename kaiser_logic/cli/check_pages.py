"""The format ``html`` of ``check``: one page, or a folder with a page for each record."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import WrongUsage
from .common import under_of
from .outputs import data_to, is_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..records.checking import Report


def reports_on_pages(args: argparse.Namespace) -> Iterator[Report]:
    """The reports on records, which are shown on one page or, if --output is a folder, on a page each."""
    from ..records.tags import sources_of
    from ..reports.page_folder import write_pages
    from ..reports.pages import MOST_ON_PAGE, RecordsPage, reported_record

    if args.view is not None:
        raise WrongUsage("--format html cannot be combined with --view")
    sources, rules = sources_of(args.files), under_of(args)
    if args.output is not None and is_folder(args.output):
        yield from write_pages(Path(args.output), sources, args.on_illegal, rules, args.jobs)
        return
    shown = RecordsPage()
    with data_to(args.output) as out:
        for number, source in enumerate(sources, 1):
            if max(number, len(args.files)) > MOST_ON_PAGE:
                raise WrongUsage(
                    f"one page shows at most {MOST_ON_PAGE} records: with --output DIR/ each has a page, and there is an index"
                )
            one = reported_record(source, args.on_illegal, rules)
            shown.add(one)
            yield one.report
        out.write(str(shown))
