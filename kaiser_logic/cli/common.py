"""Arguments and messages that several commands share."""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..errors import NotDecided, TimeIsOver, UnreadableInput, WrongUsage, visible, visible_name

if TYPE_CHECKING:
    from pathlib import Path

    from ..game import Game
    from ..notation.record import Record
    from ..records.replay import Replay
    from ..records.tags import Under

FILE_AT: Final = "a record; FILE@N: after its first N moves; FILE@12a.3: in its variation 12a"
_KEPT: Final = 0.05
"""The part of --timeout that is kept for what follows a search."""
_FOLLOWING: Final = 0.1
"""The seconds of work for which time is kept, too: on a laden machine they take longer by the clock."""
_STARTING: Final = 5.0
"""The seconds that loading may take on a laden machine."""
_LATE: Final = 0.04
"""The part of --timeout after its end when work is ended that has not ended by itself;"""
_AGAIN: Final = 0.02
"""and then again each time that such a part has passed, as an answer's parts may be long to put together."""
LEAST: Final = 0.1
"""The least number of seconds for a search, however long loading has taken."""
_LONGEST_NAME: Final = 500
"""The largest number of characters of a name in a tag: the value has at most 1,000, and some are written as two."""
_LOADING: Final = {"game_id", "edition", "options", "seats", "players", "board", "engine"}


def pair(text: str) -> tuple[str, str]:
    """The two parts of ``NAME=VALUE``."""
    name, separator, value = text.partition("=")
    if not separator or not name.strip() or not value.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name.strip(), value.strip()


def add_flag(parser: argparse.ArgumentParser, option: str, what: str) -> None:
    """Adds an option without a value; ``what``: its help."""
    parser.add_argument(option, action="store_true", help=what)


def add_option(parser: argparse.ArgumentParser, option: str, shape: str, what: str, **more: Any) -> None:
    """Adds an option or an argument; ``shape``: its value as the help shows it; ``what``: its help; ``more``: as for argparse."""
    parser.add_argument(option, metavar=shape, help=what, **more)


def add_pairs(parser: argparse.ArgumentParser, option: str, shape: str, what: str) -> None:
    """Adds an option that takes ``NAME=VALUE`` and can be repeated."""
    parser.add_argument(option, metavar=shape, action="append", default=[], type=pair, help=what)


def positive(text: str) -> int:
    """A whole number of at least 1."""
    if not re.fullmatch(r"0*[1-9][0-9]{0,8}", text):
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is no whole number from 1 to 999999999")
    return int(text)


def natural(text: str) -> int:
    """A whole number of at least 0."""
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is no whole number from 0 to 999999999")
    return int(text)


def refuse_twice(option: str, given: Sequence[tuple[str, str]]) -> dict[str, str]:
    """What was given as ``NAME=VALUE``; WrongUsage if a name comes twice, as one of its values would be ignored."""
    twice = [name for name, count in Counter(name.lower() for name, _ in given).items() if count > 1]
    if twice:
        raise WrongUsage(f"{option} {twice[0]} is given twice")
    return dict(given)


def add_game_id(parser: argparse.ArgumentParser) -> None:
    """Adds GAME."""
    add_option(parser, "game", "GAME", "the game's id, such as kaiser, or a folder with a rulebook of your own")


def add_game(parser: argparse.ArgumentParser) -> None:
    """Adds GAME and the options that configure it."""
    add_game_id(parser)
    add_configuration(parser)


def rulebooks_named(arguments: Sequence[str]) -> Iterator[str]:
    """The games and folders that the arguments name. A file that belongs to no rulebook is left out with a note."""
    for name in arguments:
        path = Path(name)
        if not path.is_file():
            yield name
            continue
        folder = next((place for place in path.parents if (place / "game.toml").is_file()), None)
        if folder is None:
            print_note(f"{visible_name(name)}: left out, as it belongs to no rulebook")
        else:
            yield str(folder) if folder != Path() else "./"


