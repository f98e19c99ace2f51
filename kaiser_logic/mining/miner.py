"""Searches for invariants that a rulebook does not state, without hints."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from ..batch.layout import Layout, tested
from ..batch.optional import is_installed
from ..batch.playout import LONGEST
from ..engine import symbols
from ..engine.configuration import Configuration
from ..engine.domains import too_many
from ..engine.invariants import invariants
from ..engine.ruleset import Ruleset
from ..errors import FaultyRulebook, NotDecided
from ..evaluation.evaluator import Evaluator, evaluator_of
from ..linting.lint import findings
from ..rules.phrases import phrases
from ..rules.predicates import BROKEN, broken
from ..rules.rulebook import Rulebook
from ..solving.goals import ALWAYS
from ..solving.rounds import Rounds
from ..transform.slicing import position_seeds
from ..workers import TIMEOUT, run_job
from .candidates import Candidate, Facts, Observations, UnbrokenCandidates, Vocabulary
from .inductive import EncodingCheck, InductiveSet
from .queries import SHORT, Starts, extended, positions, remaining, sorts_of, starts
from .writing import InvariantReport, ProposedInvariant, Wording, proposed

# -- acceptance ----------------------------------------------------------------------------------------------
#
# The last check: the proposed lines are put into a copy of the rulebook, which is read and proved like any other.
#
# The encodings of candidates do not matter here. The loader reads the printed text. The prover of the command ``prove`` proves
# its invariants, with its random games and its check of each encoded transition. The plain engine judges them at every start.
# Invariants are proposed only if everything is proved, including the game's own invariants.


@dataclass(frozen=True)
class Verdict:
    """The verdict on proposed invariants.

    Attributes:
        refused: The ids of those that do not hold; if there are none, all are proved.
        given: The assumptions of the proofs, as sentences.
    """

    refused: frozenset[str]
    given: tuple[str, ...] = ()


def proved(
    ruleset: Ruleset,
    starts: Sequence[Configuration],
    proposals: Sequence[ProposedInvariant],
    deadline: float,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Verdict:
    """Tries to prove the proposed invariants, all together.

    Args:
        ruleset: The rules without them.
        starts: The starts at which they must hold.
        proposals: The proposed invariants.
        deadline: By :func:`time.monotonic`.
        jobs: The number of processes.
        progress: Is called with what has been proved.

    Raises:
        NotDecided: The rulebook with the lines does not load, or the game's own invariants are not proved.
    """
    ids = [p.id for p in proposals]
    with _copied(ruleset.book, proposals) as folder:
        try:
            _look_through(ruleset.book, folder)
            evaluators = [evaluator_of(replace(c, source=folder)) for c in starts]
        except FaultyRulebook as error:
            raise NotDecided(f"the proposed lines are no part of a rulebook: {error.findings[0]}") from None
        false = {i for e in evaluators for i in _broken_at_the_start(e)} & set(ids)
        if false:
            return Verdict(frozenset(false))
        report = Rounds(evaluators[0].ruleset).run(ids, remaining(deadline), jobs, progress)
    fallen = {p.claim for p in report.proofs if p.status == "falls"}
    if fallen & set(ids):
        return Verdict(frozenset(fallen & set(ids)))
    if fallen:
        raise NotDecided(f"the game's own invariants do not hold: {', '.join(sorted(fallen))} (see prove)")
    for proof in report.proofs:
        if proof.status != "proved":
            why = proof.notes[0] if proof.notes else proof.status
            raise NotDecided(SHORT if why.endswith(TIMEOUT) else f"{proof.claim}: {why}")
    missing = set(ids) - {p.claim for p in report.proofs}
    if missing:
        raise NotDecided(f"{min(missing)} has not been proved")
    return Verdict(frozenset(), report.given)


@contextmanager
def _copied(book: Rulebook, proposals: Sequence[ProposedInvariant]) -> Iterator[Path]:
    """A copy of the rulebook's folder with the proposed lines at the end of its last file."""
    with TemporaryDirectory(prefix="rulebook") as above:
        folder = Path(above) / book.folder.name
        shutil.copytree(book.folder, folder, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        last = folder / f"{book.manifest['files'][-1]}.lp"
        text = last.read_text(encoding="utf-8")
        last.write_text(pasted(text, proposals), encoding="utf-8")
        yield folder


def pasted(text: str, proposals: Sequence[ProposedInvariant]) -> str:
    """The text of a file of a rulebook, with proposed invariants at its end."""
    return "\n".join([text.rstrip("\n"), "", "% -- proposed", *map(str, proposals), ""])


def _look_through(book: Rulebook, folder: Path) -> None:
    """Raises FaultyRulebook if ``lint`` finds something in the copy that it does not find in the rulebook itself."""
    known = {(f.what, f.message) for f in findings(book.folder)}
    new = [f for f in sorted(set(findings(folder))) if (f.what, f.message) not in known]
    if new:
        raise FaultyRulebook(new)


def _broken_at_the_start(evaluator: Evaluator) -> set[str]:
    return {name for name, _ in evaluator.broken(evaluator.initial(), waive=False)}


GAMES: Final = 20
"""The number of random games."""


@dataclass(frozen=True)
class _Found:
    """The remaining candidates.

    Attributes:
        candidates: The shortest inductive set that implies all.
        counts: The number of those tried, unbroken, new, inductive, undecided.
    """

    candidates: tuple[Candidate, ...]
    counts: tuple[int, int, int, int, int]


class Miner:
    """Looks for invariants of the rules in force."""

    def __init__(self, evaluator: Evaluator) -> None:
        """A miner for the evaluator's rules."""
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
        """Searches for invariants.

        Args:
            games: The number of random games; they use all starts in turn.
            seed: Their seed. The same games give the same invariants, on any machine.
            timeout: The time limit in seconds.
            jobs: The number of processes; by default one for each core.
            progress: Is called with messages.

        Raises:
            NotDecided: The time was too short, the vocabulary is too large to be listed, or the game's own invariants
                are not proved.
        """
        if (many := too_many(self._ruleset)) is not None:
            raise NotDecided(f"{self._ruleset.id} is too large to look for invariants: {many}")
        deadline = time.monotonic() + timeout
        sorts = sorts_of(self._ruleset)
        begin = starts(self._ruleset)
        evaluators = [evaluator_of(c) for c in begin.configurations]
        sampled = positions(evaluators, sorts, games, seed, deadline, jobs, progress)
        progress("candidates over all transitions")
        answer = run_job(partial(self._search, sampled, seed), remaining(deadline))
        if answer.value is None:
            raise NotDecided(SHORT if answer.failure == TIMEOUT else str(answer.failure))
        vocabulary = Vocabulary(self._ruleset, sorts)
        wording = Wording(self._ruleset, phrases(self._ruleset.book.folder), vocabulary)
        accepted, given = self._accepted(answer.value.candidates, wording, begin, deadline, jobs, progress)
        said = (f"They hold at {begin.covered} and ever after.", *given) if accepted else ()
        return InvariantReport(accepted, said, games, len(sampled), *answer.value.counts)

    def _accepted(
        self,
        candidates: Sequence[Candidate],
        wording: Wording,
        begin: Starts,
        deadline: float,
        jobs: int | None,
        progress: Callable[[str], None],
    ) -> tuple[tuple[ProposedInvariant, ...], tuple[str, ...]]:
        """The candidates that the prover proves as they are printed, and the assumptions of the proofs."""
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

    def _without_fallen(self, candidates: dict[str, Candidate]) -> dict[str, Candidate]:
        """The candidates that hold in many random games, if there are stored circuits to play these.

        A candidate that is false there is no invariant, and the proofs would drop it later.
        """
        if not is_installed():
            return candidates
        from ..batch.population import Derived, SatisfiedAtoms, are_cached, search_random_games

        if not are_cached(self._evaluator):
            return candidates
        made: list[SatisfiedAtoms] = []

        def wanted(layout: Layout) -> SatisfiedAtoms:
            rules = extended(tested(self._ruleset, layout), candidates)
            needed = rules.judging.slice(position_seeds(), [broken(name) for name in candidates])
            made.append(SatisfiedAtoms(Derived(layout, rules.complete(tuple(needed)), BROKEN)))
            return made[0]

        search_random_games(self._evaluator, wanted, LONGEST)
        fallen = {symbols.text(atom.arguments[0]) for its in made for atom in its.satisfied}
        return {name: its for name, its in candidates.items() if name not in fallen}

    def _search(self, sampled: Sequence[Facts], seed: int) -> _Found:
        """The whole search, in a process of its own."""
        ruleset = self._ruleset
        sorts = sorts_of(ruleset)
        vocabulary = Vocabulary(ruleset, sorts)
        observed = Observations(sampled)
        stated = frozenset(s for s, zero in ruleset.book.counters.items() if zero)
        candidates = UnbrokenCandidates(vocabulary, observed, stated)
        unbroken = {f"candidate_{k}": c for k, c in enumerate(candidates.all())}
        inductive = InductiveSet(ruleset, self._without_fallen(unbroken))
        new = inductive.new()
        alive = inductive.largest(new)
        shortest = {name: unbroken[name] for name in inductive.shortest(alive)}
        rules = extended(ruleset, shortest)
        check = EncodingCheck(rules, vocabulary, sorts, shortest, sampled, Random(seed))
        differs = check.differs(inductive.programs(shortest))
        if differs is not None:
            raise NotDecided(f"a fault of the tool: {differs}")
        counts = (candidates.tried, len(unbroken), len(new), len(alive), inductive.undecided)
        return _Found(tuple(shortest.values()), counts)
