"""A printed rulebook as text: what is written in which order. How it is marked up is left to a form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol

from ..rules.rulebook import DEFAULT_EDITION, RuleDoc, Ruling
from .book import Entry, PrintedBook, Section, blocks


class Form(Protocol):
    """The marks of a kind of text. All methods but `text` and `code` take texts that are marked up already."""

    def text(self, words: str) -> str:
        """Words, in which nothing has a meaning for the form."""

    def code(self, name: str) -> str:
        """A name of the rulebook."""

    def strong(self, words: str) -> str:
        """Words in bold."""

    def emphasis(self, words: str) -> str:
        """Words in italics."""

    def small(self, parts: Iterable[str]) -> str:
        """Parts of a line in small print."""

    def link(self, words: str, target: str) -> str:
        """Words that lead to an address."""

    def document(self, title: str, parts: Iterable[str]) -> str:
        """The whole text; ``title`` is not marked up."""

    def heading(self, level: int, title: str) -> str:
        """A heading below the title (level 1); its text is not marked up."""

    def paragraph(self, words: str) -> str:
        """A paragraph."""

    def items(self, items: Iterable[str]) -> str:
        """A list."""

    def table(self, title: str, header: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
        """A table."""

    def rule(self, number: str, id: str, words: str, parts: Iterable[str]) -> Iterator[str]:
        """A numbered rule with its id, and what belongs to it."""

    def note(self, words: str, items: Sequence[str] = (), last: str = "") -> str:
        """A remark: a sentence, a list, and a line in small print."""


def write_book(book: PrintedBook, links: str, form: Form) -> str:
    """The book in a form.

    Args:
        book: The rulebook.
        links: The folder of rules as links name it, such as ``../../asp``.
        form: The marks.
    """
    return form.document(book.title, _BookWriter(book, links, form).parts())


class _BookWriter:
    """Writes one book."""

    def __init__(self, book: PrintedBook, links: str, form: Form) -> None:
        self._book, self._links, self._form = book, links, form

    def parts(self) -> Iterator[str]:
        """The parts of the text below its title."""
        book, form = self._book, self._form
        yield form.paragraph(" ".join(self._about()))
        headings = [heading(section) for section in (*book.chapters, *book.lettered)]
        yield form.items(form.link(form.text(title), f"#{anchor(title)}") for title in headings)
        for title, text in book.opening:
            yield from self._text_under(2, title, text)
        for chapter in book.chapters:
            yield from self._section(chapter, 2)
        for section in book.lettered:
            yield from self._text_under(2, heading(section), section.text)
            yield self._statements(section.entries) if section.entries else self._rulings()
        if book.cited:
            yield from self._text_under(2, "How the texts are cited", book.cited)

    def _about(self) -> Iterator[str]:
        book, form = self._book, self._form
        yield f"For {book.players_text}."
        if book.edition is not None:
            yield f"Edition {form.code(book.edition)}: {form.text(book.editions[book.edition])}."
        else:
            editions = "; ".join(f"{form.code(e)}, {form.text(about)}" for e, about in book.editions.items())
            yield f"Editions: {editions}. Where they differ, or are silent, a {form.emphasis('ruling')} says what can be meant."
            yield f"Unless you agree otherwise, play by {form.code(DEFAULT_EDITION)}."
        yield "Each rule links to the lines that implement it. Below it are its places in the printed rulebooks."
        if book.edition is None and book.rulings:
            yield "Where such a place has another value of a ruling, this follows in brackets."

    def _text_under(self, level: int, title: str, text: str) -> Iterator[str]:
        """A heading, and a text as it stands in ``book.toml``."""
        yield self._form.heading(level, title)
        for block in blocks(text):
            items = list(map(self._form.text, block.items))
            yield self._form.items(items) if block.is_list else self._form.paragraph(items[0])

    def _section(self, section: Section, level: int) -> Iterator[str]:
        yield from self._text_under(level, heading(section), section.text)
        for entry in section.entries:
            yield from self._form.rule(
                entry.number, entry.doc.id, self._form.text(entry.statement), self._about_rule(entry)
            )
        for part in section.parts:
            yield from self._section(part, level + 1)

    def _about_rule(self, entry: Entry) -> Iterator[str]:
        """Where a rule stands; its tables and rulings."""
        form = self._form
        yield form.small([self._place(entry.doc), *self._citations(entry.sources)])
        for title, table in entry.tables:
            yield form.table(
                form.text(title), map(form.text, table.heading), ([*map(form.text, r)] for r in table.rows)
            )
        for ruling in entry.rulings:
            yield self._ruling(ruling)
        for name, number in entry.elsewhere:
            yield form.note(f"{form.strong('Ruling')} {form.code(name)}: see {number}.")

    def _place(self, doc: RuleDoc) -> str:
        """A rule's id with a link to its file."""
        if not doc.line:
            return self._form.code(doc.id)
        return self._form.link(doc.id, f"{self._links}/{doc.file}#L{doc.line}")

    def _citations(self, sources: Mapping[str, str]) -> list[str]:
        """The places in printed texts."""
        return [f"{edition}: {self._form.text(place)}" for edition, place in sources.items()]

    def _ruling(self, ruling: Ruling) -> str:
        """A ruling with all its values, or with the value of the edition."""
        form, edition = self._form, self._book.edition
        sources = self._citations(self._book.sources_of(ruling))
        last = form.small(sources) if sources else ""
        if edition is not None:
            value = f"({form.code(ruling.name)} = {form.code(ruling.by_edition[edition])})"
            text = form.text(ruling_in_force(ruling, edition))
            return form.note(f"{form.strong('In this edition')} {value}. {text}", last=last)
        if len(ruling.values) > MANY:
            by = ", ".join(f"{e} {form.code(v)}" for e, v in ruling.by_edition.items())
            items = [f"{form.text(several(list(ruling.values)))}: {by}"]
        else:
            items = [self._value(ruling, value, means) for value, means in ruling.values.items()]
        about = f"{form.strong('Ruling')} {form.code(ruling.name)}. {form.text(ruling.about)}"
        return form.note(about, items, last)

    def _value(self, ruling: Ruling, value: str, means: str) -> str:
        """A value of a ruling, what it means, and the editions that have it."""
        by = ", ".join(e for e, v in ruling.by_edition.items() if v == value)
        text = f"{self._form.code(value)}: {self._form.text(means)}"
        return f"{text} {self._form.emphasis(f'({by})')}" if by else text

    def _statements(self, entries: Iterable[Entry]) -> str:
        """Rules without numbers."""
        form = self._form
        return form.items(f"{form.text(e.statement)} {form.small([self._place(e.doc)])}" for e in entries)

    def _rulings(self) -> str:
        """All rulings with their values by edition."""
        book, form = self._book, self._form
        editions = list(book.editions) if book.edition is None else [book.edition]
        rows = (
            [form.code(r.name), form.text(r.about), *(form.text(r.values[r.by_edition[e]]) for e in editions)]
            for r in book.rulings
        )
        return form.table("", ["ruling", "about", *editions], rows)


