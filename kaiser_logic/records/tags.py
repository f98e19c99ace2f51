"""Converts the tags of a record to a configured game, and back."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Final, NamedTuple, TypeAlias

from ..engine.configuration import Configuration, SettingProblem, configure
from ..engine.ruleset import Ruleset, tags_of
from ..errors import FaultyRulebook, KaiserLogicError, UnreadableInput, WrongUsage, visible_name
from ..game import Game, game_under
from ..lang.reader import lines_of
from ..notation.reading import build_record, read_facts, read_text
from ..notation.record import MEANINGS, Item, PositionBlock, Record, RecordedFact, Tag
from ..notation.sources import Source, is_zip, members, sources_in
from ..notation.syntax import parse_facts, parse_user_term
from ..position import Position, seats_of
from ..rules.library import folder_of
from ..rules.loader import rulebook
from ..rules.names import how_written
from ..rules.rulebook import DEFAULT_EDITION, Rulebook
from .fault import Fault, objection

# -- files ---------------------------------------------------------------------------------------------------
#
# A path names a file, or a directory that stands for all records in it and below.


RECORDS: Final = ".game"
"""The end of the names of records."""
_NAMES: Final = (RECORDS, f"{RECORDS}.gz", ".zip")
Paths: TypeAlias = "str | os.PathLike[str] | Iterable[str | os.PathLike[str] | UnreadableInput]"


def files_in(paths: Paths, glob: str | None = None) -> list[str | UnreadableInput]:
    """The files that paths name: files, and all records in directories and below, in order.

    Records are called ``*.game``, compressed ``*.game.gz`` or ``*.zip``; with ``glob``, all files that match it, by their names
    or, if it contains a slash, by their paths from the directory. It also chooses the members of ZIP archives.
    Hidden files and folders, which editors and systems make, and special files count only if they are named themselves.
    Unreadable directories become errors in the list.
    """
    many = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    return [
        file for path in many for file in _files(path if isinstance(path, UnreadableInput) else os.fspath(path), glob)
    ]


def _files(path: str | UnreadableInput, glob: str | None) -> Iterator[str | UnreadableInput]:
    """The file itself, or the records in a directory and below. Unreadable directories become errors."""
    if isinstance(path, UnreadableInput):
        yield path
        return
    if not os.path.isdir(path):
        if os.path.exists(path) and not os.path.isfile(path):
            try:
                read_text(path)  # a stream is read once, before other processes are started
            except UnreadableInput as error:
                yield error
                return
        yield from [path] if glob is None or not is_zip(path) else _members(path, glob)
        return
    problems: list[OSError] = []
    files_inside = []
    for folder, folders, names in os.walk(path, onerror=problems.append):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files = (os.path.join(folder, name) for name in names if not name.startswith("."))
        files_inside += [file for file in files if _is_record(os.path.relpath(file, path), glob)]
    for file in sorted(files_inside):
        # reading a pipe could block; a pipe is read only if the user names it
        if os.path.isfile(file) or not os.path.exists(file):
            yield from [file] if glob is None or not is_zip(file) else _members(file, glob)
    for problem in problems:
        yield UnreadableInput(f"cannot be read: {problem.strerror}", str(problem.filename))


def _is_record(name: str, glob: str | None) -> bool:
    """Whether a file of a directory is a record by its path from there."""
    if glob is None or name.endswith(".zip"):
        return name.endswith(_NAMES)
    return fnmatchcase(name if "/" in glob else os.path.basename(name), glob)


def _members(archive: str, glob: str) -> Iterator[str | UnreadableInput]:
    """The members of a ZIP archive that match a pattern."""
    try:
        yield from members(archive, lambda name: _is_record(name, glob))
    except UnreadableInput as error:
        yield error


def records_in(paths: Paths, glob: str | None = None) -> list[str | UnreadableInput]:
    """The files that paths name, at least one; see :func:`files_in`.

    Raises:
        WrongUsage: There are only directories without records.
    """
    files = files_in(paths, glob)
    if files:
        return files
    folders = [str(path) for path in ([paths] if isinstance(paths, (str, os.PathLike)) else paths)]
    names = ", ".join(map(visible_name, folders)) or "no folder"
    others = sorted(
        path.name
        for folder in folders
        for path in Path(folder).iterdir()
        if path.is_file() and not path.name.startswith(".")
    )
    only = f", only files such as {visible_name(others[0])}" if others else ""
    pattern = glob or f"*{RECORDS}"
    raise WrongUsage(f"no record was checked: there is no {visible_name(pattern)} file in {names} or below{only}")


def size_of(files: Iterable[str | UnreadableInput]) -> int:
    """The size of all files in bytes; those that cannot be read count as empty."""
    size = 0
    for file in files:
        with suppress(OSError, ValueError):
            size += os.stat(file).st_size if isinstance(file, str) else 0
    return size


def sources_of(files: Iterable[str | UnreadableInput]) -> Iterator[Source | UnreadableInput]:
    """The records in files, one after another."""
    for file in files:
        yield from [file] if isinstance(file, UnreadableInput) else sources_in(file)


class WrongRules(WrongUsage):
    """A command's options do not fit the game of a record: a fault of the command, not of the record."""


