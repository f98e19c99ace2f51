r"""The text of a record that can be edited: what is not edited stays as it was, letter for letter.

>>> text = '[Game "kaiser"]\r\n\r\nred: empire_city(boehmen)   % as usual\r\n'
>>> document = Document(text)
>>> str(document) == text
True
>>> edited = document.with_variation("0", [parse_move("red: empire_city(trier)")]).with_comment("0a.1", "bold")
>>> print(str(edited).replace("\r", ""))
[Game "kaiser"]
<BLANKLINE>
red: empire_city(boehmen)   % as usual
    ( red: empire_city(trier)  % bold
       )
<BLANKLINE>
>>> edited.record.comments
{'1': 'as usual', '0a.1': 'bold'}
>>> str(edited.without_branch("0a")) == text
True
"""

from __future__ import annotations

import os
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from string import ascii_lowercase
from typing import Final, Literal, NamedTuple

from ..errors import WrongUsage
from .nesting import Comment, Element, Paren, comments
from .reading import read_text, record_from
from .record import Item, Move, Record, Tag, Variation, letters, print_item, print_tag, print_variation
from .syntax import normal, parse_move, words_of

__all__ = ["Document", "parse_move"]

_END: Final = re.compile(r"\r\n|\r|\n")
_STRING: Final = re.compile(r'%[^\n]*|("(?:[^"\\\n]|\\[^\n])*")')
_BLANKS: Final = " \t\f\v"


class _Edit(NamedTuple):
    """A part of a text, and what takes its place."""

    start: int
    end: int
    text: str = ""


