"""Which kind of action an action belongs to."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

import clingo

from ..rules.pattern import Pattern, canonical, unify
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
            matches = (k for k in self.book.kinds if unify(k.action, pattern, {}) is not None)
            self._kinds[action] = next(matches, None)
        return self._kinds[action]

    def alike(self, kind: ActionKind | None) -> list[ActionKind]:
        """All kinds whose actions look the same (the same action may belong to several decisions)."""
        return self._byshape[canonical((kind.action,))] if kind else []

    @cached_property
    def _byshape(self) -> dict[tuple[Pattern, ...], list[ActionKind]]:
        found: dict[tuple[Pattern, ...], list[ActionKind]] = defaultdict(list)
        for kind in self.book.kinds:
            found[canonical((kind.action,))].append(kind)
        return found
