"""The game's transition relation over an open position, copied moment by moment (an unrolling, as of bounded model checking).

An :class:`Encoding` is a logic program that grows. Its first moment is any position that the vocabulary allows; each
transition, an action of given kinds or a step that happens by itself, leads to the next one. A predicate gets a copy
of its own only where something it depends on may have changed (:mod:`.names`). Of the heap game's rules
    shift(heap,taken(R),K,taken) :- does(R,take(K)).
    broken(heap_stated,x)        :- not heap(_).

the first becomes, in transition 0 by actions of kind 0, with the first argument chosen,

    shift__0(heap,taken(R),A_0,taken) :- does__0(R,0); arg__0(R,0,0,A_0).

and the second, which the transition may affect, at moment 1

    broken__m1(heap_stated,x) :- not heap__m1(_).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .. import clingo
from ..engine.ruleset import Ruleset
from ..rules.fresh import ROLE
from ..rules.pattern import Pattern, Signature, show
from ..rules.predicates import (
    ADD,
    BROKEN,
    COUNTS,
    DECISION,
    DEL,
    GAIN,
    LOSE,
    SHIFT,
    TOTAL,
    VIOLATES,
    broken,
)
from ..rules.reader import rule_of
from ..rules.rule import Atom, Rule, top
from ..rules.rulebook import ActionKind
from ..transform.action_splitting import Special, specialise
from ..transform.dependency import judging, named_in
from ..transform.rewrite import rename
from ..transform.slicing import seeds
from . import names
from .domains import Domains
from .encoded_transition import Emitted, EncodedTransition, bounded_change, frame
from .open_sets import CHOOSE, EVERYTHING, Names, Sets, all_names, opened, with_sets
from .totals import Totals, about_totals, functional, single_heads
from .transitions import acting, functor, simultaneous


class Encoding:
    """A program that grows moment by moment.

    Attributes:
        ruleset: Whose rules it reads.
        domains: The sorts.
        bounded: Whether only what the vocabulary knows can come to be; right where ``vocabulary`` is proved.
        lines: The program, each rule once; ``facts``: what it must be told besides.
        transitions: Those so far.
        origins: The rulebook's rules of which something has come into the program.
        totals: The rules about totals; ``sets``: the sets that actions name.
        effects: What transitions derive.
        mark: What marks all that is this encoding's own, where it stands beside another.
        short_changes: Whether changes by more than a counter's values reach are left to the claims that exclude them.
    """

    mark = ""
    short_changes = True

    def __init__(self, ruleset: Ruleset, domains: Domains, bounded: bool = False) -> None:
        """An empty program."""
        self.ruleset = opened(ruleset)
        self.domains = domains
        self.bounded = bounded
        self.lines: dict[str, None] = {}
        self.transitions: list[EncodedTransition] = []
        self.origins: dict[Rule, None] = {}
        self.totals = Totals(self.ruleset, domains.measures, domains.wide)
        static = self.ruleset.numbers, *self.ruleset.static.values()
        self.facts = [*domains.facts, *(f for group in static for f in group), *self.totals.facts]
        self.sets = Sets(self.ruleset)
        self.effects = [top(*ADD), top(*DEL)]
        self._names: list[dict[Signature, str]] = [{}]
        self._dependence = self.ruleset.remember("dependence", lambda: judging(self.ruleset.rules)).copy()
        self._dependence.state(TOTAL, self.totals.reads)
        self._single = self.ruleset.remember("single", lambda: single_heads(self.ruleset.rules))

    @property
    def text(self) -> str:
        """The program so far."""
        return "\n".join(self.lines)

    def add(self, *lines: str) -> None:
        """Adds rules of one's own; equal ones once."""
        self.lines.update(dict.fromkeys(lines))

    # -- what is called how, and why ---------------------------------------------------------------------------------

    @property
    def now(self) -> int:
        """The last moment."""
        return len(self._names) - 1

    def name(self, signature: Signature, moment: int | None = None) -> str:
        """A predicate's name at a moment (by default the last one)."""
        return self._names[-1 if moment is None else moment].get(signature, signature[0])

    def changed_by(self, signature: Signature, moment: int | None = None) -> EncodedTransition | None:
        """Why a predicate is called so at a moment: the last transition that may have changed it, or None."""
        last = self.now if moment is None else moment
        name = self.name(signature, last)
        arrival = next(m for m in range(last + 1) if self.name(signature, m) == name)
        return self.transitions[arrival - 1] if arrival else None

    def effect(self, signature: Signature, transition: EncodedTransition) -> str:
        """The name of what a transition derives, e.g. of ``add/1``."""
        name = signature[0]
        return names.of_transition(name, transition.number, self._mark(name, transition.moment))

    def deriving(self, signature: Signature, transition: EncodedTransition) -> list[Emitted]:
        """The rules by which a transition derives a predicate, e.g. ``add/1``."""
        wanted = self.effect(signature, transition)
        return [e for e in transition.emitted if any(h.name == wanted for h in e.heads)]

    def derives(self, signature: Signature, transition: EncodedTransition) -> bool:
        """Whether a transition may derive a predicate."""
        return bool(self.deriving(signature, transition))

    def _shared(self, name: str, moment: int) -> bool:
        """Whether a predicate is that of another encoding, beside which this one stands."""
        return False

    def _mark(self, name: str, moment: int | None = None) -> str:
        """The mark of a predicate (by default of one that the transition from the last moment derives)."""
        return "" if self._shared(name, self.now if moment is None else moment) else self.mark

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
        moment: int | None = None,
    ) -> None:
        """Adds the rules for what is derived from a moment's position (by default the last one's)."""
        slicer = self.ruleset.enumerating if enumerate else self.ruleset.judging
        for rule in slicer.slice(seeds(decisions, steps), outputs):
            self.emit(rule, moment)

    def emit(self, rule: Rule, moment: int | None = None) -> None:
        """Adds a rule about a moment (by default the last one)."""
        if about_totals(rule):
            return
        self.origins.setdefault(rule)
        self.add(*(self.totals.asked(self.now) if TOTAL in rule.uses else ()))
        line = rename(rule, lambda signature: self.name(signature, moment))
        self.add(line, *functional(rule, line, self._single))

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
        unknown = self._unknown_sets(True)
        if not unknown:
            return []
        self.facts += self.sets.known(known)
        self.add(EVERYTHING)
        return [*all_names(unknown), *self.sets.names(known)]

    def _unknown_sets(self, together: bool) -> list[Names]:
        """The names of the sets that are chosen for the next transition, of each set that one action can name."""
        unknown = self.sets.unknown(len(self.transitions), together)
        if unknown:
            self.facts += self.sets.about(unknown)
            self.add(CHOOSE)
        return unknown

    # -- transitions -------------------------------------------------------------------------------------------------

    def act(self, kinds: Sequence[ActionKind], legal: bool = True) -> EncodedTransition:
        """All who decide now carry out actions of these kinds; ``legal``: only legal ones, or `illegal` says where not."""
        t = len(self.transitions)
        decide, does = self.name(DECISION), names.does(t)
        sets = self._unknown_sets(any(functor(k.decision) in simultaneous(self.ruleset) for k in kinds))
        choices: list[str] = []
        rules: list[Rule] = []
        emitted: list[Emitted] = []
        for kind in kinds:
            start, several = acting(self.ruleset, kind)
            found = self.ruleset.judging.slice(start, [top(*VIOLATES), *self.effects])
            rules += found
            special = specialise(found, kind, t, several)
            emitted += [self._renamed(r, line) for r, line in special.lines if not about_totals(r)]
            choices.append(f"{does}({ROLE},{kind.index}) : {decide}({ROLE},{show(kind.decision)})")
            self._choose_arguments(special, sets)
            for violation in special.violations:
                breaks = rename(rule_of(f":- {violation}."), lambda s: s[0] + self._mark(VIOLATES[0]))
                self.add(breaks if legal else f"{self.illegal(t)} {breaks}")
        self.add(f"{{ {'; '.join(choices)} }}.", f":- not {decide}(_,_).")
        self.add(f":- {decide}(Role,_), #count{{ K : {does}(Role,K) }} != 1.")
        self.add(*(e.text for e in emitted))
        return self._advance(rules, emitted)

    def illegal(self, transition: int) -> str:
        """The proposition that a transition's actions are not all legal."""
        return names.of_transition("illegal", transition, self.mark)

    def _choose_arguments(self, special: Special, sets: Sequence[Names]) -> None:
        """One value for each argument of an action of a kind, if somebody does it."""
        t, kind = len(self.transitions), special.kind
        own = ", not foreign__(R,V)" if sets else ""
        for position, values in enumerate(with_sets(self.ruleset, special, sets)):
            place = clingo.Number(kind.index), clingo.Number(position)
            self.facts += [clingo.Function("dom", [*place, v]) for v in values]
            value = f"{names.argument(t)}(R,{kind.index},{position},V) : dom({kind.index},{position},V){own}"
            self.add(f"1 {{ {value} }} 1 :- {names.does(t)}(R,{kind.index}).")

    def step(self, steps: Sequence[Pattern]) -> EncodedTransition:
        """What is due happens by itself."""
        rules = self.ruleset.judging.slice(seeds(None, steps), self.effects)
        emitted = [self._renamed(r, r.text) for r in rules if not about_totals(r)]
        self.add(*(x for e in emitted for x in (e.text, *functional(e.origin, e.text, self._single))))
        return self._advance(rules, emitted)

    def _renamed(self, rule: Rule, line: str) -> Emitted:
        """The rule of a transition: what speaks of it has names of its own, what it reads the moment's."""
        self.add(*(self.totals.asked(self.now) if TOTAL in rule.uses else ()))
        t, transient = len(self.transitions), self.ruleset.judging.transient

        def name(signature: Signature) -> str:
            plain = signature[0]
            lasting = signature in self.ruleset.book.fluents or signature in self.ruleset.static
            if not lasting and names.is_choice(plain):
                return plain
            if not lasting and (signature in transient or names.is_of_kind(plain)):
                return names.of_transition(plain, t, self._mark(plain))
            return self.name(signature)

        text = rename(rule_of(line), name)
        return Emitted(rule, bounded_change(text) if self.short_changes else text)

    def _advance(self, rules: Sequence[Rule], emitted: Sequence[Emitted]) -> EncodedTransition:
        """The next moment, after a transition by these rules."""
        fluents = self.ruleset.book.fluents
        added, deleted = (frozenset(named_in(rules, s) & fluents) for s in (ADD, DEL))
        number = len(self.transitions)
        transition = EncodedTransition(number, self.now, frozenset(rules), tuple(emitted), added, deleted)
        self.transitions.append(transition)
        self.origins.update(dict.fromkeys(rules))
        self._arrive(transition)
        return transition

    def _arrive(self, transition: EncodedTransition) -> None:
        """The names at the next moment, and how its fluents and totals follow."""
        moment = transition.moment
        after = moment + 1
        affected = self._dependence.affected(transition.changed)
        new = {s: names.at_moment(s[0], after, self._mark(s[0], after)) for s in affected}
        self._names.append({**self._names[moment], **new})
        for name, arity in sorted(transition.changed):
            if not self._shared(name, after):
                self.add(*frame((name, arity), transition, self.name, self.effect, self.bounded))
        self.totals.changes = None
        if self.name(TOTAL) != self.name(TOTAL, moment):
            self._follow_totals(transition)

    def _follow_totals(self, transition: EncodedTransition) -> None:
        """How the new moment's totals follow."""
        old, new = self.name(TOTAL, transition.moment), self.name(TOTAL)
        by = {s[0]: self.effect(s, transition) for s in (GAIN, LOSE, SHIFT) if transition.rules_for(s)}
        label = f"{transition.number}{self.mark}"
        facts, recounted = self.totals.anew(transition.rules, label, self.name)
        self.facts += facts
        self.totals.follow(transition.moment + 1, old, new, label, by, recounted, self.name(COUNTS))
