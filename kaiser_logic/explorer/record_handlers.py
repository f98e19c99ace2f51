"""Answers about games and records: opens, starts and continues records, with the effects and faults of each move."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Annotated, Any, Final, Literal

from ..answers.handlers import NoArguments
from ..answers.question_reader import Handler, Most, NotRepeated, NumberLimits, unknown
from ..answers.recorded import term_of, with_board
from ..drawing.frame import deal
from ..drawing.scene import Scene, scene
from ..drawing.svg.canvas import Canvas
from ..drawing.svg.pen import Palette
from ..drawing.text import events
from ..engine import symbols
from ..engine.ruleset import tags_of
from ..errors import UnreadableInput, WrongUsage
from ..game import Game
from ..notation.document import Document
from ..notation.reading import parse_record
from ..notation.record import Move, PositionBlock, Record, RecordedFact, print_item
from ..notation.syntax import parse_move
from ..notation.terms import has_unknown
from ..play.match import random_actions
from ..position import Position
from ..records.checking import report_of
from ..records.fault import Fault
from ..records.replay import Replay
from ..records.tags import with_hint
from ..rules.library import examples_folder
from ..rules.phrases import Phrases, phrases
from ..rules.rulebook import Rulebook
from .boards import geometry_json
from .state import MOST_FACTS, Moves, RequestedGame, State, Texts, record_of_tags, with_words


def describe_configuration(game: Game) -> dict[str, Any]:
    """A configured game: edition, rulings, seats, and the layout of its board."""
    words = phrases(game.book.folder)
    shown, palette = scene(game.initial()), Palette("auto", game.seats)
    canvas = None if shown is None else Canvas(shown, deal(shown), shown.geometry.layout(), palette)
    return {
        "id": game.id,
        "title": game.book.title,
        "edition": game.edition,
        "options": dict(game.options),
        "seats": list(game.seats),
        "words": {role: words.phrase(role) for role in game.roles},
        "letters": {} if canvas is None else canvas.letters,
        "colours": {role: list(palette.owner(role)) for role in game.seats},
        "kinds": {} if shown is None else _kinds(shown),
        "layouts": [] if shown is None else geometry_json(shown.geometry),
        "facts": [f"{name}/{arity}" for name, arity in sorted(game.book.fluents)],
    }


def _kinds(shown: Scene) -> dict[str, str]:
    """The phrase for a free place of each kind, if the game has one."""
    titles = {kind: shown.say(f"place({kind})") for kind, _ in shown.geometry.slots}
    return {kind: words for kind, words in titles.items() if not words.startswith("place(")}


# -- examples ------------------------------------------------------------------------------------------------


_FIRST: Final = 4_000
"""The number of letters of a file that are read for its description."""
_TAG: Final = re.compile(r'^\s*\[\s*(\w+)\s*"([^"]*)"\s*\]', re.MULTILINE)
_FAULTY: Final = "faults"
"""The folder of records that are faulty on purpose; they are not offered."""
_SENTENCE: Final = 110


@Handler
def examples(_: NoArguments) -> dict[str, Any]:
    """All example records by game: file and description; without those that need a board file."""
    by_game: dict[str, list[dict[str, str]]] = {}
    for file in _files():
        with file.open(encoding="utf-8", errors="replace") as source:
            text = source.read(_FIRST)
        tags = dict(_TAG.findall(text))
        if "Game" in tags and "Board" not in tags:
            name = file.relative_to(examples_folder()).as_posix()
            by_game.setdefault(tags["Game"], []).append({"file": name, "label": _about(text)})
    return {"examples": [{"game": game, "records": records} for game, records in by_game.items()]}


@dataclass(frozen=True)
class ExampleQuestion:
    """An example by its file, as `examples` lists it."""

    file: str


@Handler
def example(question: ExampleQuestion) -> dict[str, Any]:
    """The text of an example."""
    files = {file.relative_to(examples_folder()).as_posix(): file for file in _files()}
    if question.file not in files:
        raise WrongUsage(unknown("example", question.file, files))
    file = files[question.file]
    return {"text": file.read_text(encoding="utf-8"), "name": file.name}


def _files() -> list[Path]:
    paths = [file for file in examples_folder().glob("*/*.game") if file.is_file() and file.parent.name != _FAULTY]
    return sorted(paths)


def _about(text: str) -> str:
    """The first sentence of the comment at the start of a record."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("%"):
            break
        lines.append(line.lstrip("% ").strip())
    sentence = re.split(r"(?<=\w)\. ", " ".join(lines))[0].rstrip(".")
    return sentence if len(sentence) <= _SENTENCE else f"{sentence[:_SENTENCE].rsplit(' ', 1)[0]} …"