class Document:
    """The text of one record. It does not change: each edit gives a new document.

    Attributes:
        record: The record in the text.
    """

    def __init__(self, text: str, path: str | None = None) -> None:
        """Reads a text; UnreadableInput if there is no record in it."""
        self._mark = "\ufeff" if text.startswith("\ufeff") else ""
        self._ends = _END.findall(text)
        self._path = path
        self._text = normal(text, path)
        words = words_of(self._text, path)
        self.record: Record = record_from(words.parts, path)
        self._elements: list[Element] = words.elements
        self._spans = words.spans
        self._comments: list[Comment] = list(comments(self._text, words.elements, words.gaps))
        self._places = list(_places(words.elements))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Document:
        """The document in a file; UnreadableInput if there is no record in it."""
        return cls(read_text(path), os.fspath(path))

    def __str__(self) -> str:
        """The text, with the line ends and the byte order mark with which it was read."""
        if len(set(self._ends)) <= 1:
            end = self._ends[0] if self._ends else "\n"
            return self._mark + (self._text if end == "\n" else self._text.replace("\n", end))
        lines = self._text.split("\n")
        return self._mark + "".join(map("".join, zip(lines, [*self._ends, ""], strict=True)))

    # -- edits ---------------------------------------------------------------------------------

    def with_tag(self, name: str, value: str | None) -> Document:
        """The document with another value of a tag, with a new tag, or (None) without the tag.

        If the tag is given several times, the first one is meant.
        """
        for number, one in enumerate(self._elements):
            if isinstance(one, Tag) and one.name == name:
                if value is None:
                    return self._apply_edits(self._remove_elements(number, number))
                return self._apply_edits([self._change_value(number, value)])
        if value is None:
            return self
        last = sum(isinstance(one, Tag) for one in self._elements) - 1
        return self._apply_edits([self._insert_behind(last, print_tag(Tag(name, value)))])

    def with_tags(self, tags: Iterable[Tag]) -> Document:
        """The document with the tags of its record under other rules: changed values, and new tags behind the first one."""
        edits = []
        at = {(one.line, one.column): n for n, one in enumerate(self._elements) if isinstance(one, Tag)}
        new = []
        for tag in tags:
            number = at.get((tag.line, tag.column))
            if number is None:
                new.append(print_tag(tag))
            elif self._elements[number] != tag:
                edits.append(self._change_value(number, tag.value))
        if new:
            edits.append(self._insert_behind(0, "\n".join(new)))
        return self._apply_edits(edits)

    def with_comment(self, place: str, text: str) -> Document:
        """The document with another comment at a place: of the move before it, or at ``0`` of the tags.

        An empty text removes the comment. Several lines stand above the move.

        Raises:
            WrongUsage: There is no move at this place.
        """
        text = "\n".join(line.strip() for line in text.splitlines())
        if self.record.comments.get(place, "") == text:
            return self
        owner = 0 if place == "0" else self._move(place)
        old = [one for one in self._comments if self._said_at(one.owner) == place]
        if len(old) == 1 and text and "\n" not in text:
            start, end, _ = old[0]
            blanks = re.match(r"%[ \t\f\v]*", self._text[start:end])
            lead = blanks[0] if blanks and len(blanks[0]) > 1 else "% "
            return self._apply_edits([_Edit(start, end, lead + text)])
        edits = [self._remove_comment(one) for one in old]
        if not text:
            return self._apply_edits(edits)
        start, end = self._spans[owner]
        indent = self._indent(start)
        if "\n" not in text:
            line_end = self._line_end(end, [one for one in old if one.start >= end])
            if line_end is None:
                return self._apply_edits([*edits, _Edit(end, end, f"  % {text}\n{indent}")])
            edits = [one for one in edits if one.start < end or one.start >= line_end]
            kept = end if not self._text[end:line_end].strip(_BLANKS) else line_end
            return self._apply_edits([*edits, _Edit(end, kept, f"  % {text}")])
        lines = [f"% {line}".rstrip() for line in text.split("\n")]
        return self._apply_edits([*edits, self._insert_above(owner, lines)])

    def with_moves(self, items: Iterable[Item], variation: str = "") -> Document:
        """The document with more items at the end of the record or, if it is named, of a variation."""
        lines = "\n".join(map(print_item, items))
        if not lines:
            return self
        if not variation:
            blank = self._ends_in_comment(len(self._text))
            gap = "" if self._text.endswith("\n") else "\n"
            if isinstance(self._elements[-1], Tag) and not self._text.endswith("\n\n"):
                gap += "\n"
            at = len(self._text)
            return self._apply_edits([_Edit(at, at, f"{gap}{blank}{lines}\n")])
        opens, closes = self._variation(variation)
        said = [one.end for one in self._comments if one.start < self._spans[closes][0]]
        at = max([self._spans[closes - 1][1], *said])
        indent = self._indent(self._spans[opens + 1][0])
        text = textwrap.indent(lines, indent)
        tail = "\n" if "%" in lines.rpartition("\n")[2] else ""
        return self._apply_edits([_Edit(at, at, f"\n{self._ends_in_comment(at)}{text}{tail}")])

    def with_variation(self, place: str, items: Iterable[Item]) -> Document:
        """The document with one more variation, which replaces the move after a place.

        Raises:
            WrongUsage: There is no move after this place.
        """
        name, _, number = place.rpartition(".")
        replaced = self._move(f"{name}.{int(number) + 1}" if name else str(int(place) + 1))
        last, after = replaced, replaced + 1
        while after < len(self._elements):
            following = self._elements[after]
            if isinstance(following, Paren) and following.opens:
                last = after = self._closing(after)
            elif isinstance(following, (Move, Paren)):
                break
            after += 1
        indent = self._indent(self._spans[replaced][0])
        text = textwrap.indent(print_variation(Variation(tuple(items))), f"{indent}    ")
        return self._apply_edits([self._insert_behind(last, text)])

    def with_line(self, moves: Sequence[Move]) -> Document:
        """The document with a line of play from the start; it stays as it is if the record has this line.

        Where the line leaves the record it becomes a variation; beyond its end the moves are added.
        """
        known, name, place = max(_common_line(self.record.items, "", moves, 0), key=lambda one: one[0])
        if known == len(moves):
            return self
        return self.with_variation(place, moves[known:]) if place else self.with_moves(moves[known:], name)

    def without_branch(self, place: str) -> Document:
        """The document without a variation, or without a move and all that follows it in its line.

        Args:
            place: A variation, such as ``12a``, or the place after a move.
        """
        if place[-1:].isdigit():
            name, _, number = place.rpartition(".")
            if name and number == "1":
                return self.without_branch(name)
            first = self._move(place)
            last = len(self._elements) - 1 if not name else self._variation(name)[1] - 1
        else:
            first, last = self._variation(place)
        end = self._spans[last][1]
        # a comment behind the closing parenthesis is about an earlier move: alone on its line it would be the next move's
        earlier = next((one for one in self._comments if one.start >= end and one.owner < first), None)
        if earlier is None or "\n" in self._text[end : earlier.start]:
            return self._apply_edits(self._remove_elements(first, last))
        said = self._insert_above(earlier.owner, [self._text[earlier.start : earlier.end]])
        return self._apply_edits([*self._remove_elements(first, last, earlier), said])

    def with_promoted(self, name: str) -> Document:
        """The document with a variation in place of the moves that it replaces, which become its first variation.

        The rest of the line is written anew, an item a line. All before it and behind it stays as it was.
        """
        self._variation(name)  # refuses what is none
        above, _, last = name.rpartition(".")
        number = last.rstrip(ascii_lowercase)
        first = self._move(f"{above}.{int(number) + 1}" if above else str(int(number) + 1))
        end = len(self._elements) - 1 if not above else self._variation(above)[1] - 1
        items = self.record.variations[above].items if above else self.record.items
        at = [k for k, item in enumerate(items) if isinstance(item, Move)][int(number)]
        move = items[at]
        assert isinstance(move, Move)
        chosen = self.record.variations[name]
        others = tuple(one for one in move.variations if one is not chosen)
        old = Variation((replace(move, variations=()), *items[at + 1 :]))
        lead = next(k for k, item in enumerate(chosen.items) if isinstance(item, Move))
        head = chosen.items[lead]
        assert isinstance(head, Move)
        new = replace(head, variations=(old, *others, *head.variations))
        lines = "\n".join(map(print_item, (*chosen.items[:lead], new, *chosen.items[lead + 1 :])))
        said = [one for one in self._comments if first <= one.owner <= end]
        paren = self._spans[first - 1][0] if isinstance(self._elements[first - 1], Paren) else 0
        before = [one for one in said if one.start < paren]  # a comment above the parenthesis is the first move's
        start = min([self._spans[first][0], *(one.start for one in said if one.start > paren)])
        stop = max([self._spans[end][1], *(one.end for one in said)])
        indent = self._indent(start)
        text = textwrap.indent(lines, indent)[len(indent) :]
        if self._text[self._text.rfind("\n", 0, start) + 1 : start].strip(f"{_BLANKS}("):
            text = f"\n{indent}{text}"
        if "%" in lines.rpartition("\n")[2]:
            text += f"\n{indent}"
        return self._apply_edits([*map(self._remove_comment, before), _Edit(start, stop, text)])

    def with_moved(self, name: str, by: Literal[-1, 1]) -> Document:
        """The document with a variation before its neighbour (-1), or behind it (1), among those that replace the same move.

        Raises:
            WrongUsage: There is no such variation, or no neighbour.
        """
        self._variation(name)  # refuses what is none
        stem = name.rstrip(ascii_lowercase)
        family = [one for one in self.record.variations if one.rstrip(ascii_lowercase) == stem]
        at = family.index(name) + by
        if not 0 <= at < len(family):
            raise WrongUsage(f"there is no variation {'behind' if by > 0 else 'before'} {name[:40]}")
        spans = sorted(map(self._variation_span, (name, family[at])))
        texts = [self._text[start:end] for start, end in spans]
        edits = []
        for (start, end), text in zip(spans, reversed(texts), strict=True):
            line = self._text[self._text.rfind("\n", 0, start) + 1 : start]
            alone = not line.strip(_BLANKS) or not text.startswith("%")
            edits.append(_Edit(start, end, text if alone else f"\n{self._indent(start)}{text}"))
        return self._apply_edits(edits)

    def place_of(self, moves: Sequence[Move]) -> str | None:
        """The place after a line of play from the start; None if the record does not have it."""
        for name in ("", *self.record.variations):
            line = self.record.line(name)[0] if name else self.record
            if len(line.moves) >= len(moves) and all(map(_same, line.moves, moves)):
                return line.place(len(moves))
        return None

    # -- places --------------------------------------------------------------------------------

    def _said_at(self, number: int) -> str:
        """The place at which the comments of an element are said."""
        return "0" if isinstance(self._elements[number], Tag) else self._places[number]

    def _move(self, place: str) -> int:
        """The number of the move before a place."""
        for number, one in enumerate(self._elements):
            if isinstance(one, Move) and self._places[number] == place:
                return number
        raise WrongUsage(f"there is no move before the place {place[:40]!r}")

    def _variation(self, name: str) -> tuple[int, int]:
        """The numbers of the parentheses of a variation."""
        for number, one in enumerate(self._elements):
            if isinstance(one, Paren) and self._places[number] == name:
                return number, self._closing(number)
        raise WrongUsage(f"there is no variation {name[:40]!r}")

    def _variation_span(self, name: str) -> tuple[int, int]:
        """Where a variation stands in the text, with the comments above it, which are its first move's."""
        opens, closes = self._variation(name)
        start = self._spans[opens][0]
        above = [one.start for one in self._comments if one.owner == opens + 1 and one.start < start]
        return min([start, *above]), self._spans[closes][1]

    def _closing(self, number: int) -> int:
        """The number of the parenthesis that closes a variation."""
        depth = 0
        while True:
            one = self._elements[number]
            if isinstance(one, Paren):
                depth += 1 if one.opens else -1
                if not depth:
                    return number
            number += 1

    # -- text ----------------------------------------------------------------------------------

    def _indent(self, at: int) -> str:
        """The blanks that bring a new line to the column of an offset if only blanks and parentheses stand before it."""
        line = self._text[self._text.rfind("\n", 0, at) + 1 : at]
        blanks = line[: len(line) - len(line.lstrip(_BLANKS))]
        return blanks if line.strip(f"{_BLANKS}(") else line.replace("(", " ")

    def _line_end(self, at: int, without: Sequence[Comment] = ()) -> int | None:
        """The end of the line if only blanks, or comments that are removed, follow an offset; else None."""
        end = self._text.find("\n", at)
        end = len(self._text) if end < 0 else end
        rest = self._text[at:end].strip(_BLANKS)
        gone = any(at <= one.start < end for one in without)
        return end if not rest or (gone and rest.startswith("%")) else None

    def _insert_above(self, number: int, lines: Iterable[str]) -> _Edit:
        """The edit that puts lines above an element, which begins a line then."""
        start = self._spans[number][0]
        indent = self._indent(start)
        above = "".join(f"{line}\n{indent}" for line in lines)
        alone = not self._text[self._text.rfind("\n", 0, start) + 1 : start].strip(_BLANKS)
        return _Edit(start, start, above if alone else f"\n{indent}{above}")

    def _insert_behind(self, number: int, text: str) -> _Edit:
        """The edit that puts lines behind an element, and behind the comment on its line."""
        end = self._spans[number][1]
        line_end = self._text.find("\n", end)
        line_end = len(self._text) if line_end < 0 else line_end
        rest = self._text[end:line_end].strip(_BLANKS)
        if not rest or rest.startswith("%"):
            return _Edit(line_end, line_end, f"\n{text}")
        return _Edit(end, end, f"\n{text}\n")

    def _ends_in_comment(self, at: int) -> str:
        """A line feed if the text before an offset ends in a comment on a line of its own, which keeps it from the next move."""
        before = self._text[:at].rstrip("\n") if at == len(self._text) else self._text[:at]
        line = before[before.rfind("\n") + 1 :].lstrip(_BLANKS)
        return "\n" if line.startswith("%") and not self._text[len(before) : at].startswith("\n\n") else ""

    def _change_value(self, number: int, value: str) -> _Edit:
        start, end = self._spans[number]
        for match in _STRING.finditer(self._text, start, end):
            if match[1] is not None:
                return _Edit(*match.span(1), print_tag(Tag("X", value))[3:-1])
        raise AssertionError("a tag has a text")

    def _remove_comment(self, one: Comment) -> _Edit:
        """The edit that removes a comment: with its line if it stands alone there, else with the blanks before it."""
        line = self._text.rfind("\n", 0, one.start) + 1
        if not self._text[line : one.start].strip(_BLANKS):
            return _Edit(line, min(one.end + 1, len(self._text)))
        return _Edit(line + len(self._text[line : one.start].rstrip(_BLANKS)), one.end)

    def _remove_elements(self, first: int, last: int, more: Comment | None = None) -> list[_Edit]:
        """The edits that remove elements and their comments, and one more, with the lines that become empty."""
        start, end = self._spans[first][0], self._spans[last][1]
        edits = [
            self._remove_comment(one)
            for one in self._comments
            if (first <= one.owner <= last or one is more) and not start <= one.start < end
        ]
        behind = next((one for one in edits if one.start >= end and not self._text[end : one.start].strip()), None)
        if behind is not None and "\n" not in self._text[end : behind.end].rstrip("\n"):
            edits.remove(behind)
            end = behind.end
        line, line_end = self._text.rfind("\n", 0, start) + 1, self._text.find("\n", end)
        line_end = len(self._text) if line_end < 0 else line_end
        if not (self._text[line:start] + self._text[end:line_end]).strip(_BLANKS):
            start, end = line, min(line_end + 1, len(self._text))
        return [*edits, _Edit(start, end)]

    def _apply_edits(self, edits: Iterable[_Edit]) -> Document:
        """The document after edits that do not overlap."""
        text, ends = self._text, list(self._ends)
        usual = Counter(ends).most_common(1)[0][0] if ends else "\n"
        for start, end, new in sorted(edits, reverse=True):
            before = text.count("\n", 0, start)
            ends[before : before + text.count("\n", start, end)] = [usual] * new.count("\n")
            text = text[:start] + new + text[end:]
        lines = text.split("\n")
        for number in range(1, len(ends)):  # a line feed directly behind a carriage return would join it
            if (ends[number - 1], lines[number], ends[number]) == ("\r", "", "\n"):
                ends[number] = "\r\n"
        whole = "".join(map("".join, zip(lines, [*ends, ""], strict=True)))
        return self if whole == str(self)[len(self._mark) :] else Document(self._mark + whole, self._path)


