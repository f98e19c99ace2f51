"""Programs made of encodings: told nothing that no rule of theirs reads, as most of what there is concerns other rules."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final, TypeAlias

from .. import clingo
from ..engine.ruleset import Ruleset
from ..rules.predicates import NUMBER
from .domains import Domains
from .encoding import Encoding
from .solver import Solver

_Groups: TypeAlias = Mapping[tuple[str, str], Sequence[clingo.Symbol]]
"""Facts by their predicate's name; those with a fluent for their argument by its name, too."""

_WORD: Final = re.compile(r"[a-z_]\w*")
_OF_FLUENT: Final = "wide"
_FLUENT: Final = re.compile(r"\bwide\b(?:\(([a-z_]\w*)(?:\([^()]*\))?\))?")
_SEATED: Final = "seat"
"""Part of each position, whether a rule asks for it or not."""


def solver_of(encoding: Encoding, options: Sequence[str] = ()) -> Solver:
    """The solver of an encoding's program.

    Args:
        encoding: To which nothing comes any more.
        options: The solver's.
    """
    text = encoding.text
    return Solver(text, read_facts(encoding, text), options)


def read_facts(encoding: Encoding, text: str) -> list[clingo.Symbol]:
    """Of what an encoding must be told, that of which a text says the name.

    Args:
        encoding: Of a game.
        text: Its program, and whatever is added to it.
    """
    sorts, ruleset = encoding.domains, encoding.ruleset
    words = {*_WORD.findall(text), _SEATED}
    fluents = _fluents(text)
    groups = ruleset.remember(("told", id(sorts)), lambda: (sorts, _groups(ruleset, sorts)))[1]
    told = sum(map(len, groups.values()))
    found: list[clingo.Symbol] = []
    for (name, fluent), facts in groups.items():
        if name in words and (not fluent or fluents is None or fluent in fluents):
            found += facts
    return [*found, *encoding.facts[told:]]


def _fluents(text: str) -> Collection[str] | None:
    """The fluents that a text asks for where it asks what there can be; None where that may be any."""
    found = set(_FLUENT.findall(text))
    return None if "" in found else found


def _groups(ruleset: Ruleset, sorts: Domains) -> _Groups:
    """What every encoding is told first, in groups."""
    found: dict[tuple[str, str], list[clingo.Symbol]] = {}
    for fact in sorts.facts:
        fluent = fact.arguments[0].name if fact.name == _OF_FLUENT else ""
        found.setdefault((fact.name, fluent), []).append(fact)
    found[NUMBER[0], ""] = list(ruleset.numbers)
    for (name, _), facts in ruleset.static.items():
        found.setdefault((name, ""), []).extend(facts)
    return found
