"""Whether a query's program says what the rules say, at positions that the plain engine knows to be valid.

That the solver finds no position means nothing where its program excludes one wrongly. So before "none" is said the program
is compared with the plain engine: at positions of random games, of the solver, and of their neighbours, each valid by the
plain engine, the program must have the position; in it the query holds or not as it does by itself, and the same actions
are legal, the same rules broken, the same predicates derived.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Final

from .. import clingo
from ..engine import symbols
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..evaluation.random_games import Facts
from ..proof.fixed import ActedProgram, Differs, some_of
from ..proof.runs import FALSE, Reading, Runs
from ..rules.pattern import Pattern, unify, unify_all
from ..rules.predicates import BROKEN, DECISION, LEGAL, VIOLATES, of_engine
from ..rules.reader import rule_of
from ..rules.rulebook import ActionKind
from ..symbolic.solver import Solver
from ..transform.action_splitting import decisions_of
from ..transform.rewrite import rename
from .after import Moved
from .asking import CALLED, FREE, Asking, fresh_atom, opened_decisions
from .check import Check
from .formula import AFTER
from .language import Query
from .set_queries import SetQueries

_FIRES: Final = "fires__"
_SOUGHT: Final = (40, 6)
"""For so many rules the solver is asked for a position in which they fire, of a small game and of a large one."""
_LOOKED_AT: Final = (150, 8)
"""So many positions are compared."""
_CONFLICTS: Final = 1_000
"""So many conflicts are spent on a position in which a rule fires."""
_INSTANCES: Final = 50_000
"""A position is left out in which a query is not decided over so many instances of its atoms."""


def let_go(solver: Solver) -> None:
    """From now on nothing is asked of a query's program."""
    solver.control.assign_external(clingo.Function(FREE), True)


def agrees(
    evaluator: Evaluator,
    query: Query,
    encoding: Asking,
    solver: Solver,
    sets: SetQueries,
    kinds: Sequence[ActionKind] = (),
) -> None:
    """Nothing, where a query's program says what the rules say; nothing is asked of it from then on.

    Args:
        evaluator: The plain engine.
        query: What was asked.
        encoding: The encoding.
        solver: What it was grounded to.
        sets: The sets that the query is about.
        kinds: Kinds of action of which some decision is pending; any if there are none.

    Raises:
        NotDecided: It says something else.
    """
    let_go(solver)
    found = _Agreement(evaluator, query, encoding, solver, sets, kinds)
    _refuse(found.differences())


def agrees_after(
    evaluator: Evaluator, moved: Moved, live: frozenset[str], encoding: Asking, solver: Solver
) -> None:
    """The same of a program that follows an action and steps after it.

    Args:
        evaluator: The plain engine.
        moved: What was asked.
        live: The names of the steps that are followed.
        encoding: The encoding.
        solver: What it was grounded to.

    Raises:
        NotDecided: It says something else.
    """
    let_go(solver)
    program = ActedProgram(evaluator, moved.kinds, encoding, 0, solver)
    reading = Reading(encoding, evaluator, None)
    runs = Runs(program, [reading], moved.kinds, [live] * moved.steps, (), alone=True)
    _refuse(runs.differences(Random(moved.query.source)))


def _refuse(differences: Iterator[str]) -> None:
    """NotDecided with the first difference, if there is one."""
    difference = next(differences, None)
    if difference is not None:
        raise NotDecided(f"{FALSE}: {difference}")


