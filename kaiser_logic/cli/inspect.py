"""The commands ``moves``, ``position`` and ``show``: they look at a place in a record."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Final

from ..drawing.styles import STYLES, THEMES, render
from .common import FILE_AT, add_other_rules, add_output, data_to, file_at, print_note, replayed


def add_moves(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``moves``."""
    parser.add_argument("file", metavar="FILE[@N]", help=FILE_AT)
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="one line 'role: action' for each action (default), or JSON",
    )
    add_other_rules(parser)
    parser.set_defaults(run=moves)


def moves(args: argparse.Namespace) -> int:
    """Lists the legal actions."""
    from ..play.playout import weights

    replay = replayed(args.file, args)
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
        print_note(f"the game is over: {result.summary}" if result else "nobody has to decide")
    return 0


def add_position(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``position``."""
    parser.add_argument("file", metavar="FILE[@N]", help=FILE_AT)
    add_other_rules(parser)
    parser.set_defaults(run=position)


def position(args: argparse.Namespace) -> int:
    """Prints the position as facts."""
    print(replayed(args.file, args).here())
    return 0


def add_show(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``show``."""
    parser.add_argument("file", metavar="FILE[@N]", help=FILE_AT)
    parser.add_argument(
        "--format",
        choices=tuple(STYLES),
        default="text",
        help="how it is drawn: with letters (text, default), as a picture (svg), as a page (html)",
    )
    parser.add_argument(
        "--change", action="store_true", help="mark what the last move took, brought and moved"
    )
    parser.add_argument(
        "--theme", choices=THEMES, default="light", help="of a picture (light); auto: what the viewer prefers"
    )
    parser.add_argument(
        "--layout",
        metavar="NAME",
        help="one of the game's layouts, such as narrow; of a text its width (80, or that of the terminal)",
    )
    add_output(parser)
    add_other_rules(parser)
    parser.set_defaults(run=show)


def show(args: argparse.Namespace) -> int:
    """Draws the position."""
    replay = replayed(args.file, args)
    before = None
    if args.change and replay.moves:
        path, _ = file_at(args.file)
        before = replayed(f"{path}@{replay.moves - 1}", args).here()
    position = replay.here()
    if args.layout is None and args.format == "text" and args.output is None and sys.stdout.isatty():
        args.layout = str(os.get_terminal_size(1).columns)
    drawn = render(position, args.format, before=before, theme=args.theme, layout=args.layout)
    with data_to(args.output) as out:
        print(drawn, file=out)
    return 0


COMMANDS: Final = {"moves": add_moves, "position": add_position, "show": add_show}
"""What adds the arguments of each command."""
