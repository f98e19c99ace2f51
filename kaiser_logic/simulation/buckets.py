"""What is known of a bucket: a kind of decision of one role, or of several at the same time, or a kind of step.

All of it is plain data: numbers and texts. :mod:`.building` makes it, :mod:`.cache` keeps it, and whoever runs it trusts
nothing of it that :meth:`Bucket.check` has not looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .gates import AGAIN, CONSTANT, KINDS, Code

Numbers = npt.NDArray[np.int32]
"""Whole numbers of 32 bits, in one or more dimensions."""
STEP: Final = "step"
"""In place of a role, of what happens by itself."""
TOGETHER: Final = "together"
"""In place of a role, where several decide at the same time."""


class Damaged(Exception):
    """What should be a bucket is none."""


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
class Gates:
    """A program of gates as numbers.

    Attributes:
        gates: A row for each: kind, slot of the value, slots of the two values read; long runs of one kind.
        outputs: A row for each: slot or `CONSTANT`, and whether it is negated there; the last one says that the
            circuit does not know.
        slots: How many slots there are.
    """

    gates: Numbers
    outputs: Numbers
    slots: int

    @classmethod
    def of(cls, code: Code) -> Gates:
        """From code that was lowered."""
        return cls(table_of(code.gates, 4), table_of(code.outputs, 2), code.slots)

    def check(self, first: int, outputs: int) -> None:
        """Looks at every index: there are so many inputs, and outputs besides that for "unknown"."""
        _demand(first <= self.slots <= 10_000_000 and self.gates.shape[1:] == (4,))
        _within(self.gates[:, 0], 0, KINDS)
        back = self.gates[:, 0] == AGAIN
        _within(self.gates[:, 1], first, self.slots)
        _within(self.gates[~back, 2:], 0, self.slots)
        _within(self.gates[back, 3], 0, 1_000_000)
        room = (
            np.diff(np.flatnonzero(back), prepend=-1) - 1
        )  # loops lie one after the other: each comes to its end
        _demand(bool(((self.gates[back, 2] >= 0) & (self.gates[back, 2] <= room)).all()))
        _demand(self.outputs.shape == (outputs + 1, 2))
        _within(self.outputs[:, 0], CONSTANT, self.slots)
        _within(self.outputs[:, 1], 0, 2)


@dataclass(frozen=True)
class Picking:
    """Sets that actions of a bucket name.

    Such an action stands among the others with a name in the place of its set, and its output of ``legal`` is false. After
    that for "unknown" ``legal`` has outputs that say who decides, and who can pick how many of what.

    Attributes:
        shapes: For each ticket the output of ``sets`` that says whether its action is legal with the set; -1 where it names
            none.
        sets: The circuit of which sets are legal.
        pickers: A row for each role that can name one: its place, the output that says whether it decides, counted from
            after that for "unknown", its first box and the one after its last.
        boxes: A row for each role and thing, in their order: how many copies there are at most, the input that says that
            there is one, from 0, followed by those for more; the output that says that there can be one, likewise.
        options: Pairs of a thing's place and a number, in the order of their texts.
        most: Where somebody can pick more sets than these, nothing is known.
    """

    shapes: Numbers
    sets: Gates
    pickers: Numbers
    boxes: Numbers
    options: Numbers
    most: int

    @property
    def more(self) -> int:
        """How many outputs ``legal`` has because of them."""
        return len(self.pickers) + int(self.boxes[:, 0].sum())

    def check(self, first: int, doing: int, tickets: int, roles: int) -> None:
        """Looks at every index; ``first``: the slots of the inputs; ``doing``: how many of these say what is done."""
        _demand(len(self.shapes) == tickets and 0 <= self.most <= 1_000_000)
        shapes = int((self.shapes >= 0).sum())
        _within(self.shapes, -1, max(shapes, 1))
        self.sets.check(first, shapes)
        for array, width in ((self.pickers, 4), (self.boxes, 3), (self.options, 2)):
            _demand(array.shape[1:] == (width,))
        _within(self.boxes[:, 0], 1, 1_000)
        _within(self.pickers[:, 0], 0, roles)
        _within(self.pickers[:, 1], 0, self.more)
        _within(self.pickers[:, 2:], 0, len(self.boxes) + 1)
        things = np.diff(self.pickers[:, 2:], axis=1)
        _demand(bool((things == (things[:1] if len(things) else 0)).all()) and bool((things >= 0).all()))
        _demand(not len(self.boxes) or bool((self.boxes[:, 1] >= 0).all() and (self.boxes[:, 2] >= 0).all()))
        _within(self.boxes[:, 1] + self.boxes[:, 0], 0, doing + 1)
        _within(self.boxes[:, 2] + self.boxes[:, 0], 0, self.more + 1)
        _within(self.options[:, 0], 0, int(things.max()) if things.size else 0)
        _within(self.options[:, 1], 1, 1_000)


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
        _within(self.pending, 0, control)
        for row in (self.inputs, self.changed):
            _within(row, 0, bits)
            _demand(bool((np.diff(row) > 0).all()))
        _within(self.tickets, 0, len(self.actions))
        _demand(bool((np.diff(self.tickets) >= 0).all()))
        _demand(0 <= self.doing <= 1_000_000 and len(self.done) == len(self.actions))
        _within(self.done, -1, self.doing)
        self.picking.check(first, self.doing, len(self.tickets), len(roles))
        self.legal.check(first, len(self.tickets) + self.picking.more)
        self.effects.check(first, len(self.changed) + len(self.added))
        _demand(self.added.shape[1:] == (2,))
        _within(self.added[:, 0], 0, numbers)
        _within(self.added[:, 1], -10_000, 10_001)
        places = [roles.index(role) for role, _ in self.actions if role in roles]
        _demand(len(places) == len(self.actions) and places == sorted(places))

    def as_arrays(self) -> dict[str, Any]:
        """Itself as named arrays."""
        said = [str(self.key), *(f"{role} {action}" for role, action in self.actions)]
        programs = {"legal": self.legal, "effects": self.effects, "sets": self.picking.sets}
        sizes = [self.doing, *(p.slots for p in programs.values()), self.picking.most]
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
        _demand(first == str(key) and len(arrays["sizes"]) == 2 + len(_PROGRAMS))
        doing, *slots, most = (int(n) for n in arrays["sizes"])
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
            _demand(array.dtype == np.int32 and array.ndim == (1 if name in _FLAT else 2))
        return cls(
            key,
            actions=tuple((role, action) for role, _, action in parts),
            doing=doing,
            legal=programs["legal"],
            effects=programs["effects"],
            picking=Picking(**picked, sets=programs["sets"], most=most),
            **found,
        )


_PROGRAMS: Final = ("legal", "effects", "sets")
_FLAT: Final = {"pending", "inputs", "tickets", "changed", "shapes"}
_ARRAYS: Final = ("pending", "inputs", "tickets", "done", "changed", "added")
_PICKED: Final = ("shapes", "pickers", "boxes", "options")


def table_of(rows: Sequence[Sequence[int]], width: int) -> Numbers:
    """Rows of this width as an array."""
    return np.array(rows, np.int32).reshape(len(rows), width)


def numbers_of(values: Sequence[int]) -> Numbers:
    """Whole numbers as an array."""
    return np.array(values, np.int32)


def padded(rows: Sequence[Sequence[int]]) -> Numbers:
    """Rows of unequal length, filled with -1."""
    width = max(map(len, rows), default=0) or 1
    return table_of([[*row, *[-1] * (width - len(row))] for row in rows], width)


def _within(values: Any, low: int, high: int) -> None:
    _demand(not values.size or bool(values.min() >= low and values.max() < high))


def _demand(fine: bool) -> None:
    if not fine:
        raise Damaged
