"""What lower layers ask of higher ones: how a value shows itself in a notebook, what a game is asked about all positions.

The table names the functions, and a module is loaded when one of its functions is first called. So a game and a position are
values, which rest on no prover, and `lint` finds mistakes in drawings although drawings stand above it.
"""

from __future__ import annotations

import importlib
from typing import Any, Final

_FUNCTIONS: Final = {
    "Coverage._repr_html_": "reports.notebook:coverage",
    "Difference._repr_html_": "reports.notebook:difference",
    "Fault._repr_html_": "reports.notebook:fault",
    "Found._repr_html_": "reports.notebook:show_positions",
    "FoundPositions._repr_html_": "reports.notebook:boards",
    "Game.batch": "batch.optional:batch_of",
    "Game.find_result": "query.find:find",
    "Game.invariants": "mining.miner:Miner",
    "Game.origin": "batch.origin:origin_of",
    "Game.prove": "claims.prove:prove_texts",
    "LegalActions._repr_html_": "reports.notebook:actions",
    "Position._repr_svg_": "drawing.image:render",
    "Position.query": "query.evaluation:evaluate",
    "ProofReport._repr_html_": "reports.notebook:proofs",
    "Record._repr_html_": "reports.notebook:frame_page",
    "RecordDifference._repr_html_": "reports.notebook:record_difference",
    "Report._repr_html_": "reports.notebook:report",
    "Violation._repr_html_": "reports.notebook:violation",
    "lint of books": "printing.book:checks",
    "lint of dense rules": "query.dense:checks",
    "lint of drawings": "drawing.checks:checks",
    "lint of the start": "evaluation.start:checks",
}
"""The function behind each method or check: its module and its name."""


def call_above(method: str, *args: Any, **kwargs: Any) -> Any:
    """Calls the function behind a method; `method` is a key of the table."""
    module, _, name = _FUNCTIONS[method].partition(":")
    return getattr(importlib.import_module(f".{module}", __package__), name)(*args, **kwargs)


class ShownInNotebooks:
    """A value that notebooks show as HTML: the table says by which function."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        """The HTML."""
        text: str | None = call_above(f"{type(self).__name__}._repr_html_", self)
        return text
