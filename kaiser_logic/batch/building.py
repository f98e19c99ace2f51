"""Builds circuits from a rulebook: for each transition what is legal, and what changes.

The programs are those that evaluate a single position. They are ground once, over a position of which only the kind of
decision is known. An output says where a circuit does not decide: facts that are not in the vocabulary, totals beyond their
limits, counters with two values. Such positions, and transitions for which there is no circuit, are left to the engine for one
position.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.compiled import derive
from ..engine.domains import has_structures
from ..engine.grounding import EngineProgram
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..lang.algebra import atoms, rebuilt, substitute_term, variables
from ..lang.terms import ANY, Atom, Signature
from ..lang.terms import Rule as Value
from ..lang.unification import functor, resolve, resolve_to_depth, unify
from ..rules.predicates import (
    ADD,
    CHANCE,
    DECISION,
    DEL,
    DUE,
    LEGAL,
    NUMBER,
    OFFERED,
    PICKABLE,
    SUBMITTED,
    TOO_MANY,
    VIOLATES,
    WEIGHT,
)
from ..rules.rule import PlacedRule, Role, top
from ..rules.rulebook import ActionKind
from ..solving.build import head_of
from ..solving.specialise import ARG, OPEN, Specialised, number_variables
from ..solving.split import in_parts
from ..solving.theory import normal_rules
from ..transform.slicing import seeds
from .bits import FALSE, TRUE, CircuitBuilder, Group, TooLarge, Unsupported
from .gates import GroundCircuit, lower, numbers_of, pad, table_of
from .layout import Layout
from .transition_circuits import (
    SIMULTANEOUS,
    STEP,
    SetInputs,
    TransitionCircuits,
    TransitionKey,
    in_order,
)

# -- action_inputs ---------------------------------------------------------------------------------------------------
#
# Actions as inputs of a circuit. If several roles decide together, each action is an input. If one role decides, the inputs are
# the kind of its action and the value of each argument: an action with many arguments would need thousands of inputs.


@dataclass(frozen=True)
class ActionInputs:
    """The action inputs at a decision, and the rules for its effects.

    Attributes:
        rules: The rulebook's rules that circuits read.
        lines: The same, specialised.
        program: The program that they read.
        inputs: The facts for actions and arguments, each with its group.
        by_action: For each action, as legal/2, the facts that stand for it.
    """

    rules: tuple[PlacedRule, ...] = ()
    lines: tuple[PlacedRule | Value, ...] = ()
    program: EngineProgram = field(default_factory=lambda: EngineProgram((), frozenset(), ()))
    inputs: dict[clingo.Symbol, Group | None] = field(default_factory=dict)
    by_action: dict[clingo.Symbol, list[clingo.Symbol]] = field(default_factory=dict)

    @classmethod
    def at_decision(
        cls, ruleset: Ruleset, layout: Layout, key: TransitionKey, actions: Sequence[clingo.Symbol]
    ) -> ActionInputs:
        """The effects of these actions, as legal/2, at a decision.

        Raises:
            Unsupported: An action is of several kinds, or the effects depend on what is legal.
        """
        decision = (key.name, key.arity)
        by_kind: dict[int, list[clingo.Symbol]] = defaultdict(list)
        kinds: dict[int, ActionKind] = {}
        for action in actions:
            kind = _kind(ruleset, decision, action.arguments[1])
            kinds[kind.index] = kind
            by_kind[kind.index].append(action)
        together = key.role == SIMULTANEOUS
        parts = [list(kinds.values())] if together else [[kind] for kind in kinds.values()]
        slices = []
        for part in parts:
            start = seeds([k.decision for k in part], (), [k.action for k in part])
            slices.append(layout.readable(ruleset.judging.slice(start, [top(*ADD), top(*DEL)])))
        rules = tuple(dict.fromkeys(rule for kind_rules in slices for rule in kind_rules))
        if any(rule.heads[0].signature == VIOLATES or VIOLATES in rule.uses for rule in rules):
            raise Unsupported("effects depend on what is legal")
        whole = ruleset.complete(rules)
        lines: tuple[PlacedRule | Value, ...] = rules
        inputs: dict[clingo.Symbol, Group | None] = {}
        by_action: dict[clingo.Symbol, list[clingo.Symbol]] = {}
        if together:
            for action in actions:
                fact = clingo.Function(SUBMITTED[0], action.arguments)
                inputs[fact] = (("does", action.arguments[0]), fact)
                by_action[action] = [fact]
        elif any(symbols.text(action.arguments[0]) != key.role for action in actions):
            raise Unsupported("somebody acts who has no decision")
        else:
            split = [SplitKind(kind, kind_rules) for kind, kind_rules in zip(kinds.values(), slices, strict=True)]
            lines = join_kinds(rules, split)
            for one in split:
                for action in by_kind[one.kind.index]:
                    role, term = action.arguments
                    does, *arguments = by_action[action] = one.facts(role, term)
                    inputs[does] = ("does", does)
                    inputs |= {fact: ((fact.name, fact.arguments[0]), fact) for fact in arguments}
        read = whole.inputs.union(map(symbols.signature, inputs))
        return cls(rules, lines, EngineProgram(whole.rules, read, whole.static), inputs, by_action)


class SplitKind:
    """The rules for one kind of action that one role does, specialised to its arguments (:mod:`..solving.specialise`).

    Attributes:
        kind: The kind.
        split: The predicates that hold a part of the action in some of their atoms.
    """

    def __init__(self, kind: ActionKind, rules: Iterable[PlacedRule]) -> None:
        """Of a slice of rules."""
        self.kind = kind
        _, self._chosen = number_variables(kind.action)
        self._action = substitute_term(kind.action, self._chosen)
        done = (OPEN, self._action)
        own = [one for rule in rules for one in normal_rules(rule)]
        specialised = Specialised(own, SUBMITTED, done, structures=True)
        self._plain = {a.signature for one in own for a in (head_of(one), *(a for a, _ in atoms(one.body)))}
        self._does = specialised.name(SUBMITTED, done)
        self._rules = in_parts(specialised.rules, only=ARG)
        self.split = {s for s, known in specialised.versions.items() if any(set(v) != {OPEN} for v in known)}

    def _own_atom(self, one: Atom) -> Atom:
        """An atom of one of the predicates that specialising has made, under a name for this kind."""
        if one.signature in self._plain:
            return one
        return Atom(f"{one.name}__k{self.kind.index}", one.args, one.sign)

    def rules(self, shared: Collection[Value]) -> Iterator[Value]:
        """The specialised rules without those that are ``shared``. They hold only if an action of this kind is done."""
        does = self._own_atom(Atom(self._does, (ANY,)))
        for one in self._rules:
            if one not in shared:
                own_rule = rebuilt(one, lambda term: term, self._own_atom)
                own = any(isinstance(x, Atom) and not x.sign and x.signature not in self._plain for x in one.body)
                yield own_rule if own else replace(own_rule, body=(*own_rule.body, does))

    def facts(self, role: clingo.Symbol, action: clingo.Symbol) -> list[clingo.Symbol]:
        """The facts that stand for an action: that the role does one of this kind, and its arguments."""
        binding = unify(self._action, symbols.term_of(action), {})
        assert binding is not None
        atoms = [clingo.Function(self._own_atom(Atom(self._does, (ANY,))).name, [role])]
        for k, chosen in enumerate(self._chosen.values()):
            value = symbols.symbol_of(resolve(chosen, binding))
            name = self._own_atom(Atom(ARG, (ANY, ANY))).name
            atoms.append(clingo.Function(name, [clingo.Number(k), value]))
        return atoms


def join_kinds(rules: Sequence[PlacedRule], kinds: Iterable[SplitKind]) -> tuple[PlacedRule | Value, ...]:
    """One program for several kinds of action, exactly one of which is done.

    A rule about no split predicate of any kind is the same for all kinds. Each other rule has a copy for each kind. If an
    action of a kind is done, no copy of another kind holds, so what follows is what follows from the rules for this kind. The
    shared rules of other kinds add nothing: they cannot fire, or nothing that is asked depends on them.
    """
    kinds = list(kinds)
    split = {SUBMITTED}.union(*(one.split for one in kinds))
    shared = [rule for rule in rules if split.isdisjoint(a.signature for a in rule.atoms)]
    same = {one for rule in shared for one in normal_rules(rule)}
    return (*shared, *dict.fromkeys(one for kind in kinds for one in kind.rules(same)))


def _kind(ruleset: Ruleset, decision: Signature, action: clingo.Symbol) -> ActionKind:
    """The kind of an action at a decision."""
    kinds = [k for k in ruleset.same_actions(ruleset.kind(action)) if functor(k.decision) == decision]
    if len(kinds) != 1:
        raise Unsupported(f"{action} is of {len(kinds)} kinds")
    return kinds[0]


# -- legality ------------------------------------------------------------------------------------------------
#
# The legal actions at a decision, as outputs of a circuit: one for each action, and one for "not known".
#
# An action that names a set has an output of a circuit of its own instead (:class:`.SetInputs`).


_MOST_ACTIONS: Final = 40_000
_HEAVIEST: Final = 64
"""The largest weight of an action of chance."""


def keys(ruleset: Ruleset, layout: Layout) -> dict[TransitionKey, list[clingo.Symbol]]:
    """All transitions, each with its decisions or steps."""
    together = {(s.arguments[0].name, len(s.arguments[0].arguments)) for s in ruleset.facts("simultaneous", 1)}
    transitions: dict[TransitionKey, list[clingo.Symbol]] = defaultdict(list)
    for fact in layout.decisions:
        role, decision = fact.arguments
        name = decision.name, len(decision.arguments)
        transitions[TransitionKey(*name, SIMULTANEOUS if name in together else symbols.text(role))].append(fact)
    for fact in layout.steps:
        transitions[TransitionKey(fact.arguments[0].name, len(fact.arguments[0].arguments), STEP)].append(fact)
    return dict(transitions)


def built(ruleset: Ruleset, layout: Layout, key: TransitionKey) -> TransitionCircuits:
    """Builds the circuits of a transition.

    Raises:
        Unsupported: There can be no circuit.
    """
    try:
        return _Builder(ruleset, layout, key).circuits()
    except (TooLarge, MemoryError):
        raise Unsupported("its circuit is too large") from None
    except NotDecided as error:
        raise Unsupported(str(error)) from None


class _Builder:
    """Builds the circuits of a transition.

    Attributes:
        ruleset: The rules; if actions name sets, those that read sets by their parts.
        layout: The layout of positions in rows.
        key: The transition.
        circuit: The circuit of all of its programs.
        pending: The decisions or steps that belong to it.
        given: Facts that hold in all its positions.
        possible: Facts that may hold, with their groups.
        naming: The sets that actions may name; None if no action names one.
        set_checks: For each entry the output of the circuit of sets that says whether its action is legal; -1 if it names no set.
        checks: These outputs, and that for "unknown".
    """

    def __init__(self, ruleset: Ruleset, layout: Layout, key: TransitionKey) -> None:
        """Prepares a circuit. Raises Unsupported if actions contain structures that cannot be listed."""
        self._plain = ruleset
        self.ruleset, self.layout, self.key = ruleset, layout, key
        self.circuit = CircuitBuilder()
        pending = keys(ruleset, layout)[key]
        self.pending = pending
        self.set_checks: list[int] = []
        self.checks: list[int] = []
        alone = len(pending) == 1 and key.role != SIMULTANEOUS
        self.given = [*layout.given, *(pending if alone else ())]
        outside = (DECISION, DUE)
        facts = (f for f in layout.bits if symbols.signature(f) not in outside)
        self.possible = {f: layout.group(f) for f in (*facts, *(() if alone else pending))}
        self.naming = SetInputs.at(ruleset, key)
        if self.naming is not None:
            self.ruleset = self.naming.ruleset
            self.given += self.naming.given
            self.possible |= self.naming.inputs
        if key.role != STEP and any(
            has_structures(ruleset, k) for k in ruleset.book.kinds if functor(k.decision) == (key.name, key.arity)
        ):
            raise Unsupported("its actions hold structures with too many values to be listed")

    def legal(self) -> tuple[list[clingo.Symbol], list[int], list[int]]:
        """The actions, the number of the action for each output, and the outputs with that for "unknown" at the end."""
        program = self.ruleset.legal_program([(self.key.name, self.key.arity)])
        opening = self._ground(program)
        legal = opening.get(*LEGAL)
        if len(legal) > _MOST_ACTIONS:
            raise Unsupported(f"{len(legal)} actions")
        places = {role: n for n, role in enumerate(self.ruleset.roles)}
        if not all(symbols.text(fact.arguments[0]) in places for fact in (*legal, *self.pending)):
            raise Unsupported("somebody decides who has no seat")
        names_set = {a: self.naming is not None and self.naming.names(self.ruleset, a) for a in legal}
        texts = {a: SetInputs.place(a) if names_set[a] else symbols.text(a.arguments[1]) for a in legal}
        order = sorted(legal, key=lambda a: (places[symbols.text(a.arguments[0])], texts[a]))
        in_order((atom, names_set[atom]) for atom in order)
        unknown = [opening.beyond_limits(), *opening.get(*TOO_MANY).values(), *self._stuck(legal, names_set)]
        chance = any(symbols.text(fact.arguments[0]) == CHANCE for fact in self.pending)
        heavier = self._weights(legal, unknown) if chance else {}
        more = self._pick_outputs(opening, names_set)
        reading = self.circuit.reading(self.circuit.inputs[f] for f in self.sets if f in self.circuit.inputs)
        entries: list[int] = []
        outputs: list[int] = []
        for n, atom in enumerate(order):
            if names_set[atom]:
                self.set_checks.append(len(self.checks))
                self.checks.append(legal[atom])
                entries, outputs = [*entries, n], [*outputs, FALSE]
                continue
            if legal[atom] >> 1 in reading:
                raise Unsupported("what is legal depends on a set that another action names")
            by_chance = symbols.text(atom.arguments[0]) == CHANCE
            sets = heavier.get(atom.arguments[1], []) if by_chance else []
            entries += [n] * (1 + len(sets))
            self.set_checks += [-1] * (1 + len(sets))
            outputs += [legal[atom], *(self.circuit.conj([legal[atom], one]) for one in sets)]
        self.checks.append(self.circuit.disj([x for x in unknown if x >> 1 in reading]))
        known = [x for x in unknown if x >> 1 not in reading]
        return order, entries, [*outputs, self.circuit.disj(known), *more]

    def _ground(self, program: EngineProgram) -> GroundCircuit:
        """The program as a part of the circuit."""
        rules = self.layout.readable(program.rules)
        return GroundCircuit(self.circuit, program, rules, self.given, self.possible)

    @property
    def sets(self) -> Iterable[clingo.Symbol]:
        """The inputs for the sets that are named."""
        return self.naming.inputs if self.naming is not None else ()

    def _decides(self, role: clingo.Symbol) -> int:
        """The literal that says whether a role has to decide."""
        decisions = [f for f in self.pending if f.arguments[0] == role]
        return self.circuit.disj([TRUE if f in self.given else self.circuit.input(f) for f in decisions])

    def _pick_outputs(self, opening: GroundCircuit, names_set: dict[clingo.Symbol, bool]) -> list[int]:
        """The outputs that say who can pick which elements."""
        if self.naming is None or not any(names_set.values()):
            return []
        roles = {atom.arguments[0] for atom, names in names_set.items() if names}
        if any(symbols.text(role) == CHANCE for role in roles):
            raise Unsupported("chance names a set")
        decides = {role: self._decides(role) for role in roles}
        return self.naming.outputs(self.circuit, opening.get(*PICKABLE), decides)

    def _stuck(self, legal: dict[clingo.Symbol, int], names_set: dict[clingo.Symbol, bool]) -> Iterator[int]:
        """For each role the literal that it has to decide and no action is legal; false if it may name a set."""
        some: dict[clingo.Symbol, list[int]] = defaultdict(list)
        for atom, literal in legal.items():
            some[atom.arguments[0]].append(TRUE if names_set[atom] else literal)
        for role in dict.fromkeys(fact.arguments[0] for fact in self.pending):
            yield self.circuit.conj([self._decides(role), self.circuit.disj(some[role]) ^ 1])

    def _weights(self, legal: dict[clingo.Symbol, int], unknown: list[int]) -> dict[clingo.Symbol, list[int]]:
        """For each action of chance the literals that its weight is at least 2, at least 3, and so on.

        It is unknown what happens where a legal one has no weight above 0.
        """
        program = self.ruleset.weight_program
        if program is None:
            return {}
        opening = self._ground(program)
        unknown.append(opening.beyond_limits())
        weights: dict[clingo.Symbol, dict[int, int]] = defaultdict(dict)
        for atom, literal in opening.get(*WEIGHT).items():
            action, number = atom.arguments
            if number.type is not clingo.SymbolType.Number or number.number > _HEAVIEST:
                raise Unsupported(f"the weight {number}")
            weights[action][number.number] = literal
        literals = {}
        for action, by_number in weights.items():
            enough = self.circuit.disj([literal for n, literal in by_number.items() if n > 0])
            few = self.circuit.disj([literal for n, literal in by_number.items() if n < 1])
            its = self.circuit.disj([literal for atom, literal in legal.items() if atom.arguments[1] == action])
            unknown.append(self.circuit.conj([few, enough ^ 1, its]))
            unknown.append(self.circuit.several(by_number.values()))
            literals[action] = [
                self.circuit.disj([literal for n, literal in by_number.items() if n >= least])
                for least in range(2, max(by_number) + 1)
            ]
        return literals

    def circuits(self) -> TransitionCircuits:
        """The circuits."""
        signature = (self.key.name, self.key.arity)
        actions: list[clingo.Symbol] = []
        entries: list[int] = []
        legal: list[int] = [FALSE]
        action_inputs = ActionInputs()
        if self.key.role == STEP:
            program = self.ruleset.step_program([signature], [])
            rules = tuple(self.layout.readable(program.rules))
            lines: tuple[PlacedRule | Value, ...] = rules
        else:
            actions, entries, legal = self.legal()
            action_inputs = ActionInputs.at_decision(self.ruleset, self.layout, self.key, actions)
            if self.naming is not None:
                action_inputs = replace(action_inputs, inputs={**action_inputs.inputs, **self.naming.inputs})
            program, rules, lines = action_inputs.program, action_inputs.rules, action_inputs.lines
        opening = GroundCircuit(self.circuit, program, lines, self.given, {**self.possible, **action_inputs.inputs})
        changed, added, outputs = self._effects(opening, rules)
        del opening  # the ground program is large
        return self._lower(actions, entries, legal, action_inputs, changed, added, outputs)

    # -- what changes ------------------------------------------------------------------------------------------------------

    def _effects(
        self, opening: GroundCircuit, rules: Iterable[PlacedRule]
    ) -> tuple[list[int], list[tuple[int, int]], list[int]]:
        """The bits that change, the amounts added to each number, and the outputs with that for "unknown" at the end."""
        circuit, layout = self.circuit, self.layout
        unknown = [opening.beyond_limits()]
        adds, dels = ({s.arguments[0]: x for s, x in opening.get(*what).items()} for what in (ADD, DEL))
        for fact in (*adds, *dels):
            if symbols.signature(fact) in layout.unbounded:
                raise Unsupported(f"{fact} is added or deleted as a fact")
        unknown += [literal for fact, literal in adds.items() if fact not in layout.bits]
        unknown += [literal for fact, literal in dels.items() if fact in layout.seats]
        new: dict[clingo.Symbol, int] = {}
        for fact in dict.fromkeys((*adds, *dels)):
            if fact in layout.bits:
                old = self._old(fact)
                kept = circuit.conj([old, dels.get(fact, FALSE) ^ 1])
                value = circuit.disj([adds.get(fact, FALSE), kept])
                if value != old:
                    new[fact] = value
        unknown += self._values_twice(new, rules)
        changed = sorted(new, key=layout.bits.__getitem__)
        added: list[tuple[int, int]] = []
        amounts: list[int] = []
        for atom, literal in opening.get("change", 2).items():
            what, amount = atom.arguments
            if what in layout.numbers and amount.number:
                added.append((layout.numbers.index(what), amount.number))
                amounts.append(literal)
            elif (what.name, len(what.arguments) + 1) in layout.unbounded - layout.stated:
                unknown.append(literal)  # the fact of a number that the vocabulary does not have
        outputs = [*(new[f] for f in changed), *amounts, circuit.disj(unknown)]
        return [layout.bits[f] for f in changed], added, outputs

    def _old(self, fact: clingo.Symbol) -> int:
        """The literal that says whether a fact holds before the change."""
        if fact in self.given:
            return TRUE
        if symbols.signature(fact) in (DECISION, DUE) and fact not in self.pending:
            return FALSE
        return self.circuit.input(fact, self.layout.group(fact))

    def _values_twice(self, new: dict[clingo.Symbol, int], rules: Iterable[PlacedRule]) -> Iterator[int]:
        """Literals that say whether a counter gets two values, for counters that rules of the game add as facts."""
        heads = [h for rule in rules if rule.role is not Role.GENERATED for h in rule.heads if h.signature == ADD]
        kinds = {functor(h.args[0]) for h in heads}
        touched = {
            symbols.counter_of(f): symbols.signature(f)
            for f in new
            if symbols.signature(f) in self.layout.counters and (None in kinds or symbols.signature(f) in kinds)
        }
        values: dict[clingo.Symbol, list[clingo.Symbol]] = defaultdict(list)
        for fact in self.layout.bits:
            if symbols.signature(fact) in touched.values() and symbols.counter_of(fact) in touched:
                values[symbols.counter_of(fact)].append(fact)
        for facts in values.values():
            old = ((f, self.circuit.input(f, self.layout.group(f))) for f in facts if f not in new)
            yield self.circuit.several([*(new[f] for f in facts if f in new), *(x for _, x in old)])

    # -- both as programs --------------------------------------------------------------------------------------------------

    def _lower(
        self,
        actions: list[clingo.Symbol],
        entries: list[int],
        legal: list[int],
        action_inputs: ActionInputs,
        changed: list[int],
        added: list[tuple[int, int]],
        outputs: list[int],
    ) -> TransitionCircuits:
        done = {name: n for n, name in enumerate(action_inputs.inputs)}
        read = sorted(
            (self.layout.bits[name], literal)
            for name, literal in self.circuit.inputs.items()
            if isinstance(name, clingo.Symbol) and name in self.layout.bits
        )
        places = {literal: slot for slot, (_, literal) in enumerate(read)}
        for name, literal in self.circuit.inputs.items():
            if name in done and isinstance(name, clingo.Symbol):
                places[literal] = len(read) + done[name]
        first = len(read) + len(done)
        naming = self.naming if any(number >= 0 for number in self.set_checks) else None
        return TransitionCircuits(
            key=self.key,
            pending=numbers_of(sorted(self.layout.bits[f] for f in self.pending)),
            inputs=numbers_of([bit for bit, _ in read]),
            action_inputs=len(done),
            actions=tuple((symbols.text(a.arguments[0]), symbols.text(a.arguments[1])) for a in actions),
            decisions=numbers_of(decisions_of(self._plain, self.layout, self.pending, actions)),
            entries=numbers_of(entries),
            legal=lower(self.circuit, legal, places, first),
            done=pad([[done[x] for x in action_inputs.by_action[a]] for a in actions]),
            effects=lower(self.circuit, outputs, places, first),
            changed=numbers_of(changed),
            added=numbers_of([x for pair in added for x in pair]).reshape(len(added), 2),
            set_checks=numbers_of(self.set_checks),
            sets=lower(self.circuit, self.checks or [FALSE], places, first),
            set_roles=numbers_of([self.ruleset.roles.index(symbols.text(r)) for r in naming.roles] if naming else []),
            copies=numbers_of([most for _, most in naming.things] if naming else []),
            options=table_of(naming.options if naming else [], 2),
            most_sets=naming.most_sets if naming else 0,
        )


# -- actions and decisions -------------------------------------------------------------------------------------


def offer_program(ruleset: Ruleset, action: clingo.Symbol) -> EngineProgram | None:
    """The program that says to which decisions actions of a kind belong; None if that depends on the position."""
    kinds = ruleset.same_actions(ruleset.kind(action))
    program = ruleset.program(
        ("offered", frozenset(kind.index for kind in kinds)),
        lambda: seeds(None, (), [kind.action for kind in kinds]),
        [OFFERED],
    )
    heads = {head.signature for rule in program.rules for head in rule.heads}
    return program if kinds and program.inputs - heads <= {DECISION, NUMBER, SUBMITTED} else None


def actions_offered(
    ruleset: Ruleset,
    program: EngineProgram,
    decisions: Iterable[clingo.Symbol],
    role: clingo.Symbol,
    actions: Iterable[clingo.Symbol],
) -> set[clingo.Symbol]:
    """The actions of a role that belong to any of the decisions, which are given as facts."""
    given = [s for action in actions for s in ruleset.submissions({symbols.text(role): action})]
    derivation = derive(program, frozenset(decisions), given, ruleset.configuration.engine)
    return {action for _, action in derivation.arguments(*OFFERED)}


def decisions_of(
    ruleset: Ruleset, layout: Layout, pending: Iterable[clingo.Symbol], actions: Iterable[clingo.Symbol]
) -> list[int]:
    """For each action, as legal/2, the bit of the only decision to which it can belong, and belongs if that is pending.

    It is -1 if that is not clear, because it depends on more than the action.
    """
    groups: dict[tuple[clingo.Symbol, tuple[int, ...]], list[clingo.Symbol]] = defaultdict(list)
    for atom in (actions := list(actions)):
        role, action = atom.arguments
        kinds_of_action = ruleset.same_actions(ruleset.kind(action))
        groups[role, tuple(kind.index for kind in kinds_of_action)].append(action)
    decision_bits: dict[tuple[clingo.Symbol, clingo.Symbol], int] = {}
    for (role, kinds), members in groups.items():
        program = offer_program(ruleset, members[0]) if len(kinds) == 1 else None
        if program is None or any(h.signature != OFFERED for r in program.rules for h in r.heads):
            continue
        kind = ruleset.same_actions(ruleset.kind(members[0]))[0]
        for action in actions_offered(ruleset, program, pending, role, members).intersection(members):
            binding = unify(kind.action, symbols.term_of(action), {})
            decision = None if binding is None else resolve_to_depth(kind.decision, binding)
            if decision is not None and not variables(decision):
                fact = clingo.Function(DECISION[0], [role, symbols.symbol_of(decision)])
                decision_bits[role, action] = layout.bits.get(fact, -1)
    return [decision_bits.get((role, action), -1) for role, action in (atom.arguments for atom in actions)]
