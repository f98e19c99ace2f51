"""Finds the places of mistakes in a rulebook's files, and the nearest known name for an unknown one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from ..errors import Finding
from ..lang.reader import lines_of, statement
from ..lang.terms import Signature
from .rule import PlacedRule


def finding_at(folder: Path, rule: PlacedRule, what: str, message: str, *words: str) -> Finding:
    """Makes a finding in a rule, at the first of the words that occurs in it, otherwise at its beginning.

    Args:
        folder: The rulebook's folder.
        rule: A rule of one of its files.
        what: The kind of mistake.
        message: The message for the reader.
        words: Names or strings as the file has them, the most specific one first.
    """
    path = folder / Path(rule.file).name
    line, column = rule.line, max(1, rule.column)
    below = _lines(path, path.stat().st_mtime_ns if path.is_file() else 0)[max(0, line - 1) :] or ("",)
    first = " " * (column - 1) + below[0][column - 1 :]
    lines = statement("\n".join((first, *below[1:]))).split("\n")
    for word in filter(None, words):
        pattern = re.compile(rf"(?<![\w']){re.escape(word)}(?![\w'])")
        for number, text in enumerate(lines):
            bare = text.partition("%")[0] if word[0] != '"' else text
            match = pattern.search(bare)
            if match:
                return Finding(str(path), line + number, match.start() + 1, what, message)
    return Finding(str(path), line, column, what, message)


@lru_cache(maxsize=8)
def _lines(path: Path, changed: int) -> tuple[str, ...]:
    """The lines of a file, cached for all its findings; ``changed`` is the time of its last change, 0 if there is no file."""
    return tuple(lines_of(path.read_text(encoding="utf-8"))) if changed else ()


def nearest(name: str, known: Iterable[str]) -> str:
    """The hint that another name is meant; empty if no known name is near.

    >>> nearest("hepa", ["heap", "take"])
    "; did you mean 'heap'?"
    """
    from difflib import get_close_matches

    matches = get_close_matches(name, list(dict.fromkeys(known)), 1, 0.55)
    return f"; did you mean '{matches[0]}'?" if matches else ""


def signature_text(signature: Signature) -> str:
    """The text of a signature, such as ``heap/1``."""
    return f"{signature[0]}/{signature[1]}"


def toml_error(path: Path, error: tomllib.TOMLDecodeError) -> Finding:
    """The finding for a TOML file that cannot be parsed, at the place of the error."""
    text = path.read_text(encoding="utf-8")
    if text.startswith("\ufeff"):
        return Finding(
            str(path), 1, 1, "syntax", "the file begins with a byte order mark (U+FEFF): save it without one"
        )
    match = re.search(r"(.*) \(at line (\d+), column (\d+)\)", str(error), re.DOTALL)
    if match is None:
        lines = max(1, text.count("\n"))
        return Finding(str(path), lines, 1, "syntax", str(error).partition(" (at end")[0])
    return Finding(str(path), int(match[2]), int(match[3]), "syntax", match[1])
