"""The circuits of a transition: a kind of decision of one role, or of several at the same time, or a kind of step.

They are plain data: numbers and texts. :mod:`.building` makes them and :mod:`.circuit_store` stores them. Code that runs them
calls :meth:`TransitionCircuits.check` first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..engine.sets import naming_kinds, parts, sets_in
from ..lang.unification import functor
from .bits import FALSE, CircuitBuilder, Group, Unsupported
from .gates import Gates, Numbers, require, require_range

STEP: Final = "a step"
"""In place of a role, for a kind of step. No role can have this name."""
MOST_ADDED: Final = 10_000
"""The largest amount by which a transition changes a number beside the bits."""
MOST_COPIES: Final = 250
"""The largest number of copies of a thing in a set."""
SIMULTANEOUS: Final = "all together"
"""In place of a role, if several roles decide at the same time. No role can have this name."""


@dataclass(frozen=True)
class TransitionKey:
    """The key of a transition.

    Attributes:
        name: The name of the decision or step.
        arity: Its number of arguments.
        role: The role that decides; or `SIMULTANEOUS` or `STEP`.
    """

    name: str
    arity: int
    role: str

    def __str__(self) -> str:
        """``turn/0 red``."""
        return f"{self.name}/{self.arity} {self.role}"


@dataclass(frozen=True)
class TransitionCircuits:
    """The circuits of a transition.

    The inputs of the programs are the bits of a position, in the order of ``inputs``, and then the action inputs.

    An action that names a set has a name in place of its set, and its output of ``legal`` is false. The last action inputs say,
    for each of ``set_roles`` and each thing, that there is one copy in its set, two copies and so on. After the output for
    "unknown", ``legal`` has outputs for each of ``set_roles``: that it decides; and for each thing that it can pick one
    copy, two copies and so on.

    Attributes:
        key: The transition.
        pending: The bits of its decisions or steps.
        inputs: The bits that are read, in increasing order.
        action_inputs: The number of inputs for the actions.
        actions: The possible actions, in the order of the roles and for each role by text: role and action.
        decisions: For each action the bit of the only decision to which it can belong, and belongs if that is pending; -1 if
            that is not clear.
        entries: For each output of ``legal`` the number of its action. An action of weight 3 has three outputs, so a choice
            among all outputs respects the weights. The first of them says whether the action is legal.
        legal: The circuit that says what is legal.
        done: For each action the inputs that stand for it, from 0; padded with -1.
        effects: The circuit that says what changes.
        changed: The bits that the outputs of ``effects`` set, in increasing order.
        added: For each of the next outputs: the index of a number beside the bits, and the amount that is added to it.
        set_checks: For each entry the output of ``sets`` that says whether its action is legal with the set; -1 if it names
            none.
        sets: The circuit that says which sets are legal.
        set_roles: The indices of the roles that can name a set.
        copies: For each thing, in order, the largest number of copies.
        options: Pairs of the index of a thing and a number of copies, in the order of their texts.
        most_sets: The largest number of sets that are listed. If a role can pick more, the result is unknown.
    """

    key: TransitionKey
    pending: Numbers
    inputs: Numbers
    action_inputs: int
    actions: tuple[tuple[str, str], ...]
    decisions: Numbers
    entries: Numbers
    legal: Gates
    done: Numbers
    effects: Gates
    changed: Numbers
    added: Numbers
    set_checks: Numbers
    sets: Gates
    set_roles: Numbers
    copies: Numbers
    options: Numbers
    most_sets: int

    def check(self, bits: int, control: int, numbers: int, roles: Sequence[str]) -> None:
        """Checks every index.

        Args:
            bits: The number of bits of a position.
            control: The number of bits for decisions and steps.
            numbers: The number of numbers beside the bits.
            roles: The roles that can decide, in order.

        Raises:
            InvalidData: An index is out of range.
        """
        require_range(self.pending, 0, control)
        for row in (self.inputs, self.changed):
            require_range(row, 0, bits)
            require(bool((np.diff(row) > 0).all()))
        require_range(self.entries, 0, len(self.actions))
        require(bool((np.diff(self.entries) >= 0).all()))
        require(0 <= self.action_inputs <= 1_000_000 and len(self.done) == len(self.actions))
        require_range(self.done, -1, self.action_inputs)
        require(len(self.decisions) == len(self.actions))
        require_range(self.decisions, -1, control)
        require(self.added.shape[1:] == (2,))
        require_range(self.added[:, 0], 0, numbers)
        require_range(self.added[:, 1], -MOST_ADDED, MOST_ADDED + 1)
        places = [roles.index(role) for role, _ in self.actions if role in roles]
        require(len(places) == len(self.actions) and places == sorted(places))
        require(len(self.set_checks) == len(self.entries) and 0 <= self.most_sets <= 1_000_000)
        checks = int((self.set_checks >= 0).sum())
        require_range(self.set_checks, -1, max(checks, 1))
        require_range(self.set_roles, 0, len(roles))
        require(bool((np.diff(self.set_roles) > 0).all()))
        require_range(self.copies, 1, MOST_COPIES + 1)
        picked = len(self.set_roles) * int(self.copies.sum())
        require(picked <= self.action_inputs and self.options.shape[1:] == (2,))
        require_range(self.options[:, 0], 0, len(self.copies))
        require_range(self.options[:, 1], 1, 1_000)
        first = len(self.inputs) + self.action_inputs
        self.legal.check(first, len(self.entries) + len(self.set_roles) + picked)
        self.effects.check(first, len(self.changed) + len(self.added))
        self.sets.check(first, checks)

    def as_data(self) -> dict[str, Any]:
        """The circuits as plain data: texts, numbers, and the shape and the bytes of each array."""

        def data(array: Numbers) -> tuple[tuple[int, ...], bytes]:
            return array.shape, array.tobytes()

        programs = {name: getattr(self, name) for name in _PROGRAMS}
        return {
            "actions": self.actions,
            "sizes": [self.action_inputs, self.most_sets, *(program.slots for program in programs.values())],
            **{name: data(getattr(self, name)) for name in _ARRAYS},
            **{f"{name}_{part}": data(getattr(program, part)) for name, program in programs.items() for part in _PARTS},
        }

    @classmethod
    def from_data(cls, key: TransitionKey, data: Mapping[str, Any]) -> TransitionCircuits:
        """The circuits from what `as_data` gives; :meth:`check` checks them."""

        def array(name: str) -> Numbers:
            shape, words = data[name]
            return np.frombuffer(words, np.int32).reshape(shape)

        action_inputs, most_sets, *slots = data["sizes"]
        fields: dict[str, Any] = {name: array(name) for name in _ARRAYS}
        inputs = len(fields["inputs"]) + action_inputs
        for name, size in zip(_PROGRAMS, slots, strict=True):
            parts = {part: array(f"{name}_{part}") for part in _PARTS}
            fields[name] = Gates(inputs=inputs, slots=size, **parts)
        return cls(key, actions=data["actions"], action_inputs=action_inputs, most_sets=most_sets, **fields)


_PROGRAMS: Final = ("legal", "effects", "sets")
_PARTS: Final = ("gates", "ends", "states", "outputs")
"""The arrays of a program of gates."""
_ARRAYS: Final = (
    "pending", "inputs", "decisions", "entries", "done", "changed", "added", "set_checks", "set_roles", "copies", "options"
)  # fmt: skip
"""The other arrays."""


_NAME: Final = "set_of"


def name_of(role: clingo.Symbol) -> clingo.Symbol:
    """The constant in place of a set that a role names."""
    return clingo.Function(_NAME, [role])


@dataclass(frozen=True)
class SetInputs:
    """Sets that can be named at a decision.

    Attributes:
        ruleset: The rules that read sets by their parts.
        kinds: The kinds of action that name a set.
        roles: The roles that can name a set, in their order.
        things: The elements in their order, each with the largest number of copies.
        most_sets: The largest number of sets that are listed.
    """

    ruleset: Ruleset
    kinds: frozenset[int]
    roles: tuple[clingo.Symbol, ...]
    things: tuple[tuple[clingo.Symbol, int], ...]
    most_sets: int

    @classmethod
    def at(cls, ruleset: Ruleset, key: TransitionKey) -> SetInputs | None:
        """The sets that can be named at a transition; None if no action names one there."""
        kinds = [k.index for k in naming_kinds(ruleset.book) if functor(k.decision) == (key.name, key.arity)]
        if not kinds or key.role == STEP:
            return None
        stated = sorted((s.arguments for s in ruleset.facts("thing", 3)), key=lambda s: s[1].number)
        things = tuple((thing, number.number) for thing, _, number in stated)
        most = [s.arguments[0].number for s in ruleset.facts("most_sets", 1)]
        if len(most) != 1 or len({t for t, _ in things}) < len(things) or any(n < 1 for _, n in things):
            raise Unsupported("what sets are made of is not said once for all")
        if any(n > MOST_COPIES for _, n in things):
            raise Unsupported(f"a set can have more than {MOST_COPIES} copies of a thing")
        rules = ruleset.with_open_sets()
        seats = (s.arguments[0] for s in rules.facts("seat", 2))
        able = (r for r in seats if key.role in (SIMULTANEOUS, symbols.text(r)))
        roles = sorted(able, key=lambda role: ruleset.roles.index(symbols.text(role)))
        return cls(rules, frozenset(kinds), tuple(roles), things, most[0])

    @property
    def given(self) -> list[clingo.Symbol]:
        """The facts ``stand_in(Name,Role)`` that programs read."""
        return [clingo.Function("stand_in", [name_of(role), role]) for role in self.roles]

    @property
    def inputs(self) -> dict[clingo.Symbol, Group | None]:
        """The inputs with their groups, by role, thing and number."""
        return {
            clingo.Function("chosen", [name_of(role), thing, clingo.Number(n)]): (
                ("chosen", role, thing),
                clingo.Number(n),
            )
            for role in self.roles
            for thing, most in self.things
            for n in range(1, most + 1)
        }

    def names(self, ruleset: Ruleset, atom: clingo.Symbol) -> bool:
        """Whether an action, as legal/2, names a set.

        Raises:
            Unsupported: It names a set in another place than the last, or a certain set.
        """
        role, action = atom.arguments
        own = name_of(role)
        kind = ruleset.kind(action)
        occurrences = [a for a in action.arguments if a == own]
        if kind is None or not {k.index for k in ruleset.same_actions(kind)} & self.kinds:
            if occurrences:
                raise Unsupported(f"{action} names a set")
            return False
        if len(occurrences) != 1 or action.arguments[-1] != own or sets_in(action):
            raise Unsupported(f"{action} does not end with one set that can be any")
        return True

    @staticmethod
    def place(atom: clingo.Symbol) -> str:
        """The text by which an action that names a set is sorted among the others: that with the first of all sets."""
        action = atom.arguments[1]
        return symbols.text(clingo.Function(action.name, [*action.arguments[:-1], clingo.Function("none")]))

    def outputs(
        self,
        circuit: CircuitBuilder,
        pickable: Mapping[clingo.Symbol, int],
        decides: Mapping[clingo.Symbol, int],
    ) -> list[int]:
        """The outputs that say which sets roles can pick.

        Args:
            circuit: The circuit.
            pickable: The literal of each pickable/3.
            decides: For each role that names a set the literal that it decides.
        """
        outputs: list[int] = []
        for role in self.roles:
            outputs.append(decides.get(role, FALSE))
            outputs += [
                pickable.get(clingo.Function("pickable", [role, thing, clingo.Number(n)]), FALSE)
                if role in decides
                else FALSE
                for thing, most in self.things
                for n in range(1, most + 1)
            ]
        reading = circuit.reading(circuit.inputs[f] for f in self.inputs if f in circuit.inputs)
        if any(x >> 1 in reading for x in outputs):
            raise Unsupported("what can be picked depends on what is picked")
        return outputs

    @property
    def options(self) -> list[list[int]]:
        """Pairs of the index of a thing and a number of copies, in the order of their texts."""
        ordered = sorted(
            (f"{n},{symbols.text(thing)},", place, n)
            for place, (thing, most) in enumerate(self.things)
            for n in range(1, most + 1)
        )
        return [[place, n] for _, place, n in ordered]


def in_order(ordered: Iterable[tuple[clingo.Symbol, bool]]) -> None:
    """Checks that the texts of an action with any set lie between those of its neighbours.

    Args:
        ordered: A role's actions, as legal/2, in the order of their texts, each with whether it names a set.

    Raises:
        Unsupported: They do not.
    """
    by_role: dict[clingo.Symbol, list[tuple[str, str]]] = defaultdict(list)
    for atom, names in ordered:
        first = SetInputs.place(atom) if names else symbols.text(atom.arguments[1])
        last = first[: first.rindex("none")] + "with)" if names else first
        by_role[atom.arguments[0]].append((first, last))
    for spans in by_role.values():
        if any(last >= first for (_, last), (first, _) in pairwise(spans)):
            raise Unsupported("sets of several actions are mixed up in the order of texts")


def split_set(action: clingo.Symbol, things: Mapping[clingo.Symbol, int], role: str) -> tuple[str, dict[int, int]]:
    """Splits an action that names a set.

    Returns:
        The text of the action with the role's constant in place of its set, empty if it names none; and the number of
        copies of each thing, by the index of the thing.
    """
    term = action.arguments[-1] if action.arguments else action
    elements = parts(term)
    if not action.arguments or (not elements and term.name != "none") or any(c not in things for c, _ in elements):
        return "", {}
    owner = clingo.Function(action.name, [*action.arguments[:-1], name_of(clingo.Function(role))])
    return symbols.text(owner), {things[c]: n.number for c, n in elements}
