"""Measures new processes that check a record, load a game or check many records, with and without a cache."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import kaiser_logic as kl
from kaiser_logic.batch.playout import record as random_record

from .one import record_of
from .timing import children, least, run, spent

RECORDS = 1_000
"""The number of random games in the archive."""


def rows(game_id: str, players: int, folder: str) -> Iterator[list[str]]:
    """The rows. Times are ratios to a check without a cache."""
    record = record_of(kl.load(game_id, players=players))
    file = Path(folder) / "a.game"
    file.write_text(str(record), encoding="utf-8")

    def took(cache: str, *arguments: str, times: int = 5) -> float:
        return least(lambda: run(arguments, cache, bytecode=f"{folder}/bytecode"), times, clock=children)

    cached = f"{folder}/cached"
    check = ("-m", "kaiser_logic", "check", str(file))
    took("off", *check, times=1)
    cold, first, second = took("off", *check), took(cached, *check, times=1), took(cached, *check)
    load = ("-c", f"import kaiser_logic as kl; kl.load({game_id!r}).initial()")
    memory = f"import kaiser_logic as kl; kl.check({str(file)!r}); print(open('/proc/self/status').read())"
    name = f"{game_id}, {players} players, {len(record.moves)} moves"
    yield [f"check, no cache ({name})", f"1 ({cold:.2f} s)"]
    yield ["check, first time with an empty cache", f"{first / cold:.2f}"]
    yield ["check, everything cached", f"{second / cold:.2f}"]
    yield ["the game loaded, its first position: no cache", f"{took('off', *load) / cold:.2f}"]
    yield ["the game loaded, its first position: everything cached", f"{took(cached, *load) / cold:.2f}"]
    yield ["memory of a process that checks it", f"{_peak(run(('-c', memory))) / 1024:.0f} MB"]
    yield archive(game_id, players, folder)


def _peak(status: str) -> int:
    """The peak memory of a process in kB. The resource usage of a child would include the memory of its parent."""
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])


def archive(game_id: str, players: int, folder: str) -> list[str]:
    """The row for many records checked by two processes with a full cache. This time is wall time, because users wait for it."""
    many, moves = Path(folder) / "many", 0
    many.mkdir()
    evaluator = kl.load(game_id, players=players).evaluator
    for number in range(RECORDS):
        record = random_record(evaluator, 7, number)
        moves += len(record.moves)
        (many / f"{number}.game").write_text(str(record), encoding="utf-8")
    check = ("-m", "kaiser_logic", "check", "--jobs", "2", str(many))

    def checked() -> None:
        run(check, f"{folder}/{game_id}{players}", bytecode=f"{folder}/bytecode")

    checked()
    seconds = min(spent(checked, time.perf_counter) for _ in range(3))
    return [
        f"{RECORDS:,} records of {moves // RECORDS} moves, `--jobs 2`, wall time",
        f"{RECORDS / seconds:.0f} a second",
    ]


HEAD = ("a new process", "CPU time")
