"""The results of proofs: the verdict on each claim, with counterexamples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from ..engine import symbols
from ..evaluation.evaluator import Evaluator
from ..evaluation.origin import REACHABLE, Origin, origin
from ..upward import ShownInNotebooks

_PLACED: Final = 2
"""The number of counterexamples to each claim whose positions are checked for being reachable."""
AT_START: Final = "start"
"""The label of a counterexample at the first position, or at one between it and the first decision."""


@dataclass(frozen=True)
class Counterexample:
    """A valid position, with the move or step by which a claim falls.

    Attributes:
        transition: The label of the transition; the claim itself if it is about positions; ``start`` for the first position.
        facts: The facts of the position.
        actions: Pairs of a role and its action; empty for a step, and for a claim about positions.
        witness: What breaks the claim; may be empty.
        replayed: Whether the plain engine confirms it.
        origin: What is known of how a game can lead to the position; None if that was not looked for.
    """

    transition: str
    facts: tuple[str, ...]
    actions: tuple[tuple[str, str], ...] = ()
    witness: str = ""
    replayed: bool = False
    origin: Origin | None = None

    @property
    def is_reached(self) -> bool:
        """Whether it is confirmed and a game is known that leads to its position."""
        return self.replayed and self.origin is not None and self.origin.verdict == REACHABLE

    def as_json(self) -> dict[str, object]:
        """The same as plain data."""
        data: dict[str, object] = {
            "transition": self.transition,
            "facts": list(self.facts),
            "moves": [f"{role}: {action}" for role, action in self.actions],
            "witness": self.witness,
            "replayed": self.replayed,
        }
        return data if self.origin is None else {**data, "origin": self.origin.as_json()}


@dataclass
class Proof:
    """The verdict on one claim.

    Attributes:
        claim: Its name, such as that of an invariant.
        statement: The claim in words.
        kind: ``invariant``, ``claim`` (of moves, or a user's), ``bound``, ``stuck`` or ``enumeration``.
        status: ``proved``, ``falls`` (with counterexamples) or ``undecided``. It starts as ``proved``: whoever asks the questions
            sees to it that each was answered so (`rounds`).
        counterexamples: In the order in which they were found, those that a game reaches first. A claim that is not decided may
            have some as well: not confirmed, or breaking a dropped invariant.
        notes: Which parts of the claim were not decided, and why.
        given: Invariants that are not proved but were presupposed: with them the claim is not decided.
    """

    claim: str
    statement: str
    kind: str = "invariant"
    status: str = "proved"
    counterexamples: list[Counterexample] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    given: tuple[str, ...] = ()

    def falls(self, example: Counterexample, first: bool = False) -> None:
        """Adds a counterexample, once; ``first``: before all others. The claim falls."""
        self.status = "falls"
        if example in self.counterexamples:
            return
        self.counterexamples.insert(0 if first else len(self.counterexamples), example)

    def stays_open(self, why: str) -> None:
        """Notes that a part of it was not decided. A claim that falls still falls."""
        if self.status == "proved":
            self.status = "undecided"
        self.notes.append(why)

    def as_json(self) -> dict[str, object]:
        """The same as plain data."""
        return {
            "claim": self.claim,
            "statement": self.statement,
            "kind": self.kind,
            "status": "not decided" if self.status == "undecided" else self.status,
            "given": list(self.given),
            "notes": self.notes,
            "counterexamples": [example.as_json() for example in self.counterexamples],
        }

    def __str__(self) -> str:
        """One line."""
        note = f" ({'; '.join(self.notes)})" if self.notes else ""
        return f"{self.claim}: {self.status}{note}"


@dataclass
class ProofReport(ShownInNotebooks):
    """The result of one run of the prover.

    Attributes:
        proofs: One for each claim.
        never_legal: The labels of the transitions that can never happen; empty unless every claim is proved.
        seconds: The time it took, by the clock.
        given: What the proofs presuppose, in sentences.
        unproved: The invariants that are not proved, each with its status, including those that the user did not name. No proof
            rests on them.
        together: Decisions that several roles may have at once, though the rulebook does not declare it.
        answered: The numbers of questions whose answers are kept of earlier runs, and of all that were asked.
    """

    proofs: list[Proof]
    never_legal: list[str]
    seconds: float = 0.0
    given: tuple[str, ...] = ()
    unproved: Mapping[str, str] = field(default_factory=dict)
    together: frozenset[str] = frozenset()
    answered: tuple[int, int] = (0, 0)

    @property
    def proved(self) -> bool:
        """Whether every claim was proved."""
        return all(p.status == "proved" for p in self.proofs)

    @property
    def undecided(self) -> bool:
        """Whether some claim was not decided and none fell."""
        statuses = {p.status for p in self.proofs}
        return "undecided" in statuses and "falls" not in statuses


def add_origins(evaluator: Evaluator, proofs: Iterable[Proof], effort: int) -> None:
    """Adds to counterexamples how games can lead to their positions; a position that breaks a proved claim is unreachable.

    Args:
        evaluator: The plain engine under the rules in force.
        proofs: The verdicts; the first counterexamples of each are completed.
        effort: The budget of the search for a game, in positions.
    """
    proofs = list(proofs)
    proved = [proof.claim for proof in proofs if proof.status == "proved"]
    for proof in proofs:
        for k, example in enumerate(proof.counterexamples[:_PLACED]):
            if example.origin is None and example.facts:
                facts = frozenset(map(symbols.read_symbol, example.facts))
                verdict = origin(evaluator, facts, effort, proved)
                proof.counterexamples[k] = replace(example, origin=verdict)


def leave_open_without(proofs: Mapping[str, Proof], goals: Iterable[str]) -> None:
    """Leaves all claims open if a claim on which every encoding rests is not proved.

    Args:
        proofs: The verdicts by claim.
        goals: The claims on which every encoding rests. Each of them depends on the others, not on itself.
    """
    failed = {g: proofs[g].status for g in goals if g in proofs and proofs[g].status != "proved"}
    for claim, proof in proofs.items():
        presupposed = {g: status for g, status in failed.items() if g != claim}
        if presupposed and proof.status == "proved":
            first = next(iter(presupposed))
            proof.stays_open(f"proved only given {unproved_in_words([first], presupposed)}")


def unproved_in_words(names: Iterable[str], statuses: Mapping[str, str]) -> str:
    """Names claims that are not proved, in words: ``limit, which falls, and peace, which is not decided``."""
    return ", and ".join(
        f"{name}, which {'falls' if statuses[name] == 'falls' else 'is not decided'}" for name in names
    )


def note_conditions(proofs: Mapping[str, Proof]) -> None:
    """Adds a note to each claim that was proved only given others; a claim falls if a game reaches its counterexample.

    Args:
        proofs: The verdicts by claim; the origins of their counterexamples are known.
    """
    for proof in proofs.values():
        if proof.given and any(example.is_reached for example in proof.counterexamples):
            proof.status, proof.given, proof.notes = "falls", (), []
    statuses = {claim: proof.status for claim, proof in proofs.items()}
    for proof in proofs.values():
        if proof.given:
            how = "holds" if proof.counterexamples else "proved"
            proof.notes.insert(0, f"{how} only given {unproved_in_words(proof.given, statuses)}")
