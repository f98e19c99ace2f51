"""Scenes: the content of a picture as the picture rules derive it, without places and colours.

A game's manifest may name logic programs, ``picture = ["places", "picture"]``. Only this module reads them. They derive
where things lie (`GEOMETRY`), which is the same in all positions, and what lies there (`CONTENT`).
``docs/write/pictures.md`` explains each predicate.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import hypot
from typing import Any, Final, NamedTuple, TypeVar, cast

from .. import clingo
from ..engine import symbols
from ..engine.compiled.program import Derivation, derive
from ..engine.grounding import EngineProgram
from ..engine.ruleset import Ruleset
from ..errors import WrongUsage
from ..lang.terms import Signature
from ..position import Position
from ..rules.loader import picture_rules
from ..rules.phrases import Phrases, phrases
from ..rules.predicates import DECISION, DUE, SUBMITTED
from ..rules.rule import top
from ..transform.slicing import Slicer, position_seeds

Point = tuple[float, float]
SHAPES: Final = {"rect": 4, "octagon": 4, "diamond": 3}
"""The shapes of areas, with the number of their arguments."""
SHAPED: Final = "the shape of an area is rect(X,Y,W,H), octagon(X,Y,U,C) or diamond(X,Y,C)"
LOOKED: Final = "a piece is look(Sort,Owner,Label)"


class WrongPicture(WrongUsage):
    """Picture rules derive what cannot be drawn, by rules for the predicate ``of``."""

    def __init__(self, of: Signature, message: str) -> None:
        """``message``: what is wrong, in a sentence."""
        super().__init__(message)
        self.of = of


class Shape(NamedTuple):
    """The outline of an area: ``rect(X,Y,W,H)``, ``octagon(X,Y,U,C)`` or ``diamond(X,Y,C)``.

    An octagon is given by its centre, half its width and the cut at its corners; a diamond by its centre and half a diagonal.
    """

    name: str
    numbers: tuple[int, ...]

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The bounding box: left, top, right and bottom."""
        x, y, size, *rest = self.numbers
        if self.name == "rect":
            return x, y, x + size, y + rest[0]
        return x - size, y - size, x + size, y + size

    @property
    def centre(self) -> Point:
        """The centre of the bounding box."""
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2

    @property
    def corners(self) -> tuple[Point, ...]:
        """The corners, clockwise from the upper left."""
        left, top, right, bottom = self.box
        x, y = self.centre
        if self.name == "diamond":
            return (x, top), (right, y), (x, bottom), (left, y)
        if self.name == "octagon":
            return cut_corners(self.box, self.numbers[3])
        return (left, top), (right, top), (right, bottom), (left, bottom)

    def holds(self, point: Point) -> bool:
        """Whether a point lies inside, or on the border."""
        corners = self.corners
        sides = zip(corners, (*corners[1:], corners[0]), strict=True)
        return all((b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) >= -1e-6 for a, b in sides)

    def meets(self, other: Shape) -> bool:
        """Whether the two overlap by more than their borders. Both are convex, so disjoint shapes have a separating line."""
        for polygon in (self.corners, other.corners):
            for a, b in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
                normal = (b[1] - a[1], a[0] - b[0])
                length = hypot(*normal)
                ours, theirs = (
                    [(p[0] * normal[0] + p[1] * normal[1]) / length for p in s.corners] for s in (self, other)
                )
                if max(ours) <= min(theirs) + 1 or max(theirs) <= min(ours) + 1:
                    return False
        return True


def cut_corners(box: tuple[float, float, float, float], cut: float) -> tuple[Point, ...]:
    """The corners of a rectangle whose own corners are cut off, clockwise from the upper left."""
    left, top, right, bottom = box
    return (
        (left + cut, top), (right - cut, top), (right, top + cut), (right, bottom - cut),
        (right - cut, bottom), (left + cut, bottom), (left, bottom - cut), (left, top + cut),
    )  # fmt: skip


