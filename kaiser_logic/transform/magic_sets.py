"""Magic sets: the facts that make an atom true, or keep it from being true.

From the rules of a program this module builds further rules that evaluate them from the top down, only for the
atoms in question (magic sets). For *why true*, each instance of a rule that derives the atom is followed to the facts of
that instance. For *why false*, each rule that could have derived it is followed to its literals that fail, and to those that
bind the variables of these. The program's own
predicates stay as they are. These are added:

* ``_ask(K,Role,Action,Id)``, given: question number K is why the action breaks the rule (or, with ``legal``,
  why it does not);
* ``_because(K,Fact)``: the fact has a part in the answer;
* ``_absent(K,Fact)``: the fact does not hold and would have to (``_any`` for whatever argument);
* ``_applies(K)``: with ``legal``, the rule judges actions of this form;
* an instance predicate for each rule that was asked *why true*, with all of the rule's variables;
* a predicate for each condition of a sentence, over the variables of the rule that it is about.

The rules for an action that breaks ``take.enough``: the question, the instances of the rule, the missing facts there:

>>> from kaiser_logic.rules.loader import parse_rules
>>> rules = parse_rules('violates(R,A,"take.enough") :- candidate(R,A), wants(A,K), not holds(K).')
>>> for rule in relevance(rules, {("holds", 1)}).rules:
...     print(rule.text)
_true1(_K,1,R,A,V) :- _ask(_K,R,A,V).
_rule2(_K,_L,A,K,R) :- _true1(_K,_L,R,A,"take.enough"); candidate(R,A); wants(A,K); not holds(K).
_absent(_K,holds(K)) :- _rule2(_K,_L,A,K,R); _L = 1.

Level 1 has everything that is reached without turning from *false* to *true*. Absent facts are reported only there: deeper
levels would name every fact that could remove an obstacle, and nobody needs those.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from ..function_caches import cache_until_change
from ..lang import terms as lang
from ..lang.algebra import rebuilt_literal, rebuilt_term, variables, walk
from ..lang.normal import alternatives_of, opposite, split_pools
from ..lang.reader import read_body
from ..lang.terms import (
    ANY,
    Aggregate,
    Atom,
    Choice,
    Compare,
    Conditional,
    Fun,
    Int,
    Literal,
    Name,
    Op,
    Range,
    Signature,
    Term,
    Text,
    Var,
)
from ..rules.predicates import DECISION, VIOLATES
from ..rules.reader import rule_from
from ..rules.rule import PlacedRule

_NONE: Final = frozenset[str]()


@dataclass(frozen=True)
class Part:
    """A literal of a body.

    Attributes:
        literal: The literal as it is in the body.
        atom: The atom of a predicate, without ``not``; None for comparisons, aggregates, conditional literals, and double
            negations.
        variables: All variables, except those that occur only inside an aggregate.
        gives: The variables that it can bind.
        elements: The literals of each element of an aggregate. For a conditional literal those of its condition and, as the last
            one, the literal that must hold: one for each term of a pool, one of which suffices.
        opposite: The literal that holds if a comparison or an aggregate does not.
    """

    literal: Literal
    atom: Atom | None = None
    variables: frozenset[str] = _NONE
    gives: frozenset[str] = _NONE
    elements: tuple[tuple[Part, ...], ...] = ()
    opposite: Literal | None = None

    @property
    def negated(self) -> bool:
        """Whether it is a predicate under ``not``."""
        return self.atom is not None and self.literal is not self.atom

    @property
    def conditional(self) -> bool:
        """Whether it is a conditional literal."""
        return isinstance(self.literal, Conditional)


@dataclass(frozen=True)
class Clause:
    """A rule with one atom as its head."""

    signature: Signature
    args: tuple[Term, ...]
    parts: tuple[Part, ...]

    @cached_property
    def variables(self) -> frozenset[str]:
        """All variables, except those that occur only inside aggregates."""
        return names(self.args).union(*(p.variables for p in self.parts))

    def plan(self, given: set[str]) -> list[tuple[Part, list[Part]]]:
        """The literals in an order in which they can be evaluated, once the given variables are bound.

        Each comes with its support: the earlier literals that bind its bound variables.
        """
        bound, binder = set(given), dict[str, Part]()
        steps: list[tuple[Part, list[Part]]] = []
        rest = list(self.parts)
        while rest:
            part = _next(rest, bound)
            rest.remove(part)
            steps.append((part, _support(part, binder)))
            if not part.negated:
                for variable in part.gives - bound:
                    binder[variable] = part
            bound |= part.variables
        return steps


def _next(rest: Sequence[Part], bound: set[str]) -> Part:
    """The next literal: one without unbound variables, or else a predicate, or else one that computes a variable."""
    ready = [p for p in rest if p.variables - p.gives <= bound and (p.gives or p.variables <= bound)]
    tests = (p for p in ready if p.variables <= bound)
    atoms = (p for p in ready if p.atom is not None)
    return next(tests, None) or next(atoms, None) or next(iter(ready), rest[0])


def _support(part: Part, binder: dict[str, Part]) -> list[Part]:
    support: list[Part] = []
    pending = [part]
    while pending:
        for variable in sorted(pending.pop().variables):
            other = binder.get(variable)
            if other is not None and other is not part and other not in support:
                support.append(other)
                pending.append(other)
    return support


@cache_until_change(4096)
def clauses(rule: lang.Rule, prefix: str = "_A") -> tuple[Clause, ...]:
    """The clauses of a rule; none if its head is not an atom. They are cached, as many violations use the same rules.

    A clause is a list of literals, each with the variables that it binds and those that it needs. Pools unfold, anonymous
    variables of positive literals get names, and a head's arguments are terms without arithmetic:

    >>> from kaiser_logic.lang.printer import show_literal, show_term
    >>> from kaiser_logic.lang.reader import read_rule
    >>> rule = read_rule("worth(X,N+1) :- heap(X,_), N = #sum { V,C: card(X,C,V) }, not closed(X).")
    >>> (clause,) = clauses(rule)
    >>> print(*map(show_term, clause.args))
    X _H1
    >>> for part in clause.parts:
    ...     print(show_literal(part.literal), "| variables", *sorted(part.variables), "| binds", *sorted(part.gives))
    heap(X,_A1) | variables X _A1 | binds X _A1
    N = #sum { V,C: card(X,C,V) } | variables N X | binds N
    not closed(X) | variables X | binds
    _H1 = (N+1) | variables N _H1 | binds _H1

    ``prefix``: the prefix of the names for anonymous variables.
    """
    if rule.head is None or isinstance(rule.head, Choice):
        return ()
    return tuple([_clause(one, prefix) for one in split_pools(rule)])


def _clause(rule: lang.Rule, prefix: str) -> Clause:
    assert isinstance(rule.head, Atom)
    naming = _Naming(prefix)
    heads: list[Term] = []
    parts: list[Part] = []
    for k, arg in enumerate(rule.head.args):
        if _is_computed(arg):
            fresh = Var(f"_H{k}")
            heads.append(fresh)
            parts.append(_comparison(Compare(fresh, "=", arg), names(arg), fresh.name))
        else:
            heads.append(arg)
    outer = names(rule.head).union(*map(_outer, rule.body))
    body = [_part(literal, outer, naming) for literal in rule.body]
    return Clause(rule.head.signature, tuple(heads), (*body, *parts))


def names(*things: Any) -> frozenset[str]:
    """The names of the variables in terms and literals."""
    return frozenset(variables(*things))


def project_arguments(atom: Atom, bound: Collection[str]) -> list[tuple[Term, bool]]:
    """An atom's arguments, with ``_`` for unbound variables and for calculations with these; and whether all are bound."""
    return [
        (_project(arg, bound), all(v in bound for v in variables(arg)) and ANY not in walk(arg)) for arg in atom.args
    ]


