"""The cache of programs on disk: the indices of their rules and their static facts, as plain data.

The key is a hash of the texts of all rules, of the given facts, and of the sources of the package.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from .. import clingo
from ..cache import Store, folder, key_of, store, tool
from ..lang.terms import Signature
from ..rules.rule import PlacedRule
from .compiled.values import TooLargeToCompile, symbol, value
from .grounding import CacheEntry, EngineProgram

_SOURCES = ("lang", "notation", "rules", "transform", "engine")
"""The folders of the package whose sources are part of the key."""
_STATIC = ("static",)


_SIGNATURE = (str, int)


def _is_fact(value: object) -> bool:
    """Whether a stored value stands for a symbol."""
    if type(value) is tuple:
        return len(value) > 0 and type(value[0]) is str and all(map(_is_fact, value[1:]))
    return type(value) in (int, str)


class ProgramCache:
    """The cached programs of one ruleset."""

    def __init__(self, rules: Sequence[PlacedRule], programs: Store, codes: Store) -> None:
        """``rules`` are all rules of the ruleset. For the stores see :class:`.grounding.CacheEntry`."""
        self._rules = rules
        self._places = {id(rule): place for place, rule in enumerate(rules)}
        self._programs = programs
        self._codes = codes

    def program(self, key: Hashable, cut: Callable[[], EngineProgram]) -> EngineProgram:
        """The program under a key; if the cache does not have it, ``cut`` makes it."""
        entry = CacheEntry(self._programs, self._codes, key)
        stored = self._programs.get(("program", key), ([self._is_place], frozenset({_SIGNATURE}), [_is_fact]))
        if stored is not None:
            places, inputs, static = stored
            rules = tuple(self._rules[place] for place in places)
            return EngineProgram(rules, inputs, tuple(map(symbol, static)), entry)
        made = cut()
        try:
            places = tuple(self._places[id(rule)] for rule in made.rules)
            self._programs.store(("program", key), (places, made.inputs, tuple(map(value, made.static))))
        except (KeyError, TooLargeToCompile):  # it has rules of its own, or numbers that are left to clingo
            return made
        return EngineProgram(made.rules, made.inputs, made.static, entry)

    def _is_place(self, value: object) -> bool:
        return type(value) is int and 0 <= value < len(self._rules)

    def static(
        self, ground: Callable[[], Mapping[Signature, tuple[clingo.Symbol, ...]]]
    ) -> Mapping[Signature, tuple[clingo.Symbol, ...]]:
        """The static facts; if the cache does not have them, ``ground`` computes them."""
        stored: Any = self._programs.get(_STATIC, {_SIGNATURE: [_is_fact]})
        if stored:
            return {signature: tuple(map(symbol, facts)) for signature, facts in stored.items()}
        facts_of = ground()
        with suppress(TooLargeToCompile):
            values = {signature: tuple(map(value, facts)) for signature, facts in facts_of.items()}
            self._programs.store(_STATIC, values)
        return facts_of


def program_cache(rules: Sequence[PlacedRule], given: Sequence[clingo.Symbol]) -> ProgramCache | None:
    """The cache for the programs of a ruleset; None if nothing is cached.

    Args:
        rules: All rules of the ruleset.
        given: Its given facts: seats, rulings, start tags, a board.
    """
    if folder() is None:
        return None
    ours = tool(*_SOURCES)
    if not ours:
        return None
    texts = key_of(*(f"{rule.file}: {rule.text}" for rule in rules))
    codes, programs = store("codes", ours, texts), store("programs", ours, texts, key_of(*map(str, given)))
    return ProgramCache(rules, programs, codes) if programs is not None and codes is not None else None
