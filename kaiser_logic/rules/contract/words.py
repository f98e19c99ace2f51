"""The predicates of the contract: what the engine says and a rulebook may read, and what a rulebook says to the engine.

What they mean: ``docs/write/rulebooks.md``.
"""

from __future__ import annotations

from typing import Final

from ..pattern import Signature


def _signatures(text: str) -> frozenset[Signature]:
    """The signatures of a list such as ``add/1 del/1``."""
    pairs = (word.split("/") for word in text.split())
    return frozenset((name, int(arity)) for name, arity in pairs)


GIVEN: Final = _signatures(
    "seat/2 start/2 ruling/2 board/1 number/1 submitted/2 does/2 made/2 total/2 legal/2 due/1 holds/1 declared/2"
    " offered/2 guard/3 pending/3 is_pending/2 several_rules/2 plausible/3 several_plausible/2"
    " only_rule/3 has_rule/2 touched/1 change/2"
)
"""What the engine says: a rulebook may read it and does not say it."""

SAID: Final = _signatures(
    "fluent/1 counted/2 stated/2 signed/2 unit/2 step/1 simultaneous/1 action/2 out_of_turn/2 implausible/1 candidate/2"
    " violates/3 too_many/2 weight/2 gain/3 lose/3 shift/4 add/1 del/1 counts/3 limit/3 range/3 bound/2 init/1 terminal/0 goal/2"
    " winner/1 broken/2 waived/1 presumed/1 conceals/2 instead/2 board_fact/1 board_broken/2"
)
"""What a rulebook says and the engine reads."""

RENAMED: Final = {
    ("next", 1): "due(S)",
    ("question", 2): "candidate(R,A)",
    ("whose", 2): "out_of_turn(D,Rule)",
    ("untimely", 1): "implausible(Rule)",
    ("do", 2): "does(R,A)",
}
"""Words that the contract once had, and what they are called now: a rulebook that has one is refused with the new word."""

EXTENDED: Final = _signatures("listed/1 behind/1 most_sets/1")
"""What a rulebook may say though a file of the engine that it asks for says it too."""

DRAWN: Final = _signatures(
    "headline/2 table/2 column/3 row/3 cell/5 keep/2"
    " layout/2 area/3 place/4 slot/4 scale/3 outline/2 optional/1"
    " heading/2 aside/2 look/2 title/2 sign/2 tag/3 ring/2 tie/3 piece/4 panel/3 box/2 content/3 note/2 frame/2 caption/2"
)
"""What a drawing and a picture say."""

CLAIMED: Final = _signatures("wrong/2")
"""What claims about moves say."""

AFTER: Final = _signatures("then/1 more/2")
"""What only claims about moves read: the position after a move."""

RESERVED: Final = _signatures(
    "bad/2 chosen/3 dom/3 endless/1 measure/3 most/2 parts/0 ranges/3 stand_in/2 wide/1"
)
"""What only encodings have, as they have all names with ``__`` and with ``_`` first: whatever else was called so would change
what is proved."""

LASTING: Final = _signatures(
    "fluent/1 action/2 step/1 simultaneous/1 out_of_turn/2 limit/3 range/3 bound/2 init/1 waived/1 presumed/1"
)
"""What a rulebook says of the whole game: it is looked up once, without a position, so that none may decide it."""

PICKED: Final = _signatures("thing/3 most_sets/1")
"""The same, where the engine's file on sets reads it."""

INVARIANTS: Final = frozenset({"vocabulary", "count", "limit", "seats", "exclusive", "range", "enumeration"})
"""What the engine proves of every game goes by these names: whatever else was called so would not be looked at."""

ENGINE_READS: Final = (
    (("legal", 2), ("candidate", 2), True),
    (("legal", 2), ("violates", 3), False),
    (("made", 2), ("does", 2), True),
    (("total", 2), ("counts", 3), False),
    (("lose", 3), ("shift", 4), True),
    (("gain", 3), ("shift", 4), True),
    (("change", 2), ("gain", 3), False),
    (("change", 2), ("lose", 3), False),
    (("add", 1), ("change", 2), True),
    (("del", 1), ("change", 2), True),
)
"""What the engine's own rules make depend on what: head, body, and whether more of the one is more of the other."""
