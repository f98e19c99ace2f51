"""Replays records of one game in lockstep by circuits, as far as they are legal and correct.

All records whose next decision is of the same kind advance together (:mod:`kaiser_logic.batch`). This module reports no
faults. It drops a record as soon as something in it is not certainly correct, or has no circuit. The engine for single
positions then replays that record from its start.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from .. import clingo
from ..batch.building import actions_offered, offer_program
from ..batch.circuit_store import CircuitStore
from ..batch.layout import Layout
from ..batch.packed import MoveEncoder, PackedPositions, Runner
from ..batch.vectorised import OTHER, OVER, CircuitSet, Moves
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..errors import KaiserLogicError
from ..evaluation.evaluator import Evaluator
from ..notation.record import Assertion, Move, Record
from ..notation.terms import Term
from ..position import Position
from ..rules.predicates import DECISION

# -- actions and decisions -----------------------------------------------------------------------------------
#
# Circuits contain the actions that the move generator lists and that no rule forbids. A legal move must also be an action of
# the vocabulary, and belong to a pending decision of its role.


class DecisionMatcher:
    """Determines whether actions belong to decisions. If that depends on the position, they do not."""

    def __init__(self, ruleset: Ruleset, layout: Layout, circuit_set: CircuitSet) -> None:
        """``circuit_set``: the circuits, all of which are loaded."""
        self._ruleset, self._layout, self._circuit_set = ruleset, layout, circuit_set
        self._known: dict[clingo.Symbol, dict[Term | None, str]] = {}
        self._decisions: dict[int, dict[tuple[str, str], int]] = {}

    def __call__(self, decision: clingo.Symbol, role: str, action: Term | None) -> str:
        """The text of a role's action; empty if it does not belong to ``decision``, the fact of a pending decision."""
        known = self._known.setdefault(decision, {})
        action_text = known.get(action)
        if action_text is None:
            text = "" if action is None else str(action)
            fits = text and "?" not in text and self._belongs(decision, role, text)
            action_text = known[action] = text if fits else ""
        return action_text

    def _belongs(self, decision: clingo.Symbol, role: str, text: str) -> bool:
        bit = self._layout.bits[decision]
        index = int(self._circuit_set.index_of_bit[bit])
        if index not in self._decisions:
            circuits = self._circuit_set.loaded[index].circuits
            self._decisions[index] = dict(zip(circuits.actions, circuits.decisions.tolist(), strict=True))
        own = self._decisions[index].get((role, text), -1)
        if own >= 0:
            return own == bit
        try:
            action = symbols.read_symbol(text)
        except (KaiserLogicError, ValueError):
            return False
        program = offer_program(self._ruleset, action)
        if program is None:
            return False
        actions = actions_offered(self._ruleset, program, [decision], decision.arguments[0], [action])
        return text in map(symbols.text, actions)


_MOST_STEPS: Final = 10_000
"""The largest number of steps between two decisions. With more, the record is dropped."""
_MOST_LANES: Final = 512
"""The largest number of records that advance together. More would not be faster."""
_LAG: Final = 3
"""Records that are this number of items ahead of the last one do not influence which circuits are next. So the records stay
together."""
_LEFT: Final = -3
"""A value in place of the index of circuits: the record is dropped, or at its end."""
_Deciding: TypeAlias = Mapping[str, clingo.Symbol]
"""The roles that decide, each with its decision fact."""


def runner_of(evaluator: Evaluator) -> Runner | None:
    """The circuits for these rules, loaded once in a process; None if they are not cached completely."""
    runner = evaluator.ruleset.remember(
        "circuits for records", lambda: Runner(evaluator, CircuitStore(evaluator.ruleset, 1))
    )
    return runner if runner.store.load_stored() else None


def build(evaluator: Evaluator, jobs: int) -> None:
    """Builds and stores the circuits of these rules, with the given number of processes."""
    CircuitStore(evaluator.ruleset, jobs).complete()


