"""Finds another set-up (seats, edition, ruling) in which something can occur that cannot occur in this one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ..engine.configuration import Configuration
from ..engine.ruleset import Ruleset, ruleset_of
from ..lang.algebra import names
from ..lang.printer import show_term
from ..lang.terms import Signature
from ..lang.unification import CONSTANTS, functor
from ..rules.predicates import ACTION, FLUENT, LEGAL, RULING, VIOLATES
from ..rules.rule import Atom
from .columns import AllColumns, columns
from .formula import AFTER

_SEAT: Final[Signature] = ("seat", 2)
_START: Final[Signature] = ("start", 2)


def elsewhere(ruleset: Ruleset, signature: Signature, word: str, can_be: Callable[[AllColumns], bool]) -> str:
    """A single setting under which something can hold; empty if there is none.

    Args:
        ruleset: The rules in force, under which it cannot be.
        signature: The predicate that it is said of.
        word: A name or a number that it is about; empty where it is about none.
        can_be: Whether it can be, by what can stand at which place.
    """
    book = ruleset.book
    if word in book.roles and word not in ruleset.seats:
        return f"{word} does not play here ({', '.join(ruleset.seats)} do): see --players and --seats"
    if word and not word.isdigit() and word not in _written(ruleset):
        return ""
    for setting, configuration in _others(ruleset, _given(ruleset, signature)):
        if can_be(columns(ruleset_of(configuration))):
            return f"with {setting} it can be"
    return ""


def _written(ruleset: Ruleset) -> frozenset[str]:
    """All words of the rulebook, its rulings and its start tags."""

    def make() -> frozenset[str]:
        book = ruleset.book
        words = {*book.roles, *(name for rule in book.rules for name in names(rule.value))}
        for name, ruling in book.rulings.items():
            words |= {name, *ruling.values}
        for tag in book.manifest.get("tags", {}).values():
            words |= set(map(str, tag["values"])) if tag["values"] != "seats" else set()
        return frozenset(words)

    return ruleset.remember("words written", make)


def _given(ruleset: Ruleset, signature: Signature) -> frozenset[tuple[Signature, str]]:
    """The predicates given to a game on which another one depends, each with the name of a setting."""

    def make() -> frozenset[tuple[Signature, str]]:
        first = {LEGAL: ACTION, VIOLATES: ACTION, AFTER: ACTION}.get(signature, signature)
        start = FLUENT if first in ruleset.book.fluents and first not in ruleset.static else first
        found: set[tuple[Signature, str]] = set()
        seen: set[Signature] = set()
        left = [start]
        while left:
            wanted = left.pop()
            if wanted in seen:
                continue
            seen.add(wanted)
            for rule in ruleset.rules:
                if not any(_declares(head, wanted, first) for head in rule.heads):
                    continue
                left += rule.uses
                for atom in (*rule.positive, *rule.negative, *rule.inner):
                    if atom.signature in (RULING, _START):
                        found.add(
                            (
                                atom.signature,
                                show_term(atom.args[0]) if isinstance(atom.args[0], CONSTANTS) else "",
                            )
                        )
        return frozenset({*found, *((s, "") for s in seen & {_SEAT, RULING, _START})})

    return ruleset.remember(("depends on", signature), make)


def _declares(head: Atom, wanted: Signature, first: Signature) -> bool:
    """Whether a rule with this head says something of a predicate; of the vocabulary only of one fluent."""
    if head.signature != wanted:
        return False
    return wanted != FLUENT or functor(head.args[0]) in (first, None)


def _others(ruleset: Ruleset, given: frozenset[tuple[Signature, str]]) -> Iterator[tuple[str, Configuration]]:
    """Each single setting that differs and that matters, as it is given on the command line."""
    book, now = ruleset.book, ruleset.configuration
    predicates = {signature for signature, _ in given}
    if _SEAT in predicates:
        for count in sorted(set(book.manifest["players"]) - {len(now.seats)}):
            seats = (*now.seats, *(r for r in book.roles if r not in now.seats))[:count]
            yield f"--players {count}", now.reseated(book, seats)
    options = now.options(book)
    named = {name for signature, name in given if signature == RULING}
    for name, ruling in book.rulings.items():
        for value in ruling.values if name in named or named == {""} else ():
            if value != options[name]:
                yield f"--option {name}={value}", now.ruled(name, value)
    if _START in predicates:
        for other in now.starts(book):
            for tag, values in other.start:
                if (tag, values) not in now.start:
                    yield f"the start tag {tag.capitalize()} {' '.join(values)}", other
