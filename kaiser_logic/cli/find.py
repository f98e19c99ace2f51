"""The command find: positions by property, or games that reach them."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Final

from ..errors import WrongUsage
from .common import add_effort, add_game, add_timeout, game_of, positive, print_note
from .progress import clear, progress

if TYPE_CHECKING:
    from ..evaluation.origin import Origin
    from ..game import Found, Game
    from ..position import Position


def add_find(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``find``."""
    add_game(parser)
    parser.add_argument(
        "query",
        metavar="QUERY",
        help='e.g. "held(R,rival,1), not aristocrat(_,R,_,_,_), not spare(R,aristocrat)"',
    )
    parser.add_argument("--count", metavar="K", type=positive, default=1, help="so many different positions")
    parser.add_argument("--smallest", action="store_true", help="with as few pieces as can be found")
    parser.add_argument(
        "--reachable",
        metavar="N",
        type=positive,
        help="reached by a legal game of at most N moves, given as a record",
    )
    parser.add_argument(
        "--from", dest="origin", metavar="FILE", help="with --reachable: start after this record"
    )
    add_effort(parser)
    parser.add_argument(
        "--invariants",
        metavar="FILE",
        help="more invariants, broken(Name,Witness) :- ...: a position that breaks one is impossible if that is proved",
    )
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="records (default), or an object a position",
    )
    add_timeout(parser, 60.0)
    parser.set_defaults(run=find)


def find(args: argparse.Namespace) -> int:
    """Finds positions in which a query holds."""
    if args.reachable is not None:
        return _reach(args)
    if args.origin is not None:
        raise WrongUsage("--from goes with --reachable")
    game = game_of(args)
    found = game.find_result(
        args.query, args.count, timeout=args.timeout, smallest=args.smallest, progress=progress()
    )
    clear()
    invariants = _text(args.invariants)
    for number, position in enumerate(found.positions):
        _print(args.format, number, found, _origin(game, position, args.effort, invariants))
    if not found.positions:
        print_note(f"no valid position is such (proved, {_presupposed(game)})")
        return 1
    if found.note:
        print_note(found.note)
    if found.exhausted and len(found.positions) < args.count:
        print_note(
            f"there are no more than these {len(found.positions)} (proved): any other states the same as one of them"
        )
    elif found.reason:
        print_note(f"whether there are more is not decided: {found.reason}")
    return 0


def _text(path: str | None) -> str:
    """The text of a file of invariants."""
    if path is None:
        return ""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise WrongUsage(f"{path} cannot be read: {error}") from None


def _origin(game: Game, position: Position, effort: int | None, invariants: str) -> Origin:
    """What is known of how a position can come about."""
    from ..evaluation.origin import EFFORT

    return game.origin(position, effort=EFFORT if effort is None else effort, invariants=invariants)


def _print(form: str, number: int, found: Found, origin: Origin) -> None:
    """A position and how it can come about: as a record with comments, or as an object."""
    from ..records.tags import record_of

    position = found.positions[number]
    record = str(record_of(position))
    if form == "json":
        facts = position.ruleset.book.ordered(position.facts)
        print(
            json.dumps(
                {
                    "facts": facts,
                    "record": record,
                    "origin": origin.as_json(),
                    **_answer_comments(found, number),
                }
            )
        )
        return
    print(("\n" if number else "") + record + f"% {origin}")
    for role, action in origin.moves:
        print(f"%   {role}: {action}")
    print(_commented(found, number), end="")


def _answer_comments(found: Found, number: int) -> dict[str, str]:
    """What makes the query true in an answer, and in what it differs from the first one."""
    notes = {"because": found.because, "unlike the first": found.differs}
    return {word: texts[number] for word, texts in notes.items() if texts[number:] and texts[number]}


def _commented(found: Found, number: int) -> str:
    """What makes the query true, in what the answer differs from the first one, and the position drawn: as comments."""
    from ..drawing.styles import render

    position = found.positions[number]
    lines = [f"{word}: {text}" for word, text in _answer_comments(found, number).items()]
    if position.ruleset.book.manifest.get("drawing"):
        lines += ["", *render(position).splitlines()]
    return "".join(f"% {line}".rstrip() + "\n" for line in lines)


def _presupposed(game: Game) -> str:
    """What the answer that there is none speaks of: players, edition, and what a valid position is."""
    from ..symbolic.invariants import GENERAL, invariants

    known = invariants(game.ruleset)
    changed = "".join(f", {name}={value}" for name, value in game.configuration.changed)
    meets = len(known.assumed) + len(GENERAL)
    waived = sorted(known.waived & set(known.every))
    but = f" without {', '.join(waived)}, which a ruling waives" if waived else ""
    return f"for {len(game.seats)} players, edition {game.edition}{changed}; valid: meets the {meets} invariants{but}"


def _reach(args: argparse.Namespace) -> int:
    from ..evaluation.origin import LISTED
    from ..search.reach import find_reachable

    origin: Position | None = None
    if args.origin is not None:
        from .common import replayed

        origin = replayed(args.origin).here()
    result = find_reachable(
        game_of(args),
        args.query,
        args.reachable,
        args.timeout,
        args.count,
        origin,
        args.smallest,
        progress(),
    )
    clear()
    for number, record in enumerate(result.records):
        print(("\n" if number else "") + str(record), end="")
    if result.share:
        print_note(f"the query holds {result.share}")
    for name in result.false:
        print_note(f"the invariant {name} is false: the position at the end breaks it")
    if not result.records:
        if result.by_invariants:
            print_note(
                "no such position can be reached (proved: no valid position is such, and every game meets the invariants)"
            )
        else:
            print_note(f"no such position can be reached (proved, {LISTED})")
        return 1
    return 0


COMMANDS: Final = {"find": add_find}
"""What adds the arguments of each command."""
