"""Assigns pieces to places. A piece keeps its place from one position to the next, so that the eye can follow."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from .scene import Look, Scene, rank

_MOST: Final = 9
"""So many equal pieces stand for themselves; more stand once, with their number."""


@dataclass(frozen=True)
class Deal:
    """Which place bears what.

    Attributes:
        placed: Place to the look of the piece there, and how many of them it stands for.
        areas: Place to its area and its kind.
        beyond: Area to what has found no place there.
    """

    placed: Mapping[str, tuple[Look, int]]
    areas: Mapping[str, tuple[str, str]]
    beyond: Mapping[str, tuple[tuple[Look, int], ...]]


def deal(scene: Scene, before: Deal | None = None) -> Deal:
    """Deals the pieces of a scene out.

    Args:
        scene: What there is.
        before: What was dealt in the position before: what stays keeps its place, what is new takes the first free one
            that has not just been left.
    """
    wanted: dict[tuple[str, str], Counter[Look]] = defaultdict(Counter)
    for kind, area, look, number in scene.pieces:
        wanted[kind, area][look] += number
    old = before.placed if before is not None else {}
    placed: dict[str, tuple[Look, int]] = {}
    areas = {p: (a, k) for (k, a), places in scene.geometry.slots.items() for p in places}
    beyond: dict[str, list[tuple[Look, int]]] = defaultdict(list)
    for (kind, area), looks in wanted.items():
        places = scene.geometry.slots.get((kind, area), ())
        ordered = sorted(looks, key=lambda look: rank(look, scene.seats))
        if sum(looks.values()) <= len(places) and max(looks.values()) <= _MOST:
            stand = [(look, 1) for look in ordered for _ in range(looks[look])]
        else:
            stand = [(look, looks[look]) for look in ordered]
        left = list(stand)
        for place in places:
            if place in old:
                same = next((one for one in left if one[0] == old[place][0]), None)
                if same is not None:
                    placed[place] = same
                    left.remove(same)
        free = [p for p in places if p not in placed]
        free.sort(key=lambda p: p in old)
        for one, place in zip(left, free, strict=False):
            placed[place] = one
        beyond[area] += left[len(free) :]
    return Deal(placed, areas, {area: tuple(rest) for area, rest in beyond.items() if rest})
