"""The effects of actions and the steps that can follow, as far as a query depends on them.

A kind of action, or a step, *tells* if it can change something that the facts in ``after`` depend on. A step is *live*
if it tells, or if a step that tells can follow it. If no live step can follow an action, these facts stay as they are, and
no further step has to be encoded. All this is read off the rules, for all positions at once. So it may be too much, never too
little.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from ..engine.ruleset import Ruleset
from ..lang.terms import Fun, Name, Signature, Term, Var
from ..lang.unification import functor, label
from ..rules.predicates import ADD, DEL, DUE
from ..rules.rule import Atom, top
from ..rules.rulebook import ActionKind
from ..transform.dependency import judging
from ..transform.slicing import Seeds, seeds


class Consequence(NamedTuple):
    """The direct effects of a kind of action or of a step.

    Attributes:
        tells: Whether it can change something that the facts in ``after`` depend on.
        due: The names of the steps that it can make due.
    """

    tells: bool
    due: frozenset[str]


class Course:
    """The steps that can follow actions, as far as a query depends on them."""

    def __init__(self, ruleset: Ruleset, wanted: Iterable[Signature]) -> None:
        """``wanted``: the predicates of the facts in ``after``."""
        self._ruleset = ruleset
        self._wanted = frozenset(wanted)
        self._dependence = judging(ruleset.rules)
        self._kinds: dict[int, Consequence] = {}

    @cached_property
    def steps(self) -> dict[str, Consequence]:
        """The direct effects of each step, by its name."""
        names = sorted({s.arguments[0].name for s in self._ruleset.facts("step", 1)})
        return {name: self._consequence(seeds(None, steps_named(self._ruleset, [name]))) for name in names}

    @cached_property
    def live(self) -> frozenset[str]:
        """The names of the live steps."""
        found = self.telling
        while True:
            more = found | {name for name, does in self.steps.items() if does.due & found}
            if more == found:
                return found
            found = more

    @property
    def telling(self) -> frozenset[str]:
        """The names of the steps that tell."""
        return frozenset(name for name, does in self.steps.items() if does.tells)

    def of(self, kind: ActionKind) -> Consequence:
        """The direct effects of an action of a kind."""
        if kind.index not in self._kinds:
            self._kinds[kind.index] = self._consequence(seeds([kind.decision], (), [kind.action]))
        return self._kinds[kind.index]

    def first(self, kind: ActionKind) -> int | None:
        """The smallest number of steps after which an action of a kind can change these facts; None if it never can."""
        does = self.of(kind)
        if does.tells:
            return 0
        depth, due, seen = 1, does.due & self.live, frozenset[str]()
        while due and not due & self.telling:
            seen |= due
            due = frozenset().union(*(self.steps[name].due for name in due)) & self.live - seen
            depth += 1
        return depth if due else None

    def longest(self, kind: ActionKind) -> int | None:
        """The largest number of live steps that can follow an action of a kind one after the other; None without a bound."""
        layer, most = self.of(kind).due & self.live, 0
        while layer:
            most += 1
            if most > len(self.steps):
                return None
            layer = frozenset().union(*(self.steps[name].due for name in layer)) & self.live
        return most

    def _consequence(self, start: Seeds) -> Consequence:
        rules = self._ruleset.judging.slice(start, [top(*ADD), top(*DEL)])
        named = {functor(h.args[0]) for r in rules for h in r.heads if h.signature in (ADD, DEL)}
        changed = [s for s in named if s is not None]
        tells = None in named or bool(self._dependence.affected(changed) & self._wanted)
        return Consequence(tells, due_by(self._ruleset, (h for r in rules for h in r.heads)))


def due_by(ruleset: Ruleset, heads: Iterable[Atom]) -> frozenset[str]:
    """The names of the steps that rules with these heads can make due."""
    every = frozenset(s.arguments[0].name for s in ruleset.facts("step", 1))
    added = [h.args[0] for h in heads if h.signature == ADD]
    steps = [fact.args[0] for fact in added if isinstance(fact, Fun) and (fact.name, len(fact.args)) == DUE]
    if any(isinstance(term, Var) for term in (*added, *steps)):
        return every
    return every & {label(step) for step in steps}


def steps_named(ruleset: Ruleset, names: Iterable[str]) -> list[Term]:
    """The steps of these names."""
    wanted = set(names)
    steps = (s.arguments[0] for s in ruleset.facts("step", 1))
    found = sorted({(s.name, len(s.arguments)) for s in steps if s.name in wanted})
    return [
        Fun(name, tuple(Var(f"S{k}") for k in range(arity))) if arity else Name(name) for name, arity in found
    ]
