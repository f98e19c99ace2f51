"""Slices: the rules that a question needs.

Forward, from the given patterns (the pending decisions, the submitted action, the step that is due), the rules that can
fire are found by unification. Backward, from the wanted predicates, the rules on which they depend are
found. The slice is small, and grounding it is fast.

The effects of a judged ``take(K)`` need two rules. The rule for ``pass`` cannot fire, and points are not wanted:

>>> from kaiser_logic.rules.loader import parse_rules
>>> from kaiser_logic.rules.reader import read_term
>>> from kaiser_logic.rules.rule import top
>>> rules = parse_rules('''
...     does(R,A) :- submitted(R,A).
...     add(last(R)) :- does(R,take(_)).
...     add(passed(R)) :- does(R,pass).
...     goal(R,1) :- last(R).''')
>>> take = read_term("take(K)")
>>> for rule in Slicer(rules, [SUBMITTED]).slice(seeds(actions=[take]), [top("add", 1)]):
...     print(rule.text)
does(R,A) :- submitted(R,A).
add(last(R)) :- does(R,take(_)).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from heapq import heappop, heappush
from itertools import islice
from typing import Any, Final, TypeAlias, TypeVar

from ..function_caches import cache_until_change
from ..lang.algebra import variables
from ..lang.graph import conditional
from ..lang.terms import Signature, Term, Var
from ..lang.unification import (
    Binding,
    canonical,
    functor,
    most_general,
    rename_all,
    resolve_to_depth,
    unify_all,
)
from ..rules.fresh import ROLE_TERM
from ..rules.predicates import (
    BOARD_FACT,
    CANDIDATE,
    CHANGE,
    COUNTS,
    DECISION,
    DOES,
    DUE,
    EFFECTS,
    FLUENT,
    LEGAL,
    MORE,
    OFFERED,
    SUBMITTED,
    THEN,
    TOTAL,
)
from ..rules.rule import PlacedRule, SimpleAtom

_READINGS: Final = frozenset({DOES, CANDIDATE, LEGAL, OFFERED, COUNTS, TOTAL, CHANGE, THEN, MORE, *EFFECTS})
_LISTS: Final = frozenset({FLUENT, ("holds", 1), ("action", 2), ("board", 1), BOARD_FACT, ("number", 1)})
_INPUTS: Final = _READINGS | _LISTS
"""Predicates that some question gets as facts, or defines itself, although the rules define them too."""


class Heads:
    """The heads of a fixed list of rules: an atom that none of them matches can never be derived.

    >>> from kaiser_logic.rules.loader import parse_rules
    >>> from kaiser_logic.rules.reader import read_term
    >>> rules = parse_rules("bad(A) :- wants(A,X), unfit(X). wants(buy(X),X) :- offer(X). unfit(X) :- worn(X).")
    >>> heads = Heads(rules, [])
    >>> heads.never(rules[0], {"A": read_term("pass")}), heads.never(rules[0], {"A": read_term("buy(hat)")})
    (True, False)
    """

    def __init__(self, rules: Iterable[PlacedRule], inputs: Iterable[Signature]) -> None:
        """``inputs``: the predicates whose facts a question gets, whatever the rules derive."""
        self._heads: dict[Signature, list[tuple[Term, ...]]] = defaultdict(list)
        for rule in rules:
            for head in rule.heads:
                self._heads[head.signature].append(head.args)
        self._inputs = _INPUTS.union(inputs)
        self._lacking: dict[tuple[Signature, tuple[Term, ...]], bool] = {}

    def never(self, rule: PlacedRule, binding: Binding) -> bool:
        """Whether a rule's body, under this binding, needs an atom that no rule's head matches.

        If ``bad(A) :- wants(A,X), unfit(X)`` cannot fire for an action, because it `wants` nothing, ``unfit`` need not be derived
        for all wanted things.
        """
        return any(self._lacks(a.signature, a.args, binding) for a in rule.positive)

    def _lacks(self, signature: Signature, args: Sequence[Term], binding: Binding) -> bool:
        heads = self._heads.get(signature)
        if heads is None or signature in self._inputs:
            return False
        pattern = rename_all(canonical(tuple([resolve_to_depth(x, binding) for x in args])), "d")
        lacks = self._lacking.get((signature, pattern))
        if lacks is None:
            lacks = all(unify_all(head, pattern, {}) is None for head in heads)
            self._lacking[signature, pattern] = lacks
        return lacks


Args: TypeAlias = tuple[Term, ...]
Known: TypeAlias = dict[Signature, frozenset[Args]]
"""The patterns of each predicate's atoms that can hold."""
Made: TypeAlias = tuple[Args, ...]
"""The arguments of each of a rule's heads."""


