"""Predicates that are looked up in one place only: not derived for all arguments, but joined there for those in question.

>>> from kaiser_logic.rules.loader import parse_rules
>>> rules = parse_rules("item(fare(N,K),A+B) :- seat(K,A), way(N,B). breaks(P) :- asked(V), item(V,N), pays(P,N).")
>>> for text, _, left_out in in_place(rules, frozenset({("breaks", 1)})).values():
...     print(text, left_out)
breaks(P) :- asked(V); V = fare(N''2,K''2); N = (A''2+B''2); seat(K''2,A''2); way(N''2,B''2); pays(P,N). (0,)

That is done where it cannot cost much: all variables of the one rule that derives the predicate stand in its head, so that
each row comes of one way to meet the body, and nothing of it is looked for that has not the arguments asked for.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final, TypeAlias

from ...rules.pattern import Signature, anonymous
from ...rules.predicates import is_enumeration
from ...rules.rule import TOKEN, Occurrence, Rule

_VARIABLE: Final = re.compile(r"_*[A-Z]")
_MANIFOLD: Final = re.compile(r"\.\.|[{}:;#]|\bnot not\b")
"""What a rule that is joined elsewhere has none of: ranges, pools, aggregates, conditions."""


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
    joined: dict[int, dict[Occurrence, int]] = defaultdict(dict)
    left_out: set[int] = set()
    for signature, its in deriving.items():
        if len(its) != 1 or len(reading[signature]) != 1 or signature in besides:
            continue
        (one,), (other,) = its, reading[signature]
        if one == other or one in joined or other in left_out:
            continue
        found = [a for a in rules[other].positive if a.signature == signature]
        if not found or not _joins(rules[one], rules[other], found[0]):
            continue
        joined[other][found[0]] = one
        left_out.add(one)
    return {k: (*_whole(rules, k, parts), tuple(parts.values())) for k, parts in joined.items()}


def _joins(one: Rule, other: Rule, atom: Occurrence) -> bool:
    """Whether a rule can be joined where another one reads what it derives, and nothing is gone through without need."""
    if len(one.heads) != 1 or len(other.heads) != 1 or not one.positive or is_enumeration(one):
        return False
    if one.inner or any(map(_MANIFOLD.search, (_head(one), *(literal.text for literal in one.literals)))):
        return False
    if (atom.start, atom.end) not in other.cuts:
        return False
    besides = " ".join(other.part(*cut) for cut in other.cuts if cut != (atom.start, atom.end))
    asked = set(_variables(other.part(atom.start, atom.end)))
    inside = {v for literal in one.literals for v in _variables(literal.text)}
    return not asked.isdisjoint(_variables(besides)) and inside <= set(_variables(_head(one)))


def _whole(
    rules: Sequence[Rule], k: int, parts: Mapping[Occurrence, int]
) -> tuple[str, tuple[Signature, ...]]:
    """The text of a rule with others joined in the place of what they derive, and what it cannot fire without."""
    rule = rules[k]
    joined = {(atom.start, atom.end): (atom, rules[one]) for atom, one in parts.items()}
    body: list[str] = []
    for number, cut in enumerate(rule.cuts, 1):
        if cut not in joined:
            body.append(rule.part(*cut))
            continue
        atom, one = joined[cut]
        for place, pattern in enumerate(atom.args):
            asked = "_" if anonymous(pattern) else rule.argument(atom, place)
            body.append(f"{asked} = {_renamed(one.argument(one.heads[0], place), number)}")
        body += [_renamed(literal.text, number) for literal in one.literals]
    needs = (a.signature for its in (rule, *(one for _, one in joined.values())) for a in its.positive)
    derived = {atom.signature for atom in parts}
    return f"{_head(rule)} :- {'; '.join(body)}.", tuple(n for n in dict.fromkeys(needs) if n not in derived)


def _head(rule: Rule) -> str:
    """A rule's head as text."""
    return rule.text.partition(" :- ")[0]


def _variables(text: str) -> list[str]:
    """The variables in a text, as often as they occur."""
    return [token for token in TOKEN.findall(text) if _VARIABLE.match(token)]


def _renamed(text: str, number: int) -> str:
    """A text with other variables, as no rulebook names them."""
    return TOKEN.sub(lambda m: f"{m[0]}''{number}" if _VARIABLE.match(m[0]) else m[0], text)
