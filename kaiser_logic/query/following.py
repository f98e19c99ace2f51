"""The program of a query with ``after(..)``: an open position, an action, and the steps after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..lang.terms import ANY, Atom, Compare, Fun, Int, Rule, Var
from ..rules.predicates import DECISION, DUE, SUBMITTED
from ..rules.reader import term_of
from ..rules.rulebook import ActionKind
from ..solving.build import Choice, atom, never, no, rule, term, variables_x
from ..solving.encoder import Encoder, rename_term
from ..solving.numbers import BoundCheck
from ..solving.program import signature_of
from ..solving.specialise import ARG, numbered
from ..solving.theory import Theory, Transition, shape_of
from .after import Moved, plainer
from .check import one_at_a_time
from .course import Course
from .formula import AFTER
from .open_query import CALLED, FREE, SPARSE, Need, OpenQuery, near, need, theory_of
from .set_queries import SetQueries
from .world import inner

MARGIN: Final = 60
"""By so much numbers without a limit may be larger after the action and the steps."""
DEEPER: Final = atom("deeper__")
"""The atom that switches to the question whether a live step may still be due."""
_FEW: Final = 16
"""Numbers without a limit up to this one are used if nothing has to be proved, and some that the query names."""


class Following:
    """Encodes an alternative of a query: an open position, an action of some kinds, and a number of steps after it.

    In its program ``live__`` holds where a live step is due at the end, ``query__`` where the query holds, and ``beside__``
    where another step was due beside a live one: only live ones are followed.

    Attributes:
        needed: Which values of numbers without a limit are looked at.
        whole: Whether these are all that are needed.
    """

    def __init__(self, ruleset: Ruleset, moved: Moved, sets: SetQueries, course: Course) -> None:
        """Finds the values of numbers without a limit that are needed."""
        self._ruleset, self._course, self._moved, self._sets = ruleset, course, moved, sets
        self._query = plainer(moved.query)
        self.transition = transition_of(theory_of(ruleset), moved.kinds)
        self.run: list[Encoder] = []
        self.steps: list[frozenset[str]] = []
        self.needed = self._numbers()
        self.whole = not moved.few or len(self.needed.values) <= _FEW
        if not self.whole:
            self.needed = Need(near(self._query, (), _FEW), self.needed.reason)

    def _numbers(self) -> Need:
        asked = self._opened((), SPARSE)
        if not asked.encoder.vocabulary.cut:
            return Need(())
        self._act(asked)
        asked.demand()
        return need(asked, [*self._origins(), *map(_read, asked.own)], self._query, MARGIN)

    def _origins(self) -> list[Rule]:
        """The rules of the rulebook that are part of the program."""
        return [r for encoder in self.run for r in encoder.origins]

    def _opened(self, values: Sequence[int], options: Sequence[str]) -> OpenQuery:
        asked = OpenQuery(self._ruleset, self._query, self._sets, values, options, MARGIN)
        asked.open([w.decision for w in self.transition.ways])
        one, other = Var("R"), Var("Q")
        two = (atom(DECISION[0], one, ANY), atom(DECISION[0], other, ANY), Compare(one, "<", other))
        asked.encoder.put(never(*two))
        return asked

    def grounded(self, options: Sequence[str]) -> OpenQuery:
        """The grounded program: the position, the action, the steps and the query."""
        asked = self._opened(self.needed.values, options)
        due = self._act(asked)
        for number in range(1, self._moved.steps + 1):
            asked.program.add(never(no(_live(number - 1))))
            patterns = dict(asked.encoder.theory.steps)
            self.steps.append(due)
            last = self.run[-1].then([patterns[name] for name in sorted(due)], f"__{number}")
            last.step()
            last.advance(self._goals(last) if number == self._moved.steps else [])
            self.run.append(last)
            due = self._due(asked, number)
        self._follow(asked)
        asked.demand(DEEPER)
        live = _live(len(self.run) - 1)
        asked.program.add(
            Choice(((DEEPER, ()),)),
            never(live, no(FREE), no(DEEPER)),
            never(DEEPER, no(live), *(no(_beside(k)) for k in range(len(self.run)))),
        )
        self.beyond = BoundCheck(self.run, always=True)
        asked.ground()
        self.beyond.settle()
        return asked

    def _act(self, asked: OpenQuery) -> frozenset[str]:
        """Adds the action; returns the names of the live steps that may be due after it."""
        encoder = asked.encoder
        self.run, self.steps = [encoder], []
        encoder.act(self.transition)
        encoder.advance(self._goals(encoder) if not self._moved.steps else [])
        role = Var("Role__")
        if self.transition.joint:
            did = rule(atom("acted__", role, Var("A__")), atom(SUBMITTED[0], role, Var("A__")))
        else:
            names, chosen = numbered(self.transition.ways[0].action)
            args = (atom(ARG, Int(k), chosen[name]) for k, name in enumerate(names))
            done = rename_term(self.transition.ways[0].action, chosen)
            did = rule(atom("acted__", role, done), atom("acts__", role), *args)
        encoder.put(did)
        return self._due(asked, 0)

    def _goals(self, encoder: Encoder) -> list[Rule]:
        """The rules on which the facts in ``after`` depend."""
        theory = encoder.theory
        known = {*theory.fluents, *theory.static}
        wanted = {inner(a).signature for a in self._query.asks(AFTER)} - known
        return theory.cone(wanted, theory.at_rest)

    def _due(self, asked: OpenQuery, number: int) -> frozenset[str]:
        """The names of the live steps that may be due after a transition; adds atoms that say which of them are."""
        encoder, program = self.run[number], asked.program
        added = [s.arguments[0] for s in encoder.atoms("add", 1)]
        due = {f.arguments[0].name for f in added if signature_of(f) == DUE}
        live = frozenset(due & self._course.live)
        name = encoder.after_called(DUE)
        for step, pattern in encoder.theory.steps:
            if step in live:
                program.add(rule(_live(number), atom(name, pattern)))
            elif step in due:
                program.add(rule(_beside(number), atom(name, pattern), _live(number)))
        return live

    def _follow(self, asked: OpenQuery) -> None:
        """Adds the rules that derive ``after`` from the last position."""
        last, role, action = self.run[-1], Var("R"), Var("A")
        for name, arity in sorted({inner(a).signature for a in self._query.asks(AFTER)}):
            args = variables_x(arity)
            here = Atom(last.after_called((name, arity)), args)
            after_atom = atom(CALLED[AFTER], role, action, term(atom(name, *args)))
            asked.program.add(rule(after_atom, atom("acted__", role, action), here))

    def unseen(self) -> str:
        """The reason why finding nothing proves nothing; empty if it is a proof."""
        reason = self.needed.reason or self.beyond.reason
        if reason is None and self.beyond.furthest > MARGIN:
            reason = f"they move by more than {MARGIN}"
        if reason is not None:
            top = max((*self.needed.values, 0))
            return f"numbers without a limit were not all looked at (none beyond {top}), for {reason}"
        return "" if one_at_a_time(self._ruleset) else "several decisions may be pending at once"


def _live(number: int) -> Atom:
    return atom(f"live{number}__")


def _beside(number: int) -> Atom:
    return atom(f"beside{number}__")


def transition_of(theory: Theory, kinds: Sequence[ActionKind]) -> Transition:
    """The actions of some kinds as one transition.

    Raises:
        NotDecided: There are no such actions.
    """
    wanted = [(shape_of(term_of(k.decision)), shape_of(term_of(k.action))) for k in kinds]
    ways = [
        w for _, _, ways in theory.kinds for w in ways if (shape_of(w.decision), shape_of(w.action)) in wanted
    ]
    if not ways:
        raise NotDecided("there are no such actions")
    return Transition("", tuple(ways), joint=len(ways) > 1)


def _read(one: Rule) -> Rule:
    """A rule in which ``after(R,A,F)`` is replaced by F, for the analysis of numbers without a limit."""
    body = [
        Atom(x.args[2].name, x.args[2].args, x.sign)
        if isinstance(x, Atom) and x.name == CALLED[AFTER] and isinstance(x.args[2], Fun)
        else x
        for x in one.body
    ]
    return Rule(one.head, tuple(body), one.place, one.id)
