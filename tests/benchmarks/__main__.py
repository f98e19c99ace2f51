"""All tables of docs/develop/performance.md in one run: the same questions answered in several ways, as ratios.

The ways: *naive* (all rules as text into clingo, solved), *sliced* (clingo grounds the slice), *compiled* (the default),
*plain* (an independent implementation of the game in Python, tests/oracles), *batch* (many positions at once). Times are
the processor's, so that a busy machine does not blur them; answers must agree.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import kaiser_logic as kl

from . import beside, many, one, processes
from .timing import ROOT, compared, lines

PAGE = ROOT / "docs" / "develop" / "performance.md"
MARKS = ("<!-- the tables: python -m tests.benchmarks --write -->\n", "<!-- their end -->\n")


def seen(rows: Iterator[list[str]]) -> list[list[str]]:
    """The rows, told while they are measured."""
    found = []
    for row in rows:
        print(*row, sep=" | ", file=sys.stderr, flush=True)
        found.append(row)
    return found


def tables(games: Sequence[tuple[str, int]], folder: str, other: Path | None) -> Iterator[str]:
    """The tables, one after the other."""
    batches = seen(row for game_id, players in games for row in many.rows(game_id, players, folder))
    singly = []
    for game_id, players in games:
        os.environ["KAISER_LOGIC_CACHE"] = f"{folder}/{game_id}{players}"  # its circuits lie there
        for row in one.rows(kl.load(game_id, players=players)):
            print(row, file=sys.stderr, flush=True)
            singly.append(row)
    for game_id in dict.fromkeys(game_id for game_id, _ in games):
        singly += one.boards(game_id, 2, folder)
    yield "## One position at a time\n"
    yield from compared(singly)
    yield "\n## Many positions at once\n"
    yield from lines(many.HEAD, batches)
    yield "\n## A new process\n"
    yield from lines(processes.HEAD, seen(processes.rows(games[0][0], 4, folder)))
    if other:
        yield "\n## Beside the version before compiled rules\n"
        yield from lines(beside.HEAD, seen(beside.rows(other, folder)))


def main() -> None:
    """Measures, and prints the tables or writes them into the page."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "games", nargs="*", default=["kaiser", "krone", "staufer", "vive"], help="default: all"
    )
    parser.add_argument("--players", type=int, nargs="*", help="default: the fewest, and 4")
    parser.add_argument(
        "--beside",
        type=Path,
        metavar="CHECKOUT",
        help="a checkout of 648f3fb: its commands are measured, too",
    )
    parser.add_argument("--write", action="store_true", help="write them into docs/develop/performance.md")
    args = parser.parse_args()
    games = []
    for game_id in args.games:
        allowed = kl.load(game_id).book.manifest["players"]
        games += [
            (game_id, n) for n in args.players or dict.fromkeys([max(2, min(allowed)), 4]) if n in allowed
        ]
    with tempfile.TemporaryDirectory() as folder:
        text = "\n".join(tables(games, folder, args.beside)) + "\n"
    if args.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(MARKS[0])
        after = rest.partition(MARKS[1])[2]
        PAGE.write_text(f"{before}{MARKS[0]}\n{text}\n{MARKS[1]}{after}", encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
