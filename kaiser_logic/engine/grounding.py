"""Programs and their groundings, in which every atom is a fact.

A program is ground with a new control of clingo. It gets the rules as syntax trees, and the static facts and the facts of the
position through the backend; the derived atoms are read by signature. Each rule costs time, even if it does not fire. So the
rules that cannot fire over the given facts are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from .. import clingo
from ..cache import Store
from ..errors import NotDecided
from ..lang.graph import derivable
from ..lang.terms import Signature, Term
from ..lang.unification import CONSTANTS, canonical, label, most_general, unify_all
from ..rules.reader import is_anonymous
from ..rules.rule import PlacedRule, SimpleAtom
from ..wraparound import folds, refuse_wraparound
from . import symbols

# -- static --------------------------------------------------------------------------------------------------
#
# A program gets the static facts that its rules read.


_FEW: Final = 8
"""If a predicate has fewer facts, a program gets all of them."""


class StaticFacts:
    """The static facts of one game. A program gets those that match a pattern in the bodies of its rules."""

    def __init__(self, facts: Mapping[Signature, tuple[clingo.Symbol, ...]]) -> None:
        """``facts`` are all static facts, by signature."""
        self._facts = facts
        self._reading: dict[str, frozenset[tuple[Signature, tuple[Term, ...]]]] = {}
        self._patterns: dict[Signature, list[tuple[Term, ...]]] = {}
        self._matches: dict[tuple[Signature, tuple[Term, ...]], list[int]] = {}

    def complete(self, rules: tuple[PlacedRule, ...]) -> EngineProgram:
        """The program of some rules with the static facts that they read."""
        patterns: dict[Signature, set[tuple[Term, ...]]] = defaultdict(set)
        for rule in rules:
            for signature, pattern in self._reads(rule):
                patterns[signature].add(pattern)
        stated = sorted(patterns.keys() & self._facts.keys())
        static = tuple(s for signature in stated for s in self._matching(signature, patterns[signature]))
        return EngineProgram(rules, frozenset(patterns).difference(stated), static)

    def _reads(self, rule: PlacedRule) -> frozenset[tuple[Signature, tuple[Term, ...]]]:
        """The patterns in the body of a rule, cached since most rules belong to several programs."""
        patterns = self._reading.get(rule.text)
        if patterns is None:
            body = (*rule.positive, *rule.negative, *rule.inner)
            patterns = self._reading[rule.text] = frozenset((a.signature, canonical(a.args)) for a in body)
        return patterns

    def _matching(self, signature: Signature, patterns: set[tuple[Term, ...]]) -> list[clingo.Symbol]:
        """The static facts that match one of the patterns."""
        facts = self._facts[signature]
        if most_general(signature[1]) in patterns or len(facts) < _FEW:
            return list(facts)
        indices = set().union(*(self._indices(signature, p) for p in patterns))
        return [facts[i] for i in sorted(indices)]

    def _indices(self, signature: Signature, pattern: tuple[Term, ...]) -> list[int]:
        """The indices of the static facts of a predicate that match a pattern."""
        indices = self._matches.get((signature, pattern))
        if indices is None:
            patterns = self._patterns.get(signature)
            if patterns is None:
                patterns = [tuple(map(symbols.term_of, f.arguments)) for f in self._facts[signature]]
                self._patterns[signature] = patterns
            indices = [i for i, fact in enumerate(patterns) if unify_all(pattern, fact, {}) is not None]
            self._matches[signature, pattern] = indices
        return indices


def possible(rules: Sequence[PlacedRule], static: Mapping[Signature, Iterable[clingo.Symbol]]) -> list[PlacedRule]:
    """The rules that can fire in some position: their static literals hold, and their other positive literals can be derived.

    Args:
        rules: All rules.
        static: All static facts, by signature.
    """
    ground_signatures = {a.signature for r in rules for a in r.positive if _is_ground(a)}
    texts = {s: set(map(str, facts)) if s in ground_signatures else set() for s, facts in static.items()}
    firing = [r for r in rules if can_fire(r, texts)]
    derived = {h.signature for r in rules for h in r.heads} - set(static)
    return derivable(firing, derived, lambda r: [a.signature for a in r.positive])


def can_fire(rule: PlacedRule, static: Mapping[Signature, set[str]]) -> bool:
    """Whether the ground static literals of a rule hold; False for static rules, whose facts are known.

    Args:
        rule: The rule.
        static: All static predicates, with the facts of those that rules read without variables, as texts.
    """
    if rule.heads and all(h.signature in static for h in rule.heads):
        return False
    for atom in rule.positive:
        facts = static.get(atom.signature)
        if facts is None or not _is_ground(atom):
            continue
        text = f"{atom.name}({','.join(label(a) for a in atom.args)})" if atom.args else atom.name
        if text not in facts:
            return False
    return True


def _is_ground(atom: SimpleAtom) -> bool:
    """Whether all arguments of an atom are constants."""
    return all(isinstance(a, CONSTANTS) for a in atom.args)


_VARIANTS: Final = 500
"""The largest number of cached sets of rules that can fire, for each program."""
Symbols: TypeAlias = Iterable[clingo.Symbol]
"""Facts or actions, in any order."""
Facts: TypeAlias = frozenset[clingo.Symbol]
"""The facts of a position."""
Mark: TypeAlias = Signature | clingo.Symbol
"""A condition on the given facts: a signature stands for any fact of its predicate, a symbol for this fact."""


class CacheEntry(NamedTuple):
    """The place of a program in the cache.

    Attributes:
        programs: The store of the programs of its ruleset.
        codes: The store of the compiled functions of its rulebook.
        key: The key of the program in its store.
    """

    programs: Store
    codes: Store
    key: Hashable


class Undecided(Exception):
    """Grounding left an atom undecided: the rulebook is not stratified. Only its author can see this."""


class Endless(Undecided, NotDecided):
    """The automatic steps of a position do not end: a mistake of the rulebook."""


@dataclass(frozen=True)
class EngineProgram:
    """A slice of the rules, ready to be evaluated.

    Attributes:
        rules: Its rules.
        inputs: The signatures of the given facts that it reads.
        static: The static facts that it reads.
        entry: Its place in the cache on disk, or None.
        outputs: The predicates that callers read; None if they may read any.
        checked: Whether a calculation that leaves 32 bits is an error. Otherwise it wraps around, as clingo does.
    """

    rules: tuple[PlacedRule, ...]
    inputs: frozenset[Signature]
    static: tuple[clingo.Symbol, ...]
    entry: CacheEntry | None = field(default=None, compare=False, repr=False)
    outputs: frozenset[Signature] | None = None
    checked: bool = False
    _firing: dict[frozenset[Mark], tuple[PlacedRule, ...]] = field(default_factory=dict, compare=False, repr=False)

    def __hash__(self) -> int:
        """A hash, which is computed once: programs are keys of what is remembered about them."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.rules, self.inputs, self.static, self.outputs, self.checked))

    def firing(self, facts: Symbols) -> tuple[PlacedRule, ...]:
        """The rules that can fire over some facts."""
        marks: set[Mark] = set()
        for fact in facts:
            signature = symbols.signature(fact)
            marks.add(signature)
            if fact in self._marks.get(signature, ()):
                marks.add(fact)
        key = frozenset(marks)
        rules = self._firing.get(key)
        if rules is None:
            if len(self._firing) >= _VARIANTS:
                self._firing.clear()
            rules = self._firing[key] = tuple(self.rules[i] for i in sorted(self._firing_over(key)))
        return rules

    def _firing_over(self, marks: frozenset[Mark]) -> Iterator[int]:
        """Yields the indices of the rules that can fire over given facts, by forward chaining on predicates."""
        there = marks | self._stated
        waiting = [i for i, (_, blocks) in enumerate(self._conditions) if blocks.isdisjoint(there)]
        grows = True
        while grows:
            new = {i for i in waiting if self._conditions[i][0] <= there}
            yield from new
            there |= {h.signature for i in new for h in self.rules[i].heads}
            waiting = [i for i in waiting if i not in new]
            grows = bool(new)

    @cached_property
    def _stated(self) -> frozenset[Mark]:
        """The predicates of the static facts."""
        return frozenset(map(symbols.signature, self.static))

    @cached_property
    def _conditions(self) -> list[tuple[frozenset[Mark], frozenset[Mark]]]:
        """For each rule the marks that must be given or derived for it to fire, and those that must not be given."""
        only_given = self.inputs.difference(h.signature for rule in self.rules for h in rule.heads)
        return [
            (
                frozenset(_mark(a, a.signature in only_given) for a in rule.positive),
                frozenset(_mark(a, True) for a in rule.negative if _is_whole(a)),
            )
            for rule in self.rules
        ]

    @cached_property
    def _marks(self) -> dict[Signature, set[clingo.Symbol]]:
        """The facts that are marks of some rule, by signature."""
        marks: dict[Signature, set[clingo.Symbol]] = defaultdict(set)
        for conditions in self._conditions:
            for mark in frozenset().union(*conditions):
                if isinstance(mark, clingo.Symbol):
                    marks[symbols.signature(mark)].add(mark)
        return dict(marks)


