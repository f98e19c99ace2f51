"""Rules and their sources: sentences of the printed texts, and rules without a source."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ..errors import FaultyRulebook, Finding
from ..lang.printer import show_term
from ..lang.unification import arguments, label
from ..rules.places import nearest, toml_error
from ..rules.predicates import BOARD_FACT
from ..rules.rule_texts import RuleTexts
from ..rules.rulebook import ASSUMED, BASE, SILENT, Rulebook, RuleDoc, Ruling, has_content, provenance

# -- sentences -----------------------------------------------------------------------------------------------
#
# ``sentences.toml`` in the game's folder lists the sentences of the printed texts with the rules that express them. An example::
#
#     [structural]                # rules that cite a text and that no single sentence says
#     "supply.stones" = "the material makes it true"
#
#     [none]                      # why a sentence needs no rule: a word, and what it means
#     matter = "how things are kept on the table"
#
#     [standard."The course of the game"]
#     1 = "in turn, one to three stones => take, take.enough"
#     2 = "stones are laid before the player => (matter)"
#
# There is a table for each heading of an edition's text. It has the sentences by their number below that heading, in a few words
# of ours. Behind ``=>`` stand the rules or rulings that express the sentence, or in brackets the reason why none does. Behind
# ``|`` stand three to six words of the printed sentence, by which it can be found (``... => take | wie het laatst neemt``).


FILE: Final = "sentences.toml"


@dataclass(frozen=True)
class Sentence:
    """A sentence of a printed text.

    Attributes:
        edition: The edition of the text.
        heading: The heading below which it stands.
        number: Its number below that heading, from 1.
        words: Its content, in a few words.
        rules: The rules and rulings that express it.
        none: The reason why there are no such rules; empty if there are some.
        printed: A few words of the printed sentence, by which it can be found; empty if the list has none.
    """

    edition: str
    heading: str
    number: int
    words: str
    rules: tuple[str, ...]
    none: str
    printed: str = ""


@dataclass(frozen=True)
class Sentences:
    """All sentences of a game's texts; ``structural`` maps rules that cite a text, but no single sentence, to the reason."""

    all: tuple[Sentence, ...]
    structural: Mapping[str, str]


def sentences(book: Rulebook) -> Sentences | None:
    """Reads the sentences of the game's texts.

    Returns:
        The sentences; None if the folder has no ``sentences.toml``.

    Raises:
        FaultyRulebook: The file cannot be read, names an unknown rule or reason, or omits the rules of a sentence or the
            sentences of a rule.
    """
    path = book.folder / FILE
    if not path.is_file():
        return None
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise FaultyRulebook([toml_error(path, error)]) from None
    structural, reasons = content.pop("structural", {}), content.pop("none", {})
    all_sentences = tuple(_read_sentences(content, reasons))
    made = Sentences(all_sentences, structural)
    messages = [
        *_wrong(book, made, content),
        *uncited_rules(book, made),
        *contradicting_sentences(book, made),
    ]
    if messages:
        raise FaultyRulebook(Finding(str(path), 0, 0, "sentence", message) for message in messages)
    return made


def _read_sentences(content: Mapping[str, Any], reasons: Mapping[str, str]) -> Iterator[Sentence]:
    for edition, headings in content.items():
        for heading, lines in headings.items():
            for number, line in lines.items():
                words, _, rest = str(line).partition("=>")
                target, _, printed = (part.strip() for part in rest.partition("|"))
                none = reasons.get(target.strip("()"), "") if target.startswith("(") else ""
                ids = () if target.startswith("(") else target.split(",")
                rules = tuple(t.strip() for t in ids if t.strip())
                yield Sentence(edition, heading, int(number), words.strip(), rules, none, printed)


def _wrong(book: Rulebook, made: Sentences, content: Mapping[str, Any]) -> Iterator[str]:
    """Messages about unknown names, wrong numbers, and sentences without a rule or a reason."""
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
    """Messages about sentences that are listed for a rule whose source says that the text does not contain it."""
    for one in made.all:
        for rule in one.rules:
            source = book.docs[rule].sources.get(one.edition) if rule in book.docs else None
            if source and not any(map(has_content, provenance(source))):
                yield f"{one.edition}, {one.heading}, {one.number}: it cannot say '{rule}', whose source is: {source}"


