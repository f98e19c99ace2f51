"""Facts that no position changes, and which of them a program reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from .. import clingo
from ..rules.pattern import Pattern, Signature, anything, canonical, unify_all
from ..rules.rule import Atom, Rule
from . import symbols
from .grounding import Program

_FEW: Final = 8
"""So few facts of a predicate are not worth choosing among."""


class StaticFacts:
    """The static facts of one game: each program gets those that match what its rules read."""

    def __init__(self, facts: Mapping[Signature, tuple[clingo.Symbol, ...]]) -> None:
        """``facts``: all of them, by signature."""
        self._facts = facts
        self._reading: dict[str, frozenset[tuple[Signature, tuple[Pattern, ...]]]] = {}
        self._patterns: dict[Signature, list[tuple[Pattern, ...]]] = {}
        self._matches: dict[tuple[Signature, tuple[Pattern, ...]], list[int]] = {}

    def complete(self, rules: tuple[Rule, ...]) -> Program:
        """The program of these rules with the static facts they read."""
        wanted: dict[Signature, set[tuple[Pattern, ...]]] = defaultdict(set)
        for rule in rules:
            for signature, pattern in self._reads(rule):
                wanted[signature].add(pattern)
        stated = sorted(wanted.keys() & self._facts.keys())
        static = tuple(s for signature in stated for s in self._matching(signature, wanted[signature]))
        return Program(rules, frozenset(wanted).difference(stated), static)

    def _reads(self, rule: Rule) -> frozenset[tuple[Signature, tuple[Pattern, ...]]]:
        """The patterns of a rule's body; most rules stand in several programs."""
        found = self._reading.get(rule.text)
        if found is None:
            body = (*rule.positive, *rule.negative, *rule.inner)
            found = self._reading[rule.text] = frozenset((a.signature, canonical(a.args)) for a in body)
        return found

    def _matching(self, signature: Signature, patterns: set[tuple[Pattern, ...]]) -> list[clingo.Symbol]:
        """The static facts that match one of the patterns."""
        facts = self._facts[signature]
        if anything(signature[1]) in patterns or len(facts) < _FEW:
            return list(facts)
        places = set().union(*(self._places(signature, p) for p in patterns))
        return [facts[i] for i in sorted(places)]

    def _places(self, signature: Signature, pattern: tuple[Pattern, ...]) -> list[int]:
        """Which of the static facts of a predicate match a pattern."""
        found = self._matches.get((signature, pattern))
        if found is None:
            known = self._patterns.get(signature)
            if known is None:
                known = [tuple(map(symbols.value_pattern, f.arguments)) for f in self._facts[signature]]
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
        text = f"{atom.name}({','.join(a[1] for a in atom.args)})" if atom.args else atom.name
        if text not in facts:
            return False
    return True


def _is_ground(atom: Atom) -> bool:
    """Whether an atom has nothing but constants."""
    return all(a[0] == "c" for a in atom.args)
