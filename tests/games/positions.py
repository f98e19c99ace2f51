"""Named positions of the four games: read from GAME/positions.cases, completed, changed, and played on."""

import re
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, Self

from games.implied import IMPLIED, by_name
from games.tables import Options, lines_of

from kaiser_logic.game import Game, load
from kaiser_logic.position import Position

HERE: Final = Path(__file__).parent
GAMES: Final = ("kaiser", "krone", "staufer", "vive")
UNSAID: Final = re.compile(r"discarded\(.*|court\(\w+,\w+,0\)")
"""What only says that something is not there."""


class Stated(NamedTuple):
    """What is written down of a position: players, hints, facts, implied facts that it lacks, moves that lead there."""

    players: int
    hints: dict[str, str]
    facts: frozenset[str]
    lacks: frozenset[str]
    moves: tuple[str, ...] | None

    def changed(self, change: str) -> Self:
        """Without the facts after ``-`` (``_)`` at the end: all that begin so), with those after ``+``, each with an effect."""
        facts, lacks, adds = self.facts, self.lacks, True
        for word in with_ranges(change).split():
            gone = {f for f in facts if f == word or (word.endswith("_)") and f.startswith(word[:-2]))}
            if word in "+-":
                adds = word == "+"
            elif adds:
                assert word not in facts, f"+ {word}"
                facts |= {word}
            else:
                facts, lacks = facts - gone, lacks | ({word} if not gone else set())
        return self._replace(facts=facts, lacks=lacks)

    def whole(self, game: str) -> Self:
        """The same with nothing left unsaid."""
        return self._replace(facts=self.filled(game), lacks=frozenset(), moves=())

    def filled(self, game: str) -> frozenset[str]:
        if self.moves is not None:
            return frozenset(self.facts - self.lacks)
        seats = load(game, players=self.players).seats
        facts = self.facts | {f"seat({role},{n})" for n, role in enumerate(seats, 1)}
        facts |= IMPLIED[game](by_name(set(self.facts)), seats, **self.hints)
        assert facts >= self.lacks, self.lacks - facts
        return frozenset(f for f in facts - self.lacks if not UNSAID.fullmatch(f))


def with_ranges(text: str) -> str:
    """The text with ``shield(a1-3,red)`` written out: one fact for each of a1, a2 and a3."""

    def all_of(found: re.Match[str]) -> str:
        before, piece, first, last, rest = found.groups()
        return " ".join(f"{before}{piece}{n}{rest}" for n in range(int(first), int(last) + 1))

    return re.sub(r"(\w+\()([a-e])(\d+)-(\d+)([^\s]*\))", all_of, text)


@cache
def stated(game: str) -> dict[str, Stated]:
    blocks: list[list[str]] = []
    for line in lines_of(HERE / game / "positions.cases"):
        if line.startswith(" "):
            blocks[-1][1] += " " + line.strip()
        else:
            blocks.append([line, ""])
    found: dict[str, Stated] = {}
    for head, text in blocks:
        name, _, base = head.partition(" < ")
        if base:
            found[name] = found[base].changed(text)
            continue
        name, _, rest = head.partition(" | ")
        players, *hints = rest.split()
        if hints == ["moves"]:
            at = play(game_of(game, int(players)).initial(), *text.split())
            found[name] = Stated(int(players), {}, at.facts, frozenset(), tuple(text.split()))
        else:
            facts = frozenset(with_ranges(text).split())
            found[name] = Stated(int(players), dict(h.split("=") for h in hints), facts, frozenset(), None)
    return found


def at(game: str, name: str, change: str = "", hints: str = "") -> Stated:
    it = stated(game)[name].changed(change)
    return it._replace(hints=it.hints | dict(h.split("=") for h in hints.split()))


@cache
def game_of(game: str, players: int, edition: str = "standard", options: Options = ()) -> Game:
    return load(game, players=players, edition=edition, options=dict(options))


@cache
def position(
    game: str, name: str, change: str = "", edition: str = "standard", options: Options = (), hints: str = ""
) -> Position:
    it = at(game, name, change, hints)
    found = game_of(game, it.players, edition, options)
    if it.moves is not None and not change:
        return play(found.initial(), *it.moves)
    return found.position(it.filled(game))


def actions_of(position: Position, move: str) -> dict[str, str]:
    """A move: an action of the only role that decides, or ``ROLE: ACTION`` of several, with two blanks between."""
    if ": " not in move:
        (role,) = position.to_move
        return {role: move}
    return dict(part.split(": ", 1) for part in re.split(r",?\s+(?=\w+: )", move.strip()))


def play(position: Position, *moves: str) -> Position:
    for move in moves:
        position = position.apply(actions_of(position, move))
    return position


def names(game: str) -> list[str]:
    """The names of all positions. Those that begin with an underscore are only parts of others."""
    return [name for name in stated(game) if name[0] != "_"]


ATTACK: Final = """shield(a10,red) shield(a11,green) shield(a15,green) castle(a15) hand(red,leader3,1) hand(red,castle,2)
    hand(green,ambush,1) hand(green,truce,1) turn(red) ap(3) decision(red,turn)"""
"""Facts of a position of krone with two players in which Red can attack a11."""


def make(game: Game, text: str) -> Position:
    return game.position(
        Stated(len(game.seats), {}, frozenset(with_ranges(text).split()), frozenset(), None).filled(game.id)
    )
