"""A printed rulebook as one self-contained page of HTML: for screens, light or dark, and for paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Final

from .book import PrintedBook
from .writer import anchor, write_book

_STYLE: Final = Path(__file__).with_name("page.css").read_text(encoding="utf-8")


def page(book: PrintedBook, links: str) -> str:
    """Returns the book as a page of HTML; ``links`` as in `write_book`."""
    return write_book(book, links, _Page())


class _Page:
    """The marks of HTML; a `Form`."""

    text = staticmethod(escape)

    def code(self, name: str) -> str:
        return f"<code>{escape(name)}</code>"

    def strong(self, words: str) -> str:
        return f"<b>{words}</b>"

    def emphasis(self, words: str) -> str:
        return f"<i>{words}</i>"

    def small(self, parts: Iterable[str]) -> str:
        return f'<div class="origin">{"".join(f"<span>{part}</span>" for part in parts)}</div>'

    def link(self, words: str, target: str) -> str:
        return f'<a href="{escape(target)}">{words}</a>'

    def document(self, title: str, parts: Iterable[str]) -> str:
        name = escape(title)
        return "\n".join(
            [
                '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
                '<meta name="viewport" content="width=device-width, initial-scale=1">',
                f"<title>{name}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>",
                f"<h1>{name}</h1>",
                *parts,
                "</main>\n</body>\n</html>\n",
            ]
        )

    def heading(self, level: int, title: str) -> str:
        return f'<h{level} id="{anchor(title)}">{escape(title)}</h{level}>'

    def paragraph(self, words: str) -> str:
        return f"<p>{words}</p>"

    def items(self, items: Iterable[str]) -> str:
        return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"

    def table(self, title: str, header: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
        """A table that scrolls if it is too wide."""
        caption = f"<caption>{title}</caption>" if title else ""
        head = "".join(f'<th scope="col">{cell}</th>' for cell in header)
        body = "".join(
            f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>'
            for first, *rest in rows
        )
        return f'<div class="wide"><table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'

    def rule(self, number: str, id: str, words: str, parts: Iterable[str]) -> Iterator[str]:
        yield f'<div class="rule" id="{escape(id)}"><span class="number">{number}</span><div>'
        yield self.paragraph(words)
        yield from parts
        yield "</div></div>"

    def note(self, words: str, items: Sequence[str] = (), last: str = "") -> str:
        return f'<div class="ruling">{words}{self.items(items) if items else ""}{last}</div>'
