"""``after(R,A,Fact)``: the position after a legal action and all steps after it.

If one role decides alone, ``after(R,A,F)`` says that ``A`` is legal for ``R`` and that ``F`` holds in the position that
``apply`` returns. If several roles decide simultaneously, it holds for none of them.

Over an open position, an alternative whose ``after`` literals are about one action of one role is encoded with the transition
relation: for the kinds of action of each decision, followed by no step, one step, two steps, and so on, as long as a
step may come that changes something that the query reads (:class:`Course`). For all other uses (``not after(...)``, several
actions, braces) the solver finds positions without these literals, and the plain engine evaluates the query in each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..lang import terms as lang
from ..lang.algebra import substitute_term, variables
from ..lang.graph import dependents
from ..lang.terms import ANY, Compare, Fun, Int, Name, Rule, Signature, Term, Var
from ..lang.unification import functor, label
from ..rules.predicates import ADD, DECISION, DEL, DUE, LEGAL, SUBMITTED, is_enumeration
from ..rules.reader import term_of
from ..rules.rule import SimpleAtom, predicates_read, top
from ..rules.rulebook import ActionKind
from ..solving.build import ChoiceRule, atom, never, no, rule, term, variables_x
from ..solving.encoder import Encoder
from ..solving.numbers import LEAVING, BoundCheck, add_leaving, may_leave
from ..solving.specialise import ARG, number_variables
from ..solving.theory import Theory, Transition, shape_of
from ..solving.vocabulary import LEAVE
from ..transform.slicing import Seeds, seeds
from .actions import one_at_a_time, unifiable
from .formula import AFTER, FactPattern, Part, Together, atoms, inner
from .formula import names as names_in
from .language import Query, atoms_stated, query_of
from .open_query import CALLED, FREE, SPARSE, Need, OpenQuery, need_of, numbers_near, theory_of
from .program import Branch, find_binders
from .set_queries import SetQueries


class Consequence(NamedTuple):
    """The direct effects of a kind of action or of a step.

    Attributes:
        tells: Whether it can change something that the facts in ``after`` depend on.
        due: The names of the steps that it can make due.
    """

    tells: bool
    due: frozenset[str]


class Course:
    """The steps that can follow actions, as far as a query depends on them.

    A kind of action, or a step, *tells* if it can change something that the facts in ``after`` depend on. A step is *live*
    if it tells, or if a step that tells can follow it. If no live step can follow an action, these facts stay as they are,
    and no further step has to be encoded. All this is read off the rules, for all positions at once. So the result
    may be larger than necessary, but never too small.
    """

    def __init__(self, ruleset: Ruleset, wanted: Iterable[Signature]) -> None:
        """``wanted``: the predicates of the facts in ``after``."""
        self._ruleset = ruleset
        self._wanted = frozenset(wanted)
        self._reads = predicates_read(r for r in ruleset.rules if not is_enumeration(r))
        self._kinds: dict[int, Consequence] = {}

    @cached_property
    def steps(self) -> dict[str, Consequence]:
        """The direct effects of each step, by its name."""
        names = sorted({s.arguments[0].name for s in self._ruleset.facts("step", 1)})
        return {name: self._consequence(seeds(None, steps_named(self._ruleset, [name]))) for name in names}

    @cached_property
    def live(self) -> frozenset[str]:
        """The names of the live steps."""
        names = self.telling
        while True:
            more = names | {name for name, does in self.steps.items() if does.due & names}
            if more == names:
                return names
            names = more

    @property
    def telling(self) -> frozenset[str]:
        """The names of the steps that tell."""
        return frozenset(name for name, does in self.steps.items() if does.tells)

    def effects_of(self, kind: ActionKind) -> Consequence:
        """The direct effects of an action of a kind."""
        if kind.index not in self._kinds:
            self._kinds[kind.index] = self._consequence(seeds([kind.decision], (), [kind.action]))
        return self._kinds[kind.index]

    def first_change(self, kind: ActionKind) -> int | None:
        """The smallest number of steps after which an action of a kind can change these facts; None if it never can."""
        does = self.effects_of(kind)
        if does.tells:
            return 0
        depth, due, seen = 1, does.due & self.live, frozenset[str]()
        while due and not due & self.telling:
            seen |= due
            due = frozenset().union(*(self.steps[name].due for name in due)) & self.live - seen
            depth += 1
        return depth if due else None

    def longest_run(self, kind: ActionKind) -> int | None:
        """The largest number of live steps that can follow an action of a kind one after the other; None without a bound."""
        layer, most = self.effects_of(kind).due & self.live, 0
        while layer:
            most += 1
            if most > len(self.steps):
                return None
            layer = frozenset().union(*(self.steps[name].due for name in layer)) & self.live
        return most

    def _consequence(self, start: Seeds) -> Consequence:
        rules = self._ruleset.judging.slice(start, [top(*ADD), top(*DEL)])
        functors = {functor(h.args[0]) for r in rules for h in r.heads if h.signature in (ADD, DEL)}
        changed = [s for s in functors if s is not None]
        tells = None in functors or bool(dependents(self._reads, changed) & self._wanted)
        return Consequence(tells, due_by(self._ruleset, (h for r in rules for h in r.heads)))


def due_by(ruleset: Ruleset, heads: Iterable[SimpleAtom]) -> frozenset[str]:
    """The names of the steps that rules with these heads can make due."""
    every = frozenset(s.arguments[0].name for s in ruleset.facts("step", 1))
    added = [h.args[0] for h in heads if h.signature == ADD]
    steps = [fact.args[0] for fact in added if isinstance(fact, Fun) and (fact.name, len(fact.args)) == DUE]
    if any(isinstance(term, Var) for term in (*added, *steps)):
        return every
    return every & {label(step) for step in steps}


def steps_named(ruleset: Ruleset, names: Iterable[str]) -> list[Term]:
    """The steps of these names."""
    names_asked = set(names)
    steps = (s.arguments[0] for s in ruleset.facts("step", 1))
    signatures_named = sorted({(s.name, len(s.arguments)) for s in steps if s.name in names_asked})
    return [
        Fun(name, tuple(Var(f"S{k}") for k in range(arity))) if arity else Name(name)
        for name, arity in signatures_named
    ]


DEEPEST: Final = 12
"""The largest number of steps that are followed after an action."""


@dataclass(frozen=True)
class MoveQuery:
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
        unmoved: Whether the facts of the ``after`` literals are demanded of the position itself (``F`` in the example). Then
            the result is weaker only for actions that change none of these facts.
    """
    (branch,) = query.branches
    parts: list[Part] = []
    for part in branch.parts:
        if isinstance(part, FactPattern) and part.atom.signature == AFTER:
            parts.append(FactPattern(lang.Atom(LEGAL[0], part.atom.args[:2])))
            parts += [FactPattern(inner(part.atom))] if unmoved else []
        elif all(a.signature != AFTER for a in atoms(part)):
            parts.append(part)
    kept = tuple(dict.fromkeys(parts))
    new: tuple[Part, ...] | None = None
    while new != kept:
        kept = kept if new is None else new
        lost = branch.bound.difference(find_binders(kept))
        new = tuple(p for p in kept if not names_in(p) & lost)
    return query_of(query.source, Together(kept))


