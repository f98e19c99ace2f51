"""What becomes of the parts of a question about moves, each answered in a child: see :mod:`.moves`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.sets import naming_kinds
from ..evaluation.evaluator import Evaluator
from ..rules.rulebook import ActionKind
from ..symbolic.models import FEWEST, decode_actions, decode_facts, fewest
from ..symbolic.solver import SPARSE, Model, Solver
from .after import Following, Moved, chooses_sets, decided, pending
from .agreement import agrees, agrees_after
from .answers import EFFORT, confirmed, other, told
from .asking import FREE, UNASKED, asking, numbers_needed, room, unseen
from .check import Check, refuse
from .course import Course
from .formula import AFTER
from .language import Query
from .set_queries import SetQueries

_VARIED: Final = (*SPARSE, "--rand-freq=0.3", "--seed=1")
"""Options for positions that are not all alike."""
_TRIES: Final = 60
"""So many positions are looked at for what their moves lead to, where the solver is not told of these."""
_FEW_TRIES: Final = 8
"""So many where it is told: each takes as long as all that may be done there."""


@dataclass(frozen=True)
class Outcome:
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


def _pairs(found: dict[tuple[str, ...], str]) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    return tuple(found), tuple(found.values())


def one_by_one(
    evaluator: Evaluator, query: Query, count: int, asked: Query, kinds: Sequence[ActionKind] = ()
) -> Outcome:
    """Positions in which a weaker query holds, looked at one by one; in a child.

    Args:
        evaluator: What judges them.
        query: The alternative.
        count: How many are wanted in which the alternative holds.
        asked: The weaker query.
        kinds: The kinds of action of which some decision is pending; all if there are none.
    """
    ruleset = evaluator.ruleset
    refuse(ruleset, asked)
    sets = SetQueries(evaluator, asked)
    needed = numbers_needed(ruleset, asked, sets, True)
    fluents = ruleset.book.fluents
    encoding = asking(ruleset, asked, sets, True, room(needed, _TRIES), fluents)
    encoding.add(*pending(kinds))
    solver = Solver(encoding.text, encoding.facts, _VARIED)
    check = Check(evaluator, query)
    found: dict[tuple[str, ...], str] = {}
    for k in range(_FEW_TRIES if decided(query) and query.asks(AFTER) else _TRIES):
        model = solver.model()
        if model is None:
            reason = unseen(ruleset, asked, needed, k > 0)
            none = not k and not reason and sets.decides
            if none:
                agrees(evaluator, asked, encoding, solver, sets, kinds)
            reason = "" if none else reason or "not all positions were looked at"
            return Outcome(*_pairs(found), none, reason=reason)
        facts = decode_facts(ruleset, model)
        position = frozenset(map(symbols.read, facts))
        solution = None if evaluator.broken(position) else check.solution(position)
        if solution is not None:
            found[facts] = told(solution)
            if len(found) >= count:
                break
        solver.add(f"next{k}", other(model, k))
    return Outcome(*_pairs(found), reason="of what follows on several moves not all positions were looked at")


def _sets_unknown(evaluator: Evaluator, moved: Moved, sets: SetQueries) -> bool:
    """Whether the solver does not know all that is said of the sets that the actions name."""
    naming = naming_kinds(evaluator.ruleset.book)
    return any(kind in naming for kind in moved.kinds) and not chooses_sets(moved.query, sets)


def followed(evaluator: Evaluator, moved: Moved, course: Course, count: int, smallest: bool) -> Outcome:
    """Positions in which an alternative holds by an action of some kinds and so many steps; in a child."""
    ruleset = evaluator.ruleset
    sets = SetQueries(evaluator, moved.query)
    if _sets_unknown(evaluator, moved, sets):
        return Outcome(reason="of what follows on actions that name sets not all positions were looked at")
    following = Following(ruleset, moved, sets, course)
    encoding = following.encoding()
    if smallest:
        encoding.add(*fewest(encoding))
    ends = f"{UNASKED} :- live__, not {FREE}. :- not query__, not {FREE}."
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
        return Outcome(*_pairs(found), whole=False)
    reason = "" if found else following.unseen(solver)
    deeper = len(found) < count and _is_due(encoding.text, encoding.facts)
    none = not found and not deeper and not reason
    if none:
        agrees_after(evaluator, moved, course.live, encoding, solver)
    return Outcome(*_pairs(found), none, deeper, reason=reason)


def _is_due(text: str, facts: list[clingo.Symbol]) -> bool:
    """Whether a live step may still be due."""
    return Solver(f"{text}\n:- not live__, not beside__.", facts, SPARSE).model() is not None


def _chosen(evaluator: Evaluator, moved: Moved, model: Model) -> list[tuple[clingo.Symbol, clingo.Symbol]]:
    """The action that the solver has chosen, with its sets written out."""
    acts = decode_actions(evaluator.ruleset, moved.kinds, model, 0)
    return [(clingo.Function(role), symbols.read(action)) for role, action in acts]
