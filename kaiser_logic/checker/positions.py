"""The programs of claims about positions, and the check of the first position.

They have any valid position, as in `program`, with anything pending that belongs to one transition.

*Nobody is stuck.* All declared actions of the pending decision are candidates at once. That says of each what it says if it
is judged alone, provided that what it violates depends on no other candidate; `tells_others` looks for that in the ground
program. A role is stuck if each of its candidates violates something.

*Bounds.* A rule with ``bound(Name,V), N <= V, N = #sum{...}`` claims that the sum is at most V in every position. The claim
is broken where the rest of the rule's body holds and the sum is larger.

*Ranges.* Broken where the sum of a measure leaves its range. Only invariants that read no total are assumed, as totals have
no value there.

*Start.* The first position has no choices, so clingo derives facts alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from .. import clingo
from . import numbers, sets
from .completion import Completion
from .declared import BROKEN, COUNTS, GENERATED, TOTAL, VIOLATES
from .program import (
    SUBMITTED,
    Builder,
    Question,
    Transition,
    able,
    exclusive,
    miscounted,
    stratified,
    transitions,
)
from .text import (
    NotCovered,
    Rule,
    Signature,
    by_head,
    cone,
    dependents,
    ground_exactly,
    kind,
    rules_of,
    signature,
)

_CANDIDATE = ("candidate", 2)
STUCK, BOUND, RANGE = "legal action at ", "bound of ", "range"


def about_positions(builder: Builder) -> dict[str, Callable[[], Question]]:
    """The claims about positions; for each a function that makes its question, or raises `NotCovered`."""
    declared = builder.declared
    made: dict[str, Callable[[], Question]] = {}
    kinds: dict[str, list[Transition]] = {}
    for one in transitions(declared):
        if not one.is_step:
            kinds.setdefault(one.name, []).append(one)
    for name in sorted({d.name for d in declared.decisions}):
        made[STUCK + name] = partial(_stuck, builder, name, kinds.get(name, []))
    bounded: dict[str, list[Rule]] = {}
    for rule in declared.book.rules:
        if ("bound", 2) in rule.reads:
            bounded.setdefault(rule.head[0], []).append(rule)
    for name, rules in sorted(bounded.items()):
        made[BOUND + name] = partial(_bound, builder, BOUND + name, rules)
    if declared.by.get(("range", 3)):
        made[RANGE] = partial(_range, builder)
    return made


def _open(
    builder: Builder,
    claim: str,
    goal: Sequence[str],
    more: Iterable[Rule],
    pending: Sequence[str] | None = None,
    totals: bool = True,
) -> Question:
    """A question about any valid position.

    Args:
        builder: Makes the position.
        claim: The claim.
        goal: Rules for ``bad__(Claim)``.
        more: Rules on which these depend.
        pending: What is pending; by default anything that belongs to one transition.
        totals: Whether totals may be assumed to be in their ranges.
    """
    d = builder.declared
    heads = by_head(r for r in d.rules if not (r.head == BROKEN and str(r.args[0]) in builder.refused))
    rest = cone({BROKEN, COUNTS, TOTAL}, heads)
    for rule in rest:
        if rule.reads & {_CANDIDATE, ("then", 1), ("more", 2)}:
            raise NotCovered(f"{rule.file}: an invariant depends on what is done: {rule.text}")
    more = list(more)
    numbers.threshold(d, [*rest, *more])
    acts = {s: f"{s[0]}__p" for s in dependents({_CANDIDATE, SUBMITTED}, [*d.rules, *more])}
    assumed = set(builder.assumed)
    if not totals:
        assumed -= {
            str(r.args[0])
            for r in heads.get(BROKEN, ())
            if any(TOTAL in x.reads for x in (r, *cone(r.reads, heads)))
        }
    if pending is None:
        pending = [
            "{ decision(R,D) } :- fluent(decision(R,D)).",
            "{ due(S) } :- step(S).",
            *exclusive(d, "", ""),
        ]
    lines = [
        *builder.position(),
        *pending,
        *goal,
        *(r.text for r in more),
        *(r.renamed(acts.get) for r in rest),
    ]
    given = builder.assumptions(acts)
    lines += given if totals else [x for x in given if "range(" not in x]
    text = "\n".join(dict.fromkeys(lines))
    stratified(text)
    facts = [f for f in builder.facts() if f.name != "assumed__" or str(f.arguments[0]) in assumed]
    summed = builder._summed([*rest, *more], (), ()) if totals else ()
    facts += [clingo.Function("summed__", [x]) for x in sorted(summed)]
    return Question(claim, text, facts, (claim,))


def _stuck(builder: Builder, name: str, kinds: Sequence[Transition]) -> Question:
    d = builder.declared
    choice = f"{{ decision(R,D) : fluent(decision(R,D)), decided__(D,{name}) }}"
    pending = [f"{choice}.", ":- not decision(_,_)."] if name in d.simultaneous else [f"1 {choice} 1."]
    pending += sets.WITNESSES if d.sets else ()
    judged = rules_of("candidate(R,A) :- can__(R,A).", GENERATED)
    rules = [*d.rules, *judged]
    needed = cone({VIOLATES, *([sets.PICKABLE] if d.sets else ())}, by_head(rules))
    for rule in needed:
        if rule.reads & {SUBMITTED, ("does", 2), ("made", 2), ("then", 1), ("more", 2), VIOLATES}:
            raise NotCovered(f"{rule.file}: what is legal depends on what is done: {rule.text}")
    goal = [
        *dict.fromkeys(able(rule) for one in kinds for rule in one.kinds),
        "judged__(R,A) :- can__(R,A), not violates(R,A,_). able__(R) :- judged__(R,A).",
        "bad__(stuck) :- decision(R,_), not able__(R).",
    ]
    made = _open(builder, "stuck", goal, [*needed, *judged], pending)
    return Question(STUCK + name, made.text, made.facts, ("stuck",), weak=d.sets)


def tells_others(made: Completion) -> str:
    """Why candidates cannot be judged at once: what one of them violates depends on another one; empty if none does."""
    judged = {a.literal: a.symbol for a in made.atoms.by_signature("judged__", 2)}
    depends: dict[int, object] = {
        a.literal: a.symbol.arguments
        for a in made.atoms.by_signature("candidate", 2)
        if judged and not a.is_fact
    }  # for each ground atom the candidate on which it depends, or that there are several
    bodies = [(head, body) for _, head, body in made.rules]
    bodies += [(head, [x for x, _ in body]) for _, head, _, body in made.sums]
    before: dict[int, object] = {}
    while before != depends:
        before = dict(depends)
        for head, body in bodies:
            for one in (depends[abs(x)] for x in body if abs(x) in depends):
                for atom in head:
                    depends[atom] = one if depends.get(atom, one) == one else "several"
    for literal, symbol in judged.items():
        if depends.get(literal, symbol.arguments) != symbol.arguments:
            return f"whether {symbol.arguments[1]} is legal depends on other candidates"
    return ""


def _bound(builder: Builder, claim: str, rules: Sequence[Rule]) -> Question:
    d = builder.declared
    goal, needed = [], set[Signature]()
    for rule in rules:
        sums = [
            x
            for x in rule.body
            if kind(x) == "Literal" and kind(x.atom) == "BodyAggregate" and not int(x.sign)
        ]
        named = [
            x
            for x in rule.body
            if kind(x) == "Literal" and kind(x.atom) == "SymbolicAtom" and signature(x.atom) == ("bound", 2)
        ]
        found = []
        for one in sums:
            value, equal, aggregate = str(one).partition(" = ")
            for limit in (str(x.atom.symbol.arguments[1]) for x in named):
                for x in rule.body:
                    if equal and str(x) in (f"{value} <= {limit}", f"{limit} >= {value}"):
                        found.append((one, x, f"{aggregate} > {limit}"))
        if len(sums) != 1 or len(named) != 1 or len(found) != 1 or int(named[0].sign):
            raise NotCovered(f"{rule.file}: which sum has the bound is not clear: {rule.text}")
        one, compared, exceeding = found[0]
        value = str(one).partition(" = ")[0]
        rest = [x for x in rule.body if x is not one and x is not compared]
        if any(value in str(x) for x in rest):
            raise NotCovered(f"{rule.file}: a bounded sum is read again: {rule.text}")
        goal.append(f"bad__(bound) :- {'; '.join([*map(str, rest), exceeding])}.")
        needed |= rule.reads
    heads = by_head(d.rules)
    more = cone(needed, heads)
    for rule in more:
        if rule.reads & {SUBMITTED, _CANDIDATE, ("does", 2), ("made", 2), ("then", 1), ("more", 2)}:
            raise NotCovered(f"{rule.file}: it is a sum of moves: {rule.text}")
    for line in rules_of("\n".join(goal), "bound"):
        numbers.threshold(d, [line])
    made = _open(builder, "bound", goal, more)
    return Question(claim, made.text, made.facts, ("bound",))


def _range(builder: Builder) -> Question:
    goal = [
        "bad__(range) :- range(L,A,B), #sum { W,X : counts(L,X,W) } > B.",
        "bad__(range) :- range(L,A,B), #sum { W,X : counts(L,X,W) } < A.",
    ]
    more = cone({COUNTS}, by_head(builder.declared.rules))
    if any(TOTAL in rule.reads for rule in more):
        raise NotCovered("a measure depends on a total")
    return _open(builder, RANGE, goal, more, totals=False)


# -- the first position ------------------------------------------------------------------------------------------


def broken_at_start(builder: Builder) -> set[str]:
    """The claims that the first position breaks: invariants, and those of the tool about positions."""
    d = builder.declared
    lines = [
        *(rule.text for rule in cone({BROKEN, COUNTS, TOTAL}, by_head(d.rules))),
        "bad__(I) :- broken(I,_).",
        "bad__(vocabulary) :- init(F), not fluent(F), not due__(F). due__(due(S)) :- step(S).",
        *(line for one in d.counters for line in miscounted(d, one, "")),
        "bad__(limit) :- limit(L,_,M), #sum { W,X : counts(L,X,W) } > M.",
        "bad__(limit) :- limit(L,N,_), #sum { W,X : counts(L,X,W) } < N.",
        "bad__(range) :- range(L,A,B), not total(L,_).",
        *exclusive(d, "", "bad__(exclusive)"),
        *(f"summed__(L) :- {name}(L,_,_)." for name in ("limit", "range")),
    ]
    text = "\n".join(dict.fromkeys(lines))
    stratified(text)
    facts = [s.arguments[0] for s in d.by.get(("init", 1), ())]
    ground = ground_exactly(text, [*builder.facts(), *facts])
    if not all(a.is_fact for a in ground.symbolic_atoms):
        raise NotCovered("the rules derive something else than facts of a position")
    return {str(a.symbol.arguments[0]) for a in ground.symbolic_atoms.by_signature("bad__", 1)}
