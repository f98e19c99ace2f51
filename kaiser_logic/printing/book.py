"""The whole printed rulebook: chapters with numbered rules, their rulings and tables, and an appendix."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from .. import clingo
from ..engine import symbols
from ..engine.configuration import configure
from ..engine.grounding import Grounding
from ..engine.ruleset import Ruleset
from ..errors import FaultyRulebook, Finding, WrongUsage
from ..rules.loader import label, parse_rules
from ..rules.phrases import Phrases
from ..rules.places import nearest, toml_error
from ..rules.rule_texts import RuleTexts
from ..rules.rulebook import DEFAULT_EDITION, Rulebook, RuleDoc, Ruling

# -- tables --------------------------------------------------------------------------------------------------
#
# ``book.lp`` in the game's folder derives the tables of a printed rulebook from its static facts.
#
# * ``table(Order,Table)``, ``column(Table,Order,Column)``, ``row(Table,Order,Row)``: tables and their headings;
# * ``cell(Table,Row,Column,Order,Term)``: one of the terms in a cell; a column without terms is left out.
#
# Drawings use the same predicates. The phrase of a term comes from ``[words]`` in ``book.toml``, otherwise from the game's
# own phrases; ``head(Column)`` is the heading of a column, ``corner(Table)`` the heading above the names of the rows.


# -- prose ---------------------------------------------------------------------------------------------------
#
# The texts of ``book.toml`` have paragraphs and lists: a blank line ends a block, ``- `` begins an item of a list.


@dataclass(frozen=True)
class Block:
    """A paragraph or a list; a paragraph has one item."""

    is_list: bool
    items: tuple[str, ...]


def blocks(text: str) -> tuple[Block, ...]:
    r"""Splits a text into blocks.

    >>> [(b.is_list, b.items) for b in blocks('In order\nof play:\n\n- set-up\n- five\n  rounds')]
    [(False, ('In order of play:',)), (True, ('set-up', 'five rounds'))]
    """
    all_blocks = []
    for part in re.split(r"\n\s*\n", text.strip()):
        lines = part.strip().splitlines()
        if lines and lines[0].lstrip().startswith("- "):
            all_blocks.append(Block(True, tuple(_items(lines))))
        elif lines:
            all_blocks.append(Block(False, (" ".join(" ".join(lines).split()),)))
    return tuple(all_blocks)


def _items(lines: Sequence[str]) -> list[str]:
    """The items of a list; a line that does not begin an item continues the last one."""
    items: list[str] = []
    for line in lines:
        bare = line.strip()
        if bare.startswith("- "):
            items.append(bare[2:].strip())
        else:
            items[-1] += f" {bare}"
    return items


TABLES_FILE: Final = "book.lp"
_PHRASES: Final = "english.toml"


@dataclass(frozen=True)
class BookTable:
    """A table as text: its name, its headings, and its rows. The first column has the names of the rows."""

    name: str
    heading: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables(rules: Ruleset, words: Mapping[str, str]) -> tuple[BookTable, ...]:
    """Returns the tables of a rulebook under a configuration; none if there is no ``book.lp``.

    Args:
        rules: The rules in force; only their static facts are read.
        words: Phrases by pattern; they take precedence over those of the game.

    Raises:
        FaultyRulebook: ``book.lp`` cannot be read.
    """
    path = rules.book.folder / TABLES_FILE
    if not path.is_file():
        return ()
    made = parse_rules(path.read_text(encoding="utf-8"), label(rules.book.folder, TABLES_FILE.removesuffix(".lp")))
    grounding = Grounding(rules.complete(tuple(made)), ())
    columns, rows = grounding.get("column", 3), grounding.get("row", 3)
    cells: dict[tuple[clingo.Symbol, ...], list[clingo.Symbol]] = defaultdict(list)
    for cell in sorted(grounding.get("cell", 5), key=lambda s: s.arguments[3]):
        cells[tuple(cell.arguments[:3])].append(cell.arguments[4])
    phrases = _phrases(rules, words)

    def entries_under(headings: list[clingo.Symbol], name: clingo.Symbol) -> list[clingo.Symbol]:
        return [s.arguments[2] for s in sorted(headings) if s.arguments[0] == name]

    def table(name: clingo.Symbol) -> BookTable:
        down = entries_under(rows, name)
        across = [c for c in entries_under(columns, name) if any((name, r, c) in cells for r in down)]
        heading = (_word(phrases, "corner", name), *(_word(phrases, "head", c) for c in across))
        lines = (
            (
                phrases.short_phrase(str(r)),
                *(", ".join(phrases.short_phrase(str(t)) for t in cells[name, r, c]) for c in across),
            )
            for r in down
        )
        return BookTable(symbols.text(name), heading, tuple(lines))

    return tuple(table(s.arguments[1]) for s in sorted(grounding.get("table", 2)))


def _word(phrases: Phrases, kind: str, term: clingo.Symbol) -> str:
    """The phrase for a heading. If there is none, the phrase of the term itself; for a corner, nothing."""
    wanted = f"{kind}({term})"
    text = phrases.short_phrase(wanted)
    return text if text != wanted else "" if kind == "corner" else phrases.short_phrase(str(term))


def _phrases(rules: Ruleset, words: Mapping[str, str]) -> Phrases:
    """The game's phrases, and these words, which take precedence."""
    path = rules.book.folder / _PHRASES
    terms = tomllib.loads(path.read_text(encoding="utf-8")).get("terms", {}) if path.is_file() else {}
    return Phrases({"drawing": words, "terms": terms})


