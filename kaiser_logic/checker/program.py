"""The program of a transition: any valid position, any legal action of one kind (or one step), and the next position.

Let a game be in a position p in which all *assumed* invariants hold, and let p' be the position after a legal action or a
step. The program has an answer set that says so, and ``bad__(C)`` holds in it if the claim C is broken by this transition. So
if the program has no answer set with ``bad__(C)``, no transition breaks C. The argument follows the program from top to
bottom.

*Position.* Every fact of p is in the vocabulary, each counter has at most one value, a stated one has exactly one, and no
seat changes (claims ``vocabulary``, ``count``). So the choices over the vocabulary can give p, but for what is pending. All
that is pending belongs to one transition (``exclusive``), so the choice of what is pending can give that part of p.

*Action.* A role with a decision submits an action that the vocabulary declares for it: ``can__``. Any other one is illegal
by the engine's rules. If no declaration has the action with arguments of its sorts, ``declared`` lacks it, and it violates
"action.unknown". If one has it, but no such declaration is about a decision of the role, ``offered`` lacks it, and judge.lp
derives a violation in each case: without a ``guard``, with a ``pending`` one, with an ``only_rule``, and with neither. An
action of ``can__`` is declared and offered, so these rules derive nothing of it, whatever ``out_of_turn``, ``guard`` and
``implausible`` are. Where several roles decide simultaneously each does, and all their actions are judged together, as who
plays the game (the driver) sees to. No action violates a rule. Then the engine's rules for ``candidate``, ``does`` and ``made``
say what they say here.

*Weaker rules.* If a program is too large a hint names predicates whose rules become choices (`WrittenRule.weaker`). That
adds answer sets and takes none away. So with the choices at least as much seems to change; what depends on that is read off
the rules as they are written.

*Rules.* All rules on which effects, violations and claims depend stand as they are written. `program_of` sees to it that
they have one answer set for each choice, and that no predicate with rules in the rulebook is read where the program has
none for it, but for claims, which leave it one by one, and which no rule reads, and for candidates, which the engine does
not list to judge an action or to do a step. No invariant and no measure depends on what is done (`Declared`), so their rules say
of the position what they say where nothing is done.

*Next position.* A fact is in p' if it is added, or is in p and is not deleted. Only fluents in `changed` are added or
deleted (`Question.objection` compares this with the ground program), so all others are as before. A predicate that
depends on a changed fluent has a copy (``p__n``) that reads p'. All others mean the same at p and p'; so an invariant of
which no rule reads a changed predicate holds at p' if it is assumed at p.

*Assumed.* p breaks no assumed invariant, and each total is within its limits and ranges. Leaving any of this out would only
add models.

*Counters.* One that no effect adds or deletes by name (compared with the ground program) has at most one value in p', and one
if it is stated: it stays, or it changes by a sum D, which is one number, and then N is deleted and N+D added. So whether it has
several is asked of other counters only.

*Sums.* If a measure L is regular (`Declared.measures`), and no counter or piece of L is added or deleted otherwise than
by gains and losses (again compared with the ground program), then its sum changes by the weights of the gains less
those of the losses. A shift from X to Y counts the difference of their weights, so one within L counts nothing. That no
number falls below zero, where the engine would cut it off, and that pieces come and go by ones, is a part of ``count``,
so whether the sum keeps its limits is asked only where that is so. With one limit A..A the sum is A at p, so its change
must be 0; with others the program has the sum of p as ``total``, or no gain or loss may move it (`Question.unsummed`).
All other sums are taken at p'. Decisions, steps and what is derived also change otherwise, so no measure of these is
regular.

*Totals.* A total outside its range has no value in the program, so a claim that reads it could be broken at p' unseen. But
then p' keeps all invariants that read no total, or one of these is seen to be broken; and of all positions that keep these
the claim ``range`` says that their totals are in range.

The claims ``vocabulary``, ``count``, ``limit``, ``range`` and ``exclusive`` are therefore the base: if one of them is not
shown, nothing is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Final

from .. import clingo
from . import numbers, sets
from .declared import (
    ADD,
    BROKEN,
    COUNTS,
    DECISION,
    DEL,
    DUE,
    GAIN,
    GENERATED,
    LOSE,
    RESERVED,
    SEAT,
    TOO_MUCH,
    TOTAL,
    VIOLATES,
    WRONG,
    Declared,
    change_of,
    counter_term,
    pattern,
)  # fmt: skip
from .text import (
    NotCovered,
    Signature,
    WrittenRule,
    by_head,
    cone,
    dependents,
    functor,
    functor_of,
    ground_exactly,
    is_plain,
    kind,
    nodes,
    predicates,
    reachable,
    rules_of,
    signature,
    signatures,
)

SUBMITTED, CANDIDATE, TOUCHED = ("submitted", 2), ("candidate", 2), ("touched", 1)
DONE: Final = predicates("does/2 made/2")
NEXT: Final = predicates("then/1 more/2")
"""What only claims about moves may read."""
BASE: Final = ("vocabulary", "count", "limit", "exclusive")
"""The claims about transitions on which all others rest, as on ``range``."""
MANY: Final = 1_000
"""The largest number of actions in one transition, if their declaration has sorts by which it can be divided."""
_JUDGE: Final = "candidate(R,A) :- submitted(R,A). does(R,A) :- submitted(R,A)."
_RAW: Final = {s: f"raw_{s[0]}__" for s in (ADD, DEL, GAIN, LOSE)}
_BRIDGE: Final = """
add(F) :- raw_add__(F). del(F) :- raw_del__(F). gain(X,N,V) :- raw_gain__(X,N,V). lose(X,N,V) :- raw_lose__(X,N,V).
"""
"""A rulebook's own effects have other names first, so that they can be told from generated ones."""
_MOVES: Final = (
    "K*W,X,V,up : raw_gain__(X,K,V), measure__(L,X,W)",
    "-K*W,X,V,down : raw_lose__(X,K,V), measure__(L,X,W)",
    "K*(W-U),X,Y,V,both : shift(X,Y,K,V), measure__(L,X,U), measure__(L,Y,W), U != W",
    "-K*U,X,Y,V,away : shift(X,Y,K,V), measure__(L,X,U), not counted__(L,Y)",
    "K*W,X,Y,V,here : shift(X,Y,K,V), measure__(L,Y,W), not counted__(L,X)",
)
"""What changes the sum of a regular measure."""
ASSUMPTIONS: Final = (
    ":- broken(I,_), assumed__(I).",
    ":- limit(L,_,M), #sum { W,X : counts(L,X,W) } > M.",
    ":- limit(L,N,_), #sum { W,X : counts(L,X,W) } < N.",
    ":- range(L,A,B), summed__(L), not total(L,_).",
    ":- summed__(L), 2 <= #count { N : total(L,N) }.",
)
"""What is assumed of the position: invariants and limits."""


