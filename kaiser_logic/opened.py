"""The open readings: an unknown position (compose), and a run of moments from it (unroll).

A :class:`Chain` grows a logic program. Its first moment is any position that the vocabulary allows (choice rules over
the declared fluents); each transition, an action of given kinds or a step that happens by itself, leads to the next
moment. Predicates get a copy of their own at a moment only where they depend on what has changed by then. Totals of
conserved things are counted once, at the first moment, and then follow from what is gained and lost.

Nothing here knows a game: all comes from the rulebook's declarations.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import clingo

from . import symbols
from .evaluate import Evaluator, Grounding, is_enumeration
from .ir import Atom, Pattern, Rule, Signature, show
from .rewrite import HEAD, literal, rename, text_of
from .rulebook import ActionKind
from .sets import CHOOSE, Sets, opened
from .slicing import anything, top
from .specialise import specialise

ADD, DEL, TOTAL, NEXT, DECISION = ("add", 1), ("del", 1), ("total", 2), ("next", 1), ("decision", 2)
_ASSIGNED = re.compile(r"\b([A-Z]\w*) = #sum")
RULING: Signature = ("ruling", 2)
_INPUT = {("submitted", 2), ("do", 2), ("question", 2)}


class Unbounded(Exception):
    """An action's arguments cannot be listed: it cannot be opened."""


@dataclass(frozen=True)
class Domains:
    """The sorts of an open position, as ground facts: fluents, what may be added, measures, the counters' most."""

    fluents: tuple[clingo.Symbol, ...]
    wide: tuple[clingo.Symbol, ...]
    measures: tuple[clingo.Symbol, ...]
    most: tuple[clingo.Symbol, ...]

    @property
    def facts(self) -> tuple[clingo.Symbol, ...]:
        """All of them as facts for a program."""
        wrap = [clingo.Function("fluent", [f]) for f in self.fluents]
        wrap += [clingo.Function("wide", [f]) for f in self.wide]
        return (*wrap, *self.most, *self.measures)


def domains(evaluator: Evaluator, bound: int, margin: int = 60) -> Domains:
    """The sorts with numbers up to ``bound``; what may be added, up to ``margin`` more."""
    everything = {DECISION: [anything(2)], NEXT: [], ("submitted", 2): []}
    program = evaluator.program("vocabulary", lambda: everything, [("fluent", 1)])

    def fluents(most: int) -> tuple[clingo.Symbol, ...]:
        numbers = [clingo.Function("number", [clingo.Number(n)]) for n in range(most + 1)]
        return tuple(s.arguments[0] for s in Grounding(program, numbers).get("fluent", 1))

    narrow, wide = fluents(bound), fluents(bound + margin)
    return Domains(narrow, wide, _measures(evaluator, wide), _most(evaluator, wide, bound + margin))


def _most(
    evaluator: Evaluator, fluents: Iterable[clingo.Symbol], numbers: int
) -> tuple[clingo.Symbol, ...]:
    """most(Counter,N): the largest value that a counter can have; endless(Counter): any number up to ``numbers``, and more."""
    highest: dict[clingo.Symbol, int] = {}
    for f in fluents:
        if symbols.signature(f) in evaluator.book.counters:
            counter = clingo.Function(f.name, f.arguments[:-1])
            highest[counter] = max(highest.get(counter, 0), f.arguments[-1].number)
    endless = [clingo.Function("endless", [c]) for c, n in highest.items() if n >= numbers]
    return (*(clingo.Function("most", [c, clingo.Number(n)]) for c, n in highest.items()), *endless)


def _measures(evaluator: Evaluator, fluents: Iterable[clingo.Symbol]) -> tuple[clingo.Symbol, ...]:
    """measure(L,Counter,Weight): what one of a counter counts, from the rules for counts/3 over all fluents."""
    rules = tuple(r for r in evaluator.rules if r.heads and r.heads[0].signature == ("counts", 3))
    if not rules:
        return ()
    program = evaluator.complete(rules)
    counters = evaluator.book.counters
    single = [
        f for f in fluents if symbols.signature(f) not in counters or f.arguments[-1] == clingo.Number(1)
    ]
    return tuple(clingo.Function("measure", s.arguments) for s in Grounding(program, single).get("counts", 3))


