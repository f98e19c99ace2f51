"""The command ``play``: random games, and games played by hand."""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from ..drawing.styles import render
from ..errors import KaiserLogicError, WrongUsage
from ..files import write_file, write_new_file
from .common import add_flag, add_game, add_option, game_of, natural, replay_to
from .console import HELP, ActionChoice, Console, PlainConsole, can_assist, choices
from .exit_codes import DONE

if TYPE_CHECKING:
    from .. import clingo
    from ..evaluation.verdict import Violation
    from ..play.match import Match, Observers

_LONGEST: Final = 10_000
"""A game stops after this many moves if there is no other limit."""


def add_play(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``play``."""
    parser.epilog = (
        f"by hand you type at each decision:\n{HELP}\nThe record goes to standard output at the end, also if the game is "
        "ended from outside; if it cannot be printed,\nto a file GAME-interrupted-1.game. On a "
        "terminal, with the extra [terminal] installed,\nthere are completion (Tab), history, filters by "
        "typing, prices and colours (not with NO_COLOR, nor where\nTERM is dumb)."
    )
    add_game(parser)
    add_flag(parser, "--random", "play all roles at random and print the record")
    add_option(parser, "--seed", "S", "the seed of random play: equal seeds give equal games", type=natural)
    add_option(parser, "--moves", "N", "stop after N moves", type=natural)
    add_option(
        parser,
        "--roles",
        '"R ..."',
        "the roles that you play: you see only what they see, and the others play at random"
        " (default: all but chance, and you see everything)",
    )
    add_option(parser, "--resume", "FILE[@N]", "go on from a record, under its own rules")
    add_flag(parser, "--plain", "print plain lines without completion and colours, as in a pipe")


def play(args: argparse.Namespace) -> int:
    """Plays a game and prints its record."""
    from ..play.match import Match, Observers

    course = Match(game_of(args)) if args.resume is None else resume_match(args)
    game = course.game
    seed = Random().randrange(10**6) if args.seed is None else args.seed
    manual = () if args.random else game.seats
    if args.roles is not None:
        manual = tuple(args.roles.replace(",", " ").split())
        unknown = [role for role in manual if role not in game.roles]
        if unknown or args.random:
            raise WrongUsage(
                f"--roles: {', '.join(unknown)} is no role of this game: {', '.join(game.roles)}"
                if unknown
                else "--roles cannot be used with --random, which plays all roles"
            )
    console = PlainConsole() if args.random or args.plain else console_here(game.seats)
    limit = _LONGEST if args.moves is None else args.moves
    observers = Observers(manual if args.roles else ())
    table = PlayTable(course, Random(seed), manual, limit, args.board, observers, console)
    if not args.random:
        console.say("Type 'help' for help.")
    with _ended_by_signals() as ended:
        try:
            table.run()
        finally:
            ended.closing = True  # no call, at which a signal could come
            more = {"Seed": str(seed)} if table.by_chance else {}
            hung_up = ended.number == _HANGUP
            if hung_up:
                table.keep(more)
            try:
                table.finish(more)
                sys.stdout.flush()
            except OSError:  # the terminal is gone, or the disk is full
                if not hung_up:
                    table.keep(more)
                raise
    return DONE


_HANGUP: Final = getattr(signal, "SIGHUP", 0)
_SIGNALS: Final = tuple(filter(None, (signal.SIGTERM, _HANGUP)))


class _Signals:
    """The signals by which programs are ended from outside. They end the game like Ctrl-C, so that its record is kept.

    Attributes:
        number: The last signal; None if there was none.
        closing: Whether the game has ended, and signals no longer matter: the record is being written.
    """

    def __init__(self) -> None:
        self.number: int | None = None
        self.closing = False
        usual = threading.current_thread() is threading.main_thread()
        self._before = {one: signal.getsignal(one) for one in _SIGNALS if usual}
        for one, handler in self._before.items():
            if handler != signal.SIG_IGN:  # as by nohup
                signal.signal(one, self._end)

    def _end(self, number: int, _: object) -> None:
        self.number = number
        if not self.closing:
            self.closing = True
            raise SystemExit(128 + number)

    def restore(self) -> None:
        """Sets the handlers that there were before."""
        for one, handler in self._before.items():
            signal.signal(one, handler)


@contextmanager
def _ended_by_signals() -> Iterator[_Signals]:
    ended = _Signals()
    try:
        yield ended
    finally:
        ended.restore()


def resume_match(args: argparse.Namespace) -> Match:
    """The game of a record, continued from its last move. Options that configure a game contradict it."""
    from ..engine.symbols import symbol
    from ..notation.record import Move
    from ..play.match import Match

    for name in ("edition", "option", "players", "seats", "board", "start"):
        if getattr(args, name):
            raise WrongUsage(
                f"--resume: the record says under which rules it is played; --{name} cannot be used with it"
            )
    replay = replay_to(args.resume)
    record = replay.record
    if not all(isinstance(item, Move) for item in record.items[:1]):
        raise WrongUsage(f"{args.resume} starts from a position: only games from their start can be resumed")
    if replay.game.id != args.game and str(args.game) != str(record.source):
        raise WrongUsage(f"{args.resume} is a game of {replay.game.id}, not {args.game}")
    course = Match(replay.game)
    for move in record.moves[: replay.moves]:
        assert move.action is not None
        course.do(move.role, symbol(move.action))
    return course


def console_here(seats: Sequence[str]) -> Console:
    """The best console: on a capable terminal with the extra ``[terminal]`` one with completion, otherwise the plain one."""
    if not can_assist():
        return PlainConsole()
    from .terminal import Terminal

    return Terminal(seats)


class PlayTable:
    """A game and its players at a console."""

    def __init__(
        self,
        course: Match,
        random: Random,
        manual: tuple[str, ...],
        limit: int,
        board: str | None,
        observers: Observers,
        console: Console,
    ) -> None:
        """A table for a game.

        Args:
            course: The game.
            random: The source of random actions.
            manual: The roles that are played by hand.
            limit: The largest number of moves.
            board: The path of the board file, if there is one.
            observers: The roles whose view is shown.
            console: The console.
        """
        self.course = course
        self.by_chance = False
        self._observers = observers
        self._unreported: dict[str, clingo.Symbol] = {}
        self._random = random
        self._manual = manual
        self._limit = limit
        self._board = board
        self._console = console
        self._saved: set[str] = set()
        self._offered: list[ActionChoice] = []

    def run(self) -> None:
        """Plays until the end, or until somebody stops."""
        while self.course.deciding and len(self.course.moves) < self._limit:
            role = next((r for r in self.course.deciding if r not in self._manual), None)
            if role is not None:
                self._play_at_random()
            elif not self._ask(self.course.deciding[0]):
                return

    def finish(self, more: dict[str, str]) -> None:
        """Prints the record, with these additional tags, and the result of the game."""
        print(str(self.course.record(self._board, more)), end="")
        result = self.course.position.result()
        if result and self._manual:
            points = ", ".join(f"{role} {number}" for role, number in result.points.items())
            self._console.say(f"The game is over: {result.summary} ({points}).")

    def keep(self, more: dict[str, str]) -> None:
        """Writes the record of a game by hand to a file of a new name in the current folder."""
        if not self._manual or not self.course.moves:
            return
        board = None if self._board is None else Path(os.path.relpath(self._board)).as_posix()
        for number in range(1, 1000):
            path = Path(f"{self.course.game.id}-interrupted-{number}.game")
            if not path.exists():
                write_new_file(path, str(self.course.record(board, more)))
                self._console.say(f"written to {path}")
                return

    def _play_at_random(self) -> None:
        """Plays the roles that are not played by hand."""
        from ..play.match import random_actions

        self.by_chance = True
        deciding = self.course.deciding
        for role, action in random_actions(self.course.position, self._random).items():
            if role in deciding and role not in self._manual and len(self.course.moves) < self._limit:
                self._unreported[role] = action
                self._do(role, action)

    def _do(self, role: str, action: clingo.Symbol) -> None:
        """Makes a decision. When no simultaneous decision is pending, prints the actions of others and the events."""
        before = self.course.position
        self.course.do(role, action)
        if not self._manual or self.course.pending:
            return
        after = self.course.position
        for line in self._observers.visible_actions(self._unreported, before, after):
            self._console.event(line)
        self._unreported.clear()
        for event in self._observers.events(before, after):
            self._console.event(f"  {event}")

    # -- by hand -----------------------------------------------------------------------------------

    def _ask(self, role: str) -> bool:
        """Reads lines until a role has decided; False if a line ends the game."""
        self._offered = self._choices(role)
        self._list(role)
        while True:
            line = self._console.line(role, self._offered)
            if line is None:
                return False
            try:
                moved = self._obey(role, line)
            except KaiserLogicError as error:
                self._console.say(str(error))
            else:
                if moved is not None:
                    return moved

    def _obey(self, role: str, line: str) -> bool | None:
        """Carries out a line: True if the position has changed, False if the game ends, None if the role still has to decide."""
        word, _, rest = line.partition(" ")
        if not line or line in self.course.legal(role):
            return self._decide(role, line) if line else None
        match word, rest.strip():
            case "quit" | "exit", "":
                return False
            case "undo", "":
                self._undo()
                return True
            case "redo", "":
                self._redo()
                return True
            case "help" | "?", "":
                self._console.say(HELP)
            case "list", words:
                self._list(role, words)
            case "show", "":
                self._show(role)
            case "save", name if name:
                self._save(name)
            case "why", action if action:
                self._why(role, action)
            case _ if self._console.assisting and self._filters(line):
                self._list(role, line)
            case _:
                return self._decide(role, line)
        return None

    def _filters(self, line: str) -> bool:
        """Whether a line consists of words that fit an action, and is not an action itself."""
        return re.search(r"[(\d]|:", line) is None and any(choice.fits(line) for choice in self._offered)

    def _choices(self, role: str) -> list[ActionChoice]:
        """The legal actions of a role."""
        from ..engine.symbols import read_symbol
        from ..play.match import gains
        from ..rules.phrases import phrases

        position = self.course.position
        visible = self._observers.facts(position, role)
        return choices(
            self.course.legal(role),
            phrases(self.course.game.book.folder).action,
            lambda action: gains(position, role, read_symbol(action), visible),
            natural=self._console.assisting,
        )

    def _list(self, role: str, words: str = "") -> None:
        """Lists the legal actions, or those that words fit."""
        chosen = [choice for choice in self._offered if choice.fits(words)] if words else None
        if chosen == []:
            raise WrongUsage(f"no legal action fits {words!r}")
        self._console.offer(f"{role} decides: {self.course.position.decisions[role]}", self._offered, chosen)

    def _show(self, role: str) -> None:
        """Draws the position as far as the role sees it."""
        width = self._console.width
        layout = None if width is None else str(width)
        self._console.say(render(self._observers.view(self.course.position, role), layout=layout))

    def _judge(self, role: str, text: str) -> tuple[clingo.Symbol, str, list[Violation]]:
        """The action that a text or number means, as symbol and text, and the rules that it would break."""
        from ..engine.symbols import symbol
        from ..notation.syntax import parse_user_term
        from ..notation.terms import has_unknown

        if re.fullmatch(r"[0-9]{1,9}", text):
            if not 1 <= int(text) <= len(self._offered):
                raise WrongUsage(f"there are the numbers 1 to {len(self._offered)}")
            text = self._offered[int(text) - 1].action
        term = parse_user_term(text.removeprefix(f"{role}:").strip())
        if has_unknown(term):
            raise WrongUsage("the action must not contain a '?'")
        action = symbol(term)
        visible = self._observers.facts(self.course.position, role)
        return action, str(term), self.course.violations(role, action, visible)

    def _decide(self, role: str, text: str) -> bool | None:
        """Carries out a typed action if it is legal; otherwise explains why not."""
        from .why import illegal

        action, text, violations = self._judge(role, text)
        if violations:
            self._console.say(illegal(self.course.game.book, role, text, violations))
            return None
        self._do(role, action)
        return True

    def _why(self, role: str, text: str) -> None:
        """Explains an action."""
        from .why import illegal, legal

        _, text, violations = self._judge(role, text)
        if violations:
            self._console.say(illegal(self.course.game.book, role, text, violations))
        else:
            self._console.say(legal(self._observers.visible(self.course.position, role), role, text))

    def _undo(self) -> None:
        """Takes back the last decision made by hand, and the random decisions after it."""
        if not any(move.role in self._manual for move in self.course.moves):
            raise WrongUsage("there is no decision to undo")
        while self.course.undo().role not in self._manual:
            pass
        self._unreported.clear()

    def _redo(self) -> None:
        """Makes the decision again that was taken back last, and the random decisions after it."""
        if self.course.undone_move is None:
            raise WrongUsage("there is no decision to redo")
        self.course.redo()
        while self.course.undone_move is not None and self.course.undone_move.role not in self._manual:
            self.course.redo()

    def _save(self, name: str) -> None:
        """Writes the record to a file. It replaces only a file that this game has written."""
        path = Path(name)
        board = None if self._board is None else Path(os.path.relpath(self._board, path.parent)).as_posix()
        (write_file if name in self._saved else write_new_file)(path, str(self.course.record(board)))
        self._saved.add(name)
        self._console.say(f"written to {name}")