# -- records ------------------------------------------------------------------------------------------------


_LONGEST: Final = 2_000
"""The largest number of moves of a random game."""

Seed = Annotated[int, NumberLimits(0, 10**9)]


@dataclass(frozen=True, kw_only=True)
class OpenQuestion:
    """The text of a record.

    Attributes:
        text: The record.
        board: The text of the board file that it names, if it names one.
        illegal: What happens after an illegal move.
        edition: Another edition than that of its tags, or None.
        options: Other rulings than those of its tags: name and value.
    """

    text: Annotated[str, NotRepeated]
    board: Annotated[str | None, NotRepeated] = None
    illegal: Literal["stop", "skip", "force"] = "stop"
    edition: str | None = None
    options: tuple[tuple[str, str], ...] = ()

    def record(self) -> Record:
        """The record, under the other edition and rulings if they are given."""
        options = dict(self.options)
        if len(options) < len(self.options):
            raise WrongUsage("options has a ruling twice")
        try:
            record = with_board(parse_record(self.text), self.board)
        except UnreadableInput as error:
            raise with_hint(error) from None
        return record.with_rules(None, self.edition, options) if self.edition is not None or options else record


@Handler
def open_record(question: OpenQuestion) -> dict[str, Any]:
    """Replays the text of a record, under another edition and other rulings if they are given."""
    record, text = question.record(), question.text
    if question.edition is not None or question.options:
        text = str(Document(text).with_tags(record.tags))
    return _as_data(Replay(record, question.illegal), text)


Line = Annotated[tuple[tuple[str, str, str], ...], Most(MOST_FACTS)]
"""A line of play from the start of a record: role, action and comment of each move."""


@dataclass(frozen=True, kw_only=True)
class WriteQuestion:
    """A record to which lines of play and comments are added.

    Attributes:
        text: The record as it was opened.
        lines: The lines that it does not have.
        comments: The comments that have changed: place and comment; an empty one is removed.
        winners: The winners if the record now ends the game; None if it does not.
    """

    text: Annotated[str, NotRepeated]
    lines: Annotated[tuple[Line, ...], Most(MOST_FACTS)] = ()
    comments: Annotated[tuple[tuple[str, str], ...], Most(MOST_FACTS)] = ()
    winners: tuple[str, ...] | None = None


@Handler
def write_record(question: WriteQuestion) -> dict[str, Any]:
    """The text of a record with more lines and other comments. All else stays as it was written, letter for letter."""
    document = Document(question.text)
    before = len(document.record.moves)
    if len(dict(question.comments)) < len(question.comments):
        raise WrongUsage("two comments for one place")
    for place, comment in question.comments:
        document = document.with_comment(place, comment)
    for line in question.lines:
        moves = [
            replace(parse_move(f"{role}: {action}"), comment="\n".join(map(str.strip, said.splitlines())))
            for role, action, said in line
        ]
        document = document.with_line(moves)
    if len(document.record.moves) > before and document.record.result is not None:
        document = document.with_tag("Result", _result_tag(question.winners))
    return {"text": str(document)}


def _result_tag(winners: Sequence[str] | None) -> str:
    return "*" if winners is None else " ".join(winners)


@dataclass(frozen=True, kw_only=True)
class RearrangeQuestion:
    """A record of which a variation is promoted or moved, or a part deleted.

    Attributes:
        text: The record.
        line: A line of play in it.
        change: ``promote`` the variation that the line goes through last; show it before its neighbour (``earlier``) or
            behind it (``later``); or ``delete`` the line's last move, with all that follows it.
        board: The text of the board file that it names, if it names one.
    """

    text: Annotated[str, NotRepeated]
    line: Moves
    change: Literal["promote", "earlier", "later", "delete"]
    board: Annotated[str | None, NotRepeated] = None


@Handler
def rearrange_record(question: RearrangeQuestion) -> dict[str, Any]:
    """The record after the change, replayed. If its own line ends elsewhere now, its result is the one of that end."""
    document = Document(question.text)
    before = document.record.moves
    place = document.place_of([parse_move(f"{role}: {action}") for role, action in question.line])
    if not place or place == "0":
        raise WrongUsage("the text of the record does not have this move")
    if question.change == "delete":
        document = document.without_branch(place)
    elif "." in place:
        name = place.rpartition(".")[0]
        promoted = question.change == "promote"
        document = document.with_promoted(name) if promoted else document.with_moved(name, _STEPS[question.change])
    if document.record.moves != before and document.record.result is not None:
        replay = Replay(with_board(document.record, question.board))
        replay.run()
        result = replay.here().result()
        document = document.with_tag("Result", _result_tag(None if result is None else result.winners))
    return _as_data(Replay(with_board(document.record, question.board)), str(document))