@dataclass(frozen=True)
class Question:
    """A program, and what it says of claims.

    Attributes:
        label: What it is about.
        text: The program.
        facts: Facts that belong to it.
        claims: The claims that are asked: ``bad__(C)`` holds where C is broken.
        skipped: The claims that are not asked although they should be, each with the reason.
        changed: The fluents that may change; others are refused.
        direct: Counters and pieces that no effect may add or delete directly.
        unsummed: Regular measures whose sum may not change, as the program does not have it.
        weak: Whether an answer set need not break a claim.
    """

    label: str
    text: str
    facts: Sequence[clingo.Symbol]
    claims: tuple[str, ...]
    skipped: dict[str, str] = field(default_factory=dict)
    changed: frozenset[Signature] = frozenset()
    direct: frozenset[clingo.Symbol] = frozenset()
    unsummed: frozenset[clingo.Symbol] = frozenset()
    weak: bool = False

    def objection(self, declared: Declared, atoms: clingo.SymbolicAtoms) -> str:
        """What the ground program has although the argument above needs that it has not; empty if there is nothing."""
        changed, direct, moved = _movements(declared, atoms)
        for one in sorted(changed - self.changed):
            return f"{one[0]}/{one[1]} changes although it should not"
        for thing in sorted(direct & self.direct):
            return f"{thing} changes otherwise than by gains and losses"
        for measure in sorted(moved & self.unsummed):
            return f"{measure} has no sum"
        return ""


