"""A random game, one position after the other. Each role chooses among its legal actions with equal probability.

Chance follows the rulebook's weights. The actions of a role are ordered by their texts. The roles choose in the order of the
seats, and chance comes last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import tags_of
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..notation.record import Move, Record, Tag
from ..position import Position
from ..rules.predicates import CHANCE

# -- stream --------------------------------------------------------------------------------------------------
#
# Random numbers: each game has a stream of its own, so a seed gives the same games with every engine.
#
# A stream is SplitMix64, a counter that is mixed. The upper 32 bits of each mixed word are used. A number below ``n`` is drawn
# without bias by Lemire's method: of the 2**32 words, those are rejected that would give some numbers one word more than
# others. The batch uses the same numbers in the same order (`vectorised`), so it plays the same games, decision by
# decision.


_WORD: Final = 2**64 - 1
_STRIDE: Final = 0x9E3779B97F4A7C15


def mix(word: int) -> int:
    """A mixed word of 64 bits (the finalizer of SplitMix64)."""
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _WORD
    return word ^ (word >> 31)


def first_state(seed: int, game: int) -> int:
    """The first state of the stream of a game, from the seed and the game's number."""
    return mix((mix((seed + _STRIDE) & _WORD) + _STRIDE * (game + 1)) & _WORD)


class Stream:
    """The random numbers of one game.

    >>> stream = Stream(seed=1, game=0)
    >>> [stream.number_below(6) for _ in range(8)]
    [4, 5, 2, 4, 2, 5, 4, 1]

    Attributes:
        state: The state, which determines the next numbers.
    """

    def __init__(self, seed: int, game: int) -> None:
        """``game``: its number, from 0."""
        self.state = first_state(seed, game)

    @classmethod
    def at(cls, state: int) -> Stream:
        """A stream that continues from a state."""
        stream = cls.__new__(cls)
        stream.state = state
        return stream

    def number_below(self, number: int) -> int:
        """A number from 0 to ``number - 1``, all with equal probability; ``number`` is less than 2**32.

        If there is nothing to choose, no random number is used.
        """
        if number == 1:
            return 0
        refused = 2**32 % number
        while True:
            self.state = (self.state + _STRIDE) & _WORD
            product = (mix(self.state) >> 32) * number
            if product & 0xFFFFFFFF >= refused:
                return product >> 32

    def weighted_index(self, weights: Sequence[int]) -> int:
        """An index of ``weights``, with a probability proportional to its weight; the weights are whole numbers above 0."""
        left = self.number_below(sum(weights))
        for index, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return index
        raise AssertionError("the weights are above 0")


LONGEST: Final = 10_000
"""The largest number of moments of decision of a game. A longer game is abandoned."""


class GameOutcome(NamedTuple):
    """The result of a game.

    Attributes:
        points: The points of all roles, in the order of the seats.
        winners: Whether each role has won, in the same order.
        decided: The number of decisions of each role, in the same order, and of chance at the end.
    """

    points: tuple[int, ...]
    winners: tuple[bool, ...]
    decided: tuple[int, ...]


Choices = Mapping[str, clingo.Symbol]
"""The decisions at one moment: role to action."""


def choose_actions(position: Position, stream: Stream) -> dict[str, clingo.Symbol]:
    """A random action for each role that decides.

    Raises:
        NotDecided: There are too many actions to list, or a role has none.
    """
    legal_actions: dict[str, list[clingo.Symbol]] = {role: [] for role in position.decisions}
    for role, action in position.evaluator.legal(position.symbols):
        legal_actions[role].append(action)
    return {role: one_of(position, role, actions, stream) for role, actions in legal_actions.items()}


def one_of(position: Position, role: str, actions: Sequence[clingo.Symbol], stream: Stream) -> clingo.Symbol:
    """A random one of the actions that a role has in a position."""
    if not actions:
        raise NotDecided(f"{role} has to decide and has no legal action")
    ordered = sorted(actions, key=symbols.text)
    weights = position.evaluator.weights(position.symbols, ordered) if role == CHANCE else {}
    if weights:
        return ordered[stream.weighted_index(list(weights.values()))]
    return ordered[stream.number_below(len(ordered))]


def playout(evaluator: Evaluator, seed: int, number: int) -> Iterator[tuple[Position, Choices]]:
    """The positions of a random game, each with its decisions; the last one, without decisions, is the end.

    Raises:
        NotDecided: The game does not end, or a role has no actions, or too many.
    """
    which = f"game {number} of seed {seed}"
    start = Position(evaluator, evaluator.initial())
    for moment, (position, taken) in enumerate(playing_on(start, Stream(seed, number), which)):
        if taken and moment == LONGEST:
            raise NotDecided(f"{which} has not ended after {LONGEST} moments of decision")
        yield position, taken


def playing_on(position: Position, stream: Stream, which: str) -> Iterator[tuple[Position, Choices]]:
    """Like :func:`playout`, from a position on, however long it takes; ``which``: the name of the game."""
    while position.decisions:
        try:
            taken = choose_actions(position, stream)
        except NotDecided as error:
            raise NotDecided(f"{which}: {error}") from None
        yield position, taken
        position = position.successor(position.evaluator.judge(position.symbols, taken))
    yield position, {}


def ending(position: Position, decided: Mapping[str, int], which: str) -> GameOutcome:
    """The result of a finished game, given the number of decisions of each role."""
    result = position.result()
    if result is None:
        raise NotDecided(f"{which} has stopped without a result")
    seats = position.ruleset.seats
    return GameOutcome(
        tuple(result.points.get(role, 0) for role in seats),
        tuple(role in result.winners for role in seats),
        tuple(decided.get(role, 0) for role in (*seats, CHANCE)),
    )


def name_counted(action: clingo.Symbol) -> str:
    """The name under which an action is counted: its functor and the number of its arguments."""
    name, arity = symbols.signature(action)
    return f"{name}/{arity}"


def record(evaluator: Evaluator, seed: int, number: int, board: str | None = None) -> Record:
    """A random game as a record, played again; ``board``: the name of its board file relative to the record."""
    moves: list[Move] = []
    for position, taken in playout(evaluator, seed, number):
        moves += (Move(role, symbols.term(action)) for role, action in taken.items())
        last = position
    result = last.result()
    winners = " ".join(result.winners) if result else "*"
    tags = [*tags_of(evaluator.ruleset, board), ("Result", winners), ("Seed", f"{seed} {number}")]
    source = evaluator.ruleset.configuration.source
    return Record(tuple(Tag(name, value) for name, value in tags), tuple(moves), source=source)
