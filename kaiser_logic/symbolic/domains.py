"""The sorts of an open position: which fluents there can be, and what its totals are made of.

Numbers that a rulebook does not limit (points) run up to a bound. What may be added by transitions is a wider sort, so
that a proof notices what would leave the vocabulary instead of losing it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import clingo

from ..engine import symbols
from ..engine.grounding import Grounding
from ..engine.ruleset import Ruleset
from ..engine.symbols import ground, value_pattern
from ..rules.pattern import Pattern, Signature, show, substitute, unify
from ..rules.predicates import COUNTS, DECISION, NEXT
from ..rules.rulebook import ActionKind, Rulebook
from ..transform.action_splitting import Special
from ..transform.rewrite import literal
from ..transform.slicing import anywhere

BOUND = 3
"""Numbers without a limit of their own (points) run from 0 to this in an open position, unless a manifest says more."""


MARGIN = 60
"""What may be added by a transition has numbers by so much larger."""


class Unbounded(Exception):
    """An action's arguments cannot be listed: it cannot be opened."""


@dataclass(frozen=True)
class Domains:
    """The sorts of an open position, as ground facts: fluents, what may be added, measures, the counters' most."""

    fluents: tuple[clingo.Symbol, ...]
    wide: tuple[clingo.Symbol, ...]
    measures: tuple[clingo.Symbol, ...]
    most: tuple[clingo.Symbol, ...]

    @property
    def facts(self) -> tuple[clingo.Symbol, ...]:
        """All of them as facts for a program."""
        wrap = [clingo.Function("fluent", [f]) for f in self.fluents]
        wrap += [clingo.Function("wide", [f]) for f in self.wide]
        return (*wrap, *self.most, *self.measures)

    def choices(
        self, book: Rulebook, decisions: Sequence[Pattern] = (), steps: Sequence[Pattern] = ()
    ) -> Iterator[str]:
        """The rules that choose a position: any fluents, but decisions and due steps of these kinds only."""
        kinds: set[Signature] = {symbols.signature(f) for f in self.fluents}
        for name, arity in sorted(kinds - {("seat", 2), DECISION, NEXT}):
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
            decision = f"decision(Role,{show(pattern)})"
            yield f"{{ {decision} : fluent({decision}) }}."
        for pattern in steps:
            yield f"{{ next({show(pattern)}) : step({show(pattern)}) }}."
        if steps:
            yield ":- not next(_)."


def bound_of(book: Rulebook) -> int:
    """Up to where the rulebook lets numbers without a limit run."""
    return int(book.manifest.get("bound", BOUND))


def domains(
    ruleset: Ruleset, bound: int | None = None, margin: int = MARGIN, values: Iterable[int] = ()
) -> Domains:
    """The sorts with numbers up to ``bound`` (by default the rulebook's) and some more ``values``.

    What may be added has numbers up to ``margin`` more, or less.
    """
    chosen = {*range((bound_of(ruleset.book) if bound is None else bound) + 1), *values}
    most = max(chosen) + margin
    program = ruleset.program("vocabulary", anywhere, [("fluent", 1)])

    def fluents(allowed: Iterable[int]) -> tuple[clingo.Symbol, ...]:
        numbers = [clingo.Function("number", [clingo.Number(n)]) for n in allowed]
        return tuple(s.arguments[0] for s in Grounding(program, numbers).get("fluent", 1))

    near = {n + k for n in chosen for k in range(-margin, margin + 1)}
    narrow, wide = fluents(sorted(chosen)), fluents(sorted(n for n in near if n >= 0))
    return Domains(narrow, wide, _measures(ruleset, wide), _most(ruleset, wide, most))


def _most(ruleset: Ruleset, fluents: Iterable[clingo.Symbol], numbers: int) -> tuple[clingo.Symbol, ...]:
    """most(Counter,N): the largest value that a counter can have; endless(Counter): any number up to ``numbers``, and more."""
    highest: dict[clingo.Symbol, int] = {}
    for f in fluents:
        if symbols.signature(f) in ruleset.book.counters:
            counter = clingo.Function(f.name, f.arguments[:-1])
            highest[counter] = max(highest.get(counter, 0), f.arguments[-1].number)
    endless = [clingo.Function("endless", [c]) for c, n in highest.items() if n >= numbers]
    return (*(clingo.Function("most", [c, clingo.Number(n)]) for c, n in highest.items()), *endless)


def _measures(ruleset: Ruleset, fluents: Iterable[clingo.Symbol]) -> tuple[clingo.Symbol, ...]:
    """measure(L,Counter,Weight): what one of a counter counts, from the rules for counts/3 over all fluents."""
    rules = tuple(r for r in ruleset.rules if r.heads and r.heads[0].signature == COUNTS)
    if not rules:
        return ()
    program = ruleset.complete(rules)
    counters = ruleset.book.counters
    single = [
        f for f in fluents if symbols.signature(f) not in counters or f.arguments[-1] == clingo.Number(1)
    ]
    return tuple(clingo.Function("measure", s.arguments) for s in Grounding(program, single).get(*COUNTS))


def kind_actions(
    ruleset: Ruleset, kind: ActionKind, sets: Iterable[clingo.Symbol] = ()
) -> list[clingo.Symbol]:
    """All actions of a kind that the vocabulary knows, with these sets."""
    declared = ("action", 2), (kind.decision, kind.action)
    rules = (r for r in ruleset.rules if declared in ((h.signature, h.args) for h in r.heads))
    given = [clingo.Function("number", [clingo.Number(n)]) for n in range(100)]
    given += [clingo.Function("set", [name]) for name in sets]
    return [s.arguments[1] for s in Grounding(ruleset.complete(tuple(rules)), given).get("action", 2)]


def argument_domains(
    ruleset: Ruleset, special: Special, sets: Iterable[clingo.Symbol] = ()
) -> list[list[clingo.Symbol]]:
    """The values that each argument of a kind of action can take; those in question where it is a set.

    Raises:
        Unbounded: An argument has none that could be listed.
    """
    found: list[set[clingo.Symbol]] = [set() for _ in range(special.arguments)]
    for action in kind_actions(ruleset, special.kind, sets):
        binding = unify(special.action, value_pattern(action), {})
        if binding is not None:
            for k, values in enumerate(found):
                values.add(ground(substitute(("v", f"A_{k}"), binding)))
    if not all(found):
        raise Unbounded(f"{show(special.kind.action)} has an argument without a finite domain")
    return list(map(sorted, found))
