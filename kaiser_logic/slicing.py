"""Slices: of all rules, those that a question needs. Mechanical; knows no game.

Forward, from what is given (the kinds of the pending decisions, the kind of the submitted action, the step that is
due), the rules that can fire are found by unification of patterns. Backward, from the wanted predicates, those that
matter. What remains is small, and grounding it is fast.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from .ir import (
    ANY,
    Atom,
    Pattern,
    Rule,
    Signature,
    Substitution,
    canonical,
    rename,
    substitute,
    unify_all,
    variables,
)

Patterns = Mapping[Signature, Iterable[tuple[Pattern, ...]]]
_WIDE = 24


class Slicer:
    """Cuts slices out of a fixed list of rules."""

    def __init__(self, rules: Sequence[Rule], seeds: Iterable[Signature]) -> None:
        """``seeds``: the predicates whose patterns will be given with each slice."""
        self.rules = rules
        self._by_head: dict[Signature, list[int]] = defaultdict(list)
        for i, rule in enumerate(rules):
            for signature in {h.signature for h in rule.heads}:
                self._by_head[signature].append(i)
        self.carriers = self._closure(set(seeds))
        carrying = [i for i, r in enumerate(rules) if any(a.signature in self.carriers for a in r.positive)]
        self._order = self._topological(carrying)
        self._plans = {i: self._plan(rules[i]) for i in self._order}

    def _closure(self, seeds: set[Signature]) -> set[Signature]:
        """The predicates all of whose rules need a seed, if need be through one another; others may hold anyway."""
        carriers = seeds | set(self._by_head)
        changed = True
        while changed:
            changed = False
            for signature, indices in self._by_head.items():
                if signature in carriers - seeds and not all(
                    any(a.signature in carriers for a in self.rules[i].positive) for i in indices
                ):
                    carriers.discard(signature)
                    changed = True
        return carriers

    def _plan(self, rule: Rule) -> list[tuple[Atom, tuple[Pattern, ...]]]:
        """The carrying literals, each with the variables that matter after it."""
        literals = [a for a in rule.positive if a.signature in self.carriers]
        plan = []
        for k, atom in enumerate(literals):
            rest = [a for group in (*literals[k + 1 :], *rule.heads) for a in group.args]
            plan.append((atom, tuple(("v", v) for v in variables(tuple(rest)))))
        return plan

    def _topological(self, indices: list[int]) -> list[int]:
        """The rules in an order in which bodies mostly come before heads."""
        state: dict[Signature, int] = {}
        order: list[int] = []
        wanted = set(indices)

        def visit(signature: Signature) -> None:
            if signature in state:
                return
            state[signature] = 1
            own = [i for i in self._by_head.get(signature, ()) if i in wanted]
            for i in own:
                for atom in self.rules[i].positive:
                    visit(atom.signature)
            order.extend(own)

        for signature in self._by_head:
            visit(signature)
        return list(dict.fromkeys(order))

    def slice(self, seeds: Patterns, outputs: Iterable[Atom]) -> list[Rule]:
        """The rules needed for the outputs, when the seeds hold only for the given patterns."""
        fired = self._forward(seeds)
        return [self.rules[i] for i in sorted(self._backward(outputs, fired))]

    def _forward(self, seeds: Patterns) -> set[int]:
        known: dict[Signature, set[tuple[Pattern, ...]]] = defaultdict(set)
        for signature, patterns in seeds.items():
            known[signature] |= {canonical(p) for p in patterns}
        fired = {
            i for i, r in enumerate(self.rules) if not any(a.signature in self.carriers for a in r.positive)
        }
        grown = dict.fromkeys(known, 1)  # when a predicate got its last pattern
        joined: dict[int, int] = {}  # when a rule was last looked at
        clock, changed = 1, True
        while changed:
            changed = False
            for i in self._order:
                if not any(grown.get(a.signature, 0) > joined.get(i, 0) for a, _ in self._plans[i]):
                    continue
                if not all(known.get(a.signature) for a, _ in self._plans[i]):
                    continue
                joined[i] = clock
                bindings = self._join(i, known)
                if not bindings:
                    continue
                fired.add(i)
                for head in self.rules[i].heads:
                    if head.signature not in self.carriers:
                        continue
                    patterns, everything = known[head.signature], anything(len(head.args))
                    if everything in patterns:
                        continue
                    for binding in bindings:
                        new = canonical(tuple(substitute(a, binding) for a in head.args))
                        if new not in patterns:
                            patterns.add(new)
                            clock += 1
                            grown[head.signature] = clock
                            changed = True
                    if len(patterns) > _WIDE:
                        known[head.signature] = {everything}
        return fired

    def _join(self, rule: int, known: Mapping[Signature, set[tuple[Pattern, ...]]]) -> list[Substitution]:
        """The ways in which the rule's carrying literals match what is known."""
        bindings: list[Substitution] = [{}]
        for k, (atom, names) in enumerate(self._plans[rule]):
            found: dict[tuple[Pattern, ...], Substitution] = {}
            for pattern in known.get(atom.signature, ()):
                renamed = _apart(pattern, k)
                for binding in bindings:
                    new = unify_all(atom.args, renamed, binding)
                    if new is not None:
                        found.setdefault(canonical(tuple(substitute(v, new) for v in names)), new)
            bindings = list(found.values())
            if not bindings:
                return []
        return bindings

    def _backward(self, outputs: Iterable[Atom], fired: set[int]) -> set[int]:
        demanded: dict[Signature, set[tuple[Pattern, ...]]] = defaultdict(set)
        kept: set[int] = set()
        pending = [(a.signature, canonical(a.args)) for a in outputs]
        while pending:
            signature, pattern = pending.pop()
            known = demanded[signature]
            everything = anything(len(pattern))
            if pattern in known or everything in known:
                continue
            if len(known) > _WIDE:
                pattern = everything
            known.add(pattern)
            renamed = rename(pattern, "d")
            for i in self._by_head.get(signature, ()):
                if i not in fired:
                    continue
                rule = self.rules[i]
                for head in rule.heads:
                    if head.signature != signature:
                        continue
                    binding = unify_all(head.args, renamed, {})
                    if binding is None:
                        continue
                    kept.add(i)
                    for atom in (*rule.positive, *rule.negative, *rule.inner):
                        if atom.signature in self._by_head:
                            args = canonical(tuple(substitute(a, binding) for a in atom.args))
                            pending.append((atom.signature, args))
        return kept


@lru_cache(maxsize=50_000)
def _apart(pattern: tuple[Pattern, ...], literal: int) -> tuple[Pattern, ...]:
    """The pattern with variables of its own, for one of a rule's literals."""
    return rename(pattern, str(literal))


def top(name: str, arity: int) -> Atom:
    """The atom that demands a predicate whatever its arguments."""
    return Atom(name, tuple(("v", f"X{k}") for k in range(arity)))


def anything(arity: int) -> tuple[Pattern, ...]:
    """The pattern that matches all arguments."""
    return tuple(("v", f"#{k}") for k in range(arity)) if arity else (ANY,) * 0
