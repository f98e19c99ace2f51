"""The outline of a printed rulebook, as ``book.toml`` in the game's folder says it.

Such as::

    aim = "Who has most points after five rounds wins."
    components = "- 12 stones"
    course = "Players take turns ..."

    [[chapters]]
    title = "The course of a turn"
    text = "What one should know before the rules."
    rules = ["take", "take.*", "file:play"]

    [[chapters.parts]]
    title = "Special cases"
    rules = ["pass_on"]

    [tables.prices]
    title = "What everything costs"
    after = "take"

    [words]
    "head(cost)" = "Price"

``rules`` lists ids, beginnings of ids (``take.*``: all that begin with ``take.``) and whole files (``file:play``), in the
order of reading. What one entry names by its id no beginning and no file brings in again. A table stands below its rule;
``words`` are phrases for what is in the tables. Without such a file there is a chapter for each file of rules.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ..errors import FaultyRulebook, Finding
from ..rules.places import nearest, toml_error
from ..rules.predicates import of_engine
from ..rules.rulebook import Rulebook, RuleDoc

FILE: Final = "book.toml"
PRINTED: Final = ("rule", "data")
"""The kinds of documented rules that stand in the chapters; the others stand in the appendix."""
_TEXTS: Final = ("aim", "components", "course", "sources")
_KEYS: Final = {**dict.fromkeys(_TEXTS, str), "chapters": list, "tables": dict, "words": dict}
_CHAPTER: Final = {"title": str, "text": str, "rules": list, "parts": list}
_TABLE: Final = {"title": str, "after": str}


@dataclass(frozen=True)
class Chapter:
    """A chapter, or a part of one: its heading, a text before the rules, and the rules by id in the order of reading."""

    title: str
    text: str = ""
    rules: tuple[str, ...] = ()
    parts: tuple[Chapter, ...] = ()

    def all_rules(self) -> Iterator[str]:
        """The rules of the chapter and of its parts."""
        yield from self.rules
        for part in self.parts:
            yield from part.all_rules()


@dataclass(frozen=True)
class Outline:
    """What ``book.toml`` says.

    Attributes:
        aim: What the players are after.
        components: What lies in the box.
        course: How a game goes, before the details.
        sources: How the printed texts are cited.
        chapters: The chapters in the order of play.
        left: Documented rules that no chapter names.
        tables: For each table of ``book.lp`` its title and the rule that it stands below.
        words: Phrases for the tables, by pattern.
    """

    aim: str = ""
    components: str = ""
    course: str = ""
    sources: str = ""
    chapters: tuple[Chapter, ...] = ()
    left: tuple[str, ...] = ()
    tables: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)


def outline(book: Rulebook) -> Outline:
    """The outline of a rulebook's print.

    Raises:
        FaultyRulebook: ``book.toml`` cannot be read, or names a rule that is none.
    """
    docs = [d for d in book.docs.values() if d.kind in PRINTED and not of_engine(d)]
    path = book.folder / FILE
    if not path.is_file():
        return Outline(chapters=tuple(_by_file(docs)))
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise FaultyRulebook([toml_error(path, error)]) from None
    return _Reader(path, docs).read(said)


def _by_file(docs: Iterable[RuleDoc]) -> Iterator[Chapter]:
    """A chapter for each file of rules."""
    files: dict[str, list[str]] = {}
    for doc in docs:
        files.setdefault(doc.file, []).append(doc.id)
    for file, ids in files.items():
        yield Chapter(Path(file).stem.replace("_", " ").capitalize(), rules=tuple(ids))


class _Reader:
    """Reads one outline, and finds its faults."""

    def __init__(self, path: Path, docs: Iterable[RuleDoc]) -> None:
        self._path = path
        self._docs = {doc.id: doc for doc in docs}
        self._findings: list[Finding] = []
        self._taken: set[str] = set()

    def read(self, said: Mapping[str, Any]) -> Outline:
        self._check("", said, _KEYS)
        chapters = [c for c in said.get("chapters", ()) if self._check("chapters", c, _CHAPTER)]
        for chapter in chapters:
            self._note(chapter)
        made = tuple(map(self._chapter, chapters))
        tables = {name: t for name, t in said.get("tables", {}).items() if self._check(name, t, _TABLE)}
        for table in tables.values():
            if table.get("after") not in self._docs:
                self._fault(
                    f"there is no rule '{table.get('after')}'{nearest(str(table.get('after')), self._docs)}"
                )
        if self._findings:
            raise FaultyRulebook(self._findings)
        left = tuple(id for id in self._docs if id not in self._taken)
        placed = {name: (table.get("title", ""), table["after"]) for name, table in tables.items()}
        aim, components, course, sources = (said.get(key, "") for key in _TEXTS)
        return Outline(aim, components, course, sources, made, left, placed, said.get("words", {}))

    def _note(self, chapter: Mapping[str, Any]) -> None:
        """Which rules the chapter names by their ids: each stands there and nowhere else."""
        for name in chapter.get("rules", ()):
            if name in self._taken:
                self._fault(f"the rule '{name}' stands in two places")
            elif name in self._docs:
                self._taken.add(name)
            elif not name.endswith("*") and not name.startswith("file:"):
                self._fault(f"there is no rule '{name}'{nearest(name, self._docs)}")
        for part in chapter.get("parts", ()):
            if self._check("chapters.parts", part, _CHAPTER):
                self._note(part)

    def _chapter(self, said: Mapping[str, Any]) -> Chapter:
        rules = tuple(id for name in said.get("rules", ()) for id in self._named(name))
        parts = tuple(map(self._chapter, said.get("parts", ())))
        return Chapter(said.get("title", ""), said.get("text", ""), rules, parts)

    def _named(self, name: str) -> list[str]:
        """The rules that an entry brings in."""
        if name in self._docs:
            return [name]
        kind, _, file = name.partition(":")
        found = [
            id
            for id, doc in self._docs.items()
            if id not in self._taken
            and (Path(doc.file).stem == file if kind == "file" else id.startswith(name[:-1]))
        ]
        if not found:
            self._fault(f"'{name}' brings in no rule that stands nowhere else")
        self._taken.update(found)
        return found

    def _check(self, table: str, said: Any, known: Mapping[str, type]) -> bool:
        """Whether a table has only keys that are known, of the right types."""
        before = len(self._findings)
        where = f"[{table}]" if table else "the file"
        if not isinstance(said, dict):
            self._fault(f"{where} is to be a table")
            return False
        for key, value in said.items():
            if key not in known:
                self._fault(f"{where} has no key '{key}'{nearest(key, known)}")
            elif not isinstance(value, known[key]):
                self._fault(f"'{key}' in {where} is to be a {known[key].__name__}")
        return len(self._findings) == before

    def _fault(self, message: str) -> None:
        self._findings.append(Finding(str(self._path), 0, 0, "book", message))
