"""Replays a record item by item, and finds its faults and the position that it leads to."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from .. import clingo
from ..engine import symbols
from ..engine.grounding import Undecided
from ..engine.ruleset import action_of, no_such_role
from ..errors import KaiserLogicError, WrongUsage
from ..evaluation.verdict import InvalidPosition, Judgement, Violation, violation_of
from ..game import game_under
from ..notation.record import Assertion, Item, Move, PositionBlock, Record, letters
from ..notation.terms import Term, has_unknown
from ..position import Position
from .fault import Fault, Place, objection
from .tags import game_of

# -- policies ------------------------------------------------------------------------------------------------
#
# After an illegal move the replay stops, leaves the move out, or carries it out if possible.


OnIllegal: TypeAlias = Literal["stop", "skip", "force"]
"""The policies by name."""


class ReplayOutcome(NamedTuple):
    """The treatment of an illegal move, or of simultaneous decisions that include an illegal one.

    Attributes:
        leads_to: The position after the move; None if the move is left out.
        note: The reason why the move is left out, unless it is obvious.
        waits: Whether the treatment waits until all roles of a simultaneous decision have decided.
    """

    leads_to: Position | None = None
    note: str = ""
    waits: bool = False


_NO_ANSWER: Final = (Undecided, RuntimeError, OverflowError)
"""The errors of the engine for positions for which the rules are not written."""
_NO_OUTCOME: Final = ReplayOutcome(note="left out: its effects are unknown")


def look_over_policy(name: str) -> None:
    """Looks whether there is a policy of this name; WrongUsage if there is none."""
    if name not in get_args(OnIllegal):
        raise WrongUsage(f"on_illegal is one of {', '.join(get_args(OnIllegal))}, not {name!r}")


def _outcome_of_illegal(policy: OnIllegal, position: Position, move: Move, judgement: Judgement) -> ReplayOutcome:
    """The treatment of an illegal move: it is left out, unless the policy is ``force``.

    Then it is carried out if that leads to a valid position, waits for simultaneous decisions, or is left out with a note.

    Args:
        policy: The policy.
        position: The position in which it was made.
        move: The move.
        judgement: Its violations and effects.
    """
    if policy != "force":
        return ReplayOutcome()
    if move.action is None or not (judgement.added or judgement.deleted):
        return ReplayOutcome(note="left out: it would change nothing")
    if len(position.decisions) == 1:
        return _carried_out(position, judgement)
    if move.role in position.decisions:
        return ReplayOutcome(waits=True)
    return ReplayOutcome(note="left out: others are deciding at the same time")


def _joint_outcome(position: Position, actions: Mapping[str, clingo.Symbol]) -> ReplayOutcome:
    """Simultaneous decisions that include an illegal one: all are carried out, or the illegal ones are left out with a note."""
    try:
        judgement = position.evaluator.judge(position.symbols, actions)
    except _NO_ANSWER:
        return _NO_OUTCOME
    return _carried_out(position, judgement)


def _carried_out(position: Position, judgement: Judgement) -> ReplayOutcome:
    """The position after a judgement, if it is valid."""
    try:
        following = position.successor(judgement)
        broken = following.broken_invariants()
    except _NO_ANSWER:
        return _NO_OUTCOME
    if broken:
        invariants = ", ".join(dict.fromkeys(b.invariant for b in broken))
        return ReplayOutcome(note=f"left out: it leads to an invalid position: {invariants}")
    return ReplayOutcome(following)


MAX_FAULTS: Final = 1000
"""The largest number of faults. After that many the replay stops."""

TOO_MANY: Final = "too many faults: nothing after this is checked"
"""The note at the last fault if there are too many."""

_NOTHING: Final = Judgement((), (), ())
_Finding: TypeAlias = tuple[Place, Violation]
"""A place and a violation. They become a fault when the treatment is known."""


class FaultyRecord(KaiserLogicError):
    """A record that cannot be replayed to the wanted place.

    Attributes:
        faults: The reasons, at least one.
        moves: The number of moves before the first fault.
    """

    def __init__(self, faults: Sequence[Fault], moves: int = 0) -> None:
        """``faults``: at least one fault; ``moves``: the number of moves before the first one."""
        self.faults = tuple(faults)
        self.moves = moves
        super().__init__("\n".join(map(str, faults)))

    def __reduce__(self) -> tuple[object, tuple[object, int]]:
        return FaultyRecord, (self.faults, self.moves)


class Replay:
    """A record that is being replayed.

    Attributes:
        record: The record.
        policy: The treatment of illegal moves: with ``stop`` the replay ends at the first fault.
        game: The game; a position block at the start says its seats.
        position: The position before the current decisions. None if the record starts from a position that has not been read
            yet or is invalid.
        pending: The actions that have already been chosen in a simultaneous decision, role to action.
        moves: The number of moves read.
        judged: The number of moves judged.
        stopped: Whether a fault has ended the replay.

    >>> from kaiser_logic.notation.reading import parse_record
    >>> text = '[Game "kaiser"] [Seats "red green blue"] red: empire_city(koeln) green: pass'
    >>> replay = Replay(parse_record(text))
    >>> replay.run(1)  # up to the second move
    >>> replay.position
    <Position of kaiser, 27 facts, green: setup_elector>
    >>> replay.run()  # to the end, or to the first fault
    >>> replay.stopped, [fault.rule for fault in replay.faults]
    (True, ['actions.turn'])
    """

    def __init__(self, record: Record, on_illegal: OnIllegal = "stop") -> None:
        """Reads the tags; UnreadableInput if the game does not exist or the board file is wrong."""
        self.record = record
        self.on_illegal: OnIllegal = on_illegal
        look_over_policy(on_illegal)
        self.policy = on_illegal
        self.game, wrong_tags = game_of(record)
        starts = bool(record.items) and isinstance(record.items[0], PositionBlock)
        self.position: Position | None = None if starts else self.game.initial()
        self.pending: dict[str, clingo.Symbol] = {}
        self.moves = 0
        self.judged = 0
        self.stopped = bool(wrong_tags) and (self.policy == "stop" or len(wrong_tags) > MAX_FAULTS)
        if len(wrong_tags) > MAX_FAULTS:
            wrong_tags[MAX_FAULTS - 1 :] = [replace(wrong_tags[MAX_FAULTS - 1], note=TOO_MANY)]
        self._faults = [(-1, fault) for fault in wrong_tags]
        self._next = 0
        self._waiting: dict[str, tuple[int, int, list[_Finding]]] = {}
        self._judges_variations = False
        self._start = self.position
        self._courses: list[list[str]] = [[]]

    @classmethod
    def at(cls, record: Record, moves: int | None = None) -> Replay:
        """A replay after the first ``moves`` moves and the other items before the next move; by default at the end.

        Raises:
            WrongUsage: The record has fewer moves.
            FaultyRecord: An earlier move is illegal, or a tag or position is wrong.
        """
        if moves is not None and moves > len(record.moves):
            raise WrongUsage(f"{record.path or 'the record'} has {len(record.moves)} moves, not {moves}")
        replay = cls(record)
        replay.run(moves)
        if replay.stopped:
            faults = [
                f for f in replay.faults if f.rule != "record.assert"
            ] or replay.faults  # too many failed assertions have ended the replay
            raise FaultyRecord(faults, replay.moves - (faults[-1].role is not None))
        return replay

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults so far, in the order of the record.

        An illegal move in a simultaneous decision is missing until its treatment is known.
        """
        return tuple(fault for _, fault in sorted(self._faults, key=itemgetter(0)))

    def run(self, moves: int | None = None) -> None:
        """Continues up to the move after the first ``moves`` moves; by default to the end."""
        for item in self.record.items[self._next :]:
            if self.stopped or (isinstance(item, Move) and self.moves == moves):
                break
            forks = self.variations() if self._judges_variations else []
            before = self.position
            self._step(item)
            self._note(item, decided=self.position is not before or not self.pending)
            for fork in forks:
                self._judge_variation(fork)
            self._next += 1
        if self.stopped or self._next == len(self.record.items):
            self._settle_waiting()

    def run_all(self) -> None:
        """Continues to the end, and judges the variations before it."""
        self._judges_variations = True
        self.run()

    def fork(self, items: Iterable[Item], name: str) -> Replay:
        """A replay that goes on from here with other items.

        Args:
            items: The items, such as those of a variation of the next move.
            name: Their name, such as ``12a``.
        """
        fork = copy.copy(self)
        line = (*self.record.items[: self._next], *items)
        fork.record = replace(self.record, items=line, branches=(*self.record.branches, (self.moves, name)))
        fork.pending = dict(self.pending)
        fork._faults = []
        fork._courses = [[]]
        fork._waiting = {role: (item, moves, []) for role, (item, moves, _) in self._waiting.items()}
        fork.judged = 0
        return fork

    def variations(self) -> list[Replay]:
        """A replay of each variation of the next move, which has not been read yet."""
        move = self.record.items[self._next] if self._next < len(self.record.items) else None
        if not isinstance(move, Move) or not move.variations:
            return []
        start, name = self.record.branches[-1] if self.record.branches else (0, "")
        here = f"{name}.{self.moves - start}" if name else str(self.moves)
        return [self.fork(one.items, f"{here}{letters(n)}") for n, one in enumerate(move.variations)]

    def here(self) -> Position:
        """The position; FaultyRecord if there is none."""
        if self.position is None:
            raise FaultyRecord(self.faults)
        return self.position

    def legal(self) -> dict[str, tuple[str, ...]]:
        """The legal actions of the roles that have not decided yet."""
        return {role: actions for role, actions in self.here().legal().items() if role not in self.pending}

    def judge(self, role: str, action: Term | None) -> tuple[list[Violation], Judgement]:
        """The violations of an action in the current position, explained, and its judgement.

        An action of a simultaneous decision is judged together with those before it, as what is illegal then stays so.

        Args:
            role: The role that acts.
            action: The action; None if it is unknown.
        """
        position = self.here()
        if action is None or has_unknown(action):
            return [objection("record.unknown", "the action is unknown ('?')")], _NOTHING
        if role not in position.ruleset.roles:
            return [objection("record.role", no_such_role(position.ruleset, role))], _NOTHING
        if not position.decisions:
            return [objection("record.over", "the game is over")], _NOTHING
        if role in self.pending:
            message = f"{role} has already decided: {symbols.text(self.pending[role])}"
            return [objection("record.decided", message)], _NOTHING
        judged = {role: action_of(position.ruleset, action)}
        judgement = position.evaluator.judge(position.symbols, judged)
        if judgement.violations:
            return self._explain(position, judged, judgement), judgement
        if role not in position.decisions:
            why = position.ruleset.book.doc("decision.none").why or ""
            return [violation_of(position.ruleset, "decision.none", why.format(R=role))], judgement
        together = {**self.pending, **judged}
        whole = len(together) == len(position.decisions)
        if self.pending and not self._waiting and (whole or not position.ruleset.collecting):
            judgement = position.evaluator.judge(position.symbols, together)
            if judgement.violations:  # the actions are illegal only together
                return self._explain(position, together, judgement), judgement
        return [], judgement

    def _note(self, item: Item, decided: bool = True) -> None:
        """Notes an item for the course of play; moves of one simultaneous decision have no order."""
        if isinstance(item, Move):
            self._courses[-1].append(f"{item.role}: {'?' if item.action is None else item.action}")
        elif isinstance(item, PositionBlock):
            self._courses += [sorted(map(str, item.terms)), []]
        if decided and self._courses[-1]:
            self._courses[-1].sort()
            self._courses.append([])

    def course(self) -> str:
        """A key of the course of play: of the game, the position at its start, and its moves; empty if there are no moves.

        Records that differ only in other tags, in comments, variations and assertions, or in the order of simultaneous decisions
        have the same key.
        """
        if not self.record.moves:
            return ""
        import hashlib

        start = sorted(self._start.facts) if self._start is not None else []
        for item in self.record.items[self._next :]:  # those behind the fault that has ended the replay
            self._note(item)
        parts = [self.game.id, *start, *(";".join(part) for part in self._courses)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def _judge_variation(self, fork: Replay) -> None:
        """Judges a variation. Its faults do not end the replay of the record, unless there are too many."""
        fork.run()
        faults = fork.faults[: max(0, MAX_FAULTS - len(self._faults))]
        self._faults += ((self._next, fault) for fault in faults)
        if len(self._faults) >= MAX_FAULTS and faults and not self.stopped:
            self.stopped = True
            self._faults[-1] = self._next, replace(faults[-1], note=TOO_MANY)

    # -- items -------------------------------------------------------------------------------------

    def _step(self, item: Item) -> None:
        match item:
            case Move():
                self.moves += 1
                self._move(item)
            case Assertion():
                self._report(list(self._failing(item)))
            case PositionBlock():
                self._block(item)

    def _report(
        self, findings: Sequence[_Finding], note: str = "", item: int | None = None, moves: int | None = None
    ) -> None:
        """Converts findings to faults.

        Args:
            findings: The findings of one item.
            note: A note for each fault.
            item: The index of the item; by default that of the current one.
            moves: The number of moves before the item; by default the number of moves read.
        """
        number = self._next if item is None else item
        before = self.moves if moves is None else moves
        here = self.record.place(before)
        notes = [note] * len(findings)
        if len(self._faults) + len(findings) >= MAX_FAULTS and findings and not self.stopped:
            self.stopped = True
            notes[-1] = TOO_MANY
        self._faults += (
            (number, Fault.at(self.record.path, part, violation, note, before, here, self.record.number))
            for (part, violation), note in zip(findings, notes, strict=True)
        )

    def _settle_waiting(self, note: str = "") -> None:
        """Reports the illegal moves of a simultaneous decision that have waited for the other moves."""
        waiting, self._waiting = self._waiting, {}
        for item, moves, findings in waiting.values():
            self._report(findings, note, item, moves)

    def _explain(
        self, position: Position, judged: Mapping[str, clingo.Symbol], judgement: Judgement
    ) -> list[Violation]:
        """The violations of a judgement, with their reasons."""
        from ..evaluation.explanation import explain

        violations: list[Violation] = []
        for pairs in explain(position.ruleset, position.symbols, judged, judgement.violations).values():
            # two roles may break one rule together, with one violation
            violations += [violation for _, violation in pairs if violation not in violations]
        return violations

    def _move(self, move: Move) -> None:
        self.judged += 1
        violations, judgement = self.judge(move.role, move.action)
        if violations:
            self._illegal(move, violations, judgement)
            return
        assert move.action is not None
        self._take(move, action_of(self.here().ruleset, move.action), judgement)

    def _take(self, move: Move, action: clingo.Symbol, judgement: Judgement) -> None:
        """Adopts a legal action. When all roles have decided, the replay goes to the next position."""
        position = self.here()
        pending = {**self.pending, move.role: action}
        if len(pending) < len(position.decisions):
            self.pending = pending
        elif self._waiting:
            self._take_together(position, pending)
        else:
            self._go(position.successor(judgement))

    def _illegal(self, move: Move, violations: Sequence[Violation], judgement: Judgement) -> None:
        """Treats an illegal move according to the policy."""
        findings: list[_Finding] = [(move, violation) for violation in violations]
        position = self.here()
        outcome = _outcome_of_illegal(self.policy, position, move, judgement)
        self.stopped = self.stopped or self.policy == "stop"
        if outcome.waits:
            assert move.action is not None
            self._waiting[move.role] = self._next, self.moves - 1, findings
            pending = {**self.pending, move.role: action_of(position.ruleset, move.action)}
            if len(pending) < len(position.decisions):
                self.pending = pending
            else:
                self._take_together(position, pending)
            return
        self._report(findings, outcome.note, moves=self.moves - 1)
        if outcome.leads_to is not None:
            self._go(outcome.leads_to)

    def _take_together(self, position: Position, pending: Mapping[str, clingo.Symbol]) -> None:
        """Adopts a complete simultaneous decision with illegal moves, or only its legal moves if that is impossible."""
        outcome = _joint_outcome(position, pending)
        legal = {role: action for role, action in pending.items() if role not in self._waiting}
        self._settle_waiting(outcome.note)
        if outcome.leads_to is not None:
            self._go(outcome.leads_to)
        else:
            self.pending = legal

    def _go(self, position: Position) -> None:
        self._settle_waiting()
        if self.position is None:
            self.game = game_under(position.ruleset.configuration)
        self.position = position
        self.pending = {}

    def _failing(self, assertion: Assertion) -> Iterator[_Finding]:
        """The literals of an assertion that are wrong, with violations."""
        position = self.here()
        for literal in assertion.literals:
            term = literal.fact
            fact = symbols.symbol(term)
            facts: tuple[str, ...] = ()
            absent: tuple[str, ...] = ()
            if has_unknown(term):
                message = f"{term} contains a '?'"
            elif (term.name, len(term.args)) not in position.ruleset.book.fluents:
                message = f"{term}: no such fact exists in this game"
            elif literal.positive and fact not in position.symbols:
                facts, absent = tuple(sorted(_other_values(position, fact))), (str(term),)
                message = f"{term} does not hold" + (f", but {' and '.join(facts)}" if facts else "")
            elif not literal.positive and fact in position.symbols:
                message, facts = f"{term} holds", (str(term),)
            else:
                continue
            yield literal, objection("record.assert", message, facts, absent)

    def _block(self, block: PositionBlock) -> None:
        """Adopts a position block. Pending actions of the position before it are dropped."""
        problems = list(_open_facts(block))
        if not problems:
            try:
                self._go(self.game.position_of(block.terms, seated=self.position is not None))
            except InvalidPosition as error:
                places = {str(fact.term): fact for fact in block.facts}
                for broken in error.broken:
                    violation = objection("record.position", str(broken), (broken.witness,))
                    problems.append((places.get(broken.witness, block), violation))
        self.stopped = self.stopped or bool(problems and (self.policy == "stop" or self.position is None))
        self._report(problems)


def _open_facts(block: PositionBlock) -> Iterator[_Finding]:
    """The facts of a position block that contain unknown parts."""
    for fact in block.facts:
        if has_unknown(fact.term):
            message = f"{fact.term} contains a '?'"
            yield fact, objection("record.position", message, (str(fact.term),))


def _other_values(position: Position, fact: clingo.Symbol) -> list[str]:
    """The facts of a position that differ from a given one only in the last argument, such as a number."""
    if not fact.arguments:
        return []
    name, known = fact.name, fact.arguments[:-1]
    return [
        symbols.text(s)
        for s in position.symbols
        if s.name == name and len(s.arguments) == len(known) + 1 and s.arguments[:-1] == known
    ]
