"""How many facts a vocabulary has: one that has too many is not listed, and nothing is asked about open positions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import Final

from ..engine.grounding import Grounding
from ..engine.ruleset import Ruleset
from ..rules.loader import parse_rules
from ..rules.pattern import Pattern, Signature, variables
from ..rules.predicates import FLUENT
from ..rules.rule import TOKEN, Rule

MOST: Final = 100_000
"""So many facts of a predicate are listed in an open position at most."""
_PLAIN: Final = re.compile(r"[A-Z]\w*")
_VALUE: Final = re.compile(r"[A-Z]\w* = [^<>!]*")
"""A condition that says what a variable is."""


def too_many(ruleset: Ruleset) -> str | None:
    """Why positions cannot be open, in words; None where they can."""
    return ruleset.remember("too many", lambda: _too_many(ruleset))


def _too_many(ruleset: Ruleset) -> str | None:
    sizes: dict[Signature, int] = {}
    for fluent in sorted(ruleset.book.fluents):
        size = facts_of(ruleset, fluent)
        if size is None:
            return None
        sizes[fluent] = size
    (name, arity), most = max(sizes.items(), key=lambda item: item[1], default=(("", 0), 0))
    return f"too many possible facts: {name}/{arity} alone has {most:,}" if most > MOST else None


def facts_of(ruleset: Ruleset, fluent: Signature) -> int | None:
    """About how many facts of a fluent there can be, by the values of its variables; numbers without a limit are left out.

    None where a rule of the vocabulary has several heads, or may state any fact.
    """
    found = 0
    for rule in ruleset.judging.rules:
        for head in rule.heads:
            if head.signature != FLUENT:
                continue
            term = head.args[0]
            if term[0] not in "fc":
                return None
            args = term[2] if term[0] == "f" else ()
            if (term[1], len(args)) == fluent:
                if len(rule.heads) > 1:
                    return None
                found += prod(_sizes(ruleset, rule, args))
    return found


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