# -- outline -------------------------------------------------------------------------------------------------
#
# ``book.toml`` in the game's folder is the outline of a printed rulebook. An example::
#
#     aim = "Who has most points after five rounds wins."
#     components = "- 12 stones"
#     course = "Players take turns ..."
#
#     [[chapters]]
#     title = "The course of a turn"
#     text = "What one should know before the rules."
#     rules = ["take", "take.*", "file:play"]
#
#     [[chapters.parts]]
#     title = "Special cases"
#     rules = ["pass_on"]
#
#     [tables.prices]
#     title = "What everything costs"
#     after = "take"
#
#     [words]
#     "head(cost)" = "Price"
#
# ``rules`` lists ids, prefixes (``take.*``: all ids that begin with ``take.``) and whole files (``file:play``), in the order of
# reading. A rule that is listed by its id is left out of prefixes and files. A table stands below its rule; ``words`` are phrases
# for the terms in the tables. Without such a file there is a chapter for each file of rules.


FILE: Final = "book.toml"
PRINTED: Final = ("rule", "data")
"""The kinds of documented rules that the chapters contain; the appendix contains the others."""
_TEXTS: Final = ("aim", "components", "course", "sources")
_KEYS: Final = {**dict.fromkeys(_TEXTS, str), "chapters": list, "tables": dict, "words": dict}
_CHAPTER: Final = {"title": str, "text": str, "rules": list, "parts": list}
_TABLE: Final = {"title": str, "after": str}


@dataclass(frozen=True)
class Chapter:
    """A chapter or a part of a chapter: its title, a text before the rules, and the ids of the rules in the order of reading."""

    title: str
    text: str = ""
    rules: tuple[str, ...] = ()
    parts: tuple[Chapter, ...] = ()


