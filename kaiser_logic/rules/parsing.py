"""Logic programs of ours as rules: clingo reads them, and what is no rule is refused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from ..clingo import release_nothing_at_exit
from ..errors import FaultyRulebook, Finding
from .reader import read_rule
from .rule import Rule

_PART: Final = re.compile(
    r""""(?:[^"\\\n]|\\.)*"|(?P<comment>%\*.*?\*%|%[^\n]*)|(?P<unread>#include\b|[^\t\n\r\x20-\x7e])""",
    re.DOTALL,
)
"""Texts, comments, and what clingo must not see: it would read another file, or end the process over half a character."""
_MESSAGE: Final = re.compile(r"<string>:(\d+):(\d+)(?:-[\d:]+)?: error: (.*)")


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
    from clingo import ast

    release_nothing_at_exit()
    nodes: list[Any] = []
    messages: list[str] = []
    bare, unread = _bare(text, path)
    if unread is not None:
        return [], [unread]
    try:
        ast.parse_string(bare, nodes.append, logger=lambda _, message: messages.append(message))
    except (RuntimeError, ValueError) as error:
        return [], list(_syntax_errors(messages or [str(error)], path))
    starts = sorted(blocks, key=lambda b: b[0], reverse=True)
    rules, findings = [], []
    for node in nodes:
        if node.ast_type == ast.ASTType.Rule:
            line = node.location.begin.line
            block = next((id for start, id in starts if start < line), None)
            rules.append(read_rule(str(node), node, file, line, block))
        elif node.ast_type != ast.ASTType.Comment and str(node) != "#program base.":
            begin = node.location.begin
            message = f"only rules are allowed, not: {' '.join(str(node).split())[:80]}"
            findings.append(Finding(path, begin.line, begin.column, "directive", message))
    return rules, findings


def _bare(text: str, path: str) -> tuple[str, Finding | None]:
    """The text with blanks for comments that end with their line, and the first thing that clingo must not see.

    clingo makes a syntax tree of each comment, which takes as long as a rule. What has other comments stays as it is.
    """
    whole = "%*" in text
    parts: list[str] = []
    at = 0
    for match in _PART.finditer(text):
        if match.lastgroup == "unread":
            return "", _unread(text, match, path)
        if match.lastgroup == "comment" and not whole:
            parts += text[at : match.start()], " " * len(match[0])
            at = match.end()
    return "".join((*parts, text[at:])), None


def _unread(text: str, match: re.Match[str], path: str) -> Finding:
    """That something cannot be read here."""
    line = text.count("\n", 0, match.start()) + 1
    column = match.start() - text.rfind("\n", 0, match.start())
    if match[0] == "#include":
        message = "only rules are allowed, not: #include; the manifest's 'files' names the programs"
        return Finding(path, line, column, "directive", message)
    return Finding(path, line, column, "syntax", f"{match[0]!r} stands outside of texts and comments")


def _syntax_errors(messages: Iterable[str], path: str) -> Iterator[Finding]:
    """What clingo could not read; that a file then ends too early is only said where nothing else is."""
    found = [m for m in map(_MESSAGE.match, messages) if m]
    for match in [m for m in found if "unexpected EOF" not in m[3]] or found[:1]:
        said = match[3].removeprefix("syntax error, ")
        said = "the rule has no end: a point is missing" if said.startswith("unexpected EOF") else said
        yield Finding(path, int(match[1]), int(match[2]), "syntax", said)
    if not found:
        yield Finding(path, 0, 0, "syntax", "; ".join(messages))
