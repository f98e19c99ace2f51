"""Measures CPU times, which do not depend on other work on the machine, and shows them as ratios."""

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
METHODS = ("naive", "sliced", "compiled", "plain", "batch")


class Row(NamedTuple):
    """A row of a table: the question, the game, the seconds of each method, and the number of decisions."""

    what: str
    game: str
    times: Mapping[str, float]
    decisions: int = 1


def clock() -> float:
    """The CPU time of this process."""
    return time.process_time()


def children() -> float:
    """The CPU time of the child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def spent(call: Callable[[], object], clock: Callable[[], float] = clock) -> float:
    """The time of a call."""
    start = clock()
    call()
    return clock() - start


def least(call: Callable[[], object], times: int = 3, clock: Callable[[], float] = clock) -> float:
    """The shortest time of several calls."""
    return min(spent(call, clock) for _ in range(times))


def run(
    arguments: Sequence[str], cache: str = "off", root: Path = ROOT, bytecode: str = "", end: int = 0
) -> str:
    """What a new Python process prints.

    Args:
        arguments: The arguments of the interpreter.
        cache: The cache folder, or ``off``.
        root: The checkout that it runs.
        bytecode: A folder for compiled modules, such as an installed package has.
        end: The exit code that is expected.
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
    """A ratio with two significant digits.

    >>> ratio(23.4), ratio(2.34), ratio(0.00234)
    ('23', '2.3', '0.0023')
    """
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def lines(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table in Markdown."""
    yield f"| {' | '.join(head)} |"
    yield "|---" * len(head) + "|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def compared(rows: Sequence[Row]) -> Iterator[str]:
    """A table of the rows as ratios to the time of the compiled rules, which is also given in milliseconds."""
    table = []
    for row in rows:
        base = row.times["compiled"]
        cells = [ratio(row.times[method] / base) if method in row.times else "" for method in METHODS]
        cells[METHODS.index("compiled")] = f"1 ({ratio(base * 1000)} ms)"
        table.append([row.what, row.game, *cells])
    return lines(["what", "of", *METHODS], table)
