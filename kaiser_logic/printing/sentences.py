"""The sentences of the printed texts, each with the rule that says it, as ``sentences.toml`` in the game's folder has them.

Such as::

    [structural]                # rules that cite a text and that no single sentence says
    "supply.stones" = "the material makes it true"

    [none]                      # why a sentence needs no rule: a word, and what it means
    matter = "how things are kept on the table"

    [standard."The course of the game"]
    1 = "in turn, one to three stones => take, take.enough"
    2 = "stones are laid before the player => (matter)"

A table for each heading of an edition's text; in it the sentences by their number below that heading, in a few words of
ours, and behind ``=>`` the rules or rulings that say them, or in brackets why none does.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..errors import FaultyRulebook, Finding
from ..rules.places import nearest, toml_error
from ..rules.provenance import provenance, says_something
from ..rules.rulebook import Rulebook

FILE: Final = "sentences.toml"


@dataclass(frozen=True)
class Sentence:
    """A sentence of a printed text.

    Attributes:
        edition: Whose text.
        heading: The heading that it stands below.
        number: Its number there, from 1.
        words: What it says, in a few words.
        rules: The rules and rulings that say it.
        none: Why none does; empty where some do.
    """

    edition: str
    heading: str
    number: int
    words: str
    rules: tuple[str, ...]
    none: str


@dataclass(frozen=True)
class Sentences:
    """All sentences of a game's texts; ``structural``: rules that cite a text without one, with the reason."""

    all: tuple[Sentence, ...]
    structural: Mapping[str, str]


def sentences(book: Rulebook) -> Sentences | None:
    """The sentences of the game's texts; None where its folder has no ``sentences.toml``.

    Raises:
        FaultyRulebook: The file cannot be read, names a rule or reason that is none, or leaves a sentence or a rule open.
    """
    path = book.folder / FILE
    if not path.is_file():
        return None
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise FaultyRulebook([toml_error(path, error)]) from None
    structural, reasons = content.pop("structural", {}), content.pop("none", {})
    found = tuple(_read(content, reasons))
    made = Sentences(found, structural)
    messages = [
        *_wrong(book, made, content),
        *uncited_rules(book, made),
        *contradicting_sentences(book, made),
    ]
    if messages:
        raise FaultyRulebook(Finding(str(path), 0, 0, "sentence", message) for message in messages)
    return made


def _read(content: Mapping[str, Any], reasons: Mapping[str, str]) -> Iterator[Sentence]:
    for edition, headings in content.items():
        for heading, lines in headings.items():
            for number, line in lines.items():
                words, _, target = (part.strip() for part in str(line).partition("=>"))
                if target.startswith("("):
                    yield Sentence(
                        edition, heading, int(number), words, (), reasons.get(target.strip("()"), "")
                    )
                else:
                    rules = tuple(t.strip() for t in target.split(",") if t.strip())
                    yield Sentence(edition, heading, int(number), words, rules, "")


def _wrong(book: Rulebook, made: Sentences, content: Mapping[str, Any]) -> Iterator[str]:
    """Names that are none, and sentences for which nothing is said."""
    known = book.docs.keys() | book.rulings.keys()
    for edition in content:
        if edition not in book.editions:
            yield f"the game has no edition '{edition}'{nearest(edition, book.editions)}"
    for one in made.all:
        place = f"{one.edition}, {one.heading}, {one.number}"
        for rule in one.rules:
            if rule not in known:
                yield f"{place}: there is no rule '{rule}'{nearest(rule, known)}"
        if not one.rules and not one.none:
            yield f"{place}: neither a rule nor a known reason"
    for edition, headings in content.items():
        for heading, lines in headings.items():
            if [int(n) for n in lines] != list(range(1, len(lines) + 1)):
                yield f"{edition}, {heading}: the numbers do not run from 1 on"
    for rule in made.structural:
        if rule not in book.docs:
            yield f"structural: there is no rule '{rule}'{nearest(rule, book.docs)}"


def contradicting_sentences(book: Rulebook, made: Sentences) -> Iterator[str]:
    """Sentences that are said to say a rule of which the source tells that the text does not say it."""
    for one in made.all:
        for rule in one.rules:
            source = book.docs[rule].sources.get(one.edition) if rule in book.docs else None
            if source and not any(map(says_something, provenance(source))):
                yield f"{one.edition}, {one.heading}, {one.number}: it cannot say '{rule}', whose source is: {source}"


def uncited_rules(book: Rulebook, made: Sentences) -> Iterator[str]:
    """Rules that cite an edition's text and that no sentence of it names; what no text says needs none."""
    cited = {(one.edition, rule) for one in made.all for rule in one.rules}
    editions = {one.edition for one in made.all}
    for doc in book.docs.values():
        for edition, source in doc.sources.items():
            if (
                edition in editions
                and any(map(says_something, provenance(source)))
                and (edition, doc.id) not in cited
                and doc.id not in made.structural
            ):
                yield f"no sentence of {edition} says {doc.id}, which cites {source}"
    for rule in made.structural:
        if all((edition, rule) in cited for edition in editions):
            yield f"structural: {rule} is said by sentences"
