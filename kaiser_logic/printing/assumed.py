"""What a rulebook has that no text says, each with what would replace it.

Three lists: what is assumed; what is from another part of the game, as it is described elsewhere; and the readings of
sections that leave a point open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ..rules.predicates import BOARD_FACT
from ..rules.provenance import ASSUMED, BASE, SILENT
from ..rules.rulebook import Rulebook, RuleDoc

KINDS: Final = {
    ASSUMED: "Assumed: no text says it",
    BASE: "From another part of the game, as it is described elsewhere",
    SILENT: "Our readings: the section leaves the point open",
}
"""The lists in their order, by the kind of source, each with its heading."""

_COPY: Final = "a copy of the rulebook (--game FOLDER)"
_RULING: Final = re.compile(r"\brulings? ([\w, ]+)\)")


class Entry(NamedTuple):
    """A rule that is not in the texts, or not all of it.

    Attributes:
        doc: The documented rule.
        replaced: What would replace it.
    """

    doc: RuleDoc
    replaced: str


def unsupported_rules(book: Rulebook) -> dict[str, list[Entry]]:
    """The rules that no text says, or that fill what a text leaves open, by the kind of their source.

    A rule stands in one list: in the first one of :data:`KINDS` to which a part of one of its sources belongs.
    """
    found: dict[str, list[Entry]] = {kind: [] for kind in KINDS}
    for doc in book.docs.values():
        kinds = {part.kind for part in doc.provenance()}
        kind = next((kind for kind in KINDS if kind in kinds), None)
        if kind is not None:
            found[kind].append(Entry(doc, _replacement(book, doc, kind)))
    return found


def _replacement(book: Rulebook, doc: RuleDoc, kind: str) -> str:
    """What would replace a rule: facts of a board file, a ruling, or else a rulebook of one's own."""
    facts = list(dict.fromkeys(_board_facts(book, doc)))
    if facts:
        return f"a board file with {' and '.join(facts)}"
    rulings = [name for found in _RULING.findall(doc.statement) for name in re.split(r",? and |, ", found)]
    rulings = [name for name in rulings if name in book.rulings]
    replacements = [f"the ruling{'s' * (len(rulings) > 1)} {' and '.join(rulings)}"] if rulings else []
    read = sorted(set(_board_facts_read(book, doc))) if kind == ASSUMED else []
    replacements += [f"a board file with {' and '.join(read)}"] if read else []
    if not replacements:
        return _COPY
    return (
        " and ".join(replacements)
        if _all_of_it(doc, kind)
        else f"{' and '.join(replacements)}; the rest by {_COPY}"
    )


def _all_of_it(doc: RuleDoc, kind: str) -> bool:
    """Whether the ruling of a rule is about all that its sources leave open: none says at what point they are silent."""
    return kind == SILENT and not any(part.kind == SILENT and part.note for part in doc.provenance())


def _board_facts(book: Rulebook, doc: RuleDoc) -> Iterator[str]:
    """The facts of a board file that replace the printed ones of a rule."""
    printed = {
        head.args[0][1]
        for rule in book.rules
        if rule.block == doc.id
        for head in rule.heads
        if head.signature == ("printed", 1)
    }
    return (fact for (name, _), fact in _replaceable(book) if name in printed)


def _board_facts_read(book: Rulebook, doc: RuleDoc) -> Iterator[str]:
    """The facts of a board file that a rule reads, so that it says with other data something else."""
    used = {signature for rule in book.rules if rule.block == doc.id for signature in rule.uses}
    return (fact for signature, fact in _replaceable(book) if signature in used)


def _replaceable(book: Rulebook) -> Iterator[tuple[tuple[str, int], str]]:
    """The facts that a board file can have: name and number of arguments, and how the rulebook writes them."""
    for rule in book.rules:
        for head in rule.heads:
            if head.signature == BOARD_FACT:
                yield (head.args[0][1], len(head.args[0][2])), rule.argument(head, 0)
