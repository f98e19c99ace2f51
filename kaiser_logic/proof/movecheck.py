"""The check of an encoded transition, with what claims about moves say of it."""

from __future__ import annotations

from collections.abc import Collection

from .. import clingo
from ..engine import symbols
from .fixed import Differs
from .moves import Moves
from .obligations import BAD
from .sample import Actions, Facts
from .selfcheck import SelfCheck


class MoveCheck(SelfCheck):
    """Besides all else the same claims are broken by a move, as the evaluate reading sees it."""

    _moves: Moves | None = None
    _claims: Collection[str] = ()

    def watch(self, moves: Moves, claims: Collection[str]) -> None:
        """Compares these claims too."""
        self._moves, self._claims = moves, claims

    def _compare(self, facts: Facts, actions: Actions, holds: set[clingo.Symbol]) -> None:
        super()._compare(facts, actions, holds)
        if self._moves is None or not self._claims:
            return
        judged = self._moves.judged(facts, actions)
        if judged is None:
            return
        ours = {symbols.text(s.arguments[0]) for s in holds if symbols.signature(s) == BAD}
        theirs = {claim for claim, _ in judged}
        for claim in sorted(self._claims):
            if (claim in ours) != (claim in theirs):
                raise Differs(
                    f"the claim {claim} is broken {'only here' if claim in ours else 'and not here'}"
                )
