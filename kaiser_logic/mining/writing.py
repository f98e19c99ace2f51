"""Candidates as an author would write them: documented ``broken/2`` lines to be pasted into a rulebook."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..rules.pattern import Pattern
from .candidates import Candidate, Template
from .features import Feature
from .wording import Wording

_WIDTH: Final = 120
_SYMMETRIC: Final = (Template.EXCLUDES, Template.EXCLUDES_SAME)
_VERBS: Final = {
    Template.NEVER: ("never", "never"),
    Template.ALWAYS: ("always", "always"),
    Template.EXCLUDES: ("without", "excluded"),
    Template.EXCLUDES_SAME: ("without_same", "excluded_same"),
    Template.IMPLIES: ("needs", "needed"),
    Template.IMPLIES_SAME: ("needs_same", "needed_same"),
    Template.EACH: ("needs_each", "needed_each"),
    Template.AT_MOST: ("at_most", "at_most"),
    Template.AT_LEAST: ("at_least", "at_least"),
}
"""How ids are made: of one candidate, of several that share a feature."""


@dataclass(frozen=True)
class ProposedInvariant:
    """An invariant that is proposed.

    Attributes:
        id: A name that the rulebook does not have yet.
        statement: What it demands, in a sentence.
        why: The sentence for a position that breaks it; the rules' variables in braces.
        rules: Its rules for ``broken/2``.
    """

    id: str
    statement: str
    why: str
    rules: tuple[str, ...]

    def __str__(self) -> str:
        """The lines for a rulebook, without a line break at the end."""
        head = textwrap.wrap(
            f"%! invariant {self.id} -- {self.statement}",
            _WIDTH,
            subsequent_indent="%!       ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        why = textwrap.wrap(
            f"%!   why  {self.why}",
            _WIDTH,
            subsequent_indent="%!       ",
            break_long_words=False,
            break_on_hyphens=False,
            drop_whitespace=True,
        )
        return "\n".join([*head, *why, *_aligned(self.rules)])


def proposed(
    candidates: Sequence[Candidate], wording: Wording, taken: Collection[str]
) -> list[tuple[ProposedInvariant, tuple[Candidate, ...]]]:
    """Invariants of candidates, those that share a feature together; each with its candidates.

    Args:
        candidates: All of them, the shortest first.
        wording: How they are said.
        taken: The ids that the rulebook has.
    """
    used = set(taken)
    found = []
    for group in _groups(candidates):
        name = _unused(_id(group), used)
        used.add(name)
        rules = tuple(_rule(c, name, several=len(group) > 1) for c in group)
        made = ProposedInvariant(name, wording.statement(group), wording.why(group), rules)
        found.append((made, tuple(group)))
    return found


def _groups(candidates: Sequence[Candidate]) -> Iterator[list[Candidate]]:
    """Candidates by what they demand; those that exclude one another by the feature that occurs most often."""
    often: Counter[tuple[Template, Feature]] = Counter()
    for c in candidates:
        often.update((c.template, f) for f in (c.first, c.second) if c.template in _SYMMETRIC and f)
    groups: dict[tuple[object, ...], list[Candidate]] = {}
    for c in candidates:
        if c.template in _SYMMETRIC and c.second is not None:
            rarely = often[c.template, c.first] <= often[c.template, c.second]
            c = c if rarely else replace(c, first=c.second, second=c.first)
        alone = c.first if c.second is None else None
        groups.setdefault((c.template, c.second, c.bound, alone), []).append(c)
    yield from groups.values()


def _rule(candidate: Candidate, name: str, several: bool) -> str:
    """The rule of a candidate; among several its case is the witness, where there is no variable."""
    line = candidate.line(name)
    return (
        line.replace(f"broken({name},x)", f"broken({name},{_slug(candidate.first)})", 1) if several else line
    )


def _id(group: Sequence[Candidate]) -> str:
    """A name that tells what is demanded."""
    one = group[0]
    single, common = _VERBS[one.template]
    if one.second is None:
        return f"{single}_{_slug(one.first)}"
    bound = f"_{one.bound}" if one.template in (Template.AT_MOST, Template.AT_LEAST) else ""
    if len(group) > 1:
        return f"{_slug(one.second)}_{common}{bound}"
    return f"{_slug(one.first)}_{single}_{_slug(one.second)}{bound}"


def _slug(feature: Feature) -> str:
    """A feature's names and constants, as part of an id."""
    return re.sub(r"\W+", "_", "_".join(_words(feature.pattern))).strip("_").lower()


def _words(pattern: Pattern) -> Iterator[str]:
    if pattern[0] == "v":
        return
    yield str(pattern[1])
    for inner in pattern[2] if pattern[0] == "f" else ():
        yield from _words(inner)


def _unused(name: str, used: Collection[str]) -> str:
    number = 2
    unused = name
    while unused in used:
        unused, number = f"{name}_{number}", number + 1
    return unused


def _aligned(rules: Sequence[str]) -> Iterator[str]:
    """Rules with their bodies one under the other, broken where they are too long for a line."""
    heads = [rule.partition(" :- ")[0] for rule in rules]
    width = max(map(len, heads))
    for rule, head in zip(rules, heads, strict=True):
        body = rule.partition(" :- ")[2]
        yield from textwrap.wrap(
            f"{head:<{width}} :- {body}",
            _WIDTH,
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
