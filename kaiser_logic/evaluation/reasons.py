"""What is found out about a violation before it is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.grounding import Grounding
from ..transform.magic_sets import Instance
from .verdict import Breach

Binding: TypeAlias = dict[str, clingo.Symbol]
"""What variables stand for."""


@dataclass
class Reasons:
    """What was found out about one violation.

    Attributes:
        because: The facts that make it true.
        absent: Facts that would have to hold, ``_any`` in them standing for anything.
        instances: The instances of rules that lead to it.
        told: For each sentence with a condition (its place among the rule's sentences) and each predicate of instances
            the ways in which the condition holds; under no predicate where there is no instance.
        failed: Whether finding it out has failed; nothing is known then.
    """

    because: set[clingo.Symbol] = field(default_factory=set)
    absent: set[clingo.Symbol] = field(default_factory=set)
    instances: list[Found] = field(default_factory=list)
    told: dict[tuple[int, str], list[Way]] = field(default_factory=dict)
    failed: bool = False


@dataclass(frozen=True)
class Found:
    """An instance of a rule that leads to a violation.

    Attributes:
        rank: How far it is from the violated rule: 0 for the rule itself, then by how little its head says.
        name: The predicate of such instances.
        binding: What the rule's variables stand for.
    """

    rank: tuple[int, int]
    name: str
    binding: Binding


@dataclass(frozen=True)
class Way:
    """A way in which the condition of a sentence holds.

    Attributes:
        binding: What its variables stand for, and those of the rule that it is about.
        because: The facts that make it hold: a part of the reason only where the sentence is said.
    """

    binding: Binding
    because: set[clingo.Symbol] = field(default_factory=set)


def bind(
    instance: Instance, grounding: Grounding, violations: Sequence[Breach], found: Sequence[Reasons]
) -> None:
    """Notes what the variables of a rule stand for where it has a part in a violation."""
    for atom in grounding.get(instance.name, len(instance.variables) + 2):
        number, level, *values = atom.arguments
        if level.number != 1:
            continue
        binding = dict(zip(instance.variables, values, strict=True))
        id = violations[number.number][2]
        if instance.last == f'"{id}"':
            rank = (0, -instance.detail)
        elif instance.last in binding and symbols.text(binding[instance.last]) == id:
            rank = (1 if instance.predicate == "violates" else 2, 0)
        else:
            continue
        found[number.number].instances.append(Found(rank, instance.name, binding))
