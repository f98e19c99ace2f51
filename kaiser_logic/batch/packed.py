"""Positions and moves as rows of numbers, and transition circuits run on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Final, overload

import numpy as np

from ..engine import symbols
from ..engine.sets import in_order
from ..errors import KaiserLogicError, WrongUsage
from ..evaluation.evaluator import Evaluator
from ..position import Position
from .circuit_store import CircuitStore
from .kernel import bits_of
from .layout import Layout
from .transition_circuits import STEP, split_set
from .vectorised import MOST_LANES, OTHER, Moves


class PackedPositions(Sequence[Position]):
    """Many positions of one game in packed form, the fastest for a batch. A sequence of positions, which are made on demand.

    Attributes:
        evaluator: Evaluates them one at a time.
        layout: Their layout in rows.
        state: A row of words for each position.
        numbers: A row of the numbers beside them.
        others: The positions that do not fit into rows, by their index.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        layout: Layout,
        state: Any,
        numbers: Any,
        others: dict[int, Position] | None = None,
    ) -> None:
        """Builds it from rows: see :meth:`.batch.Batch.pack`."""
        self.evaluator, self.layout = evaluator, layout
        self.state, self.numbers = state, numbers
        self.others = others or {}

    @classmethod
    def pack(cls, evaluator: Evaluator, layout: Layout, positions: Iterable[Position]) -> PackedPositions:
        """Builds it from positions.

        Raises:
            WrongUsage: One of them belongs to another game.
        """
        rows: list[bytes] = []
        numbers: list[list[int]] = []
        others: dict[int, Position] = {}
        nothing = bytes(8 * layout.words)
        configuration = replace(evaluator.ruleset.configuration, engine="")
        for place, position in enumerate(positions):
            own = position.ruleset is evaluator.ruleset
            if not own and replace(position.ruleset.configuration, engine="") != configuration:
                raise WrongUsage(f"{position!r} is none of this game, with its edition, rulings and seats")
            packed = position.__dict__.get("_packed")
            if packed is None or packed[0] is not layout:
                packed = position.__dict__["_packed"] = (layout, layout.encode(position.symbols))
            if packed[1] is None:
                others[place] = position
                rows.append(nothing)
                numbers.append([0] * len(layout.numbers))
            else:
                rows.append(packed[1][0])
                numbers.append(packed[1][1])
        state = np.frombuffer(bytearray(b"".join(rows)), np.uint64).reshape(len(rows), layout.words)
        number_rows = np.array(numbers, np.int64).reshape(len(rows), len(layout.numbers))
        return cls(evaluator, layout, state, number_rows, others)

    def __len__(self) -> int:
        return len(self.state)

    @overload
    def __getitem__(self, index: int) -> Position: ...
    @overload
    def __getitem__(self, index: slice) -> list[Position]: ...
    def __getitem__(self, index: int | slice) -> Position | list[Position]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        if place in self.others:
            return self.others[place]
        facts = self.layout.decode(self.state[place].tobytes(), self.numbers[place].tolist())
        return Position(self.evaluator, facts)

    def deciding(self) -> Any:
        """For each position the roles that have to decide: a row of truth values, in the order of the roles."""
        places = {role: place for place, role in enumerate(self.evaluator.ruleset.roles)}
        deciders = np.zeros((len(self), len(places)), np.bool_)
        for decision in self.layout.decisions:
            word, bit = divmod(self.layout.bits[decision], 64)
            role = places.get(symbols.text(decision.arguments[0]))
            if role is not None:
                deciders[:, role] |= (self.state[:, word] >> np.uint64(bit)) & np.uint64(1) != 0
        for place, position in self.others.items():
            deciders[place, [places[role] for role in position.decisions if role in places]] = True
        return deciders

    def select(self, places: Any) -> PackedPositions:
        """Some of the positions, all of which fit into rows."""
        state, numbers = self.state.take(places, axis=0), self.numbers.take(places, axis=0)
        return PackedPositions(self.evaluator, self.layout, state, numbers)


# -- moves ---------------------------------------------------------------------------------------------------
#
# Moves as numbers: for each role that of its action, and the number of copies of each thing in a set that it names.


