"""The vocabulary: the facts that a position may have, the values of counters, and what measures count.

Numbers that a rulebook does not limit (points) run up to a bound. The facts after a transition have a wider sort
(`Vocabulary.wide`), so that a proof sees a fact that leaves the vocabulary instead of losing it. :mod:`.numbers` decides whether
the bound is high enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from functools import cached_property
from itertools import pairwise
from typing import Final

from .. import clingo
from ..cache import key_of
from ..engine import symbols
from ..engine.domains import bound_of
from ..errors import NotDecided
from ..lang.algebra import occurrences, variables
from ..lang.graph import cone
from ..lang.terms import NEGATIVE, Compare, Fun, Int, Literal, Name, Op, Rule, Signature, Term, Var
from ..rules.predicates import COUNTS, FLUENT, NUMBER
from .build import head_of
from .program import SolverProgram
from .theory import Theory, positive

MARGIN: Final = 250
"""By so much the largest number of the wider sort is larger than the bound."""
ROOM: Final = 100
"""By so much a counter may leave its values in `Vocabulary.with_room`."""
LEAVE: Final = f"counters may leave their values by more than {ROOM}"
"""Why nothing may follow from such a vocabulary."""
_FAR: Final = 10**8
"""A counter that may have this number has no limit."""


class Vocabulary:
    """The facts that a position may have.

    Attributes:
        bound: The largest value of numbers without a limit in an open position.
        far: The largest value of numbers without a limit after a transition.
        narrow: The facts that an open position may have.
        wide: The facts that the position after a transition may have.
    """

    def __init__(
        self, theory: Theory, bound: int | None = None, margin: int = MARGIN, values: Iterable[int] = ()
    ) -> None:
        """Grounds the vocabulary of a theory.

        Args:
            theory: The theory.
            bound: Numbers without a limit run from 0 to this value; by default the rulebook's.
            margin: By so much they may be larger after a transition.
            values: Further values, which may be larger than ``bound`` and leave gaps. The largest becomes the `bound`.
        """
        self._theory = theory
        upto = bound_of(theory.book) if bound is None else bound
        numbers: list[int] = sorted({*range(upto + 1), *values})
        self.bound: int = numbers[-1]
        self.narrow = self._list_facts(numbers)
        self.far = self.bound + margin
        self.wide = self._list_facts(sorted({*numbers, *(n + k for n in numbers for k in range(margin + 1))}))

    def _list_facts(self, numbers: Iterable[int]) -> tuple[clingo.Symbol, ...]:
        """The facts of the vocabulary, where ``number/1`` holds for these numbers."""
        theory = self._theory
        given = [clingo.Function(NUMBER[0], [clingo.Number(n)]) for n in numbers]
        rules = [r for r in cone(theory.vocabulary, [FLUENT])]
        declared = {s: f for s, f in theory.static.items() if s not in theory.numbered}
        return tuple(s.arguments[0] for s in ground_atoms(declared, rules, given, FLUENT))

    @cached_property
    def signatures(self) -> frozenset[Signature]:
        """The predicates of the facts of an open position."""
        return frozenset(map(symbols.signature, self.narrow))

    @cached_property
    def decisions(self) -> tuple[Signature, ...]:
        """The names of the decisions that can be pending, each with its number of arguments."""
        return tuple(sorted({symbols.signature(f.arguments[1]) for f in self.wide if f.name == "decision"}))

    @cached_property
    def deciding(self) -> tuple[clingo.Symbol, ...]:
        """The roles that may have a decision."""
        return tuple(sorted({f.arguments[0] for f in self.wide if f.name == "decision"}))

    @cached_property
    def mark(self) -> str:
        """A hash of all that the vocabulary says."""
        text = symbols.text
        facts = (key_of(*sorted(map(text, group))) for group in (self.narrow, self.wide, self.endless))
        ends = sorted((text(counter), *interval) for counter, interval in self.ends.items())
        counted = sorted(
            (text(m), text(thing), *sorted(weights))
            for m, things in self.measures.items()
            for thing, weights in things.items()
        )
        return key_of(*facts, str((self.bound, self.far, sorted(self.cut), ends, counted)))

    # -- counters ------------------------------------------------------------------------------------------------

    @cached_property
    def cut(self) -> frozenset[Signature]:
        """The predicates with facts in `wide` that are not in `narrow`: their numbers are cut at the bound."""
        return frozenset(map(symbols.signature, set(self.wide) - set(self.narrow)))

    @cached_property
    def endless(self) -> frozenset[clingo.Symbol]:
        """The counters without a limit: every rule of the vocabulary for their fluent allows any number.

        One that may be negative has no limit only if it has none on both sides.
        """
        plain: dict[Signature, bool] = {}
        for one in self._theory.vocabulary:
            counter = _of_any_number(one)
            if counter is not None:
                plain[counter[0]] = counter[1] and plain.get(counter[0], True)
        some = {s for s, only in plain.items() if only and s in self._theory.counters}
        if not some:
            return frozenset()
        beyond = set(self._list_facts([_FAR])) - set(self.wide)
        ends: dict[clingo.Symbol, set[int]] = {}
        for f in beyond:
            if symbols.signature(f) in some:
                ends.setdefault(symbols.counter_of(f), set()).add(f.arguments[-1].number)
        signed = self._theory.signed
        return frozenset(
            c for c, far in ends.items() if far >= {_FAR, -_FAR if counter_signature(c) in signed else _FAR}
        )

    @cached_property
    def _values(self) -> dict[clingo.Symbol, list[int]]:
        """The possible values of each counter in `wide`, in order; 0 is one of them unless its zero is stated by a fact."""
        values_of: dict[clingo.Symbol, set[int]] = {}
        for f in self.wide:
            signature = symbols.signature(f)
            if signature in self._theory.counters:
                stated = self._theory.counters[signature]
                value = f.arguments[-1]
                if value.type is not clingo.SymbolType.Number:
                    raise NotDecided(f"{symbols.text(f)} is a counter, and its last argument is no number")
                if value.number < 0 and signature not in self._theory.signed:
                    raise NotDecided(f"{symbols.text(f)} is negative, and its counter is not declared as signed")
                values_of.setdefault(symbols.counter_of(f), set() if stated else {0}).add(value.number)
        return {counter: sorted(values) for counter, values in values_of.items()}

    @cached_property
    def ends(self) -> dict[clingo.Symbol, tuple[int, int]]:
        """The smallest and the largest value of each counter in `wide`; the smallest is at most 0, below 0 only if signed."""
        signed = self._theory.signed
        ends_of = {}
        for counter, values in self._values.items():
            below = counter_signature(counter) in signed
            ends_of[counter] = (values[0] if below else min(0, values[0]), values[-1])
        return ends_of

    def with_room(self) -> Vocabulary:
        """The same; but counters with a limit may have values beyond it after a transition, as the engine gives them."""
        wider = copy(self)
        signed = self._theory.signed
        wider.ends = {
            c: (low - ROOM if counter_signature(c) in signed else low, high + ROOM)
            if c not in self.endless
            else (low, high)
            for c, (low, high) in self.ends.items()
        }
        return wider

    @cached_property
    def gaps(self) -> list[tuple[clingo.Symbol, int, int]]:
        """The gaps of counters with a limit: numbers, from and to, between their ends that are no values of theirs."""
        all_gaps = []
        for counter, values in self._values.items():
            if counter in self.endless:
                continue
            low, _ = self.ends[counter]
            all_gaps += [(counter, n + 1, m - 1) for n, m in pairwise([low - 1, *values]) if m - n > 1]
        return all_gaps

    # -- measures ------------------------------------------------------------------------------------------------

    @cached_property
    def measures(self) -> dict[clingo.Symbol, dict[clingo.Symbol, set[int]]]:
        """For each measure the counters and pieces in it, each with its weights: what ``counts/3`` derives for one of each."""
        weights_of: dict[clingo.Symbol, dict[clingo.Symbol, set[int]]] = {}
        for measure, thing, weight in self._counted:
            if weight.type is clingo.SymbolType.Number:  # a sum counts nothing else
                weights_of.setdefault(measure, {}).setdefault(thing, set()).add(weight.number)
        return weights_of

    @property
    def weightless(self) -> set[clingo.Symbol]:
        """The measures that count something with a weight that is no number."""
        return {m for m, _, weight in self._counted if weight.type is not clingo.SymbolType.Number}

    @cached_property
    def _counted(self) -> list[Sequence[clingo.Symbol]]:
        """The arguments of the possible atoms ``counts/3``, each with the weight of one piece."""
        theory = self._theory
        one = [_with_one(f) if symbols.signature(f) in theory.counters else f for f in self.wide]
        rules = cone(theory.rules, [COUNTS])
        atoms = ground_atoms(theory.static, rules, dict.fromkeys(one), COUNTS) if theory.counting else ()
        return [s.arguments for s in atoms]


def ground_atoms(
    static: dict[Signature, tuple[clingo.Symbol, ...]],
    rules: Iterable[Rule],
    given: Iterable[clingo.Symbol],
    wanted: Signature,
) -> list[clingo.Symbol]:
    """The atoms of a predicate that may follow from rules and facts, by grounding alone."""
    program = SolverProgram(static, ())
    program.add(*rules)
    program.tell(given)
    program.ground()
    return program.atoms(*wanted)


def counter_signature(counter: clingo.Symbol) -> Signature:
    """The signature of the facts that state the value of a counter: ``points/2`` for the counter ``points(red)``."""
    name, arity = symbols.signature(counter)
    return name, arity + 1


def _with_one(fact: clingo.Symbol) -> clingo.Symbol:
    return clingo.Function(fact.name, [*fact.arguments[:-1], clingo.Number(1)])


def _of_any_number(one: Rule) -> tuple[Signature, bool] | None:
    """The fluent that a rule declares, and whether it declares it for any number; None if it declares none.

    ``fluent(points(R,N)) :- player(R), number(N).`` does so, and ``fluent(points(R,-N)) :- ...`` in normal form.
    """
    if head_of(one).signature != FLUENT:
        return None
    fact = head_of(one).args[0]
    if not isinstance(fact, Fun):
        return ((fact.text if isinstance(fact, Name) else "", 0), False)
    signature = fact.name, len(fact.args)
    numbers = [a for a in positive(one.body) if a.signature == NUMBER]
    if len(numbers) != 1 or not isinstance(numbers[0].args[0], Var):
        return (signature, False)
    number, last = numbers[0].args[0], fact.args[-1]
    rest = [x for x in one.body if x != numbers[0]]
    negated = next((x for x in rest if _is_negated(x, last, number)), None)
    if negated is not None and isinstance(last, Var):
        rest.remove(negated)
        if occurrences(rest, fact).count(last.name) == 1:
            last = number
    plain = last == number and number.name not in variables(rest, fact.args[:-1])
    return (signature, plain)


def _is_negated(x: Literal, result: Term, number: Term) -> bool:
    """Whether a literal says that ``result`` is ``-number``."""
    if not isinstance(x, Compare) or x.left != result or not isinstance(x.right, Op) or x.right.right != number:
        return False
    return x.right.sign == NEGATIVE or (x.right.sign == "-" and x.right.left == Int(0))
