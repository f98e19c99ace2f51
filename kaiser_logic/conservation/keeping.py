"""That invariants which speak of what is left out hold after a transition, each with all invariants before it.

Of an invariant's rule two forms are followed: that there is one fact at most (``#count { X : exchange(X) } > 1``), and that
a fact does not stand where another one is missing, or where something else holds of it:

    broken(loads,person) :- exchange(bribe(Q,person(K,P,G))), not person(Q,K,P,G,_).
    broken(loads,R)      :- stake(R,_,_,G,_), aggressor(R), G != g(0,0,0).

The fact was there before, or has come by one of the changes; what is missing was missing before, or has been lost by one of
them. What the invariant itself says of before excludes some of these ways; the others are demanded not to be.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from ..rules.pattern import Signature
from .changes import Change, coming
from .clauses import Atom, Clause, Literal, NotShown, Other, Rules, apart
from .conditions import rule, word
from .forms import parts
from .holding import STRAY, Holding
from .known import Known
from .reaching import Reaching
from .terms import ANONYMOUS, Binding, Term, matches, show, unify

_ONE: Final = re.compile(r"broken(?:__m1)?\((\w+),.*\) :- 1 < #count \{ (\w+): (\w+?)(__m1)?\((\w+)\) \}\.")


def single(lines: Iterable[str], wanted: Collection[str], known: Known) -> set[Signature]:
    """The fluents of which there is one fact at most, as these invariants say of before."""
    found: set[Signature] = set()
    for line in lines:
        match = _ONE.fullmatch(line)
        if match is not None and match[1] in wanted and match[4] is None and match[2] == match[5]:
            found |= _signatures(known, match[3])
    return found


def _signatures(known: Known, fluent: str) -> set[Signature]:
    shapes = known.kept.shapes.get(fluent)
    return {s.signature for s in shapes} if shapes else {(fluent, 1)}


class Keeping:
    """What must not be, so that invariants hold on."""

    def __init__(
        self, known: Known, rules: Rules, holding: Holding, changes: Sequence[Change], reaching: Reaching
    ) -> None:
        """Of a transition with these changes, and with what is known of sums afterwards."""
        self._known, self._rules, self._holding, self._changes = known, rules, holding, changes
        self._reaching = reaching
        self.lines: list[str] = []

    def enter(self, invariant: str, lines: Iterable[str]) -> None:
        """An invariant, by all the rules that say how it is broken after the transition.

        Raises:
            NotShown: One of them is of another form.
        """
        for line in lines:
            if not line.startswith(f"broken__m1({invariant},"):
                continue
            match = _ONE.fullmatch(line)
            if match is not None and match[2] == match[5]:
                self._alone(match[3])
                continue
            found = Rules([line], self._known.kept)
            clauses = found.of(("broken__m1", 2))
            if clauses is None:
                raise NotShown(f"{invariant} is said of several at once")
            for clause in clauses:
                self._stands(clause)

    def _stray(self, body: Sequence[Literal], why: str) -> None:
        self.lines.append(rule(self._known, f"{STRAY}({word(why.replace('__m1', ''))})", body))

    # -- one fact at most --------------------------------------------------------------------------------------------

    def _alone(self, fluent: str) -> None:
        """A fact comes only where there is none, and no two come at once."""
        added = list(coming(self._rules, self._known, fluent))
        for i, one in enumerate(added):
            for name, arity in sorted(_signatures(self._known, fluent)):
                there = Atom(name, tuple(("v", f"There{k}__v{i}") for k in range(arity)))
                self._stray((*one.body, there), f"there may be two of {fluent}")
            for other in added[i:]:
                second = apart(other)
                joined = Clause(Atom("", (*one.head.args, *second.head.args)), (*one.body, *second.body))
                settled = self._known.settled(joined)
                if settled is not None and settled.head.args[0] != settled.head.args[1]:
                    self._stray(settled.body, f"two of {fluent} may come")

    # -- a fact with others, or without ------------------------------------------------------------------------------

    def _stands(self, clause: Clause) -> None:
        """A fact that must not be where something else is, or is not."""
        known = self._known
        short = [x for x in clause.body if isinstance(x, Atom) and self._reaching.sums(x)]
        if len(short) == 1:
            shown = replace(self._reaching.reached(short[0]), negated=True)
            why = f"it is not shown that it reaches its bound: {short[0].text()}"
            self._stray([x for x in clause.body if x is not short[0]] + [shown], why)
            return
        facts = [
            x
            for x in clause.body
            if isinstance(x, Atom) and not x.negated and self._fluent(x) is not None and known.dropped(x)
        ]
        missing = [x for x in clause.body if isinstance(x, Atom) and x.negated]
        if len(facts) != 1 or len(missing) > 1:
            raise NotShown(f"{show(clause.head.args[0])} speaks of several things")
        fact = facts[0]
        rest = [x for x in clause.body if x is not fact and x not in missing]
        before = apart(Clause(Atom("", ()), tuple(map(_before, clause.body)))).body
        why = f"{show(clause.head.args[0])} may be broken: {show(clause.head.args[1])}"
        for body, binding in self._origins(fact):
            more = tuple(x.put(binding) for x in (*rest, *missing))
            for way in self._ways((*body, *more[: len(rest)]), more[len(rest) :]):
                self._way(way, before, fact.name, why)

    def _fluent(self, x: Atom) -> Signature | None:
        return self._known.kept.fluent(x.signature)

    def _origins(self, fact: Atom) -> Iterator[tuple[tuple[Literal, ...], Binding]]:
        """Why there is a fact afterwards."""
        old = _before(fact)
        yield ((old,) if old == fact else (old, fact)), {}
        if old == fact:
            return
        assert isinstance(old, Atom)
        counter = old.signature in self._known.kept.counters
        args = old.args[:-1] if counter else old.args
        for c in self._changes:
            if c.gained is not None and (c.gained[1], len(c.gained[2])) == (old.name, len(args)):
                yield from _unified(c.clause.body, c.gained[2], args)
        fluent = next(
            (f for f, g in self._known.kept.shapes.items() if old.name in [s.name for s in g]), old.name
        )
        for one in coming(self._rules, self._known, fluent):
            for signature, given in parts(self._known, one.head.args[0]):
                if signature == old.signature:
                    yield from _unified(one.body, given, old.args)

    def _ways(self, body: tuple[Literal, ...], missing: Sequence[Literal]) -> Iterator[tuple[Literal, ...]]:
        """Why something is missing besides."""
        if not missing:
            yield body
            return
        (x,) = missing
        assert isinstance(x, Atom)
        old = _before(x)
        assert isinstance(old, Atom)
        signature = old.signature
        if signature not in self._known.kept.counters or x.args[-1] != ANONYMOUS:
            raise NotShown(f"it is not known why {x.text()}")
        counter: Term = ("f", old.name, old.args[:-1])
        if not self._holding.there(Clause(Atom("lost", (counter, ("n", 1))), body)):
            yield (*body, old)
        for c in self._changes:
            if c.lost is not None and (c.lost[1], len(c.lost[2])) == (counter[1], len(counter[2])):
                for new, binding in _unified(c.clause.body, c.lost[2], counter[2]):
                    yield (*new, *(y.put(binding) for y in body))

    def _way(self, body: Sequence[Literal], before: Sequence[Literal], fact: str, why: str) -> None:
        """One way in which it may be broken: that it was so before is not possible."""
        settled = self._known.settled(Clause(Atom("", ()), tuple(body)))
        if settled is None or _among(before, settled.body, {}):
            return
        later = [x for x in settled.body if isinstance(x, Atom) and _before(x) != x and x.name != fact]
        if not later:
            self._stray(settled.body, why)
            return
        was = tuple(_before(x) for x in later)
        if not _among(before, (*settled.body, *was), {}):
            self._stray((*settled.body, *was), why)
        for x in was:
            assert isinstance(x, Atom)
            self._stray((*settled.body, Atom(x.name, x.args, not x.negated)), why)


def _before(x: Literal) -> Literal:
    """The same of the position before."""
    if isinstance(x, Atom):
        plain = x.name.removesuffix("__m1")
        return Atom(plain, x.args, x.negated)
    return Other(x.kind, x.terms, x.rest.replace("__m1", ""))


def _unified(
    body: tuple[Literal, ...], given: Sequence[Term], wanted: Sequence[Term]
) -> Iterator[tuple[tuple[Literal, ...], Binding]]:
    """The conditions where what is given is what is wanted."""
    binding: Binding = {}
    left: list[tuple[Term, Term]] = []
    for a, b in zip(given, wanted, strict=True):
        found = unify(a, b, binding)
        if found is None:
            return
        left += found
    whole = (*body, *(Other("equal", pair) for pair in left))
    yield tuple(x.put(binding) for x in whole), binding


def _among(wanted: Sequence[Literal], body: Sequence[Literal], binding: Binding) -> bool:
    """Whether all these conditions are among those of a body."""
    if not wanted:
        return True
    first, *rest = wanted
    for x in body:
        trial = dict(binding)
        if isinstance(first, Atom) and isinstance(x, Atom):
            same = first.signature == x.signature and first.negated == x.negated
            if same and first.negated:
                same = all(p == a or matches(p, a, trial) for p, a in zip(first.args, x.args, strict=True))
                same = same and all(
                    (p == ANONYMOUS) == (a == ANONYMOUS) for p, a in zip(first.args, x.args, strict=True)
                )
            elif same:
                same = all(matches(p, a, trial) for p, a in zip(first.args, x.args, strict=True))
        else:
            same = isinstance(first, Other) and isinstance(x, Other) and first.put(trial) == x
        if same and _among(rest, body, trial):
            return True
    return False
