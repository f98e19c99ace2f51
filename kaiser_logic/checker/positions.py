"""The programs of claims about positions, and the check of the first position.

They have any valid position, as in `program`, with anything pending that belongs to one transition.

*Nobody is stuck.* All declared actions of the pending decision are candidates at once, and all that the move generator lists,
declared or not. That says of each what it says if it is judged alone, provided that what it violates depends on no other
candidate; `tells_others` looks for that in the ground program. A role is stuck if each of its declared candidates violates
something. If it is not stuck, an action that is legal is also in its list of legal actions: for that ``enumeration`` is asked of
each kind of action of the decision. (Where the move generator depends on what is chosen, that claim is refused, and it is left
out.)

*Weaker rules.* As in `program`: a choice in place of a rule adds answer sets. It also says the same of all candidates that are
judged at once, so where they are, no rule that depends on a candidate becomes a choice (`own_in`).

*Bounds.* A rule with ``bound(Name,V), N <= V, N = #sum{...}`` claims that the sum is at most V in every position. The claim
is broken where the rest of the rule's body holds and the sum is larger. If the sum depends on what is done, each role that
decides does any declared action, legal or not, or none.

*Ranges.* Broken where the sum of a measure leaves its range. Only invariants that read no total are assumed, as totals have
no value there.

*Start.* The first position has no choices, so clingo derives facts alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Final

from .. import clingo
from . import numbers, sets
from .completion import ProgramClauses
from .declared import BROKEN, COUNTS, GENERATED, TOTAL, VIOLATES
from .program import (
    ASSUMPTIONS,
    CANDIDATE,
    DONE,
    NEXT,
    SUBMITTED,
    Builder,
    GameTransition,
    Question,
    choosing_rule,
    exclusive,
    program_of,
    refuse,
    several_values,
    transitions,
)
from .text import (
    NotCovered,
    Signature,
    WrittenRule,
    by_head,
    cone,
    dependents,
    ground_exactly,
    is_plain,
    kind,
    rules_of,
    signature,
)

STUCK, BOUND, RANGE = "legal action at ", "bound of ", "range"
POSITION_CLAIMS: Final = frozenset({"stuck", "bound", RANGE})
"""What the questions call the claims about positions."""


def about_positions(builder: Builder, weak: Collection[str] = ()) -> dict[str, Callable[[], Question]]:
    """The claims about positions; for each a function that makes its question, or raises `NotCovered`.

    ``weak``: the predicates whose rules become choices.
    """
    declared = builder.declared
    made: dict[str, Callable[[], Question]] = {}
    kinds: dict[str, list[GameTransition]] = {}
    for one in transitions(declared):
        if not one.is_step:
            kinds.setdefault(one.name, []).append(one)
    for name in sorted({d.name for d in declared.decisions}):
        made[STUCK + name] = partial(_stuck, builder, name, kinds.get(name, []), weak)
    bounded: dict[str, list[WrittenRule]] = {}
    for rule in declared.book.rules:
        if ("bound", 2) in rule.reads:
            bounded.setdefault(rule.head[0], []).append(rule)
    for name, rules in sorted(bounded.items()):
        made[BOUND + name] = partial(_bound, builder, BOUND + name, rules, weak)
    if declared.by.get(("range", 3)):
        made[RANGE] = partial(_range, builder, weak)
    return made


def own_in(builder: Builder, label: str) -> dict[str, Signature]:
    """The predicates, as ``name/arity``, whose rules may become choices in a question about positions.

    Of those that depend on a candidate, or on what is done, none may where candidates are judged: a choice would say the same
    of all of them.
    """
    if not label.startswith(STUCK):
        return builder.own
    judged = dependents({CANDIDATE, SUBMITTED, VIOLATES, *NEXT, *DONE}, builder.declared.rules)
    return {} if builder.declared.sets else {w: s for w, s in builder.own.items() if s not in judged}


def _open(
    builder: Builder,
    label: str,
    claim: str,
    rules: Iterable[WrittenRule],
    weak: Collection[str],
    pending: Sequence[str] = (),
    acts: Sequence[str] = (),
    totals: bool = True,
) -> Question:
    """A question about any valid position.

    Args:
        builder: Makes the position.
        label: What it is about.
        claim: The claim.
        rules: Rules for ``bad__(Claim)``, and those on which it depends.
        weak: The predicates whose rules become choices.
        pending: What is pending; by default anything that belongs to one transition.
        acts: The choice of any actions; by default none are done.
        totals: Whether totals have values.
    """
    d, rules = builder.declared, list(rules)
    heads = by_head(r for r in d.rules if not (r.head == BROKEN and str(r.args[0]) in builder.refused))
    rest = cone({BROKEN, COUNTS, TOTAL}, heads)
    numbers.refuse_comparisons(d, [*rest, *rules])
    assumed = set(builder.assumed)
    if not totals:
        given = [r for r in heads.get(BROKEN, ()) if any(TOTAL in x.reads for x in (r, *cone(r.reads, heads)))]
        assumed -= {str(r.args[0]) for r in given}
    anything = [
        "{ decision(R,D) } :- fluent(decision(R,D)).",
        "{ due(S) } :- step(S).",
        *exclusive(d, "", ""),
    ]
    lines = [
        *builder.position(),
        *(pending or anything),
        *acts,
        *(r.text for r in builder.rules_with_choices([*rules, *rest], weak, own_in(builder, label))),
        *ASSUMPTIONS,
    ]
    facts = [f for f in builder.facts() if f.name != "assumed__" or str(f.arguments[0]) in assumed]
    summed = builder._totals_to_sum([*rest, *rules], (), ()) if totals else ()
    facts += [clingo.Function("summed__", [x]) for x in sorted(summed)]
    perhaps = bool(weak or acts) or (label.startswith(STUCK) and d.sets)
    return Question(label, program_of(lines, builder.defined), facts, (claim,), weak=perhaps)


def _stuck(builder: Builder, name: str, kinds: Sequence[GameTransition], weak: Collection[str]) -> Question:
    d = builder.declared
    listed = [] if builder.choosing_generator() else d.generator
    # a decision is pending anyway, so that no candidate is a fact, which the ground program would not show
    text = [f"{r.text[:-1]}{'; ' if r.body else ' :- '}decision(_,_)." for r in listed]
    judged = rules_of("\n".join(["candidate(R,A) :- can__(R,A).", *text]), "generator")
    needed = cone({VIOLATES, CANDIDATE, *([sets.PICKABLE] if d.sets else ())}, by_head([*d.rules, *judged]))
    refuse(needed, {SUBMITTED, VIOLATES, *NEXT, *DONE}, "what is legal depends on what is done")
    goal = [
        *dict.fromkeys(choosing_rule(d, rule) for one in kinds for rule in one.kinds),
        "judged__(R,A) :- can__(R,A), not violates(R,A,_). able__(R) :- judged__(R,A).",
        "bad__(stuck) :- decision(R,_), not able__(R).",
    ]
    rules = [*rules_of("\n".join(goal), GENERATED), *needed, *judged]
    # any set beside the two shows whether one of them depends on another one
    named = [*sets.WITNESSES, *sets.CHOSEN] if d.sets else []
    return _open(builder, STUCK + name, "stuck", rules, weak, [*builder.deciding(name), *named])


def tells_others(made: ProgramClauses) -> str:
    """Why candidates cannot be judged at once: what one of them violates depends on another one; empty if none does."""
    judged = {a.literal: a.symbol for a in made.atoms.by_signature("judged__", 2)}
    # no candidate is a fact: each depends on a decision, which is chosen
    depends: dict[int, object] = {
        a.literal: a.symbol.arguments for a in made.atoms.by_signature("candidate", 2) if judged
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


def _bound(builder: Builder, label: str, rules: Sequence[WrittenRule], weak: Collection[str]) -> Question:
    goal = []
    for rule in rules:
        bounds = [x for x in rule.body if is_plain(x) and signature(x.atom) == ("bound", 2)]
        found = []
        for one in rule.body:
            value, equal, total = str(one).partition(" = ")
            if equal and kind(one) == "Literal" and kind(one.atom) == "BodyAggregate" and not int(one.sign):
                for bound in (str(x.atom.symbol.arguments[1]) for x in bounds):
                    compared = (f"{value} <= {bound}", f"{bound} >= {value}")
                    rest = [str(x) for x in rule.body if x is not one and str(x) not in compared]
                    if len(rest) == len(rule.body) - 2 and not any(value in x for x in rest):
                        found.append([*rest, f"{total} > {bound}"])
        if len(found) != 1:
            raise NotCovered(f"{rule.file}: which sum has the bound is not clear: {rule.text}")
        goal.append(f"bad__(bound) :- {'; '.join(found[0])}.")
    d = builder.declared
    needed = cone({s for rule in rules for s in rule.reads}, by_head(d.rules))
    refuse([*rules, *needed], {CANDIDATE, *NEXT}, "it is a sum of moves")
    made, acts = list[WrittenRule](), list[str]()
    if any(rule.reads & {SUBMITTED, *DONE} for rule in (*rules, *needed)):
        made = builder.consequences
        acts = [choosing_rule(d, rule) for one in transitions(d) for rule in one.kinds]
        acts += ["{ submitted(R,A) : can__(R,A) } 1 :- decision(R,_).", *(sets.CHOSEN if d.sets else ())]
    return _open(builder, label, "bound", [*rules_of("\n".join(goal), "bound"), *needed, *made], weak, acts=acts)


def _range(builder: Builder, weak: Collection[str]) -> Question:
    goal = [
        "bad__(range) :- range(L,A,B), #sum { W,X : counts(L,X,W) } > B.",
        "bad__(range) :- range(L,A,B), #sum { W,X : counts(L,X,W) } < A.",
    ]
    needed = cone({COUNTS}, by_head(builder.declared.rules))
    refuse(needed, {TOTAL}, "a measure depends on a total")
    return _open(builder, RANGE, RANGE, [*rules_of("\n".join(goal), GENERATED), *needed], weak, totals=False)


# -- the first position ------------------------------------------------------------------------------------------


def broken_at_start(builder: Builder) -> set[str]:
    """The claims that the first position breaks: invariants, and those of the tool about positions."""
    d = builder.declared
    lines = [
        *(rule.text for rule in cone({BROKEN, COUNTS, TOTAL}, by_head(d.rules))),
        "bad__(I) :- broken(I,_).",
        "bad__(vocabulary) :- init(F), not fluent(F), not due__(F). due__(due(S)) :- step(S).",
        *(line for one in d.counters for line in several_values(d, one, "")),
        "bad__(limit) :- limit(L,_,M), #sum { W,X : counts(L,X,W) } > M.",
        "bad__(limit) :- limit(L,N,_), #sum { W,X : counts(L,X,W) } < N.",
        "bad__(range) :- range(L,A,B), not total(L,_).",
        *exclusive(d, "", "bad__(exclusive)"),
        *(f"summed__(L) :- {name}(L,_,_)." for name in ("limit", "range")),
    ]
    facts = [s.arguments[0] for s in d.by.get(("init", 1), ())]
    ground = ground_exactly(program_of(lines), [*builder.facts(), *facts])
    if not all(a.is_fact for a in ground.symbolic_atoms):
        raise NotCovered("the rules derive something else than facts of a position")
    return {str(a.symbol.arguments[0]) for a in ground.symbolic_atoms.by_signature("bad__", 1)}
