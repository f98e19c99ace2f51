"""Decides whether a position is reachable: a legal game leads there, a proved invariant excludes it, or it is open.

A valid position breaks no invariant, but it need not be reachable. There are two cheap tests: a search from the start with
limited effort, and the invariants that are proved for every game.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import count as counter
from itertools import islice, product
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.grounding import Endless, Facts, Undecided
from ..errors import NotDecided
from ..notation.terms import walk
from ..rules.predicates import DECISION, DUE
from .evaluator import Evaluator, evaluator_of

EFFORT: Final = 200
"""The default number of positions that are searched."""
MANY: Final = 10_000
"""From this effort on, callers also search positions of random games, if there are circuits for them."""
REACHABLE, IMPOSSIBLE, OPEN = "reachable", "impossible", "open"
LISTED: Final = "as far as the rulebook lists all legal actions (see enumeration in prove)"
"""The condition under which a search is complete: it never tries actions that the move generator does not list."""
_MOST_CHOICES: Final = 200
"""The largest number of joint actions that are tried at one position."""
_STEPS: Final = 500
"""The largest number of steps between two decisions. A game with more of them is abandoned."""

Moves = tuple[tuple[str, str], ...]
"""The moves in their order: role and action."""


@dataclass(frozen=True)
class Origin:
    """The verdict on reachability: reachable, impossible or open.

    Attributes:
        verdict: ``reachable``, ``impossible`` or ``open``.
        moves: The moves of a legal game from the start, if it is reachable: role and action.
        invariant: The proved invariant that excludes it, if it is impossible.
        reason: The reason in words; for an open position, the tests that were made.
        start: The start tags of that game, if they differ from those of the rules in force: name and values.
    """

    verdict: str
    moves: Moves = ()
    invariant: str = ""
    reason: str = ""
    start: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def __str__(self) -> str:
        """The verdict and its reason in one line."""
        return f"{self.verdict}: {self.reason}"

    def as_json(self) -> dict[str, object]:
        """The verdict as plain data."""
        data: dict[str, object] = {"verdict": self.verdict, "reason": self.reason}
        if self.verdict == REACHABLE:
            data["moves"] = [f"{role}: {action}" for role, action in self.moves]
        if self.start:
            data["start"] = {name: list(values) for name, values in self.start}
        if self.invariant:
            data["invariant"] = self.invariant
        return data


def origin(evaluator: Evaluator, facts: Facts, effort: int = EFFORT, proved: Collection[str] = ()) -> Origin:
    """Decides whether a position is reachable, impossible or open.

    Args:
        evaluator: The evaluator under the rules in force.
        facts: The facts of the position. If ``due/1`` is among them, the position is between two decisions.
        effort: The largest number of positions to search from the start.
        proved: The invariants that are proved to hold in every game under these rules.
    """
    broken = [name for name, _ in evaluator.broken_invariants(facts, waive=False)]
    for name in broken:
        if name in proved:
            return excluded_by(name)
    configuration, book = evaluator.ruleset.configuration, evaluator.ruleset.book
    others = (c for c in configuration.starts(book) if c != configuration) if effort else ()
    starts = [evaluator, *map(evaluator_of, others)]
    nearest = min(starts, key=lambda e: len(e.initial() ^ facts))
    moves, whole = _search_game(nearest, facts, effort)
    if moves is not None:
        start = nearest.ruleset.configuration.start
        return reached_by(moves, () if start == configuration.start else start)
    if whole and len(starts) == 1:
        return Origin(IMPOSSIBLE, reason=f"all games were searched, and none leads there, {LISTED}")
    reason = (
        f"no game was found that leads there ({effort} positions searched from the start)"
        if effort
        else "not looked for"
    )
    if broken:
        reason += f"; it breaks {', '.join(dict.fromkeys(broken))}, not known to hold in every game"
    return Origin(OPEN, reason=reason)


def reached_by(moves: Moves, start: tuple[tuple[str, tuple[str, ...]], ...] = ()) -> Origin:
    """The verdict on a position to which a legal game leads; ``start``: its start tags, if they differ."""
    words = f"after {len(moves)} move{'s' if len(moves) != 1 else ''}" if moves else "at its start"
    tags = "".join(f", {name} {' '.join(values)}" for name, values in start)
    return Origin(REACHABLE, moves, reason=f"a legal game leads there {words}{tags}", start=start)


def excluded_by(invariant: str) -> Origin:
    """The verdict on a position that a proved invariant excludes."""
    return Origin(IMPOSSIBLE, invariant=invariant, reason=f"it breaks {invariant}, proved to hold in every game")


# -- the search ----------------------------------------------------------------------------------------------------------


def _search_game(evaluator: Evaluator, goal: Facts, effort: int) -> tuple[Moves | None, bool]:
    """Searches a game that leads to a position, best first.

    Positions that share more facts with the goal come first, and so do actions that mention missing facts.

    Returns:
        The moves, or None if the effort does not suffice to find them; and whether all games were searched.
    """
    if not effort:
        return None, False
    start = evaluator.initial()
    order = counter()
    seen = {start}
    heap: list[tuple[int, int, Facts, Moves, Iterator[Moves]]] = []
    # The search does not see the positions before the first decision, so it is not complete for a goal with a step that is due.
    due = any(symbols.signature(f) == DUE for f in goal)

    def enter(facts: Facts, moves: Moves) -> bool:
        """Adds a position to search from; returns whether all its actions will be searched."""
        choices, complete = _joint_actions(evaluator, facts, goal)
        heapq.heappush(heap, (len(facts ^ goal), next(order), facts, moves, iter(choices)))
        return complete

    if start == goal:
        return (), False
    whole = enter(start, ()) and not due
    positions = 0
    while heap:
        if positions >= effort:
            return None, False
        distance, number, facts, moves, choices = heapq.heappop(heap)
        choice = next(choices, None)
        if choice is None:
            continue
        heapq.heappush(heap, (distance, number, facts, moves, choices))
        positions += 1
        try:
            *between, after = _positions_after(evaluator, facts, choice)
        except (Undecided, NotDecided):
            whole = False
            continue
        if goal in (after, *between):
            return (*moves, *choice), False
        if after not in seen:
            seen.add(after)
            whole = enter(after, (*moves, *choice)) and whole
    return None, whole


def _positions_after(evaluator: Evaluator, facts: Facts, choice: Moves) -> Iterator[Facts]:
    """Yields the positions after a decision and after each step that follows it."""
    judged = evaluator.judge(facts, {role: symbols.read_symbol(action) for role, action in choice})
    facts = judged.facts_after(facts)
    yield facts
    for _ in range(_STEPS):
        if not any(symbols.signature(f) == DUE for f in facts):
            return
        facts = evaluator.step(facts)
        yield facts
    raise Endless("the automatic steps do not end")


def _joint_actions(evaluator: Evaluator, facts: Facts, goal: Facts) -> tuple[list[Moves], bool]:
    """The joint actions, sorted by how many missing facts they mention; and whether the list is complete."""
    deciding = sorted(symbols.text(f.arguments[0]) for f in facts if symbols.signature(f) == DECISION)
    options: dict[str, list[str]] = {role: [] for role in deciding}
    try:
        for role, action in evaluator.legal(facts) if deciding else ():
            if role in options:  # a rulebook may list actions of roles that have no decision
                options[role].append(symbols.text(action))
    except NotDecided:
        return [], False
    if not deciding or not all(options.values()):
        return [], True
    missing = Counter(word for f in goal - facts for word in _words(f))
    for role, actions in options.items():
        actions.sort(key=lambda action: (-sum(missing[w] for w in _words(symbols.read_symbol(action))), action))
        options[role] = actions
    pairs = ([(role, action) for action in actions] for role, actions in options.items())
    choices = list(islice(product(*pairs), _MOST_CHOICES + 1))
    return choices[:_MOST_CHOICES], len(choices) <= _MOST_CHOICES


def _words(symbol: clingo.Symbol) -> set[str]:
    """The names and numbers in a fact or an action."""
    return {str(part) if isinstance(part, int) else part.name for part in walk(symbols.value(symbol))}
