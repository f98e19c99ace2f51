"""One table, in one run: the same questions answered in several ways, as ratios to the compiled rules.

The ways: *naive* (all rules as text into clingo, solved), *sliced* (clingo grounds the slice), *compiled* (the default),
*plain* (an independent implementation of the game in Python, tests/oracles), *batch* (many positions at once, where the
package has it). Times are the processor's, so that a busy machine does not blur them; answers must agree.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.independent import independent

import kaiser_logic as kl
from kaiser_logic.engine import symbols
from kaiser_logic.engine.compiled import given
from kaiser_logic.evaluation.evaluator import evaluator_of
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.record import Record
from kaiser_logic.play.match import Match
from kaiser_logic.play.playout import random_actions
from kaiser_logic.position import Position
from kaiser_logic.records.replay import Replay

from . import naive

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "develop" / "performance.md"
MARKS = ("<!-- the table: python -m tests.benchmarks --write -->\n", "<!-- its end -->\n")
SAMPLE = 24
NAIVE = 3
"""So many of them the naive way: it takes some hundred times as long."""
WAYS = ("naive", "sliced", "compiled", "plain", "batch")
MOST = 300


class Row(NamedTuple):
    """A line of the table: what is measured, of which game, and the seconds of each way."""

    what: str
    game: str
    times: Mapping[str, float]


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

Decision = tuple[Position, Mapping[str, str]]


def record_of(game_id: str, players: int) -> Record:
    """A random game of so many players, or its first moves."""
    match, random = Match(kl.load(game_id, players=players)), Random(1)
    while match.deciding and len(match.moves) < MOST:
        for role, action in random_actions(match.position, random).items():
            match.do(role, action)
    return match.record()


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


def fresh(position: Position, engine: str) -> Position:
    """The position, remembering nothing, evaluated in one of the ways."""
    given._given.clear()
    configuration = position.ruleset.configuration
    return Position(
        evaluator_of(type(configuration)(**{**vars(configuration), "engine": engine})), position.symbols
    )


def listable(position: Position) -> bool:
    """Whether there are few enough legal actions to be listed."""
    try:
        return bool(position.legal())
    except kl.NotDecided:
        return False


# -- rows --------------------------------------------------------------------------------------------------


def compared(
    what: str, game: str, ways: Mapping[str, Callable[[Any], object]], made: Mapping[str, Callable[[Position], Any]],
    sample: Sequence[Decision],
) -> Row:  # fmt: skip
    """One question in several ways, decision by decision in turn; the answers must be the same."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    for name in ways:
        if name != "naive":  # cuts and compiles, once in a process
            for position, chosen in sample:
                ways[name]((made[name](position), chosen))
    for number, (position, chosen) in enumerate(sample):
        answers = {}
        for name, way in ways.items():
            if name == "naive" and number >= NAIVE:
                continue
            asked = (made[name](position), chosen)
            start = clock()
            answers[name] = way(asked)
            times[name].append(clock() - start)
        shown = {name: answer for name, answer in answers.items() if answer is not None}
        assert all(answer == next(iter(shown.values())) for answer in shown.values()), (
            what,
            position,
            shown.keys(),
        )
    return Row(what, game, {name: sum(spent) / len(spent) for name, spent in times.items()})


def judged(asked: tuple[Position, Mapping[str, str]]) -> set[str]:
    """The rules that actions break."""
    position, chosen = asked
    actions = {role: symbols.read(action) for role, action in chosen.items()}
    return {rule for _, _, rule in position.evaluator.judge(position.symbols, actions).violations}


def evaluation(game_id: str, players: int, batch: bool = True) -> Iterator[Row]:
    """Legal actions, one action judged, one carried out, a whole game checked."""
    record = record_of(game_id, players)
    name = f"{game_id}, {players} players"
    played = decisions(record)
    sample = [one for one in Random(2).sample(played, min(2 * SAMPLE, len(played))) if listable(one[0])][
        :SAMPLE
    ]
    made: dict[str, Callable[[Position], Any]] = {
        "naive": lambda p: fresh(p, "compiled"),
        "sliced": lambda p: fresh(p, "clingo"),
        "compiled": lambda p: fresh(p, "compiled"),
        "plain": independent,
    }
    legal: dict[str, Callable[[Any], object]] = {
        "naive": lambda a: naive.legal(a[0]),
        "sliced": lambda a: a[0].legal(),
        "compiled": lambda a: a[0].legal(),
        "plain": lambda a: {role: tuple(sorted(its)) for role, its in a[0].legal().items()},
    }
    row = compared("legal actions of a position", name, legal, made, sample)
    many = batched(record, [position for position, _ in played]) if batch else {}
    yield row._replace(times={**row.times, **many})
    judging: dict[str, Callable[[Any], object]] = {
        "naive": lambda a: naive.judge(*a),
        "sliced": judged,
        "compiled": judged,
    }
    yield compared("a move judged", name, judging, made, sample)
    done: dict[str, Callable[[Any], object]] = {
        "sliced": lambda a: a[0].apply(a[1]).symbols,
        "compiled": lambda a: a[0].apply(a[1]).symbols,
        "plain": lambda a: a[0].apply(a[1]),
    }
    yield compared("a move judged and carried out", name, done, made, sample)
    text = str(record)
    yield Row(
        f"a record of {len(record.moves)} moves, warm", name, {"compiled": least(lambda: checked(text))}
    )


