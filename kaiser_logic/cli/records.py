"""Commands on recorded games: check, moves, position, validate, show."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Final

from ..errors import UnreadableInput, WrongUsage
from .common import FILE_AT, add_configuration, configured, drawn, positive, replayed, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..evaluation.verdict import Broken
    from ..game import Game
    from ..notation.reading import PositionFile
    from ..records.checking import Report


def add_check(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``check``."""
    parser.epilog = "exit code: 0 all legal, 1 some fault, 2 unreadable input or wrong usage"
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="a record, or a directory for all its *.game files"
    )
    parser.add_argument(
        "--on-illegal",
        choices=("stop", "skip", "force"),
        default="stop",
        help="after an illegal move: stop (default), leave it out, or carry it out as far as possible",
    )
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="a fault a line (default), or a JSON object a line for each record",
    )
    parser.add_argument(
        "--jobs", metavar="N", type=positive, default=1, help="the number of processes (default: 1)"
    )
    parser.add_argument(
        "--view",
        metavar="ROLE",
        help="check records as this role saw the game (or: public), with ? for what it could not see",
    )
    parser.set_defaults(run=check)


def check(args: argparse.Namespace) -> int:
    """Replays every record and reports every fault."""
    from ..records.checking import check_many

    count = faulty = unreadable = 0
    reports = check_many(args.files, args.jobs, args.on_illegal) if args.view is None else _viewed(args)
    for report in reports:
        count += 1
        faulty += bool(report.faults)
        unreadable += bool(report.unreadable)
        if args.format == "json":
            print(json.dumps(report.as_json(), ensure_ascii=False), flush=True)
        elif report.unreadable:
            say(report.unreadable)
        elif not report.ok:
            print(report, flush=True)
    say(_summary(count, faulty, unreadable))
    return 2 if unreadable else int(bool(faulty))


def _viewed(args: argparse.Namespace) -> Iterator[Report]:
    """The reports on records with gaps."""
    from ..completion.view import check_view
    from ..notation.reading import read
    from ..records.checking import files_in

    if args.on_illegal != "stop":
        raise WrongUsage("--on-illegal does not go with --view")
    for path in files_in(args.files):
        if isinstance(path, UnreadableInput):
            raise path
        yield check_view(read(path), args.view)


def _summary(count: int, faulty: int, unreadable: int) -> str:
    if not count:
        return "no records"
    parts = [f"{count - faulty - unreadable} without fault"]
    parts += [f"{faulty} with faults"] if faulty else []
    parts += [f"{unreadable} unreadable"] if unreadable else []
    return f"{count} record{'s' if count > 1 else ''}: {', '.join(parts)}"


# --- what is there after N moves ------------------------------------------------------------------


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
        choices=("text", "svg"),
        default="text",
        help="drawn with letters (default), or as a picture",
    )
    parser.set_defaults(run=show)


def show(args: argparse.Namespace) -> int:
    """Draws the position."""
    print(drawn(replayed(args.file).here(), args.format))
    return 0


# --- a position by itself -------------------------------------------------------------------------


def add_validate(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``validate``."""
    parser.epilog = "exit code: 0 valid, 1 some invariant broken, 2 unreadable input or wrong usage"
    parser.add_argument("file", metavar="FILE", help="a record with one position block, or bare facts")
    parser.add_argument(
        "--game", metavar="GAME", help="the game of bare facts (default: the one whose vocabulary they fit)"
    )
    add_configuration(parser)
    parser.set_defaults(run=validate)


def validate(args: argparse.Namespace) -> int:
    """Says which invariants a position breaks."""
    from ..evaluation.verdict import InvalidPosition
    from ..notation.reading import read_position

    file = read_position(args.file)
    game = _game_of(file, args)
    for fact in file.facts:
        if "?" in str(fact.term):
            raise UnreadableInput(f"{fact.term} leaves something open", args.file, fact.line, fact.column)
    try:
        game.position_of(file.terms)
    except InvalidPosition as error:
        for broken in error.broken:
            print(_line(args.file, file, broken))
        return 1
    say(f"{args.file}: a valid position of {game.id}")
    return 0


def _line(path: str, file: PositionFile, broken: Broken) -> str:
    """A broken invariant, at the place of the fact that is its witness."""
    place = next((fact for fact in file.facts if str(fact.term) == broken.witness), None)
    where = f"{path}:{place.line}:{place.column}" if place else path
    return f"{where}: {broken.invariant}: {broken.message} ({broken.witness})"


_CONFIGURATION: Final = ("game", "edition", "option", "players", "seats", "board", "start")


def _game_of(file: PositionFile, args: argparse.Namespace) -> Game:
    """The game of a record's tags, or the one that the arguments describe."""
    from ..records.tags import game_of

    if file.record is None:
        return configured(args.game or _fitting(file), args)
    for name in _CONFIGURATION:
        if getattr(args, name):
            raise WrongUsage(f"--{name}: the game of a record is described by its tags")
    game, faults = game_of(file.record)
    if faults:
        raise UnreadableInput(faults[0].message, args.file, faults[0].line, faults[0].column)
    return game


def _fitting(file: PositionFile) -> str:
    """The game whose vocabulary has the most of the facts."""
    from ..rules.loader import games, rulebook

    used = {(term.name, len(term.args)) for term in file.terms}
    strange = {game_id: len(used - rulebook(game_id).fluents) for game_id in games()}
    best = [game_id for game_id, count in strange.items() if count == min(strange.values())]
    if len(best) > 1:
        raise WrongUsage(f"these facts could be of {' or '.join(best)}: say which with --game")
    say(f"taken for a position of {best[0]}")
    return best[0]


COMMANDS: Final = {
    "check": add_check,
    "moves": add_moves,
    "position": add_position,
    "validate": add_validate,
    "show": add_show,
}
"""What adds the arguments of each command."""
