"""Which kind of action an action belongs to."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

import clingo

from ..rules.pattern import Pattern, Signature, canonical, outermost, unify
from ..rules.rulebook import ActionKind, Rulebook
from . import symbols


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
