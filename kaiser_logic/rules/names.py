"""Finds the name that is meant by another spelling: in another case or language, with accents, or misspelt.

A game's folder may have ``names.toml``. Its table ``[names]`` has the names of the vocabulary in other languages::

    [names]
    koeln = ["Keulen", "Colonia", "Cologne"]

The phrases of names in ``english.toml`` are known, too.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from ..errors import FaultyRulebook, Finding
from ..function_caches import cache_until_change
from .places import toml_error

_LETTERS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "o"})
_WORD: Final = re.compile(r"\w\w+")
_WRITTEN: Final = re.compile(r"[a-z][A-Za-z0-9_]*|[0-9]+|_+")
_NEAR: Final = 0.7
"""The least similarity of two names for a hint; 1 means equal."""


def plain(word: str) -> str:
    """A word in the form of a name: small letters without accents, everything else as ``_``.

    >>> plain("Köln"), plain("Buitenlandse koningsdochter")
    ('koeln', 'buitenlandse_koningsdochter')
    """
    return _join_words(word.casefold().translate(_LETTERS))


def _join_words(word: str) -> str:
    bare = unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode()
    return "_".join("".join(c if c.isalnum() else " " for c in bare).split())


@cache_until_change(16)
def known_names(folder: Path) -> Mapping[str, tuple[str, ...]]:
    """Maps each normalised spelling to the names of a game that have it.

    Raises:
        FaultyRulebook: ``names.toml`` cannot be read, or is not a table of lists of names.
    """
    names_by_form: dict[str, dict[str, None]] = {}
    for name, written in [*_translations(folder / "names.toml"), *_phrases(folder / "english.toml")]:
        for form in (plain(written), _join_words(written.casefold())):
            names_by_form.setdefault(form, {})[name] = None
    return {form: tuple(names) for form, names in names_by_form.items()}


def _translations(file: Path) -> list[tuple[str, str]]:
    """The names with their translations, as pairs."""
    if not file.is_file():
        return []
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise FaultyRulebook([toml_error(file, error)]) from None
    table = tables.get("names", {})
    if set(tables) - {"names"} or not isinstance(table, dict) or not all(map(_texts, table.values())):
        raise FaultyRulebook([Finding(str(file), 1, 1, "phrase", "[names] must be a table of lists of names")])
    return [(name, written) for name, others in table.items() for written in others]


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _phrases(file: Path) -> list[tuple[str, str]]:
    """The names with their English phrases that have no variables, as pairs."""
    if not file.is_file():
        return []
    terms = tomllib.loads(file.read_text(encoding="utf-8")).get("terms", {})
    return [(name, text) for name, text in terms.items() if name.isidentifier() and "{" not in text]


def name_meant(folder: Path, word: str, among: Iterable[str]) -> str | None:
    """The name that a word means, otherwise the nearest name; None if no name is near.

    Args:
        folder: The game's folder.
        word: The word that somebody wrote.
        among: The names that can be meant.
    """
    names = list(dict.fromkeys(among))
    written = plain(word)
    known = known_names(folder)
    exact = [*known.get(written, ()), *(name for name in names if plain(name) == written)]
    for name in exact:
        if name in names:
            return name
    forms = {form: name for form, meanings in known.items() for name in meanings if name in names}
    forms |= {plain(name): name for name in names}
    from difflib import get_close_matches

    close = get_close_matches(written, forms, 1, _NEAR)
    return forms[close[0]] if close else None


def how_written(folder: Path, text: str) -> str:
    """A hint, after ``; ``, for each word of a text that is not a valid name; empty if there is no such word.

    >>> how_written(Path("none"), "elector(Köln)")
    "; 'Köln' is written koeln"
    """
    known = known_names(folder)
    words = [word for word in dict.fromkeys(_WORD.findall(text)) if not _WRITTEN.fullmatch(word)]
    written = [(word, known.get(plain(word), (plain(word),))[0]) for word in words]
    return "".join(f"; '{word[:40]}' is written {name[:40]}" for word, name in written if name)


def did_you_mean(folder: Path, word: str, among: Iterable[str]) -> str:
    """The hint that another name is meant, after ``; ``; empty if no name is near."""
    name = name_meant(folder, word, among)
    return f"; did you mean {name}?" if name else ""
