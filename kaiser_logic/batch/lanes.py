"""Random games of a batch: lanes in lockstep, and the engine for one position where circuits do not decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ..engine import symbols
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..lang.algebra import variables
from ..lang.algebra import variables as variables_in
from ..lang.terms import Atom, Compare, Signature, Var
from ..lang.unification import label
from ..position import Position
from ..rules.predicates import DUE, GOAL
from ..rules.rule import Atom as Occurrence
from ..rules.rule import Rule
from .layout import Layout
from .packed import Runner, unpack
from .playing import Results
from .playout import LONGEST, Stream, chosen, ending, named
from .vectorised import MOST_LANES, OTHER, OVER, LoadedCircuits, first_states

# -- outcomes ------------------------------------------------------------------------------------------------
#
# The results of games, computed once for all games that end alike.
#
# The rulebook's own program derives the winners from the last position. If it only compares numbers without a limit with each
# other, the result is the same for all positions that differ only in these numbers and have them in the same order. Then the
# program is evaluated for the ranks in that order.


Ending = tuple[tuple[int, ...], tuple[bool, ...]] | None
"""Points and winners in the order of the seats; None if there is no result."""


class Outcomes:
    """The results of games under the same rules."""

    def __init__(self, evaluator: Evaluator, layout: Layout) -> None:
        """``evaluator``: evaluates last positions."""
        self._evaluator, self._layout = evaluator, layout
        program = evaluator.ruleset.outcome_program
        self._inputs = program.inputs
        self._by_order = by_order_only(program.rules, layout.unbounded)
        self._known: dict[tuple[int, tuple[int, ...]], Ending] = {}
        self.bits = [bit for f, bit in layout.bits.items() if symbols.signature(f) in self._inputs]

    def of(self, row: int, numbers: Sequence[int]) -> Ending:
        """The result of a game.

        Args:
            row: The bits of the last position, at least `bits`.
            numbers: The numbers beside them.
        """
        values = sorted(set(numbers))
        places = tuple(map(values.index, numbers)) if self._by_order else tuple(numbers)
        if (row, places) not in self._known:
            self._known[row, places] = self._found(row, places)
        found = self._known[row, places]
        if found is None or not self._by_order:
            return found
        return tuple(values[n] for n in found[0]), found[1]

    def _found(self, row: int, numbers: tuple[int, ...]) -> Ending:
        result = self._evaluator.outcome(self._layout.decode(row, numbers))
        if result is None:
            return None
        points, winners = result
        seats = self._evaluator.ruleset.seats
        return tuple(points.get(role, 0) for role in seats), tuple(role in winners for role in seats)


def by_order_only(rules: Sequence[Rule], unbounded: frozenset[Signature]) -> bool:
    """Whether rules only copy numbers, compare them with each other, and give them as points.

    >>> from kaiser_logic.rules.loader import parse_rules
    >>> def ask(text): return by_order_only(parse_rules(text), frozenset({("points", 2)}))
    >>> ask("goal(R,N) :- points(R,N). behind(R) :- goal(R,N), goal(_,M), N < M.")
    True
    >>> ask("goal(R,N+1) :- points(R,N)."), ask("goal(R,N) :- points(R,N), N > 3.")
    (False, False)
    """
    carrying: dict[Signature, int] = {signature: signature[1] - 1 for signature in unbounded}
    grows = True
    while grows:
        grows = False
        for rule in rules:
            numbers = _numbers(rule, carrying)
            for head in rule.heads:
                places = [i for i, a in enumerate(head.args) if isinstance(a, Var) and a.name in numbers]
                if len(places) > 1 or (places and carrying.get(head.signature, places[0]) != places[0]):
                    return False
                if places and head.signature not in carrying:
                    carrying[head.signature] = places[0]
                    grows = True
    if carrying.get(GOAL) != 1:
        return False
    return all(_compares_only(rule, carrying) for rule in rules)


def _numbers(rule: Rule, carrying: dict[Signature, int]) -> set[str]:
    """The variables of a rule for numbers without a limit."""
    return {
        label(a.args[carrying[a.signature]])
        for a in rule.positive
        if a.signature in carrying
        and isinstance(a.args[carrying[a.signature]], Var)
        and label(a.args[carrying[a.signature]])[0] != "_"
    }


def _compares_only(rule: Rule, carrying: dict[Signature, int]) -> bool:
    """Whether a rule only compares and copies these numbers."""
    if any(a.signature in carrying for a in rule.inner):
        return False
    numbers = _numbers(rule, carrying)
    heads: tuple[Occurrence, ...] = rule.heads
    for atom in (*heads, *rule.positive, *rule.negative):
        place = carrying.get(atom.signature)
        for i, argument in enumerate(atom.args):
            if i == place:
                if not isinstance(argument, Var) or (
                    argument.name not in numbers and str(argument.name)[0] != "_"
                ):
                    return False
            elif numbers.intersection(variables(argument)):
                return False
    return _rest_compares(rule, numbers)


def _rest_compares(rule: Rule, numbers: set[str]) -> bool:
    """Whether, apart from atoms, only comparisons of two of these numbers mention any of them."""
    for literal in (*rule.value.heads, *rule.value.body):
        match literal:
            case Atom(_, args, 0 | 1):
                rest: tuple[Any, ...] = tuple(arg for arg in args if not isinstance(arg, Var))
            case Compare(Var(one), _, Var(other), 0) if one in numbers and other in numbers:
                rest = ()
            case _:
                rest = (literal,)
        if numbers.intersection(variables_in(rest)):
            return False
    return True


LANES: Final = 16_384
"""The largest number of games that are played at the same time."""
_IDLE: Final = -3
"""In place of the index of circuits: the lane does not wait for circuits."""
_FAR: Final = 2**62
"""In place of a number of steps: the lane does not wait for circuits."""
_BEHIND: Final = 10
"""The next circuits are those for which most of the lanes wait that are within this number of steps of the last one."""


class Lanes:
    """Games that are being played.

    Attributes:
        watch: Is called with these games and some lanes after each decision or step of the lanes.
        is_beyond_rows: Whether a game has come to a position that fits into no row, which ``watch`` does not see.
    """

    def __init__(
        self, evaluator: Evaluator, runner: Runner, games: int, seed: int, lanes: int = LANES
    ) -> None:
        """``games``: the number of games; ``lanes``: the number of games that are played at the same time."""
        self.evaluator, self.store = evaluator, runner.store
        self._seed, self._games = seed, games
        self._least = runner.least
        self.outcomes = Outcomes(evaluator, self.store.layout)
        self._kept = np.array(sorted({bit >> 6 for bit in self.outcomes.bits}), np.int64)
        self._roles = evaluator.ruleset.roles
        self._actions: Counter[tuple[str, str]] = Counter()
        self._fallbacks = 0
        self._foreign: dict[int, Position] = {}
        self._results: dict[int, Ending] = {}
        layout = self.store.layout
        count, width = min(lanes, games), len(layout.numbers)
        first = layout.encode(evaluator.initial())
        if first is None:
            raise NotDecided("the first position of the game does not fit into a row")
        self._first = (
            np.frombuffer(bytearray(first[0].to_bytes(8 * layout.words, "little")), np.uint64),
            np.array(first[1], np.int64),
        )
        self._state = np.zeros((count, layout.words), np.uint64)
        self._numbers = np.zeros((count, width), np.int64)
        self._random = np.zeros(count, np.uint64)
        self._game = np.zeros(count, np.int64)
        self._decided = np.zeros((count, len(self._roles)), np.int64)
        self._moments = np.zeros(count, np.int64)
        self._times = np.zeros(len(self.store.actions), np.int64)
        self._ended = (
            np.zeros((games, len(self._kept)), np.uint64),
            np.zeros((games, width), np.int64),
            np.zeros((games, len(self._roles)), np.int64),
        )
        self._where = np.full(count, _IDLE, np.int64)
        self._longest = LONGEST
        self._steps = np.zeros(count, np.int64)
        self._others = False
        self._begun = self._over = 0
        self.watch: Callable[[Lanes, Any], None] | None = None
        self.is_beyond_rows = False
        self._start(np.arange(count))

    # -- in lockstep -------------------------------------------------------------------------------------------------------

    def run(self, progress: Callable[[str], None]) -> Results:
        """Plays all games.

        Raises:
            NotDecided: A game cannot be played to its end.
        """
        while self._over < self._games:
            for lane in self._go_on(progress):
                self._hand(lane)
        return self._found()

    def stop(self, moments: int) -> list[int]:
        """Plays all games, at most one for each lane, up to a number of moments; returns the lanes that are not over by then."""
        stopped: list[int] = []
        self._longest = moments
        while len(stopped) + self._over < self._games:
            for lane in self._go_on(lambda _: None):
                if self._moments[lane] >= moments and not self._is_due(lane):
                    stopped.append(lane)
                else:
                    self._hand(lane)
        return stopped

    def _is_due(self, lane: int) -> bool:
        """Whether a step is due in a lane."""
        row = int.from_bytes(self._state[lane].tobytes(), "little")
        return lane not in self._foreign and any(
            row >> self.store.layout.bits[f] & 1 for f in self.store.layout.steps
        )

    def rows(self, lanes: list[int]) -> tuple[Any, Any, dict[int, Position]]:
        """The positions of some lanes: rows, numbers, and those that do not fit into rows by their index."""
        others = {k: self._foreign[lane] for k, lane in enumerate(lanes) if lane in self._foreign}
        return self._state[lanes], self._numbers[lanes], others

    def reached(self, lanes: Any) -> tuple[Any, Any, Any, Any, Any]:
        """For some lanes: rows, numbers beside them, numbers of moves and of moments so far, numbers of the games."""
        moves = self._decided.take(lanes, axis=0).sum(axis=1)
        state, numbers = self._state.take(lanes, axis=0), self._numbers.take(lanes, axis=0)
        return state, numbers, moves, self._moments.take(lanes), self._game.take(lanes)

    def _start(self, lanes: Any) -> None:
        """Starts new games in lanes, as long as there are any."""
        fresh = lanes[: self._games - self._begun]
        self._steps[fresh] = 0
        self._where[lanes] = _IDLE
        self._game[fresh] = np.arange(self._begun, self._begun + len(fresh))
        self._begun += len(fresh)
        self._state[fresh], self._numbers[fresh] = self._first
        self._random[fresh] = first_states(self._seed, self._game[fresh])
        self._decided[fresh] = 0
        self._moments[fresh] = 0
        self._where[fresh] = self.store.circuit_set.where(self._state[fresh])

    def _end(self, lanes: Any) -> None:
        """Stores the results of the games of lanes; starts the next games when all lanes are idle."""
        games = self._game[lanes]
        self._ended[0][games] = self._state[lanes[:, None], self._kept]
        self._ended[1][games] = self._numbers[lanes]
        self._ended[2][games] = self._decided[lanes]
        self._over += len(lanes)
        self._where[lanes] = _IDLE
        if self._over == self._begun:  # the next ones begin together, so that they stay together
            self._start(np.arange(len(self._where)))

    def _go_on(self, progress: Callable[[str], None]) -> list[int]:
        """Plays until no lane can go on, or more than half wait for the engine for one position; returns the lanes that wait."""
        circuit_set = self.store.circuit_set
        while True:
            steps = np.where(self._where >= 0, self._steps, _FAR)
            least = int(steps.min())
            waiting = np.flatnonzero(self._where == OTHER) if least == _FAR or self._others else ()
            if least == _FAR or 2 * len(waiting) > int((steps < _FAR).sum()):
                self._where[waiting] = _IDLE
                self._others = False
                return [int(lane) for lane in waiting]
            best = int(np.bincount(self._where[steps < least + _BEHIND]).argmax())
            lanes = (self._where == best).nonzero()[0][:MOST_LANES]
            known, after = self._decide(circuit_set.loaded[best], lanes)
            if not known.all():
                self._where[lanes[~known]] = OTHER
                self._others = True
                lanes, after = lanes[known], after[known]
            self._look(lanes, circuit_set.next(after))
            progress(f"random games: {self._over}/{self._games}")

    def _look(self, lanes: Any, found: Any) -> None:
        """Sets the circuits for which lanes wait (``found``); ends the games that are over."""
        circuit_set = self.store.circuit_set
        if self.watch is not None and len(lanes):
            self.watch(self, lanes)
        if len(lanes) and self._moments.take(lanes).max() >= self._longest:
            late = (found >= 0) & (self._moments[lanes] >= self._longest)
            found[late & ~circuit_set.steps[found]] = OTHER
        self._where[lanes] = found
        self._steps[lanes] += 1
        self._others = self._others or bool((found == OTHER).any())
        if (found == OVER).any():
            self._end(lanes[found == OVER])

    def _decide(self, loaded: LoadedCircuits, lanes: Any) -> tuple[Any, Any]:
        """One decision or step of some lanes; returns whether the circuits decided it, and what is pending then."""
        known = np.ones(len(lanes), np.bool_)
        planes = loaded.planes(self._state, lanes)
        if not loaded.entries:
            done = np.full((len(lanes), len(self._roles)), -1, np.int64)
            picked = np.zeros((len(lanes), 0), np.int32)
            return known, loaded.change(
                planes, self._state, self._numbers, self._least, lanes, done, picked, known
            )
        random = self._random[lanes]
        done, picked = loaded.chosen(
            loaded.legal_outputs(planes, len(lanes)), self._state, lanes, random, known
        )
        after = loaded.change(planes, self._state, self._numbers, self._least, lanes, done, picked, known)
        its = lanes
        if not known.all():
            its, random, done = lanes[known], random[known], done[known]
        self._random[its] = random
        self._moments[its] += 1
        for role in loaded.ranges[:, 0]:
            taken = done[:, role]
            acting = taken >= 0
            self._decided[its, role] += acting
            self._times[loaded.first :] += np.bincount(
                taken[acting] - loaded.first, minlength=len(self._times) - loaded.first
            )
        return known, after

    # -- one position at a time --------------------------------------------------------------------------------------------

    def _hand(self, lane: int) -> None:
        """Makes the next decision of a lane, or its due steps, with the engine for one position."""
        state, numbers, random = self._state, self._numbers, self._random
        games, decided, moments = self._game, self._decided, self._moments
        layout = self.store.layout
        position = self._foreign.pop(lane, None)
        if position is None:
            position = unpack(self.evaluator, layout, state[lane], numbers[lane])
        which = f"game {games[lane]} of seed {self._seed}"
        if any(symbols.signature(f) == DUE for f in position.symbols):
            position = Position(self.evaluator, self.evaluator.settle(position.symbols))
        elif position.decisions:
            if moments[lane] >= LONGEST:
                raise NotDecided(f"{which} has not ended after {LONGEST} moments of decision")
            stream = Stream.at(int(random[lane]))
            try:
                taken = chosen(position, stream)
            except NotDecided as error:
                raise NotDecided(f"{which}: {error}") from None
            random[lane] = stream.state
            moments[lane] += 1
            for role, action in taken.items():
                self._actions[role, named(action)] += 1
                decided[lane, self._roles.index(role)] += 1
            self._fallbacks += len(taken)
            position = position.successor(self.evaluator.judge(position.symbols, taken))
        found = layout.encode(position.symbols)
        self.is_beyond_rows |= found is None
        if found is not None:
            state[lane] = np.frombuffer(found[0].to_bytes(8 * layout.words, "little"), np.uint64)
            numbers[lane] = found[1]
            self._look(np.array([lane]), self.store.circuit_set.where(state[lane : lane + 1]))
        elif position.decisions:
            self._foreign[lane] = position
            self._where[lane] = OTHER
        else:
            last = ending(position, {}, which)
            self._results[int(games[lane])] = last.points, last.winners
            self._end(np.array([lane]))

    # -- what they have come to --------------------------------------------------------------------------------------------

    def _found(self) -> Results:
        """The results."""
        (rows, numbers, decided), kept = self._ended, self._kept
        seats = len(self.evaluator.ruleset.seats)
        points = np.zeros((self._games, seats), np.int64)
        winners = np.zeros((self._games, seats), np.bool_)
        mask = np.zeros(len(kept), np.uint64)
        for bit in self.outcomes.bits:
            mask[list(kept).index(bit >> 6)] |= np.uint64(1 << (bit & 63))
        endings: dict[bytes, Ending] = {}
        rows = rows & mask
        for game in range(self._games):
            found = self._results.get(game)
            if found is None:
                kind = rows[game].tobytes() + numbers[game].tobytes()
                if kind not in endings:
                    row = sum(int(word) << (64 * int(k)) for word, k in zip(rows[game], kept, strict=True))
                    endings[kind] = self.outcomes.of(row, tuple(map(int, numbers[game])))
                found = endings[kind]
            if found is None:
                raise NotDecided(f"game {game} of seed {self._seed} has stopped without a result")
            points[game], winners[game] = found
        for (role, action), times in zip(self.store.actions, self._times, strict=False):
            if times:
                self._actions[role, named(symbols.read(action))] += int(times)
        actions = dict(sorted(self._actions.items()))
        return Results(self.evaluator, self._seed, points, winners, decided, actions, self._fallbacks)
