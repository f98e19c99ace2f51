"""A printed rulebook as one self-contained page of HTML: for screens, light or dark, and for paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Final

from ..rules.rulebook import DEFAULT_EDITION, RuleDoc, Ruling
from .book import Entry, PrintedBook, Section, blocks
from .markdown import MANY, anchor, heading, ruling_in_force, several

_STYLE: Final = Path(__file__).with_name("page.css").read_text(encoding="utf-8")


def page(book: PrintedBook, links: str) -> str:
    """Returns the book as a page of HTML.

    Args:
        book: The rulebook.
        links: The folder of rules as links name it, such as ``../../asp``.
    """
    return "\n".join(_PageWriter(book, links).lines()) + "\n"


class _PageWriter:
    """Writes one book."""

    def __init__(self, book: PrintedBook, links: str) -> None:
        self._book = book
        self._links = links

    def lines(self) -> Iterator[str]:
        """The lines of the page."""
        book = self._book
        yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
        yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
        yield f"<title>{escape(book.title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>"
        yield f"<h1>{escape(book.title)}</h1>"
        yield f"<p>For {book.players_text}. {self._editions()}</p>"
        sections = [*book.chapters, *book.lettered]
        yield '<nav aria-label="Contents"><ol>'
        yield from (f'<li><a href="#{anchor(heading(s))}">{escape(heading(s))}</a></li>' for s in sections)
        yield "</ol></nav>"
        for title, text in book.opening:
            yield f"<h2>{title}</h2>"
            yield from _prose(text)
        for chapter in book.chapters:
            yield from self._section(chapter, 2)
        yield from self._appendix()
        if book.cited:
            yield "<h2>How the texts are cited</h2>"
            yield from _prose(book.cited)
        yield "</main>\n</body>\n</html>"

    def _editions(self) -> str:
        book = self._book
        if book.edition is not None:
            return f"Edition <code>{book.edition}</code>: {escape(book.editions[book.edition])}."
        named = "; ".join(f"<code>{e}</code>, {escape(about)}" for e, about in book.editions.items())
        return (
            f"Editions: {named}. Where they differ, or are silent, a ruling says what can be meant. "
            f"Unless you agree otherwise, play by <code>{DEFAULT_EDITION}</code>."
        )

    def _section(self, section: Section, level: int) -> Iterator[str]:
        yield f'<h{level} id="{anchor(heading(section))}">{escape(heading(section))}</h{level}>'
        yield from _prose(section.text)
        for entry in section.entries:
            yield from self._entry(entry)
        for part in section.parts:
            yield from self._section(part, level + 1)

    def _entry(self, entry: Entry) -> Iterator[str]:
        yield f'<div class="rule" id="{escape(entry.doc.id)}"><span class="number">{entry.number}</span><div>'
        yield f"<p>{escape(entry.statement)}</p>\n{self._origin(entry)}"
        for title, table in entry.tables:
            yield _grid(title, table.heading, table.rows)
        for ruling in entry.rulings:
            yield self._ruling(ruling)
        for name, number in entry.elsewhere:
            yield f'<div class="ruling"><b>Ruling</b> <code>{name}</code>: see {number}.</div>'
        yield "</div></div>"

    def _origin(self, entry: Entry) -> str:
        return f'<div class="origin"><span>{self._place(entry.doc)}</span>{_citations(entry.sources)}</div>'

    def _place(self, doc: RuleDoc) -> str:
        target = f'href="{escape(self._links)}/{escape(doc.file)}#L{doc.line}"'
        return f"<a {target}>{escape(doc.id)}</a>" if doc.line else f"<code>{escape(doc.id)}</code>"

    def _ruling(self, ruling: Ruling) -> str:
        about = escape(ruling.about)
        origin = f'<div class="origin">{_citations(self._book.sources_of(ruling))}</div>'
        if self._book.edition is not None:
            text = escape(ruling_in_force(ruling, self._book.edition))
            return f'<div class="ruling"><b>In this edition</b> (<code>{ruling.name}</code>). {text}{origin}</div>'
        items = []
        for value, means in ruling.values.items() if len(ruling.values) <= MANY else ():
            by = ", ".join(e for e, v in ruling.by_edition.items() if v == value)
            items.append(f"<li><code>{value}</code>: {escape(means)}{f' <i>({by})</i>' if by else ''}</li>")
        if not items:
            by = ", ".join(f"{e}: {v}" for e, v in ruling.by_edition.items())
            items.append(f"<li>{escape(several(list(ruling.values)))} <i>({by})</i></li>")
        head = f"<b>Ruling</b> <code>{ruling.name}</code>. {about}"
        return f'<div class="ruling">{head}<ul>{"".join(items)}</ul>{origin}</div>'

    def _appendix(self) -> Iterator[str]:
        book = self._book
        for section in self._book.lettered:
            yield f'<h2 id="{anchor(heading(section))}">{escape(heading(section))}</h2>'
            yield from _prose(section.text)
            if section.entries:
                items = (f"<li>{escape(e.statement)} {self._place(e.doc)}</li>" for e in section.entries)
                yield f"<ul>{''.join(items)}</ul>"
            else:
                editions = list(book.editions) if book.edition is None else [book.edition]
                rows = [
                    (r.name, r.about, *(r.values[r.by_edition[e]] for e in editions)) for r in book.rulings
                ]
                yield _grid("", ["ruling", "about", *editions], rows)


def _citations(sources: Mapping[str, str]) -> str:
    """The places in printed texts."""
    return "".join(f"<span><b>{edition}</b> {escape(place)}</span>" for edition, place in sources.items())


def _grid(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table that scrolls if it is too wide."""
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in header)
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in row[1:])}</tr>'
        for row in rows
    )
    return (
        f'<div class="wide"><table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _prose(text: str) -> Iterator[str]:
    for block in blocks(text):
        items = [escape(item) for item in block.items]
        yield f"<ul>{''.join(f'<li>{i}</li>' for i in items)}</ul>" if block.is_list else f"<p>{items[0]}</p>"
