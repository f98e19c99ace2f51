"""What is used must be declared: fluents, counters, steps, decisions and actions; and what is declared must be complete."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...errors import Finding
from ..pattern import Pattern, outermost
from ..places import called, nearest
from ..predicates import ADD, CANDIDATE, DEL, DOES, DUE, GAIN, LOSE, SHIFT, VIOLATES
from .survey import Survey, Use

_INIT = ("init", 1)
_FLUENT = ("fluent", 1)
_SEAT = ("seat", 2)
_NO_NAME = re.compile(r'["\d-]')


def fluents(survey: Survey) -> Iterator[Finding]:
    """The kind ``fluent``: what a position is made of, and what changes it, is declared.

    >>> # add(tooked(R)) :- does(R,take(_)).     init(pahse(play)).     and a rulebook without fluent(seat(R,I))
    """
    for signature in (ADD, DEL, _INIT):
        terms = survey.arguments(signature, 0, heads=True)
        yield from survey.strange(terms, survey.book.fluents, "fluent", "fluent")
    if _SEAT not in survey.book.fluents and survey.rules:
        message = "nothing says fluent(seat(R,I)) :- seat(R,I): who sits where is part of every position"
        yield survey.at(survey.rules[0], "fluent", message)


def counters(survey: Survey) -> Iterator[Finding]:
    """The kind ``counter``: gain, lose and shift name counted fluents without their number, or single pieces.

    >>> # gain(phase,1,x) :- made(_,take).     shift(heap(N),taken(R),1,x) :- does(R,take(1)), heap(N).
    """
    known = survey.counters
    for signature, positions in ((GAIN, (0,)), (LOSE, (0,)), (SHIFT, (0, 1))):
        for position in positions:
            terms = survey.arguments(signature, position, heads=True)
            yield from survey.strange(terms, known, "counter", "counter")


def counted(survey: Survey) -> Iterator[Finding]:
    """The kind ``counted``: counted, stated, unit and simultaneous name what is declared, without a body.

    >>> # counted(tkaen,2).     counted(taken,3).     stated(heap,N) :- size(N).
    """
    known = survey.book.fluents
    for name in ("counted", "stated", "signed", "unit"):
        for use in survey.heads(name, 2):
            (kind, functor, *_), (number, arity, *_) = use.atom.args
            if kind != "c" or number != "c" or not arity.isdigit() or use.rule.cuts:
                message = f"{name}(Name,Arity) is a fact with a name and a number"
            elif (functor, int(arity)) not in known:
                arities = sorted(k for n, k in known if n == functor)
                hint = (
                    f"; it has {arities[0]} arguments" if arities else nearest(functor, (n for n, _ in known))
                )
                message = f"there is no fluent {functor}/{arity}{hint}"
            else:
                continue
            yield survey.at(use.rule, "counted", message, functor if kind == "c" else name)
    names = None if survey.decisions is None else frozenset((n, 0) for n, _ in survey.decisions)
    terms = survey.arguments(("simultaneous", 1), 0, heads=True)
    yield from survey.strange(terms, names, "counted", "decision")


def steps(survey: Survey) -> Iterator[Finding]:
    """The kind ``step``: ``due(S)`` only of a declared ``step(S)``, of each name with one number of arguments.

    >>> # add(due(pas_on)) :- made(_,take).     step(refill). step(refill(R)) :- player(R).     step(1).
    """
    due: list[tuple[Use, Pattern]] = list(survey.arguments(DUE, 0, heads=False))
    for signature in (ADD, DEL, _INIT):
        for use, term in survey.arguments(signature, 0, heads=True):
            if term[0] == "f" and outermost(term) == DUE:
                due.append((use, term[2][0]))
    yield from survey.strange(due, survey.steps, "step", "step")
    arities: dict[str, int] = {}
    for use, term in survey.arguments(("step", 1), 0, heads=True):
        named = outermost(term)
        if named and _NO_NAME.match(named[0]):
            yield survey.at(use.rule, "step", f"the step {named[0]} has no name: numbers and texts are none")
        elif named and arities.setdefault(named[0], named[1]) != named[1]:
            message = f"the step '{named[0]}' has another number of arguments elsewhere: give one of them another name"
            yield survey.at(use.rule, "step", message, named[0])


def decisions(survey: Survey) -> Iterator[Finding]:
    """The kinds ``decision`` and ``out_of_turn``: each decision has a fluent, actions, and the rule that others break.

    >>> # fluent(decision(R,tkae)) :- player(R).     and a decision without out_of_turn(D,Rule)
    >>> # action(D,take(K)) :- phase_of(D), amount(K).
    """
    known = survey.decisions
    declared: list[tuple[Use, Pattern]] = []
    for use, term in survey.arguments(_FLUENT, 0, heads=True):
        if term[0] == "f" and term[1] == "decision" and len(term[2]) == 2:
            declared.append((use, term[2][1]))
    owners = list(survey.arguments(("out_of_turn", 2), 0, heads=True))
    read = survey.arguments(("decision", 2), 1, heads=False)
    yield from survey.strange([*declared, *owners, *read], known, "decision", "decision")
    fluent, owned = ({outermost(term) for _, term in found} for found in (declared, owners))
    for use in survey.heads("action", 2):
        term = use.atom.args[0]  # a pool is no name, whatever its alternatives are
        named = outermost(term)
        if named is None or _NO_NAME.match(named[0]) or _unreadable(term):
            message = (
                "the decision of an action has its name in the declaration, and names, numbers and variables in it: "
                "write a line for each decision"
            )
            yield survey.at(use.rule, "decision", message, "action")
        if named and named not in fluent and None not in fluent:
            message = f"the decision {called(named)} is declared nowhere as a fluent, fluent(decision(R,D))"
            yield survey.at(use.rule, "decision", message, named[0])
            fluent.add(named)
        if named and named not in owned and None not in owned:
            message = (
                f"nothing says out_of_turn({named[0]},Rule): which rule is broken by those who act without it"
            )
            yield survey.at(use.rule, "out_of_turn", message, named[0])
            owned.add(named)


def actions(survey: Survey) -> Iterator[Finding]:
    """The kinds ``action`` and ``candidate``: actions are declared, and each comes into question.

    >>> # candidate(R,tkae(K)) :- decision(R,take), amount(K).     and an action without candidate(R,A)
    """
    asked = list(survey.arguments(CANDIDATE, 1, heads=True))
    used = [*asked, *survey.arguments(CANDIDATE, 1, heads=False), *survey.arguments(DOES, 1, heads=False)]
    used += survey.arguments(VIOLATES, 1, heads=True)
    yield from survey.strange(used, survey.actions, "action", "action")
    for use in survey.heads("action", 2):
        term = use.atom.args[1]
        named = outermost(term)
        if named is None or _NO_NAME.match(named[0]):
            text = use.rule.argument(use.atom, 1)
            message = f"the action {text} has no name: write a line for each kind of action, such as action(take,take(K))"
            yield survey.at(use.rule, "action", message, "action")
        elif _unreadable(term):
            message = "an action in a declaration is made of names, numbers and variables; a body says which values they have"
            yield survey.at(use.rule, "action", message, str(term[1]))
    questioned = {outermost(term) for _, term in asked}
    for use, term in survey.arguments(("action", 2), 1, heads=True):
        named = outermost(term)
        if named and named not in questioned and None not in questioned:
            message = f"no rule candidate(R,{named[0]}...): nobody could ever choose it"
            yield survey.at(use.rule, "candidate", message, named[0])
            questioned.add(named)
    yield from _several(survey)


def _unreadable(term: Pattern) -> bool:
    """Whether a declared action has texts, or something that is worked out, such as an interval."""
    kind, text = term[:2]
    if kind == "f":
        return any(map(_unreadable, term[2]))
    return "?" in text if kind == "v" else text.startswith('"')


def _several(survey: Survey) -> Iterator[Finding]:
    """Rules that ask for another action in question: one alone is in question where an action is judged.

    >>> # violates(R,take(K),"most") :- candidate(R,take(K)), candidate(R,take(J)), J > K.
    """
    for rule in dict.fromkeys(use.rule for use in survey.read[CANDIDATE]):
        asked = {a.args for a in rule.positive if a.signature == CANDIDATE}
        others = {a.args for a in (*rule.negative, *rule.inner) if a.signature == CANDIDATE}
        if len(asked) > 1 or not others <= asked:
            message = (
                "one action is in question where it is judged, so no rule asks for two, nor for all there are"
            )
            yield survey.at(rule, "candidate", message, CANDIDATE[0])


def beginning(survey: Survey) -> Iterator[Finding]:
    """The kind ``init``: a game begins somewhere.

    >>> # a rulebook without init(F)
    """
    if _INIT not in survey.derived and survey.rules:
        message = "nothing says init(F): the position at the start has no facts but the seats"
        yield survey.at(survey.rules[0], "init", message)
