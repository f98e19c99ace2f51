"""A table of answers: one row for each answer. The key of a row is its command and its subject."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

TABLES: Final = Path(__file__).parent / "tables"
HEADING: Final = "command\tsubject\tanswer\tdetail"
_ESCAPED: Final = {"\t": "\\t", "\r": "\\r", "\n": "\\n", "\\": "\\\\"}
_PLAIN: Final = {written: plain for plain, written in _ESCAPED.items()}


class Row(NamedTuple):
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
        return self.command, self.subject

    def __str__(self) -> str:
        return "\t".join(map(_escaped, self))


def _escaped(text: str) -> str:
    return text.translate(str.maketrans(_ESCAPED))


def read_table(name: str) -> list[Row]:
    """The rows of a table on disk; none if nobody has written it."""
    path = TABLES / f"{name}.tsv"
    lines = path.read_text(encoding="utf-8").splitlines()[1:] if path.exists() else []
    return [Row(*(re.sub(r"\\.", lambda m: _PLAIN[m[0]], x) for x in line.split("\t"))) for line in lines]


def write_table(name: str, rows: Iterable[Row]) -> None:
    found = sorted(rows)
    assert len({row.key for row in found}) == len(found), "two rows have the same key"
    text = "".join(f"{line}\n" for line in (HEADING, *found))
    (TABLES / f"{name}.tsv").write_text(text, encoding="utf-8", newline="\n")


def differences(before: Iterable[Row], now: Iterable[Row]) -> Iterator[tuple[str, str]]:
    """For each row that differs ``gone``, ``new``, ``answer`` or ``detail``, and the row as it was and as it is."""
    old, new = ({row.key: row for row in rows} for rows in (before, now))
    for key in sorted(old.keys() | new.keys()):
        was, is_ = old.get(key), new.get(key)
        if was != is_:
            kind = "new" if not was else "gone" if not is_ else "answer"
            kind = "detail" if was and is_ and was.answer == is_.answer else kind
            rows = [
                f"        {sign} {_escaped(row.answer)}  ({_escaped(row.detail)})"
                for sign, row in (("-", was), ("+", is_))
                if row
            ]
            yield kind, "\n".join([f"  {kind:<6}  {key[0]}  [{key[1]}]", *rows])
