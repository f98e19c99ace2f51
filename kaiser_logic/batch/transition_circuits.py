"""The circuits of a transition: a kind of decision of one role, or of several at the same time, or a kind of step.

They are plain data: numbers and texts. :mod:`.building` makes them and :mod:`.circuit_store` stores them. Code that runs them
calls :meth:`TransitionCircuits.check` first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

import numpy as np

from .. import clingo
from ..engine import symbols
from ..engine.open_sets import Sets, opened
from ..engine.ruleset import Ruleset
from ..engine.sets import naming_kinds, parts, sets_in
from ..lang.terms import Signature
from ..lang.unification import functor
from .bits import FALSE, Circuit, Group
from .gates import Gates, Numbers, Unsupported, numbers_of, require, require_range, table_of

STEP: Final = "step"
"""In place of a role, for a kind of step."""
NEXT: Final = 16
"""The number of outputs of the circuit of effects that say what is pending afterwards."""
MOST_ADDED: Final = 10_000
"""The largest amount by which a transition changes a number beside the bits."""
SIMULTANEOUS: Final = "together"
"""In place of a role, if several roles decide at the same time."""


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
class SetChoices:
    """Sets that actions of a transition name.

    Such an action has a name in place of its set, and its output of ``legal`` is false. After the output for "unknown",
    ``legal`` has outputs that say who decides, and how many copies of each thing each role can pick.

    Attributes:
        set_checks: For each entry the output of ``sets`` that says whether its action is legal with the set; -1 if it names
            none.
        sets: The circuit that says which sets are legal.
        set_roles: A row for each role that can name one: the index of the role, the output that says whether it decides
            (counted from the one after "unknown"), its first element and the one after its last.
        elements: A row for each role and thing, in order: the largest number of copies; the first of the inputs that say that
            there is one copy, two copies and so on; the first of the outputs that say that there can be as many.
        options: Pairs of the index of a thing and a number of copies, in the order of their texts.
        most: The largest number of sets that are listed. If a role can pick more, the result is unknown.
    """

    set_checks: Numbers
    sets: Gates
    set_roles: Numbers
    elements: Numbers
    options: Numbers
    most: int

    @property
    def more(self) -> int:
        """The number of additional outputs of ``legal``."""
        return len(self.set_roles) + int(self.elements[:, 0].sum())

    def check(self, inputs: int, action_inputs: int, entries: int, roles: int) -> None:
        """Checks every index, given the numbers of inputs, action inputs, entries and roles."""
        require(len(self.set_checks) == entries and 0 <= self.most <= 1_000_000)
        checks = int((self.set_checks >= 0).sum())
        require_range(self.set_checks, -1, max(checks, 1))
        self.sets.check(inputs, checks)
        for array, width in ((self.set_roles, 4), (self.elements, 3), (self.options, 2)):
            require(array.shape[1:] == (width,))
        require_range(self.elements[:, 0], 1, 250)
        require_range(self.set_roles[:, 0], 0, roles)
        require_range(self.set_roles[:, 1], 0, self.more)
        require_range(self.set_roles[:, 2:], 0, len(self.elements) + 1)
        things = np.diff(self.set_roles[:, 2:], axis=1)
        require(bool((things == (things[:1] if len(things) else 0)).all()) and bool((things >= 0).all()))
        require(
            not len(self.elements)
            or bool((self.elements[:, 1] >= 0).all() and (self.elements[:, 2] >= 0).all())
        )
        require_range(self.elements[:, 1] + self.elements[:, 0], 0, action_inputs + 1)
        require_range(self.elements[:, 2] + self.elements[:, 0], 0, self.more + 1)
        require_range(self.options[:, 0], 0, int(things.max()) if things.size else 0)
        require_range(self.options[:, 1], 1, 1_000)


NO_SETS: Final = SetChoices(
    numbers_of([]),
    Gates(table_of([], 3), numbers_of([0]), table_of([], 2), numbers_of([0]), 0, 1),
    table_of([], 4),
    table_of([], 3),
    table_of([], 2),
    0,
)
"""No sets."""


@dataclass(frozen=True)
class TransitionCircuits:
    """The circuits of a transition.

    The inputs of the programs are the bits of a position, in the order of ``inputs``, and then the action inputs.

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
        effects: The circuit that says what changes. After ``changed`` and ``added`` come `NEXT` outputs. All but the last are a
            binary number, the lowest bit first: 0 if nothing is pending afterwards, or one more than the number of its key.
            The last says that several are pending.
        changed: The bits that the outputs of ``effects`` set, in increasing order.
        added: For each of the next outputs: the index of a number beside the bits, and the amount that is added to it.
        set_choices: The sets that actions name.
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
    set_choices: SetChoices

    @property
    def picks(self) -> bool:
        """Whether actions name sets."""
        return bool(len(self.set_choices.set_roles))

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
        first = len(self.inputs) + self.action_inputs
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
        self.set_choices.check(first, self.action_inputs, len(self.entries), len(roles))
        self.legal.check(first, len(self.entries) + self.set_choices.more)
        self.effects.check(first, len(self.changed) + len(self.added) + NEXT)
        require(self.added.shape[1:] == (2,))
        require_range(self.added[:, 0], 0, numbers)
        require_range(self.added[:, 1], -MOST_ADDED, MOST_ADDED + 1)
        places = [roles.index(role) for role, _ in self.actions if role in roles]
        require(len(places) == len(self.actions) and places == sorted(places))

    def as_arrays(self) -> dict[str, Any]:
        """The circuits as named arrays."""
        said = [str(self.key), *(f"{role} {action}" for role, action in self.actions)]
        programs = {"legal": self.legal, "effects": self.effects, "sets": self.set_choices.sets}
        sizes = [
            self.action_inputs,
            self.set_choices.most,
            *(n for p in programs.values() for n in (p.inputs, p.slots)),
        ]
        return {
            "text": np.frombuffer("\n".join(said).encode(), np.uint8),
            "sizes": np.array(sizes, np.int32),
            **{name: getattr(self, name) for name in _ARRAYS},
            **{name: getattr(self.set_choices, name) for name in _PICKED},
            **{f"{name}_{part}": getattr(p, part) for name, p in programs.items() for part in _PARTS},
        }

    @classmethod
    def from_arrays(cls, key: TransitionKey, arrays: Mapping[str, Any]) -> TransitionCircuits:
        """The circuits of named arrays, which may contain anything; raises InvalidData if they are not circuits."""
        first, *lines = bytes(arrays["text"]).decode().split("\n")
        require(first == str(key) and len(arrays["sizes"]) == 2 + 2 * len(_PROGRAMS))
        action_inputs, most, *sizes = (int(n) for n in arrays["sizes"])
        pairs = [line.partition(" ") for line in lines]
        names = [*_ARRAYS, *_PICKED, *(f"{name}_{part}" for name in _PROGRAMS for part in _PARTS)]
        found = {name: arrays[name] for name in names}
        for name, array in found.items():
            require(
                array.dtype == np.int32
                and array.ndim == (1 if name.endswith(("_outputs", "_ends")) or name in _FLAT else 2)
            )
        programs = {
            name: Gates(inputs=inputs, slots=slots, **{part: found[f"{name}_{part}"] for part in _PARTS})
            for name, inputs, slots in zip(_PROGRAMS, sizes[::2], sizes[1::2], strict=True)
        }
        return cls(
            key,
            actions=tuple((role, action) for role, _, action in pairs),
            action_inputs=action_inputs,
            legal=programs["legal"],
            effects=programs["effects"],
            set_choices=SetChoices(
                sets=programs["sets"], most=most, **{name: found[name] for name in _PICKED}
            ),
            **{name: found[name] for name in _ARRAYS},
        )


