"""Native code for one game: its positions in the memory, its programs when they are needed, and what is handed over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import clingo
import numpy as np

from ...engine import symbols
from ...engine.compiled.given import row_of
from ...engine.compiled.syntax import Unsupported
from ...engine.compiled.values import Large, fact, symbol
from ...engine.grounding import Program
from ...errors import NotDecided
from ...evaluation.evaluator import Evaluator
from ...position import Position
from ...rules import predicates
from ...rules.pattern import Signature
from ..course import LONGEST, chosen, ending, named
from ..playouts import Results
from ..stream import Stream
from . import playing
from .memory import BASE, PREDICATE, SHAPE, SHAPES, Full, Memory
from .programs import OUTPUTS, Programs

_FACTS = (predicates.DECISION, predicates.NEXT, predicates.SUBMITTED)
_TOGETHER = 256
"""So many games are played between two words on how far it is."""


class Native:
    """A game's rules as native code.

    Attributes:
        evaluator: What evaluates positions one at a time.
        handed: How many decisions were handed to it.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        """Of a game; programs are compiled when they are needed."""
        self.evaluator = evaluator
        self.ruleset = evaluator.ruleset
        self.memory = Memory()
        self.programs = Programs(self.memory)
        self.handed = 0
        self.refused: dict[str, str] = {}
        self._keys = np.zeros((playing.PROGRAMS, 3), np.int64)
        self._addresses = np.zeros(playing.PROGRAMS, np.int64)
        self._samples: dict[int, clingo.Symbol] = {}
        relations = [*map(self.programs.fact, _FACTS), *map(self.programs.follow, OUTPUTS)]
        self._relations = np.array(relations, np.int64)
        self._roles = np.array([self.memory.word(role) for role in self.ruleset.roles], np.int64)

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
        width = max(map(len, rows), default=1)
        return np.array([[*row, *[0] * (width - len(row))] for row in rows], np.int64).reshape(len(rows), width)

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

    def _heads(self) -> Any:
        return np.array(list(self.programs.facts.values()), np.int64)

    # -- programs ----------------------------------------------------------------------------------------------------------

    def _program(self, use: int, first: int, second: int) -> Program | None:
        """The program for a use."""
        rules = self.ruleset
        if use == playing.EFFECTS:
            return rules.effects_program([self._samples[k] for k in _unpacked(first)])
        names, more = ([self.memory.name(k) for k in _unpacked(packed)] for packed in (first, second))
        if use == playing.LISTING:
            return rules.legal_program(names)
        if use == playing.STEPS:
            return rules.step_program(names, more)
        return rules.weight_program if use == playing.WEIGHTS else rules.outcome_program

    def need(self, use: int, first: int, second: int) -> None:
        """Compiles a program."""
        slot = playing.slot(self._keys, use, first, second)
        self._keys[slot] = use, first, second
        try:
            program = self._program(use, first, second)
            self._addresses[slot] = 0 if program is None else self.programs.address(program)
        except (Unsupported, KeyError) as error:
            self.refused[f"{use} {first} {second}"] = str(error)

    def _kind(self, word: int) -> None:
        """Says of an action of which kind it is."""
        action = symbol(self.memory.value(word))
        kind = self.ruleset.kind(action)
        number = kind.index + 1 if kind is not None else (1 << 14) - 1
        if kind is not None:
            self._samples.setdefault(number, action)
        self.memory.words[word - BASE + 3] = number

    # -- random games ------------------------------------------------------------------------------------------------------

    def play(self, games: int, seed: int, progress: Callable[[str], None] = lambda _: None) -> Results:
        """Plays random games.

        Raises:
            NotDecided: A game cannot be played to its end.
        """
        evaluator, seats = self.evaluator, self.ruleset.seats
        first = self.encoded(evaluator.start())
        points, winners = np.zeros((games, len(seats)), np.int64), np.zeros((games, len(seats)), np.bool_)
        decided = np.zeros((games, len(seats) + 1), np.int64)
        counts = np.zeros((len(seats) + 1, 1 << 14), np.int64)
        room = np.zeros((3, 1 << 15), np.int64)
        state, random = np.zeros(8, np.int64), np.zeros(1, np.uint64)
        state[playing.WEIGHTED] = self.ruleset.weight_program is not None
        more: Counter[tuple[str, str]] = Counter()
        handed = 0
        while state[playing.GAME] < games:
            state[playing.GAMES] = min(games, (int(state[playing.GAME]) // _TOGETHER + 1) * _TOGETHER)
            reason = playing.play(
                self.memory.words,
                self.memory.texts,
                self._relations,
                self._keys,
                self._addresses,
                state,
                random,
                np.uint64(seed),
                self._roles,
                first,
                self._heads(),
                points,
                winners,
                decided,
                counts,
                room,
            )
            if reason == playing.PROGRAM:
                self.need(*map(int, state[playing.NEED : playing.SECOND + 1]))
            elif reason == playing.KIND:
                self._kind(int(state[playing.NEED]))
            elif reason == playing.RELATION:
                self._relation(self.memory.name(int(state[playing.NEED])))
            elif reason == playing.HAND:
                handed += self._hand(seed, state, random, points, winners, decided, more)
            progress(f"random games: {state[playing.GAME]}/{games}")
        for role, shape in zip(*np.nonzero(counts), strict=True):
            name, arity = self.memory.name(int(shape))
            more[self.ruleset.roles[role], f"{name}/{arity}"] += int(counts[role, shape])
        return Results(evaluator, seed, points, winners, decided, dict(sorted(more.items())), handed)

    def _hand(
        self, seed: int, state: Any, random: Any, points: Any, winners: Any, decided: Any, actions: Counter[tuple[str, str]]
    ) -> int:
        """Lets the engine for one position do what comes next; how many decisions that were."""
        evaluator, roles = self.evaluator, self.ruleset.roles
        game = int(state[playing.GAME])
        which = f"game {game} of seed {seed}"
        position = Position(evaluator, evaluator.settle(self.position()))
        stream = Stream.at(int(random[0]))
        made = 0
        while True:
            if position.decisions:
                if state[playing.MOMENTS] >= LONGEST:
                    raise NotDecided(f"{which} has not ended after {LONGEST} moments of decision")
                try:
                    taken = chosen(position, stream)
                except NotDecided as error:
                    raise NotDecided(f"{which}: {error}") from None
                state[playing.MOMENTS] += 1
                made += len(taken)
                for role, action in taken.items():
                    actions[role, named(action)] += 1
                    decided[game, roles.index(role)] += 1
                position = position.successor(evaluator.judge(position.symbols, taken))
            random[0] = stream.state
            if not position.decisions:
                last = ending(position, {}, which)
                points[game], winners[game] = last.points, last.winners
                state[playing.GAME] += 1
                state[playing.PHASE] = playing.START
                return made
            try:
                rows = self.encoded(position.symbols)
            except (Full, Large):
                continue
            playing.begin(self.memory.words, rows, self._heads())
            state[playing.PHASE] = playing.DECIDE
            return made


def _unpacked(packed: int) -> list[int]:
    """The kinds of a number that :func:`.playing.play` has put together."""
    found = []
    while packed:
        found.append(packed & ((1 << 14) - 1))
        packed >>= 14
    return found


