"""Reads the rules in force: rules in normal form, static facts, kinds of action, transitions.

Why it is right. `Theory.rules` are all rules that can fire, except the following, whose meaning the encoding expresses otherwise:

* rules that follow from declarations of counters and pieces (``add`` and ``del`` of these; ``lose`` and ``gain`` of what is
  shifted; ``touched``, ``change``): :mod:`.encoder` sums up the effects. Rules that read these predicates are refused (`_check`);
* totals (``total``): :mod:`.encoder` writes them;
* whether an action is offered and declared: an encoding contains only such actions. So ``offered`` and ``declared`` follow
  from ``submitted``, and rules for actions that are not are left out;
* what vocabulary, limits and counts demand of every position (``broken`` of `GENERAL`): goals check it (:mod:`.goals`);
* the move generator (`Theory.enumeration`), and the vocabulary (``fluent``, ``action``).

A rule cannot fire if it needs a static fact that does not hold, or a predicate that no rule derives. Leaving it out changes
nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, count
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.invariants import invariants
from ..engine.ruleset import Ruleset
from ..engine.sets import knows_sets, rules_for_names
from ..engine.symbols import symbol_of
from ..errors import NotDecided
from ..function_caches import cache_until_change
from ..lang.algebra import (
    Fresh,
    atoms,
    is_ground,
    is_simple,
    substitute_everywhere,
    substitute_term,
    variables,
)
from ..lang.graph import cone, dependents, derivable
from ..lang.normal import normal
from ..lang.printer import show_term
from ..lang.reader import read_rules
from ..lang.terms import Atom, Fun, Literal, Name, Place, Rule, Signature, Term, Var
from ..lang.unification import functor
from ..rules.loader import claims_of
from ..rules.predicates import (
    ACTION,
    BROKEN,
    CANDIDATE,
    COUNTS,
    DECISION,
    DUE,
    EFFECTS,
    EXCLUSIVE,
    FLUENT,
    GENERAL,
    MORE,
    NUMBER,
    OFFERED,
    SUBMITTED,
    THEN,
    TOTAL,
    WRONG,
)
from ..rules.rule import PlacedRule as Written
from ..rules.rule import Role
from ..rules.rulebook import RuleDoc
from .build import atom, fun, head_of, rule

SEAT: Final[Signature] = ("seat", 2)
_OFFERED: Final = frozenset({OFFERED, ("declared", 2)})
_FOLLOWING: Final = frozenset({("touched", 1), ("change", 2)})
LISTED: Final = frozenset({FLUENT, ACTION, ("board_fact", 1), ("board_broken", 2), ("holds", 1)})
"""The predicates that define the vocabulary; no encoding contains them."""
_GIVEN: Final = _FOLLOWING | {
    SUBMITTED,
    DUE,
    DECISION,
    ("stand_in", 2),
    ("chosen", 3),
    THEN,
    MORE,
    TOTAL,
    *EFFECTS,
}
"""The predicates that an encoding defines without rules, besides fluents. Rules that read effects are seen, and refused."""


@dataclass(frozen=True)
class ActionSchema:
    """An action schema: the pattern of an action, the pattern of its decision, and the sorts of the arguments as a guard."""

    decision: Term
    action: Term
    guard: tuple[Literal, ...]


@dataclass(frozen=True)
class Transition:
    """A transition: an action of one schema, the actions of a simultaneous decision, or a step.

    Attributes:
        label: Its name in reports.
        schemas: The schemas of the actions; none for a step.
        step: The pattern of the step; None for actions.
        joint: Whether several roles decide simultaneously.
    """

    label: str
    schemas: tuple[ActionSchema, ...] = ()
    step: Term | None = None
    joint: bool = False


class Theory:
    """The rules in force, as encodings need them.

    Attributes:
        ruleset: The rules in force with the claims about moves; in games with sets, with the rules for open sets.
        book: Their rulebook.
        counters: The fluents that are counters, each with whether its zero is stated.
        signed: The counters that may be negative.
        units: The fluents that are pieces.
        fluents: All fluents.
        static: The static facts by predicate.
        vocabulary: The rules that define facts, actions and what follows from ``number/1``.
        rules: The rules of encodings, in normal form.
        enumeration: The rules of the move generator.
        offering: The rules by which a candidate is offered: only a question about legal actions needs them.
        claims: The headings of the claims about moves, by id.
        has_sets: Whether actions may name sets of cards.
    """

    def __init__(self, ruleset: Ruleset, together: Collection[str] = (), judging: bool = False) -> None:
        """Reads a ruleset.

        Args:
            ruleset: The rules in force.
            together: Decisions that are encoded as simultaneous ones, besides those that the rulebook declares.
            judging: Whether actions may be judged that are not offered; then rules derive ``offered`` and ``declared``.

        Raises:
            NotDecided: A rule cannot be encoded.
        """
        book = ruleset.book
        own, docs = claims_of(book)
        self.has_sets = knows_sets(book)
        rules: Iterable[Written] = (*book.rules, *own)
        if self.has_sets:
            rules = rules_for_names(rules)
        self.ruleset = completed = ruleset.with_rules(rules) if own or self.has_sets else ruleset
        self.book = completed.book
        self.counters: Mapping[Signature, bool] = dict(self.book.counters)
        self.signed, self.units = self.book.signed, self.book.units
        self.fluents = self.book.fluents
        self.static: dict[Signature, tuple[clingo.Symbol, ...]] = dict(completed.static)
        self._facts = {symbol for facts in self.static.values() for symbol in facts}
        self.vocabulary: list[Rule] = []
        self.enumeration: list[Rule] = []
        self.offering: list[Rule] = []
        dynamic: list[Rule] = []
        for written in completed.rules:
            for one in normal_rules(written):
                self._sort(one, written, dynamic, judging)
        if not judging:
            dynamic += [rule(atom(name, *_RA), atom("submitted", *_RA)) for name, _ in sorted(_OFFERED)]
        self._together = frozenset(together)
        self.rules = self.possible(dynamic, {*_GIVEN, NUMBER} if judging else _GIVEN)
        self.enumeration = self.possible([*dynamic, *self.enumeration], _GIVEN, self.enumeration)
        self.claims: Mapping[str, RuleDoc] = {
            i: doc for i, doc in docs.items() if any(head_is(r, WRONG, i) for r in dynamic)
        }
        self._check(judging)

    def _sort(self, one: Rule, written: Written, dynamic: list[Rule], judging: bool) -> None:
        """Adds a rule to the vocabulary, the move generator or the ``dynamic`` rules; or leaves it out."""
        head = one.head
        if not isinstance(head, Atom):
            raise NotDecided(f"a constraint: {written.file}:{written.line}")
        signature = head.signature
        if signature in self.static and signature not in LISTED:
            if self.numbered_by(one):
                self.vocabulary.append(one)
            return
        if signature in LISTED:
            self.vocabulary.append(one)
        elif signature == CANDIDATE and not written.is_of_engine:
            self.enumeration.append(one)
        elif signature == OFFERED and not judging:
            self.offering.append(one)
        elif not _is_encoded_otherwise(one, written, judging):
            dynamic.append(one)

    @cached_property
    def numbered(self) -> frozenset[Signature]:
        """The static predicates that depend on ``number/1``; no encoding reads them."""
        rules = [one for r in self.ruleset.rules for one in normal_rules(r)]
        static = _reads_of(r for r in rules if head_of(r).signature in self.static)
        return frozenset(dependents(static, [NUMBER]))

    def numbered_by(self, one: Rule) -> bool:
        """Whether the head of a rule depends on ``number/1``."""
        return head_of(one).signature in self.numbered

    def possible(
        self, rules: Iterable[Rule], given: Collection[Signature], among: Iterable[Rule] | None = None
    ) -> list[Rule]:
        """The rules that can fire if any atoms of the ``given`` predicates may hold; of ``among`` alone, if that is given."""
        able = [r for r in rules if self.can_fire(r.body)]
        defined = {a.signature for r in able for a in positive(r.body)}
        left = self.derivable(able, defined.difference(given, self.fluents, self.static, _OFFERED))
        chosen = None if among is None else set(map(id, among))
        return left if chosen is None else [r for r in left if id(r) in chosen]

    @staticmethod
    def derivable(rules: Iterable[Rule], defined: Collection[Signature]) -> list[Rule]:
        """Those of these rules that can fire if no other rules define the predicates in ``defined``."""
        return derivable(rules, defined, lambda r: [a.signature for a in positive(r.body)])

    def can_fire(self, body: Iterable[Literal]) -> bool:
        """Whether no positive static atom of a body is known to be false."""
        for one in positive(body):
            facts = self.static.get(one.signature)
            if facts is None or one.signature in self.numbered:
                continue
            if not facts:
                return False
            if is_ground(one) and symbol_of(fun(one.name, one.args)) not in self._facts:
                return False
        return True

    def settle(self, one: Rule) -> Rule | None:
        """A rule without its ground static literals that hold; None if one does not hold."""
        body: list[Literal] = []
        for x in one.body:
            if not (isinstance(x, Atom) and self._is_known(x)):
                body.append(x)
            elif (symbol_of(fun(x.name, x.args)) in self._facts) == (x.sign == 1):
                return None
        return one if len(body) == len(one.body) else replace(one, body=tuple(body))

    def _is_known(self, x: Atom) -> bool:
        """Whether an atom is static and ground, so that its truth is known."""
        static = x.signature in self.static and x.signature not in self.numbered
        return static and is_ground(x) and all(map(is_simple, x.args))

    def _check(self, judging: bool) -> None:
        """Refuses rules that cannot be encoded; with ``judging`` rules may read ``number/1``.

        Raises:
            NotDecided: There is such a rule.
        """
        for one in (*self.rules, *self.enumeration):
            head = head_of(one)
            for a, _ in atoms(one.body):
                if a.signature in _FOLLOWING or a.signature in EFFECTS:
                    raise NotDecided(f"a rule reads what changes ({_where(one)})")
                if judging and a.signature == NUMBER:
                    continue
                if a.signature in LISTED or a.signature in self.numbered:
                    raise NotDecided(f"a rule reads {a.name}/{len(a.args)} ({_where(one)})")
            if head.signature in (BROKEN, WRONG) and not isinstance(head.args[0], Name):
                raise NotDecided(f"a rule says of which invariant by a variable ({_where(one)})")
            if head.signature == BROKEN and head.args[0] in [Name(i) for i in (*GENERAL, EXCLUSIVE)]:
                raise NotDecided(f"a rule of its own says what every position meets ({_where(one)})")
        for signature in (("limit", 3), ("range", 3), ("step", 1), ("simultaneous", 1), ("stated", 2)):
            if any(head_of(r).signature == signature for r in self.rules):
                raise NotDecided(f"{signature[0]}/{signature[1]} depends on the position")

    # -- groups of rules -----------------------------------------------------------------------------------------

    def facts(self, name: str, arity: int) -> tuple[clingo.Symbol, ...]:
        """The static facts of a predicate."""
        return self.static.get((name, arity), ())

    @cached_property
    def counting(self) -> list[Rule]:
        """The rules for ``counts/3``."""
        return [r for r in self.rules if head_of(r).signature == COUNTS]

    @cached_property
    def invariants(self) -> tuple[str, ...]:
        """The rulebook's own invariants without those that are waived or dropped: every valid position meets them."""
        return tuple(i for i in self.every if i not in self.ruleset.waived)

    @cached_property
    def extra(self) -> tuple[str, ...]:
        """The invariants that are waived or dropped: each is proved supposing itself, and no other claim rests on it."""
        return tuple(i for i in self.every if i in self.ruleset.waived)

    @cached_property
    def every(self) -> tuple[str, ...]:
        """All of the rulebook's own invariants, with those that are waived or dropped."""
        return invariants(self.ruleset).every

    @cached_property
    def uses(self) -> dict[Signature, set[Signature]]:
        """For each predicate the predicates that its rules read; ``total`` reads ``counts``."""
        reads = _reads_of(self.rules)
        reads.setdefault(TOTAL, set()).add(COUNTS)
        return reads

    @cached_property
    def _totals_read(self) -> dict[Signature, set[Signature | None]]:
        """For each predicate the measures whose totals its rules read, by functor; None: any measure."""
        measures: dict[Signature, set[Signature | None]] = {}
        for r in self.rules:
            for a, _ in atoms(r.body):
                if a.signature == TOTAL:
                    measures.setdefault(head_of(r).signature, set()).add(functor(a.args[0]))
        return measures

    def predicates_affected(
        self, changed: Iterable[Signature], measures: Collection[Signature | None] | None = None
    ) -> set[Signature]:
        """The predicates that depend on these, and these themselves.

        Args:
            changed: Predicates.
            measures: The measures whose totals can change, by functor; None: any.
        """
        if measures is None:
            return dependents(self.uses, changed)
        change = {None, *measures}  # the others read only totals that do not change
        kept = {s for s in self.uses if change.isdisjoint(self._totals_read.get(s, ()))} - {TOTAL}
        return dependents({s: reads - {TOTAL} if s in kept else reads for s, reads in self.uses.items()}, changed)

    @cached_property
    def transient(self) -> frozenset[Signature]:
        """The predicates that depend on the actions."""
        return frozenset(self.predicates_affected([SUBMITTED, ("stand_in", 2), ("chosen", 3)]))

    @cached_property
    def at_rest(self) -> list[Rule]:
        """The rules that can fire if there is no action, without claims about moves."""
        return self.possible(self.rules, _GIVEN - {SUBMITTED, ("stand_in", 2), ("chosen", 3), THEN, MORE})

    @cached_property
    def step_rules(self) -> list[Rule]:
        """The rules that can fire if there is no action, with claims about moves, which also concern steps."""
        return self.possible(self.rules, _GIVEN - {SUBMITTED, ("stand_in", 2), ("chosen", 3)})

    @cached_property
    def about_positions(self) -> list[Rule]:
        """The rules on which the invariants depend."""
        return cone(self.at_rest, [BROKEN])

    def about(self, invariants: Iterable[str]) -> list[Rule]:
        """The rules on which these invariants depend."""
        names = {Name(i) for i in invariants}
        own = [r for r in self.about_positions if head_of(r).signature == BROKEN and head_of(r).args[0] in names]
        reads = cone(self.about_positions, {a.signature for r in own for a, _ in atoms(r.body)})
        kept = set(map(id, (*own, *reads)))
        return [r for r in self.about_positions if id(r) in kept]

    def cone(self, wanted: Iterable[Signature], rules: Iterable[Rule] | None = None) -> list[Rule]:
        """The rules on which predicates depend; if totals are among them, with the rules for ``counts``."""
        rules = self.rules if rules is None else list(rules)
        rules_needed = cone(rules, wanted)
        if any(a.signature == TOTAL for r in rules_needed for a, _ in atoms(r.body)):
            rules_needed = cone(rules, [*wanted, COUNTS])
        return rules_needed

    # -- transitions ---------------------------------------------------------------------------------------------

    @cached_property
    def simultaneous(self) -> frozenset[str]:
        """The names of the decisions that several roles make simultaneously."""
        return self._together.union(_name(s.arguments[0]) for s in self.facts("simultaneous", 1))

    @cached_property
    def kinds(self) -> list[tuple[str, Term, tuple[ActionSchema, ...]]]:
        """The kinds of action: for each declaration ``action(Decision,Action)`` its label, its decision, and its schemas."""
        kinds_with_schemas: list[tuple[Term, Term, tuple[ActionSchema, ...]]] = []
        for written in self.book.rules:
            if not any(h.signature == ACTION for h in written.heads):
                continue
            for one in _read_engine_rules(written.text):
                for head in one.heads:
                    single = replace(one, head=head)
                    schemas = tuple(
                        ActionSchema(head_of(w).args[0], head_of(w).args[1], w.body)
                        for w in normal(single)
                        if self.can_fire(w.body)
                    )
                    if schemas:
                        kinds_with_schemas.append((head.args[0], head.args[1], schemas))
        shapes = [shape_of(action) for _, action, _ in kinds_with_schemas]
        return [
            (show_term(a) + (f" at {_functor(d)}" if shapes.count(shape_of(a)) > 1 else ""), d, schemas)
            for d, a, schemas in kinds_with_schemas
        ]

    def transitions(self, pending: Collection[str]) -> list[Transition]:
        """All transitions, each with its own label: ``take(K) at take``, ``take(K) at take (2)``.

        Args:
            pending: The names of the decisions that can be pending.
        """
        by: dict[str, list[tuple[str, Term, tuple[ActionSchema, ...]]]] = {}
        for kind in self.kinds:
            by.setdefault(_functor(kind[1]), []).append(kind)
        all_transitions: list[Transition] = []
        for name, kinds in by.items():
            if name not in pending:
                continue
            if name in self.simultaneous:
                all_transitions.append(
                    Transition(name, tuple(w for _, _, schemas in kinds for w in schemas), joint=True)
                )
            else:
                all_transitions += [Transition(label, (schema,)) for label, _, schemas in kinds for schema in schemas]
        all_transitions += [Transition(f"step {name}", step=step) for name, step in self.steps]
        taken: set[str] = set()
        for place, one in enumerate(all_transitions):
            names = chain([one.label], (f"{one.label} ({n})" for n in count(2)))
            label = next(name for name in names if name not in taken)
            taken.add(label)
            all_transitions[place] = replace(one, label=label)
        return all_transitions

    @cached_property
    def steps(self) -> list[tuple[str, Term]]:
        """The names of all steps, each with its pattern."""
        patterns: dict[str, Term] = {}
        for s in self.facts("step", 1):
            name, arity = _name(s.arguments[0]), len(s.arguments[0].arguments)
            pattern = fun(name, (Var(f"S{k}") for k in range(arity)))
            if patterns.setdefault(name, pattern) != pattern:
                raise NotDecided(f"steps called {name} have different numbers of arguments")
        return list(patterns.items())