def _places(elements: Iterable[Element]) -> Iterator[str]:
    """The place of each element: after a move, where a block stands, the name of a variation."""
    levels: list[list[int]] = [[0, 0]]
    names = [""]
    for one in elements:
        level, prefix = levels[-1], names[-1]
        if isinstance(one, Move):
            level[0] += 1
            level[1] = 0
            yield f"{prefix}{level[0]}"
        elif isinstance(one, Paren) and one.opens:
            name = f"{prefix}{level[0] - 1}{letters(level[1])}"
            level[1] += 1
            levels.append([0, 0])
            names.append(f"{name}.")
            yield name
        elif isinstance(one, Paren):
            levels.pop()
            yield names.pop()[:-1]
        else:
            yield f"{prefix}{level[0]}"


def _common_line(items: Iterable[Item], name: str, moves: Sequence[Move], at: int) -> Iterator[tuple[int, str, str]]:
    """How far a line of play goes along a record or variation from a place, and along the variations below.

    Gives for each of them the number of moves that are known, its name, and the place at which the line leaves it (empty at
    its end).
    """
    own = [item for item in items if isinstance(item, Move)]
    for number, one in enumerate(own):
        place = f"{name}.{number}" if name else str(number)
        if at == len(moves):
            yield at, name, place
            return
        same = _same(one, moves[at])
        if not same:
            yield at, name, place
        for choice, variation in enumerate(one.variations):
            yield from _common_line(variation.items, f"{place}{letters(choice)}", moves, at)
        if not same:
            return
        at += 1
    yield at, name, ""


def _same(one: Move, other: Move) -> bool:
    return (one.role, one.action) == (other.role, other.action)
