"""Random games, played by the evaluator: each move and step with the position after it.

A seed determines the games, and a number of decisions limits them. So they are the same in each run, on any machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..errors import NotDecided, WrongUsage
from ..rules.predicates import DECISION, DUE
from .evaluator import Evaluator

Facts: TypeAlias = frozenset[clingo.Symbol]
Actions: TypeAlias = tuple[tuple[str, clingo.Symbol], ...]

_RARE: Final = 0.5
"""The probability of choosing the rarest kind of action if rare kinds are preferred."""
_STEPS: Final = 500
"""The largest number of steps between two decisions. A game with more of them is abandoned."""


@dataclass(frozen=True)
class Pair:
    """A position and the actions in it; no actions if a step is due."""

    facts: Facts
    actions: Actions = ()


@dataclass(frozen=True)
class Written:
    """A pair as texts, which can be sent to another process."""

    facts: tuple[str, ...]
    actions: tuple[tuple[str, str], ...]

    def parse(self) -> Pair:
        """Reads the pair from its texts.

        Raises:
            NotDecided: A number has too many digits.
        """
        try:
            facts = frozenset(map(symbols.read_symbol, self.facts))
            return Pair(facts, tuple((role, symbols.read_symbol(action)) for role, action in self.actions))
        except WrongUsage as error:
            raise NotDecided(f"in a random game {error}") from None


def write_pair(pair: Pair) -> Written:
    """Writes a pair as texts."""
    actions = tuple((role, symbols.text(action)) for role, action in pair.actions)
    return Written(tuple(sorted(map(symbols.text, pair.facts))), actions)


def random_game(
    evaluator: Evaluator, random: Random, start: Facts | None = None, chosen: Counter[int] | None = None
) -> Iterator[tuple[Pair, Facts]]:
    """Plays a random game, and yields each move and step with the position after it.

    Args:
        evaluator: The evaluator.
        random: The source of random numbers.
        start: The first position; None for the start of the game.
        chosen: How often each kind of action has been chosen. If it is given, rare kinds are preferred.

    Raises:
        NotDecided: An action that is listed as legal is judged illegal.
    """
    facts = evaluator.initial() if start is None else start
    steps = 0
    while True:
        actions: Actions = ()
        if any(symbols.signature(s) == DUE for s in facts):
            steps += 1
            after = evaluator.step(facts)
        else:
            steps = 0
            actions = _choose_actions(evaluator, facts, random, chosen)
            if not actions:
                return
            judged = evaluator.judge(facts, dict(actions))
            if judged.violations:
                done = "; ".join(f"{role}: {symbols.text(action)}" for role, action in actions)
                raise NotDecided(f"{done} is listed as legal and breaks {judged.violations[0][2]}")
            after = judged.facts_after(facts)
        yield Pair(facts, actions), after
        if steps > _STEPS:
            return
        facts = after


def _choose_actions(evaluator: Evaluator, facts: Facts, random: Random, chosen: Counter[int] | None = None) -> Actions:
    """Draws a kind of action for each role that decides, then an action of that kind; nothing if actions cannot be listed."""
    by_role: dict[str, list[clingo.Symbol]] = {}
    try:
        legal = evaluator.legal(facts)
    except NotDecided:
        return ()
    for role, action in sorted(legal, key=lambda x: (x[0], symbols.text(x[1]))):
        by_role.setdefault(role, []).append(action)
    deciding = {symbols.text(s.arguments[0]) for s in facts if symbols.signature(s) == DECISION}
    if deciding != set(by_role):
        return ()
    return tuple((role, choose_action(evaluator, actions, random, chosen)) for role, actions in by_role.items())


def choose_action(
    evaluator: Evaluator,
    actions: Iterable[clingo.Symbol],
    random: Random,
    chosen: Counter[int] | None = None,
) -> clingo.Symbol:
    """Draws one of the kinds of these actions, then one of that kind: a kind with many actions is not drawn more often.

    ``chosen``: as for `random_game`.
    """
    kinds: dict[int, list[clingo.Symbol]] = {}
    for action in actions:
        kind = evaluator.ruleset.kind(action)
        kinds.setdefault(kind.index if kind else -1, []).append(action)
    drawn = random.choice(sorted(kinds))
    if chosen is not None:
        drawn = min(sorted(kinds), key=lambda k: chosen[k]) if random.random() < _RARE else drawn
        chosen[drawn] += 1
    return random.choice(kinds[drawn])
