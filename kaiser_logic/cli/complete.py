"""The command ``complete``: fills the gaps of a record."""

from __future__ import annotations

import argparse
from typing import Final

from .common import add_other_rules, add_timeout, print_data, print_note, under
from .progress import clear, progress


def add_complete(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``complete``."""
    parser.add_argument("file", metavar="FILE", help="a record with unknown moves, written ?")
    add_other_rules(parser)
    add_timeout(parser, 60.0)
    parser.set_defaults(run=complete)


def complete(args: argparse.Namespace) -> int:
    """Fills the gaps of a record."""
    from ..completion.complete import complete as fill
    from ..notation.reading import read

    completion = fill(under(read(args.file), args), args.timeout, progress=progress())
    clear()
    if completion.impossible:
        print_note(str(completion.fault) if completion.fault else "")
        print_note("the gaps cannot be filled so that everything is legal (proved)")
        return 1
    print_data(str(completion.records[0]))
    if completion.unique:
        print_note("this is the only way")
    elif completion.unique is None:
        print_note("whether there is another way was not decided in time")
    else:
        print_note("there is more than one way; another differs at")
        for difference in completion.differs:
            print_note(f"  {difference}")
    return 0


COMMANDS: Final = {"complete": add_complete}
"""What adds the arguments of each command."""
