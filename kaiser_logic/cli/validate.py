"""The command ``validate``: reports the invariants that a position breaks."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from ..errors import UnreadableInput, WrongUsage, visible_name
from .common import add_configuration, configured, print_note, under

if TYPE_CHECKING:
    from ..evaluation.verdict import Broken
    from ..game import Game
    from ..notation.reading import PositionFile
    from ..notation.record import Fact


def add_validate(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``validate``."""
    parser.epilog = "exit code: 0 valid, 1 some invariant broken, 2 unreadable input or wrong usage"
    parser.add_argument("file", metavar="FILE", help="a record with one position block, or bare facts")
    parser.add_argument(
        "--game",
        metavar="GAME",
        help="the game of bare facts (default: the one whose vocabulary they fit), or one instead of the record's",
    )
    add_configuration(parser)
    parser.set_defaults(run=validate)


def validate(args: argparse.Namespace) -> int:
    """Reports the invariants that a position breaks."""
    from ..evaluation.verdict import InvalidPosition
    from ..notation.reading import read_position

    file = read_position(args.file)
    game = _game_of(file, args)
    for fact in file.facts:
        if "?" in str(fact.term):
            raise UnreadableInput(f"{fact.term} contains a '?'", args.file, fact.line, fact.column)
    try:
        game.position_of(file.terms)
    except InvalidPosition as error:
        places = {str(fact.term): fact for fact in reversed(file.facts)}
        for broken in error.broken:
            print(_line(visible_name(args.file), places.get(broken.witness), broken))
        return 1
    print_note(f"{visible_name(args.file)}: a valid position of {game.id}")
    return 0


def _line(path: str, place: Fact | None, broken: Broken) -> str:
    """A broken invariant, at the place of the fact that is its witness."""
    where = f"{path}:{place.line}:{place.column}" if place else path
    return f"{where}: {broken.invariant}: {broken.message} ({broken.witness})"


_OF_TAGS: Final = ("players", "seats", "board", "start")
"""What only the tags of a record say."""


def _game_of(file: PositionFile, args: argparse.Namespace) -> Game:
    """The game of a record's tags, or the one that the arguments describe."""
    from ..records.tags import game_of

    if file.record is None:
        return configured(args.game or _fitting(file), args)
    for name in _OF_TAGS:
        if getattr(args, name):
            raise WrongUsage(f"--{name}: the game of a record is described by its tags")
    game, faults = game_of(under(file.record, args))
    if faults:
        raise UnreadableInput(faults[0].message, args.file, faults[0].line, faults[0].column)
    return game


def _fitting(file: PositionFile) -> str:
    """The game whose vocabulary has the most of the facts."""
    from ..rules.library import games
    from ..rules.loader import rulebook

    used = {(term.name, len(term.args)) for term in file.terms}
    strange = {game_id: len(used - rulebook(game_id).fluents) for game_id in games()}
    best = [game_id for game_id, count in strange.items() if count == min(strange.values())]
    if len(best) > 1:
        raise WrongUsage(f"these facts could be of {' or '.join(best)}: say which with --game")
    print_note(f"read as a position of {best[0]}")
    return best[0]


COMMANDS: Final = {"validate": add_validate}
"""What adds the arguments of each command."""