@dataclass(frozen=True)
class BoardLayout:
    """One way to lay the board out.

    Attributes:
        name: Its name.
        width: Its width in px.
        areas: The shape of each area.
        places: The centre of each place.
        scales: The scale of the pieces of each kind; 1 if it is not given.
    """

    name: str
    width: int
    areas: Mapping[str, Shape]
    places: Mapping[str, Point]
    scales: Mapping[str, float]

    @property
    def bottom(self) -> float:
        """The lower edge of the board."""
        return max((shape.box[3] for shape in self.areas.values()), default=40)


@dataclass(frozen=True)
class Geometry:
    """All layouts, and the parts that they share.

    Attributes:
        layouts: The layouts, the widest first.
        slots: The places of each kind in each area, in their order.
        outlines: The outline of a free place of each kind.
        optional: The boxes that a layout without an area for them leaves out.
    """

    layouts: tuple[BoardLayout, ...]
    slots: Mapping[tuple[str, str], tuple[str, ...]]
    outlines: Mapping[str, str]
    optional: frozenset[str]

    @cached_property
    def slots_in(self) -> Mapping[str, list[tuple[str, tuple[str, ...]]]]:
        """The kinds of places in each area, each with its places."""
        slots: dict[str, list[tuple[str, tuple[str, ...]]]] = defaultdict(list)
        for (kind, area), places in self.slots.items():
            slots[area].append((kind, places))
        return dict(slots)

    def layout(self, name: str | None = None) -> BoardLayout:
        """The layout of a name; by default the widest."""
        if name is None:
            return self.layouts[0]
        return next((layout for layout in self.layouts if layout.name == name), self.layouts[-1])


def geometry_of(derivation: Derivation) -> Geometry:
    """The geometry that picture rules derive."""

    def rows(name: str, arity: int) -> list[Sequence[clingo.Symbol]]:
        return [s.arguments for s in sorted(derivation.get(name, arity))]

    areas: dict[str, dict[str, Shape]] = defaultdict(dict)
    for layout, area, shape in rows("area", 3):
        if SHAPES.get(shape.name) != len(shape.arguments):
            raise WrongPicture(("area", 3), SHAPED)
        numbers = tuple(_number(a, ("area", 3)) for a in shape.arguments)
        areas[symbols.text(layout)][symbols.text(area)] = Shape(shape.name, numbers)
    places: dict[str, dict[str, Point]] = defaultdict(dict)
    for layout, place, x, y in rows("place", 4):
        places[symbols.text(layout)][symbols.text(place)] = _number(x, ("place", 4)), _number(y, ("place", 4))
    scales: dict[str, dict[str, float]] = defaultdict(dict)
    for layout, kind, percent in rows("scale", 3):
        scales[symbols.text(layout)][symbols.text(kind)] = _number(percent, ("scale", 3)) / 100
    slots: dict[tuple[str, str], list[str]] = defaultdict(list)
    for kind, area, _, place in sorted(rows("slot", 4), key=lambda a: a[2]):
        slots[symbols.text(kind), symbols.text(area)].append(symbols.text(place))
    layouts = [
        BoardLayout(n, _number(width, ("layout", 2)), areas.get(n, {}), places.get(n, {}), scales.get(n, {}))
        for n, width in ((symbols.text(name), width) for name, width in rows("layout", 2))
    ]
    return Geometry(
        tuple(sorted(layouts, key=lambda one: -one.width)),
        {key: tuple(names) for key, names in slots.items()},
        {symbols.text(kind): symbols.text(sort) for kind, sort in rows("outline", 2)},
        frozenset(symbols.text(box) for (box,) in rows("optional", 1)),
    )


T = TypeVar("T")

_GIVEN: Final[tuple[Signature, ...]] = (SUBMITTED, DUE, DECISION)

GEOMETRY: Final[tuple[Signature, ...]] = (
    ("layout", 2), ("area", 3), ("place", 4), ("slot", 4), ("scale", 3), ("outline", 2), ("optional", 1),
)  # fmt: skip
"""The predicates for the places of things."""

