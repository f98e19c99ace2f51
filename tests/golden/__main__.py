"""Compares the tables with the answers that the tool gives now, or writes them: see README.md."""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

os.environ["KAISER_LOGIC_CACHE"] = "off"

from .answers import timed
from .questions import ROOT, TABLES, tables
from .table import Row, differences, read_table, write_table

_LONG = 1.0
"""A command that takes this many seconds of CPU time is printed."""


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    named = "a table, or the beginning of names of tables: prove, prove-vive"
    parser.add_argument("parts", metavar="PART", nargs="*", help=named)
    parser.add_argument("--write", action="store_true", help="ask again and write the tables")
    parser.add_argument("--only", metavar="TEXT", default="", help="only the commands that contain this text")
    args = parser.parse_args(argv)
    os.chdir(ROOT)
    try:
        names = tables(args.parts)
    except ValueError as error:
        parser.error(str(error))
    differ = 0
    for name in names:
        if commands := [command for command in TABLES[name]() if args.only in command]:
            before = [row for row in read_table(name) if args.only in row.command]
            now, seconds = _answered(name, commands, args.write)
            found = list(differences(before, now))
            kinds = ", ".join(f"{n} {kind}" for kind, n in Counter(kind for kind, _ in found).items())
            print(f"{name}: {len(now)} rows, {kinds or 'all the same'}, {seconds:.0f} s of CPU", flush=True)
            print(*(text for _, text in found if before), sep="\n", end="\n" * bool(before and found))
            differ += len(found)
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
                others = [r for r in read_table(name) if r.command != command and r.command in current]
                write_table(name, [*others, *found])
    return now, total


if __name__ == "__main__":
    sys.exit(main())
