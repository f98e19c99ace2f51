"""Checks of rules: forbidden forms, undefined predicates, recursion through negation, unsafe variables."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from ...errors import Finding
from ...lang.algebra import names, walk
from ...lang.graph import cycles
from ...lang.modes import unbound
from ...lang.printer import show_term
from ...lang.terms import LARGEST, Int, Range, Refused, Signature, Term, Var
from ...lang.unification import functor, rename_all, unify_all
from ..places import nearest, signature_text
from ..rule import PlacedRule
from .survey import (
    AFTER,
    CLAIM_PREDICATES,
    DRAWING_PREDICATES,
    ENGINE_PREDICATES,
    ENGINE_READS,
    EXTENDED,
    JUDGING,
    RESERVED,
    RULEBOOK_PREDICATES,
    Survey,
)

MOST_NUMBERS: Final = 100_000
"""The largest number of numbers in an interval."""
_INTERVAL: Final = re.compile(r"\.\.\(?-?\d{6}")

# -- forms ---------------------------------------------------------------------------------------------------
#
# The reader accepts rules without a head and names with a prime. A rulebook must not have them.


def forms(survey: Survey) -> Iterator[Finding]:
    """The kind ``constraint``, and the kind ``syntax`` for names that no record can have.

    >>> # :- heap(N), N > 12.
    """
    for rule in survey.rules:
        if "'" in rule.text and (primed := next((n for n in names(rule.value) if "'" in n), None)):
            message = f"the name {primed} contains a prime ('), which records cannot have"
            yield survey.at(rule, "syntax", message, primed)
        if rule.value.head is None:
            message = "a rule without a head forbids positions: say broken(Invariant,Witness) instead"
            yield survey.at(rule, "constraint", message)


# -- names ---------------------------------------------------------------------------------------------------
#
# These checks find predicates that no rule derives, that have another number of arguments, or that a rulebook must not derive.


_ACTION: Final[Signature] = ("action", 2)
_SORTS: Final[tuple[Signature, ...]] = (("number", 1), ("fluent", 1), ("board_fact", 1))
_SORTED: Final = frozenset({("fluent", 1), _ACTION, ("board_fact", 1), ("board_broken", 2)})
"""The predicates of the vocabulary whose rules may read the sorts, as their instances are never listed."""


def check_definitions(survey: Survey) -> Iterator[Finding]:
    """The kinds ``undefined`` and ``arity``: a body reads only predicates that exist.

    >>> # holds(R) :- taken(R,N), plaeyr(R).     holds(R) :- taken(R).
    """
    known = readable(survey)
    for signature in survey.read.keys() - known:
        arities = sorted(k for n, k in known if n == signature[0])
        if arities:
            what, hint = "arity", f"; it has {' or '.join(map(str, arities))} arguments"
        else:
            what, hint = "undefined", nearest(signature[0], (n for n, _ in known))
        for use in survey.read[signature]:
            message = f"{signature_text(signature)} is neither derived by a rule nor a fluent{hint}"
            yield survey.at(use.rule, what, message, signature[0])


def elsewhere(survey: Survey) -> Iterator[Finding]:
    """The kind ``undefined``: only rules of the vocabulary read number, fluent, action and board_fact.

    In other rules these predicates have no instances, or only those with the numbers at hand. No rule reads what only the judge
    derives.

    >>> # many(N) :- number(N), N > 9.     fluent(pot(N)) :- many(N).     kind(A) :- action(take,A).     free :- is_pending(_,_).
    """
    ours = set(survey.rules) - set(survey.drawing)
    for signature in (*_SORTS, _ACTION):
        for rule in dict.fromkeys(use.rule for use in survey.read[signature]):
            if rule not in ours or {head.signature for head in rule.heads} <= _SORTED:
                continue
            name = signature_text(signature)
            message = f"{name} may be used only in rules for fluent, action and the facts of a board"
            yield survey.at(rule, "undefined", message, signature[0])
    for signature in JUDGING:
        for use in survey.read.get(signature, ()):
            name = signature_text(signature)
            message = f"only the engine reads {name}: say what you need by facts or by a predicate of your own"
            yield survey.at(use.rule, "undefined", message, signature[0])


def readable(survey: Survey) -> set[Signature]:
    """The predicates that a rule may read, and those of the judge."""
    after = AFTER if survey.claims else ()
    return {
        *survey.derived,
        *survey.book.fluents,
        *survey.shared,
        *ENGINE_PREDICATES,
        *RULEBOOK_PREDICATES,
        *after,
        ("party", 2),
    }


def wrong_heads(survey: Survey) -> Iterator[Finding]:
    """The kinds ``head`` and ``arity``: a rulebook derives neither fluents nor predicates of the engine.

    >>> # heap(12).     submitted(R,pass) :- player(R).     left(R,R) :- seat(R,1).     add(phase(over),now) :- made(_,take).
    """
    ours = RULEBOOK_PREDICATES | survey.wanted | (DRAWING_PREDICATES if survey.drawing else frozenset())
    ours |= CLAIM_PREDICATES if survey.claims else frozenset()
    given = (
        ENGINE_PREDICATES | (survey.shared - RULEBOOK_PREDICATES - EXTENDED) | (AFTER if survey.claims else frozenset())
    )
    arities: dict[str, list[int]] = {}
    for name, arity in sorted(ours):
        arities.setdefault(name, []).append(arity)
    for signature, uses in survey.derived.items():
        if signature in survey.book.fluents:
            message = (
                f"{signature_text(signature)} is a fluent: it comes and goes by init, add, del, gain, lose and shift"
            )
            what = "head"
        elif signature in given:
            what, message = "head", f"{signature_text(signature)} is defined by the engine, not by a rulebook"
        elif signature[0] in arities and signature not in ours and signature not in survey.read:
            numbers = " or ".join(map(str, arities[signature[0]]))
            what, message = (
                "arity",
                f"'{signature[0]}' has {numbers} argument{'s' * (numbers != '1')}, not {signature[1]}",
            )
        else:
            continue
        for use in uses:
            yield survey.at(use.rule, what, message, signature[0])


def check_reserved(survey: Survey) -> Iterator[Finding]:
    """The kind ``head``: a rulebook has no name that is reserved for encodings.

    >>> # most(R,N) :- taken(R,N).     heap__m1(N) :- heap(N).     fluent(free(R)) :- player(R).
    """
    for signature in {*survey.derived, *survey.read, *survey.book.fluents}:
        name = signature[0]
        if signature not in RESERVED and "__" not in name and not name.startswith("_"):
            continue
        message = f"proofs use the name {signature_text(signature)} themselves: choose another one here"
        rules = [use.rule for use in (*survey.derived.get(signature, ()), *survey.read.get(signature, ()))]
        declared = survey.arguments(("fluent", 1), 0, heads=True)
        rules += [use.rule for use, term in declared if functor(term) == signature]
        for rule in dict.fromkeys(rules):
            yield survey.at(rule, "head", message, name)


# -- loops ---------------------------------------------------------------------------------------------------
#
# The rules must be stratified, and evaluation must end.


def loops(survey: Survey) -> Iterator[Finding]:
    """The kind ``loop``: no predicate depends on itself through ``not`` or a sum.

    >>> # free(R) :- player(R), not busy(R).     busy(R) :- player(R), not free(R).
    """
    reads: dict[Signature, set[Signature]] = defaultdict(set)
    for rule in survey.book.rules:
        for head in rule.heads:
            reads[head.signature] |= rule.uses
    for head_signature, body, _ in ENGINE_READS:
        reads[head_signature].add(body)
    for component in map(set, cycles(reads, lambda head: reads.get(head, ()))):
        inside = [r for r in survey.book.rules if any(h.signature in component for h in r.heads)]
        if any(_stops(rule, component) for rule in inside) or _through_engine(component, alone=True):
            yield from _in_rules(survey, inside, component)


def _stops(rule: PlacedRule, component: set[Signature]) -> bool:
    """Whether the rule reads one of these predicates under ``not`` or in a sum."""
    return any(a.signature in component for a in (*rule.negative, *rule.inner))


def _through_engine(component: set[Signature], alone: bool = False) -> bool:
    """Whether rules of the engine are part of the loop; ``alone``: rules that stop at ``not`` or at a sum."""
    return any({head, body} <= component and not (alone and more) for head, body, more in ENGINE_READS)


def _in_rules(survey: Survey, rules: list[PlacedRule], component: set[Signature]) -> Iterator[Finding]:
    """The loops between single rules: a rule depends on another only if their atoms unify, not just their predicates."""
    if _through_engine(component):
        guilty = rules
    else:
        graph: dict[int, set[int]] = {i: set() for i in range(len(rules))}
        stops: set[tuple[int, int]] = set()
        for i, rule in enumerate(rules):
            for atoms, stop in ((rule.positive, False), ((*rule.negative, *rule.inner), True)):
                for atom in atoms:
                    for j, other in enumerate(rules):
                        if any(h.signature == atom.signature and _meet(atom.args, h.args) for h in other.heads):
                            graph[i].add(j)
                            stops |= {(i, j)} if stop else set()
        loops = [c for c in map(set, cycles(graph, graph.__getitem__)) if any(i in c and j in c for i, j in stops)]
        guilty = [rules[i] for c in loops for i in sorted(c)]
    own = [r for r in guilty if not r.is_of_engine]
    if own:
        names = ", ".join(
            sorted({signature_text(h.signature) for r in own for h in r.heads} & set(map(signature_text, component)))
        )
        message = f"this is a loop through 'not' or a sum: {names}; nothing follows from it"
        yield survey.at(own[0], "loop", message)


def _meet(one: tuple[Term, ...], other: tuple[Term, ...]) -> bool:
    return unify_all(one, rename_all(other, "'"), {}) is not None


def endless(survey: Survey) -> Iterator[Finding]:
    """The kind ``endless``: a recursive rule that computes a new number without a bound, or an interval of too many numbers.

    >>> # size(N+1) :- size(N).     amount(1..2000000000).
    """
    for rule in survey.rules:
        for part in walk(rule.value) if _INTERVAL.search(rule.text) else ():
            if isinstance(part, Range) and isinstance(part.low, Int) and isinstance(part.high, Int):
                numbers = part.high.value - part.low.value + 1
                if numbers > MOST_NUMBERS:
                    message = f"an interval of {numbers:,} numbers, more than {MOST_NUMBERS:,}: number(N) has no limit"
                    yield survey.at(rule, "endless", message, show_term(part).strip("()"), str(part.high.value))
                elif numbers > 0 and part.high.value == LARGEST:
                    message = f"an interval that ends at {LARGEST:,} does not end in clingo"
                    yield survey.at(rule, "endless", message, str(part.high.value))
        read = {a.signature for a in rule.positive}
        for head in rule.heads:
            grows = any(isinstance(a, Var) and a.name.startswith("_?") for a in head.args)
            if grows and read == {head.signature} and len(rule.value.body) == len(rule.positive):
                message = f"{signature_text(head.signature)} has no end: nothing bounds what this rule derives"
                yield survey.at(rule, "endless", message)


# -- safety --------------------------------------------------------------------------------------------------
#
# Each variable of a rule must be bound, as clingo demands, and each rule must have a normal form.


def safety(survey: Survey) -> Iterator[Finding]:
    """The kind ``unsafe``: each variable is bound by a positive atom of the body.

    >>> # add(took(Q)) :- does(R,take(_)).
    """
    for rule in survey.rules:
        try:
            names = unbound(rule.value)
        except Refused as refused:
            yield survey.at(rule, "syntax", refused.message)
            continue
        for name in names:
            message = f"the variable {name} is not bound by a positive atom of the body"
            if name == "_":
                message = "'_' stands where a variable must be bound: under 'not' with others, or in a head"
            yield survey.at(rule, "unsafe", message, name)
