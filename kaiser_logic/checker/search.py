"""Searches for proofs, with CaDiCaL. Nothing here has to be believed: `lrat` checks each proof that it gives.

One solver decides the claims of a question one after the other, easy ones first, so that it learns for all of them. Each
claim that cannot be broken becomes a clause of one literal that follows. So the clause that one of them is broken leads to
the empty clause, and what the solver has written until then is one proof for all. The effort is limited by conflicts.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, Final

from ..errors import WrongUsage
from .completion import TRUE, Clause, ProgramClauses
from .text import NotCovered, Signature

_OPTIONS: Final = {"lrat": 1, "binary": 0}
ALONE: Final = 100_000
EVERY: Final = 6
"""The effort in conflicts: for each claim, and in units of that for all claims of a question."""
MOST: Final = 3_000_000
"""The largest number of rules of a ground program."""
LARGE: Final = 600_000
MANY: Final = 40_000
"""If a ground program has more than `LARGE` rules, the rules of predicates with more than `MANY` become choices."""
SUMS: Final = 1_000_000
"""First the rules of predicates whose sums become more clauses than that are choices. If that is too weak, they are not."""
_DEPTH: Final = 3
"""How many atoms without a name clingo may put between a sum and the head of its rule."""


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


class ProgramTooLarge(NotCovered):
    """The ground program has more rules than allowed, or clauses ``of_sums``; ``sizes``: for each predicate how many."""

    def __init__(self, sizes: Counter[Signature], of_sums: bool = False) -> None:
        super().__init__(f"the ground program has {sizes.total():,} {'clauses of sums' if of_sums else 'rules'}")
        self.sizes, self.of_sums = sizes, of_sums


def refuse_large(made: ProgramClauses, most: int, most_for_sums: int | None = None) -> None:
    """Refuses a ground program before its clauses are written.

    Args:
        made: The program.
        most: The largest number of rules.
        most_for_sums: The largest number of clauses for the sums of a predicate, by an estimate; None: there is none.

    Raises:
        ProgramTooLarge: It has more.
    """
    if len(made.rules) > most:
        raise ProgramTooLarge(_sizes(made, ((x, 1) for _, head, _ in made.rules for x in head)))
    if most_for_sums is not None:
        sizes = _sizes(made, _sum_sizes(made))
        if large := [name for name in sizes if name[0] and sizes[name] > most_for_sums]:
            raise ProgramTooLarge(Counter({name: sizes[name] for name in large}), of_sums=True)


def _sum_sizes(made: ProgramClauses) -> list[tuple[int, int]]:
    """For sums, of which equal ones count once, an atom that needs them, and about how many clauses they become."""
    named = {a.literal for a in made.atoms}
    needs = {abs(x): head[0] for _, head, body in made.rules if head for x in body if abs(x) not in named}
    found = {}
    for _, head, _, pairs in made.sums:
        atom = head[0] if head else 0
        for _ in range(_DEPTH):
            atom = needs.get(atom, atom)
        found[tuple(pairs)] = atom, len(pairs) * sum(weight for _, weight in pairs)
    return list(found.values())


def _sizes(made: ProgramClauses, numbers: Iterable[tuple[int, int]]) -> Counter[Signature]:
    """Numbers of atoms, added up for each predicate."""
    name = {a.literal: (a.symbol.name, len(a.symbol.arguments)) for a in made.atoms}
    found: Counter[Signature] = Counter()
    for atom, number in numbers:
        found[name.get(atom, ("", 0))] += number
    return found


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
