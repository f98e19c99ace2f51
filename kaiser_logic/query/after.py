"""``after(R,A,Fact)``: the position after a legal action and all steps after it.

If one role decides alone, ``after(R,A,F)`` says that ``A`` is legal for ``R`` and that ``F`` holds in the position that
``apply`` returns. If several roles decide simultaneously, it holds for none of them.

Over an open position, an alternative whose ``after`` literals are about one action of one role is encoded with the transition
relation: for the kinds of action of each decision, followed by no step, one step, two steps, and so on, as long as a
step may come that changes something that the query reads (:mod:`.course`). For all other uses (``not after(...)``, several
actions, braces) the solver finds positions without these literals, and the plain engine evaluates the query in each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ..engine.ruleset import Ruleset
from ..lang.algebra import variables
from ..lang.terms import ANY, Rule, Var
from ..lang.unification import label
from ..rules.predicates import DECISION, LEGAL
from ..rules.reader import term_of
from ..rules.rule import Atom
from ..rules.rulebook import ActionKind
from ..solving.build import atom, never, no, rule
from .branches import branches
from .check import alike
from .formula import AFTER, Fact, Part, Together, atoms
from .formula import names as names_in
from .language import Query, stated
from .set_queries import SetQueries
from .world import inner

DEEPEST: Final = 12
"""The largest number of steps that are followed after an action."""


@dataclass(frozen=True)
class Moved:
    """An alternative of a query, with kinds of action and a number of steps after them.

    Attributes:
        query: The alternative as a query of its own.
        kinds: The kinds of action.
        steps: The number of steps.
        few: Whether only few values of numbers without a limit are used; then finding nothing proves nothing.
    """

    query: Query
    kinds: tuple[ActionKind, ...]
    steps: int
    few: bool = False


def alternatives(query: Query) -> list[Query]:
    """Each alternative of a query as a query of its own."""
    return [Query(query.source, Together(b.parts), (b,)) for b in query.branches]


def without_after(query: Query, unmoved: bool = False) -> Query:
    """A weaker query without ``after``: the actions are legal. If it never holds, the query does not either.

    Before: ``after(R,A,F), not after(R,B,G), p(X)``; after: ``legal(R,A), p(X)``.

    Args:
        query: An alternative.
        unmoved: Whether the facts of the ``after`` literals are demanded of the position itself (``F`` in the example). Then the
            result
            is weaker only for actions that change none of these facts.
    """
    (branch,) = query.branches
    parts: list[Part] = []
    for part in branch.parts:
        if isinstance(part, Fact) and part.atom.signature == AFTER:
            parts.append(Fact(Atom(LEGAL[0], part.atom.args[:2])))
            parts += [Fact(inner(part.atom))] if unmoved else []
        elif all(a.signature != AFTER for a in atoms(part)):
            parts.append(part)
    kept = tuple(dict.fromkeys(parts))
    while True:
        bound = set[str]().union(*(names_in(p) for p in kept if isinstance(p, Fact)))
        grown = True
        while grown:
            more = {n for n, p in branch.binder.items() if p in kept and names_in(p) - {n} <= bound} - bound
            bound |= more
            grown = bool(more)
        lost = branch.bound - bound
        new = tuple(p for p in kept if not names_in(p) & lost)
        if new == kept:
            break
        kept = new
    return query_of(query.source, kept)


def query_of(source: str, parts: Sequence[Part]) -> Query:
    """The conjunction of these parts as a query."""
    formula = Together(tuple(parts))
    return Query(source, formula, tuple(branches(formula)))


def decided(query: Query) -> bool:
    """Whether all ``after`` literals of an alternative concern one action of one role, independent of the rest."""
    (branch,) = query.branches
    followed_actions = {a.args[:2] for a in stated(branch) if a.signature == AFTER}
    return len(followed_actions) == 1 and all(
        isinstance(p, Fact) for p in branch.parts if any(a.signature == AFTER for a in atoms(p))
    )


def kinds_meant(ruleset: Ruleset, query: Query) -> list[ActionKind]:
    """The kinds of action that the first ``after`` literal of an alternative can mean."""
    (branch,) = query.branches
    meant = [a.args[1] for a in stated(branch) if a.signature == AFTER]
    asked = [a.args[1] for a in stated(branch) if a.signature == DECISION]
    return [
        kind
        for kind in ruleset.book.kinds
        if alike(meant[0], kind.action) and all(alike(d, kind.decision) for d in asked[:1])
    ]


def pending(kinds: Sequence[ActionKind]) -> list[Rule]:
    """Rules by which one of the decisions of these kinds is pending; none if there are no kinds."""
    meant = [rule(atom("pending__"), atom(DECISION[0], ANY, term_of(kind.decision))) for kind in kinds]
    return [*dict.fromkeys(meant), never(no(atom("pending__")))] if meant else []


def chooses_sets(query: Query, sets: SetQueries) -> bool:
    """Whether an alternative mentions its sets of cards only in the actions of ``after`` literals.

    Then the solver chooses the parts of the set. Of any other set the program has only a name.
    """
    (branch,) = query.branches
    followed_actions = {a.args[:2] for a in stated(branch) if a.signature == AFTER}
    free = {label(term) for term in sets.terms}
    others = [p for p in branch.parts if not (isinstance(p, Fact) and p.atom.args[:2] in followed_actions)]
    facts = [a.args[2] for a in query.asks(AFTER)]
    used = set(variables(*facts)).union(*map(names_in, others))
    return all(isinstance(term, Var) for term in sets.terms) and not free & used


def plainer(query: Query) -> Query:
    """The query without the ``legal`` literals that its ``after`` literals imply."""
    (branch,) = query.branches
    followed_actions = {a.args[:2] for a in stated(branch) if a.signature == AFTER}

    def implied(part: Part) -> bool:
        return isinstance(part, Fact) and part.atom.signature == LEGAL and part.atom.args in followed_actions

    return query_of(query.source, [p for p in branch.parts if not implied(p)])
