"""What proofs have found."""

from __future__ import annotations

from dataclasses import dataclass, field

from .counterexample import Counterexample


@dataclass
class Proof:
    """What was found about one claim.

    Attributes:
        claim: Its name, e.g. an invariant's.
        statement: The claim in words.
        kind: ``invariant``, ``bound``, ``stuck`` or ``enumeration``.
        status: ``proved``, ``falls`` (with counterexamples) or ``undecided``.
        counterexamples: How it falls, in the order in which they were found.
        notes: Which parts of it were not decided, and why.
    """

    claim: str
    statement: str
    kind: str = "invariant"
    status: str = "proved"
    counterexamples: list[Counterexample] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def falls(self, example: Counterexample) -> None:
        """Enters a counterexample."""
        self.status = "falls"
        self.counterexamples.append(example)

    def stays_open(self, why: str) -> None:
        """Enters that a part of it was not decided."""
        if self.status == "proved":
            self.status = "undecided"
        self.notes.append(why)

    def __str__(self) -> str:
        """One line."""
        note = f" ({'; '.join(self.notes)})" if self.notes else ""
        return f"{self.claim}: {self.status}{note}"


@dataclass
class ProofReport:
    """What a run has proved.

    Attributes:
        proofs: One for each claim.
        never_legal: The transitions that can never happen.
        seconds: How long it took, by the clock.
        given: What the proofs presuppose, in sentences.
    """

    proofs: list[Proof]
    never_legal: list[str]
    seconds: float = 0.0
    given: tuple[str, ...] = ()

    @property
    def proved(self) -> bool:
        """Whether everything was proved."""
        return all(p.status == "proved" for p in self.proofs)

    @property
    def undecided(self) -> bool:
        """Whether something was left open and nothing fell."""
        statuses = {p.status for p in self.proofs}
        return "undecided" in statuses and "falls" not in statuses
