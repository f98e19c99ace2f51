"""The rules of the vocabulary taken apart: which facts there are of which kept arguments, without listing them.

Of ``fluent(person(R,musketeer(V),P,G,1..N)) :- player(R), copies(musketeer(V),N), place(P), load(G)`` the load is one that
nothing else of the rule depends on: whatever the other arguments are, there are the same loads. So the rule says the same as
a set of loads beside a list of the other arguments, each with the values of the counter. A rule in which what is left out
depends on what is kept is not taken apart: of it nothing is said.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import clingo

from ..engine.grounding import Grounding
from ..engine.ruleset import Ruleset
from ..rules.loader import parse_rules
from ..rules.pattern import Signature
from ..rules.predicates import DUE, FLUENT
from ..rules.rule import Rule
from ..symbolic.flattening import Shape, Unprojectable, parts_of
from ..symbolic.kept import initial, shapes_of, vocabulary_rules
from ..symbolic.numbers import NUMBER, numbered
from ..symbolic.trees import parsed, symbolic, term_of
from .terms import names_in

Key: TypeAlias = tuple[clingo.Symbol, ...]
"""The kept arguments of a fact."""


@dataclass(frozen=True)
class Part:
    """What a rule of the vocabulary states of a fluent.

    Attributes:
        values: The kept arguments, each with the values that the counter has; with none where it is no counter.
        places: The arguments that are left out, but for a counter's value, each with what it is, whatever the others are.
        endless: 1 where the counter's value is any number from 0 on, -1 where it is one with its sign turned, 0 otherwise.
    """

    values: Mapping[Key, frozenset[int]]
    places: Mapping[int, frozenset[clingo.Symbol]]
    endless: int = 0


@dataclass(frozen=True)
class Stated:
    """What the vocabulary states of a fluent.

    Attributes:
        parts: What each rule states that could be taken apart.
        whole: Whether that is all of them.
    """

    parts: tuple[Part, ...]
    whole: bool

    @property
    def keys(self) -> set[Key]:
        """The kept arguments of which there are facts."""
        return {k for p in self.parts for k in p.values}


def stated(ruleset: Ruleset) -> Mapping[Signature, Stated]:
    """What the vocabulary states of each fluent; worked out once.

    Raises:
        Unprojectable: It is not known which facts there are.
    """
    return ruleset.remember("vocabulary taken apart", lambda: _stated(ruleset))


def _stated(ruleset: Ruleset) -> Mapping[Signature, Stated]:
    shapes = {s.signature: s for group in shapes_of(ruleset).values() for s in group}
    fluents = initial(ruleset)
    found = {}
    for fluent in sorted(fluents.keys() - {DUE}):
        shape = shapes.get(fluent)
        about = fluent if shape is None else (shape.fluent, 1)
        rules = vocabulary_rules(ruleset, about)
        dropped, counter = fluents[fluent], fluent in ruleset.book.counters
        parts = [
            _taken(ruleset, r, shape, fluent, (dropped, counter))
            if dropped
            else _whole(ruleset, r, shape, fluent)
            for r, _ in rules
            if _fixed(ruleset, r)
        ]
        kept_parts = tuple(p for p in parts if p is not None)
        found[fluent] = Stated(kept_parts, len(kept_parts) == len(rules))
    return found


def _fixed(ruleset: Ruleset, rule: Rule) -> bool:
    """Whether a rule asks for nothing but what never changes, and its conditions can be told from one another."""
    body = rule.text.removesuffix(".").partition(" :- ")[2]
    same = "; ".join(x.text for x in rule.literals) == body
    moving = numbered(ruleset) - {NUMBER}
    return same and all(s == NUMBER or (s in ruleset.book.static and s not in moving) for s in rule.uses)


def _whole(ruleset: Ruleset, rule: Rule, shape: Shape | None, fluent: Signature) -> Part | None:
    """What a rule states of which nothing is left out: all its facts."""
    if NUMBER in rule.uses:
        return None
    keys = set()
    for s in Grounding(ruleset.complete((rule,)), ()).get(*FLUENT):
        fact = s.arguments[0]
        args = fact.arguments if shape is None else shape.leaves(fact.arguments[0])
        if args is not None and (shape is not None or (fact.name, len(args)) == fluent):
            keys.add(tuple(args))
    return Part(dict.fromkeys(keys, frozenset()), {})


def _taken(
    ruleset: Ruleset, rule: Rule, shape: Shape | None, fluent: Signature, what: tuple[set[int], bool]
) -> Part | None:
    """A rule taken apart, or None; ``what``: what is left out of the fluent, and whether it is a counter."""
    try:
        args = _arguments(rule, shape)
    except Unprojectable:
        return None
    if args is None:
        return Part({}, {})
    dropped, counter = what
    texts = [str(a) for a in args]
    value = fluent[1] - 1 if counter else None
    left = list(_groups([x.text for x in rule.literals]))
    lines, own = [], {i: set(names_in(t)) - {"_"} for i, t in enumerate(texts)}
    for i in sorted(dropped - {value}):
        mine = [g for g in left if g[0] & own[i]]
        used = own[i].union(*(g[0] for g in mine))
        if any(used & own[j] for j in own if j != i):
            return None
        left = [g for g in left if g not in mine]
        lines.append(_line(f"place__({i},{texts[i]})", [x for g in mine for x in g[1]]))
    rest = [x for g in left for x in g[1]]
    endless, number = 0, "0"
    if value is not None:
        endless, rest = _endless(texts[value], rest, [*texts[:value]])
        number = "0" if endless else texts[value]
    keys = "".join(f"{t}," for i, t in enumerate(texts) if i not in dropped)
    lines.append(_line(f"room__(({keys}x),{number})", rest))
    rules = tuple(parse_rules("\n".join(lines)))
    if any(NUMBER in r.uses for r in rules):
        return None
    grounding = Grounding(ruleset.complete(rules), ())
    places: dict[int, set[clingo.Symbol]] = {i: set() for i in dropped - {value}}
    for s in grounding.get("place__", 2):
        places[s.arguments[0].number].add(s.arguments[1])
    values: dict[Key, set[int]] = defaultdict(set)
    for s in grounding.get("room__", 2):
        key, n = s.arguments
        numeric = counter and not endless and n.type is clingo.SymbolType.Number
        values[tuple(key.arguments[:-1])].update([n.number] if numeric else [])
    sets = {i: frozenset(x) for i, x in places.items()}
    return Part({k: frozenset(n) for k, n in values.items()}, sets, endless)


def _arguments(rule: Rule, shape: Shape | None) -> Sequence[Any] | None:
    """The arguments of the fact that a rule states, or the parts of a structure; None where that has another shape.

    Raises:
        Unprojectable: The rule is of another form.
    """
    head = symbolic(parsed(rule.text).head)
    if head is None or len(head[1]) != 1:
        raise Unprojectable(rule.text)
    args = term_of(head[1][0])[1]
    return args if shape is None else parts_of(shape.skeleton, args[0])


def _groups(literals: Sequence[str]) -> Iterator[tuple[set[str], list[str]]]:
    """The conditions in groups that share no variable, each with its variables."""
    groups: list[tuple[set[str], list[str]]] = []
    for text in literals:
        used = set(names_in(text)) - {"_"}
        linked = [g for g in groups if g[0] & used]
        groups = [g for g in groups if not g[0] & used]
        groups.append((used.union(*(g[0] for g in linked)), [*(x for g in linked for x in g[1]), text]))
    return iter(groups)


def _endless(value: str, rest: list[str], others: Sequence[str]) -> tuple[int, list[str]]:
    """Whether a value is any number from 0 on (1), or such a one with its sign turned (-1); the other conditions."""
    times = Counter(v for x in (*rest, *others) for v in names_in(x))
    for sign, name in ((1, value), (-1, value.removeprefix("-"))):
        given = f"number({name})"
        if given in rest and times[name] == 1 and value == ("" if sign > 0 else "-") + name:
            return sign, [x for x in rest if x != given]
    return 0, rest


def _line(head: str, body: Sequence[str]) -> str:
    return f"{head} :- {'; '.join(body)}." if body else f"{head}."
