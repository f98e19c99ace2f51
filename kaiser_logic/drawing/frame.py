"""Frames: a scene with the places of its pieces, the frame before it, and the change between the two."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from .scene import Item, Look, Scene, rank

# -- dealing -------------------------------------------------------------------------------------------------
#
# Assigns pieces to places. A piece keeps its place from one position to the next, so that the eye can follow.


_MOST: Final = 9
"""The largest number of equal pieces that are drawn one by one; more are drawn once, with their number."""


@dataclass(frozen=True)
class Deal:
    """The assignment of pieces to places.

    Attributes:
        placed: Place to the look of the piece there, and the number of pieces that it represents.
        areas: Place to its area and its kind.
        beyond: Area to the pieces for which it has no place.
    """

    placed: Mapping[str, tuple[Look, int]]
    areas: Mapping[str, tuple[str, str]]
    beyond: Mapping[str, tuple[tuple[Look, int], ...]]


def deal(scene: Scene, before: Deal | None = None) -> Deal:
    """Assigns the pieces of a scene to places.

    Args:
        scene: The scene.
        before: The assignment in the position before. A piece that stays keeps its place, also if only its label
            changes. A new piece gets the first free place; places that a piece has just left come last.
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
            pieces = [(look, 1) for look in ordered for _ in range(looks[look])]
        else:
            pieces = [(look, looks[look]) for look in ordered]
        left = list(pieces)
        for alike in (lambda look: look, lambda look: (look.sort, look.owner)):
            for place in places:
                if place in old and place not in placed:
                    same = next((one for one in left if alike(one[0]) == alike(old[place][0])), None)
                    if same is not None:
                        placed[place] = same
                        left.remove(same)
        free = [p for p in places if p not in placed]
        free.sort(key=lambda p: p in old)
        for one, place in zip(left, free, strict=False):
            placed[place] = one
        beyond[area] += left[len(free) :]
    return Deal(placed, areas, {area: tuple(rest) for area, rest in beyond.items() if rest})


# -- change --------------------------------------------------------------------------------------------------
#
# The changes that a move makes, the same in text, picture and page: pieces moved, taken and brought, and new numbers.
#
# They are computed from the scenes before and after the move. If exactly one piece of a look has gone and exactly one is
# new, it has moved. All others were taken or brought. If many pieces change at once, as when everything becomes older, an
# equal look may belong to a different piece. Then no piece counts as moved.


@dataclass(frozen=True)
class MovedPiece:
    """A piece that moved from one place to another."""

    look: Look
    source: str
    target: str


@dataclass(frozen=True)
class FrameChange:
    """The differences after a move.

    Attributes:
        moved: The pieces that moved.
        taken: The pieces that are gone, each with its place and their number.
        brought: The new pieces, each with its place and their number.
        items: Panel or box and key of an item to the item before and after; None if it is new or gone.
    """

    moved: tuple[MovedPiece, ...] = ()
    taken: tuple[tuple[Look, str, int], ...] = ()
    brought: tuple[tuple[Look, str, int], ...] = ()
    items: Mapping[tuple[str, str], tuple[Item | None, Item | None]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.moved or self.taken or self.brought or self.items)


_FEW = 6
"""If more places change, no piece counts as moved. Six allow three moves: one piece moves, and two make room."""

NOTHING = FrameChange()
"""No change."""


def change(before: tuple[Scene, Deal], after: tuple[Scene, Deal]) -> FrameChange:
    """Computes the differences after a move; each side is a scene with the places of its pieces."""
    gone = list(_pieces_missing(before[1], after[1]))
    new = list(_pieces_missing(after[1], before[1]))
    moved = []
    lost, won = Counter(look for look, _, _ in gone), Counter(look for look, _, _ in new)
    for look, source, number in gone:
        if lost[look] == won[look] == 1 and number == 1 and len(gone) + len(new) <= _FEW:
            target, count = next((place, n) for other, place, n in new if other == look)
            if count == 1:
                moved.append(MovedPiece(look, source, target))
    went = {m.look for m in moved}
    return FrameChange(
        tuple(moved),
        tuple(one for one in gone if one[0] not in went),
        tuple(one for one in new if one[0] not in went),
        dict(_items(before[0], after[0])),
    )