CONTENT: Final[tuple[Signature, ...]] = (
    ("heading", 2), ("aside", 2), ("look", 2), ("title", 2), ("sign", 2), ("tag", 3), ("ring", 2), ("tie", 3),
    ("piece", 4), ("panel", 3), ("box", 2), ("content", 3), ("note", 2), ("frame", 2), ("caption", 2),
)  # fmt: skip
"""The predicates for the things at places."""

COLOURS: Final = frozenset({"orange", "turquoise", "violet", "brown", "gold", "blue", "pink", "white", "calm"})
"""The colours of pieces without an owner. They stand in the place of the owner, and are not put into words."""

NUMBERED: Final = {"number": 1, "supply": 1, "chip": 2, "price": 2, "dots": 1, "line": 1, "track": 2}
"""The items with a number, each with the index of that argument. The other arguments distinguish two items."""


class Look(NamedTuple):
    """The look of a piece: sort, owner and label, as texts of terms."""

    sort: str
    owner: str
    label: str


class Pieces(NamedTuple):
    """Equal pieces in the places of one kind in an area, with their number."""

    kind: str
    area: str
    look: Look
    number: int


class Item(NamedTuple):
    """An entry of a panel or a box: its kind, its arguments as texts of terms, and its number, if it has one.

    ``key`` identifies it in its panel. It does not contain the number, which may change.
    """

    kind: str
    key: str
    args: tuple[str, ...]
    number: int | None


@dataclass(frozen=True)
class Box:
    """A list of items: in the area of the same name, or below the board if the layout has no such area."""

    name: str
    title: str
    note: str
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Scene:
    """The visible content of one position.

    Attributes:
        geometry: The layouts.
        words: The game's phrases.
        seats: The players' roles, clockwise.
        deciding: The pending decisions: role to decision, as terms.
        headings: The lines at the top; if empty, the pending decisions are shown there.
        aside: The texts to the right of them.
        looks: Area to its ground, if it has a special one.
        titles: Area to its name, in words.
        signs: Area to its sign.
        tags: Area to the facts about it, in words.
        rings: Area to the sign of the ring around it.
        ties: Pairs of neighbouring areas with their common owner.
        pieces: The pieces on the board.
        panels: Player to the items of the panel.
        boxes: The other lists.
        frames: Place to its own outline, which is drawn even if the place is occupied.
        captions: Place to the words below it.
        subjects: Area to the term of its title. Actions about the area name this term.
        hints: The long text for a short one, such as a tag ``7 4 2``.
    """

    geometry: Geometry
    words: Phrases
    seats: tuple[str, ...]
    deciding: Mapping[str, str]
    headings: tuple[str, ...]
    aside: tuple[str, ...]
    looks: Mapping[str, str]
    titles: Mapping[str, str]
    signs: Mapping[str, str]
    tags: Mapping[str, tuple[str, ...]]
    rings: Mapping[str, str]
    ties: tuple[tuple[str, str, str], ...]
    pieces: tuple[Pieces, ...]
    panels: Mapping[str, tuple[Item, ...]]
    boxes: tuple[Box, ...]
    frames: Mapping[str, str]
    captions: Mapping[str, str]
    subjects: Mapping[str, str]
    hints: Mapping[str, str]

    @property
    def points(self) -> dict[str, int]:
        """The points of the players whose panels show them."""
        return {
            role: item.number
            for role, items in self.panels.items()
            for item in items
            if item.key == "number(star)" and item.number is not None
        }

    def say(self, term: str) -> str:
        """The phrase of a term; ``none`` is empty."""
        return "" if term == "none" else self.words.short_phrase(term)

    def say_in_full(self, term: str) -> str:
        """The long phrase of a term, ``full(TERM)``, if the game has one; otherwise the short one."""
        return "" if term == "none" else full(self.words, term) or self.say(term)

    def words_for(self, look: Look) -> str:
        """A piece in words, such as ``Yellow baron 25``."""
        return self._piece(look, self.say(look.label))

    def called_in_full(self, look: Look) -> str:
        """A piece in words, with long phrases: for tooltips and screen readers."""
        return self._piece(look, self.say_in_full(look.label))

    def _piece(self, look: Look, label: str) -> str:
        silent = look.owner in COLOURS and look.owner not in self.seats
        owner = "" if silent else self.say(look.owner)
        return " ".join(filter(None, (owner, self.say(look.sort), label.replace(" / ", " "))))

    def items(self, of: str) -> tuple[Item, ...]:
        """The items of a box or of a player's panel."""
        return next((box.items for box in self.boxes if box.name == of), self.panels.get(of, ()))

    def area_called(self, area: str) -> str:
        """An area in words."""
        return self.titles.get(area) or self.say(area)


