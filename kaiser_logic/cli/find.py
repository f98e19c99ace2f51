"""The command ``find``: finds positions by property, or games that reach them."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from ..errors import KaiserLogicError, LimitReached, NotDecided, WrongUsage, visible_name
from .common import (
    LEAST,
    add_flag,
    add_format,
    add_game,
    add_option,
    add_origin,
    add_timeout,
    columns,
    game_of,
    positive,
    print_note,
    time_left,
    time_limit,
    too_short,
    with_board_beside,
)
from .exit_codes import DONE, NO
from .outputs import add_output, data_to
from .progress import clear, progress

if TYPE_CHECKING:
    from typing import TextIO

    from ..evaluation.origin import Origin
    from ..game import Found, Game
    from ..notation.record import Record
    from ..position import Position

_SEARCHING: Final = 0.85
"""The part of --timeout for the search. The rest is for a longer game to be named where there is none so short."""
_SAMPLED: Final = 10
"""The number of positions of random games that are looked at for each second of --timeout."""
_MORE: Final = "; with pip install 'kaiser-logic[batch]' all positions of longer games can be looked at"
"""What is added to "not decided" where circuits are missing."""
_USUAL: Final = 200
"""The largest number of moves of a game if ``--reachable`` names no number."""


def add_find(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``find``."""
    parser.epilog = (
        "'kaiser-logic find GAME --help-query' says how a query is written, and what it can ask of the game."
    )
    add_game(parser)
    add_option(
        parser,
        "query",
        "QUERY",
        'what holds, e.g. "held(R,rival,1), not aristocrat(_,R,_,_,_), not spare(R,aristocrat)"; '
        "without it, the command asks for it at a terminal, and completes what you type",
        nargs="?",
    )
    add_flag(parser, "--help-query", "explain how to write a query, with facts and values of this game")
    add_option(parser, "--count", "K", "find up to this many different positions", type=positive, default=1)
    add_flag(parser, "--smallest", "look for a position with as few pieces as possible")
    add_option(
        parser,
        "--reachable",
        "N",
        f"find a legal game of at most N moves that leads there, as a record (default: {_USUAL})",
        type=positive,
        nargs="?",
        const=_USUAL,
    )
    add_option(parser, "--from", "FILE", "with --reachable: start at the end of this record", dest="start_record")
    add_origin(parser)
    add_option(
        parser,
        "--invariants",
        "FILE",
        "a file of further invariants, broken(Name,Witness) :- ...; if they are proved, they show that no game reaches an answer",
    )
    add_format(
        parser,
        ("text", "json", "svg", "html"),
        "records (default), one JSON object for each position, the picture of one position, or a page with all",
    )
    add_output(parser)
    add_timeout(parser, 60.0)


def find(args: argparse.Namespace) -> int:
    """Finds positions in which a query holds."""
    if args.help_query:
        with data_to(args.output) as out:
            print("\n".join(_help(game_of(args))), file=out)
        return DONE
    if args.query is None:
        args.query = _ask_query(args)
        args.began = time.monotonic()
    if args.format == "svg" and args.count > 1:
        raise WrongUsage("--format svg is the picture of one position; --format html shows several")
    if args.reachable is not None:
        return _reach(args)
    if args.start_record is not None:
        raise WrongUsage("--from needs --reachable")
    with time_limit(args):
        from ..evaluation.origin import LISTED

        game = game_of(args)
        words = _read_back(game, args.query)
        answer, origins = _sample(args, game) or (_search(args, game), None)
    clear()
    listed = f", {LISTED}" if _asks_what_is_legal(game, args.query) else ""
    if not answer.positions:
        conditions = _conditions_of(game)
        print_note(f"no valid position has this property (proved{listed}{';' if listed else ','} {conditions})")
        return NO
    with data_to(args.output) as out:
        _write(args, game, answer, origins, words, out)
    if answer.note:
        print_note(answer.note)
    if answer.exhausted and len(answer.positions) < args.count:
        others = "every other position answers the query as one of them does"
        print_note(f"there are no more than these {len(answer.positions)} (proved{listed}): {others}")
    elif answer.reason:
        print_note(f"whether there are more is not decided: {answer.reason}")
    return DONE


def _search(args: argparse.Namespace, game: Game) -> Found:
    """What the solver finds."""
    try:
        return game.find_result(
            args.query, args.count, timeout=time_left(args), smallest=args.smallest, progress=progress()
        )
    except LimitReached as error:
        more = "--reachable 200 searches games instead"
        if error.by_memory:
            raise NotDecided(f"the memory was too small: {more}") from None
        raise too_short(args, f", {more}") from None


def _asks_what_is_legal(game: Game, query: str) -> bool:
    """Whether a query reads which actions the rulebook lists as legal."""
    from ..query.formula import AFTER
    from ..query.mistakes import read_query
    from ..rules.predicates import LEGAL

    asked = read_query(query, game.ruleset)
    return bool(asked.asks(LEGAL) or asked.asks(AFTER))