class MoveEncoder:
    """Converts moves to numbers."""

    def __init__(self, store: CircuitStore) -> None:
        """``store``: the circuits."""
        self._store = store
        self._lookups: dict[int, dict[tuple[str, str], tuple[int, bool]]] = {}
        self._stated = store.ruleset.facts("thing", 3)
        ordered = sorted((f.arguments for f in self._stated), key=lambda f: f[1].number)
        self._things = {thing: place for place, (thing, _, _) in enumerate(ordered)}

    def encode(self, moves: Sequence[Mapping[str, str]], where: Any, pending: Any) -> tuple[Moves, Any]:
        """The moves as numbers.

        Args:
            moves: For each position role and action.
            where: For each position the index of its circuits.
            pending: For each position the number of roles that decide.

        Returns:
            The numbers, and for each position whether they describe the moves completely.
        """
        places = {role: k for k, role in enumerate(self._store.ruleset.roles)}
        numbers = Moves.none(len(moves), len(places), self._store.circuit_set.set_columns)
        known = np.ones(len(moves), np.bool_)
        for i, actions in enumerate(moves):
            index = int(where[i])
            known[i] = index >= 0 and len(actions) == pending[i] and places.keys() >= actions.keys()
            for role, action in actions.items():
                number = self._number(index, role, action, places[role], numbers.copies[i]) if known[i] else -1
                if number < 0:
                    known[i] = False
                    break
                numbers.done[i, places[role]] = number
        return numbers, known

    def _number(self, index: int, role: str, action: str, place: int, row: Any) -> int:
        """The number of an action, or -1 if it has none. Writes the copies in its set to ``row``."""
        lookup = self._lookup(index)
        action_number, names = lookup.get((role, action), (-1, False))
        loaded = self._store.circuit_set.loaded[index]
        set_roles = loaded.circuits.set_roles.tolist()
        if action_number >= 0 or place not in set_roles:
            return -1 if names else action_number
        try:
            term = symbols.read_symbol(action)
        except (KaiserLogicError, ValueError):
            return -1
        bare, copies = split_set(term, self._things, role)
        action_number, names = lookup.get((role, bare), (-1, False))
        fits = all(1 <= n <= loaded.circuits.copies[thing] for thing, n in copies.items())
        if not names or not fits or in_order(term, self._stated) != term:
            return -1
        for thing, number in copies.items():
            row[set_roles.index(place) * loaded.things + thing] = number
        return action_number

    def _lookup(self, index: int) -> dict[tuple[str, str], tuple[int, bool]]:
        """For each action of some circuits its number, and whether it names a set."""
        if index not in self._lookups:
            loaded = self._store.circuit_set.loaded[index]
            first, circuits = loaded.first, loaded.circuits
            naming = set(map(int, circuits.entries[circuits.set_checks >= 0]))
            self._lookups[index] = {a: (first + n, n in naming) for n, a in enumerate(circuits.actions)}
        return self._lookups[index]


# -- running -------------------------------------------------------------------------------------------------
#
# Circuits run on rows of positions.


MOST_STEPS: Final = 500
"""The largest number of steps in a row. Then the engine for one position takes over, which sees whether they end."""


class Runner:
    """Runs a game's circuits on rows of positions."""

    def __init__(self, evaluator: Evaluator, store: CircuitStore) -> None:
        """``store``: the circuits of the evaluator's rules."""
        self.evaluator, self.store = evaluator, store

    def where(self, packed: PackedPositions) -> Any:
        """For each position the index of its circuits, loaded or built if need be; `OVER` or `OTHER` if there is none."""
        control = packed.state[:, : self.store.layout.control]
        met = np.flatnonzero(bits_of(np.bitwise_or.reduce(control, axis=0)[None])[0]).tolist()
        self.store.ensure([key for key, bits in self.store.keys.items() if not set(bits).isdisjoint(met)])
        circuit_numbers = self.store.circuit_set.where(control)
        circuit_numbers[[*packed.others]] = OTHER
        return circuit_numbers

    def naming(self, where: Any) -> Any:
        """For each position, given by the index of its circuits, whether somebody may name a set."""
        own = np.array([*(one.set_columns > 0 for one in self.store.circuit_set.loaded), False], np.bool_)
        return own[np.where(where >= 0, where, len(own) - 1)]

    def carry_out(self, rows: PackedPositions, where: Any, moves: Moves | None, known: Any, sure: bool = False) -> None:
        """Carries out actions or steps in positions; ``known`` becomes False if that is impossible.

        Args:
            rows: The positions; changed.
            where: For each the index of its circuits.
            moves: The actions; None for steps.
            known: The positions in which to do so.
            sure: Whether the actions are known to be legal.
        """
        circuit_set, roles = self.store.circuit_set, len(self.evaluator.ruleset.roles)
        known &= where >= 0
        for index in np.unique(where[known]):
            loaded = circuit_set.loaded[index]
            every = np.flatnonzero(known & (where == index))
            for first in range(0, len(every), MOST_LANES):
                lanes = every[first : first + MOST_LANES]
                own_moves = Moves.none(len(lanes), roles, loaded.set_columns)
                if moves is not None:
                    own_moves = Moves(moves.done[lanes], moves.copies[lanes, : loaded.set_columns])
                fine = np.ones(len(lanes), np.bool_)
                planes = loaded.planes(rows, lanes)
                if loaded.circuits.key.role != STEP:
                    loaded.refuse_others(own_moves, fine)
                if loaded.circuits.key.role != STEP and not sure:
                    loaded.judge(loaded.legal_outputs(planes, len(lanes)), own_moves, fine)
                loaded.change(planes, rows, lanes, own_moves, fine)
                known[lanes[~fine]] = False

    def settle(self, rows: PackedPositions, known: Any) -> None:
        """Carries out the steps that are due in positions, until none is; ``known`` as for `carry_out`."""
        for _ in range(MOST_STEPS):
            due = known & (rows.state[:, : len(self.steps)] & self.steps).any(axis=1)
            if not due.any():
                return
            lanes = np.flatnonzero(due)
            some = rows.select(lanes)
            fine = np.ones(len(lanes), np.bool_)
            self.carry_out(some, self.where(some), None, fine)
            rows.state[lanes], rows.numbers[lanes] = some.state, some.numbers
            known[lanes[~fine]] = False
        known &= ~due

    @cached_property
    def steps(self) -> Any:
        """The bits of all steps, as the first words of a row."""
        steps = np.zeros(64 * self.store.layout.control, np.bool_)
        for key, bits in self.store.keys.items():
            steps[bits] = key.role == STEP
        return np.packbits(steps, bitorder="little").view(np.uint64)
