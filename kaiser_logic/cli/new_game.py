"""The command new-game: the skeleton of a new rulebook."""

from __future__ import annotations

import argparse
import os
from typing import Final

from .common import print_note


def add_new_game(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``new-game``."""
    parser.epilog = "exit code: 0 written, 2 wrong usage\ndocs/write/rulebooks.md says how to go on."
    parser.add_argument("name", metavar="NAME", help="the new game's id: small letters, digits and _")
    parser.add_argument(
        "--folder", metavar="DIR", default=".", help="where its folder is made (default: here)"
    )
    parser.set_defaults(run=new_game)


def new_game(args: argparse.Namespace) -> int:
    """Writes the skeleton of a rulebook."""
    from ..linting.new_game import new_game as write

    folder = os.path.join(write(args.name, args.folder), "")
    print(folder)
    print_note(f"now: kaiser-logic play {folder}, kaiser-logic lint {folder}, kaiser-logic prove {folder}")
    return 0


COMMANDS: Final = {"new-game": add_new_game}
"""What adds the arguments of each command."""
