"""What is legal at a decision, as outputs of a circuit: one for each action, and whether that is not known.

An action that names a set has an output of its own circuit instead (:mod:`.naming`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..rules.pattern import outermost
from ..rules.predicates import CHANCE, DECISION, DUE, LEGAL, PICKABLE, TOO_MANY, WEIGHT
from ..rules.rule import Rule
from ..symbolic.domains import structured
from .bits import FALSE, TRUE, Circuit
from .buckets import NOTHING, STEP, TOGETHER, Key
from .layout import Layout, tested
from .naming import Naming, in_order
from .opening import Opening, Unsupported

_MOST_ACTIONS: Final = 40_000
_HEAVIEST: Final = 64
"""Chance's actions weigh so much at most."""


def keys(ruleset: Ruleset, layout: Layout) -> dict[Key, list[clingo.Symbol]]:
    """The buckets there can be, each with the decisions or steps that belong to it."""
    together = {
        (s.arguments[0].name, len(s.arguments[0].arguments)) for s in ruleset.facts("simultaneous", 1)
    }
    found: dict[Key, list[clingo.Symbol]] = defaultdict(list)
    for fact in layout.decisions:
        role, decision = fact.arguments
        name = decision.name, len(decision.arguments)
        found[Key(*name, TOGETHER if name in together else symbols.text(role))].append(fact)
    for fact in layout.steps:
        found[Key(fact.arguments[0].name, len(fact.arguments[0].arguments), STEP)].append(fact)
    return dict(found)


