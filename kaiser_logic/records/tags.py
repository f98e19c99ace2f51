"""From a record's tags to the game they describe, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ..engine.configuration import Problem, configure
from ..engine.ruleset import Ruleset
from ..errors import UnreadableInput, WrongUsage
from ..game import Game, load
from ..notation.reading import build_record
from ..notation.record import Fact, Item, PositionBlock, Record, Tag
from ..notation.syntax import parsed
from ..position import Position
from ..rules.loader import rulebook
from ..rules.rulebook import Rulebook
from .fault import Fault, objection


def game_of(record: Record) -> tuple[Game, list[Fault]]:
    """The game that a record's tags describe, and the tags that make no sense, which count as not given.

    A record whose first item is a position takes the seats from it.

    Raises:
        UnreadableInput: There is no such game, or the board file is none for it.
    """
    try:
        book = rulebook(record.game_id)
    except WrongUsage as error:
        tag = _tag(record, "Game")
        raise UnreadableInput(
            str(error), record.path, *((tag.line, tag.column) if tag.line else ())
        ) from None
    start = {name: record.tag(name) for name in book.manifest.get("tags", {})}
    given: dict[str, Any] = {"edition": record.edition, "options": record.options, "seats": record.seats}
    given["start"] = {name.lower(): value for name, value in start.items() if value is not None}
    configuration, problems = configure(book, record.game_id, **given)
    faults = [_fault(record, problem) for problem in problems]
    given |= {"edition": configuration.edition, "options": dict(configuration.changed)}
    given |= {"seats": configuration.seats, "start": dict(configuration.start)}
    stated = _stated_seats(record)
    if stated:
        try:
            return _load(
                record, {**given, "seats": stated, "start": _fitting(book, given["start"], stated)}
            ), faults
        except WrongUsage:
            pass  # the position will be refused, with the reason
    return _load(record, given), faults


def _load(record: Record, given: dict[str, Any]) -> Game:
    """The game with its board; what is wrong with that is found at the tag."""
    settings = {**given, **given["start"]}
    del settings["start"]
    if record.board is None:
        return load(record.game_id, **settings)
    try:
        return load(record.game_id, **settings, board=_board(record))
    except UnreadableInput as error:
        tag = _tag(record, "Board")
        place = (tag.line, tag.column) if tag.line else ()
        raise UnreadableInput(f'[Board "{tag.value}"]: {error}', record.path, *place) from None


def _fault(record: Record, problem: Problem) -> Fault:
    """The fault of a tag that makes no sense, at its place."""
    if problem.setting == "option":
        names = list(record.options)
        tag = [t for t in record.tags if t.name == "Option"][names.index(problem.name)]
    elif problem.setting == "start":
        tag = next(t for t in record.tags if t.name.lower() == problem.name)
    else:
        tag = _tag(record, problem.setting.capitalize())
    return Fault.at(
        record.path, tag, objection("record.tag", f'[{tag.name} "{tag.value}"]: {problem.message}')
    )


def _tag(record: Record, name: str) -> Tag:
    return next(tag for tag in record.tags if tag.name == name)


def _board(record: Record) -> Path:
    """The board file: an ordinary one, so that nothing waits for a stranger's pipe."""
    path = Path(record.path or "").parent / (record.board or "")
    try:
        if path.exists() and not path.is_file():
            raise UnreadableInput("cannot be read: a board is an ordinary file", str(path))
    except (OSError, ValueError) as error:
        raise UnreadableInput(f"cannot be read: {error}", str(path)) from None
    return path


def _stated_seats(record: Record) -> tuple[str, ...]:
    """The seats that a record states by starting from a position; empty where it does not."""
    if not record.items or not isinstance(record.items[0], PositionBlock):
        return ()
    seats = {t.args[1]: t.args[0] for t in record.items[0].terms if t.name == "seat" and len(t.args) == 2}
    return tuple(str(seats.get(i, "")) for i in range(1, len(seats) + 1))


def _fitting(
    book: Rulebook, start: dict[str, tuple[str, ...]], seats: tuple[str, ...]
) -> dict[str, tuple[str, ...]]:
    """The start tags without those that name roles which do not sit there: these are left to their defaults."""
    about_seats = {n.lower() for n, tag in book.manifest.get("tags", {}).items() if tag["values"] == "seats"}
    return {n: v for n, v in start.items() if n not in about_seats or set(v) <= set(seats)}


def tags_of(rules: Ruleset, board: str | None = None) -> Iterator[tuple[str, str]]:
    """The tags of a record under these rules; ``board``: its board file's name as seen from the record."""
    configuration = rules.configuration
    yield "Game", rules.id
    yield "Edition", configuration.edition
    for name, value in configuration.changed:
        yield "Option", f"{name}={value}"
    yield "Seats", " ".join(configuration.seats)
    start = dict(configuration.start)
    for name in rules.book.manifest.get("tags", {}):
        if name.lower() in start:
            yield name, " ".join(start[name.lower()])
    if board is not None:
        yield "Board", board


def record_of(position: Position, items: Iterable[Item] = ()) -> Record:
    """A record that starts from the position."""
    facts = position.ruleset.book.ordered(position.facts)
    block = PositionBlock(tuple(Fact(parsed(f)) for f in facts))
    return build_record(list(tags_of(position.ruleset)), (block, *items))
