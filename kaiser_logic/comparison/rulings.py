"""Finds rules that read a ruling other than by a plain literal: under ``not``, in an aggregate, with a variable.

A rule with a plain literal for a value is in force under one value only, so the slices differ. A rule that reads the ruling in
another way is in both slices, and may still have different instances.
"""

from __future__ import annotations

from collections.abc import Iterable

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..lang.algebra import variables
from ..lang.terms import Term
from ..lang.unification import unify_all
from ..rules.predicates import RULING
from ..rules.rule import POSITIVE, Rule


def differing(first: Ruleset, second: Ruleset) -> frozenset[clingo.Symbol]:
    """The facts about rulings that hold under one of the rule sets only."""
    return frozenset(first.facts(*RULING)) ^ frozenset(second.facts(*RULING))


def asks_for(rule: Rule, facts: Iterable[clingo.Symbol]) -> bool:
    """Whether a rule of both rule sets may have different instances, as these facts hold under one of them only."""
    asked = [
        a.args for a in rule.atoms if a.signature == RULING and (a.place != POSITIVE or variables(a.args))
    ]
    if not asked:
        return False
    known: list[tuple[Term, ...]] = [tuple(map(symbols.term_of, f.arguments)) for f in facts]
    return any(unify_all(args, fact, {}) is not None for args in asked for fact in known)
