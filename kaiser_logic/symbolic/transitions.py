"""The transitions of a game: kinds of action that are decided together, and steps that happen by themselves."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from ..engine import symbols
from ..game import Game
from ..rules.pattern import Pattern, canonical, show
from ..rules.rulebook import ActionKind
from .domains import Domains


@dataclass(frozen=True)
class Task:
    """One transition to be examined: kinds of action that are decided together, or a step."""

    label: str
    kinds: tuple[ActionKind, ...] = ()
    step: Pattern | None = None


def tasks(game: Game, sorts: Domains) -> list[Task]:
    """All transitions."""
    together = {symbols.text(s.arguments[0]) for s in game.ruleset.facts("simultaneous", 1)}
    decisions = (symbols.value_pattern(f.arguments[1]) for f in sorts.fluents if f.name == "decision")
    possible = set(map(functor, decisions))
    found = []
    for name, group in groupby(game.book.kinds, key=lambda k: functor(k.decision)):
        kinds = tuple(group)
        if name not in possible:
            continue
        if name in together:
            found.append(Task(name, kinds))
        else:
            found += [Task(_label(game, k), (k,)) for k in kinds]
    steps: dict[str, Pattern] = {}
    for s in game.ruleset.facts("step", 1):
        step = s.arguments[0]
        args = tuple(("v", f"S{k}") for k in range(len(step.arguments)))
        steps.setdefault(step.name, ("f", step.name, args) if args else ("c", step.name))
    return found + [Task(f"step {name}", (), pattern) for name, pattern in steps.items()]


def functor(pattern: Pattern) -> str:
    """The name that the pattern of a function term or a constant begins with."""
    return str(pattern[1])


def _label(game: Game, kind: ActionKind) -> str:
    """The action's pattern, with its decision where other decisions have such an action too."""
    shape = canonical((kind.action,))
    alike = [k for k in game.book.kinds if canonical((k.action,)) == shape]
    return show(kind.action) + (f" at {functor(kind.decision)}" if len(alike) > 1 else "")