def _project(term: Term, bound: Collection[str]) -> Term:
    if isinstance(term, Fun):
        return Fun(term.name, tuple([_project(arg, bound) for arg in term.args]))
    return term if all(name in bound for name in variables(term)) else ANY


def positive(part: Part) -> Atom:
    """A negated predicate without its ``not``, with names for its anonymous variables."""
    assert part.atom is not None
    return _Naming("_P").atom(part.atom)


class _Naming:
    """Names anonymous variables."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._count = 0

    def atom(self, atom: Atom) -> Atom:
        """An atom without anonymous variables."""
        return rebuilt_literal(atom, self._name_parts)

    def _name_parts(self, term: Term) -> Term:
        if term != ANY:
            return term
        self._count += 1
        return Var(f"{self._prefix}{self._count}")


def _is_computed(term: Term) -> bool:
    return any(isinstance(part, (Op, Range)) for part in walk(term))


def _bindable(term: Term) -> Iterator[str]:
    """The variables of a term outside of arithmetic."""
    if isinstance(term, Fun):
        for arg in term.args:
            yield from _bindable(arg)
    elif isinstance(term, Var) and term != ANY:
        yield term.name


def _outer(literal: Literal) -> frozenset[str]:
    """The variables of a literal that belong to the rule itself."""
    if isinstance(literal, Aggregate):
        return names(*(term for _, term in literal.guards))
    return _NONE if isinstance(literal, Conditional) else names(literal)


def _part(literal: Literal, outer: frozenset[str], naming: _Naming) -> Part:
    """A literal of a body, in a rule with these variables."""
    match literal:
        case Conditional(last, condition):
            conditions = [_part(x, outer, naming) for x in condition]
            elements = tuple([(*conditions, _part(x, outer, naming)) for x in alternatives_of(last)])
            return Part(literal, None, names(literal) & outer, _NONE, elements)
        case Atom(name, args, 1):
            return Part(literal, Atom(name, args), names(literal))
        case Atom(sign=0):
            atom = naming.atom(literal)
            given = _NONE.union(*map(_bindable, atom.args))
            return Part(atom, atom, names(atom), given)
        case Aggregate(_, among, guards, sign):
            elements = tuple([tuple([_part(x, outer, naming) for x in e.condition]) for e in among])
            own = names(*(term for _, term in guards)) | (names(among) & outer)
            given = _variable_assigned(guards) if not sign else _NONE
            return Part(literal, None, own, given, elements, opposite(literal))
        case Compare(left, "=", right, 0):
            for one, other in ((left, right), (right, left)):
                if isinstance(one, Var) and one != ANY and one.name not in names(other):
                    return _comparison(literal, names(other), one.name)
    return Part(literal, None, names(literal), opposite=opposite(literal))


def _comparison(literal: Compare, needs: frozenset[str], gives: str) -> Part:
    """A comparison that can bind a variable."""
    return Part(literal, None, needs | {gives}, frozenset({gives}), opposite=opposite(literal))


def _variable_assigned(guards: Sequence[tuple[str, Term]]) -> frozenset[str]:
    """The variable that an aggregate's guard binds."""
    op, term = guards[0] if guards else ("", ANY)
    return names(term) if op == "=" and isinstance(term, Var) else _NONE


