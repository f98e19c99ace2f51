"""Structures that actions hold, as inputs of a circuit: for each of their parts which value it has.

Where an argument of an action is a structure with too many values to be listed, the action stands among the others once for
each way to choose its other arguments, its *shape*, with a name in the place of the structure. Whether it is legal is a
function of the parts: that of the open reading, with the enumeration followed for the one action that is done
(:mod:`..transform.following`). Which structures have to be looked at in a position is said by a circuit of its own, of the
enumeration weakened (:mod:`..transform.relaxing`): more than are legal, never fewer.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.grounding import Program
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..rules.fresh import argument
from ..rules.pattern import Signature, outermost, substitute, unify, variables
from ..rules.predicates import CANDIDATE, LEGAL, TOO_MANY
from ..rules.reader import rule_of
from ..rules.rule import Rule
from ..rules.rulebook import ActionKind
from ..symbolic.domains import structured
from ..transform.action_splitting import numbered
from ..transform.relaxing import SHAPE, STRUCTURE, Relaxed, relaxed
from .asking import Line, asked, entangled, reaching
from .bits import Circuit, Group
from .cofactors import cofactors
from .doing import ARGUMENT, DOES
from .opening import Opening, Unsupported
from .parted import Parted

_NAME: Final = "structure_of"
_MOST: Final = 20_000
"""Of more structures, or shapes, no circuit is made."""


def structure_of(role: clingo.Symbol) -> clingo.Symbol:
    """What stands in the place of a structure in a role's action."""
    return clingo.Function(_NAME, [role])


