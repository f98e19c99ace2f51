"""The open readings: an unknown position (compose), and a run of moments from it (unroll).

A :class:`Chain` grows a logic program. Its first moment is any position that the vocabulary allows (choice rules over
the declared fluents); each transition, an action of given kinds or a step that happens by itself, leads to the next
moment. Predicates get a copy of their own at a moment only where they depend on what has changed by then.

Nothing here knows a game: all comes from the rulebook's declarations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import clingo

from ..engine import symbols
from ..engine.ruleset import Ruleset, is_enumeration
from ..rules.pattern import Pattern, Signature, show
from ..rules.predicates import ADD, BROKEN, COUNTS, DECISION, DEL, TOTAL, VIOLATES, broken
from ..rules.reader import rule_of
from ..rules.rule import Atom, Rule, top
from ..rules.rulebook import ActionKind
from ..transform.action_splitting import Special, specialise
from ..transform.dependency import Dependence, named_in
from ..transform.rewrite import literal, rename
from ..transform.slicing import seeds
from .domains import Domains, argument_domains
from .open_sets import CHOOSE, EVERYTHING, Sets, opened
from .totals import Totals

_ASSIGNED = re.compile(r"\b([A-Z]\w*) = #sum")


class Unbounded(Exception):
    """An action's arguments cannot be listed: it cannot be opened."""


@dataclass(frozen=True)
class Transition:
    """One transition of a chain.

    Attributes:
        number: Which one it is, from 0.
        moment: The moment it starts from.
        rules: What it comes about by.
        added: The fluents of which it may add facts.
        deleted: Those of which it may delete facts.
    """

    number: int
    moment: int
    rules: frozenset[Rule]
    added: frozenset[Signature]
    deleted: frozenset[Signature]

    @property
    def changed(self) -> frozenset[Signature]:
        """The fluents it can change."""
        return self.added | self.deleted


