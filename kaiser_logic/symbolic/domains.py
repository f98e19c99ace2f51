"""What the vocabulary says of actions: those of a kind, the values of their arguments, and whether they can be listed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import prod

from .. import clingo
from ..engine.grounding import Grounding
from ..engine.ruleset import Ruleset
from ..engine.symbols import ground, value_pattern
from ..rules.fresh import as_written
from ..rules.loader import parse_rules
from ..rules.pattern import show, substitute, unify, variables
from ..rules.rule import TOKEN, Rule
from ..rules.rulebook import ActionKind, Rulebook

BOUND = 3
"""Numbers without a limit of their own (points) run from 0 to this in an open position, unless a manifest says more."""

_PLAIN = re.compile(r"[A-Z]\w*")
_LISTED = 20_000
"""So many actions of a kind with structures are listed at most."""


class Unbounded(Exception):
    """An action's arguments cannot be listed: it cannot be opened."""


def bound_of(book: Rulebook) -> int:
    """Up to where the rulebook lets numbers without a limit run."""
    return int(book.manifest.get("bound", BOUND))


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
    ruleset: Ruleset, kind: ActionKind, sets: Iterable[clingo.Symbol] = ()
) -> list[list[clingo.Symbol]]:
    """The values that each argument of a kind of action can take; those in question where it is a set.

    Arguments that the vocabulary does not tie to one another are looked at apart: their combinations, of which there
    may be millions where an argument is a structure, are never listed.

    Raises:
        Unbounded: An argument has none that could be listed.
    """
    sets = tuple(sets)
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
        values = argument_domains(ruleset, kind)
    except Unbounded:
        return False
    return prod(map(len, values)) > _LISTED


def unlistable(ruleset: Ruleset, kinds: Iterable[ActionKind]) -> str | None:
    """Why actions of these kinds cannot all be listed in an open position, in words; None where they can."""
    found = next((k for k in kinds if structured(ruleset, k)), None)
    return (
        None if found is None else f"there are too many {show(found.action)} to list them in an open position"
    )
