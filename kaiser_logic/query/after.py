"""``after(R,A,Fact)``: what holds in the position that a legal action leads to, once all that is due by itself is done.

Where one role decides alone, ``after(R,A,F)`` says that ``A`` is legal for ``R`` and that ``F`` holds in the position that
``apply`` gives. Where several decide at the same time it says nothing of any of them.

Asked of an open position, an alternative in which one action of one role is spoken of is decided by the transition
relation itself: for the kinds of action of each decision, with none, one, two steps after them, and so on, as long as
a step may come that changes something the query speaks of (:mod:`.course`). Whatever else is said of what follows
(``not after(...)``, several actions, braces) is left out first: positions without it are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..engine.ruleset import Ruleset
from ..rules.fresh import ROLE, argument
from ..rules.loader import parse_rules
from ..rules.pattern import show, variables
from ..rules.predicates import DECISION, DUE, LEGAL
from ..rules.rule import Atom, top
from ..rules.rulebook import ActionKind
from ..symbolic import names
from ..symbolic.domains import MARGIN, bound_of, domains
from ..symbolic.encoded_transition import EncodedTransition
from ..symbolic.numbers import SUMMED, Need, changed_beyond, endless_kinds, need, unlimited
from ..symbolic.solver import Solver
from ..transform.action_splitting import decisions_of, numbered
from ..transform.rewrite import literal
from .asking import CALLED, Asking, ask, near
from .branches import branches
from .check import alike, one_at_a_time
from .course import Course, due_by, steps_named
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
    """An alternative asked together with kinds of action and so many steps after them.

    Attributes:
        query: The alternative as a query of its own.
        kinds: The kinds of action.
        steps: How many steps follow.
        few: Whether only few values of numbers without a limit are looked at: nothing is proved so.
    """

    query: Query
    kinds: tuple[ActionKind, ...]
    steps: int
    few: bool = False


def alternatives(query: Query) -> list[Query]:
    """Each alternative of a query as a query of its own."""
    return [Query(query.source, Together(b.parts), (b,)) for b in query.branches]


def without_after(query: Query, unmoved: bool = False) -> Query:
    """A weaker query that says nothing of what follows: where it never holds, the query does not.

    Args:
        query: An alternative.
        unmoved: Whether to say of the position itself what the query says of what follows. It is weaker then where the
            action is one that changes nothing of it.
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


def pending(kinds: Sequence[ActionKind]) -> list[str]:
    """Rules by which one of the decisions of these kinds is pending; none if there are no kinds."""
    meant = [f"pending__ :- {DECISION[0]}(_,{show(numbered(kind)[1])})." for kind in kinds]
    return [*dict.fromkeys(meant), ":- not pending__."] if meant else []


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


# -- an action, and steps after it ---------------------------------------------------------------------------------------


class Following:
    """An alternative in an open position, an action of some kinds, and a number of steps after it.

    Attributes:
        needed: Which values of numbers without a limit are looked at.
        whole: Whether these are all that are needed.
    """

    def __init__(self, ruleset: Ruleset, moved: Moved, sets: SetQueries, course: Course) -> None:
        """Finds out which numbers are needed, and grounds nothing yet."""
        self._ruleset = ruleset
        self._course = course
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
        encoding = self.encoding((0,))
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

    def encoding(self, values: Sequence[int] = ()) -> Asking:
        """The position, the action, the steps.

        In it ``live__`` holds where a live step is due at the end, ``query`` where the query holds, and ``beside__`` where
        another step was due beside a live one: only live ones are followed.
        """
        moved, ruleset = self._moved, self._ruleset
        encoding = Asking(ruleset, domains(ruleset, values=values or self.needed.values))
        ask(encoding, self._query, self._sets, True, decisions_of(moved.kinds))
        encoding.add(f":- {DECISION[0]}(R,_), {DECISION[0]}(Q,_), R < Q.")
        encoding.add(*(f"{mark} :- #false." for mark in ("beside__", "live__")))
        due = self._due(encoding, encoding.act(moved.kinds))
        for _ in range(moved.steps):
            encoding.add(f":- not live__{encoding.now}.")
            due = self._due(encoding, encoding.step(steps_named(ruleset, due)))
        encoding.add(*self._follows(encoding), f"live__ :- live__{encoding.now}.")
        return encoding

    def _due(self, encoding: Asking, transition: EncodedTransition) -> frozenset[str]:
        """The names of the live steps that may be due after a transition; notes which of them are."""
        due = due_by(self._ruleset, (h for e in transition.emitted for h in e.origin.heads))
        live = due & self._course.live
        now = f"live__{encoding.now}"
        next_ = encoding.name(DUE)
        encoding.add(f"{now} :- #false.", f"{next_}(none) :- #false.")
        encoding.add(*(f"{now} :- {next_}({show(s)})." for s in steps_named(self._ruleset, live)))
        others = steps_named(self._ruleset, due - live)
        encoding.add(*(f"beside__ :- {next_}({show(s)}), {now}." for s in others))
        return live

    def _follows(self, encoding: Asking, read: bool = False) -> Iterator[str]:
        """The rules for what holds in the end; ``read``: as they are read by who follows numbers, without moments."""
        for kind in self._moved.kinds:
            action, _, arguments = numbered(kind)
            chosen = [f"{names.argument(0)}({ROLE},{kind.index},{k},{argument(k)})" for k in range(arguments)]
            does = f"{names.does(0)}({ROLE},{kind.index})"
            yield f"acted__({ROLE},{show(action)}) :- {'; '.join([does, *chosen])}."
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
        if any(kind.index in endless_kinds(self._ruleset) for kind in self._moved.kinds):
            return "actions that name a number without a limit were not all looked at"
        return "" if one_at_a_time(self._ruleset) else "several decisions may be pending at once"


def _plainer(query: Query) -> Query:
    """The query without ``legal`` of what ``after`` says to be legal anyway."""
    (branch,) = query.branches
    said = {a.args[:2] for a in stated(branch) if a.signature == AFTER}

    def implied(part: Part) -> bool:
        return isinstance(part, Fact) and part.atom.signature == LEGAL and part.atom.args in said

    return query_of(query.source, [p for p in branch.parts if not implied(p)])
