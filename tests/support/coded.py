"""Positions and lists of legal actions as numbers and rows, so that millions of them can be compared.

The independent implementations give texts. A dictionary maps each text to a number; it comes from the names in a batch's
layout alone, and uses none of the package's code that packs and unpacks positions. So a row that is made here and a row of
a batch are equal if and only if they have the same facts. Positions without a row have to be compared as texts.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any, Final

import clingo

from kaiser_logic.batch.layout import LARGEST, Layout
from kaiser_logic.engine import symbols

SEAT: Final = 0
NUMBER: Final = 1
OTHER: Final = 2
"""The kinds of facts without a bit: a seat, a number beside the bits, or a fact that no row can hold."""


class Numbers(dict[str, int]):
    """A number for each text, in the order of their first use."""

    def __init__(self, texts: list[str]) -> None:
        """``texts``: the texts of the first numbers; an empty one where a number has none. New texts are appended."""
        self.texts = texts
        super().__init__({text: number for number, text in enumerate(texts) if text})

    def __missing__(self, text: str) -> int:
        number = self[text] = len(self.texts)
        self.texts.append(text)
        return number


class Lists:
    """Many lists of numbers, one after the other."""

    def __init__(self) -> None:
        self.numbers, self.ends = array("i"), array("q", [0])

    def add(self, numbers: Iterable[int]) -> None:
        """Appends a list."""
        self.numbers.extend(numbers)
        self.ends.append(len(self.numbers))

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, place: int) -> array[int]:
        return self.numbers[self.ends[place] : self.ends[place + 1]]


class Actions:
    """A number for each role's action."""

    def __init__(self) -> None:
        self.pairs: list[tuple[str, str]] = []
        self._numbers: dict[str, dict[str, int]] = {}

    def numbers(self, role: str, actions: Iterable[str]) -> list[int]:
        """The numbers of a role's actions."""
        known = self._numbers.setdefault(role, {})
        try:
            return [known[action] for action in actions]
        except KeyError:
            for action in actions:
                if action not in known:
                    known[action] = len(self.pairs)
                    self.pairs.append((role, action))
        return [known[action] for action in actions]


class Facts:
    """The facts of a game with their numbers. A fact that has a bit in a layout has the number of that bit."""

    def __init__(self, layout: Layout | None) -> None:
        """``layout``: the layout of the rows; None if there are no rows."""
        bits: tuple[clingo.Symbol | None, ...] = () if layout is None else layout.facts
        texts = ["" if fact is None else str(fact) for fact in bits]
        for *_, bit in () if layout is None else layout.tests:
            texts[bit] = ""  # this bit follows from a number and is no fact
        self.layout, self.width = layout, len(texts)
        self.numbers = Numbers(texts)
        self._seats = set() if layout is None else set(map(str, layout.seats))
        self._places = {} if layout is None else {str(c): place for place, c in enumerate(layout.numbers)}
        self._kinds: list[tuple[int, int, int]] = []
        self._symbols: list[clingo.Symbol] = []

    def texts(self, numbers: Iterable[int]) -> frozenset[str]:
        """A position's facts."""
        return frozenset(map(self.numbers.texts.__getitem__, numbers))

    def symbols(self, numbers: Iterable[int]) -> frozenset[clingo.Symbol]:
        """A position's facts as the package's symbols."""
        for text in self.numbers.texts[len(self._symbols) :]:
            self._symbols.append(symbols.read_symbol(text or "none"))
        return frozenset(map(self._symbols.__getitem__, numbers))

    def rows(self, positions: Lists) -> tuple[Any, Any, Any]:
        """Positions as rows of words, the numbers beside them, and which positions fit into a row."""
        import numpy as np

        count, layout = len(positions), self.layout
        if layout is None or not self.width:
            return np.zeros((count, 0), np.uint64), np.zeros((count, 0), np.int64), np.zeros(count, np.bool_)
        numbers = np.frombuffer(positions.numbers, np.int32)
        owner = np.repeat(np.arange(count), np.diff(np.frombuffer(positions.ends, np.int64)))
        is_bit = numbers < self.width
        bits = np.zeros((count, self.width), np.bool_)
        bits[owner[is_bit], numbers[is_bit]] = True
        of, beside = owner[~is_bit], np.zeros((count, len(layout.numbers)), np.int64)
        self._kinds += map(self._kind, self.numbers.texts[self.width + len(self._kinds) :])
        kinds = np.array(self._kinds, np.int64).reshape(-1, 3)[numbers[~is_bit] - self.width]
        fits = np.bincount(of[kinds[:, 0] == SEAT], minlength=count) == len(layout.seats)
        fits[of[kinds[:, 0] == OTHER]] = False
        is_number = kinds[:, 0] == NUMBER
        times = np.zeros_like(beside)
        np.add.at(times, (of[is_number], kinds[is_number, 1]), 1)
        beside[of[is_number], kinds[is_number, 1]] = kinds[is_number, 2]
        needed = np.array([self._is_stated(number) for number in layout.numbers], np.int64)
        fits &= (times <= 1).all(axis=1) & (times >= needed).all(axis=1)
        for place, least, end, bit in layout.tests:
            bits[:, bit] = (beside[:, place] >= least) & (beside[:, place] < end)
        return np.packbits(bits, axis=1, bitorder="little").view(np.uint64), beside, fits

    def _kind(self, text: str) -> tuple[int, int, int]:
        """The kind of a fact without a bit; for a number also its place and its value."""
        if text in self._seats:
            return SEAT, 0, 0
        head, _, last = text.rpartition("," if "," in text else "(")
        counter, value = f"{head})" if "," in text else head, last.removesuffix(")")
        if self.layout is None or counter not in self._places or not value.removeprefix("-").isdigit():
            return OTHER, 0, 0
        place, number = self._places[counter], int(value)
        its = self.layout.numbers[place]
        fits = self.layout.least(its) <= number < LARGEST and (number != 0 or self._is_stated(its))
        canonical = text == f"{head}{',' if ',' in text else '('}{number})"
        return (NUMBER, place, number) if fits and canonical else (OTHER, 0, 0)

    def _is_stated(self, number: clingo.Symbol) -> bool:
        """Whether a counter's 0 is a fact."""
        return self.layout is not None and self.layout.counters[number.name, len(number.arguments) + 1]