@dataclass(frozen=True)
class Parting:
    """The actions of one kind, whose structures are looked at by their parts.

    Attributes:
        ruleset: The rules.
        kind: The kind.
        role: Who acts.
        place: The place of the structure among the arguments of the action.
        others: The rules for what is legal, without those that list actions of this kind.
        lists: What is listed, weakened.
        lines: The rules for what is legal, asked for the one action that is done, with what has become of them.
        legal: The predicates, of the role, that hold where it is legal.
    """

    ruleset: Ruleset
    kind: ActionKind
    role: clingo.Symbol
    place: int
    others: tuple[Rule, ...]
    lists: tuple[Relaxed, ...]
    lines: tuple[Line, ...]
    legal: tuple[str, str]

    @classmethod
    def at(cls, ruleset: Ruleset, decision: Signature, role: clingo.Symbol) -> Parting | None:
        """Of a role's decision; None where no action holds a structure with many values, or one that is not looked at so."""
        kinds = [k for k in ruleset.book.kinds if outermost(k.decision) == decision]
        kind = next((k for k in kinds if structured(ruleset, k)), None)
        if kind is None:
            return None
        held = [i for i, a in enumerate(kind.action[2]) if a[0] == "f"]
        alike = [k for k in kinds if outermost(k.action) in (outermost(kind.action), None)]
        program = ruleset.legal_program([decision])
        lists = [r for r in program.rules if any(h.signature == CANDIDATE for h in r.heads)]
        own = [r for r in lists if any(unify(h.args[1], kind.action, {}) is not None for h in r.heads)]
        plain = all(
            len(r.heads) == 1 and outermost(r.heads[0].args[1]) == outermost(kind.action) for r in own
        )
        if len(held) != 1 or len(alike) != 1 or not own or not plain or entangled(ruleset, program.rules):
            return None
        weak = [relaxed(r, held[0], str(n)) for n, r in enumerate(own)]
        rest = reaching(((r, r.text) for r in program.rules if r not in own), {LEGAL, TOO_MANY})
        others = tuple(r for r, _ in rest)
        try:
            lines, legal = asked(ruleset, program, kind, own)
        except NotDecided:
            return None
        found = tuple(x for x in weak if x is not None)
        return (
            cls(ruleset, kind, role, held[0], others, found, lines, legal)
            if len(found) == len(weak)
            else None
        )

    # -- names ---------------------------------------------------------------------------------------------------------------

    @property
    def name(self) -> clingo.Symbol:
        """What stands in the place of the structure."""
        return structure_of(self.role)

    @cached_property
    def arguments(self) -> tuple[list[int], list[int]]:
        """The numbers of the action's arguments that are not the structure's, and of those that are."""
        action, _, count = numbered(self.kind)
        parts = [int(v.removeprefix("A_")) for v in variables((action[2][self.place],))]
        return [k for k in range(count) if k not in parts], parts

    def action(self, rest: Sequence[clingo.Symbol], structure: clingo.Symbol) -> clingo.Symbol:
        """An action by its other arguments and the structure."""
        return clingo.Function(self.kind.action[1], [*rest[: self.place], structure, *rest[self.place :]])

    def values(self, action: clingo.Symbol) -> list[clingo.Symbol]:
        """The values of an action's arguments.

        Raises:
            Unsupported: It is not of this kind.
        """
        pattern, _, count = numbered(self.kind)
        binding = unify(pattern, symbols.value_pattern(action), {})
        if binding is None:
            raise Unsupported(f"{action} is listed, and not in the vocabulary")
        return [symbols.ground(substitute(("v", argument(k)), binding)) for k in range(count)]

    def chosen(self, argument: int, value: clingo.Symbol) -> tuple[clingo.Symbol, Group]:
        """The input that says that an argument has a value, with its group."""
        place = [self.role, clingo.Number(self.kind.index), clingo.Number(argument)]
        return clingo.Function(ARGUMENT[0], [*place, value]), (("arg", *place), value)

    def blocks(self, ordered: Sequence[clingo.Symbol]) -> list[list[int]]:
        """Actions that differ in what follows the structure only: from and to before which place.

        Args:
            ordered: The actions, as legal/2, in the order of their texts, with a name in the place of the structure.

        Raises:
            Unsupported: With structures they would be in another order.
        """
        texts = [symbols.text(atom.arguments[1]) for atom in ordered]
        starts = [
            t[: t.index(symbols.text(self.name))] if symbols.text(self.name) in t else "" for t in texts
        ]
        found: list[list[int]] = []
        for place, start in enumerate(starts):
            if start and place and starts[place - 1] == start:
                found[-1][1] = place + 1
            elif start:
                found.append([place, place + 1])
        for first, end in found:
            if any(t.startswith(starts[first]) for t in (*texts[:first], *texts[end:])):
                raise Unsupported("structures of several actions are mixed up in the order of texts")
        return found

    # -- circuits ------------------------------------------------------------------------------------------------------------

    def parted(
        self, circuit: Circuit, given: Sequence[clingo.Symbol], possible: Mapping[clingo.Symbol, Group | None]
    ) -> Parted:
        """Which structures come into question, and which actions are legal with them.

        Args:
            circuit: The circuit; grows.
            given: The facts that hold.
            possible: Those that may hold, with their groups.

        Raises:
            Unsupported: There are too many.
        """
        unknown: list[int] = []
        shapes, structures = (
            self._listed(circuit, given, possible, [x.shapes for x in self.lists], SHAPE, unknown),
            self._listed(
                circuit, given, possible, [t for x in self.lists for t in x.structures], STRUCTURE, unknown
            ),
        )
        texts = {s.arguments[1]: literal for s, literal in structures.items() if s.arguments[0] == self.role}
        ordered = sorted(texts, key=symbols.text)
        rests = [s.arguments[1:] for s in shapes if s.arguments[0] == self.role]
        if not ordered or not rests or len(rests) < len(shapes) or len(ordered) < len(structures):
            raise Unsupported("nobody, or somebody else, could do an action with a structure")
        if max(len(ordered), len(rests)) > _MOST:
            raise Unsupported(f"{len(ordered)} structures and {len(rests)} actions that hold one")
        others, parts = self.arguments
        named = {self.action(rest, self.name): self.values(self.action(rest, ordered[0])) for rest in rests}
        held = {s: self.values(self.action(rests[0], s)) for s in ordered}
        choices = [sorted({values[k] for values in held.values()}, key=symbols.text) for k in parts]
        inputs = dict(self.chosen(k, v) for k, its in zip(parts, choices, strict=True) for v in its)
        first = {k: sorted({values[k] for values in named.values()}, key=symbols.text) for k in others}
        whole = dict(self.chosen(k, v) for k, its in first.items() for v in its) | inputs
        does = clingo.Function(DOES[0], [self.role, clingo.Number(self.kind.index)])
        opening = self._opening(circuit, self.lines, given, {**possible, **whole, does: None})
        legal = circuit.conj([next(iter(opening.get(p, 1).values()), 0) for p in self.legal])
        unknown.append(opening.beyond_limits())
        read = circuit.inputs
        named_here: list[dict[Hashable, int]] = [{True: read[does]} if does in read else {}]
        for k in others:
            its = ((v, self.chosen(k, v)[0]) for v in first[k])
            named_here.append({v: read[fact] for v, fact in its if fact in read})
        combined = {action: (True, *(values[k] for k in others)) for action, values in named.items()}
        found = cofactors(circuit, legal, named_here, combined.values())
        return Parted(
            {self._legal(a): found[values] for a, values in combined.items() if found[values]},
            [(s, texts[s]) for s in ordered],
            inputs,
            [len(its) for its in choices],
            [[its.index(held[s][k]) + 1 for k, its in zip(parts, choices, strict=True)] for s in ordered],
            unknown,
            {action: (self.kind, {k: values[k] for k in others}) for action, values in named.items()},
        )

    def _legal(self, action: clingo.Symbol) -> clingo.Symbol:
        return clingo.Function(LEGAL[0], [self.role, action])

    def _listed(
        self,
        circuit: Circuit,
        given: Sequence[clingo.Symbol],
        possible: Mapping[clingo.Symbol, Group | None],
        texts: Iterable[str],
        name: str,
        unknown: list[int],
    ) -> dict[clingo.Symbol, int]:
        """What a weakened enumeration can list, each with whether it does."""
        wanted = [rule_of(text) for text in texts]
        program = self.ruleset.legal_program([_signature(self.kind)])
        rules = [r for r in program.rules if all(h.signature != CANDIDATE for h in r.heads)]
        lines = reaching(
            [*((r, r.text) for r in rules), *((r, r.text) for r in wanted)], {wanted[0].heads[0].signature}
        )
        opening = self._opening(circuit, lines, given, possible)
        unknown.append(opening.beyond_limits())
        return opening.get(name, len(wanted[0].heads[0].args))

    def _opening(
        self,
        circuit: Circuit,
        lines: Sequence[Line],
        given: Sequence[clingo.Symbol],
        possible: Mapping[clingo.Symbol, Group | None],
    ) -> Opening:
        whole = self.ruleset.complete(tuple(dict.fromkeys(r for r, _ in lines)))
        program = Program(whole.rules, whole.inputs | {DOES, ARGUMENT}, whole.static)
        texts = [rule if rule.text == line else line for rule, line in lines]
        return Opening(circuit, program, texts, given, possible)


def _signature(kind: ActionKind) -> Signature:
    found = outermost(kind.decision)
    assert found is not None
    return found
