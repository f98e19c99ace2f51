"""What those who play by hand are told: no more than they see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .. import clingo
from ..drawing.events import events
from ..engine import symbols
from ..position import Position


@dataclass(frozen=True)
class Onlookers:
    """Those at the table who are told what happens.

    Attributes:
        roles: Who they are; empty: whoever sees everything.
    """

    roles: tuple[str, ...] = ()

    def seen(self, position: Position, role: str | None = None) -> Position:
        """A position as far as one of them sees it, or without a role all of them together; only for looking at."""
        watching = self.roles if role is None or role not in self.roles else (role,)
        if not watching:
            return position
        views = [position.evaluator.view(position.symbols, one) for one in watching]
        return Position(position.evaluator, frozenset[clingo.Symbol]().union(*views))

    def facts(self, position: Position, role: str) -> frozenset[clingo.Symbol] | None:
        """The facts that a role at the table sees, with what it knows of others; None: everything is seen."""
        return self.seen(position, role).symbols if self.roles else None

    def known(self, position: Position, role: str) -> Position:
        """The facts of a position that a role sees, and nothing in place of others; only to be reasoned about."""
        seen = self.facts(position, role)
        return position if seen is None else Position(position.evaluator, position.symbols & seen)

    def events(self, before: Position, after: Position) -> list[str]:
        """What happened, as far as they see it, in words."""
        return events(self.seen(before), self.seen(after))

    def told(self, actions: Mapping[str, clingo.Symbol], before: Position, after: Position) -> list[str]:
        """Others' actions, as records write them; only their kind where what they changed is concealed.

        An action is told whole if all that it changed is seen, or one thing that it changed and that is seen says as
        much, such as the card in one's own hand.

        Args:
            actions: Role to action, of one moment.
            before: The position in which they were made.
            after: The one they led to.
        """
        gone, come = before.symbols - after.symbols, after.symbols - before.symbols
        old, new = self.seen(before).symbols, self.seen(after).symbols
        plain = gone <= old and come <= new
        seen = [_constants(fact) for fact in (gone & old) | (come & new)]
        return [
            f"{role}: {symbols.text(action)}"
            if plain or not action.arguments or any(_constants(action) <= known for known in seen)
            else f"{role}: {action.name} ..."
            for role, action in actions.items()
        ]


def _constants(term: clingo.Symbol) -> frozenset[clingo.Symbol]:
    """The constants and numbers in a term."""
    if term.type is not clingo.SymbolType.Function or not term.arguments:
        return frozenset({term})
    return frozenset[clingo.Symbol]().union(*map(_constants, term.arguments))
