"""Positions and moves as rows of numbers, and transition circuits run on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, overload

import numpy as np

from ..engine import symbols
from ..engine.sets import in_order
from ..errors import KaiserLogicError, WrongUsage
from ..evaluation.evaluator import Evaluator
from ..position import Position
from .circuit_store import CircuitStore
from .layout import LARGEST, Layout
from .transition_circuits import STEP, split_set
from .vectorised import MOST_LANES, OTHER


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
    def of(cls, evaluator: Evaluator, layout: Layout, positions: Iterable[Position]) -> PackedPositions:
        """Builds it from positions.

        Raises:
            WrongUsage: One of them belongs to another game.
        """
        rows: list[bytes] = []
        numbers: list[list[int]] = []
        others: dict[int, Position] = {}
        nothing = bytes(8 * layout.words)
        wanted = replace(evaluator.ruleset.configuration, engine="")
        for place, position in enumerate(positions):
            own = position.ruleset is evaluator.ruleset
            if not own and replace(position.ruleset.configuration, engine="") != wanted:
                raise WrongUsage(f"{position!r} is none of this game, with its edition, rulings and seats")
            found = position.__dict__.get("_packed")
            if found is None or found[0] is not layout:
                found = position.__dict__["_packed"] = (layout, layout.encode(position.symbols))
            if found[1] is None:
                others[place] = position
                rows.append(nothing)
                numbers.append([0] * len(layout.numbers))
            else:
                rows.append(found[1][0])
                numbers.append(found[1][1])
        state = np.frombuffer(bytearray(b"".join(rows)), np.uint64).reshape(len(rows), layout.words)
        beside = np.array(numbers, np.int64).reshape(len(rows), len(layout.numbers))
        return cls(evaluator, layout, state, beside, others)

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
        return unpack(self.evaluator, self.layout, self.state[place], self.numbers[place])


def unpack(evaluator: Evaluator, layout: Layout, row: Any, numbers: Any) -> Position:
    """The position of a row, and of the numbers beside it."""
    return Position(evaluator, layout.decode(row.tobytes(), map(int, numbers)))


# -- moves ---------------------------------------------------------------------------------------------------
#
# Moves as numbers: for each role that of its action, and the number of copies of each thing in a set that it names.


class MoveEncoder:
    """Converts moves to numbers."""

    def __init__(self, store: CircuitStore) -> None:
        """``store``: the circuits."""
        self._store = store
        self._lookups: dict[int, dict[tuple[str, str], tuple[int, bool]]] = {}
        facts = store.ruleset.facts("thing", 3)
        self._stated = facts
        ordered = sorted((f.arguments for f in facts), key=lambda f: f[1].number)
        self._things = {thing: place for place, (thing, _, _) in enumerate(ordered)}

    def encode(self, moves: Sequence[Mapping[str, str]], where: Any, pending: Any) -> tuple[Any, Any, Any]:
        """The moves as numbers.

        Args:
            moves: For each position role and action.
            where: For each position the index of its circuits.
            pending: For each position the number of roles that decide.

        Returns:
            For each position and role the number of the action, or -1; for each position and element how many are in the set;
            and for each position whether that describes the moves completely.
        """
        ruleset, circuit_set = self._store.ruleset, self._store.circuit_set
        places = {role: k for k, role in enumerate(ruleset.roles)}
        done = np.full((len(moves), len(places)), -1, np.int64)
        picked = np.zeros((len(moves), circuit_set.picked), np.int32)
        known = np.ones(len(moves), np.bool_)
        for i, actions in enumerate(moves):
            index = int(where[i])
            known[i] = index >= 0 and len(actions) == pending[i] and places.keys() >= actions.keys()
            for role, action in actions.items():
                number = self._number(index, role, action, places, picked[i]) if known[i] else -1
                if number < 0:
                    known[i] = False
                    break
                done[i, places[role]] = number
        return done, picked, known

    def _number(self, index: int, role: str, action: str, places: Mapping[str, int], row: Any) -> int:
        """The number of an action, or -1 if it has none. Writes the copies in its set to ``row``, a value for each element."""
        lookup = self._lookup(index)
        found, names = lookup.get((role, action), (-1, False))
        circuits = self._store.circuit_set.circuits[index]
        if not circuits.picks:
            return found
        set_choices = circuits.set_choices
        try:
            term = symbols.read(action)
        except (KaiserLogicError, ValueError):
            return -1
        own = [set_role for set_role in set_choices.set_roles if set_role[0] == places[role]]
        if not own or found >= 0:
            return -1 if names else found
        bare, copies = split_set(term, self._things, role)
        first = int(own[0][2])
        if not bare or in_order(term, self._stated) != term:
            return -1
        if any(not 1 <= n <= set_choices.elements[first + place, 0] for place, n in copies.items()):
            return -1
        for place, number in copies.items():
            row[first + place] = number
        found, names = lookup.get((role, bare), (-1, False))
        return found if names else -1

    def _lookup(self, index: int) -> dict[tuple[str, str], tuple[int, bool]]:
        """For each action of some circuits its number, and whether it names a set."""
        if index not in self._lookups:
            first, its = self._store.circuit_set.loaded[index].first, self._store.circuit_set.circuits[index]
            naming = set(map(int, its.entries[its.set_choices.set_checks >= 0]))
            self._lookups[index] = {a: (first + n, n in naming) for n, a in enumerate(its.actions)}
        return self._lookups[index]


# -- running -------------------------------------------------------------------------------------------------
#
# Circuits run on rows of positions.


_MOST_STEPS = 10_000
"""The largest number of steps in a row. If there are more, the engine for one position takes over."""


class Runner:
    """Runs a game's circuits on rows of positions."""

    def __init__(self, evaluator: Evaluator, store: CircuitStore) -> None:
        """``store``: the circuits of the evaluator's rules."""
        self.evaluator, self.store = evaluator, store

    def where(self, state: Any, others: Iterable[int] = ()) -> Any:
        """For each row the index of its circuits, which are loaded or built if need be; `OVER` or `OTHER` if there is none."""
        layout = self.store.layout
        met = (
            np.bitwise_or.reduce(state[:, : layout.control], axis=0) if len(state) else np.zeros(0, np.uint64)
        )
        bits = {w * 64 + b for w, word in enumerate(map(int, met)) for b in range(64) if word >> b & 1}
        self.store.need([key for key, its in self.store.keys.items() if not bits.isdisjoint(its)])
        circuit_set = self.store.circuit_set
        found = circuit_set.where(state)
        for place in others:
            found[place] = OTHER
        return found

    def naming(self, where: Any) -> Any:
        """For each position, given by the index of its circuits, whether somebody may name a set."""
        own = np.array([*(b.picks for b in self.store.circuit_set.circuits), False], np.bool_)
        return own[np.where(where >= 0, where, len(own) - 1)]

    def carry_out(
        self,
        state: Any,
        numbers: Any,
        where: Any,
        done: Any,
        known: Any,
        picked: Any = None,
        sure: bool = False,
    ) -> None:
        """Carries out actions or steps in positions; ``known`` becomes False if that is impossible.

        Args:
            state: Rows of positions; changed.
            numbers: The numbers beside them; changed.
            where: For each the index of its circuits.
            done: For each position and role the number of an action, or -1.
            known: The positions in which to do so.
            picked: For each position and element of its circuits the number of copies in the set; None if no set is named.
            sure: Whether the actions are known to be legal.
        """
        circuit_set = self.store.circuit_set
        known &= where >= 0
        for index in np.unique(where[known]):
            loaded = circuit_set.loaded[index]
            every = np.flatnonzero(known & (where == index))
            for first in range(0, len(every), MOST_LANES):
                lanes = every[first : first + MOST_LANES]
                elements = len(loaded.circuits.set_choices.elements)
                sets = (
                    np.zeros((len(lanes), elements), np.int32) if picked is None else picked[lanes, :elements]
                )
                fine = np.ones(len(lanes), np.bool_)
                planes = loaded.planes(state, lanes)
                if loaded.entries and not sure:
                    loaded.judged(loaded.legal_outputs(planes, len(lanes)), done[lanes], sets, fine)
                loaded.change(planes, state, numbers, self.least, lanes, done[lanes], sets, fine)
                known[lanes[~fine]] = False

    def settle(self, state: Any, numbers: Any, known: Any) -> None:
        """Carries out the steps that are due in positions, until none is; ``known`` as for `carry_out`."""
        mask = self.steps
        for _ in range(_MOST_STEPS):
            due = known & (state[:, : len(mask)] & mask).any(axis=1)
            if not due.any():
                return
            lanes = np.flatnonzero(due)
            some, beside = state[lanes], numbers[lanes]
            where = self.where(some)
            fine = np.ones(len(lanes), np.bool_)
            done = np.full((len(lanes), len(self.evaluator.ruleset.roles)), -1, np.int64)
            self.carry_out(some, beside, where, done, fine, sure=True)
            state[lanes], numbers[lanes] = some, beside
            known[lanes[~fine]] = False
        known[:] = False

    @cached_property
    def steps(self) -> Any:
        """The bits of all steps, as the first words of a row."""
        steps = np.zeros(64 * self.store.layout.control, np.bool_)
        for key, bits in self.store.keys.items():
            steps[bits] = key.role == STEP
        return np.packbits(steps, bitorder="little").view(np.uint64)

    @cached_property
    def least(self) -> Any:
        """The least value of each number beside the bits, then the exclusive upper bound of all."""
        layout = self.store.layout
        return np.array([*map(layout.least, layout.numbers), LARGEST], np.int64)
