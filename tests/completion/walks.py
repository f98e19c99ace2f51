"""The first fault of a record with gaps, by brute force over all fillings."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from kaiser_logic.notation.record import Assertion, Item, Move, PositionBlock
from kaiser_logic.notation.syntax import parse_user_term
from kaiser_logic.notation.terms import UNKNOWN, Term, Value
from kaiser_logic.position import Position

State: TypeAlias = "tuple[Position, tuple[tuple[str, str], ...]]"
"""A position, and the simultaneous decisions that have been made in it."""


def first_wrong(start: Position, items: Sequence[Item]) -> int | None:
    """The index of the first item up to which no filling of the gaps is legal, or None if all items can be reached."""
    states: dict[object, State] = {None: (start, ())}
    for index in range(len(items)):
        states = {_key(after): after for state in states.values() for after in _after(state, items[index:])}
        if not states:
            return index
    return None


def _key(state: State) -> object:
    return state[0].facts, state[1]


def _after(state: State, items: Sequence[Item]) -> Iterator[State]:
    """The states after the first item. Decisions that the record leaves out may be any."""
    position, made = state
    item = items[0]
    following = next((one for one in items if isinstance(one, Move)), None)
    if made and (following is None or not _belongs(state, following)):
        yield from (after for closed in _closed(state) for after in _after(closed, items))
    if isinstance(item, Assertion):
        if all((str(one.fact) in position.facts) == one.positive for one in item.literals):
            yield state
    elif isinstance(item, PositionBlock):
        if not made and {str(term) for term in item.terms} == position.facts:
            yield state
    elif item.role not in dict(made):
        for action in position.legal().get(item.role, ()):
            if item.action is None or fits(item.action, parse_user_term(action)):
                taken = (*made, (item.role, action))
                whole = len(taken) == len(position.to_move)
                yield (position.apply(dict(taken)), ()) if whole else (position, tuple(sorted(taken)))


def _belongs(state: State, move: Move) -> bool:
    """Whether a move is one of the simultaneous decisions that are still missing."""
    position, made = state
    if move.role in dict(made) or move.role not in position.to_move:
        return False
    names = {action.split("(")[0] for action in position.legal()[move.role]}
    return move.action is None or move.action.name in names


def _closed(state: State) -> Iterator[State]:
    """The states after all combinations of the missing simultaneous decisions."""
    position, made = state
    legal: Mapping[str, Sequence[str]] = position.legal()
    combinations: list[dict[str, str]] = [dict(made)]
    for role in position.to_move:
        if role not in dict(made):
            combinations = [{**chosen, role: action} for chosen in combinations for action in legal[role]]
    yield from ((position.apply(chosen), ()) for chosen in combinations)


def fits(pattern: Value, value: Value) -> bool:
    """Whether a value matches a pattern with ``?``."""
    if pattern == UNKNOWN or not isinstance(pattern, Term) or not isinstance(value, Term):
        return pattern in (UNKNOWN, value)
    same = (pattern.name, len(pattern.args)) == (value.name, len(value.args))
    return same and all(map(fits, pattern.args, value.args))
