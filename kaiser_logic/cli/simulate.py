"""The commands ``simulate`` and ``perft``: random games and their results; the numbers of sequences of decisions."""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..engine.configuration import ENGINES
from ..errors import WrongUsage, visible_name
from .common import (
    about,
    add_configuration,
    add_flag,
    add_format,
    add_game,
    add_jobs,
    add_option,
    add_scheduler,
    add_seed,
    align_rows,
    columns,
    file_at,
    game_from,
    game_of,
    natural,
    note_board,
    positive,
    print_note,
    replay_to,
)
from .exit_codes import DONE
from .outputs import add_replace, write_record
from .progress import clear, progress

if TYPE_CHECKING:
    from ..batch.playing import Estimate, Results, RuleCount, Summary
    from ..game import Game
    from ..position import Position

_GAMES: Final = 100
_MANY: Final = 1000
"""From this number of games on, circuits are worth their construction."""
_CSV: Final = ("share", "points", "decisions")


def add_simulate(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``simulate``."""
    add_game(parser)
    add_option(parser, "--games", "N", f"the number of games (default: {_GAMES})", type=positive, default=_GAMES)
    add_seed(parser, "the games: equal seeds give equal games")
    add_jobs(parser)
    add_format(
        parser,
        ("text", "json", "csv"),
        "tables to read (default), all figures as one JSON object, or a line for each seat (csv)",
    )
    parser.add_argument(
        "--engine",
        choices=("batch", *ENGINES),
        help="play many games at once (batch), or one after the other (compiled, clingo); all play the same games"
        f" (default: batch from {_MANY} games on, where NumPy and llvmlite are installed)",
    )
    add_scheduler(parser)
    add_flag(parser, "--rules", "also say how often each rule changes or forbids something (slower)")
    add_option(parser, "--records", "DIR", "also write each game as a record into this folder")
    add_replace(parser, "other records of the same names in this folder")


def simulate(args: argparse.Namespace) -> int:
    """Plays random games and prints their results."""
    from ..batch.playing import summary

    game = game_of(args)
    folder = None if args.records is None else _folder(args.records)
    progress()("preparing the games")
    records = None if folder is None else _Records(game, args, folder, _board_beside(folder, args.board))
    if records is not None:
        records.write_first()
    results = _play_games(game, args)
    clear()
    if records is not None:
        _write(records, args.jobs)
    totals, rules = summary(results), _occurring(game, args)
    if args.format == "json":
        by_rule = {"rules": [asdict(rule) for rule in rules]} if args.rules else {}
        print(json.dumps({**about(game, results.seed), **asdict(totals), **by_rule}))
    elif args.format == "csv":
        _print_csv(totals)
    else:
        print("\n".join([*_text(game, results, totals), *_occurrence_lines(rules, len(results))]))
    return DONE


def _play_games(game: Game, args: argparse.Namespace) -> Results:
    """The results of the games, played by the chosen engine. All engines play the same games."""
    from ..batch.optional import batch_of, is_installed
    from ..batch.playing import play_games

    engine = args.engine
    if args.scheduler is not None and engine == "batch":
        raise WrongUsage("--scheduler: its workers look at one position at a time, without --engine batch")
    if engine is None and args.scheduler is not None:
        engine = ENGINES[0]
    if engine is None:
        engine = "batch" if args.games >= _MANY and is_installed() else ENGINES[0]
    if engine == "batch":
        batch = batch_of(game.evaluator, args.jobs, progress())
        results = batch.play(args.games, args.seed, progress=progress())
        clear()
        if results.fallbacks:
            kinds = ", ".join(sorted({name.partition(" ")[0] for name in batch.refused}))
            print_note(f"{results.fallbacks} decisions were taken one position at a time{kinds and f': {kinds}'}")
        return results
    chosen = game_from(args.game, args, engine=engine)
    return play_games(chosen.evaluator, args.games, args.seed, args.jobs, progress(), args.scheduler)


# -- records -----------------------------------------------------------------------------------------------------------


def _folder(name: str) -> Path:
    """The folder for records, created if it does not exist."""
    folder = Path(name)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _board_beside(folder: Path, board: str | None) -> str | None:
    """The path of the board file from the folder, as the records name it."""
    if board is None:
        return None
    path = Path(os.path.relpath(board, folder)).as_posix()
    note_board(path)
    return path


class _Records:
    """The records of the games in a folder. A record of another game that has such a name is not replaced unasked."""

    def __init__(self, game: Game, args: argparse.Namespace, folder: Path, board: str | None) -> None:
        self.folder, self.number = folder, args.games
        self._game, self._seed, self._board, self._replace = game, args.seed, board, args.replace

    def write(self, numbers: Iterable[int]) -> bool:
        """Writes some of the games."""
        from ..batch.playout import record

        for number in numbers:
            text = str(record(self._game.evaluator, self._seed, number, self._board))
            write_record(self._path(number), text, replace=self._replace)
        return True

    def write_first(self) -> None:
        """Writes the first game of which there is a record already: if that is of another game, the others need not be played."""
        self.write(islice((n for n in range(self.number) if self._path(n).exists()), 1))

    def _path(self, number: int) -> Path:
        width = len(str(self.number - 1))
        return self.folder / f"{self._game.id}-{self._seed}-{number:0{width}}.game"


def _write(records: _Records, jobs: int | None) -> None:
    """Writes all games as records, in child processes."""
    from ..workers import Job, ProcessPool

    parts = [range(first, min(first + 8, records.number)) for first in range(0, records.number, 8)]
    tell = progress()
    pool = ProcessPool(
        [Job(str(part), partial(records.write, part)) for part in parts], jobs or os.cpu_count(), memory=None
    )
    for count, answer in enumerate(pool, 1):
        if answer.failure is not None:
            raise WrongUsage(answer.reason)
        tell(f"records: {count}/{len(parts)}")
    clear()
    print_note(f"{records.number} record{'s'[: records.number > 1]} written to {visible_name(str(records.folder))}")


# -- output ------------------------------------------------------------------------------------------------------------


def _print_csv(totals: Summary) -> None:
    """A line for each seat."""
    out = csv.writer(sys.stdout, lineterminator="\n")
    ends = ("", "_low", "_high")
    out.writerow(["seat", "games", "wins", "alone", *(f"{name}{end}" for name in _CSV for end in ends)])
    for seat in totals.seats:
        estimates: list[Estimate] = [getattr(seat, name) for name in _CSV]
        figures = [round(x, 7) for e in estimates for x in (e.value, e.low, e.high)]
        out.writerow([seat.seat, totals.games, seat.wins, seat.alone, *figures])


def _text(game: Game, results: Results, totals: Summary) -> Iterator[str]:
    """The tables to read."""
    changed = "".join(f", {name}={value}" for name, value in game.configuration.changed)
    games = "1 random game" if totals.games == 1 else f"{totals.games} random games"
    yield f"{game.id}, {game.edition}{changed}, {len(game.seats)} players: {games} of seed {results.seed}"
    yield f"decisions in a game: {_interval(totals.length)}, from {totals.shortest} to {totals.longest}"
    if totals.draws:
        yield f"games that nobody has won: {totals.draws}"
    yield ""
    rows = [("seat", "won", "alone", "share of wins", "points", "decisions")]
    rows += [
        (
            s.seat,
            str(s.wins),
            str(s.alone),
            _interval(s.share, 100, " %"),
            _interval(s.points),
            _interval(s.decisions),
        )
        for s in totals.seats
    ]
    yield from align_rows(rows)
    yield ""
    yield "actions in a game:"
    by_role: dict[str, list[str]] = {}
    for role, kind, times in totals.actions:
        by_role.setdefault(role, []).append(f"{kind} {times / totals.games:.4g}")
    yield from columns([(role, ", ".join(words)) for role, words in by_role.items()])


def _occurring(game: Game, args: argparse.Namespace) -> list[RuleCount]:
    """Counts how often the rules occur, with --rules."""
    if not args.rules:
        return []
    from ..batch.playing import occurrences

    single = game_from(args.game, args, engine=args.engine if args.engine in ENGINES else ENGINES[0])
    counts = occurrences(single.evaluator, args.games, args.seed, args.jobs, progress())
    clear()
    return counts


def _occurrence_lines(rules: Sequence[RuleCount], games: int) -> Iterator[str]:
    """A line for each rule that occurs, and a list of those that never do."""
    occurring = [rule for rule in rules if rule.games]
    if rules:
        yield ""
        rows = [("rules in a game", "act", "forbid", "in games")]
        rows += [
            (r.rule, f"{r.acts / games:.4g}", f"{r.forbids / games:.4g}", f"{100 * r.games / games:.0f} %")
            for r in occurring
        ]
        yield from align_rows(rows)
    never = [rule.rule for rule in rules if not rule.games]
    if never:
        yield from columns([("never", ", ".join(never))])


def _interval(estimate: Estimate, times: float = 1, unit: str = "") -> str:
    """A value with its confidence interval."""
    value, low, high = (f"{times * x:.1f}" for x in (estimate.value, estimate.low, estimate.high))
    return f"{value}{unit} ({low} to {high})"


def add_perft(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``perft``."""
    add_option(
        parser,
        "where",
        "GAME|FILE[@N]",
        "a game, from its start; or a record, from its end or after its first N moves",
    )
    add_option(parser, "depth", "DEPTH", "the number of decisions in a sequence", type=natural)
    add_flag(parser, "--divide", "first print the number of sequences for each first decision")
    add_flag(
        parser,
        "--turns",
        "count the decisions of one turn as one (parts_of_turn in game.toml lists those that continue a turn)",
    )
    parser.add_argument(
        "--engine",
        choices=("batch", *ENGINES),
        default=ENGINES[0],
        help=f"count one position at a time ({ENGINES[0]}, the default, or clingo) or many at once (batch); the counts agree",
    )
    add_configuration(parser)


def perft(args: argparse.Namespace) -> int:
    """Prints the number of sequences of decisions of each length."""
    from ..batch.perft import divide, levels

    start = _start(args)
    if args.divide:
        for actions, count in divide(start, args.depth, engine=args.engine, turns=args.turns):
            line = "  ".join(f"{role}: {action}" for role, action in actions.items())
            print(f"{line} {count}", flush=True)
        print()
    if not args.depth:
        print(0, 1)
    counts = levels(start, args.depth, engine=args.engine, turns=args.turns, progress=progress())
    for depth, count in enumerate(counts, 1):
        clear()
        print(depth, count, flush=True)
    return DONE


def _start(args: argparse.Namespace) -> Position:
    """The position at which the sequences start."""
    from ..notation.sources import file_and_number

    path, _ = file_at(args.where)
    file, number = file_and_number(path)
    if not number and file != "-" and not os.path.isfile(file) and not file.endswith(".game"):
        return game_from(args.where, args).initial()
    for name in ("players", "seats", "board", "start"):
        if getattr(args, name, None):
            raise WrongUsage(f"--{name}: a record says that itself")
    rules = argparse.Namespace(game=None, edition=args.edition, option=args.option)
    return replay_to(args.where, rules).here()
