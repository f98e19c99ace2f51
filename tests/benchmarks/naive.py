"""The naive method: give all rules as text to a new control, solve, and read the whole model.

The benchmarks compare it with the engine, which uses slices, cached syntax trees and the backend, and does not search.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import clingo

from kaiser_logic.engine.ruleset import Ruleset
from kaiser_logic.position import Position


@lru_cache(maxsize=4)
def _text(rules: Ruleset) -> str:
    """All rules of the game, with those of the engine, the generated ones, and the facts of the configuration."""
    given = "".join(f"{symbol}.\n" for symbol in rules.given)
    return given + "\n".join(rule.text for rule in rules.rules)


def _model(rules: Ruleset, facts: str) -> list[clingo.Symbol]:
    control = clingo.Control(["--warn=none"])
    control.add("base", [], _text(rules))
    control.add("base", [], facts)
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        for model in handle:
            return list(model.symbols(atoms=True))
    raise AssertionError("the rules have no model")


def legal(position: Position) -> dict[str, tuple[str, ...]]:
    """All legal actions."""
    found: dict[str, list[str]] = {role: [] for role in position.to_move}
    for symbol in _model(position.ruleset, "".join(f"{fact}." for fact in position.facts)):
        if symbol.match("legal", 2):
            found[str(symbol.arguments[0])].append(str(symbol.arguments[1]))
    return {role: tuple(sorted(actions)) for role, actions in found.items()}


def judge(position: Position, submitted: Mapping[str, str]) -> set[str]:
    """The rules that the actions break."""
    facts = "".join(f"{fact}." for fact in position.facts)
    facts += "".join(f"submitted({role},{action})." for role, action in submitted.items())
    found = (s.arguments for s in _model(position.ruleset, facts) if s.match("violates", 3))
    return {rule.string for role, action, rule in found if submitted.get(str(role)) == str(action)}
