"""Variations and comments: from the flat list of a record's parts to parts that contain theirs.

The scanner and the grammar give the parts in the order of the text, with a `Paren` where a variation opens and closes, and the
gaps between words that contain comments. A comment belongs to one part:

* A comment on a line of its own, directly above the line on which a part begins, belongs to that part; so do the comments
  directly above it.
* Any other comment belongs to the part before it, or to the one that contains it. Behind a variation it belongs to the move
  that the variation replaces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from ..errors import UnreadableInput
from .record import Assertion, Move, PositionBlock, Tag, Variation

Part: TypeAlias = Tag | Move | Assertion | PositionBlock


@dataclass(frozen=True, slots=True)
class Paren:
    """The parenthesis that opens or closes a variation, and its place."""

    opens: bool
    line: int = 0
    column: int = 0


Element: TypeAlias = Part | Paren


class Gap(NamedTuple):
    """Blanks and comments between two words: where they are, and the numbers of the elements to which the words belong."""

    start: int
    end: int
    before: int
    after: int


class Comment(NamedTuple):
    """A comment in a text, from its percent sign to the end of its line."""

    start: int
    end: int
    owner: int


def comments(text: str, elements: Sequence[Element], gaps: Sequence[Gap]) -> Iterator[Comment]:
    """The comments of a text in order, each with the number of the part to which it belongs."""
    replaced = _moves_replaced(elements) if gaps else {}
    for gap in gaps if elements else ():
        above = _offset_above(text, gap)
        following = _part_from(elements, gap.after)
        at = text.find("%", gap.start, gap.end)
        while at >= 0:
            end = text.find("\n", at, gap.end)
            end = gap.end if end < 0 else end
            before = gap.before
            if gap.before == gap.after:
                owner = before
            elif following is not None and (at >= above or before < 0):
                owner = following
            elif isinstance(elements[before], Paren):
                first = _part_from(elements, before)
                owner = replaced[before] if first is None else first
            else:
                owner = before
            yield Comment(at, end, owner)
            at = text.find("%", end, gap.end)


def _offset_above(text: str, gap: Gap) -> int:
    """The offset from which the comments of a gap stand directly above the line on which the next element begins."""
    line = text.rfind("\n", gap.start, gap.end) + 1
    if not line:
        return gap.end
    while line > gap.start:
        start = text.rfind("\n", 0, line - 1) + 1
        if start < gap.start or not text[start:line].lstrip(" \t\f\v").startswith("%"):
            break
        line = start
    return line


def _part_from(elements: Sequence[Element], number: int) -> int | None:
    """The number of the element itself, or of the first one in the variation that it opens; else None."""
    if number >= len(elements):
        return None
    one = elements[number]
    return number if not isinstance(one, Paren) else number + 1 if one.opens else None


def _moves_replaced(elements: Sequence[Element]) -> dict[int, int]:
    """For each closing parenthesis the number of the move that its variation replaces."""
    places: dict[int, int] = {}
    last = [-1]
    for number, one in enumerate(elements):
        if isinstance(one, Move):
            last[-1] = number
        elif isinstance(one, Paren) and one.opens:
            last.append(-1)
        elif isinstance(one, Paren):
            last.pop()
            places[number] = last[-1]
    return places


def nest(text: str, elements: Sequence[Element], gaps: Sequence[Gap], path: str | None = None) -> list[Part]:
    """The parts with their comments and variations; UnreadableInput if a variation replaces no move."""
    said: dict[int, list[str]] = {}
    for start, end, owner in comments(text, elements, gaps):
        said.setdefault(owner, []).append(text[start + 1 : end].strip())
    levels: list[_NestingLevel] = [_NestingLevel(Paren(True))]
    for number, one in enumerate(elements):
        if not isinstance(one, Paren):
            levels[-1].parts.append(
                replace(one, comment="\n".join(said[number]).strip("\n")) if number in said else one
            )
        elif not one.opens:
            level = levels.pop()
            items = tuple(part for part in level.close() if not isinstance(part, Tag))
            levels[-1].add(Variation(items, level.paren.line, level.paren.column))
        elif not any(isinstance(part, Move) for part in reversed(levels[-1].parts)):
            message = "a variation stands after the move that it replaces"
            raise UnreadableInput(message, path, one.line, one.column)
        else:
            levels.append(_NestingLevel(one))
    return levels[0].close()


class _NestingLevel:
    """The parts of a record or of a variation that is being read."""

    def __init__(self, paren: Paren) -> None:
        self.paren = paren
        self.parts: list[Part] = []
        self._variations: dict[int, list[Variation]] = {}

    def add(self, variation: Variation) -> None:
        number = len(self.parts) - 1
        while not isinstance(self.parts[number], Move):
            number -= 1
        self._variations.setdefault(number, []).append(variation)

    def close(self) -> list[Part]:
        for number, variations in self._variations.items():
            move = self.parts[number]
            assert isinstance(move, Move)
            self.parts[number] = replace(move, variations=tuple(variations))
        return self.parts
