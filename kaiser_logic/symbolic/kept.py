"""What is kept of relations that are too large to be listed in an open position."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Final

from ..engine.grounding import Grounding
from ..engine.ruleset import Ruleset
from ..rules.loader import parse_rules
from ..rules.pattern import Pattern, Signature, variables
from ..rules.predicates import FLUENT
from ..rules.rule import TOKEN, Rule
from . import names
from .flattening import Shape, Unprojectable, shapes

_FEW: Final = 5_000
"""Relations with more facts than this are known in part only."""
_TOO_MANY: Final = 100_000
"""So many facts of a relation are listed in an open position at most."""
_PLAIN: Final = re.compile(r"[A-Z]\w*")
_VALUE: Final = re.compile(r"[A-Z]\w* = [^<>!]*")
"""A condition that says what a variable is."""


@dataclass
class Kept:
    """Which arguments are kept.

    Attributes:
        fluents: The rulebook's fluents, each with its arguments that are dropped, counted from 0.
        counters: Those of them that are counters; their value is always dropped.
        units: The single pieces.
        hidden: Arguments of actions that nothing is known of: pairs of a kind's number and a position.
        shapes: The relations about structures, with the shapes of these.
        stated: Those of the counters that are stated also at 0.
        moved: Those that only gains, losses and shifts change, and that are absent at 0.
        tallied: Those of the counters of which it is kept whether there is none, one, or more (:mod:`.tallies`).
        derived: What is dropped of other predicates, found on the way.
    """

    fluents: dict[Signature, set[int]]
    counters: frozenset[Signature]
    units: frozenset[Signature]
    hidden: frozenset[tuple[int, int]] = frozenset()
    shapes: Mapping[str, Sequence[Shape]] = field(default_factory=dict)
    stated: frozenset[Signature] = frozenset()
    moved: frozenset[Signature] = frozenset()
    tallied: frozenset[Signature] = frozenset()
    derived: dict[Signature, set[int]] = field(default_factory=dict)

    def fluent(self, signature: Signature) -> Signature | None:
        """The fluent that a predicate is at some moment, or None."""
        plain = (names.plain(signature[0]), signature[1])
        at_moment = signature[0] in (plain[0], names.at_moment(plain[0], 1))
        return plain if at_moment and plain in self.fluents else None

    def dropped(self, signature: Signature) -> set[int]:
        """The arguments that are dropped of a predicate."""
        fluent = self.fluent(signature)
        return self.derived.get(signature, set()) if fluent is None else self.fluents[fluent]

    def drop(self, signature: Signature, positions: Iterable[int]) -> bool:
        """Drops arguments of a predicate that is no fluent, and says whether that is new."""
        if self.fluent(signature) is not None or signature in self.fluents:
            raise Unprojectable(
                f"of {signature[0]}/{signature[1]} what is changed depends on what is left out"
            )
        known = self.derived.setdefault(signature, set())
        new = not known.issuperset(positions)
        known.update(positions)
        return new


def initial(ruleset: Ruleset) -> dict[Signature, set[int]]:
    """The fluents, each with the arguments that are dropped: values of counters, and the larger ones of large relations."""

    def make() -> dict[Signature, set[int]]:
        found: dict[Signature, set[int]] = {}
        known = shapes_of(ruleset)
        fluents = {f for f in ruleset.book.fluents if f[1] != 1 or f[0] not in known}
        for fluent in sorted({*fluents, *(s.signature for group in known.values() for s in group)}):
            dropped = {fluent[1] - 1} if fluent in ruleset.book.counters else set()
            sizes = [_sizes(ruleset, r, args) for r, args in stating(ruleset, fluent)]
            while True:
                left = [i for i in range(fluent[1]) if i not in dropped]
                if not left or sum(prod(s[i] for i in left) for s in sizes) <= _FEW:
                    break
                dropped.add(max(left, key=lambda i: max(s[i] for s in sizes)))
            found[fluent] = dropped
        return found

    return {f: set(d) for f, d in ruleset.remember("projected", make).items()}


def shapes_of(ruleset: Ruleset) -> dict[str, list[Shape]]:
    """The large relations about structures, with the shapes of these."""

    def make() -> dict[str, list[Shape]]:
        found = {}
        given = {a.name for r in ruleset.rules for a in r.atoms}
        for fluent in ruleset.book.fluents:
            if fluent[1] == 1 and fluent not in ruleset.book.counters and facts_of(ruleset, fluent) > _FEW:
                known = shapes(fluent[0], [args[0] for _, args in vocabulary_rules(ruleset, fluent)])
                if known and given.isdisjoint(s.name for s in known):
                    found[fluent[0]] = known
        return found

    return dict(ruleset.remember("shapes", make))


def facts_of(ruleset: Ruleset, fluent: Signature) -> int:
    """About how many facts of a fluent there can be, never fewer; numbers without a limit are left out."""
    return sum(prod(_sizes(ruleset, r, args)) for r, args in vocabulary_rules(ruleset, fluent))


def vocabulary_rules(ruleset: Ruleset, fluent: Signature) -> list[tuple[Rule, tuple[Pattern, ...]]]:
    """The rules that say which facts of a fluent there can be, each with the fact's arguments.

    Raises:
        Unprojectable: A rule has several heads, or may state any fact.
    """
    found = []
    for rule in ruleset.judging.rules:
        for head in rule.heads:
            if head.signature == FLUENT:
                term = head.args[0]
                if term[0] not in "fc":
                    raise Unprojectable(rule.text)
                args = term[2] if term[0] == "f" else ()
                if (term[1], len(args)) == fluent:
                    if len(rule.heads) > 1:
                        raise Unprojectable(rule.text)
                    found.append((rule, args))
    return found


def stating(ruleset: Ruleset, fluent: Signature) -> list[tuple[Rule, tuple[Pattern, ...]]]:
    """The same of one that may be a shape of a relation about structures."""
    for group in shapes_of(ruleset).values():
        for shape in group:
            if shape.signature == fluent:
                pairs = ((r, shape.of(args[0])) for r, args in vocabulary_rules(ruleset, (shape.fluent, 1)))
                return [(r, args) for r, args in pairs if args is not None]
    return vocabulary_rules(ruleset, fluent)


def _sizes(ruleset: Ruleset, rule: Rule, args: Sequence[Pattern]) -> list[int]:
    """For each argument of a fluent that a rule states at least as many as it has values."""
    names_ = [v for v in variables(tuple(args)) if _PLAIN.fullmatch(v)]
    bodies = ((k, name, needed(rule, [name])) for k, name in enumerate(names_))
    lines = [f"value__({k},{name}) :- {'; '.join(body)}." for k, name, body in bodies if body]
    grounding = Grounding(ruleset.complete(tuple(parse_rules("\n".join(lines)))), ())
    count = dict.fromkeys(names_, 0)
    for s in grounding.get("value__", 2):
        count[names_[s.arguments[0].number]] += 1
    return [prod(max(1, count[v]) for v in variables((a,)) if v in count) for a in args]


def needed(rule: Rule, args: Sequence[str]) -> list[str]:
    """The conditions of a rule that tie arguments to values; without others there is more, never less."""
    wanted = {t for a in args for t in _names(a)}
    atoms = [x.text for x in rule.literals if x.signature is not None and not x.text.startswith("not ")]
    atoms = [x for x in atoms if not x.startswith("number(") and _names(x) & wanted]
    bound = {v for x in atoms for v in _names(x)}
    values = [x.text for x in rule.literals if x.signature is None and _VALUE.fullmatch(x.text)]
    return [
        *atoms,
        *(x for x in values if _names(x) <= (bound | _names(x.partition("=")[0])) and _names(x) & wanted),
    ]


def _names(text: str) -> set[str]:
    """The variables in a text."""
    return {t for t in TOKEN.findall(text) if t[:1].isupper()}


def too_many(ruleset: Ruleset) -> str | None:
    """Why positions cannot be opened as a whole, in words; None where they can."""
    return ruleset.remember("too many", lambda: _too_many(ruleset))


def _too_many(ruleset: Ruleset) -> str | None:
    try:
        sizes = {fluent: facts_of(ruleset, fluent) for fluent in sorted(ruleset.book.fluents)}
    except Unprojectable:
        return None
    (name, arity), most = max(sizes.items(), key=lambda item: item[1], default=(("", 0), 0))
    return f"there are too many {name}/{arity} to list them in an open position" if most > _TOO_MANY else None
