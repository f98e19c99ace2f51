"""Evaluates queries in given positions, independently of the solver.

A :class:`.goal.Goal` evaluates a query in thousands of positions. A `Check` also supports ``violates(...)``, for which the plain
engine judges all actions that the atom can mean, and ``after(...)``, for which it makes the moves. The query is evaluated in
plain Python (:mod:`.meaning`) and uses nothing of the solver's program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.domains import kind_actions, unlistable
from ..engine.grounding import Grounding
from ..engine.invariants import invariants
from ..engine.ruleset import Ruleset
from ..engine.sets import naming_kinds
from ..engine.symbols import symbol_of
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..lang.algebra import is_ground
from ..lang.terms import Fun, Signature, Term, Var
from ..lang.unification import rename_all, unify
from ..rules.predicates import LEGAL, VIOLATES
from ..rules.rule import Atom, top
from ..rules.rulebook import ActionKind
from ..transform.action_splitting import numbered
from ..transform.slicing import seeds
from .language import Query
from .meaning import Derived, PositionWorld, Solution, Submission, Violation, solutions
from .mistakes import read_query

EFFORT: Final = 2_000_000
"""The largest number of instances of atoms to visit."""
_KNOWN: Final = 64
"""The number of queries of a game that are kept in memory."""

Value: TypeAlias = "int | str"
"""A number, or anything else as its text."""


def evaluate(evaluator: Evaluator, facts: frozenset[clingo.Symbol], source: str) -> list[dict[str, Value]]:
    """The values of the query's variables for which it holds in a position, each combination once, in order.

    Args:
        evaluator: The plain engine under the rules in force.
        facts: The facts of the position.
        source: The query.

    Returns:
        A dictionary for each solution: variables without those that begin with ``_``, numbers as int, all else as text.

    Raises:
        NotDecided: There are too many instances of atoms.
    """
    known: dict[str, tuple[Query, Check]] = evaluator.ruleset.remember("asked", dict)
    if source not in known:
        if len(known) >= _KNOWN:
            known.clear()
        query = read_query(source, evaluator.ruleset)
        known[source] = query, Check(evaluator, query)
    found = known[source][1].solutions(facts, EFFORT)
    named = (tuple(sorted((n, v) for n, v in one.values.items() if n[0] != "_")) for one in found)
    return [{name: _plain(value) for name, value in values} for values in sorted(set(named))]


def _plain(value: clingo.Symbol) -> Value:
    return value.number if value.type == clingo.SymbolType.Number else symbols.text(value)


_ONE_DECISION: Final = "one_decision"
_ONE_BY_ONE: Final = 300
"""The largest number of actions that are judged one by one; more are judged together."""


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
    return [k for k in ruleset.book.kinds if alike(atom.args[1], numbered(k)[0])]


def alike(pattern: Term, other: Term) -> bool:
    """Whether a query's term unifies with one of these, whatever their variables are called."""
    return unify(rename_all((fresh(pattern),), "query")[0], other, {}) is not None


def one_at_a_time(ruleset: Ruleset) -> bool:
    """Whether the engine's invariant that all who decide have the same decision is met by every valid position."""
    return (
        "decisions" in ruleset.book.manifest.get("engine", ())
        and _ONE_DECISION in invariants(ruleset).assumed
    )


def refuse(ruleset: Ruleset, query: Query) -> None:
    """Raises an error for a query about all actions of a kind with too many structures.

    Raises:
        NotDecided: It is such a query. ``violates`` of one action that is written out is allowed.
    """
    for atom in (*query.asks(LEGAL), *query.asks(VIOLATES)):
        action = fresh(atom.args[1])
        kinds = [k for k in ruleset.book.kinds if unify(action, numbered(k)[0], {}) is not None]
        why = unlistable(ruleset, kinds) if atom.signature == LEGAL or not is_ground(action) else None
        if why is not None:
            raise NotDecided(
                f"{why}; ask what the rulebook exports, or violates(...) of one action that is written out"
            )


