"""A hard question about an enumeration asked stage by stage: what is proved of one stage is known at the next.

That an enumeration lists an action is a long conjunction: the rule's literals one after the other, and behind each the
rules that derive it. Put at once, the solver has to find the way from the first to the last by itself. :mod:`.demands` says
what may be missing on this way. Each such stage is asked whether it can be missing at all. If not, that it is not missing
is added as a constraint: it excludes nothing, as there is nothing to exclude. If it can be, or that is not decided, nothing
is added. So the stages decide nothing themselves: the undivided question does, put after them to the same program.

A stage is asked of programs that exclude less first (:mod:`.lesser`), which are easier: what is impossible there is
impossible in the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from .. import clingo
from ..symbolic.encoding import Encoding
from ..symbolic.solver import LED, Solver
from .demands import Stage, lack, stages
from .lesser import between, lesser, loosened
from .twins import shared

_BRIEF: Final = 1_000
"""So many conflicts of the solver are spent on a stage before those before it are asked."""

_EFFORT: Final = 16_000
"""So many after it."""

_LOST: Final = 6
"""After so many stages that were not decided no more are asked for."""


@dataclass(frozen=True)
class Staged:
    """A question in stages.

    Attributes:
        encoding: Its program, with the stages' rules.
        stage: The last one, that the answer is missing.
        listed: The predicate by which an action is listed.
        judged: The predicate by which it is illegal.
    """

    encoding: Encoding
    stage: Stage
    listed: str
    judged: str


@dataclass
class Asking:
    """A program to which stages are put.

    Attributes:
        solver: Of the program.
        atoms: Of the stages whose rules it has.
        vain: Of these, those that can be missing in any case: what they ask for is left open.
    """

    solver: Solver
    atoms: frozenset[str]
    vain: frozenset[str] = frozenset()
    _led: set[str] = field(default_factory=set)

    def missing(self, atom: str, effort: int, assumed: Sequence[str]) -> bool | None:
        """Whether something can be missing; None if that is not decided by so many conflicts."""
        if atom in self.vain:
            return True
        if atom not in self._led:
            self._led.add(atom)
            self._lead(atom)
        return self.solver.decide(effort, *assumed, atom)

    def _lead(self, atom: str) -> None:
        """Lets the solver begin with one of the things that may be missing: most are refuted at once."""
        name, atoms = lack(atom), self.solver.control.symbolic_atoms
        arities = [arity for found, arity, positive in atoms.signatures if found == name and positive]
        found = [a.symbol for arity in arities for a in atoms.by_signature(name, arity)]
        if found:
            self.solver.add(f"led_{atom}", "\n".join(f"#heuristic {a} : {atom}. [1,true]" for a in found))


def staged(encoding: Encoding, transition: int, listed: str) -> Staged:
    """Adds the rules of the stages to a program, each predicate once.

    Args:
        encoding: The program.
        transition: The transition in which the action is done.
        listed: ``listed(Role)`` holds where it is listed.
    """
    encoding.lines = shared(encoding.lines, transition, encoding.facts)
    lines, stage = stages(encoding.lines, listed)
    encoding.add(*lines)
    return Staged(encoding, stage, listed, encoding.illegal(transition))


def prove_stages(question: Staged, whole: Solver, *assumed: str) -> None:
    """Asks stage by stage, and adds what is proved under the assumptions as constraints under the same.

    Args:
        question: In stages.
        whole: The solver of its program.
        assumed: Ground atoms of ours, open in the program.
    """
    prove(*programs(question, whole, assumed), *assumed)


def programs(question: Staged, whole: Solver, assumed: Sequence[str]) -> tuple[list[Asking], list[Stage]]:
    """The programs to put stages to, those that exclude least first, the whole one last; and the stages in their order.

    In the first, what the listing and the judging of an action both read is open, whatever it is derived from: the bill.
    That there is one is asked before all else.
    """
    lines, every = list(question.encoding.lines), question.stage.every()
    atoms = [stage.atom for stage in every]
    both = between(lines, question.listed, question.judged)
    vain = frozenset(stage.atom for stage in every if stage.predicate in both)
    opened, facts = loosened(lines, both, whole.control.symbolic_atoms)
    found = []
    for text, more, open_ in ((opened, facts, vain), (lines, [], frozenset[str]())):
        kept, own = lesser(text, [question.listed, question.judged, *assumed], atoms)
        solver = Solver("\n".join(kept), [*question.encoding.facts, *more], LED)
        found.append(Asking(solver, frozenset(own), open_))
    found.append(Asking(whole, frozenset(atoms)))
    return found, [*(stage for stage in every if stage.predicate in both), question.stage]


def prove(programs: Sequence[Asking], stages: Iterable[Stage], *assumed: str) -> None:
    """Asks stage by stage.

    A stage is asked with little effort first; only where that does not decide it, those before it are asked, and it
    again with more. What is possible in a program that excludes less than the next is asked of the next one.

    Args:
        programs: With the stages' rules: what is impossible in one of them is impossible in the last.
        stages: What may be missing.
        assumed: Ground atoms of ours.
    """
    # an assumption that a program does not know would be impossible there, and with it everything
    known = [p for p in programs if all(_knows(p.solver, atom) for atom in assumed)]
    _Proving(known, assumed).run(stages)


def _knows(solver: Solver, atom: str) -> bool:
    return solver.control.symbolic_atoms[clingo.parse_term(atom)] is not None


@dataclass
class _Proving:
    """Stages being asked."""

    programs: Sequence[Asking]
    assumed: Sequence[str]
    lost: int = 0
    seen: set[str] = field(default_factory=set)

    def run(self, stages: Iterable[Stage]) -> None:
        """Asks for stages in their order."""
        for stage in stages:
            if stage.atom not in self.seen and self.lost <= _LOST:
                self.seen.add(stage.atom)
                self._ask(stage)

    def _ask(self, stage: Stage) -> None:
        if stage.before:
            missing = self._missing(stage, _BRIEF)
            if missing is None:
                self.run(stage.before)
            if missing is not None or self.lost > _LOST:
                return
        self.lost += self._missing(stage, _EFFORT) is None

    def _missing(self, stage: Stage, effort: int) -> bool | None:
        """Whether it can be missing; if not, that is noted in each program."""
        missing: bool | None = None
        knowing = [p for p in self.programs if stage.atom in p.atoms]
        for program in knowing:
            missing = program.missing(stage.atom, effort, self.assumed)
            if missing is not True:
                break
        if missing is False:
            for program in knowing:
                program.solver.add(f"proved_{stage.atom}", f":- {', '.join(self.assumed)}, {stage.atom}.")
        return missing