@dataclass
class Chain:
    """A program that grows moment by moment.

    Attributes:
        evaluator: Whose rules it reads.
        domains: The sorts.
        lines: The program, each rule once.
        names: For each moment the names of the predicates that have one of their own there.
        facts: What the program must be told besides.
        transitions: How many there are so far.
        tag: The mark of what is this chain's own, where it stands beside another, its ``first``.
        exact: Whether totals are tied to their sums.
        bounded: Whether only what the vocabulary knows can come to be: needed where several transitions follow one
            another, or numbers would have more and more values. Right where ``vocabulary`` is proved.
        changes: What the last transition does to the totals.
        differing: The rules in which this chain differs from its first, as text; ``heads``: what they derive.
        apart: For each moment the predicates that are this chain's own.
        rules: For each transition its rules.
    """

    evaluator: Evaluator
    domains: Domains
    lines: dict[str, None] = field(default_factory=dict)
    names: list[dict[Signature, str]] = field(default_factory=lambda: [{}])
    facts: list[clingo.Symbol] = field(default_factory=list)
    transitions: int = 0
    tag: str = ""
    exact: bool = True
    bounded: bool = False
    changes: Changes | None = None
    first: Chain | None = None
    differing: frozenset[str] = frozenset()
    heads: frozenset[Signature] = frozenset()
    apart: list[frozenset[str]] = field(default_factory=list)
    rules: list[frozenset[Rule]] = field(default_factory=list)
    _later: dict[int, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Finds what depends on what."""
        self.evaluator = opened(self.evaluator)
        self.sets = Sets(self.evaluator)
        self.facts += self.domains.facts
        for group in self.evaluator.static.values():
            self.facts += group
        # what comes into question is only listed at the first moment
        self._depends = _dependencies(r for r in self.evaluator.rules if not is_enumeration(r))
        self._depends[TOTAL] = {s for r in self._counting for s in r.uses if s in self.evaluator.book.fluents}

    def beside(self, evaluator: Evaluator, tag: str, asked: Iterable[Rule]) -> Chain:
        """Another reading of the same first moment, by another edition's rules, in the same program.

        What follows from rules in which the editions differ gets names of its own; all else is shared. Of each
        transition, this chain's comes first. ``asked``: all rules of either that will be asked for.
        """
        other = Chain(evaluator, self.domains, self.lines, [{}], [], 0, tag, first=self, bounded=self.bounded)
        differing = {RULING}
        for signature, facts in evaluator.static.items():
            if set(facts) != set(self.evaluator.static.get(signature, ())):
                other.names[0][signature] = name = f"{signature[0]}{tag}"
                other.facts += [clingo.Function(name, f.arguments) for f in facts]
                differing.add(signature)
        ours, theirs = ({r.text for r in e.judging.rules} for e in (self.evaluator, evaluator))
        rules = list(asked)
        alone = [r for r in rules if r.text not in ours & theirs or r.uses & (differing - {RULING})]
        other.differing = frozenset(r.text for r in alone)
        other.heads = frozenset(h.signature for r in alone for h in r.heads)
        other._depends = _dependencies(rules)
        other._part(set())
        given = {*evaluator.book.fluents, *evaluator.static, TOTAL, ("counts", 3), *_INPUT}
        for signature in {h.signature for r in evaluator.rules for h in r.heads} - given:
            if signature[0] in other.apart[0]:
                other.names[0][signature] = f"{signature[0]}{tag}"
        other.facts = [f for f in other.facts if f.name.endswith(tag)]
        return other

    def _part(self, fluents: set[Signature]) -> None:
        """What is apart from the first chain at a new moment, where these fluents are."""
        self.apart.append(frozenset(name for name, _ in self._affected({*self.heads, *fluents})))

    def _own(self, name: str) -> str:
        """The mark of a predicate that a transition from the last moment derives."""
        return self.tag if self.tag and name.partition("__k")[0] in self.apart[-1] else ""

    @property
    def _counting(self) -> list[Rule]:
        return [r for r in self.evaluator.rules if r.heads and r.heads[0].signature == ("counts", 3)]

    @property
    def text(self) -> str:
        """The program so far."""
        return "\n".join(self.lines)

    @property
    def now(self) -> int:
        """The last moment."""
        return len(self.names) - 1

    def add(self, *lines: str) -> None:
        """Adds rules of one's own; equal ones once."""
        for line in lines:
            self.lines.setdefault(line)

    def name(self, signature: Signature, moment: int | None = None) -> str:
        """A predicate's name at a moment (by default the last one)."""
        return self.names[self.now if moment is None else moment].get(signature, signature[0])

    # -- the first moment ----------------------------------------------------------------------------------------------

    def open(
        self, decisions: Sequence[Pattern] = (), steps: Sequence[Pattern] = (), exact: bool = True
    ) -> None:
        """Opens the position: all fluents are free, decisions and due steps of these kinds only.

        ``exact`` ties each total to its sum. Without it a total is only at least each part of it, and no sum exceeds
        its limit: more positions than there are, enough for most proofs and far easier, as no sums have to match.
        """
        book = self.evaluator.book
        kinds: set[Signature] = {symbols.signature(f) for f in self.domains.fluents}
        for name, arity in sorted(kinds - {("seat", 2), DECISION, NEXT}):
            args = [f"X{k}" for k in range(1, arity + 1)]
            fluent = literal(name, *args)
            stated = book.counters.get((name, arity))
            if stated is None:
                self.add(f"{{ {fluent} }} :- fluent({fluent}).")
                continue
            some = literal(name, *args[:-1], "_")
            least = "1 " if stated else ""
            self.add(f"{least}{{ {fluent} : fluent({fluent}) }} 1 :- fluent({some}).")
        for pattern in decisions:
            decision = f"decision(Role,{show(pattern)})"
            self.add(f"{{ {decision} : fluent({decision}) }}.")
        for pattern in steps:
            self.add(f"{{ next({show(pattern)}) : step({show(pattern)}) }}.")
        if steps:
            self.add(":- not next(_).")
        self.add("ranges(L,N,M) :- limit(L,N,M).")
        if self.evaluator.facts("range", 3):
            self.add("ranges(L,N,M) :- range(L,N,M).")
        self.add("1 { total(L,N..M) } 1 :- ranges(L,N,M).")
        self.add(*(rule.text for rule in self._counting))
        self.exact = exact
        if exact:
            self.add(":- total(L,N), ranges(L,_,_), #sum{ W,X : counts(L,X,W) } != N.")
        else:
            self.add(":- total(L,N), counts(L,_,W), W > N.")
            self.add(":- limit(L,_,M), #sum{ W,X : counts(L,X,W) } > M.")

    def seeds(
        self, decisions: Sequence[Pattern], steps: Sequence[Pattern]
    ) -> dict[Signature, list[tuple[Pattern, ...]]]:
        """What a slice may start from."""
        return {
            DECISION: [(("v", "R"), d) for d in decisions],
            NEXT: [(s,) for s in steps],
            ("submitted", 2): [],
        }

    def derive(
        self,
        outputs: Iterable[Atom],
        decisions: Sequence[Pattern] | None = None,
        steps: Sequence[Pattern] | None = None,
        enumerate: bool = False,
    ) -> None:
        """Adds the rules for what is derived from the last moment's position."""
        seeds = self.seeds(decisions or [], steps or [])
        if decisions is None:
            seeds[DECISION] = [anything(2)]
        if steps is None:
            seeds[NEXT] = [anything(1)]
        slicer = self.evaluator.enumerating if enumerate else self.evaluator.judging
        for rule in slicer.slice(seeds, outputs):
            self.emit(rule)

    def emit(self, rule: Rule) -> None:
        """Adds a rule about the last moment."""
        if rule.heads[0].signature in (TOTAL, ("counts", 3)):
            return
        line = rename(rule.text, self.name)
        if any(a.signature == TOTAL for a in rule.positive):
            self.follow_totals()
        self.add(line, *functional(line))

    def follow_totals(self) -> None:
        """Adds how the totals of the last moment follow from those before; left out where nothing asks for them."""
        for moment in sorted(self._later):
            if moment <= self.now:
                self.add(*self._later.pop(moment))

    def assume(self, invariants: Iterable[str]) -> None:
        """Demands invariants of the last moment's position (derive them first)."""
        for invariant in invariants:
            self.add(f":- {self.name(('broken', 2))}({invariant},_).")

    # -- transitions -----------------------------------------------------------------------------------------------------

    def act(self, kinds: Sequence[ActionKind], legal: bool = True) -> Transition:
        """All who decide now carry out actions of these kinds."""
        t = self.transitions
        self.transitions += 1
        moment = self.now
        decide = self.name(DECISION)
        sets = self._unknown_sets(t, any(map(self._together, kinds)))
        own = ", not foreign(R,V)" if sets else ""
        choices = []
        rules: dict[str, Rule] = {}
        touched: set[Rule] = set()
        for kind in kinds:
            seeds = {
                ("submitted", 2): [(("v", "Role"), kind.action)],
                NEXT: [],
                DECISION: [(("v", "R"), kind.decision)],
            }
            found = self.evaluator.judging.slice(seeds, [top("violates", 3), top(*ADD), top(*DEL)])
            touched |= set(found)
            special = specialise(found, kind, t)
            for rule, line in special.lines:
                rules.setdefault(self._named(rule, line, t), rule)
            choices.append(f"does__{t}(Role,{kind.index}) : {decide}(Role,{show(kind.decision)})")
            for position, values in special.domains(self.evaluator, kind, set(sets.values())).items():
                if not values:
                    raise Unbounded(f"{show(kind.action)} has an argument without a finite domain")
                self.facts += [
                    clingo.Function("dom", [clingo.Number(kind.index), clingo.Number(position), v])
                    for v in values
                ]
            for k in range(special.arguments):
                self.add(
                    f"1 {{ arg__{t}(R,{kind.index},{k},V) : dom({kind.index},{k},V){own} }} 1 :- does__{t}(R,{kind.index})."
                )
            violated = self._violated(special.violations, t)
            if legal:
                self.add(*(f":- {v}." for v in violated))
            else:
                self.add(*(f"illegal__{t}{self.tag} :- {v}." for v in violated))
        self.add(f"{{ {'; '.join(choices)} }}.", f":- not {decide}(_,_).")
        self.add(f":- {decide}(Role,_), #count{{ K : does__{t}(Role,K) }} != 1.")
        self.add(*rules)
        return self._advance(t, touched, moment)

    def name_sets(self, known: Iterable[clingo.Symbol]) -> list[clingo.Symbol]:
        """Names that everybody can give for sets without acting: of one that is unknown, and of those known."""
        names = self._unknown_sets(self.transitions, True)
        if not names:
            return []
        self.facts += self.sets.known(known)
        return [*names.values(), *self.sets.names(known)]

    def _unknown_sets(self, transition: int, together: bool) -> dict[clingo.Symbol, clingo.Symbol]:
        """For each role the name of a set that is chosen for a transition."""
        names = self.sets.unknown(transition, together)
        if names:
            self.facts += self.sets.about(names)
            self.add(CHOOSE)
        return names

    def _together(self, kind: ActionKind) -> bool:
        """Whether several roles make such a decision at the same time."""
        simultaneous = {symbols.text(s.arguments[0]) for s in self.evaluator.facts("simultaneous", 1)}
        return str(kind.decision[1]) in simultaneous

    def _violated(self, violations: Iterable[str], t: int) -> list[str]:
        """The literals that say that an action breaks a rule."""
        return [v.replace(f"__{t}(", f"__{t}{self._own('violates')}(") for v in violations]

    def step(self, steps: Sequence[Pattern]) -> Transition:
        """What is due happens by itself."""
        t = self.transitions
        self.transitions += 1
        seeds = {("submitted", 2): [], NEXT: [(s,) for s in steps], DECISION: []}
        rules = self.evaluator.judging.slice(seeds, [top(*ADD), top(*DEL)])
        for rule in rules:
            line = self._named(rule, rule.text, t)
            self.add(line, *functional(line))
        return self._advance(t, set(rules), self.now)

    def _named(self, rule: Rule, line: str, t: int) -> str:
        """The rule of a transition: what it changes has names of its own, what it reads the moment's."""
        carriers = self.evaluator.judging.carriers

        def name(signature: Signature) -> str | None:
            if signature in self.evaluator.book.fluents or signature in self.evaluator.static:
                return self.name(signature)
            if signature[0].startswith(("does__", "arg__")):
                return None
            if signature in carriers or "__k" in signature[0]:
                return f"{signature[0]}__{t}{self._own(signature[0])}"
            return None if "__" in signature[0] else self.name(signature)

        if rule.heads[0].signature in (TOTAL, ("counts", 3)):
            return ""
        return rename(line, name)

    def _advance(self, t: int, rules: set[Rule], moment: int) -> Transition:
        """The next moment's names, and how its fluents and totals follow."""
        added, deleted = _functors(rules, ADD), _functors(rules, DEL)
        fluents = self.evaluator.book.fluents
        added, deleted = added & fluents, deleted & fluents
        changed = added | deleted
        add, delete = (f"{name}__{t}{self._own(name)}" for name in ("add", "del"))
        labels = {name: f"{name}__{t}{self._own(name)}" for name in ("gain", "lose", "shift")}
        names = dict(self.names[moment])
        self.rules.append(frozenset(rules))
        if self.first is not None:
            self._part(self._moved(moment))
        suffix = f"__m{moment + 1}"
        names.update({s: s[0] + suffix + self._own(s[0]) for s in self._affected(changed)})
        for name, arity in sorted(changed):
            if self.first is not None and not self._own(name):
                continue  # it is the first chain's
            fluent = literal(name, *(f"X{k}" for k in range(1, arity + 1)))
            old, new = self.name((name, arity), moment), names[name, arity]
            atom = fluent.replace(name, "", 1)
            keep = f", not {delete}({fluent})" if (name, arity) in deleted else ""
            self.add(f"{new}{atom} :- {old}{atom}{keep}.")
            if (name, arity) in added:
                known = f", wide({fluent})" if self.bounded and name != "next" else ""
                self.add(f"{new}{atom} :- {add}({fluent}){known}.")
        self.names.append(names)
        self._totals(t, rules, moment, labels)
        return Transition(t, moment, frozenset(changed))

    def _moved(self, moment: int) -> set[Signature]:
        """The fluents that the last transition may have changed otherwise than in the first chain."""
        assert self.first is not None
        before = self.apart[moment]
        moved = {f for f in self.evaluator.book.fluents if f[0] in before}
        rules = self.rules[-1] | self.first.rules[len(self.rules) - 1]
        otherwise = [r for r in rules if r.text in self.differing or any(u[0] in before for u in r.uses)]
        return moved | _functors(otherwise, ADD) | _functors(otherwise, DEL)

    def _affected(self, changed: set[Signature]) -> set[Signature]:
        affected = set(changed)
        growing = True
        while growing:
            growing = False
            for signature, uses in self._depends.items():
                if signature not in affected and uses & affected:
                    affected.add(signature)
                    growing = True
        return affected

    def _totals(self, t: int, rules: set[Rule], moment: int, labels: Mapping[str, str]) -> None:
        """The totals after a transition, from what it gains, loses and shifts."""
        self.changes = None
        new, old = self.name(TOTAL), self.name(TOTAL, moment)
        label = f"{t}{self.tag}"
        if new == old:
            return
        if self.first is not None and not self._own(TOTAL[0]):
            self._later[moment + 1] = self.first._later.get(moment + 1, [])
            return
        heads = {h.signature for r in rules for h in r.heads}
        # what is shifted counts only where its two ends weigh differently, which is known before any position is
        single = "V < into(#inf,#inf)"  # the marks of shifts are compound, all others constants
        parts: list[str] = []
        sources: list[str] = []
        for name, sign in (("gain", ""), ("lose", "-")):
            if (name, 3) in heads:
                change = f"{labels[name]}(X,N,V), {single}, measure(L,X,W)"
                parts.append(f"{sign}N*W,X,V,{name} : {change}")
                sources.append(change)
        if ("shift", 4) in heads:
            shift = f"{labels['shift']}(X,Y,N,V)"
            ways = {
                "N*W,X,Y,V,into": f"{shift}, measure(L,Y,W), not measure(L,X,_)",
                "-N*W,X,Y,V,out": f"{shift}, measure(L,X,W), not measure(L,Y,_)",
                "N*(W-U),X,Y,V,both": f"{shift}, measure(L,Y,W), measure(L,X,U), W != U",
            }
            parts += [f"{element} : {condition}" for element, condition in ways.items()]
            sources += ways.values()
        if not parts:
            self._later[moment + 1] = [f"{new}(L,N) :- {old}(L,N)."]
            return
        self.changes = Changes(tuple(sources), "; ".join(parts), old)
        lines = []
        for kind in ("limit", "range") if self.evaluator.facts("range", 3) else ("limit",):
            lines += [f"touches__{label}(L) :- {source}, {kind}(L,_,_)." for source in sources]
            lines += [
                f"net__{label}(L,D) :- touches__{label}(L), {kind}(L,N0,M0), D = #sum{{ {'; '.join(parts)} }}, "
                "D <= M0-N0+1, D >= N0-M0-1.",
                f"{new}(L,N) :- {old}(L,N), {kind}(L,_,_), not touches__{label}(L).",
                f"{new}(L,N+D) :- {old}(L,N), {kind}(L,_,_), net__{label}(L,D).",
            ]
        if not self.exact:  # no sum is negative, nor falls by more than it can
            lines += [
                f":- {old}(L,N), net__{label}(L,D), N+D < 0.",
                f":- touches__{label}(L), ranges(L,N0,M0), #sum{{ {'; '.join(parts)} }} < N0-M0.",
            ]
        self._later[moment + 1] = lines


@dataclass(frozen=True)
class Changes:
    """What a transition does to the totals: what gains or loses, the sum's elements, the totals' name before."""

    sources: tuple[str, ...]
    parts: str
    before: str


@dataclass(frozen=True)
class Transition:
    """One transition of a chain: its number, the moment it starts from, the fluents it can change."""

    number: int
    moment: int
    changed: frozenset[Signature]


def _dependencies(rules: Iterable[Rule]) -> dict[Signature, set[Signature]]:
    """Each predicate with those that its rules read."""
    found: dict[Signature, set[Signature]] = defaultdict(set)
    for rule in rules:
        for head in rule.heads:
            found[head.signature] |= rule.uses
    return found


def functional(line: str) -> list[str]:
    """The constraint that a stated sum has one value: always true, and a great help to the solver.

    Only for the rules of a rulebook that assign a bounded sum (``bound/2``), one for each predicate, whose other
    variables all stand in the head.
    """
    assigned = _ASSIGNED.search(line)
    if assigned is None or "bound" not in line:
        return []
    value = assigned[1]
    head = text_of(line).of(HEAD)[0]
    args = [text_of(line).arg(head, i) for i in range(len(head.spans))]
    if value not in args:
        return []
    others = ["Other_" if a == value else a for a in args]
    return [f":- {literal(head.name, *args)}, {literal(head.name, *others)}, {value} < Other_."]


def _functors(rules: Iterable[Rule], signature: Signature) -> set[Signature]:
    """The predicates of the facts that the rules' heads add or delete."""
    found: set[Signature] = set()
    for rule in rules:
        for head in rule.heads:
            if head.signature == signature:
                arg = head.args[0]
                if arg[0] == "f":
                    found.add((arg[1], len(arg[2])))
                elif arg[0] == "c":
                    found.add((arg[1], 0))
    return found


def symbols_by_predicate(facts: Mapping[Signature, Iterable[clingo.Symbol]]) -> list[clingo.Symbol]:
    """All symbols of a table of facts."""
    return [s for group in facts.values() for s in group]
