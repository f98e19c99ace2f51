"""Evaluable terms (intervals, pools, sums) in the place of an action become equations beside the atom.

Where an action is split its term vanishes from the atoms that carry it. One that is worked out says more than its pattern, so
that it is said beside the atom first:

>>> from kaiser_logic.rules.reader import rule_of
>>> apart(rule_of("add(odd) :- does(R,go(N+1)); heap(N)."), lambda atom: [1] * (atom.name == "does")).text
'add(odd) :- does(R,Worked_0_); heap(N); Worked_0_ = go((N+1)).'
>>> apart(rule_of("add(odd) :- does((red;green),pass)."), lambda atom: (0, 1)).text
'add(odd) :- does(Worked_0_,pass); Worked_0_ = (red;green).'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from ..lang import terms as lang
from ..lang.terms import Atom, Compare, Fun, Literal, Signature, Term, Var
from ..rules.reader import rule_from
from ..rules.rule import Occurrence, Rule
from .carriers import Carriers, carriers

_MARK: Final = "_?"
"""What the variables begin with that a pattern has for such terms (:mod:`..rules.reader`)."""


def is_evaluable(term: Term) -> bool:
    """Whether something in a term is worked out."""
    if isinstance(term, Fun):
        return any(map(is_evaluable, term.args))
    return bool(isinstance(term, Var) and term.name.startswith(_MARK))


def apart(rule: Rule, places: Callable[[Occurrence], Iterable[int]]) -> Rule:
    """The rule with equations for evaluable terms at these places of its atoms; unchanged if there are none."""
    if not any(is_evaluable(arg) for atom in rule.positive for arg in atom.args):
        return rule
    equations: list[Literal] = []
    body: list[Literal] = []
    positive = iter(rule.positive)
    for literal in rule.value.body:
        if isinstance(literal, Atom) and not literal.sign:
            occurrence, args = next(positive), list(literal.args)
            for i in places(occurrence):
                if is_evaluable(occurrence.args[i]):
                    name = Var(f"Worked_{len(equations)}_")
                    equations.append(Compare(name, "=", args[i]))
                    args[i] = name
            literal = Atom(literal.name, tuple(args))
        body.append(literal)
    if not equations:
        return rule
    found = lang.Rule(rule.value.head, (*body, *equations))
    return rule_from(found, rule.place, rule.block)


def separate_evaluable_terms(
    rules: Sequence[Rule], action: Term, others: Sequence[Term] | None
) -> tuple[Sequence[Rule], Carriers, dict[Signature, int]]:
    """The rules with equations for evaluable terms in the place of an action; the carriers, and those of others.

    See :func:`.carriers.carriers`, which is told the same.
    """
    while True:
        carried, foreign = carriers(rules, action, others)
        found = [apart(rule, carried.places) for rule in rules]
        if found == list(rules):
            return rules, carried, foreign
        rules = found