def uncited_rules(book: Rulebook, made: Sentences) -> Iterator[str]:
    """Messages about rules that cite an edition's text, but for which no sentence of that text is listed."""
    cited = {(one.edition, rule) for one in made.all for rule in one.rules}
    editions = {one.edition for one in made.all}
    for doc in book.docs.values():
        for edition, source in doc.sources.items():
            if (
                edition in editions
                and any(map(has_content, provenance(source)))
                and (edition, doc.id) not in cited
                and doc.id not in made.structural
            ):
                yield f"no sentence of {edition} says {doc.id}, which cites {source}"
    for rule in made.structural:
        if all((edition, rule) in cited for edition in editions):
            yield f"structural: {rule} is said by sentences"


# -- assumed -------------------------------------------------------------------------------------------------
#
# The rules and rulings that no text contains are listed with their possible replacements. There are three lists: rules that are
# assumed; rules of another part of the game, as other texts describe it; and readings of sections that leave a point open.


KINDS: Final = {
    ASSUMED: "Assumed: no text says it",
    BASE: "From another part of the game, as it is described elsewhere",
    SILENT: "Our readings: the section leaves the point open",
}
"""The headings of the lists in their order, by the kind of source."""

_COPY: Final = "a copy of the rulebook (--game FOLDER)"


class UnsupportedRule(NamedTuple):
    """A rule or a ruling that the texts do not contain, or not completely, and its possible replacement."""

    name: str
    item: RuleDoc | Ruling
    replaced: str


def counted_rules(book: Rulebook) -> list[RuleDoc]:
    """The documented rules and data that have a source. Invariants and checks of boards have none."""
    return [doc for doc in book.docs.values() if doc.kind in ("rule", "data") and doc.sources]


def unsupported_rules(texts: RuleTexts) -> dict[str, list[UnsupportedRule]]:
    """Returns the rules and rulings that no text contains, or that fill a gap of a text, by their kind under an edition."""
    book = texts.book
    by_kind: dict[str, list[UnsupportedRule]] = {kind: [] for kind in KINDS}
    for doc in counted_rules(book):
        kind = texts.kind(doc)
        if kind in by_kind:
            by_kind[kind].append(UnsupportedRule(doc.id, doc, _replacement(texts, doc, kind)))
    for ruling in book.rulings.values():
        kind = texts.ruling_kind(ruling)
        if kind in by_kind:
            by_kind[kind].append(UnsupportedRule(ruling.name, ruling, "another value"))
    return by_kind


def _replacement(texts: RuleTexts, doc: RuleDoc, kind: str) -> str:
    """The possible replacements of a rule: facts of a board file, a ruling, or another rulebook."""
    book = texts.book
    facts = list(dict.fromkeys(_board_facts(book, doc)))
    if facts:
        return f"a board file with {' and '.join(facts)}"
    rulings = book.rulings_of(doc.id)
    replacements = [f"the ruling{'s' * (len(rulings) > 1)} {' and '.join(rulings)}"] if rulings else []
    read = sorted(set(_board_facts_read(book, doc))) if kind == ASSUMED else []
    replacements += [f"a board file with {' and '.join(read)}"] if read else []
    if not replacements:
        return _COPY
    all_of_it = kind == SILENT and not any(part.kind == SILENT and part.note for part in texts.provenance(doc))
    return " and ".join(replacements) if all_of_it else f"{' and '.join(replacements)}; the rest by {_COPY}"


def _board_facts(book: Rulebook, doc: RuleDoc) -> Iterator[str]:
    """The facts of a board file that replace the printed ones of a rule."""
    printed = {
        label(head.args[0])
        for rule in book.rules
        if rule.block == doc.id
        for head in rule.heads
        if head.signature == ("printed", 1)
    }
    return (fact for (name, _), fact in _replaceable(book) if name in printed)


def _board_facts_read(book: Rulebook, doc: RuleDoc) -> Iterator[str]:
    """The facts of a board file that a rule reads, so that other data change the rule."""
    used = {signature for rule in book.rules if rule.block == doc.id for signature in rule.uses}
    return (fact for signature, fact in _replaceable(book) if signature in used)


def _replaceable(book: Rulebook) -> Iterator[tuple[tuple[str, int], str]]:
    """Yields the facts that a board file can have: name and number of arguments, and the text of the declaration."""
    for rule in book.rules:
        for head in rule.heads:
            if head.signature == BOARD_FACT:
                yield (label(head.args[0]), len(arguments(head.args[0]))), show_term(rule.argument(head, 0))
