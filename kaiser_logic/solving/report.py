"""What proofs have found: of each claim whether it is proved, and how it falls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from ..engine import symbols
from ..evaluation.evaluator import Evaluator
from ..evaluation.origin import REACHABLE, Origin, origin
from ..presenters import present

_PLACED: Final = 2
"""Of so many counterexamples to each claim it is looked at how their positions can come about."""


@dataclass(frozen=True)
class Counterexample:
    """A position that meets the invariants, and what leads out of them.

    Attributes:
        transition: The kind of action, or the step; or what else is claimed.
        facts: The position's facts.
        actions: Who does what (empty for a step that happens by itself).
        witness: What is broken afterwards.
        replayed: Whether the plain engine confirms it.
        origin: What is known of how the position can come about; None where nobody has asked.
    """

    transition: str
    facts: tuple[str, ...]
    actions: tuple[tuple[str, str], ...] = ()
    witness: str = ""
    replayed: bool = False
    origin: Origin | None = None

    @property
    def is_reached(self) -> bool:
        """Whether a game is known that leads to it."""
        return self.replayed and self.origin is not None and self.origin.verdict == REACHABLE

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
        given: Invariants that are not proved, and with which alone it was: it is not decided then.
    """

    claim: str
    statement: str
    kind: str = "invariant"
    status: str = "proved"
    counterexamples: list[Counterexample] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    given: tuple[str, ...] = ()

    def falls(self, example: Counterexample, first: bool = False) -> None:
        """Enters a counterexample; ``first``: before all others."""
        self.status = "falls"
        if example in self.counterexamples:
            return
        self.counterexamples.insert(0 if first else len(self.counterexamples), example)

    def stays_open(self, why: str) -> None:
        """Enters that a part of it was not decided."""
        if self.status == "proved":
            self.status = "undecided"
        self.notes.append(why)

    def as_json(self) -> dict[str, object]:
        """The same as plain data."""
        return {
            "claim": self.claim,
            "statement": self.statement,
            "kind": self.kind,
            "status": self.status,
            "given": list(self.given),
            "notes": self.notes,
            "counterexamples": [example.as_json() for example in self.counterexamples],
        }

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
        unproved: The invariants that are not proved, also those that nobody asked for, each with its status: nothing that is
            proved rests on them.
        together: Decisions that several roles may have at once, though the rulebook does not say so.
    """

    proofs: list[Proof]
    never_legal: list[str]
    seconds: float = 0.0
    given: tuple[str, ...] = ()
    unproved: Mapping[str, str] = field(default_factory=dict)
    together: frozenset[str] = frozenset()

    def _repr_html_(self) -> str | None:
        """The claims in a table, for notebooks."""
        return present(self, "_repr_html_")

    @property
    def proved(self) -> bool:
        """Whether everything was proved."""
        return all(p.status == "proved" for p in self.proofs)

    @property
    def undecided(self) -> bool:
        """Whether something was left open and nothing fell."""
        statuses = {p.status for p in self.proofs}
        return "undecided" in statuses and "falls" not in statuses


def place(evaluator: Evaluator, proofs: Iterable[Proof], effort: int) -> None:
    """Enters how the positions of counterexamples can come about; what is proved excludes them, if they break it."""
    proofs = list(proofs)
    proved = [proof.claim for proof in proofs if proof.status == "proved"]
    for proof in proofs:
        for k, example in enumerate(proof.counterexamples[:_PLACED]):
            if example.origin is None and example.facts:
                facts = frozenset(map(symbols.read, example.facts))
                found = origin(evaluator, facts, effort, proved)
                proof.counterexamples[k] = replace(example, origin=found)


def suppose(proofs: Mapping[str, Proof], goals: Iterable[str]) -> None:
    """What every encoding is built on: where one of these is not proved, all others stay open.

    One that is not decided is one of those that are told; where all are in order but for it, it says why itself.
    """
    failed = {g: proofs[g].status for g in goals if g in proofs and proofs[g].status != "proved"}
    for claim, proof in proofs.items():
        presupposed = {g: status for g, status in failed.items() if g != claim}
        if presupposed and proof.status == "proved":
            first = next(iter(presupposed))
            proof.stays_open(f"proved only given {told([first], presupposed)}")


def told(names: Iterable[str], statuses: Mapping[str, str]) -> str:
    """What is not proved, in words: ``limit, which falls, and peace, which is not decided``."""
    return ", and ".join(
        f"{name}, which {'falls' if statuses[name] == 'falls' else 'is not decided'}" for name in names
    )


def settle(proofs: Mapping[str, Proof]) -> None:
    """Says of each claim what it holds only given; one falls where a game leads to a position from which it does.

    Args:
        proofs: Those of all claims, by name, with what is known of how their counterexamples can come about.
    """
    for proof in proofs.values():
        if proof.given and any(example.is_reached for example in proof.counterexamples):
            proof.status, proof.given, proof.notes = "falls", (), []
    statuses = {claim: proof.status for claim, proof in proofs.items()}
    for proof in proofs.values():
        if proof.given:
            how = "holds" if proof.counterexamples else "proved"
            proof.notes.insert(0, f"{how} only given {told(proof.given, statuses)}")
