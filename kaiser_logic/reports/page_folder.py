"""Many records as a folder: a page for each, written at once, and the index. Memory holds only the rows of the index."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import tee
from pathlib import Path
from typing import Final

from ..drawing.page import page
from ..drawing.svg.pen import escape
from ..errors import UnreadableInput, WrongUsage, visible_name
from ..files import write_file
from ..notation.sources import Source
from ..records.checking import Report, verdicts_in_words
from ..records.replay import OnIllegal
from ..records.tags import Under
from ..workers import JobRefused, in_order
from .pages import RecordsPage, ReportedRecord, count_moves, reported_record, verdict_of

INDEX: Final = "index.html"
_STYLE: Final = Path(__file__).with_name("page_folder.css").read_text(encoding="utf-8")


def page_name(number: int, path: str) -> str:
    """The name of a record's page: its number, and what of its own name every file system can hold.

    >>> page_name(3, "games/My first.game")
    '00003-My-first.html'
    """
    stem = re.sub(r"[^A-Za-z0-9_]+", "-", os.path.basename(path).replace(".game", "")).strip("-")
    return f"{number:05}{f'-{stem[:60]}' if stem else ''}.html"


def write_pages(
    folder: Path,
    sources: Iterable[Source | UnreadableInput],
    on_illegal: OnIllegal,
    rules: Under,
    jobs: int = 1,
) -> Iterator[Report]:
    """Writes the page of each record, and yields its report. The index is written at the end.

    Args:
        folder: The folder of the pages. It exists.
        sources: The records. Each is taken when its turn comes.
        on_illegal: What follows an illegal move.
        rules: Other rules than those of the records.
        jobs: The number of processes.
    """
    write = partial(_write_page, folder=folder, on_illegal=on_illegal, rules=rules)
    numbered, names = tee(enumerate(sources, 1))
    rows: list[str] = []
    faulty = unreadable = 0
    for answer, (number, source) in zip(in_order(write, numbered, jobs), names, strict=True):
        report = answer.value
        if report is None:
            name = _name_of(source)
            report = Report(name, unreadable=f"{visible_name(name)}: not checked: {answer.reason}")
            _save(folder, number, ReportedRecord(report))
        faulty += bool(report.faults)
        unreadable += bool(report.unreadable)
        rows.append(_row(number, report))
        yield report
    write_file(folder / INDEX, _index(rows, verdicts_in_words(len(rows), faulty, unreadable)))


def _write_page(
    numbered: tuple[int, Source | UnreadableInput], folder: Path, on_illegal: OnIllegal, rules: Under
) -> Report:
    """Writes the page of one record, in a worker if there are several."""
    number, source = numbered
    try:
        one = reported_record(source, on_illegal, rules)
    except WrongUsage as error:
        raise JobRefused(str(error)) from None
    _save(folder, number, one)
    return one.report


def _save(folder: Path, number: int, one: ReportedRecord) -> None:
    shown = RecordsPage(INDEX)
    shown.add(one)
    write_file(folder / page_name(number, one.report.path or ""), str(shown))


def _name_of(source: Source | UnreadableInput) -> str:
    return source.name if isinstance(source, Source) else str(source.path)


def _row(number: int, report: Report) -> str:
    """The row of a record in the index."""
    final = report.final
    end = report.result.summary if report.result else "unfinished" if report.ok else ""
    return (
        f'<tr class="{"ok" if report.ok else "bad"}">'
        f'<td><a href="{page_name(number, report.path or "")}">{escape(visible_name(report.path or "the record"))}</a></td>'
        f"<td>{escape(final.ruleset.book.id if final else '')}</td><td>{count_moves(report.moves)}</td>"
        f"<td>{escape(verdict_of(report))}</td><td>{escape(end)}</td></tr>\n"
    )


def _index(rows: list[str], verdicts: str) -> str:
    """The page that lists all records."""
    title = f"{len(rows)} record{'s' * (len(rows) != 1)}"
    body = [
        f'<header><h1>{title}</h1><span class="verdict">{verdicts}</span></header>',
        '<main><section class="card"><input type="checkbox" id="faulty"> <label for="faulty">only those with faults</label>',
        "<table><thead><tr><th>record</th><th>game</th><th>moves</th><th>verdict</th><th>end</th></tr></thead><tbody>\n",
        *rows,
        "</tbody></table></section></main>",
    ]
    return page(f"{title} · check", "".join(body), _STYLE)
