"""Finds rules that read a ruling other than by a plain literal: under ``not``, in an aggregate, with a variable.

A rule that asks for a value plainly is in force in one reading only, which its slices show. One that asks in another
way stands in both, and may still say different things.
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
    """The facts about rulings that hold in one reading only."""
    return frozenset(first.facts(*RULING)) ^ frozenset(second.facts(*RULING))


def asks_for(rule: Rule, facts: Iterable[clingo.Symbol]) -> bool:
    """Whether a rule that both readings have may say different things where these facts hold in one only."""
    asked = [
        a.args for a in rule.atoms if a.signature == RULING and (a.place != POSITIVE or variables(a.args))
    ]
    if not asked:
        return False
    known: list[tuple[Term, ...]] = [tuple(map(symbols.term_of, f.arguments)) for f in facts]
    return any(unify_all(args, fact, {}) is not None for args in asked for fact in known)