ANYTHING = "_any"
_Mode: TypeAlias = "tuple[Signature, tuple[bool, ...] | None]"
_QUESTION: Final = Var("_K")
_LEVEL: Final = Var("_L")
_ROLE, _ACTION, _ID = Var("R"), Var("A"), Var("V")
_STRAIGHT, _TURNED = Int(1), Int(2)
"""The levels."""
_AT_FIRST: Final = Compare(_LEVEL, "=", _STRAIGHT)


@dataclass(frozen=True)
class Instance:
    """A predicate whose atoms are the instances of one rule that were asked *why true*.

    Its arguments are the question's number, the level and the ``variables``; ``last`` is the last argument of the rule's
    head: an id, or a variable; None if it has none; ``detail``: how many names the head has; ``body``: the rule's literals.
    """

    name: str
    variables: tuple[str, ...]
    predicate: str
    last: Term | None
    detail: int
    body: tuple[Literal, ...]


@dataclass(frozen=True)
class ConditionInstance:
    """A predicate whose atoms say for which instances of a rule the condition of a sentence holds.

    Like an instance; ``instance``: their predicate, or empty; ``id``, ``place``: the id and number of the sentence.
    Such an atom is itself the question in ``_because``; the facts behind the condition are the answer.
    """

    name: str
    variables: tuple[str, ...]
    instance: str
    id: str
    place: int