def add_configuration(parser: argparse.ArgumentParser, *, edition: bool = True) -> None:
    """Adds the options that configure a game."""
    if edition:
        add_option(parser, "--edition", "E", "the edition (default: standard)")
    add_pairs(parser, "--option", "R=V", "change a ruling; repeatable")
    add_option(parser, "--players", "N", "the number of players", type=natural)
    add_option(parser, "--seats", '"R ..."', "the roles clockwise, separated by blanks or commas")
    add_option(parser, "--board", "FILE", "a board file of your own")
    add_pairs(parser, "--start", "TAG=V", "a tag that says how the game starts, such as emperor=red; repeatable")


def game_from(game_id: str, args: argparse.Namespace, edition: str | None = None, engine: str | None = None) -> Game:
    """The game that the arguments describe.

    Args:
        game_id: The game.
        args: The arguments that :func:`add_configuration` has added.
        edition: The edition in place of the one that the arguments name.
        engine: The engine; by default the usual one.
    """
    from ..game import load
    from ..rules.library import game_named
    from ..rules.rulebook import DEFAULT_EDITION
    from .progress import clear, progress

    progress()(f"reading the rules of {visible_name(game_id)}")
    start = {name.lower(): value for name, value in args.start}
    refuse_twice("--start", args.start)
    for name in _LOADING & set(start):
        raise WrongUsage(f"{game_id} has no start tag {name!r}")
    named = getattr(args, "edition", None) if edition is None else edition
    chosen: dict[str, Any] = {
        "options": refuse_twice("--option", args.option),
        "players": args.players,
        "board": args.board,
    }
    if args.board is not None:
        refuse_unwritable(args.board)
    if args.seats is not None:
        chosen["seats"] = args.seats.replace(",", " ").split()
    if engine is not None:
        chosen["engine"] = engine
    game = load(
        game_named(game_id),
        edition=DEFAULT_EDITION if named is None else named,
        **chosen,
        **start,
    )
    clear()
    return game


def about(game: Game, seed: int) -> dict[str, object]:
    """The configuration of a game and the seed, for JSON."""
    options, seats = dict(game.configuration.changed), list(game.seats)
    return {"game": game.id, "edition": game.edition, "options": options, "seed": seed, "seats": seats}


def game_of(args: argparse.Namespace) -> Game:
    """The game that GAME and the options describe."""
    return game_from(args.game, args)


def file_at(text: str) -> tuple[str, str | None]:
    """The parts of ``FILE@PLACE``. If there is a file of the whole name, that is meant."""
    match = re.fullmatch(r"(.+)@([0-9]{1,9}[0-9a-z.]*)", text, re.DOTALL)
    if match is None or os.path.exists(text):
        return text, None
    return match[1], match[2]


def add_other_rules(parser: argparse.ArgumentParser) -> None:
    """Adds the options that put a record under other rules than those of its tags."""
    add_option(
        parser,
        "--game",
        "GAME",
        "use the rules of this game (an id, or a folder with a rulebook) instead of the record's own",
    )
    add_option(parser, "--edition", "E", "use this edition instead of the record's own")
    add_pairs(parser, "--option", "R=V", "change a ruling; repeatable")


def other_rules(args: argparse.Namespace) -> dict[str, Any]:
    """The game, edition and options that the arguments of :func:`add_other_rules` name."""
    from ..rules.library import game_named

    game = None if args.game is None else game_named(args.game)
    return {"game": game, "edition": args.edition, "options": refuse_twice("--option", args.option)}


def with_options(record: Record, args: argparse.Namespace) -> Record:
    """The record under the rules that the options of :func:`add_other_rules` name."""
    return under_of(args).apply(record)


def under_of(args: argparse.Namespace) -> Under:
    """The rules that the options of :func:`add_other_rules` name."""
    from ..records.tags import Under

    others = other_rules(args)
    return Under(others["game"], others["edition"], tuple(others["options"].items()))