def _movements(
    declared: Declared, atoms: clingo.SymbolicAtoms
) -> tuple[set[Signature], set[clingo.Symbol], set[clingo.Symbol]]:
    """What a ground program can change.

    These are the fluents that are added or deleted; the counters and pieces of the rulebook's own ``add`` and ``del``; the
    measures that gains and losses move.
    """

    def terms(*names: str) -> set[clingo.Symbol]:
        return {a.symbol.arguments[0] for name in names for a in atoms.by_signature(name, 1)}

    direct = {declared.thing(fact) for fact in terms("raw_add__", "raw_del__")}
    return {functor_of(fact) for fact in terms("add", "del")}, direct, terms("moved__")


@dataclass(frozen=True)
class GameTransition:
    """What can happen: actions of one declaration, all actions of a simultaneous decision, or steps of one name."""

    label: str
    name: str
    kinds: tuple[WrittenRule, ...] = ()

    @property
    def is_step(self) -> bool:
        """Whether it is a step."""
        return not self.kinds


@lru_cache(maxsize=2)
def transitions(declared: Declared) -> Sequence[GameTransition]:
    """All transitions. Each declared action belongs to one, and each step.

    Where one role decides only one decision of its name is pending (``exclusive``), so no other declaration of an action says
    more about what it does.
    """
    found: dict[tuple[str, str], list[WrittenRule]] = {}
    for rule in [case for r in declared.book.by_head.get(("action", 2), ()) for case in _cases(declared, r)]:
        decision, action = map(functor, rule.args)
        if decision is None or action is None:
            raise NotCovered(f"{rule.file}: an action that is no term: {rule.text}")
        unknown = rule.reads & declared.dynamic - ({sets.SET} if declared.sets else set())
        if unknown:
            raise NotCovered(f"{rule.file}: an action whose arguments depend on {sorted(unknown)[0][0]}: {rule.text}")
        joint = decision[0] in declared.simultaneous
        found.setdefault((decision[0], "" if joint else str(rule.args[1])), []).append(rule)
    pending = {d.name for d in declared.decisions}
    made = [
        GameTransition(f"{action or 'all'} at {name}", name, tuple(rules))
        for (name, action), rules in found.items()
        if name in pending
    ]
    return made + [GameTransition(f"step {name}", name) for name in sorted({s.name for s in declared.steps})]


def _cases(declared: Declared, rule: WrittenRule) -> list[WrittenRule]:
    """A declaration of many actions as several ones: one for each value of a variable in its first atom ``sort(Variable)``."""
    sorts: dict[str, list[clingo.Symbol]] = {}
    for literal in rule.body:
        found = re.fullmatch(r"([a-z]\w*)\(([A-Z]\w*)\)", str(literal))
        if found and (found[1], 1) in declared.by:
            sorts[found[2]] = [s.arguments[0] for s in declared.by[found[1], 1]]
    if math.prod(map(len, sorts.values())) <= MANY or '"' in rule.text:
        return [rule]
    name, values = next(iter(sorts.items()))
    variable = re.compile(rf"(?<![\w']){name}(?![\w'])")
    texts = (variable.sub(lambda _, v=value: f"({v})", rule.text) for value in values)  # type: ignore[misc]
    return [*rules_of("\n".join(texts), rule.file)]


def refuse(rules: Iterable[WrittenRule], reads: Collection[Signature], why: str) -> None:
    """Refuses rules that read some predicates."""
    for rule in rules:
        if not rule.reads.isdisjoint(reads):
            raise NotCovered(f"{rule.file}: {why}: {rule.text}")


