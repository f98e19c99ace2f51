"""What is known of a bucket: a kind of decision of one role, or of several at the same time, or a kind of step.

All of it is plain data: numbers and texts. :mod:`.building` makes it, :mod:`.cache` keeps it, and whoever runs it trusts
nothing of it that :meth:`Bucket.check` has not looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from .arrays import Gates, Numbers, demand, within
from .picking import Picking

STEP: Final = "step"
"""In place of a role, of what happens by itself."""
TOGETHER: Final = "together"
"""In place of a role, where several decide at the same time."""


@dataclass(frozen=True)
class Key:
    """Which bucket it is.

    Attributes:
        name: Of the decision or step.
        arity: Its number of arguments.
        role: Who decides; `TOGETHER` or `STEP`.
    """

    name: str
    arity: int
    role: str

    def __str__(self) -> str:
        """``turn/0 red``."""
        return f"{self.name}/{self.arity} {self.role}"


@dataclass(frozen=True)
class Bucket:
    """The circuits of a bucket.

    Slots begin with the inputs: first the bits of a position, in the order of ``inputs``, then what is done.

    Attributes:
        key: Which bucket it is.
        pending: The bits of the decisions or steps that belong to it.
        inputs: The bits that are read, in increasing order.
        doing: How many inputs say what is done.
        actions: What can be done, in the order of the roles and for each by its text: role and action.
        tickets: The number of the action that an output of ``legal`` stands for; where weights say how probable an action
            is it has as many outputs as its weight, the first of which says whether it is legal.
        legal: The circuit of what is legal.
        done: For each action the inputs that say that it is done, from 0; filled with -1.
        effects: The circuit of what changes.
        changed: The bits that the outputs of ``effects`` are, in increasing order.
        added: For each of the outputs after these: the number beside the bits, and how much is added to it.
        picking: The sets that actions name.
    """

    key: Key
    pending: Numbers
    inputs: Numbers
    doing: int
    actions: tuple[tuple[str, str], ...]
    tickets: Numbers
    legal: Gates
    done: Numbers
    effects: Gates
    changed: Numbers
    added: Numbers
    picking: Picking

    @property
    def slots(self) -> int:
        """How many slots its programs need."""
        return max(self.legal.slots, self.effects.slots, self.picking.sets.slots)

    @property
    def picks(self) -> bool:
        """Whether actions name sets."""
        return bool(len(self.picking.pickers))

    def check(self, bits: int, control: int, numbers: int, roles: Sequence[str]) -> None:
        """Looks at every index.

        Args:
            bits: How many bits a position has.
            control: How many of them say what is pending.
            numbers: How many numbers there are beside them.
            roles: Who can decide, in order.

        Raises:
            Damaged: One of them points elsewhere.
        """
        first = len(self.inputs) + self.doing
        within(self.pending, 0, control)
        for row in (self.inputs, self.changed):
            within(row, 0, bits)
            demand(bool((np.diff(row) > 0).all()))
        within(self.tickets, 0, len(self.actions))
        demand(bool((np.diff(self.tickets) >= 0).all()))
        demand(0 <= self.doing <= 1_000_000 and len(self.done) == len(self.actions))
        within(self.done, -1, self.doing)
        self.picking.check(first, self.doing, len(self.tickets), len(roles))
        self.legal.check(first, len(self.tickets) + self.picking.more)
        self.effects.check(first, len(self.changed) + len(self.added))
        demand(self.added.shape[1:] == (2,))
        within(self.added[:, 0], 0, numbers)
        within(self.added[:, 1], -10_000, 10_001)
        places = [roles.index(role) for role, _ in self.actions if role in roles]
        demand(len(places) == len(self.actions) and places == sorted(places))

    def as_arrays(self) -> dict[str, Any]:
        """Itself as named arrays."""
        said = [str(self.key), *(f"{role} {action}" for role, action in self.actions)]
        said += [f" {text}" for text in self.picking.texts]
        programs = {"legal": self.legal, "effects": self.effects, "sets": self.picking.sets}
        sizes = [self.doing, *(p.slots for p in programs.values()), self.picking.most, self.picking.beside]
        return {
            "text": np.frombuffer("\n".join(said).encode(), np.uint8),
            "sizes": np.array(sizes, np.int32),
            **{name: getattr(self, name) for name in _ARRAYS},
            **{name: getattr(self.picking, name) for name in _PICKED},
            **{f"{name}_gates": p.gates for name, p in programs.items()},
            **{f"{name}_outputs": p.outputs for name, p in programs.items()},
        }

    @classmethod
    def from_arrays(cls, key: Key, arrays: Mapping[str, Any]) -> Bucket:
        """From named arrays, which may be anything; Damaged where they are no bucket."""
        first, *lines = bytes(arrays["text"]).decode().split("\n")
        demand(first == str(key) and len(arrays["sizes"]) == 3 + len(_PROGRAMS))
        doing, *slots, most, beside = (int(n) for n in arrays["sizes"])
        parts = [line.partition(" ") for line in lines]
        programs = {
            p: Gates(arrays[f"{p}_gates"], arrays[f"{p}_outputs"], n)
            for p, n in zip(_PROGRAMS, slots, strict=True)
        }
        found = {name: arrays[name] for name in _ARRAYS}
        picked = {name: arrays[name] for name in _PICKED}
        for name, array in (
            *found.items(),
            *picked.items(),
            *((p, x) for p, g in programs.items() for x in (g.gates, g.outputs)),
        ):
            demand(array.dtype == np.int32 and array.ndim == (1 if name in _FLAT else 2))
        return cls(
            key,
            actions=tuple((role, action) for role, _, action in parts if role),
            doing=doing,
            legal=programs["legal"],
            effects=programs["effects"],
            picking=Picking(
                **picked,
                sets=programs["sets"],
                most=most,
                beside=beside,
                texts=tuple(text for role, _, text in parts if not role),
            ),
            **found,
        )


_PROGRAMS: Final = ("legal", "effects", "sets")
_FLAT: Final = {"pending", "inputs", "tickets", "changed", "shapes"}
_ARRAYS: Final = ("pending", "inputs", "tickets", "done", "changed", "added")
_PICKED: Final = ("shapes", "pickers", "boxes", "options", "rows", "blocks")
