"""Neighbours of a position: small changes of it, valid by the plain engine.

Positions of random games are few and alike, and those of the solver are the encoding's own. A neighbour is neither. What is
pending stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Final, TypeAlias

import clingo

from ..engine import symbols
from ..rules.pattern import Signature
from ..rules.predicates import DECISION, NEXT
from ..symbolic.domains import Domains
from .sample import Facts

_FIXED: Final = frozenset({DECISION, NEXT, ("seat", 2)})
_Counter: TypeAlias = tuple[str, tuple[clingo.Symbol, ...]]


class Nearby:
    """Makes neighbours of positions.

    A change is one of these: a fact comes or goes; a fact is exchanged for another one of its predicate; a counter gets
    another value, one of its borders now and then; two counters of a name exchange a few.
    """

    def __init__(
        self, sorts: Domains, counters: Mapping[Signature, bool], valid: Callable[[Facts], bool], tries: int
    ) -> None:
        """Makes neighbours.

        Args:
            sorts: All facts that there are.
            counters: The predicates that are counters.
            valid: Whether a position is valid, by the plain engine.
            tries: So many changes are tried for each neighbour that is wanted.
        """
        self._valid, self._tries = valid, tries
        self._values: dict[_Counter, list[clingo.Symbol]] = {}
        self._facts: dict[Signature, list[clingo.Symbol]] = {}
        for fact in sorts.fluents:
            signature = symbols.signature(fact)
            if signature in _FIXED:
                continue
            if signature in counters:
                self._values.setdefault(_counter(fact), []).append(fact)
            else:
                self._facts.setdefault(signature, []).append(fact)
        for values in self._values.values():
            values.sort()
        self._kinds = [*sorted({c[0] for c in self._values})]
        self._names = sorted(self._facts)

    def of(self, facts: Facts, random: Random, count: int) -> Iterator[Facts]:
        """So many neighbours of a position at most; a neighbour may be one of a neighbour."""
        now = facts
        for _ in range(count * self._tries):
            if count <= 0:
                return
            other = self._changed(now, random)
            if other not in {now, facts} and self._valid(other):
                yield other
                count -= 1
                now = random.choice((facts, other))

    def _changed(self, facts: Facts, random: Random) -> Facts:
        """A position with one small change."""
        changes: list[Callable[[Facts, Random], Facts]] = []
        changes += [self._counted, self._moved] if self._values else []
        changes += [self._toggled, self._exchanged] if self._facts else []
        return random.choice(changes)(facts, random) if changes else facts

    def _counted(self, facts: Facts, random: Random) -> Facts:
        """One counter, or all of its name, with another value."""
        name = random.choice(self._kinds)
        alike = [c for c in self._values if c[0] == name]
        end = random.choice((0, -1, None))
        changed = facts
        for counter in alike if random.random() < 0.5 else [random.choice(alike)]:
            values = self._values[counter]
            value = random.choice(values) if end is None else values[end]
            changed = self._with(changed, counter, value)
        return changed

    def _moved(self, facts: Facts, random: Random) -> Facts:
        """Two counters of a name, one with a few more and one with as many less."""
        name = random.choice(self._kinds)
        alike = [c for c in self._values if c[0] == name]
        held = {_counter(f): f for f in facts if _counter(f) in self._values}
        if len(alike) < 2 or not held:
            return facts
        one, other = random.sample(alike, 2)
        few = random.choice((1, 1, 2, 3))
        changed = facts
        for counter, more in ((one, few), (other, -few)):
            fact = held.get(counter)
            number = (fact.arguments[-1].number if fact is not None else 0) + more
            changed = self._with(
                changed, counter, symbols.ending(self._values[counter][0], clingo.Number(number))
            )
        return changed

    def _with(self, facts: Facts, counter: _Counter, value: clingo.Symbol) -> Facts:
        """A position in which a counter has this value; none where there is no such value."""
        rest = frozenset(f for f in facts if _counter(f) != counter)
        return rest | {value} if value in self._values[counter] else rest

    def _toggled(self, facts: Facts, random: Random) -> Facts:
        """A fact more, or less."""
        return facts ^ {random.choice(self._facts[random.choice(self._names)])}

    def _exchanged(self, facts: Facts, random: Random) -> Facts:
        """A fact in another one's place."""
        there = sorted(f for f in facts if symbols.signature(f) in self._facts)
        if not there:
            return facts
        fact = random.choice(there)
        return facts - {fact} | {random.choice(self._facts[symbols.signature(fact)])}


def _counter(fact: clingo.Symbol) -> _Counter:
    """A fact's name and its arguments but for the last one."""
    return fact.name, tuple(fact.arguments[:-1])


def deciding(facts: Facts) -> Sequence[str]:
    """Who decides in a position."""
    return sorted({symbols.text(f.arguments[0]) for f in facts if symbols.signature(f) == DECISION})
