"""Invariants that are not proved are dropped: what else holds without them (the loop of Houdini, Flanagan and Leino 2001).

A proof of one claim supposes that the positions it starts from meet all invariants. Where one of these falls or is not decided,
that supposition is gone. So it is dropped, and what was proved is asked again without it, until nothing is lost any more:
what is left is proved, and is inductive by itself.

What a position is opened by cannot be dropped: the vocabulary, counters with one value that lose no more than they have, limits,
ranges, and that one thing is pending at a time. Where one of these is not proved nothing else is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..engine import symbols
from ..evaluation.evaluator import Evaluator
from ..evaluation.origin import REACHABLE
from ..symbolic.domains import Domains
from .counterexample import Counterexample
from .numbers import unlimited
from .obligations import ALWAYS
from .report import Proof, told

RANGE: Final = "range"
"""The claim that no total leaves the range that the rulebook states for it."""
BUILT_ON: Final = (*ALWAYS, RANGE)
"""What every encoding is built on."""


@dataclass(frozen=True)
class Again:
    """What is to be asked again.

    Attributes:
        dropped: The invariants that are not supposed any more, all in all.
        new: Those of them that were before.
        claims: The claims that are asked again.
    """

    dropped: tuple[str, ...]
    new: tuple[str, ...]
    claims: frozenset[str]


class Dropping:
    """The claims of a run, of which some may not be proved."""

    def __init__(
        self, evaluator: Evaluator, sorts: Domains, invariants: Sequence[str], proofs: dict[str, Proof]
    ) -> None:
        """What the first round has found.

        Args:
            evaluator: Of the rules.
            sorts: Those of the open position.
            invariants: What has been supposed, of the rulebook's own.
            proofs: What has been found of all claims; later rounds are entered there.
        """
        self._evaluator = evaluator
        self._sorts = sorts
        self._supposed = list(invariants)
        self._proofs = proofs
        self._dropped: list[str] = []
        self._first = True

    def drop(self) -> Again | None:
        """Drops what is not proved. What is to be asked again; None where nothing is, as nothing is lost or can be proved."""
        open_ = [c for c, p in self._proofs.items() if p.status == "undecided"]
        lost = [i for i in self._supposed if self._proofs[i].status != "proved"]
        retried: set[str] = set()
        if self._first and lost:
            # all that is asked along with what reads numbers without a limit is not decided, but need not be so
            blamed = unlimited(self._evaluator.ruleset, self._sorts, lost)
            if blamed:
                lost = [i for i in lost if i in blamed or self._proofs[i].status == "falls"]
                retried = set(open_).difference(lost)
        self._first = False
        left = {c for c, p in self._proofs.items() if p.status == "proved"} | retried
        if not lost or any(c in self._proofs and c not in left for c in BUILT_ON):
            return None
        self._dropped += lost
        self._supposed = [i for i in self._supposed if i not in lost]
        return Again(tuple(self._dropped), tuple(lost), frozenset(left))

    def enter(self, again: Again, found: Mapping[str, Proof]) -> None:
        """Enters what was found without the dropped ones."""
        for claim in sorted(again.claims):
            proof, later = self._proofs[claim], found.get(claim)
            if later is None:  # nothing is proved that has not been asked
                proof.stays_open(f"not asked again without {', '.join(again.dropped)}")
                continue
            if proof.status == "proved":
                if later.status != "proved":
                    self._lose(proof, later, again.new)
            elif later.status == "proved":
                proof.status, proof.notes = "proved", []
            elif any(self._is_real(e) for e in later.counterexamples):
                for example in filter(self._is_real, later.counterexamples):
                    proof.falls(example)

    def _lose(self, proof: Proof, later: Proof, new: Sequence[str]) -> None:
        """Enters that what was proved is not without the dropped ones."""
        real = [e for e in later.counterexamples if self._is_real(e)]
        if real:
            for example in real:
                proof.falls(example)
            return
        proof.status = "undecided"
        proof.counterexamples += later.counterexamples
        broken = {name for e in later.counterexamples for name in self._broken(e)}
        proof.given = tuple(i for i in self._dropped if i in broken) or tuple(new)
        proof.notes += [f"without it: {note}" for note in later.notes]

    def _is_real(self, example: Counterexample) -> bool:
        """Whether a counterexample says that a claim is false: a game leads to it, or it breaks nothing that was dropped."""
        return example.replayed and (_is_reached(example) or not self._broken(example))

    def _broken(self, example: Counterexample) -> Collection[str]:
        """The dropped invariants that a counterexample's position breaks."""
        facts = frozenset(map(symbols.read, example.facts))
        broken = {name for name, _ in self._evaluator.broken(facts, waive=False)}
        return broken.intersection(self._dropped)


def settle(proofs: Mapping[str, Proof]) -> None:
    """Says of each claim what it holds only given; one falls where a game leads to a position from which it does.

    Args:
        proofs: Those of all claims, by name, with what is known of how their counterexamples can come about.
    """
    for proof in proofs.values():
        if proof.given and any(map(_is_reached, proof.counterexamples)):
            proof.status, proof.given, proof.notes = "falls", (), []
    statuses = {claim: proof.status for claim, proof in proofs.items()}
    for proof in proofs.values():
        if proof.given:
            how = "holds" if proof.counterexamples else "proved"
            proof.notes.insert(0, f"{how} only given {told(proof.given, statuses)}")


def _is_reached(example: Counterexample) -> bool:
    """Whether a game is known that leads to a counterexample."""
    return example.replayed and example.origin is not None and example.origin.verdict == REACHABLE