_RA: Final = (Var("R"), Var("A"))


def normal_rules(written: Written) -> list[Rule]:
    """A rule of the rulebook in normal form, with its place and its id."""
    place = Place(written.file, written.line)
    return [replace(one, place=place, id=written.block) for one in _normal_forms(written.text)]


@cache_until_change(20_000)
def _normal_forms(text: str) -> list[Rule]:
    return [one for r in _read_engine_rules(text) for one in normal(r)]


def _read_engine_rules(text: str) -> list[Rule]:
    """The rules of a text; variables with two underscores, which are this package's, are renamed."""
    rules = []
    for one in read_rules(text):
        ours = [name for name in variables(one) if "__" in name]
        fresh = Fresh(one)
        rules.append(substitute_everywhere(one, {name: fresh.take("Z") for name in ours}) if ours else one)
    return rules


def _reads_of(rules: Iterable[Rule]) -> dict[Signature, set[Signature]]:
    """For each predicate what its rules read."""
    reads: dict[Signature, set[Signature]] = {}
    for r in rules:
        reads.setdefault(head_of(r).signature, set()).update(a.signature for a, _ in atoms(r.body))
    return reads


def positive(body: Iterable[Literal]) -> list[Atom]:
    """The positive atoms of a body, without those in aggregates."""
    return [x for x in body if isinstance(x, Atom) and not x.sign]


