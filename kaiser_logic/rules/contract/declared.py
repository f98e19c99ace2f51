"""Checks of declarations: fluents, counters, steps, decisions, actions, static facts, invariants, claims."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from ...errors import Finding
from ...lang.algebra import atoms, occurrences
from ...lang.graph import dependents
from ...lang.normal import alternatives
from ...lang.printer import show_term
from ...lang.terms import Atom, Fun, Int, Name, Op, Signature, Term, Text, Var
from ...lang.unification import CONSTANTS, functor, label
from ..places import nearest, signature_text
from ..predicates import (
    ACTION,
    ADD,
    BOARD_FACT,
    BROKEN,
    CANDIDATE,
    CHANGE,
    CLAIMS,
    COUNTS,
    DEL,
    DOES,
    DUE,
    EFFECTS,
    GAIN,
    LOSE,
    MADE,
    MORE,
    NUMBER,
    SHIFT,
    SUBMITTED,
    THEN,
    TOTAL,
    VIOLATES,
    WEIGHT,
    WRONG,
)
from ..rule import Occurrence, predicates_read
from .survey import (
    CLAIM_PREDICATES,
    ENGINE_PREDICATES,
    ENGINE_READS,
    PICKED,
    RULEBOOK_PREDICATES,
    STATIC,
    PredicateUse,
    Survey,
)

_INIT = ("init", 1)
_HAPPENING: Final = frozenset({DOES, MADE, SUBMITTED, *EFFECTS, CHANGE, ("touched", 1)})
"""What holds only because roles have acted."""
_FLUENT = ("fluent", 1)
_SEAT = ("seat", 2)
_LIMIT = ("limit", 3)
_RANGE = ("range", 3)
_NUMBERS: Final = (
    (("goal", 2), 1), (WEIGHT, 1), (_LIMIT, 1), (_LIMIT, 2), (_RANGE, 1), (_RANGE, 2), (("bound", 2), 1),
    (COUNTS, 2), (GAIN, 1), (LOSE, 1), (SHIFT, 2), (("thing", 3), 1), (("thing", 3), 2), (("pickable", 3), 2),
)  # fmt: skip
"""The arguments of heads that are numbers."""
_NO_NAME = re.compile(r'["\d-]')


def fluents(survey: Survey) -> Iterator[Finding]:
    """The kind ``fluent``: the facts of positions, and those that are added and deleted, are declared.

    >>> # add(tooked(R)) :- does(R,take(_)).     init(pahse(play)).     init(5).     del(seat(R,I)) :- does(R,fold), seat(R,I).
    >>> # and a rulebook without fluent(seat(R,I))
    """
    for signature in (ADD, DEL, _INIT):
        terms = list(survey.arguments(signature, 0, heads=True))
        yield from survey.unknown_names(terms, survey.book.fluents, "fluent", "fluent")
        for use in (use for use, term in terms if functor(term) == _SEAT):
            message = "the seats are given, and the same in all positions: a rule can only read them"
            yield survey.at(use.rule, "fluent", message, "seat")
    for signature in (_FLUENT, ADD, DEL, _INIT):
        for use, term in survey.arguments(signature, 0, heads=True):
            if _is_nameless(term):
                message = f"{_text_of(term)} is no fact: numbers, texts and tuples have no name"
                yield survey.at(use.rule, "fluent", message, signature[0])
    taken = (ENGINE_PREDICATES | RULEBOOK_PREDICATES | CLAIM_PREDICATES | survey.shared) - {_SEAT}
    for use, term in survey.arguments(_FLUENT, 0, heads=True):
        stored = functor(term)
        if stored is not None and stored in taken:
            message = f"{signature_text(stored)} means something to the engine, so a fluent needs another name"
            yield survey.at(use.rule, "fluent", message, stored[0])
    if _SEAT not in survey.book.fluents and survey.rules:
        message = "the rule fluent(seat(R,I)) :- seat(R,I) is missing: the seats are part of every position"
        yield survey.at(survey.rules[0], "fluent", message)
    yield from _unlimited_sorts(survey, _FLUENT, "fluent", "a fact")
    yield from _unlimited_sorts(survey, BOARD_FACT, "fluent", "a fact of a board")


def counters(survey: Survey) -> Iterator[Finding]:
    """The kind ``counter``: gain, lose and shift name counted fluents without their number, or single pieces.

    A measure contains no calculation, pool or tuple.

    >>> # gain(phase,1,x) :- made(_,take).     limit((a,b),0,2).     shift(heap(N),taken(R),1,x) :- does(R,take(1)), heap(N).
    """
    known = survey.counters
    for signature, positions in ((GAIN, (0,)), (LOSE, (0,)), (SHIFT, (0, 1))):
        for position in positions:
            terms = survey.arguments(signature, position, heads=True)
            yield from survey.unknown_names(terms, known, "counter", "counter")
    for signature in (_LIMIT, _RANGE, COUNTS):
        for use in survey.heads(*signature):
            if _has_opaque(use.atom.args[0]):
                message = "a measure is made of names, numbers, texts and variables; a body says which values they have"
                yield survey.at(use.rule, "counter", message, signature[0])


def numbers(survey: Survey) -> Iterator[Finding]:
    """The kind ``number``: points, weights, limits and what is gained or counted are no names.

    >>> # goal(R,many) :- terminal, player(R).     weight(deal,high).     limit(tokens,low,7).
    """
    for signature, position in _NUMBERS:
        for use in survey.heads(*signature):
            for term in alternatives(use.rule.argument(use.atom, position)):
                if isinstance(term, (Fun, Name, Text)):
                    message = (
                        f"{show_term(term)} is no number, as argument {position + 1} of {signature_text(signature)} is"
                    )
                    yield survey.at(use.rule, "number", message, signature[0])
                elif signature == WEIGHT and isinstance(term, Int) and term.value < 1:
                    message = f"{term.value} is no weight: what cannot happen is not legal"
                    yield survey.at(use.rule, "number", message, signature[0])


def check_counters(survey: Survey) -> Iterator[Finding]:
    """The kind ``counted``: counted, stated, signed and unit are facts about declared fluents, simultaneous about decisions.

    Each is one of them: gains name a counter without its number, so a piece of that name would be the same to them.

    >>> # counted(tkaen,2).     counted(taken,3).     stated(heap,N) :- size(N).     counted(taken,2). unit(taken,1).
    """
    known, kinds = survey.book.fluents - {_SEAT}, dict[tuple[Signature, bool], str]()
    for name in ("counted", "stated", "signed", "unit"):
        for use in survey.heads(name, 2):
            counter, number = use.atom.args
            called_ = label(counter)
            if not isinstance(counter, CONSTANTS) or not isinstance(number, Int) or use.rule.value.body:
                message = f"{name}(Name,Arity) is a fact with a name and a number"
            elif (called_, number.value) not in known:
                arities = sorted(k for n, k in known if n == called_)
                hint = f"; it has {arities[0]} arguments" if arities else nearest(called_, (n for n, _ in known))
                message = f"there is no fluent {called_}/{number.value}{hint}"
            else:
                kind = "stated" if name == "signed" else name
                changed = number.value if name == "unit" else number.value - 1
                places = (
                    ((called_, number.value), False),
                    ((called_, changed), True),
                )  # the fact, what a gain names
                others = {kinds.setdefault(place, kind) for place in places} - {kind}
                if not others:
                    continue
                message = f"{called_} is {min(others)}, too: a gain or a loss of it would mean both"
            yield survey.at(use.rule, "counted", message, called_ if isinstance(counter, CONSTANTS) else name)
    names = None if survey.decisions is None else frozenset((n, 0) for n, _ in survey.decisions)
    terms = survey.arguments(("simultaneous", 1), 0, heads=True)
    yield from survey.unknown_names(terms, names, "counted", "decision")


def steps(survey: Survey) -> Iterator[Finding]:
    """The kind ``step``: ``due(S)`` needs a declared ``step(S)``; the name of a step has one number of arguments.

    >>> # add(due(pas_on)) :- made(_,take).     step(refill). step(refill(R)) :- player(R).     step(1).
    """
    due: list[tuple[PredicateUse, Term]] = list(survey.arguments(DUE, 0, heads=False))
    for signature in (ADD, DEL, _INIT):
        for use, term in survey.arguments(signature, 0, heads=True):
            if isinstance(term, Fun) and functor(term) == DUE:
                due.append((use, term.args[0]))
    yield from survey.unknown_names(due, survey.steps, "step", "step")
    arities: dict[str, int] = {}
    for use, term in survey.arguments(("step", 1), 0, heads=True):
        step = functor(term)
        if step and _NO_NAME.match(step[0]):
            yield survey.at(use.rule, "step", f"the step {step[0]} has no name: a number or a text is not a name")
        elif step and arities.setdefault(step[0], step[1]) != step[1]:
            message = f"the step '{step[0]}' has another number of arguments elsewhere: give one of them another name"
            yield survey.at(use.rule, "step", message, step[0])


def decisions(survey: Survey) -> Iterator[Finding]:
    """The kinds ``decision`` and ``out_of_turn``: each decision has a fluent, actions, and a rule for acting without it.

    >>> # fluent(decision(R,tkae)) :- player(R).     and a decision without out_of_turn(D,Rule)
    >>> # action(D,take(K)) :- phase_of(D), amount(K).
    """
    known = survey.decisions
    declared: list[tuple[PredicateUse, Term]] = []
    for use, term in survey.arguments(_FLUENT, 0, heads=True):
        if isinstance(term, Fun) and term.name == "decision" and len(term.args) == 2:
            declared.append((use, term.args[1]))
    owners = list(survey.arguments(("out_of_turn", 2), 0, heads=True))
    read = survey.arguments(("decision", 2), 1, heads=False)
    yield from survey.unknown_names([*declared, *owners, *read], known, "decision", "decision")
    for use, term in declared:
        if _is_nameless(term):
            message = f"the decision {_text_of(term)} has no name: numbers, texts and tuples have none"
            yield survey.at(use.rule, "decision", message, "decision")
    fluent, owned = ({functor(term) for _, term in terms} for terms in (declared, owners))
    for use in survey.heads("action", 2):
        term = use.atom.args[0]  # a pool is no name, whatever its alternatives are
        signature = functor(term)
        if signature is None or _NO_NAME.match(signature[0]) or _unreadable(term):
            message = (
                "in a declaration the decision of an action needs a name, with names, numbers and variables as arguments: "
                "write a line for each decision"
            )
            yield survey.at(use.rule, "decision", message, "action")
        if signature and signature not in fluent and None not in fluent:
            message = f"the decision {signature_text(signature)} is not declared as a fluent, fluent(decision(R,D))"
            yield survey.at(use.rule, "decision", message, signature[0])
            fluent.add(signature)
        if signature and signature not in owned and None not in owned:
            message = f"no rule derives out_of_turn({signature[0]},Rule): the rule that is broken by acting without the decision"
            yield survey.at(use.rule, "out_of_turn", message, signature[0])
            owned.add(signature)


def actions(survey: Survey) -> Iterator[Finding]:
    """The kinds ``action`` and ``candidate``: actions are declared, and each is a candidate in some rule.

    >>> # candidate(R,tkae(K)) :- decision(R,take), amount(K).     and an action without candidate(R,A)
    """
    asked = list(survey.arguments(CANDIDATE, 1, heads=True))
    used = [*asked, *survey.arguments(CANDIDATE, 1, heads=False), *survey.arguments(DOES, 1, heads=False)]
    used += survey.arguments(VIOLATES, 1, heads=True)
    yield from survey.unknown_names(used, survey.actions, "action", "action")
    for use in survey.heads("action", 2):
        term = use.atom.args[1]
        signature = functor(term)
        if signature is None or _NO_NAME.match(signature[0]):
            action = show_term(use.rule.argument(use.atom, 1))
            message = (
                f"the action {action} has no name: write a line for each kind of action, such as action(take,take(K))"
            )
            yield survey.at(use.rule, "action", message, "action")
        elif _unreadable(term):
            message = (
                "an action in a declaration is made of names, numbers and variables; a body says which values they have"
            )
            yield survey.at(use.rule, "action", message, label(term))
    questioned = {functor(term) for _, term in asked}
    for use, term in survey.arguments(("action", 2), 1, heads=True):
        signature = functor(term)
        if signature and signature not in questioned and None not in questioned:
            message = f"no rule candidate(R,{signature[0]}...): nobody could ever choose it"
            yield survey.at(use.rule, "candidate", message, signature[0])
            questioned.add(signature)
    yield from _unlimited_sorts(survey, ACTION, "action", "an action")
    yield from _several(survey)
    yield from _lifting(survey)


def _unlimited_sorts(survey: Survey, head: Signature, what: str, noun: str) -> Iterator[Finding]:
    """Facts or actions that depend on number/1 otherwise than by ``number(N)``, where N or -N is an argument of them.

    The numbers are those in the facts or actions at hand. So a fact would be in the vocabulary only together with others,
    and an action that is listed would have other numbers than one that is judged. A fact's number has no condition, since
    proofs know only numbers up to a bound.

    >>> # fluent(pot(N+1)) :- number(N).     action(give(N),give) :- number(N).     fluent(pot(N)) :- number(N), N != 500.
    >>> # action(take,take(N)) :- fluent(heap(N)).     with fluent(heap(N)) :- number(N).
    """
    declaring = {_FLUENT, BOARD_FACT, ACTION}
    numbered = any(NUMBER in use.rule.uses for s in declaring for use in survey.heads(*s))
    for use in survey.heads(*head):
        choices = alternatives(use.rule.argument(use.atom, head[1] - 1))
        for literal in use.rule.value.body:
            if isinstance(literal, Atom) and literal.signature == NUMBER and not literal.sign:
                number = literal.args[0]
                plain = isinstance(number, Var) and all(number in _arguments(one) for one in choices)
                uses = occurrences(use.rule.value.body, *choices).count(show_term(number))
                if plain and head == _FLUENT and uses > 1 + len(choices):
                    message = f"a number without a limit has no condition: write the limits of {noun}, such as points(R,0..99)"
                    yield survey.at(use.rule, what, message, NUMBER[0])
            else:
                read = {atom.signature for atom, _ in atoms([literal])}
                plain = NUMBER not in read and not (numbered and read & declaring)
            if not plain:
                message = f"of numbers without a limit the line of {noun} says only number(N), where N or -N is an argument of it"
                yield survey.at(use.rule, what, message, NUMBER[0])


def _arguments(term: Term) -> Iterator[Term]:
    """The arguments of a fact or an action at any depth; of -N it is N."""
    match term:
        case Fun(_, args):
            for one in args:
                yield from _arguments(one)
        case Op("neg", _, negated):
            yield negated
        case _:
            yield term


def _unreadable(term: Term) -> bool:
    """Whether a declared action has strings, or parts that are not simple, such as an interval."""
    if isinstance(term, Fun):
        return any(map(_unreadable, term.args))
    return _is_opaque(term) or isinstance(term, Text)


def _is_opaque(term: Term) -> bool:
    """Whether a simplified term stands for a calculation, a pool, a tuple or an infinite number."""
    return isinstance(term, Var) and "?" in term.name


def _has_opaque(term: Term) -> bool:
    return any(map(_has_opaque, term.args)) if isinstance(term, Fun) else _is_opaque(term)


def _is_nameless(term: Term) -> bool:
    return isinstance(term, (Int, Text)) or _is_opaque(term)


def _text_of(term: Term) -> str:
    return "this" if _is_opaque(term) else show_term(term)


def _several(survey: Survey) -> Iterator[Finding]:
    """Rules that read two candidates: a judged action is the only candidate.

    >>> # violates(R,take(K),"most") :- candidate(R,take(K)), candidate(R,take(J)), J > K.
    """
    for rule in dict.fromkeys(use.rule for use in survey.read[CANDIDATE]):
        asked = {a.args for a in rule.positive if a.signature == CANDIDATE}
        others = {a.args for a in (*rule.negative, *rule.inner) if a.signature == CANDIDATE}
        if len(asked) > 1 or not others <= asked:
            message = (
                "a judged action is the only candidate: a rule must neither read two candidates nor collect them; "
                "it reads the position, or passes its one action on, as in able(R,take(K))"
            )
            yield survey.at(rule, "candidate", message, CANDIDATE[0])


def _lifting(survey: Survey) -> Iterator[Finding]:
    """Rules by which another role's action may lift a violation: an action that is illegal alone must be illegal in company.

    So a simultaneous decision can be judged before the others are known.

    >>> # violates(R,stop,"stop") :- submitted(R,stop), left(R,Q), not submitted(Q,stop).
    """
    rules = [r for r in survey.book.rules if not any(h.signature == CANDIDATE for h in r.heads)]
    reads = predicates_read(rules)
    for head, body, _ in ENGINE_READS:
        reads[head].add(body)
    after = dependents(reads, _HAPPENING)
    found, wanted = set[Signature](), {VIOLATES}
    while wanted:
        found |= wanted
        read = (r.uses & after for r in rules if any(h.signature in wanted for h in r.heads))
        wanted = set[Signature]().union(*read) - found
    for rule in rules:
        if any(h.signature in found for h in rule.heads) and not rule.is_of_engine:
            hidden = [a for a in (*rule.negative, *rule.inner) if a.signature in after]
            summed = [a for a in rule.positive if a.signature in after and _is_summed(a, survey.book.counters)]
            for atom in (*hidden, *summed):
                name = signature_text(atom.signature)
                how = "under 'not' or in a sum" if atom in hidden else "is what all actions change together"
                instead = "read the position and candidate(R,A)"
                message = f"another role's action may lift a violation: {name} {how}; {instead}"
                yield survey.at(rule, "candidate", message, atom.name)


def _is_summed(atom: Occurrence, counters: Collection[Signature]) -> bool:
    """Whether an atom tells by how much, or to which number, all gains and losses change a counter; or what a sum is."""
    if atom.signature in (ADD, DEL):
        changed = functor(atom.args[0])
        return changed is None or changed in counters
    return atom.signature in (CHANGE, TOTAL, BROKEN)


def beginning(survey: Survey) -> Iterator[Finding]:
    """The kind ``init``: the rulebook says what holds at the start.

    >>> # a rulebook without init(F)
    """
    if _INIT not in survey.derived and survey.rules:
        message = "there is no init(F): the first position has no facts except the seats"
        yield survey.at(survey.rules[0], "init", message)


# -- static facts -------------------------------------------------------------------------------------------------
#
# Proofs take these properties from the form of the rules: static facts depend on no position, and invariants have plain names.


_SETS: Final[Signature] = ("set", 1)
"""This predicate depends on the candidates. The vocabulary may read it: each way to evaluate rules provides its sets."""


def static_facts(survey: Survey) -> Iterator[Finding]:
    """The kind ``static``: the facts about the whole game depend on no position, no action and no step.

    >>> # limit(hand,0,2) :- took(red).     step(refill) :- heap(0).     waived(one_taker) :- phase(over).
    >>> # copies(gem,N) :- heap(N).     with engine = ["table", "cards"], whose limits follow from it
    """
    book = survey.book
    moving = (survey.derived.keys() | survey.shared | book.fluents | ENGINE_PREDICATES) - book.static - {_SETS}
    static = STATIC | (PICKED & survey.wanted)
    by_engine = (rule for rule in book.rules if rule.is_of_engine and rule.heads[0].signature in static)
    for signature in sorted(static.union(*(rule.uses for rule in by_engine))):
        for use in survey.derived.get(signature, ()):
            for other in sorted(use.rule.uses & moving)[:1]:
                whole, part = signature_text(signature), signature_text(other)
                message = f"{whole} holds of the whole game, but {part} of some positions or moves"
                yield survey.at(use.rule, "static", message, signature[0])


def invariants(survey: Survey) -> Iterator[Finding]:
    """The kind ``invariant``: an invariant has a plain name, by which it can be found, and not the name of one of the engine's.

    >>> # broken(I,x) :- about(I), heap(7).     broken(full(R),x) :- taken(R,7).     %! invariant limit -- ...
    """
    for use in survey.derived.get(BROKEN, ()):
        name = use.atom.args[0]
        text = label(name)
        if not isinstance(name, CONSTANTS) or not text[:1].islower():
            message = "the first argument of broken/2 must be the name of an invariant, a plain name"
            yield survey.at(use.rule, "invariant", message, BROKEN[0])
        elif text in CLAIMS:
            yield survey.at(use.rule, "invariant", _id_taken(text), text)
    for use, name in survey.arguments(("waived", 1), 0, heads=True):
        if label(name) in CLAIMS or isinstance(name, Var):
            message = "only invariants of the rulebook are waived, each by its name: all answers rest on the engine's"
            yield survey.at(use.rule, "invariant", message, "waived")
    headings = [d for d in survey.book.docs.values() if d.kind == "invariant"]
    for doc in (*headings, *survey.claimed.values()):
        if doc.id in CLAIMS and not doc.is_of_engine:
            yield survey.at_heading(doc, "invariant", _id_taken(doc.id))


def _id_taken(id: str) -> str:
    return f"the engine proves something of its own that is called {id}: another name is needed"


# -- claims --------------------------------------------------------------------------------------------------
#
# The claims of a rulebook about its moves and positions are programs on top of its rules.


QUERIES: Final = ("never", "some")
"""The keys of a heading with a query: the claim is that it holds in no position, or in some."""
_DONE: Final = frozenset({DOES, CANDIDATE, SUBMITTED, ("made", 2)})


def separate_heads(survey: Survey) -> Iterator[Finding]:
    """The kind ``head``: claims derive no predicate of the rules, so that no verdict about the rules depends on them.

    >>> # claims.lp:  left(R,Q) :- seat(R,2), seat(Q,1).     where the rules say left/2
    """
    own = survey.shared.union(RULEBOOK_PREDICATES)
    claims = {rule.text for rule in survey.claims}
    for rule in survey.claims:
        for head in rule.heads:
            s = head.signature
            if s in CLAIM_PREDICATES:
                continue
            if s in own or any(use.rule.text not in claims for use in survey.derived.get(s, ())):
                message = f"{signature_text(s)} is derived by the rules: use another name in the claim"
                yield survey.at(rule, "head", message, s[0])


def check_claims(survey: Survey) -> Iterator[Finding]:
    """The kinds ``undocumented`` and ``heading``: each claim has a heading, and each heading has a claim.

    >>> # wrong(pays,R) :- ...     without a line %! claim pays -- ...
    """
    defined: set[str] = set()
    for rule in survey.claims:
        for head in rule.heads:
            if head.signature != WRONG:
                continue
            claim = head.args[0]
            text = label(claim)
            if not isinstance(claim, CONSTANTS) or not text[:1].islower():
                message = "the first argument of wrong/2 must be the id of a claim, a plain name"
                yield survey.at(rule, "undocumented", message, "wrong")
            elif text not in survey.claimed:
                message = f"{text} has no documentation, %! claim {text} -- ...{nearest(text, survey.claimed)}"
                yield survey.at(rule, "undocumented", message, text)
            defined.add(text)
    for id, doc in survey.claimed.items():
        queries = [q for q in QUERIES if q in doc.sources]
        if doc.kind != "claim":
            message = f"{id} stands among the claims: its heading must be %! claim"
            yield survey.at_heading(doc, "heading", message)
        elif len(queries) + (id in defined) != 1:
            wanted = "a rule wrong(ID,Witness), or one line 'never' or 'some' with a query"
            message = f"{id} claims nothing, or more than one thing: it needs either {wanted}"
            yield survey.at_heading(doc, "heading", message)
        else:
            for name in sorted(set(doc.sources) - set(QUERIES)):
                yield survey.at_heading(doc, "heading", f"a claim has no '{name}'{nearest(name, QUERIES)}")


def after_move(survey: Survey) -> Iterator[Finding]:
    """The kinds ``fluent`` and ``counter``: ``then`` and ``more`` read facts that a position can have after a move.

    >>> # wrong(pays,R) :- does(R,take(K)), not then(haep(_)).     wrong(pays,R) :- more(heap(N),K), heap(N).
    """
    if not survey.claims:
        return
    after = list(survey.arguments(THEN, 0, heads=False))
    yield from survey.unknown_names(after, survey.book.fluents, "fluent", "fluent")
    counters = frozenset((name, arity - 1) for name, arity in survey.book.counters)
    changed = list(survey.arguments(MORE, 0, heads=False))
    yield from survey.unknown_names(changed, counters, "counter", "counter")
    for use, term in (*after, *changed):
        if functor(term) is None:
            message = (
                f"the first argument of {use.atom.name}/{len(use.atom.args)} must be a term with a name, not a variable"
            )
            yield survey.at(use.rule, "fluent", message, use.atom.name)


def positive_actions(survey: Survey) -> Iterator[Finding]:
    """The kind ``negation``: claims read actions positively, not under ``not`` or in a sum.

    >>> # wrong(kept,R) :- more(taken(R),_), not does(R,take(_)).     where takes(R) :- does(R,take(_)) helps
    """
    for rule in survey.claims:
        for atom in (*rule.negative, *rule.inner):
            if atom.signature in _DONE:
                message = f"{signature_text(atom.signature)} under 'not' or in a sum: first write a rule that says who does what"
                yield survey.at(rule, "negation", message, atom.name)
