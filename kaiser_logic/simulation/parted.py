"""What has been found out of actions that hold structures: what is legal with which, and which come into question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from .. import clingo
from ..engine import symbols
from .arrays import table_of
from .bits import Circuit, Group
from .doing import Shared
from .opening import Unsupported
from .picking import NOTHING, Picking

_LOOKED_AT: Final = 5_000
"""Where more structures come into question nothing is known."""


@dataclass(frozen=True)
class Parted:
    """What has been found out of actions with a structure.

    Attributes:
        legal: The actions, as legal/2, with a name in the place of the structure, each with whether it is legal.
        structures: Those that can come into question, in the order of their texts, each with whether it does.
        inputs: The inputs that say what parts have which value, with their groups, part by part.
        sizes: How many they are for each part.
        rows: For each structure and part the number of its value, from 1.
        unknown: Literals that say that the circuit does not know.
        shared: The kind of each of the actions, and the values of its arguments that are not the structure's.
    """

    legal: dict[clingo.Symbol, int]
    structures: list[tuple[clingo.Symbol, int]]
    inputs: dict[clingo.Symbol, Group]
    sizes: list[int]
    rows: list[list[int]]
    unknown: list[int]
    shared: Shared

    def picking(
        self, circuit: Circuit, blocks: Sequence[Sequence[int]], role: int, decides: int
    ) -> tuple[Picking, list[int]]:
        """Who picks what, and the outputs that say which structures come into question; its circuit is still empty.

        Args:
            circuit: The circuit.
            blocks: Actions that differ in what follows the structure only, by their tickets.
            role: The place of the role.
            decides: Whether it decides.

        Raises:
            Unsupported: What comes into question depends on what is chosen.
        """
        outputs = [decides, *(literal for _, literal in self.structures)]
        reading = circuit.reading(circuit.inputs[f] for f in self.inputs if f in circuit.inputs)
        if any(x >> 1 in reading for x in outputs):
            raise Unsupported("which structures come into question depends on the one that is chosen")
        firsts = [0, *accumulate(self.sizes)]
        found = replace(
            NOTHING,
            pickers=table_of([[role, 0, 0, len(self.sizes)]], 4),
            boxes=table_of([[size, first, 0] for size, first in zip(self.sizes, firsts, strict=False)], 3),
            most=_LOOKED_AT,
            texts=tuple(symbols.text(s) for s, _ in self.structures),
            rows=table_of(self.rows, len(self.sizes)),
            blocks=table_of(blocks, 2),
        )
        return found, outputs
