"""The command check: records replayed, every fault reported."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Final

from ..errors import UnreadableInput, WrongUsage
from .common import add_other_rules, other_rules, positive, say, under

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..records.checking import Report


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
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="a fault a line (default), or a JSON object a line for each record",
    )
    parser.add_argument(
        "--jobs", metavar="N", type=positive, default=1, help="the number of processes (default: 1)"
    )
    parser.add_argument(
        "--view",
        metavar="ROLE",
        help="check records as this role saw the game (or: public), with ? for what it could not see",
    )
    add_other_rules(parser)
    parser.set_defaults(run=check)


def check(args: argparse.Namespace) -> int:
    """Replays every record and reports every fault."""
    count = faulty = unreadable = 0
    for report in _viewed(args) if args.view is not None else _checked(args):
        count += 1
        faulty += bool(report.faults)
        unreadable += bool(report.unreadable)
        if args.format == "json":
            print(json.dumps(report.as_json(), ensure_ascii=False), flush=True)
        elif report.unreadable:
            say(report.unreadable)
        elif not report.ok:
            print(report, flush=True)
    say(_summary(count, faulty, unreadable))
    return 2 if unreadable else int(bool(faulty))


def _checked(args: argparse.Namespace) -> Iterator[Report]:
    """The reports on records without gaps."""
    from ..completion.missing import with_missing
    from ..notation.reading import read
    from ..records.checking import check_many

    for report in check_many(args.files, args.jobs, args.on_illegal, **other_rules(args)):
        if args.on_illegal == "stop" and report.path is not None and report.faults:
            yield with_missing(report, under(read(report.path), args))
        else:
            yield report


def _viewed(args: argparse.Namespace) -> Iterator[Report]:
    """The reports on records with gaps."""
    from ..completion.view import check_view
    from ..notation.reading import read
    from ..records.checking import files_in

    if args.on_illegal != "stop":
        raise WrongUsage("--on-illegal does not go with --view")
    for path in files_in(args.files):
        if isinstance(path, UnreadableInput):
            raise path
        yield check_view(under(read(path), args), args.view)


def _summary(count: int, faulty: int, unreadable: int) -> str:
    if not count:
        return "no records"
    parts = [f"{count - faulty - unreadable} without fault"]
    parts += [f"{faulty} with faults"] if faulty else []
    parts += [f"{unreadable} unreadable"] if unreadable else []
    return f"{count} record{'s' if count > 1 else ''}: {', '.join(parts)}"


COMMANDS: Final = {"check": add_check}
"""What adds the arguments of each command."""
