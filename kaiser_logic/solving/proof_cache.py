"""Stores proofs on disk: a question that was proved is not decided again while nothing has changed.

What is stored about a question is a complete proof: all claims of the question are proved, the comparison of the encoding
with the plain engine found no difference, and the encoding covers all numbers. A proof about positions can need several
attempts. With it, each attempt is stored that proved nothing (`OPEN`), so that no later run repeats it. Nothing follows from
such an answer. That a claim falls is never stored.

A proof has two keys. The first is a hash of all rules in force with their configuration, of what is supposed, of the question,
and of the sources of the package, Python and clingo. So nothing is encoded or grounded to find a proof while no rule has changed.

The second is a hash of what the answer is computed from (`key_of_encoding`): after a change of a rule, only the questions are
decided again that read it. Why it is right. "Proved" means that a program has no answer set; the program is a part of the key, as
clingo will read it, and so is what the argument about large numbers reads. The comparison with the plain engine, which guards the
encoding, reads the engine's own programs for the transition; they are cut in another way (`transform/slicing`), and are parts of
the key as well. So a rule that only one of the two cuts sees is proved again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from .. import clingo
from ..cache import Store, key_of, store, tool
from ..engine import symbols
from ..engine.grounding import EngineProgram
from ..engine.ruleset import Ruleset
from ..lang.printer import show
from .encoder import Encoder
from .numbers import BoundCheck

PROVED: Final = "proved"
NEVER: Final = "never"
"""It is proved because its transition never happens."""
OPEN: Final = "open"
"""An attempt that has not led to a proof: it is not tried again, but nothing follows from it."""


_NONE: Final[Mapping[str, str]] = {}


def _is_proof(value: object) -> bool:
    return type(value) is str and value in (PROVED, NEVER)


def _is_answer(value: object) -> bool:
    return value == OPEN or _is_proof(value)


class ProofCache:
    """The stored proofs of one game."""

    def __init__(self, ruleset: Ruleset, fresh: bool = False) -> None:
        """Takes the rules with the claims about moves; ``fresh``: stored proofs are not used, but replaced."""
        self._ruleset = ruleset
        self.fresh = fresh

    def get(self, *question: str) -> str:
        """The stored answer to a question: `PROVED` or `NEVER`; empty if there is none."""
        entries = self._store
        if self.fresh or entries is None:
            return ""
        return entries.get(of_all(self._ruleset, *question), _is_proof) or ""

    @property
    def is_empty(self) -> bool:
        """Whether there is no answer that could be used."""
        entries = self._store
        return self.fresh or entries is None or entries.empty

    def get_at(self, key: str) -> str:
        """The stored answer under a key of `key_of_encoding`; empty if there is none."""
        entries = self._store
        if self.fresh or entries is None:
            return ""
        return entries.get(key, _is_answer) or ""

    def store(self, answer: str, *question: str, keys: Mapping[str, str] = _NONE) -> None:
        """Stores an answer, at once, as the process may be killed at any time; with answers under other keys."""
        entries = self._store
        if entries is not None:
            entries.store(of_all(self._ruleset, *question), answer)
            for key, other in keys.items():
                entries.store(key, other)
            entries.keep()

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
    return key_of("all", tool(), clingo.VERSION, ruleset.id, str(own), ruleset.mark, *_count_and_hash(more))


def key_of_encoding(
    encoder: Encoder, beyond: BoundCheck, asked: Sequence[str], programs: Iterable[EngineProgram] = ()
) -> str:
    """The hash of what an answer is computed from, whatever the rules are called, where they stand, and what else there is.

    Args:
        encoder: The encoding, before anything is asked of it.
        beyond: The check of its bound.
        asked: The question, as texts, with all that it supposes.
        programs: The plain engine's programs, with which the encoding is compared.
    """
    theory, vocabulary = encoder.theory, encoder.vocabulary
    parts = (
        encoder.program.source,
        [beyond.reads, vocabulary.mark, encoder.generator_unchecked],
        sorted(map(str, (*theory.counters.items(), *theory.signed))),
        [*map(str, encoder.lemmas)],
        *([*sorted(show(r.value) for r in p.rules), *sorted(map(symbols.text, p.static))] for p in programs),
        asked,
    )
    return key_of("encoding", tool(), clingo.VERSION, *(x for part in parts for x in _count_and_hash(part)))


def _count_and_hash(texts: Iterable[str]) -> tuple[str, str]:
    """The number of texts, and a hash of the texts and their lengths, so that no two lists have the same."""
    all_texts = list(texts)
    return str(len(all_texts)), key_of(",".join(str(len(text)) for text in all_texts), "".join(all_texts))