def replay_to(text: str, args: argparse.Namespace | None = None) -> Replay:
    """The replay of FILE@PLACE. Assertions that fail on the way only lead to notes.

    Args:
        text: FILE@PLACE.
        args: The arguments that :func:`add_other_rules` has added, if there are any.

    Raises:
        WrongUsage: The record cannot be followed to this place.
    """
    from ..notation.sources import read
    from ..records.replay import FaultyRecord, Replay
    from ..records.tags import with_hint

    path, place = file_at(text)
    try:
        record = read(path)
        record = record if args is None else with_options(record, args)
        record, moves = (record, None) if place is None else record.line(place)
        replay = Replay.at(record, moves)
    except UnreadableInput as error:
        raise with_hint(error) from None
    except FaultyRecord as error:
        print_note(str(error))
        name = visible_name(path)
        raise WrongUsage(f"{name} cannot be followed beyond {name}@{record.place(error.moves)}") from None
    for fault in replay.faults:
        print_note(str(fault))
    return replay


def add_records(parser: argparse.ArgumentParser) -> None:
    """Adds FILE, for many records."""
    add_option(
        parser,
        "files",
        "FILE",
        "records: a file with one or several, also compressed (.gz, .zip), a directory for all in it, - for standard input",
        nargs="+",
    )
    add_option(parser, "--glob", "PATTERN", "the files of directories and ZIP archives that are records (*.game)")


def records_of(args: argparse.Namespace) -> list[str | UnreadableInput]:
    """The records that the arguments ``files`` name, at least one; a note names each folder without records."""
    from ..notation.sources import is_zip
    from ..records.tags import RECORDS, files_in, records_in

    if args.glob is not None and not any(os.path.isdir(path) or is_zip(path) for path in args.files):
        raise WrongUsage("--glob chooses among the files of directories and ZIP archives, and none is named")
    records = records_in(args.files, args.glob)
    for path in args.files:
        if os.path.isdir(path) and not files_in(path, args.glob):
            print_note(f"{visible_name(path)}: there is no *{RECORDS} file in this folder or below")
    return records


def add_jobs(parser: argparse.ArgumentParser, default: int | None = None) -> None:
    """Adds --jobs."""
    what = f"the number of processes (default: {default or 'one for each core'})"
    add_option(parser, "--jobs", "N", what, type=positive, default=default)


def add_seed(parser: argparse.ArgumentParser, what: str) -> None:
    """Adds --seed; ``what``: of what it is the seed."""
    add_option(parser, "--seed", "S", f"the seed of {what} (default: 1)", type=natural, default=1)


def add_format(parser: argparse.ArgumentParser, formats: Sequence[str], what: str) -> None:
    """Adds --format; the first one is the default."""
    parser.add_argument("--format", choices=formats, default=formats[0], help=what)


def with_board_beside(record: Record, output: str | None) -> Record:
    """The record as it is written to a file, or to standard output: the path of its board file is relative to its folder."""
    if record.board is None:
        return record
    folder = os.path.dirname(output) if output else ""
    board = Path(os.path.relpath(record.board, folder or os.curdir)).as_posix()
    note_board(board)
    tags = (replace(tag, value=board) if tag.name == "Board" else tag for tag in record.tags)
    return replace(record, tags=tuple(tags))


def refuse_unwritable(board: str) -> None:
    """Raises WrongUsage if a record cannot name a board file."""
    from ..notation.record import NO_TEXT

    if NO_TEXT.search(board) or len(board) > _LONGEST_NAME:
        raise WrongUsage(f"a record cannot name the board file {visible_name(board)[:200]}: rename it, or its folder")


def note_board(board: str) -> None:
    """Says on standard error that a record names a board file that ``check`` does not open.

    Raises:
        WrongUsage: A record cannot name it.
    """
    refuse_unwritable(board)
    if ".." in Path(board).parts or os.path.isabs(board):
        print_note(
            f"the record names the board file {visible_name(board)}: check opens only a board in the record's folder or below it"
        )


def add_scheduler(parser: argparse.ArgumentParser) -> None:
    """Adds --scheduler."""
    add_option(
        parser,
        "--scheduler",
        "ADDRESS",
        "a Dask scheduler whose workers do the work, e.g. tcp://host:8786; they must see the same files",
    )