def _ask_query(args: argparse.Namespace) -> str:
    """The query that somebody types at a terminal, with completions."""
    from .console import can_assist

    if can_assist():
        from .terminal import query_line

        if typed := query_line(game_of(args).ruleset):
            return typed
    raise WrongUsage("a query is missing; 'kaiser-logic find GAME --help-query' says how it is written")


def _read_back(game: Game, query: str) -> str:
    """Prints the query in English before the search, so that a mistake is seen at once; returns the words."""
    from ..query.in_words import in_english
    from ..query.mistakes import read_query

    try:
        read_query(query, game.ruleset)
        words = in_english(query, game.book)
    except KaiserLogicError:  # the search reports the mistake
        return ""
    print_note(f"looking for: {words}")
    return words


def _sample(args: argparse.Namespace, game: Game) -> tuple[Found, list[Origin]] | None:
    """An answer from a random game, with its origin; None if only the solver can give what is asked for."""
    from ..game import Found
    from ..play.sampled import MOST, sampled_position

    if args.count > 1 or args.smallest or args.invariants is not None:
        return None
    sampled = sampled_position(game, args.query, min(MOST, round(_SAMPLED * args.timeout)))
    if sampled is None:
        return None
    return Found((sampled.match.position,), False, because=(sampled.because,)), [sampled.origin]


def _write(
    args: argparse.Namespace,
    game: Game,
    answer: Found,
    origins: list[Origin] | None,
    words: str,
    out: TextIO,
) -> None:
    """Writes the positions in the chosen format; ``origins`` if they are known."""
    if args.format == "svg":
        from ..drawing.image import render

        print(render(answer.positions[0]), file=out)
        return
    if origins is None:
        invariants = _text(args.invariants)
        origins = [_origin(game, position, args, invariants) for position in answer.positions]
    if args.format == "html":
        from ..reports.pages import answers_page

        print(
            answers_page(game, args.query, words, answer, list(map(str, origins)), _conditions_of(game)),
            end="",
            file=out,
        )
        return
    for number, origin in enumerate(origins):
        _print(args.format, number, answer, origin, out, args.output)


def _text(path: str | None) -> str:
    """The text of a file of invariants."""
    if path is None:
        return ""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise WrongUsage(f"{path} cannot be read: {error}") from None


def _origin(game: Game, position: Position, args: argparse.Namespace, invariants: str) -> Origin:
    """The reachability of a position. No game is looked for if the time is over."""
    from ..evaluation.origin import EFFORT, OPEN, Origin

    effort = EFFORT if args.origin is None else args.origin
    left = time_left(args)
    try:
        with time_limit(args):
            return game.origin(position, effort=effort if left > LEAST else 0, invariants=invariants, timeout=left)
    except NotDecided:
        if time_left(args) > LEAST:
            raise
        return Origin(OPEN, reason="there was no time to look for a game")


def _print(form: str, number: int, result: Found, origin: Origin, out: TextIO, output: str | None) -> None:
    """Prints a position and its origin: as a record after comments that describe it, or as a JSON object."""
    from ..records.tags import record_of

    position = result.positions[number]
    record = str(with_board_beside(record_of(position), output))
    if form == "json":
        facts = position.ruleset.book.sort_facts(position.facts)
        answer = {
            "facts": facts,
            "record": record,
            "origin": origin.as_json(),
            **_answer_comments(result, number),
        }
        print(json.dumps(answer), file=out)
        return
    moves = "".join(f"%   {role}: {action}\n" for role, action in origin.moves)
    print(
        f"{'' if not number else chr(10)}{_comments_of(result, number)}% {visible_name(str(origin))}\n{moves}\n{record}",
        end="",
        file=out,
    )


_WORDS: Final = {"because": "because", "differs": "unlike the first"}


def _answer_comments(answer: Found, number: int) -> dict[str, str]:
    """The comments on an answer: why the query holds, and how it differs from the first answer; empty texts are left out."""
    notes = {"because": answer.because, "differs": answer.differs}
    return {name: texts[number] for name, texts in notes.items() if texts[number:] and texts[number]}


def _comments_of(answer: Found, number: int) -> str:
    """The comments before a record: why the query holds, the differences from the first answer, and the drawn position."""
    from ..drawing.styles import render

    position = answer.positions[number]
    comments = _answer_comments(answer, number)
    lines = [visible_name(f"{_WORDS[name]}: {text}") for name, text in comments.items()]
    if position.ruleset.book.manifest.get("drawing"):
        lines += ["", *render(position).splitlines(), ""]
    return "".join(f"% {line}".rstrip() + "\n" for line in lines)


