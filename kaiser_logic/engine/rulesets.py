"""The rules in force: one object for each configuration in a process, and how it goes to another process."""

from __future__ import annotations

import copyreg
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final
from weakref import WeakValueDictionary

from ..errors import FaultyRulebook, Finding
from ..rules.changes import on_change
from ..rules.loader import rulebook
from ..rules.pattern import Signature
from ..rules.rule import Rule
from .configuration import Configuration
from .ruleset import Ruleset
from .sets import knows_sets, misplaced

_THING: Final[Signature] = ("thing", 3)
_living: Final[WeakValueDictionary[Configuration, Ruleset]] = WeakValueDictionary()
"""The rules that somebody still has, however many others were asked for since."""


@lru_cache(maxsize=64)
def ruleset_of(configuration: Configuration) -> Ruleset:
    """The rules under a configuration: one object in a process, so that programs are cut once.

    Raises:
        FaultyRulebook: What sets are made of has no order.
    """
    found = _living.get(configuration)
    if found is None:
        found = Ruleset(rulebook(configuration.source), configuration, lasting=True)
        faulty = list(disordered(found))
        if faulty:
            raise FaultyRulebook(faulty)
        _living[configuration] = found
    return found


def disordered(ruleset: Ruleset) -> Iterator[Finding]:
    """The kind ``things``: what sets are made of has the places 1, 2 ... each once, under one configuration.

    >>> # thing(sword,1,2). thing(shield,3,1).     thing(sword,1,2). thing(shield,1,1).
    """
    wrong = misplaced(ruleset.facts(*_THING)) if knows_sets(ruleset.book) else ""
    if wrong:
        book = ruleset.book
        rule = next(r for r in book.rules if any(head.signature == _THING for head in r.heads))
        yield Finding(str(book.folder / Path(rule.file).name), rule.line, 1, "things", wrong)


def sent(
    configuration: Configuration,
    rules: tuple[Rule, ...] | None,
    mark: str,
    dropped: frozenset[str] = frozenset(),
) -> Ruleset:
    """The rules that another process has sent.

    Args:
        configuration: The configuration.
        rules: Those of the book where it is not the configuration's own.
        mark: The hash of all of them there.
        dropped: The invariants that are dropped.

    Raises:
        Refused: Here they are others, as the files are.
    """
    found = ruleset_of(configuration) if rules is None else _of_rules(configuration, rules)
    found = found if found.dropped == dropped else _dropping(found, dropped)
    if found.mark != mark:
        from ..workers import Refused

        raise Refused("a worker has other rulebooks than this process, so it is not used")
    _ = found.judging, found.enumerating  # made once, and not in each child
    return found


@lru_cache(maxsize=16)
def _of_rules(configuration: Configuration, rules: tuple[Rule, ...]) -> Ruleset:
    return ruleset_of(configuration).with_rules(rules)


@lru_cache(maxsize=16)
def _dropping(ruleset: Ruleset, dropped: frozenset[str]) -> Ruleset:
    return ruleset.dropping(dropped)


def _sending(ruleset: Ruleset) -> tuple[object, tuple[object, ...]]:
    """Rules as they go to another process: only by their configuration, where they are its own."""
    own = ruleset.book is ruleset_of(ruleset.configuration).book
    rules = None if own else ruleset.book.rules
    return sent, (ruleset.configuration, rules, ruleset.mark, ruleset.dropped)


copyreg.pickle(Ruleset, _sending)  # type: ignore[arg-type]
for _forget in (_living.clear, ruleset_of.cache_clear, _of_rules.cache_clear, _dropping.cache_clear):
    on_change(_forget)