def head_is(one: Rule, signature: Signature, first: str) -> bool:
    """Whether a rule defines a predicate, with this name as its first argument."""
    return head_of(one).signature == signature and head_of(one).args[0] == Name(first)


def _is_encoded_otherwise(one: Rule, written: Written, judging: bool) -> bool:
    """Whether the encoder expresses the meaning of a rule: see the module's text."""
    head = head_of(one)
    if head.signature in _FOLLOWING or head.signature == TOTAL or (head.signature in _OFFERED and not judging):
        return True
    match written.role:
        case Role.JUDGE:
            unoffered = any(isinstance(x, Atom) and x.sign == 1 and x.signature in _OFFERED for x in one.body)
            return unoffered and not judging
        case Role.POSITION:
            return head.signature == BROKEN
        case Role.CHANGE:
            return head.signature in (("lose", 3), ("gain", 3))
        case Role.GENERATED:
            return head.signature in (("add", 1), ("del", 1), BROKEN)
        case _:
            return False


def _where(one: Rule) -> str:
    return f"{one.place.file}:{one.place.line}"


def _name(symbol: clingo.Symbol) -> str:
    if symbol.type is not clingo.SymbolType.Function or not symbol.name:
        raise NotDecided(f"{symbol} is no name of a step or a decision")
    return symbols.signature(symbol)[0]


def _functor(pattern: Term) -> str:
    """The name of a function term or constant.

    Raises:
        NotDecided: It is neither.
    """
    if isinstance(pattern, Fun) and pattern.name:
        return pattern.name
    if isinstance(pattern, Name):
        return pattern.text
    raise NotDecided(f"the decision {show_term(pattern)} has no name in its declaration")


def shape_of(pattern: Term) -> Term:
    """A pattern with its variables renamed to V0, V1, ..., so that patterns of one shape are equal."""
    return substitute_term(pattern, {name: Var(f"V{k}") for k, name in enumerate(variables(pattern))})