@dataclass(frozen=True)
class Relevance:
    """The added rules, which are grounded together with the program."""

    rules: tuple[PlacedRule, ...]
    instances: tuple[Instance, ...]
    condition_instances: tuple[ConditionInstance, ...] = ()


def relevance(
    rules: Sequence[PlacedRule],
    fluents: Collection[Signature],
    *,
    legal: bool = False,
    conditions: Mapping[tuple[str, int], str] = MappingProxyType({}),
) -> Relevance:
    """The rules that explain violations derived by ``rules``, or with ``legal`` why there are none.

    ``fluents`` are the facts that explain; ``conditions``: the condition for an id and the number of its sentence.
    """
    deriving: dict[Signature, list[PlacedRule]] = defaultdict(list)
    for rule in rules:
        for signature in {head.signature for head in rule.heads}:
            deriving[signature].append(rule)
    return RelevanceMaker(fluents, deriving, conditions).run(legal)


@dataclass
class RelevanceMaker:
    """Writes the rules, each mode of a question about a predicate once.

    Attributes:
        fluents: The facts that explain.
        deriving: The rules that derive each predicate.
        conditions: The condition for an id and the number of its sentence.
        condition_instances: The predicates for these conditions, as far as they were asked.
        made: The rules that have been written.
        instances: The predicates for the instances of rules that were asked *why true*.
        modes: The predicate for each mode of a question.
        pending: The modes whose rules are not written yet.
        count: The number of fresh names.
    """

    fluents: Collection[Signature]
    deriving: Mapping[Signature, Sequence[PlacedRule]]
    conditions: Mapping[tuple[str, int], str] = field(default_factory=dict)
    condition_instances: list[ConditionInstance] = field(default_factory=list)
    made: list[lang.Rule] = field(default_factory=list)
    instances: list[Instance] = field(default_factory=list)
    modes: dict[_Mode, str] = field(default_factory=dict)
    pending: list[_Mode] = field(default_factory=list)
    count: int = 0

    def run(self, legal: bool) -> Relevance:
        """All rules for the question about violations."""
        top = self.false(VIOLATES, (True, True, True)) if legal else self.true(VIOLATES)
        asked = _ROLE, _ACTION, _ID
        self.say(Atom(top, (_QUESTION, _STRAIGHT, *asked)), Atom("_ask", (_QUESTION, *asked)))
        self.walk()
        for id, place in sorted(self.conditions.keys() - {(t.id, t.place) for t in self.condition_instances}):
            self.tell(id, place)
        self.walk()
        rules = tuple(map(rule_from, self.made))
        return Relevance(rules, tuple(self.instances), tuple(self.condition_instances))

    def walk(self) -> None:
        """Follows all questions."""
        while self.pending:
            signature, bound = self.pending.pop()
            for rule in self.deriving.get(signature, ()):
                for clause in clauses(rule.value):
                    if clause.signature != signature:
                        continue
                    if bound is None:
                        self.fires(rule, self.why_true(clause))
                    else:
                        self.why_false(clause, bound)
                        self.is_blocked(rule, clause, bound)

    def fires(self, rule: PlacedRule, instance: Atom) -> None:
        """Takes note of the predicate of the instances of a rule that were asked *why true*; for subclasses."""

    def is_blocked(self, rule: PlacedRule, clause: Clause, bound: tuple[bool, ...]) -> None:
        """Takes note of a rule that was asked *why false*; for subclasses."""

    # -- modes -------------------------------------------------------------------------------------

    def fresh(self, kind: str) -> str:
        """A fresh name for a predicate."""
        self.count += 1
        return f"_{kind}{self.count}"

    def mode(self, key: _Mode, kind: str) -> str:
        """The predicate for questions in this mode; its rules are written once."""
        if key not in self.modes:
            self.modes[key] = self.fresh(kind)
            self.pending.append(key)
        return self.modes[key]

    def true(self, signature: Signature) -> str:
        """The predicate for the question why an atom is true."""
        return self.mode((signature, None), "true")

    def false(self, signature: Signature, bound: tuple[bool, ...]) -> str:
        """The predicate for the question why no atom with these bound arguments is true."""
        return self.mode((signature, bound), "false")

    # -- rules -------------------------------------------------------------------------------------

    def say(self, head: Atom, *body: Literal) -> None:
        """Adds a rule."""
        self.made.append(lang.Rule(head, body))

    def instance(self, kind: str, variables: Iterable[str], body: Iterable[Literal]) -> Atom:
        """A new predicate over the variables that holds if the body does; returns its atom."""
        atom = Atom(self.fresh(kind), (_QUESTION, _LEVEL, *map(Var, variables)))
        self.say(atom, *body)
        return atom

    def why_true(self, clause: Clause) -> Atom:
        """Writes the questions to the rule's literals if an atom is true. Returns an atom for the rule's instances."""
        ask = Atom(self.true(clause.signature), (_QUESTION, _LEVEL, *clause.args))
        variables = sorted(clause.variables)
        body = tuple([part.literal for part in clause.parts])
        atom = self.instance("rule", variables, [ask, *body])
        last = clause.args[-1] if clause.args else None
        detail = sum(isinstance(x, (Name, Text)) or (isinstance(x, Fun) and x.name != "") for x in walk(ask))
        self.instances.append(Instance(atom.name, tuple(variables), clause.signature[0], last, detail, body))
        for part in clause.parts:
            self.holds(atom, part, _LEVEL)
        for id, place in (c for c in self.conditions if last == Text(c[0])):
            self.tell(id, place, atom, variables)
        return atom

    def tell(self, id: str, place: int, instance: Atom | None = None, variables: Sequence[str] = ()) -> None:
        """Writes the answers where the condition of a sentence holds, for an instance of a rule or for the question alone."""
        rule = lang.Rule(Atom("_condition", ()), read_body(self.conditions[id, place]))
        (clause,) = clauses(rule, "_C")  # its anonymous variables are its own
        role, action = (ANY if name.name in variables else name for name in (_ROLE, _ACTION))
        asked: list[Literal] = [Atom("_ask", (_QUESTION, role, action, Text(id))), _AT_FIRST]
        if instance is not None:
            asked.append(instance)
        known = sorted({*variables, *clause.variables, _ROLE.name, _ACTION.name})
        atom = self.instance("condition", known, [*asked, *(part.literal for part in clause.parts)])
        head = instance.name if instance is not None else ""
        self.condition_instances.append(ConditionInstance(atom.name, tuple(known), head, id, place))
        condition = Atom(atom.name, (Var("_Q"), *atom.args[1:]))
        aside = self.instance("aside", known, [condition, Compare(_QUESTION, "=", _term(condition))])
        for part in clause.parts:
            self.holds(aside, part, _TURNED)

    def why_false(self, clause: Clause, bound: tuple[bool, ...]) -> None:
        """Writes the questions to each rule's literals if no such atom is true."""
        args = [a for a, b in zip(clause.args, bound, strict=True) if b]
        name = self.false(clause.signature, bound)
        ask = Atom(name, (_QUESTION, _LEVEL, *args))
        given = names(*args)
        if bound[-1:] == (True,) and isinstance(clause.args[-1], Text):
            judging = [part for part in clause.parts if not part.negated and _judges(part, clause)]
            known = given.union(*(part.variables for part in judging))
            judging += [p for p in clause.parts if isinstance(p.literal, Compare) and p.variables <= known]
            asked = Atom(name, (_QUESTION, _STRAIGHT, *args))
            self.say(Atom("_applies", (_QUESTION,)), asked, *(part.literal for part in judging))
        for part, support in clause.plan(set(given)):
            variables = sorted(given.union(*(s.variables for s in support)))
            self.fails(part, support, variables, [ask, *(s.literal for s in support)])

    def fails(self, part: Part, support: Sequence[Part], variables: Sequence[str], body: list[Literal]) -> None:
        """Writes the questions for a literal that fails although those that bind its variables hold."""
        if part.gives - set(variables) and part.atom is None:
            return  # binds a variable: cannot fail
        if part.negated:
            there = positive(part)
            atom = self.instance("fails", sorted(names(there).union(variables)), [*body, there])
            self.atom_holds(atom, there, _TURNED)
        elif part.atom is not None:
            atom = self.instance("fails", variables, [*body, _opposite(part, variables)])
            self.atom_fails(atom, part.atom, variables, _LEVEL)
        elif part.conditional:
            conditions = part.elements[0][:-1]
            among = [element[-1] for element in part.elements]
            known = sorted(set(variables).union(*(c.variables for c in conditions)))
            failing = [*(c.literal for c in conditions), *(_opposite(last, known) for last in among)]
            atom = self.instance("fails", known, [*body, *failing])
            for condition in conditions:
                self.holds(atom, condition, _TURNED)
            for last in among:
                if last.atom is not None and not last.negated:
                    self.atom_fails(atom, last.atom, known, _LEVEL)
        else:
            atom = self.instance("fails", variables, [*body, _opposite(part, variables)])
            self.elements(atom, part)
        for other in support:
            self.holds(atom, other, _TURNED)

    def holds(self, instance: Atom, part: Part, level: Term) -> None:
        """Writes the questions for a literal that holds in an instance of its rule."""
        if part.atom is None:
            self.elements(instance, part)
        elif part.negated:
            self.atom_fails(instance, part.atom, part.variables, level)
        else:
            self.atom_holds(instance, part.atom, level)

    def elements(self, instance: Atom, part: Part) -> None:
        """Writes the questions for the elements of an aggregate: their positive literals that hold."""
        known = names(instance.args[2:])
        for element in part.elements:
            variables = sorted(known.union(*(p.variables for p in element)))
            atom = self.instance("element", variables, [instance, *(p.literal for p in element)])
            for inner in element:
                if inner.atom is not None and not inner.negated:
                    self.atom_holds(atom, inner.atom, _TURNED)

    def atom_holds(self, instance: Atom, atom: Atom, level: Term) -> None:
        """Writes a fact of the reason, or a question about a derived atom."""
        if atom.signature in self.fluents:
            self.say(Atom("_because", (_QUESTION, _term(atom))), instance)
        elif atom.signature in self.deriving:
            self.say(Atom(self.true(atom.signature), (_QUESTION, level, *atom.args)), instance)

    def atom_fails(self, instance: Atom, atom: Atom, bound: Collection[str], level: Term) -> None:
        """Writes a missing fact, or a question about a derived atom with these bound variables."""
        if atom.signature in self.fluents:
            if level == _LEVEL:
                args = tuple([rebuilt_term(term, _anything) for term, _ in project_arguments(atom, bound)])
                self.say(Atom("_absent", (_QUESTION, _term(Atom(atom.name, args)))), instance, _AT_FIRST)
        elif atom.signature in self.deriving:
            arguments = project_arguments(atom, bound)
            ask = self.false(atom.signature, tuple(known for _, known in arguments))
            self.say(Atom(ask, (_QUESTION, level, *(term for term, known in arguments if known))), instance)


def _term(atom: Atom) -> Term:
    """An atom as a term."""
    return Fun(atom.name, atom.args) if atom.args else Name(atom.name)


def _anything(term: Term) -> Term:
    return Name(ANYTHING) if term == ANY else term


def _judges(part: Part, clause: Clause) -> bool:
    """Whether a positive literal determines the actions of the clause: a decision, or an atom with the action itself."""
    atom = part.atom
    return atom is not None and (atom.signature == DECISION or any(arg in clause.args[1:2] for arg in atom.args))


def _opposite(part: Part, bound: Collection[str]) -> Literal:
    """The literal that holds if a literal fails, with these variables bound."""
    if part.atom is None:
        assert part.opposite is not None
        return part.opposite
    if part.negated:
        return Atom(part.atom.name, part.atom.args, 2)
    return Atom(part.atom.name, tuple([term for term, _ in project_arguments(part.atom, bound)]), 1)