def is_decided(query: Query) -> bool:
    """Whether all ``after`` literals of an alternative concern one action of one role, independent of the rest."""
    (branch,) = query.branches
    return len(_actions_followed(branch)) == 1 and all(
        isinstance(p, FactPattern) for p in branch.parts if any(a.signature == AFTER for a in atoms(p))
    )


def kinds_meant(ruleset: Ruleset, query: Query) -> list[ActionKind]:
    """The kinds of action that the first ``after`` literal of an alternative can mean."""
    (branch,) = query.branches
    meant = [a.args[1] for a in atoms_stated(branch) if a.signature == AFTER]
    decisions = [a.args[1] for a in atoms_stated(branch) if a.signature == DECISION]
    return [
        kind
        for kind in ruleset.book.kinds
        if unifiable(meant[0], kind.action) and all(unifiable(d, kind.decision) for d in decisions[:1])
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
    followed = _actions_followed(branch)
    free = {label(term) for term in sets.terms}
    others = [p for p in branch.parts if not (isinstance(p, FactPattern) and p.atom.args[:2] in followed)]
    facts = [a.args[2] for a in query.asks(AFTER)]
    used = set(variables(*facts)).union(*map(names_in, others))
    return all(isinstance(term, Var) for term in sets.terms) and not free & used


def without_implied(query: Query) -> Query:
    """The query without the ``legal`` literals that its ``after`` literals imply."""
    (branch,) = query.branches
    implied = [lang.Atom(LEGAL[0], args) for args in _actions_followed(branch)]
    kept = tuple(p for p in branch.parts if not (isinstance(p, FactPattern) and p.atom in implied))
    return query_of(query.source, Together(kept))


def _actions_followed(branch: Branch) -> set[tuple[Term, ...]]:
    """The roles and actions of the ``after`` literals of an alternative."""
    return {a.args[:2] for a in atoms_stated(branch) if a.signature == AFTER}


MARGIN: Final = 60
"""The margin by which numbers without a limit may grow in the action and the steps."""
DEEPER: Final = atom("deeper__")
"""The atom that switches to the question whether a live step may still be due."""
_AT_MOST: Final = 200_000
"""The budget for whether counters may leave their values, in conflicts."""
_FEW: Final = 16
"""The largest value of numbers without a limit if nothing has to be proved; some that the query names are used too."""


class AfterEncoding:
    """Encodes an alternative of a query: an open position, an action of some kinds, and a number of steps after it.

    In its program ``live__`` holds if a live step is due at the end, ``query__`` if the query holds, and ``beside__``
    if another step was due together with a live one: only live ones are followed.

    Attributes:
        needed: The values of numbers without a limit that are used.
        whole: Whether these are all values that are needed.
    """

    def __init__(self, ruleset: Ruleset, moved: MoveQuery, sets: SetQueries, course: Course) -> None:
        """Finds the values of numbers without a limit that are needed."""
        self._ruleset, self._course, self._moved, self._sets = ruleset, course, moved, sets
        self._query = without_implied(moved.query)
        self.transition = transition_of(theory_of(ruleset), moved.kinds)
        self.run: list[Encoder] = []
        self.steps: list[frozenset[str]] = []
        self.needed = self._numbers()
        self.whole = not moved.few or len(self.needed.values) <= _FEW
        if not self.whole:
            self.needed = Need(numbers_near(self._query, (), _FEW), self.needed.reason)

    def _numbers(self) -> Need:
        question = self._open_query((), SPARSE)
        if not question.encoder.vocabulary.cut:
            return Need(())
        self._act(question)
        question.demand()
        rules = [*self._origins(), *self._goals(question.encoder), *map(_replace_after, question.own)]
        return need_of(question, rules, self._query, MARGIN)

    def _origins(self) -> list[Rule]:
        """The rules of the rulebook that are part of the program."""
        return [r for encoder in self.run for r in encoder.origins]

    def _open_query(self, values: Sequence[int], options: Sequence[str]) -> OpenQuery:
        question = OpenQuery(self._ruleset, self._query, self._sets, values, options, MARGIN)
        question.open([w.decision for w in self.transition.schemas])
        one, other = Var("R"), Var("Q")
        two = (atom(DECISION[0], one, ANY), atom(DECISION[0], other, ANY), Compare(one, "<", other))
        question.encoder.add(never(*two))
        return question

    def ground(self, options: Sequence[str]) -> OpenQuery:
        """The grounded program: the position, the action, the steps and the query."""
        question = self._open_query(self.needed.values, options)
        due = self._act(question)
        for number in range(1, self._moved.steps + 1):
            question.program.add(never(no(_live(number - 1))))
            patterns = dict(question.encoder.theory.steps)
            self.steps.append(due)
            last = self.run[-1].then([patterns[name] for name in sorted(due)], f"__{number}")
            last.step()
            last.advance(self._goals(last) if number == self._moved.steps else [])
            self.run.append(last)
            due = self._due(question, number)
        self._follow(question)
        question.demand(DEEPER)
        live = _live(len(self.run) - 1)
        question.program.add(
            ChoiceRule(((DEEPER, ()),)),
            never(live, no(FREE), no(DEEPER)),
            never(DEEPER, no(live), *(no(_other_step_due(k)) for k in range(len(self.run)))),
        )
        self.beyond = BoundCheck(self.run, always=True)
        for encoder in self.run:
            add_leaving(encoder)
        question.program.add(never(LEAVING, no(FREE)))
        question.ground()
        self._program = question.program
        self.beyond.settle()
        return question

    def _act(self, question: OpenQuery) -> frozenset[str]:
        """Adds the action; returns the names of the live steps that may be due after it."""
        encoder = question.encoder
        self.run, self.steps = [encoder], []
        encoder.act(self.transition)
        encoder.advance(self._goals(encoder) if not self._moved.steps else [])
        role = Var("Role__")
        if self.transition.joint:
            did = rule(atom("acted__", role, Var("A__")), atom(SUBMITTED[0], role, Var("A__")))
        else:
            names, chosen = number_variables(self.transition.schemas[0].action)
            args = (atom(ARG, Int(k), chosen[name]) for k, name in enumerate(names))
            done = substitute_term(self.transition.schemas[0].action, chosen)
            did = rule(atom("acted__", role, done), atom("acts__", role), *args)
        encoder.add(did)
        return self._due(question, 0)

    def _goals(self, encoder: Encoder) -> list[Rule]:
        """The rules on which the facts in ``after`` depend."""
        theory = encoder.theory
        known = {*theory.fluents, *theory.static}
        signatures = {inner(a).signature for a in self._query.asks(AFTER)} - known
        return theory.cone(signatures, theory.at_rest)

    def _due(self, question: OpenQuery, number: int) -> frozenset[str]:
        """The names of the live steps that may be due after a transition; adds atoms that say which of them are."""
        encoder, program = self.run[number], question.program
        added = [s.arguments[0] for s in encoder.atoms("add", 1)]
        due = {f.arguments[0].name for f in added if symbols.signature(f) == DUE}
        live = frozenset(due & self._course.live)
        name = encoder.after_called(DUE)
        for step, pattern in encoder.theory.steps:
            if step in live:
                program.add(rule(_live(number), atom(name, pattern)))
            elif step in due:
                program.add(rule(_other_step_due(number), atom(name, pattern), _live(number)))
        return live

    def _follow(self, question: OpenQuery) -> None:
        """Adds the rules that derive ``after`` from the last position."""
        last, role, action = self.run[-1], Var("R"), Var("A")
        for name, arity in sorted({inner(a).signature for a in self._query.asks(AFTER)}):
            args = variables_x(arity)
            here = lang.Atom(last.after_called((name, arity)), args)
            after_atom = atom(CALLED[AFTER], role, action, term(atom(name, *args)))
            question.program.add(rule(after_atom, atom("acted__", role, action), here))

    def unseen(self) -> str:
        """The reason why finding nothing proves nothing; empty if it is a proof."""
        reason = self.needed.reason or self.beyond.reason
        if reason is None and self.beyond.furthest > MARGIN:
            reason = f"they move by more than {MARGIN}"
        if reason is not None:
            top = max((*self.needed.values, 0))
            return f"numbers without a limit were examined only up to {top}, because {reason}"
        if may_leave(self._program, [(clingo.Function(FREE.name), True)], _AT_MOST):
            return LEAVE
        return "" if one_at_a_time(self._ruleset) else "several decisions may be pending at once"


def _live(number: int) -> lang.Atom:
    return atom(f"live{number}__")


def _other_step_due(number: int) -> lang.Atom:
    return atom(f"beside{number}__")


def transition_of(theory: Theory, kinds: Sequence[ActionKind]) -> Transition:
    """The actions of some kinds as one transition.

    Raises:
        NotDecided: There are no such actions.
    """
    shapes = [(shape_of(term_of(k.decision)), shape_of(term_of(k.action))) for k in kinds]
    schemas = [
        w for _, _, schemas in theory.kinds for w in schemas if (shape_of(w.decision), shape_of(w.action)) in shapes
    ]
    if not schemas:
        raise NotDecided("there are no such actions")
    return Transition("", tuple(schemas), joint=len(schemas) > 1)


def _replace_after(one: Rule) -> Rule:
    """A rule in which ``after(R,A,F)`` is replaced by F, for the analysis of numbers without a limit."""
    body = [
        lang.Atom(x.args[2].name, x.args[2].args, x.sign)
        if isinstance(x, lang.Atom) and x.name == CALLED[AFTER] and isinstance(x.args[2], Fun)
        else x
        for x in one.body
    ]
    return Rule(one.head, tuple(body), one.place, one.id)
