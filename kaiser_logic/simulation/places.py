"""Where the parts of a bucket lie, when all of a batch's buckets lie one after the other in a few arrays.

A table has a row for each bucket and a column for each of `PLACES`; the constants are the numbers of the columns.

``legal`` to ``effects_end``: its gates. ``may`` and ``outputs``: the outputs of both programs. ``tickets``: for each output
of the first the number of its action. ``inputs``: the bits that are read. ``doing``: the inputs after these, which say what
is done. ``changed``, ``added``: the bits and numbers that the outputs of the second program are. ``roles``: rows of role,
first and last ticket. ``action``: the number of its first action.

Where actions name sets: ``sets``: the gates that say which are legal with given sets. ``checks``: their outputs. ``more``: how
many outputs the first program has after those of the tickets and that for "unknown". ``pickers``, ``boxes``, ``options``: who
picks how many of what, as in :class:`.picking.Picking`. ``most``: so many sets are looked at for one who picks.

Where actions hold structures: ``rows``: numbers, so many for each structure as there are boxes. ``blocks``: actions that
differ in what follows the structure only. ``beside``: how many outputs of the first program ``sets`` reads in place of bits.
``guards``: how many come after these, one for each action that can hold a structure.
"""

from __future__ import annotations

from typing import Final

PLACES: Final = (
    "legal",
    "legal_end",
    "effects",
    "effects_end",
    "may",
    "tickets",
    "tickets_end",
    "outputs",
    "inputs",
    "inputs_end",
    "doing",
    "changed",
    "changed_end",
    "added",
    "added_end",
    "roles",
    "roles_end",
    "action",
    "sets",
    "sets_end",
    "checks",
    "more",
    "pickers",
    "pickers_end",
    "boxes",
    "boxes_end",
    "options",
    "options_end",
    "most",
    "rows",
    "rows_end",
    "blocks",
    "blocks_end",
    "beside",
    "guards",
)
"""The columns."""
LEGAL, LEGAL_END, EFFECTS, EFFECTS_END, MAY, TICKETS, TICKETS_END, OUTPUTS = range(8)
INPUTS, INPUTS_END, DOING, CHANGED, CHANGED_END, ADDED, ADDED_END, ROLES, ROLES_END, ACTION = range(8, 18)
SETS, SETS_END, CHECKS, MORE, PICKERS, PICKERS_END, BOXES, BOXES_END = range(18, 26)
OPTIONS, OPTIONS_END, MOST, ROWS, ROWS_END, BLOCKS, BLOCKS_END, BESIDE, GUARDS = range(26, 35)