def _conditions_of(game: Game) -> str:
    """The conditions of the answer "none": players, edition, and validity."""
    from ..engine.invariants import invariants
    from ..rules.predicates import GENERAL

    known = invariants(game.ruleset)
    changed = "".join(f", {name}={value}" for name, value in game.configuration.changed)
    meets = len(known.assumed) + len(GENERAL)
    waived = sorted(known.waived & set(known.every))
    but = f" without {', '.join(waived)}, which a ruling waives" if waived else ""
    start = game.configuration.other_start(game.book)
    where = f"for {len(game.seats)} players, edition {game.edition}{changed}{start}"
    return f"{where}; a valid position meets the {meets} invariants{but}; 'prove' decides whether every game does"


def _reach(args: argparse.Namespace) -> int:
    """Finds games that reach a position in which the query holds."""
    for name, value in (("origin", args.origin), ("invariants", args.invariants)):
        if value is not None:
            raise WrongUsage(f"--{name} cannot be used with --reachable, which itself looks for a game")
    origin: Position | None = None
    with time_limit(args):
        from ..batch.optional import is_installed
        from ..evaluation.origin import LISTED
        from ..game import game_under
        from ..search.reach import find_reachable

        if args.start_record is None:
            game = game_of(args)
        else:
            origin = _begin(args)
            game = game_under(origin.ruleset.configuration)
        _read_back(game, args.query)
    try:
        with time_limit(args):
            result = find_reachable(
                game,
                args.query,
                args.reachable,
                _SEARCHING * args.timeout,
                args.count,
                origin,
                args.smallest,
                progress(),
                args.began,
            )
    except NotDecided as error:
        clear()
        raise NotDecided(f"{error}{_further(game, args, origin)}{_MORE * (not is_installed())}") from None
    clear()
    with data_to(args.output) as out:
        _write_games(args, [record.with_rules(game.configuration.source) for record in result.records], out)
    if result.share:
        print_note(f"the query holds {result.share}")
    for name in result.false:
        print_note(
            f"the invariant {name} is false: the position at the end breaks it"
            if origin is None
            else f"the position at the end breaks the invariant {name}"
        )
    if not result.records:
        if result.by_invariants:
            print_note(
                "no such position can be reached "
                "(proved: no valid position has this property, and every game meets the invariants)"
            )
        else:
            within = "" if args.start_record else _further(game, args, origin)
            moves = f"{args.reachable} move{'s' * (args.reachable > 1)}"
            seen = f"all {result.seen:,} positions seen, " if result.seen else ""
            print_note(f"no such position can be reached in {moves} (proved, {seen}{LISTED}){within}")
        return NO
    if result.seen:
        print_note(f"no shorter game gets there (all {result.seen:,} positions seen, {LISTED})")
    return DONE


def _begin(args: argparse.Namespace) -> Position:
    """The position after the record of ``--from``. The record says which game it is, except for an edition and rulings."""
    from ..rules.library import game_named
    from ..rules.loader import rulebook
    from .common import replay_to

    for name in ("players", "seats", "board", "start"):
        if getattr(args, name):
            raise WrongUsage(f"--from: the record says how its game begins; --{name} cannot be used with it")
    replay = replay_to(args.start_record, args)
    record_game, game = replay.record.game_id, rulebook(game_named(args.game))
    if record_game != game.id:
        raise WrongUsage(f"{args.start_record} is a record of {record_game}, not of {game.id}")
    return replay.here()


def _write_games(args: argparse.Namespace, records: list[Record], out: TextIO) -> None:
    """Writes the games in the chosen format."""
    if args.format in ("svg", "html") and records:
        from ..drawing.image import render
        from ..records.replay import Replay
        from ..reports.pages import ReportedRecord
        from ..reports.pages import render as page
        from ..reports.story import story

        if args.format == "svg":
            print(render(Replay.at(records[0]).here()), file=out)
        else:
            stories = map(story, records)
            print(page(ReportedRecord(one.report, one) for one in stories), end="", file=out)
        return
    for number, record in enumerate(records):
        print(("\n" if number else "") + str(with_board_beside(record, args.output)), end="", file=out)


def _further(game: Game, args: argparse.Namespace, origin: Position | None) -> str:
    """The length of a known game that is longer than the limit, and the option to find it. It need not be a shortest one."""
    from ..search.reach import moves_beyond

    moves = None
    if (left := time_left(args)) > LEAST:
        with suppress(NotDecided), time_limit(args):
            moves = moves_beyond(origin or game, args.query, args.reachable, progress(), left)
    clear()
    if moves is None:
        return ""
    return f"; a game of {moves} moves gets there, and perhaps a shorter one: try --reachable {moves}"


# -- help ----------------------------------------------------------------------------------------------------


def _help(game: Game) -> Iterator[str]:
    """Help on the query language, with the predicates of a game."""
    from ..query.listing import SYNTAX, examples
    from .rules import names

    yield "A query is facts joined by commas. All of them hold in a position that is found."
    yield ""
    yield from columns(list(SYNTAX))
    yield ""
    yield f"Examples in {game.id}, and what they mean"
    for query, words in examples(game.book).items():
        yield f"  {query}"
        yield from columns([("", words)], "    ")
    yield ""
    yield from names(game.ruleset)
