"""Compares all ways to evaluate the rules, on positions of random games: ``python -m tests.equality``.

An independent implementation in plain Python (tests/oracles) plays games at random, under all editions, numbers of players
and single rulings in turn. At each decision its legal actions and its next position are compared with

* *batch*: each position, where NumPy and llvmlite are installed;
* *compiled*: a sample of the positions, and the result of each game;
* *clingo*: a smaller sample. Here an action that is legal elsewhere is judged too, and the broken rules are compared.

A batch is compared by rows and by numbers of actions (support/coded.py), so that every fact and every legal action of each
position is compared quickly. Positions that do not fit into a row, and those of the samples, are compared as texts.

``--state FILE`` stores the result of each part: the same command continues where it was interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from math import inf
from multiprocessing import current_process
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))

from support.courses import Course, Moment, against, sets
from support.independent import GAMES, independent

from kaiser_logic.batch.layout import Layout
from kaiser_logic.batch.optional import is_installed
from kaiser_logic.cache import key_of, tool
from kaiser_logic.engine import symbols
from kaiser_logic.evaluation.evaluator import evaluator_of
from kaiser_logic.game import Game, load
from kaiser_logic.position import Position
from kaiser_logic.rules.library import fingerprint
from kaiser_logic.workers import Job, answers, executor, run_job

PART = 10_000
"""The number of positions of a part: one game under one configuration."""
TURN = 20
"""The largest number of parts of one configuration in a row. Each change of configuration loads other circuits."""
SHOWN = 5
"""How many differences of a part are shown in full."""


class Setup(NamedTuple):
    """A configuration of a game: its id, the number of players, the edition, and at most one changed ruling."""

    game: str
    players: int
    edition: str = "standard"
    ruling: str = ""
    value: str = ""

    def load(self) -> Game:
        """The game."""
        options = {self.ruling: self.value} if self.ruling else {}
        return load(self.game, players=self.players, edition=self.edition, options=options)

    def __str__(self) -> str:
        ruling = f", {self.ruling}={self.value}" if self.ruling else ""
        return f"{self.game}, {self.players} players, {self.edition}{ruling}"


def setups(games: Iterable[str], players: Sequence[int] = (), which: str = "all") -> list[Setup]:
    """The configurations of these games; ``which``: one of `SCOPES`."""
    found = []
    for name in games:
        book = load(name).book
        for count in book.manifest["players"]:
            if players and count not in players:
                continue
            found += [Setup(name, count, edition) for edition in book.editions]
            for ruling in book.rulings.values():
                usual = ruling.by_edition["standard"]
                found += [Setup(name, count, "standard", ruling.name, v) for v in ruling.values if v != usual]
    return [setup for setup in found if SCOPES[which](setup)]


SCOPES: dict[str, Callable[[Setup], bool]] = {
    "all": lambda setup: True,
    "standard": lambda setup: setup[2:4] == ("standard", ""),
    "editions": lambda setup: not setup.ruling,
    "rulings": lambda setup: bool(setup.ruling),
}
"""Which configurations: all, the standard edition, all editions, or the standard edition with one ruling changed."""


class Compared(NamedTuple):
    """The result of one part: numbers of positions by evaluator, the number of differences, and some of them as text."""

    counts: dict[str, int]
    differences: int
    shown: list[str]


class Differences:
    """The differences of a part."""

    def __init__(self, part: str) -> None:
        """``part``: its name."""
        self.part, self.count = part, 0
        self.shown: list[str] = []

    def expect(self, way: str, what: str, found: object, expected: object, moment: Moment) -> None:
        """Counts a difference if an evaluator's answer is not the expected one."""
        if found != expected:
            self.count += 1
            if len(self.shown) < SHOWN:
                self.shown.append(
                    f"{self.part}: {what} by {way}: {found!r}, but {expected!r}, after {dict(moment.chosen)}"
                    f" in {' '.join(sorted(moment.facts))}"
                )


_circuits: dict[Setup, Any] = {}
"""The batch in use. The circuits of all configurations together would fill the memory."""


def batch_of(setup: Setup, game: Game, jobs: int = 1) -> Any:
    """The game as a batch; ``jobs``: how many processes build circuits that are not in the cache."""
    from kaiser_logic.batch.batch import Batch

    if setup not in _circuits:
        _circuits.clear()
        _circuits[setup] = Batch(game.evaluator, jobs)
    return _circuits[setup]


