"""Statements and sources that are wrong under an edition: texts that rulings change, rulings, long statements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final

from ..errors import Finding
from ..lang.reader import lines_of
from ..rules.contract.documented import in_doc
from ..rules.contract.manifest import place_in_toml
from ..rules.contract.survey import Survey
from ..rules.rulebook import DEFAULT_EDITION, Rulebook, RuleDoc, Ruling, Variant

_LONGEST: Final = 60
"""The largest number of words of a statement."""
_ASKING: Final = re.compile(r"(Whether|When|Whence|Where|Who|Whom|Whose|What|Which|How|Why)\b.*\.")
"""A question in indirect speech."""
_SENTENCE: Final = re.compile(r'["(]?[A-Z0-9].*\.[")]?')
_MENTION: Final = re.compile(r"\((?:otherwise by the )?rulings?\b|\bwhere (?:that|it) is agreed\b")


def statements(survey: Survey) -> Iterator[Finding]:
    """The kind ``statement``: each edition has a statement that holds under its rulings, of at most 60 words.

    >>> # goal(R,1) :- ruling(last_stone,loses), ...     without a line %!   where last_stone is loses -- ...
    """
    book = survey.book
    for doc in (*book.docs.values(), *survey.claimed.values()):
        if doc.is_of_engine:
            continue
        for statement in dict.fromkeys((doc.default_statement, *(v.statement for v in doc.variants))):
            words = statement.split()
            if len(words) > _LONGEST:
                message = f"a statement of {len(words)} words: at most {_LONGEST}; split it, or say less"
                yield in_doc(survey, doc, "statement", message, " ".join(words[:4]))
            mention = _MENTION.search(statement)
            if mention:
                message = "a statement says what holds; for other rulings write '%!   where RULING is VALUE -- ...'"
                yield in_doc(survey, doc, "statement", message, mention[0])
        for message, word in (*_missing(book, doc), *_in_conflict(book, doc)):
            yield in_doc(survey, doc, "statement", message, word)


def _missing(book: Rulebook, doc: RuleDoc) -> Iterator[tuple[str, str]]:
    """Messages about rulings of editions for which a rule has no statement."""
    names, default = book.rulings_of(doc.id), _values(book, DEFAULT_EDITION)
    wanted: dict[tuple[str, str], list[str]] = {}
    for edition in book.editions:
        options = _values(book, edition)
        variant = doc.variant_under(options)
        said = {name for name, _ in variant.rulings} if variant else set()
        for name in names:
            if options[name] != default[name] and name not in said:
                wanted.setdefault((name, options[name]), []).append(edition)
    for (name, value), editions in wanted.items():
        where = f"%!   where {name} is {value} -- ..."
        yield f"{doc.id} has no statement for {' and '.join(editions)}: {where}", doc.id


def _in_conflict(book: Rulebook, doc: RuleDoc) -> Iterator[tuple[str, str]]:
    """Messages about lines ``where`` that are never said, or of which two are equally good."""
    default = _values(book, DEFAULT_EDITION)
    for variant in doc.variants:
        if all(default.get(name) == value for name, value in variant.rulings):
            yield (
                "these are the rulings of standard, for which the heading has the statement",
                _condition(variant),
            )
    for one, other in combinations(doc.variants, 2):
        both = {**dict(one.rulings), **dict(other.rulings)}
        fit_together = all(both[name] == value for name, value in one.rulings)
        better = any(len(v.rulings) > len(one.rulings) and set(v.rulings) <= both.items() for v in doc.variants)
        if fit_together and len(one.rulings) == len(other.rulings) and not better:
            yield f"'{_condition(one)}' can hold too: write a line for both", _condition(other)


def _condition(variant: Variant) -> str:
    """The condition of a line ``where``, as far as it surely stands on one line."""
    return " is ".join(variant.rulings[0])


def _values(book: Rulebook, edition: str) -> Mapping[str, str]:
    return {name: ruling.by_edition[edition] for name, ruling in book.rulings.items()}


# -- rulings and sources -------------------------------------------------------------------------------------


def rulings(survey: Survey) -> Iterator[Finding]:
    """The kind ``about``: a ruling is a question, its values are sentences, and each value of an edition has a source.

    >>> # about = "The last stone wins."     values = { wins = "it wins" }
    """
    book, path = survey.book, survey.folder / "game.toml"
    lines = lines_of(path.read_text(encoding="utf-8"))
    for ruling in book.rulings.values():
        for key, message in _of_ruling(book, ruling):
            line, column = place_in_toml(lines, f"rulings.{ruling.name}", key)
            yield Finding(str(path), line, column, "about", message)


def _of_ruling(book: Rulebook, ruling: Ruling) -> Iterator[tuple[str, str]]:
    """Messages about a ruling, each with its key in the manifest."""
    if not _ASKING.fullmatch(ruling.about):
        yield "about", f"'{ruling.about}' is no question in indirect speech: Whether ..., When ..., Who ..."
    for value, sentence in ruling.values.items():
        if not _SENTENCE.fullmatch(sentence):
            yield "values", f"'{sentence}' is no whole sentence that holds where {ruling.name} is {value}"
    others = [edition for edition in book.editions if edition != DEFAULT_EDITION]
    missing = [edition for edition in others if edition not in ruling.sources]
    if missing:
        yield "source", f"{ruling.name} has no source for {' and '.join(missing)}"
    value = ruling.by_edition[DEFAULT_EDITION]
    if others and DEFAULT_EDITION not in ruling.sources and all(ruling.by_edition[e] != value for e in others):
        yield (
            "source",
            f"no text says that {ruling.name} is {value}: a source for standard says what supports it",
        )
    if others and not any(ruling.name in book.rulings_of(doc.id) for doc in book.docs.values()):
        yield "about", f"no documented rule depends on {ruling.name}: a line 'where' names it"


def sources(survey: Survey) -> Iterator[Finding]:
    """The kind ``unsourced``: a rule with a source has one in each edition with a text, or one for ``standard``.

    >>> # %!   nl   Einde     in a game with the editions standard, nl and it
    """
    book = survey.book
    texts = {edition for doc in book.docs.values() for edition in doc.sources} - {DEFAULT_EDITION}
    for doc in book.docs.values():
        missing = sorted(texts - doc.sources.keys()) if doc.kind in ("rule", "data") else []
        if doc.sources and missing and DEFAULT_EDITION not in doc.sources:
            silent = f"%!   {missing[0]}  SECTION (silent)"
            yield in_doc(
                survey,
                doc,
                "unsourced",
                f"{doc.id} has no source in {' and '.join(missing)}: {silent}",
                doc.id,
            )