def scene(position: Position) -> Scene | None:
    """The scene of a position by the game's picture rules; None for a game without such rules."""
    return scene_of(position.ruleset, position.symbols)


def scene_of(rules: Ruleset, facts: Iterable[clingo.Symbol]) -> Scene | None:
    """The scene of facts, which need not be a whole position; None for a game without picture rules."""
    if "picture" not in rules.book.manifest:
        return None
    given = frozenset(facts)
    derivation = derive(_program(rules, CONTENT), given, engine=rules.configuration.engine)
    words = phrases(rules.book.folder)
    last: dict[str, tuple[frozenset[clingo.Symbol], Any]] = rules.remember("last scene", dict)

    def make_once(name: str, arity: int, make: Callable[[list[list[clingo.Symbol]]], T]) -> T:
        """The result of `make` for a predicate's rows. It is kept, because most rows are the same in the next position."""
        atoms = frozenset(derivation.get(name, arity))
        if name not in last or last[name][0] != atoms:
            last[name] = atoms, make([list(s.arguments) for s in sorted(atoms)])
        return cast(T, last[name][1])

    def names_of(name: str) -> dict[str, str]:
        return make_once(name, 2, lambda pairs: {symbols.text(a): symbols.text(b) for a, b in pairs})

    def drawings_of(name: str) -> dict[str, str]:
        return make_once(
            name, 2, lambda pairs: {symbols.text(a): words.short_phrase(symbols.text(b)) for a, b in pairs}
        )

    def lines(name: str) -> tuple[str, ...]:
        return make_once(name, 2, lambda pairs: tuple(words.short_phrase(symbols.text(term)) for _, term in pairs))

    def tags(atoms: list[list[clingo.Symbol]]) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
        texts: dict[str, list[str]] = defaultdict(list)
        hints = {}
        for area, _, term in sorted(atoms, key=lambda a: a[1]):
            text = words.short_phrase(symbols.text(term))
            texts[symbols.text(area)].append(text)
            hints[text] = full(words, symbols.text(term)) or text
        return {area: tuple(those) for area, those in texts.items()}, hints

    def titles_of(pairs: list[list[clingo.Symbol]]) -> tuple[dict[str, str], dict[str, str]]:
        subjects = {symbols.text(a): symbols.text(b) for a, b in pairs}
        return {area: words.short_phrase(term) for area, term in subjects.items()}, subjects

    decisions = [s.arguments for s in given if symbols.signature(s) == DECISION]
    listed, contents = make_once("panel", 3, _items), make_once("content", 3, _items)
    (titles, subjects), notes = make_once("title", 2, titles_of), drawings_of("note")
    tagged, hints = make_once("tag", 3, tags)
    boxes = make_once("box", 2, lambda pairs: [symbols.text(b) for _, b in sorted((o, b) for b, o in pairs)])
    return Scene(
        geometry=rules.remember("geometry", lambda: _geometry(rules)),
        words=words,
        seats=rules.seats,
        deciding={symbols.text(r): symbols.text(d) for r, d in sorted(decisions)},
        headings=lines("heading"),
        aside=lines("aside"),
        looks=names_of("look"),
        titles=titles,
        signs=names_of("sign"),
        tags=tagged,
        rings=names_of("ring"),
        ties=make_once("tie", 3, _ties),
        pieces=make_once("piece", 4, lambda derivation: tuple(_pieces(derivation, rules.seats))),
        panels={role: listed.get(role, ()) for role in rules.seats},
        boxes=tuple(Box(n, titles.get(n, ""), notes.get(n, ""), contents.get(n, ())) for n in boxes),
        frames=names_of("frame"),
        captions=drawings_of("caption"),
        subjects=subjects,
        hints=hints,
    )


