"""Prints a table: what takes how long, beside the naive way where there is one, and what was aimed at.

Times are the processor's, so that a busy machine does not blur them.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

import kaiser_logic as kl
from kaiser_logic.engine import symbols
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.record import Record
from kaiser_logic.play.match import Match
from kaiser_logic.play.playout import random_actions
from kaiser_logic.position import Position
from kaiser_logic.records.replay import Replay

from . import naive

ROOT = Path(__file__).parent.parent.parent
SAMPLE = 40


class Row(NamedTuple):
    """A line of the table; times in seconds."""

    what: str
    time: float
    naive: float | None = None
    target: str = ""
    met: bool = True


def clock() -> float:
    """The processor's time of this process: others on the machine do not count."""
    return time.process_time()


def children() -> float:
    """The processor's time of the processes that this one has started and waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def least(call: Callable[[], object], times: int = 3, clock: Callable[[], float] = clock) -> float:
    """The time of the quickest of some calls."""

    def once() -> float:
        start = clock()
        call()
        return clock() - start

    return min(once() for _ in range(times))


# -- the games that are measured ---------------------------------------------------------------------------


def record_of(game_id: str) -> Record:
    """A whole game of four players: an example's, or a random one."""
    if game_id == "kaiser":
        return kl.read(ROOT / "examples" / "games" / "four-players.game")
    match, random = Match(kl.load(game_id, players=4)), Random(1)
    while match.deciding and len(match.moves) < 300:
        for role, action in random_actions(match.position, random).items():
            match.do(role, action)
    return match.record()


Decision = tuple[Position, Mapping[str, str]]


def decisions(record: Record) -> list[Decision]:
    """The decisions of a record, each with what was decided."""
    found: list[Decision] = []
    replay = Replay(record)
    pending: dict[str, str] = {}
    for number, move in enumerate(record.moves, 1):
        position = replay.here()
        pending[move.role] = str(move.action)
        if len(pending) == len(position.to_move):
            found.append((position, pending))
            pending = {}
        replay.run(number)
    return found


def fresh(decision: Decision) -> Decision:
    """The decision with a position that remembers nothing."""
    position, chosen = decision
    return Position(position.evaluator, position.symbols), chosen


def timed(call: Callable[[Decision], object], decision: Decision) -> tuple[float, object]:
    """How long the call takes, and what it gives."""
    remembers_nothing = fresh(decision)
    start = clock()
    answer = call(remembers_nothing)
    return clock() - start, answer


# -- rows --------------------------------------------------------------------------------------------------


def compared(
    what: str,
    target: float,
    ours: Callable[[Decision], object],
    theirs: Callable[[Decision], object],
    sample: Sequence[Decision],
) -> Row:
    """One question the fast and the naive way, decision by decision in turn; both must agree."""
    fast = slow = 0.0
    for decision in sample:
        ours(fresh(decision))  # cuts the program for such decisions, once in a process
    for decision in sample:
        one, two = timed(ours, decision), timed(theirs, decision)
        assert one[1] == two[1], (what, decision)
        fast, slow = fast + one[0], slow + two[0]
    ratio = slow / fast
    return Row(what, fast / len(sample), slow / len(sample), f"{target:g} times", ratio >= target)


def evaluation(game_id: str, record: Record, total: float) -> Iterator[Row]:
    """Legal actions, one action judged, a whole record checked."""
    played = decisions(record)
    sample = Random(2).sample(played, min(SAMPLE, len(played)))
    yield compared("all legal actions", 4, lambda d: d[0].legal(), lambda d: naive.legal(d[0]), sample)

    def judged(decision: Decision) -> set[str]:
        position, chosen = decision
        actions = {role: symbols.read(action) for role, action in chosen.items()}
        return {rule for _, _, rule in position.evaluator.judge(position.symbols, actions).violations}

    yield compared("one action judged", 6, judged, lambda d: naive.judge(*d), sample)
    carried = sum(timed(lambda d: d[0].apply(d[1]), decision)[0] for decision in sample)
    yield Row("one action carried out", carried / len(sample))
    for part in (number_of(record) // 4, number_of(record) // 2):
        yield Row(f"the first {part} moves checked", least(partial(kl.check, beginning(record, part))))
    whole = least(lambda: kl.check(parse_record(str(record))))
    yield Row(f"all {number_of(record)} moves read and checked", whole, None, f"{total:g} s", whole <= total)


def number_of(record: Record) -> int:
    """How many moves a record has."""
    return len(record.moves)


def beginning(record: Record, moves: int) -> Record:
    """The record's first moves; nothing is said of the result."""
    last = record.items.index(record.moves[moves]) if moves < number_of(record) else len(record.items)
    return Record(tuple(tag for tag in record.tags if tag.name != "Result"), record.items[:last])


def processes(game_id: str, record: Record, total: float) -> Iterator[Row]:
    """What a new process costs."""

    def run(*arguments: str) -> float:
        command = [sys.executable, *arguments]
        call = partial(subprocess.run, command, check=True, capture_output=True, cwd=ROOT)
        return least(call, clock=children)

    yield Row("python, doing nothing", run("-c", ""))
    start = run("-m", "kaiser_logic", "--help")
    yield Row("kaiser-logic --help", start, None, "0.3 s", start <= 0.3)
    first = f"import kaiser_logic as kl; kl.load({game_id!r}).initial()"
    yield Row("import, a game loaded, its first position", run("-c", first))
    with tempfile.TemporaryDirectory() as folder:
        times = []
        for moves in (0, number_of(record)):
            file = Path(folder) / f"{moves}.game"
            file.write_text(str(beginning(record, moves)), encoding="utf-8")
            times.append(run("-m", "kaiser_logic", "check", str(file)))
    nothing, everything = times
    yield Row("check of a record without moves", nothing)
    beyond = everything - nothing
    what = f"check of {number_of(record)} moves, beyond that"
    yield Row(what, beyond, None, f"{total:g} s", beyond <= total)


# -- the table ---------------------------------------------------------------------------------------------


def shown(rows: Iterator[Row]) -> Iterator[str]:
    """The rows as text."""
    yield f"{'':44}{'time':>10}{'naive':>10}{'ratio':>8}  target"
    for row in rows:
        line = f"{row.what:44}{_time(row.time):>10}"
        line += f"{_time(row.naive):>10}{row.naive / row.time:>8.1f}" if row.naive else " " * 18
        if row.target:
            line += f"  {row.target}{'' if row.met else ': missed'}"
        yield line.rstrip()


def _time(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def main() -> None:
    """Measures one game, or both."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("games", nargs="*", default=["kaiser", "krone"], help="default: kaiser krone")
    for game_id in parser.parse_args().games:
        record = record_of(game_id)
        total = {"kaiser": 0.6}.get(game_id, 1.0)
        print(f"\n{game_id}: {len(record.moves)} moves of {len(record.seats or ())} players")
        for rows in (evaluation, processes):
            for line in shown(rows(game_id, record, total)):
                print(line, flush=True)


if __name__ == "__main__":
    main()
