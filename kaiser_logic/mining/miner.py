"""Invariants that a rulebook does not state, found without being told what to look for."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final

from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator, evaluator_of
from ..proof.obligations import ALWAYS
from ..rules.phrases import phrases
from ..symbolic.domains import domains
from ..symbolic.invariants import invariants
from ..symbolic.transitions import transitions
from ..symbolic.vocabulary_size import too_many
from ..workers import TIMEOUT, ask
from .acceptance import proved
from .agreement import Agreement
from .candidates import Candidate
from .games import SHORT, positions, remaining
from .inductive import Inductive
from .observations import Facts, Observations
from .openings import extended
from .proposals import Proposals
from .report import InvariantReport
from .starts import Starts, starts
from .vocabulary import Vocabulary
from .wording import Wording
from .writing import ProposedInvariant, proposed

GAMES: Final = 20
"""So many random games are played."""


@dataclass(frozen=True)
class _Found:
    """What is left of the candidates.

    Attributes:
        candidates: The shortest inductive ones that say it all.
        counts: How many there were: tried, unbroken, new, inductive, undecided.
    """

    candidates: tuple[Candidate, ...]
    counts: tuple[int, int, int, int, int]


class Miner:
    """Looks for invariants of the rules in force."""

    def __init__(self, evaluator: Evaluator) -> None:
        """Of the evaluator's rules."""
        self._evaluator = evaluator
        self._ruleset = evaluator.ruleset

    def run(
        self,
        games: int = GAMES,
        seed: int = 1,
        timeout: float = 600.0,
        jobs: int | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> InvariantReport:
        """Looks for them.

        Args:
            games: How many random games are played, from every start in turn.
            seed: Which games; the same ones give the same invariants, whatever else the machine does.
            timeout: After so many seconds nothing is decided.
            jobs: How many processes; by default one for each core.
            progress: Told what is going on.

        Raises:
            NotDecided: The time was too short, the vocabulary is too large to be listed, or the game's own invariants,
                on which all rests, are not proved.
        """
        if (many := too_many(self._ruleset)) is not None:
            raise NotDecided(f"{self._ruleset.id} is too large to look for invariants: {many}")
        deadline = time.monotonic() + timeout
        sorts = domains(self._ruleset)
        begin = starts(self._ruleset)
        evaluators = [evaluator_of(c) for c in begin.configurations]
        seen = positions(evaluators, sorts, games, seed, deadline, jobs, progress)
        progress("candidates over all transitions")
        answer = ask(partial(self._search, seen, seed), remaining(deadline))
        if answer.value is None:
            raise NotDecided(SHORT if answer.failure == TIMEOUT else str(answer.failure))
        vocabulary = Vocabulary(self._ruleset, sorts)
        wording = Wording(self._ruleset, phrases(self._ruleset.book.folder), vocabulary)
        accepted, given = self._accepted(answer.value.candidates, wording, begin, deadline, jobs, progress)
        said = (f"They hold at {begin.covered} and ever after.", *given) if accepted else ()
        return InvariantReport(accepted, said, games, len(seen), *answer.value.counts)

    def _accepted(
        self,
        candidates: Sequence[Candidate],
        wording: Wording,
        begin: Starts,
        deadline: float,
        jobs: int | None,
        progress: Callable[[str], None],
    ) -> tuple[tuple[ProposedInvariant, ...], tuple[str, ...]]:
        """Those that the prover proves as they are printed, and what that presupposes."""
        taken = {*self._ruleset.book.docs, *ALWAYS, *invariants(self._ruleset).every}
        left = tuple(candidates)
        while left:
            groups = proposed(left, wording, taken)
            made = tuple(invariant for invariant, _ in groups)
            verdict = proved(self._ruleset, begin.configurations, made, deadline, jobs, progress)
            if not verdict.refused:
                return made, verdict.given
            left = tuple(c for i, group in groups if i.id not in verdict.refused for c in group)
        return (), ()

    def _search(self, seen: Sequence[Facts], seed: int) -> _Found:
        """All that is done in a process of its own."""
        ruleset = self._ruleset
        sorts = domains(ruleset)
        vocabulary = Vocabulary(ruleset, sorts)
        observed = Observations(seen)
        stated = frozenset(s for s, zero in ruleset.book.counters.items() if zero)
        proposals = Proposals(vocabulary, observed, stated)
        unbroken = {f"candidate_{k}": c for k, c in enumerate(proposals.all())}
        found = transitions(ruleset, sorts)
        inductive = Inductive(ruleset, sorts, found, unbroken)
        new = inductive.new()
        alive = inductive.largest(new)
        kept = {name: unbroken[name] for name in inductive.shortest(alive)}
        rules = extended(ruleset, kept)
        agreement = Agreement(rules, vocabulary, sorts, kept, seen, Random(seed))
        differs = agreement.differs(inductive.programs(kept))
        if differs is not None:
            raise NotDecided(f"a fault of the tool: {differs}")
        counts = (proposals.tried, len(unbroken), len(new), len(alive), inductive.undecided)
        return _Found(tuple(kept.values()), counts)
