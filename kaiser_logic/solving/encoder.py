"""Encodes one transition from an open position as a logic program: the position, the actions, the next position.

Why it is right. Take any legal transition from any valid position. The program then has a model with exactly this position,
these actions and, as far as a claim may read it, exactly this next position. So if the program has no model in which a claim
falls, the claim holds. The parts of the program:

*The position* (`open`). Every fact of the vocabulary is free, except that a counter has at most one value, and a counter whose
zero is stated has exactly one. The invariants ``vocabulary`` and ``count`` say just that, and they are goals of every transition.
Only decisions of the transition, or only its step, are pending: this is the claim ``exclusive``.

*Totals* (`count`). Each total is free within its limits and ranges, and not less than any of its parts if no part is
negative. It equals the sum only if ``exact__`` is assumed. Every valid position has a model with the true totals. Totals with
negative or irregular parts always equal the sum.

*Invariants* (`assume`). The position must meet them. They are read with `Theory.about_positions`, the rules that can fire
if nobody acts. A predicate that also depends on the actions has a copy for this (``p__p``).

*Actions* (`act`). Each role that decides chooses an action of one of the action schemas. The sorts and the decision are
demanded, so exactly the offered and declared actions can be chosen. Actions that violate a rule are excluded. If one role decides
alone, the rules are specialised to its action (:mod:`.specialise`).

*The next position* (`advance`). A fact holds if it held and is not deleted, or if it is added. A counter that gains, loses or
shifts something has its old value plus the gains minus the losses, summed over the same tuples (amount and reason) as the
engine's rules. This requires that no rule of the rulebook gives a gain or a loss the mark of a shift (`_marks`). A sum
outside the range of a counter gives it no value; then ``count`` or ``vocabulary`` falls, and nothing is proved. (Counters
without a limit: :mod:`.numbers`.) A predicate that depends on no possible effect of the ground program, and on no total that
one can change, stays as it was. Each of the others has a copy for the next position (``p__n``), as far as the goals read it. A
rule is left out if it needs a decision or a step that is neither pending nor added, and a total if no rule reads it.

*The next totals* (`Totals.sum_after`). They follow from gains, losses and shifts if each part of a measure is one counter in
proportion, or one piece. This is exact if ``count`` holds for the transition, which is a goal as well. All other measures
(`After.anew`) are counted anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.symbols import term_of
from ..errors import NotDecided
from ..lang.algebra import (
    atoms,
    independent_groups,
    rename_apart,
    rename_predicates,
    substitute_everywhere,
    substitute_term,
    variables,
    walk,
)
from ..lang.graph import components, cone
from ..lang.printer import show_term
from ..lang.reader import read_rules
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
from ..lang.unification import functor, resolve, unify
from ..rules.predicates import BROKEN, COUNTS, DECISION, DUE, EFFECTS, SUBMITTED, TOTAL, VIOLATES
from .build import (
    ChoiceRule,
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
from .program import OPTIONS, Line, Shared, SolverProgram, rename_line, signatures
from .specialise import ARG, OPEN, Specialised, follow_structures, number_variables
from .split import in_parts
from .theory import LISTED, SEAT, ActionSchema, Theory, Transition, positive
from .totals import Totals
from .vocabulary import Vocabulary

ILLEGAL: Final = atom("illegal__")
NOT_GENERATED: Final = atom("not_generated__")
EXACT: Final = clingo.Function("exact__")
_R, _A, _N, _V, _W, _Y = map(Var, ("R__", "A__", "N__", "V__", "W__", "Y__"))
_WATCHED: Final = (SUBMITTED, (ARG, 2), ("chosen", 3), ("acts__", 1), ("bad__", 2), ("fallen__", 1))
"""The predicates that are read in models besides the fluents: the actions, and the claims that fall."""
_MOVED: Final = read_rules(
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
"""The predicates that all encoders of one program share, under one name."""
_TOTALS: Final[tuple[Signature, ...]] = (
    TOTAL, ("measure__", 3), ("ranges__", 3), ("limited__", 3), ("tied__", 1)
)  # fmt: skip


_OF_LISTED: Final = {("set", 1), ("listed", 1), ("part", 3)}
"""What holds only of sets that are listed already."""


class Encoder:
    """Writes one transition into a program.

    Several encoders may share one program: one for the step that follows (`then`), one for the same transition under other rules
    (`encoder_beside`). Each encoder but the first has a mark, which it appends to the names of its own predicates. It uses the
    predicates that it is given under the names that other encoders use.

    Attributes:
        program: The program.
        mark: The suffix of its own predicates; empty for the first encoder.
        changed: The fluents that the transition can change; known after `advance`.
        affected: The predicates that depend on them, and they themselves; known after `advance`.
        origins: The rules of the rulebook that the encoding contains.
        generator_unchecked: Why it is not checked whether the move generator misses an action, or empty.
        lemmas: Atoms that hold if the generator lists the action, each after those on which it depends.
    """

    def __init__(
        self,
        theory: Theory,
        vocabulary: Vocabulary,
        totals: Totals,
        options: Iterable[str] = OPTIONS,
        program: SolverProgram | None = None,
        mark: str = "",
        given: Mapping[Signature, str] | None = None,
    ) -> None:
        """Starts with an empty program, or with one that other encoders have begun.

        Args:
            theory: The rules.
            vocabulary: The facts that a position may have.
            totals: The totals of measures.
            options: The options of the solver, for an empty program.
            program: The program in which others define the ``given`` predicates.
            mark: The suffix of this encoder's own predicates.
            given: The names under which others define predicates that this encoder uses.
        """
        self.theory, self.vocabulary, self.totals = theory, vocabulary, totals
        if program is None:
            program = SolverProgram(theory.static, options)
            program.watched |= {*theory.fluents, *_WATCHED}
        self.program = program
        self.mark = mark
        self._given = dict(given or {})
        self.changed: frozenset[Signature] = frozenset()
        self.affected: frozenset[Signature] = frozenset()
        self.origins: list[Rule] = []
        self.generator_unchecked = ""
        self.lemmas: list[Atom] = []
        self._step = False
        self._pending: dict[Signature, list[Term]] | None = None
        self._later: list[Rule] = []

    # -- several in one program ----------------------------------------------------------------------------------

    def name_of(self, signature: Signature) -> str:
        """The name of one of this encoder's predicates in the program."""
        if signature in self._given:
            return self._given[signature]
        if not self.mark or signature in _COMMON or signature in self.theory.static:
            return signature[0]
        return signature[0] + self.mark

    def after_called(self, signature: Signature) -> str:
        """The name of a predicate in the program, for the next position."""
        return self.name_of((self.name(signature), signature[1]))

    def own(self, signature: Signature) -> None:
        """Makes a given or static predicate one of this encoder's own."""
        self._given[signature] = signature[0] + self.mark

    def add(self, *lines: Line) -> None:
        """Adds rules and choices, with the names that this encoder uses."""
        if isinstance(self.program, Shared):
            settled = (self.theory.settle(x) if isinstance(x, Rule) else x for x in lines)
            lines = tuple(x for x in settled if x is not None)
        if self.mark:
            lines = tuple(rename_line(x, {s: self.name_of(s) for s in signatures(x)}) for x in lines)
        self.program.add(*lines)

    def tell(self, facts: Iterable[clingo.Symbol]) -> None:
        """Adds facts, with the names that this encoder uses."""
        renamed_facts = (clingo.Function(self.name_of(symbols.signature(f)), f.arguments) for f in facts)
        self.program.tell(renamed_facts if self.mark or self._given else facts)

    def atoms(self, name: str, arity: int) -> list[clingo.Symbol]:
        """The atoms of one of its predicates that may hold."""
        return self.program.atoms(self.name_of((name, arity)), arity)

    def then(self, steps: Sequence[Term], mark: str) -> Encoder:
        """An encoder for the step after this transition, in the same program; one of these steps is due."""
        given = {s: self.after_called(s) for s in (*self.theory.fluents, TOTAL)}
        given |= {s: self.name_of(s) for s in _TOTALS[1:]}
        given |= {s: name for s, name in self._given.items() if s in self.theory.static}
        encoder = Encoder(self.theory, self.vocabulary, self.totals, (), self.program, mark, given)
        encoder._step, encoder._pending = True, {DUE: list(steps)}
        return encoder

    def rest_called(self, signature: Signature) -> str:
        """The name of a predicate's copy that does not depend on actions (the predicate itself if it never does)."""
        return self.name_of((self._at_rest.get(signature, signature[0]), signature[1]))

    def encoder_beside(self, theory: Theory, vocabulary: Vocabulary, totals: Totals, mark: str) -> Encoder:
        """An encoder of the same position and actions under other rules; it shares the totals if both rules count the same."""
        given = {s: self.name_of(s) for s in (*theory.fluents, SUBMITTED)}
        first, static = self.theory, dict(self.theory.static)
        own = {s for s, facts in theory.static.items() if set(facts) != set(static.get(s, ()))}
        given |= {s: s[0] + mark for s in own}
        encoder = Encoder(theory, vocabulary, totals, (), self.program, mark, given)
        encoder._step, encoder._pending = self._step, self._pending
        for s in own:
            encoder.tell(theory.static[s])
        same = set(totals.facts) == set(self.totals.facts)
        if same and set(cone(theory.at_rest, [COUNTS])) == set(cone(first.at_rest, [COUNTS])):
            encoder._given |= {s: self.name_of(s) for s in _TOTALS}
        else:
            encoder.count()
        return encoder

    # -- the position --------------------------------------------------------------------------------------------

    def expect(self, decisions: Sequence[Term], step: Term | None = None) -> None:
        """Sets what is pending: these decisions alone, or this step; `firing` then leaves out rules for anything else."""
        self._step = step is not None
        self._pending = {DECISION: list(decisions), DUE: [] if step is None else [step]}

    def open(
        self,
        decisions: Sequence[Term] = (),
        step: Term | None = None,
        any_pending: bool = False,
        idle: bool = False,
    ) -> None:
        """Writes an open position: any facts of the vocabulary.

        Args:
            decisions: The patterns of the decisions that may be pending; at least one of them is.
            step: The pattern of the step that is due, in the place of decisions.
            any_pending: Whether any decisions and steps may be pending.
            idle: Whether none of the decisions need be pending.
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
                program.add(ChoiceRule(((fact, ()),), (_is_fluent(fact),)))
            else:
                some = atom(signature[0], *args[:-1], _V)
                choice = ((fact, (_is_fluent(fact),)),)
                program.add(ChoiceRule(choice, (_is_fluent(some),), 1 if stated else None, 1))
        role = Var("Role__")
        if any_pending:
            anyone, due = atom("decision", role, Var("D")), atom("due", Var("S"))
            program.add(
                ChoiceRule(((anyone, (_is_fluent(anyone),)),)),
                ChoiceRule(((due, (atom("step", Var("S")),)),)),
            )
        for pattern in decisions:
            decision = atom("decision", role, pattern)
            program.add(ChoiceRule(((decision, (_is_fluent(decision),)),)))
        if decisions and not idle:
            program.add(rule(atom("decided__"), anything(DECISION)), never(no(atom("decided__"))))
        if step is not None:
            program.add(ChoiceRule(((atom("due", step), (atom("step", step),)),), (), 1))

    def count(self) -> None:
        """Writes the totals of the position.

        Raises:
            NotDecided: What is counted depends on the actions.
        """
        theory = self.theory
        if COUNTS in theory.transient:
            raise NotDecided("what is counted depends on what is done")
        counting = cone(theory.at_rest, [COUNTS])
        self.origins += counting
        self.add(*counting, *self.totals.open)
        self.tell(self.totals.facts)

    def at_rest(self, rules: Iterable[Rule]) -> list[Rule]:
        """Rules over the copies of predicates that do not depend on actions."""
        return [rename_predicates(r, self._at_rest) for r in rules]

    def firing(self, rules: Sequence[Rule], schemas: Sequence[ActionSchema] = ()) -> list[Rule]:
        """Those of these rules that can fire, given what is pending and the schemas of the actions.

        Clingo drops the instances that cannot fire, but it would still ground the rules that only such rules read.
        """
        if self._pending is None:
            return list(rules)
        acted = {SUBMITTED: [schema.action for schema in schemas]} if schemas else {}
        return self._firing(rules, {**self._pending, **acted})

    def _firing(self, rules: Sequence[Rule], patterns: Mapping[Signature, Iterable[Term]]) -> list[Rule]:
        """Those of these rules that can fire if each atom of these predicates has a last argument of one of these patterns."""
        patterns = {s: [apart_from_all(t) for t in terms] for s, terms in patterns.items()}

        def may(one: Atom) -> bool:
            terms = patterns.get(one.signature)
            return terms is None or any(unify(one.args[-1], t, {}) is not None for t in terms)

        kept = [r for r in rules if all(map(may, positive(r.body)))]
        return self.theory.derivable(kept, {head_of(r).signature for r in rules})

    def _firing_after(self, rules: Sequence[Rule]) -> list[Rule]:
        """Those of these rules that can fire at the next position: what is pending there was pending, or is added."""
        if self._pending is None:
            return list(rules)
        pending = {s: list(terms) for s, terms in self._pending.items()}
        for added in (s.arguments[0] for s in self.atoms("add", 1)):
            if symbols.signature(added) in pending:
                pending[symbols.signature(added)].append(term_of(added.arguments[-1]))
        return self._firing(rules, pending)

    @cached_property
    def _at_rest(self) -> dict[Signature, str]:
        return {} if self._step else {s: f"{s[0]}__p" for s in self.theory.transient}

    def assume(self, invariants: Iterable[str], supposed: Iterable[str] = ()) -> None:
        """Demands invariants of the position; the ``supposed`` ones only if ``holds__(Invariant)`` is assumed."""
        invariants, supposed = list(invariants), list(supposed)
        rules = cone(self.firing(self.theory.about([*invariants, *supposed])), [BROKEN])
        self.origins += rules
        self.add(*self.at_rest(rules))
        broken = self._at_rest.get(BROKEN, BROKEN[0])
        self.add(*(never(Atom(broken, (fun(i, ()), _W))) for i in invariants))
        for i in supposed:
            holds = atom("holds__", fun(i, ()))
            self.add(ChoiceRule(((holds, ()),)), never(Atom(broken, (fun(i, ()), _W)), holds))

    # -- what is done --------------------------------------------------------------------------------------------

    def act(
        self,
        transition: Transition,
        also: Iterable[Signature] = (),
        listing: bool = False,
        legal: bool = True,
        chosen: bool = False,
    ) -> None:
        """Writes the choice of actions, and the rules that judge them and derive their effects.

        Args:
            transition: The decisions and the schemas of the actions.
            also: Predicates to derive besides effects and violations.
            listing: Whether ``not_generated__`` is derived if the move generator misses the action.
            legal: Whether illegal actions are excluded; otherwise ``illegal__`` is derived for them.
            chosen: Whether another encoder has written the choice.

        Raises:
            NotDecided: The declaration of the actions reads predicates that no encoding contains, or sets in unknown ways.
        """
        for schema in transition.schemas:
            for a, _ in atoms(schema.guard):
                if a.signature in LISTED or a.signature in self.theory.numbered:
                    raise NotDecided(f"the actions {show_term(schema.action)} read {a.name}/{len(a.args)}")
        illegal = rule(ILLEGAL, atom("submitted", _R, _A), atom(VIOLATES[0], _R, _A, _V))
        guards = {a.signature for schema in transition.schemas for a, _ in atoms(schema.guard)}
        seeds = [*EFFECTS, VIOLATES, *also, *guards]
        able = self.firing(self.theory.rules, transition.schemas)
        rules = [*self.theory.cone(seeds, able), illegal]
        if listing:
            rules += self._listing(able)
        self.origins += rules
        plain = rules
        if transition.joint:
            if not chosen:
                self._write_joint_choices(transition.schemas)
            names = None
        else:
            (schema,) = transition.schemas
            outputs = [*seeds, ILLEGAL.signature, NOT_GENERATED.signature]
            if not chosen:
                self._choose(schema)
            derived = {head_of(r).signature for r in rules}
            rules = self._specialise(schema, rules, outputs)
            rules = self.theory.derivable(rules, {*derived, *(head_of(r).signature for r in rules)})
            names = schema
        if self.theory.has_sets:
            for w in transition.schemas:
                self._name_only(w, plain)
            if not chosen:
                self._open_sets(names)
        if legal:
            self.add(never(ILLEGAL))
        self._effects(rules, [*EFFECTS, ILLEGAL.signature, NOT_GENERATED.signature, *guards, ("lemma__", 1)])

    def forbid_undeclared(self, transition: Transition) -> None:
        """Derives ``illegal__`` for actions that these rules do not declare, if another encoder has chosen the actions."""
        declared, role = "declared__", Var("Role__")
        for schema in (w for _, _, schemas in self.theory.kinds for w in schemas):
            body = (atom("decision", role, schema.decision), *schema.guard)
            if transition.joint:
                self.add(rule(atom(declared, role, schema.action), *body))
                continue
            names, chosen = number_variables(transition.schemas[0].action)
            action = substitute_term(transition.schemas[0].action, chosen)
            way = rename_apart(Rule(atom(declared, role, schema.action), body), action)
            binding = unify(head_of(way).args[1], action, {})
            if binding is not None:
                full = {n: resolve(Var(n), binding) for n in variables(way, action)}
                args = (atom(ARG, Int(k), full[f"A{k}__"]) for k in range(len(names)))
                values = substitute_everywhere(way, full)
                self.add(rule(atom(declared, head_of(values).args[0]), *values.body, *args))
        if transition.joint:
            self.add(rule(ILLEGAL, atom("submitted", _R, _A), no(atom(declared, _R, _A))))
        else:
            self.add(rule(ILLEGAL, atom("acts__", _R), no(atom(declared, _R))))

    def _listing(self, able: Sequence[Rule]) -> list[Rule]:
        """The rules for ``not_generated__``: the move generator does not list the action; ``able``: the rules that can fire.

        Here the action is the only candidate; a listing has all candidates at once. If a rule may see the difference
        (:mod:`kaiser_logic.transform.cross_action_dependencies`), there are no such rules, and `generator_unchecked` says why.
        """
        theory = self.theory
        if theory.ruleset.collecting:
            self.generator_unchecked = theory.ruleset.collecting
            return []
        listing = []
        for one in theory.enumeration:
            args = head_of(one).args
            listing.append(Rule(atom("generated__", *args), (Atom("submitted", args), *one.body), one.place, one.id))
        needed = theory.cone({a.signature for r in listing for a, _ in atoms(r.body)} - {SUBMITTED}, able)
        reading = {a.signature for r in (*theory.enumeration, *needed) for a, _ in atoms(r.body)}
        if not reading.isdisjoint(theory.predicates_affected([SUBMITTED])):
            self.generator_unchecked = "the enumeration reads what is in question"
            return []
        own = (r for r in (*theory.enumeration, *needed) if r.place is None or not r.place.file.startswith("engine/"))
        if theory.has_sets and any(a.signature in _OF_LISTED for r in own for a, _ in atoms(r.body)):
            self.generator_unchecked = "the enumeration reads the parts of sets, which only listed sets have"
            return []
        missed = rule(NOT_GENERATED, atom("submitted", _R, _A), no(atom("generated__", _R, _A)))
        return [*listing, *(r for r in needed), missed]

    def step(self, also: Iterable[Signature] = ()) -> None:
        """Writes the effects of the step that is due; ``also``: predicates to derive besides them."""
        rules = self.theory.cone([*EFFECTS, *also], self.firing(self.theory.step_rules))
        self.origins += rules
        self._effects(rules, EFFECTS)

    def _effects(self, rules: Iterable[Rule], seeds: Iterable[Signature]) -> None:
        """Adds the rules on which effects and violations depend; the rest (move claims) may read the next position: `later`."""
        first = set(map(id, self.theory.cone(seeds, rules)))
        self.add(*(r for r in rules if id(r) in first))
        self._later = [r for r in rules if id(r) not in first]

    def _write_joint_choices(self, schemas: Iterable[ActionSchema]) -> None:
        """Writes the choices of several roles: each that decides submits one action of these schemas."""
        role = Var("Role__")
        candidate = atom("can__", _R, _A)
        for schema in schemas:
            own = [atom("stand_in", a.args[0], role) for a, _ in atoms(schema.guard) if a.signature == ("set", 1)]
            body = (atom("decision", role, schema.decision), *schema.guard, *own)
            self.add(rule(atom("can__", role, schema.action), *body))
        choice = ((atom("submitted", _R, _A), (candidate,)),)
        self.add(ChoiceRule(choice, (atom("decision", _R, _V),), 1, 1))

    def _choose(self, schema: ActionSchema) -> None:
        """Writes the choice of one role that decides alone: one value for each argument of this schema."""
        program, role = self.program, Var("Role__")
        names, _ = number_variables(schema.action)
        decision = atom("decision", role, schema.decision)
        program.add(
            never(number_of([element((_R, _V), atom("decision", _R, _V))], ">", Int(1))),
            rule(atom("acts__", _R), atom("decision", _R, _V)),
        )
        for k, _ in enumerate(names):
            choice = ((atom(ARG, Int(k), _V), (atom("dom__", Int(k), _V),)),)
            program.add(ChoiceRule(choice, (), 1, 1))
        linked = set(variables(schema.decision)) - set(names)
        fits: list[Literal] = [decision]
        for j, (_, part) in enumerate(independent_groups(schema.guard, variables)):
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
        guarded = variables(*schema.guard)
        for k, name in enumerate(names):
            if name not in guarded:
                program.add(rule(atom("dom__", Int(k), Var(name)), _is_fluent(atom("decision", role, schema.decision))))
        tied = [n for n in names if n in variables(*fits)]
        fits += [atom(ARG, Int(names.index(n)), Var(n)) for n in tied]
        program.add(rule(atom("fits__", role), *fits), never(atom("acts__", _R), no(atom("fits__", _R))))

    def _specialise(self, schema: ActionSchema, rules: list[Rule], wanted: Sequence[Signature]) -> list[Rule]:
        """The rules specialised to one action schema, as far as the ``wanted`` predicates depend on them; with the lemmas."""
        _, chosen = number_variables(schema.action)
        version = (OPEN, substitute_term(schema.action, chosen))
        specialised = Specialised(rules, SUBMITTED, version)
        self.add(rule(atom(specialised.name(SUBMITTED, version), _R), atom("acts__", _R)))
        leaves = (n.name for n in chosen.values() if isinstance(n, Var))
        given = {*self.theory.fluents, *self.theory.static}
        rules_in_parts = in_parts(follow_structures(specialised.rules, leaves, wanted, given), only=ARG)
        return [*rules_in_parts, *self._lemmas(rules_in_parts)]

    def _lemmas(self, rules: Sequence[Rule]) -> list[Rule]:
        """Rules for the lemmas ``lemma__(K)``: an atom about the action alone that the generator reads has an instance.

        A lemma comes after those on which its atom depends.
        """
        listing = [r for r in cone(rules, [NOT_GENERATED.signature]) if r.head != NOT_GENERATED]
        by: dict[Signature, list[Rule]] = {}
        for r in listing:
            by.setdefault(head_of(r).signature, []).append(r)
        order = [
            s
            for group in components(list(by), lambda s: [a for r in by[s] for a in _made_in(r) if a in by])
            for s in group
        ]
        reads = {_with_chosen(r, x): None for s in order if _is_made(s) for r in by[s] for x in positive(r.body)}
        # first what the judging reads, too: that there is a price at all
        bodies = sorted((body for body in reads if body), key=lambda body: _is_made(body[0].signature))
        self.lemmas = [atom("lemma__", Int(k)) for k, _ in enumerate(bodies)]
        return [rule(lemma, *body) for lemma, body in zip(self.lemmas, bodies, strict=True)]

    def _open_sets(self, schema: ActionSchema | None) -> None:
        """Writes an unknown set for each role, or for the one that acts: the solver chooses its parts."""
        for player in self.vocabulary.deciding:
            name = clingo.Function("set_of__", [player] if schema is None else [])
            self.program.tell([clingo.Function("stand_in", [name, player])])
        chosen = atom("chosen", Var("M"), Var("C"), Var("K"))
        several = Compare(Var("K"), "=", Range(Int(1), Var("N")))
        body = (atom("stand_in", Var("M"), _R), atom("thing", Var("C"), _V, Var("N")))
        self.add(ChoiceRule(((chosen, (several,)),), body, None, 1))

    def _name_only(self, schema: ActionSchema, rules: Sequence[Rule]) -> None:
        """Checks that the rules read a set only by its parts, so that its name stands for any set.

        Raises:
            NotDecided: A rule compares the set, stores it in a fluent or an effect, or asks for a certain one.
        """
        set_terms = [a.args[0] for a, _ in atoms(schema.guard) if a.signature == ("set", 1)]
        if len(set(set_terms)) > 1:
            raise NotDecided(f"an action names several sets: {show_term(schema.action)}")
        names, chosen = number_variables(schema.action)
        for name in {n for n in names if Var(n) in set_terms}:
            leaf = chosen[name]
            assert isinstance(leaf, Var)
            place = Int(names.index(name))
            specialised = Specialised(rules, SUBMITTED, (OPEN, substitute_term(schema.action, chosen)))
            for one in specialised.rules:
                asked = [a for a, _ in atoms(one.body) if a.name == ARG and a.args[0] == place]
                joined = [t for a, _ in atoms(one.body) for t in specialised.terms_in_place(a, leaf)]
                named = {leaf.name, *(t.name for t in joined if isinstance(t, Var))}
                kept = [a for a, _ in atoms(one.body) if a.signature in self.theory.fluents]
                kept += [head_of(one)] if head_of(one).signature in EFFECTS else []
                compared = [x for x in walk(*one.body) if isinstance(x, Compare) and not _is_other(x)]
                kept_terms = [t for a in kept for t in a.args]
                certain: list[Term] = [t for t in joined if not isinstance(t, Var)]
                certain += [a.args[1] for a in asked if a.args[1] != leaf]
                if certain or not named.isdisjoint(variables(*kept_terms, *compared)):
                    raise NotDecided(f"a set is more than its parts: {one.place.file}:{one.place.line}")

    # -- the next position ---------------------------------------------------------------------------------------

    def advance(self, goals: Iterable[Rule], wanted: Iterable[Signature] | None = None) -> None:
        """Grounds the effects, and writes the next position of all that they can change.

        Args:
            goals: Rules to be read at the next position, such as those of invariants.
            wanted: The predicates of these rules that are read; None: all.

        Raises:
            NotDecided: A gain or a loss has the mark of a shift.
        """
        theory, program = self.theory, self.program
        program.ground()
        self._marks()
        self.changed = frozenset(self._touched_fluents())
        counted = {a.signature for r in theory.counting for a, _ in atoms(r.body)} - set(theory.static)
        directly = {symbols.signature(s.arguments[0]) for e in ("add", "del") for s in self.atoms(e, 1)}
        self.totals_after = self.totals.totals_after(directly & counted)
        single = {s.arguments[0] for e in ("gain", "lose") for s in self.atoms(e, 3)}
        moved = {(s.arguments[0], s.arguments[1]) for s in self.atoms("shift", 4)}
        measures = {*self.totals.measures_touched(single, moved), *self.totals_after.functors}
        affected = theory.predicates_affected(self.changed, measures)
        self.affected = frozenset(affected)
        self.add(*_MOVED)
        for signature in sorted(self.changed):
            self.add(*self._next(signature))
        goals = self._firing_after(list(goals))
        goals = goals if wanted is None else cone(goals, wanted)
        here = set(map(id, self.firing(goals)))
        rules = [r for r in goals if head_of(r).signature in affected or id(r) in here]
        if TOTAL in affected:
            read = [a.args[0] for r in rules for a, _ in atoms(r.body) if a.signature == TOTAL]
            self.tell(self.totals_after.facts([Var("L")] if wanted is None else read))
            self.add(*self.totals_after.rules)
            if self.totals_after.anew:
                rules += cone(theory.at_rest, [COUNTS])
        self.origins += rules  # they may read numbers without a limit
        measures.add(None)

        def stays(one: Rule) -> bool:
            """Whether a rule says at the next position what it says here; its totals then have the same name, too."""
            reads = (a for a, _ in atoms(one.body) if a.signature in affected)
            return head_of(one).signature not in affected and all(
                a.signature == TOTAL and functor(a.args[0]) not in measures for a in reads
            )

        self.add(*(rename_predicates(r, self._at_rest if stays(r) else self._names) for r in rules))

    def name(self, signature: Signature) -> str:
        """The name of a predicate at the next position, without this encoder's mark."""
        return self._names.get(signature, signature[0])

    @cached_property
    def _names(self) -> dict[Signature, str]:
        return {**self._at_rest, **{s: f"{s[0]}__n" for s in self.affected}}

    def _marks(self) -> None:
        """Checks that no gain or loss of the rulebook has the mark of a shift; it would be summed up as one.

        Raises:
            NotDecided: One has.
        """
        for effect, mark in (("gain", ("into", 2)), ("lose", ("out", 2))):
            for s in self.atoms(effect, 3):
                if symbols.signature(s.arguments[2]) == mark:
                    raise NotDecided(f"{effect} has the mark of a shift: {s}")

    def _touched_fluents(self) -> Iterable[Signature]:
        """The fluents that an effect of the ground program can change."""
        theory = self.theory
        for effect, arity in EFFECTS:
            for s in self.atoms(effect, arity):
                for what in s.arguments[: 2 if effect == "shift" else 1]:
                    if what.type is not clingo.SymbolType.Function:
                        continue
                    name, number = symbols.signature(what)
                    if effect in ("add", "del"):
                        if (name, number) in theory.fluents:
                            yield name, number
                        continue
                    if (name, number + 1) in theory.counters:
                        yield name, number + 1
                    if (name, number) in theory.units:
                        yield name, number

    def _next(self, signature: Signature) -> Iterable[Rule]:
        """The rules of a fluent at the next position."""
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
            body.append(self.sum_after(signature, "=", value))
            same = atom(name, *args[:-1], value)
            if any(symbols.signature(s.arguments[0]) == signature for s in self.atoms("del", 1)):
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
                        beyond,
                        moved,
                        atom("endless__", counter),
                        end,
                        self.sum_after(signature, op, Var(bound)),
                    )
        elif signature in theory.units:
            yield rule(new, old, no(deleted), no(atom("down__", term(old))))
            yield rule(new, atom("up__", term(old)))
        else:
            yield rule(new, old, no(deleted))

    def sum_after(
        self, signature: Signature, op: str, side: Term, change_only: bool = False, by_mark: bool = False
    ) -> Aggregate:
        """A sum that compares a counter's value after the transition with a term.

        Args:
            signature: The fluent of the counter.
            op: The comparison.
            side: The term.
            change_only: Whether the sum is the change alone, without the old value.
            by_mark: Whether shifts from the counter are summed up by amount and mark alone, without their target.
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
        """The rules on which no effect and no violation depends. Move claims may read the next position by them."""
        return self._later


def _is_other(x: Compare) -> bool:
    """Whether a comparison is of two terms that are never equal, whatever the values of their variables."""
    if x.op not in ("=", "!=") or isinstance(x.right, (Op, Range)):
        return False
    return unify(x.left, x.right) is None


def _is_made(signature: Signature) -> bool:
    """Whether a predicate is about this action alone: derived on demand (`followed`), split off, or the generator's."""
    return any(mark in signature[0] for mark in ("__f", "__s", "generated__"))


def _with_chosen(one: Rule, x: Atom) -> tuple[Atom, ...]:
    """A literal of a rule, with the ``arg__`` atoms of its variables; nothing for an ``arg__`` atom."""
    if x.name == ARG:
        return ()
    own = set(variables(x))
    return (x, *(a for a in positive(one.body) if a.name == ARG and own & set(variables(a))))


def _made_in(one: Rule) -> list[Signature]:
    return [a.signature for a, _ in atoms(one.body)]


def apart_from_all(term: Term) -> Term:
    """A term with fresh variables, which occur in no rule."""
    return substitute_term(term, {name: Var(f"{name}__apart") for name in variables(term)})


def _is_fluent(fact: Atom) -> Atom:
    return atom("fluent__", term(fact))
