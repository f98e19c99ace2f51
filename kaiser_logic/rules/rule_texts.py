"""What documented rules and rulings say under an edition and rulings in force, and by which printed texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from .rulebook import (
    ASSUMED,
    BASE,
    DEFAULT_EDITION,
    SILENT,
    STATED,
    Rulebook,
    RuleDoc,
    Ruling,
    SourcePart,
    provenance,
)

_FIRST: Final = (ASSUMED, BASE, SILENT, STATED)
"""The kinds in the order in which a part decides about its source: a rule that is partly assumed is assumed."""


@dataclass(frozen=True)
class RuleTexts:
    """The statements and sources of a rulebook's documented rules under an edition and rulings.

    An edition cites its own text only, and ``standard`` those texts whose rulings it follows. A source for ``standard`` counts
    wherever the edition has none.

    Attributes:
        book: The rulebook.
        edition: The edition in force.
        options: The rulings in force, by name.
    """

    book: Rulebook
    edition: str
    options: Mapping[str, str]

    @classmethod
    def of_edition(cls, book: Rulebook, edition: str = DEFAULT_EDITION) -> RuleTexts:
        """The texts under an edition with its own rulings."""
        return cls(book, edition, {name: ruling.by_edition[edition] for name, ruling in book.rulings.items()})

    def statement(self, doc: RuleDoc) -> str:
        """What a rule says.

        If a ruling is in force for which the rule has no statement, that of the heading is followed by what the ruling says.
        """
        variant = doc.variant_under(self.options)
        said = {name for name, _ in variant.rulings} if variant else set()
        left = [self.book.rulings[name] for name in self.differing(doc, DEFAULT_EDITION) if name not in said]
        others = [f"But by the ruling {one.name}: {one.values[self.options[one.name]]}" for one in left]
        return " ".join([variant.statement if variant else doc.default_statement, *others])

    def sources(self, doc: RuleDoc) -> dict[str, str]:
        """The places of a rule in printed texts that agree with what is in force, by edition.

        If a ruling is in force that these texts do not have, the sources of the ruling stand for them.
        """
        agreeing = {e: text for e, text in self._own(doc.sources).items() if not self.departing(doc, e)}
        if agreeing or not doc.sources:
            return agreeing
        places: dict[str, str] = {}
        for name in self.book.rulings_of(doc.id):
            for edition, text in self.ruling_sources(self.book.rulings[name]).items():
                places[edition] = f"{places[edition]}; {text}" if edition in places else text
        return places

    def all_sources(self, doc: RuleDoc) -> dict[str, str]:
        """The places of a rule in all printed texts; for each that has other rulings, these follow in brackets."""
        sources = {}
        for edition, text in doc.sources.items():
            others = ", ".join(f"{name} is {value}" for name, value in self.departing(doc, edition).items())
            sources[edition] = f"{text} (there {others})" if others else text
        return sources

    def differing(self, doc: RuleDoc, edition: str) -> dict[str, str]:
        """The rulings that decide a rule and have another value in an edition than in force, each with that value."""
        values = {name: self.book.rulings[name].by_edition[edition] for name in self.book.rulings_of(doc.id)}
        return {name: value for name, value in values.items() if value != self.options[name]}

    def departing(self, doc: RuleDoc, edition: str) -> dict[str, str]:
        """The same, but none if the rule says in the edition what it says here: then they decide about another case only."""
        values = self.differing(doc, edition)
        there = replace(self, options={**self.options, **values})
        return values if there.statement(doc) != self.statement(doc) else {}

    def ruling_sources(self, ruling: Ruling) -> dict[str, str]:
        """The places in printed texts that give a ruling its value in force, by edition."""
        value = self.options[ruling.name]
        return {e: text for e, text in self._own(ruling.sources).items() if ruling.by_edition[e] == value}

    def kind(self, doc: RuleDoc) -> str:
        """How far the printed texts say a rule as it is in force: the kind of its sources, where one text is enough that says it.

        A rule that only the texts of other editions have counts as ``silent``. If it has no source at all, its kind is empty.
        """
        return _kind(self.sources(doc).values(), SILENT if doc.sources else "")

    def provenance(self, doc: RuleDoc) -> tuple[SourcePart, ...]:
        """The parts of the sources that decide about the kind of a rule."""
        parts = (part for text in self.sources(doc).values() for part in provenance(text))
        return tuple(dict.fromkeys(parts))

    def ruling_kind(self, ruling: Ruling) -> str:
        """How far the printed texts say a ruling's value in force; ``assumed`` if it has no source."""
        return _kind(self.ruling_sources(ruling).values(), ASSUMED)

    def _own(self, sources: Mapping[str, str]) -> dict[str, str]:
        """The sources that count in the edition, whatever its rulings."""
        if self.edition == DEFAULT_EDITION:
            return dict(sources)
        cited = self.edition if self.edition in sources else DEFAULT_EDITION
        return {cited: sources[cited]} if cited in sources else {}


def kind_of(source: str) -> str:
    """The kind of a source, by its parts.

    >>> kind_of("Chests; Supply (silent about ties)"), kind_of("Cards (assumed from its name); Supply")
    ('silent', 'assumed')
    """
    kinds = {part.kind for part in provenance(source)}
    return next(kind for kind in _FIRST if kind in kinds)


def _kind(sources: Iterable[str], missing: str) -> str:
    """The best of the kinds of some sources."""
    return max(map(kind_of, sources), key=_FIRST.index, default=missing)
