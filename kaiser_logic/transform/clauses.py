"""Rules as lists of literals, each with the variables that it binds and those that it needs.

Finer than :mod:`..rules.rule`: only for rules from which others are made. Pools unfold, anonymous variables of positive
literals get names, and a head's arguments are terms without arithmetic:

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
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

from ..lang.algebra import rebuilt_literal, variables, walk
from ..lang.normal import alternatives_of, opposite, unpooled
from ..lang.terms import (
    ANY,
    Aggregate,
    Atom,
    Choice,
    Compare,
    Conditional,
    Fun,
    Literal,
    Op,
    Range,
    Rule,
    Signature,
    Term,
    Var,
)

_NONE: Final = frozenset[str]()


@dataclass(frozen=True)
class Part:
    """A literal of a body.

    Attributes:
        literal: As it stands in a body.
        atom: The atom of a predicate, without ``not``; None for comparisons, aggregates and conditional literals, and for what
            is negated twice.
        variables: All variables, without those inside of an aggregate only.
        gives: Those that it can bind.
        elements: The literals of each element of an aggregate. Of a conditional literal those of its condition and, as the last
            one, what must hold: once for each term of a pool, of which one suffices.
        opposite: What holds where a comparison or an aggregate does not.
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
        """All variables, without those inside of aggregates only."""
        return names(self.args).union(*(p.variables for p in self.parts))

    def plan(self, given: set[str]) -> list[tuple[Part, list[Part]]]:
        """The literals in an order in which they can be evaluated, once the given variables are bound.

        Each comes with its support: those of the literals before it that bind what is bound in it.
        """
        bound, binder = set(given), dict[str, Part]()
        found: list[tuple[Part, list[Part]]] = []
        rest = list(self.parts)
        while rest:
            part = _next(rest, bound)
            rest.remove(part)
            found.append((part, _support(part, binder)))
            if not part.negated:
                for variable in part.gives - bound:
                    binder[variable] = part
            bound |= part.variables
        return found


def _next(rest: Sequence[Part], bound: set[str]) -> Part:
    """A literal without unbound variables, or else a predicate, or else what computes a variable."""
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


@lru_cache(maxsize=4096)
def clauses(rule: Rule, prefix: str = "_A") -> tuple[Clause, ...]:
    """The clauses of a rule; none where its head is no atom. Whoever explains one violation explains others by the same rules.

    ``prefix``: what the names of anonymous variables begin with.
    """
    if rule.head is None or isinstance(rule.head, Choice):
        return ()
    return tuple([_clause(one, prefix) for one in unpooled(rule)])


def _clause(rule: Rule, prefix: str) -> Clause:
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


def projected(atom: Atom, bound: Collection[str]) -> list[tuple[Term, bool]]:
    """An atom's arguments, with ``_`` for unbound variables and for what is computed from such; and whether all are bound."""
    return [
        (_projected(arg, bound), all(v in bound for v in variables(arg)) and ANY not in walk(arg))
        for arg in atom.args
    ]


def _projected(term: Term, bound: Collection[str]) -> Term:
    if isinstance(term, Fun):
        return Fun(term.name, tuple([_projected(arg, bound) for arg in term.args]))
    return term if all(name in bound for name in variables(term)) else ANY


def positive(part: Part) -> Atom:
    """A negated predicate without its ``not``, its anonymous variables named."""
    assert part.atom is not None
    return _Naming("_P").atom(part.atom)


class _Naming:
    """Names anonymous variables."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._count = 0

    def atom(self, atom: Atom) -> Atom:
        """An atom without anonymous variables."""
        return rebuilt_literal(atom, self._named)

    def _named(self, term: Term) -> Term:
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
    """The variables of a body's literal that are the rule's own."""
    if isinstance(literal, Aggregate):
        return names(*(term for _, term in literal.guards))
    return _NONE if isinstance(literal, Conditional) else names(literal)


def _part(literal: Literal, outer: frozenset[str], naming: _Naming) -> Part:
    """A literal of a body, in a rule with these variables of its own."""
    match literal:
        case Conditional(last, condition):
            conditions = [_part(x, outer, naming) for x in condition]
            elements = tuple([(*conditions, _part(x, outer, naming)) for x in alternatives_of(last)])
            return Part(literal, None, names(literal) & outer, _NONE, elements)
        case Atom(name, args, 1):
            return Part(literal, Atom(name, args), names(literal))
        case Atom(sign=0):
            named = naming.atom(literal)
            given = _NONE.union(*map(_bindable, named.args))
            return Part(named, named, names(named), given)
        case Aggregate(_, among, guards, sign):
            elements = tuple([tuple([_part(x, outer, naming) for x in e.condition]) for e in among])
            own = names(*(term for _, term in guards)) | (names(among) & outer)
            given = _assigned(guards) if not sign else _NONE
            return Part(literal, None, own, given, elements, opposite(literal))
        case Compare(left, "=", right, 0):
            for one, other in ((left, right), (right, left)):
                if isinstance(one, Var) and one != ANY and one.name not in names(other):
                    return _comparison(literal, names(other), one.name)
    return Part(literal, None, names(literal), opposite=opposite(literal))


def _comparison(literal: Compare, needs: frozenset[str], gives: str) -> Part:
    """A comparison that can bind a variable."""
    return Part(literal, None, needs | {gives}, frozenset({gives}), opposite=opposite(literal))


def _assigned(guards: Sequence[tuple[str, Term]]) -> frozenset[str]:
    """The variable that an aggregate's guard binds."""
    op, term = guards[0] if guards else ("", ANY)
    return names(term) if op == "=" and isinstance(term, Var) else _NONE
