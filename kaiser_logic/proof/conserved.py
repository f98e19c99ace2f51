"""What is conserved where positions are known in part: totals, what counters lose, loads; and that facts are of the vocabulary.

Each transition's books (:mod:`..conservation.books`) say what must not be; each of that is asked of the transition's program, in
which all is supposed that has been proved of a part of a position. What is proved here holds together: it holds at the start,
and no transition leads from positions in which all of it holds to one in which it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from ..conservation.belonging import BEFORE, OUTSIDE
from ..conservation.books import Books
from ..conservation.clauses import NotShown
from ..conservation.credit import UNBALANCED
from ..conservation.holding import STRAY
from ..conservation.vocabulary import stated
from ..engine import symbols
from ..evaluation.evaluator import Evaluator
from ..rules.predicates import BROKEN
from ..symbolic.flattening import Unprojectable
from ..symbolic.invariants import GENERAL
from ..symbolic.solver import Solver
from ..symbolic.transitions import Transition
from ..workers import Job, asked
from .fixed import ASKED
from .known_part import PartialProgram
from .partial import Lost
from .pending import EXCLUSIVE
from .report import Proof

_EFFORT: Final = 300_000
"""So many conflicts are spent on one question."""
_LITTLE: Final = 2_000
"""So many on whether something holds of one thing at most, which only helps."""
CONSERVED: Final = ("count", "limit")
"""What is proved by books."""
VOCABULARY: Final = "vocabulary"
"""What is proved by them once that is."""


@dataclass(frozen=True)
class Booked:
    """What a transition's books have shown.

    Attributes:
        stray: Why it is not shown that nothing is lost that is not there, or that the invariants hold on; or None.
        unbalanced: Why it is not shown that totals stay as they are, or None.
        outside: Why it is not shown that all that comes is of the vocabulary, or None.
    """

    stray: str | None = None
    unbalanced: str | None = None
    outside: str | None = None


def books(
    evaluator: Evaluator, transition: Transition, lemmas: Sequence[str], lost: Lost, keep: Collection[str]
) -> Booked:
    """One transition's books.

    Args:
        evaluator: Of the rules in force.
        transition: The transition.
        lemmas: The invariants.
        lost: Those of their witnesses that are not proved of a part of a position.
        keep: Invariants that are supposed nevertheless, and to be shown here.
    """
    gone = frozenset((i, w) for i, w in lost if i not in keep)
    supposed = {i for i in lemmas if i not in {i for i, _ in gone}}
    try:
        program = PartialProgram(evaluator, transition, lemmas)
        program.let_go(gone)
        found = Books(evaluator.ruleset, program.projected, transition, supposed)
        lines = found.lines(_single(program, found), [i for i in keep if _may_break(program, i)])
    except (NotShown, Unprojectable) as error:
        return Booked(*[str(error)] * 3)
    solver = program.solver
    solver.add("books", "\n".join([*lines, f"{STRAY}(none) :- #false.", f"{UNBALANCED}(none) :- #false."]))
    stray, unbalanced = (_may_be(solver, name) for name in (STRAY, UNBALANCED))
    unbalanced = found.unbalanced or unbalanced or stray
    outside = found.outside or unbalanced or _outside(solver, found.belonging)
    return Booked(stray, unbalanced, outside)


def _may_be(solver: Solver, name: str, *supposed: str) -> str | None:
    """What may be of what must not be, or None."""
    for atom in sorted(solver.control.symbolic_atoms.by_signature(name, 1), key=lambda a: a.symbol):
        text = symbols.text(atom.symbol)
        if solver.decide(_EFFORT, text, f"not {ASKED}", *supposed, usual_first=True) is not False:
            return text.removeprefix(name)
    return None


def _outside(solver: Solver, lines: Sequence[str]) -> str | None:
    """What may come that is not of the vocabulary, or None."""
    solver.add(VOCABULARY, "\n".join([*lines, f"{OUTSIDE}(none) :- #false."]))
    if not any(solver.control.symbolic_atoms.by_signature(OUTSIDE, 1)):
        return None
    if solver.decide(_EFFORT, f"not {ASKED}") and not solver.decide(_EFFORT, f"not {ASKED}", BEFORE):
        return "no position before it is of the vocabulary"
    return _may_be(solver, OUTSIDE, BEFORE)


def _single(program: PartialProgram, found: Books) -> set[tuple[str, int]]:
    """Of which predicates the program says that they hold of one thing at most."""
    candidates = found.candidates()
    asking = [f"{{ ask__({n}) }}. :- ask__({n}), not two__({n})." for n, _ in candidates]
    program.solver.add("single", "\n".join([*candidates.values(), *asking]))
    return {
        c for c in candidates if program.solver.decide(_LITTLE, f"ask__({c[0]})", f"not {ASKED}") is False
    }


def _may_break(program: PartialProgram, invariant: str) -> bool:
    """Whether of what is listed of a position the transition may break an invariant."""
    atoms = program.solver.control.symbolic_atoms.by_signature(program.broken, 2)
    broken = [a.symbol for a in atoms if symbols.text(a.symbol.arguments[0]) == invariant]
    return any(
        program.solver.decide(_LITTLE, symbols.text(s), f"not {ASKED}") is not False for s in sorted(broken)
    )


@dataclass(frozen=True)
class Conserved:
    """What has been shown of all transitions.

    Attributes:
        proved: Of ``count``, ``limit``, ``vocabulary``, and of the invariants that were to be kept.
        why: Why another one is not.
    """

    proved: frozenset[str]
    why: Mapping[str, str]


def conserve(
    evaluator: Evaluator,
    transitions: Sequence[Transition],
    lemmas: Sequence[str],
    lost: Lost,
    proofs: Mapping[str, Proof],
    asking: tuple[Sequence[str], str | None],
    workers: tuple[int | None, str | None],
    deadline: float,
    progress: Callable[[str], None],
) -> Conserved:
    """What the books of all transitions show.

    First with the invariants that are not proved of a part of a position, which are then shown together with the rest; where
    that fails without them. Nothing where something falls that all of it rests on.

    Args:
        evaluator: Of the rules in force.
        transitions: All of them.
        lemmas: The invariants that hold at the start and in random games.
        lost: Those of their witnesses that are not proved of a part of a position.
        proofs: What is known of the start and of random games.
        asking: The claims that are asked for (none: all), and why nothing is proved of parts of positions, or None.
        workers: The number of processes, and the address of a scheduler whose workers are asked instead, or None.
        deadline: By :func:`time.monotonic`.
        progress: Told what has been answered.
    """
    wanted, failure = asking
    rests = (VOCABULARY, EXCLUSIVE, *CONSERVED)
    if failure is not None or any(proofs[c].status != "proved" for c in rests):
        return Conserved(frozenset(), {})
    if wanted and not {*wanted} & {VOCABULARY, *CONSERVED, *(i for i, _ in lost)}:
        return Conserved(frozenset(), {})
    if _said_otherwise(evaluator):
        said = "the rulebook says itself how it is broken"
        return Conserved(frozenset(), dict.fromkeys((VOCABULARY, *CONSERVED), said))
    every = sorted({i for i, _ in lost})
    with suppress(Unprojectable):
        stated(evaluator.ruleset)  # once for all processes
    first: Conserved | None = None
    for keep in dict.fromkeys((tuple(every), ())):
        why: dict[str, str] = {}
        first_steps = sorted(transitions, key=lambda t: t.step is None)
        jobs = [Job(t.label, partial(books, evaluator, t, lemmas, lost, keep)) for t in first_steps]
        for count, answer in enumerate(asked(jobs, workers[0], deadline, workers[1]), 1):
            progress(f"{count}/{len(jobs)} books of {answer.name}")
            found = answer.value or Booked(*[answer.failure] * 3)
            if found.unbalanced is not None:
                why.setdefault("limit", f"{answer.name}: {found.unbalanced}")
            if found.stray is not None:
                for claim in ("count", *keep):
                    why.setdefault(claim, f"{answer.name}: {found.stray}")
            if found.outside is not None:
                why.setdefault(VOCABULARY, f"{answer.name}: {found.outside}")
        # what is not there may be excluded by the limits, and then nothing is shown without them
        every_ = (VOCABULARY, *CONSERVED, *keep)
        for rest in CONSERVED[::-1]:
            if rest in why:
                why = {c: why.get(c, why[rest]) for c in every_}
        shown = Conserved(frozenset(every_) - why.keys(), why)
        if shown.proved:
            return shown
        first = first or shown
    assert first is not None
    return first


def _said_otherwise(evaluator: Evaluator) -> bool:
    """Whether the rulebook's own rules break invariants of the engine."""
    return any(
        h.signature == BROKEN and h.args[0][1] in GENERAL
        for r in evaluator.ruleset.book.rules
        for h in r.heads
    )
