"""Looks for the printed words of ``sentences.toml`` in the printed texts, which are not part of the project.

``python tests/by_hand/find_words.py GAME FOLDER`` prints a line for each sentence that has no words, or whose words are not in
its section. ``FOLDER`` holds the texts as files ``*.EDITION.txt``. Of several texts the one with most of the words counts. Exit
code: 0 if all words were found, 1 otherwise.

The words of a section stand between its heading and the next one, in the order of the sentences. A heading begins a line of the
text that is no item of a list. If there is no such line, its section begins where the one before it began.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

from kaiser_logic.printing.sources import Sentence, sentences
from kaiser_logic.rules.loader import rulebook

_LETTERS: Final = re.compile(r"[^\W_]+")
_ITEM: Final = re.compile(r"\s*[-*•⇒➔➤►]\s")
_FEWEST, _MOST = 3, 6


def plain(text: str) -> str:
    """The words of a text in lower case, each between blanks: without signs, emphasis and ends of lines."""
    return f" {' '.join(_LETTERS.findall(text.casefold()))} "


def faults(made: Sequence[Sentence], text: str) -> Iterator[str]:
    """The sentences of one edition whose words are missing, or not in their section of the text."""
    printed, lines = _with_lines(text)
    sections = [(heading, list(group)) for heading, group in groupby(made, key=lambda one: one.heading)]
    starts = list(_starts([heading for heading, _ in sections], printed, lines))
    for (_, group), start, end in zip(sections, starts, [*starts[1:], len(printed)], strict=True):
        place = start
        for one in group:
            where, words = f"{one.edition}, {one.heading}, {one.number}", plain(one.printed)
            count = len(words.split())
            if not count:
                yield f"{where}: no words"
                continue
            if not _FEWEST <= count <= _MOST:
                yield f"{where}: {count} words: {one.printed}"
            found = printed.find(words, place)
            if 0 <= found < max(end, start + 1) or (found >= 0 and end <= start):
                place = found
            elif printed.find(words, start) in range(start, end):
                yield f"{where}: before the words of the sentence above: {one.printed}"
            elif words in printed:
                yield f"{where}: in another section: {one.printed}"
            else:
                yield f"{where}: not in the text: {one.printed}"


def _with_lines(text: str) -> tuple[str, list[int]]:
    """The words of a text, and the places at which its lines begin; an item of a list is no line of its own."""
    printed, lines = " ", []
    for line in text.splitlines():
        words = plain(line).strip()
        if words and not _ITEM.match(line):
            lines.append(len(printed) - 1)
        printed += f"{words} " if words else ""
    return printed, lines


def _starts(headings: Iterable[str], printed: str, lines: Sequence[int]) -> Iterator[int]:
    """The places of headings in a text, each after the last one; that of the last one if it is not found."""
    place = 0
    for heading in headings:
        names = [heading, *heading.split(": ")[-1:], *heading.split(", ")[-1:]]
        found = (at for name in names for at in lines if at >= place and printed.startswith(plain(name), at))
        place = next(found, place)
        yield place


def main(game: str, folder: str) -> int:
    made = sentences(rulebook(game))
    assert made is not None, f"{game} has no sentences.toml"
    count = 0
    for edition, group in groupby(made.all, key=lambda one: one.edition):
        own = list(group)
        texts = {p.name: p.read_text(encoding="utf-8") for p in Path(folder).glob(f"*.{edition}.txt")}
        if not texts:
            print(f"{folder} has no text *.{edition}.txt")
            return 1
        name, text = max(texts.items(), key=lambda item: sum(plain(one.printed) in plain(item[1]) for one in own))
        lines = list(faults(own, text))
        print(*lines, sep="\n")
        print(f"{name}: {len(own)} sentences, {len(lines)} lines")
        count += len(lines)
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
