"""Checks the contract between a rulebook and the engine, as far as a program can: docs/write/rulebooks.md.

The loader refuses a rulebook that breaks the contract, because its verdicts would mean nothing. All findings are reported at
once. Each check is a function from a :class:`.survey.Survey` to findings.

Its modules:

    survey      the predicates of the contract; the rules that derive and read each predicate, for all checks
    manifest    the manifest's keys with their types; names of files, editions, rulings and start tags
    predicates  forbidden forms, undefined predicates, recursion through negation, unsafe variables
    declared    fluents, counters, steps, decisions and actions; static facts; invariants; claims
    documented  headings, editions, and the variables of sentences
    unwritable  facts and actions consist of names and numbers that records can hold
    sets        rules read sets as arguments of actions by their parts only
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from ...errors import Finding
from .declared import (
    actions,
    after_move,
    beginning,
    check_claims,
    check_counters,
    counters,
    decisions,
    fluents,
    invariants,
    numbers,
    positive_actions,
    separate_heads,
    static_facts,
    steps,
)
from .documented import check_headings, editions, marks, variants
from .manifest import rulings, start_tags
from .predicates import (
    check_definitions,
    check_reserved,
    elsewhere,
    endless,
    forms,
    loops,
    safety,
    wrong_heads,
)
from .sets import compared_sets
from .survey import Survey
from .unwritable import unwritable

Check: TypeAlias = Callable[[Survey], Iterator[Finding]]

CHECKS: Final[tuple[Check, ...]] = (
    forms,
    check_definitions,
    elsewhere,
    wrong_heads,
    check_reserved,
    fluents,
    check_counters,
    counters,
    numbers,
    steps,
    decisions,
    actions,
    beginning,
    rulings,
    start_tags,
    static_facts,
    invariants,
    check_headings,
    editions,
    marks,
    variants,
    separate_heads,
    check_claims,
    after_move,
    positive_actions,
    loops,
    endless,
    safety,
    unwritable,
    compared_sets,
)
"""The checks of every rulebook that is loaded."""


def faults(survey: Survey) -> list[Finding]:
    """All mistakes of a rulebook, by file and line."""
    return sorted({finding for check in CHECKS for finding in check(survey)})
