"""The command ``complete``: fills the gaps of a record."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from .common import add_option, add_other_rules, add_timeout, print_note, time_limit, with_options
from .exit_codes import DONE, NO
from .progress import clear, progress

if TYPE_CHECKING:
    from ..completion.complete import Completion


def add_complete(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``complete``."""
    add_option(parser, "file", "FILE", "a record with unknown moves, written ?")
    add_other_rules(parser)
    add_timeout(parser, 60.0)


def complete(args: argparse.Namespace) -> int:
    """Fills the gaps of a record."""
    with time_limit(args):
        from ..completion.complete import complete as fill
        from ..evaluation.origin import LISTED
        from ..notation.sources import read

        completion = fill(with_options(read(args.file), args), args.timeout, progress=progress(), began=args.began)
    clear()
    if completion.impossible:
        print_note(str(completion.fault) if completion.fault else "")
        where = f"{LISTED}{_limit_text(completion)}"
        print_note(f"the gaps cannot be filled so that everything is legal (proved, {where})")
        return NO
    print(str(completion.records[0]), end="")
    if completion.unique:
        print_note(f"this is the only way, {LISTED}{_limit_text(completion)}")
    elif completion.unique is None:
        print_note("the time was too short to say whether there is another way")
    else:
        print_note("there is another way, which differs at:")
        for difference in completion.differs:
            print_note(f"  {difference}")
    return DONE


def _limit_text(completion: Completion) -> str:
    """Up to which number of moves between two positions an answer holds, if longer sequences were not tried."""
    most = completion.within
    return "" if most is None else f", with at most {most} moves between two positions"
