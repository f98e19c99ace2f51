"""A sum has one value: constraints that say so, for the solver, which does not see it.

``income(R,N) :- player(R), N = #sum { M,E : city(E,R,M) }.`` grounds to one rule for each value of N, each with a sum of its
own. That two of them do not hold together follows from no single clause, and takes the solver long to find out: a functional
dependency, as databases call it. So that is said besides: ``:- income(R,N), income(R,M), N < M.``

Why it is right. Let a predicate follow from one rule alone, whose body has an aggregate ``N = #sum {...}``, and N stand
in one argument of the head. An atom of the predicate then has an instance of the rule with its arguments. Where all
variables that the aggregate shares with the rest of the rule stand in the other arguments, these decide the value of the
aggregate, and so N. Thus the constraint excludes no model. That no other rule follows later is seen to by
:class:`.program.Program`: nobody defines what has been read, and the constraint reads it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from ..lang.algebra import variables
from ..lang.terms import Aggregate, Atom, Compare, Rule, Signature, Term, Var
from .build import Choice, head_of, never


def dependencies(lines: Iterable[Rule | Choice], others: Collection[Signature]) -> Iterator[Rule]:
    r"""The constraints for predicates of some lines; ``others``: predicates that more is said of elsewhere.

    >>> from ..lang.printer import show
    >>> from ..lang.reader import read
    >>> rules = read("p(f(R),N) :- q(R), N = #sum { M,E: r(E,R,M) }, N <= 7. s(N) :- q(R), N = #count { E: r(E,R,_) }.")
    >>> print(*map(show, dependencies(rules, [])), sep="\n")
    #false :- p(X1__,X2__); p(X1__,Y__); X2__ < Y__.
    """
    by: dict[Signature, list[Rule | None]] = {}
    for line in lines:
        if isinstance(line, Choice):
            for head, _ in line.elements:
                by.setdefault(head.signature, []).append(None)
        elif line.head is not None:
            by.setdefault(head_of(line).signature, []).append(line)
    for signature, rules in by.items():
        if signature in others or len(rules) > 1 or rules[0] is None:
            continue
        head = head_of(rules[0])
        place = next((k for k in range(len(head.args)) if _is_decided(rules[0], head, k)), None)
        if place is not None:
            args: list[Term] = [Var(f"X{k}__") for k in range(1, len(head.args) + 1)]
            one, other = args[place], Var("Y__")
            first = Atom(head.name, tuple(args))
            second = replace(first, args=(*args[:place], other, *args[place + 1 :]))
            yield never(first, second, Compare(one, "<", other))


def _is_decided(one: Rule, head: Atom, place: int) -> bool:
    """Whether an argument of a rule's head is the value of an aggregate that the other arguments decide."""
    value = head.args[place]
    given = set(variables(*head.args[:place], *head.args[place + 1 :]))
    if not isinstance(value, Var) or value.name in given:
        return False
    for literal in one.body:
        if isinstance(literal, Aggregate) and not literal.sign and literal.guards == (("=", value),):
            rest = variables(head, *(other for other in one.body if other is not literal))
            if given.issuperset(set(variables(*literal.elements)).intersection(rest)):
                return True
    return False
