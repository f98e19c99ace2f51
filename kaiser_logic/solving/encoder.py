"""One transition from an open position as a logic program: the position, what is done in it, the next position.

Why it is right. Take any legal transition from any position that meets the invariants. Then the program has a model with
just this position, these actions and, of all that a claim may read, just this next position. So where the program has no
model in which a claim falls, the claim holds. In turn:

*The position* (`open`): every fact of the vocabulary is free, except that a counter has at most one value, and one that is
stated exactly one; that is what the invariants ``vocabulary`` and ``count`` say, and they are goals of every transition.
What is pending is a decision of the transition or its step alone: the claim ``exclusive``.

*Totals* (`totals`): each total is free within its limits and ranges, and at least each of its parts where no part is
negative; only where ``exact__`` is assumed it is the sum. Every real position has a model with the real totals. Totals with
negative or irregular parts are always the sum.

*Invariants* (`assume`): are demanded of the position. They are read with `Theory.about_positions`, the rules that can fire
where nobody does anything. What depends on what is done as well has another name there (``p__p``).

*What is done* (`act`): each who decides chooses an action of the ways, whose sorts and whose decision are demanded, so that
exactly the offered and declared actions can be done; what violates a rule is excluded. For one role that decides alone
the rules are specialised (:mod:`.specialise`).

*The next position* (`advance`): a fact is there if it was and is not deleted, or is added. A counter of which something is
gained, lost or shifted has the sum of what it had, what is gained, less what is lost, over the same tuples (amount and
reason) that the engine's rules sum up, as long as no rule of the rulebook gives a gain or a loss the mark of a shift
(`_marks`). A sum below a counter's least value or above its largest one gives it no value; then ``count`` or
``vocabulary`` falls, and nothing is proved. (Counters without an end: :mod:`.numbers`.) Predicates that no possible effect
touches, by the ground program, stay what they were; all that depend on others have a name of their own (``p__n``).

*The next totals* (`_totals_after`): follow from what is gained, lost and shifted where each part of a measure is one
counter in proportion, or one piece; where ``count`` holds of the transition, as is claimed besides, that is exact. Other
measures (`Totals.anew`) are counted anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

from .. import clingo
from ..errors import NotDecided
from ..lang.algebra import atoms, rename_predicates, substitute_term, variables
from ..lang.graph import components, cone
from ..lang.reader import read
from ..lang.terms import (
    Aggregate,
    Atom,
    Compare,
    Element,
    Int,
    Literal,
    Op,
    Range,
    Rule,
    Signature,
    Term,
    Var,
)
from ..lang.unification import unify
from .build import (
    Choice,
    anything,
    atom,
    element,
    fun,
    head_of,
    never,
    no,
    number_of,
    rule,
    term,
    total,
    variables_x,
)
from .program import OPTIONS, Line, Program, Shared, renamed, signature_of, signatures
from .specialise import ARG, OPEN, Specialised, followed, numbered
from .split import in_parts
from .theory import (
    _LISTED,
    BROKEN,
    COUNTS,
    DECISION,
    DUE,
    EFFECTS,
    SEAT,
    SUBMITTED,
    TOTAL,
    VIOLATES,
    ActionSchema,
    Theory,
    Transition,
    positive,
)
from .totals import Totals
from .vocabulary import Vocabulary

ILLEGAL: Final = atom("lawless__")
UNLISTED: Final = atom("unlisted__")
EXACT: Final = clingo.Function("exact__")
_R, _A, _N, _V, _W, _Y = map(Var, ("R__", "A__", "N__", "V__", "W__", "Y__"))
_WATCHED: Final = (SUBMITTED, (ARG, 2), ("chosen", 3), ("acts__", 1), ("bad__", 2), ("fallen__", 1))
"""What is read in models besides the position: what is done, and what falls."""
_MOVED: Final = read(
    """
    up__(X) :- gain(X,N,V).
    up__(Y) :- shift(X,Y,N,V).
    down__(X) :- lose(X,N,V).
    down__(X) :- shift(X,Y,N,V).
    moved__(X) :- up__(X).
    moved__(X) :- down__(X).
    """
)
_COMMON: Final = frozenset(
    {
        ("fluent__", 1), ("endless__", 1), ("least__", 2), ("most__", 2), ("exact__", 0),
        (ARG, 2), ("chosen", 3), ("stand_in", 2), ("acts__", 1),
    }
)  # fmt: skip
"""What all encoders of one program have in common."""
_TOTALS: Final[tuple[Signature, ...]] = (TOTAL, ("measure__", 3), ("ranges__", 3), ("tied__", 1))


class Encoder:
    """One transition.

    Several encoders may share one program: of what comes next (`then`), of the same by other rules (`beside`). Each but the
    first has a mark, with which it calls all that is its own; what it is given is called as the others call it.

    Attributes:
        program: The program.
        mark: What marks all that is its own.
        changed: The fluents that the transition can change, once it is encoded.
        affected: The predicates that may say something else after it.
        origins: The rules of the rulebook that are part of it.
        unlisted: Why it is not known whether the enumeration misses an action, or empty.
        stages: What must hold, one after the other, for the enumeration to list what is done.
    """

    def __init__(
        self,
        theory: Theory,
        vocabulary: Vocabulary,
        totals: Totals,
        options: Iterable[str] = OPTIONS,
        program: Program | None = None,
        mark: str = "",
        given: Mapping[Signature, str] | None = None,
    ) -> None:
        """An empty program, or one that has something already.

        Args:
            theory: The rules.
            vocabulary: The facts there can be.
            totals: What is conserved.
            options: The solver's.
            program: Where others have written what is ``given``.
            mark: What marks all that is this encoder's own.
            given: What the predicates that others define are called.
        """
        self.theory, self.vocabulary, self.totals = theory, vocabulary, totals
        if program is None:
            program = Program(theory.static, options)
            program.watched |= {*theory.fluents, *_WATCHED}
        self.program = program
        self.mark = mark
        self._given = dict(given or {})
        self.changed: frozenset[Signature] = frozenset()
        self.affected: frozenset[Signature] = frozenset()
        self.origins: list[Rule] = []
        self.unlisted = ""
        self.stages: list[Atom] = []
        self._step = False
        self._pending: dict[Signature, list[Term]] | None = None
        self._later: list[Rule] = []

    # -- several in one program ----------------------------------------------------------------------------------

    def called(self, signature: Signature) -> str:
        """What one of this encoder's predicates is called in the program."""
        if signature in self._given:
            return self._given[signature]
        if not self.mark or signature in _COMMON or signature in self.theory.static:
            return signature[0]
        return signature[0] + self.mark

    def after_called(self, signature: Signature) -> str:
        """What a predicate is called at the next position."""
        return self.called((self.name(signature), signature[1]))

    def own(self, signature: Signature) -> None:
        """Takes a predicate that is given, or that never changes, for one of this encoder's own."""
        self._given[signature] = signature[0] + self.mark

    def put(self, *lines: Line) -> None:
        """Adds rules and choices."""
        if isinstance(self.program, Shared):
            settled = (self.theory.settled(x) if isinstance(x, Rule) else x for x in lines)
            lines = tuple(x for x in settled if x is not None)
        if self.mark:
            lines = tuple(renamed(x, {s: self.called(s) for s in signatures(x)}) for x in lines)
        self.program.add(*lines)

    def tell(self, facts: Iterable[clingo.Symbol]) -> None:
        """Adds facts."""
        named = (clingo.Function(self.called(signature_of(f)), f.arguments) for f in facts)
        self.program.tell(named if self.mark or self._given else facts)

    def atoms(self, name: str, arity: int) -> list[clingo.Symbol]:
        """The atoms of one of its predicates that may hold."""
        return self.program.atoms(self.called((name, arity)), arity)

    def then(self, steps: Sequence[Term], mark: str) -> Encoder:
        """What happens next by itself, from the position after this transition: one of these steps is due."""
        given = {s: self.after_called(s) for s in (*self.theory.fluents, TOTAL)}
        given |= {s: self.called(s) for s in _TOTALS[1:]}
        given |= {s: name for s, name in self._given.items() if s in self.theory.static}
        found = Encoder(self.theory, self.vocabulary, self.totals, (), self.program, mark, given)
        found._step, found._pending = True, {DUE: list(steps)}
        return found

    def rest_called(self, signature: Signature) -> str:
        """What a predicate is called where nobody does anything."""
        return self.called((self._at_rest.get(signature, signature[0]), signature[1]))

    def beside(self, theory: Theory, vocabulary: Vocabulary, totals: Totals, mark: str) -> Encoder:
        """The same position, and what is done in it, by other rules; its totals are these where the same is counted."""
        given = {s: self.called(s) for s in (*theory.fluents, SUBMITTED)}
        first, static = self.theory, dict(self.theory.static)
        own = {s for s, facts in theory.static.items() if set(facts) != set(static.get(s, ()))}
        given |= {s: s[0] + mark for s in own}
        found = Encoder(theory, vocabulary, totals, (), self.program, mark, given)
        found._step, found._pending = self._step, self._pending
        for s in own:
            found.tell(theory.static[s])
        same = set(totals.facts) == set(self.totals.facts)
        if same and set(cone(theory.at_rest, [COUNTS])) == set(cone(first.at_rest, [COUNTS])):
            found._given |= {s: self.called(s) for s in _TOTALS}
        else:
            found.count()
        return found

    # -- the position --------------------------------------------------------------------------------------------

    def expect(self, decisions: Sequence[Term], step: Term | None = None) -> None:
        """These decisions are pending alone, or the step."""
        self._step = step is not None
        self._pending = {DECISION: list(decisions), DUE: [] if step is None else [step]}

    def open(
        self,
        decisions: Sequence[Term] = (),
        step: Term | None = None,
        any_pending: bool = False,
        idle: bool = False,
    ) -> None:
        """Any position of the vocabulary, with decisions of these patterns, or the step, or whatever pending.

        ``idle``: or with none of the decisions.
        """
        theory, vocabulary, program = self.theory, self.vocabulary, self.program
        if not any_pending:
            self.expect(decisions, step)
        program.tell(clingo.Function("fluent__", [f]) for f in vocabulary.narrow)
        program.tell(clingo.Function("endless__", [c]) for c in vocabulary.endless)
        for counter, (low, high) in vocabulary.ends.items():
            program.tell([clingo.Function("least__", [counter, clingo.Number(low)])])
            program.tell([clingo.Function("most__", [counter, clingo.Number(high)])])
        for signature in sorted(vocabulary.signatures - {SEAT, DECISION, DUE}):
            args = variables_x(signature[1])
            fact = atom(signature[0], *args)
            stated = theory.counters.get(signature)
            if stated is None:
                program.add(Choice(((fact, ()),), (_is_fluent(fact),)))
            else:
                some = atom(signature[0], *args[:-1], _V)
                choice = ((fact, (_is_fluent(fact),)),)
                program.add(Choice(choice, (_is_fluent(some),), 1 if stated else None, 1))
        role = Var("Role__")
        if any_pending:
            anyone, due = atom("decision", role, Var("D")), atom("due", Var("S"))
            program.add(
                Choice(((anyone, (_is_fluent(anyone),)),)), Choice(((due, (atom("step", Var("S")),)),))
            )
        for pattern in decisions:
            decision = atom("decision", role, pattern)
            program.add(Choice(((decision, (_is_fluent(decision),)),)))
        if decisions and not idle:
            program.add(rule(atom("decided__"), anything(DECISION)), never(no(atom("decided__"))))
        if step is not None:
            program.add(Choice(((atom("due", step), (atom("step", step),)),), (), 1))

    def count(self) -> None:
        """The totals: see the module's text."""
        theory = self.theory
        if COUNTS in theory.transient:
            raise NotDecided("what is counted depends on what is done")
        counting = cone(theory.at_rest, [COUNTS])
        self.origins += counting
        self.put(*counting, *self.totals.open)
        self.tell(self.totals.facts)

    def at_rest(self, rules: Iterable[Rule]) -> list[Rule]:
        """Rules as they are read where nobody does anything."""
        return [rename_predicates(r, self._at_rest) for r in rules]

    def firing(self, rules: Sequence[Rule], ways: Sequence[ActionSchema] = ()) -> list[Rule]:
        """Those of these rules that can fire where nothing else is pending, and nothing else done than in these ways.

        Clingo finds this for atoms, but not for what the others read alone: that would be part of every question.
        """
        if self._pending is None:
            return list(rules)
        patterns = dict(self._pending)
        if ways:
            patterns[SUBMITTED] = [way.action for way in ways]
        patterns = {s: [apart_from_all(t) for t in terms] for s, terms in patterns.items()}

        def may(one: Atom) -> bool:
            terms = patterns.get(one.signature)
            return terms is None or any(unify(one.args[-1], t, {}) is not None for t in terms)

        kept = [r for r in rules if all(map(may, positive(r.body)))]
        return self.theory.derivable(kept, {head_of(r).signature for r in rules})

    @cached_property
    def _at_rest(self) -> dict[Signature, str]:
        return {} if self._step else {s: f"{s[0]}__p" for s in self.theory.transient}

    def assume(self, invariants: Iterable[str], supposed: Iterable[str] = ()) -> None:
        """Demands invariants of the position; of others those that are ``supposed`` where ``holds__`` is assumed of them."""
        invariants, supposed = list(invariants), list(supposed)
        rules = self.firing(self.theory.about([*invariants, *supposed]))
        self.origins += rules
        self.put(*self.at_rest(rules))
        broken = self._at_rest.get(BROKEN, BROKEN[0])
        self.put(*(never(Atom(broken, (fun(i, ()), _W))) for i in invariants))
        for i in supposed:
            holds = atom("holds__", fun(i, ()))
            self.put(Choice(((holds, ()),)), never(Atom(broken, (fun(i, ()), _W)), holds))

    # -- what is done --------------------------------------------------------------------------------------------

    def act(
        self,
        transition: Transition,
        also: Iterable[Signature] = (),
        listing: bool = False,
        legal: bool = True,
        chosen: bool = False,
    ) -> None:
        """Those who decide do something legal, in these ways.

        Args:
            transition: Who decides, and how.
            also: What is to follow besides effects and violations.
            listing: Whether it is looked at if the enumeration misses it.
            legal: Else ``lawless__`` holds of what is illegal.
            chosen: Whether another encoder says already what is done.
        """
        for way in transition.ways:
            for a, _ in atoms(way.guard):
                if a.signature in _LISTED or a.signature in self.theory.numbered:
                    raise NotDecided(f"the actions {way.action} read {a.name}/{len(a.args)}")
        lawless = rule(ILLEGAL, atom("submitted", _R, _A), atom(VIOLATES[0], _R, _A, _V))
        guards = {a.signature for way in transition.ways for a, _ in atoms(way.guard)}
        seeds = [*EFFECTS, VIOLATES, *also, *guards]
        able = self.firing(self.theory.rules, transition.ways)
        rules = [*self.theory.cone(seeds, able), lawless]
        if listing:
            rules += self._listing(able)
        self.origins += rules
        plain = rules
        if transition.joint:
            if not chosen:
                self._together(transition.ways)
            names = None
        else:
            (way,) = transition.ways
            wanted = [*seeds, ILLEGAL.signature, UNLISTED.signature]
            if not chosen:
                self._choose(way)
            rules = self._alone(way, rules, wanted)
            names = way
        if self.theory.has_sets:
            for w in transition.ways:
                self._name_only(w, plain)
            if not chosen:
                self._open_sets(names)
        if legal:
            self.put(never(ILLEGAL))
        self._effects(rules, [*EFFECTS, ILLEGAL.signature, UNLISTED.signature, *guards, ("stage__", 1)])

    def _listing(self, able: Sequence[Rule]) -> list[Rule]:
        """The rules that say whether what is done is not among what the rulebook enumerates; ``able``: that can fire.

        Here what is done is alone in question, where legal actions are listed all are: nothing is said of rules to which
        that may make a difference (:mod:`kaiser_logic.transform.collecting`).
        """
        theory = self.theory
        if theory.ruleset.collecting:
            self.unlisted = theory.ruleset.collecting
            return []
        found = []
        for one in theory.enumeration:
            args = head_of(one).args
            found.append(
                Rule(atom("listed__", *args), (Atom("submitted", args), *one.body), one.place, one.id)
            )
        needed = theory.cone({a.signature for r in found for a, _ in atoms(r.body)} - {SUBMITTED}, able)
        reading = {a.signature for r in (*theory.enumeration, *needed) for a, _ in atoms(r.body)}
        if not reading.isdisjoint(theory.affected([SUBMITTED])):
            self.unlisted = "the enumeration reads what is in question"
            return []
        unlisted = rule(UNLISTED, atom("submitted", _R, _A), no(atom("listed__", _R, _A)))
        return [*found, *(r for r in needed), unlisted]

    def step(self, also: Iterable[Signature] = ()) -> None:
        """What is due happens by itself."""
        rules = self.theory.cone([*EFFECTS, *also], self.firing(self.theory.step_rules))
        self.origins += rules
        self._effects(rules, EFFECTS)

    def _effects(self, rules: Iterable[Rule], seeds: Iterable[Signature]) -> None:
        """First what effects and violations depend on; the rest (claims about moves) reads the next position, too."""
        first = set(map(id, self.theory.cone(seeds, rules)))
        self.put(*(r for r in rules if id(r) in first))
        self._later = [r for r in rules if id(r) not in first]

    def _together(self, ways: Iterable[ActionSchema]) -> None:
        """Each who decides does something of these ways."""
        role = Var("Role__")
        candidate = atom("can__", _R, _A)
        for way in ways:
            own = [
                atom("stand_in", a.args[0], role) for a, _ in atoms(way.guard) if a.signature == ("set", 1)
            ]
            body = (atom("decision", role, way.decision), *way.guard, *own)
            self.put(rule(atom("can__", role, way.action), *body))
        choice = ((atom("submitted", _R, _A), (candidate,)),)
        self.put(Choice(choice, (atom("decision", _R, _V),), 1, 1))

    def _choose(self, way: ActionSchema) -> None:
        """Who decides alone does something in this way."""
        program, role = self.program, Var("Role__")
        names, _ = numbered(way.action)
        decision = atom("decision", role, way.decision)
        program.add(
            never(number_of([element((_R, _V), atom("decision", _R, _V))], ">", Int(1))),
            rule(atom("acts__", _R), atom("decision", _R, _V)),
        )
        for k, _ in enumerate(names):
            choice = ((atom(ARG, Int(k), _V), (atom("dom__", Int(k), _V),)),)
            program.add(Choice(choice, (), 1, 1))
        linked = set(variables(way.decision)) - set(names)
        fits: list[Literal] = [decision]
        for j, part in enumerate(apart(way.guard)):
            here = variables(*part)
            own = tuple(Var(n) for n in names if n in here)
            if linked.intersection(here):
                fits += part
            args = tuple(atom(ARG, Int(names.index(v.name)), v) for v in own)
            met = atom(f"met{j}__")
            program.add(never(no(met)))
            if not own:
                program.add(rule(met, *part))
                continue
            together = atom(f"together{j}__", *own)
            program.add(rule(together, *part), rule(met, together, *args))
            program.add(*(rule(atom("dom__", Int(names.index(v.name)), v), together) for v in own))
        guarded = variables(*way.guard)
        for k, name in enumerate(names):
            if name not in guarded:
                program.add(
                    rule(atom("dom__", Int(k), Var(name)), _is_fluent(atom("decision", role, way.decision)))
                )
        tied = [n for n in names if n in variables(*fits)]
        fits += [atom(ARG, Int(names.index(n)), Var(n)) for n in tied]
        program.add(rule(atom("fits__", role), *fits), never(atom("acts__", _R), no(atom("fits__", _R))))

    def _alone(self, way: ActionSchema, rules: list[Rule], wanted: Sequence[Signature]) -> list[Rule]:
        """The rules specialised to what is done in one way, as far as something depends on them."""
        _, chosen = numbered(way.action)
        version = (OPEN, rename_term(way.action, chosen))
        found = Specialised(rules, SUBMITTED, version)
        self.put(rule(atom(found.name(SUBMITTED, version), _R), atom("acts__", _R)))
        leaves = (n.name for n in chosen.values() if isinstance(n, Var))
        given = {*self.theory.fluents, *self.theory.static}
        made = in_parts(followed(found.rules, leaves, wanted, given), only=ARG)
        return [*made, *self._stages(made)]

    def _stages(self, rules: Sequence[Rule]) -> list[Rule]:
        """stage__(K): there is some of what the enumeration reads of the action alone, each after what it depends on."""
        listing = [r for r in cone(rules, [UNLISTED.signature]) if r.head != UNLISTED]
        by: dict[Signature, list[Rule]] = {}
        for r in listing:
            by.setdefault(head_of(r).signature, []).append(r)
        order = [
            s
            for group in components(list(by), lambda s: [a for r in by[s] for a in _made_in(r) if a in by])
            for s in group
        ]
        reads = {
            _with_chosen(r, x): None for s in order if _is_made(s) for r in by[s] for x in positive(r.body)
        }
        # first what the judging reads, too: that there is a price at all
        bodies = sorted((body for body in reads if body), key=lambda body: _is_made(body[0].signature))
        self.stages = [atom("stage__", Int(k)) for k, _ in enumerate(bodies)]
        return [rule(stage, *body) for stage, body in zip(self.stages, bodies, strict=True)]

    def _open_sets(self, way: ActionSchema | None) -> None:
        """An unknown set for each role, or for the one who acts: its parts are chosen."""
        for seat in self.theory.facts(*SEAT):
            player = seat.arguments[0]
            name = clingo.Function("set_of__", [player] if way is None else [])
            self.program.tell([clingo.Function("stand_in", [name, player])])
        chosen = atom("chosen", Var("M"), Var("C"), Var("K"))
        several = Compare(Var("K"), "=", Range(Int(1), Var("N")))
        body = (atom("stand_in", Var("M"), _R), atom("thing", Var("C"), _V, Var("N")))
        self.put(Choice(((chosen, (several,)),), body, None, 1))

    def _name_only(self, way: ActionSchema, rules: Sequence[Rule]) -> None:
        """Rules read a set that is named by its parts alone: its name stands for any.

        Raises:
            NotDecided: A rule compares it, or keeps it, or asks for a certain one.
        """
        named = [a.args[0] for a, _ in atoms(way.guard) if a.signature == ("set", 1)]
        if len(set(named)) > 1:
            raise NotDecided(f"an action names several sets: {way.action}")
        names, chosen = numbered(way.action)
        for name in {n for n in names if Var(n) in named}:
            leaf = chosen[name]
            assert isinstance(leaf, Var)
            place = Int(names.index(name))
            for one in Specialised(rules, SUBMITTED, (OPEN, rename_term(way.action, chosen))).rules:
                asked = [a for a, _ in atoms(one.body) if a.name == ARG and a.args[0] == place]
                kept = [a for a, _ in atoms(one.body) if a.signature in self.theory.fluents]
                kept += [head_of(one)] if head_of(one).signature in EFFECTS else []
                kept_terms = [t for a in kept for t in a.args]
                compared = [x for x in one.body if isinstance(x, Compare) and not _is_other(x)]
                if any(a.args[1] != leaf for a in asked) or leaf.name in variables(*kept_terms, *compared):
                    raise NotDecided(f"a set is more than its parts: {one.place.file}:{one.place.line}")

    # -- the next position ---------------------------------------------------------------------------------------

    def advance(self, goals: Iterable[Rule]) -> None:
        """Grounds the effects, and the next position of what they can change; with rules as they are read in it."""
        theory, program = self.theory, self.program
        program.ground()
        self._marks()
        self.changed = frozenset(self._touched())
        counted = {a.signature for r in theory.counting for a, _ in atoms(r.body)} - set(theory.static)
        affected = theory.affected(self.changed)
        directly = {signature_of(s.arguments[0]) for e in ("add", "del") for s in self.atoms(e, 1)}
        self.totals_after = self.totals.after(directly & counted)
        self.affected = frozenset(affected)
        self.put(*_MOVED)
        for signature in sorted(self.changed):
            self.put(*self._next(signature))
        goals = list(goals)
        here = set(map(id, self.firing(goals)))
        rules = [r for r in goals if head_of(r).signature in affected or id(r) in here]
        if TOTAL in affected:
            self.tell(self.totals_after.facts)
            self.put(*self.totals_after.rules)
            if self.totals_after.anew:
                rules += cone(theory.at_rest, [COUNTS])
        self.put(*(rename_predicates(r, self._names) for r in rules))

    def name(self, signature: Signature) -> str:
        """A predicate's name at the next position."""
        return self._names.get(signature, signature[0])

    @cached_property
    def _names(self) -> dict[Signature, str]:
        return {**self._at_rest, **{s: f"{s[0]}__n" for s in self.affected}}

    def _marks(self) -> None:
        """No gain and no loss of the rulebook's own has the mark of a shift, with which it would be one."""
        for effect, mark in (("gain", ("into", 2)), ("lose", ("out", 2))):
            for s in self.atoms(effect, 3):
                if s.arguments[2].type is clingo.SymbolType.Function and signature_of(s.arguments[2]) == mark:
                    raise NotDecided(f"{effect} has the mark of a shift: {s}")

    def _touched(self) -> Iterable[Signature]:
        """The fluents that an effect can change."""
        theory = self.theory
        for effect, arity in EFFECTS:
            for s in self.atoms(effect, arity):
                for what in s.arguments[: 2 if effect == "shift" else 1]:
                    if what.type is not clingo.SymbolType.Function:
                        continue
                    name, number = signature_of(what)
                    if effect in ("add", "del"):
                        if (name, number) in theory.fluents:
                            yield name, number
                        continue
                    if (name, number + 1) in theory.counters:
                        yield name, number + 1
                    if (name, number) in theory.units:
                        yield name, number

    def _next(self, signature: Signature) -> Iterable[Rule]:
        """How a fluent follows."""
        theory = self.theory
        name, arity = signature
        args = variables_x(arity)
        old, new = atom(name, *args), atom(f"{name}__n", *args)
        added, deleted = atom("add", term(old)), atom("del", term(old))
        yield rule(new, added)
        if signature in theory.counters:
            counter = fun(name, args[:-1])
            moved = atom("moved__", counter)
            yield rule(new, old, no(deleted), no(moved))
            least, most = atom("least__", counter, Var("Low")), atom("most__", counter, Var("High"))
            value, after = Var("Now"), atom(f"{name}__n", *args[:-1], Var("Now"))
            body: list[Literal] = [moved, least, most, Compare(value, "=", Range(Var("Low"), Var("High")))]
            if not theory.counters[signature]:
                body.append(Compare(value, "!=", Int(0)))
            body.append(self.after(signature, "=", value))
            same = atom(name, *args[:-1], value)
            if any(signature_of(s.arguments[0]) == signature for s in self.atoms("del", 1)):
                yield rule(after, *body, no(same))
                yield rule(after, *body, same, no(atom("del", term(same))))
            else:
                yield rule(after, *body)
            if any(c.name == name and len(c.arguments) == arity - 1 for c in self.vocabulary.endless):
                # what lies beyond the bound is as the bound is
                for end, bound, op in ((most, "High", ">"), (least, "Low", "<")):
                    if op == "<" and signature not in theory.signed:
                        continue
                    beyond = atom(f"{name}__n", *args[:-1], Var(bound))
                    yield rule(
                        beyond, moved, atom("endless__", counter), end, self.after(signature, op, Var(bound))
                    )
        elif signature in theory.units:
            yield rule(new, old, no(deleted), no(atom("down__", term(old))))
            yield rule(new, atom("up__", term(old)))
        else:
            yield rule(new, old, no(deleted))

    def after(
        self, signature: Signature, op: str, side: Term, change_only: bool = False, by_mark: bool = False
    ) -> Aggregate:
        """A counter's value after the transition, compared with something; or its change.

        ``by_mark``: where what is shifted from it is summed up by marks alone, whatever it becomes.
        """
        name, arity = signature
        args = variables_x(arity)[:-1]
        counter = fun(name, args)
        now = element((_N, fun("now", ())), atom(name, *args, _N))
        parts: list[Element] = [] if change_only else [now]
        parts += [
            element((_N, _V, fun("up", ())), atom("gain", counter, _N, _V)),
            element((Op("-", Int(0), _N), _V, fun("down", ())), atom("lose", counter, _N, _V)),
            element((_N, _Y, _V, fun("into", ())), atom("shift", _Y, counter, _N, _V)),
            element((Op("-", Int(0), _N), _V, fun("out", ())), atom("outof__", counter, _N, _V))
            if by_mark
            else element((Op("-", Int(0), _N), _Y, _V, fun("out", ())), atom("shift", counter, _Y, _N, _V)),
        ]
        return total(parts, op, side)

    @property
    def later(self) -> list[Rule]:
        """The rules that read the next position, too."""
        return self._later