class Builder:
    """Builds the programs about one game.

    Attributes:
        declared: What the rulebook declares.
        assumed: The invariants that a position is assumed to meet. All of them are asked of each transition.
        defined: The dynamic predicates with rules in the rulebook, but those of claims and of the move generator.
    """

    def __init__(self, declared: Declared, dropped: Collection[str] = ()) -> None:
        """``dropped``: invariants that are asked, but not assumed."""
        self.declared = declared
        self.refused = numbers.refusals(declared)
        # claims leave the programs one by one, and no rule reads what they say; actions are judged, and steps are done,
        # without the move generator, as the engine does it
        self.defined = {r.head for r in declared.book.rules} & declared.dynamic - {BROKEN, WRONG, CANDIDATE}
        left = {*declared.waived, *dropped, *self.refused}
        self.assumed = [i for i in declared.invariants if i not in left]

    # -- the position --------------------------------------------------------------------------------------------

    def position(self) -> list[str]:
        """Any position of the vocabulary, but for what is pending."""
        lines = []
        for one in sorted(self.declared.fluents - {SEAT, DECISION}):
            stated = self.declared.counters.get(one)
            if stated is None:
                lines.append(f"{{ {pattern(one)} }} :- fluent({pattern(one)}).")
            else:
                some, value = pattern(one, "_"), pattern(one)
                lines.append(f"{'1 ' if stated else ''}{{ {value} : fluent({value}) }} 1 :- fluent({some}).")
        return lines

    def facts(self, *more: clingo.Symbol) -> list[clingo.Symbol]:
        """The static facts, the vocabulary, and the names of decisions and steps."""
        d = self.declared
        return [
            *d.facts,
            *(clingo.Function("fluent", [f]) for f in d.vocabulary),
            *(clingo.Function("decided__", [s, clingo.Function(s.name)]) for s in d.decisions),
            *(clingo.Function("stepped__", [s, clingo.Function(s.name)]) for s in d.steps),
            *(clingo.Function("assumed__", [clingo.Function(i)]) for i in self.assumed),
            *more,
        ]

    def pending(self, transition: GameTransition) -> list[str]:
        """What is pending before a transition, and the action."""
        name = transition.name
        if transition.is_step:
            return [f"{{ due(S) : stepped__(S,{name}) }}.", ":- not due(_)."]
        return [
            *self.deciding(name),
            *(sets.CHOSEN if self.declared.sets else ()),
            *dict.fromkeys(choosing_rule(self.declared, rule) for rule in transition.kinds),
            "1 { submitted(R,A) : can__(R,A) } 1 :- decision(R,_).",
        ]

    def deciding(self, name: str) -> list[str]:
        """What is pending if a decision of some name is: one, or several of a simultaneous one."""
        choice = f"{{ decision(R,D) : fluent(decision(R,D)), decided__(D,{name}) }}"
        if name in self.declared.simultaneous:
            return [f"{choice}.", ":- not decision(_,_)."]
        return [f"1 {choice} 1."]

    @property
    def consequences(self) -> list[WrittenRule]:
        """The rules that follow from submitted actions."""
        kinds = self.declared.book.by_head.get(("action", 2), ())
        return [*rules_of("\n".join([_JUDGE, *dict.fromkeys(map(making_rule, kinds))]), GENERATED)]

    # -- a transition --------------------------------------------------------------------------------------------

    @property
    def own(self) -> dict[str, Signature]:
        """The predicates, as ``name/arity``, that the rulebook has for itself; their rules may become choices."""
        d = self.declared
        return {f"{r.head[0]}/{r.head[1]}": r.head for r in d.book.rules if r.head not in RESERVED | d.fluents}

    def rules_with_choices(
        self, rules: Iterable[WrittenRule], weak: Collection[str], own: Mapping[str, Signature]
    ) -> list[WrittenRule]:
        """Rules, where those of the predicates ``weak`` are choices; ``own``: the predicates for which that may be.

        Raises:
            NotCovered: It may not be for all of them.
        """
        if not set(weak) <= own.keys():
            raise NotCovered("rules that may not become choices")
        loose = {own[w] for w in weak}
        return [r.weaker(self.declared.dynamic) if r.head in loose else r for r in rules]

    def transition(self, transition: GameTransition, weak: Collection[str] = ()) -> Question:
        """The question about a transition; ``weak``: those of `own` whose rules become choices."""
        d = self.declared
        made = [] if transition.is_step else self.consequences
        generator, why = self._listing(transition)
        rules = [*self.rules_with_choices(d.rules, weak, self.own), *made, *generator]
        heads = by_head(r for r in rules if not (r.head in (WRONG, BROKEN) and str(r.args[0]) in self.refused))
        # the claims read how pieces change, too, which no effect of a rulebook without counters does
        acting = {ADD, DEL, TOUCHED} if transition.is_step else {ADD, DEL, TOUCHED, VIOLATES}
        effects = cone({*acting, WRONG, *(r.head for r in generator)}, heads)
        rest = cone({BROKEN, COUNTS, TOTAL}, heads)
        refuse(rest, _RAW, "an invariant depends on what is done")
        no_claims = cone({*acting, *(r.head for r in generator)}, heads)
        refuse(no_claims, NEXT, "a rule that is no claim reads the next position")
        numbers.refuse_comparisons(d, [*effects, *rest])
        base = [*self.position(), *self.pending(transition), *self._effects(effects)]
        if not transition.is_step:
            base.append(":- violates(R,A,_), submitted(R,A).")
        weights, irregular = d.measures
        known = self.facts(*weights, *_each("endless__", numbers.endless(d, [*effects, *rest])))
        # what can change, by a first grounding; `Question.objection` holds the program that is asked against it
        look = ground_exactly("\n".join(dict.fromkeys(base)), [*known, *_each("summed__", self._measures())])
        changed, direct, moved = _movements(d, look.symbolic_atoms)
        if SEAT in changed:
            raise NotCovered("a seat changes")
        changed |= {DECISION, DUE}
        irregular = irregular | {s.arguments[0] for s in weights if s.arguments[1] in direct}
        regular = self._measures() - irregular
        affected = dependents(changed, [*d.rules, *made]) - {ADD, DEL}
        following = {s: f"{s[0]}__n" for s in affected | changed}
        lines = [*base, *(r.text for r in rest), *ASSUMPTIONS, *self._frame(changed)]
        later = cone({BROKEN, COUNTS} if self._measures() - regular else {BROKEN}, heads)
        later = [r for r in later if r.head != TOTAL and not self._same(r, affected | changed)]
        if all(r.head != COUNTS for r in later):  # then all sums follow gains and losses, or stay
            following[COUNTS] = "counts"
        lines += [*(r.with_names(following.get) for r in later), *_totals(following)]
        summed = self._totals_to_sum([*effects, *rest], moved, regular)
        claims = [*(c for c in (*d.invariants, *d.claims) if c not in self.refused), *BASE]
        claims += ["enumeration"] if d.generator and not transition.is_step and not why else []
        given = {(x.name, len(x.arguments) + 1) for x in direct}
        lines += self._claims(transition, effects, changed, given, following)
        facts = [
            *known, *_each("regular__", regular), *_each("summed__", summed),
            *_each("wide__", (f for f in d.wide if functor_of(f) in changed)),
        ]  # fmt: skip
        steady = {s.arguments[1] for s in weights if s.arguments[0] in regular}
        steady |= {d.thing(f) for f in d.vocabulary if functor_of(f) in d.counters.keys() - given}
        return Question(
            transition.label,
            program_of(lines, self.defined),
            facts,
            tuple(claims),
            {**self.refused, **({"enumeration": why} if why else {})},
            frozenset(changed),
            frozenset(steady),
            frozenset(self._spread() & regular - summed),
            bool(weak),
        )

    def _measures(self) -> set[clingo.Symbol]:
        """The measures with a limit or a range."""
        return {s.arguments[0] for name in ("limit", "range") for s in self.declared.by.get((name, 3), ())}

    def _spread(self) -> set[clingo.Symbol]:
        """The measures with two different limits."""
        return {s.arguments[0] for s in self.declared.by.get(("limit", 3), ()) if s.arguments[1] != s.arguments[2]}

    def _effects(self, rules: Iterable[WrittenRule]) -> list[str]:
        """The rules as they are written; a rulebook's own effects under other names."""
        lines = [_BRIDGE]
        for rule in rules:
            own = rule.head in _RAW and rule.file != GENERATED
            lines.append(rule.at_head(f"{_RAW[rule.head]}({','.join(map(str, rule.args))})") if own else rule.text)
        lines += ["counted__(L,X) :- measure__(L,X,_).", *TOO_MUCH]
        lines += [f"moved__(L) :- {move.split(' : ')[1]}." for move in _MOVES]
        return lines

    def _same(self, rule: WrittenRule, changed: set[Signature]) -> bool:
        """Whether a rule about the next position says what it says about this one, or nothing that is asked."""
        if rule.head == BROKEN:
            return not rule.reads & changed and str(rule.args[0]) in self.assumed
        return rule.head not in changed

    def _frame(self, changed: Collection[Signature]) -> list[str]:
        lines = []
        for one in sorted((self.declared.fluents | {DUE}) & set(changed) - {SEAT}):
            now, new = pattern(one), pattern((f"{one[0]}__n", one[1]))
            lines.append(f"{new} :- {now}, not del({now}). {new} :- add({now}).")
        return lines

    def _totals_to_sum(
        self,
        rules: Iterable[WrittenRule],
        moved: Collection[clingo.Symbol],
        regular: Collection[clingo.Symbol],
    ) -> set[clingo.Symbol]:
        """The measures whose totals are needed: those that a rule reads, and moved ones with two limits."""
        read: set[Signature | None] = set()
        for rule in rules:
            if rule.head != TOTAL and TOTAL in rule.reads:
                atoms = (n for n in nodes(rule.body) if kind(n) == "SymbolicAtom" and signature(n) == TOTAL)
                read |= {functor(n.symbol.arguments[0]) for n in atoms}
        found = {x for x in self._measures() if None in read or functor_of(x) in read}
        return found | self._spread().intersection(moved).intersection(regular)

    # -- claims --------------------------------------------------------------------------------------------------

    def _claims(
        self,
        transition: GameTransition,
        effects: Iterable[WrittenRule],
        changed: Collection[Signature],
        given: Collection[Signature],
        following: dict[Signature, str],
    ) -> list[str]:
        d = self.declared
        lines = [f"bad__(I) :- {following.get(BROKEN, 'broken')}(I,_).", "bad__(I) :- wrong(I,_)."]
        lines += [
            "bad__(vocabulary) :- add(F), not wide__(F), not due__(F). due__(due(S)) :- step(S).",
            "bad__(count) :- odd__. odd__ :- uneven__(_). odd__ :- much__(_).",
            "shifted__(L) :- moved__(L), regular__(L), not odd__.",
        ]
        looks_back = any(("more", 2) in r.reads for r in effects)
        for one in sorted(set(d.counters) & set(changed)):
            counter, now = counter_term(one), pattern(one, "N")
            new = (f"{one[0]}__n", one[1])
            lines += several_values(d, one, "__n") if one in given else []
            if one not in d.signed:
                lines.append(f"uneven__({counter}) :- change({counter},D), {now}, N+D < 0.")
                if not d.counters[one]:
                    lines.append(f"uneven__({counter}) :- change({counter},D), D < 0, not {pattern(one, '_')}.")
            if not looks_back:
                continue
            new_, old_ = pattern(new, "M"), pattern(one, "_")
            lines += [
                f"more({counter},M-N) :- {now}, {new_}, M != N.",
                f"more({counter},M) :- {new_}, not {old_}, M != 0.",
                f"more({counter},-N) :- {now}, not {pattern(new, '_')}, N != 0.",
            ]
        for one in sorted(d.units & set(changed)):
            now, new_ = pattern(one), pattern((f"{one[0]}__n", one[1]))
            cases = (("", "", 0), ("", "not ", -1), ("not ", "", 1), ("not ", "not ", 0))
            for before, after, right in cases:
                what = f"touched({now}), {before}{now}, {after}{new_}, {change_of(now)} != {right}"
                lines.append(f"uneven__({now}) :- {what}.")
        if any(("then", 1) in r.reads for r in effects):
            for one in sorted(d.fluents | {DUE}):
                after = pattern((f"{one[0]}__n", one[1])) if one in changed else pattern(one)
                lines.append(f"then({pattern(one)}) :- {after}.")
        delta, counts = " ; ".join(_MOVES), following.get(COUNTS, "counts")
        lines += [
            f"bad__(limit) :- shifted__(L), limit(L,A,A), #sum {{ {delta} }} != 0.",
            f"bad__(limit) :- shifted__(L), limit(L,A,M), A < M, #sum {{ T,now : total(L,T) ; {delta} }} > M.",
            f"bad__(limit) :- shifted__(L), limit(L,N,B), N < B, #sum {{ T,now : total(L,T) ; {delta} }} < N.",
            "bad__(limit) :- raw_lose__(X,N,out(Y,V)), shift(X,Y,N,V).",
            "bad__(limit) :- raw_gain__(Y,N,into(X,V)), shift(X,Y,N,V).",
        ]
        if counts != "counts":
            lines += [
                f"bad__(limit) :- limit(L,_,M), not regular__(L), #sum {{ W,X : {counts}(L,X,W) }} > M.",
                f"bad__(limit) :- limit(L,N,_), not regular__(L), #sum {{ W,X : {counts}(L,X,W) }} < N.",
            ]
        return [*lines, *exclusive(d, "__n", "bad__(exclusive)")] + (
            ["bad__(enumeration) :- submitted(R,A), not listed__(R,A)."] if not transition.is_step else []
        )

    def _listing(self, transition: GameTransition) -> tuple[list[WrittenRule], str]:
        """The move generator's rules for the actions of a transition, for ``listed__``; or why it is not asked.

        A rule that is left out can only make more actions unlisted.
        """
        if refused := self.choosing_generator():
            return [], refused
        names = {functor(rule.args[1]) for rule in transition.kinds}
        chosen = [r for r in self.declared.generator if functor(r.args[1]) in names]
        text = []
        for rule in chosen:
            args = ",".join(map(str, rule.args))
            text.append("; ".join([f"listed__({args}) :- can__({args})", *map(str, rule.body)]) + ".")
        return [*rules_of("\n".join(text), "generator")], ""

    def choosing_generator(self) -> str:
        """Why the move generator may list other candidates where some are judged; empty if it may not.

        A set that is judged has parts, as it is listed. One that is to be listed has none yet.
        """
        rules, generator = self.declared.rules, self.declared.generator
        acts = dependents({SUBMITTED, CANDIDATE, *DONE, *(sets.OF_LISTED if self.declared.sets else ())}, rules)
        for rule in [*generator, *cone({s for r in generator for s in r.reads}, by_head(rules))]:
            if rule.reads & acts:
                return f"the move generator depends on what is chosen: {rule.text}"
        return ""


