"""Moves as numbers: for each role that of its action, and of a set that it names how many there are of each thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..engine import symbols
from ..engine.sets import in_order
from ..errors import KaiserLogicError
from .naming import parted
from .stock import Stock


class Moves:
    """Makes numbers of moves."""

    def __init__(self, stock: Stock) -> None:
        """``stock``: the buckets."""
        self._stock = stock
        self._lookups: dict[int, dict[tuple[str, str], tuple[int, bool]]] = {}
        facts = stock.ruleset.facts("thing", 3)
        self._stated = facts
        ordered = sorted((f.arguments for f in facts), key=lambda f: f[1].number)
        self._things = {thing: place for place, (thing, _, _) in enumerate(ordered)}

    def encoded(self, moves: Sequence[Mapping[str, str]], where: Any, pending: Any) -> tuple[Any, Any, Any]:
        """Moves as numbers.

        Args:
            moves: For each position role and action.
            where: For each position its bucket.
            pending: For each position how many decide.

        Returns:
            For each position and role the number of the action, or -1; for each position and box how many are in the set;
            and for each position whether that says what is done there.
        """
        ruleset, machine = self._stock.ruleset, self._stock.machine
        places = {role: k for k, role in enumerate(ruleset.roles)}
        done = np.full((len(moves), len(places)), -1, np.int64)
        picked = np.zeros((len(moves), machine.picked), np.int32)
        known = np.ones(len(moves), np.bool_)
        for i, actions in enumerate(moves):
            bucket = int(where[i])
            known[i] = bucket >= 0 and len(actions) == pending[i] and places.keys() >= actions.keys()
            for role, action in actions.items():
                number = self._number(bucket, role, action, places, picked[i]) if known[i] else -1
                if number < 0:
                    known[i] = False
                    break
                done[i, places[role]] = number
        return done, picked, known

    def _number(self, bucket: int, role: str, action: str, places: Mapping[str, int], row: Any) -> int:
        """The number of an action; what is in its set into a row of boxes. -1 where it has none."""
        picking = self._stock.machine.buckets[bucket].picking
        lookup = self._lookup(bucket)
        found, names = lookup.get((role, action), (-1, False))
        if not len(picking.pickers):
            return found
        try:
            term = symbols.read(action)
        except (KaiserLogicError, ValueError):
            return -1
        own = [picker for picker in picking.pickers if picker[0] == places[role]]
        if not own or found >= 0:
            return -1 if names else found
        shape, copies = parted(term, self._things, role)
        first = int(own[0][2])
        if not shape or in_order(term, self._stated) != term:
            return -1
        if any(not 1 <= n <= picking.boxes[first + place, 0] for place, n in copies.items()):
            return -1
        for place, number in copies.items():
            row[first + place] = number
        found, names = lookup.get((role, shape), (-1, False))
        return found if names else -1

    def _lookup(self, bucket: int) -> dict[tuple[str, str], tuple[int, bool]]:
        """The numbers of a bucket's actions, each with whether a set has a name in it."""
        if bucket not in self._lookups:
            first, its = self._stock.machine.ready[bucket].first, self._stock.machine.buckets[bucket]
            naming = set(map(int, its.tickets[its.picking.shapes >= 0]))
            self._lookups[bucket] = {a: (first + n, n in naming) for n, a in enumerate(its.actions)}
        return self._lookups[bucket]