@dataclass(frozen=True)
class Outline:
    """The contents of ``book.toml``.

    Attributes:
        aim: The aim of the players.
        components: The contents of the box.
        course: The course of the game in short.
        sources: How the printed texts are cited.
        chapters: The chapters in the order of play.
        left: The documented rules that no chapter names.
        tables: For each table of ``book.lp`` its title and the rule below which it stands.
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
    """Returns the outline of a printed rulebook.

    Raises:
        FaultyRulebook: ``book.toml`` cannot be read, or names a rule that does not exist.
    """
    docs = [d for d in book.docs.values() if d.kind in PRINTED and not d.is_of_engine]
    path = book.folder / FILE
    if not path.is_file():
        return Outline(chapters=tuple(_by_file(docs)))
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise FaultyRulebook([toml_error(path, error)]) from None
    return _OutlineReader(path, docs).read_outline(content)


def checks(survey: Any) -> Iterator[Finding]:
    """The kind ``book``: what keeps a rulebook from being printed, in `lint`; ``survey`` is what it knows of the rulebook."""
    try:
        outline(survey.book)
    except FaultyRulebook as error:
        yield from error.findings


def _by_file(docs: Iterable[RuleDoc]) -> Iterator[Chapter]:
    """A chapter for each file of rules."""
    files: dict[str, list[str]] = {}
    for doc in docs:
        files.setdefault(doc.file, []).append(doc.id)
    for file, ids in files.items():
        yield Chapter(Path(file).stem.replace("_", " ").capitalize(), rules=tuple(ids))


class _OutlineReader:
    """Reads one outline and collects its faults."""

    def __init__(self, path: Path, docs: Iterable[RuleDoc]) -> None:
        self._path = path
        self._docs = {doc.id: doc for doc in docs}
        self._findings: list[Finding] = []
        self._taken: set[str] = set()

    def read_outline(self, content: Mapping[str, Any]) -> Outline:
        self._check("", content, _KEYS)
        chapters = [c for c in content.get("chapters", ()) if self._check("chapters", c, _CHAPTER)]
        for chapter in chapters:
            self._note_ids(chapter)
        made = tuple(map(self._chapter, chapters))
        tables = {name: t for name, t in content.get("tables", {}).items() if self._check(name, t, _TABLE)}
        for table in tables.values():
            if table.get("after") not in self._docs:
                self._fault(
                    f"there is no rule '{table.get('after')}'{nearest(str(table.get('after')), self._docs)}",
                    str(table.get("after", "")),
                )
        if self._findings:
            raise FaultyRulebook(self._findings)
        left = tuple(id for id in self._docs if id not in self._taken)
        placed = {name: (table.get("title", ""), table["after"]) for name, table in tables.items()}
        aim, components, course, sources = (content.get(key, "") for key in _TEXTS)
        return Outline(aim, components, course, sources, made, left, placed, content.get("words", {}))

    def _note_ids(self, chapter: Mapping[str, Any]) -> None:
        """Notes the rules that the chapter lists by id; a rule may belong to one chapter only."""
        for name in chapter.get("rules", ()):
            if name in self._taken:
                self._fault(f"the rule '{name}' is in two places", name)
            elif name in self._docs:
                self._taken.add(name)
            elif not name.endswith("*") and not name.startswith("file:"):
                self._fault(f"there is no rule '{name}'{nearest(name, self._docs)}", name)
        for part in chapter.get("parts", ()):
            if self._check("chapters.parts", part, _CHAPTER):
                self._note_ids(part)

    def _chapter(self, content: Mapping[str, Any]) -> Chapter:
        rules = tuple(id for name in content.get("rules", ()) for id in self._rules_named(name))
        parts = tuple(map(self._chapter, content.get("parts", ())))
        return Chapter(content.get("title", ""), content.get("text", ""), rules, parts)

    def _rules_named(self, name: str) -> list[str]:
        """The rules that an entry of ``rules`` denotes."""
        if name in self._docs:
            return [name]
        kind, _, file = name.partition(":")
        ids = [
            id
            for id, doc in self._docs.items()
            if id not in self._taken and (Path(doc.file).stem == file if kind == "file" else id.startswith(name[:-1]))
        ]
        if not ids:
            self._fault(f"'{name}' brings in no rule that stands nowhere else", name)
        self._taken.update(ids)
        return ids

    def _check(self, table: str, content: Any, known: Mapping[str, type]) -> bool:
        """Whether a table has only known keys with values of the right types; notes a fault for each other key."""
        before = len(self._findings)
        where = f"[{table}]" if table else "the file"
        if not isinstance(content, dict):
            self._fault(f"{where} must be a table")
            return False
        for key, value in content.items():
            if key not in known:
                self._fault(f"{where} has no key '{key}'{nearest(key, known)}", key)
            elif not isinstance(value, known[key]):
                self._fault(f"'{key}' in {where} is to be a {known[key].__name__}", key)
        return len(self._findings) == before

    def _fault(self, message: str, word: str = "") -> None:
        """Notes a fault, at the first line with the word."""
        lines = self._path.read_text(encoding="utf-8").splitlines()
        line, column = next(((k, text.index(word) + 1) for k, text in enumerate(lines, 1) if word in text), (1, 1))
        self._findings.append(Finding(str(self._path), line, column, "book", message))


@dataclass(frozen=True)
class Entry:
    """A rule as it is printed.

    Attributes:
        number: The number, such as ``4.12``.
        doc: The documented rule.
        statement: Its statement in the edition.
        sources: Its places in the printed texts of the edition, or of all editions.
        rulings: The rulings on which it depends and that are printed with it.
        elsewhere: The rulings that are printed with an earlier rule: the name, and the number of that rule.
        tables: The tables of its data, each with a title.
    """

    number: str
    doc: RuleDoc
    statement: str
    sources: Mapping[str, str] = field(default_factory=dict)
    rulings: tuple[Ruling, ...] = ()
    elsewhere: tuple[tuple[str, str], ...] = ()
    tables: tuple[tuple[str, BookTable], ...] = ()


@dataclass(frozen=True)
class Section:
    """A chapter or a part of a chapter, with numbered rules; a part has no number."""

    number: str
    title: str
    text: str
    entries: tuple[Entry, ...]
    parts: tuple[Section, ...] = ()

    def docs(self) -> Iterator[RuleDoc]:
        """Yields the documented rules of the section and of its parts."""
        yield from (entry.doc for entry in self.entries)
        for part in self.parts:
            yield from part.docs()


@dataclass(frozen=True)
class PrintedBook:
    """A printed rulebook.

    Attributes:
        title: The game's title.
        players: The smallest and the greatest number of players.
        editions: The editions, each with its description.
        edition: The edition for which rulings are resolved. If it is None, rulings are printed with all their values.
        aim: The aim of the players.
        components: The contents of the box.
        course: The course of the game in short.
        cited: How the printed texts are cited.
        chapters: The rules in the order of play.
        appendix: The invariants, the requirements on boards, the rules of records.
        rulings: All rulings.
        texts: The statements and sources in the edition, or in ``standard``.
    """

    title: str
    players: tuple[int, int]
    editions: Mapping[str, str]
    edition: str | None
    aim: str
    components: str
    course: str
    cited: str
    chapters: tuple[Section, ...]
    appendix: tuple[Section, ...]
    rulings: tuple[Ruling, ...]
    texts: RuleTexts

    def sources_of(self, ruling: Ruling) -> Mapping[str, str]:
        """The places of a ruling in the printed texts: those for its value in the edition, or all."""
        return ruling.sources if self.edition is None else self.texts.ruling_sources(ruling)

    @property
    def lettered(self) -> list[Section]:
        """The sections of the appendix, with letters as numbers."""
        rulings = [Section("", "Rulings", "", ())] if self.rulings else []
        sections = [*rulings, *self.appendix]
        return [Section(f"{chr(65 + k)}", s.title, s.text, s.entries) for k, s in enumerate(sections)]

    @property
    def players_text(self) -> str:
        """The number of players in words."""
        least, most = self.players
        return f"{most} player{'s' * (most > 1)}" if least == most else f"{least} to {most} players"

    @property
    def opening(self) -> list[tuple[str, str]]:
        """The parts before the rules, each with title and text."""
        parts = ("Aim", self.aim), ("Components", self.components), ("Course of the game", self.course)
        return [(title, text) for title, text in parts if text]


def print_book(book: Rulebook, edition: str | None = None, more: Sequence[RuleDoc] = ()) -> PrintedBook:
    """Makes the printed rulebook.

    Args:
        book: The rulebook.
        edition: The edition for which rulings are resolved. If it is None, they are printed with all their values.
        more: Further documented rules for the appendix: those of all games and of records.

    Raises:
        WrongUsage: There is no such edition.
        FaultyRulebook: ``book.toml`` or ``book.lp`` cannot be read, or names a rule that does not exist.
    """
    if edition is not None and edition not in book.editions:
        raise WrongUsage(f"{book.id} has no edition {edition!r}; the editions are: {', '.join(book.editions)}")
    configuration, _ = configure(book, book.folder, edition=edition or DEFAULT_EDITION)
    content = outline(book)
    rules = Ruleset(book, configuration)
    made = _Numbered(rules.texts, edition is None, content.tables, tables(rules, content.words))
    chapters = [made.section(str(n), chapter) for n, chapter in enumerate(content.chapters, 1)]
    if content.left:
        chapters.append(made.section(str(len(chapters) + 1), Chapter("Further rules", rules=content.left)))
    numbers = book.manifest["players"]
    return PrintedBook(
        book.title, (numbers[0], numbers[-1]), book.editions, edition,
        content.aim, content.components, content.course, content.sources,
        tuple(chapters), tuple(_appendix(rules.texts, more)), tuple(book.rulings.values()), rules.texts,
    )  # fmt: skip


class _Numbered:
    """Gives each rule its number, its tables, and the rulings that it is the first to need."""

    def __init__(
        self,
        texts: RuleTexts,
        general: bool,
        places: Mapping[str, tuple[str, str]],
        made: Sequence[BookTable],
    ) -> None:
        self._texts = texts
        self._general = general
        self._book = texts.book
        self._tables: dict[str, list[tuple[str, BookTable]]] = {}
        for table in made:
            title, after = places.get(table.name, ("", ""))
            self._tables.setdefault(after, []).append((title, table))
        self._printed: dict[str, str] = {}

    def section(self, number: str, chapter: Chapter) -> Section:
        """Makes a section of a chapter. The rules of its parts continue the numbers of its own rules."""
        numbers = (f"{number}.{k}" for k in range(1, 10_000))
        return self._section(number, chapter, numbers)

    def _section(self, number: str, chapter: Chapter, numbers: Iterator[str]) -> Section:
        entries = tuple(self._entry(next(numbers), self._book.docs[id]) for id in chapter.rules)
        parts = tuple(self._section("", part, numbers) for part in chapter.parts)
        return Section(number, chapter.title, chapter.text, entries, parts)

    def _entry(self, number: str, doc: RuleDoc) -> Entry:
        names = self._book.rulings_of(doc.id)
        new = [name for name in names if name not in self._printed]
        old = tuple((name, self._printed[name]) for name in names if name in self._printed)
        self._printed.update(dict.fromkeys(new, number))
        rulings = tuple(self._book.rulings[name] for name in new)
        tables_of_rule = tuple(self._tables.get(doc.id, ()))
        sources = self._texts.all_sources(doc) if self._general else self._texts.sources(doc)
        return Entry(number, doc, self._texts.statement(doc), sources, rulings, old, tables_of_rule)


_APPENDIX: Final = (
    (
        "invariant",
        "What always holds",
        "Invariants: true of every position. The command prove says which are proved.",
    ),
    ("claim", "Further claims", "Claims about positions and moves."),
    ("board", "Boards of one's own", "The requirements on board files."),
    ("engine", "Actions and positions", "What holds in all games."),
    ("records", "Records of games", "What holds for recorded games, whatever the game."),
)
"""The sections of the appendix: a kind of rule, or the file of rules that belong to no game; title; text."""


def _appendix(texts: RuleTexts, more: Sequence[RuleDoc]) -> Iterator[Section]:
    """The appendix has the rules that nobody needs to play the game."""
    docs = [*texts.book.docs.values(), *more]
    for kind, title, text in _APPENDIX:
        chosen = [doc for doc in docs if kind in (doc.kind, doc.file)]
        if chosen:
            entries = (Entry("", doc, texts.statement(doc)) for doc in chosen)
            yield Section("", title, text, tuple(entries))
