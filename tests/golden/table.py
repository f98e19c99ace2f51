"""A table of answers: one row for each answer. The key of a row is its command and its subject."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

TABLES: Final = Path(__file__).parent / "tables"
HEADING: Final = "command\tsubject\tanswer\tdetail"
_ESCAPED: Final = (("\\", "\\\\"), ("\t", "\\t"), ("\r", "\\r"), ("\n", "\\n"))


@dataclass(frozen=True, order=True)
class Row:
    """One answer.

    Attributes:
        command: The arguments of ``kaiser-logic``; the flags of :data:`.answers.FLAGS` are added to them.
        subject: The part of the question that the row answers: a claim, a rule, a depth; empty if there is one answer.
        answer: The verdict, the count or the broken rules, which a change of the implementation must not alter.
        detail: The reasons, messages or hashes, which may change with the wording.
    """

    command: str
    subject: str
    answer: str
    detail: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """The part of the row that stays the same when the answer changes."""
        return self.command, self.subject

    def __str__(self) -> str:
        return "\t".join(map(_escaped, (self.command, self.subject, self.answer, self.detail)))


def _escaped(text: str) -> str:
    for plain, written in _ESCAPED:
        text = text.replace(plain, written)
    return text


def _plain(text: str) -> str:
    """The text before it was escaped."""
    parts = text.split("\\\\")
    for plain, written in _ESCAPED[1:]:
        parts = [part.replace(written, plain) for part in parts]
    return "\\".join(parts)


def text_of(rows: Iterable[Row]) -> str:
    """The rows as the text of a file: sorted, with a heading above them."""
    found = sorted(rows)
    keys = [row.key for row in found]
    twice = sorted({key for key in keys if keys.count(key) > 1}) if len(set(keys)) < len(keys) else []
    if twice:
        raise ValueError(f"two rows have the same key: {twice[0]}")
    return "".join(f"{line}\n" for line in (HEADING, *found))


def rows_of(text: str) -> list[Row]:
    """The rows of a text that :func:`text_of` wrote."""
    heading, *lines = text.splitlines()
    if heading != HEADING:
        raise ValueError(f"this is not a table: it begins with {heading[:40]!r}")
    return [Row(*map(_plain, line.split("\t"))) for line in lines]


def read_table(name: str) -> list[Row]:
    path = TABLES / f"{name}.tsv"
    return rows_of(path.read_text(encoding="utf-8")) if path.exists() else []


def write_table(name: str, rows: Iterable[Row]) -> None:
    TABLES.mkdir(exist_ok=True)
    (TABLES / f"{name}.tsv").write_text(text_of(rows), encoding="utf-8", newline="\n")


@dataclass(frozen=True)
class Difference:
    """A row that has changed. ``before`` is None for a new row, and ``now`` for a row that is gone."""

    before: Row | None
    now: Row | None

    @property
    def kind(self) -> str:
        """``gone``, ``new``, ``answer`` or ``detail``."""
        if self.before is None or self.now is None:
            return "new" if self.before is None else "gone"
        return "detail" if self.before.answer == self.now.answer else "answer"

    def __str__(self) -> str:
        row = self.now or self.before
        assert row is not None
        heading = f"  {self.kind:<6}  {row.command}" + (f"  [{row.subject}]" if row.subject else "")
        lines = [heading]
        for sign, one in (("-", self.before), ("+", self.now)):
            if one is not None:
                lines.append(f"        {sign} {_escaped(one.answer)}" + _in_parentheses(one.detail))
        return "\n".join(lines)


def _in_parentheses(detail: str) -> str:
    return f"  ({_escaped(detail)})" if detail else ""


def differences(before: Iterable[Row], now: Iterable[Row]) -> Iterator[Difference]:
    old, new = {row.key: row for row in before}, {row.key: row for row in now}
    for key in sorted(old.keys() | new.keys()):
        if old.get(key) != new.get(key):
            yield Difference(old.get(key), new.get(key))
