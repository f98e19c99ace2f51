"""Measures how fast the package is: several methods answer the same questions, and the page shows their times as ratios.

``python -m tests.benchmarks`` prints the table of docs/develop/performance.md, ``--write`` puts it there, ``--quick`` leaves out
batches. The methods: *sliced* (clingo grounds the slice), *compiled* (the default), *plain* (an independent implementation of the
game in Python, tests/oracles), *batch* (many positions at once). Times are CPU times, so that other work on the machine does not
distort them. The answers of all methods must agree.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.independent import independent

import kaiser_logic as kl
from kaiser_logic.batch.playout import playout
from kaiser_logic.engine.compiled import relations
from kaiser_logic.evaluation.evaluator import Evaluator, evaluator_of
from kaiser_logic.play.match import random_actions
from kaiser_logic.position import Position

PAGE = Path(__file__).parents[2] / "docs" / "develop" / "performance.md"
MARKS = ("<!-- the table: python -m tests.benchmarks --write -->\n", "<!-- its end -->\n")
SAMPLE, MOST = 24, 300
"""The size of the sample, and the most decisions of the random game from which it is drawn."""
LANES, GAMES = 16_384, 20
"""The size of a batch, and the number of random games that plain Python plays beside it."""
HEAD = (
    "game", "a move judged and carried out", "legal actions listed", "decisions a second, one by one",
    "times as fast as clingo", "random games a second, batch of 16,384", "times as fast as plain Python",
)  # fmt: skip
Decision = tuple[Any, Mapping[str, str]]
LEGAL: Mapping[str, Callable[[Decision], object]] = {
    "sliced": lambda a: a[0].legal(),
    "compiled": lambda a: a[0].legal(),
    "plain": lambda a: {role: tuple(sorted(its)) for role, its in a[0].legal().items()},
}
APPLY: Mapping[str, Callable[[Decision], object]] = {
    "sliced": lambda a: a[0].apply(a[1]).symbols,
    "compiled": lambda a: a[0].apply(a[1]).symbols,
}
ENGINES = {"sliced": "clingo", "compiled": "compiled"}


def spent(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def decisions(game: kl.Game) -> list[Decision]:
    """The decisions of a random game, or of its beginning: the positions, each with the chosen actions."""
    position, random, found = game.initial(), Random(1), list[Decision]()
    while position.to_move and len(found) < MOST:
        chosen = {role: str(action) for role, action in random_actions(position, random).items()}
        found.append((position, chosen))
        position = position.apply(chosen)
    return found


def by_engine(position: Position, engine: str) -> Evaluator:
    """The evaluator of the position's game with this engine."""
    return evaluator_of(replace(position.ruleset.configuration, engine=engine))


def ready(position: Position, method: str) -> Any:
    """The position for a method, with empty caches."""
    if method == "plain":
        return independent(position)
    relations._given.clear()
    return Position(by_engine(position, ENGINES[method]), position.symbols)


def listable(position: Position) -> bool:
    try:
        return bool(position.legal())
    except kl.NotDecided:
        return False


def measured(methods: Mapping[str, Callable[[Decision], object]], sample: Sequence[Decision]) -> float:
    """The seconds of the compiled rules for a question. The methods take turns; their answers must be the same."""
    took = 0.0
    for first in (True, False):  # slicing and compiling happen once in a process, and are not counted
        for position, chosen in sample:
            answers = []
            for name, method in methods.items():
                here = (ready(position, name), chosen)
                start = time.process_time()
                answers.append(method(here))
                took += (time.process_time() - start) * (name == "compiled" and not first)
            assert all(answer == answers[0] for answer in answers), position
    return took / len(sample)


def played(initial: Position) -> tuple[int, dict[str, float]]:
    """The decisions of a random game, the same one with both engines, and the seconds of each."""
    for number in range(100):
        try:
            length = sum(1 for _ in playout(by_engine(initial, "compiled"), 1, number))
            break
        except kl.NotDecided:  # there are too many sets of cards to list
            continue
    return length, {
        method: spent(lambda e=engine: [*playout(by_engine(initial, e), 1, number)])
        for method, engine in ENGINES.items()
    }


def play_plainly(initial: Position) -> None:
    """Plays random games with the independent implementation, which lists the legal actions in order."""
    random = Random(1)
    for _ in range(GAMES):
        game = independent(initial)
        while legal := game.legal():
            game.play({role: random.choice(actions) for role, actions in legal.items()})


def in_a_batch(game: kl.Game) -> list[str]:
    """Random games a second in a batch, beside those of plain Python."""
    batch: Any = game.batch()
    batch.store.ensure(whole=True)
    batch.play(64)
    plain = min(spent(lambda: play_plainly(game.initial())) for _ in range(3)) / GAMES
    many = min(spent(lambda: batch.play(LANES, 2, lanes=LANES)) for _ in range(3)) / LANES
    return [f"{1 / many:,.0f}", f"{ratio(plain / many)} times"]


def ratio(value: float) -> str:
    """A ratio with two significant digits."""
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def row(game: kl.Game, quick: bool) -> list[str]:
    """The cells of a game."""
    mixed = Random(2).sample(every := decisions(game), min(2 * SAMPLE, len(every)))
    applied = measured(APPLY, mixed[:SAMPLE])
    listed = measured(LEGAL, [one for one in mixed if listable(one[0])][:SAMPLE])
    length, times = played(game.initial())
    return [
        f"{game.id}, {len(game.seats)} players", f"{ratio(applied * 1000)} ms", f"{ratio(listed * 1000)} ms",
        f"{length / times['compiled']:,.0f}", f"{ratio(times['sliced'] / times['compiled'])} times",
        *(["", ""] if quick else in_a_batch(game)),
    ]  # fmt: skip


def rows(names: Sequence[str], players: Sequence[int], folder: str, quick: bool) -> Iterator[list[str]]:
    """The rows; each is printed as soon as it is measured."""
    for name in names:
        allowed = kl.load(name).book.manifest["players"]
        for number in players or dict.fromkeys([max(2, min(allowed)), 4]):
            if number in allowed:
                os.environ["KAISER_LOGIC_CACHE"] = f"{folder}/{name}{number}"  # for the circuits of this game
                yield (found := row(kl.load(name, players=number), quick))
                print(*found, sep=" | ", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("games", nargs="*", default=kl.games(), help="default: all")
    parser.add_argument("--players", type=int, nargs="*", help="default: the smallest number, and 4")
    parser.add_argument("--quick", action="store_true", help="measure only one position at a time")
    parser.add_argument("--write", action="store_true", help="write the table into the page")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cells = [HEAD, ["---"] * len(HEAD), *rows(args.games, args.players or (), folder, args.quick)]
    table = "".join(f"| {' | '.join(line)} |\n" for line in cells)
    print(table)
    if args.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(MARKS[0])
        after = rest.partition(MARKS[1])[2]
        PAGE.write_text(f"{before}{MARKS[0]}\n{table}\n{MARKS[1]}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