def _mark(atom: SimpleAtom, is_input: bool) -> Mark:
    """The mark of an atom: the fact itself if it is ground and only given, otherwise its predicate."""
    if is_input and atom.args and all(isinstance(a, CONSTANTS) for a in atom.args):
        return clingo.Function(atom.name, [symbols.symbol_of(a) for a in atom.args])
    return atom.signature


def _is_whole(atom: SimpleAtom) -> bool:
    """Whether an atom is ground, or has ``_`` for all its arguments."""
    return all(isinstance(a, CONSTANTS) for a in atom.args) or all(map(is_anonymous, atom.args))


class Grounding:
    """A ground program. It keeps its control alive, as reading atoms of a collected control crashes."""

    def __init__(self, program: EngineProgram, facts: Symbols, exact: bool = False) -> None:
        """Grounds the program over some facts.

        Args:
            program: The program.
            facts: The facts.
            exact: Whether it is known that no calculation of the text leaves 32 bits.

        Raises:
            NotDecided: A calculation may leave 32 bits.
        """
        inputs, signature = program.inputs, symbols.signature
        read = [symbol for symbol in facts if signature(symbol) in inputs]
        rules = program.firing(read)
        self._control = clingo.ground((clingo.tree(rule.text) for rule in rules), (*program.static, *read))
        refuse_wraparound((r.text for r in rules if not exact or folds(r.text)), self._control)

    def get(self, name: str, arity: int) -> list[clingo.Symbol]:
        """The atoms of a predicate; Undecided if one is not a fact."""
        atoms = []
        for atom in self._control.symbolic_atoms.by_signature(name, arity):
            if not atom.is_fact:
                raise Undecided(str(atom.symbol))
            atoms.append(atom.symbol)
        return atoms

    def arguments(self, name: str, arity: int) -> list[tuple[clingo.Symbol, ...]]:
        """The arguments of each atom of a predicate."""
        return [tuple(symbol.arguments) for symbol in self.get(name, arity)]

    def sole_arguments(self, name: str, arity: int) -> list[clingo.Symbol]:
        """The argument of each atom of a predicate that has one."""
        return [symbol.arguments[0] for symbol in self.get(name, arity)]

    def undecided_atoms(self) -> list[str]:
        """All atoms that are not facts. Tests check that there are none."""
        return [str(a.symbol) for a in self._control.symbolic_atoms if not a.is_fact]
