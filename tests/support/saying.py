"""Whether the sentences of a printed text say the rules that the list gives them, as far as words and numbers tell.

A sentence counts as the source of a rule only if it says it, or a part of it. What can be tested of that:

* it shares a word with the rule's statement that is no name of the game: a sentence that merely names a card says nothing of
  what the card does;
* what the sentences of a rule say has all the numbers of its statement, where the source claims that the text says it all.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator

from kaiser_logic.printing.sentences import Sentences
from kaiser_logic.rules.provenance import SAYS, provenance
from kaiser_logic.rules.rulebook import Rulebook

_WORD = re.compile(r"[^\W\d_]+|\d+")
_COUNTED = "zero one two three four five six seven eight nine ten eleven twelve"
_NUMBERS = {**{word: str(n) for n, word in enumerate(_COUNTED.split())}, "twice": "2"}
_EMPTY_TEXT = """
    a an the of to in on at by for with without from into out up down as and or but not no nor so than then that this these
    those there here it its he she his her him they their them who whom whose whoever which what when where while until till
    if is are be been was were has have had does do did may can must will would such some any all each every other another
    others same own one only also too even more most less least many much few still again already now just very after before
    during between under over about like means said say says goes go come comes get gets
"""
_EMPTY = frozenset(_EMPTY_TEXT.split())


def words_of(text: str) -> list[str]:
    """The words of a text that mean something, numbers as digits."""
    found = (word.casefold() for word in _WORD.findall(text))
    return [_NUMBERS.get(word, word.removesuffix("s")) for word in found if word not in _EMPTY]


def alike(word: str, other: str) -> bool:
    """Whether they are forms of one word: the shorter one's first letters, four at least, begin the other one."""
    length = max(4, min(len(word), len(other)) - 2)
    return word == other or (min(len(word), len(other)) >= 4 and word[:length] == other[:length])


def names_of(book: Rulebook) -> frozenset[str]:
    """The words that are names of things in the game: constants, and the words of their phrases."""
    file = book.folder / "english.toml"
    written = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    table = {**dict.fromkeys(book.roles, ""), **written.get("terms", {})}
    named = {key: phrase for key, phrase in table.items() if "(" not in key}
    return frozenset(
        word for key, phrase in named.items() for word in words_of(f"{key} {phrase}") if not word.isdigit()
    )


def said(book: Rulebook, id: str) -> str:
    """What a rule or ruling says."""
    if id in book.docs:
        return book.docs[id].statement
    ruling = book.rulings[id]
    return " ".join([ruling.about, *ruling.values.values()])


def merely_named(book: Rulebook, made: Sentences) -> Iterator[str]:
    """Sentences that share no word with a rule that they are to say, but for names of the game."""
    names = names_of(book)
    for one in made.all:
        mine = words_of(one.words)
        for rule in one.rules:
            shared = {w for w in words_of(said(book, rule)) for m in mine if alike(w, m)}
            if not shared - names:
                yield f"{one.edition}, {one.heading}, {one.number}: '{one.words}' does not say {rule}"


def unsaid_numbers(book: Rulebook, made: Sentences) -> Iterator[str]:
    """Rules whose source says that an edition's text says them, with numbers that no sentence has that is to say them."""
    heard: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in made.all:
        for rule in one.rules:
            heard[one.edition, rule].update(words_of(f"{one.heading} {one.words}"))
    for doc in book.docs.values():
        for edition, source in doc.sources.items():
            parts = provenance(source)
            if (edition, doc.id) in heard and all(part.kind == SAYS for part in parts):
                missing = {w for w in words_of(doc.statement) if w.isdigit() and w != "1"} - heard[
                    edition, doc.id
                ]
                if missing:
                    yield f"{doc.id}: no sentence of {edition} that is to say it has {', '.join(sorted(missing))}"
