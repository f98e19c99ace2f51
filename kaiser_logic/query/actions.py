"""The roles and actions that the atoms of a query can mean."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.domains import kind_actions, unlistable
from ..engine.invariants import invariants
from ..engine.ruleset import Ruleset
from ..engine.symbols import symbol_of
from ..errors import NotDecided
from ..lang.algebra import is_ground
from ..lang.terms import Atom, Term, Var
from ..lang.unification import rename_all, unify
from ..rules.predicates import LEGAL, VIOLATES
from ..rules.rulebook import ActionKind
from .language import Query
from .program import fill_blanks

Submission: TypeAlias = tuple[clingo.Symbol, clingo.Symbol]
"""A role and its action."""
_ONE_DECISION: Final = "one_decision"


def submissions(ruleset: Ruleset, atom: Atom, names: Sequence[clingo.Symbol] = ()) -> list[Submission]:
    """The roles and actions that an atom ``violates(R,A,Rule)`` can mean: any role, also without a decision.

    A variable in an action stands for what the vocabulary knows; an action that is written out may be any.
    """
    role, action = atom.args[0], fresh(atom.args[1])
    roles = [clingo.Function(r) for r in ruleset.roles]
    if not isinstance(role, Var):
        roles = [r for r in roles if symbols.term_of(r) == role]
    if is_ground(action):
        actions = [symbol_of(action)]
    else:
        known = (a for kind in meant_by(ruleset, atom) for a in kind_actions(ruleset, kind, names))
        actions = [a for a in dict.fromkeys(known) if unify(action, symbols.term_of(a), {}) is not None]
    return [(r, a) for r in roles for a in actions]


def meant_by(ruleset: Ruleset, atom: Atom) -> list[ActionKind]:
    """The kinds of action that an action with variables can be of; none for one that is written out."""
    if is_ground(atom.args[1]):
        return []
    return [k for k in ruleset.book.kinds if unifiable(atom.args[1], k.action)]


def unifiable(pattern: Term, other: Term) -> bool:
    """Whether a query's term unifies with one of these, whatever their variables are called."""
    return unify(rename_all((fresh(pattern),), "query")[0], other, {}) is not None


def one_at_a_time(ruleset: Ruleset) -> bool:
    """Whether the engine's invariant that all who decide have the same decision is met by every valid position."""
    return "decisions" in ruleset.book.manifest.get("engine", ()) and _ONE_DECISION in invariants(ruleset).assumed


def refuse(ruleset: Ruleset, query: Query) -> None:
    """Raises an error for a query about all actions of a kind with too many structures.

    Raises:
        NotDecided: It is such a query. ``violates`` of one action that is written out is allowed.
    """
    for atom in (*query.asks(LEGAL), *query.asks(VIOLATES)):
        kinds = [k for k in ruleset.book.kinds if unifiable(atom.args[1], k.action)]
        why = unlistable(ruleset, kinds) if atom.signature == LEGAL or not is_ground(atom.args[1]) else None
        if why is not None:
            raise NotDecided(
                f"{why}; ask what the rulebook exports, or violates(...) of one action that is written out"
            )


def fresh(pattern: Term) -> Term:
    """The pattern with each ``_`` a variable of its own."""
    return fill_blanks(pattern, (f"_Any{k}" for k in count()))
