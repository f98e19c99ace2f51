"""Which of many further invariants are inductive together, by cheap questions: the candidates of ``invariants``.

The largest inductive set is kept (Houdini, as in :mod:`.rounds`). A candidate is dropped if a transition leads from a valid
position that meets the whole set to one that breaks the candidate. The checks of the others assumed it, so they are repeated
until nothing is dropped. All questions about a transition are asked of one program, in which each candidate is supposed or not.

No verdict rests on the answers: nearly all questions leave totals loose, nothing is compared with the plain engine, and a
candidate that is not decided within its budget is dropped. Whoever wants a proof of what is left asks :mod:`.rounds`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from ..engine.ruleset import Ruleset
from .goals import fallen_claims
from .positions import ALONE
from .prover import GoalSolver
from .questions import Setting
from .theory import Transition

TOGETHER: Final = 60_000
"""The budget, in conflicts, for all candidates of a transition together."""
EXACTLY: Final = 2_000
"""The budget for one candidate with exact totals."""
SMALL: Final = 400
"""Exact totals are used only if the vocabulary has fewer facts."""


class InductiveSet:
    """Finds the inductive candidates among given ones.

    Attributes:
        undecided: The number of candidates that were dropped because a budget ran out.
    """

    def __init__(self, ruleset: Ruleset, names: Sequence[str]) -> None:
        """``ruleset``: the rules in force, with the candidates as further invariants of these names."""
        self._names = names
        self._prover = Setting(ruleset.dropping(names)).prover
        self._solvers: dict[str, GoalSolver] = {}
        self.undecided = 0

    def new(self) -> set[str]:
        """The candidates that do not follow from the other invariants."""
        implication = self._prover.positions.implication(self._names)
        names: set[str] = set()
        for name in self._names:
            if name not in names:
                broken = implication.breaking(name)
                names |= {name} if broken is None else broken
        return names

    def largest(self, names: Collection[str]) -> set[str]:
        """The largest inductive subset of these that the budgets allow to find.

        Hard transitions come last, because they are easier with fewer candidates.
        """
        candidates, done, hard = set(names), set[str](), set[str]()
        while waiting := [t for t in self._prover.transitions if t.label not in done]:
            for transition in [t for t in waiting if t.label not in hard] or waiting[:1]:
                kept, is_decided = self._keep(transition, candidates, transition.label in hard)
                if kept != candidates:
                    candidates = kept
                    done.clear()
                (done if is_decided else hard).add(transition.label)
        return candidates

    def _keep(self, transition: Transition, names: set[str], one_by_one: bool) -> tuple[set[str], bool]:
        """Those of these candidates that a transition does not break, and whether it is known to break none of them."""
        if transition.label not in self._solvers:
            encoder, _ = self._prover.encode(transition, sorted(names))
            self._solvers[transition.label] = GoalSolver(encoder, sorted(names))
        solver, supposed = self._solvers[transition.label], set(names)
        while breakable := supposed.intersection(solver.live):
            answer, model = solver.solve(breakable, TOGETHER, False, supposed=supposed)
            if answer is None:
                break
            if not answer:
                return supposed, True
            supposed -= fallen_claims(model)
        else:
            return supposed, True
        if not one_by_one:
            return supposed, False
        answers = {n: solver.solve([n], ALONE, False, supposed=supposed)[0] for n in sorted(breakable)}
        self.undecided += sum(answer is None for answer in answers.values())
        kept = {n for n in supposed if answers.get(n, False) is False}
        return kept, kept == supposed

    def shortest(self, names: Sequence[str]) -> list[str]:
        """A subset that implies all of these. Candidates that follow from the rest are left out, the last first.

        Most implications are found with loose totals. Exact totals are tried, too, if the game is small.
        """
        needed, implication = list(names), self._prover.positions.implication(names)
        is_small = len(self._prover.vocabulary.narrow) < SMALL
        for exact, budget in ((False, ALONE), (True, EXACTLY))[: 1 + is_small]:
            for name in reversed(needed[:]):
                rest = [n for n in needed if n != name]
                if implication.breaking(name, rest, budget, exact) == set():
                    needed = rest
        return needed
