"""Counterexamples: read from a model, and played again by the evaluate reading."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..engine import symbols
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..evaluation.origin import Origin
from .pending import EXCLUSIVE, uncovered


@dataclass(frozen=True)
class Counterexample:
    """A position that meets the invariants, and what leads out of them.

    Attributes:
        transition: The kind of action, or the step; or what else is claimed.
        facts: The position's facts.
        actions: Who does what (empty for a step that happens by itself).
        witness: What is broken afterwards.
        replayed: Whether the evaluate reading confirms it.
        origin: What is known of how the position can come about; None where nobody has asked.
    """

    transition: str
    facts: tuple[str, ...]
    actions: tuple[tuple[str, str], ...] = ()
    witness: str = ""
    replayed: bool = False
    origin: Origin | None = None

    def as_json(self) -> dict[str, object]:
        """The same as plain data."""
        found: dict[str, object] = {
            "transition": self.transition,
            "facts": list(self.facts),
            "moves": [f"{role}: {action}" for role, action in self.actions],
            "witness": self.witness,
            "played again": self.replayed,
        }
        return found if self.origin is None else {**found, "origin": self.origin.as_json()}


def unlisted(evaluator: Evaluator, example: Counterexample) -> Counterexample:
    """The legal action that the enumeration misses as the evaluate reading sees it; unconfirmed where it cannot list."""
    facts = frozenset(map(symbols.read, example.facts))
    actions = {r: symbols.read(a) for r, a in example.actions}
    before = {i for i, _ in evaluator.broken(facts, waive=False)} - evaluator.ruleset.waived
    legal = not evaluator.judge(facts, actions).violations and not before
    try:
        listed = evaluator.legal(facts)
    except NotDecided:
        return example
    return replace(example, replayed=legal and any(pair not in listed for pair in actions.items()))


def replayed(evaluator: Evaluator, example: Counterexample, invariant: str, witness: str) -> Counterexample:
    """The counterexample to an invariant as the evaluate reading sees it."""
    facts = frozenset(map(symbols.read, example.facts))
    legal = True
    if example.actions:
        judged = evaluator.judge(facts, {r: symbols.read(a) for r, a in example.actions})
        after = (facts - frozenset(judged.deleted)).union(judged.added)
        legal = not judged.violations
    else:
        after = evaluator.step(facts)
    found = {i for i, _ in evaluator.broken(after, waive=False)}
    several = invariant == EXCLUSIVE and uncovered(evaluator.ruleset, after) is not None
    confirmed = legal and (invariant in found or "vocabulary" in found or invariant == "count" or several)
    before = {i for i, _ in evaluator.broken(facts, waive=False)} - evaluator.ruleset.waived
    return replace(example, witness=witness, replayed=confirmed and not before)
