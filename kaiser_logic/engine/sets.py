"""Sets as arguments of actions, such as cards that are laid: their terms, their names, the kinds of action that have one.

A set is ``none`` or ``with(Number,Thing,Rest)``: a number of copies of a thing, and the set of the things that come after it in
the game's order. A game has sets if its manifest names the engine's file ``sets`` (``asp/engine/sets.lp``).

There are thousands of sets of cards. Where a position or an action is open, an action has a name instead of a set, such as
``set_of(red)``, and the parts are chosen; the rules read sets only by their parts (``asp/engine/open_sets.lp`` takes the place of
``sets.lp``). If an action has several sets, each has its own name, as equal names would make them equal. A set that is known
needs no name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from .. import clingo
from ..lang.algebra import variables
from ..lang.terms import Signature
from ..rules.loader import engine_rules
from ..rules.rule import PlacedRule
from ..rules.rulebook import ActionKind, Rulebook
from . import symbols

SETS: Final = "sets"
"""The engine's file for sets that are terms: it lists them and reads their parts."""
OPEN_SETS: Final = "open_sets"
"""The engine's file for names of sets, whose parts are facts."""
NONE: Final = clingo.Function("none")
"""The empty set."""
_TERM: Final[Signature] = ("with", 3)
_SORT: Final = "set"
PICK: Final[Signature] = ("pick", 2)
"""What lists the sets that a role can name."""


def knows_sets(book: Rulebook) -> bool:
    """Whether actions of the game can have sets."""
    return SETS in book.manifest.get("engine", ())


def naming_kinds(book: Rulebook) -> tuple[ActionKind, ...]:
    """The kinds of action that have a set."""
    return tuple(k for k in book.kinds if knows_sets(book) and k.drawn_from(_SORT))


def most_named(book: Rulebook) -> int:
    """The largest number of sets in one action."""
    return max((len(variables(*k.drawn_from(_SORT))) for k in naming_kinds(book)), default=0)


def _is_part(term: clingo.Symbol) -> bool:
    return term.type is clingo.SymbolType.Function and symbols.signature(term) == _TERM


def parts(term: clingo.Symbol) -> list[tuple[clingo.Symbol, clingo.Symbol]]:
    """The things of a set with the numbers of their copies."""
    elements = []
    while _is_part(term):
        number, thing, term = term.arguments
        elements.append((thing, number))
    return elements


def order_mistake(things: Iterable[clingo.Symbol]) -> str:
    """The message about a wrong order of the elements of sets; empty if the order is right.

    Sets are listed, written and read in this order. With a gap or a duplicate, some sets would have no term.

    Args:
        things: The facts ``thing(C,I,N)``.
    """
    ordered = sorted(things)
    if any(s.arguments[2].type is not clingo.SymbolType.Number for s in ordered):
        return f"how many copies there are of a thing is no number: {', '.join(map(str, ordered))}"
    places = sorted(s.arguments[1] for s in ordered)
    if places == [clingo.Number(k + 1) for k in range(len({s.arguments[0] for s in ordered}))]:
        return ""
    return f"the things that sets are made of do not have the places 1, 2 ... each once: {', '.join(map(str, ordered))}"


def set_of(copies: Mapping[clingo.Symbol, clingo.Symbol], things: Iterable[clingo.Symbol]) -> clingo.Symbol:
    """The set with these numbers of copies; ``things``: the facts ``thing(C,I,N)``."""
    places = {s.arguments[0]: s.arguments[1].number for s in things}
    term = NONE
    for thing in sorted(copies, key=lambda c: -places[c]):
        term = clingo.Function(_TERM[0], [copies[thing], thing, term])
    return term


def is_set(term: clingo.Symbol, things: Iterable[clingo.Symbol]) -> bool:
    """Whether a term is a set: each thing occurs once and in order, with no more copies than the game has."""
    things = tuple(things)
    most = {s.arguments[0]: s.arguments[2].number for s in things}
    copies = dict(parts(term))
    number = clingo.SymbolType.Number
    fit = all(n.type == number and 1 <= n.number <= most.get(c, 0) for c, n in copies.items())
    return fit and term == set_of(copies, things)


def in_order(term: clingo.Symbol, things: Sequence[clingo.Symbol]) -> clingo.Symbol:
    """An action or another term with its sets in canonical form: the things in their order, each once.

    Users may name cards in any order. A term that is no set of known things is left unchanged.

    Args:
        term: The term.
        things: The facts ``thing(C,I,N)``.
    """
    if not things or term.type is not clingo.SymbolType.Function or not term.arguments:
        return term
    elements, known = parts(term), {s.arguments[0] for s in things}
    wrong = any(c not in known or n.type is not clingo.SymbolType.Number for c, n in elements)
    if not elements or wrong or _end(term) != NONE:
        return clingo.Function(term.name, [in_order(a, things) for a in term.arguments])
    copies: dict[clingo.Symbol, int] = {}
    for thing, number in elements:
        copies[thing] = copies.get(thing, 0) + number.number
    return set_of({thing: clingo.Number(n) for thing, n in copies.items()}, things)


def _end(term: clingo.Symbol) -> clingo.Symbol:
    """The term after the last element of a set: `NONE` if the term is a set."""
    while _is_part(term):
        term = term.arguments[2]
    return term


def wrong_in_set(term: clingo.Symbol, things: Iterable[clingo.Symbol]) -> str:
    """The first element of a set that is not a thing of the game, as text; empty if all are."""
    known = {s.arguments[0] for s in things}
    return next((symbols.text(thing) for thing, _ in parts(term) if thing not in known), "")


def sets_in(action: clingo.Symbol) -> list[clingo.Symbol]:
    """The sets among an action's arguments."""
    return [a for a in action.arguments if _is_part(a)]


# -- names of sets -------------------------------------------------------------------------------------------


def rules_for_names(rules: Iterable[PlacedRule], terms: bool = False) -> tuple[PlacedRule, ...]:
    """Rules of a game with sets that read sets by name; ``terms``: also sets that are terms, none of which is listed."""
    gone = {r for r in engine_rules(SETS) if not terms or any(h.signature == PICK for h in r.heads)}
    return (*(r for r in rules if r not in gone), *engine_rules(OPEN_SETS))
