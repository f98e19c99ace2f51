"""Writes certificates for the claims that the prover has proved.

Each question is encoded again, and clingo grounds its whole text (`completion`). CaDiCaL proves that the completion has no
model in which a claim is broken. That proof is checked at once with the checker of `verify`. Totals are loose first, as in
the prover. If a claim can be broken then, they are exact.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from .. import clingo
from ..engine.ruleset import Ruleset
from ..errors import WrongUsage
from ..lang.printer import show_term
from ..rules.library import asp_folder, folder_of
from ..solving.encoder import Encoder
from ..solving.goals import ALWAYS, ENUMERATION
from ..solving.numbers import HIGHEST, BoundCheck, decided
from ..solving.positions import Answer, Positions
from ..solving.questions import Setting
from ..solving.report import ProofReport
from ..solving.rounds import RANGE
from ..solving.theory import Transition
from ..solving.totals import Totals
from ..solving.vocabulary import Vocabulary
from ..workers import Job, job_answers
from .completion import Clause, Completion, NoCompletion
from .files import (
    DECISION,
    POSITION,
    RULES,
    STEP,
    Claim,
    Manifest,
    Part,
    Question,
    broken_claims,
    clear,
    dimacs,
    extra_clauses,
    hashes,
    heading,
    pack,
    rule_files,
)
from .lrat import check

_OPTIONS: Final = {"lrat": 1, "binary": 0}


@dataclass(frozen=True)
class Proof:
    """A proof that clauses cannot all hold.

    Attributes:
        core: The clauses that the proof uses.
        steps: The steps of the proof, in which these clauses have the numbers from 1 on.
    """

    core: Sequence[Clause]
    steps: Sequence[str]


def prove(clauses: Sequence[Clause], conflicts: int) -> Proof | set[int] | None:
    """A proof that clauses cannot all hold; or the literals of a model; or None after too many conflicts.

    Raises:
        WrongUsage: The solver is not installed.
    """
    solvers, backend = modules()
    with tempfile.TemporaryFile() as file:
        solver = solvers.Cadical195()
        try:
            solver.configure(_OPTIONS)
            trace = backend.cadical195_tracepr(solver.cadical, file)
            for clause in clauses:
                solver.add_clause(clause)
            solver.conf_budget(conflicts)
            found = solver.solve_limited()
            if found is None:
                return None
            if found:
                return {x for x in solver.get_model() if x > 0}
            backend.flushpr(trace)
            file.seek(0)
            return trimmed(clauses, file.read().decode().splitlines())
        finally:
            solver.delete()


def modules() -> tuple[Any, Any]:
    """The modules ``pysat.solvers`` and ``pysolvers`` of python-sat.

    Raises:
        WrongUsage: They are not installed.
    """
    try:
        import pysolvers
        from pysat import solvers
    except ImportError:
        raise WrongUsage("certificates need the extra [certify]: pip install kaiser-logic[certify]") from None
    return solvers, pysolvers


def trimmed(clauses: Sequence[Clause], lines: Sequence[str]) -> Proof:
    """A proof without the steps and clauses that the derivation of the empty clause does not use."""
    steps: dict[int, tuple[str, list[int]]] = {}
    last = 0
    for line in lines:
        name, rest = line.split(" ", 1)
        if rest.startswith("d"):
            continue
        literals, hints = f" {rest}".split(" 0", 1)
        last = int(name)
        steps[last] = literals, [int(x) for x in hints.split()[:-1]]
        if not literals:
            break
    needed = {last}
    for number in sorted(steps, reverse=True):
        if number in needed:
            needed.update(steps[number][1])
    originals = (n for n in range(1, last) if n not in steps)
    core, names = [], {}
    for clause, number in zip(clauses, originals, strict=False):
        if number in needed:
            core.append(clause)
            names[number] = len(core)
    kept = []
    for number in sorted(steps):
        if number in needed:
            literals, hints_ = steps[number]
            new = names[number] = len(names) + 1
            kept.append(f"{new}{literals} 0 {''.join(f'{names[h]} ' for h in hints_)}0")
    return Proof(core, kept)


LOOSE: Final = 50_000
"""The budget in conflicts for the claims of a question with loose totals."""
EXACT: Final = 500_000
"""The budget in conflicts for the remaining claims with exact totals, and then for each of them alone."""
_TOO_LONG: Final = "it takes too many conflicts"
_MODEL: Final = "the completion of the program has a model that breaks it"
_BY_QUERY: Final = "certificates of queries are not supported yet"


@dataclass
class Written:
    """The files written for a question, and for each other claim the reason why it has no certificate."""

    question: Question
    left: dict[str, str] = field(default_factory=dict)


def write(
    ruleset: Ruleset,
    report: ProofReport,
    folder: Path,
    workers: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
    deadline: float = float("inf"),
) -> Manifest:
    """Writes certificates for the claims that are proved.

    Args:
        ruleset: The rules in force.
        report: The report of the proofs.
        folder: The folder for the certificates. It is created if it does not exist.
        workers: The number of processes; None for one for each core.
        progress: Called with a message after each question.
        deadline: A time of :func:`time.monotonic`. Claims that are not finished by then have no certificate.

    Raises:
        WrongUsage: The solver is not installed.
    """
    modules()
    clear(folder)
    statements = {p.claim: p.statement for p in report.proofs if p.status == "proved"}
    setting = Setting(ruleset.dropping(report.unproved), together=report.together)
    supposed = [i for i in (*setting.prover.theory.invariants, *ALWAYS) if i not in report.unproved]
    supposed += [RANGE] if RANGE in dict(setting.prover.about_positions) else []
    kinds, jobs = questions(setting, {*statements, *supposed} if statements else (), folder, supposed)
    setting.prover.precompute()
    left = {c: _BY_QUERY for c in statements if c not in kinds}
    made: dict[str, Question] = {}
    for answer in job_answers([Job(job.question.name, job) for job in jobs], workers, deadline):
        job = next(j for j in jobs if j.question.name == answer.name)
        one = answer.value or Written(job.question, dict.fromkeys(job.claims, str(answer.failure)))
        made[answer.name] = one.question
        left.update((claim, f"{one.question.about}: {why}") for claim, why in one.left.items())
        progress(f"certificates {len(made)}/{len(jobs)} {one.question.about}")
    docs = {c: statements.get(c, "") for c in kinds}
    manifest = Manifest(
        str(ruleset.configuration.source),
        settings_of(ruleset),
        clingo.VERSION,
        hashes(rule_files(_folder(ruleset), asp_folder() / "engine")),
        tuple(supposed),
        {c: Claim(docs[c], kind) for c, kind in kinds.items() if c not in left},
        left,
        tuple(made[job.question.name] for job in jobs),
    )
    generated = [rule.text for rule in ruleset.rules if rule.file == "generated"]
    pack(folder / f"{RULES}.lp.xz", [*generated, *(f"{fact}." for fact in ruleset.given)])
    manifest.write(folder)
    return manifest


def _folder(ruleset: Ruleset) -> Path:
    source = ruleset.configuration.source
    return source if isinstance(source, Path) else folder_of(source)


def settings_of(ruleset: Ruleset) -> dict[str, list[str]]:
    """The settings in the form of the manifest."""
    return {"seats": [*ruleset.seats], "given": [*map(str, ruleset.given)]}


def questions(
    setting: Setting, wanted: Collection[str], folder: Path, supposed: Sequence[str]
) -> tuple[dict[str, str], list[_Writing]]:
    """The kinds of the wanted claims, and the jobs that write the questions about them.

    Args:
        setting: The setting of the proofs.
        wanted: The claims.
        folder: The folder for the files.
        supposed: The claims that the questions assume of a position.
    """
    prover = setting.prover
    if not wanted:
        return {}, []
    goals = [g for g in prover.goals if g in wanted]
    kinds = {g: DECISION if g == ENUMERATION else STEP for g in goals}
    jobs = []
    for number, transition in enumerate(prover.transitions):
        kind = DECISION if transition.step is None else STEP
        claims = tuple(g for g in goals if kind == DECISION or g != ENUMERATION)
        question = Question(f"q{number}", kind, transition.label, covered(transition))
        jobs.append(_Writing(setting, number, folder, question, claims, supposed))
    for number, (claim, _) in enumerate(prover.about_positions):
        if claim in wanted:
            kinds[claim] = POSITION
            question = Question(f"p{number}", POSITION, claim)
            jobs.append(_Writing(setting, number, folder, question, (claim,), supposed))
    return kinds, jobs


def covered(transition: Transition) -> tuple[str, ...]:
    """The declarations that a question about a transition covers. They allow `verify` to notice a missing question."""
    if transition.step is not None:
        return (f"step({transition.label.removeprefix('step ')})",)
    return tuple(
        f"action({show_term(schema.decision)},{show_term(schema.action)})" for schema in transition.schemas
    )


@dataclass(frozen=True)
class _Writing:
    """A job that writes the files of a question."""

    setting: Setting
    number: int
    folder: Path
    question: Question
    claims: tuple[str, ...]
    supposed: Sequence[str]

    def __call__(self) -> Written:
        if self.question.kind == POSITION:
            return _Positions(self).written()
        prover = self.setting.prover
        transition = prover.transitions[self.number]
        encoder, beyond = self._ground(transition)
        if beyond.wanted is not None and beyond.wanted <= HIGHEST:
            encoder, beyond = self._ground(transition, beyond.wanted)
        if beyond.reason is not None:
            return Written(self.question, dict.fromkeys(self.claims, beyond.reason))
        claims = [c for c in self.claims if c != ENUMERATION or not encoder.generator_unchecked]
        return self.of(encoder.program.text, claims)

    def _ground(self, transition: Transition, bound: int | None = None) -> tuple[Encoder, BoundCheck]:
        """The encoding of the transition, grounded, and the check of the bound of its numbers."""
        encoder, beyond = self.setting.prover.encoded(transition, self.claims, bound)
        encoder.program.ground()
        beyond.settle()
        return encoder, beyond

    def of(self, text: str, claims: Iterable[str]) -> Written:
        """Writes the claims that can be proved of a program. They are proved together as far as possible."""
        try:
            made = Completion(text)
        except NoCompletion as error:
            return Written(self.question, dict.fromkeys(self.claims, str(error)))
        search = _Search(made, self.question)
        search.loosely(claims)
        search.exactly()
        parts = []
        for number, (part, proof) in enumerate(search.found):
            name = f"{self.question.name}-{number}"
            pack(self.folder / f"{name}.cnf.xz", dimacs(proof.core))
            pack(self.folder / f"{name}.lrat.xz", proof.steps)
            parts.append(replace(part, name=name))
        settings = settings_of(self.setting.prover.theory.ruleset)
        first = heading(self.question, settings, self.supposed, self.claims)
        pack(self.folder / f"{self.question.name}.lp.xz", [first, text])
        proved = {claim for part in parts for claim in part.claims}
        left = {
            claim: search.left.get(claim, "it is not proved") for claim in self.claims if claim not in proved
        }
        return Written(replace(self.question, parts=tuple(parts)), left)


class _Search:
    """A search for proofs that no model of a program breaks claims.

    Attributes:
        found: The parts that are proved, with their proofs.
        left: The claims that are not proved, each with the reason.
    """

    def __init__(self, made: Completion, question: Question) -> None:
        self._made, self._question = made, question
        self.found: list[tuple[Part, Proof]] = []
        self.left: dict[str, str] = {}

    def loosely(self, claims: Iterable[str]) -> None:
        """Proves the claims that hold with loose totals."""
        self._prove(claims, False, LOOSE)

    def exactly(self) -> None:
        """Proves the remaining claims with exact totals: all together, or one by one if that takes too long."""
        claims, self.left = list(self.left), {}
        self._prove(claims, True, EXACT)
        late = [claim for claim, why in self.left.items() if why == _TOO_LONG]
        for claim in late if len(late) > 1 else []:
            del self.left[claim]
            self._prove([claim], True, EXACT)

    def _prove(self, claims: Iterable[str], exact: bool, conflicts: int) -> None:
        """Proves claims together. Those that a model breaks are removed until no model breaks any."""
        extra = tuple(claims)
        while extra:
            part = Part("", extra, exact)
            result = prove([*self._made.clauses, *extra_clauses(self._made, part, self._question)], conflicts)
            if isinstance(result, Proof):
                check(result.core, result.steps)
                self.found.append((part, result))
                return
            if result is None:
                self.left.update(dict.fromkeys(extra, _TOO_LONG))
                return
            broken = broken_claims(self._made, self._question, result)
            self.left.update((claim, _MODEL) for claim in extra if claim in broken)
            extra = tuple(claim for claim in extra if claim not in broken)


class _Positions(Positions):
    """Questions about positions, encoded as in the prover, whose proofs are written."""

    def __init__(self, writing: _Writing, vocabulary: Vocabulary | None = None) -> None:
        prover = writing.setting.prover
        totals = prover.totals if vocabulary is None else Totals(prover.theory, vocabulary)
        super().__init__(prover.theory, vocabulary or prover.vocabulary, totals)
        self._writing = writing
        self._wider: _Positions | None = None
        self._written = Written(writing.question, dict.fromkeys(writing.claims, "it is not proved"))

    def with_vocabulary(self, wider: Vocabulary) -> Positions:
        self._wider = _Positions(self._writing, wider)
        return self._wider

    def written(self) -> Written:
        """The files written for the question; if numbers were too large, those with the wider vocabulary."""
        self.decide(self._writing.number)
        return self._written if self._wider is None else self._wider._written

    def _answer(self, encoder: Encoder, conflicts: int, exact: bool = True) -> Answer:
        beyond = BoundCheck([encoder])
        encoder.program.ground()
        decided(beyond)
        self._written = self._writing.of(encoder.program.text, self._writing.claims)
        return Answer("", "undecided" if self._written.left else "proved")
