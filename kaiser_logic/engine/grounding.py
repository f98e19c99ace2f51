"""Programs and their groundings, in which every atom is a fact.

A question is answered with a fresh control: the program's syntax trees, its static facts and the position's facts
through the backend, ground, read the atoms by signature. Each rule costs time, even one that cannot fire; so those
are left out at once against which a fact speaks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from .. import clingo
from ..cache import Store
from ..lang.terms import Signature, Term
from ..lang.unification import CONSTANTS, canonical, label, most_general, unify_all
from ..rules.reader import is_anonymous
from ..rules.rule import Atom, Rule
from . import symbols

# -- static --------------------------------------------------------------------------------------------------
#
# Facts that no position changes, and which of them a program reads.


_FEW: Final = 8
"""So few facts of a predicate are not worth choosing among."""


class StaticFacts:
    """The static facts of one game: each program gets those that match what its rules read."""

    def __init__(self, facts: Mapping[Signature, tuple[clingo.Symbol, ...]]) -> None:
        """``facts``: all of them, by signature."""
        self._facts = facts
        self._reading: dict[str, frozenset[tuple[Signature, tuple[Term, ...]]]] = {}
        self._patterns: dict[Signature, list[tuple[Term, ...]]] = {}
        self._matches: dict[tuple[Signature, tuple[Term, ...]], list[int]] = {}

    def complete(self, rules: tuple[Rule, ...]) -> Program:
        """The program of these rules with the static facts they read."""
        wanted: dict[Signature, set[tuple[Term, ...]]] = defaultdict(set)
        for rule in rules:
            for signature, pattern in self._reads(rule):
                wanted[signature].add(pattern)
        stated = sorted(wanted.keys() & self._facts.keys())
        static = tuple(s for signature in stated for s in self._matching(signature, wanted[signature]))
        return Program(rules, frozenset(wanted).difference(stated), static)

    def _reads(self, rule: Rule) -> frozenset[tuple[Signature, tuple[Term, ...]]]:
        """The patterns of a rule's body; most rules stand in several programs."""
        found = self._reading.get(rule.text)
        if found is None:
            body = (*rule.positive, *rule.negative, *rule.inner)
            found = self._reading[rule.text] = frozenset((a.signature, canonical(a.args)) for a in body)
        return found

    def _matching(self, signature: Signature, patterns: set[tuple[Term, ...]]) -> list[clingo.Symbol]:
        """The static facts that match one of the patterns."""
        facts = self._facts[signature]
        if most_general(signature[1]) in patterns or len(facts) < _FEW:
            return list(facts)
        places = set().union(*(self._places(signature, p) for p in patterns))
        return [facts[i] for i in sorted(places)]

    def _places(self, signature: Signature, pattern: tuple[Term, ...]) -> list[int]:
        """The static facts of a predicate that match a pattern."""
        found = self._matches.get((signature, pattern))
        if found is None:
            known = self._patterns.get(signature)
            if known is None:
                known = [tuple(map(symbols.term_of, f.arguments)) for f in self._facts[signature]]
                self._patterns[signature] = known
            found = [i for i, fact in enumerate(known) if unify_all(pattern, fact, {}) is not None]
            self._matches[signature, pattern] = found
        return found


def possible(rules: Sequence[Rule], static: Mapping[Signature, Iterable[clingo.Symbol]]) -> list[Rule]:
    """The rules that can ever fire: no static literal speaks against them, and what they need has such rules too.

    Args:
        rules: All rules.
        static: All static facts, by signature.
    """
    named = {a.signature for r in rules for a in r.positive if _is_ground(a)}
    texts = {s: set(map(str, facts)) if s in named else set() for s, facts in static.items()}
    firing = [r for r in rules if can_fire(r, texts)]
    derived = {h.signature for r in rules for h in r.heads} - set(static)
    while True:
        missing = derived - {h.signature for r in firing for h in r.heads}
        rules, firing = firing, [r for r in firing if not any(a.signature in missing for a in r.positive)]
        if len(firing) == len(rules):
            return firing


