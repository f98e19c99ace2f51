"""Where a record with gaps goes wrong first, by walking over everything that can stand in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from kaiser_logic.notation.record import Assertion, Item, Move, PositionBlock
from kaiser_logic.notation.syntax import parsed
from kaiser_logic.notation.terms import UNKNOWN, Term, Value
from kaiser_logic.position import Position

State: TypeAlias = "tuple[Position, tuple[tuple[str, str], ...]]"
"""A position, and what of the decisions at the same time has been made there."""


def first_wrong(start: Position, items: Sequence[Item]) -> int | None:
    """The index of the first item up to which no filling of the gaps before is legal; None if there is none."""
    states: dict[object, State] = {None: (start, ())}
    for index in range(len(items)):
        states = {_key(after): after for state in states.values() for after in _over(state, items[index:])}
        if not states:
            return index
    return None


def _key(state: State) -> object:
    return state[0].facts, state[1]


def _over(state: State, items: Sequence[Item]) -> Iterator[State]:
    """What can be after the first of some items; decisions that the record leaves out may be any."""
    position, made = state
    item = items[0]
    following = next((one for one in items if isinstance(one, Move)), None)
    if made and (following is None or not _belongs(state, following)):
        yield from (after for closed in _closed(state) for after in _over(closed, items))
    if isinstance(item, Assertion):
        if all((str(one.fact) in position.facts) == one.positive for one in item.literals):
            yield state
    elif isinstance(item, PositionBlock):
        if not made and {str(term) for term in item.terms} == position.facts:
            yield state
    elif item.role not in dict(made):
        for action in position.legal().get(item.role, ()):
            if item.action is None or fits(item.action, parsed(action)):
                taken = (*made, (item.role, action))
                whole = len(taken) == len(position.to_move)
                yield (position.apply(dict(taken)), ()) if whole else (position, tuple(sorted(taken)))


def _belongs(state: State, move: Move) -> bool:
    """Whether a move is one of the decisions at the same time that are still to be made."""
    position, made = state
    if move.role in dict(made) or move.role not in position.to_move:
        return False
    names = {action.split("(")[0] for action in position.legal()[move.role]}
    return move.action is None or move.action.name in names


def _closed(state: State) -> Iterator[State]:
    """The decisions at the same time that are missing, made in every way."""
    position, made = state
    legal: Mapping[str, Sequence[str]] = position.legal()
    ways: list[dict[str, str]] = [dict(made)]
    for role in position.to_move:
        if role not in dict(made):
            ways = [{**way, role: action} for way in ways for action in legal[role]]
    yield from ((position.apply(way), ()) for way in ways)


def fits(pattern: Value, value: Value) -> bool:
    """Whether a value is what a pattern says."""
    if pattern == UNKNOWN or not isinstance(pattern, Term) or not isinstance(value, Term):
        return pattern in (UNKNOWN, value)
    same = (pattern.name, len(pattern.args)) == (value.name, len(value.args))
    return same and all(map(fits, pattern.args, value.args))
