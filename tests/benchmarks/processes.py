"""What a new process costs: a record checked, a game loaded, many records; nothing kept, and all kept."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import kaiser_logic as kl
from kaiser_logic.batch.playout import record as random_record

from .one import record_of
from .timing import children, least, run, spent

RECORDS = 1_000
"""So many random games are an archive."""


def rows(game_id: str, players: int, folder: str) -> Iterator[list[str]]:
    """Each as a ratio to a check with nothing kept."""
    record = record_of(kl.load(game_id, players=players))
    file = Path(folder) / "a.game"
    file.write_text(str(record), encoding="utf-8")

    def took(cache: str, *arguments: str, times: int = 5) -> float:
        return least(lambda: run(arguments, cache, bytecode=f"{folder}/bytecode"), times, clock=children)

    kept = f"{folder}/kept"
    check = ("-m", "kaiser_logic", "check", str(file))
    took("off", *check, times=1)
    cold, first, second = took("off", *check), took(kept, *check, times=1), took(kept, *check)
    load = ("-c", f"import kaiser_logic as kl; kl.load({game_id!r}).initial()")
    memory = f"import kaiser_logic as kl; kl.check({str(file)!r}); print(open('/proc/self/status').read())"
    name = f"{game_id}, {players} players, {len(record.moves)} moves"
    yield [f"check, nothing kept ({name})", f"1 ({cold:.2f} s)"]
    yield ["check, first time with a folder for what is kept", f"{first / cold:.2f}"]
    yield ["check, everything kept", f"{second / cold:.2f}"]
    yield ["the game loaded, its first position: nothing kept", f"{took('off', *load) / cold:.2f}"]
    yield ["the game loaded, its first position: everything kept", f"{took(kept, *load) / cold:.2f}"]
    yield ["memory of a process that checks it", f"{_peak(run(('-c', memory))) / 1024:.0f} MB"]
    yield archive(game_id, players, folder)


def _peak(status: str) -> int:
    """The most memory that a process has had, in kB; what the operating system accounts begins with its parent's."""
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])


def archive(game_id: str, players: int, folder: str) -> list[str]:
    """Many records checked by two processes, once code and circuits are kept: by the clock, as that is what one waits for."""
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
        f"{RECORDS:,} records of {moves // RECORDS} moves, `--jobs 2`, by the clock",
        f"{RECORDS / seconds:.0f} a second",
    ]


HEAD = ("a new process", "processor's time")
