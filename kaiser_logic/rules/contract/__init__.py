"""The contract between a rulebook and the engine, as far as the rules' form can break it: docs/write/rulebooks.md.

A rulebook that breaks it is refused when it is loaded, with everything that is wrong in it, since no verdict of it would
mean anything. Each check is a function from a :class:`.survey.Survey` to findings.

Its modules:

    words       the predicates of the contract
    survey      a rulebook looked through once, for all checks
    manifest    the manifest's keys, their types, and what they name
    forms       choices, constraints, signs, scripts
    names       predicates that nobody says, with another number of arguments, or that are not the rulebook's
    declared    fluents, counters, steps, decisions and actions
    settings    rulings, their values, and start tags
    claims      what a rulebook claims about moves and positions
    lasting     what holds of the whole game, and what invariants are called
    documented  headings, editions, and the variables of sentences
    loops       loops through a negation or a sum, and counting without an end
    safety      unsafe variables
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from ...errors import Finding
from .claims import claimed, done, read_after, said_apart
from .declared import actions, beginning, counted, counters, decisions, fluents, steps
from .documented import editions, marks, undocumented
from .forms import forms
from .lasting import invariants, lasting
from .loops import endless, loops
from .names import elsewhere, renamed, reserved, undefined, wrong_heads
from .safety import safety
from .settings import rulings, start_tags
from .survey import Survey

Check: TypeAlias = Callable[[Survey], Iterator[Finding]]

CHECKS: Final[tuple[Check, ...]] = (
    forms,
    renamed,
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
    lasting,
    invariants,
    undocumented,
    editions,
    marks,
    said_apart,
    claimed,
    read_after,
    done,
    loops,
    endless,
)
"""What is checked whenever a rulebook is loaded."""

THOROUGH: Final[tuple[Check, ...]] = (safety,)
"""What is checked besides where a rulebook does not come with the package."""


def faults(survey: Survey, *, thorough: bool) -> list[Finding]:
    """All that is wrong with a rulebook, by file and line.

    Args:
        survey: The rulebook, looked through.
        thorough: Whether clingo is asked too, which costs more.
    """
    checks = (*CHECKS, *THOROUGH) if thorough else CHECKS
    return sorted({finding for check in checks for finding in check(survey)})
