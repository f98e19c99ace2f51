"""Where two readings of the rules can part: which courses a ruling concerns, and the question put to the solver.

A course is an action and the steps that happen by themselves right after it. For each, one open position is read under
both values of the ruling: the rules that depend on it are copied, everything else is shared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ..game import Game
from ..rules.pattern import Pattern, Signature, show
from ..rules.predicates import ADD, DEL, NEXT, RULING, VIOLATES, broken
from ..rules.rule import Rule, top
from ..rules.rulebook import ActionKind
from ..symbolic.domains import Domains, domains
from ..symbolic.encoding import Chain
from ..symbolic.invariants import invariants
from ..symbolic.models import FEWEST, actions_of, facts_of, fewest
from ..symbolic.open_sets import opened
from ..symbolic.solver import Ground
from ..symbolic.transitions import Task, tasks
from ..transform.action_splitting import decisions_of
from ..transform.slicing import seeds
from .product import Beside

OUTCOME: tuple[Signature, ...] = (("terminal", 0), ("goal", 2), ("winner", 1))
_LONGEST = 4
_PATIENCE = 2.5
"""Seconds to look for a smaller position."""


@dataclass(frozen=True)
class Parting:
    """Where two games part: a position's facts, and who does what there (nothing: the result differs)."""

    facts: tuple[str, ...]
    actions: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Course:
    """Kinds of action that are decided together, and the steps right after them; without a task, the game's result."""

    task: Task | None
    steps: tuple[Pattern, ...] = ()


# -- what a ruling concerns ----------------------------------------------------------------------------------------------


def courses(game: Game, other: Game) -> list[Course]:
    """The courses on which two games may part, the shorter ones first."""
    transitions = tasks(game, domains(game.ruleset))
    steps = {t.label.removeprefix("step "): t.step for t in transitions if t.step is not None}
    concerned = {n for n, step in steps.items() if _apart(game, other, partial(step_rules, step=step))}
    after = {name: set(_due(step_rules(game, step))) for name, step in steps.items()}
    found = []
    for task in transitions:
        if task.step is not None:
            continue
        if any(_apart(game, other, partial(action_rules, kind=kind)) for kind in task.kinds):
            found.append(Course(task))
        first = {name for kind in task.kinds for name in _due(action_rules(game, kind))}
        paths = _paths(first, after)
        found += [
            Course(task, tuple(steps[n] for n in paths[name])) for name in sorted(concerned & set(paths))
        ]
    if _apart(game, other, outcome_rules):
        found.append(Course(None))
    return sorted(found, key=lambda c: len(c.steps))


def _paths(first: Iterable[str], after: Mapping[str, set[str]]) -> dict[str, tuple[str, ...]]:
    """The shortest way to each step that can follow."""
    paths: dict[str, tuple[str, ...]] = {name: (name,) for name in sorted(first)}
    pending = list(paths)
    while pending:
        path = paths[pending.pop(0)]
        for name in sorted(after[path[-1]] - set(paths)) if len(path) < _LONGEST else ():
            paths[name] = (*path, name)
            pending.append(name)
    return paths


def _due(rules: Iterable[Rule]) -> Iterator[str]:
    """The steps that become due by these rules."""
    for rule in rules:
        for head in rule.heads:
            if head.name == "add" and head.args and head.args[0][:2] == ("f", "next"):
                yield str(head.args[0][2][0][1])


def _apart(game: Game, other: Game, rules: Callable[[Game], list[Rule]]) -> bool:
    """Whether two games read different rules, or rules about static facts in which they differ."""
    one, two = rules(game), rules(other)
    if {r.text for r in one} != {r.text for r in two}:
        return True
    ours, theirs = game.ruleset.static, other.ruleset.static
    differing = {s for s in {*ours, *theirs} if set(ours.get(s, ())) != set(theirs.get(s, ()))} - {RULING}
    return any(r.uses & differing for r in one)


def action_rules(game: Game, kind: ActionKind) -> list[Rule]:
    """The slice for a kind of action."""
    start = seeds(None, (), [kind.action])
    return opened(game.ruleset).judging.slice(start, [top(*VIOLATES), top(*ADD), top(*DEL)])


def step_rules(game: Game, step: Pattern) -> list[Rule]:
    """The slice for a step."""
    return opened(game.ruleset).judging.slice(seeds((), [step]), [top(*ADD), top(*DEL)])


def outcome_rules(game: Game) -> list[Rule]:
    """The slice for the end of the game."""
    return opened(game.ruleset).judging.slice(seeds(decisions=None), [top(*s) for s in OUTCOME])


