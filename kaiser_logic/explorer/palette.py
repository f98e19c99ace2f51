"""The palette of the editor: the pieces that can be put on the board, as they look, each with the fact behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import Any, Final

from .. import clingo
from ..drawing.dealing import deal
from ..drawing.scene import Look, scene
from ..drawing.svg.canvas import Canvas, piece, sort_named
from ..drawing.svg.palette import Palette
from ..engine import symbols
from ..engine.ruleset import Ruleset
from .slots import Slot
from .state import State, game_asked
from .trays import among_of, kinds_of, known, looks_at

_MOST: Final = 60
"""A kind of fact with more pieces than these has none in the palette: it is put from its tray."""
_TRIED: Final = 4_000
_PLACES: Final = 6
"""So many places are tried to see how a piece looks."""
_HALF: Final = 20.0


def palette(data: Mapping[str, Any]) -> dict[str, Any]:
    """The pieces of each kind of fact that is seen on the board: the arguments, null where the place says them."""
    rules, among = game_asked(data).ruleset, among_of(data)
    shown = scene(State.of(data).position())
    if shown is None:
        return {"pieces": []}
    canvas = Canvas(shown, deal(shown), shown.geometry.layout(), Palette("auto", shown.seats))
    found: list[dict[str, Any]] = []
    for (name, _), slots in kinds_of(rules, among).items():
        counted = rules.book.counters.get((name, len(slots))) is not None
        if any(slot.place for slot in slots):
            for args, look in _samples(rules, name, slots, counted, among):
                sample = piece(canvas, look, 0, 0, _HALF / max(sort_named(look.sort).half))
                label = shown.called_in_full(look)
                if not any(one["svg"] == sample and one["name"] == name for one in found):
                    found.append({"name": name, "args": args, "svg": sample, "said": label})
    return {"pieces": found}


def _samples(
    rules: Ruleset, name: str, slots: list[Slot], counted: bool, among: frozenset[clingo.Symbol]
) -> Iterator[tuple[list[str | None], Look]]:
    """Each way to fill what the board does not say, with the piece that it is."""
    given = [not slot.place and not (counted and k == len(slots) - 1) for k, slot in enumerate(slots)]
    sizes = [len(slot.values) for slot in slots]
    if not all(sizes) or prod(n for n, own in zip(sizes, given, strict=True) if own) > _MOST:
        return
    if prod(n for n, slot in zip(sizes, slots, strict=True) if slot.place or not counted) > _TRIED:
        return
    ones = [
        slot.values[:2] if counted and k == len(slots) - 1 else slot.values for k, slot in enumerate(slots)
    ]
    by_args: dict[tuple[clingo.Symbol | None, ...], list[clingo.Symbol]] = {}
    for fact in known(rules, [clingo.Function(name, list(args)) for args in product(*ones)]):
        key = tuple(arg if own else None for arg, own in zip(fact.arguments, given, strict=True))
        by_args.setdefault(key, []).append(fact)
    for key, facts in by_args.items():
        looks = next((found for fact in facts[:_PLACES] if (found := looks_at(rules, fact, among))), ())
        if len(looks) == 1:
            args = [None if arg is None else symbols.text(arg) for arg in key]
            if counted:
                args[-1] = "1"
            yield args, looks[0][1]