def can_fire(rule: Rule, static: Mapping[Signature, set[str]]) -> bool:
    """Whether no static literal of the rule speaks against it; static rules themselves are left out.

    Args:
        rule: The rule.
        static: All static predicates, and the facts of those that rules ask for by name, as texts.
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


def _is_ground(atom: Atom) -> bool:
    """Whether an atom has nothing but constants."""
    return all(isinstance(a, CONSTANTS) for a in atom.args)


_VARIANTS: Final = 500
"""The largest number of cached choices of rules of a program, by the given facts."""
Symbols: TypeAlias = Iterable[clingo.Symbol]
"""Facts or actions, in any order."""
Facts: TypeAlias = frozenset[clingo.Symbol]
"""A given position: all that holds in it."""
Mark: TypeAlias = Signature | clingo.Symbol
"""What can be given: some fact of a predicate, or one that a rule names."""


class CacheEntry(NamedTuple):
    """The place of a program in the cache.

    Attributes:
        programs: The programs of its ruleset, each under its key.
        codes: The functions of its rulebook's rules.
        key: Its own.
    """

    programs: Store
    codes: Store
    key: Hashable


class Undecided(Exception):
    """Grounding left an atom open: the rulebook is not stratified. Only its author can see this."""


@dataclass(frozen=True)
class Program:
    """A slice ready to be grounded.

    Attributes:
        rules: Its rules.
        inputs: Which facts it reads of those that it is given, by signature.
        static: The facts that it reads and that no position changes.
        entry: Where it is kept between processes, or None.
        outputs: The predicates that are asked for, and no others; None if they may be any.
    """

    rules: tuple[Rule, ...]
    inputs: frozenset[Signature]
    static: tuple[clingo.Symbol, ...]
    entry: CacheEntry | None = field(default=None, compare=False, repr=False)
    outputs: frozenset[Signature] | None = None
    _firing: dict[frozenset[Mark], tuple[Rule, ...]] = field(default_factory=dict, compare=False, repr=False)

    def firing(self, facts: Symbols) -> tuple[Rule, ...]:
        """The rules that can fire over these facts: each costs time, even if in vain."""
        given: set[Mark] = set()
        for fact in facts:
            signature = symbols.signature(fact)
            given.add(signature)
            if fact in self._named.get(signature, ()):
                given.add(fact)
        key = frozenset(given)
        found = self._firing.get(key)
        if found is None:
            if len(self._firing) >= _VARIANTS:
                self._firing.clear()
            found = self._firing[key] = tuple(self.rules[i] for i in sorted(self._over(key)))
        return found

    def _over(self, given: frozenset[Mark]) -> Iterator[int]:
        """The rules that can fire where this is given."""
        known = given | self._stated
        left = [i for i, (_, blocks) in enumerate(self._conditions) if blocks.isdisjoint(known)]
        grows = True
        while grows:
            new = {i for i in left if self._conditions[i][0] <= known}
            yield from new
            known |= {h.signature for i in new for h in self.rules[i].heads}
            left = [i for i in left if i not in new]
            grows = bool(new)

    @cached_property
    def _stated(self) -> frozenset[Mark]:
        """The predicates of the static facts."""
        return frozenset(map(symbols.signature, self.static))

    @cached_property
    def _conditions(self) -> list[tuple[frozenset[Mark], frozenset[Mark]]]:
        """For each rule what must be given or follow for it to fire, and what must not be given."""
        given = self.inputs.difference(h.signature for rule in self.rules for h in rule.heads)
        return [
            (
                frozenset(_mark(a, a.signature in given) for a in rule.positive),
                frozenset(_mark(a, True) for a in rule.negative if _is_whole(a)),
            )
            for rule in self.rules
        ]

    @cached_property
    def _named(self) -> dict[Signature, set[clingo.Symbol]]:
        """The facts that make a difference to which rules fire, by signature."""
        found: dict[Signature, set[clingo.Symbol]] = defaultdict(set)
        for conditions in self._conditions:
            for mark in frozenset().union(*conditions):
                if isinstance(mark, clingo.Symbol):
                    found[symbols.signature(mark)].add(mark)
        return dict(found)


def _mark(atom: Atom, given: bool) -> Mark:
    """The fact that must be given for the atom to hold: itself, or any fact of its predicate."""
    if given and atom.args and all(isinstance(a, CONSTANTS) for a in atom.args):
        return clingo.Function(atom.name, [symbols.symbol_of(a) for a in atom.args])
    return atom.signature


def _is_whole(atom: Atom) -> bool:
    """Whether the atom names one fact, or with ``_`` any of its predicate."""
    return all(isinstance(a, CONSTANTS) for a in atom.args) or all(map(is_anonymous, atom.args))


class Grounding:
    """A grounded program. Keeps its control alive: reading atoms of a collected control crashes."""

    def __init__(self, program: Program, facts: Symbols) -> None:
        """Grounds the program over the facts."""
        inputs, signature = program.inputs, symbols.signature
        read = [symbol for symbol in facts if signature(symbol) in inputs]
        nodes = (clingo.tree(rule.text) for rule in program.firing(read))
        self._control = clingo.ground(nodes, (*program.static, *read))

    def get(self, name: str, arity: int) -> list[clingo.Symbol]:
        """The atoms of a predicate; all must be facts."""
        found = []
        for atom in self._control.symbolic_atoms.by_signature(name, arity):
            if not atom.is_fact:
                raise Undecided(str(atom.symbol))
            found.append(atom.symbol)
        return found

    def arguments(self, name: str, arity: int) -> list[tuple[clingo.Symbol, ...]]:
        """The arguments of each atom of a predicate."""
        return [tuple(symbol.arguments) for symbol in self.get(name, arity)]

    def sole_arguments(self, name: str, arity: int) -> list[clingo.Symbol]:
        """The argument of each atom of a predicate that has one."""
        return [symbol.arguments[0] for symbol in self.get(name, arity)]

    def undecided(self) -> list[str]:
        """All atoms that are no facts (for tests: there must be none)."""
        return [str(a.symbol) for a in self._control.symbolic_atoms if not a.is_fact]
