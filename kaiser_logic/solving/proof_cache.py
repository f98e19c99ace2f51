"""Stores proofs on disk: a question that was proved is not decided again while nothing has changed.

Only complete proofs are stored: all claims of the question are proved, the comparison of the encoding with the plain engine found
no difference, and the encoding covers all numbers. No other answer is stored.

The key of a proof is a hash of all rules in force with their configuration, of what is supposed, of the question, and of the
sources of the package, Python and clingo. So nothing is encoded or grounded to find a proof, and no change is overlooked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from .. import clingo
from ..cache import Store, key_of, store, tool
from ..engine.ruleset import Ruleset

PROVED: Final = "proved"
NEVER: Final = "never"
"""It is proved because its transition never happens."""


def _is_answer(value: object) -> bool:
    return type(value) is str and value in (PROVED, NEVER)


class ProofCache:
    """The stored proofs of one game."""

    def __init__(self, ruleset: Ruleset, fresh: bool = False) -> None:
        """Takes the rules with the claims about moves; ``fresh``: stored proofs are not used, but replaced."""
        self._ruleset = ruleset
        self._fresh = fresh

    def get(self, *question: str) -> str:
        """The stored answer to a question: `PROVED` or `NEVER`; empty if there is none."""
        found = self._store
        if self._fresh or found is None:
            return ""
        return found.get(of_all(self._ruleset, *question), _is_answer) or ""

    def put(self, answer: str, *question: str) -> None:
        """Stores an answer, at once, as the process may be killed at any time."""
        found = self._store
        if found is not None:
            found.put(of_all(self._ruleset, *question), answer)
            found.keep()

    @property
    def _store(self) -> Store | None:
        ours = tool()
        return store("proofs", ours, f"game {self._ruleset.id}") if ours else None


def of_all(ruleset: Ruleset, *more: str) -> str:
    """The hash of all that determines an answer about these rules.

    Args:
        ruleset: The rules in force with the claims about moves.
        more: The question, as texts.
    """
    own = len(ruleset.book.rules)  # the place of a rule also shows whether it is generated
    return key_of("all", tool(), clingo.VERSION, ruleset.id, str(own), ruleset.mark, *_listed(more))


def _listed(texts: Iterable[str]) -> tuple[str, str]:
    """The number of texts, and a hash of the texts and their lengths, so that no two lists have the same."""
    found = list(texts)
    return str(len(found)), key_of(",".join(str(len(text)) for text in found), "".join(found))
