"""Short links: a line of play as numbers among the legal actions, so that 200 moves take some 200 letters.

The rules that read a link must be those that wrote it: with other rules the numbers would mean other moves. A checksum over the
moves notices this, and the link is refused.
"""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

from ..answers.question_reader import Handler, NotRepeated
from ..answers.recorded import term_of, with_board
from ..engine import symbols
from ..engine.ruleset import tags_of
from ..errors import KaiserLogicError, NotDecided, WrongUsage
from ..game import load
from ..notation.reading import parse_record
from ..notation.record import Move, PositionBlock, Record, RecordedFact, Tag, print_item
from ..play.match import Match
from ..records.replay import FaultyRecord, Replay
from .state import Moves

_MOST_LETTERS: Final = 8_000
_MOST_BYTES: Final = 200_000
_BAD: Final = "this link cannot be read: a part of it is missing, or other rules have written it"


@dataclass(frozen=True, kw_only=True)
class ShortenQuestion:
    """A line of play in a record.

    Attributes:
        text: The record.
        line: Role and action of each move from its start.
        board: The text of the board file that it names, if it names one.
    """

    text: Annotated[str, NotRepeated]
    line: Annotated[Moves, NotRepeated]
    board: Annotated[str | None, NotRepeated] = None


@Handler
def shorten(question: ShortenQuestion) -> dict[str, Any]:
    """A short link, without comments and variations; empty if the line cannot be written as numbers."""
    record = with_board(parse_record(question.text), question.board)
    blocks = [PositionBlock(item.facts) for item in record.items if isinstance(item, PositionBlock)]
    tags = tuple(Tag(tag.name, tag.value) for tag in record.tags if tag.name != "Result")
    head = replace(record, tags=tags, items=tuple(blocks[:1]))
    number, factor = 0, 1
    try:
        match = _begin(head)
        for move in question.line:
            options = list(_options(match))
            number += factor * options.index(move)
            factor *= len(options)
            match.do(move[0], symbols.read_symbol(move[1]))
    except (ValueError, NotDecided, FaultyRecord):
        return {"link": ""}
    if len(blocks) > 1 or (blocks and not isinstance(record.items[0], PositionBlock)):
        return {"link": ""}
    board = question.board or ""
    start = f"{len(match.moves)} {len(board)} {head}{board}"
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=_words(record.game_id))
    packed = packer.compress(start.encode()) + packer.flush()
    content = _checksum(head, match.moves) + packed + number.to_bytes((factor.bit_length() + 7) // 8)
    return {"link": urlsafe_b64encode(content).rstrip(b"=").decode()}


@dataclass(frozen=True, kw_only=True)
class LengthenQuestion:
    """A short link: the game, and what stands behind it."""

    game: str
    link: str


@Handler
def lengthen(question: LengthenQuestion) -> dict[str, Any]:
    """The record behind a short link."""
    try:
        content = urlsafe_b64decode(question.link[:_MOST_LETTERS] + "===")
        unpacker = zlib.decompressobj(-15, zdict=_words(question.game))
        count, length, text = unpacker.decompress(content[4:], _MOST_BYTES).decode().split(" ", 2)
        end = len(text) - int(length)
        board = text[end:] or None
        head = with_board(parse_record(text[:end]), board)
        match, number = _begin(head), int.from_bytes(unpacker.unused_data)
        for _ in range(int(count)):
            options = list(_options(match))
            number, digit = divmod(number, len(options))
            role, action = options[digit]
            match.do(role, symbols.read_symbol(action))
    except (ValueError, zlib.error, ZeroDivisionError, KaiserLogicError):
        raise WrongUsage(_BAD) from None
    if number or content[:4] != _checksum(head, match.moves):
        raise WrongUsage(_BAD)
    return {"text": f"{head}\n" + "".join(f"{print_item(move)}\n" for move in match.moves), "board": board}


def _begin(head: Record) -> Match:
    """A game at the start of a record."""
    replay = Replay.at(head)
    match = Match(replay.game)
    match.position = replay.here()
    return match


def _options(match: Match) -> Iterator[tuple[str, str]]:
    """The legal actions of all roles that still have to decide, in their order."""
    for role in match.deciding:
        yield from ((role, action) for action in match.legal(role))


def _words(game_id: str) -> bytes:
    """What the starts of records of a game often say."""
    game = load(game_id)
    facts = [RecordedFact(term_of(fact)) for fact in game.book.sort_facts(game.initial().facts)]
    tags = tuple(Tag(name, value) for name, value in tags_of(game.ruleset))
    return str(Record(tags, (PositionBlock(tuple(facts)),))).encode()


def _checksum(head: Record, moves: list[Move]) -> bytes:
    said = [str(head), head.board_text or "", *map(print_item, moves)]
    return zlib.crc32("\n".join(said).encode()).to_bytes(4)
