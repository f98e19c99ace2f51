"""Writes the tables, or compares them with the answers that the tool gives now.

python -m tests.golden [PART ...]            compare; the exit code is 1 if a row differs
python -m tests.golden --write [PART ...]    write
python -m tests.golden --since REV [PART ...]  compare the tables on disk with those of a revision; asks nothing
python -m tests.golden --ask 'COMMAND'       the rows that answer one command
"""

import argparse
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

os.environ["KAISER_LOGIC_CACHE"] = "off"

from .answers import rows, timed
from .questions import ROOT, TABLES, tables
from .table import Row, differences, read_table, rows_of, text_of, write_table

_LONG = 1.0
"""A command that takes this many seconds of CPU time is printed."""


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.golden", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument(
        "parts",
        metavar="PART",
        nargs="*",
        help="a table, or the beginning of names of tables: prove, prove-vive",
    )
    parser.add_argument("--write", action="store_true", help="ask again and write the tables")
    parser.add_argument("--since", metavar="REV", help="compare the tables on disk with those of a revision")
    parser.add_argument("--only", metavar="TEXT", default="", help="only the commands that contain this text")
    parser.add_argument(
        "--answers", action="store_true", help="leave out rows in which only the detail differs"
    )
    parser.add_argument("--ask", metavar="COMMAND", help="print the rows that answer one command")
    parser.add_argument(
        "--list", action="store_true", help="print the names of the tables with their commands"
    )
    args = parser.parse_args(argv)
    os.chdir(ROOT)
    if args.ask is not None:
        print(text_of(rows(args.ask)), end="")
        return 0
    try:
        names = tables(args.parts)
    except ValueError as error:
        parser.error(str(error))
    if args.list:
        for name in names:
            print(name, *TABLES[name](), sep="\n  ")
        return 0
    differ = 0
    for name in names:
        if args.since is not None:
            differ += _report(name, _rows_in_revision(args.since, name), read_table(name), args.answers)
        elif commands := [command for command in TABLES[name]() if args.only in command]:
            before = [row for row in read_table(name) if args.only in row.command]
            now, seconds = _answered(name, commands, args.write)
            differ += _report(name, before, now, args.answers, f", {seconds:.0f} s of CPU")
    return int(bool(differ) and not args.write)


def _answered(name: str, commands: Sequence[str], write: bool) -> tuple[list[Row], float]:
    """The rows that answer commands, and the CPU time. Each table has a process of its own.

    With ``write`` each answer is written at once, so that it is not lost if a later command fails.
    """
    now: list[Row] = []
    total = 0.0
    current = set(TABLES[name]())
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        for command in commands:
            before = total
            found, total = pool.submit(timed, command).result()
            now += found
            if total - before >= _LONG:
                print(f"  {total - before:6.1f} s  {command}", file=sys.stderr, flush=True)
            if write:
                others = [
                    row for row in read_table(name) if row.command != command and row.command in current
                ]
                write_table(name, [*others, *found])
    return now, total


def _rows_in_revision(revision: str, name: str) -> list[Row]:
    path = f"{revision}:tests/golden/tables/{name}.tsv"
    shown = subprocess.run(["git", "show", path], capture_output=True, text=True, check=False)
    return rows_of(shown.stdout) if shown.returncode == 0 else []


def _report(name: str, before: Iterable[Row], now: Iterable[Row], answers: bool, more: str = "") -> int:
    """Prints the rows that differ with a summary, and returns the number of these rows."""
    before, now = list(before), list(now)
    found = list(differences(before, now))
    kinds = Counter(d.kind for d in found)
    shown = [d for d in found if not answers or d.kind != "detail"]
    summary = ", ".join(
        f"{kinds[kind]} {kind}" for kind in ("answer", "detail", "gone", "new") if kinds[kind]
    )
    print(f"{name}: {len(now)} rows, {summary or 'all the same'}{more}", flush=True)
    for difference in shown if before else ():
        print(difference, flush=True)
    return len(shown)


if __name__ == "__main__":
    sys.exit(main())
