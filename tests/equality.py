"""All ways to run the rules compared, on as many positions of random games as one likes: ``python -m tests.equality``.

An independent implementation in plain Python (tests/oracles) plays games at random, under all editions, numbers of players
and single rulings in turn. At each decision what it says is legal, and the position that it comes to, are compared with

* *batch*: each position, where NumPy and numba are installed;
* *compiled*: one of some positions, on average;
* *clingo*: one of many; there also what an action breaks that is legal elsewhere, in all three ways.

What has been compared is written down part by part (``--state FILE``): the same command goes on where it was interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from importlib import import_module
from itertools import pairwise
from multiprocessing import current_process
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))

import clingo
from support.independent import GAMES, independent

from kaiser_logic.cache import tool
from kaiser_logic.engine import symbols
from kaiser_logic.evaluation.evaluator import evaluator_of
from kaiser_logic.game import Game, load
from kaiser_logic.position import Position
from kaiser_logic.rules.library import fingerprint
from kaiser_logic.simulation.batched import is_installed
from kaiser_logic.workers import Job, answers, executor

PART = 10_000
"""So many positions are compared at a time, of one game under one configuration."""
TOLD = 5
"""So many differences of a part are told in full."""


class Setup(NamedTuple):
    """A game as it is played: its id, how many play, the edition, and one ruling changed, or none."""

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


def setups(games: Iterable[str], players: Sequence[int] = (), standard: bool = False) -> list[Setup]:
    """All ways to play these games; ``standard``: only the standard edition."""
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
    return [s for s in found if not standard or s[2:4] == ("standard", "")]


class Compared(NamedTuple):
    """What was compared in one part: positions by way, the number of differences, and some of them in words."""

    counts: dict[str, int]
    differences: int
    told: list[str]


@lru_cache(maxsize=500_000)
def read(fact: str) -> clingo.Symbol:
    """A fact or an action."""
    return symbols.read(fact)


class Moment(NamedTuple):
    """A decision as the independent implementation sees it, with the position that follows."""

    facts: frozenset[str]
    legal: Mapping[str, tuple[str, ...]]
    chosen: Mapping[str, str]
    after: frozenset[str]
    over: Any


def moments(setup: Setup, game: Game, random: Random, count: int) -> Iterator[Moment]:
    """Decisions of random games."""
    play = import_module(f"oracles.{setup.game}").random_game
    while count > 0:
        oracle = independent(game.initial())
        course = [(facts, legal, dict(chosen)) for facts, legal, chosen in play(oracle, random)]
        over = oracle.result()
        for one, following in pairwise([*course, (oracle.facts(), {}, {})]):
            if count > 0:
                yield Moment(*one, following[0], None if following[1] else over)
                count -= 1


def compared(setup: Setup, seed: int, count: int, compiled: int, clingo_: int, batch: bool) -> Compared:
    """Compares some positions.

    Args:
        setup: How the game is played.
        seed: Which games.
        count: How many positions.
        compiled: One of so many is asked of the compiled rules.
        clingo_: One of so many is asked of clingo.
        batch: Whether all are asked of a batch.
    """
    getattr(current_process(), "_config", {})["daemon"] = False  # circuits are built in children
    game, random = setup.load(), Random(f"{setup} {seed}")
    counts: Counter[str] = Counter()
    told: list[str] = []
    differences = 0

    def expect(way: str, what: str, found: object, expected: object, moment: Moment) -> None:
        nonlocal differences
        if found != expected:
            differences += 1
            if len(told) < TOLD:
                told.append(
                    f"{setup}, seed {seed}: {what} by {way}: {found!r}, but {expected!r}, after {dict(moment.chosen)}"
                    f" in {' '.join(sorted(moment.facts))}"
                )

    many = list(moments(setup, game, random, count))
    counts["plain"] = len(many)
    positions = [Position(game.evaluator, frozenset(map(read, m.facts))) for m in many]
    if batch:
        its = game.batch()
        packed = its.pack(positions)
        for moment, legal in zip(many, its.legal(packed), strict=True):
            expect("batch", "legal", sets(legal), sets(moment.legal), moment)
        for moment, after in zip(many, its.apply(packed, [m.chosen for m in many]), strict=True):
            expect("batch", "the next position", after.facts, moment.after, moment)
        counts["batch"] = len(many)
    referee = evaluator_of(game.configuration.__class__(**{**vars(game.configuration), "engine": "clingo"}))
    for moment, position in zip(many, positions, strict=True):
        ways = {}
        if not random.randrange(compiled):
            ways["compiled"] = position
        if not random.randrange(clingo_):
            ways |= {"compiled": position, "clingo": Position(referee, position.symbols)}
        for way, its_position in ways.items():
            counts[way] += 1
            expect(way, "legal", sets(its_position.legal()), sets(moment.legal), moment)
            after = its_position.apply(moment.chosen)
            expect(way, "the next position", after.facts, moment.after, moment)
            result = after.result()
            expect(way, "the result", result and (dict(result.points), result.winners), moment.over, moment)
        if "clingo" in ways:
            other = random.choice(many)
            for role, action in other.chosen.items():
                if role in moment.legal:
                    done = {**moment.chosen, role: action}
                    broken = [violated(p, done) for p in ways.values()]
                    expect("compiled", f"what {role}: {action} breaks", broken[0], broken[1], moment)
                    counts["violations"] += 1
    return Compared(dict(counts), differences, told)


def sets(legal: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """What is legal, in one order."""
    return {role: sorted(its) for role, its in legal.items()}


def violated(position: Position, actions: Mapping[str, str]) -> object:
    """What is said of actions."""
    judged = position.evaluator.judge(position.symbols, {role: read(a) for role, a in actions.items()})
    return judged.violations


# -- the run -------------------------------------------------------------------------------------------------------------


def parts(chosen: Sequence[Setup], positions: int, size: int = PART) -> Iterator[tuple[str, Setup, int, int]]:
    """The parts of a run, each with a name, its game, seed and size: the configurations take turns."""
    seed = 0
    while positions > 0:
        for setup in chosen:
            if positions > 0:
                count = min(size, positions)
                yield f"{setup} {seed} {count}", setup, seed, count
                positions -= count
        seed += 1


def run(
    chosen: Sequence[Setup],
    positions: int,
    state: Path | None,
    jobs: int,
    ways: tuple[int, int, bool],
    size: int = PART,
) -> Iterator[tuple[Setup, Compared]]:
    """Compares so many positions, part by part; parts that ``state`` has already are not done again."""
    # what another version of the rules or of the package has compared says nothing about this one
    ours = f"{tool()} {fingerprint()} {ways}"
    known: dict[str, Compared] = {}
    if state is not None and state.exists():
        for line in state.read_text(encoding="utf-8").splitlines():
            with suppress(ValueError):  # one that was being written when the run was ended
                said = json.loads(line)
                part, of = said.pop("part"), said.pop("of")
                if of == ours:
                    known[part] = Compared(**said)
    named = {name: (setup, seed, count) for name, setup, seed, count in parts(chosen, positions, size)}
    for name, (setup, _, _) in named.items():
        if name in known:
            yield setup, known[name]
    calls = (
        Job(name, partial(compared, *which, *ways)) for name, which in named.items() if name not in known
    )
    with executor(jobs) as workers:
        for answer in answers(calls, workers, 2 * jobs):
            found = answer.value or Compared({}, 1, [f"{answer.name}: {answer.failure}"])
            if state is not None and answer.value is not None:
                with state.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"of": ours, "part": answer.name, **found._asdict()}) + "\n")
            yield named[answer.name][0], found


def main(arguments: Sequence[str] | None = None) -> int:
    """Compares, and prints how many positions were compared in which way; 1 where there is a difference."""
    parser = argparse.ArgumentParser(prog="python -m tests.equality", description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES), help="default: all")
    parser.add_argument("--positions", type=int, default=10_000_000, help="default: 10 million")
    parser.add_argument("--players", type=int, nargs="*", default=(), help="default: all numbers")
    parser.add_argument("--standard", action="store_true", help="only the standard edition")
    parser.add_argument("--compiled", type=int, default=20, help="one of so many (20)")
    parser.add_argument("--clingo", type=int, default=400, help="one of so many (400)")
    parser.add_argument("--no-batch", action="store_true", help="no circuits")
    parser.add_argument("--part", type=int, default=PART, help=f"positions of a part ({PART})")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--state", type=Path, help="what has been compared; to go on from there")
    args = parser.parse_args(arguments)
    ways = (args.compiled, args.clingo, not args.no_batch and is_installed())
    chosen = setups(args.games, args.players, args.standard)
    totals: dict[tuple[str, int], Counter[str]] = {}
    differences = done = 0
    for setup, found in run(chosen, args.positions, args.state, args.jobs, ways, args.part):
        totals.setdefault(setup[:2], Counter()).update(found.counts)
        differences += found.differences
        done += found.counts.get("plain", 0)
        for line in found.told:
            print(line, flush=True)
        print(f"\r{done} positions, {differences} differences", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    names = ("plain", "batch", "compiled", "clingo", "violations")
    print("| game | players | " + " | ".join(names) + " |\n|---|---|" + "---|" * len(names))
    for (name, count), its in sorted(totals.items()):
        print(f"| {name} | {count} | " + " | ".join(f"{its[way]:,}" for way in names) + " |")
    print(f"\n{done:,} positions, {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
