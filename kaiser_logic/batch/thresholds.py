"""Numbers beside the circuit that rules compare with what never changes: a bit for each such comparison.

Such a rule becomes one that reads bits (``N`` is 30 in all games)::

    end_begins :- turn(R); points(R,I); threshold(N); I > N.
    end_begins :- turn(R); counter__(points(R)); threshold(N); at_least__(points(R),N+1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from .. import clingo
from ..lang.algebra import occurrences, variables
from ..lang.terms import ANY, FLIPPED, Atom, Compare, Fun, Int, Literal, Name, Op, Term, Var
from ..lang.terms import Rule as Value
from ..rules.pattern import Signature
from ..rules.predicates import AT_LEAST, COUNTER
from ..rules.reader import rule_from
from ..rules.rule import Rule

_BEYOND: Final = {">": (0, 1), ">=": (0, 0), "<": (1, 0), "<=": (1, 1)}
"""For each sign whether a bit is denied, and by how much it is beyond the other side."""
_BOTH: Final = {"=": (">=", "<=")}
_LARGEST: Final = 2**30

Facts: TypeAlias = Mapping[Signature, tuple[clingo.Symbol, ...]]
"""The facts that no position changes, by signature."""


@dataclass(frozen=True)
class Compared:
    """A rule that reads bits in the place of numbers.

    Attributes:
        rule: It.
        least: The bits that it reads: of numbers of this kind whether they are so large.
    """

    rule: Rule
    least: frozenset[tuple[Signature, int]]


def compared(rule: Rule, endless: frozenset[Signature], static: Facts) -> Compared | None:
    """A rule with bits in the place of the numbers that it reads; None where it does other things with them, or reads none.

    Args:
        rule: A rule.
        endless: The kinds of numbers, all of which are stated, 0 too.
        static: What they are compared with is an argument of these facts, or a figure.
    """
    literals: list[Literal] = list(rule.value.body)
    atoms = [x for x in literals if isinstance(x, Atom) and not x.sign and x.signature in endless]
    if (
        not atoms
        or not rule.heads
        or any(a.signature in endless for a in (*rule.heads, *rule.negative, *rule.inner))
    ):
        return None
    least: set[tuple[Signature, int]] = set()
    for atom in atoms:
        found = _replaced(rule, atom, literals, static)
        if found is None:
            return None
        literals, its = found
        least |= {(atom.signature, n) for n in its}
    value = Value(rule.value.head, tuple(literals))
    return Compared(rule_from(value, rule.file, rule.line, rule.block, rule.column), frozenset(least))


def _replaced(
    rule: Rule, atom: Atom, literals: list[Literal], static: Facts
) -> tuple[list[Literal], set[int]] | None:
    """The literals with bits in the place of one of these atoms, and how large its number must be for them."""
    *args, variable = atom.args
    if not isinstance(variable, Var) or literals.count(atom) != 1:
        return None
    counter = Fun(atom.name, tuple(args)) if args else Name(atom.name)
    found: list[Literal] = []
    least, seen = set[int](), 1
    for literal in literals:
        if literal == atom:
            found.append(Atom(COUNTER[0], (counter,)))
        elif variable.name not in variables(literal):
            found.append(literal)
        else:
            bits = _bits(literal, variable, counter, rule, static)
            if bits is None:
                return None
            found += bits[0]
            least |= bits[1]
            seen += 1
    if variable != ANY and occurrences(rule.value).count(variable.name) != seen:
        return None
    return found, least


def _bits(
    literal: Literal, variable: Var, counter: Term, rule: Rule, static: Facts
) -> tuple[list[Literal], set[int]] | None:
    """A comparison as literals that read bits, and the numbers they are for; None where it is none."""
    match literal:
        case Compare(left, op, (Var() | Int()) as right, 0) if left == variable:
            sign, other = op, right
        case Compare((Var() | Int()) as left, op, right, 0) if right == variable:
            sign, other = FLIPPED[op], left
        case _:
            return None
    if sign == "!=" or other == variable:
        return None
    values = _values(other, rule, static)
    if values is None or any(abs(n) > _LARGEST for n in values):
        return None
    signs = _BOTH.get(sign, (sign,))
    beyond = [_BEYOND[s] for s in signs]
    bits: list[Literal] = [
        Atom(AT_LEAST[0], (counter, Op("+", other, Int(1)) if more else other), denied)
        for denied, more in beyond
    ]
    return bits, {n + more for n in values for _, more in beyond}


def _values(term: Var | Int, rule: Rule, static: Facts) -> set[int] | None:
    """What a term can be: a figure, or a variable that stands in a fact which no position changes."""
    if isinstance(term, Int):
        return {term.value}
    for atom in rule.value.body:
        if isinstance(atom, Atom) and not atom.sign and atom.signature in static and term in atom.args:
            found = {fact.arguments[atom.args.index(term)] for fact in static[atom.signature]}
            numbers = {s.number for s in found if s.type is clingo.SymbolType.Number}
            return numbers if len(numbers) == len(found) else None
    return None


def thresholds(
    rules: Iterable[Rule], numbers: Iterable[clingo.Symbol], endless: frozenset[Signature], static: Facts
) -> list[clingo.Symbol]:
    """The bits that rules read in the place of numbers: at_least__(Number,Least)."""
    found = [made for rule in rules if (made := compared(rule, endless, static))]
    least = sorted({one for made in found for one in made.least})
    return [
        clingo.Function(AT_LEAST[0], [number, clingo.Number(n)])
        for number in numbers
        for signature, n in least
        if signature == (number.name, len(number.arguments) + 1)
    ]
