"""The last gate: proposed lines are put into a copy of the rulebook, which is read and proved like any other.

What encodings of candidates say does not count here: the printed text is read by the loader, its invariants are proved
by the prover of the command ``prove``, with its random games and its check of each encoded transition, and judged at
every start by the plain engine. Only where all is proved, the game's own invariants among them, is anything proposed.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from ..engine.configuration import Configuration
from ..engine.ruleset import Ruleset
from ..errors import FaultyRulebook, NotDecided
from ..evaluation.evaluator import Evaluator, evaluator_of
from ..linting.lint import lint
from ..proof.prover import Prover
from ..rules.rulebook import Rulebook
from ..workers import TIMEOUT
from .games import SHORT, remaining
from .writing import ProposedInvariant


@dataclass(frozen=True)
class Verdict:
    """What became of proposed invariants.

    Attributes:
        refused: The ids of those that do not hold; where there are none, all are proved.
        given: What the proofs presuppose, in sentences.
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
    """Whether proposed invariants are proved, all together.

    Args:
        ruleset: The rules that they are to be added to.
        starts: The starts at which they must hold.
        proposals: What is proposed.
        deadline: By :func:`time.monotonic`.
        jobs: How many processes.
        progress: Told what has been proved.

    Raises:
        NotDecided: The lines are no part of a sound rulebook, or what they rest on is not proved.
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
        report = Prover(evaluators[0]).run(ids, remaining(deadline), jobs, progress)
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
    """A file of a rulebook with proposed invariants at its end."""
    return "\n".join([text.rstrip("\n"), "", "% -- proposed", *map(str, proposals), ""])


def _look_through(book: Rulebook, folder: Path) -> None:
    """FaultyRulebook where ``lint`` finds something in the copy that it does not find in the rulebook itself."""
    known = {(f.what, f.message) for f in lint(book.folder)}
    new = [f for f in lint(folder) if (f.what, f.message) not in known]
    if new:
        raise FaultyRulebook(new)


def _broken_at_the_start(evaluator: Evaluator) -> set[str]:
    return {name for name, _ in evaluator.broken(evaluator.initial(), waive=False)}
