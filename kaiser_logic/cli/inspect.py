"""The commands ``moves``, ``position``, ``show`` and ``validate``: they look at a position, usually one of a record."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import TYPE_CHECKING, Final

from ..drawing.styles import STYLES, THEMES, render
from ..errors import UnreadableInput, WrongUsage, visible_name
from .common import (
    FILE_AT,
    add_configuration,
    add_flag,
    add_format,
    add_option,
    add_other_rules,
    game_from,
    print_note,
    replay_to,
    with_options,
)
from .exit_codes import DONE, NO
from .outputs import add_output, data_to

if TYPE_CHECKING:
    from ..evaluation.verdict import Broken
    from ..game import Game
    from ..notation.reading import PositionFile
    from ..notation.record import RecordedFact


def add_moves(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``moves``."""
    add_option(parser, "file", "FILE[@N]", FILE_AT)
    add_format(parser, ("text", "json"), "one line 'role: action' for each action (default), or JSON")
    add_other_rules(parser)


def moves(args: argparse.Namespace) -> int:
    """Lists the legal actions."""
    replay = replay_to(args.file, args)
    legal = replay.legal()
    if args.format == "json":
        from ..play.match import weights

        answer: dict[str, object] = {
            "path": replay.record.path,
            "after": replay.moves,
            "place": replay.record.place(replay.moves),
            "legal": legal,
        }
        weighted = weights(replay.here())
        if weighted:
            answer["weights"] = weighted
        print(json.dumps(answer))
        return DONE
    for role, actions in legal.items():
        for action in actions:
            print(f"{role}: {action}")
    if not legal:
        result = replay.here().result()
        print_note(f"the game is over: {result.summary}" if result else "nobody has to decide")
    return DONE


def add_position(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``position``."""
    add_option(parser, "file", "FILE[@N]", FILE_AT)
    add_other_rules(parser)


def position(args: argparse.Namespace) -> int:
    """Prints the position as facts."""
    print(replay_to(args.file, args).here())
    return DONE


def add_show(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``show``."""
    add_option(parser, "file", "FILE[@N]", FILE_AT)
    add_format(
        parser,
        tuple(STYLES),
        "draw with letters (text, the default), as a picture (svg) or as a page (html)",
    )
    add_flag(parser, "--change", "mark what the last move took, brought and moved")
    parser.add_argument(
        "--theme",
        choices=THEMES,
        default="light",
        help="the colours of a picture (default: light); auto: as the viewer prefers",
    )
    add_option(
        parser,
        "--layout",
        "NAME",
        "one of the game's layouts, such as narrow; for text also its width (default: that of the terminal, or 80)",
    )
    add_output(parser)
    add_other_rules(parser)


def show(args: argparse.Namespace) -> int:
    """Draws the position."""
    replay = replay_to(args.file, args)
    before = None
    if args.change and replay.moves:
        from ..records.replay import Replay

        before = Replay.at(replay.record, replay.moves - 1).here()
    position = replay.here()
    if args.layout is None and args.format == "text" and args.output is None and sys.stdout.isatty():
        args.layout = str(os.get_terminal_size(1).columns)
    drawn = render(position, args.format, before=before, theme=args.theme, layout=args.layout)
    with data_to(args.output) as out:
        print(drawn, file=out)
    return DONE


def add_validate(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``validate``."""
    add_option(parser, "file", "FILE", "a record with one position block, or bare facts")
    add_option(
        parser,
        "--game",
        "GAME",
        "the game of bare facts (default: the one whose vocabulary fits), or the game to use instead of the record's",
    )
    add_configuration(parser)


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
        return NO
    print_note(f"{visible_name(args.file)}: a valid position of {game.id}")
    return DONE


def _line(path: str, place: RecordedFact | None, broken: Broken) -> str:
    """The line for a broken invariant, at the place of the fact that is its witness."""
    where = f"{path}:{place.line}:{place.column}" if place else path
    return f"{where}: {broken.invariant}: {broken.message} ({broken.witness})"


_OF_TAGS: Final = ("players", "seats", "board", "start")
"""The options that the tags of a record determine."""


def _game_of(file: PositionFile, args: argparse.Namespace) -> Game:
    """The game of a record's tags, or the one that the arguments describe."""
    from ..records.tags import game_of

    if file.record is None:
        return game_from(args.game or _fitting(file), args)
    for name in _OF_TAGS:
        if getattr(args, name):
            raise WrongUsage(f"--{name}: the game of a record is described by its tags")
    game, faults = game_of(with_options(file.record, args))
    if faults:
        raise UnreadableInput(faults[0].message, args.file, faults[0].line, faults[0].column)
    return game


def _fitting(file: PositionFile) -> str:
    """The game whose vocabulary has most of the facts."""
    from ..rules.library import games
    from ..rules.loader import rulebook

    used = {(term.name, len(term.args)) for term in file.terms}
    strange = {game_id: len(used - rulebook(game_id).fluents) for game_id in games()}
    best = [game_id for game_id, count in strange.items() if count == min(strange.values())]
    if len(best) > 1:
        raise WrongUsage(f"these facts could be of {' or '.join(best)}: say which with --game")
    print_note(f"read as a position of {best[0]}")
    return best[0]
