"""Answers that are kept: what has been proved once is not asked again while nothing has changed.

Only whole proofs are kept: a question of which all claims are proved, whose encoding was compared with the plain engine without a
difference, and covers all numbers. Nothing is kept of what was not decided, whatever the reason, and of what has fallen.

A proof is found again under a hash of all rules in force with what they are told, of what is supposed and what is asked, and of
the package's sources, Python and clingo. So nothing need be written or grounded to find it, and no change is overlooked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from .. import clingo
from ..cache import Store, key_of, store, tool
from ..engine.ruleset import Ruleset

PROVED: Final = "proved"
NEVER: Final = "never"
"""It is proved as what it is about never happens."""


class ProofCache:
    """The proofs of one game that are kept on disk."""

    def __init__(self, ruleset: Ruleset, fresh: bool = False) -> None:
        """Of rules, with what is claimed of moves; ``fresh``: nothing is looked up, and what is proved replaces what was kept."""
        self._ruleset = ruleset
        self._fresh = fresh

    def get(self, *question: str) -> str:
        """What is kept of a question: `PROVED`, `NEVER` or nothing."""
        found = self._store
        return "" if self._fresh or found is None else str(found.get(of_all(self._ruleset, *question)) or "")

    def put(self, answer: str, *question: str) -> None:
        """Keeps an answer: at once, as the process may be ended any time."""
        found = self._store
        if found is not None:
            found.put(of_all(self._ruleset, *question), answer)
            found.keep()

    @property
    def _store(self) -> Store | None:
        ours = tool()
        return store("proofs", ours, f"game {self._ruleset.id}") if ours else None


def of_all(ruleset: Ruleset, *more: str) -> str:
    """The hash of all that decides any answer about these rules.

    Args:
        ruleset: The rules in force, with what is claimed of moves.
        more: What is asked, as texts.
    """
    own = len(ruleset.book.rules)  # what is generated is told apart by its place, too
    return key_of("all", tool(), clingo.VERSION, ruleset.id, str(own), ruleset.mark, *_listed(more))


def _listed(texts: Iterable[str]) -> tuple[str, str]:
    """Texts as one, with a hash that tells where each ends."""
    found = list(texts)
    return str(len(found)), key_of(",".join(str(len(text)) for text in found), "".join(found))
