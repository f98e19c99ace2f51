"""The canvas that all parts of a picture share, and the pieces drawn on it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, TypeAlias

from ..frame import NOTHING, Deal, Frame, FrameChange
from ..scene import BoardLayout, Item, Look, Scene
from .pen import Palette, element, group, path, text, width
from .shapes import CHIPS, SORTS, Sort, sign

DrawnParts: TypeAlias = dict[tuple[Hashable, ...], Any]
"""The parts of pictures that have been drawn. A key contains everything that a part depends on."""
SMALLEST: Final = 11.0
"""The smallest size of a text, in px."""
_SHORT: Final = 3
"""A label with more letters is a word. It needs more distance from the outline."""
_SLACK: Final = 8
"""The distance of a word from the outline in px, for both sides together."""
_UNKNOWN_SORT: Final = SORTS["disc"]


@dataclass
class Canvas:
    """One picture being drawn.

    Attributes:
        scene: The scene.
        dealt: The places of the pieces.
        layout: The layout.
        palette: The colours.
        change: The changes to mark.
        before: The scene and the places before these changes, if there are any.
        tried: The frame to which an illegal move would have led.
        pinned: Place or item (`pin_of`) to the number of the reason there.
        drawn_parts: The parts that have been drawn, shared by the pictures of one game in one layout and theme.
        has_names: Whether the element of each item has the item's name, so that a page can find it.
        statuses: Place to ``brought`` or ``moved``, if its piece is new there.
    """

    scene: Scene
    dealt: Deal
    layout: BoardLayout
    palette: Palette
    change: FrameChange = NOTHING
    before: tuple[Scene, Deal] | None = None
    pinned: Mapping[str, str] = field(default_factory=dict)
    tried: Frame | None = None
    drawn_parts: DrawnParts = field(default_factory=dict)
    has_names: bool = False
    statuses: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        """Computes the statuses."""
        self.statuses = {place: "brought" for _, place, _ in self.change.brought}
        self.statuses |= {moved.target: "moved" for moved in self.change.moved}

    @cached_property
    def letters(self) -> dict[str, str]:
        """Each player's letter: the game's phrase for it, or the shortest unique beginning of the name."""
        letter_of = {}
        names = {role: self.scene.say(role) for role in self.scene.seats}
        for role in names:
            letter = self.scene.say(f"letter({role})")
            if letter != f"letter({role})":
                letter_of[role] = letter
        rest = [names[role] for role in names if role not in letter_of]
        for role, name in names.items():
            for length in range(1, len(name) + 1):
                if sum(other.startswith(name[:length]) for other in rest) == 1 or length == len(name):
                    letter_of.setdefault(role, name[:length])
                    break
        return letter_of

    def letter(self, owner: str) -> str:
        """The letter of an owner on a piece."""
        if owner in self.letters or owner == "none":
            return self.letters.get(owner, "")
        letter = self.scene.say(f"letter({owner})")
        return "" if letter == f"letter({owner})" else letter

    def scale(self, kind: str) -> float:
        """The scale at which things of a kind are drawn."""
        return self.layout.scales.get(kind, 1.0)

    @cached_property
    def changes(self) -> Mapping[str, list[tuple[str, Item | None, Item | None]]]:
        """The changes of items in each panel, box and area: the key of an item, the item before and after."""
        changes_of: dict[str, list[tuple[str, Item | None, Item | None]]] = defaultdict(list)
        for (of, key), (was, now) in self.change.items.items():
            changes_of[of].append((key, was, now))
        return changes_of

    def matters(self, of: str) -> tuple[Hashable, ...]:
        """The part of the key for `drawn_parts` that concerns a panel or box: changes, items before, pins."""
        before = None if self.before is None else self.before[0].items(of)
        pins = tuple((name, number) for name, number in self.pinned.items() if name.startswith(f"{of} "))
        return tuple(self.changes.get(of, ())), before, pins

    def change_of(self, of: str, item: Item) -> tuple[Item | None, Item | None] | None:
        """An item before and after the move; None if it has not changed."""
        return self.change.items.get((of, item.key))


def pin_of(of: str, item: Item) -> str:
    """The name of an item of a panel or box among the pins."""
    return f"{of} {item.key}"


def pin(palette: Palette, x: float, y: float, reason: str) -> str:
    """A black pin with the number of a reason."""
    w = 9 + 7 * len(reason)
    back = element(
        "rect", x=-w / 2, y=-8, width=w, height=16, rx=3, fill=palette["ink"], stroke=palette["page"], stroke_width=1.2
    )  # fmt: skip
    number = text(0, 4.2, reason, 12, palette["page"], bold=True, anchor="middle")
    return group([back, number], at=(x, y), label=f"reason {reason}")


def sort_named(name: str) -> Sort:
    """The sort of piece with a name; a disc if it is unknown."""
    return SORTS.get(name, _UNKNOWN_SORT)


def fills(canvas: Canvas, owner: str) -> tuple[str, str]:
    """The fill of a piece and the colour of its label; white without an owner."""
    if owner in canvas.scene.seats:
        return canvas.palette.owner(owner)
    if owner == "gold":
        return canvas.palette["gold"], "#000000"
    if owner in CHIPS:
        return canvas.palette[CHIPS[owner][0]], canvas.palette["ink"]
    return "#ffffff", "#000000"


def piece(
    canvas: Canvas, look: Look, x: float, y: float, scale: float = 1.0, *, number: int = 1, status: str = ""
) -> str:
    """A piece with its letters; ``status`` is ``brought``, ``moved``, ``ghost`` (gone: dashed) or nothing."""
    sort, palette = _wide_enough(sort_named(look.sort), canvas.scene.say(look.label), scale), canvas.palette
    fill, ink = fills(canvas, look.owner)
    outline = palette["ink"]
    parts = []
    if status == "ghost":
        parts.append(path(sort.path, palette["page"], palette["mark"], 2 / scale, f"{4 / scale:g} {3 / scale:g}"))
        fill, ink = "none", palette["ink"]
    else:
        if status:
            rims = (("page", 11), ("mark", 8.5), ("page", 4))
            parts += [path(sort.path, palette[c], palette[c], w / scale * small(scale)) for c, w in rims]
        if sort.hood:
            hood = "M-24,22V-7Q-24,-27 0,-27Q24,-27 24,-7V22"
            parts += [path(hood, "none", outline, 3, "1.5 1.5")]
        parts.append(path(sort.path, fill, outline, 1.6 / scale))
        if look.owner not in (*canvas.scene.seats, *CHIPS, "none"):
            parts.append(group([path(sort.path, "none", outline, 1.6)], scale=0.7))
        parts += [element("path", d=glyph, fill=ink) for glyph in sort.glyphs]
        if sort.detail:
            on = ink if "L" in sort.detail or sort is SORTS["chest"] else outline
            parts.append(path(sort.detail, "none", outline if "V" in sort.detail else on, 1.8))
    if sort.crowned and status != "ghost":
        parts.append(sign("crown", 0, -23, palette, 0.95))
    parts += _letters(canvas, look, sort, ink, scale)
    if number > 1:
        parts.append(_count(palette, number, sort, scale))
    amount = f"{number}× " if number > 1 else ""  # noqa: RUF001
    note = {"brought": ", brought", "moved": ", moved", "ghost": ", gone"}.get(status, "")
    return group(parts, at=(x, y), scale=scale, label=f"{amount}{canvas.scene.called_in_full(look)}{note}")


def small(scale: float) -> float:
    """The scale of the marks of a piece: smaller for a small piece, so that they cover neither its letters nor its neighbours."""
    return min(1.0, round(scale / 0.6, 2))


def _wide_enough(sort: Sort, label: str, scale: float) -> Sort:
    """The sort of a piece, widened so that the longest line of its label fits, if it is one for words."""
    if not sort.wide:
        return sort
    longest = max(width(line, SMALLEST / scale, True) for line in label.split(" / "))
    return sort.widen(max(1.0, (longest + (_SLACK if len(label) > _SHORT else 2)) / (2 * sort.half[0])))


def _letters(canvas: Canvas, look: Look, sort: Sort, ink: str, scale: float) -> Sequence[str]:
    """Label and owner's letter of a piece, side by side; a label with `` / `` has two lines."""
    label = canvas.scene.say(look.label)
    above, bar, below = label.partition(" / ")
    if bar:
        first = _line(above, "", sort, ink, scale, sort.baseline - 13)
        return [*first, *_line(below, "", sort, ink, scale, sort.baseline - 0.5)]
    letter = "" if sort.wide else canvas.letter(look.owner)
    return _line(label, letter, sort, ink, scale, sort.baseline)


