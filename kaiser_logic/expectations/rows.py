"""Reads ``tests.toml``: the rows of what a rulebook must answer.

Each row is a table ``[[KIND]]``. An unknown kind or key is an error that names the nearest one, so that nothing is ignored.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from ..errors import FaultyRulebook, Finding, WrongUsage
from ..lang.reader import lines_of
from ..rules.places import nearest, toml_error

FILE: Final = "tests.toml"
"""The name of the file, beside ``game.toml``."""

Check: TypeAlias = "tuple[str, object]"

_TEXT: Final = "a text"
_TEXTS: Final = "a list of texts"
_NUMBER: Final = "a whole number of at least 1"
_NUMBERS: Final = "a list of whole numbers"
_YES_OR_NO: Final = "true or false"
_TABLE_OF_TEXTS: Final = "a table of texts"
_TABLE_OF_NUMBERS: Final = "a table of whole numbers"

SETTINGS: Final[Mapping[str, str]] = {
    "name": _TEXT,
    "edition": _TEXT,
    "options": _TABLE_OF_TEXTS,
    "players": _NUMBER,
    "seats": _TEXTS,
    "board": _TEXT,
    "start": _TABLE_OF_TEXTS,
}
"""The keys of every row: its name, and the rules and seats under which it is asked."""
PLACES: Final[Mapping[str, str]] = {"moves": _TEXT, "position": _TEXT, "record": _TEXT}
"""The keys that say where a row is asked: after moves from the start or from a position, or in a record.

Without any of them it is the start of the game."""


@dataclass(frozen=True)
class RowKind:
    """A kind of row.

    Attributes:
        needs: The keys that it must have, with what their values are.
        may: The keys that it may have besides.
        answers: The values of its key ``answer``, the usual one first; empty without that key.
        placed: Whether it may say where it is asked.
    """

    needs: Mapping[str, str]
    may: Mapping[str, str]
    answers: tuple[str, ...] = ()
    placed: bool = True

    @property
    def keys(self) -> dict[str, str]:
        """All keys, with what their values are."""
        answer = {"answer": _TEXT} if self.answers else {}
        return {**SETTINGS, **(PLACES if self.placed else {}), **self.needs, **self.may, **answer}


FOUND, NONE = "found", "none"
PROVED, FALLS = "proved", "falls"
KINDS: Final[Mapping[str, RowKind]] = {
    "perft": RowKind({"counts": _NUMBERS}, {"turns": _YES_OR_NO}),
    "legal": RowKind({}, {"result": _TEXTS, "points": _TABLE_OF_NUMBERS}),
    "illegal": RowKind({"move": _TEXT, "rules": _TEXTS}, {}),
    "valid": RowKind({"position": _TEXT}, {}, placed=False),
    "invalid": RowKind({"position": _TEXT, "breaks": _TEXTS}, {}, placed=False),
    "find": RowKind({"query": _TEXT}, {"reachable": _NUMBER}, (FOUND, NONE), placed=False),
    "prove": RowKind({"claim": _TEXT}, {}, (PROVED, FALLS), placed=False),
}
"""The kinds of rows, in the order in which they are asked: what is quick comes first."""


@dataclass(frozen=True)
class Row:
    """A row of ``tests.toml``.

    Attributes:
        folder: The folder of the rulebook.
        kind: One of `KINDS`.
        number: Its number among the rows of its kind, from 1.
        line: The line of its heading.
        values: Its keys and values.
    """

    folder: Path
    kind: str
    number: int
    line: int
    values: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The row's own name, or its kind with the number."""
        return str(self.values.get("name", f"{self.kind} {self.number}"))

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.folder / FILE}:{self.line}"

    @property
    def answer(self) -> str:
        """The answer that is wanted; empty for a kind without answers."""
        answers = KINDS[self.kind].answers
        return str(self.values.get("answer", answers[0])) if answers else ""