class Under(NamedTuple):
    """Rules that replace those that the tags of records name. It can be pickled.

    Attributes:
        source: A game's id or a folder with a rulebook, or None.
        edition: An edition, or None.
        options: Rulings, as pairs of name and value.
    """

    source: str | Path | None
    edition: str | None
    options: tuple[tuple[str, str], ...]

    def apply(self, record: Record) -> Record:
        """The record under these rules.

        Raises:
            WrongRules: The record's game does not have the edition, or one of the rulings.
        """
        source = self.source if self.source is not None else record.source or record.game_id
        options = dict(self.options)
        if self.edition is not None or options:
            try:
                book = rulebook(source)
            except WrongUsage:  # there is no such game, whatever the options are
                return record.with_rules(self.source)
            edition = DEFAULT_EDITION if self.edition is None else self.edition
            _, problems = configure(book, source, edition=edition, options=options)
            if problems:
                raise WrongRules(problems[0].message)
        return record.with_rules(self.source, self.edition, options)

    def read_record(self, source: Source | UnreadableInput) -> Record | None:
        """The record in a source; None if it cannot be read."""
        try:
            return None if isinstance(source, UnreadableInput) else self.apply(source.record())
        except KaiserLogicError:
            return None


def game_of(record: Record) -> tuple[Game, list[Fault]]:
    """The game that a record's tags describe, and the faults of wrong tags. Wrong tags are ignored.

    If the first item of the record is a position, the seats are taken from it.

    Raises:
        UnreadableInput: There is no such game, or the board file does not fit it.
    """
    source = record.game_id if record.source is None else record.source
    try:
        book = rulebook(source)
    except WrongUsage as error:
        if record.source is not None or isinstance(error, FaultyRulebook):
            raise  # not a fault of the record
        tag = _tag(record, "Game")
        raise UnreadableInput(str(error), record.path, *_place(tag)) from None
    start = {name.lower(): record.tag(name) for name in book.manifest.get("tags", {})}

    def configure_with(seats: Sequence[str] | None) -> tuple[Configuration, tuple[SettingProblem, ...]]:
        given = {name: value for name, value in start.items() if value is not None}
        edition, options = record.edition, record.options
        return configure(book, source, edition=edition, options=options, seats=seats, start=given)

    configuration, problems = configure_with(record.seats)
    seats = _stated_seats(record)
    if seats and seats != configuration.seats:
        other, more_problems = configure_with(seats)
        if not any(problem.setting == "seats" for problem in more_problems):  # if not, the position is rejected later
            # start tags that do not fit the seats of the position are ignored
            wrong = {problem.name for problem in problems if problem.setting == "start"}
            about_seats = [problem for problem in problems if problem.setting == "seats"]
            more_problems = tuple(p for p in more_problems if p.setting != "start" or p.name in wrong)
            configuration, problems = other, (*about_seats, *more_problems)
    game = game_under(configuration) if record.board is None else _with_board(record, configuration)
    return game, [*_misspelt(record, book), *_faults(record, book, problems)]


