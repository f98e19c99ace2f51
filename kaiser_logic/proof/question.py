"""The questions about one transition, written: an open position, a move or step out of it, and what is asked about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..engine.ruleset import Ruleset
from ..rules.predicates import WRONG, broken
from ..rules.rule import Atom
from ..symbolic import names
from ..symbolic.domains import Domains, structured
from ..symbolic.encoded_transition import EncodedTransition
from ..symbolic.encoding import Encoding
from ..symbolic.invariants import GENERAL
from ..symbolic.programs import solver_of
from ..symbolic.solver import SPARSE, Solver
from ..symbolic.transitions import Transition
from ..transform.action_splitting import decisions_of
from .checked import LAWFUL, MATCHED
from .fixed import ASKED
from .listing import look_up
from .moves import Moves, look_back, obliged, wrong_heads
from .obligations import CONSISTENT, FOUND, Obligations, forbidding
from .pending import decided_alone
from .stages import Staged, staged

SURE: Final = "sure__"
"""Holds where nothing is asked for but that there is such a transition: what is found is there in any case."""
UNLISTED: Final = "unlisted__"
"""Holds where an action is asked for that the enumeration misses."""


@dataclass(frozen=True)
class Question:
    """A question with the program it is put to; ``unsure``: why it is not decided by what claims read, if so.

    ``staged``: the same asked stage by stage, where it may be hard. ``chosen``: the atoms of the program that say what is asked;
    none holds where nothing is asked. ``supposed``: what is supposed there all the same. ``asks``: the line that says what is
    asked, where no atom need hold for that.
    """

    encoding: Encoding
    encoded: EncodedTransition
    solver: Solver
    unsure: str | None = None
    staged: Staged | None = None
    chosen: tuple[str, ...] = ()
    supposed: tuple[str, ...] = ()
    asks: str = ""

    def unasked(self) -> Question:
        """The same program, but for what is asked: grounded anew."""
        solver = self.solver
        lines = (line for line in solver.text.split("\n") if line != self.asks)
        return replace(self, solver=Solver("\n".join(lines), solver.facts, solver.options))


class Questions:
    """What can be asked about one transition.

    Attributes:
        followed: Whether the enumeration of its actions is followed for one action: there are too many to be listed.
    """

    def __init__(self, ruleset: Ruleset, transition: Transition, sorts: Domains, moves: Moves) -> None:
        """``sorts``: the open position's; ``moves``: the claims about moves."""
        self._ruleset = ruleset
        self._transition = transition
        self._sorts = sorts
        self._moves = moves
        kinds = transition.kinds
        self.followed = len(kinds) == 1 and structured(ruleset, kinds[0])

    def leaving(
        self, lemmas: Sequence[str], goals: Sequence[str], exact: bool, merged: bool = False
    ) -> Question:
        """The question whether the transition leads from the lemmas out of the goals; open to a check if not exact."""
        encoding, encoded = self._encoded(
            lemmas, exact, "count" not in goals, legal=exact, claims=self._claims(goals)
        )
        obligations, unsure = self._obliged(encoding, encoded, goals, merged)
        obligations.forbid("" if exact else ASKED)
        if exact:
            encoding.add(encoding.totals.least)
        else:
            encoding.add(f"{{ {ASKED} }}.", *self._lawful(encoding, encoded))
        solver = solver_of(encoding, SPARSE if exact else ())
        return Question(encoding, encoded, solver, unsure, asks=forbidding("" if exact else ASKED))

    def listing(self, lemmas: Sequence[str], exact: bool) -> Question:
        """The transition, and of a single kind of action whether the enumeration lists the one that is done."""
        alone = self.followed and not exact  # what the action leads to does not matter
        encoding, encoded = self._encoded(lemmas, exact, legal=exact or not self.followed, effects=not alone)
        if self.followed:
            encoding.add(*self._lawful(encoding, encoded))
        if not exact:
            encoding.add(f"{{ {ASKED} }}.")
        single = len(self._transition.kinds) == 1
        listed = look_up(encoding, self._transition.kinds[0], encoded) if single else None
        divided = staged(encoding, encoded.number, listed) if alone and listed is not None else None
        return Question(encoding, encoded, solver_of(encoding, SPARSE if exact else ()), staged=divided)

    def legal(self, lemmas: Sequence[str]) -> Solver:
        """The program of valid positions with a legal move, or the step, wherever it leads; it shows these alone."""
        encoding, encoded = self._encoded(lemmas, True, effects=False)
        done = (names.does(encoded.number), 2), (names.argument(encoded.number), 4), ("chosen", 3)
        fluents = encoding.ruleset.book.fluents - {("seat", 2)}
        encoding.add(*(f"#show {name}/{arity}." for name, arity in sorted({*fluents, *done})))
        return solver_of(encoding, SPARSE)

    def together(self, lemmas: Sequence[str], goals: Sequence[str], listing: bool) -> Question:
        """All questions about the transition in one program: which of them is asked is said by what is assumed.

        It is that of `leaving` for all goals, not exact, and of `listing`. An atom for each goal says whether that is asked, and
        one whether an action is asked for that the enumeration misses. What only holds where nothing is lost that is not
        there is supposed where `CONSISTENT` holds, which ``count`` may not suppose.
        """
        encoding, encoded = self._encoded(
            lemmas, False, legal=False, claims=self._claims(goals), supposing=CONSISTENT
        )
        obligations, unsure = self._obliged(encoding, encoded, goals)
        chosen = (SURE, *obligations.choose(ASKED))
        encoding.add(f"{{ {SURE} }}.", f"{FOUND} :- {SURE}.")
        encoding.add(f"{{ {ASKED}; {CONSISTENT} }}.", *self._lawful(encoding, encoded))
        if listing:
            look_up(encoding, self._transition.kinds[0], encoded)
            encoding.add(f"{{ {UNLISTED} }}.", f"{FOUND} :- {UNLISTED}, not {MATCHED}.")
            chosen += (UNLISTED,)
        solver = solver_of(encoding)
        return Question(encoding, encoded, solver, unsure, chosen=chosen, supposed=(CONSISTENT,))

    def _claims(self, goals: Sequence[str]) -> list[str]:
        return [g for g in goals if g in self._moves.docs]

    def _obliged(
        self, encoding: Encoding, encoded: EncodedTransition, goals: Sequence[str], merged: bool = False
    ) -> tuple[Obligations, str | None]:
        """What the transition is obliged to keep, with what that reads; why that cannot be read, if so."""
        own = [g for g in goals if g not in self._moves.docs]
        encoding.derive(broken(g) for g in own if g not in GENERAL)
        unsure = look_back(encoding, encoded) if wrong_heads(encoded) else None
        encoding.add(*obliged(encoded, self._claims(goals)))
        return Obligations(encoding, encoded, own, merged, also=self._claims(goals)), unsure

    def _lawful(self, encoding: Encoding, encoded: EncodedTransition) -> list[str]:
        """The rules by which only legal actions are meant where `LAWFUL` holds."""
        if not self._transition.kinds:
            return [f"{{ {LAWFUL} }}."]
        illegal = encoding.illegal(encoded.number)
        return [f"{{ {LAWFUL} }}.", f"{illegal} :- #false.", f":- {LAWFUL}, {illegal}."]

    def _encoded(
        self,
        lemmas: Sequence[str],
        exact: bool,
        consistent: bool = True,
        legal: bool = True,
        claims: Sequence[str] = (),
        effects: bool = True,
        supposing: str = "",
    ) -> tuple[Encoding, EncodedTransition]:
        """An open position that meets the lemmas, and the transition out of it, with what it does to claims."""
        kinds, step = self._transition.kinds, self._transition.step
        decisions = decisions_of(kinds)
        steps = [step] if step is not None else []
        encoding = Encoding(self._ruleset, self._sorts)
        encoding.totals.consistent, encoding.totals.supposing = consistent, supposing
        if not effects:
            encoding.effects = []
        encoding.effects += [Atom(WRONG[0], (("c", c), ("v", "W"))) for c in claims]
        encoding.open(decisions, steps, exact)
        encoding.assume(lemmas, decisions, steps)
        if decided_alone(self._ruleset, kinds):
            encoding.add(
                ":- decision(R,_), decision(Q,_), R != Q."
            )  # as `exclusive` claims of what comes after
        return encoding, encoding.act(kinds, legal) if kinds else encoding.step(steps)
