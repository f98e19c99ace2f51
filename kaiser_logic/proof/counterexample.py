"""Counterexamples: read from a model, and played again by the evaluate reading."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import clingo

from ..engine import symbols
from ..game import Game
from ..rules.rule import Substitution, show, substitute
from ..rules.rulebook import ActionKind
from ..symbolic.open_sets import Sets, opened
from ..transform.action_splitting import numbered


@dataclass(frozen=True)
class Counterexample:
    """A position that meets the invariants, and what leads out of them.

    Attributes:
        transition: The kind of action, or the step; or what else is claimed.
        facts: The position's facts.
        actions: Who does what (empty for a step that happens by itself).
        witness: What is broken afterwards.
        replayed: Whether the evaluate reading confirms it.
    """

    transition: str
    facts: tuple[str, ...]
    actions: tuple[tuple[str, str], ...] = ()
    witness: str = ""
    replayed: bool = False


def facts_of(game: Game, model: Iterable[clingo.Symbol]) -> tuple[str, ...]:
    """The facts of a model's first position."""
    fluents = game.book.fluents
    return tuple(sorted(symbols.text(s) for s in model if symbols.signature(s) in fluents))


def actions_of(
    game: Game, kinds: Iterable[ActionKind], model: Sequence[clingo.Symbol], number: int
) -> tuple[tuple[str, str], ...]:
    """Who does what in a model's transition of this number, by these kinds of action."""
    by_index = {k.index: k for k in kinds}
    sets = Sets(opened(game.evaluator))
    chosen = [s.arguments for s in model if s.name == f"arg__{number}"]
    found = []
    for role, index in (s.arguments for s in model if s.name == f"does__{number}"):
        binding: Substitution = {
            ("v", f"A_{position.number}"): symbols.value_pattern(value)
            for r, i, position, value in chosen
            if (r, i) == (role, index)
        }
        action = substitute(numbered(by_index[index.number])[0], binding)
        found.append((symbols.text(role), show(sets.read(action, model))))
    return tuple(sorted(found))


def replayed(game: Game, example: Counterexample, invariant: str, witness: str) -> Counterexample:
    """The counterexample to an invariant as the evaluate reading sees it."""
    facts = frozenset(map(game.fact, example.facts))
    legal = True
    if example.actions:
        judged = game.evaluator.judge(facts, {r: game.action(a) for r, a in example.actions})
        after = (facts - frozenset(judged.deleted)).union(judged.added)
        legal = not judged.violations
    else:
        after = game.evaluator.step(facts)
    found = {i for i, _ in game.evaluator.broken(after, waive=False)}
    confirmed = legal and (invariant in found or "vocabulary" in found or invariant == "count")
    return replace(example, witness=witness, replayed=confirmed)
