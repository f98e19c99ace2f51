"""How time is measured and told: the processor's, so that others on the machine do not count; as ratios."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
WAYS = ("naive", "sliced", "compiled", "plain", "batch")


class Row(NamedTuple):
    """A line of a table: what is measured, of which game, the seconds of each way, and how many decisions that is."""

    what: str
    game: str
    times: Mapping[str, float]
    decisions: int = 1


def clock() -> float:
    """The processor's time of this process."""
    return time.process_time()


def children() -> float:
    """The processor's time of the processes that this one has started and waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def spent(call: Callable[[], object], clock: Callable[[], float] = clock) -> float:
    """The time of a call."""
    start = clock()
    call()
    return clock() - start


def least(call: Callable[[], object], times: int = 3, clock: Callable[[], float] = clock) -> float:
    """The time of the quickest of some calls."""
    return min(spent(call, clock) for _ in range(times))


def run(
    arguments: Sequence[str], cache: str = "off", root: Path = ROOT, bytecode: str = "", end: int = 0
) -> str:
    """What a new Python process prints.

    Args:
        arguments: Its own.
        cache: Where it keeps things.
        root: The checkout that it runs.
        bytecode: A folder for compiled modules, as an installed package has them.
        end: Its exit code; with any other one nothing has been measured.
    """
    environment = {
        **os.environ,
        "KAISER_LOGIC_CACHE": cache,
        "PYTHONPATH": f"{root}{os.pathsep}{root / 'tests'}",
    }
    if bytecode:
        environment["PYTHONPYCACHEPREFIX"] = bytecode
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, cwd=root, env=environment, check=False
    )
    if done.returncode != end:
        raise RuntimeError(done.stderr)
    return done.stdout


def ratio(value: float) -> str:
    """A ratio with two digits that count.

    >>> ratio(23.4), ratio(2.34), ratio(0.00234)
    ('23', '2.3', '0.0023')
    """
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def lines(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table of Markdown."""
    yield f"| {' | '.join(head)} |"
    yield "|---" * len(head) + "|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def compared(rows: Sequence[Row]) -> Iterator[str]:
    """The rows as ratios to the compiled rules: how many times as long; of those how long, too."""
    told = []
    for row in rows:
        base = row.times["compiled"]
        cells = [ratio(row.times[way] / base) if way in row.times else "" for way in WAYS]
        cells[WAYS.index("compiled")] = f"1 ({ratio(base * 1000)} ms)"
        told.append([row.what, row.game, *cells])
    return lines(["what", "of", *WAYS], told)
