"""The command ``perft``: counts sequences of decisions."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Final

from ..engine.configuration import ENGINES
from ..errors import WrongUsage
from .common import add_configuration, configured, file_at, natural, replayed

if TYPE_CHECKING:
    from ..position import Position


def add_perft(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``perft``."""
    parser.add_argument(
        "where",
        metavar="GAME|FILE[@N]",
        help="a game, from its start; or a record, from its end or after its first N moves",
    )
    parser.add_argument("depth", metavar="DEPTH", type=natural, help="the length of the sequences")
    parser.add_argument(
        "--divide", action="store_true", help="first print the number of sequences for each first decision"
    )
    parser.add_argument(
        "--engine",
        choices=("batch", *ENGINES),
        default=ENGINES[0],
        help=f"what counts: one position at a time ({ENGINES[0]}, default; clingo) or many (batch); all count alike",
    )
    add_configuration(parser)
    parser.set_defaults(run=perft)


def perft(args: argparse.Namespace) -> int:
    """Counts sequences of decisions: a line for each length."""
    from ..batch.perft import counts, divided

    start = _start(args)
    if args.divide:
        for actions, count in divided(start, args.depth, engine=args.engine):
            line = "  ".join(f"{role}: {action}" for role, action in actions.items())
            print(f"{line} {count}", flush=True)
        print()
    for depth, count in enumerate(counts(start, args.depth, engine=args.engine)):
        if depth or not args.depth:
            print(depth, count, flush=True)
    return 0


def _start(args: argparse.Namespace) -> Position:
    """The position that is counted from."""
    path, _ = file_at(args.where)
    if not os.path.isfile(path) and not path.endswith(".game"):
        return configured(args.where, args).initial()
    for name in ("players", "seats", "board", "start"):
        if getattr(args, name, None):
            raise WrongUsage(f"--{name}: a record says that itself")
    rules = argparse.Namespace(game=None, edition=args.edition, option=args.option)
    return replayed(args.where, rules).here()


COMMANDS: Final = {"perft": add_perft}
"""What adds the arguments of each command."""