def _is_other(x: Compare) -> bool:
    """Whether a comparison says something of terms that are never equal, whatever their variables are."""
    if x.op not in ("=", "!=") or isinstance(x.right, (Op, Range)):
        return False
    return unify(x.left, x.right) is None


def _is_made(signature: Signature) -> bool:
    """Whether a predicate is about the action alone that is done."""
    return any(mark in signature[0] for mark in ("__f", "__s", "listed__"))


def _with_chosen(one: Rule, x: Atom) -> tuple[Atom, ...]:
    """A literal of a rule with what says which its chosen arguments are; nothing for what says that."""
    if x.name == ARG:
        return ()
    own = set(variables(x))
    return (x, *(a for a in positive(one.body) if a.name == ARG and own & set(variables(a))))


def _made_in(one: Rule) -> list[Signature]:
    return [a.signature for a, _ in atoms(one.body)]


def apart_from_all(term: Term) -> Term:
    """A term whose variables are no rule's."""
    return substitute_term(term, {name: Var(f"{name}__apart") for name in variables(term)})


def _is_fluent(fact: Atom) -> Atom:
    return atom("fluent__", term(fact))


def rename_term(whole: Term, binding: dict[str, Term]) -> Term:
    """A term with others for its variables."""
    return substitute_term(whole, binding)


def apart(body: Iterable[Literal]) -> list[list[Literal]]:
    """The literals of a body in groups that share no variable."""
    groups: list[tuple[set[str], list[Literal]]] = []
    for x in body:
        used, linked = set(variables(x)), [x]
        for group in list(groups):
            if group[0] & used:
                used |= group[0]
                linked = group[1] + linked
                groups.remove(group)
        groups.append((used, linked))
    return [literals for _, literals in groups]
