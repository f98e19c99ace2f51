"""The search for positions if a query contains ``after(..)``: see :mod:`.after`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Final

from ..engine.ruleset import Ruleset
from ..engine.sets import naming_kinds
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..rules.rulebook import ActionKind
from ..workers import OUT_OF_MEMORY, TIMEOUT, Job, Pool
from .after import (
    DEEPEST,
    Moved,
    alternatives,
    decided,
    kinds_meant,
    without_after,
)
from .answers import NOT_SMALLEST, FoundFacts
from .course import Course
from .formula import AFTER
from .language import Query
from .outcomes import Outcome, followed, one_by_one
from .world import inner

_WEAKER: Final = "without"
"""The job for the query without its ``after`` literals."""
_UNMOVED: Final = "unmoved"
"""The job for the query with the facts in ``after`` demanded of the position itself."""
_ENDLESS: Final = (
    "what happens by itself after some moves has no end that is known beforehand: "
    "it was followed only until it can first matter"
)
"""Why nothing is proved if steps can follow one another without end."""
_OPEN: Final = Outcome(deeper=True)


def find_after(
    evaluator: Evaluator,
    query: Query,
    count: int,
    deadline: float,
    smallest: bool,
    progress: Callable[[str], None],
) -> FoundFacts:
    """Positions in which a query with ``after(..)`` holds.

    Raises:
        NotDecided: None was found, and it is not proved that there is none.
    """
    found: dict[tuple[str, ...], str] = {}
    reasons: dict[str, None] = {}
    closed = True
    for alternative in alternatives(query):
        search = _Alternative(evaluator, alternative, count - len(found), smallest, deadline)
        outcome = Outcome()
        for outcome in search.outcomes(progress):
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


class _Kinds:
    """The kinds of action that an alternative can mean, in groups.

    Attributes:
        groups: By name, kinds of one decision that can first change what ``after`` reads after equally many steps; soonest first.
        first: For each group the number of steps after which it can first do so; None if it never can.
        endless: The names of the groups after which more steps may come than are followed.
        quiet: The kinds that cannot do so without a step.
    """

    def __init__(self, ruleset: Ruleset, query: Query, course: Course) -> None:
        """Finds the groups; there are none if the ``after`` literals cannot be encoded (`decided`)."""
        known = kinds_meant(ruleset, query) if query.asks(AFTER) and decided(query) else []
        naming = naming_kinds(ruleset.book)
        found: dict[tuple[object, ...], list[ActionKind]] = {}
        for k in known:
            found.setdefault((k.decision, k in naming, course.first(k)), []).append(k)
        order = sorted(found.values(), key=lambda ks: (course.first(ks[0]) is None, course.first(ks[0]) or 0))
        self.groups = {str(ks[0].index): tuple(ks) for ks in order}
        self.first = {name: course.first(ks[0]) for name, ks in self.groups.items()}
        longest = {name: [course.longest(k) for k in ks] for name, ks in self.groups.items()}
        self.endless = [name for name, most in longest.items() if any(n is None or n > DEEPEST for n in most)]
        self.quiet = [k for k in known if course.first(k) != 0]


class _Alternative:
    """The search for one alternative of a query: its jobs and their outcomes."""

    def __init__(
        self, evaluator: Evaluator, query: Query, count: int, smallest: bool, deadline: float
    ) -> None:
        self._evaluator, self._query = evaluator, query
        self._count, self._smallest, self._deadline = count, smallest, deadline
        wanted = {inner(a).signature for a in query.asks(AFTER)}
        self._course = Course(evaluator.ruleset, wanted)
        self._kinds = _Kinds(evaluator.ruleset, query, self._course)
        self._left = dict(self._kinds.groups)
        self._answered: dict[str, Outcome] = {}
        self._reasons: dict[str, None] = {}

    def outcomes(self, progress: Callable[[str], None]) -> Iterator[Outcome]:
        """The outcomes with the positions found; the last outcome says whether there may be more.

        The first jobs drop the ``after`` literals; demand their facts of the position itself, for kinds of action that do not
        change them; and follow each group for as few steps as it needs. Then the groups that are left are followed for 0 steps, 1
        step, and so on, except those after which steps may follow without end.
        """
        yield from self._ask(self._first_jobs())
        if self._is(_WEAKER):
            return
        if self._is(_UNMOVED):
            for name in [n for n, depth in self._kinds.first.items() if depth is None]:
                del self._left[name]
        self._close(list(self._answered), every=False)
        for name in [n for n in self._left if n in self._kinds.endless and self._kinds.first[n] is not None]:
            self._reasons[_ENDLESS] = None
            del self._left[name]
        for steps in range(DEEPEST + 1):
            if not self._left or time.monotonic() > self._deadline:
                break
            if steps:
                progress(f"looking at what moves lead to with {steps} steps after them")
            begins = 1 if self._is(_UNMOVED) else 0
            names = [n for n in self._left if steps >= begins * (self._kinds.first[n] or 0)]
            yield from self._ask([self._job(name, steps) for name in names])
            self._close([f"{name}/{steps}" for name in names], every=True)
        if self._left:
            self._reasons[f"what happens by itself was followed for {DEEPEST} steps at most"] = None
        none = bool(self._kinds.groups) and not self._left and not self._reasons
        yield Outcome(none=none, reason="; ".join(self._reasons))

    def _first_jobs(self) -> list[Job[Outcome]]:
        weaker = partial(one_by_one, self._evaluator, self._query, self._count)
        jobs = [Job(_WEAKER, partial(weaker, without_after(self._query)))]
        first = [self._job(n, depth, True) for n, depth in self._kinds.first.items() if depth is not None]
        soon = [j for j in first if j.name.endswith("/0")]
        if self._kinds.quiet:
            unmoved = partial(weaker, without_after(self._query, unmoved=True), self._kinds.quiet)
            soon.append(Job(_UNMOVED, unmoved))
        return [*jobs, *soon, *(j for j in first if j not in soon)]

    def _job(self, name: str, steps: int, few: bool = False) -> Job[Outcome]:
        moved = Moved(self._query, self._kinds.groups[name], steps, few)
        call = partial(followed, self._evaluator, moved, self._course, self._count, self._smallest)
        return Job(f"{name}/{steps}", call)

    def _ask(self, jobs: list[Job[Outcome]]) -> Iterator[Outcome]:
        """Runs jobs; the outcomes that have positions or prove that there are none."""
        for answer in Pool([j for j in jobs if j.name not in self._answered], 2, self._deadline):
            outcome = answer.value or Outcome(reason=_failure(str(answer.failure)))
            if not outcome.whole and not outcome.positions:
                continue
            self._answered[answer.name] = outcome
            if outcome.positions or (answer.name == _WEAKER and outcome.none):
                yield outcome
            if self._is(_WEAKER):
                return
            alone = answer.name == _WEAKER and not self._kinds.groups
            if outcome.reason and (alone or answer.name not in (_WEAKER, _UNMOVED)):
                self._reasons[outcome.reason] = None

    def _is(self, name: str) -> bool:
        """Whether the job of this name has proved that there is no position."""
        return name in self._answered and self._answered[name].none

    def _close(self, names: Iterable[str], every: bool) -> None:
        """Removes the groups that need not be followed further; ``every``: all smaller numbers of steps were followed."""
        for name in names:
            group, _, steps = name.partition("/")
            whole = every or self._is(_UNMOVED) or not int(steps or 0)
            if steps and whole and not self._answered.get(name, _OPEN).deeper:
                self._left.pop(group, None)


def _failure(failure: str) -> str:
    texts = {TIMEOUT: "the time was too short", OUT_OF_MEMORY: "the memory was too small"}
    return texts.get(failure, failure)