class Chain:
    """A program that grows moment by moment.

    Attributes:
        ruleset: Whose rules it reads.
        domains: The sorts.
        bounded: Whether only what the vocabulary knows can come to be: needed where several transitions follow one
            another, or numbers would have more and more values. Right where ``vocabulary`` is proved.
        lines: The program, each rule once.
        facts: What the program must be told besides.
        names: For each moment the names of the predicates that have one of their own there.
        transitions: Those so far.
        totals: The rules about totals.
        sets: The sets that actions name.
        tag: The mark of what is this chain's own, where it stands beside another.
    """

    tag = ""

    def __init__(self, ruleset: Ruleset, domains: Domains, bounded: bool = False) -> None:
        """An empty program."""
        self.ruleset = opened(ruleset)
        self.domains = domains
        self.bounded = bounded
        self.lines: dict[str, None] = {}
        self.facts = [*domains.facts, *(f for group in self.ruleset.static.values() for f in group)]
        self.names: list[dict[Signature, str]] = [{}]
        self.transitions: list[Transition] = []
        self.totals = Totals(self.ruleset)
        self.sets = Sets(self.ruleset)
        # what comes into question is only listed at the first moment
        self._dependence = Dependence(r for r in self.ruleset.rules if not is_enumeration(r))
        fluents = self.ruleset.book.fluents
        self._dependence.state(TOTAL, {s for r in self.totals.counting for s in r.uses if s in fluents})

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

    def _shared(self, name: str, moment: int) -> bool:
        """Whether a predicate is that of another chain, beside which this one stands."""
        return False

    def _mark(self, name: str, moment: int | None = None) -> str:
        """The mark of a predicate (by default of one that the transition from the last moment derives)."""
        return "" if self._shared(name, self.now if moment is None else moment) else self.tag

    # -- what holds at a moment --------------------------------------------------------------------------------------

    def open(
        self, decisions: Sequence[Pattern] = (), steps: Sequence[Pattern] = (), exact: bool = True
    ) -> None:
        """Opens the position: all fluents are free, decisions and due steps of these kinds only.

        ``exact`` ties each total to its sum. Without it a total is only at least each part of it, and no sum exceeds
        its limit: more positions than there are, enough for most proofs and far easier, as no sums have to match.
        """
        self.add(*self.domains.choices(self.ruleset.book, decisions, steps))
        self.add(*self.totals.first(exact))

    def derive(
        self,
        outputs: Iterable[Atom],
        decisions: Sequence[Pattern] | None = None,
        steps: Sequence[Pattern] | None = None,
        enumerate: bool = False,
    ) -> None:
        """Adds the rules for what is derived from the last moment's position."""
        slicer = self.ruleset.enumerating if enumerate else self.ruleset.judging
        for rule in slicer.slice(seeds(decisions, steps), outputs):
            self.emit(rule)

    def emit(self, rule: Rule) -> None:
        """Adds a rule about the last moment."""
        if _about_totals(rule):
            return
        line = rename(rule, self.name)
        if any(a.signature == TOTAL for a in rule.positive):
            self.add(*self.totals.asked(self.now))
        self.add(line, *_functional(line))

    def assume(
        self,
        invariants: Sequence[str],
        decisions: Sequence[Pattern] | None = None,
        steps: Sequence[Pattern] | None = None,
    ) -> None:
        """Demands invariants of the last moment's position."""
        self.derive(map(broken, invariants), decisions, steps)
        self.add(*(f":- {self.name(BROKEN)}({invariant},_)." for invariant in invariants))

    # -- sets that actions name --------------------------------------------------------------------------------------

    def name_sets(self, known: Iterable[clingo.Symbol]) -> list[clingo.Symbol]:
        """Names that everybody can give for sets without acting: of one that is unknown, and of those known."""
        names = self._unknown_sets(True)
        if not names:
            return []
        self.facts += self.sets.known(known)
        self.add(EVERYTHING)
        return [*names.values(), *self.sets.names(known)]

    def _unknown_sets(self, together: bool) -> dict[clingo.Symbol, clingo.Symbol]:
        """For each role the name of a set that is chosen for the next transition."""
        names = self.sets.unknown(len(self.transitions), together)
        if names:
            self.facts += self.sets.about(names)
            self.add(CHOOSE)
        return names

    def _together(self, kind: ActionKind) -> bool:
        """Whether several roles make such a decision at the same time."""
        simultaneous = {symbols.text(s.arguments[0]) for s in self.ruleset.facts("simultaneous", 1)}
        return str(kind.decision[1]) in simultaneous

    # -- transitions -------------------------------------------------------------------------------------------------

    def act(self, kinds: Sequence[ActionKind], legal: bool = True) -> Transition:
        """All who decide now carry out actions of these kinds."""
        t = len(self.transitions)
        decide = self.name(DECISION)
        sets = self._unknown_sets(any(map(self._together, kinds)))
        choices = []
        lines: dict[str, None] = {}
        rules: set[Rule] = set()
        for kind in kinds:
            start = seeds([kind.decision], (), [kind.action])
            found = self.ruleset.judging.slice(start, [top(*VIOLATES), top(*ADD), top(*DEL)])
            rules |= set(found)
            special = specialise(found, kind, t)
            lines |= dict.fromkeys(self._renamed(rule, line) for rule, line in special.lines)
            choices.append(f"does__{t}(Role,{kind.index}) : {decide}(Role,{show(kind.decision)})")
            self._choose_arguments(special, sets)
            for violation in special.violations:
                breaks = violation.replace(f"__{t}(", f"__{t}{self._mark('violates')}(")
                self.add(f":- {breaks}." if legal else f"illegal__{t}{self.tag} :- {breaks}.")
        self.add(f"{{ {'; '.join(choices)} }}.", f":- not {decide}(_,_).")
        self.add(f":- {decide}(Role,_), #count{{ K : does__{t}(Role,K) }} != 1.")
        self.add(*lines)
        return self._advance(rules)

    def _choose_arguments(self, special: Special, sets: Mapping[clingo.Symbol, clingo.Symbol]) -> None:
        """One value for each argument of an action of a kind, if somebody does it."""
        t, kind = len(self.transitions), special.kind
        for position, values in enumerate(argument_domains(self.ruleset, special, sets.values())):
            if not values:
                raise Unbounded(f"{show(kind.action)} has an argument without a finite domain")
            place = [clingo.Number(kind.index), clingo.Number(position)]
            self.facts += [clingo.Function("dom", [*place, v]) for v in values]
        own = ", not foreign(R,V)" if sets else ""
        for k in range(special.arguments):
            value = f"arg__{t}(R,{kind.index},{k},V) : dom({kind.index},{k},V){own}"
            self.add(f"1 {{ {value} }} 1 :- does__{t}(R,{kind.index}).")

    def step(self, steps: Sequence[Pattern]) -> Transition:
        """What is due happens by itself."""
        rules = self.ruleset.judging.slice(seeds((), steps), [top(*ADD), top(*DEL)])
        for rule in rules:
            line = self._renamed(rule, rule.text)
            self.add(line, *_functional(line))
        return self._advance(set(rules))

    def _renamed(self, rule: Rule, line: str) -> str:
        """The rule of a transition: what it changes has names of its own, what it reads the moment's."""
        t = len(self.transitions)
        carriers = self.ruleset.judging.transient

        def name(signature: Signature) -> str | None:
            if signature in self.ruleset.book.fluents or signature in self.ruleset.static:
                return self.name(signature)
            if signature[0].startswith(("does__", "arg__")):
                return None
            if signature in carriers or "__k" in signature[0]:
                return f"{signature[0]}__{t}{self._mark(signature[0])}"
            return None if "__" in signature[0] else self.name(signature)

        return "" if _about_totals(rule) else rename(rule_of(line), name)

    def _advance(self, rules: set[Rule]) -> Transition:
        """The next moment, after a transition by these rules."""
        fluents = self.ruleset.book.fluents
        added, deleted = (frozenset(named_in(rules, s) & fluents) for s in (ADD, DEL))
        transition = Transition(len(self.transitions), self.now, frozenset(rules), added, deleted)
        self.transitions.append(transition)
        self._arrive(transition)
        return transition

    def _arrive(self, transition: Transition) -> None:
        """The names at the next moment, and how its fluents and totals follow."""
        t, moment = transition.number, transition.moment
        changed = transition.changed
        add, delete = (f"{name}__{t}{self._mark(name, moment)}" for name in ("add", "del"))
        names = dict(self.names[moment])
        suffix = f"__m{moment + 1}"
        affected = self._dependence.affected(changed)
        names.update({s: s[0] + suffix + self._mark(s[0], moment + 1) for s in affected})
        self.names.append(names)
        for name, arity in sorted(changed):
            if self._shared(name, moment + 1):
                continue
            fluent = literal(name, *(f"X{k}" for k in range(1, arity + 1)))
            old, new = self.name((name, arity), moment), names[name, arity]
            atom = fluent.replace(name, "", 1)
            keep = f", not {delete}({fluent})" if (name, arity) in transition.deleted else ""
            self.add(f"{new}{atom} :- {old}{atom}{keep}.")
            if (name, arity) in transition.added:
                known = f", wide({fluent})" if self.bounded and name != "next" else ""
                self.add(f"{new}{atom} :- {add}({fluent}){known}.")
        self.totals.changes = None
        if self.name(TOTAL) != self.name(TOTAL, moment):
            self._follow_totals(transition)

    def _follow_totals(self, transition: Transition) -> None:
        """How the new moment's totals follow."""
        t, moment = transition.number, transition.moment
        heads = {h.signature for r in transition.rules for h in r.heads}
        by = {
            name: f"{name}__{t}{self._mark(name, moment)}"
            for name, arity in (("gain", 3), ("lose", 3), ("shift", 4))
            if (name, arity) in heads
        }
        self.totals.follow(moment + 1, self.name(TOTAL, moment), self.name(TOTAL), f"{t}{self.tag}", by)


def _about_totals(rule: Rule) -> bool:
    """Whether the rule says what counts, or sums it up: that is done elsewhere."""
    return rule.heads[0].signature in (TOTAL, COUNTS)


def _functional(line: str) -> list[str]:
    """The constraint that a stated sum has one value: always true, and a great help to the solver.

    Only for the rules of a rulebook that assign a bounded sum (``bound/2``), one for each predicate, whose other
    variables all stand in the head.
    """
    assigned = _ASSIGNED.search(line)
    if assigned is None or "bound" not in line:
        return []
    value = assigned[1]
    rule = rule_of(line)
    head = rule.heads[0]
    args = [rule.argument(head, i) for i in range(len(head.args))]
    if value not in args:
        return []
    others = ["Other_" if a == value else a for a in args]
    return [f":- {literal(head.name, *args)}, {literal(head.name, *others)}, {value} < Other_."]
