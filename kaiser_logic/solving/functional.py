"""Functional dependencies: constraints that tell the solver that a sum has one value.

``income(R,N) :- player(R), N = #sum { M,E : city(E,R,M) }.`` grounds to one rule for each value of N, each with its own sum.
No single clause implies that two of them cannot hold together, and the solver takes long to find it out. In the language of
databases, R determines N. A constraint states it: ``:- income(R,N), income(R,M), N < M.``

Why it is right. Let a predicate have only one rule. Let the body of the rule have an aggregate ``N = #sum {...}``, and let N be
one argument of the head. Each atom of the predicate then has an instance of the rule with its arguments. If all variables that
the aggregate shares with the rest of the rule occur in the other arguments of the head, these determine the value of the
aggregate, and so N. Hence the constraint excludes no model. No other rule for the predicate can come later:
:class:`.program.SolverProgram` refuses rules for a predicate that an earlier part reads, and the constraint reads it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from ..lang.algebra import variables
from ..lang.terms import Aggregate, Atom, Compare, Rule, Signature, Term, Var
from .build import ChoiceRule, head_of, never


def dependencies(lines: Iterable[Rule | ChoiceRule], others: Collection[Signature]) -> Iterator[Rule]:
    r"""The constraints for the predicates that these lines define; ``others``: predicates with rules or facts elsewhere.

    >>> from ..lang.printer import show
    >>> from ..lang.reader import read_rules
    >>> rules = read_rules("p(f(R),N) :- q(R), N = #sum { M,E: r(E,R,M) }, N <= 7. s(N) :- q(R), N = #count { E: r(E,R,_) }.")
    >>> print(*map(show, dependencies(rules, [])), sep="\n")
    #false :- p(X1__,X2__); p(X1__,Y__); X2__ < Y__.
    """
    by: dict[Signature, list[Rule | None]] = {}
    for line in lines:
        if isinstance(line, ChoiceRule):
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
    """Whether an argument of a rule's head is the value of an aggregate that the other arguments determine."""
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