def choosing_rule(declared: Declared, rule: WrittenRule) -> str:
    """The rule that a role with a decision can choose the actions of a declaration. Its sets are its own."""
    decision, action = rule.args
    body = [
        f"stand_in__({literal.atom.symbol.arguments[0]},Role__)"
        if declared.sets and is_plain(literal) and signature(literal.atom) == sets.SET
        else str(literal)
        for literal in rule.body
    ]
    return "; ".join([f"can__(Role__,{action}) :- decision(Role__,{decision})", *body]) + "."


def making_rule(rule: WrittenRule) -> str:
    """The rule that an action makes a decision. As in the engine's rule it need not be declared with just these arguments."""
    decision, action = rule.args
    return f"made(Role__,{decision}) :- does(Role__,{action}); decision(Role__,{decision})."


def several_values(declared: Declared, one: Signature, suffix: str) -> list[str]:
    """The rules by which a counter has two values, or none although it is stated."""
    there = (one[0] + suffix, one[1])
    lines = [f"bad__(count) :- {pattern(there, 'N')}, {pattern(there, 'M')}, N < M."]
    if declared.counters[one]:
        lines.append(f"bad__(count) :- fluent({pattern(one, '_')}), not {pattern(there, '_')}.")
    return lines


def exclusive(declared: Declared, suffix: str, head: str) -> list[str]:
    """The rules by which ``head`` holds if what is pending belongs to several transitions; without a head, constraints."""
    lines = [
        f"group__(d,N) :- decision{suffix}(_,D), decided__(D,N).",
        f"group__(s,N) :- due{suffix}(S), stepped__(S,N).",
    ]
    lines += [f"{head} :- group__(T,A), group__(T,B), A < B.", f"{head} :- group__(d,_), group__(s,_)."]
    for name in sorted({d.name for d in declared.decisions} - declared.simultaneous):
        lines.append(f"{head} :- #count {{ R,D : decision{suffix}(R,D), decided__(D,{name}) }} > 1.")
    return lines