class RuleStep:
    """A rule prepared for forward propagation.

    Attributes:
        rule: Its index among all rules.
        joins: The patterns that it joins: predicate, arguments, and the variables that matter afterwards.
        heads: The heads that it derives from them.
    """

    def __init__(
        self,
        rule: int,
        joins: tuple[tuple[Signature, Args, Args], ...],
        heads: tuple[tuple[Signature, Args], ...],
    ) -> None:
        """A rule that joins at least one pattern."""
        self.rule, self.joins, self.heads = rule, joins, heads
        self._reads = {signature for signature, _, _ in joins}
        self._alone: dict[Args, tuple[Made, ...]] = {}

    def follow(self, known: Known, new: Iterable[Args]) -> set[Made]:
        """The arguments of each head that the rule derives from known patterns.

        ``new``: the patterns that are new for this rule. A rule with one literal is evaluated for these alone.
        """
        if len(self.joins) > 1:
            return set(map(self._arguments_made, self.join(known)))
        patterns = known[self.joins[0][0]]  # without those that have become one that matches all
        return {made for pattern in new if pattern in patterns for made in self._made_of(pattern)}

    def _made_of(self, pattern: Args) -> tuple[Made, ...]:
        """The heads that a rule with one literal derives from a pattern, at most one each. They are cached for many slices."""
        heads = self._alone.get(pattern)
        if heads is None:
            binding = unify_all(self.joins[0][1], _rename_apart(pattern, 0), {})
            heads = self._alone[pattern] = () if binding is None else (self._arguments_made(binding),)
        return heads

    def _arguments_made(self, binding: Binding) -> Made:
        """The arguments of each head under a binding."""
        return tuple(canonical(tuple([resolve_to_depth(a, binding) for a in args])) for _, args in self.heads)

    def join(self, known: Known) -> list[Binding]:
        """The bindings with which the rule's carrying literals match known patterns."""
        for signature in self._reads:
            if not known.get(signature):
                return []
        bindings: list[Binding] = [{}]
        for k, (signature, args, names) in enumerate(self.joins):
            patterns = known[signature]
            if most_general(len(args)) in patterns:
                continue
            bindings_met = _matches(args, [_rename_apart(pattern, k) for pattern in patterns], bindings)
            if not names:  # no later literal needs the binding
                bindings = list(islice(bindings_met, 1))
            else:
                bindings = list(bindings_met)
                if len(bindings) > 1:
                    same = {canonical(tuple([resolve_to_depth(v, b) for v in names])): b for b in bindings}
                    bindings = list(same.values())
            if not bindings:
                return []
        return bindings


def _matches(args: Args, patterns: Iterable[Args], bindings: Iterable[Binding]) -> Iterator[Binding]:
    """The bindings under which a literal's arguments match one of the patterns."""
    for pattern in patterns:
        for binding in bindings:
            extended = unify_all(args, pattern, binding)
            if extended is not None:
                yield extended


@cache_until_change(50_000)
def _rename_apart(pattern: Args, literal: int) -> Args:
    """The pattern with fresh variables, for one of a rule's literals."""
    return rename_all(pattern, str(literal))


Patterns: TypeAlias = Mapping[Signature, Iterable[tuple[Term, ...]]]
Cut: TypeAlias = Callable[..., list[PlacedRule]]
S = TypeVar("S")
T = TypeVar("T")

_MOST: Final = 4096
"""The largest number of cached slices of one list of rules."""


def memoize(
    cut: Callable[[S, Patterns, Iterable[SimpleAtom], frozenset[Signature]], list[PlacedRule]],
) -> Cut:
    """A method that caches its results in the object, whose rules never change."""

    @wraps(cut)
    def again(
        self: Any, seeds: Patterns, outputs: Iterable[SimpleAtom], without: frozenset[Signature] = frozenset()
    ) -> list[PlacedRule]:
        given = {signature: tuple(patterns) for signature, patterns in seeds.items()}
        outputs_asked = tuple(outputs)
        known: dict[object, list[PlacedRule]] = self.__dict__.setdefault("_slices", {})
        key = tuple(given.items()), outputs_asked, without
        rules = known.get(key)
        if rules is None:
            if len(known) >= _MOST:
                known.clear()
            rules = known[key] = cut(self, given, outputs_asked, without)
        return list(rules)

    return again


Seeds: TypeAlias = dict[Signature, list[tuple[Term, ...]]]
Demands: TypeAlias = tuple[tuple[Signature, tuple[Term, ...]], ...]
Tops: TypeAlias = tuple[Signature | None, ...]
_MOST_PATTERNS = 48
"""The largest number of patterns of a predicate that are distinguished; more than the kinds of action at any decision."""