def _with_board(record: Record, configuration: Configuration) -> Game:
    """The game on the record's board. A mistake in the board is reported at the tag."""
    tag = _tag(record, "Board")
    try:
        path = board_path(record)
        given = record.board_text
        facts = read_facts(path) if given is None else parse_facts(given, tag.value)
        board = tuple(fact.term for fact in facts)
        game = game_under(replace(configuration, board=board, board_file=path.as_posix()))
        if (problem := game.board_fault(facts, str(path))) is not None:
            raise problem
    except UnreadableInput as error:
        slashes = tag.value.replace("\\", "/")
        hint = ""
        if slashes != tag.value and (Path(record.path or "").parent / slashes).is_file():
            hint = f"; a path is written with /, on all systems: {slashes}"
        raise UnreadableInput(f'[Board "{tag.value}"]: {error}{hint}', record.path, *_place(tag)) from None
    return game


def refuse_outside(board: str) -> None:
    """Raises UnreadableInput if a board file is not in the record's folder or below it."""
    whole = PurePosixPath(board).is_absolute() or PureWindowsPath(board).drive or PureWindowsPath(board).root
    if whole or ".." in PureWindowsPath(board).parts:
        raise UnreadableInput("the board file must be in the record's folder or below it, named by its path from there")


def board_path(record: Record) -> Path:
    """The board file of a record.

    It must be an ordinary file in the record's folder or below, so that a record cannot make the program open other files.
    """
    folder = Path(record.path or "").parent
    board = record.board or ""
    path = folder / board
    if record.board_text is not None:
        return path
    refuse_outside(board)
    try:
        if not path.resolve().is_relative_to(folder.resolve()):  # the path contains a link
            raise UnreadableInput("the board file must be in the record's folder or below it")
        if path.exists() and not path.is_file():
            raise UnreadableInput("cannot be read: a board must be an ordinary file", str(path))
    except (OSError, ValueError, RuntimeError) as error:
        raise UnreadableInput(f"cannot be read: {error}", str(path)) from None
    return path


def _faults(record: Record, book: Rulebook, problems: Iterable[SettingProblem]) -> Iterator[Fault]:
    """The faults of wrong tags, each at the place of its tag."""
    options = dict(zip(record.options, (t for t in record.tags if t.name == "Option"), strict=True))
    known = book.manifest.get("tags", {})
    starts = {t.name.lower(): t for t in record.tags if t.name in known}
    for problem in problems:
        if problem.setting == "option":
            tag = options[problem.name]
        elif problem.setting == "start":
            tag = starts[problem.name]
        else:
            tag = _tag(record, problem.setting.capitalize())
        message = f'[{tag.name} "{tag.value}"]: {problem.message}'
        yield Fault.at(record.path, tag, objection("record.tag", message), number=record.number)


# -- names of tags -------------------------------------------------------------------------------------------
#
# A tag that the game does not know means nothing. One that is nearly a known tag was meant to be it, and is a fault.


_LONG: Final = 9
"""From this length on two wrong letters are a slip; less would be too near to other words, such as Editor and Edition."""
_SHORT: Final = 4
"""Up to this length a letter that is replaced or missing makes another word, such as Set for Seat, and Name for Game."""


def unknown_tags(record: Record) -> list[Tag]:
    """The tags of a record that mean nothing in its game. They are kept, and nothing depends on them."""
    book = rulebook(record.game_id if record.source is None else record.source)
    return [tag for tag in record.tags if not _is_known(tag, book) and not _hint_for(tag, book)]


def _is_known(tag: Tag, book: Rulebook) -> bool:
    return tag.name in MEANINGS or tag.name in book.manifest.get("tags", {})


