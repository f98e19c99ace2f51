"""The command play: random games, and games by hand."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from ..drawing.styles import render
from ..errors import KaiserLogicError, WrongUsage
from .common import add_game, game_of, natural, replayed, say

if TYPE_CHECKING:
    import clingo

    from ..evaluation.verdict import Violation
    from ..play.match import Match
    from ..play.telling import Onlookers

_HELP: Final = """\
  a number, or an action as text   decide so
  why ACTION                       why the action is legal or illegal
  list                             the legal actions again
  show                             the position
  undo                             take the last decision back
  save FILE                        write the record so far
  quit                             stop, and print the record so far"""
_LONGEST: Final = 10_000
"""The moves after which a random game is stopped."""


def add_play(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``play``."""
    parser.epilog = (
        f"by hand you type at each decision:\n{_HELP}\nThe record goes to standard output at the end."
    )
    add_game(parser)
    parser.add_argument(
        "--random", action="store_true", help="let everybody play at random; prints the record"
    )
    parser.add_argument(
        "--seed", metavar="S", type=natural, help="what random play depends on: equal seeds, equal games"
    )
    parser.add_argument("--moves", metavar="N", type=natural, help="stop after so many moves")
    parser.add_argument(
        "--roles",
        metavar='"R ..."',
        help="who is played by hand, and shown only what they see; the others play at random"
        " (default: all but chance, shown everything)",
    )
    parser.add_argument("--resume", metavar="FILE[@N]", help="go on from a record, under its own rules")
    parser.set_defaults(run=play)


def play(args: argparse.Namespace) -> int:
    """Plays a game and prints its record."""
    from ..play.match import Match
    from ..play.telling import Onlookers

    course = Match(game_of(args)) if args.resume is None else resumed(args)
    game = course.game
    seed = Random().randrange(10**6) if args.seed is None else args.seed
    manual = () if args.random else game.seats
    if args.roles is not None:
        manual = tuple(args.roles.replace(",", " ").split())
        unknown = [role for role in manual if role not in game.roles]
        if unknown or args.random:
            raise WrongUsage(
                f"--roles: {', '.join(unknown)} takes no part"
                if unknown
                else "--roles and --random contradict"
            )
    table = Table(
        course, Random(seed), manual, args.moves, args.board, Onlookers(manual if args.roles else ())
    )
    if not args.random:
        say("Type 'help' for help.")
    try:
        table.run()
    finally:
        table.finish({"Seed": str(seed)} if table.by_chance else {})
    return 0


def resumed(args: argparse.Namespace) -> Match:
    """The game of a record, played so far as it is; the options that configure a game say nothing then."""
    from ..engine.symbols import symbol
    from ..notation.record import Move
    from ..play.match import Match

    replay = replayed(args.resume)
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


