"""Names that encodings use for predicates of their own: a rulebook that has one of them is not proved."""

from __future__ import annotations

from typing import Final

from ..engine.ruleset import Ruleset
from ..rules.pattern import Signature

RESERVED: Final[frozenset[Signature]] = frozenset(
    {
        ("bad", 2),
        ("chosen", 3),
        ("dom", 3),
        ("endless", 1),
        ("foreign", 2),
        ("free", 1),
        ("measure", 3),
        ("most", 2),
        ("ranges", 3),
        ("stand_in", 2),
        ("wide", 1),
    }
)


def reserved(ruleset: Ruleset) -> str | None:
    """A predicate of the rulebook's own that is called like one of an encoding's, or None."""
    named = {s for r in ruleset.book.rules for s in (*r.uses, *(h.signature for h in r.heads))}
    own = sorted(s for s in named if s in RESERVED or "__" in s[0])
    return f"{own[0][0]}/{own[0][1]}" if own else None
