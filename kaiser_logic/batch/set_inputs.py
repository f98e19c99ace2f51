"""Sets that actions name, as inputs of a circuit: for each role, thing and number whether so many of it are in the set.

The rules are those of the open reading (``asp/engine/open_sets.lp``): an action has a name in the place of its set, and the
rules read the set by its parts. So an action is legal or not as a function of these inputs, however many sets there are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.open_sets import Sets, opened
from ..engine.ruleset import Ruleset
from ..engine.sets import naming_kinds, parts, sets_in
from ..lang.terms import Signature
from ..lang.unification import functor
from .bits import FALSE, Circuit, Group
from .gates import Numbers, table_of
from .ground_circuit import Unsupported
from .transition_circuits import NO_SETS, SetChoices

_NAME: Final = "set_of"


def name_of(role: clingo.Symbol) -> clingo.Symbol:
    """The constant that takes the place of a set that a role names."""
    return clingo.Function(_NAME, [role])


@dataclass(frozen=True)
class SetInputs:
    """Sets that can be named at a decision.

    Attributes:
        ruleset: The rules that read them by their parts.
        kinds: The kinds of action that name one.
        roles: Who can name one.
        things: What they are made of, in their order, each with the most copies.
        most: So many sets are listed at most.
    """

    ruleset: Ruleset
    kinds: frozenset[int]
    roles: tuple[clingo.Symbol, ...]
    things: tuple[tuple[clingo.Symbol, int], ...]
    most: int

    @classmethod
    def at(cls, ruleset: Ruleset, decision: Signature) -> SetInputs | None:
        """The sets that can be named at a kind of decision; None where no action names one there."""
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
            Unsupported: It names it elsewhere than at its end, or a certain one.
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
        """The text by which an action that names a set stands among the others: that with the first of all sets."""
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
        """Who picks how many of what, and the outputs that say so.

        Its checks and its circuit are still empty; the inputs of its elements are the places among `inputs`.

        Args:
            circuit: The circuit.
            named: The actions, as legal/2, each with whether it names a set.
            pickable: Of each pickable/3 whether it holds.
            decides: Of each role whether it decides.
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
    """The elements with the places that their inputs have in the end."""
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
        The text of the action with the role's constant in the place of its set, empty where it names none; and the number of
        copies of each thing, by the index of the thing.
    """
    term = action.arguments[-1] if action.arguments else action
    found = parts(term)
    if not action.arguments or (not found and term.name != "none") or any(c not in things for c, _ in found):
        return "", {}
    owner = clingo.Function(action.name, [*action.arguments[:-1], name_of(clingo.Function(role))])
    return symbols.text(owner), {things[c]: n.number for c, n in found}
