"""Whether a sentence of ``sentences.toml`` says the rule that it is listed for: what can be seen of that by its words.

Both ways. A sentence has a word of the rule's statement that is no name of a card, a place or a player: one that merely
names a card does not say what the card does. And each number of a statement stands in a sentence that is listed for the
rule, unless the rule's source says that the text leaves it open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from kaiser_logic.printing.sentences import Sentence, sentences
from kaiser_logic.rules.provenance import SAYS
from kaiser_logic.rules.rulebook import Rulebook

NUMBERS: Final = {
    **dict(
        zip(
            ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
            range(2, 11),
            strict=True,
        )
    ),
    "twice": 2,
    "second": 2,
    "third": 3,
    "fifth": 5,
}
_SMALL: Final = """
a about after again all also an and any anybody anywhere are as at be been before but by can each else every everybody for from
get go had has have he her him himself his if in into is it its just like more most must no nobody none not nothing of off on
one only or other otherwise out over own rule ruling same she so some somebody such than that the their them then there they
this those thus to too under until up was what when where which who whoever whose with without
"""
STOP: Final = frozenset(_SMALL.split())
_WORD: Final = re.compile(r"[a-zäöüß_]+|\d+", re.IGNORECASE)
_ENDING: Final = re.compile(r"(?:'s|ing|ed|es|s|e)$")
_MENTION: Final = re.compile(r"\([^()]*\bruling[^()]*\)")


def stem(word: str) -> str:
    """A word without its ending, such that forms of one word are mostly equal.

    >>> [stem(word) for word in "lays laid places placed city cities".split()]
    ['lay', 'laid', 'plac', 'plac', 'city', 'city']
    """
    word = word.lower()
    bare = _ENDING.sub("", re.sub("ies$", "y", word))
    return bare if len(bare) > 2 else word


def content(text: str, names: frozenset[str]) -> set[str]:
    """The words of a text that say something, by their stems, and its numbers above 1."""
    bare = _MENTION.sub("", text)
    words = {word.lower() for word in _WORD.findall(bare)} - STOP - NUMBERS.keys()
    return {stem(word) for word in words if not word.isdigit()} - names | {str(n) for n in numbers(bare)}


def numbers(text: str) -> set[int]:
    """The numbers above 1 of a text, in figures or words; a 1 is mostly an article in the sentences."""
    words = [word.lower() for word in _WORD.findall(text)]
    found = {int(word) for word in words if word.isdigit()} | {
        NUMBERS[word] for word in words if word in NUMBERS
    }
    return found - {0, 1}


def stems(text: str) -> frozenset[str]:
    """The stems of the words of a text."""
    return frozenset(stem(word) for word in _WORD.findall(text))


def only_named(book: Rulebook, called: str) -> Iterator[str]:
    """Sentences that are listed for a rule with which they share no word but names; ``called``: the names."""
    made, names = sentences(book), stems(called)
    assert made is not None
    for one in made.all:
        words = content(one.words, names)
        for rule in one.rules:
            if not words & content(_statement(book, rule), names):
                yield f"{_place(one)} ({one.words}) does not say {rule}: {_statement(book, rule)}"


def numbers_not_said(book: Rulebook) -> Iterator[str]:
    """Rules whose statement has a number that none of their sentences has, and whose source does not say so."""
    made = sentences(book)
    assert made is not None
    listed = sorted(
        (
            (one.edition, rule, f"{one.heading} {one.words}")
            for one in made.all
            for rule in one.rules
            if rule in book.docs
        ),
        key=lambda entry: entry[:2],
    )
    for (edition, rule), group in groupby(listed, key=lambda entry: entry[:2]):
        doc = book.docs[rule]
        if edition not in doc.sources or any(part.kind != SAYS for part in doc.provenance(edition)):
            continue
        left = numbers(doc.statement) - {n for *_, words in group for n in numbers(words)}
        if left:
            yield f"no sentence of {edition} has {sorted(left)} of {rule}: {doc.statement}"


def _statement(book: Rulebook, rule: str) -> str:
    if rule in book.docs:
        return book.docs[rule].statement
    ruling = book.rulings[rule]
    return " ".join((ruling.about, *ruling.values.values()))


def _place(one: Sentence) -> str:
    return f"{one.edition}, {one.heading}, {one.number}"
