"""The command diff-rules: which recorded games change under other rules."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .common import add_output, data_to, positive, print_note
from .progress import clear, progress

if TYPE_CHECKING:
    from ..comparison.recorded import RecordDifference


def add_diff_rules(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``diff-rules``."""
    parser.epilog = (
        "exit code: 0 nothing changes, 1 some record changes, 2 some record cannot be compared, or wrong usage\n"
        "A and B are an edition, rulings NAME=VALUE, a folder with a rulebook, or several of these separated by\n"
        "commas; 'recorded' stands for the rules that the records name. FILE@N in an answer is the position under A."
    )
    parser.add_argument("first", metavar="A", help="the rules under which the records are carried out")
    parser.add_argument("second", metavar="B", help="the rules that are compared at each of their positions")
    parser.add_argument(
        "files", metavar="RECORD", nargs="+", help="a record, or a directory for all its *.game files"
    )
    parser.add_argument(
        "--moves-only",
        action="store_true",
        help="compare the moves that were made, not all legal actions (faster)",
    )
    parser.add_argument(
        "--positions",
        metavar="DIR",
        help="also write the position of each difference as a record into this folder",
    )
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="lines (default), or a JSON object a record",
    )
    add_output(parser)
    parser.add_argument(
        "--jobs", metavar="N", type=positive, default=1, help="the number of processes (default: 1)"
    )
    parser.set_defaults(run=diff_rules)


def diff_rules(args: argparse.Namespace) -> int:
    """Compares the records under both rules."""
    from ..comparison import recorded

    sides = recorded.side(args.first), recorded.side(args.second)
    folder = None if args.positions is None else Path(args.positions)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    found: list[RecordDifference] = []
    with data_to(args.output) as out:
        for one in recorded.diff_rules(
            *sides, args.files, jobs=args.jobs, listing=not args.moves_only, progress=progress()
        ):
            clear()
            found.append(one)
            if args.format == "json":
                print(json.dumps(one.as_json(), ensure_ascii=False), file=out, flush=True)
            else:
                for line in one.lines((args.first, args.second)):
                    print(line, file=out, flush=True)
            if folder is not None:
                _write(one, sides[0], folder)
    clear()
    _summarize(found)
    if any(one.unreadable for one in found):
        return 2
    return int(any(one.changes for one in found))


def _write(one: RecordDifference, under: object, folder: Path) -> None:
    """Writes the position of each difference of a record."""
    from ..comparison.recorded import position_record
    from ..notation.reading import read
    from ..records.tags import Under

    assert isinstance(under, Under)
    for number, change in enumerate(one.changes, 1):
        assert one.path is not None
        name = f"{Path(one.path).stem}-{number}.game"
        record = position_record(read(one.path), under, change)
        (folder / name).write_text(str(record), encoding="utf-8")


def _summarize(found: list[RecordDifference]) -> None:
    """Says how many records change, and by what."""
    from ..comparison.recorded import tally

    changed = sum(bool(one.changes) for one in found)
    lost = sum(bool(one.unreadable) for one in found)
    short = [one for one in found if one.stopped]
    print_note(
        f"{len(found)} record{'s' * (len(found) != 1)}: {changed} change{'s' * (changed == 1)}"
        + (f", {lost} cannot be compared" if lost else "")
    )
    for (kind, played, action, rule), (records, times) in sorted(
        tally(found).items(), key=lambda one: -one[1][0]
    ):
        what = f"{action} " if action else ""
        cause = f", {rule}" if rule else ""
        made = " as played" if played and rule else ""
        print_note(
            f"  {what}{kind}{made}{cause}: {records} record{'s' * (records > 1)}, {times} place{'s' * (times > 1)}"
        )
    if short:
        print_note(
            f"{len(short)} of them were compared up to a fault under the first rules: {short[0].stopped}"
        )
    unlisted = sum(one.unlisted for one in found)
    if unlisted:
        print_note(
            f"at {unlisted} position{'s' * (unlisted > 1)} legal actions are not listed: only the moves made were compared"
        )


COMMANDS: Final = {"diff-rules": add_diff_rules}
"""What adds the arguments of each command."""
