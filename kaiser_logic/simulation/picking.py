"""What actions of a bucket hold that has too many values to be listed: sets that they name, or structures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Gates, Numbers, demand, numbers_of, table_of, within
from .gates import Code


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
        most: Where somebody can pick more sets, or structures, than these, nothing is known.
        texts: The structures that actions can hold, in their order; then there is one picker, and a box for each part, with
            the number of its values and the input of the first one. The outputs after that which says who decides say which
            structures come into question.
        rows: A row for each structure: for each of its parts the number of its value, from 1.
        beside: So many outputs after these say what of the position is read by the circuit of what is legal with a
            structure; there they are inputs, after all others, in place of the bits of the position. 0 where sets are named.
            After these there is one for each action that can hold a structure: without it the action is not legal.
        blocks: Actions that differ in what follows the structure only: the first ticket, and the one after the last.
    """

    shapes: Numbers
    sets: Gates
    pickers: Numbers
    boxes: Numbers
    options: Numbers
    most: int
    texts: tuple[str, ...]
    rows: Numbers
    blocks: Numbers
    beside: int

    @property
    def more(self) -> int:
        """How many outputs ``legal`` has because of them."""
        return len(self.pickers) + (len(self.rows) or int(self.boxes[:, 0].sum())) + self.beside + self.guards

    @property
    def guards(self) -> int:
        """How many actions can hold a structure."""
        return int((self.shapes >= 0).sum()) if len(self.rows) else 0

    def check(self, first: int, doing: int, tickets: int, roles: int) -> None:
        """Looks at every index; ``first``: the slots of the inputs; ``doing``: how many of these say what is done."""
        demand(len(self.shapes) == tickets and 0 <= self.most <= 1_000_000)
        shapes = int((self.shapes >= 0).sum())
        within(self.shapes, -1, max(shapes, 1))
        demand(0 <= self.beside <= 1_000_000)
        self.sets.check(first + self.beside, shapes)
        for array, width in ((self.pickers, 4), (self.boxes, 3), (self.options, 2)):
            demand(array.shape[1:] == (width,))
        within(self.boxes[:, 0], 1, 1_000)
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
        self._check_structures(tickets)

    def _check_structures(self, tickets: int) -> None:
        """Looks at what is said of structures."""
        demand(len(self.texts) == len(self.rows) and self.rows.ndim == 2 and self.blocks.shape[1:] == (2,))
        if not len(self.rows):
            demand(not len(self.blocks) and not self.beside)
            return
        demand(self.rows.shape[1] == len(self.boxes) and len(self.pickers) == 1)
        demand(bool((self.pickers[0] == [self.pickers[0, 0], 0, 0, len(self.boxes)]).all()))
        demand(bool((self.rows >= 1).all() and (self.rows <= self.boxes[:, 0]).all()))
        within(self.blocks, 0, tickets + 1)
        flat = self.blocks.reshape(-1)
        demand(bool((np.diff(flat) >= 0).all() and (self.blocks[:, 1] > self.blocks[:, 0]).all()))
        inside = np.zeros(tickets, np.bool_)
        for first, end in self.blocks:
            inside[first:end] = True
        demand(bool(((self.shapes >= 0) == inside).all()))
        demand(bool((self.shapes[inside] == np.arange(inside.sum())).all()))


NOTHING = Picking(
    numbers_of([]), Gates.of(Code([], [(-1, 0)], 0)), table_of([], 4), table_of([], 3), table_of([], 2), 0, (),
    table_of([], 1), table_of([], 2), 0,
)  # fmt: skip
"""Neither sets nor structures."""
