"""The sorts of an open position: which fluents there can be, and what its totals are made of.

Numbers that a rulebook does not limit (points) run up to a bound. What may be added by transitions is a wider sort, so
that a proof notices what would leave the vocabulary instead of losing it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

from .. import clingo
from ..engine import symbols
from ..engine.grounding import Grounding
from ..engine.ruleset import Ruleset
from ..engine.symbols import ground, value_pattern
from ..rules.fresh import ROLE, as_written
from ..rules.loader import parse_rules
from ..rules.pattern import Pattern, Signature, show, substitute, unify, variables
from ..rules.predicates import COUNTS, DECISION, DUE
from ..rules.rule import TOKEN, Rule
from ..rules.rulebook import ActionKind, Rulebook
from ..transform.action_splitting import Special
from ..transform.memory import made_of_same
from ..transform.rewrite import literal
from ..transform.slicing import anywhere
from .sizes import sizes, without_end

BOUND = 3
"""Numbers without a limit of their own (points) run from 0 to this in an open position, unless a manifest says more."""

_PLAIN = re.compile(r"[A-Z]\w*")
_LISTED = 20_000
"""So many actions of a kind with structures are listed at most."""

MARGIN = 60
"""What may be added by a transition has numbers by so much larger."""

_BEYOND = 10**8
"""What is there with so large a number has no end: a sort of numbers may have one that is larger than those in question."""

_listed: dict[object, tuple[clingo.Symbol, ...]] = {}
"""The fluents of a vocabulary, by its rules and the numbers it is given."""
_KEPT = 16
"""So many are remembered."""


class Unbounded(Exception):
    """An action's arguments cannot be listed: it cannot be opened."""


@dataclass(frozen=True, eq=False)
class Domains:
    """The sorts of an open position, as ground facts: fluents, what may be added, measures, the counters' most.

    There is one of each for the rules in a process, so that it is compared by what it is: many thousand symbols are not
    looked at to find something under it. ``made_of``: what :func:`domains` made them of; by that they go from process to process.
    """

    fluents: tuple[clingo.Symbol, ...]
    wide: tuple[clingo.Symbol, ...]
    measures: tuple[clingo.Symbol, ...]
    most: tuple[clingo.Symbol, ...]
    made_of: tuple[Ruleset, int | None, int, tuple[int, ...]] | None = field(default=None, repr=False)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        if self.made_of is None:
            raise TypeError("these sorts cannot be sent to another process")
        return domains, self.made_of

    @cached_property
    def facts(self) -> tuple[clingo.Symbol, ...]:
        """All of them as facts for a program."""
        wrap = [clingo.Function("fluent", [f]) for f in self.fluents]
        wrap += [clingo.Function("wide", [f]) for f in self.wide]
        return (*wrap, *self.most, *self.measures)

    @cached_property
    def kinds(self) -> frozenset[Signature]:
        """The names of the fluents that may hold."""
        return frozenset(map(symbols.signature, self.fluents))

    def choices(
        self, book: Rulebook, decisions: Sequence[Pattern] = (), steps: Sequence[Pattern] = ()
    ) -> Iterator[str]:
        """The rules that choose a position: any fluents, but decisions and due steps of these kinds only."""
        for name, arity in sorted(self.kinds - {("seat", 2), DECISION, DUE}):
            args = [f"X{k}" for k in range(1, arity + 1)]
            fluent = literal(name, *args)
            stated = book.counters.get((name, arity))
            if stated is None:
                yield f"{{ {fluent} }} :- fluent({fluent})."
                continue
            some = literal(name, *args[:-1], "_")
            least = "1 " if stated else ""
            yield f"{least}{{ {fluent} : fluent({fluent}) }} 1 :- fluent({some})."
        for pattern in decisions:
            decision = f"decision({ROLE},{show(pattern)})"
            yield f"{{ {decision} : fluent({decision}) }}."
        for pattern in steps:
            yield f"{{ due({show(pattern)}) : step({show(pattern)}) }}."
        if steps:
            yield ":- not due(_)."


def bound_of(book: Rulebook) -> int:
    """Up to where the rulebook lets numbers without a limit run."""
    return int(book.manifest.get("bound", BOUND))