_STEPS: Final[dict[str, Literal[-1, 1]]] = {"earlier": -1, "later": 1}


@dataclass(frozen=True, kw_only=True)
class BeginQuestion(RequestedGame):
    """A record that begins with a position: its tags and its facts."""

    facts: Texts


@Handler
def begin_record(question: BeginQuestion) -> dict[str, Any]:
    """The text of a record that begins with a position."""
    question.game()  # refuses a game that does not exist
    block = PositionBlock(tuple(RecordedFact(term_of(fact)) for fact in question.facts))
    return {"text": str(record_of_tags(question.tags, (block,), question.board))}


@dataclass(frozen=True, kw_only=True)
class StartQuestion(RequestedGame):
    """A new game.

    Attributes:
        moves: The number of random moves.
        seed: The seed of the random moves.
    """

    moves: Annotated[int, NumberLimits(0, _LONGEST)] = 0
    seed: Seed = 1


@Handler
def start_game(question: StartQuestion) -> dict[str, Any]:
    """Starts a new game of these tags, or a random one of ``moves`` moves."""
    rules = question.game().ruleset
    known = {*_TAGS, *rules.book.manifest.get("tags", {})}
    tags = [tag for tag in tags_of(rules) if tag[0] != "Board"]
    others = [(name, value) for name, value in question.tags if name not in known]
    record = record_of_tags([*tags, *others], (), question.board)
    if question.moves:
        replay = Replay.at(record)
        played = _random_moves(replay.here(), question.moves, Random(question.seed))
        record = replace(record, items=tuple(played))
    text = str(record)
    record = with_board(parse_record(text), question.board)
    return _as_data(Replay(record), text)


_TAGS: Final = ("Game", "Edition", "Option", "Seats")
"""The tags that describe the game; other tags are kept as they are."""


def _random_moves(position: Position, most: int, random: Random) -> list[Move]:
    moves: list[Move] = []
    while position.to_move and len(moves) < most:
        actions = random_actions(position, random)
        moves += (Move(role, term_of(symbols.text(action))) for role, action in actions.items())
        position = position.successor(position.evaluator.judge(position.symbols, actions))
    return moves


@dataclass(frozen=True, kw_only=True)
class LineQuestion(State):
    """Moves from a place: role and action of each."""

    moves: Moves


@Handler
def went_on(question: LineQuestion) -> dict[str, Any]:
    """Makes moves from a place, up to the first illegal one."""
    replay = Replay(question.record(*(Move(role, term_of(action)) for role, action in question.moves)))
    first = len(question.pending)
    steps = _steps(replay, first)
    return {"steps": steps[1:], "faults": _faults(replay.faults, replay.game.book, first)}


@dataclass(frozen=True, kw_only=True)
class PlayOnQuestion(State):
    """A random game that goes on.

    Attributes:
        moves: The number of moves.
        seed: The seed of the moves.
    """

    moves: Annotated[int, NumberLimits(0, _LONGEST)] = 1
    seed: Seed = 1


@Handler
def played_on(question: PlayOnQuestion) -> dict[str, Any]:
    """Continues a random game by some moves. The page fetches long games in parts, so that it can show progress."""
    played = _random_moves(question.replay().here(), question.moves, Random(question.seed))
    return {"steps": _steps(Replay(question.record(*played)), len(question.pending))[1:]}