def _pieces_missing(one: Deal, other: Deal) -> Iterator[tuple[Look, str, int]]:
    """The pieces of a deal that the other deal lacks in the same area, each with its place and number."""
    theirs: Counter[tuple[tuple[str, str], Look]] = Counter()
    for place, (look, number) in other.placed.items():
        theirs[other.areas[place], look] += number
    ours: Counter[tuple[tuple[str, str], Look]] = Counter()
    for place, (look, number) in one.placed.items():
        ours[one.areas[place], look] += number
    for place, (look, number) in sorted(one.placed.items(), key=lambda p: other.placed.get(p[0]) == p[1]):
        key = one.areas[place], look
        surplus = ours[key] - theirs[key]
        if surplus > 0:
            yield look, place, min(surplus, number)
            ours[key] -= min(surplus, number)


def _items(before: Scene, after: Scene) -> Iterator[tuple[tuple[str, str], tuple[Item | None, Item | None]]]:
    old, new = ({(of, item.key): item for of, item in items_with_owners(scene)} for scene in (before, after))
    for key in [*old, *(k for k in new if k not in old)]:
        was, now = old.get(key), new.get(key)
        if was != now:
            yield key, (was, now)


def items_with_owners(scene: Scene) -> Iterator[tuple[str, Item]]:
    """All items of panels, areas (their tags) and boxes, each with the name of its panel, area or box."""
    for role, items in scene.panels.items():
        yield from ((role, item) for item in items)
    for area, tags in scene.tags.items():
        yield from ((area, Item("tag", f"tag({tag})", (tag,), None)) for tag in tags)
    for box in scene.boxes:
        yield from ((box.name, item) for item in box.items)


def lines(change: FrameChange, before: Scene, after: Scene, deals: tuple[Deal, Deal]) -> list[str]:
    """The changes in words, one on each line, marked ``+ - > ~``."""
    old, new = deals

    def at(place: str, deal: Deal) -> str:
        return after.area_called(deal.areas[place][0])

    texts = [f"> {after.words_for(m.look)}: {at(m.source, old)} → {at(m.target, new)}" for m in change.moved]
    texts += [f"- {_many(n)}{before.words_for(look)}, {at(place, old)}" for look, place, n in change.taken]
    texts += [f"+ {_many(n)}{after.words_for(look)}, {at(place, new)}" for look, place, n in change.brought]
    for (of, _), (was, now) in change.items.items():
        item = now or was
        assert item is not None
        name = _item_called(item, after)
        if not name:
            continue
        whose = _owner_of(of, after)
        if item.number is None or (item.kind in ("chip", "price") and (was is None or now is None)):
            texts.append(f"{'+' if now else '-'} {whose} {name}")
        else:
            numbers = (f"{side.number if side else 0}" for side in (was, now))
            texts.append(f"~ {whose} {name} {' → '.join(numbers)}")
    return texts


def _owner_of(name: str, scene: Scene) -> str:
    """The owner of a panel, or the title of a box or an area."""
    title = next((box.title for box in scene.boxes if box.name == name), "")
    title = title or scene.titles.get(name, "")
    return f"{title}:" if title else scene.say(name)


def _item_called(item: Item, scene: Scene) -> str:
    """An item in words; empty if its change is not worth a line (the sign of the deciding player, stages)."""
    args = item.args
    if item.kind == "tag":
        return args[0]
    if item.kind in ("chip", "price"):
        return scene.say(args[1])
    if item.kind in ("number", "dots", "line", "supply"):
        return scene.say(args[0])
    if item.kind == "sign" and args[0] != "decide":
        return scene.say(args[0])
    return ""


def _many(number: int) -> str:
    return f"{number}× " if number > 1 else ""  # noqa: RUF001


@dataclass(frozen=True, eq=False)
class Frame:
    """One position to be drawn: its scene, the places of its pieces, and the frame before it."""

    scene: Scene
    dealt: Deal
    before: Frame | None = field(default=None, repr=False)

    @classmethod
    def frame_of(cls, scene: Scene, before: Frame | None = None) -> Frame:
        """The frame of a scene; its pieces keep the places that they had in the frame before."""
        return cls(scene, deal(scene, before.dealt if before else None), before)

    @cached_property
    def change(self) -> FrameChange:
        """The differences from the frame before; empty for the first frame."""
        if self.before is None:
            return NOTHING
        return change((self.before.scene, self.before.dealt), (self.scene, self.dealt))

    @cached_property
    def change_lines(self) -> list[str]:
        """The differences in words, one on each line, marked ``+ - > ~``."""
        if self.before is None:
            return []
        return lines(self.change, self.before.scene, self.scene, (self.before.dealt, self.dealt))
