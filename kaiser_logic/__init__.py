"""Executable rulebooks of board games.

    import kaiser_logic as kl

    game = kl.load("kaiser", seats=["red", "green", "blue"])
    position = game.initial()
    position.legal()

The parts are loaded when they are first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from .comparison.compare import Difference, compare
    from .completion.complete import Completion
    from .errors import KaiserLogicError, NotDecided, UnreadableInput, WrongUsage
    from .evaluation.verdict import IllegalMove, InvalidPosition, Result, Violation
    from .game import Game, load
    from .notation.reading import read
    from .notation.record import Record
    from .position import Position
    from .records.checking import Report, check, check_many
    from .records.fault import Fault
    from .rules.loader import games

__version__: Final = "0.1.0"

__all__ = [
    "Completion",
    "Difference",
    "Fault",
    "Game",
    "IllegalMove",
    "InvalidPosition",
    "KaiserLogicError",
    "NotDecided",
    "Position",
    "Record",
    "Report",
    "Result",
    "UnreadableInput",
    "Violation",
    "WrongUsage",
    "check",
    "check_many",
    "compare",
    "games",
    "load",
    "read",
]

_HOMES: Final = {
    "records.checking": ("Report", "check", "check_many"),
    "completion.complete": ("Completion",),
    "comparison.compare": ("Difference", "compare"),
    "errors": ("KaiserLogicError", "NotDecided", "UnreadableInput", "WrongUsage"),
    "records.fault": ("Fault",),
    "game": ("Game", "load"),
    "evaluation.verdict": ("IllegalMove", "InvalidPosition", "Result", "Violation"),
    "position": ("Position",),
    "notation.reading": ("read",),
    "notation.record": ("Record",),
    "rules.loader": ("games",),
}
"""The module in which each public name is at home. No module is called like a public name."""


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            value = getattr(importlib.import_module(f".{module}", __name__), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
