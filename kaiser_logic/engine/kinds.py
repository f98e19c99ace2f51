"""Which kind of action an action belongs to, and how actions are given to be judged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from typing import Final

from .. import clingo
from ..notation.terms import Term
from ..rules.pattern import Pattern, Signature, canonical, outermost, unify
from ..rules.predicates import ACTION, BOARD_FACT, FLUENT, NUMBER, SUBMITTED
from ..rules.rulebook import ActionKind, Rulebook
from . import symbols

_OPEN: Final = 100
"""In an open position numbers of actions that have no other limit are below this one (:mod:`..symbolic.domains`)."""


class Kinds:
    """The kinds of action of a rulebook.

    Attributes:
        book: The rulebook.
    """

    def __init__(self, book: Rulebook) -> None:
        """Of a rulebook."""
        self.book = book
        self._kinds: dict[clingo.Symbol, ActionKind | None] = {}

    def kind(self, action: clingo.Symbol) -> ActionKind | None:
        """The kind an action belongs to (the first that matches), or None."""
        if action not in self._kinds:
            if len(self._kinds) > 100_000:
                self._kinds.clear()
            pattern = symbols.value_pattern(action)
            kinds = self._bytop.get(outermost(pattern), self._open)
            self._kinds[action] = next((k for k in kinds if unify(k.action, pattern, {}) is not None), None)
        return self._kinds[action]

    def alike(self, kind: ActionKind | None) -> list[ActionKind]:
        """All kinds whose actions look the same (the same action may belong to several decisions)."""
        return self._byshape[canonical((kind.action,))] if kind else []

    def submissions(self, submitted: Mapping[str, clingo.Symbol]) -> list[clingo.Symbol]:
        """The facts submitted/2; with number/1 of the numbers that occur, where the sorts of actions ask for it."""
        found = [clingo.Function(SUBMITTED[0], [symbols.symbol(Term(r)), a]) for r, a in submitted.items()]
        if self._numbered:
            numbers = {abs(n) for n in symbols.numbers(submitted.values())}
            found += [clingo.Function(NUMBER[0], [clingo.Number(n)]) for n in sorted(numbers)]
        return found

    @cached_property
    def numbers(self) -> tuple[clingo.Symbol, ...]:
        """The facts number/1 under which actions of an open position are known, where the sorts of actions ask for it."""
        return tuple(clingo.Function(NUMBER[0], [clingo.Number(n)]) for n in range(_OPEN * self._numbered))

    @cached_property
    def _numbered(self) -> bool:
        """Whether some action has any number for an argument."""
        sorts = [rule for rule in self.book.rules if any(h.signature == ACTION for h in rule.heads)]
        return any(not rule.uses.isdisjoint((NUMBER, FLUENT, BOARD_FACT)) for rule in sorts)

    @cached_property
    def _open(self) -> list[ActionKind]:
        """The kinds whose actions have any name."""
        return [k for k in self.book.kinds if outermost(k.action) is None]

    @cached_property
    def _bytop(self) -> dict[Signature | None, list[ActionKind]]:
        """For each name of actions, with so many arguments, the kinds that such an action may be of, in their order."""
        tops = {outermost(k.action) for k in self.book.kinds} - {None}
        return {top: [k for k in self.book.kinds if outermost(k.action) in (None, top)] for top in tops}

    @cached_property
    def _byshape(self) -> dict[tuple[Pattern, ...], list[ActionKind]]:
        found: dict[tuple[Pattern, ...], list[ActionKind]] = defaultdict(list)
        for kind in self.book.kinds:
            found[canonical((kind.action,))].append(kind)
        return found
