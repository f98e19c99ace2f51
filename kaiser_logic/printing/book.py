"""The whole printed rulebook: chapters with numbered rules, their rulings and tables, and an appendix."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..engine.configuration import DEFAULT_EDITION, configure
from ..engine.ruleset import Ruleset
from ..errors import WrongUsage
from ..rules.rulebook import Rulebook, RuleDoc, Ruling
from .outline import Chapter, outline
from .tables import Table, tables

_MENTION: Final = re.compile(r"\s*\(rulings?(?:\s+[\w, ]+)?\)")


@dataclass(frozen=True)
class Entry:
    """A rule in its place.

    Attributes:
        number: As ``4.12``.
        doc: The documented rule.
        statement: What it demands, without the mention of rulings, which are printed below.
        rulings: The rulings on which it depends and that are printed here.
        elsewhere: Those that are printed with an earlier rule: name and number there.
        tables: The tables of its data, each with a title.
    """

    number: str
    doc: RuleDoc
    statement: str
    rulings: tuple[Ruling, ...] = ()
    elsewhere: tuple[tuple[str, str], ...] = ()
    tables: tuple[tuple[str, Table], ...] = ()


@dataclass(frozen=True)
class Section:
    """A chapter, or a part of one; a part has no number."""

    number: str
    title: str
    text: str
    entries: tuple[Entry, ...]
    parts: tuple[Section, ...] = ()

    def docs(self) -> Iterator[RuleDoc]:
        """The documented rules of the section and of its parts."""
        yield from (entry.doc for entry in self.entries)
        for part in self.parts:
            yield from part.docs()


@dataclass(frozen=True)
class Book:
    """A rulebook as it is printed.

    Attributes:
        title: The game's title.
        players: The smallest and the greatest number of players.
        editions: The editions that are told apart, each with what it is.
        edition: The one for which rulings are resolved; None: they are printed with all their values.
        aim: What the players are after.
        components: What lies in the box.
        course: How a game goes.
        cited: How the printed texts are cited.
        chapters: The rules in the order of play.
        appendix: Invariants, what a board must fulfil, the rules of records.
        rulings: All rulings.
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

    @property
    def sources(self) -> tuple[str, ...]:
        """The editions whose places are cited."""
        return tuple(self.editions) if self.edition in (None, DEFAULT_EDITION) else (str(self.edition),)


def printed(book: Rulebook, edition: str | None = None, more: Sequence[RuleDoc] = ()) -> Book:
    """The printed rulebook.

    Args:
        book: The rulebook.
        edition: Resolves the rulings for an edition; None prints all their values.
        more: Documented rules besides the game's own, for the appendix: those of all games and of records.

    Raises:
        WrongUsage: There is no such edition.
        FaultyRulebook: ``book.toml`` or ``book.lp`` cannot be read, or names what is none.
    """
    if edition is not None and edition not in book.editions:
        raise WrongUsage(
            f"{book.id} has no edition {edition!r}; the editions are: {', '.join(book.editions)}"
        )
    configuration, _ = configure(book, book.folder, edition=edition or DEFAULT_EDITION)
    said = outline(book)
    made = _Numbered(book, said.tables, tables(Ruleset(book, configuration), said.words))
    chapters = [made.section(str(n), chapter) for n, chapter in enumerate(said.chapters, 1)]
    if said.left:
        chapters.append(made.section(str(len(chapters) + 1), Chapter("Further rules", rules=said.left)))
    numbers = book.manifest["players"]
    return Book(
        book.title, (numbers[0], numbers[-1]), book.editions, edition, said.aim, said.components, said.course, said.sources,
        tuple(chapters), tuple(_appendix(book, more)), tuple(book.rulings.values()),
    )  # fmt: skip


class _Numbered:
    """Gives each rule its number, its tables, and the rulings that it is the first to need."""

    def __init__(self, book: Rulebook, places: Mapping[str, tuple[str, str]], made: Sequence[Table]) -> None:
        self._book = book
        self._tables: dict[str, list[tuple[str, Table]]] = {}
        for table in made:
            title, after = places.get(table.name, ("", ""))
            self._tables.setdefault(after, []).append((title, table))
        self._needed = needed_rulings(book)
        self._printed: dict[str, str] = {}

    def section(self, number: str, chapter: Chapter) -> Section:
        """A chapter; its rules and those of its parts are numbered through."""
        numbers = (f"{number}.{k}" for k in range(1, 10_000))
        return self._section(number, chapter, numbers)

    def _section(self, number: str, chapter: Chapter, numbers: Iterator[str]) -> Section:
        entries = tuple(self._entry(next(numbers), self._book.docs[id]) for id in chapter.rules)
        parts = tuple(self._section("", part, numbers) for part in chapter.parts)
        return Section(number, chapter.title, chapter.text, entries, parts)

    def _entry(self, number: str, doc: RuleDoc) -> Entry:
        names = self._needed.get(doc.id, ())
        new = [name for name in names if name not in self._printed]
        old = tuple((name, self._printed[name]) for name in names if name in self._printed)
        self._printed.update(dict.fromkeys(new, number))
        rulings = tuple(self._book.rulings[name] for name in new)
        found = tuple(self._tables.get(doc.id, ()))
        return Entry(number, doc, without_mention(doc.statement), rulings, old, found)


def needed_rulings(book: Rulebook) -> dict[str, tuple[str, ...]]:
    """For each documented rule the rulings that its logic reads, in the manifest's order.

    One that only rules without a heading read is said to be needed where its name stands in a statement.
    """
    found: dict[str, set[str]] = {}
    for rule in book.rules:
        atoms = (*rule.positive, *rule.negative, *rule.inner)
        names = {str(a.args[0][1]) for a in atoms if a.signature == ("ruling", 2) and a.args[0][0] == "c"}
        if rule.block:
            found.setdefault(rule.block, set()).update(names & book.rulings.keys())
    for doc in book.docs.values():
        mentioned = {name for name in book.rulings if re.search(rf"\bruling {name}\b", doc.statement)}
        found.setdefault(doc.id, set()).update(mentioned)
    return {id: tuple(n for n in book.rulings if n in names) for id, names in found.items() if names}


def without_mention(statement: str) -> str:
    """A statement without ``(ruling NAME)``.

    >>> without_mention("The taker wins, or loses (ruling last_stone).")
    'The taker wins, or loses.'
    """
    return _MENTION.sub("", statement)


_APPENDIX: Final = (
    (
        "invariant",
        "What always holds",
        "Invariants: true of every position. The command prove says which are proved.",
    ),
    ("claim", "What is claimed besides", "Claims about positions and moves."),
    ("board", "Boards of one's own", "What a board file must fulfil."),
    ("engine", "Actions and positions", "What holds in all games."),
    ("records", "Records of games", "What holds for recorded games, whatever the game."),
)
"""The sections of the appendix: the kind of rule, or the file of those that stand in no game's."""


def _appendix(book: Rulebook, more: Sequence[RuleDoc]) -> Iterator[Section]:
    """What nobody needs to play."""
    docs = [*book.docs.values(), *more]
    for kind, title, text in _APPENDIX:
        chosen = [doc for doc in docs if kind in (doc.kind, doc.file)]
        if chosen:
            yield Section("", title, text, tuple(Entry("", d, without_mention(d.statement)) for d in chosen))
