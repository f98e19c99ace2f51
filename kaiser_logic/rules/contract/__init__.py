"""The contract between a rulebook and the engine, as far as it can be checked: docs/write/rulebooks.md.

A rulebook that breaks it is refused when it is loaded, because its verdicts would mean nothing. All findings are reported at
once. Each check is a function from a :class:`.survey.Survey` to findings.

Its modules:

    survey      the predicates of the contract; where each predicate is derived and read, for all checks
    manifest    the manifest's keys, their types, and what they name; rulings, their values, and start tags
    predicates  forms that are not allowed, undefined predicates, recursion through negation, unsafe variables
    declared    fluents, counters, steps, decisions and actions; facts about the whole game; invariants; claims
    documented  headings, editions, and the variables of sentences
    sets        sets as arguments of actions are read by their parts
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from ...errors import Finding
from .declared import (
    actions,
    after_move,
    beginning,
    claimed,
    counted,
    counters,
    decisions,
    fluents,
    invariants,
    positive_actions,
    separate_heads,
    static_facts,
    steps,
)
from .documented import editions, marks, undocumented
from .manifest import rulings, start_tags
from .predicates import elsewhere, endless, forms, loops, reserved, safety, undefined, wrong_heads
from .sets import compared_sets
from .survey import Survey

Check: TypeAlias = Callable[[Survey], Iterator[Finding]]

CHECKS: Final[tuple[Check, ...]] = (
    forms,
    undefined,
    elsewhere,
    wrong_heads,
    reserved,
    fluents,
    counted,
    counters,
    steps,
    decisions,
    actions,
    beginning,
    rulings,
    start_tags,
    static_facts,
    invariants,
    undocumented,
    editions,
    marks,
    separate_heads,
    claimed,
    after_move,
    positive_actions,
    loops,
    endless,
    safety,
    compared_sets,
)
"""The checks of every rulebook that is loaded, in the package or not."""


def faults(survey: Survey) -> list[Finding]:
    """All mistakes of a rulebook, by file and line."""
    return sorted({finding for check in CHECKS for finding in check(survey)})