def read_rows(folder: Path) -> list[Row]:
    """The rows of a rulebook, those of quick kinds first.

    Raises:
        WrongUsage: The folder has no ``tests.toml``, or no row in it.
        FaultyRulebook: The file cannot be read, or has keys or values that no row has.
    """
    path = folder / FILE
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise WrongUsage(f"{folder} has no {FILE}: docs/write/tests.md says how to write one") from None
    except (OSError, UnicodeDecodeError) as error:
        raise WrongUsage(f"{path} cannot be read: {error}") from None
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FaultyRulebook([toml_error(path, error)]) from None
    rows = list(_rows(folder, text, tables))
    if not rows:
        raise WrongUsage(f"{path} has no row, so nothing is tested")
    order = list(KINDS)
    return sorted(rows, key=lambda row: order.index(row.kind))


def _rows(folder: Path, text: str, tables: Mapping[str, Any]) -> Iterator[Row]:
    lines = _heading_lines(text)
    findings = []
    rows = []
    for kind, values_of_rows in tables.items():
        if kind not in KINDS:
            line = lines.get((kind, 1)) or _line_of(text, kind)
            findings.append(_finding(folder, line, f"there are no rows '{kind}'{nearest(kind, KINDS)}"))
            continue
        if not isinstance(values_of_rows, list) or not all(isinstance(values, dict) for values in values_of_rows):
            message = f"a row is a table of its own: write [[{kind}]]"
            findings.append(_finding(folder, _line_of(text, kind), message))
            continue
        for number, values in enumerate(values_of_rows, 1):
            row = Row(folder, kind, number, lines.get((kind, number), 1), values)
            findings += [_finding(folder, row.line, message) for message in _problems(row)]
            rows.append(row)
    if findings:
        raise FaultyRulebook(findings)
    yield from rows


def _problems(row: Row) -> Iterator[str]:
    """What is wrong with the keys and values of a row."""
    kind = KINDS[row.kind]
    for key, value in row.values.items():
        if key not in kind.keys:
            yield f"a row '{row.kind}' has no key '{key}'{nearest(key, kind.keys)}"
        elif not _fits(value, kind.keys[key]):
            yield f"'{key}' is to be {kind.keys[key]}"
    for key in kind.needs:
        if key not in row.values:
            yield f"a row '{row.kind}' needs the key '{key}'"
    if kind.placed and "record" in row.values and (others := {"moves", "position"} & set(row.values)):
        yield f"'record' and '{min(others)}' both say where: keep one of them"
    if "record" in row.values and (others := {"players", "seats", "board", "start"} & set(row.values)):
        yield f"a record names its own seats, board and start: leave '{min(others)}' out"
    if row.kind == "legal" and not {"moves", "record"} & set(row.values):
        yield "a row 'legal' needs 'moves' or a 'record'"
    for key in ("counts", "rules", "breaks", "points"):
        if row.values.get(key) in ([], {}):
            yield f"'{key}' is empty, so nothing is tested"
    if kind.answers and row.answer not in kind.answers:
        yield f"'answer' is to be {' or '.join(kind.answers)}{nearest(row.answer, kind.answers)}"


def _fits(value: object, wanted: str) -> bool:
    if wanted in (_TABLE_OF_TEXTS, _TABLE_OF_NUMBERS):
        of = str if wanted == _TABLE_OF_TEXTS else int
        return isinstance(value, dict) and all(type(v) is of for v in value.values())
    if wanted in (_TEXTS, _NUMBERS):
        of = str if wanted == _TEXTS else int
        return isinstance(value, list) and all(type(v) is of for v in value)
    if wanted == _YES_OR_NO:
        return type(value) is bool
    return type(value) is str if wanted == _TEXT else type(value) is int and value > 0


def _heading_lines(text: str) -> dict[tuple[str, int], int]:
    """The line of each heading ``[[KIND]]``, by kind and number."""
    seen: Counter[str] = Counter()
    lines = {}
    for number, line in enumerate(lines_of(text), 1):
        if match := re.match(r"\s*\[\[\s*([\w-]+)\s*\]\]", line):
            seen[match[1]] += 1
            lines[match[1], seen[match[1]]] = number
    return lines


def _line_of(text: str, key: str) -> int:
    """The line on which a top-level key stands; 1 if it is not found."""
    pattern = re.compile(rf"\s*\[*\s*{re.escape(key)}\b")
    return next((number for number, line in enumerate(lines_of(text), 1) if pattern.match(line)), 1)


def _finding(folder: Path, line: int, message: str) -> Finding:
    return Finding(str(folder / FILE), line, 1, "tests", message)