def _as_data(replay: Replay, text: str) -> dict[str, Any]:
    """A whole record: its game, its steps, its variations, and its faults."""
    record, words = replay.record, _words(replay)
    main = _MoveLine(replay, record.comments)
    steps = main.steps(0)
    variations: list[dict[str, Any]] = []
    faults: list[Fault] = []
    lines = [main]
    for number, line in enumerate(lines):  # lines are added meanwhile
        for at, fork in line.branches:
            if len(lines) > MOST_VARIATIONS:
                break
            start = fork.moves
            one = _MoveLine(fork, record.comments)
            made = one.steps(start)[1:]
            rest = fork.record.moves[start + len(made) :]
            lines.append(one)
            variations.append(
                {
                    "line": number,
                    "at": at,
                    "name": fork.record.branches[-1][1],
                    "steps": made,
                    "moves": [[m.role, _text_of(m)] for m in rest],
                    "unfollowed": [_in_words(words, move) for move in rest],
                }
            )
            faults += fork.faults
    report = report_of(replay)
    game: Game = replay.game
    return {
        "game": describe_configuration(game),
        "board": record.board_text,
        "tags": [[tag.name, tag.value] for tag in record.tags],
        "steps": steps,
        "variations": variations,
        "moves": [[m.role, _text_of(m)] for m in record.moves],
        "unfollowed": [_in_words(words, move) for move in record.moves[max(0, len(steps) - 1) :]],
        "faults": _faults([*report.faults, *faults], game.book, 0),
        "result": report.result.summary if report.result else "",
        "text": text,
    }


MOST_VARIATIONS: Final = 200
"""The largest number of variations that are shown."""


class _MoveLine:
    """The moves of a record, or of one of its variations, as the page shows them.

    Attributes:
        branches: The variations that begin in it: the number of moves before them, and a replay.
    """

    def __init__(self, replay: Replay, comments: Mapping[str, str]) -> None:
        self._replay = replay
        self._comments = comments
        self.branches: list[tuple[int, Replay]] = []

    def steps(self, first: int) -> list[dict[str, Any]]:
        """The place after ``first`` moves, and those after each later legal move; facts as differences from the place before."""
        replay = self._replay
        record = replay.record
        places: list[dict[str, Any]] = []
        between = _moves_before(record)
        started = replay.position.facts if record.branches and replay.position is not None else None
        known, heading = frozenset[str](), dict[str, Any]()
        for number in range(first, len(record.moves) + 1):
            before = replay.position
            if number > first:
                self.branches += ((number - 1 - first, fork) for fork in replay.variations())
            replay.run(number)
            if replay.moves < number or replay.position is None:
                break
            now = replay.position
            move = record.moves[number - 1] if number > first else None
            if move is not None and replay.stopped and replay.judged >= number - first and _is_wrong(replay, number):
                break
            step: dict[str, Any] = {
                "minus": sorted(known - now.facts),
                "plus": now.ruleset.book.sort_facts(now.facts - known),
                "pending": [[role, symbols.text(action)] for role, action in replay.pending.items()],
                "over": not now.decisions,
                "also": between.get(number, []) if move is not None or not first else [],
                "comment": self._comments.get(record.place(number), ""),
            }
            if not heading or before is not now:
                heading = _heading(now)
            step |= heading
            if move is not None:
                step |= {
                    "role": move.role,
                    "action": _text_of(move),
                    "label": _in_words(_words(replay), move),
                }
                moved = before is not None and before is not now
                step["events"] = events(before, now) if moved and before is not None else []
            places.append(step)
            known = now.facts if started is None or number > first else started
        return places


def _heading(position: Position) -> dict[str, Any]:
    """The part of the game in which a position lies, such as a round, and the points: both as its picture shows them."""
    shown = scene(position)
    return {} if shown is None else {"part": " · ".join(shown.aside), "points": shown.points}


def _steps(replay: Replay, first: int) -> list[dict[str, Any]]:
    """The steps of a record without variations."""
    return _MoveLine(replay, {}).steps(first)


def _is_wrong(replay: Replay, number: int) -> bool:
    """Whether the replay stopped because of the last move."""
    before = replay.record.place(number - 1)
    return any(fault.role is not None and fault.place == before for fault in replay.faults)


def _moves_before(record: Record) -> dict[int, list[str]]:
    """The number of moves before them to assertions and position blocks, as records write them."""
    texts: dict[int, list[str]] = {}
    moves = 0
    for item in record.items:
        if isinstance(item, Move):
            moves += 1
        else:
            texts.setdefault(moves, []).append(print_item(replace(item, comment="")))
    return texts


def _words(replay: Replay) -> Phrases:
    return phrases(replay.game.book.folder)


def _text_of(move: Move) -> str:
    return "?" if move.action is None else str(move.action)


def _in_words(words: Phrases, move: Move) -> str:
    """A move in words, without its role."""
    if move.action is None or has_unknown(move.action):
        return _text_of(move)
    return words.action(str(move.action))


def _faults(faults: Sequence[Fault], book: Rulebook, first: int) -> list[dict[str, Any]]:
    """Faults as JSON, with words; their moves are counted from the page's first move."""
    return [
        {**with_words(book, one.as_json()), "moves": None if one.moves is None else one.moves - first} for one in faults
    ]
