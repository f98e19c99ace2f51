"""What is known of a bucket: a kind of decision of one role, or of several at the same time, or a kind of step.

All of it is plain data: numbers and texts. :mod:`.building` makes it, :mod:`.stock` keeps it, and whoever runs it trusts
nothing of it that :meth:`Bucket.check` has not looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from .gates import Gates, Numbers, demand, numbers_of, table_of, within

STEP: Final = "step"
"""In place of a role, of what happens by itself."""
NEXT: Final = 16
"""So many outputs of what changes say what is pending then."""
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

    def check(self, inputs: int, doing: int, tickets: int, roles: int) -> None:
        """Looks at every index; ``inputs``: how many there are; ``doing``: how many of these say what is done."""
        demand(len(self.shapes) == tickets and 0 <= self.most <= 1_000_000)
        shapes = int((self.shapes >= 0).sum())
        within(self.shapes, -1, max(shapes, 1))
        self.sets.check(inputs, shapes)
        for array, width in ((self.pickers, 4), (self.boxes, 3), (self.options, 2)):
            demand(array.shape[1:] == (width,))
        within(self.boxes[:, 0], 1, 250)
        within(self.pickers[:, 0], 0, roles)
        within(self.pickers[:, 1], 0, self.more)
        within(self.pickers[:, 2:], 0, len(self.boxes) + 1)
        things = np.diff(self.pickers[:, 2:], axis=1)
        demand(bool((things == (things[:1] if len(things) else 0)).all()) and bool((things >= 0).all()))
        demand(not len(self.boxes) or bool((self.boxes[:, 1] >= 0).all() and (self.boxes[:, 2] >= 0).all()))
        within(self.boxes[:, 1] + self.boxes[:, 0], 0, doing + 1)
        within(self.boxes[:, 2] + self.boxes[:, 0], 0, self.more + 1)
        within(self.options[:, 0], 0, int(things.max()) if things.size else 0)
        within(self.options[:, 1], 1, 1_000)


NOTHING: Final = Picking(
    numbers_of([]),
    Gates(table_of([], 3), numbers_of([0]), table_of([], 2), numbers_of([0]), 0, 1),
    table_of([], 4),
    table_of([], 3),
    table_of([], 2),
    0,
)
"""No sets."""


@dataclass(frozen=True)
class Bucket:
    """The circuits of a bucket.

    The inputs of its programs are the bits of a position, in the order of ``inputs``, then what is done.

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
        effects: The circuit of what changes. Its last outputs but one are a number in binary, the lowest bit first: 0 where
            nothing is pending, or one more than the number of the key of what is; the last of them says that there are several.
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
        self.effects.check(first, len(self.changed) + len(self.added) + NEXT)
        demand(self.added.shape[1:] == (2,))
        within(self.added[:, 0], 0, numbers)
        within(self.added[:, 1], -10_000, 10_001)
        places = [roles.index(role) for role, _ in self.actions if role in roles]
        demand(len(places) == len(self.actions) and places == sorted(places))

    def as_arrays(self) -> dict[str, Any]:
        """Itself as named arrays."""
        said = [str(self.key), *(f"{role} {action}" for role, action in self.actions)]
        programs = {"legal": self.legal, "effects": self.effects, "sets": self.picking.sets}
        sizes = [self.doing, self.picking.most, *(n for p in programs.values() for n in (p.inputs, p.slots))]
        return {
            "text": np.frombuffer("\n".join(said).encode(), np.uint8),
            "sizes": np.array(sizes, np.int32),
            **{name: getattr(self, name) for name in _ARRAYS},
            **{name: getattr(self.picking, name) for name in _PICKED},
            **{f"{name}_{part}": getattr(p, part) for name, p in programs.items() for part in _PARTS},
        }

    @classmethod
    def from_arrays(cls, key: Key, arrays: Mapping[str, Any]) -> Bucket:
        """From named arrays, which may be anything; Damaged where they are no bucket."""
        first, *lines = bytes(arrays["text"]).decode().split("\n")
        demand(first == str(key) and len(arrays["sizes"]) == 2 + 2 * len(_PROGRAMS))
        doing, most, *sizes = (int(n) for n in arrays["sizes"])
        pairs = [line.partition(" ") for line in lines]
        names = [*_ARRAYS, *_PICKED, *(f"{name}_{part}" for name in _PROGRAMS for part in _PARTS)]
        found = {name: arrays[name] for name in names}
        for name, array in found.items():
            demand(
                array.dtype == np.int32
                and array.ndim == (1 if name.endswith(("_outputs", "_ends")) or name in _FLAT else 2)
            )
        programs = {
            name: Gates(inputs=inputs, slots=slots, **{part: found[f"{name}_{part}"] for part in _PARTS})
            for name, inputs, slots in zip(_PROGRAMS, sizes[::2], sizes[1::2], strict=True)
        }
        return cls(
            key,
            actions=tuple((role, action) for role, _, action in pairs),
            doing=doing,
            legal=programs["legal"],
            effects=programs["effects"],
            picking=Picking(sets=programs["sets"], most=most, **{name: found[name] for name in _PICKED}),
            **{name: found[name] for name in _ARRAYS},
        )


_PROGRAMS: Final = ("legal", "effects", "sets")
_PARTS: Final = ("gates", "ends", "states", "outputs")
_FLAT: Final = {"pending", "inputs", "tickets", "changed", "shapes"}
_ARRAYS: Final = ("pending", "inputs", "tickets", "done", "changed", "added")
_PICKED: Final = ("shapes", "pickers", "boxes", "options")
