"""Searches for invariants that a rulebook does not state.

Random games give positions; the candidates that none of these breaks are sifted by cheap questions
(:mod:`..solving.inductive`). The last check puts the lines that are left, as they are printed, into a copy of the rulebook,
which is loaded and proved like any other.

So a fault in the search cannot lead to a false invariant. The prover of the command ``prove`` proves the invariants of the
copy, with its random games and its check of each encoded transition. The engine judges them at every start, and the game's
own invariants, too (`starts`). Invariants are proposed only if everything is proved, including the game's own invariants.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from ..engine.configuration import Configuration
from ..engine.domains import too_many
from ..engine.invariants import invariants, whole
from ..engine.ruleset import Ruleset
from ..errors import FaultyRulebook, NotDecided
from ..evaluation.evaluator import Evaluator, evaluator_of
from ..evaluation.random_games import random_game
from ..linting.lint import findings
from ..rules.phrases import phrases
from ..rules.predicates import ALWAYS
from ..rules.rulebook import Rulebook
from ..solving.games import pending_at_once
from ..solving.inductive import InductiveSet
from ..solving.questions import Setting
from ..solving.rounds import Rounds, base, words_of_start
from ..workers import TIMEOUT, run_job
from .candidates import Candidate, Facts, FeatureVocabulary, Observations, UnbrokenCandidates, with_candidates
from .writing import InvariantReport, ProposedInvariant, Wording, propose

GAMES: Final = 20
"""The number of random games."""
_MOVES: Final = 2_000
"""A game with more moves and steps is abandoned."""
_MOST: Final = 60
"""If there are more starts than these, only the configured one is used."""
_SHORT: Final = "the time was too short"
Progress = Callable[[str], None]


class Miner:
    """Searches for invariants of the rules in force."""

    def __init__(self, evaluator: Evaluator) -> None:
        """A miner for the evaluator's rules."""
        self._ruleset = evaluator.ruleset

    def run(
        self,
        games: int = GAMES,
        seed: int = 1,
        timeout: float = 600.0,
        jobs: int | None = None,
        progress: Progress = lambda _: None,
    ) -> InvariantReport:
        """Searches for invariants.

        Args:
            games: The number of random games; they use all starts in turn.
            seed: Their seed. The same games give the same invariants, on any machine.
            timeout: The time limit in seconds.
            jobs: The number of processes of the proofs; by default one for each core.
            progress: Is called with messages.

        Raises:
            NotDecided: The time was too short, the vocabulary is too large to be listed, or the game's own invariants
                are not proved.
        """
        ruleset = self._ruleset
        if (many := too_many(ruleset)) is not None:
            raise NotDecided(f"{ruleset.id} is too large to look for invariants: {many}")
        deadline = time.monotonic() + timeout
        begin, covered = starts(ruleset)
        progress("candidates over all transitions")
        answer = run_job(partial(search, ruleset, begin, games, seed), _remaining(deadline))
        if answer.value is None:
            raise NotDecided(_SHORT if answer.failure == TIMEOUT else answer.reason)
        left, report = answer.value
        wording = Wording(ruleset, phrases(ruleset.book.folder), FeatureVocabulary(ruleset))
        taken = {*ruleset.book.docs, *ALWAYS, *invariants(ruleset).every}
        while left:
            groups = propose(left, wording, taken)
            made = tuple(invariant for invariant, _ in groups)
            verdict = prove_proposals(ruleset, begin, made, deadline, jobs, progress)
            if not verdict.refused:
                given = (f"They hold at {covered} and ever after.", *verdict.given)
                return replace(report, invariants=made, given=given)
            left = tuple(c for i, group in groups if i.id not in verdict.refused for c in group)
        return report


def search(
    ruleset: Ruleset, begin: Sequence[Configuration], games: int, seed: int
) -> tuple[tuple[Candidate, ...], InvariantReport]:
    """The shortest candidates that imply all inductive ones, and the figures of the search."""
    observed = Observations(positions([evaluator_of(c) for c in begin], games, seed))
    stated = frozenset(s for s, zero in ruleset.book.counters.items() if zero)
    candidates = UnbrokenCandidates(FeatureVocabulary(ruleset), observed, stated)
    unbroken = {f"candidate_{k}": c for k, c in enumerate(candidates.all())}
    work = InductiveSet(with_candidates(ruleset, unbroken), list(unbroken))
    new = work.new()
    left = work.largest(new)
    shortest = work.shortest(sorted(left, key=lambda name: unbroken[name].weight))
    counts = candidates.tried, len(unbroken), len(new), len(left), work.undecided
    return tuple(unbroken[name] for name in shortest), InvariantReport((), (), games, len(observed), *counts)


def positions(evaluators: Sequence[Evaluator], games: int, seed: int) -> Iterator[Facts]:
    """The positions of random games, including those in which a step is due. The games use the evaluators in turn."""
    for number in range(games):
        evaluator = evaluators[number % len(evaluators)]
        yield evaluator.initial()
        game = random_game(evaluator, Random(f"{seed}/{number}"))
        yield from (after for _, after in islice(game, _MOVES))