class Slicer:
    """Cuts slices out of a fixed list of rules.

    Attributes:
        rules: All rules.
        carriers: The predicates all of whose rules need a seed, directly or through each other; others may hold anyway.
    """

    def __init__(
        self, rules: Sequence[PlacedRule], seeds: Collection[Signature], inputs: Iterable[Signature] = ()
    ) -> None:
        """A slicer for some rules.

        Args:
            rules: All there are.
            seeds: The predicates whose patterns will be given with each slice.
            inputs: Predicates with given facts that no rule here derives.
        """
        self.rules = rules
        self._by_head: dict[Signature, list[int]] = defaultdict(list)
        for i, rule in enumerate(rules):
            for signature in {h.signature for h in rule.heads}:
                self._by_head[signature].append(i)
        self._bodies = [
            [a for a in (*r.positive, *r.negative, *r.inner) if a.signature in self._by_head] for r in rules
        ]
        self._about: dict[frozenset[Signature], frozenset[int]] = {}
        self._demanded: dict[tuple[Signature, tuple[Term, ...]], dict[int, Demands | None]] = defaultdict(dict)
        self.carriers = conditional(rules, seeds, lambda r: [a.signature for a in r.positive])
        self._heads = Heads(rules, {*seeds, *inputs})
        carrying = [i for i, r in enumerate(rules) if any(a.signature in self.carriers for a in r.positive)]
        self._anyway = frozenset(range(len(rules))).difference(carrying)
        self._steps = [self._step(i) for i in self._topological(carrying)]
        self._readers: dict[Signature, dict[Tops, list[int]]] = defaultdict(lambda: defaultdict(list))
        for place, step in enumerate(self._steps):
            for signature, args, _ in step.joins:
                self._readers[signature][tuple(map(functor, args))].append(place)
        self._concerned: dict[tuple[Signature, Tops], frozenset[int]] = {}
        self._alone: dict[frozenset[Signature], tuple[Known, frozenset[int]]] = {}

    def _step(self, index: int) -> RuleStep:
        """The carrying literals, each with the variables that matter after it, and the resulting heads."""
        rule = self.rules[index]
        literals = [a for a in rule.positive if a.signature in self.carriers]
        joins = []
        for k, atom in enumerate(literals):
            rest = [a for group in (*literals[k + 1 :], *rule.heads) for a in group.args]
            names = tuple(Var(v) for v in variables(*rest))
            joins.append((atom.signature, atom.args, names))
        heads = tuple((h.signature, h.args) for h in rule.heads if h.signature in self.carriers)
        return RuleStep(index, tuple(joins), heads)

    def _topological(self, indices: list[int]) -> list[int]:
        """The rules in an order in which bodies usually come before heads."""
        seen: set[Signature] = set()
        order: list[int] = []
        chosen = set(indices)

        def visit(signature: Signature) -> None:
            if signature in seen:
                return
            seen.add(signature)
            own = [i for i in self._by_head.get(signature, ()) if i in chosen]
            for atom in (a for i in own for a in self.rules[i].positive):
                visit(atom.signature)
            order.extend(own)

        for signature in self._by_head:
            visit(signature)
        return list(dict.fromkeys(order))

    @memoize
    def slice(self, seeds: Patterns, outputs: Iterable[SimpleAtom], without: frozenset[Signature]) -> list[PlacedRule]:
        """The rules needed for the outputs if the seeds hold only for these patterns; no rules about ``without``."""
        fired = self._forward(seeds) - self._speaking(without)
        return [self.rules[i] for i in sorted(self._backward(outputs, fired))]

    def _speaking(self, of: frozenset[Signature]) -> frozenset[int]:
        """The rules that mention one of these predicates."""
        if of not in self._about:
            rules = enumerate(self.rules) if of else ()
            self._about[of] = frozenset(i for i, r in rules if any(a.signature in of for a in r.atoms))
        return self._about[of]

    def _forward(self, seeds: Patterns) -> frozenset[int]:
        """The rules that can fire. Consequences of seeds that match anything are computed once for many slices."""
        narrow = {s: frozenset(map(canonical, patterns)) for s, patterns in seeds.items()}
        general = frozenset(s for s, patterns in narrow.items() if most_general(s[1]) in patterns)
        if general not in self._alone:
            everything = {s: frozenset([most_general(s[1])]) for s in general}
            self._alone[general] = self._grown({}, self._anyway, everything)
        known, fired = self._alone[general]
        return self._grown(known, fired, {s: p for s, p in narrow.items() if p and s not in general})[1]

    def _grown(self, known: Known, fired: frozenset[int], seeds: Known) -> tuple[Known, frozenset[int]]:
        """The known patterns and fired rules after adding seeds. A rule is tried again whenever its inputs have grown."""
        known = {**known, **{s: known.get(s, frozenset()) | patterns for s, patterns in seeds.items()}}
        fires: set[int] = set()
        due: list[int] = []
        new: dict[int, list[tuple[Term, ...]]] = {}

        def note(signature: Signature, pattern: tuple[Term, ...]) -> None:
            for place in self._concerns(signature, pattern):
                if place not in new:
                    new[place] = []
                    heappush(due, place)
                new[place].append(pattern)

        for signature, patterns in seeds.items():
            for pattern in patterns:
                note(signature, pattern)
        while due:
            place = heappop(due)
            step = self._steps[place]
            made = step.follow(known, new.pop(place))
            if not made:
                continue
            fires.add(step.rule)
            for k, (signature, _) in enumerate(step.heads):
                for pattern in _learn(known, signature, {args[k] for args in made}):
                    note(signature, pattern)
        return known, fired | fires

    def _concerns(self, signature: Signature, pattern: tuple[Term, ...]) -> frozenset[int]:
        """The rules that could match a pattern, as far as its outermost names show."""
        tops = tuple(map(functor, pattern))
        places_concerned = self._concerned.get((signature, tops))
        if places_concerned is None:
            readers = self._readers[signature].items()
            places_concerned = frozenset(place for t, places in readers if _meet(t, tops) for place in places)
            self._concerned[signature, tops] = places_concerned
        return places_concerned

    def _backward(self, outputs: Iterable[SimpleAtom], fired: frozenset[int]) -> set[int]:
        """The fired rules on which the outputs depend."""
        demanded: dict[Signature, set[tuple[Term, ...]]] = defaultdict(set)
        kept: set[int] = set()
        pending = [(a.signature, canonical(a.args)) for a in outputs]
        general = _MOST_PATTERNS + len(pending)
        while pending:
            signature, pattern = pending.pop()
            known = demanded[signature]
            everything = most_general(len(pattern))
            if pattern in known or everything in known:
                continue
            if len(known) > general:
                pattern = everything
            known.add(pattern)
            demanded_of = self._demanded[signature, pattern]
            for i in self._by_head.get(signature, ()):
                if i not in fired:
                    continue
                if i not in demanded_of:
                    demanded_of[i] = self._demands(i, signature, pattern)
                demands = demanded_of[i]
                if demands is not None:
                    kept.add(i)
                    pending += demands
        return kept

    def _demands(self, index: int, signature: Signature, pattern: tuple[Term, ...]) -> Demands | None:
        """The demands of a rule's body if a head is demanded by this pattern; None if it cannot be derived so."""
        renamed = rename_all(pattern, "d")
        heads = (h for h in self.rules[index].heads if h.signature == signature)
        unified = (unify_all(h.args, renamed, {}) for h in heads)
        bindings = [b for b in unified if b is not None and not self._heads.never(self.rules[index], b)]
        if not bindings:
            return None
        demands = (
            (a.signature, canonical(tuple([resolve_to_depth(x, binding) for x in a.args])))
            for binding in bindings
            for a in self._bodies[index]
        )
        return tuple(dict.fromkeys(demands))


