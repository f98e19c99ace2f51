"""Which of the facts that were found to have a part in an answer are told, and which of those that are missing."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.grounding import Grounding
from ..engine.ruleset import Ruleset
from ..rules.pattern import Pattern, Signature
from ..rules.predicates import DECISION, FLUENT
from ..transform.magic_sets import ANYTHING

_ANYTHING: Final = clingo.Function(ANYTHING)
_NUMBERS: Final = 30
"""The numbers below it count as small: where the vocabulary allows any, a fact that is missing has one of them."""
_MANY: Final = 3
"""So many missing facts of a kind are told one by one."""


def conceivable(rules: Ruleset, fact: clingo.Symbol) -> bool:
    """Whether the vocabulary has such a fact, and it says anything."""
    if fact.arguments and all(a == _ANYTHING for a in fact.arguments):
        return False
    return bool(_in_vocabulary(rules, fact))


def _told(rules: Ruleset, fact: clingo.Symbol) -> clingo.Symbol:
    """The fact, or where something in it is left open and the vocabulary has but one like it, that one."""
    alike = _in_vocabulary(rules, fact)
    return alike[0] if len(alike) == 1 else fact


def _in_vocabulary(rules: Ruleset, fact: clingo.Symbol) -> tuple[clingo.Symbol, ...]:
    """The facts of the vocabulary like this one (with small numbers where it allows any), two of them at most."""
    return rules.remember(("conceivable", fact), lambda: tuple(islice(_alike(rules, fact), 2)))


def _alike(rules: Ruleset, fact: clingo.Symbol) -> Iterator[clingo.Symbol]:
    numbers = [clingo.Function("number", [clingo.Number(n)]) for n in range(_NUMBERS)]
    program = rules.conceivable_program(_opened(symbols.value_pattern(fact)))
    known = (s.arguments[0] for s in Grounding(program, numbers).get(*FLUENT))
    return (symbol for symbol in known if _fits(fact, symbol))


def _opened(term: Pattern, place: str = "W") -> Pattern:
    """The pattern with a variable of its own for each term that may be anything."""
    if term == ("c", ANYTHING):
        return ("v", f"_{place}")
    return (
        ("f", term[1], tuple(_opened(a, f"{place}{k}") for k, a in enumerate(term[2])))
        if term[0] == "f"
        else term
    )


def _fits(wanted: clingo.Symbol, symbol: clingo.Symbol) -> bool:
    """Whether the symbol is the wanted one, which may be open in places."""
    if wanted in (_ANYTHING, symbol):
        return True
    if wanted.type is not clingo.SymbolType.Function or symbol.type is not clingo.SymbolType.Function:
        return False
    one, other = wanted.arguments, symbol.arguments
    return wanted.name == symbol.name and 0 < len(one) == len(other) and all(map(_fits, one, other))


def relevant(
    rules: Ruleset, id: str, held: Collection[clingo.Symbol], lacked: Collection[clingo.Symbol]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The facts and the missing ones as texts, in order.

    Who decides is left out unless that is what the rule is about, or all there is; of decisions that are missing only
    those count that the violated rule is about.
    """
    because = {symbols.text(f) for f in held}
    whose = {s.arguments[0] for s in rules.facts("out_of_turn", 2) if symbols.text(s.arguments[1]) != id}
    about = {
        f
        for f in lacked
        if symbols.signature(f) != DECISION or not any(_fits(f.arguments[1], other) for other in whose)
    }
    about = {_told(rules, f) if symbols.signature(f) == DECISION else f for f in about}
    about -= {f for f in about if any(f != other and _fits(f, other) for other in about)}
    absent = {symbols.text(f).replace(ANYTHING, "_") for f in _together(about)}
    others, missing = ({f for f in found if not f.startswith("decision(")} for found in (because, absent))
    turns = {symbols.text(s.arguments[1]) for s in rules.facts("out_of_turn", 2)}
    if (others or missing) and id not in turns:
        because, absent = others, missing
    return tuple(rules.book.ordered(because)), tuple(rules.book.ordered(absent))


def _together(facts: Collection[clingo.Symbol]) -> Iterator[clingo.Symbol]:
    """The facts, but where there are many of one kind a single one in their place, with anything where they differ."""
    kinds: dict[Signature, list[clingo.Symbol]] = {}
    for fact in facts:
        kinds.setdefault(symbols.signature(fact), []).append(fact)
    for (name, _), found in kinds.items():
        if len(found) <= _MANY:
            yield from found
        else:
            places = zip(*(fact.arguments for fact in found), strict=True)
            yield clingo.Function(name, [p[0] if len(set(p)) == 1 else _ANYTHING for p in places])
