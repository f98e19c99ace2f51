"""Searches for proofs, with CaDiCaL. Nothing here has to be believed: `lrat` checks each proof that it gives.

One solver decides the claims of a question one after the other, easy ones first, so that it learns for all of them. Each
claim that cannot be broken becomes a clause of one literal that follows. So the clause that one of them is broken leads to
the empty clause, and what the solver has written until then is one proof for all. The effort is limited by conflicts.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, Final

from ..errors import WrongUsage
from .completion import TRUE, Clause

_OPTIONS: Final = {"lrat": 1, "binary": 0}
ALONE: Final = 100_000
EVERY: Final = 6
"""The effort in conflicts: for each claim, and in units of that for all claims of a question."""
LARGE: Final = 600_000
MANY: Final = 40_000
"""If a ground program has more than `LARGE` rules, the rules of predicates with more than `MANY` become choices."""
SUMS: Final = 1_000_000
"""First the rules of predicates whose sums become more clauses than that are choices. If that is too weak, they are not."""


@dataclass(frozen=True)
class LratProof:
    """A proof that clauses, and one that says that some claim is broken, cannot all hold.

    Attributes:
        claims: The claims.
        core: The numbers, from 0, of the clauses that it uses; the last number is that of the clause about the claims.
        steps: The steps in the format LRAT, in which these clauses have the numbers from 1 on.
        weak: The predicates, as ``name/arity``, whose rules are choices in the program.
    """

    claims: tuple[str, ...]
    core: Sequence[int]
    steps: Sequence[str]
    weak: tuple[str, ...] = ()


@dataclass
class SearchResult:
    """What a search has found.

    Attributes:
        proofs: The proofs.
        models: For a claim that can be broken, the literals of a model.
        late: The claims that took too many conflicts.
        conflicts: The conflicts that were used.
    """

    proofs: list[LratProof] = field(default_factory=list)
    models: dict[str, frozenset[int]] = field(default_factory=dict)
    late: list[str] = field(default_factory=list)
    conflicts: int = 0


def modules() -> tuple[Any, Any]:
    """The modules ``pysat.solvers`` and ``pysolvers`` of python-sat.

    Raises:
        WrongUsage: They are not installed.
    """
    try:
        import pysolvers
        from pysat import solvers
    except ImportError:
        raise WrongUsage("a search for proofs needs the extra [certify]: pip install kaiser-logic[certify]") from None
    return solvers, pysolvers


def search(clauses: Sequence[Clause], goals: Mapping[str, int], effort: int = ALONE) -> SearchResult:
    """Searches for a proof that no claim is broken.

    Args:
        clauses: The clauses of a question.
        goals: For each claim the literal that says that it is broken.
        effort: The largest number of conflicts for each claim.
    """
    found = SearchResult()
    solvers, backend = modules()
    with tempfile.TemporaryFile() as file:
        solver = solvers.Cadical195()
        try:
            solver.configure(_OPTIONS)
            trace = backend.cadical195_tracepr(solver.cadical, file)
            for clause in clauses:
                solver.add_clause(clause)
            holds = _holding(solver, goals, effort, found)
            if holds:
                solver.add_clause([goals[c] for c in holds if goals[c] != TRUE])
                solver.solve()
                backend.flushpr(trace)
                found.proofs.append(LratProof(tuple(holds), *trim(file, len(clauses))))
        finally:
            solver.delete()
    return found


def _holding(solver: Any, goals: Mapping[str, int], effort: int, found: SearchResult) -> list[str]:
    """The claims that cannot be broken; what is known of the others is noted."""
    holds: list[str] = []
    left = list(goals)
    for budget in (max(1, effort // 20), effort):
        late = []
        for claim in left:
            if claim in found.models:
                continue
            if found.conflicts > effort * EVERY:
                late.append(claim)
                continue
            solver.conf_budget(budget)
            answer = solver.solve_limited(assumptions=[x for x in (goals[claim],) if x != TRUE])
            found.conflicts = int(solver.accum_stats().get("conflicts", 0))
            if answer is None:
                late.append(claim)
            elif answer:
                model = frozenset(x for x in solver.get_model() if x > 0)
                found.models.update((c, model) for c in left if goals[c] == TRUE or goals[c] in model)
            else:
                holds.append(claim)
        left = late
    found.late = [c for c in left if c not in found.models]
    return holds


def trim(file: IO[bytes], originals: int) -> tuple[list[int], list[str]]:
    """The clauses, by number, and the steps that the derivation of the empty clause uses.

    The original clauses have the first numbers that no step has; one that comes later is that about the claims.
    """
    steps: dict[int, tuple[int, int]] = {}
    file.seek(0)
    place = last = 0
    for line in file:
        name, rest = line.split(b" ", 1)
        if not rest.startswith(b"d"):
            last = int(name)
            steps[last] = place, len(line)
            if rest.startswith(b"0 "):
                break
        place += len(line)
    needed, kept = {last}, {}
    for number in sorted(steps, reverse=True):
        if number in needed:
            start, size = steps[number]
            file.seek(start)
            literals, _, hints = f" {file.read(size).decode().split(' ', 1)[1]}".partition(" 0 ")
            kept[number] = literals, [int(x) for x in hints.split()[:-1]]
            needed.update(kept[number][1])
    given = _originals(needed, steps, originals)
    names = {number: k for k, number in enumerate((*given, *sorted(kept)), 1)}
    lines = [
        f"{names[number]}{kept[number][0]} 0 {''.join(f'{names[h]} ' for h in kept[number][1])}0"
        for number in sorted(kept)
    ]
    return list(given.values()), lines


def _originals(needed: Iterable[int], steps: Mapping[int, object], originals: int) -> dict[int, int]:
    """The position of each needed clause that is no step; the last position is that of the clause about the claims."""
    position, found = 0, {}
    numbers = (n for n in range(1, max(needed) + 1) if n not in steps)
    wanted = set(needed) - steps.keys()
    for position, number in enumerate(numbers):
        if number in wanted:
            found[number] = min(position, originals)
    return found
