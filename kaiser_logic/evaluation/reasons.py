"""What is found out about a violation before it is said."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

import clingo

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
            what the variables stand for where the condition holds; under no predicate where there is no instance.
        failed: Whether finding it out has failed; nothing is known then.
    """

    because: set[clingo.Symbol] = field(default_factory=set)
    absent: set[clingo.Symbol] = field(default_factory=set)
    instances: list[Found] = field(default_factory=list)
    told: dict[tuple[int, str], list[Binding]] = field(default_factory=dict)
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
