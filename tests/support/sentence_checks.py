"""Checks by their words that the sentences of ``sentences.toml`` state the rules that they are listed for.

A sentence shares a word with the rule's statement that is no name of a card, a place or a player: a sentence that only names
a card does not state its effect. Each number of a statement occurs in a sentence that is listed for the rule, unless the
rule's source says that the text leaves it open. Each section that a source cites has a sentence that is listed for the rule,
so no rule cites a missing section, or one that does not state it.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from kaiser_logic.printing.sources import Sentence, sentences
from kaiser_logic.rules.rule_texts import RuleTexts
from kaiser_logic.rules.rulebook import STATED, Rulebook, has_content, provenance

NUMBERS = {
    word: n for n, word in enumerate(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], 2)
}
NUMBERS |= {"twice": 2, "second": 2, "third": 3, "fifth": 5}
_SMALL: Final = """
a about after again all also an and any anybody anywhere are as at be been before but by can each else every everybody for from
get go had has have he her him himself his if in into is it its just like more most must no nobody none not nothing of off on
one only or other otherwise out over own rule ruling same she so some somebody such than that the their them then there they
this those thus to too under until up was what when where which who whoever whose with without
"""
STOP: Final = frozenset(_SMALL.split())
_WORD: Final = re.compile(r"[a-zäöüß_]+|\d+", re.IGNORECASE)
_ENDING: Final = re.compile(r"(?:'s|ing|ed|es|s|e)$")
_REMARK: Final = re.compile(r" \([^()]*\)$")
_PLACE: Final = re.compile(r"(?:, (?:[a-z]|\d+)(?:-[a-z\d]+)?| \d+)$")
"""A place within a section, by its number or letter."""


def stem(word: str) -> str:
    """A word without its ending, so that most forms of a word are equal.

    >>> [stem(word) for word in "lays laid places placed city cities".split()]
    ['lay', 'laid', 'plac', 'plac', 'city', 'city']
    """
    word = word.lower()
    bare = _ENDING.sub("", re.sub("ies$", "y", word))
    return bare if len(bare) > 2 else word


def content(text: str, names: frozenset[str]) -> set[str]:
    """The stems of the content words of a text, and its numbers above 1."""
    words = {word.lower() for word in _WORD.findall(text)} - STOP - NUMBERS.keys()
    return {stem(word) for word in words if not word.isdigit()} - names | {str(n) for n in numbers(text)}


def numbers(text: str) -> set[int]:
    """The numbers above 1 in a text, in figures or words. In the sentences, a 1 is usually an article."""
    words = [word.lower() for word in _WORD.findall(text)]
    found = {int(word) for word in words if word.isdigit()} | {NUMBERS[word] for word in words if word in NUMBERS}
    return found - {0, 1}


def stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in _WORD.findall(text))


def only_named(book: Rulebook, called: str) -> Iterator[str]:
    """Sentences that share only names with a rule that they are listed for; ``called``: the names."""
    made, names = sentences(book), stems(called)
    assert made is not None
    for one in made.all:
        words = content(one.words, names)
        for rule in one.rules:
            statement = _statement(book, rule, one.edition)
            if not words & content(statement, names):
                yield f"{_place(one)} ({one.words}) does not say {rule}: {statement}"


def numbers_not_said(book: Rulebook) -> Iterator[str]:
    """Rules whose statement has a number that none of their sentences has, though the source does not say so."""
    made = sentences(book)
    assert made is not None
    said: dict[tuple[str, str], str] = defaultdict(str)
    for one in made.all:
        for rule in set(one.rules) & book.docs.keys():
            said[one.edition, rule] += f" {one.heading} {one.words}"
    for (edition, rule), words in sorted(said.items()):
        source = book.docs[rule].sources.get(edition)
        statement = _statement(book, rule, edition)
        left = numbers(statement) - numbers(words)
        if left and source is not None and all(part.kind == STATED for part in provenance(source)):
            yield f"no sentence of {edition} has {sorted(left)} of {rule}: {statement}"


def section_not_said(book: Rulebook, within: Mapping[str, str]) -> Iterator[str]:
    """Cited sections without a sentence that states the rule; ``within``: the heading above the section of a card."""
    made = sentences(book)
    assert made is not None
    editions = {one.edition for one in made.all}
    for doc in book.docs.values():
        if doc.id in made.structural:
            continue
        for edition in doc.sources.keys() & editions:
            there = {one.heading for one in made.all if one.edition == edition}
            stating = {one.heading for one in made.all if one.edition == edition and doc.id in one.rules}
            for part in filter(has_content, provenance(doc.sources[edition])):
                section = _REMARK.sub("", part.section)
                if not all(headings & stating for headings in _headings(section, there, within)):
                    yield f"no sentence of {edition}, {section} says {doc.id}: {_statement(book, doc.id, edition)}"


def _headings(section: str, there: set[str], within: Mapping[str, str]) -> Iterator[set[str]]:
    """The headings that a source means by a section; several sets of headings if it names several sections.

    Such as ``Chests, Supply, Move`` for ``Chests, Supply`` and ``Chests, Move``, ``Phase 5, Note 2`` for a note of
    ``Phase 5, Note``, and ``Chests`` for the whole chapter.
    """
    section = within.get(section, section)
    below = {heading for heading in there if heading == section or heading.startswith(f"{section}, ")}
    chapter, *parts = section.split(", ")
    if below:
        yield below
    elif len(parts) > 1 and any(f"{chapter}, {part}" in there for part in parts):
        for part in parts:
            yield from _headings(f"{chapter}, {part}", there, within)
    elif _PLACE.search(section):
        yield from _headings(_PLACE.sub("", section), there, within)
    else:
        yield set()


def _statement(book: Rulebook, rule: str, edition: str) -> str:
    """What a rule says in an edition; of a ruling all that it can mean."""
    if rule in book.docs:
        return RuleTexts.of_edition(book, edition).statement(book.docs[rule])
    ruling = book.rulings[rule]
    return " ".join((ruling.about, *ruling.values.values()))


def _place(one: Sentence) -> str:
    return f"{one.edition}, {one.heading}, {one.number}"