class Table:
    """A game and those who sit at it."""

    def __init__(
        self,
        course: Match,
        random: Random,
        manual: tuple[str, ...],
        limit: int | None,
        board: str | None,
        onlookers: Onlookers,
    ) -> None:
        """``manual``: who is played by hand; ``limit``: the most moves; ``onlookers``: who is told what."""
        self._onlookers = onlookers
        self._untold: dict[str, clingo.Symbol] = {}
        self.course = course
        self.by_chance = False
        self._random = random
        self._manual = manual
        self._limit = _LONGEST if limit is None else limit
        self._board = board
        self._saved: set[str] = set()

    def run(self) -> None:
        """Plays until the end, or until somebody stops."""
        while self.course.deciding and len(self.course.moves) < self._limit:
            role = next((r for r in self.course.deciding if r not in self._manual), None)
            if role is not None:
                self._play_at_random()
            elif not self._ask(self.course.deciding[0]):
                return

    def finish(self, more: dict[str, str]) -> None:
        """Prints the record and says how the game ended."""
        print(self.course.record(self._board, more), end="")
        result = self.course.position.result()
        if result and self._manual:
            points = ", ".join(f"{role} {number}" for role, number in result.points.items())
            say(f"The game is over: {result.said} ({points}).")

    def _play_at_random(self) -> None:
        """Lets all decide who are not played by hand."""
        from ..play.playout import random_actions

        self.by_chance = True
        deciding = self.course.deciding
        for role, action in random_actions(self.course.position, self._random).items():
            if role in deciding and role not in self._manual and len(self.course.moves) < self._limit:
                self._untold[role] = action
                self._do(role, action)

    def _do(self, role: str, action: clingo.Symbol) -> None:
        """Makes a decision, and tells what others did and what happened, once nothing is secret any more."""
        before = self.course.position
        self.course.do(role, action)
        if not self._manual or self.course.pending:
            return
        after = self.course.position
        for line in self._onlookers.told(self._untold, before, after):
            say(line)
        self._untold.clear()
        for event in self._onlookers.events(before, after):
            say(f"  {event}")

    # -- by hand -----------------------------------------------------------------------------------

    def _ask(self, role: str) -> bool:
        """One line of input for a role's decision; False if that ends the game."""
        self._list(role)
        while True:
            print("> ", end="", file=sys.stderr, flush=True)
            line = sys.stdin.readline()
            if not line:
                say()
                return False
            try:
                went_on = self._obey(role, line.strip())
            except KaiserLogicError as error:
                say(str(error))
            else:
                if went_on is not None:
                    return went_on

    def _obey(self, role: str, line: str) -> bool | None:
        """Does what was typed: True if the game goes on or back, False if it ends, None if it stays."""
        word, _, rest = line.partition(" ")
        if not line or line in self.course.legal(role):
            return self._decide(role, line) if line else None
        match word, rest.strip():
            case "quit" | "exit", "":
                return False
            case "undo", "":
                self._undo()
                return True
            case "help" | "?", "":
                say(_HELP)
            case "list", "":
                self._list(role)
            case "show", "":
                width = str(os.get_terminal_size(2).columns) if sys.stderr.isatty() else None
                say(render(self._onlookers.seen(self.course.position, role), layout=width))
            case "save", name if name:
                self._save(name)
            case "why", action if action:
                self._why(role, action)
            case _:
                return self._decide(role, line)
        return None

    def _list(self, role: str) -> None:
        """The legal actions, numbered, with what they mean."""
        from ..rules.phrases import phrases

        words = phrases(self.course.game.book.folder)
        actions = self.course.legal(role)
        width = max(map(len, actions), default=0)
        say(f"{role} decides: {self.course.position.decisions[role]}")
        for number, action in enumerate(actions, 1):
            meaning = words.action(action)
            say(f"{number:>5}  {action:<{width}}  {'' if meaning == action else meaning}".rstrip())

    def _judged(self, role: str, text: str) -> tuple[clingo.Symbol, str, list[Violation]]:
        """The action that a text or number means, as symbol and text, and the rules that it would break."""
        from ..engine.symbols import symbol
        from ..notation.syntax import parsed
        from ..notation.terms import has_unknown

        actions = self.course.legal(role)
        if re.fullmatch(r"[0-9]{1,9}", text):
            if not 1 <= int(text) <= len(actions):
                raise WrongUsage(f"there are the numbers 1 to {len(actions)}")
            text = actions[int(text) - 1]
        term = parsed(text.removeprefix(f"{role}:").strip())
        if has_unknown(term):
            raise WrongUsage("the action must not be left open")
        action = symbol(term)
        return action, str(term), self.course.violations(role, action)

    def _decide(self, role: str, text: str) -> bool | None:
        """Carries out what was typed, if that is a legal action."""
        from .why import illegal

        action, text, violations = self._judged(role, text)
        if violations:
            say(illegal(self.course.game.book, role, text, violations))
            return None
        self._do(role, action)
        return True

    def _why(self, role: str, text: str) -> None:
        """Explains an action."""
        from .why import illegal, legal

        _, text, violations = self._judged(role, text)
        if violations:
            say(illegal(self.course.game.book, role, text, violations))
        else:
            say(legal(self.course.position, role, text))

    def _undo(self) -> None:
        """Takes back the last decision made by hand, and what was decided at random after it."""
        if not any(move.role in self._manual for move in self.course.moves):
            raise WrongUsage("there is nothing to take back")
        while self.course.undo().role not in self._manual:
            pass
        self._untold.clear()

    def _save(self, name: str) -> None:
        """Writes the record; does not replace a file that was not written by this game."""
        path = Path(name)
        board = None if self._board is None else os.path.relpath(self._board, path.parent)
        try:
            with path.open("w" if name in self._saved else "x", encoding="utf-8") as file:
                file.write(str(self.course.record(board)))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise WrongUsage(f"cannot write {name}: {reason}") from None
        self._saved.add(name)
        say(f"written to {name}")


COMMANDS: Final = {"play": add_play}
"""What adds the arguments of each command."""
