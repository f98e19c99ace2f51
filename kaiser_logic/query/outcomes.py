"""Answers the parts of a query about moves, each in a child process: see :mod:`.moves`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.sets import naming_kinds
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..rules.reader import term_of
from ..rules.rulebook import ActionKind
from ..solving.models import actions_in, fewest
from .after import Moved, chooses_sets, decided, pending
from .agreement import agrees, agrees_after, literals
from .answers import EFFORT, confirmed, described, other
from .check import Check, refuse
from .course import Course
from .following import DEEPER, Following
from .formula import AFTER
from .language import Query
from .open_query import FEWEST, SPARSE, numbers_needed, open_query, room, unseen
from .set_queries import SetQueries

_VARIED: Final = (*SPARSE, "--rand-freq=0.3", "--seed=1")
"""Options of the solver for positions that vary."""
_TRIES: Final = 60
"""The number of positions that are evaluated one by one if the solver has no encoding of the moves."""
_FEW_TRIES: Final = 8
"""The number if it has one: evaluating a position takes as long as making all its moves."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of one job.

    Attributes:
        positions: The facts of the positions found.
        because: For each position what makes the query true.
        none: Whether it is proved that there is no position.
        deeper: Whether there may be positions after more steps.
        whole: Whether all needed values of numbers were used; otherwise finding nothing says nothing.
        reason: Why it is not known whether there are more.
    """

    positions: tuple[tuple[str, ...], ...] = ()
    because: tuple[str, ...] = ()
    none: bool = False
    deeper: bool = False
    whole: bool = True
    reason: str = ""


def _pairs(found: dict[tuple[str, ...], str]) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    return tuple(found), tuple(found.values())


def one_by_one(
    evaluator: Evaluator, query: Query, count: int, asked: Query, kinds: Sequence[ActionKind] = ()
) -> Outcome:
    """Finds positions in which a weaker query holds, and evaluates the query in each; runs in a child process.

    Args:
        evaluator: The plain engine.
        query: The alternative.
        count: The number of positions to find in which the alternative holds.
        asked: The weaker query.
        kinds: The kinds of action, one of whose decisions is pending; empty for any.
    """
    ruleset = evaluator.ruleset
    refuse(ruleset, asked)
    sets = SetQueries(evaluator, asked)
    needed = numbers_needed(ruleset, asked, sets)
    fluents = ruleset.book.fluents
    question = open_query(ruleset, asked, sets, room(needed, _TRIES), _VARIED, fluents, pending(kinds))
    check = Check(evaluator, query)
    found: dict[tuple[str, ...], str] = {}
    for k in range(_FEW_TRIES if decided(query) and query.asks(AFTER) else _TRIES):
        model = question.model(exact=True)
        if model is None:
            reason = unseen(question, needed, k > 0)
            none = not k and not reason and sets.decides
            if none:
                agrees(evaluator, question, [term_of(kind.decision) for kind in kinds])
            reason = "" if none else reason or "not all positions were looked at"
            return Outcome(*_pairs(found), none, reason=reason)
        facts = question.facts(model)
        position = frozenset(map(symbols.read, facts))
        solution = None if evaluator.broken(position) else check.solution(position)
        if solution is not None:
            found[facts] = described(solution)
            if len(found) >= count:
                break
        question.program.extend(*other(model, k))
    return Outcome(*_pairs(found), reason="of what follows on several moves not all positions were looked at")


def _sets_unknown(evaluator: Evaluator, moved: Moved, sets: SetQueries) -> bool:
    """Whether the query says something about the sets of the actions that the program does not contain."""
    naming = naming_kinds(evaluator.ruleset.book)
    return any(kind in naming for kind in moved.kinds) and not chooses_sets(moved.query, sets)


def followed(evaluator: Evaluator, moved: Moved, course: Course, count: int, smallest: bool) -> Outcome:
    """Finds positions in which an alternative holds by an action and a number of steps; runs in a child process."""
    ruleset = evaluator.ruleset
    sets = SetQueries(evaluator, moved.query)
    if _sets_unknown(evaluator, moved, sets):
        return Outcome(reason="of what follows on actions that name sets not all positions were looked at")
    try:
        following = Following(ruleset, moved, sets, course)
        asked = following.grounded(FEWEST if smallest else SPARSE)
    except NotDecided as reason:
        return Outcome(reason=str(reason))
    if smallest:
        asked.program.minimise(fewest(asked.encoder))
    found: dict[tuple[str, ...], str] = {}
    for k in range(count):
        model = asked.best(EFFORT)[0] if smallest else asked.model(exact=True)
        if model is None:
            break
        facts = asked.facts(model)
        done = actions_in(asked.encoder.theory, following.transition, model)
        acts = [(clingo.Function(role), action) for role, action in done.items()]
        found[facts] = confirmed(evaluator, moved.query, facts, acts)
        if k + 1 < count:
            asked.program.extend(*other(model, k))
    if not following.whole:
        return Outcome(*_pairs(found), whole=False)
    unexamined = "" if found else following.unseen()
    deeper = len(found) < count and asked.model(True, DEEPER) is not None
    none = not found and not deeper and not unexamined
    if none:
        run, transition, steps = following.run, following.transition, following.steps
        agrees_after(evaluator, asked, run, transition, steps, literals(asked))
    return Outcome(*_pairs(found), none, deeper, reason=unexamined)