class _Agreement:
    """A query's program beside the plain engine."""

    def __init__(
        self,
        evaluator: Evaluator,
        query: Query,
        encoding: Asking,
        solver: Solver,
        sets: SetQueries,
        kinds: Sequence[ActionKind],
    ) -> None:
        self._wanted = decisions_of(kinds)
        self._evaluator, self._query, self._encoding = evaluator, query, encoding
        self._solver, self._sets = solver, sets
        self._check = Check(evaluator, query)
        self._program = ActedProgram(evaluator, (), encoding, 0, solver)
        self._runs = Runs(self._program, [Reading(encoding, evaluator, None)], (), (), ())
        self._opened = opened_decisions(evaluator.ruleset, query)
        judged = [(CALLED[VIOLATES], VIOLATES[1])] if query.asks(VIOLATES) else []
        legal = [LEGAL] if query.asks(LEGAL) else []
        known = {*evaluator.ruleset.book.fluents, *evaluator.ruleset.static, LEGAL, VIOLATES, AFTER}
        self._derived = sorted({a.signature for a in query.atoms} - known)
        asked: list[tuple[str, int]] = [("query__", 0), *legal, *judged, *self._derived]
        self._watched = self._program.literals([] if sets.asks else asked)

    def differences(self) -> Iterator[str]:
        """What is different at positions of games, of the solver, and of their neighbours."""
        random = Random(self._query.source)
        large = not self._runs.is_small
        found = dict.fromkeys((*self._firing(random, _SOUGHT[large]), *self._runs.positions(random)))
        for facts in [f for f in found if self._is_open(f) and self._has_numbers(f)][: _LOOKED_AT[large]]:
            try:
                self._compare(facts)
            except Differs as difference:
                yield str(difference)
            except NotDecided:  # too many actions to be listed, or too many instances to be joined
                continue

    def _is_open(self, facts: Facts) -> bool:
        """Whether the program has the decisions that are pending in a position."""
        pending = [symbols.value_pattern(f.arguments[1]) for f in facts if symbols.signature(f) == DECISION]

        def among(decision: Pattern, known: Sequence[Pattern]) -> bool:
            return any(unify(d, decision, {}) is not None for d in known)

        wanted = not self._wanted or any(among(p, self._wanted) for p in pending)
        return wanted and all(among(p, self._opened) for p in pending)

    def _has_numbers(self, facts: Facts) -> bool:
        """Whether a position has no larger numbers than the program: some have no limit."""
        return all(
            f.arguments[-1].number <= self._largest.get(f.name, f.arguments[-1].number)
            for f in facts
            if symbols.signature(f) in self._evaluator.ruleset.book.counters
        )

    @cached_property
    def _largest(self) -> Mapping[str, int]:
        """The largest number of each counter in the program."""
        found: dict[str, int] = {}
        for fact in self._program.free:
            if symbols.signature(fact) in self._evaluator.ruleset.book.counters:
                found[fact.name] = max(found.get(fact.name, 0), fact.arguments[-1].number)
        return found

    def _firing(self, random: Random, count: int) -> Iterator[Facts]:
        """Positions of the solver's in which rules fire, as the rulebook has them."""
        rules = [r for r in dict.fromkeys(self._encoding.read) if r.cuts and not of_engine(r)]
        rules = [r for r in rules if all(h.signature != BROKEN for h in r.heads)]
        some = random.sample(rules, min(count, len(rules)))
        texts = [rename(rule, lambda s: self._encoding.name(s, 0)) for rule in some]
        lines = [f"{_FIRES}({k}) :- {rule_of(text).body}." for k, text in enumerate(texts)]
        self._solver.add("fires", "\n".join([*lines, f"{_FIRES}(none) :- #false."]))
        atoms = self._solver.control.symbolic_atoms
        for k in range(len(lines)):
            atom = atoms[clingo.Function(_FIRES, [clingo.Number(k)])]
            for model in self._program.models([atom.literal], 1, _CONFLICTS, random) if atom else ():
                fluents = set(self._program.fluents)
                facts = frozenset(s for s in model if symbols.signature(s) in fluents) | self._program.seats
                if self._runs.is_valid(facts):
                    yield facts

    def _compare(self, facts: Facts) -> None:
        """Differs where the program says something else of a position."""
        holds = self._program.only(self._program.position(facts), self._watched)
        meant = self._check.holds(facts, effort=_INSTANCES)
        if self._sets.asks:
            if meant and not self._solver.possible(*self._stated(facts)):
                raise Differs("a position is as asked that it does not have")
            return
        if meant != (clingo.Function("query__") in holds):
            raise Differs(f"a position is as asked {'that it does not have' if meant else 'only there'}")
        if self._query.asks(LEGAL):
            legal = {s for s in holds if symbols.signature(s) == LEGAL}
            self._same("legal", {s for s in legal if self._is_asked(s)}, self._legal(facts))
        if self._query.asks(VIOLATES):
            ours = {tuple(s.arguments) for s in holds if s.name == CALLED[VIOLATES]}
            theirs = {tuple(v) for v in self._check.violations(facts)}
            self._same("violated", ours, theirs)
        derived = self._check.derived(facts)
        for signature in self._derived:
            ours_ = {s for s in holds if symbols.signature(s) == signature}
            self._same(signature[0], ours_, set(derived.get(signature, ())))

    def _stated(self, facts: Facts) -> list[str]:
        """The atoms that fix a position in which the query holds."""
        there = {s for s in self._program.free if s in facts}
        return ["query__", *(f"{'' if s in there else 'not '}{s}" for s in self._program.free)]

    def _legal(self, facts: Facts) -> set[clingo.Symbol]:
        """What is legal of the actions that the query asks for."""
        pairs = ((symbols.constant(role), action) for role, action in self._evaluator.legal(facts))
        return set(filter(self._is_asked, (clingo.Function(LEGAL[0], list(pair)) for pair in pairs)))

    def _is_asked(self, legal: clingo.Symbol) -> bool:
        """Whether the query asks whether an action is legal: of others the program need not know all."""
        said = tuple(map(symbols.value_pattern, legal.arguments))
        return any(unify_all(fresh_atom(a).args, said, {}) is not None for a in self._query.asks(LEGAL))

    def _same(self, what: str, ours: set[Any], theirs: set[Any]) -> None:
        """Differs where two sets do."""
        if ours != theirs:
            raise Differs(f"other things are {what}: {some_of(ours, theirs)}")
