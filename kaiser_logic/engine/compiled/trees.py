"""What a rule's text is taken apart into: terms and literals.

Terms are tuples: ``("num", 3)``, ``("const", "red")``, ``("str", "why")``, ``("var", "R")``, ``("any",)``, ``("fun", name,
terms)`` (an empty name for a tuple), ``("op", sign, left, right)``, ``("range", from, to)``, ``("pool", terms)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias, Union

Tree: TypeAlias = tuple[Any, ...]


# Literals are never changed. They are not frozen, as rules are not, and are compared but never looked up: both would take
# the process time.


@dataclass
class Predicate:
    """An atom: name and arguments."""

    name: str
    args: tuple[Tree, ...]
    sign: int = 0


@dataclass
class Comparison:
    """A comparison: a term, and what it is compared with in turn."""

    left: Tree
    guards: tuple[tuple[str, Tree], ...]
    sign: int = 0


@dataclass
class Truth:
    """``#true`` or ``#false``."""

    holds: bool
    sign: int = 0


@dataclass
class Conditional:
    """A literal that must hold wherever its condition does."""

    literal: Literal
    condition: tuple[Literal, ...]
    sign: int = 0


@dataclass
class Aggregate:
    """An aggregate: its function, its elements (terms and condition), and what its value is compared with."""

    function: str
    elements: tuple[tuple[tuple[Tree, ...], tuple[Literal, ...]], ...]
    guards: tuple[tuple[str, Tree], ...]
    sign: int = 0


Literal: TypeAlias = Union[Predicate, Comparison, Truth, Conditional, Aggregate, "Alternatives"]


@dataclass
class Alternatives:
    """A pool of atoms, of which one suffices."""

    among: tuple[Predicate, ...]
    sign: int = 0


@dataclass
class Parsed:
    """A rule: the atoms of its head, and its body; whether there are pools, and whether there can be ranges."""

    heads: tuple[Predicate, ...]
    body: tuple[Literal, ...]
    pooled: bool = False
    ranged: bool = True


def variables(tree: Any) -> list[str]:
    """The variables of a term, of a literal, or of several, as often as they occur."""
    found: list[str] = []
    pending = [tree]
    while pending:
        item = pending.pop()
        if not isinstance(item, tuple):
            item = vars(item).values()
        elif len(item) == 2 and item[0] == "var" and isinstance(item[1], str):
            found.append(item[1])
            continue
        pending += [part for part in item if not isinstance(part, (str, int))]
    return found
