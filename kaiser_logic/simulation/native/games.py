"""Native code for one game: its positions in the memory, its programs when they are needed, and what is handed over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import clingo
import numpy as np

from ...engine import symbols
from ...engine.compiled.given import row_of
from ...engine.compiled.values import Large, Unsupported, fact, symbol
from ...engine.grounding import Program
from ...evaluation.evaluator import Evaluator
from ...position import Position
from ...rules import predicates
from ...rules.pattern import Signature
from ..layout import Layout
from ..packed import PackedPositions
from . import states
from .layers import OUTPUTS
from .listing import listed
from .memory import Full, Memory
from .places import BASE, KIND, PREDICATE, SHAPE, SHAPES, TEXT_AT, TEXT_LENGTH
from .playing import slot
from .programs import DERIVED, FACTS, Programs
from .unpacking import Unpacking, unpacking

_FACTS = (predicates.DECISION, predicates.DUE, predicates.SUBMITTED)
_ROOM = 1 << 22
"""Room for so many actions at a time."""


class Native:
    """A game's rules as native code.

    Attributes:
        evaluator: What evaluates positions one at a time.
        memory: Where everything lies.
        programs: What is compiled.
        refused: What cannot be compiled, with why.
        keys: Which programs there are: their uses, and the kinds of what is pending or done.
        addresses: Where they lie; 0 for those that cannot be compiled.
        relations: Those that native code reads: see :mod:`.states`.
        roles: The roles' numbers, in order.
    """

    def __init__(self, evaluator: Evaluator, derived: int = DERIVED) -> None:
        """Of a game; programs are compiled when they are needed. ``derived``: so many facts of a predicate can follow."""
        self.evaluator = evaluator
        self.ruleset = evaluator.ruleset
        self.memory = Memory()
        self.programs = Programs(self.memory, derived=derived, closed=True)
        self.refused: dict[str, str] = {}
        self.keys = np.zeros((states.PROGRAMS, 3), np.int64)
        self.addresses = np.zeros(states.PROGRAMS, np.int64)
        self._samples: dict[int, clingo.Symbol] = {}
        self._unpacking: tuple[Layout, Unpacking | None] | None = None
        relations = [*map(self.programs.fact, _FACTS), *map(self.programs.follow, OUTPUTS)]
        self.relations = np.array(relations, np.int64)
        self.roles = np.array([self.memory.word(role) for role in self.ruleset.roles], np.int64)

    # -- positions ---------------------------------------------------------------------------------------------------------

    def encoded(self, facts: Iterable[clingo.Symbol]) -> Any:
        """A position as rows: a relation and its row each.

        Raises:
            Full, Large: It cannot be.
        """
        rows = []
        for one in facts:
            signature = symbols.signature(one)
            rows.append([self._relation(signature), *self.memory.row(row_of(one)[1])])
        if len(rows) > FACTS:
            raise Full
        width = max(map(len, rows), default=1)
        return np.array([[*row, *[0] * (width - len(row))] for row in rows], np.int64).reshape(
            len(rows), width
        )

    def _relation(self, signature: Signature) -> int:
        """The relation of the facts of a predicate, made where there is none."""
        head = self.programs.fact(signature)
        shape = self.memory.shape(*signature)
        self.memory.words[SHAPES + SHAPE * shape + PREDICATE] = head
        return head

    def position(self) -> frozenset[clingo.Symbol]:
        """The position that lies in the memory."""
        return frozenset(
            fact(signature[0], tuple(map(self.memory.value, row)))
            for signature, head in self.programs.facts.items()
            if signature != predicates.SUBMITTED
            for row in self.memory.rows(head)
        )

    def heads(self) -> Any:
        """The relations of all facts."""
        return np.array(list(self.programs.facts.values()), np.int64)

    # -- programs ----------------------------------------------------------------------------------------------------------

    def _program(self, use: int, first: int, second: int) -> Program | None:
        """The program for a use."""
        rules = self.ruleset
        if use == states.EFFECTS:
            return rules.effects_program([self._samples[k] for k in _unpacked(first)])
        names, more = ([self.memory.name(k) for k in _unpacked(packed)] for packed in (first, second))
        if use == states.LISTING:
            return rules.legal_program(names)
        if use == states.STEPS:
            return rules.step_program(names, more)
        return rules.weight_program if use == states.WEIGHTS else rules.outcome_program

    def need(self, use: int, first: int, second: int) -> None:
        """Compiles a program."""
        place = slot(self.keys, use, first, second)
        self.keys[place] = use, first, second
        try:
            program = self._program(use, first, second)
            self.addresses[place] = 0 if program is None else self.programs.address(program)
        except (Unsupported, KeyError) as error:
            self.refused[f"{use} {first} {second}"] = str(error)

    def _kind(self, word: int) -> None:
        """Says of an action of which kind it is."""
        action = symbol(self.memory.value(word))
        kind = self.ruleset.kind(action)
        number = kind.index + 1 if kind is not None else (1 << 14) - 1
        if kind is not None:
            self._samples.setdefault(number, action)
        self.memory.words[word - BASE + KIND] = number

    def provide(self, reason: int, state: Any) -> None:
        """Provides what native code needs."""
        if reason == states.PROGRAM:
            self.need(*map(int, state[states.NEED : states.SECOND + 1]))
        elif reason == states.KIND:
            self._kind(int(state[states.NEED]))
        elif reason == states.RELATION:
            self._relation(self.memory.name(int(state[states.NEED])))

    # -- what is legal -----------------------------------------------------------------------------------------------------

    def listed(self, positions: Sequence[Position]) -> tuple[Any, Any, Any]:
        """The legal actions of positions: how many each has, and of all of them the roles' places and their numbers here.

        Where it is -1 native code does not know.
        """
        return self._listed([self._rows(position) for position in positions])

    def _listed(self, rows: Sequence[Any]) -> tuple[Any, Any, Any]:
        """The same of positions as rows."""
        width = max((r.shape[1] for r in rows), default=1)
        facts = np.zeros((sum(map(len, rows)), width), np.int64)
        ends = np.concatenate([np.zeros(1, np.int64), np.cumsum(list(map(len, rows)), dtype=np.int64)])
        for row, end in zip(rows, ends[1:], strict=True):
            facts[end - len(row) : end, : row.shape[1]] = row
        counts, state = np.full(len(rows), -1, np.int64), np.zeros(8, np.int64)
        whose, what = np.zeros(_ROOM, np.int64), np.zeros(_ROOM, np.int64)
        filled, kinds = np.zeros(1, np.int64), np.zeros(1 << 15, np.int64)
        parts: list[tuple[Any, Any]] = []
        first = 0
        while first < len(rows):
            first, reason = listed(
                self.memory.words, self.memory.texts, self.relations, self.keys, self.addresses, state, self.roles,
                self.heads(), facts, ends, first, kinds, counts, whose, what, filled,
            )  # fmt: skip
            if reason in (states.HAND, states.FINISHED):
                parts.append((whose[: filled[0]].copy(), what[: filled[0]].copy()))
                filled[0] = 0
            else:
                self.provide(reason, state)
        for place, row in enumerate(rows):
            if row.shape[1] == 0:
                counts[place] = -1
        found = [np.concatenate([p[k] for p in parts] or [np.zeros(0, np.int64)]) for k in (0, 1)]
        return counts, found[0], found[1]

    def numbered(
        self, packed: PackedPositions, places: Sequence[int], number: Callable[[str, str], int]
    ) -> tuple[Any, Any]:
        """The legal actions of some positions: how many each has (-1: unknown), and all as numbers, by role and text."""
        counts, whose, what = self._listed(self._unpacked(packed, places))
        roles = self.ruleset.roles
        both, inverse = np.unique(whose + len(roles) * what, return_inverse=True)
        numbers = [number(roles[n % len(roles)], self.text(n // len(roles))) for n in map(int, both)]
        return counts, np.array(numbers, np.int32)[inverse]

    def _unpacked(self, packed: PackedPositions, places: Sequence[int]) -> Sequence[Any]:
        """Some packed positions as rows."""
        layout = packed.layout
        if self._unpacking is None or self._unpacking[0] is not layout:
            self._unpacking = layout, unpacking(layout, self.encoded) if layout.words else None
        own = self._unpacking[1]
        if own is None or not packed.others.keys().isdisjoint(places):
            return [self._rows(packed[place]) for place in places]
        return own.rows(packed.state[places], packed.numbers[places])

    def _rows(self, position: Position) -> Any:
        """A position as rows, worked out once; without any width where it cannot be."""
        found = position.__dict__.get("_native")
        if found is None or found[0] is not self:
            try:
                rows = self.encoded(position.symbols)
            except (Full, Large):
                rows = np.zeros((0, 0), np.int64)
            found = position.__dict__["_native"] = (self, rows)
        return found[1]

    def text(self, number: int) -> str:
        """The text of an action that was listed."""
        place = number - BASE
        begin, length = map(int, self.memory.words[place + TEXT_AT : place + TEXT_LENGTH + 1])
        return bytes(self.memory.texts[begin : begin + length]).decode()


def _unpacked(packed: int) -> list[int]:
    """The kinds of a number that :func:`.playing.play` has put together."""
    found = []
    while packed:
        found.append(packed & ((1 << 14) - 1))
        packed >>= 14
    return found
