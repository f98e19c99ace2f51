"""Reads a table of cases for a game's rules: where each bites, where it does not. See kaiser_rules.txt."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Case:
    """An action in a position, and what is said of it."""

    rule: str
    bites: bool
    at: str
    role: str
    action: str
    message: str
    details: dict[str, str] = field(default_factory=dict, hash=False)

    def words(self, name: str) -> set[str]:
        """The words of a detail; empty where it is not given."""
        return set(self.details.get(name, "").split())

    def __str__(self) -> str:
        """The case in short."""
        return f"{self.rule}-{self.at}-{self.role}-{self.action}"


def read_cases(file: Path) -> list[Case]:
    """All cases of a table, in order."""
    cases: list[Case] = []
    rule = name = ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("%"):
            continue
        if line.startswith("rule "):
            rule = line[5:]
        elif line[0] in "!.":
            at, action, message, *_ = (*(part.strip() for part in line[1:].split(" | ")), "")
            role, _, action = action.partition(": ")
            cases.append(Case(rule, line[0] == "!", at, role, action, message))
        elif line.startswith("     "):
            cases[-1].details[name] += " " + line.strip()
        else:
            name, _, value = line.strip().partition(" ")
            assert name in ("facts", "absent", "change", "edition", "option", "others", "silent"), line
            cases[-1].details[name] = value
    return cases
