"""Asks CaDiCaL for a proof in the format LRAT, and leaves out of it what it does not need.

Nothing here is trusted: a proof that is wrong is found out by the checker.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..errors import WrongUsage
from .completion import Clause

_OPTIONS: Final = {"lrat": 1, "binary": 0}


@dataclass(frozen=True)
class Proof:
    """A proof that clauses cannot all hold.

    Attributes:
        core: The clauses that it uses.
        steps: Its steps, in which these are numbered from 1.
    """

    core: Sequence[Clause]
    steps: Sequence[str]


def prove(clauses: Sequence[Clause], conflicts: int) -> Proof | set[int] | None:
    """A proof that clauses cannot all hold; what holds in a model; None where more conflicts would have to be gone through.

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
    """The modules of python-sat.

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
    """A proof without the steps and clauses that the empty clause does not rest on."""
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