_PROGRAMS: Final = ("legal", "effects", "sets")
_PARTS: Final = ("gates", "ends", "states", "outputs")
_FLAT: Final = {"pending", "inputs", "decisions", "entries", "changed", "set_checks"}
_ARRAYS: Final = ("pending", "inputs", "decisions", "entries", "done", "changed", "added")
_PICKED: Final = ("set_checks", "set_roles", "elements", "options")


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
        roles: The roles that can name a set.
        things: The elements in their order, each with the largest number of copies.
        most: The largest number of sets that are listed.
    """

    ruleset: Ruleset
    kinds: frozenset[int]
    roles: tuple[clingo.Symbol, ...]
    things: tuple[tuple[clingo.Symbol, int], ...]
    most: int

    @classmethod
    def at(cls, ruleset: Ruleset, decision: Signature) -> SetInputs | None:
        """The sets that can be named at a kind of decision; None if no action names one there."""
        kinds = [k.index for k in naming_kinds(ruleset.book) if functor(k.decision) == decision]
        if not kinds:
            return None
        stated = sorted((s.arguments for s in ruleset.facts("thing", 3)), key=lambda s: s[1].number)
        things = tuple((thing, number.number) for thing, _, number in stated)
        most = [s.arguments[0].number for s in ruleset.facts("most_sets", 1)]
        if len(most) != 1 or len({t for t, _ in things}) < len(things) or any(n < 1 for _, n in things):
            raise Unsupported("what sets are made of is not said once for all")
        rules = opened(ruleset)
        return cls(rules, frozenset(kinds), tuple(Sets(rules).roles), things, most[0])

    @property
    def given(self) -> list[clingo.Symbol]:
        """The facts ``stand_in(Name,Role)`` that programs read."""
        return [clingo.Function("stand_in", [name_of(role), role]) for role in self.roles]

    @property
    def inputs(self) -> dict[clingo.Symbol, Group | None]:
        """The inputs with their groups, by role, thing and number."""
        return {
            self._chosen(role, thing, n): (("chosen", role, thing), clingo.Number(n))
            for role in self.roles
            for thing, most in self.things
            for n in range(1, most + 1)
        }

    @staticmethod
    def _chosen(role: clingo.Symbol, thing: clingo.Symbol, number: int) -> clingo.Symbol:
        return clingo.Function("chosen", [name_of(role), thing, clingo.Number(number)])

    def names(self, ruleset: Ruleset, atom: clingo.Symbol) -> bool:
        """Whether an action, as legal/2, names a set.

        Raises:
            Unsupported: It names a set in another place than the last, or a certain set.
        """
        role, action = atom.arguments
        own = name_of(role)
        kind = ruleset.kind(action)
        its = [a for a in action.arguments if a == own]
        if kind is None or not {k.index for k in ruleset.alike(kind)} & self.kinds:
            if its:
                raise Unsupported(f"{action} names a set")
            return False
        if len(its) != 1 or action.arguments[-1] != own or sets_in(action):
            raise Unsupported(f"{action} does not end with one set that can be any")
        return True

    @staticmethod
    def place(atom: clingo.Symbol) -> str:
        """The text by which an action that names a set is sorted among the others: that with the first of all sets."""
        action = atom.arguments[1]
        return symbols.text(clingo.Function(action.name, [*action.arguments[:-1], clingo.Function("none")]))

    def choices(
        self,
        circuit: Circuit,
        named: Mapping[clingo.Symbol, bool],
        pickable: Mapping[clingo.Symbol, int],
        decides: Mapping[clingo.Symbol, int],
        roles: Sequence[str],
    ) -> tuple[SetChoices, list[int]]:
        """The sets that roles can pick, and the outputs that say so.

        Its checks and its circuit are still empty; the inputs of its elements are the places among `inputs`.

        Args:
            circuit: The circuit.
            named: The actions, as legal/2, each with whether it names a set.
            pickable: The literal of each pickable/3.
            decides: For each role the literal that it decides.
            roles: All roles, in their order.
        """
        outputs: list[int] = []
        set_roles: list[list[int]] = []
        elements: list[list[int]] = []
        at = {fact: n for n, fact in enumerate(self.inputs)}
        set_choices = {atom.arguments[0] for atom, its in named.items() if its}
        for role in sorted(set_choices, key=lambda r: roles.index(symbols.text(r))):
            outputs.append(decides.get(role, FALSE))
            set_roles.append([roles.index(symbols.text(role)), len(outputs) - 1, len(elements), 0])
            for thing, most in self.things:
                elements.append([most, at[self._chosen(role, thing, 1)], len(outputs)])
                outputs += [
                    pickable.get(clingo.Function("pickable", [role, thing, clingo.Number(n)]), FALSE)
                    for n in range(1, most + 1)
                ]
            set_roles[-1][3] = len(elements)
        reading = circuit.reading(circuit.inputs[f] for f in self.inputs if f in circuit.inputs)
        if any(x >> 1 in reading for x in outputs):
            raise Unsupported("what can be picked depends on what is picked")
        options = sorted(
            (f"{n},{symbols.text(thing)},", place, n)
            for place, (thing, most) in enumerate(self.things)
            for n in range(1, most + 1)
        )
        found = [[place, n] for _, place, n in options]
        return (
            replace(
                NO_SETS,
                set_roles=table_of(set_roles, 4),
                elements=table_of(elements, 3),
                options=table_of(found, 2),
                most=self.most,
            ),
            outputs,
        )


def shifted(elements: Numbers, places: Sequence[int]) -> Numbers:
    """The elements with the final places of their inputs."""
    found = elements.copy()
    found[:, 1] = [places[k] for k in elements[:, 1]]
    return found


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
    for its in by_role.values():
        if any(last >= first for (_, last), (first, _) in pairwise(its)):
            raise Unsupported("sets of several actions are mixed up in the order of texts")


def split_set(
    action: clingo.Symbol, things: Mapping[clingo.Symbol, int], role: str
) -> tuple[str, dict[int, int]]:
    """Splits an action that names a set.

    Returns:
        The text of the action with the role's constant in place of its set, empty if it names none; and the number of
        copies of each thing, by the index of the thing.
    """
    term = action.arguments[-1] if action.arguments else action
    found = parts(term)
    if not action.arguments or (not found and term.name != "none") or any(c not in things for c, _ in found):
        return "", {}
    owner = clingo.Function(action.name, [*action.arguments[:-1], name_of(clingo.Function(role))])
    return symbols.text(owner), {things[c]: n.number for c, n in found}
