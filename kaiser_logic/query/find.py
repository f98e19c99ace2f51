"""Finds valid positions in which a query holds, by solving an open position."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from .. import clingo
from ..engine.domains import too_many
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..solving.models import fewest
from ..workers import OUT_OF_MEMORY, TIMEOUT, Job, Pool
from .agreement import agrees
from .answers import (
    EFFORT,
    NOT_SMALLEST,
    SMALLEST,
    FoundFacts,
    chosen,
    confirmed,
    difference,
    mattering,
    other,
)
from .check import refuse
from .formula import AFTER
from .language import Query
from .mistakes import read_query
from .moves import find_after
from .open_query import FEWEST, SPARSE, OpenQuery, numbers_needed, open_query, room, unseen
from .set_queries import UNDECIDED, SetQueries

_ROUNDS: Final = 20
"""The number of rounds in which further sets of cards are tried."""
_EXACT: Final = "exact"
"""The job with exact totals: what it finds is an answer, and finding nothing is a proof."""
_RELAXED: Final = "relaxed"
"""The job with loose totals, so over more positions: finding nothing is a proof, and is faster. What it finds is no answer."""


def find(
    evaluator: Evaluator,
    query: str,
    count: int = 1,
    timeout: float = 60.0,
    smallest: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> FoundFacts:
    """Valid positions in which the query holds.

    Args:
        evaluator: The plain engine under the rules in force.
        query: A query in the language of :mod:`.language`.
        count: The largest number of positions.
        timeout: The time limit, in seconds.
        smallest: Whether to minimise the number of pieces.
        progress: Called with a line of text when a new phase begins.

    Raises:
        UnreadableInput: The query cannot be parsed.
        WrongUsage: It contains a predicate that the game does not have, or a literal that can never hold.
        NotDecided: Time or memory was not enough, or the question is beyond what can be decided.
    """
    asked = read_query(query, evaluator.ruleset)
    refuse(evaluator.ruleset, asked)
    if many := too_many(evaluator.ruleset):
        game = evaluator.ruleset.id
        how = f'kaiser-logic find {game} --reachable 200 "..."'
        raise NotDecided(
            f"{game} is too large to be asked about all positions ({many}): games are searched by {how}"
        )
    if asked.asks(AFTER):
        return find_after(evaluator, asked, count, time.monotonic() + timeout, smallest, progress)
    sets = SetQueries(evaluator, asked)
    progress("looking for a position")
    jobs = [
        Job(_EXACT, partial(_search, evaluator, asked, sets, count, smallest, True)),
        Job(_RELAXED, partial(_search, evaluator, asked, sets, 1, False, False)),
    ]
    failures = []
    for answer in Pool(jobs, 2, time.monotonic() + timeout):
        if answer.value is None:
            failures.append(str(answer.failure))
        elif not answer.value.positions and not answer.value.exhausted:
            if answer.name == _EXACT or answer.value.reason:
                raise NotDecided(answer.value.reason)
        elif answer.name == _EXACT or not answer.value.positions:
            return answer.value
    reason = "its memory limit" if OUT_OF_MEMORY in failures else f"{timeout:g} s"
    if any(f not in (OUT_OF_MEMORY, TIMEOUT) for f in failures):
        raise NotDecided(failures[0])
    raise NotDecided(f"not decided within {reason}")


def _search(
    evaluator: Evaluator, query: Query, sets: SetQueries, count: int, smallest: bool, exact: bool
) -> FoundFacts:
    """Searches for answers; runs in a child process.

    If a query says that no set of cards is legal, the program at first contains only a few sets. A position in which another set
    is legal is refused, and this set is added to the program.
    """
    for _ in range(_ROUNDS):
        found, models, asked = _tried(evaluator, query, sets, count, smallest, exact)
        if exact and not all([sets.holds(facts) for facts in found.positions]):
            continue
        if exact:
            pairs = zip(models, found.positions, strict=True)
            because = [confirmed(evaluator, query, p, chosen(asked, m)) for m, p in pairs]
            facts = [mattering(m) for m in models]
            differs = [difference(facts[0], f) for f in facts]
            found = replace(found, because=tuple(because), differs=tuple(differs))
        if found.exhausted and (sets.filled or not sets.decides):
            raise NotDecided(UNDECIDED)
        return found
    raise NotDecided("too many sets of things had to be tried")


def _tried(
    evaluator: Evaluator, query: Query, sets: SetQueries, count: int, smallest: bool, exact: bool
) -> tuple[FoundFacts, list[list[clingo.Symbol]], OpenQuery]:
    """The answers with the sets known so far, and their models."""
    ruleset = evaluator.ruleset
    needed = numbers_needed(ruleset, query, sets)
    asked = open_query(ruleset, query, sets, room(needed, count), FEWEST if smallest else SPARSE)
    if smallest:
        asked.program.minimise(fewest(asked.encoder))
    found: list[tuple[str, ...]] = []
    models: list[list[clingo.Symbol]] = []
    surely = needed.reason is None and not sets.asks
    note = (SMALLEST if surely else NOT_SMALLEST) if smallest else ""
    for k in range(count):
        model, proved = asked.best(EFFORT) if smallest else (asked.model(exact), True)
        if model is None:
            reason = unseen(asked, needed, bool(found))
            if not reason:
                agrees(evaluator, asked)
            return FoundFacts(tuple(found), not reason, note, reason), models, asked
        if not proved:
            note = NOT_SMALLEST
        models.append(model)
        found.append(asked.facts(model))
        if k + 1 < count:
            asked.program.extend(*other(model, k))
    return FoundFacts(tuple(found), False, note), models, asked
