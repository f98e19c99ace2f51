"""Totals of measures: place invariants, loose or exact.

Why it is right. ``limit(L,N,M)`` says that the total of the measure L is from N to M in every valid position; ``range(L,N,M)``
says that this follows from limits, which is a claim of its own (:mod:`.positions`). So in every valid position each total has a
value between these numbers, and the program has a model with that value. No sum exceeds its limits there.

The total after a transition is the total before it plus what is gained minus what is lost. This holds for a measure under
three conditions. Each of its rules counts one counter in proportion, ``counts(L,heap,2*N) :- heap(N)``, or one piece,
``counts(L,flag(I),1) :- flag(I)``, under static conditions only (`Totals._is_regular`). No counter or piece has two weights
in it, and each weight is a number. And only gains, losses and shifts change what it counts; ``count`` says that no piece
comes or goes twice. All other measures are counted anew (`After.anew`). Irregular measures, and those with a part of negative
weight, are tied: their totals always equal the sums (`Totals.tied`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.invariants import part_of
from ..engine.symbols import term_of
from ..lang.algebra import atoms, occurrences
from ..lang.reader import read_body, read_rules
from ..lang.terms import Aggregate, Compare, Element, Op, Program, Range, Rule, Signature, Term, Var
from ..lang.unification import functor, match
from .build import ChoiceRule, atom, fun, head_of
from .program import may_be_equal
from .theory import Theory, positive
from .vocabulary import Vocabulary

_OPEN: Final = read_rules(
    """
    #false :- exact__, total(L,N), ranges__(L,A,B), N != #sum { W,X : counts(L,X,W) }.
    #false :- tied__(L), total(L,N), N != #sum { W,X : counts(L,X,W) }.
    #false :- total(L,N), counts(L,X,W), W > N, not tied__(L).
    #false :- limited__(L,N,M), #sum { W,X : counts(L,X,W) } > M.
    #false :- limited__(L,N,M), N > 0, #sum { W,X : counts(L,X,W) } < N.
    #false :- limited__(L,N,M), tied__(L), #sum { W,X : counts(L,X,W) } < N.
    """
)
_AFTER: Final = read_rules(
    """
    total__n(L,N) :- read__(L), anew__(L), ranges__(L,A,B), N = A..B, N = #sum { W,X : counts__n(L,X,W) }.
    touched__(L) :- gain(X,N,V), measure__(L,X,W).
    touched__(L) :- lose(X,N,V), measure__(L,X,W).
    touched__(L) :- shift(X,Y,N,V), measure__(L,X,W), not measure__(L,Y,W).
    touched__(L) :- shift(X,Y,N,V), measure__(L,Y,W), not measure__(L,X,W).
    total__n(L,N) :- read__(L), total(L,N), not touched__(L), not anew__(L).
    total__n(L,N+D) :- total(L,N), delta__(L,D).
    """
)
_SUM: Final = read_body(
    """#sum {
        N*W,X,V,up : gain(X,N,V), measure__(L,X,W);
        -N*W,X,V,down : lose(X,N,V), measure__(L,X,W);
        N*W,X,Y,V,into : shift(X,Y,N,V), measure__(L,Y,W), not measure__(L,X,_);
        -N*W,X,Y,V,out : shift(X,Y,N,V), measure__(L,X,W), not measure__(L,Y,_);
        N*(W-U),X,Y,V,both : shift(X,Y,N,V), measure__(L,Y,W), measure__(L,X,U), W != U } = 0"""
)[0]
_WIDEST: Final = 1_000
"""A limit is not dropped if totals may then have more values."""
_TOUCHED: Final = read_body("read__(L), touched__(L), not anew__(L), ranges__(L,A,B), D = A-B..B-A")


def changes() -> tuple[Element, ...]:
    """The elements of the sum by which a transition changes the total of the measure L."""
    assert isinstance(_SUM, Aggregate)
    return _SUM.elements


@dataclass(frozen=True)
class After:
    """The totals after a transition.

    Attributes:
        anew: The measures that are counted anew at the next position.
        stated: The measures that have a total.
    """

    anew: frozenset[clingo.Symbol]
    stated: frozenset[clingo.Symbol]

    def facts(self, read: Iterable[Term]) -> list[clingo.Symbol]:
        """Facts that name the measures that are counted anew, and those whose totals are read; ``read``: their patterns."""
        patterns = list(read)
        facts_read = [clingo.Function("anew__", [measure]) for measure in self.anew]
        for measure in self.stated:
            if any(may_be_equal(pattern, term_of(measure)) for pattern in patterns):
                facts_read.append(clingo.Function("read__", [measure]))
        return facts_read

    @property
    def functors(self) -> set[Signature | None]:
        """The functors of these measures."""
        return {functor(term_of(m)) for m in self.anew}

    @property
    def rules(self) -> Program:
        """The rules for ``total__n``, the totals at the next position."""
        delta = Aggregate("#sum", changes(), (("=", Var("D")),))
        return (*_AFTER, Rule(atom("delta__", Var("L"), Var("D")), (*_TOUCHED, delta)))


class Totals:
    """The totals of the measures of one set of rules.

    Attributes:
        stated: The measures with a limit or a range.
        irregular: The measures whose totals do not follow from gains and losses.
        tied: The measures whose totals equal the sums also if totals are loose.
    """

    def __init__(self, theory: Theory, vocabulary: Vocabulary) -> None:
        """Takes a theory and its vocabulary."""
        self._theory, self._vocabulary = theory, vocabulary
        bad = [r for r in theory.counting if not self._is_regular(r)]
        patterns: list[Term] = [head_of(r).args[0] for r in bad]
        measures = vocabulary.measures
        self._dropped = theory.ruleset.dropped
        self.stated = {s.arguments[0] for k in ("limit", "range") for s in theory.facts(k, 3)}
        self.irregular = (
            frozenset(
                m
                for m in self.stated | set(measures)
                if any(match(p, term_of(m)) is not None for p in patterns)
                or any(len(weights) > 1 for weights in measures.get(m, {}).values())
                or any(part_of("count", str(x)) in self._dropped for x in measures.get(m, ()))
            )
            | vocabulary.weightless
        )
        below = {c for c, (low, _) in vocabulary.ends.items() if low < 0}
        negative = {
            m
            for m, weighted in measures.items()
            if any(x in below or min(weights) < 0 for x, weights in weighted.items())
        }
        self.tied = self.irregular | negative

    @cached_property
    def facts(self) -> list[clingo.Symbol]:
        """Facts about measures: what they count with which weights, their ranges, and which are tied."""
        theory = self._theory
        about_measures = [
            clingo.Function("measure__", [m, x, clingo.Number(w)])
            for m, weighted in self._vocabulary.measures.items()
            for x, weights in weighted.items()
            for w in weights
        ]
        for s in theory.facts("limit", 3):
            if part_of("limit", str(s.arguments[0])) not in self._dropped:
                about_measures += [clingo.Function(name, s.arguments) for name in ("ranges__", "limited__")]
        about_measures += [clingo.Function("ranges__", s.arguments) for s in self.ranges]
        for m in self.stated:
            if not self._dropped.isdisjoint(part_of(kind, str(m)) for kind in ("limit", "range")):
                ends = map(clingo.Number, self.trivial(m))
                about_measures.append(clingo.Function("ranges__", [m, *ends]))
        return [*about_measures, *(clingo.Function("tied__", [m]) for m in self.tied)]

    @property
    def ranges(self) -> list[clingo.Symbol]:
        """The stated ranges that proofs may rest on."""
        stated = self._theory.facts("range", 3)
        return [s for s in stated if part_of("range", str(s.arguments[0])) not in self._dropped]

    def trivial(self, measure: clingo.Symbol) -> tuple[int, int]:
        """The least and the largest total of a regular measure in all positions of the vocabulary."""
        low = high = 0
        for x, weights in self._vocabulary.measures.get(measure, {}).items():
            values = [w * n for w in weights for n in self._vocabulary.ends.get(x, (0, 1))]
            low, high = low + min(0, *values), high + max(0, *values)
        return low, high

    def parts(self, claim: str) -> set[str]:
        """The names of the parts of ``limit``, ``range`` or ``count``."""
        if claim == "count":
            return {f"count of {name}" for name, _ in (*self._theory.counters, *self._theory.units)}
        return {part_of(claim, str(s.arguments[0])) for s in self._theory.facts(claim, 3)}

    def can_drop(self, part: str) -> bool:
        """Whether proofs need not rest on a part of ``limit``, ``range`` or ``count``, such as ``limit of deck``."""
        claim, _, name = part.partition(" of ")
        theory, vocabulary = self._theory, self._vocabulary
        if claim == "count":
            counters = [s for s in theory.counters if s[0] == name]
            hard = {s for s in counters if theory.counters[s]} | theory.signed | vocabulary.cut
            known = counters or any(unit == name for unit, _ in theory.units)
            return bool(known) and hard.isdisjoint(counters) and not self._is_set(name)
        measures = [m for m in self.stated if part_of(claim, str(m)) == part]
        counted = {x for m in measures for x in vocabulary.measures.get(m, ())}
        return (
            self.irregular.isdisjoint(measures)
            and vocabulary.endless.isdisjoint(counted)
            and all(high - low <= _WIDEST for low, high in map(self.trivial, measures))
        )

    def _is_set(self, name: str) -> bool:
        """Whether a rule adds or deletes facts of these counters directly."""
        heads = (head_of(r) for r in self._theory.rules)
        changed = (h.args[0] for h in heads if h.signature in (("add", 1), ("del", 1)))
        counters = {s for s in self._theory.counters if s[0] == name}
        return bool(counters) and any(functor(t) in {None, *counters} for t in changed)

    @property
    def open(self) -> tuple[Rule | ChoiceRule, ...]:
        """Rules and choices for ``total``, the totals of an open position."""
        low, high, value = Var("A"), Var("B"), Var("N")
        between = (atom("total", Var("L"), value), (Compare(value, "=", Range(low, high)),))
        free = ChoiceRule((between,), (atom("ranges__", Var("L"), low, high),), 1, 1)
        return (ChoiceRule(((atom("exact__"), ()),)), free, *_OPEN)

    def totals_after(self, directly: Collection[Signature]) -> After:
        """The totals after a transition; ``directly``: the fluents that it adds or deletes without gains, losses and shifts."""
        counters = self._theory.counters
        here = {(name, arity - 1) if (name, arity) in counters else (name, arity) for name, arity in directly}
        anew = {
            m
            for m, weighted in self._vocabulary.measures.items()
            if any(symbols.signature(x) in here for x in weighted)
        }
        return After(self.irregular | anew, frozenset(self.stated))

    @cached_property
    def _counted_in(self) -> dict[clingo.Symbol, dict[clingo.Symbol, set[int]]]:
        """For each counter or piece the measures that count it, with its weights."""
        weights_by_measure: dict[clingo.Symbol, dict[clingo.Symbol, set[int]]] = {}
        for measure, weighted in self._vocabulary.measures.items():
            for x, weights in weighted.items():
                weights_by_measure.setdefault(x, {})[measure] = weights
        return weights_by_measure

    def measures_touched(
        self, changed: Iterable[clingo.Symbol], moved: Iterable[tuple[clingo.Symbol, clingo.Symbol]]
    ) -> set[Signature | None]:
        """The functors of the measures for which ``touched__`` can hold.

        Args:
            changed: What may gain or lose something.
            moved: Of what may be shifted whence and where. A shift inside a measure does not touch it if the weights agree.
        """
        by = self._counted_in
        measures = {m for x in changed for m in by.get(x, ())}
        for source, target in moved:
            here, there = by.get(source, {}), by.get(target, {})
            measures.update(m for m in {**here, **there} if here.get(m) != there.get(m))
        return {functor(term_of(m)) for m in measures}

    def _is_regular(self, one: Rule) -> bool:
        """Whether a rule counts one counter in proportion, or one piece, under static conditions only."""
        theory = self._theory
        moving = [a for a, _ in atoms(one.body) if a.signature not in theory.static]
        if len(moving) != 1 or moving[0] not in positive(one.body):
            return False
        (fact,), (_, counted, weight) = moving, head_of(one).args
        if fact.signature in theory.units:
            return counted == fun(fact.name, fact.args)
        if fact.signature not in theory.counters or not isinstance(fact.args[-1], Var):
            return False
        value = fact.args[-1]
        if counted != fun(fact.name, fact.args[:-1]):
            return False
        uses = occurrences(one).count(value.name)
        if weight == value:
            return uses == 2
        if uses != 2 or not isinstance(weight, Var) or occurrences(one).count(weight.name) != 2:
            return False  # any other literal that reads the weight is a condition on the value
        return any(
            isinstance(x, Compare)
            and (x.left, x.op) == (weight, "=")
            and isinstance(x.right, Op)
            and x.right.sign == "*"
            and value in (x.right.left, x.right.right)
            for x in one.body
        )
