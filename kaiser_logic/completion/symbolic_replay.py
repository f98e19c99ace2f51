"""Replays a segment of a record symbolically, over known and unknown moves and assertions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NoReturn, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import action_of
from ..engine.sets import most_named
from ..engine.symbols import term_of
from ..lang import terms as lang
from ..lang.unification import unify
from ..notation.record import Assertion, Item, Move, PositionBlock, Tag
from ..notation.terms import UNKNOWN, Term, has_unknown
from ..position import Position
from ..records.fault import Place
from ..rules.predicates import DECISION
from ..unrolling.circuit import FALSE, TRUE, Circuit, Literal
from ..unrolling.symbolic_state import (
    Open,
    SymbolicState,
    UnknownSet,
    fitting,
    naming_decisions,
    written_out,
)

# -- segment -------------------------------------------------------------------------------------------------
#
# A segment of a record: the items between two known positions.


Progress: TypeAlias = Callable[[str], None]
"""A function that is called from time to time with a message."""
NO_FILLING: Final = "complete.none"
"""The id of the rule that a record breaks if its gaps cannot be filled."""
MOVE: Final = "this cannot be legal here, however the gaps before are filled"
ASSERTION: Final = "this cannot hold here, however the gaps are filled"
POSITION: Final = "this position cannot be reached, however the gaps are filled"
RESULT: Final = "this result is impossible, however the gaps are filled"
"""The messages for items that are wrong for all fillings."""


@dataclass(frozen=True)
class Segment:
    """A part of a record: from a position, over moves and assertions, to the next position or the end.

    Attributes:
        start: The position at its start.
        items: Its moves, some of which are unknown, and assertions.
        end: The position block at its end, if there is one.
        result: The winners that the record names: None without a result, empty for an unfinished game.
        tag: The tag that names them.
        drawn: Whether the record says that the game is over and nobody has won.
        following: The next move of the record, if the segment is an initial part.
        path: The record's file.
        before: The number of moves of the record before the segment.
    """

    start: Position
    items: tuple[Move | Assertion, ...]
    end: PositionBlock | None = None
    result: tuple[str, ...] | None = None
    path: str | None = None
    before: int = 0
    drawn: bool = False
    following: Move | None = None
    tag: Tag | None = None


class DeadEnd(Exception):
    """A branch that cannot be continued.

    Attributes:
        place: The place where that was noticed; None for the end of the record.
        step: The number of items read. They may include the item at ``place`` or not, so the numbers of different branches
            cannot be compared.
        rule: The id of the broken rule.
    """

    def __init__(self, place: Place | None, step: int, message: str, rule: str = NO_FILLING) -> None:
        """The text is ``message``; see the class for the other arguments."""
        super().__init__(message)
        self.place = place
        self.step = step
        self.rule = rule


# -- branches ------------------------------------------------------------------------------------------------
#
# The branches that a replay takes if a record does not determine one, and the branches that are left for other replays.


@dataclass(frozen=True)
class _Fork:
    """A fork of a replay: the branch taken, the number of branches, and whether the others read the record in another way."""

    taken: int
    count: int
    rereads: bool


class Branches:
    """The branches of one replay. At the first forks the branches are prescribed, at others the first branch is taken."""

    def __init__(self, prescribed: tuple[int, ...]) -> None:
        """``prescribed``: the branches to take at the first forks."""
        self._prescribed = prescribed
        self._forks: list[_Fork] = []

    def take(self, count: int, rereads: bool = False) -> int:
        """Chooses one of several branches; ``rereads``: the later ones read the record in another way than the usual one."""
        depth = len(self._forks)
        taken = self._prescribed[depth] if depth < len(self._prescribed) else 0
        self._forks.append(_Fork(taken, count, rereads))
        return taken

    def other_branches(self, rereads: bool) -> Iterator[tuple[int, ...]]:
        """The branches that the remaining replays must take.

        The other branches of prescribed forks belong to the replay that prescribed them.

        Args:
            rereads: Whether to return the branches that read the record in another way, or the rest.
        """
        for depth in range(len(self._prescribed), len(self._forks)):
            fork = self._forks[depth]
            if fork.rereads == rereads:
                head = tuple(before.taken for before in self._forks[:depth])
                yield from ((*head, other) for other in range(fork.taken + 1, fork.count))


# -- gap -----------------------------------------------------------------------------------------------------
#
# A move of a record that is to be filled in.


_OPEN: Final = symbols.symbol(UNKNOWN)
"""The symbol for an unknown part."""


@dataclass(frozen=True)
class UnknownMove:
    """A move that is to be filled in.

    Attributes:
        move: The move in the record.
        actions: The possible actions, each with the literal that it is taken. Exactly one of them is taken.
        sets: The sets that some of the actions name.
    """

    move: Move
    actions: Open
    sets: Sequence[UnknownSet]

    def move_in(self, model: Collection[Literal]) -> Move:
        """The move with the choices of a model."""
        action = symbols.term(next(a for a, literal in self.actions.items() if literal in model))
        parts = tuple(written_out(part, self.sets, model) for part in action.args)
        return replace(self.move, action=Term(action.name, parts))


def open_pattern(symbol: clingo.Symbol, place: str = "") -> lang.Term:
    """The pattern of an action: each unknown part becomes a different variable."""
    if symbol == _OPEN:
        return lang.Var(f"?{place}")
    args = symbol.arguments if symbol.type is clingo.SymbolType.Function else ()
    given = tuple(open_pattern(arg, f"{place}.{number}") for number, arg in enumerate(args))
    return lang.Fun(symbol.name, given) if given else term_of(symbol)


_CERTAIN: Final = 60_000
"""The work for finding rules that are broken for all fillings of the gaps before, in the unit of `Circuit.work`."""


class SymbolicReplay:
    """One replay of a segment with unknown moves.

    `run` processes the items in order, with a `SymbolicState` of all possible positions. Simultaneous moves are carried out
    together, including those that the record omits. An unknown move is a choice among all actions that may be legal and that
    match. Assertions, and the position or the result at the end, are required of the state. If no position is left, there is
    a `DeadEnd`. One replay covers all fillings of the gaps; `solutions` reads them from the models of the circuit.

    Sometimes a record does not determine which roles decide simultaneously, or whether an assertion is before or after missing
    moves. The order of the items depends on that, so a replay takes one of several branches. Other replays take the other
    branches, each from the start. A replay cannot go back, because requirements of a circuit cannot be withdrawn. Forks are
    rare, so that repeating the first items takes little time.

    In the usual reading, a move or an assertion that can belong to pending simultaneous decisions does. In another reading the
    missing decisions of the other roles come before it. A position block after some of the simultaneous decisions can be the
    position after all of them, or the position before them; then it drops them.

    Attributes:
        branches: The branches that the replay has taken.
        omissions: The number of simultaneous moves that the record omits in this branch.
        sizes: The numbers of the moves that were carried out together.
    """

    def __init__(
        self,
        segment: Segment,
        prescribed: tuple[int, ...],
        deadline: float,
        progress: Progress,
        may_omit: bool = True,
    ) -> None:
        """Prepares the replay.

        Args:
            segment: The segment.
            prescribed: The branches to take at the first forks.
            deadline: The time to stop, on the clock `time.monotonic` (seconds).
            progress: Called from time to time with a message.
            may_omit: Whether simultaneous moves may be missing.
        """
        self.branches = Branches(prescribed)
        self._may_omit = may_omit
        self.sizes: list[int] = []
        self._segment = segment
        self._items = segment.items
        self._ruleset = segment.start.ruleset
        self._progress = progress
        self._circuit = Circuit(deadline)
        self._state = SymbolicState(self._ruleset, segment.start.symbols, self._circuit)
        self._at = 0
        self._moves = segment.before
        self.omissions = 0
        self._gaps: list[Literal] = []
        self._out: list[Item | UnknownMove] = []
        self._stopped = False

    # -- items -----------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Processes all items.

        Raises:
            DeadEnd: The branch cannot be continued.
            NotDecided: The deadline has passed, or there are too many actions to list.
        """
        while self._at < len(self._items) and not self._stopped:
            item = self._items[self._at]
            if isinstance(item, Move):
                self._decide(item)
            else:
                self._assert(item)
        self._arrive()

    def _assert(self, assertion: Assertion) -> None:
        self._at += 1
        self._out.append(assertion)
        for literal in assertion.literals:
            if has_unknown(literal.fact):
                self._dead(literal, f"{literal.fact} contains a '?'", "record.assert")
            signature = literal.fact.name, len(literal.fact.args)
            if signature not in self._ruleset.book.fluents:
                self._dead(literal, f"{literal.fact}: no such fact exists in this game", "record.assert")
            holds = self._state.literal(symbols.symbol(literal.fact))
            self._demand(
                holds if literal.positive else -holds,
                literal,
                f"{literal.fact} {'cannot hold' if literal.positive else 'must hold'} here",
            )
        self._narrow(assertion, ASSERTION)

    def _arrive(self) -> None:
        """Requires the end of the segment."""
        end, result = self._segment.end, self._segment.result
        if end is not None:
            facts_at_end = {symbols.symbol(fact.term): fact for fact in end.facts}
            for symbol, fact in facts_at_end.items():
                self._demand(self._state.literal(symbol), fact, f"{fact.term} cannot hold here")
            for symbol, literal in self._state.facts.items():
                if symbol not in facts_at_end:
                    self._demand(-literal, end, f"{symbols.text(symbol)} holds here and is not listed")
            self._narrow(end, POSITION)
        elif result is not None and not self._stopped:
            over, winners = self._state.outcome()
            finished = bool(result) or self._segment.drawn
            if not finished:
                self._demand(-over, None, "the game is over here, but the record names no winner")
            else:
                won_by = f"{' and '.join(result)} cannot have won yet" if result else "it cannot be drawn yet"
                self._demand(over, None, f"the game is not over here, {won_by}")
            for role in result:
                if role not in self._ruleset.seats:
                    self._dead(None, f"{role} cannot have won: {role} does not play")
            for role in self._ruleset.seats if finished else ():
                won = winners.get(role, FALSE)
                if role in result:
                    self._demand(won, None, f"{role} has not won")
                else:
                    self._demand(-won, None, f"{role} has won too")
            self._narrow(None, RESULT)

    def _narrow(self, place: Place | None, message: str) -> None:
        """Finds facts that have become certain; DeadEnd with this message if no position is possible."""
        if not self._state.narrow():
            self._dead(place, message)

    def _demand(self, literal: Literal, place: Place | None, message: str) -> None:
        self._circuit.require(literal)
        if literal == FALSE:
            self._dead(place, message)

    def _dead(self, place: Place | None, message: str, rule: str = NO_FILLING) -> NoReturn:
        raise DeadEnd(place, self._at, message, rule)

    # -- decisions -------------------------------------------------------------------------------------------

    def _decide(self, first: Move) -> None:
        """Carries out the pending decisions, together if they are simultaneous."""
        deciders = self._deciders(first)
        given: dict[str, Move] = {}
        while len(given) < len(deciders):
            item = self._items[self._at] if self._at < len(self._items) else None
            if isinstance(item, Move) and self._is_next(item, deciders, given):
                given[item.role] = item
                self._out.append(item)
                self._at += 1
            elif isinstance(item, Assertion) and self._is_about_before(deciders, given):
                self._assert(item)
            elif item is None and self._may_end_early():
                break
            elif item is None and self._drops():
                facts = dict(self._state.facts)
                self._play(given)
                self._state.facts = facts
                return
            else:
                missing = sorted(deciders - given.keys(), key=self._ruleset.roles.index)
                if not self._may_omit:
                    message = f"{' and '.join(missing)} decided at the same time: no move is written"
                    self._dead(item or self._segment.end, message, "record.decided")
                self.omissions += len(missing)
                for role in missing:
                    given[role] = Move(role, None)
                    self._out.append(given[role])
        self._circuit.check_limits()
        self._progress(f"move {self._moves + len(given)}")
        self._play(given)
        self.sizes.append(len(given))

    def _may_end_early(self) -> bool:
        """Whether the record may end before the last simultaneous decisions are complete."""
        self._stopped = self._segment.end is None and not self._segment.result and not self._segment.drawn
        return self._stopped

    def _drops(self) -> bool:
        """Whether the position block at the end drops the simultaneous decisions made so far."""
        if self._segment.end is None:
            return False
        self._stopped = not self._may_omit or self.branches.take(2, rereads=True) == 1
        return self._stopped

    def _is_next(self, move: Move, deciders: frozenset[str], given: Mapping[str, Move]) -> bool:
        """Whether the next move of the record is one of the pending decisions in this branch."""
        if not self._belongs(move, deciders, given):
            return False
        return not (given and self._may_omit) or self.branches.take(2, rereads=True) == 0

    def _belongs(self, move: Move, deciders: frozenset[str], given: Mapping[str, Move]) -> bool:
        """Whether a move is one of the pending decisions."""
        if move.role not in deciders or move.role in given:
            return False
        if not given or move.action is None:
            return True
        action = open_pattern(action_of(self._ruleset, move.action))
        decisions = [
            term_of(f.arguments[1])
            for f in self._state.facts
            if symbols.signature(f) == DECISION and symbols.text(f.arguments[0]) == move.role
        ]
        return any(
            unify(kind.action, action, {}) is not None
            and any(unify(kind.decision, d, {}) is not None for d in decisions)
            for kind in self._ruleset.book.kinds
        )

    def _is_about_before(self, deciders: frozenset[str], given: Mapping[str, Move]) -> bool:
        """Whether the next assertion is about the position before the decisions."""
        moves = (item for item in self._items[self._at :] if isinstance(item, Move))
        following = next(moves, self._segment.following)
        usual = following is None or self._belongs(following, deciders, given)
        return self.branches.take(2, rereads=usual) == 0

    def _deciders(self, move: Move) -> frozenset[str]:
        """The role of a move and all roles that decide simultaneously."""
        decides = self._state.decisions()
        own = decides.pop(move.role, FALSE)
        if own == FALSE and move.action is not None and not has_unknown(move.action):
            self._out.append(move)
            self._play({move.role: move})  # raises DeadEnd with the rule that the move breaks
        self._demand(own, move, f"{move.role} has nothing to decide here")
        certain = {move.role, *(role for role, literal in decides.items() if literal == TRUE)}
        open = {role: literal for role, literal in decides.items() if literal != TRUE}
        if not open:
            return frozenset(certain)
        options: list[tuple[set[str], Literal]] = []  # roles, with the literal that exactly these decide
        while (model := self._circuit.solve(open.values(), [-exactly for _, exactly in options])) is not None:
            roles = {role for role, literal in open.items() if literal in model}
            exactly = self._circuit.conj([v if role in roles else -v for role, v in open.items()])
            options.append((roles, exactly))
            if exactly == TRUE:
                break
        if not options:
            self._dead(move, f"{move.role} has nothing to decide here, however the gaps before are filled")
        roles, exactly = options[self.branches.take(len(options))] if len(options) > 1 else options[0]
        self._circuit.require(exactly)
        return frozenset(certain | roles)

    # -- moves -----------------------------------------------------------------------------------------------

    def _play(self, given: Mapping[str, Move]) -> None:
        known: dict[str, clingo.Symbol] = {}
        open: dict[str, Open] = {}
        gaps = {r: m for r, m in given.items() if m.action is None or has_unknown(m.action)}
        sets = self._sets(gaps)
        all_sets = [one for several in sets.values() for one in several]
        legal = self._state.legal(all_sets) if gaps else {}
        for role, move in given.items():
            if role in gaps:
                open[role] = self._gap(move, legal.get(role, {}), sets.get(role, []))
            else:
                assert move.action is not None
                known[role] = action_of(self._ruleset, move.action)
                if self._ruleset.kind(known[role]) is None:
                    self._dead(move, self._ruleset.book.doc("action.unknown").why or "", "action.unknown")
        broken = self._state.play(known, open, sets=all_sets)
        self._circuit.narrow(broken.values(), _CERTAIN)
        broken = {breach: self._circuit.value(literal) for breach, literal in broken.items()}
        last = [*given.values()][-1]
        for role, move in given.items():  # in the order of the record
            certain = sorted(rule for (who, rule), v in broken.items() if who == role and v == TRUE)
            if certain:
                why = " ".join(self._ruleset.texts.statement(self._ruleset.book.doc(rule)) for rule in certain)
                self._dead(move, f"this is illegal however the gaps are filled. {why}", certain[0])
        for literal in broken.values():
            self._circuit.require(-literal)
        self._moves += len(given)
        if not self._stopped:
            self._state.settle()
        possible = f" (it would break {', '.join(sorted({rule for _, rule in broken}))})" if broken else ""
        self._narrow(last, f"{MOVE}{possible}")

    def _sets(self, gaps: Iterable[str]) -> dict[str, list[UnknownSet]]:
        """Unknown sets for each role whose action may name sets, as many as one action can name."""
        ruleset = self._ruleset.with_open_sets(terms=True)
        names, places = naming_decisions(self._ruleset.book), range(1, most_named(self._ruleset.book) + 1)
        decisions = [f.arguments for f in self._state.facts if symbols.signature(f) == DECISION]
        able = {symbols.text(role) for role, decision in decisions if decision.name in names}
        return {r: [UnknownSet(self._circuit, ruleset, r, k) for k in places] for r in gaps if r in able}

    def _gap(self, move: Move, legal: Open, sets: Sequence[UnknownSet]) -> Open:
        """The actions that may be legal and match a move with gaps, each with the literal that it is taken."""
        circuit = self._circuit
        pattern = UNKNOWN if move.action is None else move.action
        fits = {a: circuit.conj([v, fitting(circuit, pattern, a, sets)]) for a, v in legal.items()}
        taken = {action: circuit.choice() for action, literal in fits.items() if literal != FALSE}
        if not taken:
            self._dead(move, f"{move.role} has no such legal action here")
        for action, literal in taken.items():
            circuit.require(circuit.disj([-literal, fits[action]]))
        circuit.require(circuit.disj(taken.values()))
        circuit.require_at_most_one(list(taken.values()))
        self._gaps += taken.values()
        for unknown in sets:
            unknown.belong_to(taken)
            self._gaps += unknown.choices
        taken = {action: circuit.value(literal) for action, literal in taken.items()}
        self._out = [UnknownMove(move, taken, sets) if item is move else item for item in self._out]
        return taken

    # -- solutions --------------------------------------------------------------------------------------

    def solutions(self) -> Iterator[tuple[Item, ...]]:
        """The items with filled gaps, for each filling that this replay allows."""
        while (model := self._circuit.solve([*self._gaps, TRUE])) is not None:
            yield tuple(item.move_in(model) if isinstance(item, UnknownMove) else item for item in self._out)
            self._circuit.require(-self._circuit.conj(v if v in model else -v for v in self._gaps))
