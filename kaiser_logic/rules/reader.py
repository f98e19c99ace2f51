"""Rules and terms of :mod:`kaiser_logic.lang` in the form in which most parts look at them: atoms with patterns and places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from ..cache import Store, folder, store, tool
from ..errors import FaultyRulebook, Finding
from ..lang import reader
from ..lang import terms as lang
from ..lang.printer import Layout, show_term
from ..lang.reader import read_all
from .pattern import Pattern, anonymous
from .rule import HEAD, INNER, NEGATIVE, POSITIVE, Occurrence, Rule, by_place

_SIGNS = (POSITIVE, NEGATIVE, INNER)


def rule_from(
    value: lang.Rule, file: str = "", line: int = 0, block: str | None = None, column: int = 0
) -> Rule:
    """A value as a rule, at its place in a file."""
    found = Layout()
    found.rule(value)
    patterns = Patterns()
    atoms = []
    for k, (atom, inner, start, end, spans) in enumerate(found.atoms):
        place = HEAD if k < found.heads else INNER if inner else _SIGNS[atom.sign]
        atoms.append(Occurrence(atom.name, patterns.all(atom.args), place, start, end, spans))
    cuts = tuple(found.cuts)
    return Rule(found.text, tuple(atoms), *by_place(atoms), cuts, file, line, block, column, value)


@lru_cache(maxsize=20_000)
def rule_of(text: str) -> Rule:
    """A rule that stands in no file, read from its text."""
    return rule_from(reader.read_rule(text))


def condition_rule(condition: str) -> Rule:
    """A rule of which the body is the condition of a sentence.

    Raises:
        Refused: It cannot be read.
    """
    return rule_from(lang.Rule(lang.Atom("_told", ()), reader.read_body(condition)))


def read_term(text: str) -> Pattern:
    """The pattern of a term as text."""
    return Patterns().of(reader.read_term(text))


def term_of(pattern: Pattern) -> lang.Term:
    """The term of a pattern.

    >>> show_term(term_of(("f", "near", (("v", "X"), ("c", "-1")))))
    'near(X,-1)'

    Raises:
        Refused: A part of it is not looked into.
    """
    if pattern[0] == "f":
        return lang.Fun(pattern[1], tuple([term_of(part) for part in pattern[2]]))
    text = str(pattern[1])
    if pattern[0] == "c":
        return reader.read_term(text)
    if text[:2] == "_?":
        raise lang.Refused(lang.NOWHERE, "a calculation, a range, a tuple or a pool of different terms")
    return lang.ANY if anonymous(pattern) else lang.Var(text)


class Patterns:
    """The patterns of a rule's terms: what they do not say is a variable of its own, wherever it stands."""

    def __init__(self) -> None:
        """None so far."""
        self._fresh = 0

    def all(self, terms: tuple[lang.Term, ...]) -> tuple[Pattern, ...]:
        """The patterns of several terms."""
        return tuple([self.of(term) for term in terms])

    def of(self, term: lang.Term) -> Pattern:
        """The pattern of a term."""
        found: Any = term
        kind = type(term)
        if kind is lang.Var:
            return ("v", found.name) if found.name != "_" else self._variable("")
        if kind is lang.Name and found.text[0] != "#":
            return ("c", found.text)
        if kind is lang.Int:
            return ("c", str(found.value))
        if kind is lang.Fun and found.name:
            return ("f", found.name, self.all(found.args))
        if kind is lang.Text:
            return ("c", show_term(term))
        if kind is lang.Pool:
            shapes = {(t.name, len(t.args)) if isinstance(t, lang.Fun) else ("", 0) for t in found.terms}
            (name, arity), *others = shapes
            if name and not others:  # of a pool only that it has so many arguments
                return ("f", name, tuple([self._variable("?") for _ in range(arity)]))
        return self._variable("?")

    def _variable(self, mark: str) -> Pattern:
        """A variable that stands for what is not looked into (``?``), or for anything."""
        self._fresh += 1
        return ("v", f"_{mark}{self._fresh}")


# -- parsing -------------------------------------------------------------------------------------------------
#
# Logic programs of ours as rules, with their places; what cannot be read, and what is no rule, is refused.


def parse_rules(text: str, file: str = "", blocks: Iterable[tuple[int, str | None]] = ()) -> list[Rule]:
    """The rules of a logic program of ours (never a stranger's text).

    Args:
        text: The program.
        file: The file that the rules are said to be from.
        blocks: From which line on the rules belong to which documented rule; None ends a block.

    Raises:
        FaultyRulebook: It cannot be read, or has something else than rules.
    """
    rules, findings = parsed(text, file, file, blocks)
    if findings:
        raise FaultyRulebook(findings)
    return rules


def parsed(
    text: str, file: str, path: str, blocks: Iterable[tuple[int, str | None]]
) -> tuple[list[Rule], list[Finding]]:
    """The rules of a program, and what cannot be read or is no rule."""
    values, refused = read_all(text, file)
    starts = sorted(blocks, key=lambda b: b[0], reverse=True)
    rules = []
    for value in values:
        _, line, column = value.place
        block = next((id for start, id in starts if start < line), None)
        rules.append(rule_from(value, file, line, block, column))
    return rules, [Finding(path, r.place.line, r.place.column, r.kind, r.message) for r in refused]


# -- rule cache ----------------------------------------------------------------------------------------------
#
# Rules that are kept between processes as plain data, so that nobody need read them again.


def rule_store(*texts: str) -> Store | None:
    """Where the rules of some texts are kept; None where nothing is kept."""
    if folder() is None:
        return None
    ours = tool("lang", "rules")
    return store("rules", ours, *texts) if ours else None


def cached_rules(where: Store | None, file: str, read: Callable[[], Sequence[Rule]]) -> list[Rule]:
    """The rules of a file: the kept ones, or else those that are read now."""
    found = where.get(file) if where is not None else None
    if found is not None:
        return unpacked(found, file)
    rules = list(read())
    if where is not None:
        cache_rules(where, rules)
    return rules


def cache_rules(where: Store, rules: Iterable[Rule]) -> None:
    """Keeps all rules, each file's under its name."""
    files: dict[str, list[Any]] = {}
    for rule in rules:
        atoms = tuple((a.name, a.args, a.place, a.start, a.end, a.spans) for a in rule.atoms)
        files.setdefault(rule.file, []).append(
            (rule.text, atoms, rule.cuts, rule.line, rule.block, rule.column)
        )
    for file, its in files.items():
        where.put(file, tuple(its))


def unpacked(data: Iterable[Any] | None, file: str) -> list[Rule]:
    """The rules of a file, as they were kept."""
    return [_rule(file, *values) for values in data or ()]


def _rule(
    file: str,
    text: str,
    atoms: Iterable[Any],
    cuts: tuple[tuple[int, int], ...],
    line: int,
    block: str | None,
    column: int,
) -> Rule:
    found = tuple(Occurrence(*atom) for atom in atoms)
    return Rule(text, found, *by_place(found), cuts, file, line, block, column)
