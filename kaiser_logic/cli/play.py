"""The command ``play``: random games, and games played by hand."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Final

from ..errors import WrongUsage
from .common import add_game, game_of, natural, replayed
from .console import HELP, Console, PlainConsole, assisted
from .table import Table

if TYPE_CHECKING:
    from ..play.match import Match

_LONGEST: Final = 10_000
"""The moves after which a random game is stopped."""


def add_play(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``play``."""
    parser.epilog = (
        f"by hand you type at each decision:\n{HELP}\nThe record goes to standard output at the end. On a "
        "terminal, with the extra [terminal] installed,\nthere are completion (Tab), history, filters by "
        "typing, prices and colours (not with NO_COLOR, nor where\nTERM is dumb)."
    )
    add_game(parser)
    parser.add_argument("--random", action="store_true", help="play all roles at random and print the record")
    parser.add_argument(
        "--seed", metavar="S", type=natural, help="the seed of random play: equal seeds give equal games"
    )
    parser.add_argument("--moves", metavar="N", type=natural, help="stop after so many moves")
    parser.add_argument(
        "--roles",
        metavar='"R ..."',
        help="who is played by hand, and shown only what they see; the others play at random"
        " (default: all but chance, shown everything)",
    )
    parser.add_argument("--resume", metavar="FILE[@N]", help="go on from a record, under its own rules")
    parser.add_argument(
        "--plain", action="store_true", help="lines of text without completion and colours, as in a pipe"
    )
    parser.set_defaults(run=play)


def play(args: argparse.Namespace) -> int:
    """Plays a game and prints its record."""
    from ..play.match import Match, Observers

    course = Match(game_of(args)) if args.resume is None else resumed(args)
    game = course.game
    seed = Random().randrange(10**6) if args.seed is None else args.seed
    manual = () if args.random else game.seats
    if args.roles is not None:
        manual = tuple(args.roles.replace(",", " ").split())
        unknown = [role for role in manual if role not in game.roles]
        if unknown or args.random:
            raise WrongUsage(
                f"--roles: {', '.join(unknown)} takes no part"
                if unknown
                else "--roles and --random contradict"
            )
    console = PlainConsole() if args.random or args.plain else console_here(game.seats)
    limit = _LONGEST if args.moves is None else args.moves
    observers = Observers(manual if args.roles else ())
    table = Table(course, Random(seed), manual, limit, args.board, observers, console)
    if not args.random:
        console.say("Type 'help' for help.")
    try:
        table.run()
    finally:
        table.finish({"Seed": str(seed)} if table.by_chance else {})
    return 0


def resumed(args: argparse.Namespace) -> Match:
    """The game of a record, continued from its last move; the options that configure a game do not apply."""
    from ..engine.symbols import symbol
    from ..notation.record import Move
    from ..play.match import Match

    replay = replayed(args.resume)
    record = replay.record
    if not all(isinstance(item, Move) for item in record.items[:1]):
        raise WrongUsage(f"{args.resume} starts from a position: only games from their start can be resumed")
    if replay.game.id != args.game and str(args.game) != str(record.source):
        raise WrongUsage(f"{args.resume} is a game of {replay.game.id}, not {args.game}")
    course = Match(replay.game)
    for move in record.moves[: replay.moves]:
        assert move.action is not None
        course.do(move.role, symbol(move.action))
    return course


def console_here(seats: Sequence[str]) -> Console:
    """The best console that there is: on a terminal that can do more, and with the extra installed, one with more.

    Args:
        seats: The players.
    """
    if not assisted():
        return PlainConsole()
    from .terminal import Terminal

    return Terminal(seats)


COMMANDS: Final = {"play": add_play}
"""What adds the arguments of each command."""
