"""The atoms of a given position that a query reads, derived on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.grounding import Grounding, Program
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..lang.terms import Fun, Signature, Term
from ..lang.unification import label
from ..rules.predicates import DECISION, LEGAL, VIOLATES
from ..rules.rule import Atom, top
from ..transform.slicing import position_seeds
from .formula import AFTER
from .matching import Values, matched

Submission: TypeAlias = tuple[clingo.Symbol, clingo.Symbol]
"""A role and its action."""
Violation: TypeAlias = tuple[clingo.Symbol, clingo.Symbol, clingo.Symbol]
"""A role, an action, and the rule that it breaks."""
ACTED: Final = frozenset({LEGAL, VIOLATES, AFTER})
"""The predicates of queries about actions, which are not the rulebook's."""


def spoken_of(atoms: Iterable[Atom]) -> list[Signature]:
    """The predicates of atoms, and those of the facts in ``after``."""
    found = []
    for atom in atoms:
        found.append(atom.signature)
        if atom.signature == AFTER:
            found.append(inner(atom).signature)
    return list(dict.fromkeys(found))


def inner(atom: Atom) -> Atom:
    """The fact of ``after(R,A,Fact)``."""
    fact: Term = atom.args[2]
    return Atom(label(fact), fact.args if isinstance(fact, Fun) else ())


class Derived:
    """Derives the predicates that a query reads and that follow from a position."""

    def __init__(self, ruleset: Ruleset, atoms: Iterable[Atom]) -> None:
        """``atoms``: those of the query."""
        self._ruleset = ruleset
        known = {*ruleset.book.fluents, *ruleset.static, *ACTED}
        self._wanted = [s for s in spoken_of(atoms) if s not in known]

    @cached_property
    def _program(self) -> Program:
        outputs = [top(*s) for s in sorted(self._wanted)]
        return self._ruleset.complete(tuple(self._ruleset.judging.slice(position_seeds(), outputs)))

    def of(self, facts: frozenset[clingo.Symbol]) -> dict[Signature, list[clingo.Symbol]]:
        """The atoms of these predicates that hold in a position."""
        if not self._wanted:
            return {}
        grounding = Grounding(self._program, facts)
        return {s: grounding.get(*s) for s in self._wanted}


class PositionWorld:
    """A position, as a query sees it."""

    def __init__(
        self,
        evaluator: Evaluator,
        derived: Derived,
        facts: frozenset[clingo.Symbol],
        violations: Callable[[frozenset[clingo.Symbol]], Iterable[Violation]] = lambda _: (),
        chosen: Iterable[Submission] = (),
    ) -> None:
        """A position.

        Args:
            evaluator: What judges it.
            derived: What follows from it.
            facts: Its facts.
            violations: What breaks which rule there.
            chosen: Actions that are judged where there are too many to list.
        """
        self._evaluator = evaluator
        self._derived = derived
        self._facts = facts
        self._violations_of = violations
        self._chosen = tuple(chosen)
        self._next: dict[Submission, PositionWorld] = {}

    @cached_property
    def _holding(self) -> dict[Signature, list[Sequence[clingo.Symbol]]]:
        found: dict[Signature, list[Sequence[clingo.Symbol]]] = {}
        for f in sorted(self._facts):
            found.setdefault(symbols.signature(f), []).append(f.arguments)
        for signature, atoms in self._derived.of(self._facts).items():
            found[signature] = [s.arguments for s in sorted(atoms)]
        return found

    @cached_property
    def _legal(self) -> list[Submission]:
        """The legal actions; if they are too many to list, some of them."""
        try:
            listed = self._evaluator.legal(self._facts)
        except NotDecided:
            if not self._chosen:
                raise
            return [(r, a) for r, a in self._chosen if self._is_legal(r, a)]
        return [(clingo.Function(role), action) for role, action in sorted(listed)]

    def _is_legal(self, role: clingo.Symbol, action: clingo.Symbol) -> bool:
        if not any(f.arguments[0] == role for f in self._facts if symbols.signature(f) == DECISION):
            return False
        return not self._evaluator.judge(self._facts, {symbols.text(role): action}).violations

    @cached_property
    def _violations(self) -> Sequence[Sequence[clingo.Symbol]]:
        return sorted(self._violations_of(self._facts))

    def instances(self, atom: Atom, known: Values) -> Iterable[Sequence[clingo.Symbol]]:
        """The arguments with which an atom's predicate holds."""
        if atom.signature == AFTER:
            return self._after(atom, known)
        if atom.signature == LEGAL:
            return self._legal
        if atom.signature == VIOLATES:
            return self._violations
        if atom.signature in self._evaluator.ruleset.static and atom.signature != ("seat", 2):
            return [s.arguments for s in self._evaluator.ruleset.facts(*atom.signature)]
        return self._holding.get(atom.signature, ())

    # -- after a move ----------------------------------------------------------------------------------------------------

    def _after(self, atom: Atom, known: Values) -> Iterator[Sequence[clingo.Symbol]]:
        """The facts after legal actions, if one role decides."""
        if len({f.arguments[0] for f in self._facts if symbols.signature(f) == DECISION}) != 1:
            return
        fact = inner(atom)
        for role, action in self._legal:
            values = matched(atom.args[:2], (role, action), known)
            if values is None:
                continue
            for args in self._world_after(role, action).instances(fact, values):
                yield (role, action, clingo.Function(fact.name, list(args)))

    def _world_after(self, role: clingo.Symbol, action: clingo.Symbol) -> PositionWorld:
        found = self._next.get((role, action))
        if found is None:
            judged = self._evaluator.judge(self._facts, {symbols.text(role): action})
            after = (self._facts - frozenset(judged.deleted)).union(judged.added)
            settled = self._evaluator.settle(after)
            found = self._next[role, action] = PositionWorld(self._evaluator, self._derived, settled)
        return found