class BatchReplay:
    """A replay of several records of one game.

    Attributes:
        records: The records.
        ended: The last positions of the records that are legal and correct; None for the others.
    """

    def __init__(self, runner: Runner, records: Sequence[Record]) -> None:
        """Begins at the start of the game; no record may start from a position of its own."""
        self.records = records
        self._runner, self._evaluator = runner, runner.evaluator
        self._layout, self._circuit_set = runner.store.layout, runner.store.circuit_set
        self._moves = MoveEncoder(runner.store)
        self._belonging = self._evaluator.ruleset.remember(
            "what belongs to decisions",
            lambda: DecisionMatcher(self._evaluator.ruleset, self._layout, self._circuit_set),
        )
        self._deciding: dict[bytes, _Deciding | None] = {}
        count = len(records)
        self.ended: list[Position | None] = [None] * count
        self._at = np.zeros(count, np.int64)
        self._steps = np.zeros(count, np.int64)
        self._where = np.full(count, _LEFT, np.int64)
        first = self._pack(Position(self._evaluator, self._evaluator.initial()))
        self._rows = first.select(np.zeros(count, np.int64))
        if not first.others and count:
            self._look(np.arange(count))

    def run(self) -> list[Position | None]:
        """Replays all records, and returns for each its last position if the whole record is legal and correct."""
        while (waiting := np.flatnonzero(self._where >= 0)).size:
            at = self._at[waiting]
            index = int(np.bincount(self._where[waiting[at < at.min() + _LAG]]).argmax())
            lanes = np.flatnonzero(self._where == index)[:_MOST_LANES]
            if self._circuit_set.steps[index]:
                self._step(lanes, index)
            else:
                self._decide(lanes, index)
        return self.ended

    # -- transitions ----------------------------------------------------------------------------------------------------

    def _step(self, lanes: Any, index: int) -> None:
        """Carries out the steps that are due."""
        self._steps[lanes] += 1
        self._where[lanes] = _LEFT
        self._carry_out(lanes[self._steps[lanes] < _MOST_STEPS], index, None)

    def _decide(self, lanes: Any, index: int) -> None:
        """Carries out the next decisions of some records. These decisions are of one kind."""
        self._steps[lanes] = 0
        self._where[lanes] = _LEFT
        able: list[int] = []
        moves: list[Mapping[str, str]] = []
        rows = self._rows.state[lanes, : self._layout.control]
        for lane, row in zip(lanes.tolist(), rows, strict=True):
            taken = self._next(lane, row.tobytes())
            if taken:
                able.append(lane)
                moves.append(taken)
        if able:
            where = np.full(len(able), index, np.int64)
            encoded, known = self._moves.encode(moves, where, [len(taken) for taken in moves])
            self._carry_out(np.array(able, np.int64)[known], index, Moves(encoded.done[known], encoded.copies[known]))

    def _carry_out(self, lanes: Any, index: int, moves: Moves | None) -> None:
        """Carries out transitions and finds the circuits of the next ones. Records without a known next position are dropped."""
        rows, known = self._rows.select(lanes), np.ones(len(lanes), np.bool_)
        self._runner.carry_out(rows, np.full(len(lanes), index, np.int64), moves, known)
        lanes = lanes[known]
        self._rows.state[lanes], self._rows.numbers[lanes] = rows.state[known], rows.numbers[known]
        self._look(lanes)

    def _look(self, lanes: Any) -> None:
        """Notes the circuits of the next transitions. Without one, a record ends, or the engine carries out a step."""
        circuit_numbers = self._circuit_set.where(self._rows.state[lanes])
        self._where[lanes] = circuit_numbers
        for lane in map(int, lanes[circuit_numbers < 0]):
            if self._where[lane] == OTHER:
                self._settle(lane)
            if self._where[lane] == OVER:
                self._where[lane] = _LEFT
                self._end(lane)

    def _settle(self, lane: int) -> None:
        """Lets the engine for single positions carry out a step that has no circuit."""
        self._where[lane] = _LEFT
        position = self._position(lane)
        if position.decisions:
            return
        settled = Position(self._evaluator, self._evaluator.settle(position.symbols))
        packed = self._pack(settled)
        if not packed.others:
            self._rows.state[lane], self._rows.numbers[lane] = packed.state[0], packed.numbers[0]
            circuit_numbers = self._circuit_set.where(packed.state)
            self._where[lane] = circuit_numbers[0] if circuit_numbers[0] != OTHER else _LEFT

    # -- items ----------------------------------------------------------------------------------------------

    def _next(self, lane: int, row: bytes) -> dict[str, str] | None:
        """The next actions, one for each role that decides; None if the record ends or is dropped.

        ``row``: the words of the position that contain the pending decisions.
        """
        if row not in self._deciding:
            self._deciding[row] = self._who(lane)
        deciding = self._deciding[row]
        items, at = self.records[lane].items, int(self._at[lane])
        taken: dict[str, str] = {}
        while deciding is not None and len(taken) < len(deciding):
            if at == len(items):
                if not taken:
                    self._end(lane)
                return None
            item = items[at]
            at += 1
            self._at[lane] = at
            if isinstance(item, Move):
                fact = deciding.get(item.role)
                text = "" if fact is None else self._belonging(fact, item.role, item.action)
                if not text or item.role in taken:
                    return None
                taken[item.role] = text
            elif not (isinstance(item, Assertion) and self._holds(lane, item)):
                return None
        return taken

    def _end(self, lane: int) -> None:
        """Adopts the position as the last one, if all further items are assertions that hold."""
        rest = self.records[lane].items[self._at[lane] :]
        if all(isinstance(item, Assertion) and self._holds(lane, item) for item in rest):
            self.ended[lane] = self._position(lane)

    def _pack(self, position: Position) -> PackedPositions:
        return PackedPositions.pack(self._evaluator, self._layout, [position])

    def _position(self, lane: int) -> Position:
        return self._rows[lane]

    def _who(self, lane: int) -> _Deciding | None:
        """The roles that decide in a position; None if a role has two decisions."""
        facts = [f for f in self._position(lane).symbols if symbols.signature(f) == DECISION]
        decisions = {symbols.text(fact.arguments[0]): fact for fact in facts}
        return decisions if len(decisions) == len(facts) else None

    def _holds(self, lane: int, assertion: Assertion) -> bool:
        """Whether all literals of an assertion are facts of the game and true."""
        fluents, facts = self._evaluator.ruleset.book.fluents, self._position(lane).symbols
        return all(
            (term.name, len(term.args)) in fluents
            and "?" not in str(term)
            and (symbols.symbol(term) in facts) == literal.positive
            for literal in assertion.literals
            for term in (literal.fact,)
        )
