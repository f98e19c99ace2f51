"""The commands that look at a place in a record: moves, position, show."""

from __future__ import annotations

import argparse
import json
from typing import Final

from ..drawing.styles import STYLES, render
from .common import FILE_AT, replayed, say


def add_moves(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``moves``."""
    parser.add_argument("file", metavar="FILE[@N]", help=FILE_AT)
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="'role: action' a line (default), or JSON"
    )
    parser.set_defaults(run=moves)


def moves(args: argparse.Namespace) -> int:
    """Lists the legal actions."""
    from ..play.playout import weights

    replay = replayed(args.file)
    legal = replay.legal()
    if args.format == "json":
        found: dict[str, object] = {"path": replay.record.path, "after": replay.moves, "legal": legal}
        weighted = weights(replay.here())
        if weighted:
            found["weights"] = weighted
        print(json.dumps(found))
        return 0
    for role, actions in legal.items():
        for action in actions:
            print(f"{role}: {action}")
    if not legal:
        result = replay.here().result()
        say(f"the game is over, won by {' and '.join(result.winners)}" if result else "nobody has to decide")
    return 0


def add_position(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``position``."""
    parser.add_argument("file", metavar="FILE[@N]", help=FILE_AT)
    parser.set_defaults(run=position)


def position(args: argparse.Namespace) -> int:
    """Prints the position as facts."""
    print(replayed(args.file).here())
    return 0


def add_show(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``show``."""
    parser.add_argument("file", metavar="FILE[@N]", help=FILE_AT)
    parser.add_argument(
        "--format",
        choices=tuple(STYLES),
        default="text",
        help="how it is drawn: text (default) is drawn with letters",
    )
    parser.set_defaults(run=show)


def show(args: argparse.Namespace) -> int:
    """Draws the position."""
    print(render(replayed(args.file).here(), args.format))
    return 0


COMMANDS: Final = {"moves": add_moves, "position": add_position, "show": add_show}
"""What adds the arguments of each command."""