def seconds(text: str) -> float:
    """A positive number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a number of seconds")
    return value


def add_timeout(parser: argparse.ArgumentParser, default: float) -> None:
    """Adds --timeout, in seconds."""
    add_option(
        parser,
        "--timeout",
        "S",
        f"the time limit in seconds (default: {default:g})",
        type=seconds,
        default=default,
    )


def time_left(args: argparse.Namespace) -> float:
    """The seconds of --timeout that are left for a search; a part is kept for what follows it, more on a laden machine."""
    passed, worked = seconds_passed(args), sum(os.times()[:4])
    kept = _KEPT * float(args.timeout) + _FOLLOWING * passed / max(worked, LEAST)
    return max(LEAST, float(args.timeout) - kept - passed)


@contextmanager
def time_limit(args: argparse.Namespace) -> Iterator[None]:
    """Ends the work inside soon after the time of --timeout, wherever it is; most work ends before by itself.

    A time shorter than `_STARTING` is for the search alone.

    >>> class Slow:
    ...     def __del__(self):  # Python passes over what ends this
    ...         while time.monotonic() < began + 0.2:
    ...             pass
    >>> began = time.monotonic()
    >>> with time_limit(argparse.Namespace(timeout=5.0, began=began - 9)):
    ...     slow = Slow()
    ...     del slow
    ...     while True:
    ...         pass
    Traceback (most recent call last):
    ...
    kaiser_logic.errors.NotDecided: the time was too short (...): --timeout 25 gives it more

    Raises:
        NotDecided: The time was too short.
    """

    def ring(*_: object) -> None:
        raise TimeIsOver

    def say(unraisable: Any) -> None:
        if not isinstance(unraisable.exc_value, TimeIsOver):
            said(unraisable)

    left = (1 + _LATE) * float(args.timeout) - seconds_passed(args)
    before, said, sys.unraisablehook = signal.signal(signal.SIGALRM, ring), sys.unraisablehook, say
    try:
        try:
            if args.timeout >= _STARTING:
                signal.setitimer(signal.ITIMER_REAL, max(LEAST, left), _AGAIN * float(args.timeout))
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
    except TimeIsOver:
        raise too_short(args) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)  # also if it rang before the line above
        signal.signal(signal.SIGALRM, before)
        sys.unraisablehook = said


def too_short(args: argparse.Namespace, more: str = "") -> NotDecided:
    """The error that the time was too short; ``more``: what else may help."""
    longer = f"--timeout {5 * max(1, round(args.timeout))} gives it more{more}"
    return NotDecided(f"the time was too short ({seconds_passed(args):.1f} s): {longer}")


def seconds_passed(args: argparse.Namespace) -> float:
    """The seconds since the command has begun."""
    return time.monotonic() - float(args.began)


def add_origin(parser: argparse.ArgumentParser) -> None:
    """Adds --origin, in positions."""
    add_option(
        parser,
        "--origin",
        "N",
        "look at up to N positions from the start for a legal game to each answer (default: 200; 0: do not look)",
        type=natural,
    )


def print_note(text: str = "") -> None:
    """Prints a line that is not data, on standard error."""
    print(visible(text), file=sys.stderr)


def assumptions_notes(game: str | Path, assumed: Iterable[str], readings: Iterable[str] = ()) -> Iterator[str]:
    """The lines about what a verdict relies on and no printed text says: what is made up, and our readings."""
    listed = f"(see kaiser-logic rules {game} --assumed)"
    for names, what in (
        (assumed, "on assumptions, not on a printed text"),
        (readings, "on our readings, where the printed text leaves the point open"),
    ):
        if enumeration := ", ".join(names):
            yield f"This relies {what}: {enumeration} {listed}"


def align_rows(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The lines of a table."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()


def columns(rows: list[tuple[str, str]], indent: str = "  ", width: int = 100) -> list[str]:
    """Two columns, the right one wrapped."""
    import textwrap

    left = min(max((len(name) for name, _ in rows), default=0), 36)
    lines = []
    for name, text in rows:
        first = f"{indent}{name:<{left}}  "
        lines += textwrap.wrap(
            text,
            width,
            initial_indent=first,
            subsequent_indent=" " * (len(indent) + left + 2),
            break_long_words=False,
            break_on_hyphens=False,
        ) or [first.rstrip()]
    return lines
