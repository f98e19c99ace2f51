"""A question's program in which a position and what is done in it are fixed by assumptions.

The same program as that of the proof, grounded once: what it says of one pair is read off a model of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from .. import clingo
from ..engine import symbols
from ..evaluation.evaluator import Evaluator
from ..rules.predicates import BROKEN, VIOLATES
from ..rules.rulebook import ActionKind
from ..symbolic import names
from ..symbolic.encoded_transition import EncodedTransition
from ..symbolic.encoding import Encoding
from ..symbolic.solver import Solver
from .fixed import ASKED, ActedProgram, Differs
from .obligations import BAD
from .sample import Actions, Facts

LAWFUL: Final = "lawful__"
"""Holds where only legal actions are meant."""

MATCHED: Final = "matched__"
"""Holds where the enumeration of legal actions lists what is done."""


class CheckedProgram(ActedProgram):
    """A question's program.

    Attributes:
        after: For each fluent's name after the transition the fluent's own, where that is another one.
        violating: The predicates by which actions break rules.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        kinds: Sequence[ActionKind],
        encoding: Encoding,
        encoded: EncodedTransition,
        solver: Solver,
        fixed: Sequence[str] = (),
        exact: bool = False,
    ) -> None:
        """Of a question.

        Args:
            evaluator: Of the rules as written.
            kinds: Those of the actions, if any.
            encoding: The question's.
            encoded: The transition.
            solver: What the encoding was grounded to.
            fixed: Other atoms that are open and say what is asked: what is assumed of them.
            exact: Whether there are only legal transitions; else `ASKED` and `LAWFUL` are open.

        Raises:
            Differs: One of these atoms cannot hold.
        """
        super().__init__(evaluator, kinds, encoding, encoded.number, solver)
        self._unasked = [] if exact else [-self._assumed(ASKED)]
        self._lawful = [] if exact else [self._assumed(LAWFUL)]
        self._fixed = list(map(self._assumed, fixed))
        named = {(encoding.name(s), s[1]): s[0] for s in self.fluents}
        self.after = {s: own for s, own in named.items() if s[0] != own}
        self._untouched = {s for s, own in named.items() if s[0] == own}
        heads = (h for e in encoded.emitted for h in e.heads)
        self.violating = {h.signature for h in heads if names.plain(h.name) == VIOLATES[0]}
        self._broken = (encoding.name(BROKEN), 2)
        broken = [self._broken] if self._broken != BROKEN else []
        watched = [(MATCHED, 0), *self.after, *self.violating, BAD, *broken]
        self._watched = self.literals(watched)

    @property
    def legal(self) -> list[int]:
        """The assumptions for a legal transition, wherever it leads."""
        return [*self._unasked, *self._lawful, *self._fixed]

    @property
    def open(self) -> list[int]:
        """The assumptions for any transition, legal or not."""
        return [*self._unasked, *self._fixed]

    @property
    def _nothing(self) -> list[int]:
        """The assumptions by which nothing is asked."""
        return [*self.open, *(-literal for literal in self._lawful)]

    def allows(self, facts: Facts, actions: Actions, asked: Sequence[str] = ()) -> bool:
        """Whether there is such a position, and a way on from it by these actions.

        Args:
            facts: The position.
            actions: What is done in it.
            asked: What is assumed besides, atoms that are open or their negation; by default that nothing is asked.
        """
        try:
            given = [*self.position(facts), *self.actions(facts, actions)]
            assumed = self.assumed(asked) or self._nothing
        except Differs:
            return False
        with self._control.solve(assumptions=[*given, *assumed], yield_=True) as handle:
            return any(True for _ in handle)

    def determined(self, facts: Facts, actions: Actions) -> set[clingo.Symbol]:
        """What holds of all that is watched, from a position by actions, legal or not.

        Raises:
            Differs: The program does not know them, or leaves open what follows.
        """
        given = [*self.position(facts), *self.actions(facts, actions)]
        return self.only([*given, *self._nothing], self._watched)

    def follows(self, facts: Facts, holds: Iterable[clingo.Symbol]) -> set[clingo.Symbol]:
        """The position after a transition, without the seats.

        What the transition cannot touch has no name of its own afterwards: it is what is assumed of the position.

        Args:
            facts: The position before.
            holds: What holds of all that is watched, as `determined` has it.
        """
        found = {s for s in facts if symbols.signature(s) in self._untouched}
        for s in holds:
            own = self.after.get(symbols.signature(s))
            if own is not None:
                found.add(clingo.Function(own, s.arguments))
        return found

    def assumed(self, asked: Sequence[str]) -> list[int]:
        """The literals of atoms that are open, or of their negation; `Differs` where one can never hold."""
        return list(map(self._assumed, asked))

    def _assumed(self, text: str) -> int:
        """The literal of an atom that is open, negative where its text begins with ``not``."""
        atom = self._control.symbolic_atoms[clingo.parse_term(text.removeprefix("not "))]
        if atom is None:
            raise Differs(f"{text.removeprefix('not ')} can never hold")
        literal = atom.literal
        return -literal if text.startswith("not ") else literal
