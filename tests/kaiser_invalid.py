"""Reads the table of what is no position of Im Schatten des Kaisers: kaiser_invalid.txt."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import clingo
from kaiser_positions import changed, position

from kaiser_logic.position import Position


@dataclass(frozen=True)
class Invalid:
    """A position, what is changed in it, and the invariants that then are broken."""

    invariants: frozenset[str]
    at: str
    change: str

    def position(self) -> tuple[Position, frozenset[clingo.Symbol]]:
        """The position, and the facts that are none."""
        found = position(self.at)
        facts = changed(found.facts, self.change)
        return found, frozenset(map(found.game.fact, facts))

    def __str__(self) -> str:
        """The case in short."""
        return f"{self.at}: {self.change}"


def _read() -> tuple[Invalid, ...]:
    lines = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split("|") for line in lines if line and not line.startswith("%")]
    return tuple(Invalid(frozenset(i.split()), at.strip(), change.strip()) for i, at, change in rows)


CASES = _read()
