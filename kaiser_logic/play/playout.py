"""Random play: chance by its weights; players choose a kind of action first, then an action of it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from .. import clingo
from ..drawing.text import counted
from ..engine import symbols
from ..position import Position
from ..rules.phrases import phrases
from ..rules.predicates import CHANCE


def weights(position: Position) -> dict[str, int]:
    """The relative probabilities of chance's actions.

    A rulebook says it with ``weight(Action,N)``. Empty where chance does not decide or the game gives no
    weights: then all its actions are equally probable.
    """
    if CHANCE not in position.decisions:
        return {}
    given = position.evaluator.weights(position.symbols)
    return dict(sorted((symbols.text(action), number) for action, number in given.items()))


def random_actions(position: Position, random: Random) -> dict[str, clingo.Symbol]:
    """An action for everybody who decides; the same for the same state of ``random``.

    Raises:
        NotDecided: There are too many actions to list.
    """
    found: dict[str, list[clingo.Symbol]] = {role: [] for role in position.decisions}
    for role, action in position.evaluator.legal(position.symbols):
        found[role].append(action)
    return {
        role: _chosen(position, role, sorted(actions, key=symbols.text), random)
        for role, actions in found.items()
    }


def _chosen(position: Position, role: str, actions: Sequence[clingo.Symbol], random: Random) -> clingo.Symbol:
    """Chance by the weights; others first a kind of action, then one of it, so that games are varied."""
    if role == CHANCE:
        given = position.evaluator.weights(position.symbols)
        if given:
            return random.choices(actions, [given.get(action, 1) for action in actions])[0]
        return random.choice(actions)
    kinds: dict[int, list[clingo.Symbol]] = {}
    for action in actions:
        kind = position.ruleset.kind(action)
        kinds.setdefault(kind.index if kind else -1, []).append(action)
    return random.choice(kinds[random.choice(sorted(kinds))])


# -- gains ---------------------------------------------------------------------------------------------------
#
# What an action takes and gives at once: its price, the points for it.


def gains(
    position: Position, role: str, action: clingo.Symbol, visible: frozenset[clingo.Symbol] | None = None
) -> tuple[str, ...]:
    """The changes of the role's own counters by a legal action, in the game's words: "pays 3 thalers".

    Only what it does by itself: not what others then decide, nor what happens afterwards.

    Args:
        position: Where it is done.
        role: Who does it.
        action: What is done.
        visible: The facts that the role sees; None: all. What depends on others is left out.
    """
    found = _gains(position, role, action)
    if visible is None or position.symbols <= visible or not found:
        return found
    known = Position(position.evaluator, position.symbols & visible)
    return found if _gains(known, role, action) == found else ()


def _gains(position: Position, role: str, action: clingo.Symbol) -> tuple[str, ...]:
    judgement = position.evaluator.judge(position.symbols, {role: action})
    facts = (position.symbols - frozenset(judgement.deleted)).union(judgement.added)
    words = phrases(position.ruleset.book.folder)
    name = words.phrase(role)
    texts = [
        words.event(term)
        for term in counted(position, Position(position.evaluator, facts))
        if _owner(term) == role
    ]
    return tuple(text.removeprefix(f"{name} ") for text in texts if text)


def _owner(term: str) -> str:
    """The owner of a changed counter: its first argument."""
    counter = symbols.read(term).arguments[0]
    return symbols.text(counter.arguments[0]) if counter.arguments else ""
