"""Reads a position and its actions from a model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.sets import NONE, set_of
from ..engine.symbols import symbol_of, term_of
from ..lang.algebra import substitute_term, variables
from ..lang.terms import Signature
from ..rules.predicates import SUBMITTED
from .encoder import Encoder
from .specialise import ARG
from .theory import SEAT, Theory, Transition

_CHOSEN: Final[Signature] = ("chosen", 3)
_ACTS: Final[Signature] = ("acts__", 1)


def facts_in(theory: Theory, model: Iterable[clingo.Symbol]) -> frozenset[clingo.Symbol]:
    """The facts of the position in a model, with the seats."""
    facts = {s for s in model if symbols.signature(s) in theory.fluents}
    return frozenset(facts.union(theory.facts(*SEAT)))


def actions_in(theory: Theory, transition: Transition, model: Iterable[clingo.Symbol]) -> dict[str, clingo.Symbol]:
    """The actions in a model, by role; empty for a step."""
    model = list(model)
    actions: dict[str, clingo.Symbol] = {}
    if transition.joint:
        pairs = [s.arguments for s in model if symbols.signature(s) == SUBMITTED]
    elif transition.schemas:
        action = transition.schemas[0].action
        chosen = {s.arguments[0].number: s.arguments[1] for s in model if symbols.signature(s) == (ARG, 2)}
        binding = {name: term_of(chosen[k]) for k, name in enumerate(variables(action))}
        done = symbol_of(substitute_term(action, binding))
        pairs = [[s.arguments[0], done] for s in model if symbols.signature(s) == _ACTS]
    else:
        pairs = []
    sets = sets_in(theory, model)
    for role, action_done in pairs:
        actions[str(role)] = put_sets(action_done, sets)
    return actions


def sets_in(theory: Theory, model: Iterable[clingo.Symbol]) -> dict[clingo.Symbol, clingo.Symbol]:
    """The unknown sets that a model chooses, by their names."""
    parts: dict[clingo.Symbol, dict[clingo.Symbol, clingo.Symbol]] = {}
    for s in model:
        if symbols.signature(s) == _CHOSEN:
            name, thing, number = s.arguments
            parts.setdefault(name, {})[thing] = number
    things = theory.facts("thing", 3)
    return {name: set_of(copies, things) for name, copies in parts.items()}


def put_sets(term: clingo.Symbol, sets: dict[clingo.Symbol, clingo.Symbol]) -> clingo.Symbol:
    """A term with the sets in the place of their names. A name without a set stands for the empty one."""
    if term.type is not clingo.SymbolType.Function:
        return term
    if term.name == "set_of__":
        return sets.get(term, NONE)
    return clingo.Function(term.name, [put_sets(a, sets) for a in term.arguments])


def fewest(encoder: Encoder) -> dict[Signature, int | None]:
    """What the facts of a position and its sets cost, for `SolverProgram.minimise`: a fact 1, a counter its absolute value.

    Each copy in a set costs 1.
    """
    counters = encoder.theory.counters
    costs: dict[Signature, int | None] = {
        signature: signature[1] - 1 if signature in counters else None
        for signature in encoder.vocabulary.signatures - {SEAT}
    }
    if encoder.theory.has_sets:
        costs[_CHOSEN] = 2
    return costs
