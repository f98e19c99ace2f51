"""Positions by property: an open position under a query."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import clingo

from ..engine import symbols
from ..engine.symbols import ground
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..rules.predicates import LEGAL, VIOLATES
from ..symbolic.models import FEWEST, decode_facts, fewest
from ..symbolic.open_sets import Sets, opened
from ..symbolic.solver import SPARSE, Model, Solver
from ..workers import OUT_OF_MEMORY, TIMEOUT, Job, Pool
from .asking import JUDGED, asking, numbers_needed, room, unseen
from .check import Check
from .language import Query, parse_query
from .set_queries import UNDECIDED, SetQueries

_ROUNDS: Final = 20
"""So often sets of things that make a query fail are tried too."""
_EFFORT: Final = 50_000
"""So many conflicts of the solver are spent on making a position small."""
_EXACT: Final = "exact"
"""The question itself: what it finds is an answer, and finding nothing is a proof."""
_RELAXED: Final = "relaxed"
"""The same without exact totals, so of more positions than there are: finding nothing is a proof, and comes sooner."""


@dataclass(frozen=True)
class FoundFacts:
    """Positions in which a query holds.

    Attributes:
        positions: The facts of valid positions, each different in what the query speaks of.
        exhausted: Whether there is none besides these (proved).
        note: What else is to be said, e.g. that a smallest one was not proved to be smallest.
        reason: Why it is not known whether there are more, where that is so though nothing more was found.
    """

    positions: tuple[tuple[str, ...], ...]
    exhausted: bool
    note: str = ""
    reason: str = ""


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
        WrongUsage: It asks for what the game does not know.
        NotDecided: The time or the memory was too short to tell, or nobody can.
    """
    asked = parse_query(query, evaluator.ruleset.book)
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
    """What is found; in a child.

    Where a query says that no set of things is legal, a few sets are tried at first; a position where another one is
    legal is refused, and that one tried too from then on.
    """
    for _ in range(_ROUNDS):
        found, models = _tried(evaluator, query, sets, count, smallest, exact)
        if exact and not all([sets.holds(facts) for facts in found.positions]):
            continue
        for model, facts in zip(models, found.positions, strict=True):
            if exact:
                _confirm(evaluator, query, sets, model, facts)
        if found.exhausted and not sets.decides:
            raise NotDecided(UNDECIDED)
        return found
    raise NotDecided("too many sets of things had to be tried")


def _tried(
    evaluator: Evaluator, query: Query, sets: SetQueries, count: int, smallest: bool, exact: bool
) -> tuple[FoundFacts, list[Model]]:
    """What is found with the sets known so far, and the models that say so."""
    ruleset = evaluator.ruleset
    needed = numbers_needed(ruleset, query, sets, exact)
    encoding = asking(ruleset, query, sets, exact, room(needed, count))
    if smallest:
        encoding.add(*fewest(encoding))
    solver = Solver(encoding.text, encoding.facts, FEWEST if smallest else SPARSE)
    found: list[tuple[str, ...]] = []
    models: list[Model] = []
    note = ""
    for k in range(count):
        model, proved = solver.best(_EFFORT) if smallest else (solver.model(), True)
        if model is None:
            reason = unseen(ruleset, query, needed, bool(found))
            return FoundFacts(tuple(found), not reason, note, reason), models
        if not proved:
            note = "not proved to be the smallest"
        models.append(model)
        found.append(decode_facts(ruleset, model))
        if k + 1 < count:
            solver.add(f"next{k}", _other(model, k))
    return FoundFacts(tuple(found), False, note), models


def _other(model: Sequence[clingo.Symbol], k: int) -> str:
    """Rules that the next answer has not exactly the same of what matters."""
    mattering = [symbols.text(s.arguments[0]) for s in model if symbols.signature(s) == ("matters", 1)]
    lines = [f"seen{k}({m})." for m in mattering]
    lines += [f"seen{k}(none) :- #false.", f"more{k} :- matters(X), not seen{k}(X)."]
    return "\n".join([*lines, f":- {', '.join([*(f'matters({m})' for m in mattering), f'not more{k}'])}."])


# -- what is found, played again -----------------------------------------------------------------------------------------


def _confirm(
    evaluator: Evaluator,
    query: Query,
    sets: SetQueries,
    model: Sequence[clingo.Symbol],
    facts: Sequence[str],
) -> None:
    """Sees to it that what was found is as asked, by the evaluate reading.

    Raises:
        NotDecided: It is not: the two readings differ, and neither answer can be given.
    """
    position = frozenset(map(symbols.read, facts))
    broken = evaluator.broken(position)
    if broken:
        raise NotDecided(
            f"a position was found that breaks {broken[0][0]} ({broken[0][1]}): a fault of the tool"
        )
    if sets.asks and query.asks(LEGAL):
        try:
            evaluator.legal(position)
        except NotDecided:
            return  # so many sets that only those can be judged which the solver has chosen
    chosen = []
    if query.asks(VIOLATES):
        known = Sets(opened(evaluator.ruleset))
        judged = (s.arguments for s in model if s.name == JUDGED + VIOLATES[0])
        for role, action, _ in (a for a in judged if len(a) == 3):
            if sets.asks:
                chosen.append((role, ground(known.read(symbols.value_pattern(action), model))))
    if not Check(evaluator, query).holds(position, chosen):
        raise NotDecided(
            "a position was found that is not as asked when it is looked at: a fault of the tool"
        )
