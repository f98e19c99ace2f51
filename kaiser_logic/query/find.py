"""Finds positions by property: solves an open position under a query."""

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
"""So often sets of things that make a query fail are tried too."""
_EXACT: Final = "exact"
"""The question itself: what it finds is an answer, and finding nothing is a proof."""
_RELAXED: Final = "relaxed"
"""The same without exact totals, so of more positions than there are: finding nothing is a proof, and comes sooner."""


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
        evaluator: What judges given positions under the rules in force.
        query: See :mod:`.language`.
        count: How many, at most.
        timeout: How long to look, in seconds.
        smallest: Whether they are to have as few pieces as can be found.
        progress: Told what goes on.

    Raises:
        UnreadableInput: The query is none.
        WrongUsage: It asks for what the game does not know, or for what no position can have.
        NotDecided: The time or the memory was too short to tell, or nobody can.
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
    """Searches for answers; runs in a child.

    Where a query says that no set of things is legal, a few sets are tried at first; a position where another one is
    legal is refused, and that one tried too from then on.
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
        asked.program.add_text(*fewest(asked.encoder))
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
            asked.program.add_text(*other(model, k))
    return FoundFacts(tuple(found), False, note), models, asked
