"""Finds valid positions in which a query holds, by solving an open position."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.domains import too_many
from ..engine.ruleset import Ruleset
from ..engine.sets import naming_kinds
from ..errors import LimitReached, NotDecided
from ..evaluation.evaluator import Evaluator
from ..rules.reader import term_of
from ..rules.rulebook import ActionKind
from ..solving.models import actions_in
from ..workers import OUT_OF_MEMORY, TIMEOUT, Job, ProcessPool
from .actions import refuse
from .after import (
    DEEPER,
    DEEPEST,
    AfterEncoding,
    Course,
    MoveQuery,
    alternatives,
    chooses_sets,
    is_decided,
    kinds_meant,
    pending,
    without_after,
)
from .dense import too_dense
from .encoding_check import agrees, agrees_after, literals
from .evaluation import Evaluation
from .formula import AFTER, inner
from .language import Query
from .mistakes import read_query
from .open_query import (
    FEWEST,
    NOT_SMALLEST,
    SMALLEST,
    SPARSE,
    FoundFacts,
    OpenQuery,
    actions_chosen,
    confirm,
    describe,
    difference,
    mattering,
    numbers_needed,
    open_query,
    other,
    room,
    unseen,
)
from .set_queries import UNDECIDED, SetQueries

_VARIED: Final = (*SPARSE, "--rand-freq=0.3", "--seed=1")
"""Options of the solver for positions that vary."""
_TRIES: Final = 60
"""The number of positions that are evaluated one by one if the solver has no encoding of the moves."""
_FEW_TRIES: Final = 8
"""The number if it has one: evaluating a position takes as long as making all its moves."""


@dataclass(frozen=True)
class FindOutcome:
    """The outcome of one job.

    Attributes:
        answers: The facts of the positions found, each with what makes the query true.
        none: Whether it is proved that there is no position.
        deeper: Whether there may be positions after more steps.
        whole: Whether all needed values of numbers were used; otherwise finding nothing says nothing.
        reason: Why it is not known whether there are more.
    """

    answers: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    none: bool = False
    deeper: bool = False
    whole: bool = True
    reason: str = ""


def one_by_one(
    evaluator: Evaluator, query: Query, count: int, weaker: Query, kinds: Sequence[ActionKind] = ()
) -> FindOutcome:
    """Finds positions in which a weaker query holds, and evaluates the query in each; runs in a child process.

    Args:
        evaluator: The plain engine.
        query: The alternative.
        count: The number of positions to find in which the alternative holds.
        weaker: The weaker query.
        kinds: The kinds of action, one of whose decisions is pending; empty for any.
    """
    ruleset = evaluator.ruleset
    refuse(ruleset, weaker)
    sets = SetQueries(evaluator, weaker)
    needed = numbers_needed(ruleset, weaker, sets)
    fluents = ruleset.book.fluents
    question = open_query(ruleset, weaker, sets, room(needed, _TRIES), _VARIED, fluents, pending(kinds))
    check = Evaluation(evaluator, query)
    answers: dict[tuple[str, ...], str] = {}
    for k in range(_FEW_TRIES if is_decided(query) and query.asks(AFTER) else _TRIES):
        model = question.model(exact=True)
        if model is None:
            reason = unseen(question, needed, k > 0)
            none = not k and not reason and sets.decides
            if none:
                agrees(evaluator, question, [term_of(kind.decision) for kind in kinds])
            reason = "" if none else reason or "not all positions were examined"
            return FindOutcome(answers, none, reason=reason)
        facts = question.facts(model)
        position = frozenset(map(symbols.read_symbol, facts))
        solution = None if evaluator.broken_invariants(position) else check.solution(position)
        if solution is not None:
            answers[facts] = describe(solution)
            if len(answers) >= count:
                break
        question.program.extend(*other(model, k))
    return FindOutcome(answers, reason="not all positions after several moves were examined")


def _sets_unknown(evaluator: Evaluator, moved: MoveQuery, sets: SetQueries) -> bool:
    """Whether the query says something about the sets of the actions that the program does not contain."""
    naming = naming_kinds(evaluator.ruleset.book)
    return any(kind in naming for kind in moved.kinds) and not chooses_sets(moved.query, sets)


def find_by_steps(evaluator: Evaluator, moved: MoveQuery, course: Course, count: int, smallest: bool) -> FindOutcome:
    """Finds positions in which an alternative holds by an action and a number of steps; runs in a child process."""
    ruleset = evaluator.ruleset
    sets = SetQueries(evaluator, moved.query)
    if _sets_unknown(evaluator, moved, sets):
        return FindOutcome(reason="not all positions after actions that name sets were examined")
    try:
        encoding = AfterEncoding(ruleset, moved, sets, course)
        question = encoding.ground(FEWEST if smallest else SPARSE)
    except NotDecided as reason:
        return FindOutcome(reason=str(reason))
    answers: dict[tuple[str, ...], str] = {}
    for model, _ in question.answers(count, smallest):
        facts = question.facts(model)
        done = actions_in(question.encoder.theory, encoding.transition, model)
        acts = [(clingo.Function(role), action) for role, action in done.items()]
        answers[facts] = confirm(evaluator, moved.query, facts, acts)
    if not encoding.whole:
        return FindOutcome(answers, whole=False)
    unexamined = "" if answers else encoding.unseen()
    deeper = len(answers) < count and question.model(True, DEEPER) is not None
    none = not answers and not deeper and not unexamined
    if none:
        run, transition, steps = encoding.run, encoding.transition, encoding.steps
        agrees_after(evaluator, question, run, transition, steps, literals(question))
    return FindOutcome(answers, none, deeper, reason=unexamined)


_WEAKER: Final = "without"
"""The job for the query without its ``after`` literals."""
_UNMOVED: Final = "unmoved"
"""The job for the query with the facts in ``after`` demanded of the position itself."""
_ENDLESS: Final = "the steps after some moves may not end: they were followed only until they can first matter"
"""Why nothing is proved if steps can follow one another without end."""
_OPEN: Final = FindOutcome(deeper=True)


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
    answers: dict[tuple[str, ...], str] = {}
    reasons: dict[str, None] = {}
    closed = True
    for alternative in alternatives(query):
        search = _Alternative(evaluator, alternative, count - len(answers), smallest, deadline)
        outcome = FindOutcome()
        for outcome in search.outcomes(progress):
            answers |= outcome.answers
            if len(answers) >= count:
                break
        closed = closed and outcome.none
        reasons |= dict.fromkeys([outcome.reason] if outcome.reason else [])
        if len(answers) >= count:
            break
    note = NOT_SMALLEST if smallest and answers else ""
    reason = "; ".join(reasons) or "the time was too short for all steps after moves"
    if answers:
        why = "" if len(answers) >= count else reason
        return FoundFacts(tuple(answers)[:count], False, note, why, tuple(answers.values())[:count])
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
        known = kinds_meant(ruleset, query) if query.asks(AFTER) and is_decided(query) else []
        naming = naming_kinds(ruleset.book)
        groups: dict[tuple[object, ...], list[ActionKind]] = {}
        for k in known:
            groups.setdefault((k.decision, k in naming, course.first_change(k)), []).append(k)
        order = sorted(
            groups.values(),
            key=lambda ks: (course.first_change(ks[0]) is None, course.first_change(ks[0]) or 0),
        )
        self.groups = {str(ks[0].index): tuple(ks) for ks in order}
        self.first = {name: course.first_change(ks[0]) for name, ks in self.groups.items()}
        longest = {name: [course.longest_run(k) for k in ks] for name, ks in self.groups.items()}
        self.endless = [name for name, most in longest.items() if any(n is None or n > DEEPEST for n in most)]
        self.quiet = [k for k in known if course.first_change(k) != 0]


class _Alternative:
    """The search for one alternative of a query: its jobs and their outcomes."""

    def __init__(self, evaluator: Evaluator, query: Query, count: int, smallest: bool, deadline: float) -> None:
        self._evaluator, self._query = evaluator, query
        self._count, self._smallest, self._deadline = count, smallest, deadline
        signatures = {inner(a).signature for a in query.asks(AFTER)}
        self._course = Course(evaluator.ruleset, signatures)
        self._kinds = _Kinds(evaluator.ruleset, query, self._course)
        self._left = dict(self._kinds.groups)
        self._answered: dict[str, FindOutcome] = {}
        self._reasons: dict[str, None] = {}

    def outcomes(self, progress: Callable[[str], None]) -> Iterator[FindOutcome]:
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
                progress(f"looking at positions after moves with {steps} further steps")
            begins = 1 if self._is(_UNMOVED) else 0
            names = [n for n in self._left if steps >= begins * (self._kinds.first[n] or 0)]
            yield from self._ask([self._job(name, steps) for name in names])
            self._close([f"{name}/{steps}" for name in names], every=True)
        if self._left:
            self._reasons[f"at most {DEEPEST} steps in a row were followed"] = None
        none = bool(self._kinds.groups) and not self._left and not self._reasons
        yield FindOutcome(none=none, reason="; ".join(self._reasons))

    def _first_jobs(self) -> list[Job[FindOutcome]]:
        weaker = partial(one_by_one, self._evaluator, self._query, self._count)
        jobs = [Job(_WEAKER, partial(weaker, without_after(self._query)))]
        first = [self._job(n, depth, True) for n, depth in self._kinds.first.items() if depth is not None]
        soon = [j for j in first if j.name.endswith("/0")]
        if self._kinds.quiet:
            unmoved = partial(weaker, without_after(self._query, unmoved=True), self._kinds.quiet)
            soon.append(Job(_UNMOVED, unmoved))
        return [*jobs, *soon, *(j for j in first if j not in soon)]

    def _job(self, name: str, steps: int, few: bool = False) -> Job[FindOutcome]:
        moved = MoveQuery(self._query, self._kinds.groups[name], steps, few)
        call = partial(find_by_steps, self._evaluator, moved, self._course, self._count, self._smallest)
        return Job(f"{name}/{steps}", call)

    def _ask(self, jobs: list[Job[FindOutcome]]) -> Iterator[FindOutcome]:
        """Runs jobs; the outcomes that have positions or prove that there are none."""
        for answer in ProcessPool([j for j in jobs if j.name not in self._answered], 2, self._deadline):
            outcome = answer.value or FindOutcome(reason=answer.reason)
            if not outcome.whole and not outcome.answers:
                continue
            self._answered[answer.name] = outcome
            if outcome.answers or (answer.name == _WEAKER and outcome.none):
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
    parsed = read_query(query, evaluator.ruleset)
    refuse(evaluator.ruleset, parsed)
    if many := too_many(evaluator.ruleset):
        game = evaluator.ruleset.id
        how = f'kaiser-logic find {game} --reachable 200 "..."'
        raise NotDecided(f"{game} is too large to be asked about all positions ({many}): games are searched by {how}")
    if why := too_dense(evaluator.ruleset, parsed):
        raise NotDecided(why)
    if parsed.asks(AFTER):
        return find_after(evaluator, parsed, count, time.monotonic() + timeout, smallest, progress)
    sets = SetQueries(evaluator, parsed)
    progress("looking for a position")
    jobs = [
        Job(_EXACT, partial(_search, evaluator, parsed, sets, count, smallest, True)),
        Job(_RELAXED, partial(_search, evaluator, parsed, sets, 1, False, False)),
    ]
    failures = []
    for answer in ProcessPool(jobs, 2, time.monotonic() + timeout):
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
    raise LimitReached(f"not decided within {reason}", OUT_OF_MEMORY in failures)


def _search(
    evaluator: Evaluator, query: Query, sets: SetQueries, count: int, smallest: bool, exact: bool
) -> FoundFacts:
    """Searches for answers; runs in a child process.

    If a query says that no set of cards is legal, the program at first contains only a few sets. A position in which another set
    is legal is refused, and this set is added to the program.
    """
    for _ in range(_ROUNDS):
        answer, models, question = _try_sets(evaluator, query, sets, count, smallest, exact)
        if exact and not all([sets.holds(facts) for facts in answer.positions]):
            continue
        if exact:
            pairs = zip(models, answer.positions, strict=True)
            because = [confirm(evaluator, query, p, actions_chosen(question, m)) for m, p in pairs]
            facts = [mattering(m) for m in models]
            differs = [difference(facts[0], f) for f in facts]
            answer = replace(answer, because=tuple(because), differs=tuple(differs))
        if answer.exhausted and (sets.filled or not sets.decides):
            raise NotDecided(UNDECIDED)
        return answer
    raise NotDecided("too many sets of things had to be tried")


def _try_sets(
    evaluator: Evaluator, query: Query, sets: SetQueries, count: int, smallest: bool, exact: bool
) -> tuple[FoundFacts, list[list[clingo.Symbol]], OpenQuery]:
    """The answers with the sets known so far, and their models."""
    ruleset = evaluator.ruleset
    needed = numbers_needed(ruleset, query, sets)
    question = open_query(ruleset, query, sets, room(needed, count), FEWEST if smallest else SPARSE)
    models: list[list[clingo.Symbol]] = []
    surely = needed.reason is None and not sets.asks
    for model, proved in question.answers(count, smallest, exact):
        surely = surely and proved
        models.append(model)
    note = (SMALLEST if surely else NOT_SMALLEST) if smallest else ""
    positions = tuple(map(question.facts, models))
    if len(positions) == count:
        return FoundFacts(positions, False, note), models, question
    reason = unseen(question, needed, bool(positions))
    if not reason:
        agrees(evaluator, question)
    return FoundFacts(positions, not reason, note, reason), models, question