def _each(name: str, symbols: Iterable[clingo.Symbol]) -> list[clingo.Symbol]:
    return [clingo.Function(name, [s]) for s in sorted(symbols)]


def _totals(following: dict[Signature, str]) -> list[str]:
    """The rules for totals at the next position: those of regular measures follow the gains and losses."""
    if TOTAL not in following:
        return []
    counts = following.get(COUNTS, "counts")
    sums = (f"not regular__(L), N = #sum {{ W,X : {counts}(L,X,W) }}",
            f"regular__(L), N = #sum {{ T,now : total(L,T) ; {' ; '.join(_MOVES)} }}")  # fmt: skip
    return [f"total__n(L,N) :- summed__(L), {of}(L,A,B), N = A..B, {s}." for of in ("limit", "range") for s in sums]


def program_of(lines: Iterable[str], defined: Collection[Signature] = ()) -> str:
    """The text of a program, each line once.

    For each choice it has exactly one answer set of its rules, so that no rule can take away a transition: a program in which a
    predicate depends on its own negation, or on a sum or a condition over itself, is refused. So is one that reads a predicate of
    ``defined``, or a copy of one, without a rule for it: there it would hold of nothing.
    """
    every_line = dict.fromkeys(lines)
    reads: dict[Signature, set[Signature]] = {}
    negative: dict[Signature, set[Signature]] = {}
    every: set[Signature] = set()
    for heads, read, odd in chain.from_iterable(map(_statements, every_line)):
        every |= read
        for head in heads:
            reads.setdefault(head, set()).update(read)
            negative.setdefault(head, set()).update(odd)
    for head, ones in negative.items():
        for one in ones:
            if head in reachable([one], reads):
                raise NotCovered(f"{head[0]} depends on its own negation, or on a sum over itself, through {one[0]}")
    for name, arity in every - reads.keys():
        if (name.removesuffix("__n"), arity) in defined:
            raise NotCovered(f"{name}/{arity} is read, but the program has no rule for it")
    return "\n".join(every_line)


@lru_cache(maxsize=20_000)
def _statements(line: str) -> tuple[tuple[frozenset[Signature], ...], ...]:
    """The predicates of each rule of a line: those of its head, all, and those of its body that are no plain atoms.

    A choice has in its head those of its conditions, too. A line is whole rules, and most lines are in many programs.
    """
    return tuple(
        (signatures(tree.head), signatures(tree), signatures([x for x in tree.body if not is_plain(x)]))
        for tree in clingo.trees(line)
    )
