"""Measures how fast the package is: several methods answer the same questions, and their times are shown as ratios.

The table of docs/develop/performance.md is printed first (``--write`` puts it there), then all other tables. ``--quick``
measures only one position at a time, which takes some minutes, and writes nothing.

The methods: *naive* (clingo grounds and solves all rules as text), *sliced* (clingo grounds the slice), *compiled* (the
default), *plain* (an independent implementation of the game in Python, tests/oracles), *batch* (many positions at once).
Times are CPU times, so that other work on the machine does not distort them. The answers of all methods must agree.
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

from . import many, one, processes
from .timing import ROOT, Row, compared, lines, ratio

PAGE = ROOT / "docs" / "develop" / "performance.md"
MARKS = ("<!-- the table: python -m tests.benchmarks --write -->\n", "<!-- its end -->\n")


def printed(rows: Iterator[list[str]]) -> list[list[str]]:
    """The rows, each of which is printed as soon as it is measured."""
    found = []
    for row in rows:
        print(*row, sep=" | ", file=sys.stderr, flush=True)
        found.append(row)
    return found


def singly(games: Sequence[tuple[str, int]], folder: str, quick: bool) -> list[Row]:
    """The rows for questions about one position at a time."""
    found = []
    for game_id, players in games:
        os.environ["KAISER_LOGIC_CACHE"] = f"{folder}/{game_id}{players}"  # for the circuits of this game
        for row in (one.quick_rows if quick else one.rows)(kl.load(game_id, players=players)):
            print(row, file=sys.stderr, flush=True)
            found.append(row)
    return found


HEAD = (
    "game", "a move judged and carried out", "legal actions listed", "decisions a second, one by one",
    "beside clingo", "random games a second, batch of 16,384", "beside plain Python",
)  # fmt: skip


def summary(rows: Sequence[Row], batches: Sequence[many.Many]) -> Iterator[str]:
    """The table of the page."""
    by_name = {(row.what, row.game): row for row in rows}
    in_batches = {batch.game: batch for batch in batches}
    cells = []
    for name in dict.fromkeys(row.game for row in rows if row.what == one.GAME):
        done, listed, game = (by_name[what, name] for what in (one.APPLIED, one.LISTED, one.GAME))
        took, batch = game.times["compiled"], in_batches.get(name)
        cells.append(
            [
                name,
                f"{ratio(done.times['compiled'] * 1000)} ms",
                f"{ratio(listed.times['compiled'] * 1000)} ms",
                f"{game.decisions / took:,.0f}",
                f"{ratio(game.times['sliced'] / took)} times",
                f"{1 / batch.lanes[-1]:,.0f}" if batch else "",
                f"{ratio(batch.plain / batch.lanes[-1])} times" if batch else "",
            ]
        )
    return lines(HEAD, cells)


def others(
    batches: Sequence[many.Many],
    rows: Sequence[Row],
    games: Sequence[tuple[str, int]],
    folder: str,
) -> Iterator[str]:
    """All other tables."""
    yield "## One position at a time\n"
    boards = [row for game_id in dict.fromkeys(g for g, _ in games) for row in one.boards(game_id, 2, folder)]
    yield from compared([*rows, *boards])
    yield "\n## Many positions at once\n"
    yield from lines(many.HEAD, [many.shown(batch) for batch in batches])
    yield "\n## A new process\n"
    yield from lines(processes.HEAD, printed(processes.rows(games[0][0], 4, folder)))


def main() -> None:
    """Measures and prints the tables; writes the first one into the page if asked to."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "games", nargs="*", default=["kaiser", "krone", "staufer", "vive"], help="default: all"
    )
    parser.add_argument("--players", type=int, nargs="*", help="default: the smallest number, and 4")
    parser.add_argument("--quick", action="store_true", help="measure only one position at a time")
    parser.add_argument(
        "--write", action="store_true", help="write the table into docs/develop/performance.md"
    )
    args = parser.parse_args()
    games = []
    for game_id in args.games:
        allowed = kl.load(game_id).book.manifest["players"]
        games += [
            (game_id, n) for n in args.players or dict.fromkeys([max(2, min(allowed)), 4]) if n in allowed
        ]
    with tempfile.TemporaryDirectory() as folder:
        batches = [] if args.quick else [many.row(game_id, players, folder) for game_id, players in games]
        rows = singly(games, folder, args.quick)
        table = "\n".join(summary(rows, batches)) + "\n"
        print(table)
        if args.quick:
            return
        print("\n".join(others(batches, rows, games, folder)))
    if args.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(MARKS[0])
        after = rest.partition(MARKS[1])[2]
        PAGE.write_text(f"{before}{MARKS[0]}\n{table}\n{MARKS[1]}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