def _line(label: str, letter: str, sort: Sort, ink: str, scale: float, baseline: float) -> list[str]:
    """One line of a piece's text, in the middle."""
    size = max(14.5, SMALLEST / scale)
    gap = 2 if label and letter else 0
    widths = width(label, size, True), width(letter, size, True)
    room = 2 * sort.half[0] - (_SLACK if len(label) > _SHORT else 2)
    total = sum(widths) + gap
    if total > room:
        size = max(SMALLEST / scale, size * room / total)
        widths = width(label, size, True), width(letter, size, True)
        total = sum(widths) + gap
    left = sort.centre - total / 2
    parts = [text(left, baseline, label, size, ink, bold=True)] if label else []
    if letter:
        parts.append(text(left + widths[0] + gap, baseline, letter, size, ink, bold=True))
    return parts


def _count(palette: Palette, number: int, sort: Sort, scale: float) -> str:
    """The number of pieces that a piece represents: in its corner, or beside a narrow piece, whose head stays visible."""
    if not sort.narrow:
        return badge(palette, f"{number}×", sort.half[0] - 4, -sort.half[1] + 4, scale)  # noqa: RUF001
    wide = width(str(number), max(12, SMALLEST / scale), True) + 6 / scale
    return badge(palette, str(number), sort.half[0] + wide / 2 - 1, 2, scale, 6)


def badge(palette: Palette, words: str, x: float, y: float, scale: float = 1.0, pad: float = 8) -> str:
    """A small filled pill with a number."""
    size = max(12, SMALLEST / scale)
    w = width(words, size, True) + pad / scale
    return group(
        [
            element(
                "rect", x=-w / 2, y=-size * 0.75, width=w, height=size * 1.4, rx=size * 0.5,
                fill=palette["ink"], stroke=palette["page"], stroke_width=1 / scale,
            ),
            text(0, size * 0.32, words, size, palette["page"], bold=True, anchor="middle"),
        ],
        at=(x, y),
    )  # fmt: skip
