"""From a record's tags to the game they describe, and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..errors import UnreadableInput, WrongUsage
from ..game import DEFAULT_EDITION, Game, load
from ..notation.record import Fact, PositionBlock, Record, Tag
from ..notation.terms import Term
from ..position import Position
from ..rules.loader import rulebook
from .fault import Fault, objection


def game_of(record: Record) -> tuple[Game, list[Fault]]:
    """The game that a record's tags describe, and the tags that make no sense, which count as not given.

    A record whose first item is a position takes the seats from it.

    Raises:
        UnreadableInput: There is no such game, or the board file is none for it.
    """
    given, faults = _given(record)
    stated = _stated_seats(record)
    if stated:
        try:
            return _load(record, _reseated(given, stated)), faults
        except WrongUsage:
            pass  # the position will be refused, with the reason
    return _load(record, given), faults


def _load(record: Record, given: dict[str, Any]) -> Game:
    """The game with its board; what is wrong with that is found at the tag."""
    if record.board is None:
        return load(**given)
    try:
        return load(**given, board=_board(record))
    except UnreadableInput as error:
        tag = _tag(record, "Board")
        place = (tag.line, tag.column) if tag.line else ()
        raise UnreadableInput(f'[Board "{tag.value}"]: {error}', record.path, *place) from None


def _given(record: Record) -> tuple[dict[str, Any], list[Fault]]:
    """The arguments for loading the game, as far as the tags give them correctly, without the board."""
    game = _tag(record, "Game")
    try:
        start = {name: record.tag(name) for name in rulebook(record.game_id).manifest.get("tags", {})}
    except WrongUsage as error:
        raise UnreadableInput(
            str(error), record.path, *((game.line, game.column) if game.line else ())
        ) from None
    given: dict[str, Any] = {"game_id": record.game_id, "edition": record.edition, "seats": record.seats}
    given |= {"options": record.options}
    given |= {name.lower(): value for name, value in start.items() if value is not None}
    try:
        load(**given)
    except WrongUsage:
        return _judged(record, start)
    return given, []


def _judged(record: Record, start: dict[str, str | None]) -> tuple[dict[str, Any], list[Fault]]:
    """The same, tag by tag: what is wrong with one becomes a fault."""
    faults: list[Fault] = []
    given: dict[str, Any] = {
        "game_id": record.game_id,
        "edition": DEFAULT_EDITION,
        "options": {},
        "seats": None,
    }

    def adopt(tag: Tag, argument: str, value: Any) -> None:
        try:
            load(**{**given, argument: value})
        except WrongUsage as error:
            text = f'[{tag.name} "{tag.value}"]: {error}'
            faults.append(Fault.at(record.path, tag, objection("record.tag", text)))
        else:
            given[argument] = value

    if record.tag("Edition") is not None:
        adopt(_tag(record, "Edition"), "edition", record.edition)
    options = [tag for tag in record.tags if tag.name == "Option"]
    for tag, (name, value) in zip(options, record.options.items(), strict=True):
        adopt(tag, "options", {**given["options"], name: value})
    if record.seats is not None:
        adopt(_tag(record, "Seats"), "seats", record.seats)
    for name, text in start.items():
        if text is not None:
            adopt(_tag(record, name), name.lower(), text)
    return given, faults


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


def _reseated(given: dict[str, Any], seats: tuple[str, ...]) -> dict[str, Any]:
    """The arguments with other seats; start tags that name other roles are left to their defaults."""
    book = rulebook(given["game_id"])
    result = {**given, "seats": seats}
    for name, tag in book.manifest.get("tags", {}).items():
        value = result.get(name.lower())
        if value is not None and tag["values"] == "seats" and not set(value.split()) <= set(seats):
            del result[name.lower()]
    return result


def tags_of(game: Game, board: str | None = None) -> Iterator[tuple[str, str]]:
    """The tags of a record of this game; ``board``: its board file's name as seen from the record."""
    yield "Game", game.id
    yield "Edition", game.edition
    for name, value in game.changed.items():
        yield "Option", f"{name}={value}"
    yield "Seats", " ".join(game.seats)
    for name in game.book.manifest.get("tags", {}):
        if name.lower() in game.start:
            yield name, " ".join(game.start[name.lower()])
    if board is not None:
        yield "Board", board


def record_of(position: Position, items: Sequence[object] = ()) -> Record:
    """A record that starts from the position."""
    facts = position.game.ordered(position.facts)
    block = PositionBlock(tuple(Fact(_term(f)) for f in facts))
    return Record.build(list(tags_of(position.game)), (block, *items))  # type: ignore[arg-type]


def _term(text: str) -> Term:
    from ..game import parsed

    return parsed(text)
