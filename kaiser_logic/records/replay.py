"""A record carried out item by item: where it leads, and what is wrong with it on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal, TypeAlias

import clingo

from ..engine import symbols
from ..engine.grounding import Undecided
from ..errors import KaiserLogicError, WrongUsage
from ..evaluation.explanation import explain
from ..evaluation.verdict import InvalidPosition, Judgement, Violation
from ..game import game_under
from ..notation.record import Assertion, Item, Move, PositionBlock, Record
from ..notation.terms import Term, has_unknown
from ..position import Position
from .fault import Fault, objection
from .tags import game_of

OnIllegal: TypeAlias = Literal["stop", "skip", "force"]
"""After an illegal move: stop, leave it out, or carry it out as far as that has a meaning."""

MAX_FAULTS: Final = 1000
"""How many faults are enough."""

_NOTHING: Final = Judgement((), (), ())


class FaultyRecord(KaiserLogicError):
    """A record that does not lead as far as asked for: ``faults`` says why, ``moves`` how far it leads."""

    def __init__(self, faults: Sequence[Fault], moves: int = 0) -> None:
        """``faults``: at least one; ``moves``: those before the first fault."""
        self.faults = tuple(faults)
        self.moves = moves
        super().__init__("\n".join(map(str, faults)))


class Replay:
    """A record on its way.

    Attributes:
        record: The record.
        game: Its game; a position block can change the seats.
        position: The position before the decisions that are being made; None while there is none, because the
            record starts from a position that has not been read or is invalid.
        pending: Of decisions at the same time those already made.
        moves: How many moves have been read.
        judged: How many of them have been judged.
        faults: What was wrong so far.
        stopped: Whether something was so wrong that there is no going on.
    """

    def __init__(self, record: Record, on_illegal: OnIllegal = "stop") -> None:
        """Reads the tags; UnreadableInput where there is no such game or board."""
        self.record = record
        self.on_illegal = on_illegal
        self.game, faults = game_of(record)
        starts = bool(record.items) and isinstance(record.items[0], PositionBlock)
        self.position: Position | None = None if starts else self.game.initial()
        self.pending: dict[str, clingo.Symbol] = {}
        self.moves = 0
        self.judged = 0
        self.faults: list[Fault] = faults
        self.stopped = bool(faults) and on_illegal == "stop"
        self._next = 0
        self._forced: dict[str, list[int]] = {}

    @classmethod
    def at(cls, record: Record, moves: int | None = None) -> Replay:
        """The record after so many moves and what stands before the next one; by default all of it.

        Raises:
            WrongUsage: The record has fewer moves.
            FaultyRecord: An earlier move is illegal, or a tag or position wrong.
        """
        if moves is not None and moves > len(record.moves):
            raise WrongUsage(f"{record.path or 'the record'} has {len(record.moves)} moves, not {moves}")
        replay = cls(record)
        replay.run(moves)
        if replay.stopped:
            faults = [fault for fault in replay.faults if fault.rule != "record.assert"]
            raise FaultyRecord(faults, replay.moves - (faults[-1].role is not None))
        return replay

    def run(self, moves: int | None = None) -> None:
        """Goes on to the move after the first ``moves`` ones, or to the end."""
        for item in self.record.items[self._next :]:
            if self.stopped or (isinstance(item, Move) and self.moves == moves):
                return
            self._next += 1
            self._step(item)
            if len(self.faults) >= MAX_FAULTS and not self.stopped:
                self.stopped = True
                self._note([len(self.faults) - 1], "too many faults: nothing after this is checked")

    def here(self) -> Position:
        """The position; an error where there is none."""
        if self.position is None:
            raise FaultyRecord(self.faults)
        return self.position

    def legal(self) -> dict[str, tuple[str, ...]]:
        """The legal actions of all who have not decided yet."""
        return {role: found for role, found in self.here().legal().items() if role not in self.pending}

    def judge(self, role: str, action: Term | None) -> tuple[list[Violation], Judgement]:
        """Every rule that the action (None: left open) breaks here, explained, and what it would change."""
        position = self.here()
        if action is None or has_unknown(action):
            return [objection("record.unknown", "the action is left open")], _NOTHING
        if role not in position.ruleset.roles:
            message = f"{role} takes no part in this game: {', '.join(position.ruleset.seats)}"
            return [objection("record.role", message)], _NOTHING
        if not position.decisions:
            return [objection("record.over", "the game is over")], _NOTHING
        if role in self.pending:
            message = f"{role} has already decided: {symbols.text(self.pending[role])}"
            return [objection("record.decided", message)], _NOTHING
        judged = {role: symbols.symbol(action)}
        judgement = position.evaluator.judge(position.symbols, judged)
        if judgement.violations:
            return _explained(position, judged, judgement), judgement
        if role not in position.decisions:
            doc = position.ruleset.book.doc("decision.none")
            message = (doc.why or "").format(R=role)
            return [Violation(doc.id, message, (), dict(doc.sources), (), doc.statement)], judgement
        return [], judgement

    # -- items -------------------------------------------------------------------------------------

    def _step(self, item: Item) -> None:
        match item:
            case Move():
                self.moves += 1
                self._move(item)
            case Assertion():
                self.faults += self._failing(item)
            case PositionBlock():
                self._block(item)

    def _move(self, move: Move) -> None:
        self.judged += 1
        violations, judgement = self.judge(move.role, move.action)
        if violations:
            self._illegal(move, violations, judgement)
            return
        assert move.action is not None
        self._take(move, symbols.symbol(move.action), judgement)

    def _take(self, move: Move, action: clingo.Symbol, judgement: Judgement) -> None:
        """Adopts a legal action, and goes to the next position when all have decided."""
        position = self.here()
        pending = {**self.pending, move.role: action}
        if len(pending) < len(position.decisions):
            self.pending = pending
        elif self._forced:
            self._force_all(position, pending)
        else:
            if len(pending) > 1:
                judgement = position.evaluator.judge(position.symbols, pending)
                if judgement.violations:  # only together
                    self._illegal(move, _explained(position, pending, judgement), _NOTHING)
                    return
            self._go(position.successor(judgement))

    def _go(self, position: Position) -> None:
        self.position = position
        self.game = game_under(position.ruleset.configuration)
        self.pending = {}
        self._forced = {}

    def _illegal(self, move: Move, violations: list[Violation], judgement: Judgement) -> None:
        """Notes the faults, then stops, leaves the move out or carries it out."""
        start = len(self.faults)
        self.faults += (Fault.at(self.record.path, move, v) for v in violations)
        if self.on_illegal == "stop":
            self.stopped = True
        elif self.on_illegal == "force":
            self._force(move, judgement, list(range(start, len(self.faults))))

    def _failing(self, assertion: Assertion) -> Iterator[Fault]:
        """The literals of an assertion that are not so."""
        position = self.here()
        for literal in assertion.literals:
            term = literal.fact
            fact = symbols.symbol(term)
            facts: tuple[str, ...] = ()
            absent: tuple[str, ...] = ()
            if has_unknown(term):
                message = f"{term} leaves something open"
            elif (term.name, len(term.args)) not in position.ruleset.book.fluents:
                message = f"{term}: no such fact exists in this game"
            elif literal.positive and fact not in position.symbols:
                facts, absent = tuple(sorted(_akin(position, fact))), (str(term),)
                message = f"{term} does not hold" + (f", but {' and '.join(facts)}" if facts else "")
            elif not literal.positive and fact in position.symbols:
                message, facts = f"{term} holds", (str(term),)
            else:
                continue
            found = objection("record.assert", message, facts, absent)
            yield Fault.at(self.record.path, literal, found)

    def _block(self, block: PositionBlock) -> None:
        """Adopts a position; decisions that are being made are dropped with the position they belong to."""
        found = list(self._wrong(block))
        if not found:
            try:
                self._go(self.game.position_of(block.terms))
            except InvalidPosition as error:
                places = {str(fact.term): fact for fact in block.facts}
                for broken in error.broken:
                    message = f"{broken.invariant}: {broken.message} ({broken.witness})"
                    violation = objection("record.position", message, (broken.witness,))
                    found.append(Fault.at(self.record.path, places.get(broken.witness, block), violation))
        self.faults += found
        self.stopped = self.stopped or bool(found and (self.on_illegal == "stop" or self.position is None))

    def _wrong(self, block: PositionBlock) -> Iterator[Fault]:
        """The facts of a position that are none."""
        for fact in block.facts:
            if has_unknown(fact.term):
                message = f"{fact.term} leaves something open"
                yield Fault.at(
                    self.record.path, fact, objection("record.position", message, (str(fact.term),))
                )

    # -- carrying out what is illegal -----------------------------------------------------------------

    def _force(self, move: Move, judgement: Judgement, faults: list[int]) -> None:
        """Carries an illegal move out, if that leads to a position; the faults get a note if not."""
        position = self.here()
        alone = len(position.decisions) == 1
        if move.action is None or not (judgement.added or judgement.deleted):
            self._note(faults, "left out: it would change nothing")
        elif alone:
            note = self._attempt(lambda: judgement)
            self._note(faults, note)
        elif move.role in position.decisions:
            self._forced[move.role] = faults
            pending = {**self.pending, move.role: symbols.symbol(move.action)}
            if len(pending) < len(position.decisions):
                self.pending = pending
            else:
                self._force_all(position, pending)
        else:
            self._note(faults, "left out: others are deciding at the same time")

    def _force_all(self, position: Position, pending: Mapping[str, clingo.Symbol]) -> None:
        """Carries out decisions at the same time, some illegal; leaves those out if nothing else helps."""
        forced = self._forced
        note = self._attempt(lambda: position.evaluator.judge(position.symbols, pending))
        if note:
            for faults in forced.values():
                self._note(faults, note)
            self.pending = {role: action for role, action in pending.items() if role not in forced}
            self._forced = {}

    def _attempt(self, judge: Callable[[], Judgement]) -> str:
        """Goes to the position that a judgement leads to; if there is none, says so."""
        position = self.here()
        try:
            judgement = judge()
            following = position.successor(judgement)
            broken = following.broken()
        except (Undecided, RuntimeError, OverflowError):
            return "left out: where it leads cannot be said"
        if broken:
            return (
                f"left out: it leads to no position: {', '.join(dict.fromkeys(b.invariant for b in broken))}"
            )
        self._go(following)
        return ""

    def _note(self, faults: list[int], note: str) -> None:
        for index in faults:
            self.faults[index] = replace(self.faults[index], note=note)


def _explained(
    position: Position, judged: Mapping[str, clingo.Symbol], judgement: Judgement
) -> list[Violation]:
    found = explain(position.ruleset, position.symbols, judged, judgement.violations)
    return [violation for pairs in found.values() for _, violation in pairs]


def _akin(position: Position, fact: clingo.Symbol) -> list[str]:
    """The facts that differ from one in the last argument only: the count that holds instead."""
    if not fact.arguments:
        return []
    name, known = fact.name, fact.arguments[:-1]
    return [
        symbols.text(s)
        for s in position.symbols
        if s.name == name and len(s.arguments) == len(known) + 1 and s.arguments[:-1] == known
    ]
