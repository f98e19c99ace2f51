"""All positions that a game can start from: one for each choice of values for its start tags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations, islice, product
from typing import Any, Final

from ..engine.configuration import Configuration
from ..engine.ruleset import Ruleset
from ..rules.pattern import Signature

_START: Final[Signature] = ("start", 2)
_INIT: Final[Signature] = ("init", 1)
_DECLARED: Final = frozenset(
    {
        *(
            "fluent",
            "action",
            "step",
            "counted",
            "stated",
            "signed",
            "unit",
            "simultaneous",
            "limit",
            "range",
        ),
        *("bound", "waived", "out_of_turn", "counts", "number", "thing", "board_fact", "board_broken"),
    }
)
"""What is read of a rulebook besides its rules: a start tag that decides it decides more than the start."""
_MOST: Final = 60
"""Where there are more starts than so many only the one that is configured is looked at."""


@dataclass(frozen=True)
class Starts:
    """The starts that a statement about all positions covers.

    Attributes:
        configurations: One for each start, the configured one first.
        covered: Which starts these are, in words.
    """

    configurations: tuple[Configuration, ...]
    covered: str


def starts(ruleset: Ruleset) -> Starts:
    """The starts of a game with these rules, edition and seats.

    Where more depends on a start tag than the position at the start, other values of it make another game: then there
    is only the configured start, and so where there are too many.
    """
    configuration = ruleset.configuration
    tags: Mapping[str, Mapping[str, Any]] = dict(ruleset.book.manifest.get("tags", {}))
    if not tags:
        return Starts((configuration,), "the start")
    only = Starts((configuration,), f"the start with {_said(configuration)} only")
    if _matters_later(ruleset):
        return only
    choices = [
        [(name.lower(), values) for values in combinations(_allowed(tag, configuration), tag.get("count", 1))]
        for name, tag in tags.items()
    ]
    found = list(islice(product(*choices), _MOST + 1))
    if len(found) > _MOST:
        return only
    others = (replace(configuration, start=tuple(sorted(tags))) for tags in found)
    return Starts(tuple(dict.fromkeys((configuration, *others))), f"every start ({', '.join(tags)})")


def _allowed(tag: Mapping[str, Any], configuration: Configuration) -> tuple[str, ...]:
    return configuration.seats if tag["values"] == "seats" else tuple(map(str, tag["values"]))


def _said(configuration: Configuration) -> str:
    return ", ".join(f"{name} {' '.join(values)}" for name, values in configuration.start)


def _matters_later(ruleset: Ruleset) -> bool:
    """Whether something else than the position at the start depends on the start tags."""
    found = {_START}
    grows = True
    while grows:
        heads = {h.signature for r in ruleset.rules if r.uses & found for h in r.heads} - {_INIT}
        grows = not heads <= found
        found |= heads
    declares = any(name in _DECLARED for name, _ in found)
    return declares or not found <= {_START, *ruleset.static}
