"""Executable rulebooks of board games.

    import kaiser_logic as kl

    game = kl.load("kaiser", seats=["red", "green", "blue"])
    position = game.initial()
    position.legal()

A module is loaded when one of its names is first used. One table gives the module of each public name. The imports below
repeat it for type checkers.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

from .version import VERSION

if TYPE_CHECKING:
    from .batch.perft import perft as perft
    from .comparison.compare import compare as compare
    from .comparison.differences import Difference as Difference
    from .comparison.recorded import RecordDifference as RecordDifference
    from .comparison.recorded import diff_rules as diff_rules
    from .completion.complete import Completion as Completion
    from .completion.complete import check_view as check_view
    from .completion.complete import complete as complete
    from .errors import FaultyRulebook as FaultyRulebook
    from .errors import Finding as Finding
    from .errors import KaiserLogicError as KaiserLogicError
    from .errors import NotDecided as NotDecided
    from .errors import UnreadableInput as UnreadableInput
    from .errors import WrongUsage as WrongUsage
    from .evaluation.verdict import Broken as Broken
    from .evaluation.verdict import IllegalMove as IllegalMove
    from .evaluation.verdict import InvalidPosition as InvalidPosition
    from .evaluation.verdict import Result as Result
    from .evaluation.verdict import Violation as Violation
    from .game import Found as Found
    from .game import Game as Game
    from .game import load as load
    from .linting.lint import lint as lint
    from .mining.writing import InvariantReport as InvariantReport
    from .mining.writing import ProposedInvariant as ProposedInvariant
    from .notation.document import Document as Document
    from .notation.record import Record as Record
    from .notation.sources import read as read
    from .notation.sources import read_all as read_all
    from .position import Position as Position
    from .records.checking import Report as Report
    from .records.checking import check as check
    from .records.checking import check_many as check_many
    from .records.coverage import Coverage as Coverage
    from .records.coverage import coverage as coverage
    from .records.fault import Fault as Fault
    from .records.grep import MatchingPosition as MatchingPosition
    from .records.grep import SearchedRecord as SearchedRecord
    from .records.grep import grep as grep
    from .records.statistics import Statistics as Statistics
    from .records.statistics import statistics as statistics
    from .rules.library import games as games
    from .search.reach import ReachResult as ReachResult
    from .search.reach import reach as reach
    from .solving.report import Counterexample as Counterexample
    from .solving.report import Proof as Proof
    from .solving.report import ProofReport as ProofReport

__version__: Final = VERSION

_HOMES: Final = {
    "Broken": "evaluation.verdict",
    "Completion": "completion.complete",
    "Coverage": "records.coverage",
    "Counterexample": "solving.report",
    "Difference": "comparison.differences",
    "Document": "notation.document",
    "Fault": "records.fault",
    "FaultyRulebook": "errors",
    "Finding": "errors",
    "Found": "game",
    "Game": "game",
    "IllegalMove": "evaluation.verdict",
    "InvalidPosition": "evaluation.verdict",
    "InvariantReport": "mining.writing",
    "KaiserLogicError": "errors",
    "MatchingPosition": "records.grep",
    "NotDecided": "errors",
    "Position": "position",
    "Proof": "solving.report",
    "ProofReport": "solving.report",
    "ProposedInvariant": "mining.writing",
    "ReachResult": "search.reach",
    "Record": "notation.record",
    "RecordDifference": "comparison.recorded",
    "Report": "records.checking",
    "Result": "evaluation.verdict",
    "SearchedRecord": "records.grep",
    "Statistics": "records.statistics",
    "UnreadableInput": "errors",
    "Violation": "evaluation.verdict",
    "WrongUsage": "errors",
    "check": "records.checking",
    "check_many": "records.checking",
    "check_view": "completion.complete",
    "compare": "comparison.compare",
    "complete": "completion.complete",
    "coverage": "records.coverage",
    "diff_rules": "comparison.recorded",
    "games": "rules.library",
    "grep": "records.grep",
    "lint": "linting.lint",
    "load": "game",
    "perft": "batch.perft",
    "read": "notation.sources",
    "reach": "search.reach",
    "read_all": "notation.sources",
    "statistics": "records.statistics",
}
"""The module that defines each public name. No folder may have the name of a public name."""

__all__ = sorted(_HOMES)  # noqa: PLE0605 (type checkers read the imports above)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
