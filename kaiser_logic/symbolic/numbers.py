"""Numbers without a limit of their own (points): which values an open position needs so that nothing is missed.

The argument. Let x1..xn be the counters without a limit (``points(red,_)``, ...), and let all that the rules and the
question do with them be comparisons ``x - y <= d`` and ``x <= a`` with whole numbers d, a (equalities, joins and
comparisons with other numbers of the game are such). Take any position. Which of these comparisons hold in it is a
system of lower bounds ``x >= y + w`` and ``x >= w'`` with w among ±d-1..±d+1 and w' among a-1..a+1. Its *least* solution
is a sum along a path: some w' (or 0) and after it at most n-1 of the w. With the counters at these values the same
comparisons hold, so every rule says the same. Hence positions whose counters have only such sums as values are enough
to find whatever there is.

The condition, checked here on the rules' syntax trees: a number that comes from such a counter is copied, moved by a
constant, compared and counted, but not multiplied, added to another variable, summed up or run through (``1..N``); the
numbers with which it is compared are known. Where that fails, `Need.reason` says which rule is to blame, and finding
nothing proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..rules.pattern import Signature, outermost
from ..rules.predicates import ADD, DEL, FLUENT
from ..rules.rule import Rule
from . import names
from .known_numbers import Place
from .number_flow import Flow
from .solver import Solver

NUMBER: Signature = ("number", 1)
SUMMED: Final = "broken(limit,L) :- ranges(L,_,_), #sum { W,X : counts(L,X,W) } > 0."
"""What an open position does with what is counted, as a rule."""
FALLS: Final = "a number may fall, and none falls below nothing"
"""Of `changed_beyond`: larger values have to be looked at."""
MOVES: Final = "a number may have changed before it is compared"
"""Of a `Need`: larger values have to be looked at."""
_MOST_VALUES: Final = 400
"""So many values of a counter are looked at at most."""


@dataclass(frozen=True)
class Need:
    """What is needed of numbers without a limit.

    Attributes:
        values: The values that a counter needs to have, sorted.
        reason: Why they may not be enough; None where they are.
        places: Which arguments of predicates hold such numbers.
    """

    values: tuple[int, ...]
    reason: str | None
    places: frozenset[Place]


def unlimited(ruleset: Ruleset) -> dict[Signature, bool]:
    """The fluents with numbers that the vocabulary does not limit; True for counters with nothing else of the kind."""
    found: dict[Signature, bool] = {}
    from_numbers = numbered(ruleset)
    for rule in ruleset.rules:
        if not any(h.signature == FLUENT for h in rule.heads) or not rule.uses & from_numbers:
            continue
        for head in rule.heads:
            if head.signature != FLUENT or head.args[0][0] == "v":
                continue
            name, args = str(head.args[0][1]), head.args[0][2] if head.args[0][0] == "f" else ()
            signature = name, len(args)
            free = {a.args[0] for a in rule.positive if a.signature == NUMBER}
            last = args[-1] if args else None
            plain = (
                signature in ruleset.book.counters
                and free == {last}
                and rule.uses & from_numbers == {NUMBER}
                and last is not None
                and _mentions(rule.text, str(last[1])) == 2
            )
            found[signature] = plain and found.get(signature, True)
    return found


def numbered(ruleset: Ruleset) -> set[Signature]:
    """The predicates that follow from number/1, but for fluents."""
    found = {NUMBER}
    while True:
        more = {h.signature for r in ruleset.rules if r.uses & found for h in r.heads} - found
        more -= {FLUENT, ("board_fact", 1), ("board_broken", 2), ("action", 2)}
        if not more:
            return found
        found |= more


def endless_kinds(ruleset: Ruleset) -> frozenset[int]:
    """The kinds of action, by index, whose arguments follow from number/1: not all such actions can be listed."""
    names = "|".join(re.escape(name) for name, _ in numbered(ruleset))
    return frozenset(k.index for k in ruleset.book.kinds if re.search(rf"\b(?:{names})\(", k.guard))


def _mentions(text: str, variable: str) -> int:
    return len(re.findall(rf"\b{re.escape(variable)}\b", text))


def need(
    ruleset: Ruleset,
    rules: Iterable[Rule],
    fluents: Sequence[clingo.Symbol],
    bound: int,
    same: Iterable[Sequence[Signature]] = (),
    reach: int = 0,
) -> Need:
    """Which values of unlimited numbers a question over an open position needs.

    Args:
        ruleset: The rules in force.
        rules: All rules that the question reads.
        fluents: The facts there can be, with any values of unlimited numbers.
        bound: Values up to this one are looked at in any case.
        same: Groups of predicates whose arguments are compared with one another outside of the rules.
        reach: By how much a counter may change while it is looked at.
    """
    kinds = unlimited(ruleset)
    rules = list(dict.fromkeys(rules))
    read = {s for r in rules for s in r.uses}
    flow = Flow(ruleset, rules, fluents, [s for s, plain in kinds.items() if plain])
    odd = sorted(f"{n}/{k}" for (n, k), plain in kinds.items() if not plain and (n, k) in read)
    reason = f"{', '.join(odd)} has numbers without a limit and is no counter" if odd else flow.run()
    for group in same:
        reason = reason or flow.alike(group)
    counters = {(f.name, *f.arguments[:-1]) for f in fluents if kinds.get(symbols.signature(f))}
    dense = set(range(bound + 1))
    if reach and reason is None:
        reason = _set_directly(rules, kinds)
    if reach and (flow.absolute or flow.difference):
        step = max(map(abs, flow.difference), default=0) + 2 * reach + 1
        top = max(map(abs, flow.absolute), default=0) + reach + 1
        most = top + (step * len(counters) if flow.difference else 0)
        dense |= set(range(min(most, _MOST_VALUES) + 1))
        if most > _MOST_VALUES:
            reason = reason or f"they would have to be looked at up to {most}"
        return Need(tuple(sorted(dense)), reason, frozenset(flow.places))
    values = {0} | {a + e for a in flow.absolute for e in (-1, 0, 1)}
    steps = {s * d + e for d in flow.difference for s in (1, -1) for e in (-1, 0, 1)}
    values = {v for v in values if v >= 0}
    for _ in range(len(counters) - 1 if steps else 0):
        more = {v + w for v in values for w in steps if v + w >= 0} - values
        if not more:
            break
        if len(values) + len(more) > _MOST_VALUES:
            reason = reason or f"more than {_MOST_VALUES} values of each would have to be looked at"
            values |= set(sorted(more)[: _MOST_VALUES - len(values)])
            break
        values |= more
    if len(values) > 2 * _MOST_VALUES:
        reason = reason or f"more than {_MOST_VALUES} values of each would have to be looked at"
        values = set(sorted(values)[:_MOST_VALUES])
    return Need(tuple(sorted(values | dense)), reason, frozenset(flow.places))


def _set_directly(rules: Iterable[Rule], kinds: Iterable[Signature]) -> str | None:
    """The rule that sets such a number otherwise than by what is gained and lost, if there is one."""
    for rule in rules:
        changed = [h.args[0] for h in rule.heads if h.signature in (ADD, DEL)]
        if rule.file != "generated" and any(outermost(a) in set(kinds) for a in changed):
            return f"a number without a limit is set ({rule.text})"
    return None


def changed_beyond(ruleset: Ruleset, solver: Solver, margin: int, values: Sequence[int] = ()) -> str | None:
    """Why transitions may change numbers without a limit by more than was looked at; None if they cannot.

    Args:
        ruleset: The rules in force.
        solver: The question, grounded.
        margin: By how much they may change.
        values: The values that were looked at.
    """
    counters = {(name, arity - 1) for name, arity in unlimited(ruleset)}
    most: dict[str, int] = {}
    falls = False
    atoms = solver.control.symbolic_atoms
    for name, arity, positive in atoms.signatures:
        if names.plain(name) != "change" or name == "change" or arity != 2:
            continue
        for atom in atoms.by_signature(name, arity, positive):
            counter, change = atom.symbol.arguments
            if symbols.signature(counter) in counters:
                transition = name.removeprefix("change")
                most[transition] = max(most.get(transition, 0), abs(change.number))
                falls = falls or change.number < 0
    plain = {t for t in most if t.removeprefix("__").isdigit()}
    others = {t for t in most if t not in plain}
    # a transition that both readings share has no mark, and counts for each
    for own in (plain, others | {t for t in plain if not any(o.startswith(f"{t}_") for o in others)}):
        if sum(most[t] for t in own) > margin:
            return f"a number without a limit may change by more than {margin}"
    return FALLS if falls and len(values) <= margin else None
