"""The command ``compare``: finds positions in which two editions differ."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import WrongUsage
from .common import (
    add_configuration,
    add_format,
    add_game_id,
    add_jobs,
    add_option,
    add_pairs,
    add_timeout,
    game_from,
    refuse_twice,
    time_left,
    time_limit,
    with_board_beside,
)
from .exit_codes import DONE, NO, NOT_DECIDED
from .progress import clear, progress

if TYPE_CHECKING:
    from ..comparison.differences import Difference


def add_compare(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``compare``."""
    add_game_id(parser)
    add_option(parser, "--editions", "A,B", "the two editions", required=True)
    add_jobs(parser)
    add_pairs(parser, "--other", "R=V", "change a ruling in the second edition only; repeatable")
    add_configuration(parser, edition=False)
    add_format(parser, ("text", "json"), "text (default), or one JSON object for each ruling that differs")
    add_timeout(parser, 180.0)


def compare(args: argparse.Namespace) -> int:
    """Compares two editions."""
    names = [name.strip() for name in args.editions.split(",")]
    if len(names) != 2 or not all(names):
        raise WrongUsage("--editions names two editions, separated by a comma")
    options = refuse_twice("--option", args.option) | refuse_twice("--other", args.other)
    others = argparse.Namespace(**{**vars(args), "option": [*options.items()]})
    with time_limit(args):
        from ..comparison.compare import compare as contrast

        first = game_from(args.game, args, edition=names[0])
        second = game_from(args.game, others, edition=names[1])
        progress()("preparing the comparison")
        differences = contrast(first, second, time_left(args), args.jobs, progress())
    clear()
    other = names[1] if names[0] != names[1] else "--other"
    same = [r for r in first.book.rulings.values() if first.options[r.name] == second.options[r.name]]
    if args.format == "json":
        for difference in differences:
            print(json.dumps(difference.as_json(), ensure_ascii=False))
        return _exit_code(differences)
    for difference in differences:
        ruling, (one, two) = difference.ruling, difference.values
        print(f"{ruling.name}: {names[0]} {one}, {other} {two}. {ruling.about}")
        if difference.record is None:
            print(f"  {difference.words}")
        else:
            print(f"  {difference.words}\n")
            print("\n".join(f"  {line}" for line in str(with_board_beside(difference.record, None)).splitlines()))
        print()
    for ruling in same:
        print(f"{ruling.name}: the same in both ({first.options[ruling.name]})")
    if len(differences) > 1 and any(d.complete and not d.how for d in differences):
        print("Each ruling was compared alone. A difference that needs several rulings together is not found.")
    return _exit_code(differences)


def _exit_code(differences: Sequence[Difference]) -> int:
    if any(d.how for d in differences):
        return NO
    return DONE if not differences or (len(differences) == 1 and differences[0].complete) else NOT_DECIDED
