"""Logic programs of ours as rules, with their places; what cannot be read, and what is no rule, is refused."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import FaultyRulebook, Finding
from ..lang.reader import read_all
from .reader import rule_from
from .rule import Rule


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