# -- the question; to be asked in a child ------------------------------------------------------------------------------


def parting(first: Game, second: Game, course: Course) -> Parting | None:
    """A small position valid in both games, and actions on which the games part; None where there is none."""
    if len(second.ruleset.facts("limit", 3)) > len(first.ruleset.facts("limit", 3)):
        first, second = second, first  # the position is opened by the first one's totals
    if _question(first, second, course, exact=False).model() is None:
        return None
    model, _ = _question(first, second, course, exact=True).best(_PATIENCE)
    if model is None:
        return None
    kinds = course.task.kinds if course.task is not None else ()
    return Parting(facts_of(first, model), actions_of(first, kinds, model, 0))


def _question(first: Game, second: Game, course: Course, exact: bool) -> Ground:
    """The open position read under both, and what tells them apart."""
    kinds = course.task.kinds if course.task is not None else ()
    decisions = decisions_of(kinds)
    chain = Chain(first.ruleset, _shared(first, second), bounded=True)
    chain.open(decisions, [], exact)
    other = Beside(chain, second.ruleset, "_b", _asked((first, second), course, decisions))
    for branch, game in ((chain, first), (other, second)):
        branch.assume(invariants(game.ruleset).assumed, decisions, [])
    if course.task is None:
        _results_differ(chain, other)
    else:
        _courses_differ(chain, other, course)
    chain.add("parts :- #false.", ":- not parts.")
    facts = [*chain.facts, *other.facts]
    if not exact:
        return Ground(chain.text, facts)
    chain.add(*fewest(chain))
    return Ground(chain.text, facts, FEWEST)


def _shared(first: Game, second: Game) -> Domains:
    """The sorts of a position that belongs to both vocabularies; what comes to be may belong to one of them."""
    ours, theirs = domains(first.ruleset), domains(second.ruleset)
    both = set(ours.fluents) & set(theirs.fluents)
    wide, measures, most = (
        tuple(dict.fromkeys(a + b))
        for a, b in ((ours.wide, theirs.wide), (ours.measures, theirs.measures), (ours.most, theirs.most))
    )
    return Domains(tuple(f for f in ours.fluents if f in both), wide, measures, most)


def _asked(games: Iterable[Game], course: Course, decisions: Sequence[Pattern]) -> list[Rule]:
    """All rules that the question is about."""
    found: list[Rule] = []
    for game in games:
        for kind in course.task.kinds if course.task is not None else ():
            found += action_rules(game, kind)
        for step in course.steps:
            found += step_rules(game, step)
        outputs = [broken(i) for i in invariants(game.ruleset).assumed]
        outputs += [] if course.task is not None else [top(*s) for s in OUTCOME]
        found += opened(game.ruleset).judging.slice(seeds(decisions), outputs)
    return found


def _courses_differ(chain: Chain, other: Chain, course: Course) -> None:
    """The action is legal in one game only, or something holds in one only after the steps."""
    assert course.task is not None
    changed: set[Signature] = set()
    for branch in (chain, other):
        changed |= branch.act(course.task.kinds, legal=False).changed
        for step in course.steps:
            shown = re.sub(r"\bS\d+\b", "_", show(step))
            chain.add(f":- not {branch.name(NEXT)}({shown}).")
            changed |= branch.step([step]).changed
    chain.add("illegal__0 :- #false.", "illegal__0_b :- #false.")
    if not course.steps:
        chain.add("parts :- illegal__0, not illegal__0_b.", "parts :- illegal__0_b, not illegal__0.")
    _differ(chain, other, changed, "not illegal__0; not illegal__0_b")


def _results_differ(chain: Chain, other: Chain) -> None:
    """Something about the result of the finished game holds in one game only."""
    for branch in (chain, other):
        branch.derive([top(*s) for s in OUTCOME], [], [])
        branch.add(f":- not {branch.name(OUTCOME[0])}.")
    _differ(chain, other, OUTCOME[1:], "#true")


def _differ(chain: Chain, other: Chain, predicates: Iterable[Signature], when: str) -> None:
    for name, arity in sorted(predicates):
        args = f"({','.join(f'X{k}' for k in range(arity))})" if arity else ""
        here, there = chain.name((name, arity)) + args, other.name((name, arity)) + args
        if here != there:
            chain.add(f"parts :- {here}; not {there}; {when}.", f"parts :- {there}; not {here}; {when}.")


__all__ = ["Course", "Parting", "courses", "parting"]