MANY: Final = 8
"""The largest number of values that are listed with their meanings. A longer list is shortened, without meanings."""


def several(values: Sequence[str]) -> str:
    """Shortens a list of values; consecutive numbers become a range.

    >>> several(["0", "250", "251", "252"])
    '0, 250 to 252'
    >>> several(["few", "some", "many", "all"])
    'few, some, ..., all'
    """
    runs: list[list[str]] = []
    for value in values:
        if runs and value.isdigit() and runs[-1][-1].isdigit() and int(value) == int(runs[-1][-1]) + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    short = [run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs]
    return ", ".join(short if len(short) < len(values) else [*values[:2], "...", values[-1]])


def ruling_in_force(ruling: Ruling, edition: str) -> str:
    """The sentence that holds for a ruling in the edition.

    >>> values = {"yes": "The last stone wins.", "no": "It loses."}
    >>> ruling = Ruling("last_stone", "Whether the last stone wins.", values, {"standard": "yes"}, {})
    >>> ruling_in_force(ruling, "standard")
    'The last stone wins.'
    """
    return ruling.values[ruling.by_edition[edition]]


def heading(section: Section) -> str:
    """A section's heading, with its number if it has one."""
    return f"{section.number}. {section.title}" if section.number else section.title


def anchor(title: str) -> str:
    """The name with which a link can refer to a heading.

    >>> anchor("4. The king's tax")
    '4-the-kings-tax'
    """
    return re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")
