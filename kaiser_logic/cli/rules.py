"""The command ``rules``: lists the rules of a game with their sources, or prints the rulebook."""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from ..errors import WrongUsage
from .common import add_flag, add_game_id, add_option, align_rows, columns
from .exit_codes import DONE
from .outputs import add_output, data_to

if TYPE_CHECKING:
    from ..engine.ruleset import Ruleset
    from ..printing.book import BookTable
    from ..rules.rule_texts import RuleTexts
    from ..rules.rulebook import Rulebook, RuleDoc, Ruling

_WIDEST: Final = 36
"""The largest width of the column of names."""
_FORMATS: Final = ("md", "html", "json")


def add_rules(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``rules``."""
    add_game_id(parser)
    add_option(
        parser,
        "rule",
        "RULE",
        "the name of a rule or ruling, the beginning of names, or words of statements (default: all, in the order of play)",
        nargs="*",
        default=[],
    )
    add_flag(parser, "--print", "print the rulebook, with tables and rulings")
    add_option(parser, "--edition", "E", "statements and sources of an edition (default: standard, with all sources)")
    parser.add_argument(
        "--format",
        choices=_FORMATS,
        help="with --print: Markdown (the default) or one page of HTML; without it: json, one JSON object",
    )
    add_option(
        parser,
        "--links",
        "BASE",
        "with --print: the address of the rules in links (default: their path from the file that is written)",
    )
    add_flag(parser, "--sentences", "list each sentence of the printed texts with the rules that say it")
    add_flag(
        parser,
        "--assumed",
        "list what no text says: assumed, from another part of the game, or our reading; and what would replace it",
    )
    add_flag(parser, "--names", "list what a query can ask for (find, prove --claim), each with its phrase")
    add_output(parser)


def rules(args: argparse.Namespace) -> int:
    """Lists the rules, or prints the rulebook."""
    from ..rules.library import game_named
    from ..rules.loader import rulebook

    args.rule = " ".join(args.rule) if args.rule else None
    source = game_named(args.game)
    book = rulebook(source)
    _refuse(args)
    texts = _texts(book, args.edition)
    with data_to(args.output) as out:
        if args.print:
            print(_print_book(book, args), end="", file=out)
        elif args.names:
            from ..game import load

            print("\n".join(names(load(source).ruleset)), file=out)
        elif args.format == "json":
            print(json.dumps(_as_json(texts, args.rule), ensure_ascii=False), file=out)
        else:
            lines: Iterable[str]
            if args.sentences:
                lines = _sentences(book)
            elif args.assumed:
                lines = _assumptions_of(texts)
            elif args.rule is None:
                lines = _overview(texts, args.edition)
            else:
                lines = ["\n\n".join(_choose_texts(texts, args.rule, args.edition is None))]
            print("\n".join(lines), file=out)
    return DONE


def _refuse(args: argparse.Namespace) -> None:
    """WrongUsage if options contradict one another."""
    if args.links is not None and not args.print:
        raise WrongUsage("--links needs --print")
    if args.format is not None and (args.format == "json") == args.print:
        raise WrongUsage(f"--format {args.format} {'is not for' if args.print else 'needs'} --print")
    lists = [name for name in ("sentences", "names", "assumed") if getattr(args, name)]
    if args.print and (lists or args.rule is not None):
        raise WrongUsage("--print prints the whole rulebook: it goes without RULE, --sentences, --names and --assumed")
    if args.edition is not None and (args.sentences or args.names):
        raise WrongUsage(f"--{lists[0]} lists the texts of all editions: it goes without --edition")
    if lists and args.format is not None:
        raise WrongUsage(f"--{lists[0]} is text: it goes without --format")
    if lists and (args.rule is not None or len(lists) > 1):
        raise WrongUsage(f"--{lists[0]} is a list of the whole rulebook: it goes without RULE and without other lists")


def _texts(book: Rulebook, edition: str | None) -> RuleTexts:
    """The statements and sources of an edition; of ``standard`` if there is none."""
    from ..rules.rule_texts import RuleTexts
    from ..rules.rulebook import DEFAULT_EDITION

    if edition is not None and edition not in book.editions:
        known = ", ".join(book.editions)
        raise WrongUsage(f"{book.id} has no edition {edition!r}; the editions are: {known}")
    return RuleTexts.of_edition(book, edition or DEFAULT_EDITION)


def _print_book(book: Rulebook, args: argparse.Namespace) -> str:
    """The printed rulebook."""
    from ..printing.book import print_book
    from ..printing.markdown import markdown
    from ..printing.page import page

    printed_book = print_book(book, args.edition, _general())
    links = args.links or os.path.relpath(book.folder.parent, Path(args.output or "x").parent)
    return (page if args.format == "html" else markdown)(printed_book, links.rstrip("/"))


def _general() -> list[RuleDoc]:
    """The documented rules of all games and of records."""
    from ..records.fault import RECORD_RULES
    from ..rules.rulebook import ENGINE_DOCS, RuleDoc

    records = [RuleDoc(id, "rule", text, None, {}, "records", 0) for id, text in RECORD_RULES.items()]
    return [*ENGINE_DOCS.values(), *records]


def names(rules: Ruleset) -> Iterator[str]:
    """The predicates of the query language, with their phrases and the values of their arguments."""
    from ..query.listing import list_predicates

    for number, (title, predicates) in enumerate(
        zip(("Of a position", "What never changes"), list_predicates(rules), strict=True)
    ):
        yield "\n" * bool(number) + title
        width = min(max(map(len, predicates), default=0), _WIDEST)
        for written, (reads, values) in predicates.items():
            yield from columns([(f"{written:<{width}}", reads)])
            yield from wrap(values, 100, initial_indent=" " * (width + 6), subsequent_indent=" " * (width + 8))


def _assumptions_of(texts: RuleTexts) -> Iterator[str]:
    """The rules and rulings without a source, with what would replace them."""
    from ..printing.sources import KINDS, counted_rules, unsupported_rules
    from ..rules.rulebook import RuleDoc

    by_kind, book = unsupported_rules(texts), texts.book
    rules = {kind: sum(isinstance(one.item, RuleDoc) for one in by_kind[kind]) for kind in KINDS}
    counts = ", ".join(f"{rules[kind]} {kind}" for kind in KINDS)
    ruled = ", ".join(f"{len(by_kind[kind]) - rules[kind]} {kind}" for kind in KINDS)
    line = f"{book.title}, edition {texts.edition}: of {len(counted_rules(book))} rules and data {counts}"
    yield f"{line}; of {len(book.rulings)} rulings {ruled}" if book.rulings else line
    for kind, heading in KINDS.items():
        if by_kind[kind]:
            yield ""
            yield heading
            for _, item, replaced in by_kind[kind]:
                yield from columns([_line(texts, item), ("", f"Replaced by {replaced}.")])


def _as_json(texts: RuleTexts, text: str | None) -> dict[str, object]:
    """The rules and rulings, in the form in which an assistant is answered; ``text``: only those listed for it."""
    from ..answers.handlers import rule_answer, ruling_answer
    from ..rules.rulebook import RuleDoc

    book = texts.book
    items: Sequence[RuleDoc | Ruling] = [*book.docs.values(), *_general(), *book.rulings.values()]
    if text is not None:
        items = _items_beginning(texts, text) or _items_with_words(texts, text)[1]
    return {
        "game": book.id,
        "edition": texts.edition,
        "rules": [rule_answer(texts, item, whole=True) for item in items if isinstance(item, RuleDoc)],
        "rulings": [ruling_answer(item) for item in items if not isinstance(item, RuleDoc)],
    }


def _line(texts: RuleTexts, item: RuleDoc | Ruling, everywhere: bool = False) -> tuple[str, str]:
    """The name of a rule or ruling, and what it says with its places: those of the edition, or ``everywhere``."""
    from ..rules.rulebook import RuleDoc

    if isinstance(item, RuleDoc):
        sources: Mapping[str, str] = texts.all_sources(item) if everywhere else texts.sources(item)
        text, place = (
            texts.statement(item),
            f"{item.file}:{item.line}" if item.line else f"of all {_file(item)}",
        )
    else:
        sources = item.sources if everywhere else texts.ruling_sources(item)
        text, place = item.about if everywhere else item.values[texts.options[item.name]], "ruling"
    cited = "; ".join(f"{edition}: {place}" for edition, place in sources.items())
    return _name(item), f"{text} ({place}){f' [{cited}]' if cited else ''}"


def _overview(texts: RuleTexts, edition: str | None) -> Iterator[str]:
    """All rules with their sources in the order of play, then the rulings with their values."""
    from ..printing.book import print_book

    book = texts.book
    printed_book = print_book(book, edition, more=_general())
    yield book.title
    yield from columns(list(book.editions.items()))
    for section in (*printed_book.chapters, *printed_book.appendix):
        yield ""
        yield f"{section.number}. {section.title}" if section.number else section.title
        yield from columns([_line(texts, doc, edition is None) for doc in section.docs()])
    if book.rulings:
        yield ""
        yield "Rulings: where the texts differ or are silent"
        for ruling in book.rulings.values():
            yield ""
            yield from _ruling(ruling)


def _file(doc: RuleDoc) -> str:
    return doc.file.replace("engine", "games")


def _choose_texts(texts: RuleTexts, beginning: str, everywhere: bool) -> list[str]:
    """The rulings and rules whose names begin with a text, and a list of others that contain its words.

    A text of whole parts of names, such as ``actions`` or ``actions.doctor``, has no others. A ruling of this name comes
    first.
    """
    from ..rules.rulebook import RuleDoc

    items, book = _items_beginning(texts, beginning), texts.book
    if not items:
        return ["\n".join(_containing(texts, beginning, everywhere))]
    docs = [item for item in items if isinstance(item, RuleDoc)]
    rulings = [item for item in items if not isinstance(item, RuleDoc)]
    names = {*(doc.id for doc in docs), *(ruling.name for ruling in rulings)}
    sentences, shown = _sentences_by_rule(book), _tables(book)
    paragraphs = ["\n".join(_ruling(ruling)) for ruling in rulings if ruling.name == beginning]
    paragraphs += ["\n".join([*_rule(texts, doc, sentences, everywhere), *shown.get(doc.id, ())]) for doc in docs]
    paragraphs += ["\n".join(_ruling(ruling)) for ruling in rulings if ruling.name != beginning]
    if not any(f"{name}.".startswith(f"{beginning}.") for name in names):
        containing = [item for item in _by_words(texts, [beginning]).get(1, ()) if _name(item) not in names]
        others = [_line(texts, item, everywhere) for item in containing]
        paragraphs += ["\n".join(["Others with this word:", *columns(others)])] if others else []
    return paragraphs


_SMALL: Final = re.compile(
    "a|an|and|by|does|for|from|has|he|his|in|is|it|may|of|on|or|that|the|to|who|with", re.IGNORECASE
)
"""Words that do not help to find a rule."""
_SHOWN: Final = 12
"""The largest number of rules in a list of those that have only some of the words."""


def _name(item: RuleDoc | Ruling) -> str:
    from ..rules.rulebook import RuleDoc

    return item.id if isinstance(item, RuleDoc) else item.name


def _items_beginning(texts: RuleTexts, beginning: str) -> list[RuleDoc | Ruling]:
    """The rules and rulings whose names begin with a text."""
    book = texts.book
    docs = [doc for doc in (*book.docs.values(), *_general()) if doc.id.startswith(beginning)]
    return [*docs, *(ruling for name, ruling in book.rulings.items() if name.startswith(beginning))]


def _containing(texts: RuleTexts, text: str, everywhere: bool) -> list[str]:
    """A line for each rule and ruling whose name or statement has all words of a text, or words that begin with them.

    If there are none, those with the most words. The names of things may be in other languages.
    """
    head, items = _items_with_words(texts, text)
    return [*head, *columns([_line(texts, item, everywhere) for item in items])]


def _items_with_words(texts: RuleTexts, text: str) -> tuple[list[str], list[RuleDoc | Ruling]]:
    """The rules and rulings of `_containing`, with the line above them if none has all words."""
    words = [word for word in text.split() if not _SMALL.fullmatch(word)]
    items = _by_words(texts, words)
    most = max(items)
    if not most:
        raise WrongUsage(f"{texts.book.id} has no rule whose name or statement contains {text[:80]!r}")
    if most == len(words):
        return [], items[most]
    return [f"No rule has all of these words; with {most} of {len(words)}:"], items[most][:_SHOWN]


def _by_words(texts: RuleTexts, words: Sequence[str]) -> Mapping[int, list[RuleDoc | Ruling]]:
    """All rules and rulings by how many of the words their names or statements have."""
    from ..rules.names import known_names, plain

    book = texts.book
    patterns = [_word(word, known_names(book.folder).get(plain(word), ())) for word in words]
    texts_of: list[tuple[str, str, RuleDoc | Ruling]]
    texts_of = [(doc.id, texts.statement(doc), doc) for doc in (*book.docs.values(), *_general())]
    texts_of += [(name, ruling.about, ruling) for name, ruling in book.rulings.items()]
    items: dict[int, list[RuleDoc | Ruling]] = {}
    for name, text, item in texts_of:
        number = sum(bool(pattern.search(f"{name} {text}")) for pattern in patterns)
        items.setdefault(number, []).append(item)
    return items


def _word(word: str, names: Iterable[str]) -> re.Pattern[str]:
    """A pattern for words that begin with this word or its translation; English endings are ignored."""
    stem = re.sub(r"(?<=\w{3})(ing|ed|es|s)$", "", word)
    all_names = (word, stem, *names)
    written = "|".join(re.escape(name.replace("_", " ")) for name in dict.fromkeys(all_names))
    return re.compile(rf"\b(?:{written})", re.IGNORECASE)


def _tables(book: Rulebook) -> Mapping[str, list[str]]:
    """For each rule, the lines of its tables."""
    from ..printing.book import print_book

    sections = [part for chapter in print_book(book).chapters for part in (chapter, *chapter.parts)]
    entries = [entry for section in sections for entry in section.entries]
    return {entry.doc.id: [line for title, table in entry.tables for line in _grid(title, table)] for entry in entries}


def _grid(title: str, table: BookTable) -> Iterator[str]:
    """A table in columns."""
    yield f"  {title}"
    rows = [table.heading, *table.rows]
    yield from (f"    {line}" for line in align_rows(rows))


def _sentences_by_rule(book: Rulebook) -> Mapping[str, list[str]]:
    """For each rule, the sentences of the printed texts that state it."""
    from ..printing.sources import sentences

    lines: dict[str, list[str]] = {}
    all_sentences = sentences(book)
    for one in all_sentences.all if all_sentences else ():
        for rule in one.rules:
            lines.setdefault(rule, []).append(f"{one.edition} {one.heading}, {one.number}: {one.words}")
    return lines


def _rule(texts: RuleTexts, doc: RuleDoc, sentences: Mapping[str, Iterable[str]], everywhere: bool) -> Iterator[str]:
    yield f"{doc.id} ({doc.kind})"
    yield from columns([("", texts.statement(doc))], "")
    for variant in doc.variants if everywhere else ():
        rulings = ", ".join(f"{name} is {value}" for name, value in variant.rulings)
        yield from columns([(f"where {rulings}", variant.statement)])
    yield f"  {f'{doc.file}:{doc.line}' if doc.line else f'of all {_file(doc)}'}"
    yield from columns(list((texts.all_sources(doc) if everywhere else texts.sources(doc)).items()))
    if doc.sources and doc.id in sentences:
        yield "  sentences"
        yield from columns([("", text) for text in sentences[doc.id]], "  ")


def _ruling(ruling: Ruling) -> Iterator[str]:
    from ..printing.writer import MANY, several

    yield f"{ruling.name} (ruling)"
    yield from columns([("", ruling.about)], "")
    yield "  values"
    many = len(ruling.values) > MANY
    yield from columns([("", several(list(ruling.values)))] if many else list(ruling.values.items()), "    ")
    yield "  editions"
    sources = ruling.sources
    yield from columns(
        [(e, f"{v} ({sources[e]})" if e in sources else v) for e, v in ruling.by_edition.items()], "    "
    )


def _sentences(book: Rulebook) -> Iterator[str]:
    """The sentences of the texts by edition and heading."""
    from ..printing.sources import sentences

    all_sentences = sentences(book)
    if all_sentences is None:
        raise WrongUsage(f"{book.id} does not say which sentence of its texts is which rule: no sentences.toml")
    yield f"{book.title}: {len(all_sentences.all)} sentences"
    last = ("", "")
    for one in all_sentences.all:
        if (one.edition, one.heading) != last:
            last = (one.edition, one.heading)
            yield ""
            yield f"{one.edition}: {one.heading}"
        target = ", ".join(one.rules) or f"no rule: {one.none}"
        yield from columns([(f"{one.number:3}", f"{one.words} -> {target}")])
    if all_sentences.structural:
        yield ""
        yield "Rules that no single sentence states"
        yield from columns(list(all_sentences.structural.items()))
