r"""Enumerations taken apart by the rules that offer actions: of each offered family what forbids it, in rules of its own.

A rulebook offers actions, ``candidate(R,A) :- ...``, and forbids some of them, ``violates(R,A,V) :- ...``. Each rule that
offers makes a family of actions, whose arguments stand in the place of the action here. What carries the action from
rule to rule is split alike; what forbids a family although it was offered under the very condition that is denied there
never does, and is left out.

>>> from kaiser_logic.rules.loader import parse_rules
>>> rules = parse_rules('''
...     candidate(R,put(V,G)) :- decision(R,put), held(R,V,G,_).
...     candidate(R,pass) :- decision(R,put).
...     uses(R,put(V,G),V) :- candidate(R,put(V,G)).
...     violates(R,put(V,G),"held") :- candidate(R,put(V,G)), not held(R,V,G,_).
...     violates(R,A,"barred") :- uses(R,A,V), barred(V).
...     legal(R,A) :- candidate(R,A), not violates(R,A,_).''')
>>> for family in families(rules).each:
...     print(*family.lines, sep="\n")
candidate__f0(R,A_0,A_1) :- decision(R,put); held(R,A_0,A_1,_).
uses__f0(R,A_0,A_1,A_0) :- candidate__f0(R,A_0,A_1).
hindered__f0(R,A_0,A_1,"barred") :- uses__f0(R,A_0,A_1,V); barred(V).
candidate__f1(R) :- decision(R,put).
hindered__f1(R,"barred") :- uses__f1(R,V); barred(V).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..errors import NotDecided
from ..rules.fresh import argument, is_argument
from ..rules.pattern import Pattern, Signature, Substitution, anonymous, show, substitute, unify, variables
from ..rules.predicates import CANDIDATE, DOES, LEGAL, SUBMITTED, VIOLATES
from ..rules.reader import rule_of
from ..rules.rule import Atom, Occurrence, Rule
from .rewrite import edit, literal

_PLAIN: Final = re.compile(r"[A-Z]\w*")
_FORBIDDING: Final = "hindered"
"""What ``violates`` is called here: other programs read that name."""


@dataclass(frozen=True)
class Family:
    """The actions that one rule offers.

    Attributes:
        number: Which one it is, from 0.
        action: The actions' pattern, with the arguments ``A_0``, ``A_1`` and so on.
        arguments: Their number.
        lines: What offers them, and all that is said of them.
    """

    number: int
    action: Pattern
    arguments: int
    lines: tuple[str, ...]

    @property
    def offered(self) -> Signature:
        """The predicate that says who is offered what: a role, and the arguments."""
        return f"{CANDIDATE[0]}__f{self.number}", 1 + self.arguments

    @property
    def forbidden(self) -> Signature:
        """The predicate that says what is forbidden: a role, the arguments, and by which rule."""
        return f"{_FORBIDDING}__f{self.number}", 2 + self.arguments


@dataclass(frozen=True)
class Families:
    """An enumeration taken apart.

    Attributes:
        each: The families.
        lines: What does not depend on any action.
    """

    each: tuple[Family, ...]
    lines: tuple[str, ...]


def families(rules: Sequence[Rule]) -> Families:
    """The families of the rules that list legal actions.

    Raises:
        NotDecided: The rules are of a form that is not taken apart.
    """
    offers = [r for r in rules if any(h.signature == CANDIDATE for h in r.heads)]
    others = [r for r in rules if r not in offers and all(h.signature != LEGAL for h in r.heads)]
    carried = _carried(others)
    for rule in offers:
        if len(rule.heads) != 1 or any(a.signature in carried for a in _body(rule)):
            raise _unread(rule)
    about = [r for r in others if _term(r, carried) is not None]
    _same_role(about, carried)
    found = tuple(_family(n, rule, about, carried) for n, rule in enumerate(offers))
    return Families(found, tuple(r.text for r in others if r not in about))


def _unread(rule: Rule) -> NotDecided:
    return NotDecided(
        f"what offers or forbids actions is of a form that is not read: {rule.file}:{rule.line}"
    )


def _body(rule: Rule) -> tuple[Occurrence, ...]:
    return (*rule.positive, *rule.negative, *rule.inner)


# -- what carries the action ---------------------------------------------------------------------------------------------


def _carried(rules: Sequence[Rule]) -> dict[Signature, int]:
    """The predicates all of whose rules hand on the action, each with its place there."""
    banned: set[tuple[Signature, int]] = set()
    while True:
        found = {CANDIDATE: 1}
        grows = True
        while grows:
            grows = False
            for rule in rules:
                held = [a.args[found[a.signature]] for a in rule.positive if a.signature in found]
                for head in rule.heads:
                    places = [i for i, x in enumerate(head.args) if x in held and not anonymous(x)]
                    free = [i for i in places if (head.signature, i) not in banned]
                    if head.signature not in found and free:
                        found[head.signature] = free[0]
                        grows = True
        wrong = {
            (head.signature, found[head.signature])
            for rule in rules
            for head in rule.heads
            if head.signature in found
            and head.args[found[head.signature]]
            not in [a.args[found[a.signature]] for a in rule.positive if a.signature in found]
        }
        if not wrong:
            break
        banned |= wrong
    for rule in rules:
        acting = {a.signature for a in rule.atoms} & {DOES, SUBMITTED, LEGAL}
        if acting or (any(h.signature == VIOLATES for h in rule.heads) and found.get(VIOLATES) != 1):
            raise _unread(rule)
    return found


def _term(rule: Rule, carried: Mapping[Signature, int]) -> Pattern | None:
    """The action that a rule is about; None where it is about none.

    Raises:
        NotDecided: It is about several.
    """
    terms = {a.args[carried[a.signature]] for a in rule.atoms if a.signature in carried}
    if not terms:
        return None
    if len(terms) > 1 or not any(a.signature in carried for a in rule.positive):
        raise _unread(rule)
    return next(iter(terms))


def _same_role(rules: Sequence[Rule], carried: Mapping[Signature, int]) -> None:
    """Sees to it that what is said of an action is said of the role to which it is offered.

    Somebody else may be offered the same action by another rule, and is in another family then.

    Raises:
        NotDecided: Somebody else may be meant.
    """
    roles = {CANDIDATE: 0}
    grows = True
    while grows:
        grows = False
        for signature in carried.keys() - roles.keys():
            own = [(r, h) for r in rules for h in r.heads if h.signature == signature]
            held = [
                (h, {a.args[roles[a.signature]] for a in _held(r, carried) if a.signature in roles})
                for r, h in own
            ]
            places = [i for i in range(signature[1]) if all(h.args[i] in some for h, some in held)]
            if signature == VIOLATES:
                places = [i for i in places if i == 0]
            if places:
                roles[signature] = places[0]
                grows = True
    for rule in rules:
        held_ = [*_held(rule, carried), *(h for h in rule.heads if h.signature in carried)]
        terms = {a.args[roles[a.signature]] if a.signature in roles else None for a in held_}
        if len(held_) > 1 and (len(terms) > 1 or None in terms):
            raise _unread(rule)


def _held(rule: Rule, carried: Mapping[Signature, int]) -> list[Occurrence]:
    """The atoms of a body that carry the action."""
    return [a for a in _body(rule) if a.signature in carried]


# -- one family ----------------------------------------------------------------------------------------------------------


def _family(number: int, offer: Rule, about: Sequence[Rule], carried: Mapping[Signature, int]) -> Family:
    """The family of a rule that offers."""
    head = offer.heads[0]
    names = variables((head.args[1],))
    if all(map(_PLAIN.fullmatch, names)) and not {*names} & {*variables((head.args[0],))}:
        own = {n: argument(k) for k, n in enumerate(names)}
        action = substitute(head.args[1], {("v", n): ("v", a) for n, a in own.items()})
        arguments = list(own)
    else:  # of arithmetic, of a pool: as a whole
        own, action, arguments = {}, ("v", argument(0)), [offer.argument(head, 1)]
    name = f"{CANDIDATE[0]}__f{number}"
    offered = literal(name, offer.argument(head, 0), *arguments)
    first = edit(offer, lambda a: offered if a is head else None, own)
    lines = [first]
    conditions = rule_of(first)
    for rule in about:
        line = _split(rule, action, len(arguments), number, carried)
        if line is not None and not _denied(rule_of(line), conditions, name):
            lines.append(line)
    return Family(number, action, len(arguments), tuple(lines))


def _split(
    rule: Rule, action: Pattern, count: int, number: int, carried: Mapping[Signature, int]
) -> str | None:
    """A rule about the actions of a family; None where it is about none of them."""
    term = _term(rule, carried)
    binding: Substitution | None = {} if term is None else unify(term, action, {})
    if binding is None:
        return None
    fixed = binding
    values = [show(substitute(("v", argument(k)), fixed)) for k in range(count)]

    def split(atom: Occurrence) -> str | None:
        place = carried.get(atom.signature)
        if place is None:
            return None
        given = [rule.argument(atom, i) for i in range(len(atom.args))]
        name = _FORBIDDING if atom.signature == VIOLATES else atom.name
        return literal(f"{name}__f{number}", *given[:place], *values, *given[place + 1 :])

    named = {n[1]: show(substitute(n, fixed)) for n in fixed if not is_argument(n[1])}
    try:
        return edit(rule, split, named)
    except ValueError:
        raise _unread(rule) from None


def _denied(rule: Rule, offer: Rule, name: str) -> bool:
    """Whether a rule about what is offered denies a condition under which that is offered."""
    head = offer.heads[0]
    own = set(variables(head.args))
    for asked in (a for a in rule.positive if a.name == name):
        binding = dict(zip(head.args, asked.args, strict=True))
        for condition in offer.positive:
            given = tuple(_under(a, binding, own) for a in condition.args)
            if any(a.signature == condition.signature and _covers(a, given) for a in rule.negative):
                return True
    return False


def _under(term: Pattern, binding: Mapping[Pattern, Pattern], own: set[str]) -> Pattern | None:
    """A term of an offer's condition, by what is asked for; None where it is of the condition alone."""
    if any(n not in own for n in variables((term,))):
        return None
    return substitute(term, {v: t for v, t in binding.items() if v[0] == "v" and v != t})


def _covers(denied: Atom, given: Sequence[Pattern | None]) -> bool:
    """Whether what is given is some of what is denied."""
    return all(anonymous(x) or x == y for x, y in zip(denied.args, given, strict=True))
