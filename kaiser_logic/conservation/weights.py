"""What each counter and piece counts towards which measure: ``counts/3``, as a sum over facts, each for itself.

Of ``counts(cards(K),person(R,K,P,G),N) :- person(R,K,P,G,N)`` one of the counter weighs 1 towards ``cards(K)``; of
``counts(cards(gold(1)),person(R,K,P,g(I,_,_)),I*N) :- person(R,K,P,g(I,_,_),N), I > 0`` it weighs I.
A measure sums what is counted under pairs of amount and counter. That is the sum over all facts if nothing is counted
twice under the same pair: if of two ways to count the same counter towards the same measure one always comes to 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..engine.grounding import Grounding
from ..engine.ruleset import Ruleset
from ..rules.loader import parse_rules
from ..rules.pattern import Signature
from ..rules.predicates import COUNTS
from ..symbolic.kept import Kept
from ..symbolic.totals import Totals
from .amounts import Amount, amount, plus, times
from .clauses import Atom, Clause, NotShown, Other, Rules, apart
from .known import Known
from .terms import Binding, Term, matches, show, substitute, unify, variables


@dataclass(frozen=True)
class Weight:
    """What one of a counter, or a piece, weighs.

    Attributes:
        counter: The counter or the piece, with variables.
        measure: The measure.
        each: What one of it weighs.
    """

    counter: Term
    measure: Term
    each: tuple[tuple[tuple[str, ...], int], ...]


def weights(ruleset: Ruleset, kept: Kept, known: Known) -> list[Weight]:
    """What all counters and pieces weigh.

    Raises:
        NotShown: A rule counts something else, or the same twice.
    """
    heads = {h.signature for r in ruleset.rules for h in r.heads}
    if any(s in heads and s not in ruleset.static for s in (("limit", 3), ("range", 3))):
        raise NotShown("limits change")
    rules = Rules((r.text for r in Totals(ruleset).slice), kept)
    if COUNTS in rules.other:
        raise NotShown("it is not known what counts")
    wanted = set(rules.defined) - {COUNTS, *ruleset.static, *ruleset.book.fluents}
    found = []
    for clause in rules.of(COUNTS) or ():
        for one in rules.unfolded(clause, wanted):
            settled = known.settled(one)
            if settled is not None:
                found.append(_weight(ruleset, known, settled))
    for i, weight in enumerate(found):
        for other in found[i + 1 :]:
            _once(ruleset, kept, known, weight, other)
    return found


def _weight(ruleset: Ruleset, known: Known, clause: Clause) -> Weight:
    """What a rule for ``counts/3`` says."""
    book, (measure, counter, counted) = ruleset.book, clause.head.args
    facts = [x for x in clause.body if isinstance(x, Atom)]
    above = [x for x in clause.body if isinstance(x, Other) and x.kind == "above"]
    text = show(counter)
    if len(facts) != 1 or facts[0].negated or len(facts) + len(above) != len(clause.body):
        raise NotShown(f"{text} counts only where something else holds")
    fact = facts[0]
    unit = fact.signature in book.units
    if not unit and fact.signature not in book.counters:
        raise NotShown(f"what counts is neither a counter nor a piece: {text}")
    args = fact.args if unit else fact.args[:-1]
    if counter != ("f", fact.name, args):
        raise NotShown(f"what counts {text} is something else")
    total = amount(counted)
    if not unit:
        total = _without(total, fact.args[-1])
    places = {v: i for i, a in enumerate(args) for v in variables(a)}
    dropped = known.kept.fluents[fact.signature]
    inner = {v for v, i in places.items() if i in dropped}
    if any(v not in inner for k in total for v in k) or any(v not in places for v in variables(measure)):
        raise NotShown(f"it is not known what {text} weighs")
    if any(places[v] in dropped for v in variables(measure)):
        raise NotShown(f"what {text} counts for depends on what is left out")
    natural = {v for v in inner if known.form(fact, places[v]) is not None}
    if any(v not in natural for k in total for v in k):
        raise NotShown(f"{text} may weigh less than nothing")
    for x in above:
        (v,) = x.terms
        if v[0] != "v" or v[1] not in natural or any(v[1] not in k for k in total):
            raise NotShown(f"{text} counts only where {x.text()}")
    general = [a for a in args if a[0] == "v"]
    if len(set(general)) < len(general):
        raise NotShown(f"{text} counts only where two of its parts are equal")
    return Weight(counter, measure, tuple(sorted(total.items())))


def _without(total: Amount, value: Term) -> Amount:
    """What one of a counter counts, where it counts so much."""
    if value[0] != "v" or any(k.count(value[1]) != 1 for k in total):
        raise NotShown(f"what counts is not so much for each: {total}")
    return {tuple(v for v in k if v != value[1]): n for k, n in total.items()}


def _once(ruleset: Ruleset, kept: Kept, known: Known, one: Weight, other: Weight) -> None:
    """That the same counter is not counted twice towards the same measure."""
    head = Atom("", (one.counter, one.measure))
    second = apart(Clause(Atom("", (other.counter, other.measure)), ())).head.args
    binding: Binding = {}
    left = [unify(a, b, binding) for a, b in zip(head.args, second, strict=True)]
    if any(x is None for x in left):
        return
    if any(left):
        raise NotShown(f"{show(one.counter)} may be counted twice")
    counter = substitute(one.counter, binding)
    fluent = counted(ruleset, counter)
    dropped = kept.fluents[fluent]
    for stated in known.stated(fluent):
        terms = stated.args[: len(counter[2])]
        extra = []
        trial = dict(binding)
        for i, (a, b) in enumerate(zip(counter[2], terms, strict=True)):
            if b is None or (i in dropped and list(variables(b))):
                continue
            if i in dropped:
                found = unify(a, b, trial)
                if found is None:
                    break
            else:
                extra.append(f"{show(substitute(a, trial))} = {show(b)}")
        else:
            if any(_vanishes(w, counter, trial) for w in (one, other)):
                continue
            body = "; ".join([*stated.body, *(x for x in extra if "__v" not in x.partition(" = ")[0])])
            line = f"clash__(x) :- {body}." if body else "clash__(x)."
            if Grounding(ruleset.complete(tuple(parse_rules(line))), ()).get("clash__", 1):
                raise NotShown(f"{show(counter)} may be counted twice towards {show(one.measure)}")


def _vanishes(weight: Weight, counter: Term, binding: Binding) -> bool:
    """Whether a counter of this form weighs nothing."""
    found: Binding = {}
    if not matches(weight.counter, substitute(counter, binding), found):
        return False
    return all(any(found.get(v) == ("n", 0) for v in k) for k, _ in weight.each)


def weighed(known: Known, found: list[Weight], counter: Term) -> Iterator[tuple[Term, Amount]]:
    """What one of a counter weighs towards which measures.

    Raises:
        NotShown: It depends on what is not said of it.
    """
    for weight in found:
        if weight.counter[1] != counter[1] or len(weight.counter[2]) != len(counter[2]):
            continue
        binding: Binding = {}
        if matches(weight.counter, counter, binding):
            each: Amount = {}
            for k, n in weight.each:
                part: Amount = {(): n}
                for v in k:
                    part = times(part, amount(binding[v]))
                each = plus(each, part)
            yield substitute(weight.measure, binding), each
        elif unify(apart(Clause(Atom("", (weight.counter,)), ())).head.args[0], counter, {}) is not None:
            raise NotShown(f"it is not known what {show(counter)} weighs")


def counted(ruleset: Ruleset, counter: Term) -> Signature:
    """The fluent that a counter or a piece is.

    Raises:
        NotShown: It is neither, or both.
    """
    if counter[0] != "f":
        raise NotShown(f"anything may be changed: {show(counter)}")
    unit, number = (counter[1], len(counter[2])), (counter[1], len(counter[2]) + 1)
    found = [s for s in (unit,) if s in ruleset.book.units] + [
        s for s in (number,) if s in ruleset.book.counters
    ]
    if len(found) != 1:
        raise NotShown(f"neither a counter nor a piece, or both: {show(counter)}")
    return found[0]