def _misspelt(record: Record, book: Rulebook) -> Iterator[Fault]:
    """The faults of tags that are nearly known ones."""
    for tag in record.tags:
        if not _is_known(tag, book) and (meant := _hint_for(tag, book)):
            message = f'[{tag.name} "{tag.value}"]: there is no such tag; {meant}'
            yield Fault.at(record.path, tag, objection("record.tag", message), number=record.number)


def _hint_for(tag: Tag, book: Rulebook) -> str:
    """The hint which tag is meant by an unknown one; empty if none is near."""
    for name in book.rulings:
        if name.casefold() == tag.name.casefold():
            return f'a ruling is changed by [Option "{name}=..."]'
    known = (*MEANINGS, *book.manifest.get("tags", {}))
    return next((f"did you mean {name}?" for name in known if _is_near(tag.name, name)), "")


def _is_near(name: str, known: str) -> bool:
    """Whether a name is nearly a known one: in another case or number, or with a slip of the keyboard.

    >>> [_is_near(name, "Edition") for name in ("edition", "Editions", "Ediiton", "Edtion", "Editor", "Event")]
    [True, True, True, True, False, False]
    """
    one, other = (text.casefold().replace("_", "").removesuffix("s") for text in (name, known))
    if len(other) > _SHORT and one[:1] == other[:1] and sorted(one) == sorted(other):
        return True
    if len(other) <= _SHORT and len(one) <= len(other):
        return one == other or (sorted(one) == sorted(other) and _distance(one, other) == 1)
    return _distance(one, other) <= (2 if len(other) >= _LONG else 1)


def _distance(one: str, other: str) -> int:
    """The number of letters to insert, delete, replace, or swap with the next, that make one text into the other."""
    before, last = list[int](), list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            row.append(min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b)))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                row[j] = min(row[j], before[j - 2] + 1)
        before, last = last, row
    return last[-1]


def _tag(record: Record, name: str) -> Tag:
    return next(tag for tag in record.tags if tag.name == name)


def _place(tag: Tag) -> tuple[int, ...]:
    """The line and column of a tag; empty for a tag that was not read from text."""
    return (tag.line, tag.column) if tag.line else ()


def _stated_seats(record: Record) -> tuple[str, ...]:
    """The seats of the position from which a record starts; empty if it does not start from a position."""
    if not record.items or not isinstance(record.items[0], PositionBlock):
        return ()
    return seats_of(record.items[0].terms)


def record_of(position: Position, items: Iterable[Item] = ()) -> Record:
    """A record that starts from a position and continues with some items."""
    facts = position.ruleset.book.sort_facts(position.facts)
    block = PositionBlock(tuple(RecordedFact(parse_user_term(f)) for f in facts))
    return record_under(position.ruleset, (block, *items))


def record_under(rules: Ruleset, items: Iterable[Item] = ()) -> Record:
    """A record under some rules. It contains the text of the board, so that it can be replayed wherever the file is."""
    record = build_record(list(tags_of(rules)), items)
    facts = rules.configuration.board
    return replace(record, board_text="\n".join(f"{fact}." for fact in facts)) if facts else record


# -- spelling ------------------------------------------------------------------------------------------------
#
# Hints for names that a record spells differently, for instance in capitals or with accents.


_GAME: Final = re.compile(r'\[\s*Game\s+"([^"\n]{1,200})"\s*\]')
_WORD: Final = re.compile(r"\w{1,80}")


def with_hint(error: UnreadableInput) -> UnreadableInput:
    """The fault of a record, with a spelling hint for the word at which it was found.

    The hint suggests names of the game that the record names.
    """
    no_word = "found '" not in error.message or error.message.startswith("[")
    if error.path is None or error.line is None or error.column is None or no_word:
        return error
    try:
        text = read_text(error.path)
        line = lines_of(text)[error.line - 1]
        game = _GAME.search(text)
        words = [m[0] for m in _WORD.finditer(line) if m.start() < error.column <= m.end()]
        hint = how_written(folder_of(game[1]), words[0]) if game and words else ""
    except (KaiserLogicError, IndexError):
        return error
    return UnreadableInput(f"{error.message}{hint}", error.path, error.line, error.column)