def starts(ruleset: Ruleset) -> tuple[tuple[Configuration, ...], str]:
    """The starts of a game with these rules, the configured one first, and which they are in words.

    Only the configured start is used if a start tag has several values, or matters beyond the first position: then its other
    values make other games. The same if another start breaks what proofs assume: nothing follows for games from there.
    """
    configuration = ruleset.configuration
    if not configuration.start:
        return (configuration,), "the start"
    reading = [r for r in ruleset.rules if ("start", 2) in r.uses]
    only_first = all(h.signature == ("init", 1) for r in reading for h in r.heads)
    begin = tuple(configuration.starts(ruleset.book, _MOST + 1))
    single = all(len(values) == 1 for _, values in configuration.start)
    if only_first and len(begin) <= _MOST and single and _meet_assumptions(ruleset, begin[1:]):
        return begin, f"every start ({', '.join(ruleset.book.manifest['tags'])})"
    tags = ", ".join(f"{name} {' '.join(values)}" for name, values in configuration.start)
    return (configuration,), f"the start with {tags} only"


def _remaining(deadline: float) -> float:
    """The seconds until a deadline; raises NotDecided if it has passed."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise NotDecided(_SHORT)
    return left


# -- the last check ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """The verdict on proposed invariants.

    Attributes:
        refused: The ids of the invariants that do not hold; if it is empty, all are proved.
        given: The assumptions of the proofs, as sentences.
    """

    refused: frozenset[str]
    given: tuple[str, ...] = ()


def prove_proposals(
    ruleset: Ruleset,
    begin: Sequence[Configuration],
    proposals: Sequence[ProposedInvariant],
    deadline: float,
    jobs: int | None = None,
    progress: Progress = lambda _: None,
) -> Verdict:
    """Tries to prove the proposed invariants, all together.

    Args:
        ruleset: The rules without the proposed invariants.
        begin: The starts at which they must hold.
        proposals: The proposed invariants.
        deadline: By :func:`time.monotonic`.
        jobs: The number of processes.
        progress: Is called with messages.

    Raises:
        NotDecided: The rulebook with the lines does not load, or the game's own invariants are not proved.
    """
    ids = {p.id for p in proposals}
    with _copy_rulebook(ruleset.book, proposals) as folder:
        try:
            _look_through(ruleset.book, folder)
            evaluators = [evaluator_of(replace(c, source=folder, book=("", ""))) for c in begin]
        except FaultyRulebook as error:
            raise NotDecided(f"the proposed lines are no part of a rulebook: {error.findings[0]}") from None
        false = {i for e in evaluators for i in _broken_at_the_start(e)} & ids
        if false:
            return Verdict(frozenset(false))
        report = Rounds(evaluators[0].ruleset).run(sorted(ids), _remaining(deadline), jobs, progress)
    fallen = {p.claim for p in report.proofs if p.status == "falls"}
    if fallen & ids:
        return Verdict(frozenset(fallen & ids))
    if fallen:
        raise NotDecided(f"the game's own invariants do not hold: {', '.join(sorted(fallen))} (see prove)")
    for proof in report.proofs:
        if proof.status != "proved":
            why = proof.notes[0] if proof.notes else proof.status
            raise NotDecided(_SHORT if why.endswith(TIMEOUT) else f"{proof.claim}: {why}")
    missing = ids - {p.claim for p in report.proofs}
    if missing:
        raise NotDecided(f"{min(missing)} has not been proved")
    known = words_of_start(ruleset.configuration)  # `run` says which starts are covered
    return Verdict(frozenset(), tuple(line for line in report.given if line != known))


@contextmanager
def _copy_rulebook(book: Rulebook, proposals: Sequence[ProposedInvariant]) -> Iterator[Path]:
    """A copy of the rulebook's folder with the proposed lines at the end of its last file."""
    with TemporaryDirectory(prefix="rulebook") as above:
        folder = Path(above) / book.folder.name
        shutil.copytree(book.folder, folder, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        last = folder / f"{book.manifest['files'][-1]}.lp"
        text = last.read_text(encoding="utf-8")
        last.write_text(paste_invariants(text, proposals), encoding="utf-8")
        yield folder


def paste_invariants(text: str, proposals: Sequence[ProposedInvariant]) -> str:
    """The text of a file of a rulebook, with proposed invariants at its end."""
    return "\n".join([text.rstrip("\n"), "", "% -- proposed", *map(str, proposals), ""])


def _look_through(book: Rulebook, folder: Path) -> None:
    """Raises FaultyRulebook if ``lint`` finds something in the copy that it does not find in the rulebook itself."""
    known = {(f.what, f.message) for f in findings(book.folder)}
    new = [f for f in sorted(set(findings(folder))) if (f.what, f.message) not in known]
    if new:
        raise FaultyRulebook(new)


def _meet_assumptions(ruleset: Ruleset, begin: Sequence[Configuration]) -> bool:
    """Whether proofs under these rules cover the games from other starts, too: the induction has a base there."""
    theory = Setting(ruleset).prover.theory
    return not any(
        _broken_at_the_start(evaluator) - ruleset.waived or pending_at_once(theory, evaluator.initial())
        for evaluator in map(evaluator_of, begin)
    )


def _broken_at_the_start(evaluator: Evaluator) -> set[str]:
    """The claims that the start breaks, or a position between it and the first decision."""
    broken: set[str] = set()
    base(evaluator, lambda name, _: broken.add(whole(name)))
    return broken
