"""Predicates that are looked up in one place only: not derived for all arguments, but joined there for those in question.

>>> from kaiser_logic.rules.loader import parse_rules
>>> rules = parse_rules("item(fare(N,K),A+B) :- seat(K,A), way(N,B). breaks(P) :- asked(V), item(V,N), pays(P,N).")
>>> for text, _, left_out in in_place(rules, frozenset({("breaks", 1)})).values():
...     print(text, left_out)
breaks(P) :- asked(V); V = fare(N1,K); N = (A+B); seat(K,A); way(N1,B); pays(P,N). (0,)

That is done where it cannot cost much: all variables of the one rule that derives the predicate stand in its head, so that
each row comes of one way to meet the body, and nothing of it is looked for that has not the arguments asked for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias

from ...lang.algebra import is_fixed, rename_apart, variables
from ...lang.printer import show
from ...lang.terms import Atom, Chain, Compare, Literal, Signature
from ...lang.terms import Rule as Value
from ...rules.predicates import is_enumeration
from ...rules.rule import Rule

InPlace: TypeAlias = Mapping[int, tuple[str, tuple[Signature, ...], tuple[int, ...]]]
"""For the place of a rule: its new text, what it cannot fire without, and the places of the rules that are joined there."""


def in_place(rules: Sequence[Rule], besides: Collection[Signature]) -> InPlace:
    """The rules in which the one rule for a predicate is joined.

    Args:
        rules: Those of a program.
        besides: The predicates that are asked for, and those that are given.

    Returns:
        Those rules; what is joined in them is needed nowhere else.
    """
    deriving: dict[Signature, list[int]] = defaultdict(list)
    reading: dict[Signature, list[int]] = defaultdict(list)
    for k, rule in enumerate(rules):
        for head in rule.heads:
            deriving[head.signature].append(k)
        for group in (rule.positive, rule.negative, rule.inner):
            for atom in group:
                reading[atom.signature].append(k)
    joined: dict[int, dict[Signature, int]] = defaultdict(dict)
    left_out: set[int] = set()
    for signature, its in deriving.items():
        if len(its) != 1 or len(reading[signature]) != 1 or signature in besides:
            continue
        (one,), (other,) = its, reading[signature]
        if one == other or one in joined or other in left_out:
            continue
        if any(a.signature == signature for a in rules[other].positive) and _joins(
            rules[one], rules[other], signature
        ):
            joined[other][signature] = one
            left_out.add(one)
    return {k: (*_whole(rules, k, parts), tuple(parts.values())) for k, parts in joined.items()}


def _joins(one: Rule, other: Rule, signature: Signature) -> bool:
    """Whether a rule can be joined where another one reads what it derives, and nothing is gone through without need."""
    if len(one.heads) != 1 or len(other.heads) != 1 or not one.positive or is_enumeration(one):
        return False
    deriving, reading = one.value, other.value
    if not (deriving.head and is_fixed(deriving.head) and all(map(_is_single, deriving.body))):
        return False
    atoms = [literal for literal in reading.body if _reads(literal, signature)]
    besides = variables(*(literal for literal in reading.body if literal not in atoms))
    if not atoms or set(variables(*atoms)).isdisjoint(besides):
        return False
    return set(variables(deriving.body)) <= set(variables(deriving.head))


def _is_single(literal: Literal) -> bool:
    """Whether a literal holds in one way at most once its variables are bound."""
    if isinstance(literal, Atom):
        return literal.sign < 2 and is_fixed(literal)
    return isinstance(literal, (Compare, Chain)) and literal.sign < 2 and is_fixed(literal)


def _reads(literal: Literal, signature: Signature) -> bool:
    return isinstance(literal, Atom) and not literal.sign and literal.signature == signature


def _whole(
    rules: Sequence[Rule], k: int, parts: Mapping[Signature, int]
) -> tuple[str, tuple[Signature, ...]]:
    """The text of a rule with others joined in the place of what they derive, and what it cannot fire without."""
    rule = rules[k].value
    body: list[Literal] = []
    for literal in rule.body:
        one = next((one for signature, one in parts.items() if _reads(literal, signature)), None)
        if one is None:
            body.append(literal)
            continue
        apart = rename_apart(rules[one].value, rule, *body)
        assert isinstance(literal, Atom)
        for asked, given in zip(literal.args, apart.heads[0].args, strict=True):
            body.append(Compare(asked, "=", given))
        body += apart.body
    needs = (a.signature for its in (k, *parts.values()) for a in rules[its].positive)
    return show(Value(rule.head, tuple(body))), tuple(n for n in dict.fromkeys(needs) if n not in parts)