def fresh(pattern: Term) -> Term:
    """The pattern with each ``_`` a variable of its own."""
    counter = iter(range(1000))

    def visit(term: Term) -> Term:
        if isinstance(term, Var):
            return Var(f"_Any{next(counter)}") if term.name == "_" else term
        return Fun(term.name, tuple(map(visit, term.args))) if isinstance(term, Fun) else term

    return visit(pattern)


class Check:
    """Evaluates all of the query language in given positions, independently of the solver."""

    def __init__(self, evaluator: Evaluator, query: Query) -> None:
        """``evaluator``: the plain engine; ``query``: the query."""
        self._evaluator = evaluator
        self._query = query
        self._derived = Derived(evaluator.ruleset, query.atoms)

    def holds(
        self, position: frozenset[clingo.Symbol], chosen: Iterable[Submission] = (), effort: float = inf
    ) -> bool:
        """Whether the query holds in the position: see `solution`."""
        return self.solution(position, chosen, effort) is not None

    def solution(
        self, position: frozenset[clingo.Symbol], chosen: Iterable[Submission] = (), effort: float = inf
    ) -> Solution | None:
        """One way in which the query holds in the position; None if it does not.

        Args:
            position: The facts of the position.
            chosen: Actions that name sets, which are judged besides those that can be enumerated.
            effort: The largest number of instances of atoms to visit.

        Raises:
            NotDecided: There are more instances than that.
        """
        return next(self.solutions(position, effort, chosen), None)

    def solutions(
        self, position: frozenset[clingo.Symbol], effort: float = inf, chosen: Iterable[Submission] = ()
    ) -> Iterator[Solution]:
        """All ways in which the query holds in the position: see `solution`."""
        listed = tuple(chosen)

        def violations(facts: frozenset[clingo.Symbol]) -> Iterable[Violation]:
            return self.violations(facts, listed)

        world = PositionWorld(self._evaluator, self._derived, position, violations, listed)
        yield from solutions(self._query.formula, world, effort)

    def derived(self, position: frozenset[clingo.Symbol]) -> dict[Signature, list[clingo.Symbol]]:
        """The atoms of the rulebook's predicates that the query needs and that hold in a position."""
        return self._derived.of(position)

    def violations(
        self, position: frozenset[clingo.Symbol], chosen: Iterable[Submission] = ()
    ) -> set[Violation]:
        """The violations of all actions that ``violates`` in the query can mean: role, action and rule."""
        ruleset = self._evaluator.ruleset
        pairs = dict.fromkeys([*(p for a in self._query.asks(VIOLATES) for p in self._listed(a)), *chosen])
        if len(pairs) > _ONE_BY_ONE:
            actions = list(dict.fromkeys(symbols.term_of(a) for _, a in pairs))
            rules = ruleset.judging.slice(seeds(None, (), actions), [top(*VIOLATES)])
            given = [*position, *(clingo.Function("submitted", p) for p in pairs)]
            found = Grounding(ruleset.complete(tuple(rules)), given).get(*VIOLATES)
            return {(s.arguments[0], s.arguments[1], s.arguments[2]) for s in found}
        judged = set()
        for role, action in pairs:
            for _, _, rule in self._evaluator.judge(position, {symbols.text(role): action}).violations:
                judged.add((role, action, clingo.String(rule)))
        return judged

    def _listed(self, atom: Atom) -> list[Submission]:
        """The roles and actions that an atom can mean, without those that name a set unless it is written out."""
        ruleset, action = self._evaluator.ruleset, atom.args[1]
        naming = [k.action for k in naming_kinds(ruleset.book)]
        found = submissions(ruleset, atom)
        if is_ground(action):
            return found
        return [(r, a) for r, a in found if all(unify(k, symbols.term_of(a), {}) is None for k in naming)]
