"""Random games of a batch: lanes in lockstep, and the engine for one position where circuits do not decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np

from ..engine import symbols
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..lang.algebra import variables, walk
from ..lang.terms import ANY, Atom, Compare, Literal, Signature, Var
from ..position import Position
from ..rules.predicates import GOAL
from ..rules.rule import PlacedRule
from .layout import Layout
from .packed import MOST_STEPS, PackedPositions, Runner
from .playing import Results
from .playout import LONGEST, Stream, ending, name_counted, playing_on
from .transition_circuits import STEP
from .vectorised import MOST_LANES, OTHER, OVER, LoadedCircuits, Moves, first_states

# -- outcomes ------------------------------------------------------------------------------------------------
#
# The results of games, computed once for all games that end alike.
#
# The rulebook's own program derives the winners from the last position. If it only compares numbers without a limit with each
# other, the result is the same for all positions that differ only in these numbers and have them in the same order. Then the
# program is evaluated for the ranks in that order. 0 keeps the rank 0, and numbers below it have ranks below it: a position need
# not state a number that is 0, and a seat without points has 0.


Ending = tuple[tuple[int, ...], tuple[bool, ...]] | None
"""Points and winners in the order of the seats; None if there is no result."""


class Outcomes:
    """The results of games under the same rules."""

    def __init__(self, evaluator: Evaluator, layout: Layout) -> None:
        """``evaluator``: evaluates last positions."""
        self._evaluator, self._layout = evaluator, layout
        program = evaluator.ruleset.outcome_program
        self._by_order = by_order_only(program.rules, layout.unbounded)
        self._known: dict[tuple[bytes, tuple[int, ...]], Ending] = {}
        read = [bit for fact, bit in layout.bits.items() if symbols.signature(fact) in program.inputs]
        mask = np.zeros(64 * layout.words, np.bool_)
        mask[read] = True
        self._mask = np.packbits(mask, bitorder="little").view(np.uint64)

    def ending_of(self, row: Any, numbers: Any) -> Ending:
        """The result of a game, from the words of its last position and the numbers beside them."""
        places = exact = tuple(map(int, numbers))
        values = sorted({0, *exact})
        zero = values.index(0)
        if self._by_order:
            places = tuple(values.index(n) - zero for n in exact)
        key = (row & self._mask).tobytes(), places
        if key not in self._known:
            self._known[key] = self._find_ending(*key)
        stored = self._known[key]
        if stored is None or not self._by_order:
            return stored
        return tuple(values[n + zero] for n in stored[0]), stored[1]

    def _find_ending(self, row: bytes, numbers: tuple[int, ...]) -> Ending:
        result = self._evaluator.outcome(self._layout.decode(row, numbers))
        if result is None:
            return None
        points, winners = result
        seats = self._evaluator.ruleset.seats
        return tuple(points.get(role, 0) for role in seats), tuple(role in winners for role in seats)


def by_order_only(rules: Sequence[PlacedRule], unbounded: Iterable[Signature]) -> bool:
    """Whether rules only copy numbers, compare them with each other, and give them as points.

    >>> from kaiser_logic.rules.loader import parse_rules
    >>> def ask(text): return by_order_only(parse_rules(text), frozenset({("points", 2)}))
    >>> ask("goal(R,N) :- points(R,N). behind(R) :- goal(R,N), goal(_,M), N < M.")
    True
    >>> ask("goal(R,N+1) :- points(R,N)."), ask("goal(R,N) :- points(R,N), N > 3.")
    (False, False)
    """
    carrying = {(kind, kind[1] - 1) for kind in unbounded}
    grows = True
    while grows:
        heads = ((head, _numbers(rule, carrying)) for rule in rules for head in rule.value.heads)
        new = {
            (head.signature, k)
            for head, numbers in heads
            for k, argument in enumerate(head.args)
            if numbers.intersection(variables(argument))
        }
        grows = not new <= carrying
        carrying |= new
    return (GOAL, 1) in carrying and all(
        _compares_only(literal, _numbers(rule, carrying), carrying)
        for rule in rules
        for literal in (*rule.value.heads, *rule.value.body)
    )


def _numbers(rule: PlacedRule, carrying: set[tuple[Signature, int]]) -> set[str]:
    """The variables of a rule for numbers without a limit; ``carrying``: the predicates' arguments with such numbers."""
    return {
        str(argument.name)
        for atom in rule.value.body
        if isinstance(atom, Atom) and not atom.sign
        for k, argument in enumerate(atom.args)
        if isinstance(argument, Var) and argument != ANY and (atom.signature, k) in carrying
    }


def _compares_only(literal: Literal, numbers: set[str], carrying: set[tuple[Signature, int]]) -> bool:
    """Whether a literal only copies or compares numbers without a limit."""
    match literal:
        case Atom():
            return all(
                argument == ANY or (isinstance(argument, Var) and argument.name in numbers)
                if (literal.signature, k) in carrying
                else not numbers.intersection(variables(argument))
                for k, argument in enumerate(literal.args)
            )
        case Compare(Var(one), _, Var(other), 0) if one in numbers and other in numbers:
            return True
        case _:
            kinds = {kind for kind, _ in carrying}
            reads = any(isinstance(part, Atom) and part.signature in kinds for part in walk(literal))
            return not reads and not numbers.intersection(variables(literal))


