"""A printed rulebook as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ..rules.rulebook import DEFAULT_EDITION, RuleDoc, Ruling
from .book import BookTable, Entry, PrintedBook, Section, blocks


def markdown(book: PrintedBook, links: str) -> str:
    """Returns the book as Markdown.

    Args:
        book: The rulebook.
        links: The folder of rules as links name it, such as ``../../asp``.
    """
    return "\n\n".join(_MarkdownWriter(book, links).parts()) + "\n"


class _MarkdownWriter:
    """Writes one book."""

    def __init__(self, book: PrintedBook, links: str) -> None:
        self._book = book
        self._links = links

    def parts(self) -> Iterator[str]:
        """The blocks of the page."""
        book = self._book
        yield f"# {book.title}"
        yield " ".join(self._about())
        headings = [*book.chapters, *book.lettered]
        yield "\n".join(f"- [{heading(s)}](#{anchor(heading(s))})" for s in headings)
        for title, text in book.opening:
            yield f"## {title}"
            yield from _prose(text)
        for chapter in book.chapters:
            yield from self._section(chapter, "##")
        yield from self._appendix()
        if book.cited:
            yield "## How the texts are cited"
            yield from _prose(book.cited)

    def _about(self) -> Iterator[str]:
        book = self._book
        yield f"For {book.players_text}."
        if book.edition is not None:
            yield f"Edition `{book.edition}`: {book.editions[book.edition]}."
        else:
            named = "; ".join(f"`{name}`, {about}" for name, about in book.editions.items())
            yield f"Editions: {named}. Where they differ, or are silent, a *ruling* says what can be meant."
            yield f"Unless you agree otherwise, play by `{DEFAULT_EDITION}`."
        yield "Each rule links to the lines that implement it. Below it are its places in the printed rulebooks."

    def _section(self, section: Section, level: str) -> Iterator[str]:
        yield f"{level} {heading(section)}"
        yield from _prose(section.text)
        for entry in section.entries:
            yield from self._entry(entry)
        for part in section.parts:
            yield from self._section(part, f"{level}#")

    def _entry(self, entry: Entry) -> Iterator[str]:
        yield f"**{entry.number}** {escape(entry.statement)}  \n<sub>{self._origin(entry)}</sub>"
        for title, table in entry.tables:
            if title:
                yield f"*{escape(title)}*"
            yield _table(table)
        for ruling in entry.rulings:
            yield self._ruling(ruling)
        for name, number in entry.elsewhere:
            yield f"> **Ruling** `{name}`: see {number}."

    def _origin(self, entry: Entry) -> str:
        """The rule's id with a link to its file, and its sources."""
        return " · ".join([self._place(entry.doc), *_citations(entry.sources)])

    def _place(self, doc: RuleDoc) -> str:
        return f"[{doc.id}]({self._links}/{doc.file}#L{doc.line})" if doc.line else f"`{doc.id}`"

    def _ruling(self, ruling: Ruling) -> str:
        """A ruling with all its values, or with the value of the edition."""
        about = escape(ruling.about)
        if self._book.edition is not None:
            value = ruling.by_edition[self._book.edition]
            text = escape(ruling_in_force(ruling, self._book.edition))
            cited = " · ".join(_citations(self._book.sources_of(ruling)))
            return f"> **In this edition** (`{ruling.name}` = `{value}`). {text}{f'  <sub>{cited}</sub>' if cited else ''}"
        lines = [f"**Ruling** `{ruling.name}`. {about}", ""]
        if len(ruling.values) > MANY:
            by = ", ".join(f"{e} `{v}`" for e, v in ruling.by_edition.items())
            lines.append(f"- {several(list(ruling.values))}: {by}")
        else:
            for value, means in ruling.values.items():
                by = ", ".join(e for e, v in ruling.by_edition.items() if v == value)
                lines.append(f"- `{value}`: {escape(means)}{f' *({by})*' if by else ''}")
        sources = _citations(self._book.sources_of(ruling))
        if sources:
            lines += ["", f"<sub>{' · '.join(sources)}</sub>"]
        return "\n".join(f"> {line}".rstrip() for line in lines)

    def _appendix(self) -> Iterator[str]:
        for section in self._book.lettered:
            yield f"## {heading(section)}"
            yield from _prose(section.text)
            if section.entries:
                yield "\n".join(
                    f"- {escape(e.statement)} <sub>{self._place(e.doc)}</sub>" for e in section.entries
                )
            else:
                yield self._rulings()

    def _rulings(self) -> str:
        """All rulings with their values by edition."""
        editions = list(self._book.editions) if self._book.edition is None else [self._book.edition]
        rows = [
            (f"`{r.name}`", escape(r.about), *(escape(r.values[r.by_edition[e]]) for e in editions))
            for r in self._book.rulings
        ]
        return grid(["ruling", "about", *editions], rows)


def _citations(sources: Mapping[str, str]) -> list[str]:
    """The places in printed texts."""
    return [f"{edition}: {escape(place)}" for edition, place in sources.items()]


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


def escape(text: str) -> str:
    """Escapes all characters that mean something in Markdown."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", text)


def grid(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _table(table: BookTable) -> str:
    return grid([escape(h) for h in table.heading], [[escape(c) for c in row] for row in table.rows])


def _prose(text: str) -> Iterator[str]:
    for block in blocks(text):
        items = [escape(item) for item in block.items]
        yield "\n".join(f"- {item}" for item in items) if block.is_list else items[0]
