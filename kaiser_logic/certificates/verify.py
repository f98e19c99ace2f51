"""Checks a folder of certificates. This module and what it uses share no code with the prover.

Each question is ground anew, by clingo alone. The clauses of its completion are made again (`completion`), and each clause
that a proof uses has to be one of them, or one of what is asked besides (`folder.asked`). Then the proof is checked (`lrat`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from .. import clingo
from ..errors import UnreadableInput
from ..workers import Job
from ..workers import asked as answered
from . import lrat
from .completion import Clause, Completion, NoCompletion
from .folder import (
    DECISION,
    POSITION,
    RULES,
    STEP,
    Claim,
    Manifest,
    Part,
    Question,
    asked,
    clauses_of,
    hashes,
    read_manifest,
    rule_files,
    unpack,
)

_STEPS: Final = 1_000
"""A game comes to its start in fewer steps."""


@dataclass
class Verdict:
    """What is found of a folder.

    Attributes:
        manifest: What it says.
        faults: What is wrong with it, in words.
        checked: The claims whose certificates are right.
        steps: How many steps of proofs have been checked.
        seconds: How long it took, by the clock.
    """

    manifest: Manifest
    faults: list[str] = field(default_factory=list)
    checked: list[str] = field(default_factory=list)
    steps: int = 0
    seconds: float = 0.0

    @property
    def given(self) -> list[str]:
        """What the questions suppose of a position, and what has no certificate that is right."""
        return [claim for claim in self.manifest.supposed if claim not in self.checked]


@dataclass
class Checked:
    """What is found of a question: the claims that are proved of it, faults, and the number of steps."""

    claims: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    steps: int = 0


def verify(
    folder: Path,
    rulebook: Path,
    engine: Path,
    workers: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Verdict:
    """Checks all certificates of a folder.

    Args:
        folder: The folder.
        rulebook: The rulebook's folder.
        engine: The folder of the engine's rules.
        workers: The number of processes; None for one for each core.
        progress: Told what has been checked.

    Raises:
        UnreadableInput: The folder has no list of certificates.
    """
    start = time.monotonic()
    manifest = read_manifest(folder)
    files = rule_files(rulebook, engine)
    found = Verdict(manifest, _changed(manifest, files))
    if found.faults:
        return found
    found.faults += _start(manifest, folder, files)
    about = {q.name: q.about for q in manifest.questions}
    proved: dict[str, set[str]] = {}
    jobs = [Job(q.name, partial(check, folder, q)) for q in manifest.questions]
    for answer in answered(jobs, workers, float("inf")):
        one = answer.value or Checked(faults=[str(answer.failure)])
        proved[answer.name] = one.claims
        found.faults += (f"{about[answer.name]}: {fault}" for fault in one.faults)
        found.steps += one.steps
        progress(f"{len(proved)}/{len(jobs)} {about[answer.name]}")
    for name, claim in manifest.claims.items():
        needed = _needed(name, claim, manifest)
        left = [about[q] for q in needed if name not in proved[q]]
        if left or not needed:
            found.faults.append(f"{name} is not shown: {', '.join(left) or 'there is no question about it'}")
        else:
            found.checked.append(name)
    found.seconds = time.monotonic() - start
    return found


def _needed(name: str, claim: Claim, manifest: Manifest) -> list[str]:
    """The questions of which a claim has to be shown."""
    if claim.kind == POSITION:
        return [q.name for q in manifest.questions if q.kind == POSITION and q.about == name]
    return [q.name for q in manifest.questions if q.kind == DECISION or q.kind == claim.kind == STEP]


def _changed(manifest: Manifest, files: Iterable[Path]) -> list[str]:
    """What is no longer as it was when the certificates were made."""
    now, then = hashes(files), manifest.rulebook
    faults = [
        f"the rulebook has changed: {name}"
        for name in sorted({*now, *then})
        if now.get(name) != then.get(name)
    ]
    if manifest.clingo != clingo.VERSION:
        faults.append(f"clingo {manifest.clingo} numbered the atoms, and this is {clingo.VERSION}")
    if len({q.name for q in manifest.questions}) < len(manifest.questions):
        faults.append("two questions have one name")
    return faults


def _start(manifest: Manifest, folder: Path, files: Iterable[Path]) -> list[str]:
    """Which claims the start of the game breaks: by the rules as they are written, which clingo alone grounds.

    What is due there happens first. The vocabulary and what is pending are not judged.
    """
    try:
        texts = [p.read_text(encoding="utf-8") for p in files if p.suffix == ".lp"]
        rules = "\n".join([*texts, *unpack(folder / f"{RULES}.lp.xz")])
        ground = clingo.ground(rules, ())
        position = {
            *_first(ground, "init", 1),
            *(a.symbol for a in ground.symbolic_atoms.by_signature("seat", 2)),
        }
        for _ in range(_STEPS):
            ground = clingo.ground(rules, position)
            if not any(s.name == "due" for s in position):
                broken = {str(s) for s in _first(ground, "broken", 2)}
                return [f"the start breaks {claim}" for claim in manifest.claims if claim in broken]
            position = (position - _first(ground, "del", 1)) | _first(ground, "add", 1)
    except (OSError, RuntimeError, UnreadableInput) as error:
        return [f"the rules as they are written cannot be ground: {error}"]
    return ["the game does not come to its start"]


def _first(ground: clingo.Control, name: str, arity: int) -> set[clingo.Symbol]:
    """The first arguments of a predicate's facts."""
    return {a.symbol.arguments[0] for a in ground.symbolic_atoms.by_signature(name, arity)}


def check(folder: Path, question: Question) -> Checked:
    """What is found of a question."""
    found = Checked()
    if not question.parts:
        return found
    try:
        made = Completion("\n".join(unpack(folder / f"{question.name}.lp.xz")))
    except (NoCompletion, UnreadableInput) as error:
        return Checked(faults=[str(error)])
    known = set(made.clauses)
    for part in question.parts:
        try:
            if question.kind == POSITION and part.claims != (question.about,):
                raise lrat.WrongProof(f"it is about {question.about} alone")
            found.steps += _check(folder, part, known, asked(made, part, question))
            found.claims.update(part.claims)
        except (lrat.WrongProof, UnreadableInput) as error:
            found.faults.append(f"{part.name}: {error}")
    return found


def _check(folder: Path, part: Part, known: Collection[Clause], more: Collection[Clause]) -> int:
    """Checks a proof, and says how many steps it has."""
    clauses = clauses_of(unpack(folder / f"{part.name}.cnf.xz"))
    for clause in clauses:
        if clause not in known and clause not in more:
            raise lrat.WrongProof(f"a clause does not follow from the program: {' '.join(map(str, clause))}")
    return lrat.check(clauses, unpack(folder / f"{part.name}.lrat.xz"))