def full(words: Phrases, term: str) -> str:
    """The long phrase of a term; empty if the game has no phrase for ``full(TERM)``."""
    text = words.short_phrase(f"full({term})")
    return "" if text == f"full({term})" else text


def _ties(atoms: Iterable[list[clingo.Symbol]]) -> tuple[tuple[str, str, str], ...]:
    return tuple((symbols.text(a), symbols.text(b), symbols.text(c)) for a, b, c in atoms)


def _pieces(atoms: Iterable[list[clingo.Symbol]], seats: tuple[str, ...]) -> Iterable[Pieces]:
    """All pieces; those of the same place are ordered by labels and owners."""
    pieces = []
    for kind, area, look, number in atoms:
        if symbols.signature(look) != ("look", 3):
            raise WrongPicture(("piece", 4), LOOKED)
        sort, owner, label = (symbols.text(a) for a in look.arguments)
        name, place = symbols.text(kind), symbols.text(area)
        pieces.append(Pieces(name, place, Look(sort, owner, label), _number(number, ("piece", 4))))
    return sorted(pieces, key=lambda p: (p.kind, p.area, rank(p.look, seats)))


def _number(symbol: clingo.Symbol, of: Signature) -> int:
    """The number of a symbol; WrongPicture if the rules say something else there."""
    if symbol.type is not clingo.SymbolType.Number:
        raise WrongPicture(of, f"{symbols.text(symbol)} is no number, where {of[0]}/{of[1]} has one")
    return symbol.number


def rank(look: Look, seats: tuple[str, ...]) -> tuple[object, ...]:
    """The sort key of pieces: numbered pieces come first, by their numbers; then by owners."""
    number = int(look.label) if look.label.lstrip("-").isdigit() else 10_000
    return number, seats.index(look.owner) if look.owner in seats else len(seats), look


def _items(atoms: Iterable[list[clingo.Symbol]]) -> dict[str, tuple[Item, ...]]:
    """The items of panels or boxes in their order."""
    listed: dict[str, list[Item]] = defaultdict(list)
    for of, _, term in sorted(atoms, key=lambda a: (a[0], _order(a[1]), a[2])):
        args = term.arguments
        at = NUMBERED.get(term.name, len(args))
        number = args[at].number if at < len(args) and args[at].type is clingo.SymbolType.Number else None
        rest = args[:at] if number is not None else args
        key = f"{term.name}({','.join(map(symbols.text, rest))})"
        listed[symbols.text(of)].append(Item(term.name, key, tuple(map(symbols.text, args)), number))
    return {of: tuple(items) for of, items in listed.items()}


def _order(symbol: clingo.Symbol) -> list[clingo.Symbol]:
    """A sort key: ``3`` comes before ``(3,x)``, which comes before ``4``."""
    tuples = symbol.type is clingo.SymbolType.Function and not symbol.name
    return list(symbol.arguments) if tuples else [symbol]


def _geometry(rules: Ruleset) -> Geometry:
    """The geometry under these rules; it depends on no position."""
    seats = rules.facts("seat", 2)
    return geometry_of(derive(_program(rules, GEOMETRY), frozenset(seats), engine=rules.configuration.engine))


def _program(rules: Ruleset, outputs: tuple[Signature, ...]) -> EngineProgram:
    """The slice of the rulebook and its picture rules for these outputs, made at the first use."""

    def make() -> EngineProgram:
        slicer = Slicer([*rules.judging.rules, *picture_rules(rules.book)], _GIVEN, rules.static)
        return rules.complete(tuple(slicer.slice(position_seeds(), [top(*output) for output in outputs])))

    return rules.remember(("picture", outputs), make)
