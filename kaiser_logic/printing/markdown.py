"""A printed rulebook as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from .book import PrintedBook
from .writer import write_book


def markdown(book: PrintedBook, links: str) -> str:
    """Returns the book as Markdown; ``links`` as in `write_book`."""
    return write_book(book, links, _Markdown())


def escape(text: str) -> str:
    """Escapes all characters that mean something in Markdown."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", text)


class _Markdown:
    """The marks of Markdown; a `Form`."""

    text = staticmethod(escape)

    def code(self, name: str) -> str:
        return f"`{name}`"

    def strong(self, words: str) -> str:
        return f"**{words}**"

    def emphasis(self, words: str) -> str:
        return f"*{words}*"

    def small(self, parts: Iterable[str]) -> str:
        return f"<sub>{' · '.join(parts)}</sub>"

    def link(self, words: str, target: str) -> str:
        return f"[{words}]({target})"

    def document(self, title: str, parts: Iterable[str]) -> str:
        return "\n\n".join([f"# {title}", *parts]) + "\n"

    def heading(self, level: int, title: str) -> str:
        return f"{'#' * level} {title}"

    def paragraph(self, words: str) -> str:
        return words

    def items(self, items: Iterable[str]) -> str:
        return "\n".join(f"- {item}" for item in items)

    def table(self, title: str, header: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
        names = list(header)
        lines = "\n".join(f"| {' | '.join(cells)} |" for cells in (names, ["---"] * len(names), *rows))
        return f"{self.emphasis(title)}\n\n{lines}" if title else lines

    def rule(self, number: str, id: str, words: str, parts: Iterable[str]) -> Iterator[str]:
        first, *others = parts
        yield f"{self.strong(number)} {words}  \n{first}"
        yield from others

    def note(self, words: str, items: Sequence[str] = (), last: str = "") -> str:
        if not items:
            return f"> {words}  {last}".rstrip()
        lines = [words, "", *self.items(items).splitlines(), *(["", last] if last else [])]
        return "\n".join(f"> {line}".rstrip() for line in lines)
