"""Numbers beside the circuit that rules compare with what never changes: a bit for each such comparison.

Such a rule becomes one that reads bits (``N`` is 30 in all games)::

    end_begins :- turn(R); points(R,I); threshold(N); I > N.
    end_begins :- turn(R); counter__(points(R)); threshold(N); at_least__(points(R),N+1).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from .. import clingo
from ..lang.terms import FLIPPED
from ..rules.pattern import Signature
from ..rules.predicates import AT_LEAST, COUNTER
from ..rules.reader import rule_of
from ..rules.rule import DEFERRED, TOKEN, Occurrence, Rule

_COMPARED: Final = re.compile(r"\s*([A-Z]\w*|-?\d+)\s*(<=|>=|!=|<|>|=)\s*([A-Z]\w*|-?\d+)\s*")
_BEYOND: Final = {
    ">": "{0}({1},{2}+1)",
    ">=": "{0}({1},{2})",
    "<": "not {0}({1},{2})",
    "<=": "not {0}({1},{2}+1)",
}
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
    atoms = [a for a in rule.positive if a.signature in endless]
    if (
        not atoms
        or not rule.heads
        or any(a.signature in endless for a in (*rule.heads, *rule.negative, *rule.inner))
    ):
        return None
    literals = [literal.text for literal in rule.literals]
    least: set[tuple[Signature, int]] = set()
    for atom in atoms:
        found = _replaced(rule, atom, literals, static)
        if found is None:
            return None
        literals, its = found
        least |= {(atom.signature, n) for n in its}
    head = rule.part(0, rule.cuts[0][0] - 1)
    made = rule_of(f"{head} :- {'; '.join(literals)}.")
    whole = replace(made, _node=DEFERRED, file=rule.file, line=rule.line, block=rule.block)
    return Compared(whole, frozenset(least))


def _replaced(
    rule: Rule, atom: Occurrence, literals: list[str], static: Facts
) -> tuple[list[str], set[int]] | None:
    """The literals with bits in the place of one of these atoms, and how large its number must be for them."""
    kind, name = atom.args[-1]
    text = rule.part(atom.start, atom.end)
    if kind != "v" or literals.count(text) != 1:
        return None
    arguments = [rule.argument(atom, k) for k in range(len(atom.args) - 1)]
    counter = f"{atom.name}({','.join(arguments)})" if arguments else atom.name
    variable = rule.argument(atom, len(atom.args) - 1)
    found, least, seen = [], set[int](), 1
    for literal in literals:
        if literal == text:
            found.append(f"{COUNTER[0]}({counter})")
            continue
        if variable not in TOKEN.findall(literal):
            found.append(literal)
            continue
        bits = _bits(literal, variable, counter, rule, static)
        if bits is None:
            return None
        found += bits[0]
        least |= bits[1]
        seen += 1
    if variable != "_" and TOKEN.findall(rule.text).count(str(name)) != seen:
        return None
    return found, least


def _bits(
    literal: str, variable: str, counter: str, rule: Rule, static: Facts
) -> tuple[list[str], set[int]] | None:
    """A comparison as literals that read bits, and the numbers they are for; None where it is none."""
    match = _COMPARED.fullmatch(literal)
    if match is None or match[2] == "!=" or match[1] == match[3]:
        return None
    sign, other = (match[2], match[3]) if match[1] == variable else (FLIPPED[match[2]], match[1])
    values = _values(other, rule, static)
    if values is None or any(abs(n) > _LARGEST for n in values):
        return None
    signs = _BOTH.get(sign, (sign,))
    least = {n + ("+1" in _BEYOND[s]) for n in values for s in signs}
    return [_BEYOND[s].format(AT_LEAST[0], counter, other) for s in signs], least


def _values(term: str, rule: Rule, static: Facts) -> set[int] | None:
    """What a term can be: a figure, or a variable that stands in a fact which no position changes."""
    if not term[0].isupper():
        return {int(term)}
    for atom in rule.positive:
        if atom.signature in static and ("v", term) in atom.args:
            found = {fact.arguments[atom.args.index(("v", term))] for fact in static[atom.signature]}
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