def _meet(a: Tops, b: Tops) -> bool:
    """Whether arguments with these outermost names can be equal."""
    for x, y in zip(a, b, strict=True):  # noqa: SIM110 (asked thousands of times)
        if x != y and x is not None and y is not None:
            return False
    return True


def _learn(known: Known, signature: Signature, made: set[tuple[Term, ...]]) -> set[tuple[Term, ...]]:
    """Adds patterns of a predicate, and returns the new ones; many patterns become one that matches all."""
    patterns, everything = known.get(signature, frozenset()), most_general(signature[1])
    if everything in patterns:
        return set()
    new = made - patterns
    if everything in new or len(patterns) + len(new) > _MOST_PATTERNS:
        patterns, new = frozenset(), {everything}
    known[signature] = patterns | new
    return new


def seeds(
    decisions: Iterable[Term] | None = (),
    steps: Iterable[Term] | None = (),
    actions: Iterable[Term] = (),
) -> Seeds:
    """The seeds of a slice: decisions and steps that may be pending (None: any), and submitted actions."""
    return {
        DECISION: [most_general(2)] if decisions is None else [(ROLE_TERM, d) for d in decisions],
        DUE: [most_general(1)] if steps is None else [(s,) for s in steps],
        SUBMITTED: [(ROLE_TERM, a) for a in actions],
    }


def position_seeds() -> Seeds:
    """The seeds of a question about a position: any decision may be pending, no step is due."""
    return seeds(decisions=None)