def domains(
    ruleset: Ruleset, bound: int | None = None, margin: int = MARGIN, values: Iterable[int] = ()
) -> Domains:
    """The sorts with numbers up to ``bound`` (by default the rulebook's) and some more ``values``; made once.

    What may be added has numbers up to ``margin`` more, or less.
    """
    upto = bound_of(ruleset.book) if bound is None else bound
    chosen = tuple(sorted({*range(upto + 1), *values}))
    made_of = ruleset, upto, margin, chosen
    return ruleset.remember(("domains", chosen, margin), lambda: _domains(ruleset, chosen, margin, made_of))


def _domains(
    ruleset: Ruleset,
    chosen: tuple[int, ...],
    margin: int,
    made_of: tuple[Ruleset, int | None, int, tuple[int, ...]],
) -> Domains:
    """The same, worked out."""
    program = ruleset.program("vocabulary", anywhere, [("fluent", 1)])
    about = tuple(rule.text for rule in program.rules), frozenset(program.static)

    def fluents(allowed: Iterable[int]) -> tuple[clingo.Symbol, ...]:
        """Those with these numbers; rules that differ in other things have the same, and they are listed once."""
        key = about, tuple(allowed)
        found = _listed.get(key)
        if found is None:
            numbers = tuple(clingo.Function("number", [clingo.Number(n)]) for n in key[1])
            found = tuple(s.arguments[0] for s in Grounding(program, numbers).get("fluent", 1))
            if len(_listed) >= _KEPT:
                _listed.clear()
            _listed[key] = found
        return found

    near = {n + k for n in chosen for k in range(-margin, margin + 1)}
    given = sorted(n for n in near if n >= 0)
    narrow = fluents(chosen)
    wide = fluents(given) if margin or chosen[0] < 0 else narrow
    most = max(chosen) + margin
    endless = without_end(ruleset, wide, fluents((_BEYOND,)))
    key = "most", ruleset.book, most, chosen, endless
    found = made_of_same(key, wide, lambda: sizes(ruleset, wide, most, endless))
    return Domains(narrow, wide, _measures(ruleset, wide), found, made_of)


def _measures(ruleset: Ruleset, fluents: tuple[clingo.Symbol, ...]) -> tuple[clingo.Symbol, ...]:
    """measure(L,Counter,Weight): what one of a counter counts, from the rules for counts/3 over all fluents.

    A weight that is no number counts nothing, as in a sum.
    """
    rules = tuple(r for r in ruleset.rules if r.heads and r.heads[0].signature == COUNTS)
    if not rules:
        return ()
    program = ruleset.complete(rules)
    counters = ruleset.book.counters

    def weighed() -> tuple[clingo.Symbol, ...]:
        one = clingo.Number(1)  # of each counter, whatever its values are
        some = (symbols.ending(f, one) if symbols.signature(f) in counters else f for f in fluents)
        found = Grounding(program, dict.fromkeys(some)).get(*COUNTS)
        numbers = (s.arguments for s in found if s.arguments[2].type == clingo.SymbolType.Number)
        return tuple(clingo.Function("measure", arguments) for arguments in numbers)

    key = "measures", ruleset.book, tuple(rule.text for rule in program.rules), frozenset(program.static)
    return made_of_same(key, fluents, weighed)


def kind_actions(
    ruleset: Ruleset, kind: ActionKind, sets: Iterable[clingo.Symbol] = ()
) -> list[clingo.Symbol]:
    """All actions of a kind that the vocabulary knows, with these sets."""
    declared = ("action", 2), (kind.decision, kind.action)
    rules = (r for r in ruleset.rules if declared in ((h.signature, h.args) for h in r.heads))
    return [
        s.arguments[1] for s in Grounding(ruleset.complete(tuple(rules)), _in_question(sets)).get("action", 2)
    ]


def argument_domains(
    ruleset: Ruleset, special: Special, sets: Iterable[clingo.Symbol] = ()
) -> list[list[clingo.Symbol]]:
    """The values that each argument of a kind of action can take; those in question where it is a set.

    Arguments that the vocabulary does not tie to one another are looked at apart: their combinations, of which there
    may be millions where an argument is a structure, are never listed.

    Raises:
        Unbounded: An argument has none that could be listed.
    """
    kind, sets = special.kind, tuple(sets)
    key = "argument domains", kind, sets
    return ruleset.remember(key, lambda: _argument_domains(ruleset, kind, sets))


