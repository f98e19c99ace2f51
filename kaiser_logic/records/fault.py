"""The faults of recorded games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from ..errors import visible, visible_name
from ..evaluation.verdict import Violation
from ..notation.record import Assertion, Literal, Move, PositionBlock, RecordedFact, Tag

Place: TypeAlias = "Move | Assertion | Literal | PositionBlock | RecordedFact | Tag"
"""The parts of a record that can have a fault."""

RECORD_RULES: Final = {
    "record.tag": "The tags describe a game that can be played.",
    "record.unknown": "An unknown move cannot be judged; the command complete fills it.",
    "record.view": "In a record as a role saw the game, its own moves are written out.",
    "record.over": "After the end of the game nobody moves.",
    "record.role": "Only the roles of the game move.",
    "record.decided": "In a simultaneous decision each role decides once.",
    "record.assert": "A record's assertions hold at their place.",
    "record.position": "A position meets all invariants of its game.",
    "record.duplicate": "No two records have the same course of play.",
    "record.result": "The winners are those that the rules determine; an unfinished game has none.",
}
"""The rules of records, whatever the game."""


@dataclass(frozen=True)
class Fault(Violation):
    """One fault of a record: a broken rule, or a false statement of the record, with its place.

    The rule is one of the game or of `RECORD_RULES`. It has the attributes of a `Violation`, too.

    Attributes:
        path: The record's file, or None.
        line: From 1; 0 if the record was never text.
        column: From 1; 0 likewise.
        role: The role of the move; None if the fault is not about a move.
        action: The action of the move; None likewise.
        note: The treatment of the fault, if that is not obvious.
        moves: The number N of moves before it; ``FILE@N`` is the position in which it was judged. None without a position,
            and in a variation.
        place: The same for every fault that is not about a tag, as in ``FILE@PLACE``; ``12a.3`` is a place in a variation.
        number: The number of the record in its file, if the file has several; then the path ends in ``#`` and the number.
    """

    path: str | None = None
    line: int = 0
    column: int = 0
    role: str | None = None
    action: str | None = None
    note: str = ""
    moves: int | None = None
    place: str = ""
    number: int = 0

    @property
    def file(self) -> str | None:
        """The file of the record: its path without its number."""
        return self.path.removesuffix(f"#{self.number}") if self.path and self.number else self.path

    @classmethod
    def at(
        cls,
        path: str | None,
        part: Place,
        violation: Violation,
        note: str = "",
        moves: int | None = None,
        place: str = "",
        number: int = 0,
    ) -> Fault:
        """The fault of a violation at a place of a record.

        Args:
            path: The record's file.
            part: The part of the record.
            violation: The broken rule.
            note: The treatment of the fault.
            moves: The number of moves before it.
            place: The name of the place; by default the number of moves.
            number: The number of the record in its file, if the file has several.
        """
        place = place or ("" if moves is None else str(moves))
        role = action = None
        if isinstance(part, Move):
            role, action = part.role, "?" if part.action is None else str(part.action)
        return cls(
            **vars(violation),
            path=path,
            line=part.line,
            column=part.column,
            role=role,
            action=action,
            note=note,
            moves=moves if isinstance(part, (Move, Assertion, Literal)) and place.isdigit() else None,
            place=place,
            number=number,
        )

    def __str__(self) -> str:
        """``FILE:LINE:COLUMN: ROLE: ACTION: RULE: REASON (@PLACE) [EDITION: SOURCE; EDITION: SOURCE]``.

        ``FILE@PLACE`` is the position before the fault; in a file of several records it is ``(#3@PLACE)``.
        The text is safe for a terminal.
        """
        place = [visible_name(self.file)] if self.file else []
        place += [str(self.line), str(self.column)] if self.line else []
        parts = [":".join(place), self.role, self.action, self.rule, self.message]
        text = ": ".join(part for part in parts if part)
        if self.note:
            text += f" ({self.note})"
        record = f"#{self.number}" if self.number else ""
        if self.moves is not None or not (self.place or "0").isdigit():
            text += f" ({record}@{self.place})"
        elif record:
            text += f" ({record})"
        if self.sources:
            text += f" [{'; '.join(f'{edition}: {source}' for edition, source in self.sources.items())}]"
        return visible(text)

    def as_json(self) -> dict[str, Any]:
        """The fault as a JSON object, without the path."""
        return {
            "line": self.line,
            "column": self.column,
            "role": self.role,
            "action": self.action,
            **super().as_json(),
            "note": self.note,
            "moves": self.moves,
            "place": self.place,
        }


def objection(rule: str, message: str, facts: tuple[str, ...] = (), absent: tuple[str, ...] = ()) -> Violation:
    """A violation of a rule of `RECORD_RULES`."""
    return Violation(rule, message, facts, {}, absent, RECORD_RULES[rule])
