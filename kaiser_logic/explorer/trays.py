"""The trays of the editor: every kind of fact with what can stand in it, and where on the board it can be put.

No game declares trays. What can stand in a kind of fact is read off the vocabulary; where it lies, off the picture: it is
what a fact shows by itself that nothing shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import prod
from typing import Any, Final

from .. import clingo
from ..drawing.scene import Look, Scene, scene_of
from ..engine import symbols
from ..engine.compiled.program import derived
from ..engine.ruleset import Ruleset
from ..errors import WrongUsage
from ..rules.pattern import Signature
from ..rules.phrases import phrases
from ..rules.predicates import FLUENT
from .slots import Slot, vocabulary
from .state import MOST_FACTS, game_asked, strings, term_of, text_of

_TRIED: Final = 20_000
"""So many facts at most are asked of the vocabulary for one piece in the hand;"""
_SHOWN: Final = 800
"""of those that there are, so many are looked at."""
_SAMPLES: Final = 6
"""So many facts of a kind are looked at to find which of its parts say where it lies."""
_REMEMBERED: Final = 16
"""So many positions are remembered as they look."""


def trays(data: Mapping[str, Any]) -> dict[str, Any]:
    """All kinds of facts that a position of the game can have, those seen on the board first."""
    rules = game_asked(data).ruleset
    words = phrases(rules.book.folder)
    found = []
    for (name, arity), slots in kinds_of(rules, among_of(data)).items():
        counter = rules.book.counters.get((name, arity))
        found.append(
            {
                "name": name,
                "said": name.replace("_", " "),
                "words": words.fact(f"{name}({','.join('_' * arity)})" if arity else name),
                "counted": counter is not None,
                "onboard": any(slot.place for slot in slots),
                "slots": [
                    {
                        "label": slot.label,
                        "place": slot.place,
                        "open": slot.open,
                        "number": slot.numeric,
                        "values": [[text, words.phrase(text)] for text in map(symbols.text, slot.values)],
                    }
                    for slot in slots
                ],
            }
        )
    return {"kinds": sorted(found, key=lambda kind: not kind["onboard"])}


def spots(data: Mapping[str, Any]) -> dict[str, Any]:
    """Where a fact can be put: area of the board to the facts that lie there.

    ``slots``: what stands at each of its arguments, null where that says where it lies.
    """
    rules = game_asked(data).ruleset
    chosen = data.get("slots")
    if not isinstance(chosen, list) or not all(one is None or isinstance(one, str) for one in chosen):
        raise WrongUsage("slots is to be a list of texts, null where the board decides")
    name = text_of(data, "name")
    among = among_of(data)
    slots = kinds_of(rules, among, name).get((name, len(chosen)))
    if slots is None:
        raise WrongUsage(f"{name[:80]}: no such fact exists in this game")
    ranges = [
        slot.values if one is None else [symbols.read(one) if not _number(one) else clingo.Number(int(one))]
        for slot, one in zip(slots, chosen, strict=True)
    ]
    if prod(map(len, ranges)) > _TRIED:
        raise WrongUsage("this leaves too much open")
    facts = known(rules, [clingo.Function(name, list(args)) for args in product(*ranges)])
    found: dict[str, list[str]] = {}
    for fact in facts[:_SHOWN]:
        for area in seen_at(rules, fact, among):
            found.setdefault(area, []).append(symbols.text(fact))
    return {"spots": found}


def among_of(data: Mapping[str, Any]) -> frozenset[clingo.Symbol]:
    """The facts that are there already."""
    facts = strings(data.get("facts", []), "facts", MOST_FACTS)
    return frozenset(symbols.symbol(term_of(fact)) for fact in facts)


def on_board(rules: Ruleset, facts: frozenset[clingo.Symbol]) -> dict[clingo.Symbol, tuple[str, ...]]:
    """Where on the board each of these facts is seen, as it lies among the others."""
    kinds = kinds_of(rules)
    return {
        fact: seen_at(
            rules,
            fact,
            facts if any(s.place for s in kinds.get(symbols.signature(fact), ())) else frozenset(),
        )
        for fact in facts
        if symbols.signature(fact) in kinds
    }


def _number(text: str) -> bool:
    return text.lstrip("-").isdigit() and len(text) < 10


def known(rules: Ruleset, facts: list[clingo.Symbol]) -> list[clingo.Symbol]:
    """Those of some facts that there can be."""
    holds = [clingo.Function("holds", [fact]) for fact in facts]
    numbers = [clingo.Function("number", [clingo.Number(abs(n))]) for n in symbols.numbers(facts)]
    there = {
        s.arguments[0]
        for s in derived(rules.known_program, frozenset(holds), numbers, rules.configuration.engine).get(
            *FLUENT
        )
    }
    return [fact for fact in facts if fact in there]


# -- where a fact lies ---------------------------------------------------------------------------------------


def seen_at(
    rules: Ruleset, fact: clingo.Symbol, among: frozenset[clingo.Symbol] = frozenset()
) -> tuple[str, ...]:
    """The areas of the board in which a fact shows something: by itself, or else among others, which it may need."""
    cache: dict[clingo.Symbol, tuple[str, ...]] = rules.remember("seen at", dict)
    if len(cache) > 4 * MOST_FACTS:
        cache.clear()
    if fact not in cache:
        cache[fact] = _differs(rules, frozenset(rules.facts("seat", 2)), fact)
    return cache[fact] or (_differs(rules, among, fact) if among else ())


def _differs(rules: Ruleset, others: frozenset[clingo.Symbol], fact: clingo.Symbol) -> tuple[str, ...]:
    """The areas that look different with a fact."""
    without = _traces(rules, others - {fact})
    traces = _traces(rules, others | {fact})
    return tuple(area for area, trace in traces.items() if without.get(area) != trace)


def looks_at(
    rules: Ruleset, fact: clingo.Symbol, among: frozenset[clingo.Symbol] = frozenset()
) -> tuple[tuple[str, Look], ...]:
    """The pieces that a fact puts on the board, each with its area: by itself, or else among others."""
    cache: dict[clingo.Symbol, tuple[tuple[str, Look], ...]] = rules.remember("looks at", dict)
    if len(cache) > 4 * MOST_FACTS:
        cache.clear()
    if fact not in cache:
        cache[fact] = _pieces(rules, frozenset(rules.facts("seat", 2)), fact)
    return cache[fact] or (_pieces(rules, among, fact) if among else ())


def _pieces(
    rules: Ruleset, others: frozenset[clingo.Symbol], fact: clingo.Symbol
) -> tuple[tuple[str, Look], ...]:
    """The pieces that are there with a fact, or more of them, and not without."""
    without, traces = _traces(rules, others - {fact}), _traces(rules, others | {fact})
    found = []
    for area, (pieces, *_) in traces.items():
        had = {
            (kind, look): number for kind, look, number in (without[area][0] or () if area in without else ())
        }
        found += [(area, look) for kind, look, number in pieces or () if number > had.get((kind, look), 0)]
    return tuple(found)


def _traces(rules: Ruleset, facts: frozenset[clingo.Symbol]) -> dict[str, Any]:
    """What is to be seen in each area of the board; the last few are remembered."""
    cache: dict[frozenset[clingo.Symbol], dict[str, Any]] = rules.remember("traces", dict)
    if facts not in cache:
        while len(cache) >= _REMEMBERED:
            cache.pop(next(iter(cache)))
        cache[facts] = _trace(scene_of(rules, facts))
    return cache[facts]


def _trace(shown: Scene | None) -> dict[str, Any]:
    if shown is None:
        return {}
    pieces: dict[str, list[Any]] = {}
    for kind, area, look, number in shown.pieces:
        pieces.setdefault(area, []).append((kind, look, number))
    areas = shown.geometry.layout().areas
    return {
        area: (
            pieces.get(area),
            shown.looks.get(area),
            shown.signs.get(area),
            shown.tags.get(area),
            shown.rings.get(area),
        )
        for area in areas
    }


# -- the kinds -----------------------------------------------------------------------------------------------


def kinds_of(
    rules: Ruleset, among: frozenset[clingo.Symbol] = frozenset(), only: str = ""
) -> dict[Signature, list[Slot]]:
    """Every kind of fact with its arguments; seats are the game's and stay.

    What has not been seen on any board yet is looked for among these facts, ``only`` those of one name.
    """
    found: dict[Signature, list[Slot]] = rules.remember("trays", lambda: vocabulary(rules))
    for (name, _), slots in found.items() if among else ():
        if (not only or name == only) and not any(slot.place for slot in slots):
            _place(rules, name, slots, among)
    return found


def _place(rules: Ruleset, name: str, slots: list[Slot], among: frozenset[clingo.Symbol]) -> None:
    """Finds which arguments say where a fact lies: with another value it is seen elsewhere."""
    if not all(slot.values for slot in slots):
        return
    sizes = [len(slot.values) for slot in slots]
    spread = [
        [
            slot.values[(sample * (size // _SAMPLES + 1)) % size]
            for slot, size in zip(slots, sizes, strict=True)
        ]
        for sample in range(_SAMPLES)
    ]
    there = [list(f.arguments) for f in sorted(among) if symbols.signature(f) == (name, len(slots))]
    for args in [*there[:_SAMPLES], *spread]:
        here = seen_at(rules, clingo.Function(name, args), among)
        if not here:
            continue
        for k, slot in enumerate(slots):
            others = {one[k] for one in there[:_SAMPLES]} | {one[k] for one in spread} - {args[k]}
            for value in sorted(others):
                found = seen_at(rules, clingo.Function(name, [*args[:k], value, *args[k + 1 :]]), among)
                slot.place |= bool(found) and found != here
        return
