"""The search for positions where a query says what moves lead to: see :mod:`.after`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import clingo

from ..engine import symbols
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..rules.rulebook import ActionKind
from ..symbolic.models import FEWEST, decode_actions, decode_facts, fewest
from ..symbolic.solver import SPARSE, Model, Solver
from ..workers import OUT_OF_MEMORY, TIMEOUT, Job, Pool
from .after import (
    DEEPEST,
    Following,
    Moved,
    alternatives,
    changes_after,
    chooses_sets,
    decided,
    kinds_meant,
    names_sets,
    without_after,
)
from .answers import EFFORT, NOT_SMALLEST, FoundFacts, confirmed, other, told
from .asking import asking, numbers_needed, room, unseen
from .check import Check
from .formula import AFTER
from .language import Query
from .set_queries import SetQueries

_WEAKER: Final = "without"
"""The job that asks for all else, without what follows."""
_VARIED: Final = (*SPARSE, "--rand-freq=0.3", "--seed=1")
"""Options for positions that are not all alike."""
_TRIES: Final = 60
"""So many positions are looked at for what their moves lead to, where the solver is not told of these."""


@dataclass(frozen=True)
class _Outcome:
    """What became of a part of the question.

    Attributes:
        positions: Those found.
        because: What makes the query true in each.
        none: Whether it is proved that there is none.
        deeper: Whether there may be some after more steps.
        whole: Whether all was looked at that had to be.
        reason: Why it is not known.
    """

    positions: tuple[tuple[str, ...], ...] = ()
    because: tuple[str, ...] = ()
    none: bool = False
    deeper: bool = False
    whole: bool = True
    reason: str = ""


def find_after(
    evaluator: Evaluator,
    query: Query,
    count: int,
    deadline: float,
    smallest: bool,
    progress: Callable[[str], None],
) -> FoundFacts:
    """Positions in which a query holds that says what moves lead to.

    Raises:
        NotDecided: None was found, and it is not proved that there is none.
    """
    found: dict[tuple[str, ...], str] = {}
    reasons: dict[str, None] = {}
    closed = True
    for alternative in alternatives(query):
        answers = _alternative(evaluator, alternative, count - len(found), deadline, smallest, progress)
        outcome = _Outcome()
        for outcome in answers:
            found |= dict(zip(outcome.positions, outcome.because, strict=True))
            if len(found) >= count:
                break
        closed = closed and outcome.none
        reasons |= dict.fromkeys([outcome.reason] if outcome.reason else [])
        if len(found) >= count:
            break
    note = NOT_SMALLEST if smallest and found else ""
    reason = "; ".join(reasons) or "the time was too short for all that may follow on moves"
    if found:
        why = "" if len(found) >= count else reason
        return FoundFacts(tuple(found)[:count], False, note, why, tuple(found.values())[:count])
    if closed:
        return FoundFacts((), True)
    raise NotDecided(reason)


def _alternative(
    evaluator: Evaluator,
    query: Query,
    count: int,
    deadline: float,
    smallest: bool,
    progress: Callable[[str], None],
) -> Iterator[_Outcome]:
    """What is found for an alternative; the last outcome says whether there is no more.

    First it is asked whether all else can be so, and moves are looked at that can make it true as soon as they can; then
    all kinds of action with no steps after them, with one, and so on.
    """
    kinds = _kinds(evaluator, query)
    reasons: dict[str, None] = {}
    open_ones = {k.index: k for k, _ in kinds}
    jobs = [Job(_WEAKER, partial(_one_by_one, evaluator, query, count))]
    first = [Moved(query, k, depth, few=True) for k, depth in kinds if depth is not None]
    jobs += [_job(evaluator, moved, count, smallest) for moved in first]
    deeper: dict[str, bool] = {}
    for steps in range(-1, DEEPEST + 1):
        if steps >= 0:
            jobs = [_job(evaluator, Moved(query, k, steps), count, smallest) for k in open_ones.values()]
        if steps > 0:
            progress(f"looking at what moves lead to with {steps} steps after them")
        for answer in Pool([j for j in jobs if j.name not in deeper], 2, deadline):
            outcome = answer.value or _Outcome(reason=_failure(str(answer.failure)))
            if not outcome.whole and not outcome.positions:
                continue
            deeper[answer.name] = outcome.deeper
            if outcome.positions or (answer.name == _WEAKER and outcome.none):
                yield outcome
                if outcome.none:
                    return
            if outcome.reason and (answer.name != _WEAKER or not kinds):
                reasons[outcome.reason] = None
        for kind in [k for k in open_ones if deeper.get(f"{k}/{steps}") is False]:
            del open_ones[kind]
        if not open_ones or time.monotonic() > deadline:
            break
    if open_ones:
        reasons[f"what happens by itself was followed for {DEEPEST} steps at most"] = None
    yield _Outcome(none=bool(kinds) and not open_ones and not reasons, reason="; ".join(reasons))


def _job(evaluator: Evaluator, moved: Moved, count: int, smallest: bool) -> Job[_Outcome]:
    call = partial(_followed, evaluator, moved, count, smallest)
    return Job(f"{moved.kind.index}/{moved.steps}", call)


def _kinds(evaluator: Evaluator, query: Query) -> list[tuple[ActionKind, int | None]]:
    """The kinds of action that decide an alternative, each with when it can first make true what is said; soonest first."""
    if not query.asks(AFTER) or not decided(query):
        return []
    ruleset = evaluator.ruleset
    found = [(k, changes_after(ruleset, query, k)) for k in kinds_meant(ruleset, query)]
    return sorted(found, key=lambda pair: (pair[1] is None, pair[1] or 0, pair[0].index))


def _failure(failure: str) -> str:
    said = {TIMEOUT: "the time was too short", OUT_OF_MEMORY: "the memory was too small"}
    return said.get(failure, failure)


def _pairs(found: dict[tuple[str, ...], str]) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    return tuple(found), tuple(found.values())


def _one_by_one(evaluator: Evaluator, query: Query, count: int) -> _Outcome:
    """Positions in which all else holds, looked at one by one; in a child."""
    ruleset = evaluator.ruleset
    asked = without_after(query)
    sets = SetQueries(evaluator, asked)
    needed = numbers_needed(ruleset, asked, sets, True)
    fluents = ruleset.book.fluents
    encoding = asking(ruleset, asked, sets, True, room(needed, _TRIES), fluents)
    solver = Solver(encoding.text, encoding.facts, _VARIED)
    check = Check(evaluator, query)
    found: dict[tuple[str, ...], str] = {}
    for k in range(_TRIES):
        model = solver.model()
        if model is None:
            reason = unseen(ruleset, asked, needed, k > 0)
            none = not k and not reason and sets.decides
            return _Outcome(*_pairs(found), none, reason=reason or "not all positions were looked at")
        facts = decode_facts(ruleset, model)
        position = frozenset(map(symbols.read, facts))
        solution = None if evaluator.broken(position) else check.solution(position)
        if solution is not None:
            found[facts] = told(solution)
            if len(found) >= count:
                break
        solver.add(f"next{k}", other(model, k))
    return _Outcome(
        *_pairs(found), reason="of what follows on several moves not all positions were looked at"
    )


def _followed(evaluator: Evaluator, moved: Moved, count: int, smallest: bool) -> _Outcome:
    """Positions in which an alternative holds by an action of one kind and so many steps; in a child."""
    ruleset = evaluator.ruleset
    sets = SetQueries(evaluator, moved.query)
    if names_sets(ruleset, moved.kind) and not chooses_sets(moved.query, sets):
        return _Outcome(reason="of what follows on actions that name sets not all positions were looked at")
    following = Following(ruleset, moved, sets)
    encoding, due = following.encoding()
    if smallest:
        encoding.add(*fewest(encoding))
    ends = ":- not settled__. :- not query."
    solver = Solver(f"{encoding.text}\n{ends}", encoding.facts, FEWEST if smallest else SPARSE)
    found: dict[tuple[str, ...], str] = {}
    for k in range(count):
        model = solver.best(EFFORT)[0] if smallest else solver.model()
        if model is None:
            break
        facts = decode_facts(ruleset, model)
        found[facts] = confirmed(evaluator, moved.query, facts, _chosen(evaluator, moved, model))
        if k + 1 < count:
            solver.add(f"next{k}", other(model, k))
    if not following.whole:
        return _Outcome(*_pairs(found), whole=False)
    reason = "" if found else following.unseen(solver)
    deeper = bool(due) and len(found) < count and _is_due(encoding.text, encoding.facts)
    none = not found and not deeper and not reason
    return _Outcome(*_pairs(found), none, deeper, reason=reason)


def _is_due(text: str, facts: list[clingo.Symbol]) -> bool:
    """Whether something may still be due."""
    return Solver(f"{text}\n:- settled__.", facts, SPARSE).model() is not None


def _chosen(evaluator: Evaluator, moved: Moved, model: Model) -> list[tuple[clingo.Symbol, clingo.Symbol]]:
    """The action that the solver has chosen, with its sets written out."""
    acts = decode_actions(evaluator.ruleset, [moved.kind], model, 0)
    return [(clingo.Function(role), symbols.read(action)) for role, action in acts]
