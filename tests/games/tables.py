"""Tables of cases of a game: the head of each table in `kaiser` explains its format, which all games share."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

Options = tuple[tuple[str, str], ...]
Details = dict[str, str]
_DETAILS = " facts absent change edition option others silent then without hints result "


def lines_of(file: Path) -> Iterator[str]:
    """The lines of a table without comments."""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("%"):
            yield line


def options_of(text: str) -> Options:
    """Rulings from a text of ``name=value`` words."""
    return tuple((name, value) for name, _, value in (word.partition("=") for word in text.split()))


@dataclass(frozen=True)
class Case:
    """An action in a position, and its expected judgement. ``breaks``: whether it breaks the rule."""

    rule: str
    breaks: bool
    at: str
    role: str
    action: str
    message: str
    details: Details = field(default_factory=dict, hash=False)

    def words(self, name: str) -> set[str]:
        return set(self.details.get(name, "").split())

    def __str__(self) -> str:
        return f"{self.rule}-{self.at}-{self.role}-{self.action}"


@dataclass(frozen=True)
class Course:
    """A position, the moves from there, and the facts after them. ``heading``: what it is about."""

    heading: str
    at: str
    moves: tuple[str, ...]
    details: Details = field(default_factory=dict, hash=False)

    @property
    def ruling(self) -> tuple[str, str] | None:
        """The ruling that the course tests, and its value."""
        kind, _, rest = self.heading.partition(" ")
        name, _, value = rest.partition("=")
        return (name, value) if kind == "ruling" else None

    @property
    def options(self) -> dict[str, str]:
        """The rulings that the course sets, with the one that it tests."""
        return dict((*options_of(self.details.get("option", "")), *([self.ruling] if self.ruling else [])))

    def __str__(self) -> str:
        return f"{self.heading}-{self.at}-{'-'.join(self.moves)}"[:100]


@dataclass(frozen=True)
class Invalid:
    """A position, a change of it, and the invariants that are broken after it (none: it is valid)."""

    invariants: frozenset[str]
    at: str
    change: str
    options: Options = ()

    def __str__(self) -> str:
        return f"{self.at}: {self.change}"


def read_cases(file: Path) -> list[Case]:
    made: list[Case] = []
    rule = ""
    for line, details in _entries(file):
        if line.startswith("rule "):
            rule = line[5:]
        else:
            at, action, message, *_ = (*(part.strip() for part in line[1:].split(" | ")), "")
            role, _, action = action.partition(": ")
            made.append(Case(rule, line[0] == "!", at, role, action, message, details))
    return made


def read_courses(file: Path) -> list[Course]:
    made: list[Course] = []
    heading = ""
    for line, details in _entries(file):
        if line.startswith("= "):
            at, _, moves = line[2:].partition("|")
            split = tuple(m.strip() for m in moves.split(" ; ") if m.strip())
            made.append(Course(heading, at.strip(), split, details))
        else:
            heading = line
    return made


def read_invalid(file: Path) -> list[Invalid]:
    rows = [(*(part.strip() for part in line.split("|")), "") for line in lines_of(file)]
    return [Invalid(frozenset(i.split()), at, change, options_of(o)) for i, at, change, o, *_ in rows]


def _entries(file: Path) -> Iterator[tuple[str, Details]]:
    """The unindented lines, each with the details below it."""
    entry, name = ("", Details()), ""
    for line in lines_of(file):
        if line.startswith("     "):
            entry[1][name] += " " + line.strip()
        elif line.startswith(" "):
            name, _, value = line.strip().partition(" ")
            assert f" {name} " in _DETAILS, line
            entry[1][name] = value
        else:
            if entry[0]:
                yield entry
            entry = (line, {})
    yield entry
