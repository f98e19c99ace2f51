"""Rules that are kept between processes as plain data, so that nobody need read them again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..cache import Store, folder, store, tool
from .rule import Occurrence, Rule, by_place


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
