"""Sets as arguments of actions, such as the cards that somebody lays: terms, and which kinds of action name one.

A set is ``none`` or ``with(Number,Thing,Rest)``: so many copies of a thing, and the things that come after it in the
game's order. A game knows sets if its manifest asks the engine for ``sets`` (``asp/engine/sets.lp``); where positions
are partly open, ``asp/engine/open_sets.lp`` stands in for it.
"""

from __future__ import annotations

import re
from typing import Final

import clingo

from ..rules.pattern import Signature
from ..rules.rulebook import ActionKind, Rulebook
from . import symbols

SETS: Final = "sets"
"""The engine's rules that read sets written out, and list them."""
OPEN_SETS: Final = "open_sets"
"""The engine's rules that read sets by their parts, so that a name can stand in for one."""
NONE: Final = clingo.Function("none")
"""The empty set."""
_TERM: Final[Signature] = ("with", 3)
_SORT: Final = re.compile(r"\bset\(")


def knows_sets(book: Rulebook) -> bool:
    """Whether actions of the game may name sets."""
    return SETS in book.manifest.get("engine", ())


def naming_kinds(book: Rulebook) -> tuple[ActionKind, ...]:
    """The kinds of action that name a set."""
    return tuple(k for k in book.kinds if knows_sets(book) and _SORT.search(k.guard))


def parts(term: clingo.Symbol) -> list[tuple[clingo.Symbol, clingo.Symbol]]:
    """The things of a set, each with the number of its copies."""
    found = []
    while symbols.signature(term) == _TERM:
        number, thing, term = term.arguments
        found.append((thing, number))
    return found


def sets_in(action: clingo.Symbol) -> list[clingo.Symbol]:
    """The sets among an action's arguments."""
    return [a for a in action.arguments if symbols.signature(a) == _TERM]
