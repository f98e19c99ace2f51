"""Tables of cases for a game's rules: actions that break a rule or are legal, positions that are invalid, and courses.

The heads of Kaiser's rules.cases and invalid.cases explain the formats, which all games share. The assertions about a case
are here too, so that the tests of a game only provide their tables and positions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kaiser_logic.evaluation.explanation import allows
from kaiser_logic.lang.unification import CONSTANTS, label
from kaiser_logic.position import Position
from kaiser_logic.rules.rulebook import Rulebook

Options = tuple[tuple[str, str], ...]
_DETAILS = ("facts", "absent", "change", "edition", "option", "others", "silent")


# -- rules that an action can break ------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """An action in a position, and its expected judgement. ``breaks``: whether it breaks the rule."""

    rule: str
    breaks: bool
    at: str
    role: str
    action: str
    message: str
    details: dict[str, str] = field(default_factory=dict, hash=False)

    def words(self, name: str) -> set[str]:
        """The words of a detail; empty if the case does not have it."""
        return set(self.details.get(name, "").split())

    @property
    def options(self) -> Options:
        """The rulings that the case sets."""
        return options_of(self.details.get("option", ""))

    def position(self, named: Callable[[str, str, str, Options], Position]) -> Position:
        """The case's position: the named one, with its changes, edition and options."""
        edition = self.details.get("edition", "standard")
        return named(self.at, self.details.get("change", ""), edition, self.options)

    def __str__(self) -> str:
        """A short name of the case."""
        return f"{self.rule}-{self.at}-{self.role}-{self.action}"


def options_of(text: str) -> Options:
    """Rulings from a text of ``name=value`` words."""
    return tuple((name, value) for name, _, value in (word.partition("=") for word in text.split()))


def read_cases(file: Path) -> list[Case]:
    """All cases of a table, in order."""
    cases: list[Case] = []
    rule = name = ""
    for line in _lines(file):
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
            assert name in _DETAILS, line
            cases[-1].details[name] = value
    return cases


def breaking_lines(book: Rulebook) -> Counter[str]:
    """The number of lines of the rulebook by which an action can break each rule."""
    found: Counter[str] = Counter()
    places = {("violates", 3): 2, ("effect_violates", 3): 2, ("out_of_turn", 2): 1}
    for rule in book.rules:
        for head in rule.heads:
            at = places.get(head.signature)
            if at is not None and isinstance(head.args[at], CONSTANTS):
                found[label(head.args[at]).strip('"')] += 1
    return found


def assert_all_rules_have_cases(book: Rulebook, cases: list[Case]) -> None:
    """For each rule, at least as many cases break it as it has lines, and at least one case does not."""
    lines = breaking_lines(book)
    breaking, legal = (
        Counter(c.rule for c in cases if c.breaks),
        Counter(c.rule for c in cases if not c.breaks),
    )
    assert lines.keys() == breaking.keys() == legal.keys()
    assert not {id: n for id, n in lines.items() if breaking[id] < n}


def assert_breaks(case: Case, at: Position) -> None:
    """The action breaks the rule, and its explanation is that of the table."""
    found = {v.rule: v for v in at.why(case.role, case.action)}
    assert not at.is_legal(case.role, case.action)
    if "others" not in case.details:
        assert set(found) == {case.rule}
    elif case.words("others"):
        assert set(found) == {case.rule} | case.words("others")
    else:
        assert set(found) > {case.rule}
    violation = found[case.rule]
    assert violation.message == case.message
    assert set(violation.facts) == case.words("facts")
    assert set(violation.absent) == case.words("absent")
    doc, texts = at.ruleset.book.doc(case.rule), at.ruleset.texts
    assert violation.statement == texts.statement(doc)
    assert violation.sources == texts.sources(doc)


def assert_legal(case: Case, at: Position) -> None:
    """The action breaks no rule, and it is listed."""
    assert at.why(case.role, case.action) == []
    assert at.is_legal(case.role, case.action)
    assert case.action in at.legal()[case.role]


def assert_allows(case: Case, at: Position) -> None:
    """The rule is among those that allow the legal action, unless the case has the detail ``silent``."""
    found = allows(at.ruleset, at.symbols, case.role, case.action)
    ids = [rule for rule, _, _ in found]
    assert len(ids) == len(set(ids))
    assert (case.rule in ids) != ("silent" in case.details)
    for rule, statement, facts in found:
        assert statement == at.ruleset.texts.statement(at.ruleset.book.doc(rule))
        assert at.facts.issuperset(facts)
        assert list(facts) == at.ruleset.book.sort_facts(facts)


# -- invalid positions --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Invalid:
    """A position, a change of it, and the invariants that are broken after it (none: it is valid)."""

    invariants: frozenset[str]
    at: str
    change: str
    options: Options = ()

    def __str__(self) -> str:
        """A short name of the case."""
        return f"{self.at}: {self.change}"


def read_invalid(file: Path) -> tuple[Invalid, ...]:
    """All cases of a table, in order."""
    rows = [(*(part.strip() for part in line.split("|")), "") for line in _lines(file)]
    return tuple(Invalid(frozenset(i.split()), at, change, options_of(o)) for i, at, change, o, *_ in rows)


# -- courses -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Course:
    """A position, the moves from there, and the facts after them: see courses.cases."""

    heading: str
    at: str
    moves: tuple[str, ...]
    details: dict[str, str] = field(default_factory=dict, hash=False)

    @property
    def ruling(self) -> tuple[str, str] | None:
        """The ruling that the course tests, and its value."""
        kind, _, rest = self.heading.partition(" ")
        name, _, value = rest.partition("=")
        return (name, value) if kind == "ruling" else None

    @property
    def options(self) -> Options:
        """The rulings that the course sets, with the one that it tests."""
        return (*options_of(self.details.get("option", "")), *([self.ruling] if self.ruling else []))

    def __str__(self) -> str:
        """A short name of the course."""
        return f"{self.heading}-{self.at}-{'-'.join(self.moves)}"[:100]


def read_courses(file: Path) -> list[Course]:
    """All courses of a table, in order."""
    found: list[Course] = []
    heading = name = ""
    for line in _lines(file):
        if line.startswith("= "):
            at, _, moves = line[2:].partition("|")
            found.append(
                Course(heading, at.strip(), tuple(m.strip() for m in moves.split(" ; ") if m.strip()))
            )
        elif line.startswith("     "):
            found[-1].details[name] += " " + line.strip()
        elif line.startswith("    "):
            name, _, value = line.strip().partition(" ")
            assert name in ("change", "option", "then", "without"), line
            found[-1].details[name] = value
        else:
            heading = line
    return found


def _lines(file: Path) -> Iterator[str]:
    for line in file.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("%"):
            yield line
