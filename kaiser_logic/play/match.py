"""A game in progress, decision by decision, with undo and redo, and its record."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final, TypeAlias

from .. import clingo
from ..drawing.text import counter_changes, events
from ..engine import symbols
from ..engine.ruleset import tags_of
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..evaluation.explanation import explain, explain_all
from ..evaluation.random_games import choose_action
from ..evaluation.verdict import Violation
from ..game import Game
from ..notation.record import Move, Record, Tag
from ..position import Position
from ..rules.phrases import phrases
from ..rules.predicates import CHANCE


def weights(position: Position) -> dict[str, int]:
    """The relative probabilities of chance's legal actions, from ``weight(Action,N)`` in the rulebook.

    Empty if chance does not decide, or if the rulebook states no weights. Without weights all actions are equally probable.
    """
    return {} if position.ruleset.weight_program is None else position.weights()


def random_actions(position: Position, random: Random) -> dict[str, clingo.Symbol]:
    """A random action for each role that decides.

    Args:
        position: The position.
        random: The source of random numbers, which determines the result.

    Raises:
        NotDecided: There are too many actions to list, or a role that has to decide has no legal action.
    """
    legal_actions: dict[str, list[clingo.Symbol]] = {role: [] for role in position.decisions}
    for role, action in position.evaluator.legal(position.symbols):
        legal_actions[role].append(action)
    for role, actions in legal_actions.items():
        if not actions:
            raise NotDecided(f"{role} has to decide and has no legal action")
    return {
        role: _choose_action(position, role, sorted(actions, key=symbols.text), random)
        for role, actions in legal_actions.items()
    }


def _choose_action(position: Position, role: str, actions: Sequence[clingo.Symbol], random: Random) -> clingo.Symbol:
    """A random action of a role: for chance by the weights, for a player first a kind of action and then an action of it.

    So a kind with many actions is not chosen more often than others.
    """
    if role == CHANCE:
        given = position.evaluator.weights(position.symbols, actions)
        if given:
            return random.choices(actions, list(given.values()))[0]
        return random.choice(actions)
    return choose_action(position.evaluator, actions, random)


# -- gains ---------------------------------------------------------------------------------------------------
#
# The immediate effects of an action on its role's counters, such as its price or the points for it.


def gains(
    position: Position, role: str, action: clingo.Symbol, visible: frozenset[clingo.Symbol] | None = None
) -> tuple[str, ...]:
    """The changes of the role's own counters by a legal action, in the game's words: "pays 3 thalers".

    Only the effects of the action itself count, not those of later decisions or steps.

    Args:
        position: The position before the action.
        role: The role that acts.
        action: The action.
        visible: The facts that the role sees; None for all. Changes that depend on other facts are left out.
    """
    changes = _gains(position, role, action)
    if visible is None or position.symbols <= visible or not changes:
        return changes
    known = Position(position.evaluator, position.symbols & visible)
    return changes if _gains(known, role, action) == changes else ()


def _gains(position: Position, role: str, action: clingo.Symbol) -> tuple[str, ...]:
    judgement = position.evaluator.judge(position.symbols, {role: action})
    facts = judgement.facts_after(position.symbols)
    words = phrases(position.ruleset.book.folder)
    name = words.phrase(role)
    texts = [
        words.event(term)
        for term in counter_changes(position, Position(position.evaluator, facts))
        if _owner(term) == role
    ]
    return tuple(text.removeprefix(f"{name} ") for text in texts if text)


def _owner(term: str) -> str:
    """The owner of a changed counter: its first argument."""
    counter = symbols.read_symbol(term).arguments[0]
    return symbols.text(counter.arguments[0]) if counter.arguments else ""


# -- reasons ----------------------------------------------------------------------------------------------------
#
# The reasons why an action is illegal, for a role that does not see all facts.
#
# A reason must not reveal hidden facts. So it is computed from the visible facts. It is replaced by `CONCEALED` if it would be
# different with all facts known, or if it depends on the absence of a fact that the role would not see.


Facts: TypeAlias = frozenset[clingo.Symbol]

CONCEALED: Final = "what decides it here is concealed"
"""The message in place of a reason that would reveal hidden facts."""
_ANYTHING: Final = re.compile(r"(?<!\w)_(?!\w)")
"""The term for any value in a missing fact."""


def visible_violations(
    position: Position, role: str, action: clingo.Symbol, visible: Facts | None = None
) -> list[Violation]:
    """Every rule that the action breaks, with reasons that reveal no hidden facts.

    Args:
        position: The position before the action.
        role: The role that acts and learns the reasons.
        action: The action.
        visible: The facts that the role sees; None for all.
    """
    evaluator, facts = position.evaluator, position.symbols
    broken = [v for _, v in explain_all(evaluator, facts, {role: action}).get(role, ())]
    if visible is None or facts <= visible:
        return broken
    known = facts & visible
    judged = evaluator.judge(known, {role: action}).violations
    of_known = {v.rule: v for _, v in explain(position.ruleset, known, {role: action}, judged).get(role, ())}
    return [
        violation
        if of_known.get(violation.rule) == violation and _is_visible(evaluator, facts, role, violation)
        else replace(violation, message=CONCEALED, facts=(), absent=(), rulings={})
        for violation in broken
    ]


def _is_visible(evaluator: Evaluator, facts: Facts, role: str, violation: Violation) -> bool:
    """Whether the role would see each missing fact if that fact held."""
    missing = {symbols.read_symbol(_ANYTHING.sub("1", text)) for text in violation.absent}
    return all(fact in evaluator.view(facts | {fact}, role) for fact in missing)


_PositionAndActions: TypeAlias = tuple[Position, dict[str, clingo.Symbol]]
"""A position, and the actions that have already been chosen in a simultaneous decision."""


@dataclass
class Match:
    """A game in progress.

    Attributes:
        game: The game.
        position: The position before the current decisions.
        pending: The actions that have already been chosen in a simultaneous decision, role to action.
        moves: All moves so far.
    """

    game: Game
    position: Position = field(init=False)
    pending: dict[str, clingo.Symbol] = field(default_factory=dict)
    moves: list[Move] = field(default_factory=list)
    _before: list[_PositionAndActions] = field(default_factory=list, repr=False)
    _undone: list[tuple[Move, _PositionAndActions]] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        """Begins with the game's first position."""
        self.position = self.game.initial()

    @property
    def deciding(self) -> tuple[str, ...]:
        """The roles that still have to decide, in the order of the seats."""
        return tuple(role for role in self.position.to_move if role not in self.pending)

    def legal(self, role: str) -> tuple[str, ...]:
        """The legal actions of a role that decides."""
        return self.position.legal()[role]

    def violations(
        self, role: str, action: clingo.Symbol, visible: frozenset[clingo.Symbol] | None = None
    ) -> list[Violation]:
        """The rules that the action would break, explained; ``visible``: the facts that the role sees, None for all."""
        return visible_violations(self.position, role, action, visible)

    def do(self, role: str, action: clingo.Symbol) -> None:
        """Carries out a legal action. In a simultaneous decision the game continues when all roles have decided.

        Raises:
            NotDecided: An action breaks a rule when all of them are judged. Then nothing is done.
        """
        position, pending = self.position, {**self.pending, role: action}
        if pending.keys() >= set(position.to_move):
            position = position.successor(position.evaluator.judge(position.symbols, pending))
            pending = {}
        self._undone.clear()
        self._before.append((self.position, self.pending))
        self.moves.append(Move(role, symbols.term(action)))
        self.position, self.pending = position, pending

    def undo(self) -> Move:
        """Undoes the last move and returns it; IndexError if there is none."""
        before = self._before.pop()
        move = self.moves.pop()
        self._undone.append((move, (self.position, self.pending)))
        self.position, self.pending = before
        return move

    @property
    def undone_move(self) -> Move | None:
        """The move that :meth:`redo` would repeat; None if there is none."""
        return self._undone[-1][0] if self._undone else None

    def redo(self) -> Move:
        """Repeats the move that was undone last, and returns it; IndexError if there is none."""
        move, after = self._undone.pop()
        self._before.append((self.position, self.pending))
        self.moves.append(move)
        self.position, self.pending = after
        return move

    def record(self, board: str | None = None, more: Mapping[str, str] | None = None) -> Record:
        """The record so far, with the result.

        Args:
            board: The path of the board file, relative to the record.
            more: Other tags, name to value.
        """
        result = self.position.result()
        winners = " ".join(result.winners) if result else "*"
        tags = [*tags_of(self.game.ruleset, board), ("Result", winners), *(more or {}).items()]
        return Record(tuple(Tag(name, value) for name, value in tags), tuple(self.moves))


