"""The command coverage: which rules recorded games use."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from .common import add_output, columns, data_to, positive, print_note
from .progress import clear, progress

if TYPE_CHECKING:
    from ..records.coverage import Coverage


def add_coverage(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``coverage``."""
    parser.epilog = (
        "exit code: 0 all rules are used, 1 some are never used, 2 some record cannot be read, or wrong usage\n"
        "A rule is used where it applies when a move is carried out, in a step that follows by itself or at the end,\n"
        "or where it forbids something that comes into question."
    )
    parser.add_argument(
        "game", metavar="GAME", help="the game's id, such as kaiser, or a folder of one's own with a rulebook"
    )
    parser.add_argument(
        "files", metavar="RECORD", nargs="+", help="a record, or a directory for all its *.game files"
    )
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="a table to read (default), or one JSON object",
    )
    parser.add_argument(
        "--lines", action="store_true", help="also list the lines of the rulebook that are never used"
    )
    add_output(parser)
    parser.add_argument(
        "--jobs", metavar="N", type=positive, default=1, help="the number of processes (default: 1)"
    )
    parser.set_defaults(run=run_coverage)


def run_coverage(args: argparse.Namespace) -> int:
    """Says which rules the records use."""
    from ..records.coverage import coverage
    from ..rules.library import game_named

    found = coverage(game_named(args.game), args.files, jobs=args.jobs, progress=progress())
    clear()
    with data_to(args.output) as out:
        if args.format == "json":
            print(json.dumps(found.as_json(), ensure_ascii=False), file=out)
        else:
            for line in _lines(found, args.lines):
                print(line, file=out)
    for line in (*found.unreadable, *found.partial):
        print_note(line)
    _summarize(found)
    return 2 if found.unreadable else int(bool(found.never))


def _lines(found: Coverage, idle: bool) -> Iterator[str]:
    """A line for each rule, then what is never used, and what is not counted."""
    rows = [("rule", "lines", "applies", "forbids", "records", "first at")]
    rows += [
        (u.rule, f"{u.lines}/{u.of}", str(u.applies), str(u.forbids), str(u.records), u.first)
        for u in found.rules
        if u.records
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
    for title, names in (
        ("never used", found.never),
        ("actions never done", [name for name, times in found.actions.items() if not times]),
        ("not counted", found.uncounted),
    ):
        if names:
            yield from ("", *columns([(title, ", ".join(names))], ""))
    if idle:
        yield from ("", "lines never used", *found.idle)


def _summarize(found: Coverage) -> None:
    """Says how much of the rulebook the records use."""
    used = len(found.rules) - len(found.never)
    done = sum(bool(times) for times in found.actions.values())
    print_note(
        f"{found.records} record{'s' * (found.records != 1)} of {found.game}, {found.moves} moves:"
        f" {used} of {len(found.rules)} rules used, {done} of {len(found.actions)} kinds of action done"
        + (f"; {found.foreign} records of other games left out" if found.foreign else "")
    )


COMMANDS: Final = {"coverage": add_coverage}
"""What adds the arguments of each command."""