def build(setup: Setup, jobs: int) -> None:
    """Builds the circuits that are not in the cache yet."""
    getattr(current_process(), "_config", {})["daemon"] = False  # circuits are built in children
    batch_of(setup, setup.load(), jobs).store.need()


def played(setup: Setup, game: Game, seed: int, count: int, layout: Layout | None = None) -> Course:
    """Decisions of random games of the independent implementation."""
    course = Course(layout)
    first = independent(game.initial())
    course.play(first, import_module(f"oracles.{setup.game}").random_game, Random(f"{setup} {seed}"), count)
    return course


def compared(setup: Setup, seed: int, count: int, compiled: int, clingo_: int, batch: bool) -> Compared:
    """Compares some positions.

    Args:
        setup: The configuration.
        seed: The seed of the random games.
        count: The number of positions.
        compiled: One position in so many is compared with the compiled rules; all results of games are.
        clingo_: One position in so many is compared with clingo.
        batch: Whether all positions are compared with a batch.
    """
    getattr(current_process(), "_config", {})["daemon"] = False  # circuits are built in children
    game, draw = setup.load(), Random(f"{setup} {seed} sample")
    its = batch_of(setup, game) if batch else None
    course = played(setup, game, seed, count, None if its is None else its.store.layout)
    counts = Counter({"plain": len(course), "ends": len(course.over)})
    found = Differences(f"{setup}, seed {seed}")
    by_clingo = {place for place in range(len(course)) if not draw.randrange(clingo_)}
    sample = sorted(by_clingo | {place for place in range(len(course)) if not draw.randrange(compiled)})
    if its is not None:
        against(its, course, sample, found.expect)
        counts["batch"] = len(course)
    referee = evaluator_of(game.configuration.__class__(**{**vars(game.configuration), "engine": "clingo"}))
    for place, over in course.over.items():
        found.expect(
            "compiled",
            "the result",
            *ended(course.position(game.evaluator, place, True), over),
            course[place],
        )
    for place in sample:
        moment, ways = course[place], {"compiled": game.evaluator}
        if place in by_clingo:
            ways["clingo"] = referee
        for way, evaluator in ways.items():
            counts[way] += 1
            position = course.position(evaluator, place)
            found.expect(way, "legal", sets(position.legal()), sets(moment.legal), moment)
            after = position.apply(moment.chosen)
            found.expect(way, "the next position", after.facts, moment.after, moment)
            found.expect(way, "the result", *ended(after, moment.over), moment)
        if place in by_clingo:
            for role, action in draw.choice(course.chosen).items():
                if role in moment.legal:
                    done = {**moment.chosen, role: action}
                    broken = [violated(course.position(its_own, place), done) for its_own in ways.values()]
                    found.expect("compiled", f"what {role}: {action} breaks", broken[0], broken[1], moment)
                    counts["violations"] += 1
    return Compared(dict(counts), found.count, found.shown)


def ended(position: Position, expected: object) -> tuple[object, object]:
    """The result of a position in the form of the independent implementation (None if the game goes on), and its result."""
    result = position.result()
    return result and (dict(result.points), result.winners), expected


def violated(position: Position, actions: Mapping[str, str]) -> object:
    """The violations of some actions."""
    judged = position.evaluator.judge(
        position.symbols, {role: symbols.read_symbol(a) for role, a in actions.items()}
    )
    return judged.violations


# -- the run -------------------------------------------------------------------------------------------------------------


