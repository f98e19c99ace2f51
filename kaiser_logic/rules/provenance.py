"""Where a rule has its content from: what the source of a documented rule says, read as data.

A source is written in words, with parts between semicolons. Each part is of one of four kinds:

=========  =======================================================  ================================================
kind       what it means                                            how it is written
=========  =======================================================  ================================================
says       the section says it                                      ``Fase V, Resultaat 1``
silent     the section leaves it open; the rule is our reading      ``Fase II (silent about ties)``, ``Fase II (silent)``
assumed    no text says it; it is made up and can be replaced       ``Cards (assumed from its name)``, ``assumed``
base       it is from another part of the game, described elsewhere ``base game``, ``base game, as reviews describe it``
=========  =======================================================  ================================================

>>> [tuple(part) for part in provenance("Chests, Supply (silent about ties); base game")]
[('silent', 'Chests, Supply', 'about ties'), ('base', '', '')]
>>> [tuple(part) for part in provenance("Event cards (assumed from its name)")]
[('assumed', 'Event cards', 'from its name')]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

SAYS: Final = "says"
SILENT: Final = "silent"
ASSUMED: Final = "assumed"
BASE: Final = "base"

_PARTS: Final = re.compile(r";\s+(?![^()]*\))")
_BRACKET: Final = re.compile(r"^(?P<section>.*?)\s*\((?P<kind>silent|assumed)\b\s*(?P<note>[^()]*)\)$")
_ALONE: Final = re.compile(r"^(?P<kind>assumed|base game)\b[,:]?\s*(?P<note>.*)$")
_MARK: Final = re.compile(r"\b(silent|assumed|invented|unverified|base game)\b")


class Source(NamedTuple):
    """One part of a source.

    Attributes:
        kind: ``says``, ``silent``, ``assumed`` or ``base``.
        section: The heading of the printed text; empty where there is none.
        note: What the section is silent about, what the rule is assumed from, or where it is described.
    """

    kind: str
    section: str
    note: str


def provenance(text: str) -> tuple[Source, ...]:
    """The parts of a source, in the order in which it names them."""
    return tuple(_source(part.strip()) for part in _PARTS.split(text))


def _source(part: str) -> Source:
    match = _BRACKET.match(part)
    if match:
        return Source(match["kind"], match["section"], match["note"].strip())
    match = _ALONE.match(part)
    if match:
        return Source(ASSUMED if match["kind"] == "assumed" else BASE, "", match["note"].strip())
    return Source(SAYS, part, "")


def says_something(source: Source) -> bool:
    """Whether the section says at least a part of the rule: it does, or it is silent about some point only."""
    return source.kind == SAYS or (source.kind == SILENT and bool(source.note))


def misread(text: str) -> Iterator[str]:
    """The parts of a source that use a mark of provenance where it has no meaning.

    >>> list(misread("Phase 1 (silent); Phase 2, silent"))
    ['Phase 2, silent']
    """
    for part in _PARTS.split(text):
        source = _source(part.strip())
        if _MARK.search(source.section) and source.kind != BASE:
            yield part.strip()