def _argument_domains(
    ruleset: Ruleset, kind: ActionKind, sets: Iterable[clingo.Symbol]
) -> list[list[clingo.Symbol]]:
    """The same, worked out."""
    names = variables((kind.action,))
    found: list[set[clingo.Symbol]] = [set() for _ in names]
    declared = ("action", 2), (kind.decision, kind.action)
    for rule in ruleset.rules:
        if declared in ((h.signature, h.args) for h in rule.heads):
            for known, values in zip(found, _values(ruleset, rule, names, sets), strict=True):
                known.update(values)
    if not all(found):
        raise Unbounded(f"{as_written(show(kind.action))} has an argument without a finite domain")
    return list(map(sorted, found))


def _values(
    ruleset: Ruleset, rule: Rule, names: Sequence[str], sets: Iterable[clingo.Symbol]
) -> list[set[clingo.Symbol]]:
    """What each of these variables of a rule's head can be, whatever the others are.

    Parts of its body that share no variable are grounded one by one.
    """
    heads = {h.args[1] for h in rule.heads if h.signature == ("action", 2)}
    if len(heads) > 1 or not all(map(_PLAIN.fullmatch, names)):
        rules = (rule,)
        actions = Grounding(ruleset.complete(rules), _in_question(sets)).get("action", 2)
        bindings = [unify(next(iter(heads)), value_pattern(s.arguments[1]), {}) or {} for s in actions]
        return [{ground(substitute(("v", n), b)) for b in bindings} for n in names]
    lines = []
    parts = apart(rule)
    for k, (used, literals) in enumerate(parts):
        body = "; ".join(literals)
        lines += [f"value__({names.index(n)},{n}) :- {body}." for n in names if n in used]
        lines.append(f"there__({k}) :- {body}.")
    grounding = Grounding(ruleset.complete(tuple(parse_rules("\n".join(lines)))), _in_question(sets))
    found: list[set[clingo.Symbol]] = [set() for _ in names]
    if len(grounding.get("there__", 1)) == len(parts):
        for s in grounding.get("value__", 2):
            found[s.arguments[0].number].add(s.arguments[1])
    return found


def apart(rule: Rule) -> list[tuple[set[str], list[str]]]:
    """The literals of a rule's body in groups that share no variable, each with its variables."""
    groups: list[tuple[set[str], list[str]]] = []
    for literal_ in rule.literals:
        used = {t for t in TOKEN.findall(literal_.text) if _PLAIN.fullmatch(t)}
        linked = [g for g in groups if g[0] & used]
        groups = [g for g in groups if not g[0] & used]
        groups.append(
            (used.union(*(g[0] for g in linked)), [x for g in linked for x in g[1]] + [literal_.text])
        )
    return groups


def _in_question(sets: Iterable[clingo.Symbol]) -> list[clingo.Symbol]:
    """What a kind's declaration is given: numbers, and the names of sets."""
    given = [clingo.Function("number", [clingo.Number(n)]) for n in range(100)]
    return [*given, *(clingo.Function("set", [name]) for name in sets)]


def structured(ruleset: Ruleset, kind: ActionKind) -> bool:
    """Whether actions of a kind hold structures, terms of parts, and there are too many to list them."""
    if kind.action[0] != "f" or not any(a[0] == "f" for a in kind.action[2]):
        return False
    try:
        values = argument_domains(ruleset, Special(kind, kind.action, len(variables((kind.action,))), (), ()))
    except Unbounded:
        return False
    return prod(map(len, values)) > _LISTED


def unlistable(ruleset: Ruleset, kinds: Iterable[ActionKind]) -> str | None:
    """Why actions of these kinds cannot all be listed in an open position, in words; None where they can."""
    found = next((k for k in kinds if structured(ruleset, k)), None)
    return (
        None if found is None else f"there are too many {show(found.action)} to list them in an open position"
    )
