"""A rulebook in an editor: its findings, its documented rules, and the rule at a place of a file.

Texts that the user has typed but not saved replace the files of the folder.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from ..errors import Finding
from ..linting.lint import lint
from ..rules.library import asp_folder
from ..rules.rulebook import RuleDoc, read_docs

_ID: Final = re.compile(r"[A-Za-z_][\w]*(?:\.[\w]+)*")
_FILES: Final = ("*.lp", "*.toml")

Texts = Mapping[Path, str]
"""The texts that the user has typed but not saved, by file."""


@dataclass(frozen=True)
class Documented:
    """A documented rule and the place of its heading.

    Attributes:
        doc: Its id, statement and sources.
        path: The file.
        line: The line of the heading, from 1.
        last: The last line of the rule.
    """

    doc: RuleDoc
    path: Path
    line: int
    last: int

    @property
    def words(self) -> str:
        """The statement and the sources, as Markdown."""
        lines = [f"**{self.doc.id}** ({self.doc.kind})", "", self.doc.statement]
        if self.doc.why:
            lines += ["", f"*why not*: {self.doc.why}"]
        lines += [""] * bool(self.doc.sources) + [
            f"- {name}: {source}" for name, source in self.doc.sources.items()
        ]
        return "\n".join(lines)


def rulebook_of(path: Path) -> Path | None:
    """The folder of the rulebook that contains a file; None if it is in none."""
    return next((folder for folder in path.parents if (folder / "game.toml").is_file()), None)


def findings(folder: Path, typed: Texts) -> list[Finding]:
    """The findings of `lint` in a rulebook with unsaved texts. They name the files of the folder itself."""
    its = {path: text for path, text in typed.items() if path.parent == folder}
    if not its:
        return list(lint(folder))
    with tempfile.TemporaryDirectory(prefix="kaiser-logic-") as place:
        copy = Path(place) / folder.name
        copy.mkdir()
        for pattern in _FILES:
            for path in folder.glob(pattern):
                shutil.copyfile(path, copy / path.name)
        for path, text in its.items():
            (copy / path.name).write_text(text, encoding="utf-8")
        return [
            replace(
                one,
                file=str(folder / Path(one.file).name),
                message=one.message.replace(str(copy), str(folder)),
            )
            for one in lint(copy)
        ]


def documented(folder: Path, typed: Texts) -> dict[str, Documented]:
    """The documented rules of a rulebook and of the engine's files that it uses, by id."""
    found: dict[str, Documented] = {}
    for path in [*sorted(folder.glob("*.lp")), *_shared(folder)]:
        text = typed.get(path)
        if text is None:
            try:
                text = path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                continue
        docs, blocks, _ = read_docs(text, str(path))
        starts = [number for number, _ in blocks]
        for doc in docs:
            after = [number for number in starts if number > doc.line]
            last = min(after) - 1 if after else len(text.splitlines())
            found.setdefault(doc.id, Documented(doc, path, doc.line, last))
    return found


def _shared(folder: Path) -> list[Path]:
    """The engine's files that a rulebook uses."""
    try:
        named = tomllib.loads((folder / "game.toml").read_text(encoding="utf-8")).get("engine", ())
    except (OSError, ValueError):
        return []
    paths = [asp_folder() / "engine" / f"{name}.lp" for name in named if isinstance(name, str)]
    return [path for path in paths if path.is_file()]


def word_at(line: str, column: int) -> str:
    """The dotted name at a column (from 0) of a line; empty if there is none.

    >>> word_at('violates(R,A,"take.enough") :- x.', 17)
    'take.enough'
    """
    return next((m[0] for m in _ID.finditer(line) if m.start() <= column <= m.end()), "")


def at(rules: Mapping[str, Documented], path: Path, number: int, line: str, column: int) -> Documented | None:
    """The rule whose id is at a place; otherwise the rule to which the line (from 1) belongs."""
    named = rules.get(word_at(line, column))
    if named is not None and (f'"{named.doc.id}"' in line or line.startswith("%!") or "." in named.doc.id):
        return named
    return next((one for one in rules.values() if one.path == path and one.line <= number <= one.last), None)
