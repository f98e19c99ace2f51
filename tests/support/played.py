"""Games for tests: an opening, a complete random game, and an election in the last round; checks of texts."""

from functools import lru_cache
from random import Random

from kaiser_logic.engine import symbols
from kaiser_logic.game import Game, game_under, load
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.play.match import Match, random_actions
from kaiser_logic.position import Position
from kaiser_logic.records.checking import Report, check
from kaiser_logic.records.replay import OnIllegal
from support import SUPPORT

HEAD = '[Game "kaiser"]\n'

VOTE = (SUPPORT / "election.facts").read_text(encoding="utf-8")
"""Round 5: blue is emperor and red is the rival; green and yellow vote. Green wins after every vote."""

ELECTION = f"{HEAD}position {{{VOTE}}}\n"
"""A record that starts at this position."""


@lru_cache
def opening() -> str:
    """The moves of a set-up with four players up to red's first turn, one on each line."""
    match = Match(load("kaiser"))
    while match.position.decisions != {"red": "turn"}:
        (role,) = match.deciding
        match.do(role, symbols.read_symbol(match.legal(role)[0]))
    return "".join(f"{move.role}: {move.action}\n" for move in match.moves)


@lru_cache
def played(players: int = 2, seed: int = 1) -> str:
    match = Match(load("kaiser", players=players))
    random = Random(seed)
    while match.deciding:
        for role, action in random_actions(match.position, random).items():
            assert symbols.text(action) in match.legal(role)
            match.do(role, action)
    return str(match.record())


def game_at(position: Position) -> Game:
    return game_under(position.ruleset.configuration)


def report(text: str, on_illegal: OnIllegal = "stop") -> Report:
    return check(parse_record(text, "my.game"), on_illegal)


def rules(found: Report) -> list[str]:
    return [fault.rule for fault in found.faults]
