"""``after(R,A,Fact)``: what holds in the position that a legal action leads to, once all that is due by itself is done.

Where one role decides alone, ``after(R,A,F)`` says that ``A`` is legal for ``R`` and that ``F`` holds in the position that
``apply`` gives. Where several decide at the same time it says nothing of any of them.

Asked of an open position, an alternative in which one action of one role is spoken of is decided by the transition
relation itself: for each kind of action, with none, one, two steps after it, and so on. Whatever else is said of what
follows (``not after(...)``, several actions, braces) is left out first: positions without it are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..engine.ruleset import Ruleset
from ..engine.sets import naming_kinds
from ..rules.loader import parse_rules
from ..rules.pattern import Pattern, outermost, show, variables
from ..rules.predicates import ADD, DECISION, DEL, LEGAL, NEXT, is_enumeration
from ..rules.rule import Atom, top
from ..rules.rulebook import ActionKind
from ..symbolic import names
from ..symbolic.domains import MARGIN, bound_of, domains
from ..symbolic.encoded_transition import EncodedTransition
from ..symbolic.numbers import SUMMED, Need, changed_beyond, endless_kinds, need, unlimited
from ..symbolic.solver import Solver
from ..symbolic.transitions import functor
from ..transform.action_splitting import decisions_of, numbered
from ..transform.dependency import Dependence
from ..transform.rewrite import literal
from ..transform.slicing import seeds
from .asking import CALLED, Asking, ask, near, one_at_a_time
from .branches import branches
from .check import alike
from .formula import AFTER, Fact, Part, Together, atoms
from .formula import names as names_in
from .language import Query, stated
from .set_queries import SetQueries
from .world import inner

_FEW: Final = 16
"""So few values of numbers without a limit are looked at where nothing has to be proved, and some that the query names."""
DEEPEST: Final = 12
"""So many steps after an action are followed at most."""


@dataclass(frozen=True)
class Moved:
    """An alternative asked together with one kind of action and so many steps after it.

    Attributes:
        query: The alternative as a query of its own.
        kind: The kind of action.
        steps: How many steps follow.
        few: Whether only few values of numbers without a limit are looked at: nothing is proved so.
    """

    query: Query
    kind: ActionKind
    steps: int
    few: bool = False


def alternatives(query: Query) -> list[Query]:
    """Each alternative of a query as a query of its own."""
    return [Query(query.source, Together(b.parts), (b,)) for b in query.branches]


def without_after(query: Query) -> Query:
    """A weaker query that says nothing of what follows: where it never holds, the query does not."""
    (branch,) = query.branches
    parts: list[Part] = []
    for part in branch.parts:
        if isinstance(part, Fact) and part.atom.signature == AFTER:
            parts.append(Fact(Atom(LEGAL[0], part.atom.args[:2])))
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
    """The query that all these hold."""
    formula = Together(tuple(parts))
    return Query(source, formula, tuple(branches(formula)))


def decided(query: Query) -> bool:
    """Whether all that an alternative says of what follows is about one action of one role, and stands by itself."""
    (branch,) = query.branches
    said = {a.args[:2] for a in stated(branch) if a.signature == AFTER}
    return len(said) == 1 and all(
        isinstance(p, Fact) for p in branch.parts if any(a.signature == AFTER for a in atoms(p))
    )


def kinds_meant(ruleset: Ruleset, query: Query) -> list[ActionKind]:
    """The kinds of action that an alternative can be about."""
    (branch,) = query.branches
    meant = [a.args[1] for a in stated(branch) if a.signature == AFTER]
    asked = [a.args[1] for a in stated(branch) if a.signature == DECISION]
    return [
        kind
        for kind in ruleset.book.kinds
        if alike(meant[0], numbered(kind)[0]) and all(alike(d, numbered(kind)[1]) for d in asked[:1])
    ]


def names_sets(ruleset: Ruleset, kind: ActionKind) -> bool:
    """Whether actions of a kind name sets of things."""
    return kind in naming_kinds(ruleset.book)


def chooses_sets(query: Query, sets: SetQueries) -> bool:
    """Whether all that an alternative says of a set is what follows on the action that names it.

    Then any set will do, which the solver chooses. Of a set that is given, or that something else is said of, it knows
    only a name.
    """
    (branch,) = query.branches
    said = {a.args[:2] for a in stated(branch) if a.signature == AFTER}
    free = {str(term[1]) for term in sets.terms}
    others = [p for p in branch.parts if not (isinstance(p, Fact) and p.atom.args[:2] in said)]
    facts = [a.args[2] for a in query.asks(AFTER)]
    used = set(variables(tuple(facts))).union(*map(names_in, others))
    return all(term[0] == "v" for term in sets.terms) and not free & used


# -- where to look first -------------------------------------------------------------------------------------------------


def changes_after(ruleset: Ruleset, query: Query, kind: ActionKind) -> int | None:
    """After how many steps an action of a kind can first change something that the query says of what follows.

    None where it never can, within `DEEPEST` steps: then that would have to be so before.
    """
    wanted = {inner(a).signature for a in query.asks(AFTER)}
    dependence = Dependence(r for r in ruleset.rules if not is_enumeration(r))
    outputs = [top(*ADD), top(*DEL)]
    rules = ruleset.judging.slice(seeds([kind.decision], (), [kind.action]), outputs)
    for depth in range(DEEPEST + 1):
        heads = [h for r in rules for h in r.heads]
        named = {outermost(h.args[0]) for h in heads if h.signature in (ADD, DEL)}
        if None in named or dependence.affected(s for s in named if s is not None) & wanted:
            return depth
        due = due_by(ruleset, heads)
        if not due:
            return None
        rules = ruleset.judging.slice(seeds(None, [_step(ruleset, name) for name in sorted(due)]), outputs)
    return None


def due_by(ruleset: Ruleset, heads: Iterable[Atom]) -> frozenset[str]:
    """The names of the steps that rules with these heads can make due."""
    every = frozenset(s.arguments[0].name for s in ruleset.facts("step", 1))
    added = [h.args[0] for h in heads if h.signature == ADD]
    steps = [fact[2][0] for fact in added if fact[0] == "f" and (fact[1], len(fact[2])) == NEXT]
    if any(term[0] == "v" for term in (*added, *steps)):
        return every
    return every & set(map(functor, steps))


def _step(ruleset: Ruleset, name: str) -> Pattern:
    """The steps of a name."""
    step = next(s.arguments[0] for s in ruleset.facts("step", 1) if s.arguments[0].name == name)
    args = tuple(("v", f"S{k}") for k in range(len(step.arguments)))
    return ("f", name, args) if args else ("c", name)


# -- one kind of action, and steps after it ------------------------------------------------------------------------------


class Following:
    """An alternative in an open position, an action of one kind, and a number of steps after it.

    Attributes:
        needed: Which values of numbers without a limit are looked at.
        whole: Whether these are all that are needed.
    """

    def __init__(self, ruleset: Ruleset, moved: Moved, sets: SetQueries) -> None:
        """Finds out which numbers are needed, and grounds nothing yet."""
        self._ruleset = ruleset
        self._moved = moved
        self._query = _plainer(moved.query)
        self._sets = sets
        self.needed = self._numbers()
        self.whole = not moved.few or len(self.needed.values) <= _FEW
        if not self.whole:
            self.needed = replace(self.needed, values=near(self._query, (), _FEW))

    def _numbers(self) -> Need:
        ruleset = self._ruleset
        if not unlimited(ruleset):
            return Need((0,), None, frozenset())
        encoding, _ = self.encoding((0,))
        lines = parse_rules("\n".join([*encoding.own, *self._follows(encoding, read=True), SUMMED]))
        rules = [*encoding.read, *encoding.origins, *lines]
        bound = bound_of(ruleset.book)
        fluents = domains(ruleset, bound, 0).fluents
        once = need(encoding.ruleset, rules, fluents, bound)
        moved = need(encoding.ruleset, rules, fluents, bound, reach=MARGIN)
        reason = once.reason or moved.reason
        if reason is not None:
            return Need(near(self._query, once.values), reason, once.places)
        return Need(tuple(sorted({*once.values, *moved.values})), None, once.places)

    def encoding(self, values: Sequence[int] = ()) -> tuple[Asking, frozenset[str]]:
        """The position, the action, the steps; and the names of the steps that may be due at the end.

        In it ``settled__`` holds where nothing is due then, and ``query`` where the query does.
        """
        moved, ruleset = self._moved, self._ruleset
        encoding = Asking(ruleset, domains(ruleset, values=values or self.needed.values))
        ask(encoding, self._query, self._sets, True, decisions_of([moved.kind]))
        encoding.add(f":- {DECISION[0]}(R,_), {DECISION[0]}(Q,_), R < Q.")
        transition = encoding.act([moved.kind])
        due = self._due(transition)
        for _ in range(moved.steps):
            encoding.add(f":- not {encoding.name(NEXT)}(_).", f"{encoding.name(NEXT)}(none) :- #false.")
            transition = encoding.step([_step(ruleset, name) for name in sorted(due)])
            due = self._due(transition)
        encoding.add(*self._follows(encoding), f"{encoding.name(NEXT)}(none) :- #false.")
        encoding.add(f"settled__ :- not {encoding.name(NEXT)}(_).")
        return encoding, due

    def _due(self, transition: EncodedTransition) -> frozenset[str]:
        """The names of the steps that may be due after a transition."""
        return due_by(self._ruleset, (h for e in transition.emitted for h in e.origin.heads))

    def _follows(self, encoding: Asking, read: bool = False) -> Iterator[str]:
        """The rules for what holds in the end; ``read``: as they are read by who follows numbers, without moments."""
        action, _, arguments = numbered(self._moved.kind)
        index = self._moved.kind.index
        chosen = [f"{names.argument(0)}(R,{index},{k},A_{k})" for k in range(arguments)]
        yield f"acted__(R,{show(action)}) :- {'; '.join([f'{names.does(0)}(R,{index})', *chosen])}."
        known = {*encoding.ruleset.book.fluents, *encoding.ruleset.static}
        for name, arity in sorted({inner(a).signature for a in self._query.asks(AFTER)}):
            if (name, arity) not in known:
                encoding.derive([top(name, arity)], None, [])
            args = [f"X{k}" for k in range(arity)]
            here = literal(name if read else encoding.name((name, arity)), *args)
            yield f"{CALLED[AFTER]}(R,A,{literal(name, *args)}) :- acted__(R,A); {here}."

    def unseen(self, solver: Solver) -> str:
        """Why finding nothing proves nothing; empty where it does."""
        reason = self.needed.reason or changed_beyond(self._ruleset, solver, MARGIN, self.needed.values)
        if reason is not None:
            top = max(self.needed.values)
            return f"numbers without a limit were not all looked at (none beyond {top}), for {reason}"
        if self._moved.kind.index in endless_kinds(self._ruleset):
            return "actions that name a number without a limit were not all looked at"
        return "" if one_at_a_time(self._ruleset) else "several decisions may be pending at once"


def _plainer(query: Query) -> Query:
    """The query without ``legal`` of what ``after`` says to be legal anyway."""
    (branch,) = query.branches
    said = {a.args[:2] for a in stated(branch) if a.signature == AFTER}

    def implied(part: Part) -> bool:
        return isinstance(part, Fact) and part.atom.signature == LEGAL and part.atom.args in said

    return query_of(query.source, [p for p in branch.parts if not implied(p)])