# -- observers -------------------------------------------------------------------------------------------------
#
# What the players at the table learn about the game.


@dataclass(frozen=True)
class Observers:
    """The roles that watch a game together.

    Attributes:
        roles: The roles; empty for a viewer who sees everything.
    """

    roles: tuple[str, ...] = ()

    def view(self, position: Position, role: str | None = None) -> Position:
        """A position with the facts that a role sees; without a role, those that any of the roles sees. Only for display."""
        watching = self.roles if role is None or role not in self.roles else (role,)
        if not watching:
            return position
        views = [position.evaluator.view(position.symbols, one) for one in watching]
        return Position(position.evaluator, frozenset[clingo.Symbol]().union(*views))

    def facts(self, position: Position, role: str) -> frozenset[clingo.Symbol] | None:
        """The facts that a role sees, with what it knows about hidden ones; None if it sees everything."""
        return self.view(position, role).symbols if self.roles else None

    def visible(self, position: Position, role: str) -> Position:
        """A position with only those of its facts that a role sees. Only for reasoning about the action of a role."""
        known = self.facts(position, role)
        return position if known is None else Position(position.evaluator, position.symbols & known)

    def events(self, before: Position, after: Position) -> list[str]:
        """The events between two positions that the roles see, in words."""
        return events(self.view(before), self.view(after))

    def visible_actions(self, actions: Mapping[str, clingo.Symbol], before: Position, after: Position) -> list[str]:
        """The actions of others as text, in the form of records. If its effects are hidden, only an action's name is shown.

        An action is shown with its arguments if all changes are visible, or if one visible change contains the same
        constants as the action, such as the card in one's own hand.

        Args:
            actions: Simultaneous actions, role to action.
            before: The position before them.
            after: The position after them.
        """
        gone, come = before.symbols - after.symbols, after.symbols - before.symbols
        old, new = self.view(before).symbols, self.view(after).symbols
        all_visible = gone <= old and come <= new
        visible = [_constants(fact) for fact in (gone & old) | (come & new)]
        return [
            f"{role}: {symbols.text(action)}"
            if all_visible or not action.arguments or any(_constants(action) <= known for known in visible)
            else f"{role}: {action.name} ..."
            for role, action in actions.items()
        ]


def _constants(term: clingo.Symbol) -> frozenset[clingo.Symbol]:
    """The constants and numbers in a term."""
    if term.type is not clingo.SymbolType.Function or not term.arguments:
        return frozenset({term})
    return frozenset[clingo.Symbol]().union(*map(_constants, term.arguments))