LANES: Final = 16_384
"""The largest number of games that are played at the same time."""
_IDLE: Final = -3
"""In place of the index of circuits: the lane does not wait for circuits."""
_STOPPED: Final = -4
"""In place of the index of circuits: the game has come to the largest number of moments."""
_FAR: Final = 2**62
"""In place of a number of steps: the lane does not wait for circuits."""
_BEHIND: Final = 10
"""The next circuits are those for which most of the lanes wait that are within this number of steps of the lane
that is furthest behind."""


class Lanes:
    """Games that are being played.

    A game that the circuits do not decide at some moment is finished by the engine for one position.

    Attributes:
        watch: Is called with these games and some lanes after each decision or step of the lanes.
        is_beyond_rows: Whether a game has come to a position that fits into no row, which ``watch`` does not see.
    """

    def __init__(self, runner: Runner, games: int, seed: int, lanes: int = LANES) -> None:
        """``games``: the number of games; ``lanes``: the number of games that are played at the same time."""
        self.evaluator, self.store = runner.evaluator, runner.store
        self._seed, self._games = seed, games
        ruleset, layout = self.evaluator.ruleset, self.store.layout
        start = Position(self.evaluator, self.evaluator.initial())
        self._first = PackedPositions.pack(self.evaluator, layout, [start])
        if self._first.others:
            raise NotDecided("the first position of the game does not fit into a row")
        count, self._roles = min(lanes, games), ruleset.roles
        self._outcomes = Outcomes(self.evaluator, layout)
        self._rows = self._first.select(np.zeros(count, np.int64))
        self._random = np.zeros(count, np.uint64)
        self._game, self._moments, self._steps, self._in_a_row = (np.zeros(count, np.int64) for _ in range(4))
        self._decided = np.zeros((count, len(self._roles)), np.int64)
        self._where = np.full(count, _IDLE, np.int64)
        self._others: dict[int, Position] = {}
        self._points = np.zeros((games, len(ruleset.seats)), np.int64)
        self._winners = np.zeros((games, len(ruleset.seats)), np.bool_)
        self._all_decided = np.zeros((games, len(self._roles)), np.int64)
        self._times = np.zeros(len(self.store.actions), np.int64)
        self._actions: Counter[tuple[str, str]] = Counter()
        self._fallbacks = self._begun = self._over = 0
        self._longest = LONGEST
        self.watch: Callable[[Lanes, Any], None] | None = None
        self.is_beyond_rows = False

    def run(self, progress: Callable[[str], None]) -> Results:
        """Plays all games.

        Raises:
            NotDecided: A game cannot be played to its end.
        """
        self._play(progress)
        for lane in np.flatnonzero(self._where == _STOPPED).tolist():
            raise NotDecided(f"{self._name_of(lane)} has not ended after {LONGEST} moments of decision")
        for (role, action), times in zip(self.store.actions, self._times.tolist(), strict=False):
            if times:
                self._actions[role, name_counted(symbols.read_symbol(action))] += times
        results = self._points, self._winners, self._all_decided, dict(sorted(self._actions.items()))
        return Results(self.evaluator, self._seed, *results, self._fallbacks)

    def stop(self, moments: int) -> list[int]:
        """Plays all games, at most one for each lane, up to a number of moments; returns the lanes that are not over by then."""
        self._longest = moments
        self._play(lambda _: None)
        return list(map(int, np.flatnonzero(self._where == _STOPPED)))

    def rows(self, lanes: list[int]) -> tuple[Any, Any, dict[int, Position]]:
        """The positions of some lanes: rows, numbers, and those that circuits did not come to by their index."""
        others = {k: self._others[lane] for k, lane in enumerate(lanes) if lane in self._others}
        return self._rows.state[lanes], self._rows.numbers[lanes], others

    def state_of(self, lanes: Any) -> tuple[Any, Any, Any, Any, Any]:
        """For some lanes: rows, numbers beside them, numbers of moves and of moments so far, numbers of the games."""
        moves, rows = self._decided.take(lanes, axis=0).sum(axis=1), self._rows.select(lanes)
        return rows.state, rows.numbers, moves, self._moments.take(lanes), self._game.take(lanes)

    # -- in lockstep -------------------------------------------------------------------------------------------------------

    def _play(self, progress: Callable[[str], None]) -> None:
        """Plays until all games are over or stopped. The next ones begin together, so that they stay together."""
        circuit_set = self.store.circuit_set
        while True:
            steps = np.where(self._where >= 0, self._steps, _FAR)
            least = int(steps.min())
            if least < _FAR:
                best = int(np.bincount(self._where[steps < least + _BEHIND]).argmax())
                lanes = (self._where == best).nonzero()[0][:MOST_LANES]
                known = self._decide(circuit_set.loaded[best], lanes)
                if not known.all():
                    self._finish(lanes[~known])
                    lanes = lanes[known]
                if self.watch is not None and len(lanes):
                    self.watch(self, lanes)
                self._go_on(lanes)
                progress(f"random games: {self._over}/{self._games}")
            elif self._begun == self._games or (self._where == _STOPPED).any():
                return
            else:
                self._start()

    def _start(self) -> None:
        """Starts new games in the lanes, as long as there are any."""
        fresh = np.arange(min(len(self._where), self._games - self._begun))
        self._steps[fresh] = self._moments[fresh] = self._in_a_row[fresh] = 0
        self._decided[fresh] = 0
        self._game[fresh] = self._begun + fresh
        self._begun += len(fresh)
        self._rows.state[fresh], self._rows.numbers[fresh] = self._first.state, self._first.numbers
        self._random[fresh] = first_states(self._seed, self._game[fresh])
        self._go_on(fresh)

    def _go_on(self, lanes: Any) -> None:
        """Finds the circuits for which lanes wait; ends the games that are over, and stops those that are long."""
        circuit_numbers = self.store.circuit_set.where(self._rows.state[lanes, : self.store.layout.control])
        circuit_numbers[self._in_a_row[lanes] > MOST_STEPS] = OTHER
        late = (circuit_numbers >= 0) & (self._moments[lanes] >= self._longest)
        if late.any():
            circuit_numbers[late & ~self.store.circuit_set.steps.take(circuit_numbers, mode="wrap")] = _STOPPED
        self._where[lanes] = circuit_numbers
        self._steps[lanes] += 1
        if (circuit_numbers == OTHER).any():
            self._finish(lanes[circuit_numbers == OTHER])
        for lane in lanes[circuit_numbers == OVER].tolist():
            ending = self._outcomes.ending_of(self._rows.state[lane], self._rows.numbers[lane])
            if ending is None:
                raise NotDecided(f"{self._name_of(lane)} has stopped without a result")
            self._end(lane, *ending)

    def _end(self, lane: int, points: Sequence[int], winners: Sequence[bool]) -> None:
        """Stores the result of the game of a lane."""
        game = self._game[lane]
        self._points[game], self._winners[game], self._all_decided[game] = (
            points,
            winners,
            self._decided[lane],
        )
        self._over += 1
        self._where[lane] = _IDLE

    def _name_of(self, lane: int) -> str:
        return f"game {self._game[lane]} of seed {self._seed}"

    def _decide(self, loaded: LoadedCircuits, lanes: Any) -> Any:
        """One decision or step of some lanes; returns for each whether the circuits decided it."""
        known, count = np.ones(len(lanes), np.bool_), len(lanes)
        planes = loaded.planes(self._rows, lanes)
        if loaded.circuits.key.role == STEP:
            loaded.change(planes, self._rows, lanes, Moves.none(count, len(self._roles)), known)
            self._in_a_row[lanes] += 1
            return known
        random = self._random[lanes]
        moves = loaded.choose(loaded.legal_outputs(planes, count), self._rows, lanes, random, known)
        loaded.change(planes, self._rows, lanes, moves, known)
        moving, done = lanes, moves.done
        if not known.all():
            moving, random, done = lanes[known], random[known], done[known]
        self._random[moving] = random
        self._moments[moving] += 1
        self._in_a_row[moving] = 0
        for role in loaded.ranges[:, 0]:
            taken = done[:, role]
            acting = taken >= 0
            self._decided[moving, role] += acting
            self._times[loaded.first :] += np.bincount(
                taken[acting] - loaded.first, minlength=len(self._times) - loaded.first
            )
        return known

    # -- one position at a time --------------------------------------------------------------------------------------------

    def _finish(self, lanes: Any) -> None:
        """Plays the games of some lanes on with the engine for one position."""
        for lane in lanes.tolist():
            before = self._rows[lane].symbols
            settled = Position(self.evaluator, self.evaluator.settle(before))
            stream = Stream.at(int(self._random[lane]))
            for position, taken in playing_on(settled, stream, self._name_of(lane)):
                if position.symbols != before:
                    self._show(lane, position)
                if taken and self._moments[lane] >= self._longest:
                    self._others[lane] = position
                    self._where[lane] = _STOPPED
                    break
                for role, action in taken.items():
                    self._actions[role, name_counted(action)] += 1
                    if role in self._roles:  # a fact outside of the vocabulary may let anybody decide
                        self._decided[lane, self._roles.index(role)] += 1
                self._moments[lane] += bool(taken)
                self._fallbacks += len(taken)
            else:
                last = ending(position, {}, self._name_of(lane))
                self._end(lane, last.points, last.winners)

    def _show(self, lane: int, position: Position) -> None:
        """Calls ``watch`` with a position that the engine for one position has come to."""
        row = self.store.layout.encode(position.symbols)
        self.is_beyond_rows |= row is None
        if self.watch is not None and row is not None:
            self._rows.state[lane], self._rows.numbers[lane] = np.frombuffer(row[0], np.uint64), row[1]
            self.watch(self, np.array([lane]))
