"""What an action takes and gives at once: its price, the points for it."""

from __future__ import annotations

from .. import clingo
from ..drawing.events import counted
from ..engine import symbols
from ..position import Position
from ..rules.phrases import phrases


def gains(
    position: Position, role: str, action: clingo.Symbol, seen: frozenset[clingo.Symbol] | None = None
) -> tuple[str, ...]:
    """What a legal action changes of the role's own counters, in the words of the game's events: "pays 3 thalers".

    Only what it does by itself: not what others then decide, nor what happens afterwards.

    Args:
        position: Where it is done.
        role: Who does it.
        action: What is done.
        seen: The facts that the role sees; None: all. What depends on others is left out.
    """
    said = _gains(position, role, action)
    if seen is None or position.symbols <= seen or not said:
        return said
    known = Position(position.evaluator, position.symbols & seen)
    return said if _gains(known, role, action) == said else ()


def _gains(position: Position, role: str, action: clingo.Symbol) -> tuple[str, ...]:
    judgement = position.evaluator.judge(position.symbols, {role: action})
    facts = (position.symbols - frozenset(judgement.deleted)).union(judgement.added)
    words = phrases(position.ruleset.book.folder)
    name = words.phrase(role)
    told = [
        words.event(term)
        for term in counted(position, Position(position.evaluator, facts))
        if _owner(term) == role
    ]
    return tuple(text.removeprefix(f"{name} ") for text in told if text)


def _owner(term: str) -> str:
    """Whose counter it is that a change is about: its first argument."""
    counter = symbols.read(term).arguments[0]
    return symbols.text(counter.arguments[0]) if counter.arguments else ""
