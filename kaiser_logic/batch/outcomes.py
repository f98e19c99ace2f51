"""How games end, found out once for all games that end alike.

Who has won follows from the last position by the rulebook's own program. Where that does no more with numbers without a
limit than to compare them with one another, it is the same for all positions that differ only in these numbers and have
them in the same order; then the program is asked about the places in that order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..engine import symbols
from ..evaluation.evaluator import Evaluator
from ..lang.algebra import variables as variables_in
from ..lang.terms import Atom, Compare, Var
from ..rules.pattern import Signature, variables
from ..rules.predicates import GOAL
from ..rules.rule import Atom as Occurrence
from ..rules.rule import Rule
from .layout import Layout

Ending = tuple[tuple[int, ...], tuple[bool, ...]] | None
"""Points and winners in the order of the seats; None where there is no result."""


class Outcomes:
    """The results of games under the same rules."""

    def __init__(self, evaluator: Evaluator, layout: Layout) -> None:
        """What evaluates last positions."""
        self._evaluator, self._layout = evaluator, layout
        program = evaluator.ruleset.outcome_program
        self._inputs = program.inputs
        self._by_order = by_order_only(program.rules, layout.endless)
        self._known: dict[tuple[int, tuple[int, ...]], Ending] = {}
        self.bits = [bit for f, bit in layout.bits.items() if symbols.signature(f) in self._inputs]

    def of(self, row: int, numbers: Sequence[int]) -> Ending:
        """How a game has ended.

        Args:
            row: The bits of the last position, at least `bits`.
            numbers: The numbers beside them.
        """
        values = sorted(set(numbers))
        places = tuple(map(values.index, numbers)) if self._by_order else tuple(numbers)
        if (row, places) not in self._known:
            self._known[row, places] = self._found(row, places)
        found = self._known[row, places]
        if found is None or not self._by_order:
            return found
        return tuple(values[n] for n in found[0]), found[1]

    def _found(self, row: int, numbers: tuple[int, ...]) -> Ending:
        result = self._evaluator.outcome(self._layout.decoded(row, numbers))
        if result is None:
            return None
        points, winners = result
        seats = self._evaluator.ruleset.seats
        return tuple(points.get(role, 0) for role in seats), tuple(role in winners for role in seats)


def by_order_only(rules: Sequence[Rule], endless: frozenset[Signature]) -> bool:
    """Whether rules only hand on numbers, compare them with one another, and give them as everybody's points.

    >>> from kaiser_logic.rules.loader import parse_rules
    >>> def ask(text): return by_order_only(parse_rules(text), frozenset({("points", 2)}))
    >>> ask("goal(R,N) :- points(R,N). behind(R) :- goal(R,N), goal(_,M), N < M.")
    True
    >>> ask("goal(R,N+1) :- points(R,N)."), ask("goal(R,N) :- points(R,N), N > 3.")
    (False, False)
    """
    carrying: dict[Signature, int] = {signature: signature[1] - 1 for signature in endless}
    grows = True
    while grows:
        grows = False
        for rule in rules:
            numbers = _numbers(rule, carrying)
            for head in rule.heads:
                places = [i for i, a in enumerate(head.args) if a[0] == "v" and a[1] in numbers]
                if len(places) > 1 or (places and carrying.get(head.signature, places[0]) != places[0]):
                    return False
                if places and head.signature not in carrying:
                    carrying[head.signature] = places[0]
                    grows = True
    if carrying.get(GOAL) != 1:
        return False
    return all(_compares_only(rule, carrying) for rule in rules)


def _numbers(rule: Rule, carrying: dict[Signature, int]) -> set[str]:
    """The variables of a rule that are such numbers."""
    return {
        str(a.args[carrying[a.signature]][1])
        for a in rule.positive
        if a.signature in carrying
        and a.args[carrying[a.signature]][0] == "v"
        and str(a.args[carrying[a.signature]][1])[0] != "_"
    }


def _compares_only(rule: Rule, carrying: dict[Signature, int]) -> bool:
    """Whether a rule does nothing else with these numbers than to compare and to hand on."""
    if any(a.signature in carrying for a in rule.inner):
        return False
    numbers = _numbers(rule, carrying)
    heads: tuple[Occurrence, ...] = rule.heads
    for atom in (*heads, *rule.positive, *rule.negative):
        place = carrying.get(atom.signature)
        for i, argument in enumerate(atom.args):
            if i == place:
                if argument[0] != "v" or (argument[1] not in numbers and str(argument[1])[0] != "_"):
                    return False
            elif numbers.intersection(variables((argument,))):
                return False
    return _rest_compares(rule, numbers)


def _rest_compares(rule: Rule, numbers: set[str]) -> bool:
    """Whether of what is no atom only comparisons of two of these numbers mention any."""
    for literal in (*rule.value.heads, *rule.value.body):
        match literal:
            case Atom(_, args, 0 | 1):
                rest: tuple[Any, ...] = tuple(arg for arg in args if not isinstance(arg, Var))
            case Compare(Var(one), _, Var(other), 0) if one in numbers and other in numbers:
                rest = ()
            case _:
                rest = (literal,)
        if numbers.intersection(variables_in(rest)):
            return False
    return True