def checked(text: str) -> None:
    """A record read and checked in a process that has checked others."""
    given._given.clear()
    assert kl.check(parse_record(text)).ok


def batched(record: Record, positions: Sequence[Position]) -> dict[str, float]:
    """The time of a position among many, where the package evaluates many at once."""
    game = positions[0].ruleset.configuration
    try:
        batch = kl.load(record.game_id, players=len(game.seats)).batch()  # type: ignore[attr-defined]
        many = [position for position in positions for _ in range(4096 // len(positions) + 1)]
        batch.legal_numbers(many)
        return {"batch": least(lambda: batch.legal_numbers(many)) / len(many)}
    except (AttributeError, ImportError, kl.KaiserLogicError):
        return {}


def processes(game_id: str, players: int) -> Iterator[tuple[str, str]]:
    """What a new process costs, against one in which nothing is kept."""
    record = record_of(game_id, players)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.game"
        file.write_text(str(record), encoding="utf-8")
        many = Path(folder) / "many"
        many.mkdir()
        for number in range(60):
            (many / f"{number}.game").write_text(str(record), encoding="utf-8")

        def run(cache: str, *arguments: str, times: int = 3) -> float:
            written = {
                "PYTHONPYCACHEPREFIX": str(Path(folder) / "bytecode")
            }  # as where the package is installed
            environment = {**os.environ, **written, "KAISER_LOGIC_CACHE": cache, "PYTHONPATH": str(ROOT)}
            environment.pop("PYTHONDONTWRITEBYTECODE", None)
            command = [sys.executable, *arguments]
            call = partial(
                subprocess.run, command, check=True, capture_output=True, cwd=ROOT, env=environment
            )
            return least(call, times, clock=children)

        kept = str(Path(folder) / "kept")
        check = ("-m", "kaiser_logic", "check", str(file))
        run("off", *check, times=1)
        cold, first, second = run("off", *check), run(kept, *check, times=1), run(kept, *check)
        load = ("-c", f"import kaiser_logic as kl; kl.load({game_id!r}).initial()")
        name = f"{game_id}, {players} players, {len(record.moves)} moves"
        yield f"check, nothing kept ({name})", "1.00"
        yield "check, first time with a folder for what is kept", f"{first / cold:.2f}"
        yield "check, everything kept", f"{second / cold:.2f}"
        yield "the game loaded, its first position: nothing kept", f"{run('off', *load) / cold:.2f}"
        yield "the game loaded, its first position: everything kept", f"{run(kept, *load) / cold:.2f}"
        archive = ("-m", "kaiser_logic", "check", "--jobs", "2", str(many))
        yield "a record of 60, with two processes", f"{run(kept, *archive, times=1) / 60 / cold:.2f}"
        memory = "import resource as r, kaiser_logic as kl; kl.check({!r}); print(r.getrusage(r.RUSAGE_SELF).ru_maxrss)"
        used = subprocess.run(
            [sys.executable, "-c", memory.format(str(file))],
            check=True,
            capture_output=True,
            text=True,
            cwd=ROOT,
        )
        yield "memory of a process that checks it", f"{int(used.stdout) / 1024:.0f} MB"


# -- the table ---------------------------------------------------------------------------------------------


def table(rows: Sequence[Row]) -> Iterator[str]:
    """The rows as ratios to the compiled rules: how many times as long; of those how long, too."""
    yield f"| what | of | {' | '.join(WAYS)} |"
    yield "|---|---|" + "---|" * len(WAYS)
    for row in rows:
        base = row.times["compiled"]
        cells = [_ratio(row.times[way] / base) if way in row.times else "" for way in WAYS]
        cells[WAYS.index("compiled")] = f"1 ({_ratio(base * 1000)} ms)"
        yield f"| {row.what} | {row.game} | {' | '.join(cells)} |"


def _ratio(value: float) -> str:
    """A ratio with two digits that count."""
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def main() -> None:
    """Measures, and prints the table or writes it into the page."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "games", nargs="*", default=["kaiser", "krone", "staufer", "vive"], help="default: all"
    )
    parser.add_argument(
        "--players", type=int, nargs="*", help="default: 2 and 4, or the fewest of a game for more"
    )
    parser.add_argument("--no-batch", nargs="*", default=(), help="of these games no circuits are built")
    parser.add_argument("--write", action="store_true", help="write it into docs/develop/performance.md")
    args = parser.parse_args()
    rows = []
    for game_id in args.games:
        allowed = kl.load(game_id).book.manifest["players"]
        for players in args.players or dict.fromkeys([max(2, min(allowed)), 4]):
            if players in allowed:
                for row in evaluation(game_id, players, game_id not in args.no_batch):
                    rows.append(row)
                    print(row, file=sys.stderr, flush=True)
    lines = [*table(rows), "", "| a new process | processor's time |", "|---|---|"]
    lines += [f"| {what} | {value} |" for what, value in processes(args.games[0], 4)]
    text = "\n".join(lines) + "\n"
    if args.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(MARKS[0])
        PAGE.write_text(
            before + MARKS[0] + "\n" + text + "\n" + MARKS[1] + rest.partition(MARKS[1])[2], encoding="utf-8"
        )
    else:
        print(text)


if __name__ == "__main__":
    main()