def parts(
    chosen: Sequence[Setup], positions: int | Mapping[str, int], size: int = PART
) -> Iterator[tuple[str, Setup, int, int]]:
    """The parts of a run: name, configuration, seed and size. The configurations take turns.

    Args:
        chosen: The configurations.
        positions: The number of positions of all configurations together, or of each game.
        size: The number of positions of a part.
    """
    shares = positions if isinstance(positions, Mapping) else {"": positions}
    for game, left in shares.items():
        its = [setup for setup in chosen if game in ("", setup.game)]
        turn = max(1, min(TURN, left // (size * max(1, len(its)))))
        first = 0
        while left > 0 and its:
            for setup in its:
                for seed in range(first, first + turn):
                    if left > 0:
                        count = min(size, left)
                        yield f"{setup} {seed} {count}", setup, seed, count
                        left -= count
            first += turn


@cache
def comparing_code() -> str:
    """A hash of the comparing code and of the independent implementations."""
    here = Path(__file__).parent
    names = ("equality.py", "support/coded.py", "support/courses.py", "support/independent.py")
    files = [*(here / name for name in names), *sorted((here / "oracles").glob("*.py"))]
    return key_of(*(path.read_bytes() for path in files))


def run(
    chosen: Sequence[Setup],
    positions: int | Mapping[str, int],
    state: Path | None,
    jobs: int,
    ways: tuple[int, int, bool],
    size: int = PART,
) -> Iterator[tuple[Setup, Compared]]:
    """Compares so many positions, part by part; parts whose result is in ``state`` are not repeated."""
    # results of another version of the rules, of the package or of this module do not count
    ours = f"{tool()} {fingerprint()} {comparing_code()} {ways}"
    known: dict[str, Compared] = {}
    if state is not None and state.exists():
        for line in state.read_text(encoding="utf-8").splitlines():
            with suppress(ValueError):  # a line that was being written when the run ended
                stored = json.loads(line)
                part, version = stored.pop("part"), stored.pop("version")
                if version == ours:
                    known[part] = Compared(**stored)
    named = {name: (setup, seed, count) for name, setup, seed, count in parts(chosen, positions, size)}
    for name, (setup, _, _) in named.items():
        if name in known:
            yield setup, known[name]

    def calls() -> Iterator[Job[Compared]]:
        ready: set[Setup] = set()
        for name, which in named.items():
            if name not in known:
                if ways[2] and which[0] not in ready:  # else each process would build the same circuits
                    run_job(partial(build, which[0], jobs), inf, None)
                    ready.add(which[0])
                yield Job(name, partial(compared, *which, *ways))

    with executor(jobs) as workers:
        for answer in answers(calls(), workers, 2 * jobs):
            found = answer.value or Compared({}, 1, [f"{answer.name}: {answer.failure}"])
            if state is not None and answer.value is not None:
                with state.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"version": ours, "part": answer.name, **found._asdict()}) + "\n")
            yield named[answer.name][0], found


def main(arguments: Sequence[str] | None = None) -> int:
    """Compares, and prints how many positions were compared with which evaluator; 1 if there is a difference."""
    parser = argparse.ArgumentParser(prog="python -m tests.equality", description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES), help="default: all")
    parser.add_argument(
        "--positions",
        type=share,
        nargs="+",
        default=[("", 10_000_000)],
        help="number of positions, or GAME=NUMBER for each game",
    )
    parser.add_argument(
        "--players", type=int, nargs="*", default=(), help="numbers of players (default: all)"
    )
    for which in list(SCOPES)[1:]:
        parser.add_argument(f"--{which}", dest="which", action="store_const", const=which, default="all")
    parser.add_argument("--compiled", type=int, default=20, help="compare one position in so many (20)")
    parser.add_argument("--clingo", type=int, default=400, help="compare one position in so many (400)")
    parser.add_argument("--no-batch", action="store_true", help="no circuits")
    parser.add_argument("--part", type=int, default=PART, help=f"number of positions of a part ({PART})")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--state", type=Path, help="file of the results, to continue an interrupted run")
    args = parser.parse_args(arguments)
    ways = (args.compiled, args.clingo, not args.no_batch and is_installed())
    shares = dict(args.positions)
    chosen = setups(args.games, args.players, args.which)
    totals: dict[tuple[str, int], Counter[str]] = {}
    met: dict[tuple[str, int], set[Setup]] = {}
    differences = done = 0
    for setup, found in run(chosen, shares.get("", shares), args.state, args.jobs, ways, args.part):
        totals.setdefault(setup[:2], Counter()).update(found.counts)
        met.setdefault(setup[:2], set()).add(setup)
        differences += found.differences
        done += found.counts.get("plain", 0)
        for line in found.shown:
            print(line, flush=True)
        print(f"\r{done} positions, {differences} differences", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    names = ("plain", "batch", "compiled", "clingo", "violations", "ends")
    print(
        "| game | players | "
        + " | ".join(names)
        + " | configurations |\n|---|---|"
        + "---|" * (len(names) + 1)
    )
    for (name, count), its in sorted(totals.items()):
        numbers = " | ".join(f"{its[way]:,}" for way in names)
        print(f"| {name} | {count} | {numbers} | {len(met[name, count])} |")
    print(f"\n{done:,} positions, {differences} differences")
    return 1 if differences else 0


def share(text: str) -> tuple[str, int]:
    """A game and its number of positions; without a game the number is for all games together."""
    game, _, number = text.rpartition("=")
    return game, int(number)


if __name__ == "__main__":
    sys.exit(main())