class Legality:
    """A bucket's decision, of which it is said what is legal.

    Attributes:
        ruleset: The rules, those that read sets by their parts where actions name any.
        layout: How positions lie in rows.
        key: The bucket.
        circuit: The circuit of all of its programs.
        pending: The decisions or steps that belong to it.
        given: Facts that hold in all of its positions.
        possible: Those that may hold, with their groups.
        naming: The sets that actions may name; None where none does.
        picking: Who picks what, without its circuit.
        shapes: For each ticket the output of that circuit that says whether its action is legal; -1 where it names no set.
        checks: These outputs, and that for "unknown".
    """

    def __init__(self, ruleset: Ruleset, layout: Layout, key: Key) -> None:
        """Of a bucket of which nothing has been built."""
        ruleset = tested(ruleset, layout)
        self.ruleset, self.layout, self.key = ruleset, layout, key
        self.circuit = Circuit()
        pending = keys(ruleset, layout)[key]
        self.pending = pending
        self.picking = NOTHING
        self.shapes: list[int] = []
        self.checks: list[int] = []
        alone = len(pending) == 1 and key.role != TOGETHER
        self.given = [*layout.seats, *layout.counted, *(pending if alone else ())]
        outside = (DECISION, DUE)
        facts = (f for f in layout.bits if symbols.signature(f) not in outside)
        self.possible = {f: layout.group(f) for f in (*facts, *(() if alone else pending))}
        self.naming = Naming.at(ruleset, (key.name, key.arity)) if key.role != STEP else None
        if self.naming is not None:
            self.ruleset = self.naming.ruleset
            self.given += self.naming.given
            self.possible |= self.naming.inputs
        if key.role != STEP and any(
            structured(ruleset, k)
            for k in ruleset.book.kinds
            if outermost(k.decision) == (key.name, key.arity)
        ):
            raise Unsupported("its actions hold structures with too many values to be listed")

    def legal(self) -> tuple[list[clingo.Symbol], list[int], list[int]]:
        """The actions, the number of the action for each output, and the outputs with that for "unknown" at the end."""
        program = self.ruleset.legal_program([(self.key.name, self.key.arity)])
        refuse(self.layout, program.rules)
        opening = Opening(self.circuit, program, program.rules, self.given, self.possible)
        legal = opening.get(*LEGAL)
        if len(legal) > _MOST_ACTIONS:
            raise Unsupported(f"{len(legal)} actions")
        places = {role: n for n, role in enumerate(self.ruleset.roles)}
        if not all(symbols.text(a.arguments[0]) in places for a in legal):
            raise Unsupported("somebody acts who has no seat")
        named = {a: self.naming is not None and self.naming.names(self.ruleset, a) for a in legal}
        texts = {a: Naming.place(a) if named[a] else symbols.text(a.arguments[1]) for a in legal}
        order = sorted(legal, key=lambda a: (places[symbols.text(a.arguments[0])], texts[a]))
        in_order((atom, named[atom]) for atom in order)
        unknown = [opening.beyond_limits(), *opening.get(*TOO_MANY).values(), *self._stuck(legal, named)]
        heavier = self._weights(unknown) if self.key.role == CHANCE else {}
        more = self._picked(opening, named)
        reading = self.circuit.reading(self.circuit.inputs[f] for f in self.sets if f in self.circuit.inputs)
        tickets: list[int] = []
        outputs: list[int] = []
        for n, atom in enumerate(order):
            if named[atom]:
                self.shapes.append(len(self.checks))
                self.checks.append(legal[atom])
                tickets, outputs = [*tickets, n], [*outputs, FALSE]
                continue
            if legal[atom] >> 1 in reading:
                raise Unsupported("what is legal depends on a set that another action names")
            its = heavier.get(atom.arguments[1], [])
            tickets += [n] * (1 + len(its))
            self.shapes += [-1] * (1 + len(its))
            outputs += [legal[atom], *(self.circuit.conj([legal[atom], one]) for one in its)]
        self.checks.append(self.circuit.disj([x for x in unknown if x >> 1 in reading]))
        known = [x for x in unknown if x >> 1 not in reading]
        return order, tickets, [*outputs, self.circuit.disj(known), *more]

    @property
    def sets(self) -> Iterable[clingo.Symbol]:
        """What says which sets are named."""
        return self.naming.inputs if self.naming is not None else ()

    def _decides(self, role: clingo.Symbol) -> int:
        """Whether a role has to decide."""
        its = [f for f in self.pending if f.arguments[0] == role]
        return self.circuit.disj([TRUE if f in self.given else self.circuit.input(f) for f in its])

    def _picked(self, opening: Opening, named: dict[clingo.Symbol, bool]) -> list[int]:
        """The outputs that say who can pick what."""
        if self.naming is None or not any(named.values()):
            return []
        if self.key.role == CHANCE:
            raise Unsupported("chance names a set")
        decides = {atom.arguments[0]: self._decides(atom.arguments[0]) for atom in named}
        pickable = opening.get(*PICKABLE)
        self.picking, outputs = self.naming.picking(
            self.circuit, named, pickable, decides, self.ruleset.roles
        )
        return outputs

    def _stuck(self, legal: dict[clingo.Symbol, int], named: dict[clingo.Symbol, bool]) -> Iterator[int]:
        """Whether somebody has to decide and nothing is legal; not of those who may name sets."""
        some: dict[clingo.Symbol, list[int]] = defaultdict(list)
        for atom, literal in legal.items():
            some[atom.arguments[0]].append(TRUE if named[atom] else literal)
        for role in dict.fromkeys(fact.arguments[0] for fact in self.pending):
            yield self.circuit.conj([self._decides(role), self.circuit.disj(some[role]) ^ 1])

    def _weights(self, unknown: list[int]) -> dict[clingo.Symbol, list[int]]:
        """For each action of chance whether it weighs at least 2, at least 3, and so on."""
        program = self.ruleset.weight_program
        if program is None:
            return {}
        refuse(self.layout, program.rules)
        opening = Opening(self.circuit, program, program.rules, self.given, self.possible)
        unknown.append(opening.beyond_limits())
        weights: dict[clingo.Symbol, dict[int, int]] = defaultdict(dict)
        for atom, literal in opening.get(*WEIGHT).items():
            action, number = atom.arguments
            if number.type is not clingo.SymbolType.Number or number.number > _HEAVIEST:
                raise Unsupported(f"the weight {number}")
            if number.number > 0:  # others count as if none were given
                weights[action][number.number] = literal
        found = {}
        for action, by_number in weights.items():
            unknown.append(self.circuit.several(by_number.values()))
            found[action] = [
                self.circuit.disj([literal for n, literal in by_number.items() if n >= least])
                for least in range(2, max(by_number) + 1)
            ]
        return found


def refuse(layout: Layout, rules: Iterable[Rule]) -> None:
    """Unsupported where rules read a number that lies beside the circuit, but for those that add to it."""
    for rule in rules:
        counted = rule.file == "generated" and any(a.name == "change" for a in rule.positive)
        for atom in (*rule.positive, *rule.negative, *rule.inner):
            if atom.signature in layout.endless and not counted:
                raise Unsupported(f"{rule.file}:{rule.line} reads {atom.name}")
