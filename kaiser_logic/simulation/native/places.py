"""The memory of native code: one array of 32-bit words, in which everything has a fixed place.

A value is a word: numbers are themselves, everything else is `BASE` plus where its record lies (`RECORDS`): its shape (a
name with a number of arguments), place and length of its text, its kind of action, and its arguments. Equal values are one
record. A relation has a head (`DATA` and the following) and room for a fixed number of rows; so has an index of it. Room that
is not used costs nothing. Where something does not fit, `ERROR` is set, and the question is left to the engine for one
position.
"""

from __future__ import annotations

from typing import Final

BASE: Final = 1 << 24
"""Values from here on are records."""
LIMIT: Final = 1_000_000
"""Numbers beyond this are left to the engine for one position."""

# -- places of the memory --------------------------------------------------------------------------------------------------

ERROR: Final = 0
FREE: Final = 1
TEXT: Final = 2
KNOWN: Final = 3
TABLE_BITS: Final = 4
EPOCH: Final = 5
"""Grows when something went wrong: nothing that was derived before counts any more."""
SORTED: Final = 7
"""How many values are in the list of those whose texts are in order (`ORDER`)."""
STRANGE: Final = 6
"""Whether the position has facts of a predicate that is `CLOSED`: then nothing is known of it."""
BUFFER: Final = 16
"""Where a term is put together: its shape, and its arguments."""
SHAPES: Final = 64
SHAPE: Final = 8
"""So many words are known of a shape."""
ARITY, RANK, NAME, LENGTH, PREDICATE, NUMBER = range(6)
"""What: its arguments; its place in clingo's order; its name's place and length among the texts; the relation of such facts;
its number among the kinds of decisions and steps."""
MOST_SHAPES: Final = 1 << 14
ORDER: Final = SHAPES + SHAPE * MOST_SHAPES
"""Values in the order of their texts."""
MOST_SORTED: Final = 1 << 14
TABLE: Final = ORDER + MOST_SORTED
LARGEST: Final = 21
"""The logarithm of the size that the table of records can grow to."""
RECORDS: Final = TABLE + (1 << LARGEST)
RECORDS_END: Final = RECORDS + (1 << 24)
RECORD: Final = 6
"""So many words come before a record's arguments: its shape, and these."""
TEXT_AT, TEXT_LENGTH, KIND, OWN, LABEL = range(1, 6)
"""Place and length of its text; its kind of action; what is wanted for a moment; a number in the order of texts, or 0."""
WORDS: Final = RECORDS_END + (1 << 27)
TEXTS: Final = 1 << 26

# -- relations and indexes -------------------------------------------------------------------------------------------------

DATA, COUNT, ROOM, WIDTH, VERSION, WHOLE, CHANGED, LAST, BEFORE, ROWS_BEFORE, OWNER, CLOSED = range(12)
"""Of a relation: where its rows lie, how many they are and can be, how wide; which of its contents indexes are of; its index
of all places; a number that grows when its rows are others than before; the last number that `VERSION` was; for what is
derived, where the rows lie that it had before, how many, and which layer has derived it; for facts, whether programs take
it that there are none, as rules derive them."""
HEAD: Final = 12
OF, MASK, FIRSTS, NEXTS, SIZE, DONE, MADE, MOST_LISTS, PLACE, SHAPED, PARTS, OWED = range(12)
"""Of an index: its relation and places; where its lists begin and go on; the logarithm of their number; how many rows it has;
of which version; how many lists there can be; for an index by parts of structures at a place that place, their shape (0 for
none; rows without it are left out), and which parts; how many rows have been gone through since, for want of it."""
FEW: Final = 12
"""So few rows are gone through without an index."""
PATIENCE: Final = 6
"""So many times all rows are gone through before there is an index."""
