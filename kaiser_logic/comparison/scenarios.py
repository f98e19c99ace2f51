"""What a ruling concerns: the scenarios in which two readings may part.

A scenario is an action and the steps that happen by themselves right after it, or the end of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..query.course import due_by
from ..rules.pattern import Pattern, Signature
from ..rules.predicates import (
    ADD,
    BROKEN,
    CANDIDATE,
    CONCEALS,
    DEL,
    GOAL,
    INSTEAD,
    RULING,
    TERMINAL,
    TOO_MANY,
    VIOLATES,
    WEIGHT,
    WINNER,
)
from ..rules.rule import HEAD, Rule, top
from ..rules.rulebook import ActionKind
from ..symbolic.domains import domains
from ..symbolic.open_sets import opened
from ..symbolic.transitions import Transition, functor, is_possible, transitions
from ..transform.slicing import seeds
from . import rulings

OUTCOME: Final = (TERMINAL, GOAL, WINNER)
_STEP: Final[Signature] = ("step", 1)
_EXCUSED: Final[tuple[Signature, ...]] = (("waived", 1), ("presumed", 1))
"""By these facts a position that is given need not meet an invariant."""
_LONGEST: Final = 4
"""The most steps after an action that are followed."""
_MOST_WAYS: Final = 1_000
"""So many sequences of steps are followed. They are more where rules name steps by variables, so that any may be due."""
LOOKED_AT: Final = (
    "looked at: the start; in all positions valid in both one action and up to four steps that follow by themselves; "
    "results of finished games; with only this ruling changed"
)
"""What is compared."""


@dataclass(frozen=True)
class Scenario:
    """What happens in both readings.

    Attributes:
        transition: Kinds of action that are decided together; None where the game is over, and its result is asked for.
        steps: The steps right after them.
    """

    transition: Transition | None
    steps: tuple[Pattern, ...] = ()

    @property
    def kinds(self) -> tuple[ActionKind, ...]:
        """The kinds of action."""
        return self.transition.kinds if self.transition is not None else ()


def scenarios(first: Ruleset, second: Ruleset) -> list[Scenario]:
    """The scenarios in which two readings may diverge, the shorter ones first.

    Raises:
        NotDecided: They are too many.
    """
    known = transitions(first, domains(first))
    either = (*transitions(second, domains(second)), *known)
    steps = {functor(t.step): t.step for t in either if t.step is not None}
    concerned = {n for n, step in steps.items() if _differ_in(first, second, partial(step_rules, step=step))}
    readings = first, second
    after = {name: _due(readings, partial(step_rules, step=step)) for name, step in steps.items()}
    found = []
    for transition in known:
        if transition.step is not None:
            continue
        if not all(is_possible(second, kind) for kind in transition.kinds):
            found.append(Scenario(transition))
            continue  # what one of them knows no such action does is no question
        acted = partial(action_rules, kinds=transition.kinds)
        if _differ_in(first, second, acted):
            found.append(Scenario(transition))
        ways = (way for way in _ways(_due(readings, acted), after) if way[-1] in concerned)
        found += [Scenario(transition, tuple(steps[n] for n in way)) for way in ways]
    found += map(Scenario, _known_only_to(second, first))
    if _differ_in(first, second, outcome_rules):
        found.append(Scenario(None))
    return sorted(found, key=lambda s: len(s.steps))


def _known_only_to(second: Ruleset, first: Ruleset) -> Iterator[Transition]:
    """The transitions with actions that a ruling excludes in the first reading alone."""
    for transition in transitions(second, domains(second)):
        if not all(is_possible(first, kind) for kind in transition.kinds):
            yield transition


def _ways(first: Iterable[str], after: Mapping[str, set[str]]) -> Iterator[tuple[str, ...]]:
    """All sequences of steps that can follow, the shorter ones first."""
    ways: list[tuple[str, ...]] = [(name,) for name in sorted(set(first) & set(after))]
    for _ in range(_LONGEST):
        yield from ways
        ways = [(*way, name) for way in ways for name in sorted(after[way[-1]] & set(after))]
        if len(ways) > _MOST_WAYS:
            raise NotDecided("which steps may follow on one another is too much to be looked at")


def _due(readings: Iterable[Ruleset], rules: Callable[[Ruleset], list[Rule]]) -> set[str]:
    """The names of the steps that may become due by these rules of either reading."""
    return {name for e in readings for name in due_by(e, (h for rule in rules(e) for h in rule.heads))}


def _differ_in(first: Ruleset, second: Ruleset, rules: Callable[[Ruleset], list[Rule]]) -> bool:
    """Whether two readings have different rules, or rules about static facts in which they differ."""
    one, two = rules(first), rules(second)
    # mostly they are the very same rules, which need not be read to see it
    if set(map(id, one)) != set(map(id, two)) and {r.text for r in one} != {r.text for r in two}:
        return True
    differing, ruled = first.remember(
        ("differing", id(second)),
        lambda: (_differing(first, second), rulings.differing(first, second), second),
    )[:2]
    return any(a.signature in differing for r in one for a in r.atoms if a.place != HEAD) or any(
        rulings.asks_for(r, ruled) for r in one
    )


def _differing(first: Ruleset, second: Ruleset) -> frozenset[Signature]:
    """What never changes, and is not the same in both; but for the rulings themselves."""
    ours, theirs = first.static, second.static
    found = {s for s in {*ours, *theirs} if set(ours.get(s, ())) != set(theirs.get(s, ()))}
    return frozenset(found - {RULING})


def action_rules(ruleset: Ruleset, kinds: Sequence[ActionKind]) -> list[Rule]:
    """The slice for actions that are done together: a rule may need several of them, which no slice for one alone has."""
    start = seeds(None, (), [kind.action for kind in kinds])
    return opened(ruleset).judging.slice(start, [top(*VIOLATES), top(*ADD), top(*DEL)])


def step_rules(ruleset: Ruleset, step: Pattern) -> list[Rule]:
    """The slice for a step."""
    return opened(ruleset).judging.slice(seeds(None, [step]), [top(*ADD), top(*DEL)])


def outcome_rules(ruleset: Ruleset) -> list[Rule]:
    """The slice for the end of the game."""
    return opened(ruleset).judging.slice(seeds(decisions=None), [top(*s) for s in OUTCOME])


def unseen(first: Ruleset, second: Ruleset) -> str | None:
    """What a ruling concerns that is not looked at: which positions are valid, chance's weights, what is concealed or listed.

    What an action breaks is looked at, not whether it comes into question: that this is the same in the end is proved of
    one reading at a time, by ``prove``.
    """

    def listing(ruleset: Ruleset) -> list[Rule]:
        return ruleset.enumerating.slice(seeds(decisions=None), [top(*CANDIDATE), top(*TOO_MANY)])

    def validity(ruleset: Ruleset) -> list[Rule]:
        return ruleset.judging.slice(seeds(None, None), [top(*BROKEN)])

    def told(*predicates: Signature) -> Callable[[Ruleset], list[Rule]]:
        return lambda ruleset: ruleset.judging.slice(seeds(decisions=None), [top(*s) for s in predicates])

    foreign = first.foreign or second.foreign
    if foreign:
        return foreign
    excused = any(set(first.facts(*s)) != set(second.facts(*s)) for s in _EXCUSED)
    if excused or _differ_in(first, second, validity):
        return "positions that are valid in one only were not looked at"
    if _differ_in(first, second, told(WEIGHT)):
        return "the weights of chance were not looked at"
    if _differ_in(first, second, told(CONCEALS, INSTEAD)):
        return "what is concealed from whom was not looked at"
    if _differ_in(first, second, listing):
        return "which actions come into question was not looked at"
    if set(first.facts(*_STEP)) != set(second.facts(*_STEP)):
        return "what happens by itself in one only was not looked at where the other stops"
    return None
