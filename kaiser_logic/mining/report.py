"""What a search for invariants has found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .writing import ProposedInvariant


@dataclass(frozen=True)
class InvariantReport:
    """The invariants that are proposed, and what they rest on.

    Attributes:
        invariants: In the order in which they are to be read; all of them proved.
        given: What the proofs presuppose, in sentences.
        games: How many random games were played.
        positions: How many positions these had.
        candidates: How many candidates the templates gave.
        unbroken: How many of them no game broke;
        new: how many of these did not follow from the game's own invariants;
        inductive: how many of these were inductive together;
        undecided: how many were dropped because the effort was not enough.
    """

    invariants: tuple[ProposedInvariant, ...]
    given: tuple[str, ...]
    games: int
    positions: int
    candidates: int
    unbroken: int
    new: int
    inductive: int
    undecided: int

    @property
    def lines(self) -> str:
        """All of them as lines for a rulebook; empty where there are none."""
        return "\n".join(map(str, self.invariants))

    def as_data(self) -> Mapping[str, object]:
        """All of it as what JSON can say."""
        counts = ("games", "positions", "candidates", "unbroken", "new", "inductive", "undecided")
        return {
            "given": list(self.given),
            **{name: getattr(self, name) for name in counts},
            "invariants": [
                {"id": i.id, "statement": i.statement, "why": i.why, "rules": list(i.rules), "lines": str(i)}
                for i in self.invariants
            ],
        }
