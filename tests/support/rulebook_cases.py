"""Tables of small rulebooks with questions or mistakes: changes of the heap game, or files of their own.

= HEAD
NAME TEXT           a detail; several of one name stay in order
- OLD               lines of a rulebook that exists, and
+ NEW               what takes their place; several lines of one sign belong together
file NAME           a file of its own, indented below
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from support.tables import TESTS


@dataclass
class Entry:
    """An entry of a table: its head, details, changes of lines, and files."""

    head: str
    details: list[tuple[str, str]] = field(default_factory=list)
    changes: list[tuple[list[str], list[str]]] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)

    def detail(self, name: str) -> str:
        """The last text of a detail, empty without one."""
        return next((text for its, text in reversed(self.details) if its == name), "")

    @property
    def lines(self) -> dict[str, str]:
        return {"\n".join(old): "\n".join(new) for old, new in self.changes}


def entries(path: Path) -> list[Entry]:
    return list(_entries(path.read_text(encoding="utf-8").splitlines()))


def changes(table: str) -> dict[str, dict[str, str]]:
    """The changes of lines in a table, such as `printing/changes`, by their heads."""
    return {one.head: one.lines for one in entries(TESTS / f"{table}.cases")}


def _entries(lines: list[str]) -> Iterator[Entry]:
    entry, file = None, ""
    for line in lines:
        sign, rest = line[:2], line[2:]
        if line.startswith("    ") and file and entry:
            entry.files[file] += line[4:] + "\n"
        elif not line.strip() or line[0] == "%":
            continue
        elif sign == "= ":
            if entry:
                yield entry
            entry, file = Entry(rest), ""
        elif entry and sign == "- ":
            if not entry.changes or entry.changes[-1][1]:
                entry.changes.append(([], []))
            entry.changes[-1][0].append(rest)
        elif entry and line[0] == "+":
            entry.changes[-1][1].append(rest)
        elif entry and line.startswith("file "):
            file = line[5:]
            entry.files[file] = ""
        elif entry:
            name, _, text = line.partition(" ")
            entry.details.append((name, text))
    if entry:
        yield entry
