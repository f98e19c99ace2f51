"""Searches for proofs, with CaDiCaL. Nothing here has to be believed: `lrat` checks each proof that it gives.

All claims of a question are tried together first. If that takes too long, each is tried alone, and those that cannot be
broken are proved in groups. The effort is limited by conflicts.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ..errors import WrongUsage
from .completion import TRUE, Clause

_OPTIONS: Final = {"lrat": 1, "binary": 0}
TOGETHER: Final = 3_000
ALONE: Final = 40_000
EVERY: Final = 6
GROUP: Final = 12
"""The effort in conflicts: for all claims of a question together, for each alone, and in units of that for all that are tried
alone. Then up to `GROUP` claims are proved together.
"""


@dataclass(frozen=True)
class Proof:
    """A proof that clauses, and one that says that some claim is broken, cannot all hold.

    Attributes:
        claims: The claims.
        core: The numbers, from 0, of the clauses that it uses; the last number is that of the clause about the claims.
        steps: The steps in the format LRAT, in which these clauses have the numbers from 1 on.
    """

    claims: tuple[str, ...]
    core: Sequence[int]
    steps: Sequence[str]


@dataclass
class Found:
    """What a search has found.

    Attributes:
        proofs: The proofs.
        models: For a claim that can be broken, the literals of a model.
        late: The claims that took too many conflicts.
        conflicts: The conflicts that were used.
    """

    proofs: list[Proof] = field(default_factory=list)
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
        raise WrongUsage(
            "a search for proofs needs the extra [certify]: pip install kaiser-logic[certify]"
        ) from None
    return solvers, pysolvers


def search(clauses: Sequence[Clause], goals: Mapping[str, int], effort: int = ALONE) -> Found:
    """Searches for proofs that no claim is broken.

    Args:
        clauses: The clauses of a question.
        goals: For each claim the literal that says that it is broken.
        effort: The largest number of conflicts for each claim.
    """
    found = Found()
    left = dict(goals)
    while left:
        answer = _prove(clauses, left, min(TOGETHER, effort), found)
        if isinstance(answer, Proof):
            found.proofs.append(answer)
            return found
        if answer is None:
            break
        broken = [c for c, x in left.items() if x == TRUE or x in answer]
        for claim in broken:
            found.models[claim] = frozenset(answer)
            del left[claim]
    holds = _alone(clauses, left, effort, found)
    groups = [holds[k : k + GROUP] for k in range(0, len(holds), GROUP)]
    while groups:
        group = groups.pop(0)
        answer = _prove(clauses, {c: goals[c] for c in group}, effort * 2, found)
        if isinstance(answer, Proof):
            found.proofs.append(answer)
        elif len(group) > 1:
            groups += [group[: len(group) // 2], group[len(group) // 2 :]]
        else:
            found.late += group
    return found


def _alone(clauses: Sequence[Clause], goals: Mapping[str, int], effort: int, found: Found) -> list[str]:
    """The claims that cannot be broken, decided one after the other by one solver, easy ones first."""
    if not goals:
        return []
    solvers, _ = modules()
    solver = solvers.Cadical195()
    holds: list[str] = []
    try:
        for clause in clauses:
            solver.add_clause(clause)
        left = list(goals)
        for budget in (max(1, effort // 20), effort):
            late = []
            for claim in left:
                used = int(solver.accum_stats().get("conflicts", 0))
                if used > effort * EVERY:
                    late.append(claim)
                    continue
                solver.conf_budget(budget)
                answer = solver.solve_limited(assumptions=[goals[claim]])
                if answer is None:
                    late.append(claim)
                elif answer:
                    found.models[claim] = frozenset(x for x in solver.get_model() if x > 0)
                else:
                    holds.append(claim)
                    solver.add_clause((-goals[claim],))
            left = late
        found.late += left
        found.conflicts += int(solver.accum_stats().get("conflicts", 0))
    finally:
        solver.delete()
    return holds


def _prove(
    clauses: Sequence[Clause], goals: Mapping[str, int], conflicts: int, found: Found
) -> Proof | set[int] | None:
    """A proof that no claim is broken; or the true literals of a model; or None after too many conflicts."""
    solvers, backend = modules()
    with tempfile.TemporaryFile() as file:
        solver = solvers.Cadical195()
        try:
            solver.configure(_OPTIONS)
            trace = backend.cadical195_tracepr(solver.cadical, file)
            for clause in clauses:
                solver.add_clause(clause)
            goal = [] if TRUE in goals.values() else [tuple(sorted(goals.values()))]
            for clause in goal:
                solver.add_clause(clause)
            solver.conf_budget(conflicts)
            answer = solver.solve_limited()
            found.conflicts += int(solver.accum_stats().get("conflicts", 0))
            if answer is None:
                return None
            if answer:
                return {x for x in solver.get_model() if x > 0}
            backend.flushpr(trace)
            file.seek(0)
            core, steps = trimmed(len(clauses) + len(goal), file.read().decode().splitlines())
            return Proof(tuple(goals), core, steps)
        finally:
            solver.delete()


def trimmed(originals: int, lines: Sequence[str]) -> tuple[list[int], list[str]]:
    """The clauses, by number, and the steps that the derivation of the empty clause uses."""
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
    core, names = [], {}
    given = (n for n in range(1, last) if n not in steps)
    for position, number in zip(range(originals), given, strict=False):
        if number in needed:
            core.append(position)
            names[number] = len(core)
    kept = []
    for number in sorted(steps):
        if number in needed:
            text, hints_ = steps[number]
            new = names[number] = len(names) + 1
            kept.append(f"{new}{text} 0 {''.join(f'{names[h]} ' for h in hints_)}0")
    return core, kept
